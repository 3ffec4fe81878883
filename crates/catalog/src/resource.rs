//! Resources and their parameters.
//!
//! See Puppet's `parser/resource.rb`.

use std::borrow::Cow;
use std::sync::Arc;

use num_bigint::{BigInt, Sign};

use super::kind::{METAPARAMETERS, RELATIONSHIPS, ResourceKind, is_deferred};
use super::{ParameterCause, Reference, Tags, TitleMeaning};
use crate::ids::{ScopeId, SourceId};
use crate::names::NameMap;
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_base::limits::{Depth, Limits};
use puppetfn_base::name::lowercase;
use puppetfn_types::types::Type;
use puppetfn_types::value::{FrozenText, Object, Value};

/// A resource: the declaration of a file, a service, a class and so on.
#[derive(Clone, Debug)]
pub struct Resource {
    pub(super) reference: Reference,
    /// The title as it was given, which need not be a text.
    pub(super) title: Value,
    /// The parts that the type's code extracted from the title, if the type has title patterns of its own.
    pub(super) title_parts: Box<[(Arc<str>, Value)]>,
    /// Whether it is a class that was declared as a resource is, with `class { ... }`.
    pub(super) is_declared_class: bool,
    pub(super) kind: Arc<ResourceKind>,
    pub(super) parameters: NameMap<Arc<str>, ResourceParameter>,
    pub(super) sensitive: Vec<Arc<str>>,
    pub(super) tags: Tags,
    pub(super) is_virtual: bool,
    pub(super) is_exported: bool,
    /// Without a column.
    pub(super) place: Option<SourceLocation>,
    /// The scope of the declaration; the top scope for resources that precede all code.
    pub(super) scope: ScopeId,
    pub(super) source: SourceId,
    pub(super) is_evaluated: bool,
    pub(super) has_scope_tags: bool,
    pub(super) is_finished: bool,
}

/// A parameter that was given a value.
#[derive(Clone, Debug)]
pub struct ResourceParameter {
    /// The name.
    pub name: Arc<str>,
    /// The value.
    pub value: Value,
    /// The class, node or defined type whose code gave the value.
    pub source: SourceId,
    /// Whether it is added to the value that is there.
    pub is_added: bool,
    /// Without a column.
    pub place: Option<SourceLocation>,
    /// The cause of the value.
    pub cause: ParameterCause,
    /// The number of the object that several resources share, as Puppet's resources of one expression share their
    /// parameters; 0 for one that belongs to a single resource.
    pub sharing: u32,
}

/// Returns the value of a parameter as an expression gives it: relationships have an Array of their own.
pub fn given(name: &str, value: &Value) -> Value {
    match value {
        Value::Array(items) if RELATIONSHIPS.contains(&name) => items.to_vec().into(),
        other => other.clone(),
    }
}

/// Returns the error of an integer of more than 64 bits that Ruby's older API would get.
#[cold]
pub fn no_large_integer(number: &BigInt) -> Error {
    let is_negative = number.sign() == Sign::Minus;
    let (end, shown) = if is_negative {
        // As Ruby shows a negative number in hexadecimal.
        ("min", format!("0x..f{}", twos_complement(number)))
    } else {
        ("max", format!("{number:#x}"))
    };
    let message = format!("Use of a Ruby Integer outside of Puppet Integer {end} range, got '{shown}'");
    Error::new(ErrorKind::Evaluation, message)
}

/// Returns the digits that Ruby shows after `..f`, for all that a negative number has before them.
fn twos_complement(number: &BigInt) -> String {
    let digits = format!("{:x}", number.magnitude()).len();
    let complement = (BigInt::from(1) << (4 * digits)) + number;
    let shown = format!("{complement:x}");
    format!("{shown:0>digits$}").trim_start_matches('f').to_owned()
}

/// The error of an iterator where Puppet's older parts get a value.
pub const NO_ITERATOR: &str = "Use of an Iterator is not supported here";

