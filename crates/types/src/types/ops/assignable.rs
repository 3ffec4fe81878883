//! Assignability of types.
//!
//! Like Puppet, this decides in two steps. The first takes the *given* type apart if it consists of several types (an
//! alias, a variant, an optional), each of which must be assignable. The second dispatches on the *expected* type. `Unit`,
//! aliases and variants come before both, as they have rules of their own.
//!
//! See Puppet's `pops/types/types.rb`.

use std::sync::Arc;

use super::case::{PlainMatcher, match_option};
use super::instance::instance;
use super::recursion::Recursion;
use crate::subject::Verdict;
use crate::types::{
    Alias, ArrayType, CallableType, EnumType, FloatRange, HashType, InitType, ObjectExtension, ObjectRef,
    PatternType, ResourceType, RuntimeType, Size, StringType, StructType, TupleType, Type, UriType, builtin,
};
use crate::value::{SemVerRange, Value};
use puppetfn_base::error::Error;
use puppetfn_base::host;
use puppetfn_base::limits::{Depth, Limits, Work};

impl Type {
    /// Returns true if a value of the type `from` may be given where this type is expected.
    ///
    /// Types that are nested deeper than any limit allows, or whose patterns backtrack too
    /// much, are not: a type is assignable only if that was established. [`Self::try_assignable`]
    /// returns the reason.
    pub fn assignable(&self, from: &Self) -> bool {
        self.try_assignable(from, &Limits::FURTHEST).unwrap_or(false)
    }

    /// Returns true if a value of the type `from` may be given where this type is expected.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if the types nest too deep or a pattern backtracks too much.
    pub fn try_assignable(&self, from: &Self, limits: &Limits) -> Result<bool, Error> {
        TypeComparison { work: Work::new(limits), left: limits.nesting, recursion: None }.accepts(self, from)
    }

    /// Returns true if undef may be given where this type is expected.
    pub fn accepts_undef(&self) -> bool {
        self.assignable(&Self::Undef)
    }
}

type AssignableResult = Result<bool, Error>;

/// One question whether a type is assignable. Allocates only for types that contain themselves.
struct TypeComparison {
    work: Work,
    left: u32,
    recursion: Option<Box<Recursion>>,
}

impl TypeComparison {
    fn accepts(&mut self, to: &Type, from: &Type) -> AssignableResult {
        let Some(left) = self.left.checked_sub(1) else {
            return Err(Depth::nesting_exceeded(self.work.limits()));
        };
        self.work.spend()?;
        self.left = left;
        let answer = if let Type::Alias(alias) = to
            && alias.is_recursive()
        {
            self.recursive_accepts(to, alias, from)
        } else if let Type::Variant(types) = to {
            self.variant_accepts(to, types, from)
        } else {
            self.accepts_parts(to, from)
        };
        self.left = left + 1;
        answer
    }

