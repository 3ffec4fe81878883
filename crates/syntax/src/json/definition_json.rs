//! Definitions and catalog expressions as JSON.

use serde_json::{Value as Json, json};

use super::{TreeConverter, node, span};
use crate::ast::{
    Apply, ArrowOp, AttributeOperation, ClassDefinition, Collector, DefinedType, Expr, Feature,
    FeatureSetting, FunctionDefinition, NodeDefinition, OperationAttribute, Parameter, ResourceBody,
    ResourceDefaults, ResourceExpr, ResourceForm, ResourceOverride, SettingValue, TypeAlias, TypeBody,
    TypeDefinition, TypeMapping, TypeMember,
};
use puppetfn_base::source::Span;

impl TreeConverter<'_> {
    pub(super) fn class(&self, class: &ClassDefinition<'_>, expr: &Expr<'_>) -> Json {
        let parts = [
            ("doc", self.doc(expr)),
            ("name", json!(class.name)),
            ("parameters", self.parameters(&class.parameters)),
            ("parent", json!(class.parent)),
            ("body", self.block(&class.body)),
        ];
        node("class", expr.span, parts)
    }

    pub(super) fn resource_type(&self, resource_type: &DefinedType<'_>, expr: &Expr<'_>) -> Json {
        let parts = [
            ("doc", self.doc(expr)),
            ("name", json!(resource_type.name)),
            ("parameters", self.parameters(&resource_type.parameters)),
            ("body", self.block(&resource_type.body)),
        ];
        node("define", expr.span, parts)
    }

    pub(super) fn node_definition(&self, definition: &NodeDefinition<'_>, expr: &Expr<'_>) -> Json {
        let parts = [
            ("doc", self.doc(expr)),
            ("matches", self.exprs(&definition.matches)),
            ("parent", self.option(definition.parent.as_ref())),
            ("body", self.block(&definition.body)),
        ];
        node("node", expr.span, parts)
    }

    pub(super) fn type_alias(&self, alias: &TypeAlias<'_>, expr: &Expr<'_>) -> Json {
        let parts = [
            ("doc", self.doc(expr)),
            ("name", json!(alias.name)),
            ("name_span", span(alias.name_span)),
            ("value", self.expr(&alias.value)),
        ];
        node("type_alias", expr.span, parts)
    }

    pub(super) fn type_mapping(&self, mapping: &TypeMapping<'_>, expr: &Expr<'_>) -> Json {
        let parts = [
            ("doc", self.doc(expr)),
            ("mapped", self.expr(&mapping.type_expr)),
            ("value", self.expr(&mapping.value)),
        ];
        node("type_mapping", expr.span, parts)
    }

    pub(super) fn resource(&self, resource: &ResourceExpr<'_>, at: Span) -> Json {
        let body = |body: &ResourceBody<'_>| json!({"title": self.expr(&body.title), "attributes": self.attributes(&body.operations)});
        let parts = [
            ("form", form(resource.form)),
            ("name", self.expr(&resource.type_name)),
            ("bodies", resource.bodies.iter().map(body).collect()),
        ];
        node("resource", at, parts)
    }

    pub(super) fn resource_defaults(&self, defaults: &ResourceDefaults<'_>, at: Span) -> Json {
        let parts = [
            ("form", form(defaults.form)),
            ("resource_type", self.expr(&defaults.type_ref)),
            ("attributes", self.attributes(&defaults.operations)),
        ];
        node("resource_defaults", at, parts)
    }

    pub(super) fn resource_override(&self, overrides: &ResourceOverride<'_>, at: Span) -> Json {
        let parts = [
            ("form", form(overrides.form)),
            ("resources", self.expr(&overrides.resources)),
            ("attributes", self.attributes(&overrides.operations)),
        ];
        node("resource_override", at, parts)
    }

    pub(super) fn collector(&self, collector: &Collector<'_>, at: Span) -> Json {
        let parts = [
            ("resource_type", self.expr(&collector.type_expr)),
            ("exported", json!(collector.query.exported)),
            ("condition", self.option(collector.query.condition.as_ref())),
            ("attributes", self.attributes(&collector.operations)),
        ];
        node("collector", at, parts)
    }

    pub(super) fn apply(&self, apply: &Apply<'_>, at: Span) -> Json {
        node("apply", at, [("arguments", self.exprs(&apply.arguments)), ("body", self.block(&apply.body))])
    }

    /// Returns the comment above a definition.
    fn doc(&self, expr: &Expr<'_>) -> Json {
        self.program.doc_comment(expr).map_or(Json::Null, |comment| Json::from(comment.text))
    }

    pub(super) fn function(&self, kind: &str, function: &FunctionDefinition<'_>, expr: &Expr<'_>) -> Json {
        let parts = [
            ("doc", self.doc(expr)),
            ("name", json!(function.name)),
            ("parameters", self.parameters(&function.parameters)),
            ("return_type", self.option(function.return_type.as_ref())),
            ("body", self.block(&function.body)),
        ];
        node(kind, expr.span, parts)
    }

    pub(super) fn parameters(&self, parameters: &[Parameter<'_>]) -> Json {
        let parameter = |parameter: &Parameter<'_>| {
            json!({
                "span": span(parameter.span),
                "name": parameter.name,
                "value_type": self.option(parameter.type_expr.as_ref()),
                "captures_rest": parameter.captures_rest,
                "is_block": parameter.is_block,
                "default": self.option(parameter.default.as_ref()),
            })
        };
        parameters.iter().map(parameter).collect()
    }

    fn attributes(&self, operations: &[AttributeOperation<'_>]) -> Json {
        let attribute = |operation: &AttributeOperation<'_>| {
            let (name, op) = match operation.attribute {
                OperationAttribute::Named(name, ArrowOp::Set) => (name, "=>"),
                OperationAttribute::Named(name, ArrowOp::Append) => (name, "+>"),
                OperationAttribute::All => ("*", "=>"),
            };
            json!({
                "span": span(operation.span), "name": name, "op": op, "value": self.expr(&operation.value),
            })
        };
        operations.iter().map(attribute).collect()
    }

    pub(super) fn type_definition(&self, definition: &TypeDefinition<'_>, expr: &Expr<'_>) -> Json {
        let (members, body) = match &definition.body {
            TypeBody::Members(members) => {
                (members.iter().map(|member| self.member(member)).collect(), Json::Null)
            }
            TypeBody::Statements(block) => (Json::Null, self.block(block)),
        };
        let parts = [
            ("doc", self.doc(expr)),
            ("name", json!(definition.name)),
            ("parent", json!(definition.parent)),
            ("members", members),
            ("body", body),
        ];
        node("type_definition", expr.span, parts)
    }

    fn member(&self, member: &TypeMember<'_>) -> Json {
        match member {
            TypeMember::Attribute(feature) => self.feature("attr", feature),
            TypeMember::Reference(feature) => self.feature("has", feature),
            TypeMember::Invariant(invariant) => node(
                "invariant",
                invariant.span,
                [
                    ("message", self.option(invariant.message.as_ref())),
                    ("condition", self.setting_value(&invariant.condition)),
                ],
            ),
            TypeMember::Abstract(at) => node("abstract", *at, []),
        }
    }

    fn feature(&self, kind: &str, feature: &Feature<'_>) -> Json {
        let setting = |setting: &FeatureSetting<'_>| {
            json!({
                "name": setting.name,
                "name_span": span(setting.name_span),
                "value": self.setting_value(&setting.value),
            })
        };
        let parts = [
            ("name", json!(feature.name)),
            ("name_span", span(feature.name_span)),
            ("value_type", self.option(feature.type_expr.as_ref())),
            ("settings", feature.settings.iter().map(setting).collect()),
        ];
        node(kind, feature.span, parts)
    }

    fn setting_value(&self, value: &SettingValue<'_>) -> Json {
        match value {
            SettingValue::Expr(expr) => self.expr(expr),
            SettingValue::Block(block) => self.block(block),
            SettingValue::Lambda(lambda) => self.lambda(Some(lambda)),
        }
    }
}

fn form(form: ResourceForm) -> Json {
    Json::from(match form {
        ResourceForm::Regular => "regular",
        ResourceForm::Virtual => "virtual",
        ResourceForm::Exported => "exported",
    })
}
