//! Regular expressions that are given as strings.

use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use puppetfn_base::error::Error;
use puppetfn_types::value::Regex;

/// Maximum number of cached regular expressions; above it, the cache is cleared.
const MOST: usize = 500;
/// Maximum size of a cached regular expression, in bytes.
const LONGEST: usize = 500;

/// Compiles a regular expression. Recent ones are cached, since functions are given the same few again and again.
pub(super) fn compile(source: &str) -> Result<Regex, Error> {
    static KNOWN: LazyLock<RwLock<HashMap<Box<str>, Regex>>> = LazyLock::new(RwLock::default);
    if let Some(regex) = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(source) {
        return Ok(regex.clone());
    }
    let regex = Regex::new(source)?;
    if source.len() <= LONGEST {
        let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(source.into(), regex.clone());
    }
    Ok(regex)
}
