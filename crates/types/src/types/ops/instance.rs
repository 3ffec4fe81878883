//! Which values are instances of which types.
//!
//! This decides every call of a function, so it allocates nothing while values match.
//!
//! See Puppet's `pops/types/types.rb`.

use std::cell::Cell;
use std::ops::ControlFlow;

use super::case::{PlainMatcher, match_option};
use super::infer::infer;
use super::iterable::ITERABLE_CLASS;
use super::shape::{arity_matches, by_shape, excluded, object_matches, simple_matches};
use super::subsumes::{has_unknown, unknown_instance};
use crate::subject::{CallableShape, Shape, Subject, Verdict};
use crate::types::{
    Alias, ArrayType, CallableType, HashType, InitType, PatternType, StringType, StructType, TupleType, Type,
    UriType, builtin,
};
use crate::value::{Uri, Value};
use puppetfn_base::error::Error;
use puppetfn_base::limits::{Depth, Limits, VisitState, Work};

/// Returns whether a value is an instance of a type; for an unknown value, whether every value of its type is one.
///
/// # Errors
/// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if the value or the type nests too deep or a pattern backtracks
/// too much; otherwise the same errors as [`Subject::shape`].
pub fn instance<'a, S: Subject<'a>>(t: &Type, subject: S, limits: &Limits) -> Result<Verdict, Error> {
    InstanceChecker::new(limits).instance(t, subject)
}

impl Type {
    /// Returns true if a value is certainly an instance of the type.
    ///
    /// A value that nests deeper than any limit allows is not: [`Self::has_instance`] returns the reason.
    ///
    /// ```
    /// use puppetfn::types::Type;
    /// use puppetfn::value::Value;
    ///
    /// let ports: Type = "Array[Integer[1, 65535], 1]".parse()?;
    /// assert!(ports.is_instance(&Value::array([80, 443])));
    /// assert!(!ports.is_instance(&Value::array([0])));
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    pub fn is_instance(&self, value: &Value) -> bool {
        self.has_instance(value, &Limits::FURTHEST).unwrap_or(false)
    }

    /// Returns true if a value is certainly an instance of the type, within limits.
    ///
    /// # Errors
    /// The same errors as [`instance`].
    pub fn has_instance(&self, value: &Value, limits: &Limits) -> Result<bool, Error> {
        Ok(instance(self, value, limits)? == Verdict::Yes)
    }
}

/// Average number of types that may be visited for each level of a value: recursive types take a few steps a level (alias,
/// optional, variant, array).
const STEPS_PER_LEVEL: u32 = 4;

/// A check of one value, with its remaining limits.
pub(super) struct InstanceChecker {
    work: Work,
    levels: Cell<u32>,
    steps: Cell<u32>,
}

/// The aliases that contain themselves and were followed for the value at hand.
struct FollowedAlias<'f> {
    alias: usize,
    before: Option<&'f FollowedAlias<'f>>,
}

type InstanceResult = Result<Verdict, Error>;

impl InstanceChecker {
    pub(super) fn new(limits: &Limits) -> Self {
        let steps = limits.nesting.saturating_mul(STEPS_PER_LEVEL);
        Self { work: Work::new(limits), levels: Cell::new(limits.nesting), steps: Cell::new(steps) }
    }

    /// Checks a value.
    #[inline(always)]
    pub(super) fn instance<'a, S: Subject<'a>>(&self, t: &Type, subject: S) -> InstanceResult {
        match at_once(t, subject) {
            Some(truth) => Ok(truth.into()),
            None => self.look_into(t, subject),
        }
    }

    #[inline(never)]
    fn look_into<'a, S: Subject<'a>>(&self, t: &Type, subject: S) -> InstanceResult {
        self.matches(t, subject, &subject.shape()?, None)
    }

    /// Checks the parts of a value.
    fn one_level_down(&self, check: impl FnOnce() -> InstanceResult) -> InstanceResult {
        let Some(left) = self.levels.get().checked_sub(1) else {
            return Err(Depth::nesting_exceeded(self.work.limits()));
        };
        self.levels.set(left);
        let verdict = check();
        self.levels.set(left + 1);
        verdict
    }

