//! Definitions of everything that has a name, and lambdas.

use std::borrow::Cow;

use puppetfn::syntax::ast::{
    ClassDefinition, DefinedType, Expr, FunctionDefinition, Lambda, NodeDefinition as NodeExpr, Parameter,
};

use super::classes::ModelClass;
use super::{
    BODY, Builder, ModelAttribute, ModelNode, ModelPlace, ModelResult, PARAMETERS, RETURN_TYPE, VALUE,
};
use crate::ruby::decline::Reason;
use crate::ruby::raw::InstanceVariable;

variables! {
    NAME = c"@name";
    PARENT_CLASS = c"@parent_class";
    PARENT = c"@parent";
    TYPE_EXPR = c"@type_expr";
    CAPTURES_REST = c"@captures_rest";
    HOST_MATCHES = c"@host_matches";
}

impl<'s> Builder<'_, 's> {
    /// Records a definition of the text: nested definitions come before the enclosing one.
    pub(super) fn define(&self, definition: ModelNode) -> ModelResult<ModelNode> {
        self.push(self.definitions, definition)?;
        Ok(definition)
    }

    /// Returns the name of a class or defined type. Puppet joins it with the enclosing names. An ASCII name without any
    /// is in US-ASCII, as the result of Ruby's `join` is.
    fn qualified(&self, name: &str, is_nested: bool) -> ModelResult<ModelAttribute> {
        if is_nested || !name.is_ascii() { self.joined(name) } else { self.ascii(name) }
    }

    pub(super) fn parameters(&mut self, parameters: &[Parameter<'s>]) -> ModelResult<ModelAttribute> {
        let list = self.ruby.ary_new_capa(parameters.len());
        for parameter in parameters {
            let node = self.parameter(parameter)?;
            self.push(list, node)?;
        }
        self.list(list)
    }

    fn parameter(&mut self, parameter: &Parameter<'s>) -> ModelResult<ModelNode> {
        if parameter.is_block {
            return Err(Reason::KindOfExpression);
        }
        let type_expr = self.optional_expr(parameter.type_expr.as_ref())?;
        let value = self.optional_expr(parameter.default.as_ref())?;
        let captures = if parameter.captures_rest { self.boolean(true)? } else { self.nil() };
        let attributes = [
            (&NAME, self.string(parameter.name)?),
            (&VALUE, value),
            (&TYPE_EXPR, type_expr),
            (&CAPTURES_REST, captures),
        ];
        self.node(ModelClass::Parameter, parameter.span.into(), &attributes)
    }

    pub(super) fn optional_expr(&mut self, expr: Option<&Expr<'s>>) -> ModelResult<ModelAttribute> {
        let node = expr.map(|expr| self.expr(expr)).transpose()?;
        Ok(self.optional(node))
    }

    pub(super) fn lambda(&mut self, lambda: &Lambda<'s>) -> ModelResult<ModelNode> {
        let place = ModelPlace::from(lambda.span);
        let parameters = self.parameters(&lambda.parameters)?;
        let returns = self.optional_expr(lambda.return_type.as_ref())?;
        let body = self.body(&lambda.body.statements, place)?;
        let attributes = [(&PARAMETERS, parameters), (&BODY, self.optional(body)), (&RETURN_TYPE, returns)];
        self.node(ModelClass::LambdaExpression, place, &attributes)
    }

    pub(super) fn function(
        &mut self,
        function: &FunctionDefinition<'s>,
        place: ModelPlace,
    ) -> ModelResult<ModelNode> {
        let parameters = self.parameters(&function.parameters)?;
        let returns = self.optional_expr(function.return_type.as_ref())?;
        let body = self.body(&function.body.statements, place)?;
        let attributes = [
            (&NAME, self.string(&function.name)?),
            (&PARAMETERS, parameters),
            (&BODY, self.optional(body)),
            (&RETURN_TYPE, returns),
        ];
        let definition = self.node(ModelClass::FunctionDefinition, place, &attributes)?;
        self.define(definition)
    }

    pub(super) fn class_definition(
        &mut self,
        class: &ClassDefinition<'s>,
        place: ModelPlace,
    ) -> ModelResult<ModelNode> {
        let parameters = self.parameters(&class.parameters)?;
        let body = self.body(&class.body.statements, place)?;
        let parent = class.parent.map_or_else(|| Ok(self.nil()), |parent| self.string(parent))?;
        let attributes = [
            (&NAME, self.qualified(&class.name, matches!(class.name, Cow::Owned(_)))?),
            (&PARAMETERS, parameters),
            (&BODY, self.optional(body)),
            (&PARENT_CLASS, parent),
        ];
        let definition = self.node(ModelClass::HostClassDefinition, place, &attributes)?;
        self.define(definition)
    }

    pub(super) fn resource_type(
        &mut self,
        definition: &DefinedType<'s>,
        place: ModelPlace,
    ) -> ModelResult<ModelNode> {
        let parameters = self.parameters(&definition.parameters)?;
        let body = self.body(&definition.body.statements, place)?;
        let attributes = [
            (&NAME, self.qualified(&definition.name, matches!(definition.name, Cow::Owned(_)))?),
            (&PARAMETERS, parameters),
            (&BODY, self.optional(body)),
        ];
        let definition = self.node(ModelClass::ResourceTypeDefinition, place, &attributes)?;
        self.define(definition)
    }

    pub(super) fn node_definition(
        &mut self,
        node: &NodeExpr<'s>,
        place: ModelPlace,
    ) -> ModelResult<ModelNode> {
        let matches = self.nodes(&node.matches)?;
        let parent = self.optional_expr(node.parent.as_ref())?;
        let body = self.body(&node.body.statements, place)?;
        let attributes =
            [(&PARENT, parent), (&HOST_MATCHES, self.list(matches)?), (&BODY, self.optional(body))];
        let definition = self.node(ModelClass::NodeDefinition, place, &attributes)?;
        self.define(definition)
    }
}
