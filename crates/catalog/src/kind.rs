//! Properties that the resources of one type share.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::NativeType;
use super::builtin_types::builtin_type;
use super::tags::type_tags;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_base::target::Target;
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::describe::{Messages, PathElement, find_mismatches_at};
use puppetfn_types::types::ops::{infer_set, instance};
use puppetfn_types::types::parse::capitalize_segments;
use puppetfn_types::value::Value;

/// The parameters that all resources have.
pub const METAPARAMETERS: [&str; 11] = [
    "noop",
    "schedule",
    "audit",
    "loglevel",
    "alias",
    "tag",
    "require",
    "subscribe",
    "before",
    "notify",
    "stage",
];

/// The metaparameters that relate resources to each other.
pub const RELATIONSHIPS: [&str; 4] = ["require", "subscribe", "before", "notify"];

/// Returns the metaparameters that a resource passes on to its contents.
pub(super) fn inherited_metaparameters() -> impl Iterator<Item = &'static str> {
    METAPARAMETERS.into_iter().filter(|name| !RELATIONSHIPS.contains(name))
}

/// Returns true if all resources have a parameter of this name.
pub fn is_metaparameter(name: &str) -> bool {
    METAPARAMETERS.contains(&name)
}

/// The type of a resource: one of Puppet's own, one of a module, or a definition in Puppet code.
#[derive(Debug)]
pub struct ResourceKind {
    /// The name of the type, `File`. It is `Class` for all classes.
    pub type_name: Arc<str>,
    parameters: KindParameters,
    /// The tags that the name stands for; `None` if it cannot be a tag.
    tags: OnceLock<Option<Box<[Arc<str>]>>>,
}

/// The parameters of a resource type.
#[derive(Debug)]
enum KindParameters {
    Native(Arc<NativeType>),
    /// Only code in Ruby knows them, which cannot be run here.
    Unknown,
    Defined(Box<[KindParameter]>),
}

/// A parameter of a class or of a defined type.
#[derive(Debug)]
pub struct KindParameter {
    /// The name of the parameter.
    pub name: Arc<str>,
    /// The type that it is declared to have.
    pub t: Type,
    /// Whether it has no default value.
    pub is_required: bool,
}

/// The argument of a parameter.
#[derive(Clone, Debug)]
pub enum ParameterArgument {
    /// A value.
    Value(Value),
    /// A call that is made when the catalog is applied, with the type of its result, if that is known.
    Later(Option<Type>),
}

impl ParameterArgument {
    /// Returns a parameter's value as an argument. The type of a deferred call is not known.
    pub fn of(value: &Value) -> Self {
        if is_deferred(value) { Self::Later(None) } else { Self::Value(value.clone()) }
    }
}

/// Returns true if a value is a call that is made when the catalog is applied.
pub fn is_deferred(value: &Value) -> bool {
    matches!(value, Value::Object(object) if object.definition().name().is_some_and(|name| &**name == "Deferred"))
}

impl ResourceKind {
    /// Returns one of a release's own types, by its name in lower case.
    pub fn builtin(name: &str, target: Target) -> Option<Self> {
        Some(Self::native(Arc::clone(builtin_type(name, target)?)))
    }

    /// Creates a type that is written in Ruby.
    pub fn native(t: Arc<NativeType>) -> Self {
        Self::of(capitalize_segments(t.name()).into(), KindParameters::Native(t))
    }

    /// Creates a type in Ruby whose parameters are not known, as no Ruby is available.
    pub fn unknown(name: &str) -> Self {
        Self::of(capitalize_segments(name).into(), KindParameters::Unknown)
    }

    /// Creates a class or a defined type.
    pub fn defined(type_name: &str, parameters: impl Into<Box<[KindParameter]>>) -> Self {
        Self::of(type_name.into(), KindParameters::Defined(parameters.into()))
    }

    fn of(type_name: Arc<str>, parameters: KindParameters) -> Self {
        Self { type_name, parameters, tags: OnceLock::new() }
    }

    /// Returns the tags that all resources of the type have; `None` if its name cannot be a tag.
    pub(crate) fn tags(&self) -> Option<&[Arc<str>]> {
        self.tags.get_or_init(|| type_tags(&self.type_name).ok().map(Vec::into)).as_deref()
    }

    /// Returns true for the kind of all classes.
    pub fn is_class(&self) -> bool {
        &*self.type_name == "Class"
    }

