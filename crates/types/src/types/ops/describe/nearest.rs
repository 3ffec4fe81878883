//! Which of several alternatives a value comes nearest to.

use std::cmp::Reverse;
use std::collections::HashMap;

use indexmap::IndexMap;

use super::{Mismatch, MismatchKind, PathElement};
use crate::types::{StringType, Type};

/// How near a value comes to an alternative: nearer with deeper mismatches, and then with fewer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Closeness(usize, Reverse<usize>);

impl Closeness {
    /// Returns the closeness to an alternative with these mismatches. `level` is the length of the path to it.
    pub(crate) fn of(mismatches: &[Mismatch], level: usize) -> Self {
        Self::of_all(mismatches.iter(), level)
    }

    fn of_all<'m>(mismatches: impl ExactSizeIterator<Item = &'m Mismatch>, level: usize) -> Self {
        let count = mismatches.len();
        let nearness = |mismatch: &Mismatch| {
            let steps = mismatch.path.elements().iter().skip(level).filter(|step| !step.is_choice());
            // A step counts for more than to be of the right kind.
            2 * steps.count() + usize::from(is_of_right_kind(&mismatch.kind))
        };
        Self(mismatches.map(nearness).min().unwrap_or(usize::MAX), Reverse(count))
    }
}

/// Returns true if the value is of the right kind, and only its size, members or range are wrong.
fn is_of_right_kind(kind: &MismatchKind) -> bool {
    match kind {
        MismatchKind::Type { expected, actual } => expected.same_kind(actual),
        MismatchKind::Pattern { actual, .. } => matches!(actual, Type::String(StringType::Value(_))),
        MismatchKind::Size { .. } | MismatchKind::MissingKey(_) | MismatchKind::ExtraneousKey { .. } => true,
        MismatchKind::Count { .. }
        | MismatchKind::MissingBlock
        | MismatchKind::UnexpectedBlock
        | MismatchKind::UnresolvedType(_) => false,
    }
}

/// Keeps only the nearest alternative of each variant; of several equally near, the first.
pub(super) fn of_variants(mut mismatches: Vec<Mismatch>) -> Vec<Mismatch> {
    let mut level = 0;
    while mismatches.iter().any(|mismatch| mismatch.path.len() > level) {
        let chosen = nearest_at(&mismatches, level);
        mismatches.retain(|mismatch| match choice_at(mismatch, level) {
            Some((variant, choice)) => chosen.get(variant).is_none_or(|nearest| nearest == choice),
            None => true,
        });
        level += 1;
    }
    mismatches
}

/// Returns the nearest alternative of each variant whose choice is at `level`, by the path to the variant.
fn nearest_at(mismatches: &[Mismatch], level: usize) -> HashMap<Vec<PathElement>, PathElement> {
    let mut alternatives: IndexMap<_, Vec<&Mismatch>> = IndexMap::new();
    for mismatch in mismatches {
        if let Some(choice) = choice_at(mismatch, level) {
            alternatives.entry(choice).or_default().push(mismatch);
        }
    }
    let mut nearest: HashMap<&[PathElement], (Closeness, &PathElement)> = HashMap::new();
    for ((variant, choice), mismatches) in alternatives {
        let closeness = Closeness::of_all(mismatches.into_iter(), level);
        if nearest.get(variant).is_none_or(|(best, _)| *best < closeness) {
            nearest.insert(variant, (closeness, choice));
        }
    }
    nearest.into_iter().map(|(variant, (_, choice))| (variant.to_vec(), choice.clone())).collect()
}

/// Returns the path to a variant and the alternative, where the step at `level` chooses one.
fn choice_at(mismatch: &Mismatch, level: usize) -> Option<(&[PathElement], &PathElement)> {
    let (variant, rest) = mismatch.path.elements().split_at_checked(level)?;
    let choice = rest.first().filter(|step| matches!(step, PathElement::Variant(_)))?;
    Some((variant, choice))
}
