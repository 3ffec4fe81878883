//! Default parameters of scopes whose methods functions of the host have redefined.

use std::sync::Arc;

use super::super::Machine;
use puppetfn_base::error::{Error, ErrorKind, RaisedAs};
use puppetfn_catalog::{Membership, ScopeId, TitleMeaning, WrittenResource};

impl Machine {
    /// Asks the host for the default parameters of the scope that the machine is in, where it redefines them. The next
    /// declaration of a resource of the type finds them.
    ///
    /// # Errors
    /// Errors of the host's code.
    pub(super) fn ask_for_defaults(&mut self, type_name: &Arc<str>) -> Result<(), Error> {
        if self.shared.redefines_defaults() { self.ask_host(self.scope, type_name) } else { Ok(()) }
    }

    /// Asks the same for the scopes of collectors that override collected resources.
    ///
    /// # Errors
    /// Errors of the host's code.
    pub(super) fn ask_for_collectors(&mut self) -> Result<(), Error> {
        if self.shared.redefines_defaults() {
            let asked = self.compilation().collector_defaults();
            asked.iter().try_for_each(|(scope, type_name)| self.ask_host(*scope, type_name))?;
        }
        Ok(())
    }

    fn ask_host(&mut self, scope: ScopeId, type_name: &Arc<str>) -> Result<(), Error> {
        if !self.compilation().scopes.is_redefined(scope) {
            return Ok(());
        }
        let given = self.away(None, |shared| shared.host.resource_defaults(scope.number(), type_name))?;
        self.compilation().keep_defaults(scope, type_name, given);
        Ok(())
    }

    /// Adds a resource that a function of the host has made.
    ///
    /// # Errors
    /// Fails if there is no such type or class; otherwise the same errors as [`puppetfn_catalog::Compilation::add_written`].
    pub fn add_written(&mut self, written: WrittenResource) -> Result<(), Error> {
        let (kind, definition) = if written.type_name.eq_ignore_ascii_case("class") {
            let title = written.title.ruby_to_s(&self.limits)?;
            let Some(class) = self.class(&title)? else {
                let message = format!("Could not find declared class {title}");
                return Err(Error::new(ErrorKind::Evaluation, message).with_details(RaisedAs::ARGUMENT_ERROR));
            };
            (self.definition_kind(&class)?, Some(class))
        } else {
            let Some(found) = self.kind(&written.type_name)? else {
                let message = format!("Unknown resource type: '{}'", written.type_name);
                return Err(Error::new(ErrorKind::NotFound, message));
            };
            found
        };
        let membership = written.membership;
        let mut title_parts = Vec::new();
        if kind.native_type().is_some_and(|t| t.titles() == TitleMeaning::Patterns) {
            let title = written.title.ruby_to_s(&self.limits)?;
            title_parts = self.away(None, |shared| shared.host.parse_title(&kind.type_name, &title))?;
        }
        let id = self.compilation().add_written(kind, written, title_parts)?;
        if let (Membership::Declared { .. }, Some(definition)) = (membership, &definition) {
            self.shared.definitions.set_resource(id, definition);
        }
        Ok(())
    }
}