/// Converts the references in a value as a parameter does when it is set; returns `None` if the value stays as it is.
///
/// # Errors
/// Fails if a reference names no class or no resource type, or if the value contains an iterator.
pub fn with_given(value: &Value, depth: Depth) -> Result<Option<Value>, Error> {
    let depth = depth.deeper()?;
    match value {
        Value::Type(t) if **t == Type::Class(None) => {
            let problem = "No title provided and \"class\" is not a valid resource reference";
            Err(Error::new(ErrorKind::Evaluation, problem))
        }
        // See Puppet's `pops/evaluator/runtime3_converter.rb`. For Resource it fails with an error of Ruby's.
        Value::Type(t) if **t == Type::CatalogEntry => {
            let problem = "Cannot split the type Puppet::Pops::Types::PCatalogEntryType, it represents neither a PClassType, nor a \
                           PResourceType.";
            Err(Error::new(ErrorKind::Evaluation, problem))
        }
        Value::Type(t) if matches!(&**t, Type::Resource(resource) if resource.type_name.is_none()) => Err(
            Error::new(ErrorKind::Evaluation, "Resource names no type, so it is no reference to a resource"),
        ),
        Value::Type(t) => Ok(Reference::given(t).map(Value::from)),
        // Puppet copies strings and collections, so that parameters are not frozen: see its
        // `pops/evaluator/runtime3_converter.rb`.
        Value::String(text) => Ok(FrozenText::is_marked(text).then(|| Value::from(&**text))),
        Value::Iterator(_) => Err(Error::new(ErrorKind::Conversion, NO_ITERATOR)),
        Value::Array(items) => {
            let given = items.iter().map(|item| with_given(item, depth)).collect::<Result<Vec<_>, _>>()?;
            Ok((items.is_frozen() || given.iter().any(Option::is_some)).then(|| {
                let pairs = given.into_iter().zip(items.iter());
                pairs.map(|(given, item)| given.unwrap_or_else(|| item.clone())).collect::<Vec<_>>().into()
            }))
        }
        Value::Hash(hash) => {
            let entry = |(key, value)| Ok((with_given(key, depth)?, with_given(value, depth)?));
            let given = hash.iter().map(entry).collect::<Result<Vec<_>, Error>>()?;
            let is_changed = |(key, value): &(Option<Value>, Option<Value>)| key.is_some() || value.is_some();
            Ok((hash.host().is_some() || given.iter().any(is_changed)).then(|| {
                let pairs = given.into_iter().zip(hash.iter());
                pairs
                    .map(|((new_key, new), (key, old))| {
                        (new_key.unwrap_or_else(|| key.clone()), new.unwrap_or_else(|| old.clone()))
                    })
                    .collect()
            }))
        }
        Value::Runtime(object) if let Some(number) = object.as_integer() => Err(no_large_integer(number)),
        // Arrays and hashes are made anew, of whatever class they were.
        Value::Runtime(object) => match object.contents() {
            Some(contents) => Ok(Some(with_given(contents, depth)?.unwrap_or_else(|| contents.clone()))),
            None => Ok(None),
        },
        _ => Ok(None),
    }
}

impl Resource {
    /// Returns the type and the title.
    pub fn reference(&self) -> &Reference {
        &self.reference
    }

    /// Returns the name of the type, `File`.
    pub fn type_name(&self) -> &str {
        self.reference.type_name()
    }

    /// Returns the title.
    pub fn title(&self) -> &str {
        self.reference.title()
    }

