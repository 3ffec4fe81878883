//! Scopes of declarations, and the definitions that scopes belong to.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::resource::ResourceParameter;
use crate::ids::{ResourceId, ScopeId, SourceId};
use crate::names::{FastMap, NameMap};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_types::types::ops::case::equals;
use puppetfn_types::value::Value;

/// The parameters that resources of a type have by default.
type DefaultParameters = NameMap<Arc<str>, ResourceParameter>;

/// The scope of the top level, of a node, of a class or of a resource of a defined type.
#[derive(Debug)]
pub struct Scope {
    pub parent: Option<ScopeId>,
    pub source: SourceId,
    /// The container of the resources that the scope's code declares.
    pub resource: ResourceId,
    /// The scope whose variables are visible everywhere in this one: the scope of the node, or the top scope.
    pub global: ScopeId,
    defaults: FastMap<Arc<str>, DefaultParameters>,
    /// The variables that functions have set in the scope; its other variables are in a frame.
    variables: NameMap<Arc<str>, Value>,
}

/// A class, a node, or a defined type, as the author of declarations and parameters.
#[derive(Debug)]
pub struct DeclarationSource {
    /// Empty for the top level.
    pub name: Arc<str>,
    /// The class that it builds on.
    pub parent: Option<SourceId>,
    /// The module that has it.
    pub module: Option<Arc<str>>,
    /// Whether it may change all resources: it has a collector that does.
    pub overrides_all: bool,
}

/// All scopes of a compilation.
#[derive(Debug)]
pub struct CatalogScopes {
    scopes: Vec<Scope>,
    sources: Vec<DeclarationSource>,
    /// The scopes of classes and nodes, by name.
    named: FastMap<Arc<str>, ScopeId>,
    main: Scope,
    main_source: DeclarationSource,
    /// The scopes whose default parameters the host redefines.
    redefined: Vec<ScopeId>,
    /// The default parameters that the host gave for scopes within these.
    answers: FastMap<(ScopeId, Arc<str>), DefaultParameters>,
}

impl CatalogScopes {
    /// Creates the top scope, with the resource that contains its declarations.
    pub fn new(main: ResourceId) -> Self {
        let main = Scope {
            parent: None,
            source: SourceId::MAIN,
            resource: main,
            global: ScopeId::TOP,
            defaults: FastMap::default(),
            variables: NameMap::default(),
        };
        let main_source =
            DeclarationSource { name: "".into(), parent: None, module: None, overrides_all: false };
        Self {
            scopes: Vec::new(),
            sources: Vec::new(),
            named: FastMap::default(),
            main,
            main_source,
            redefined: Vec::new(),
            answers: FastMap::default(),
        }
    }

    /// Returns the scope of a number.
    pub fn numbered(&self, number: u32) -> Option<ScopeId> {
        (number as usize <= self.scopes.len()).then_some(ScopeId(number))
    }

    /// Records that the host redefines the default parameters of a scope, which the scopes within it inherit.
    pub fn redefine(&mut self, id: ScopeId) {
        if !self.redefined.contains(&id) {
            self.redefined.push(id);
        }
    }

    /// Returns true if the host decides on the default parameters of a scope.
    pub fn is_redefined(&self, id: ScopeId) -> bool {
        !self.redefined.is_empty()
            && std::iter::successors(Some(id), |id| self.get(*id).parent)
                .any(|around| self.redefined.contains(&around))
    }

    /// Caches the default parameters that the host gave for a scope, until they are queried again.
    pub fn answer(&mut self, id: ScopeId, type_name: &Arc<str>, parameters: Vec<ResourceParameter>) {
        let parameters = parameters.into_iter().map(|parameter| (Arc::clone(&parameter.name), parameter));
        self.answers.insert((id, Arc::clone(type_name)), parameters.collect());
    }

    /// Returns the parameters that a scope itself sets by default.
    pub fn own_defaults(&self, id: ScopeId, type_name: &str) -> Vec<ResourceParameter> {
        self.get(id).defaults.get(type_name).into_iter().flat_map(NameMap::values).cloned().collect()
    }

    pub fn get(&self, id: ScopeId) -> &Scope {
        // The first is the top scope, which is there whatever the others are.
        id.0.checked_sub(1).and_then(|index| self.scopes.get(index as usize)).unwrap_or(&self.main)
    }

    fn get_mut(&mut self, id: ScopeId) -> &mut Scope {
        id.0.checked_sub(1).and_then(|index| self.scopes.get_mut(index as usize)).unwrap_or(&mut self.main)
    }

    pub fn source(&self, id: SourceId) -> &DeclarationSource {
        id.0.checked_sub(1).and_then(|index| self.sources.get(index as usize)).unwrap_or(&self.main_source)
    }

    pub fn source_mut(&mut self, id: SourceId) -> &mut DeclarationSource {
        id.0.checked_sub(1)
            .and_then(|index| self.sources.get_mut(index as usize))
            .unwrap_or(&mut self.main_source)
    }

    /// Adds a scope within another.
    pub fn add(&mut self, parent: ScopeId, source: SourceId, resource: ResourceId) -> ScopeId {
        let global = self.get(parent).global;
        let (defaults, variables) = (FastMap::default(), NameMap::default());
        self.scopes.push(Scope { parent: Some(parent), source, resource, global, defaults, variables });
        ScopeId(u32::try_from(self.scopes.len()).unwrap_or(u32::MAX))
    }

