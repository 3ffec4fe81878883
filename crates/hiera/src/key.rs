//! Keys with the path to a part of their value: `a::b.c.0`.
//!
//! See Puppet's `pops/lookup/lookup_key.rb`.

use std::fmt;
use std::sync::Arc;

use super::error::failure;
use puppetfn_base::error::Error;
use puppetfn_types::convert::dotted;
use puppetfn_types::value::{Hash, Value};

/// The key under which data says how other keys are looked up.
pub(super) const LOOKUP_OPTIONS: &str = "lookup_options";

/// A key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LookupKey {
    text: Arc<str>,
    root: Arc<str>,
    module: Option<Arc<str>>,
    segments: Arc<[Value]>,
}

impl LookupKey {
    /// Returns the key of a text.
    pub fn new(text: &str) -> Result<Self, Error> {
        let (root, segments) =
            split(text)?.ok_or_else(|| failure(format!("Syntax error in key: '{text}'")))?;
        // With nothing before the colons, the name of the module is all there is.
        let module =
            root.find("::").map(|end| if end == 0 { &*root } else { root.get(..end).unwrap_or(&root) });
        Ok(Self { text: text.into(), module: module.map(Arc::from), root, segments: segments.into() })
    }

    /// Returns the key of the options of other keys.
    pub fn lookup_options() -> Self {
        let name: Arc<str> = LOOKUP_OPTIONS.into();
        Self { text: Arc::clone(&name), root: name, module: None, segments: Arc::new([]) }
    }

    /// Returns the key without the path into its value.
    pub fn root(&self) -> &Arc<str> {
        &self.root
    }

    /// Returns the module that it names.
    pub fn module(&self) -> Option<&Arc<str>> {
        self.module.as_ref()
    }

    /// Returns all parts.
    pub fn parts(&self) -> Vec<Value> {
        std::iter::once(Value::String(Arc::clone(&self.root))).chain(self.segments.iter().cloned()).collect()
    }

    /// Returns the keys and indexes of the path into the root's value.
    pub fn segments(&self) -> &[Value] {
        &self.segments
    }

    /// Returns the value of the root that has this value within.
    pub fn undig(&self, value: Value) -> Value {
        self.segments.iter().rev().fold(value, |inner, segment| match segment {
            Value::Integer(index) => {
                let mut items = vec![Value::Undef; usize::try_from(*index).unwrap_or(0)];
                items.push(inner);
                items.into()
            }
            name => [(name.clone(), inner)].into_iter().collect::<Hash>().into(),
        })
    }
}

impl fmt::Display for LookupKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The first part of a text with dots, and the others.
type SplitKey = (Arc<str>, Vec<Value>);

/// Takes a text with dots apart; `None` if it is malformed.
pub(super) fn split(text: &str) -> Result<Option<SplitKey>, Error> {
    if !text.contains(['\'', '"', '.']) {
        return Ok(Some((text.into(), Vec::new())));
    }
    let Some(mut parts) = dotted::keys(text)? else { return Ok(None) };
    let rest = parts.split_off(1.min(parts.len()));
    let root = match parts.pop() {
        Some(Value::String(root)) => root,
        Some(Value::Integer(index)) => index.to_string().into(),
        Some(_) | None => return Ok(None),
    };
    Ok(Some((root, rest)))
}
