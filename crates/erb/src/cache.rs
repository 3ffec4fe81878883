//! Templates that were compiled before.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::template::ErbTemplate;

/// The greatest number of templates; all are forgotten when there are more.
const CAPACITY: usize = 500;
/// The length of the longest text that is kept, in bytes.
const LONGEST: usize = 50_000;

type Cache = HashMap<Box<str>, Option<Arc<ErbTemplate>>>;

static CACHE: Mutex<Option<Cache>> = Mutex::new(None);

/// Returns the template of a text, compiled once; `None` if it has Ruby code outside of the subset.
pub fn compiled(text: &str) -> Option<Arc<ErbTemplate>> {
    if text.len() > LONGEST {
        return ErbTemplate::parse(text).map(Arc::new);
    }
    if let Some(known) =
        CACHE.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().get(text)
    {
        return known.clone();
    }
    let template = ErbTemplate::parse(text).map(Arc::new);
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let cache = cache.get_or_insert_default();
    if cache.len() >= CAPACITY {
        cache.clear();
    }
    cache.insert(text.into(), template.clone());
    template
}
