//! Finds out why a type is not assignable to another.
//!
//! See Puppet's `pops/types/type_mismatch_describer.rb`.

use std::sync::Arc;

use super::merge::{SizeKind, merge};
use super::path::{MismatchPath, PathElement};
use super::{Mismatch, MismatchKind};
use crate::types::{ArrayType, CallableType, HashType, Size, StructType, TupleType, Type};
use puppetfn_base::limits::{Depth, Limits};

/// Returns the reasons why a value of type `actual` is not accepted as `expected`.
///
/// Only to be called if `actual` is not assignable: for some assignable types, such as enums, mismatches are found
/// nevertheless, as in Puppet.
pub fn find_mismatches(expected: &Type, actual: &Type) -> Vec<Mismatch> {
    find_mismatches_at(MismatchPath::default(), expected, actual)
}

/// As [`find_mismatches`], for the part that `path` leads to.
pub fn find_mismatches_at(path: MismatchPath, expected: &Type, actual: &Type) -> Vec<Mismatch> {
    let mut finder = Finder { path, steps: Finder::MAX_STEPS };
    match expected.unresolved() {
        Some(name) => finder.one(MismatchKind::UnresolvedType(name)),
        None => {
            let whole = ExpectedType { t: &expected.normalize(), shown: expected };
            let limits = Limits { nesting: Finder::MAX_DEPTH, ..Limits::FURTHEST };
            finder.look_into(whole, actual, Depth::nesting(&limits))
        }
    }
}

struct Finder {
    path: MismatchPath,
    steps: u32,
}

/// An expected type, and the form in which it is shown if it does not match as a whole.
struct ExpectedType<'a, T: ?Sized> {
    t: &'a T,
    shown: &'a Type,
}

impl Finder {
    /// Maximum number of types to visit. A search of types that contain themselves several times could be endless; after
    /// this many steps, types are compared as a whole.
    const MAX_STEPS: u32 = 10_000;

    /// Maximum depth of the search. Deeper types are compared as a whole: no reader follows a longer path.
    const MAX_DEPTH: u32 = 200;

    fn one(&self, kind: MismatchKind) -> Vec<Mismatch> {
        vec![Mismatch { path: self.path.clone(), kind }]
    }

    fn whole(&self, expected: &Type, actual: &Type) -> Vec<Mismatch> {
        self.one(MismatchKind::of_types(expected, actual))
    }

    /// Runs `find` one step down the path.
    fn within(
        &mut self,
        element: PathElement,
        find: impl FnOnce(&mut Self) -> Vec<Mismatch>,
    ) -> Vec<Mismatch> {
        self.path.push(element);
        let found = find(self);
        self.path.pop();
        found
    }

    /// Looks into a part. The parts of a normalized type are normalized.
    fn describe_at(&mut self, at: PathElement, e: &Type, a: &Type, depth: Depth) -> Vec<Mismatch> {
        self.within(at, |finder| finder.look_into(ExpectedType { t: e, shown: e }, a, depth))
    }