    /// Checks the value at hand.
    fn matches<'a, S: Subject<'a>>(
        &self,
        t: &Type,
        subject: S,
        shape: &Shape<'a, S>,
        followed: Option<&FollowedAlias<'_>>,
    ) -> InstanceResult {
        let Some(left) = self.steps.get().checked_sub(1) else {
            return Err(Depth::nesting_exceeded(self.work.limits()));
        };
        self.work.spend()?;
        self.steps.set(left);
        let verdict = if let Shape::Unknown(unknown) = shape {
            Ok(unknown_instance(t, unknown, &self.work))
        } else {
            self.known_matches(t, subject, shape, followed)
        };
        self.steps.set(left + 1);
        verdict
    }

    fn known_matches<'a, S: Subject<'a>>(
        &self,
        t: &Type,
        subject: S,
        shape: &Shape<'a, S>,
        followed: Option<&FollowedAlias<'_>>,
    ) -> InstanceResult {
        match t {
            Type::Any | Type::Unit => Ok(Verdict::Yes),
            Type::Undef
            | Type::Default
            | Type::Scalar
            | Type::ScalarData
            | Type::Numeric
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Boolean(_)
            | Type::String(_)
            | Type::Enum(_)
            | Type::Collection(_) => Ok(simple_matches(t, subject, shape).into()),
            Type::Pattern(pattern) => pattern_matches(pattern, shape),
            Type::Regexp(regex) => Ok(Verdict::from(
                matches!(shape, Shape::Regexp)
                    && regex.as_ref().is_none_or(|regex| subject.regexp_source() == regex.source()),
            )),
            Type::SemVer(ranges) => Ok(Verdict::from(matches!(shape, Shape::Rich(Value::SemVer(version))
                    if ranges.is_empty() || ranges.iter().any(|range| range.includes(version))))),
            Type::SemVerRange => Ok(matches!(shape, Shape::Rich(Value::SemVerRange(_))).into()),
            Type::Binary => Ok(matches!(shape, Shape::Rich(Value::Binary(_))).into()),
            Type::Uri(t) => {
                let uri = if let Shape::Uri = shape { subject.uri() } else { None };
                uri.map_or(Ok(Verdict::No), |uri| self.uri_matches(t, &uri))
            }
            Type::Timestamp(range) => {
                Ok(matches!(shape, Shape::Rich(Value::Timestamp(time)) if range.contains(*time)).into())
            }
            Type::Timespan(range) => {
                Ok(matches!(shape, Shape::Rich(Value::Timespan(time)) if range.contains(*time)).into())
            }
            Type::Init(init) => self.init_matches(init, subject, shape, followed),
            Type::Array(array) => self.array_matches(array, subject, shape),
            Type::Hash(hash) => self.hash_matches(hash, subject, shape),
            Type::Tuple(tuple) => self.tuple_matches(tuple, subject, shape),
            Type::Struct(members) => self.struct_matches(members, subject, shape),
            Type::Variant(types) => self.any_matches(types, subject, shape, followed),
            Type::Optional(inner) => match (shape, inner) {
                (Shape::Undef, _) => Ok(Verdict::Yes),
                (_, Some(inner)) => self.matches(inner, subject, shape, followed),
                (_, None) => Ok(Verdict::No),
            },
            Type::NotUndef(inner) => match (shape, inner) {
                (Shape::Undef, _) => Ok(Verdict::No),
                (_, Some(inner)) => self.matches(inner, subject, shape, followed),
                (_, None) => Ok(Verdict::Yes),
            },
            Type::Type(inner) => match (shape, inner) {
                (Shape::Type, Some(inner)) => self.assignable(inner, &subject.as_type()),
                (shape, _) => Ok(matches!(shape, Shape::Type).into()),
            },
            Type::Iterable(element) => self.iterable_matches(t, element.as_deref(), subject, shape),
            Type::Iterator(element) => match (shape, element) {
                (Shape::Iterator, Some(element)) => self.assignable(element, &subject.iterated()),
                (shape, _) => Ok(matches!(shape, Shape::Iterator).into()),
            },
            Type::Sensitive(inner) => match (shape, inner) {
                (Shape::Sensitive(hidden), Some(inner)) => {
                    self.one_level_down(|| self.instance(inner, *hidden))
                }
                (shape, _) => Ok(matches!(shape, Shape::Sensitive(_)).into()),
            },
            Type::Callable(callable) => self.callable_matches(t, callable, subject, shape),
            Type::Runtime(class) => {
                Ok((matches!(shape, Shape::Runtime) && object_matches(class, subject)).into())
            }
            Type::Alias(alias) => self.alias_matches(alias, subject, shape, followed),
            Type::Object(object) => Ok(Verdict::from(if let Shape::Rich(Value::Object(given)) = shape {
                object.is_or_inherited_by(&given.object_type())
            } else {
                // Types are objects, too; the host's classes, which represent types, are not.
                matches!(shape, Shape::Type) && object.is_any() && !subject.is_kind_of("Module")
            })),
            Type::ObjectExtension(extension) => {
                let Shape::Rich(Value::Object(given)) = shape else { return Ok(Verdict::No) };
                let inherited = extension.base_ref().is_or_inherited_by(&given.object_type());
                Ok((inherited && extension.matches(given, self.work.limits())?).into())
            }
            Type::TypeSet(_) => {
                Ok((matches!(shape, Shape::Type) && matches!(*subject.as_type(), Type::TypeSet(_))).into())
            }
            // These types are about the content of a catalog, and no value is an instance of them.
            Type::CatalogEntry | Type::Class(_) | Type::Resource(_) | Type::Reference(_) => Ok(Verdict::No),
        }
    }

