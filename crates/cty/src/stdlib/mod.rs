//! cty's standard library: each function as a plain Rust function, and as a [`CtyFunction`] by name.

mod bytes;
mod collection;
mod csv;
mod element;
mod format;
mod general;
mod json;
mod logic;
mod map;
mod number;
mod plain;
mod regex;
mod sequence;
mod set;
mod string;
mod time;

use std::collections::BTreeMap;
use std::sync::LazyLock;

pub use crate::types::bytes_type;
pub use bytes::bytes;
pub use general::conversion_to;
pub use plain::*;

use super::function::{CtyFunction, CtyParameter};
use super::types::CtyType;
use super::value::CtyValue;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;

/// The functions of a family by their names.
type FunctionFamily = Vec<(&'static str, CtyFunction)>;

static FUNCTIONS: LazyLock<BTreeMap<&'static str, CtyFunction>> = LazyLock::new(|| {
    let families: [fn() -> FunctionFamily; 14] = [
        bytes::functions,
        collection::functions,
        csv::functions,
        element::functions,
        format::functions,
        general::functions,
        json::functions,
        logic::functions,
        map::functions,
        number::functions,
        regex::functions,
        sequence::functions,
        set::functions,
        string::functions,
    ];
    families.into_iter().flat_map(|family| family()).chain(time::functions()).collect()
});

/// Returns the function of this name, as in `trimprefix`, if there is one.
pub fn function(name: &str) -> Option<&'static CtyFunction> {
    FUNCTIONS.get(name)
}

/// Returns all functions with their names, sorted.
pub fn functions() -> impl Iterator<Item = (&'static str, &'static CtyFunction)> {
    FUNCTIONS.iter().map(|(name, function)| (*name, function))
}

/// Calls a function of the library by its name.
fn call(name: &str, arguments: &[CtyValue], limits: &Limits) -> Result<CtyValue, Error> {
    match function(name) {
        Some(function) => function.call(arguments, limits),
        None => Err(Error::new(ErrorKind::NotFound, format!("there is no cty function '{name}'"))),
    }
}

fn any(name: &str) -> CtyParameter {
    CtyParameter::new(name, CtyType::Dynamic)
}

fn boolean(name: &str) -> CtyParameter {
    CtyParameter::new(name, CtyType::Bool)
}

fn number(name: &str) -> CtyParameter {
    CtyParameter::new(name, CtyType::Number)
}

fn string(name: &str) -> CtyParameter {
    CtyParameter::new(name, CtyType::String)
}

/// Returns an error of the arguments as a whole.
#[cold]
fn failure(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Evaluation, message)
}

/// Returns the error with a text around it: `invalid index: ...`.
#[cold]
fn wrapped(error: &Error, prefix: &str) -> Error {
    Error::new(ErrorKind::Evaluation, format!("{prefix}: {}", error.message()))
}
