//! Queries of a [`World`], for programs that show its content: editors.

use std::sync::Arc;

use super::declare::DefinitionInfo;
use super::native_type::RubyResourceType;
use super::walk::Walk;
use super::world::{Callee, ResolvedResourceType, World};
use super::{TextOrigin, legacy_facts};
use puppetfn_base::error::SourceLocation;
use puppetfn_base::source::Span;
use puppetfn_base::stack::StackBudget;
use puppetfn_catalog::{AttributeDescription, TypeDescription};
use puppetfn_syntax::ast::Program;
use puppetfn_types::function::{Function, Signature};
use puppetfn_types::types::Type;

/// A function that code can call.
#[derive(Clone, Debug)]
pub enum CallableFunction {
    /// One of Puppet's own.
    Native(Arc<Function>),
    /// One of a module or of the texts, with its signatures.
    Declared(Arc<[Signature]>),
}

/// Something that resources can be of, or a class.
#[derive(Clone, Debug)]
pub enum Declarable {
    /// A class or a defined type.
    Defined {
        /// The name in lower case.
        name: String,
        /// Its parameters.
        parameters: Vec<DeclarableParameter>,
        /// Where it is, if it is in a file.
        place: Option<SourceLocation>,
    },
    /// A resource type that is written in Ruby.
    Native(Arc<TypeDescription>),
}

/// A parameter of a class or a defined type.
#[derive(Clone, Debug)]
pub struct DeclarableParameter {
    /// The name.
    pub name: Arc<str>,
    /// The type, as far as it is certain.
    pub t: Type,
    /// Whether it must be given.
    pub is_required: bool,
}

/// An attribute that a resource or a class can be given.
#[derive(Clone, Copy, Debug)]
pub enum AttributeOf<'d> {
    /// A parameter of a class or a defined type.
    Parameter(&'d DeclarableParameter),
    /// An attribute of a resource type that is written in Ruby.
    Native(&'d AttributeDescription),
}

impl Declarable {
    fn of(definition: &DefinitionInfo) -> Self {
        let parameter = |one: &super::declare::DefinitionParameter| DeclarableParameter {
            name: Arc::clone(&one.name),
            t: one.t.clone(),
            is_required: one.is_required,
        };
        let parameters = definition.parameters.iter().map(parameter).collect();
        Self::Defined { name: definition.name.clone(), parameters, place: definition.place.clone() }
    }

    /// Returns its attributes, in the order of their declaration.
    pub fn attributes(&self) -> Vec<AttributeOf<'_>> {
        match self {
            Self::Defined { parameters, .. } => parameters.iter().map(AttributeOf::Parameter).collect(),
            Self::Native(description) => description.attributes.iter().map(AttributeOf::Native).collect(),
        }
    }
}

impl AttributeOf<'_> {
    /// Returns the name.
    pub fn name(&self) -> &str {
        match self {
            Self::Parameter(parameter) => &parameter.name,
            Self::Native(attribute) => &attribute.name,
        }
    }

    /// Returns true if it must be given.
    pub fn is_required(&self) -> bool {
        match self {
            Self::Parameter(parameter) => parameter.is_required,
            Self::Native(attribute) => attribute.is_required,
        }
    }
}

impl World {
    /// Returns the function of a name, for code of an origin; `None` if it is missing or unknown.
    pub fn callable(&self, name: &str, origin: &TextOrigin) -> Option<CallableFunction> {
        match self.function(name, origin) {
            Callee::Native(function) => Some(CallableFunction::Native(function)),
            Callee::Declared(signatures) => Some(CallableFunction::Declared(signatures)),
            Callee::Legacy(_) | Callee::Opaque | Callee::Unsure | Callee::Missing => None,
        }
    }

    /// Returns the class of a name.
    pub fn declarable_class(&self, name: &str) -> Option<Declarable> {
        self.class(name).ok().map(|class| Declarable::of(&class))
    }

    /// Returns the resource type of a name.
    pub fn declarable_type(&self, name: &str) -> Option<Declarable> {
        match self.resource(name) {
            ResolvedResourceType::Native(native) => {
                Some(Declarable::Native(RubyResourceType::description(&native)))
            }
            ResolvedResourceType::Defined(definition) => Some(Declarable::of(&definition)),
            ResolvedResourceType::Foreign | ResolvedResourceType::Unsure | ResolvedResourceType::Missing => {
                None
            }
        }
    }

    /// Returns the names of all functions, sorted.
    pub fn functions(&self) -> Vec<String> {
        sorted(self.function_names().to_vec())
    }

    /// Returns the names of all types, sorted.
    pub fn types(&self) -> Vec<String> {
        sorted(self.type_names().to_vec())
    }

    /// Returns the names of the facts that code can use, without the facts that Puppet 8 leaves out, sorted.
    pub fn facts(&self) -> Vec<String> {
        let names = self.fact_names().into_iter();
        sorted(names.filter(|name| !legacy_facts::is_legacy(name)).collect())
    }

    /// Returns the code that has the value of a fact which Puppet 8 leaves out.
    pub fn legacy_fact(&self, name: &str) -> Option<String> {
        legacy_facts::replacement(name).filter(|_| !self.has_own_fact(name))
    }

    /// Returns the known types of a program's expressions with their spans, in the order of evaluation. Variables that are set
    /// are among them, and the parameters of blocks.
    pub fn types_in(&self, program: &Program<'_>, origin: &TextOrigin) -> Vec<(Span, Type)> {
        let _evaluation = StackBudget::begin(self.limits());
        let mut walk = Walk::new(self, program.text, origin).observing();
        walk.program(program);
        walk.observed()
    }
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names.dedup();
    names
}
