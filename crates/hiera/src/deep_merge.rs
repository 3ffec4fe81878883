//! The deep merge of hashes and arrays, as the `deep_merge` library for Ruby does it.
//!
//! See the library `deep_merge`, `deep_merge/core.rb`.

use std::sync::Arc;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::{Depth, Limits};
use puppetfn_types::value::{Hash, Regex, Value};

/// A merge with its options.
pub(super) struct DeepMerge {
    knockout: Option<KnockoutPrefix>,
    sort_arrays: bool,
    merge_hash_arrays: bool,
}

/// The prefix of elements and keys to remove from the result.
struct KnockoutPrefix {
    prefix: Arc<str>,
    pattern: Regex,
}

impl KnockoutPrefix {
    /// Returns a text without the prefix, where it has it.
    fn stripped(&self, value: &Value) -> Result<Option<Value>, Error> {
        let Value::String(text) = value else { return Ok(None) };
        let mut stripped = String::new();
        let mut rest: &str = text;
        while let Some(group) =
            self.pattern.captures(rest)?.and_then(|groups| groups.first().copied().flatten())
        {
            let start = (group.as_ptr() as usize).saturating_sub(rest.as_ptr() as usize);
            let end = start.saturating_add(group.len());
            if group.is_empty() {
                break;
            }
            stripped.push_str(rest.get(..start).unwrap_or_default());
            // Only the next line can begin with it again.
            let (line, next) =
                rest.get(end..).unwrap_or_default().split_inclusive('\n').next().map_or(("", ""), |line| {
                    (line, rest.get(end.saturating_add(line.len())..).unwrap_or_default())
                });
            stripped.push_str(line);
            rest = next;
        }
        stripped.push_str(rest);
        Ok((*stripped != **text).then(|| stripped.into()))
    }

    fn is_bare(&self, value: &Value) -> bool {
        matches!(value, Value::String(text) if *text == self.prefix)
    }
}

impl DeepMerge {
    pub fn new(options: &Hash) -> Result<Self, Error> {
        let is_set = |name| matches!(options.get_str(name), Some(value) if !matches!(value, Value::Undef | Value::Boolean(false)));
        let knockout = match options.get_str("knockout_prefix") {
            Some(Value::String(prefix)) if prefix.is_empty() => {
                return Err(Error::new(
                    ErrorKind::ArgumentMismatch,
                    "knockout_prefix cannot be an empty string in deep_merge!",
                ));
            }
            Some(Value::String(prefix)) => Some(KnockoutPrefix {
                prefix: Arc::clone(prefix),
                pattern: Regex::new(&format!("^{prefix}"))?,
            }),
            _ => None,
        };
        Ok(Self {
            knockout,
            sort_arrays: is_set("sort_merged_arrays"),
            merge_hash_arrays: is_set("merge_hash_arrays"),
        })
    }

    /// Merges the first value, which is preferred, into the second.
    pub fn merge(&self, source: Value, dest: Value, limits: &Limits) -> Result<Value, Error> {
        self.deep(source, dest, Depth::nesting(limits))
    }

    fn deep(&self, source: Value, dest: Value, depth: Depth) -> Result<Value, Error> {
        let depth = depth.deeper()?;
        match (source, dest) {
            (Value::Undef, dest) => Ok(dest),
            (source, Value::Undef | Value::Boolean(false)) => Ok(source),
            (Value::Hash(source), Value::Hash(dest)) => self.hashes(&source, &dest, depth),
            (Value::Hash(source), dest) if source.is_empty() => Ok(dest),
            (Value::Array(source), dest) => self.array(&source, dest, depth),
            (source, _) => self.overwrite(source),
        }
    }

    fn hashes(&self, source: &Hash, dest: &Hash, depth: Depth) -> Result<Value, Error> {
        let mut merged = Hash::clone(dest);
        for (key, value) in source.iter() {
            let before = match dest.get(key) {
                None | Some(Value::Undef | Value::Boolean(false)) => value,
                Some(before) => before,
            };
            let value = self.deep(value.clone(), before.clone(), depth)?;
            merged.insert(key.clone(), value);
        }
        Ok(merged.into())
    }