    fn accepts_all<'t>(&mut self, to: &Type, from: impl IntoIterator<Item = &'t Type>) -> AssignableResult {
        for from in from {
            if !self.accepts(to, from)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Compares with an expected alias that contains itself.
    fn recursive_accepts(&mut self, to: &Type, alias: &Alias, from: &Type) -> AssignableResult {
        let recursion = self.recursion.get_or_insert_default();
        let entered = recursion.enter_this(alias.identity());
        let answer = if recursion.both() {
            Ok(true)
        } else if recursion.open(alias.identity(), from) {
            let answer = self.accepts_parts(to, from);
            self.recursion.get_or_insert_default().close();
            answer
        } else {
            Ok(false)
        };
        if entered {
            self.recursion.get_or_insert_default().leave_this();
        }
        answer
    }

    fn variant_accepts(&mut self, to: &Type, types: &[Type], from: &Type) -> AssignableResult {
        // The empty variant is void: it does not even accept undef, but it accepts any variant.
        if let Type::Variant(given) = from {
            for from in given {
                if !types.is_empty() && !self.accepts_parts(to, from)? {
                    return Ok(false);
                }
            }
            return Ok(types.is_empty() || !given.is_empty());
        }
        self.accepts_parts(to, from)
    }

    /// Returns the first step: takes the given type apart.
    fn accepts_parts(&mut self, to: &Type, from: &Type) -> AssignableResult {
        if matches!((to, from), (Type::Unit, _) | (_, Type::Unit)) {
            Ok(true)
        } else if let Type::Alias(alias) = from {
            self.accepts_alias(to, alias)
        } else if let Type::Variant(types) = from {
            if let (Type::NotUndef(_), []) = (to, &**types) {
                return self.accepts_whole(to, from);
            }
            Ok(matches!(to, Type::Any) || !types.is_empty() && self.accepts_all(to, types)?)
        } else if let Type::Optional(inner) = from {
            Ok(self.accepts(to, &Type::Undef)?
                && match inner {
                    Some(inner) => self.accepts(to, inner)?,
                    None => true,
                })
        } else if let Type::NotUndef(Some(inner)) = from
            && !self.accepts(inner, &Type::Undef)?
        {
            self.accepts(to, inner)
        } else {
            self.accepts_whole(to, from)
        }
    }

    /// Compares a given alias.
    fn accepts_alias(&mut self, to: &Type, alias: &Alias) -> AssignableResult {
        if alias.is_recursive() {
            let recursion = self.recursion.get_or_insert_default();
            recursion.enter_that(alias.identity());
            if recursion.both() {
                return Ok(true);
            }
        }
        alias.with_target(|target| target.map_or(Ok(false), |target| self.accepts(to, target)))
    }

    /// Returns the second step: asks the expected type.
    fn accepts_whole(&mut self, to: &Type, from: &Type) -> AssignableResult {
        match to {
            Type::Any | Type::Unit => Ok(true),
            Type::Undef => Ok(matches!(from, Type::Undef)),
            Type::Default => Ok(matches!(from, Type::Default)),
            Type::Scalar => Ok(is_scalar(from)),
            Type::ScalarData => Ok(is_scalar_data(from)),
            Type::Numeric => Ok(matches!(from, Type::Numeric | Type::Integer(_))
                || matches!(from, Type::Float(given) if FloatRange::UNBOUNDED.includes(*given))),
            Type::Integer(range) => Ok(matches!(from, Type::Integer(given) if range.includes(*given))),
            Type::Float(range) => Ok(matches!(from, Type::Float(given) if range.includes(*given))),
            Type::Boolean(truth) => {
                Ok(matches!(from, Type::Boolean(given) if truth.is_none() || truth == given))
            }
            Type::String(string) => Ok(string_accepts(string, from)),
            Type::Enum(names) => Ok(enum_accepts(names, from)),
            Type::Pattern(pattern) => pattern_accepts(pattern, from),
            Type::Regexp(regex) => {
                Ok(matches!(from, Type::Regexp(given) if regex.is_none() || regex == given))
            }
            Type::SemVer(ranges) => Ok(matches!(from, Type::SemVer(given) if versions_accept(ranges, given))),
            Type::SemVerRange => Ok(matches!(from, Type::SemVerRange)),
            Type::Binary => Ok(matches!(from, Type::Binary)),
            Type::Uri(t) => {
                if let Type::Uri(given) = from {
                    self.uri_accepts(t, given)
                } else {
                    Ok(false)
                }
            }
            Type::Timestamp(range) => Ok(matches!(from, Type::Timestamp(given) if range.includes(given))),
            Type::Timespan(range) => Ok(matches!(from, Type::Timespan(given) if range.includes(given))),
            Type::Collection(size) => Ok(collection_accepts(*size, from)),
            Type::Array(array) => self.array_accepts(array, from),
            Type::Hash(hash) => self.hash_accepts(hash, from),
            Type::Tuple(tuple) => self.tuple_accepts(tuple, from),
            Type::Struct(members) => self.struct_accepts(members, from),
            Type::Variant(types) => self.any_accepts(types, from),
            Type::Optional(inner) => match inner {
                Some(inner) if !matches!(from, Type::Undef) => self.accepts(inner, from),
                Some(_) | None => Ok(true),
            },
            Type::NotUndef(inner) => Ok(!self.accepts(from, &Type::Undef)?
                && match inner {
                    Some(inner) => self.accepts(inner, from)?,
                    None => true,
                }),
            Type::Type(inner) => {
                let Type::Type(given) = from else { return Ok(false) };
                self.contained_accepts(inner.as_deref(), given.as_deref())
            }
            Type::Iterable(element) => self.iterable_accepts(element.as_deref(), from),
            Type::Iterator(element) => {
                let Type::Iterator(given) = from else { return Ok(false) };
                self.contained_accepts(element.as_deref(), given.as_deref())
            }
            Type::Sensitive(inner) => {
                let (Type::Sensitive(given), Some(inner)) = (from, inner) else {
                    return Ok(matches!(from, Type::Sensitive(_)));
                };
                self.accepts(inner, given.as_deref().unwrap_or(&Type::Any))
            }
            Type::Callable(callable) => {
                let Type::Callable(given) = from else { return Ok(false) };
                self.callable_accepts(callable, given)
            }
            Type::Runtime(class) => Ok(matches!(from, Type::Runtime(given) if runtime_accepts(class, given))),
            Type::Object(object) => Ok(object_accepts(object, from)),
            Type::ObjectExtension(extension) => extension_accepts(extension, from, self.work.limits()),
            Type::TypeSet(set) => Ok(matches!(from, Type::TypeSet(given) if set.is_any() || set == given)),
            Type::CatalogEntry => Ok(matches!(from, Type::CatalogEntry | Type::Class(_) | Type::Resource(_))),
            Type::Class(name) => Ok(matches!(from, Type::Class(given) if name.is_none() || name == given)),
            Type::Resource(resource) => {
                Ok(matches!(from, Type::Resource(given) if resource_accepts(resource, given)))
            }
            Type::Alias(alias) => {
                alias.with_target(|target| target.map_or(Ok(false), |target| self.accepts(target, from)))
            }
            Type::Init(init) => self.init_accepts(init, from),
            Type::Reference(_) => Ok(to == from),
        }
    }

    fn any_accepts(&mut self, types: &[Type], from: &Type) -> AssignableResult {
        for to in types {
            if self.accepts(to, from)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Compares types that contain one type: without it, they are wider than with any.
    fn contained_accepts(&mut self, to: Option<&Type>, from: Option<&Type>) -> AssignableResult {
        match (to, from) {
            (None, _) => Ok(true),
            (Some(_), None) => Ok(false),
            (Some(to), Some(from)) => self.accepts(to, from),
        }
    }

    fn init_accepts(&mut self, to: &InitType, from: &Type) -> AssignableResult {
        let accepted = to.accepted()?;
        if let Type::Init(given) = from {
            return self.contained_accepts(to.t(), given.t());
        }
        let Some(accepted) = accepted else { return self.accepts(&builtin::rich_data(), from) };
        if self.accepts(&accepted.one, from)? {
            return Ok(true);
        }
        for arguments in &accepted.all {
            let first = accepted.first(arguments);
            if self.accepts(&Type::Tuple(Arc::clone(arguments)), from)?
                || first.map_or(Ok(false), |first| self.accepts(first, from))?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn array_accepts(&mut self, to: &ArrayType, from: &Type) -> AssignableResult {
        let size = to.size.unwrap_or(Size::ANY);
        if let Type::Array(given) = from {
            Ok(size.includes(given.size.unwrap_or(Size::ANY)) && self.accepts(&to.element, &given.element)?)
        } else if let Type::Tuple(given) = from {
            Ok(size.includes(written_size(given)) && self.accepts_all(&to.element, &*given.types)?)
        } else {
            Ok(false)
        }
    }

    fn hash_accepts(&mut self, to: &HashType, from: &Type) -> AssignableResult {
        let size = to.size.unwrap_or(Size::ANY);
        if let Type::Hash(given) = from {
            if is_empty_hash(given) {
                return Ok(size.min == 0);
            }
            Ok(self.accepts(&to.key, &given.key)?
                && self.accepts(&to.value, &given.value)?
                && size.includes(given.size.unwrap_or(Size::ANY)))
        } else if let Type::Struct(given) = from {
            Ok(size.contains(given.members().len()) && self.members_accepted(to, given)?)
        } else {
            Ok(false)
        }
    }

    fn members_accepted(&mut self, to: &HashType, from: &StructType) -> AssignableResult {
        for member in from.members() {
            let key = Value::String(member.name.clone());
            if instance(&to.key, &key, self.work.limits())? != Verdict::Yes
                || !self.accepts(&to.value, &member.value)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn tuple_accepts(&mut self, to: &TupleType, from: &Type) -> AssignableResult {
        if let Type::Tuple(given) = from {
            self.tuple_accepts_tuple(to, given)
        } else if let Type::Array(given) = from {
            let size = given.size.unwrap_or(Size::ANY);
            let most = size.max.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX));
            let elements = std::iter::repeat_n(&given.element, most.min(to.types.len()));
            Ok(to.size().includes(size) && self.positions_accept(to, elements)?)
        } else {
            Ok(false)
        }
    }

    fn tuple_accepts_tuple(&mut self, to: &TupleType, from: &TupleType) -> AssignableResult {
        if !to.size().includes(from.size()) {
            Ok(false)
        } else if from.types.is_empty() && !to.types.is_empty() {
            Ok(to.size().min == 0)
        } else {
            self.positions_accept(to, from.types.iter())
        }
    }

    fn positions_accept<'t>(
        &mut self,
        to: &TupleType,
        given: impl Iterator<Item = &'t Type>,
    ) -> AssignableResult {
        for (index, from) in given.enumerate() {
            if let Some(to) = to.type_at(index)
                && !self.accepts(to, from)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn struct_accepts(&mut self, to: &StructType, from: &Type) -> AssignableResult {
        if let Type::Struct(given) = from {
            self.struct_accepts_struct(to, given)
        } else if let Type::Hash(given) = from {
            // The keys of a hash are unknown, so their names are not compared.
            for member in to.members().iter().filter(|member| !member.optional) {
                if !self.accepts(&member.value, &given.value)? || !self.accepts(&Type::STRING, &given.key)? {
                    return Ok(false);
                }
            }
            Ok(to.size().includes(given.size.unwrap_or(Size::ANY)))
        } else {
            Ok(false)
        }
    }

    fn struct_accepts_struct(&mut self, to: &StructType, from: &StructType) -> AssignableResult {
        let mut matched = 0;
        for member in to.members() {
            let accepted = match from.member(&member.name) {
                None => member.optional,
                Some(given) => {
                    matched += 1;
                    (member.optional || !given.optional) && self.accepts(&member.value, &given.value)?
                }
            };
            if !accepted {
                return Ok(false);
            }
        }
        Ok(matched == from.members().len())
    }

    fn iterable_accepts(&mut self, element: Option<&Type>, from: &Type) -> AssignableResult {
        match element {
            Some(element) if !self.accepts(element, &Type::Any)? => match from.iterable_element() {
                Some(given) => self.accepts(element, &given),
                None => Ok(false),
            },
            // Any element will do, so the type of the elements does not matter.
            Some(_) | None => Ok(from.is_iterable()),
        }
    }

    fn uri_accepts(&mut self, to: &UriType, from: &UriType) -> AssignableResult {
        for (name, expected) in to.parameters().iter() {
            let Some(given) = from.parameters().get(name) else { return Ok(false) };
            let is_accepted = match_option(expected, given, &mut PlainMatcher, self.work.limits())?
                || match (expected, given) {
                    (Value::Type(expected), Value::Type(given)) => self.accepts(expected, given)?,
                    _ => false,
                };
            if !is_accepted {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A callable is assignable if it can be called as the expected one will be called, so its
    /// parameters and its block are compared the other way around.
    fn callable_accepts(&mut self, to: &CallableType, from: &CallableType) -> AssignableResult {
        if let Some(returns) = &to.returns
            && !self.accepts(returns, from.returns.as_ref().unwrap_or(&Type::Any))?
        {
            return Ok(false);
        }
        let Some(params) = &to.params else { return Ok(true) };
        let Some(given) = &from.params else { return Ok(false) };
        if !self.tuple_accepts_tuple(given, params)? {
            return Ok(false);
        }
        let block = to.block.as_ref().unwrap_or(&Type::Undef);
        self.accepts(from.block.as_ref().unwrap_or(&Type::Undef), block)
    }
}

fn is_scalar(t: &Type) -> bool {
    is_scalar_data(t)
        || matches!(
            t,
            Type::Scalar
                | Type::Regexp(_)
                | Type::SemVer(_)
                | Type::SemVerRange
                | Type::Timestamp(_)
                | Type::Timespan(_)
        )
}

fn is_scalar_data(t: &Type) -> bool {
    matches!(
        t,
        Type::ScalarData
            | Type::Numeric
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Boolean(_)
            | Type::String(_)
            | Type::Enum(_)
            | Type::Pattern(_)
    )
}

/// Returns true if each of the given version ranges is within one of the expected ranges.
fn versions_accept(to: &[SemVerRange], from: &[SemVerRange]) -> bool {
    to.is_empty()
        || !from.is_empty() && from.iter().all(|given| to.iter().any(|range| given.is_covered_by(range)))
}

fn string_accepts(to: &StringType, from: &Type) -> bool {
    match (to, from) {
        (StringType::Sized(None), from) => matches!(from, Type::String(_) | Type::Enum(_) | Type::Pattern(_)),
        (StringType::Sized(Some(size)), Type::String(given)) => {
            size.includes(given.size().unwrap_or(Size::ANY))
        }
        (StringType::Sized(Some(size)), Type::Enum(names)) => size.includes(names.lengths()),
        // The lengths of the strings that match a pattern are unknown.
        (StringType::Sized(Some(size)), Type::Pattern(_)) => size.includes(Size::ANY),
        (StringType::Value(_), Type::String(given)) => to == given,
        // Puppet does not compare the texts here.
        (StringType::Value(_), Type::Enum(names)) => names.values().len() == 1 && !names.case_insensitive(),
        (StringType::Sized(Some(_)) | StringType::Value(_), _) => false,
    }
}

fn enum_accepts(to: &EnumType, from: &Type) -> bool {
    if to.values().is_empty() && matches!(from, Type::String(_) | Type::Enum(_) | Type::Pattern(_)) {
        true
    } else if let Type::String(StringType::Value(text)) = from {
        to.contains(text)
    } else if let Type::Enum(given) = from {
        !given.values().is_empty()
            && (to.case_insensitive() || !given.case_insensitive())
            && given.values().iter().all(|text| to.contains(text))
    } else {
        false
    }
}

fn pattern_accepts(to: &PatternType, from: &Type) -> AssignableResult {
    if to.patterns.is_empty() {
        return Ok(matches!(from, Type::String(_) | Type::Enum(_) | Type::Pattern(_)));
    }
    if let Type::String(StringType::Value(text)) = from {
        to.is_match(text)
    } else if let Type::Enum(names) = from {
        for text in names.values() {
            if !to.is_match(text)? {
                return Ok(false);
            }
        }
        Ok(!names.values().is_empty())
    } else {
        Ok(matches!(from, Type::Pattern(given) if to == &**given))
    }
}

fn collection_accepts(size: Option<Size>, from: &Type) -> bool {
    let size = size.unwrap_or(Size::ANY);
    if let Type::Collection(given) = from {
        size.includes(given.unwrap_or(Size::ANY))
    } else if let Type::Array(given) = from {
        size.includes(given.size.unwrap_or(Size::ANY))
    } else if let Type::Hash(given) = from {
        size.includes(given.size.unwrap_or(Size::ANY))
    } else if let Type::Tuple(given) = from {
        size.includes(written_size(given))
    } else if let Type::Struct(given) = from {
        // Puppet does not consider here that members may be missing.
        size.contains(given.members().len())
    } else {
        false
    }
}

/// Returns the size of a tuple where Puppet takes one without types for empty.
fn written_size(tuple: &TupleType) -> Size {
    tuple.size.unwrap_or_else(|| Size::exactly(tuple.types.len()))
}

fn is_empty_hash(hash: &HashType) -> bool {
    hash.size == Some(Size::EMPTY) && hash.key == Type::Unit && hash.value == Type::Unit
}

fn object_accepts(to: &ObjectRef, from: &Type) -> bool {
    if let Type::Object(from) = from {
        to.is_or_inherited_by(from)
    } else if let Type::ObjectExtension(from) = from {
        to.is_or_inherited_by(&from.base_ref())
    } else {
        false
    }
}

/// A type that is not narrowed is not assignable to one that is.
fn extension_accepts(to: &ObjectExtension, from: &Type, limits: &Limits) -> AssignableResult {
    let Type::ObjectExtension(given) = from else { return Ok(false) };
    Ok(object_accepts(&to.base_ref(), from) && to.includes(given, limits)?)
}

fn resource_accepts(to: &ResourceType, from: &ResourceType) -> bool {
    to.type_name.is_none() || to.same_type(from) && (to.title.is_none() || to.title == from.title)
}

fn runtime_accepts(to: &RuntimeType, from: &RuntimeType) -> bool {
    if to.runtime.is_some() && to.runtime != from.runtime {
        return false;
    }
    match (&to.name, &from.name) {
        _ if to.pattern.is_some() || from.pattern.is_some() => {
            to.pattern == from.pattern || to.pattern.is_none() && to.name.is_none()
        }
        (None, _) => true,
        (Some(_), None) => false,
        (Some(to), Some(from)) => to == from || host::classes().is_some_and(|host| host.descends(from, to)),
    }
}