    fn any_matches<'a, S: Subject<'a>>(
        &self,
        types: &[Type],
        subject: S,
        shape: &Shape<'a, S>,
        followed: Option<&FollowedAlias<'_>>,
    ) -> InstanceResult {
        let mut verdict = Verdict::No;
        for t in types {
            if excluded(t, shape) {
                continue;
            }
            verdict = verdict.or(self.matches(t, subject, shape, followed)?);
            if verdict == Verdict::Yes {
                break;
            }
        }
        Ok(verdict)
    }

    fn alias_matches<'a, S: Subject<'a>>(
        &self,
        alias: &Alias,
        subject: S,
        shape: &Shape<'a, S>,
        followed: Option<&FollowedAlias<'_>>,
    ) -> InstanceResult {
        let follow = |followed| {
            alias.with_target(|target| match target {
                Some(target) => self.matches(target, subject, shape, followed),
                None => Ok(Verdict::No),
            })
        };
        if !alias.is_recursive() {
            return follow(followed);
        }
        let alias = alias.identity();
        let mut before = followed;
        while let Some(at) = before {
            // Nothing accepted the value on the way around.
            if at.alias == alias {
                return Ok(Verdict::No);
            }
            before = at.before;
        }
        follow(Some(&FollowedAlias { alias, before: followed }))
    }

    fn init_matches<'a, S: Subject<'a>>(
        &self,
        t: &InitType,
        subject: S,
        shape: &Shape<'a, S>,
        followed: Option<&FollowedAlias<'_>>,
    ) -> InstanceResult {
        let Some(accepted) = t.accepted()? else {
            return self.matches(&builtin::rich_data(), subject, shape, followed);
        };
        let mut verdict = self.matches(&accepted.one, subject, shape, followed)?;
        for arguments in &accepted.all {
            if verdict == Verdict::Yes {
                break;
            }
            verdict = verdict.or(self.tuple_matches(arguments, subject, shape)?);
            if let Some(first) = accepted.first(arguments) {
                verdict = verdict.or(self.matches(first, subject, shape, followed)?);
            }
        }
        Ok(verdict)
    }

    fn array_matches<'a, S: Subject<'a>>(
        &self,
        t: &ArrayType,
        subject: S,
        shape: &Shape<'a, S>,
    ) -> InstanceResult {
        let Shape::Array(len) = *shape else { return Ok(Verdict::No) };
        if !t.size.is_none_or(|size| size.contains(len)) {
            return Ok(Verdict::No);
        }
        if matches!(t.element, Type::Any) || (is_any_string(&t.element) && all_strings(subject)) {
            return Ok(Verdict::Yes);
        }
        self.one_level_down(|| every(subject.elements().map(|element| self.instance(&t.element, element))))
    }

