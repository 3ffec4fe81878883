//! The bounds of `Timestamp` and `Timespan`.
//!
//! See Puppet's `pops/types/type_parser.rb` and `pops/types/p_timespan_type.rb`.
#![allow(clippy::wildcard_enum_match_arm, reason = "parameters of any wrong kind are the same error")]

use std::fmt::Display;
use std::sync::Arc;

use super::parameter::TypeParam;
use super::parameterized::{not_ordered, parameter_error};
use super::wrong_count;
use crate::types::{TimeRange, Type};
use crate::value::time::{Formats, SecondsNumber};
use crate::value::{Hash, Timespan, Timestamp, Value};
use puppetfn_base::error::Error;

/// `Timestamp[params]`.
pub(super) fn timestamp(params: Vec<TypeParam<'_>>) -> Result<Type, Error> {
    Ok(Type::Timestamp(Arc::new(range(params)?)))
}

/// `Timespan[params]`.
pub(super) fn timespan(params: Vec<TypeParam<'_>>) -> Result<Type, Error> {
    Ok(Type::Timespan(Arc::new(range(params)?)))
}

/// A point or length of time as a bound, and its conversions.
trait TimeBound: Copy + Ord + Display {
    const NAME: &str;

    fn of(value: &Value) -> Option<Self>;
    fn from_text(text: &str) -> Result<Self, Error>;
    fn from_hash(hash: &Hash) -> Result<Self, Error>;
    fn from_number(seconds: SecondsNumber) -> Result<Self, Error>;
}

impl TimeBound for Timestamp {
    const NAME: &str = "Timestamp";

    fn of(value: &Value) -> Option<Self> {
        if let Value::Timestamp(time) = value { Some(*time) } else { None }
    }

    fn from_text(text: &str) -> Result<Self, Error> {
        Self::parse(text, &Formats::Default, None)
    }

    fn from_hash(hash: &Hash) -> Result<Self, Error> {
        Self::from_hash(hash)
    }

    fn from_number(seconds: SecondsNumber) -> Result<Self, Error> {
        Self::from_number(seconds)
    }
}

impl TimeBound for Timespan {
    const NAME: &str = "Timespan";

    fn of(value: &Value) -> Option<Self> {
        if let Value::Timespan(time) = value { Some(*time) } else { None }
    }

    fn from_text(text: &str) -> Result<Self, Error> {
        Self::parse(text, &Formats::Default)
    }

    fn from_hash(hash: &Hash) -> Result<Self, Error> {
        Self::from_hash(hash)
    }

    fn from_number(seconds: SecondsNumber) -> Result<Self, Error> {
        Self::from_number(seconds)
    }
}

fn range<T: TimeBound>(params: Vec<TypeParam<'_>>) -> Result<TimeRange<T>, Error> {
    if params.len() > 2 {
        return Err(wrong_count(T::NAME, "0 to 2", params.len()));
    }
    let mut bounds = params.into_iter().map(bound);
    let min = bounds.next().transpose()?.flatten();
    let max = bounds.next().transpose()?.flatten();
    match (min, max) {
        (Some(min), Some(max)) if min > max => Err(not_ordered(min, max)),
        _ => Ok(TimeRange { min, max }),
    }
}

/// Returns a bound; `None` if it is left open.
fn bound<T: TimeBound>(param: TypeParam<'_>) -> Result<Option<T>, Error> {
    if let TypeParam::Other(value) = &param
        && let Some(bound) = T::of(value)
    {
        return Ok(Some(bound));
    }
    let bound = match param {
        TypeParam::Undef | TypeParam::Default => return Ok(None),
        TypeParam::Integer(seconds) => T::from_number(seconds.into()),
        TypeParam::Float(seconds) => T::from_number(seconds.into()),
        TypeParam::String(text) => T::from_text(&text),
        TypeParam::Hash(entries) => {
            let entries = entries.into_iter().map(|(key, value)| (key.into_value(), value.into_value()));
            T::from_hash(&entries.collect())
        }
        other => Err(parameter_error(format!(
            "Unable to create a Puppet::Pops::Time::{} from a {}",
            T::NAME,
            other.ruby_class()
        ))),
    };
    bound.map(Some).map_err(|error| parameter_error(error.message().to_owned()))
}
