//! Lazy evaluation, after the code of the top level: the node, collectors, and resources of defined types.
//!
//! See Puppet's `parser/compiler.rb`.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::Machine;
use crate::eval::declaration::{DefinitionForm, NODE, NodeName};
use puppetfn_base::error::{Error, ErrorKind, Signal};
use puppetfn_catalog::{NativeType, ResourceDeclaration, ResourceId, ScopeId, TitleMeaning};
use puppetfn_types::value::Value;

/// Maximum number of rounds of evaluating newly declared resources.
const MAX_ROUNDS: u32 = 1000;

impl Machine {
    /// Evaluates all that is left, and finishes the catalog.
    ///
    /// # Errors
    /// Fails if the evaluation does, or if code relates or changes resources that are not declared.
    pub fn complete_catalog(&mut self) -> Result<(), Error> {
        self.evaluate_node()?;
        self.evaluate_additions()?;
        self.validate_catalog()
    }

    /// Returns the types that parameters refer to resources of without a title, and that have no resource with an
    /// empty one.
    fn titled_types(&mut self) -> Vec<Arc<NativeType>> {
        let mut types = self.compilation().untitled_types();
        types.retain(|t| match t.titles() {
            TitleMeaning::Whole => false,
            TitleMeaning::Paths => true,
            TitleMeaning::Patterns => {
                self.away(None, |shared| shared.host.parse_title(t.name(), "")).is_err()
            }
        });
        types
    }

    /// Evaluates collectors and resources of defined types, and finishes the resources.
    ///
    /// # Errors
    /// Fails if the evaluation does, or if a resource is not valid.
    pub fn evaluate_additions(&mut self) -> Result<(), Error> {
        self.begin();
        self.evaluate_generators()?;
        let unchecked = self.compilation().unchecked();
        let mut later = HashMap::new();
        for id in unchecked {
            later.insert(id, self.types_of_deferred(id)?);
        }
        let messages = self.shared.host.messages();
        self.compilation().finish(&later, messages)
    }

    /// Refuses a catalog in which resources are missing that code relates or changes.
    ///
    /// # Errors
    /// Fails if one is missing, or a reference has no title.
    pub fn validate_catalog(&mut self) -> Result<(), Error> {
        let titled = self.titled_types();
        self.compilation().refuse_unresolved(&titled)
    }

    /// Evaluates the definition of the node, once.
    ///
    /// # Errors
    /// Fails if its code does, or if there are definitions of nodes but none for this one.
    pub fn evaluate_node(&mut self) -> Result<(), Error> {
        self.begin();
        if !self.shared.definitions.has_nodes() || self.compilation().scopes.named(NODE).is_some() {
            return Ok(());
        }
        let name = self.compilation().catalog().node().to_owned();
        let Some((definition, index)) = self.shared.definitions.node(&name.to_lowercase())? else {
            let message = format!("Could not find node statement with name 'default' or '{name}'");
            return Err(Error::new(ErrorKind::Evaluation, message));
        };
        let DefinitionForm::Node(names) = &definition.form else { return Ok(()) };
        let Some(wanted) = names.get(index) else { return Ok(()) };
        let kind = self.definition_kind(&definition)?;
        let title: Arc<str> = wanted.title().into();
        let source = self.source_of(&definition, &title);
        let mut compilation = self.compilation();
        let declaration = ResourceDeclaration::new(kind, Value::String(title));
        let resource = compilation.prepare(ScopeId::TOP, declaration, Some(source))?;
        compilation.merge_tags(&resource);
        let id = compilation.add(ScopeId::TOP, resource)?;
        compilation.begin(id);
        let scope = compilation.scopes.add(ScopeId::TOP, source, id);
        compilation.scopes.set_node(scope);
        compilation.scopes.set_named(NODE.into(), scope);
        drop(compilation);
        let matched = match wanted {
            NodeName::Regexp(regex) => Some((regex, name.as_str())),
            NodeName::Name(_) | NodeName::Default => None,
        };
        self.evaluate_in(scope, id, &definition, matched)
    }

    /// Runs collectors and evaluates resources until there is nothing new.
    fn evaluate_generators(&mut self) -> Result<(), Error> {
        // No statement declares them now.
        self.declaring = None;
        for _ in 0..=MAX_ROUNDS {
            self.ask_for_collectors()?;
            self.collect_exports()?;
            let has_collected = self.compilation().run_collectors()?;
            self.log_warnings();
            let resources = self.compilation().unevaluated();
            for id in &resources {
                self.evaluate_resource(*id).map_err(|error| self.while_declaring(*id, error))?;
            }
            if !has_collected && resources.is_empty() {
                return Ok(());
            }
        }
        let message = "Somehow looped more than 1000 times while evaluating host catalog";
        Err(Error::new(ErrorKind::Limit, message))
    }

    /// An error in a resource of a defined type is one of the statement that declares it.
    #[cold]
    fn while_declaring(&self, id: ResourceId, error: Error) -> Error {
        if error.kind() == &ErrorKind::ArgumentMismatch && error.place().is_none() {
            return unforeseen(error);
        }
        let stated = |problem| format!("Error while evaluating a Resource Statement, {problem}");
        let error = match error.kind() {
            ErrorKind::Host(exception) => match self.shared.host.message_of(exception) {
                Some(message) => Error::of_evaluation(ErrorKind::Evaluation, stated(message)),
                None => return error,
            },
            // A `break` that leaves nothing is placed where it stands.
            _ if error.as_signal() == Some(&Signal::Break) => {
                let message = format!("Error while evaluating an Object, {}", error.message());
                let stated = Error::of_evaluation(ErrorKind::Evaluation, message);
                return match error.place() {
                    Some(place) => stated.at(place.clone()),
                    None => stated,
                };
            }
            _ => error.restated_by_evaluation(stated(error.to_string())),
        };
        match self.compilation().resource(id).and_then(|resource| resource.place()) {
            Some(place) => error.at(place.clone()),
            None => error,
        }
    }
}

/// Returns Puppet's report of an exception of Ruby's that is raised where no code is evaluated: it has no place.
#[cold]
fn unforeseen(error: Error) -> Error {
    error.reworded(|problem| format!("Puppet::Parser::Compiler failed with error ArgumentError: {problem}"))
}
