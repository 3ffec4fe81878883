//! The order of the members of PuppetDB's answers.
//!
//! PuppetDB is written in Clojure, whose maps keep the order of up to eight entries and sort larger ones by the hashes of their keys: see
//! `PersistentHashMap.java`, `Murmur3.java` and `Symbol.java` of Clojure.

use serde_json::{Map, Value as Json};

/// The number of entries up to which maps keep their order.
const ORDERED: usize = 8;

/// Returns the members of an object in the order of a map with these keys.
pub(crate) fn members_in_order(members: Map<String, Json>) -> Map<String, Json> {
    if members.len() <= ORDERED {
        return members;
    }
    let mut members: Vec<(String, Json)> = members.into_iter().collect();
    members.sort_by_cached_key(|(name, _)| branches(keyword_hash(name)));
    members.into_iter().collect()
}

/// Does the same for all objects in a value.
pub(crate) fn in_order(value: Json) -> Json {
    match value {
        Json::Object(members) => {
            let members = members.into_iter().map(|(name, value)| (name, in_order(value))).collect();
            Json::Object(members_in_order(members))
        }
        Json::Array(items) => Json::Array(items.into_iter().map(in_order).collect()),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => value,
    }
}

/// Returns names in the order of a map whose keys are texts.
pub(crate) fn names_in_order(names: Vec<&'static str>) -> Vec<&'static str> {
    let mut names = names;
    if names.len() > ORDERED {
        names.sort_by_cached_key(|name| branches(text_hash(name)));
    }
    names
}

/// Returns texts in the order of a set.
pub(crate) fn texts_in_order(texts: Vec<String>) -> Vec<String> {
    let mut texts = texts;
    texts.sort_by_cached_key(|text| branches(text_hash(text)));
    texts
}

/// Returns the branches that lead to a hash in the tree of a map, five bits each, from the lowest on.
fn branches(hash: u32) -> [u32; 7] {
    [0, 5, 10, 15, 20, 25, 30].map(|shift| (hash >> shift) & 31)
}

fn keyword_hash(name: &str) -> u32 {
    let (namespace, name) = match name.split_once('/') {
        Some((namespace, rest)) if name != "/" => (java_hash(namespace), rest),
        _ => (0, name),
    };
    let seed = murmur(name);
    let shifted = (seed.cast_signed() >> 2).cast_unsigned();
    let mixed = namespace.wrapping_add(0x9e37_79b9).wrapping_add(seed << 6).wrapping_add(shifted);
    (seed ^ mixed).wrapping_add(0x9e37_79b9)
}

fn text_hash(text: &str) -> u32 {
    let hash = java_hash(text);
    if hash == 0 {
        return 0;
    }
    finished(mixed(hash).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64), 4)
}

fn java_hash(text: &str) -> u32 {
    text.encode_utf16().fold(0, |hash: u32, unit| hash.wrapping_mul(31).wrapping_add(unit.into()))
}

fn murmur(text: &str) -> u32 {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut hash = 0_u32;
    let mut pairs = units.chunks_exact(2);
    for pair in &mut pairs {
        if let [low, high] = pair {
            hash ^= mixed(u32::from(*low) | u32::from(*high) << 16);
            hash = hash.rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
        }
    }
    if let [last] = pairs.remainder() {
        hash ^= mixed((*last).into());
    }
    finished(hash, u32::try_from(units.len()).unwrap_or(u32::MAX).wrapping_mul(2))
}

fn finished(hash: u32, length: u32) -> u32 {
    let hash = hash ^ length;
    let hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    let hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    hash ^ (hash >> 16)
}

fn mixed(block: u32) -> u32 {
    block.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(names: &[&str]) -> Vec<String> {
        let members = names.iter().map(|name| ((*name).to_owned(), Json::Null)).collect();
        members_in_order(members).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn rows_of_more_than_eight_columns_have_puppetdbs_order() {
        assert_eq!(
            ordered(&[
                "certname",
                "environment",
                "resource",
                "type",
                "title",
                "tags",
                "exported",
                "file",
                "line",
                "parameters"
            ]),
            [
                "tags",
                "file",
                "type",
                "title",
                "line",
                "resource",
                "environment",
                "certname",
                "parameters",
                "exported"
            ]
        );
        assert_eq!(ordered(&["b", "a", "c"]), ["b", "a", "c"]);
    }
}