    fn array(&self, source: &[Value], dest: Value, depth: Depth) -> Result<Value, Error> {
        let mut source = source.to_vec();
        let mut dest = dest;
        if let Some(knockout) = &self.knockout
            && source.iter().any(|item| knockout.is_bare(item))
        {
            dest = match dest {
                Value::Array(_) => Vec::new().into(),
                Value::Hash(_) => Hash::default().into(),
                Value::String(_) => "".into(),
                _ => Value::Undef,
            };
            source.retain(|item| !knockout.is_bare(item));
        }
        let Value::Array(dest) = dest else { return self.overwrite(source.into()) };
        let mut dest = dest.to_vec();
        self.knock_out(&mut source, &mut dest)?;
        let is_hash = |value: &Value| matches!(value, Value::Hash(_));
        let mut merged = if self.merge_hash_arrays && source.iter().all(is_hash) && dest.iter().all(is_hash) {
            self.hash_arrays(source, dest, depth)?
        } else {
            match union(dest.into_iter().chain(source)) {
                Value::Array(items) => items.to_vec(),
                _ => Vec::new(),
            }
        };
        if self.sort_arrays {
            sort(&mut merged)?;
        }
        Ok(merged.into())
    }

    /// Removes elements with the prefix from both arrays, and the elements that they name from the second.
    fn knock_out(&self, source: &mut Vec<Value>, dest: &mut Vec<Value>) -> Result<(), Error> {
        let Some(knockout) = &self.knockout else { return Ok(()) };
        let mut left = Vec::with_capacity(source.len());
        for item in source.drain(..) {
            match knockout.stripped(&item)? {
                Some(name) => dest.retain(|other| *other != name && *other != item),
                None => left.push(item),
            }
        }
        *source = left;
        Ok(())
    }

    /// Merges hashes at the same place of two arrays.
    fn hash_arrays(&self, source: Vec<Value>, dest: Vec<Value>, depth: Depth) -> Result<Vec<Value>, Error> {
        let mut source = source.into_iter();
        let mut merged = Vec::with_capacity(dest.len());
        for dest in dest {
            let source = source.next().unwrap_or_else(|| Hash::default().into());
            merged.push(self.deep(source, dest, depth)?);
        }
        merged.extend(source);
        Ok(merged)
    }

    /// Returns the replacement of a value that `source` cannot be merged with.
    fn overwrite(&self, source: Value) -> Result<Value, Error> {
        let Some(knockout) = &self.knockout else { return Ok(source) };
        match source {
            Value::Array(items) => {
                let mut left = Vec::with_capacity(items.len());
                for item in items.iter() {
                    if knockout.stripped(item)?.is_none() {
                        left.push(item.clone());
                    }
                }
                Ok(left.into())
            }
            source => Ok(if knockout.stripped(&source)?.is_some() { "".into() } else { source }),
        }
    }
}

/// Sorts numbers or strings.
fn sort(items: &mut [Value]) -> Result<(), Error> {
    #[allow(clippy::cast_precision_loss, reason = "as Ruby compares them")]
    let order = |a: &Value, b: &Value| match (a, b) {
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (Value::Integer(a), Value::Float(b)) => (*a as f64).partial_cmp(b),
        (Value::Float(a), Value::Integer(b)) => a.partial_cmp(&(*b as f64)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        _ => None,
    };
    let incomparable = items.windows(2).find_map(|pair| match pair {
        [a, b] if order(a, b).is_none() => Some((a, b)),
        _ => None,
    });
    if let Some((a, b)) = incomparable {
        let message = format!("comparison of {} with {} failed", a.ruby_class(), b.ruby_class());
        return Err(Error::new(ErrorKind::ArgumentMismatch, message));
    }
    items.sort_by(|a, b| order(a, b).unwrap_or(std::cmp::Ordering::Equal));
    Ok(())
}

/// Returns each value once.
pub(super) fn union(values: impl Iterator<Item = Value>) -> Value {
    let unique: Hash = values.map(|value| (value, Value::Undef)).collect();
    unique.iter().map(|(value, _)| value.clone()).collect::<Vec<_>>().into()
}