    fn tuple_matches<'a, S: Subject<'a>>(
        &self,
        t: &TupleType,
        subject: S,
        shape: &Shape<'a, S>,
    ) -> InstanceResult {
        let Shape::Array(len) = *shape else { return Ok(Verdict::No) };
        if !t.size().contains(len) {
            return Ok(Verdict::No);
        }
        self.one_level_down(|| every_position(t, subject.elements(), |t, element| self.instance(t, element)))
    }

    fn hash_matches<'a, S: Subject<'a>>(
        &self,
        t: &HashType,
        subject: S,
        shape: &Shape<'a, S>,
    ) -> InstanceResult {
        let Shape::Hash(len) = *shape else { return Ok(Verdict::No) };
        if !t.size.is_none_or(|size| size.contains(len)) {
            return Ok(Verdict::No);
        }
        if matches!((&t.key, &t.value), (Type::Any, Type::Any)) {
            return Ok(Verdict::Yes);
        }
        self.every_entry(subject, |key, value| match self.instance(&t.key, key)? {
            Verdict::No => Ok(Verdict::No),
            verdict @ (Verdict::Maybe | Verdict::Yes) => Ok(verdict.and(self.instance(&t.value, value)?)),
        })
    }

    fn struct_matches<'a, S: Subject<'a>>(
        &self,
        t: &StructType,
        subject: S,
        shape: &Shape<'a, S>,
    ) -> InstanceResult {
        let Shape::Hash(len) = *shape else { return Ok(Verdict::No) };
        if !t.size().contains(len) {
            return Ok(Verdict::No);
        }
        let mut missing = t.size().min;
        let mut entry = 0;
        let verdict = self.every_entry(subject, |key, value| {
            let at = entry;
            entry += 1;
            let key = key.shape()?;
            if let Shape::Unknown(_) = key {
                // It may be any key that is not there otherwise.
                missing = missing.saturating_sub(1);
                return Ok(Verdict::Maybe);
            }
            let Shape::String(name) = key else { return Ok(Verdict::No) };
            let Some(member) = t.member_near(at, name) else { return Ok(Verdict::No) };
            missing = missing.saturating_sub(u64::from(!member.optional));
            self.instance(&member.value, value)
        })?;
        Ok(verdict.and((missing == 0).into()))
    }

    /// Returns true if the verdict is yes for each entry of a hash, up to the first no.
    fn every_entry<'a, S: Subject<'a>>(
        &self,
        subject: S,
        mut check: impl FnMut(S, S) -> InstanceResult,
    ) -> InstanceResult {
        self.one_level_down(|| {
            let mut all = Verdict::Yes;
            let end = subject.each_entry(|key, value| match check(key, value) {
                Ok(verdict) if verdict != Verdict::No => {
                    all = all.and(verdict);
                    ControlFlow::Continue(())
                }
                end => ControlFlow::Break(end),
            });
            end.break_value().unwrap_or(Ok(all))
        })
    }

    fn iterable_matches<'a, S: Subject<'a>>(
        &self,
        t: &Type,
        element: Option<&Type>,
        subject: S,
        shape: &Shape<'a, S>,
    ) -> InstanceResult {
        let any_element = match element {
            Some(element) => element.try_assignable(&Type::Any, self.work.limits())?,
            None => true,
        };
        if any_element {
            return Ok(is_iterable(subject, shape).into());
        }
        let verdict = self.assignable(t, &infer(subject, self.work.limits())?)?;
        // The type of a value does not reveal which parts of it are unknown.
        Ok(if has_unknown(subject, VisitState::new(&self.work))? { Verdict::Maybe } else { verdict })
    }

    fn uri_matches(&self, t: &UriType, uri: &Uri) -> InstanceResult {
        every(t.parameters().iter().map(|(name, expected)| {
            let part = if let Value::String(name) = name { uri.attribute(name) } else { None };
            match_option(expected, &part.unwrap_or(Value::Undef), &mut PlainMatcher, self.work.limits())
                .map(Verdict::from)
        }))
    }

