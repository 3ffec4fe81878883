//! How often each piece answered, and how often it left the answer to Puppet.

use std::cell::RefCell;

use magnus::{Error, Object, RHash, RModule, Ruby, function};

use super::piece::DropInPiece;
use crate::ruby::decline::Reason;
use crate::ruby::raw::Locked;

#[derive(Default)]
struct PieceCount {
    taken: u64,
    declined: Vec<(Reason, u64)>,
}

const NONE: PieceCount = PieceCount { taken: 0, declined: Vec::new() };

static COUNTS: Locked<RefCell<[PieceCount; DropInPiece::ALL.len()]>> =
    Locked::new(RefCell::new([NONE; DropInPiece::ALL.len()]));

fn with<R>(piece: DropInPiece, change: impl FnOnce(&mut PieceCount) -> R) -> Option<R> {
    let mut counts = COUNTS.try_borrow_mut().ok()?;
    counts.get_mut(piece as usize).map(change)
}

/// Counts an answer of a piece.
#[inline]
pub fn taken(piece: DropInPiece) {
    with(piece, |count| count.taken = count.taken.saturating_add(1));
}

/// Counts a question that a piece left to Puppet.
#[cold]
pub fn declined(piece: DropInPiece, reason: Reason) {
    with(piece, |count| match count.declined.iter_mut().find(|(known, _)| *known == reason) {
        Some((_, times)) => *times = times.saturating_add(1),
        None => count.declined.push((reason, 1)),
    });
}

/// @yard
/// @def counts
/// @return [Hash{Symbol=>Hash}] for each piece how often it answered, and how often and why it did not
fn counts(ruby: &Ruby) -> Result<RHash, Error> {
    let all = ruby.hash_new();
    for piece in DropInPiece::ALL {
        let (taken, reasons) = with(piece, |count| (count.taken, count.declined.clone())).unwrap_or_default();
        let declined = ruby.hash_new();
        for (reason, times) in reasons {
            declined.aset(reason.text(), times)?;
        }
        let count = ruby.hash_new();
        count.aset(ruby.to_symbol("taken"), taken)?;
        count.aset(ruby.to_symbol("declined"), declined)?;
        all.aset(ruby.to_symbol(piece.name()), count)?;
    }
    Ok(all)
}

/// Defines the method.
pub fn init(drop_in: RModule) -> Result<(), Error> {
    drop_in.define_singleton_method("counts", function!(counts, 0))
}
