//! How arrays differ: by the values of their elements, not by their indexes.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::Serialize;

use crate::difference::{PathSegment, ValuePath};
use crate::value::{DiffValue, is_rich};

/// The keys of hashes that identify an element of an array, the first one that fits.
const IDENTITIES: [&str; 5] = ["name", "id", "title", "key", "path"];

/// How two arrays differ.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct ArrayDetail {
    /// Elements that only one array has, and differences within elements of both.
    pub items: Vec<ItemDifference>,
    /// Whether the elements that both arrays have are in another order.
    pub is_reordered: bool,
}

/// An element of an array, or a member of an element, that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ItemDifference {
    /// The path of the difference: the index in the new array, or in the old one if the element was removed; then keys and
    /// indexes. An element with a name of its own has that in place of the index.
    pub path: ValuePath,
    /// The old value, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<DiffValue>,
    /// The new value, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<DiffValue>,
}

impl ItemDifference {
    /// Returns true for an element that only one of the arrays has: its value says it all.
    pub fn is_element(&self) -> bool {
        (self.old.is_none() || self.new.is_none())
            && matches!(self.path.0.as_slice(), [PathSegment::Index(_)])
    }
}

/// Compares two arrays.
pub(crate) fn compare_arrays(old: &[DiffValue], new: &[DiffValue]) -> ArrayDetail {
    let mut items = Vec::new();
    let is_reordered = collect_array(&ValuePath::default(), old, new, &mut items);
    ArrayDetail { items, is_reordered }
}

/// Collects the differences between two values, by path.
fn collect_items(path: &ValuePath, old: &DiffValue, new: &DiffValue, found: &mut Vec<ItemDifference>) {
    match (old, new) {
        (old, new) if old == new => {}
        (DiffValue::Array(old_items), DiffValue::Array(new_items)) => {
            if collect_array(path, old_items, new_items, found) {
                found.push(item(path.clone(), Some(old), Some(new)));
            }
        }
        (DiffValue::Hash(old), DiffValue::Hash(new)) if !is_rich(old) && !is_rich(new) => {
            for (key, old) in old.iter() {
                match new.get(key) {
                    Some(new) => collect_items(&path.key(key), old, new, found),
                    None => found.push(item(path.key(key), Some(old), None)),
                }
            }
            let added = new.iter().filter(|(key, _)| !old.contains_key(*key));
            found.extend(added.map(|(key, new)| item(path.key(key), None, Some(new))));
        }
        (old, new) => found.push(item(path.clone(), Some(old), Some(new))),
    }
}

/// Collects the differences between the elements of two arrays. Returns true if the common elements are in another order.
fn collect_array(
    path: &ValuePath,
    old: &[DiffValue],
    new: &[DiffValue],
    found: &mut Vec<ItemDifference>,
) -> bool {
    let (mut old_rest, old_common) = apart(old, new);
    let (mut new_rest, new_common) = apart(new, old);
    let is_reordered = old_common != new_common;
    for (old_index, new_index) in paired(old, &mut old_rest, new, &mut new_rest) {
        if let (Some(old), Some(new)) = (old.get(old_index), new.get(new_index)) {
            let segment = named(old, new).unwrap_or(PathSegment::Index(new_index));
            collect_items(&path.join(segment), old, new, found);
        }
    }
    let at = |index| path.join(PathSegment::Index(index));
    found.extend(old_rest.into_iter().map(|index| item(at(index), old.get(index), None)));
    found.extend(new_rest.into_iter().map(|index| item(at(index), None, new.get(index))));
    is_reordered
}

/// Returns the indexes of the elements that the other array does not have, and the elements that it has. An element that is
/// there several times is common as often as both arrays have it.
fn apart<'d>(these: &'d [DiffValue], others: &[DiffValue]) -> (Vec<usize>, Vec<&'d DiffValue>) {
    let mut counts: HashMap<&DiffValue, usize> = HashMap::new();
    for other in others {
        let count = counts.entry(other).or_default();
        *count = count.saturating_add(1);
    }
    let (mut alone, mut common) = (Vec::new(), Vec::new());
    for (index, element) in these.iter().enumerate() {
        match counts.get_mut(element).filter(|count| **count > 0) {
            Some(count) => {
                *count = count.saturating_sub(1);
                common.push(element);
            }
            None => alone.push(index),
        }
    }
    (alone, common)
}

/// Takes pairs of elements that are the same one with other contents: hashes with the same name, and otherwise the remaining
/// hashes and arrays in order, if both arrays have as many of them.
fn paired(
    old: &[DiffValue],
    old_rest: &mut Vec<usize>,
    new: &[DiffValue],
    new_rest: &mut Vec<usize>,
) -> Vec<(usize, usize)> {
    let mut by_name: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for index in new_rest.iter() {
        if let Some(name) = new.get(*index).and_then(identity) {
            by_name.entry(name).or_insert(*index);
        }
    }
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for index in old_rest.iter() {
        if let Some(found) = old.get(*index).and_then(identity).and_then(|name| by_name.remove(&name)) {
            pairs.push((*index, found));
        }
    }
    take(old_rest, pairs.iter().map(|(old, _)| *old));
    take(new_rest, pairs.iter().map(|(_, new)| *new));
    let unnamed = |values: &[DiffValue], rest: &[usize]| -> Vec<usize> {
        let is_structure = |index: &&usize| values.get(**index).is_some_and(is_plain_structure);
        rest.iter().filter(is_structure).copied().collect()
    };
    let (old_unnamed, new_unnamed) = (unnamed(old, old_rest), unnamed(new, new_rest));
    if old_unnamed.len() == new_unnamed.len() {
        take(old_rest, old_unnamed.iter().copied());
        take(new_rest, new_unnamed.iter().copied());
        pairs.extend(old_unnamed.into_iter().zip(new_unnamed));
    }
    pairs.sort_by_key(|(_, new)| *new);
    pairs
}