    fn callable_matches<'a, S: Subject<'a>>(
        &self,
        t: &Type,
        callable: &CallableType,
        subject: S,
        shape: &Shape<'a, S>,
    ) -> InstanceResult {
        if !matches!(shape, Shape::Callable) {
            return Ok(Verdict::No);
        }
        match subject.signature() {
            CallableShape::Typed(signature) => self.assignable(t, &signature),
            CallableShape::Arity(size) => {
                let returns = match &callable.returns {
                    Some(returns) => returns.try_assignable(&Type::Any, self.work.limits())?,
                    None => true,
                };
                Ok((returns && arity_matches(callable, size)).into())
            }
        }
    }

    fn assignable(&self, t: &Type, from: &Type) -> InstanceResult {
        t.try_assignable(from, self.work.limits()).map(Verdict::from)
    }
}

/// Returns whether a value is of a type, where both are so simple that neither limits nor unknown values matter: most checks end here.
#[inline(always)]
fn at_once<'a, S: Subject<'a>>(t: &Type, subject: S) -> Option<bool> {
    if let Type::Any | Type::Unit = t {
        return Some(true);
    }
    let shape = subject.simple_shape()?;
    let Type::Variant(types) = t else { return by_shape(t, &shape) };
    // A loop, as `any` would need the shape in memory.
    for t in types {
        if by_shape(t, &shape) == Some(true) {
            return Some(true);
        }
    }
    None
}

#[inline]
fn is_any_string(t: &Type) -> bool {
    matches!(t, Type::String(StringType::Sized(None)))
}

/// Returns true if all elements certainly are strings, without inspecting their texts.
fn all_strings<'a, S: Subject<'a>>(subject: S) -> bool {
    subject.elements().all(|element| matches!(element.simple_shape(), Some(Shape::String(_))))
}

fn pattern_matches<S>(t: &PatternType, shape: &Shape<'_, S>) -> InstanceResult {
    if let Shape::Bytes(_) = shape {
        return Ok(t.patterns.is_empty().into());
    }
    let Shape::String(text) = shape else { return Ok(Verdict::No) };
    t.is_match(text).map(Verdict::from)
}

/// Returns true if the verdict is yes for all, up to the first no.
fn every(verdicts: impl IntoIterator<Item = InstanceResult>) -> InstanceResult {
    let mut all = Verdict::Yes;
    for verdict in verdicts {
        all = all.and(verdict?);
        if all == Verdict::No {
            break;
        }
    }
    Ok(all)
}

/// Returns true if the verdict is yes for each element and the type at its position in a tuple.
pub(super) fn every_position<S>(
    t: &TupleType,
    elements: impl Iterator<Item = S>,
    mut check: impl FnMut(&Type, S) -> InstanceResult,
) -> InstanceResult {
    if t.types.is_empty() {
        return Ok(Verdict::Yes);
    }
    every(elements.enumerate().map(|(index, element)| match t.type_at(index) {
        Some(t) => check(t, element),
        None => Ok(Verdict::Yes),
    }))
}

fn is_iterable<'a, S: Subject<'a>>(subject: S, shape: &Shape<'a, S>) -> bool {
    match shape {
        Shape::String(_) | Shape::Bytes(_) | Shape::Array(_) | Shape::Hash(_) | Shape::Iterator => true,
        Shape::Integer(number) => *number >= 0,
        Shape::LargeInteger { is_negative } => !is_negative,
        Shape::Type => is_iterable_type(&subject.as_type()),
        Shape::Runtime => {
            ["Range", "String", "Hash", "Array", ITERABLE_CLASS].iter().any(|class| subject.is_kind_of(class))
        }
        Shape::Undef
        | Shape::Default
        | Shape::Boolean(_)
        | Shape::Float(_)
        | Shape::Regexp
        | Shape::Sensitive(_)
        | Shape::Callable
        | Shape::Rich(_)
        | Shape::Uri
        | Shape::Unknown(_) => false,
    }
}

/// Types that can be iterated over themselves, like `Integer[1, 5]`.
fn is_iterable_type(t: &Type) -> bool {
    if let Type::Alias(alias) = t {
        alias.resolved().is_some_and(|t| is_iterable_type(&t))
    } else {
        matches!(t, Type::Enum(_)) || matches!(t, Type::Integer(range) if range.is_finite())
    }
}
