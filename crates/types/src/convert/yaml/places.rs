//! Where the keys of a YAML text are.

use libyaml_safer::{Encoding, Event, EventData, Mark, Parser};

use super::readable::ReadableText;

/// A key of a mapping, with the keys of its value if that is a mapping too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyPlace {
    /// The key, if it is a scalar.
    pub name: String,
    /// The line and column of the key, both from 1.
    pub key: (u32, u32),
    /// The line and column of the value.
    pub value: (u32, u32),
    /// The keys in the value.
    pub keys: Vec<KeyPlace>,
}

/// Maximum depth of keys.
const DEEPEST: usize = 4;

/// A collection that has begun.
struct OpenCollection {
    is_mapping: bool,
    /// The key that has no value yet.
    key: Option<(String, (u32, u32))>,
    keys: Vec<KeyPlace>,
    start: (u32, u32),
}

/// Returns the keys of the first document of a YAML text, in their order, up to where it is YAML.
pub fn key_places(text: &str) -> Vec<KeyPlace> {
    let text = ReadableText::new(text);
    let mut input = text.as_bytes();
    let mut parser = Parser::new();
    parser.set_encoding(Encoding::Utf8);
    parser.set_input(&mut input);
    let mut open: Vec<OpenCollection> = Vec::new();
    while let Ok(Event { data, start_mark, end_mark, .. }) = parser.parse() {
        let at = position(&text, start_mark);
        match data {
            EventData::StreamEnd | EventData::DocumentEnd { .. } => break,
            EventData::StreamStart { .. } | EventData::DocumentStart { .. } => {}
            EventData::MappingStart { .. } => {
                open.push(OpenCollection { is_mapping: true, key: None, keys: Vec::new(), start: at });
            }
            EventData::SequenceStart { .. } => {
                open.push(OpenCollection { is_mapping: false, key: None, keys: Vec::new(), start: at });
            }
            EventData::Scalar { value, .. } => {
                finish(&mut open, text.scalar(value, end_mark), at, Vec::new());
            }
            EventData::Alias { anchor } => finish(&mut open, anchor, at, Vec::new()),
            EventData::SequenceEnd | EventData::MappingEnd => {
                let Some(OpenCollection { keys, start, .. }) = open.pop() else { break };
                if open.is_empty() {
                    return keys;
                }
                let keys = if open.len() < DEEPEST { keys } else { Vec::new() };
                finish(&mut open, String::new(), start, keys);
            }
        }
    }
    // After a syntax error, the keys before it are still valid.
    open.into_iter().next().map(|root| root.keys).unwrap_or_default()
}

/// Adds a complete node to its containing collection.
fn finish(open: &mut [OpenCollection], text: String, at: (u32, u32), keys: Vec<KeyPlace>) {
    let Some(around) = open.last_mut().filter(|around| around.is_mapping) else { return };
    match around.key.take() {
        None => around.key = Some((text, at)),
        Some((name, key)) => around.keys.push(KeyPlace { name, key, value: at, keys }),
    }
}

fn position(text: &ReadableText<'_>, mark: Mark) -> (u32, u32) {
    let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let (line, column) = text.position(mark);
    (number(line), number(column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_places_of_what_is_written() {
        let text = "---\na::b: 1\n'c':\n  d: [1, {e: 2}]\n  <<: *x\nf: |\n  text\n";
        let shown = |places: &[KeyPlace]| -> Vec<String> {
            places.iter().map(|place| format!("{} {:?} {:?}", place.name, place.key, place.value)).collect()
        };
        let places = key_places(text);
        assert_eq!(shown(&places), ["a::b (2, 1) (2, 7)", "c (3, 1) (4, 3)", "f (6, 1) (6, 4)"]);
        assert_eq!(shown(&places[1].keys), ["d (4, 3) (4, 6)", "<< (5, 3) (5, 7)"]);
        assert_eq!(shown(&key_places("a: 1\nb: [")), ["a (1, 1) (1, 4)"]);
        assert_eq!(
            shown(&key_places("{a: !, b: 1,\n é: !!str,c: 2}")),
            ["a (1, 2) (1, 5)", "b (1, 8) (1, 11)", "é (2, 2) (2, 5)", "c (2, 11) (2, 14)"]
        );
        assert_eq!(key_places("- a: 1\n"), []);
        assert_eq!(key_places(""), []);
    }
}