    /// Returns true if agents apply resources of the type, which the compiler does not evaluate any further.
    pub fn is_native(&self) -> bool {
        matches!(self.parameters, KindParameters::Native(_) | KindParameters::Unknown)
    }

    /// Returns true if a parameter of this name can be given.
    pub fn has_parameter(&self, name: &str) -> bool {
        name == "name"
            || is_metaparameter(name)
            || match &self.parameters {
                KindParameters::Native(t) => t.has_attribute(name),
                KindParameters::Unknown => true,
                KindParameters::Defined(parameters) => parameters.iter().any(|p| &*p.name == name),
            }
    }

    /// Returns the names of the parameters whose values are checked when a class or a resource of a defined type is
    /// evaluated: its own, then the metaparameters.
    pub fn checked_parameters(&self) -> impl Iterator<Item = &str> {
        let (own, metaparameters) = match &self.parameters {
            KindParameters::Defined(parameters) => (&**parameters, &METAPARAMETERS[..]),
            KindParameters::Native(_) | KindParameters::Unknown => (&[][..], &[][..]),
        };
        own.iter().map(|parameter| &*parameter.name).chain(metaparameters.iter().copied())
    }

    /// Returns the native type, if the type is written in Ruby and its parameters are known.
    pub fn native_type(&self) -> Option<&Arc<NativeType>> {
        match &self.parameters {
            KindParameters::Native(t) => Some(t),
            KindParameters::Unknown | KindParameters::Defined(_) => None,
        }
    }

    /// Returns the parameter that names a resource.
    pub fn name_parameter(&self) -> &str {
        self.native_type().map_or("name", |t| t.name_parameter())
    }

    /// Returns the value of the name parameter that a title stands for.
    pub fn name_of<'t>(&self, title: &'t Value) -> Cow<'t, Value> {
        self.native_type().map_or(Cow::Borrowed(title), |t| t.name_of(title))
    }

    /// Checks that the parameters of a class or of a defined type have values of their types.
    ///
    /// # Errors
    /// Fails if one does not, with all that is wrong in one message, which begins with `subject`.
    pub fn check(
        &self,
        subject: &dyn std::fmt::Display,
        given: &dyn Fn(&str) -> Option<ParameterArgument>,
        names: &mut dyn Iterator<Item = &str>,
        limits: &Limits,
        messages: Messages,
    ) -> Result<(), Error> {
        let KindParameters::Defined(parameters) = &self.parameters else { return Ok(()) };
        let mut unknown = names.filter(|name| !self.has_parameter(name));
        check_parameters(parameters, subject, given, &mut unknown, limits, messages)
    }
}

/// Checks that parameters that are given by name have values of their types, where some names may be
/// unknown.
///
/// # Errors
/// Fails if one does not, with all that is wrong in one message, which begins with `subject`.
pub fn check_parameters(
    parameters: &[KindParameter],
    subject: &dyn std::fmt::Display,
    given: &dyn Fn(&str) -> Option<ParameterArgument>,
    unknown: &mut dyn Iterator<Item = &str>,
    limits: &Limits,
    messages: Messages,
) -> Result<(), Error> {
    let mut problems: Vec<String> = unknown.map(|name| format!(" has no parameter named '{name}'")).collect();
    for parameter in parameters {
        let actual = match given(&parameter.name) {
            Some(ParameterArgument::Value(value))
                if instance(&parameter.t, &value, limits)? == Verdict::No =>
            {
                Some(infer_set(&value, limits)?)
            }
            Some(ParameterArgument::Later(Some(t)))
                if !parameter.t.generalize().assignable(&t.generalize()) =>
            {
                Some(t)
            }
            Some(ParameterArgument::Value(_) | ParameterArgument::Later(_)) => None,
            None => {
                if parameter.is_required {
                    problems.push(format!(" expects a value for parameter '{}'", parameter.name));
                }
                None
            }
        };
        if let Some(actual) = actual {
            let path = PathElement::Parameter(Arc::clone(&parameter.name)).into();
            for mismatch in messages.select(find_mismatches_at(path, &parameter.t, &actual)) {
                let mut problem = String::new();
                mismatch.write(&mut problem, "", messages);
                problems.push(problem);
            }
        }
    }
    let message = match problems.as_slice() {
        [] => return Ok(()),
        [problem] => format!("{subject}:{problem}"),
        several => format!("{subject}:\n {}", several.join("\n ")),
    };
    Err(Error::new(ErrorKind::Evaluation, message))
}
