//! The elements of sets.
//!
//! See go-cty's `cty/set_internals.go`.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{CtyData, CtyValue};
use crate::number::DigitCount;
use crate::text::quoted;
use crate::types::CtyType;
use puppetfn_base::error::Error;
use puppetfn_types::subject::Verdict;

/// Elements of one type, none equal to another, in a fixed order. Elements that are not known may
/// be equal, so a set can have several.
pub(super) struct Set {
    elements: Vec<CtyData>,
    /// The elements by a text that equal ones have in common.
    buckets: BTreeMap<String, Vec<CtyData>>,
}

impl Set {
    pub fn new(t: &CtyType, elements: impl IntoIterator<Item = CtyData>) -> Result<Self, Error> {
        let mut set = Self { elements: Vec::new(), buckets: BTreeMap::new() };
        for element in elements {
            let bucket = set.buckets.entry(key(t, &element)?).or_default();
            if !holds(bucket, t, &element)? {
                bucket.push(element);
            }
        }
        let mut keyed: Vec<(&String, &CtyData)> =
            set.buckets.iter().flat_map(|(key, bucket)| bucket.iter().map(move |data| (key, data))).collect();
        keyed.sort_by(|(a_key, a), (b_key, b)| order(a, b).then_with(|| fallback_order(t, a_key, b_key)));
        set.elements = keyed.into_iter().map(|(_, data)| data.clone()).collect();
        Ok(set)
    }

    pub fn elements(&self) -> &[CtyData] {
        &self.elements
    }

    pub fn contains(&self, t: &CtyType, element: &CtyData) -> Result<bool, Error> {
        self.buckets.get(&key(t, element)?).map_or(Ok(false), |bucket| holds(bucket, t, element))
    }
}

fn holds(bucket: &[CtyData], t: &CtyType, element: &CtyData) -> Result<bool, Error> {
    let element = CtyValue::part(t, element);
    for other in bucket {
        if element.equality(&CtyValue::part(t, other))? == Verdict::Yes {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Orders known elements by value, then unknown ones, then null.
fn order(a: &CtyData, b: &CtyData) -> Ordering {
    let rank = |data: &CtyData| match data {
        CtyData::Unknown => 1,
        CtyData::Null => 2,
        _ => 0,
    };
    match (a, b) {
        (CtyData::Bool(a), CtyData::Bool(b)) => a.cmp(b),
        (CtyData::Number(a), CtyData::Number(b)) => a.compare(b),
        (CtyData::String(a), CtyData::String(b)) => a.cmp(b),
        _ => rank(a).cmp(&rank(b)),
    }
}

fn fallback_order(t: &CtyType, a: &str, b: &str) -> Ordering {
    if t.is_primitive() { Ordering::Equal } else { a.cmp(b) }
}

impl CtyValue {
    /// Returns a text that equal values have in common.
    pub(crate) fn set_key(&self) -> Result<String, Error> {
        let mut key = String::new();
        push_key(&mut key, self)?;
        Ok(key)
    }
}

/// Returns a text that equal elements have in common.
fn key(t: &CtyType, data: &CtyData) -> Result<String, Error> {
    CtyValue::part(t, data).set_key()
}

fn push_key(key: &mut String, value: &CtyValue) -> Result<(), Error> {
    let (open, close) = match (&value.data, &value.t) {
        (CtyData::Map(_), CtyType::Map(_)) => ('{', '}'),
        (CtyData::Map(_), _) | (CtyData::Sequence(_), CtyType::Tuple(_)) => ('<', '>'),
        (CtyData::Sequence(_) | CtyData::Set(_), _) => ('[', ']'),
        (CtyData::Marked(marked), t) => return push_key(key, &CtyValue::part(t, marked.data())),
        (plain, _) => {
            key.push_str(&plain_key(plain)?);
            return Ok(());
        }
    };
    key.push(open);
    for (name, part) in value.elements()? {
        if open == '{' {
            push_key(key, &name)?;
            key.push(':');
        }
        push_key(key, &part)?;
        // Writing to a string cannot fail.
        let _ = write!(key, ";");
    }
    key.push(close);
    Ok(())
}

/// Returns the text of a value without parts.
fn plain_key(data: &CtyData) -> Result<String, Error> {
    Ok(match data {
        CtyData::Unknown => "?".to_owned(),
        CtyData::Null => "~".to_owned(),
        CtyData::Bool(truth) => if *truth { "T" } else { "F" }.to_owned(),
        CtyData::Number(number) => number.to_general(DigitCount::Exactly(10))?,
        CtyData::String(text) => quoted(text),
        _ => "«?»".to_owned(),
    })
}
