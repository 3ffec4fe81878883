//! Caches the values of YAML files, for all runtimes of the process.
//!
//! Catalogs of many nodes have the same data. The text of a file is compared, not its time.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::yaml::{self, NotYaml};
use puppetfn_types::value::Value;

/// The capacity in bytes of text; all files are forgotten when there are more.
const CAPACITY: usize = 4 << 20;

/// A text that was parsed within limits.
struct Parsed {
    text: String,
    limits: Limits,
    value: Value,
}

#[derive(Default)]
struct Cache {
    /// Texts by the paths of their files.
    files: HashMap<String, Parsed>,
    size: usize,
}

static CACHE: LazyLock<Mutex<Cache>> = LazyLock::new(Mutex::default);

fn cache() -> MutexGuard<'static, Cache> {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the value of a file's text, parsed once. Failures are not kept.
///
/// # Errors
/// The same errors as [`yaml::parse`].
pub(super) fn parsed(path: &str, text: String, limits: &Limits) -> Result<Result<Value, NotYaml>, Error> {
    if let Some(known) = cache().files.get(path)
        && known.text == text
        && known.limits == *limits
    {
        return Ok(Ok(known.value.clone()));
    }
    let value = yaml::parse(&text, limits)?;
    if let Ok(value) = &value
        && text.len() <= CAPACITY
    {
        cache().add(path, Parsed { text, limits: *limits, value: value.clone() });
    }
    Ok(value)
}

impl Cache {
    fn add(&mut self, path: &str, parsed: Parsed) {
        if self.size.saturating_add(parsed.text.len()) > CAPACITY {
            *self = Self::default();
        }
        self.size = self.size.saturating_add(parsed.text.len());
        if let Some(old) = self.files.insert(path.to_owned(), parsed) {
            self.size = self.size.saturating_sub(old.text.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str, text: &str, limits: &Limits) -> Value {
        parsed(path, text.to_owned(), limits).unwrap().unwrap()
    }

    #[test]
    fn a_text_is_parsed_once() {
        let first = read("/once.yaml", "a: [1]", &Limits::DEFAULT);
        assert_eq!(first.address(), read("/once.yaml", "a: [1]", &Limits::DEFAULT).address());
        let changed = read("/once.yaml", "a: [2]", &Limits::DEFAULT);
        assert_eq!(changed, [("a".into(), vec![2.into()].into())].into_iter().collect());
        assert_eq!(first, read("/once.yaml", "a: [1]", &Limits::DEFAULT));
    }

    #[test]
    fn other_limits_apply_to_a_known_text() {
        read("/limits.yaml", "a: [[1]]", &Limits::DEFAULT);
        let strict = Limits { nesting: 1, ..Limits::DEFAULT };
        assert!(parsed("/limits.yaml", "a: [[1]]".to_owned(), &strict).is_err());
    }

    #[test]
    fn the_cache_stays_within_its_capacity() {
        let mut cache = Cache::default();
        let parsed =
            |length| Parsed { text: "x".repeat(length), limits: Limits::DEFAULT, value: Value::Undef };
        cache.add("/a", parsed(CAPACITY / 2));
        cache.add("/a", parsed(CAPACITY / 4));
        assert_eq!(cache.size, CAPACITY / 4);
        cache.add("/b", parsed(CAPACITY / 2));
        assert_eq!(cache.files.len(), 2);
        cache.add("/c", parsed(CAPACITY / 2));
        assert_eq!((cache.files.len(), cache.size), (1, CAPACITY / 2));
    }
}
