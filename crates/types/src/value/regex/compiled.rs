//! A cache of compiled regular expressions, and of those that took long to refuse.
//!
//! The types of modules have the same patterns in each runtime, and compiling one takes longer than most of its uses.

use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use super::Regex;
use puppetfn_base::error::Error;

/// Maximum size of a cached compiled expression, in bytes.
pub(super) const SMALL: usize = 1 << 18;
/// Capacity of the cache; beyond it, the cache is cleared.
const MOST: usize = 1_000;
/// Maximum size of a cached expression's source, in bytes.
const LONGEST: usize = 2_000;

/// Compiled expressions by their sources, or why there are none.
type CompiledRegexes = HashMap<Box<str>, Result<Regex, Error>>;

static KNOWN: LazyLock<RwLock<CompiledRegexes>> = LazyLock::new(RwLock::default);

/// Returns the cached regular expression with this source, or why there is none, if either is cached.
pub(super) fn known(source: &str) -> Option<Result<Regex, Error>> {
    KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(source).cloned()
}

/// Keeps a small regular expression, or why there is none.
pub(super) fn keep(source: &str, compiled: Result<Regex, Error>) {
    if source.len() > LONGEST {
        return;
    }
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= MOST {
        known.clear();
    }
    known.insert(source.into(), compiled);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    // A single test, as all tests share the cache.
    #[test]
    #[cfg_attr(miri, ignore = "takes hours")]
    fn small_ones_are_compiled_once_and_stay_few() {
        let compiled = |source: &str| Regex::new(source).unwrap();
        assert!(Arc::ptr_eq(&compiled("kept-[a-z]+").0, &compiled("kept-[a-z]+").0));
        let large = r"\p{L}{20}";
        assert!(!Arc::ptr_eq(&compiled(large).0, &compiled(large).0));
        for n in 0..3 * MOST {
            compiled(&format!("few{n}"));
        }
        assert!(KNOWN.read().unwrap().len() <= MOST);
    }
}
