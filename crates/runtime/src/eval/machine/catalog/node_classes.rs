//! The classes that a node classifier names.
//!
//! See Puppet's `parser/compiler.rb`.

use std::sync::Arc;

use super::super::Machine;
use crate::eval::declaration::{DefinitionCode, NODE};
use crate::eval::main_manifest::NodeClass;
use puppetfn_base::error::{Error, ErrorKind, RaisedAs};
use puppetfn_catalog::{InclusionKind, ParameterCause, ResourceDeclaration, ResourceParameter, ScopeId};
use puppetfn_types::value::Value;

impl Machine {
    /// Adds the classes to the catalog's list of classes, where they are from the start.
    ///
    /// # Errors
    /// Fails if a name cannot be a tag.
    pub fn list_node_classes(&self, classes: &[NodeClass]) -> Result<(), Error> {
        let names: Vec<Arc<str>> = classes.iter().map(|class| Arc::clone(&class.name)).collect();
        self.compilation().add_node_classes(&names)
    }

    /// Declares the classes in the scope of the node: first the ones with parameters, as resources, then the others,
    /// unless these are declared. They are evaluated with the other additions.
    ///
    /// # Errors
    /// Fails if there is no such class, or if one with parameters is declared already.
    pub fn declare_node_classes(&mut self, classes: &[NodeClass]) -> Result<(), Error> {
        self.begin();
        let node = self.compilation().scopes.named(NODE).unwrap_or(ScopeId::TOP);
        let outer = std::mem::replace(&mut self.scope, node);
        let (given, included): (Vec<_>, Vec<_>) =
            classes.iter().partition(|class| !class.parameters.is_empty());
        let declared = self.declare_with_parameters(&given).and_then(|()| {
            let classes = self.node_classes(&included)?;
            classes.iter().try_for_each(|class| {
                let id = self.ensure_class(class)?;
                self.note_inclusion(id, InclusionKind::Classifier, || None);
                Ok(())
            })
        });
        self.scope = outer;
        declared
    }

    fn declare_with_parameters(&mut self, given: &[&NodeClass]) -> Result<(), Error> {
        for class in self.node_classes(given)? {
            // As in Puppet, parameters count by the name that the class has itself.
            let parameters = given.iter().rev().find(|given| *given.name == *class.name);
            let source = self.source_of(&class, &class.name);
            let parameter = |(name, value): &(Arc<str>, _)| ResourceParameter {
                name: Arc::clone(name),
                value: Clone::clone(value),
                source,
                is_added: false,
                place: None,
                cause: ParameterCause::Classifier,
                sharing: 0,
            };
            let parameters = parameters.map(|given| given.parameters.iter().map(parameter).collect());
            let kind = self.definition_kind(&class)?;
            self.ask_for_defaults(&kind.type_name)?;
            let mut declaration = ResourceDeclaration::new(kind, Value::from(&*class.name));
            declaration.parameters = parameters.unwrap_or_default();
            let resource = self.compilation().prepare(self.scope, declaration, Some(source))?;
            let id = self.add_class(&class, resource)?;
            self.note_inclusion(id, InclusionKind::Classifier, || None);
        }
        Ok(())
    }

    /// Returns the definitions of the classes. All must exist before any is declared.
    fn node_classes(&mut self, classes: &[&NodeClass]) -> Result<Vec<Arc<DefinitionCode>>, Error> {
        let mut found = Vec::with_capacity(classes.len());
        for NodeClass { name, .. } in classes {
            let Some(class) = self.class(name)? else {
                let node = self.compilation().catalog().node().to_owned();
                let message = format!("Could not find class {name} for {node}");
                return Err(Error::new(ErrorKind::Evaluation, message).with_details(RaisedAs::PUPPET_ERROR));
            };
            found.push(class);
        }
        Ok(found)
    }
}
