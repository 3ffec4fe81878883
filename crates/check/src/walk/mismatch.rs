//! Which signatures are near a call that none of them accepts, and which of its arguments are wrong.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use std::cmp::Reverse;
use std::sync::Arc;

use super::super::abstraction::accepts;
use super::Walk;
use puppetfn_base::error::Error;
use puppetfn_types::function::{Signature, mismatch_error};
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::ops::describe::Messages;
use puppetfn_types::types::{Size, TupleType};
use puppetfn_types::value::Value;

/// The number of signatures that are shown.
const SHOWN: usize = 2;

/// The distance of a signature from the arguments of a call; the least is nearest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Distance {
    /// The number of missing or extra arguments.
    count: u64,
    /// The number of arguments that are certainly wrong.
    wrong: usize,
    /// The first wrong argument: all arguments before it fit.
    first: Reverse<usize>,
}

impl Walk<'_, '_> {
    /// Returns the error of a call that no signature accepts, for the signatures that are nearest to it. An argument that may
    /// be right is not blamed.
    pub(super) fn mismatch(
        &self,
        name: &str,
        signatures: &[Signature],
        values: &[Value],
        block: Option<&Value>,
    ) -> Error {
        let mut near: Vec<(Distance, &Signature)> =
            signatures.iter().map(|signature| (self.distance(signature, values, block), signature)).collect();
        near.sort_by_key(|(distance, _)| *distance);
        let nearest = near.first().map(|(distance, _)| *distance);
        near.retain(|(distance, _)| {
            Some((distance.count, distance.wrong)) == nearest.map(|one| (one.count, one.wrong))
        });
        near.truncate(SHOWN);
        let shown: Arc<[Signature]> = near.iter().map(|(_, signature)| (*signature).clone()).collect();
        let values: Vec<Value> =
            values.iter().enumerate().map(|(index, value)| self.blameless(&shown, index, value)).collect();
        let references: Vec<&Value> = values.iter().collect();
        mismatch_error(name, &shown, &references, block, self.limits(), Messages::Puppet)
    }

    fn distance(&self, signature: &Signature, values: &[Value], block: Option<&Value>) -> Distance {
        let size = signature.callable().params.as_ref().map_or(Size::ANY, TupleType::size);
        let given = values.len() as u64;
        let excess = size.max.map_or(0, |max| given.saturating_sub(max));
        let is_wrong = |(index, value): (usize, &Value)| {
            (self.verdict(signature, index, value) == Verdict::No).then_some(index)
        };
        let wrong: Vec<usize> = values.iter().enumerate().filter_map(is_wrong).collect();
        // A block that is required counts like an argument, and so does one that is not accepted.
        let stated = signature.callable().block.as_ref();
        let differs_in_block = match block {
            Some(_) => stated.is_none(),
            None => stated.is_some_and(|t| t.is_callable_kind(false)),
        };
        let count = excess.saturating_add(size.min.saturating_sub(given));
        Distance {
            count: count.saturating_add(u64::from(differs_in_block)),
            wrong: wrong.len(),
            first: Reverse(wrong.first().copied().unwrap_or(usize::MAX)),
        }
    }

    /// Returns whether a signature takes a value as its argument with this index.
    fn verdict(&self, signature: &Signature, index: usize, value: &Value) -> Verdict {
        let types = signature.parameter_types();
        let t = types.get(index).or(types.last());
        t.map_or(Verdict::Maybe, |t| accepts(t, value, self.limits()))
    }

    /// Returns a value that fits all signatures in place of one that may do so.
    fn blameless(&self, signatures: &[Signature], index: usize, value: &Value) -> Value {
        let may_fit = |signature: &Signature| self.verdict(signature, index, value) != Verdict::No;
        let types = signatures.first().map(Signature::parameter_types).unwrap_or_default();
        match types.get(index).or(types.last()) {
            Some(t) if signatures.iter().all(may_fit) => Value::unknown(t.clone()),
            _ => value.clone(),
        }
    }
}
