//! Templates.

use puppetfn::syntax::ast::TemplateExpr;

use super::classes::ModelClass;
use super::{BODY, Builder, ModelNode, ModelPlace, ModelResult, PARAMETERS, RETURN_TYPE};
use crate::ruby::raw::InstanceVariable;

variables! {
    PARAMETERS_SPECIFIED = c"@parameters_specified";
}

impl<'s> Builder<'_, 's> {
    /// Builds a template: a lambda, which is where the text starts.
    pub(super) fn template(&mut self, template: &TemplateExpr<'s>) -> ModelResult<ModelNode> {
        let place = ModelPlace::new(0, 0);
        let parameters = self.parameters(template.parameters.as_deref().unwrap_or_default())?;
        let body = self.body(&template.body, place)?;
        let specified = self.boolean(template.parameters.is_some())?;
        let attributes = [(&PARAMETERS_SPECIFIED, specified), (&BODY, self.optional(body))];
        let body = self.node(ModelClass::EppExpression, place, &attributes)?;
        let attributes = [(&PARAMETERS, parameters), (&BODY, body.into()), (&RETURN_TYPE, self.nil())];
        self.node(ModelClass::LambdaExpression, place, &attributes)
    }
}
