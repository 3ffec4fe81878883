//! A cache of compiled regular expressions.
//!
//! The types of modules have the same patterns in each runtime, and compiling one takes longer than most of its uses.

use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use super::Regex;

/// Maximum size of a cached compiled expression, in bytes.
pub(super) const SMALL: usize = 1 << 18;
/// Capacity of the cache; beyond it, the cache is cleared.
const MOST: usize = 1_000;
/// Maximum size of a cached expression's source, in bytes.
const LONGEST: usize = 2_000;

static KNOWN: LazyLock<RwLock<HashMap<Box<str>, Regex>>> = LazyLock::new(RwLock::default);

/// Returns the cached regular expression with this source, if any.
pub(super) fn known(source: &str) -> Option<Regex> {
    KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(source).cloned()
}

/// Keeps a small regular expression.
pub(super) fn keep(regex: &Regex) {
    if regex.source().len() > LONGEST {
        return;
    }
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= MOST {
        known.clear();
    }
    known.insert(regex.source().into(), regex.clone());
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
