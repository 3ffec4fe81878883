//! Texts that Ruby code may not change, as literals and facts: they are frozen Strings to functions and templates.

use std::sync::{Arc, Weak};

use super::Value;

/// Marks a text as frozen as long as the mark lives: the owner of the text, a program or the table of variables, keeps the
/// mark. It is a weak reference, so that checking for it costs no more than reading a counter.
#[derive(Clone, Debug)]
pub struct FrozenText {
    _mark: Weak<str>,
}

impl FrozenText {
    /// Marks a text.
    pub fn mark(text: &Arc<str>) -> Self {
        Self { _mark: Arc::downgrade(text) }
    }

    /// Marks all texts in a value, keys included.
    pub fn mark_all(value: &Value) -> Vec<Self> {
        let mut marks = Vec::new();
        let mut rest = vec![value];
        while let Some(value) = rest.pop() {
            if let Value::String(text) = value {
                marks.push(Self::mark(text));
            } else if let Value::Array(items) = value {
                rest.extend(items.iter());
            } else if let Value::Hash(hash) = value {
                rest.extend(hash.iter().flat_map(|(key, value)| [key, value]));
            }
        }
        marks
    }

    /// Returns true if a text is frozen.
    #[inline]
    pub fn is_marked(text: &Arc<str>) -> bool {
        Arc::weak_count(text) > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_frozen_while_the_mark_lives() {
        let text: Arc<str> = "a".into();
        let value: Value =
            [("k".into(), vec![Value::String(Arc::clone(&text))].into())].into_iter().collect();
        assert!(!FrozenText::is_marked(&text));
        let marks = FrozenText::mark_all(&value);
        assert_eq!(marks.len(), 2);
        assert!(FrozenText::is_marked(&text));
        drop(marks);
        assert!(!FrozenText::is_marked(&text));
    }
}