    fn look_into(&mut self, expected: ExpectedType<'_, Type>, actual: &Type, depth: Depth) -> Vec<Mismatch> {
        let ExpectedType { t, shown } = expected;
        let (Ok(depth), Some(steps)) = (depth.deeper(), self.steps.checked_sub(1)) else {
            return self.whole(shown, actual);
        };
        self.steps = steps;
        match t {
            Type::Variant(types) => self.variant(ExpectedType { t: &**types, shown }, actual, depth),
            Type::Struct(t) => self.structure(ExpectedType { t, shown }, actual, depth),
            Type::Hash(t) => self.hash(ExpectedType { t: &**t, shown }, actual, depth),
            Type::Tuple(t) => self.tuple(ExpectedType { t: &**t, shown }, actual, depth),
            Type::Array(t) => self.array(ExpectedType { t: &**t, shown }, actual, depth),
            Type::Callable(t) => self.callable(ExpectedType { t: &**t, shown }, actual, depth),
            Type::Optional(None) => Vec::new(),
            Type::Optional(Some(inner)) => {
                if matches!(actual, Type::Undef) {
                    return Vec::new();
                }
                let shown = if matches!(shown, Type::Alias(_)) { shown } else { t };
                self.look_into(ExpectedType { t: inner, shown }, actual, depth)
            }
            Type::Pattern(_) | Type::Enum(_) => self.one(MismatchKind::of_pattern(shown, actual)),
            Type::Alias(alias) => match alias.target() {
                Some(target) => {
                    self.look_into(ExpectedType { t: &target.normalize(), shown: t }, actual, depth)
                }
                None => self.one(MismatchKind::UnresolvedType(alias.name().clone())),
            },
            Type::Any
            | Type::Unit
            | Type::Undef
            | Type::Default
            | Type::Scalar
            | Type::ScalarData
            | Type::Numeric
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Boolean(_)
            | Type::String(_)
            | Type::Regexp(_)
            | Type::SemVer(_)
            | Type::SemVerRange
            | Type::Binary
            | Type::Uri(_)
            | Type::Timestamp(_)
            | Type::Timespan(_)
            | Type::Collection(_)
            | Type::NotUndef(_)
            | Type::Type(_)
            | Type::Iterable(_)
            | Type::Iterator(_)
            | Type::Sensitive(_)
            | Type::Init(_)
            | Type::Runtime(_)
            | Type::Object(_)
            | Type::ObjectExtension(_)
            | Type::TypeSet(_)
            | Type::CatalogEntry
            | Type::Class(_)
            | Type::Resource(_)
            | Type::Reference(_) => {
                if self.accepts(t, actual) {
                    Vec::new()
                } else {
                    self.whole(shown, actual)
                }
            }
        }
    }

    fn variant(
        &mut self,
        ExpectedType { t: types, shown }: ExpectedType<'_, [Type]>,
        actual: &Type,
        depth: Depth,
    ) -> Vec<Mismatch> {
        let undef = matches!(shown, Type::Optional(_)).then_some(&Type::Undef);
        let mut alternatives = Vec::with_capacity(types.len().saturating_add(1));
        for (index, alternative) in undef.into_iter().chain(types.iter()).enumerate() {
            let found = self.describe_at(PathElement::Variant(index), alternative, actual, depth);
            if found.is_empty() {
                return found;
            }
            alternatives.push(found);
        }
        let found = merge(self.path.len(), SizeKind::Any, &alternatives);
        if matches!(shown, Type::Alias(_)) && found.len() == 1 {
            // The alias's name says more than the mismatches of each alternative.
            return self.whole(shown, actual);
        }
        found
    }

    /// Returns true if a type is assignable. If that takes too much work, the search ends.
    fn accepts(&mut self, e: &Type, a: &Type) -> bool {
        e.try_assignable(a, &Limits::FURTHEST).unwrap_or_else(|_| {
            self.steps = 0;
            false
        })
    }

    /// Returns the element or entry at `at`, if it does not match.
    fn part(&mut self, at: PathElement, e: &Type, a: &Type, depth: Depth) -> Vec<Mismatch> {
        if self.accepts(e, a) { Vec::new() } else { self.describe_at(at, e, a, depth) }
    }

    fn array(
        &mut self,
        ExpectedType { t: expected, shown }: ExpectedType<'_, ArrayType>,
        actual: &Type,
        depth: Depth,
    ) -> Vec<Mismatch> {
        let allowed = expected.size.unwrap_or(Size::ANY);
        if let Type::Tuple(tuple) = actual {
            // Unlike elsewhere, a tuple without types is taken to be empty here.
            let size = tuple.size.unwrap_or(Size::exactly(tuple.types.len()));
            if !allowed.includes(size) {
                return self.one(MismatchKind::Size { expected: allowed, actual: size });
            }
            let parts = tuple.types.iter().enumerate();
            return parts
                .flat_map(|(index, t)| self.part(PathElement::Index(index), &expected.element, t, depth))
                .collect();
        }
        let Type::Array(array) = actual else { return self.whole(shown, actual) };
        let size = array.size.unwrap_or(Size::ANY);
        if !allowed.includes(size) {
            return self.one(MismatchKind::Size { expected: allowed, actual: size });
        }
        self.whole(shown, &Type::array(array.element.clone(), None))
    }