    /// Returns the value that a parameter was given.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.parameters.get(name).map(|parameter| &parameter.value)
    }

    /// Returns the metaparameters that were given, each by its index among [`METAPARAMETERS`].
    pub fn metaparameters(&self) -> impl Iterator<Item = (usize, &Value)> {
        self.parameters.values().filter_map(|parameter| {
            let index = METAPARAMETERS.iter().position(|name| *name == &*parameter.name)?;
            Some((index, &parameter.value))
        })
    }

    /// Returns the title as it was given: a string, but for functions that declare resources by other values.
    pub fn title_value(&self) -> &Value {
        &self.title
    }

    /// Returns the parameters that have a value, in order: first the parameters from the title, then the given ones.
    /// References to resources are types whose `is_given` is set.
    pub fn parameters(&self) -> NameMap<&str, Value> {
        self.parameter_list().into_iter().collect()
    }

    /// Returns the same parameters as a list without a repeated name.
    pub(super) fn parameter_list(&self) -> Vec<(&str, Value)> {
        let mut list: Vec<(&str, Value)> = Vec::with_capacity(self.parameters.len().saturating_add(1));
        let replace = |known: &mut [(&str, Value)], name: &str, value: &Value| {
            let found = known.iter_mut().find(|(known, _)| *known == name);
            found.map(|(_, known)| *known = value.clone()).is_some()
        };
        for (name, value) in self.of_title() {
            if !replace(&mut list, name, &value) {
                list.push((name, value));
            }
        }
        let of_title = list.len();
        for parameter in self.parameters.values().filter(|p| !matches!(p.value, Value::Undef)) {
            // The names of given parameters are distinct.
            let known = list.get_mut(..of_title).unwrap_or_default();
            if !replace(known, &parameter.name, &parameter.value) {
                list.push((&parameter.name, parameter.value.clone()));
            }
        }
        list
    }

    /// Returns the parameters that the title stands for.
    pub fn of_title(&self) -> impl Iterator<Item = (&str, Value)> {
        let takes_apart = self.kind.native_type().is_some_and(|t| t.titles() == TitleMeaning::Patterns);
        let whole = (!takes_apart).then(|| (self.kind.name_parameter(), self.name()));
        let parts = self.title_parts.iter().map(|(name, value)| (&**name, value.clone()));
        whole.into_iter().chain(parts)
    }

    /// Returns the parameter that names the resource.
    pub fn name_parameter(&self) -> &str {
        self.kind.name_parameter()
    }

    /// Returns the name by which finished catalogs know a parameter: in lower case, whatever case the code has, and the
    /// naming parameter for `name`. See `parameter_name` in Puppet's `resource.rb`.
    pub fn finished_name<'n>(&'n self, name: &'n str) -> Cow<'n, str> {
        let name = lowercase(name);
        if name == "name" { Cow::Borrowed(self.name_parameter()) } else { name }
    }

    /// Returns the name that the whole title stands for. The name of a class, defined type or node is a text.
    fn name(&self) -> Value {
        match &self.title {
            Value::String(_) => self.kind.name_of(&self.title).into_owned(),
            // The pattern of titles takes a value of another type for a text.
            _ => Value::String(Arc::clone(self.reference.title())),
        }
    }

    /// Returns the parameters that were given, in order.
    pub fn given_parameters(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.parameters.values().map(|parameter| (&*parameter.name, &parameter.value))
    }

    /// Returns the kind that catalogs for agents state: `compilable_type` for a type in Ruby, `defined_type` for one in
    /// Puppet code, `class` for a class that is declared as a resource is, `unknown` for all other classes and for nodes.
    pub fn kind_name(&self) -> &'static str {
        match (self.kind.is_native(), self.type_name()) {
            (true, _) => "compilable_type",
            (false, "Class") if self.is_declared_class => "class",
            (false, "Class" | "Node") => "unknown",
            (false, _) => "defined_type",
        }
    }

    /// Returns true if it is there before all code, which knows it by a symbol in place of a title.
    pub fn is_main(&self) -> bool {
        &**self.reference.title() == "main" && matches!(self.type_name(), "Class" | "Stage")
    }

    /// Returns the `Deferred` calls that typed parameters and metaparameters of a class or defined type are set to, in the
    /// order in which Puppet checks parameters: as declared.
    pub fn deferred(&self) -> impl Iterator<Item = (Arc<str>, Arc<Object>)> {
        let has_any = self.parameters.values().any(|parameter| is_deferred(&parameter.value));
        let names = has_any.then(|| self.kind.checked_parameters()).into_iter().flatten();
        names.filter_map(|name| match &self.parameters.get(name)?.value {
            value @ Value::Object(object) if is_deferred(value) => Some((name.into(), Arc::clone(object))),
            _ => None,
        })
    }

    /// Returns the names of the parameters whose values must not be shown.
    pub fn sensitive_parameters(&self) -> impl Iterator<Item = &str> {
        self.sensitive.iter().map(|name| &**name)
    }

    /// Returns the tags.
    pub fn tags(&self) -> &Tags {
        &self.tags
    }

    /// Returns true if it was only declared for others to collect or realize it.
    pub fn is_virtual(&self) -> bool {
        self.is_virtual
    }

    /// Returns true if it is declared for other nodes.
    pub fn is_exported(&self) -> bool {
        self.is_exported
    }

    /// Returns true if it is for this node, or exported for others.
    pub(super) fn is_for_some_node(&self) -> bool {
        !self.is_virtual || self.is_exported
    }

    /// Returns the file and line where it was declared.
    pub fn place(&self) -> Option<&SourceLocation> {
        self.place.as_ref()
    }

    /// Returns true if it is a class.
    pub fn is_class(&self) -> bool {
        self.type_name() == "Class"
    }

    /// Returns the scope that it is declared in.
    pub fn scope(&self) -> ScopeId {
        self.scope
    }

    /// Returns the kind, which all resources of the type share.
    pub fn kind(&self) -> &Arc<ResourceKind> {
        &self.kind
    }

    /// Sets a parameter.
    ///
    /// # Errors
    /// Fails if it is `tag` and the value has no tags.
    pub(super) fn set(&mut self, parameter: ResourceParameter, limits: &Limits) -> Result<(), Error> {
        if &*parameter.name == "tag" {
            self.tags.add_parameter(&parameter.value, limits)?;
        }
        self.parameters.insert(Arc::clone(&parameter.name), parameter);
        Ok(())
    }

    /// Returns an error at the place where the resource was declared.
    #[cold]
    pub(super) fn error(&self, message: String) -> Error {
        let error = Error::new(ErrorKind::Evaluation, message);
        match &self.place {
            Some(place) => error.at(place.clone()),
            None => error,
        }
    }

    /// Returns the values that no other resource of the type can have.
    pub(super) fn unique_values(&self) -> Vec<Value> {
        let Some(t) = self.kind.native_type() else { return vec![self.own_name()] };
        let of_title = |key: &str| self.of_title().filter(|(name, _)| *name == key).last();
        let value = |key: &Arc<str>| match self.get(key) {
            None | Some(Value::Undef) => match of_title(key) {
                Some((_, value)) => value,
                None if **key == *t.name_parameter() || &**key == "name" => self.own_name(),
                None => Value::Undef,
            },
            Some(value) => value.clone(),
        };
        t.unique_parameters().iter().map(value).collect()
    }

    /// Returns the value of the name parameter, else the value of `name`, else the title.
    fn own_name(&self) -> Value {
        let given = |name: &str| self.get(name).filter(|value| !matches!(value, Value::Undef)).cloned();
        given(self.name_parameter()).or_else(|| given("name")).unwrap_or_else(|| self.name())
    }
}

/// Returns a place in parentheses after a blank; empty if there is none.
pub(super) fn behind(place: Option<&SourceLocation>) -> String {
    place.map(|place| format!(" {place}")).unwrap_or_default()
}
