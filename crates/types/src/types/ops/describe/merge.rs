//! Merges equivalent mismatches of one part.
//!
//! See Puppet's `pops/types/type_mismatch_describer.rb`.

use super::{Mismatch, MismatchKind};
use crate::types::Type;

/// Which mismatches of size can become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SizeKind {
    /// Mismatches of values, and of argument counts.
    Any,
    /// Mismatches of argument counts.
    Count,
}

/// The kinds of mismatches that can be merged, in the order of the attempts.
#[derive(Clone, Copy)]
enum MismatchGroup {
    Size(SizeKind),
    MissingBlock,
    UnexpectedBlock,
    Type,
}

impl MismatchGroup {
    fn has(self, kind: &MismatchKind) -> bool {
        match self {
            Self::Size(SizeKind::Any) => {
                matches!(kind, MismatchKind::Size { .. } | MismatchKind::Count { .. })
            }
            Self::Size(SizeKind::Count) => matches!(kind, MismatchKind::Count { .. }),
            Self::MissingBlock => matches!(kind, MismatchKind::MissingBlock),
            Self::UnexpectedBlock => matches!(kind, MismatchKind::UnexpectedBlock),
            Self::Type => matches!(kind, MismatchKind::Type { .. } | MismatchKind::Pattern { .. }),
        }
    }
}

/// Merges the mismatches of several alternatives into one list.
///
/// If each alternative has one mismatch of the same kind about the same part, the least restrictive expectation stands for
/// all. A single remaining mismatch does not reveal its alternative: the step at `varying` is removed from its path.
pub(crate) fn merge(varying: usize, sizes: SizeKind, alternatives: &[Vec<Mismatch>]) -> Vec<Mismatch> {
    let groups = [
        MismatchGroup::Size(sizes),
        MismatchGroup::MissingBlock,
        MismatchGroup::UnexpectedBlock,
        MismatchGroup::Type,
    ];
    let merged = groups.into_iter().find_map(|group| merge_group(group, alternatives));
    let mut mismatches = match merged {
        Some(mismatch) => vec![mismatch],
        None => unique(alternatives.iter().flatten()),
    };
    if let [only] = mismatches.as_mut_slice() {
        only.path.remove(varying);
    }
    mismatches
}

fn merge_group(group: MismatchGroup, alternatives: &[Vec<Mismatch>]) -> Option<Mismatch> {
    let members = || alternatives.iter().flatten().filter(|mismatch| group.has(&mismatch.kind));
    if members().count() != alternatives.len() {
        return None;
    }
    let first = members().next()?;
    if members().any(|other| !other.path.canonical().eq(first.path.canonical())) {
        return None;
    }
    let kind = members().skip(1).fold(first.kind.clone(), |kind, other| least_restrictive(kind, &other.kind));
    Some(Mismatch { path: first.path.clone(), kind })
}

/// Returns a mismatch whose expectation includes both; all else is as in the first.
fn least_restrictive(kind: MismatchKind, other: &MismatchKind) -> MismatchKind {
    match (kind, other) {
        (
            MismatchKind::Type { expected, actual },
            MismatchKind::Type { expected: other, .. } | MismatchKind::Pattern { expected: other, .. },
        ) => MismatchKind::Type { expected: either(expected, other), actual },
        (
            MismatchKind::Pattern { expected, actual },
            MismatchKind::Type { expected: other, .. } | MismatchKind::Pattern { expected: other, .. },
        ) => MismatchKind::Pattern { expected: either(expected, other), actual },
        (
            MismatchKind::Size { expected, actual },
            MismatchKind::Size { expected: other, .. } | MismatchKind::Count { expected: other, .. },
        ) => MismatchKind::Size { expected: expected.union(*other), actual },
        (
            MismatchKind::Count { expected, actual },
            MismatchKind::Size { expected: other, .. } | MismatchKind::Count { expected: other, .. },
        ) => MismatchKind::Count { expected: expected.union(*other), actual },
        (kind, _) => kind,
    }
}

fn either(a: Type, b: &Type) -> Type {
    if a == *b { a } else { Type::one_of([a, b.clone()]).normalize() }
}

/// Removes repeated mismatches of blocks. Other repetitions stay, as in Puppet: each belongs to another alternative.
fn unique<'a>(mismatches: impl Iterator<Item = &'a Mismatch>) -> Vec<Mismatch> {
    let mut unique: Vec<Mismatch> = Vec::new();
    for mismatch in mismatches {
        let about_block = matches!(mismatch.kind, MismatchKind::MissingBlock | MismatchKind::UnexpectedBlock);
        let repeats = |known: &Mismatch| {
            known.kind == mismatch.kind && known.path.canonical().eq(mismatch.path.canonical())
        };
        if !(about_block && unique.iter().any(repeats)) {
            unique.push(mismatch.clone());
        }
    }
    unique
}