    fn hash(
        &mut self,
        ExpectedType { t: expected, shown }: ExpectedType<'_, HashType>,
        actual: &Type,
        depth: Depth,
    ) -> Vec<Mismatch> {
        let allowed = expected.size.unwrap_or(Size::ANY);
        if let Type::Hash(hash) = actual {
            return self.hash_of_other_types(shown, allowed, hash);
        }
        let Type::Struct(structure) = actual else { return self.whole(shown, actual) };
        let size = structure.size();
        if !allowed.includes(size) {
            return self.one(MismatchKind::Size { expected: allowed, actual: size });
        }
        let mut found = Vec::new();
        for member in structure.members() {
            let key = PathElement::EntryKey(member.name.clone());
            found.append(&mut self.part(key, &expected.key, &member.key_type(), depth));
            let entry = PathElement::Entry(member.name.clone());
            found.append(&mut self.part(entry, &expected.value, &member.value, depth));
        }
        found
    }

    /// Returns the mismatches of a hash with unknown keys.
    fn hash_of_other_types(&self, shown: &Type, allowed: Size, actual: &HashType) -> Vec<Mismatch> {
        let size = actual.size.unwrap_or(Size::ANY);
        if !allowed.includes(size) {
            return self.one(MismatchKind::Size { expected: allowed, actual: size });
        }
        self.whole(shown, &Type::hash(actual.key.clone(), actual.value.clone(), None))
    }

    fn structure(
        &mut self,
        ExpectedType { t: expected, shown }: ExpectedType<'_, Arc<StructType>>,
        actual: &Type,
        depth: Depth,
    ) -> Vec<Mismatch> {
        if let Type::Hash(hash) = actual {
            return self.hash_of_other_types(shown, expected.size(), hash);
        }
        let Type::Struct(given) = actual else { return self.whole(shown, actual) };
        let mut found = Vec::new();
        for member in expected.members() {
            let Some(other) = given.member(&member.name) else {
                if !member.optional {
                    found.append(&mut self.one(MismatchKind::MissingKey(member.name.clone())));
                }
                continue;
            };
            if other.optional && !member.optional {
                let key = PathElement::EntryKey(member.name.clone());
                found.append(&mut self.describe_at(key, &member.key_type(), &other.key_type(), depth));
            }
            let entry = PathElement::Entry(member.name.clone());
            found.append(&mut self.part(entry, &member.value, &other.value, depth));
        }
        for other in given.members().iter().filter(|other| expected.member(&other.name).is_none()) {
            let key = other.name.clone();
            found.append(&mut self.one(MismatchKind::ExtraneousKey { key, expected: Arc::clone(expected) }));
        }
        found
    }

    fn tuple(
        &mut self,
        ExpectedType { t: expected, shown }: ExpectedType<'_, TupleType>,
        actual: &Type,
        depth: Depth,
    ) -> Vec<Mismatch> {
        if let Type::Tuple(given) = actual {
            return self.positions(expected, given, SizeKind::Any, depth);
        }
        let Type::Array(array) = actual else { return self.whole(shown, actual) };
        if expected.types.is_empty() {
            return Vec::new();
        }
        let (allowed, size) = (expected.size(), array.size.unwrap_or(Size::ANY));
        if !allowed.includes(size) {
            return self.one(MismatchKind::Size { expected: allowed, actual: size });
        }
        let positions = expected.types.iter().enumerate();
        positions
            .flat_map(|(index, t)| self.describe_at(PathElement::Index(index), t, &array.element, depth))
            .collect()
    }

