//! The parameters of `SemVer`, `SemVerRange` and `URI`.
//!
//! See Puppet's `pops/types/type_parser.rb`.
#![allow(clippy::wildcard_enum_match_arm, reason = "parameters of any wrong kind are the same error")]

use std::sync::Arc;

use super::parameter::TypeParam;
use super::parameterized::parameter_error;
use super::wrong_count;
use crate::types::{Type, UriType};
use crate::value::{SemVerRange, Value};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

/// `SemVer[params]`.
pub(super) fn sem_ver(params: Vec<TypeParam<'_>>, limits: &Limits) -> Result<Type, Error> {
    let ranges = params.into_iter().map(|param| match param {
        TypeParam::String(range) => SemVerRange::parse(&range, limits),
        TypeParam::Other(Value::SemVerRange(range)) => Ok(Arc::unwrap_or_clone(range)),
        other => Err(parameter_error(format!(
            "Cannot use {} where String or SemanticPuppet::VersionRange is expected",
            other.ruby_class()
        ))),
    });
    Type::sem_ver(ranges.collect::<Result<_, _>>()?, limits)
}

/// `URI[params]`.
pub(super) fn uri(params: Vec<TypeParam<'_>>, limits: &Limits) -> Result<Type, Error> {
    let count = params.len();
    let [param] = <[_; 1]>::try_from(params).map_err(|_| wrong_count("URI", "1", count))?;
    let uri = match param {
        TypeParam::String(uri) => UriType::parse(&uri, limits)?,
        TypeParam::Other(Value::Uri(uri)) => UriType::of(&uri),
        TypeParam::Hash(entries) => {
            let entries = entries.into_iter().map(|(key, value)| (key.into_value(), value.into_value()));
            UriType::new(entries.collect(), limits)?
        }
        // Puppet ignores any other parameter.
        _ => UriType::default(),
    };
    Ok(Type::Uri(Arc::new(uri)))
}