    /// Marks a scope as the scope of a node: code within it sees its variables.
    pub fn set_node(&mut self, id: ScopeId) {
        self.get_mut(id).global = id;
    }

    pub fn add_source(&mut self, source: DeclarationSource) -> SourceId {
        self.sources.push(source);
        SourceId(u32::try_from(self.sources.len()).unwrap_or(u32::MAX))
    }

    /// Registers the scope of a class or node by its name.
    pub fn set_named(&mut self, name: Arc<str>, id: ScopeId) {
        self.named.insert(name, id);
    }

    /// Returns the scope of the class or node of this name, if it has been evaluated.
    pub fn named(&self, name: &str) -> Option<ScopeId> {
        self.named.get(name).copied()
    }

    /// Returns true if it is the scope of a class or node, whose variables are of the top scope, too.
    pub fn is_named(&self, id: ScopeId) -> bool {
        self.named.values().any(|named| *named == id)
    }

    /// Returns a variable that a function has set in a scope.
    pub fn variable(&self, id: ScopeId, name: &str) -> Option<&Value> {
        self.get(id).variables.get(name)
    }

    /// Returns the variables that functions have set in a scope.
    pub fn variables(&self, id: ScopeId) -> impl Iterator<Item = (Arc<str>, Value)> {
        self.get(id).variables.iter().map(|(name, value)| (Arc::clone(name), value.clone()))
    }

    /// Returns all that functions have set in any scope.
    pub fn variables_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.scopes.iter_mut().chain([&mut self.main]).flat_map(|scope| scope.variables.values_mut())
    }

    /// Sets such a variable, if it has no value. Returns false if it has.
    pub fn set_variable(&mut self, id: ScopeId, name: &str, value: Value) -> bool {
        let variables = &mut self.get_mut(id).variables;
        if variables.contains_key(name) {
            return false;
        }
        variables.insert(name.into(), value);
        true
    }

    /// Returns true if a class builds on another, or may act as if it did.
    pub fn is_child_of(&self, child: SourceId, ancestor: SourceId) -> bool {
        let mut child = self.source(child);
        loop {
            if child.overrides_all {
                return true;
            }
            match child.parent {
                Some(parent) if parent == ancestor => return true,
                Some(parent) => child = self.source(parent),
                None => return false,
            }
        }
    }

    /// Sets default parameters for resources of a type.
    ///
    /// # Errors
    /// Fails if a parameter has a default value in this scope already.
    pub fn set_defaults(
        &mut self,
        id: ScopeId,
        type_name: &Arc<str>,
        parameters: Vec<ResourceParameter>,
    ) -> Result<(), Error> {
        let defaults = self.get_mut(id).defaults.entry(Arc::clone(type_name)).or_default();
        for parameter in parameters {
            if defaults.contains_key(&parameter.name) {
                let name = &parameter.name;
                let message =
                    format!("Default already defined for {type_name} {{ {name} }}; cannot redefine");
                let error = Error::new(ErrorKind::Evaluation, message);
                return Err(parameter.place.map_or(error.clone(), |place| error.at(place)));
            }
            defaults.insert(Arc::clone(&parameter.name), parameter);
        }
        Ok(())
    }

    /// Sets default parameters for resources of a type, in place of earlier defaults of this scope.
    pub fn replace_defaults(
        &mut self,
        id: ScopeId,
        type_name: &Arc<str>,
        parameters: Vec<ResourceParameter>,
    ) {
        let defaults = self.get_mut(id).defaults.entry(Arc::clone(type_name)).or_default();
        for parameter in parameters {
            defaults.insert(Arc::clone(&parameter.name), parameter);
        }
    }

    /// Returns the default parameters for resources of a type; the nearest scope takes precedence.
    pub fn defaults(&self, id: ScopeId, type_name: &str) -> DefaultParameters {
        if !self.answers.is_empty()
            && let Some(answer) = self.answers.get(&(id, type_name.into()))
        {
            return answer.clone();
        }
        let stated: Vec<_> = self.around(id).filter_map(|scope| scope.defaults.get(type_name)).collect();
        let mut found = DefaultParameters::default();
        for (name, parameter) in stated.into_iter().rev().flatten() {
            found.insert(Arc::clone(name), parameter.clone());
        }
        found
    }

    /// Returns the types whose resources have default parameters.
    pub fn types_with_defaults(&self, id: ScopeId) -> BTreeSet<Arc<str>> {
        self.around(id).flat_map(|scope| scope.defaults.keys().cloned()).collect()
    }

    /// Returns true if a value is a default that some scope sets for a parameter.
    pub fn is_default(
        &self,
        id: ScopeId,
        type_name: &str,
        name: &str,
        value: &Value,
        limits: &Limits,
    ) -> Result<bool, Error> {
        for scope in self.around(id) {
            if let Some(default) = scope.defaults.get(type_name).and_then(|defaults| defaults.get(name))
                && equals(value, &default.value, limits)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the scope and its ancestors, innermost first.
    fn around(&self, id: ScopeId) -> impl Iterator<Item = &Scope> {
        std::iter::successors(Some(self.get(id)), |scope| scope.parent.map(|parent| self.get(parent)))
    }
}
