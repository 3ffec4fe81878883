//! Resources and their parameters.

use std::sync::Arc;

use indexmap::IndexMap;

use super::kind::Kind;
use super::scope::{ScopeId, SourceId};
use super::{Reference, Tags};
use crate::error::{Error, ErrorKind, Place};
use crate::value::Value;

/// A resource: what is declared of a file, a service, a class and so on.
#[derive(Clone, Debug)]
pub struct Resource {
    pub(super) reference: Reference,
    pub(super) kind: Arc<Kind>,
    pub(super) parameters: IndexMap<Arc<str>, Parameter>,
    pub(super) sensitive: Vec<Arc<str>>,
    pub(super) tags: Tags,
    pub(super) is_virtual: bool,
    pub(super) is_exported: bool,
    /// Without a column.
    pub(super) place: Option<Place>,
    /// Where it was declared; none for what is there before all code.
    pub(super) scope: ScopeId,
    pub(super) source: SourceId,
    pub(super) is_evaluated: bool,
    pub(super) has_scope_tags: bool,
    pub(super) is_finished: bool,
}

/// A parameter that was given a value.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub name: Arc<str>,
    pub value: Value,
    /// What code gave it.
    pub source: SourceId,
    /// Whether it is added to the value that is there.
    pub is_added: bool,
    /// Without a column.
    pub place: Option<Place>,
}

impl Resource {
    /// The type and the title.
    pub fn reference(&self) -> &Reference {
        &self.reference
    }

    /// The name of the type, `File`.
    pub fn type_name(&self) -> &str {
        self.reference.type_name()
    }

    /// The title.
    pub fn title(&self) -> &str {
        self.reference.title()
    }

    /// The value that a parameter was given.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.parameters.get(name).map(|parameter| &parameter.value)
    }

    /// The parameters that have a value: first the one that the title stands for, then those that were
    /// given, in order. References to resources are types, as in code.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, Value)> {
        let (name, title) = self.kind.name_parameter(self.title());
        let first = self.get(name).cloned().unwrap_or_else(|| title.into());
        let others = self.parameters.values().filter(move |parameter| *parameter.name != *name);
        let others = others.map(|parameter| (&*parameter.name, parameter.value.clone()));
        std::iter::once((name, first)).chain(others).filter(|(_, value)| !matches!(value, Value::Undef))
    }

    /// The parameter that the title stands for, and the value that it has of it.
    pub fn name_parameter(&self) -> (&str, &str) {
        self.kind.name_parameter(self.title())
    }

    /// The parameters that were given, in order.
    pub fn given_parameters(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.parameters.values().map(|parameter| (&*parameter.name, &parameter.value))
    }

    /// What catalogs for agents say of the type: `compilable_type` where it is written in Ruby,
    /// `defined_type` where code defines it, `unknown` for classes and nodes.
    pub fn kind_name(&self) -> &'static str {
        match (self.kind.is_native(), self.type_name()) {
            (true, _) => "compilable_type",
            (false, "Class" | "Node") => "unknown",
            (false, _) => "defined_type",
        }
    }

    /// The names of the parameters whose values must not be shown.
    pub fn sensitive_parameters(&self) -> impl Iterator<Item = &str> {
        self.sensitive.iter().map(|name| &**name)
    }

    /// The tags.
    pub fn tags(&self) -> &Tags {
        &self.tags
    }

    /// Tells if it was only declared for others to collect or realize it.
    pub fn is_virtual(&self) -> bool {
        self.is_virtual
    }

    /// Tells if it is declared for other nodes.
    pub fn is_exported(&self) -> bool {
        self.is_exported
    }

    /// The file and line where it was declared.
    pub fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// Tells if it is a class.
    pub fn is_class(&self) -> bool {
        self.type_name() == "Class"
    }

    /// The scope that it is declared in.
    pub(crate) fn scope(&self) -> ScopeId {
        self.scope
    }

    pub(crate) fn kind(&self) -> &Arc<Kind> {
        &self.kind
    }

    /// Gives a parameter a value.
    ///
    /// # Errors
    /// When it is `tag` and the value has no tags.
    pub(super) fn set(&mut self, parameter: Parameter) -> Result<(), Error> {
        if &*parameter.name == "tag" {
            self.tags.add_value(&parameter.value)?;
        }
        self.parameters.insert(Arc::clone(&parameter.name), parameter);
        Ok(())
    }

    /// An error at the place where the resource was declared.
    #[cold]
    pub(super) fn error(&self, message: String) -> Error {
        let error = Error::new(ErrorKind::Evaluation, message);
        match &self.place {
            Some(place) => error.at(place.clone()),
            None => error,
        }
    }

    /// The values that no other resource of the type can have.
    pub(super) fn unique_values(&self) -> Vec<Value> {
        let (name, title) = self.kind.name_parameter(self.title());
        let value = |key: &&str| match self.get(key) {
            None | Some(Value::Undef) if *key == name => title.into(),
            Some(value) => value.clone(),
            None => Value::Undef,
        };
        self.kind.unique_parameters().iter().map(value).collect()
    }
}

/// A place in parentheses behind a blank, nothing for none.
pub(super) fn behind(place: Option<&Place>) -> String {
    place.map(|place| format!(" {place}")).unwrap_or_default()
}
