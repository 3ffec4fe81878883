//! The elements of sets.
//!
//! See go-cty's `cty/set_internals.go`.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Data, Value};
use crate::number::Digits;
use crate::text::quoted;
use crate::types::Type;
use puppetfn_base::error::Error;
use puppetfn_types::subject::Verdict;

/// Elements of one type, none equal to another, in a fixed order. Elements that are not known may
/// be equal, so a set can have several.
pub(super) struct Set {
    elements: Vec<Data>,
    /// The elements by a text that equal ones have in common.
    buckets: BTreeMap<String, Vec<Data>>,
}

impl Set {
    pub fn new(t: &Type, elements: impl IntoIterator<Item = Data>) -> Result<Self, Error> {
        let mut set = Self { elements: Vec::new(), buckets: BTreeMap::new() };
        for element in elements {
            let bucket = set.buckets.entry(key(t, &element)?).or_default();
            if !holds(bucket, t, &element)? {
                bucket.push(element);
            }
        }
        let mut keyed: Vec<(&String, &Data)> =
            set.buckets.iter().flat_map(|(key, bucket)| bucket.iter().map(move |data| (key, data))).collect();
        keyed.sort_by(|(a_key, a), (b_key, b)| order(a, b).then_with(|| fallback_order(t, a_key, b_key)));
        set.elements = keyed.into_iter().map(|(_, data)| data.clone()).collect();
        Ok(set)
    }

    pub fn elements(&self) -> &[Data] {
        &self.elements
    }

    pub fn contains(&self, t: &Type, element: &Data) -> Result<bool, Error> {
        self.buckets.get(&key(t, element)?).map_or(Ok(false), |bucket| holds(bucket, t, element))
    }
}

fn holds(bucket: &[Data], t: &Type, element: &Data) -> Result<bool, Error> {
    let element = Value::part(t, element);
    for other in bucket {
        if element.equality(&Value::part(t, other))? == Verdict::Yes {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Orders known elements by value, then unknown ones, then null.
fn order(a: &Data, b: &Data) -> Ordering {
    let rank = |data: &Data| match data {
        Data::Unknown => 1,
        Data::Null => 2,
        _ => 0,
    };
    match (a, b) {
        (Data::Bool(a), Data::Bool(b)) => a.cmp(b),
        (Data::Number(a), Data::Number(b)) => a.compare(b),
        (Data::String(a), Data::String(b)) => a.cmp(b),
        _ => rank(a).cmp(&rank(b)),
    }
}

fn fallback_order(t: &Type, a: &str, b: &str) -> Ordering {
    if t.is_primitive() { Ordering::Equal } else { a.cmp(b) }
}

impl Value {
    /// Returns a text that equal values have in common.
    pub(crate) fn set_key(&self) -> Result<String, Error> {
        let mut key = String::new();
        push_key(&mut key, self)?;
        Ok(key)
    }
}

/// Returns a text that equal elements have in common.
fn key(t: &Type, data: &Data) -> Result<String, Error> {
    Value::part(t, data).set_key()
}

fn push_key(key: &mut String, value: &Value) -> Result<(), Error> {
    let (open, close) = match (&value.data, &value.t) {
        (Data::Map(_), Type::Map(_)) => ('{', '}'),
        (Data::Map(_), _) | (Data::Sequence(_), Type::Tuple(_)) => ('<', '>'),
        (Data::Sequence(_) | Data::Set(_), _) => ('[', ']'),
        (Data::Marked(marked), t) => return push_key(key, &Value::part(t, marked.data())),
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
fn plain_key(data: &Data) -> Result<String, Error> {
    Ok(match data {
        Data::Unknown => "?".to_owned(),
        Data::Null => "~".to_owned(),
        Data::Bool(truth) => if *truth { "T" } else { "F" }.to_owned(),
        Data::Number(number) => number.to_general(Digits::Exactly(10))?,
        Data::String(text) => quoted(text),
        _ => "«?»".to_owned(),
    })
}
