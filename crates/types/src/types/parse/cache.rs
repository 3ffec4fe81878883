//! Caches parsed types by their text.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use super::{TypeLookup, parse};
use crate::types::Type;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

/// A cache of the types of texts: function files repeat the same few types over and over.
///
/// A cache belongs to one lookup, whose named types do not change; it has to be cleared when one is added.
#[derive(Default, Debug)]
pub struct ParseCache {
    types: RwLock<HashMap<Box<str>, Type>>,
}

impl ParseCache {
    /// Capacity, in texts; beyond it, the cache is cleared.
    const MOST_TEXTS: usize = 1_000;
    /// Maximum size of a cached text, in bytes.
    const LONGEST_TEXT: usize = 500;

    /// Returns the type of a text, parsed if it is new.
    ///
    /// # Errors
    /// The same errors as [`parse`]; they are not remembered.
    pub fn parse(&self, text: &str, lookup: &dyn TypeLookup, limits: &Limits) -> Result<Type, Error> {
        let known = self.types.read().unwrap_or_else(PoisonError::into_inner).get(text).cloned();
        if let Some(t) = known {
            return Ok(t);
        }
        let t = parse(text, lookup, limits)?;
        if text.len() <= Self::LONGEST_TEXT {
            let mut types = self.types.write().unwrap_or_else(PoisonError::into_inner);
            if types.len() >= Self::MOST_TEXTS {
                types.clear();
            }
            types.insert(text.into(), t.clone());
        }
        Ok(t)
    }

    /// Forgets all.
    pub fn clear(&self) {
        self.types.write().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::parse::NoAliases;

    #[test]
    fn a_text_is_parsed_once() {
        let cache = ParseCache::default();
        let first = cache.parse("Array[Integer[1, 2]]", &NoAliases, &Limits::DEFAULT).unwrap();
        let again = cache.parse("Array[Integer[1, 2]]", &NoAliases, &Limits::DEFAULT).unwrap();
        let (Type::Array(first), Type::Array(again)) = (first, again) else { panic!("not arrays") };
        assert!(std::sync::Arc::ptr_eq(&first, &again));
    }

    #[test]
    fn it_stays_small() {
        let cache = ParseCache::default();
        let texts = if cfg!(miri) { ParseCache::MOST_TEXTS + 10 } else { 3_000 };
        for n in 0..texts {
            cache.parse(&format!("Integer[{n}]"), &NoAliases, &Limits::DEFAULT).unwrap();
        }
        cache.parse(&format!("Enum['{}']", "x".repeat(10_000)), &NoAliases, &Limits::DEFAULT).unwrap();
        let types = cache.types.read().unwrap();
        assert!(types.len() <= ParseCache::MOST_TEXTS);
        assert!(types.keys().all(|text| text.len() <= ParseCache::LONGEST_TEXT));
    }
}
