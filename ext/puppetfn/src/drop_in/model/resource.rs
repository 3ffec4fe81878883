//! Resources, collectors, defaults and overrides.

use puppetfn::source::Span;
use puppetfn::syntax::ast::{
    ArrowOp, AttributeOperation, Collector, OperationAttribute, ResourceDefaults, ResourceExpr, ResourceForm,
    ResourceOverride,
};

use super::classes::ModelClass;
use super::{Builder, ModelAttribute, ModelNode, ModelPlace, ModelResult};
use crate::ruby::raw::InstanceVariable;

variables! {
    FORM = c"@form";
    TYPE_NAME = c"@type_name";
    BODIES = c"@bodies";
    TITLE = c"@title";
    OPERATIONS = c"@operations";
    TYPE_REF = c"@type_ref";
    RESOURCES = c"@resources";
    TYPE_EXPR = c"@type_expr";
    QUERY = c"@query";
    ATTRIBUTE_NAME = c"@attribute_name";
    OPERATOR = c"@operator";
    VALUE_EXPR = c"@value_expr";
    EXPR = c"@expr";
}

impl<'s> Builder<'_, 's> {
    fn form(&self, form: ResourceForm) -> ModelResult<ModelAttribute> {
        self.string(match form {
            ResourceForm::Regular => "regular",
            ResourceForm::Virtual => "virtual",
            ResourceForm::Exported => "exported",
        })
    }

    /// Returns the place of a resource, given the place of its type's name. A virtual resource starts at its sign.
    fn resource_place(&self, form: ResourceForm, named: ModelPlace, span: Span) -> ModelPlace {
        let place = ModelPlace::new(named.offset, span.end);
        if form == ResourceForm::Regular { place } else { self.moved_to(place, span.start) }
    }

    pub(super) fn resource(&mut self, resource: &ResourceExpr<'s>, span: Span) -> ModelResult<ModelNode> {
        let is_class = resource.type_name.span.text(self.text) == "class";
        let mut type_name = self.expr(&resource.type_name)?;
        let place = self.resource_place(resource.form, type_name.place, span);
        if is_class {
            // A keyword, which gets no place.
            type_name = self.name("class", place.inside())?;
        }
        let bodies = self.ruby.ary_new_capa(resource.bodies.len());
        for body in &resource.bodies {
            let title = self.expr(&body.title)?;
            let operations = self.operations(&body.operations)?;
            let attributes = [(&TITLE, title.into()), (&OPERATIONS, operations)];
            let node = self.node(ModelClass::ResourceBody, place.inside(), &attributes)?;
            self.push(bodies, node)?;
        }
        let attributes = [
            (&FORM, self.form(resource.form)?),
            (&TYPE_NAME, type_name.into()),
            (&BODIES, self.list(bodies)?),
        ];
        self.node(ModelClass::ResourceExpression, place, &attributes)
    }

    pub(super) fn resource_defaults(
        &mut self,
        defaults: &ResourceDefaults<'s>,
        span: Span,
    ) -> ModelResult<ModelNode> {
        let type_ref = self.expr(&defaults.type_ref)?;
        let place = self.resource_place(defaults.form, type_ref.place, span);
        let operations = self.operations(&defaults.operations)?;
        let attributes =
            [(&FORM, self.form(defaults.form)?), (&TYPE_REF, type_ref.into()), (&OPERATIONS, operations)];
        self.node(ModelClass::ResourceDefaultsExpression, place, &attributes)
    }

    pub(super) fn resource_override(
        &mut self,
        overrides: &ResourceOverride<'s>,
        span: Span,
    ) -> ModelResult<ModelNode> {
        let resources = self.expr(&overrides.resources)?;
        let place = self.resource_place(overrides.form, resources.place, span);
        let operations = self.operations(&overrides.operations)?;
        let attributes =
            [(&FORM, self.form(overrides.form)?), (&RESOURCES, resources.into()), (&OPERATIONS, operations)];
        self.node(ModelClass::ResourceOverrideExpression, place, &attributes)
    }

    pub(super) fn collector(&mut self, collector: &Collector<'s>, span: Span) -> ModelResult<ModelNode> {
        let type_expr = self.expr(&collector.type_expr)?;
        let condition =
            collector.query.condition.as_ref().map(|condition| self.expr(condition)).transpose()?;
        let class =
            if collector.query.exported { ModelClass::ExportedQuery } else { ModelClass::VirtualQuery };
        let query = self.around(class, condition, collector.query.span.into())?;
        let operations = self.operations(&collector.operations)?;
        let place = ModelPlace::new(type_expr.place.offset, span.end);
        let attributes = [(&TYPE_EXPR, type_expr.into()), (&QUERY, query.into()), (&OPERATIONS, operations)];
        self.node(ModelClass::CollectExpression, place, &attributes)
    }

    fn operations(&mut self, operations: &[AttributeOperation<'s>]) -> ModelResult<ModelAttribute> {
        let list = self.ruby.ary_new_capa(operations.len());
        for operation in operations {
            let value = self.expr(&operation.value)?;
            let place = ModelPlace::new(operation.span.start, value.place.end);
            let node = match operation.attribute {
                OperationAttribute::All => {
                    self.node(ModelClass::AttributesOperation, place, &[(&EXPR, value.into())])?
                }
                OperationAttribute::Named(name, op) => {
                    let operator = match op {
                        ArrowOp::Set => "=>",
                        ArrowOp::Append => "+>",
                    };
                    let attributes = [
                        (&ATTRIBUTE_NAME, self.string(name)?),
                        (&OPERATOR, self.joined(operator)?),
                        (&VALUE_EXPR, value.into()),
                    ];
                    self.node(ModelClass::AttributeOperation, place, &attributes)?
                }
            };
            self.push(list, node)?;
        }
        self.list(list)
    }
}