/// Removes indexes from a list.
fn take(rest: &mut Vec<usize>, taken: impl Iterator<Item = usize>) {
    let taken: std::collections::BTreeSet<usize> = taken.collect();
    rest.retain(|index| !taken.contains(index));
}

/// Returns true for arrays, and for hashes without a name.
fn is_plain_structure(value: &DiffValue) -> bool {
    match value {
        DiffValue::Array(_) => true,
        DiffValue::Hash(entries) => !is_rich(entries) && identity(value).is_none(),
        DiffValue::Undef
        | DiffValue::Boolean(_)
        | DiffValue::Integer(_)
        | DiffValue::Float(_)
        | DiffValue::String(_)
        | DiffValue::Sensitive(_) => false,
    }
}

/// Returns the key and the value that identify an element.
fn identity(value: &DiffValue) -> Option<(&'static str, &str)> {
    let DiffValue::Hash(entries) = value else { return None };
    IDENTITIES.into_iter().find_map(|key| Some((key, entries.get(key)?.as_str()?)))
}

/// Returns the step of a path to an element by its name.
fn named(old: &DiffValue, new: &DiffValue) -> Option<PathSegment> {
    let (key, value) = identity(new).filter(|found| identity(old) == Some(*found))?;
    Some(PathSegment::Element { key: Arc::from(key), value: Arc::from(value) })
}

fn item(path: ValuePath, old: Option<&DiffValue>, new: Option<&DiffValue>) -> ItemDifference {
    ItemDifference { path, old: old.cloned(), new: new.cloned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(old: &str, new: &str) -> (Vec<String>, bool) {
        let value = |json: &str| DiffValue::of_json(serde_json::from_str(json).unwrap());
        let (DiffValue::Array(old), DiffValue::Array(new)) = (value(old), value(new)) else { panic!() };
        let ArrayDetail { items, is_reordered } = compare_arrays(&old, &new);
        let shown =
            |value: Option<DiffValue>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
        let item = |item: ItemDifference| format!("{} {} {}", item.path, shown(item.old), shown(item.new));
        (items.into_iter().map(item).collect(), is_reordered)
    }

    #[test]
    fn elements_are_compared_by_value() {
        for (old, new, expected, is_reordered) in [
            (r#"["a", "b", "c"]"#, r#"["b", "c"]"#, vec!["[0] 'a' -"], false),
            (r#"["a", "b"]"#, r#"["x", "a", "b"]"#, vec!["[0] - 'x'"], false),
            (r#"["a", "b"]"#, r#"["a", "c"]"#, vec!["[1] 'b' -", "[1] - 'c'"], false),
            (r#"["a", "b", "c"]"#, r#"["c", "a", "b"]"#, vec![], true),
            (r#"["a", "b", "c"]"#, r#"["c", "a", "d"]"#, vec!["[1] 'b' -", "[2] - 'd'"], true),
            (r#"["a", "a", "b"]"#, r#"["a", "b"]"#, vec!["[1] 'a' -"], false),
            (r#"[1]"#, r#"["1"]"#, vec!["[0] 1 -", "[0] - '1'"], false),
        ] {
            assert_eq!(
                compared(old, new),
                (expected.iter().map(ToString::to_string).collect(), is_reordered),
                "{new}"
            );
        }
    }

    #[test]
    fn elements_with_a_name_are_the_same_wherever_they_are() {
        let old = r#"[{"name": "a", "port": 1}, {"name": "b", "port": 2}]"#;
        let new = r#"[{"name": "c"}, {"name": "b", "port": 3}, {"name": "a", "port": 1}]"#;
        let expected = ["[name: 'b'].port 2 3", "[0] - {'name' => 'c'}"].map(str::to_owned);
        assert_eq!(compared(old, new), (expected.to_vec(), false));
    }

    #[test]
    fn elements_without_a_name_are_compared_in_order() {
        assert_eq!(
            compared(r#"["x", {"e": 1}]"#, r#"[{"e": 2}, "x"]"#),
            (vec!["[0].e 1 2".to_owned()], false)
        );
        assert_eq!(compared(r#"[[1, 2]]"#, r#"[[2, 1]]"#), (vec!["[0] [1, 2] [2, 1]".to_owned()], false));
        let expected = ["[0] {'e' => 1} -", "[1] {'f' => 1} -", "[0] - {'e' => 2}"].map(str::to_owned);
        assert_eq!(compared(r#"[{"e": 1}, {"f": 1}]"#, r#"[{"e": 2}]"#), (expected.to_vec(), false));
    }
}