    /// Compares two tuples, or the parameters of two callables, position by position.
    fn positions(
        &mut self,
        expected: &TupleType,
        actual: &TupleType,
        sizes: SizeKind,
        depth: Depth,
    ) -> Vec<Mismatch> {
        if expected == actual {
            return Vec::new();
        }
        let (allowed, size) = (expected.size(), actual.size());
        if !allowed.includes(size) {
            return self.one(match sizes {
                SizeKind::Any => MismatchKind::Size { expected: allowed, actual: size },
                SizeKind::Count => MismatchKind::Count { expected: allowed, actual: size },
            });
        }
        let Some(last) = expected.types.len().checked_sub(1) else { return Vec::new() };
        let mut found = Vec::new();
        for (index, given) in actual.types.iter().enumerate() {
            let index = index.min(last);
            let Some(t) = expected.type_at(index) else { continue };
            found.append(&mut self.describe_at(PathElement::Index(index), t, given, depth));
        }
        found
    }

    fn callable(
        &mut self,
        ExpectedType { t: expected, shown }: ExpectedType<'_, CallableType>,
        actual: &Type,
        depth: Depth,
    ) -> Vec<Mismatch> {
        let Type::Callable(given) = actual else { return self.whole(shown, actual) };
        if expected.params.is_none() && expected.returns.is_none() {
            return Vec::new();
        }
        match (&expected.params, &given.params) {
            (None, _) => {}
            (Some(_), None) => return self.whole(shown, actual),
            (Some(params), Some(given)) => {
                let found = self.positions(params, given, SizeKind::Count, depth);
                if !found.is_empty() {
                    return found;
                }
            }
        }
        let returned = expected.returns.as_ref().unwrap_or(&Type::Any);
        let given_returned = given.returns.as_ref().unwrap_or(&Type::Any);
        if !self.accepts(returned, given_returned) {
            return self.within(PathElement::Return, |finder| finder.whole(returned, given_returned));
        }
        let block = expected.block.as_ref().unwrap_or(&Type::Undef);
        let given_block = given.block.as_ref().unwrap_or(&Type::Undef);
        // The other way round: it is the caller who promises the block.
        if !self.accepts(given_block, block) {
            return self.within(PathElement::Block, |finder| finder.whole(block, given_block));
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Alias;

    fn nested(depth: u32, innermost: Type, wrap: impl Fn(Type) -> Type) -> Type {
        (0..depth).fold(innermost, |t, _| wrap(t))
    }

    fn deep_types_are_compared_as_wholes() {
        let limit = Finder::MAX_DEPTH;
        let expected = nested(limit * 2, Type::INTEGER, |t| Type::array(t, None));
        let actual = nested(limit * 2, Type::STRING, |t| Type::tuple([t], None));
        let found = find_mismatches(&expected, &actual);
        assert_eq!(found.len(), 1);
        assert!(found[0].path.len() <= limit as usize);
        assert!(matches!(found[0].kind, MismatchKind::Type { .. }));
    }

    #[test]
    fn what_lies_deeper_than_the_limit_is_compared_as_a_whole() {
        // Code that is not optimized uses much more of the stack than a test's thread has.
        let large_stack = std::thread::Builder::new().stack_size(32 << 20);
        large_stack.spawn(deep_types_are_compared_as_wholes).unwrap().join().unwrap();
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes many minutes")]
    fn a_type_that_contains_itself_twice_takes_a_bounded_number_of_steps() {
        let twice = |me: Alias| {
            let sized = |max| Type::array(Type::Alias(me.clone()), Some(Size::new(1, max)));
            Ok(Type::variant([sized(None), sized(Some(5))]))
        };
        let alias = Type::Alias(Alias::define("Twice", twice).unwrap());
        let actual = nested(16, Type::INTEGER, |t| Type::tuple([t.clone(), t], None));
        let found = find_mismatches(&alias, &actual);
        assert!(!found.is_empty());
        assert!(found.len() <= 2 * Finder::MAX_STEPS as usize);
    }

    #[test]
    fn an_alias_of_nothing_but_itself_ends() {
        let alias = Type::Alias(Alias::define("Self", |me| Ok(Type::Alias(me))).unwrap());
        assert_eq!(find_mismatches(&alias, &Type::INTEGER).len(), 1);
    }
}
