//! Comparison of values with secrets.

use crate::value::DiffValue;

/// Options for comparing values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueComparison {
    /// Whether `'1'` differs from `1`.
    pub data_types: bool,
}

impl ValueComparison {
    /// Returns true if values are the same. A secret equals its own content in plain text: hiding a value does not
    /// change it. A secret whose content was redacted before equals everything.
    pub(crate) fn same(self, a: &DiffValue, b: &DiffValue) -> bool {
        match (a, b) {
            (DiffValue::Sensitive(secret), other) | (other, DiffValue::Sensitive(secret)) => {
                let other =
                    if let DiffValue::Sensitive(other) = other { other.content() } else { Some(other) };
                secret.content().zip(other).is_none_or(|(a, b)| self.same(a, b))
            }
            (DiffValue::Array(a), DiffValue::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| self.same(a, b))
            }
            (DiffValue::Hash(a), DiffValue::Hash(b)) => {
                let same = |((a_key, a), (b_key, b)): ((&_, &DiffValue), (&_, &DiffValue))| {
                    a_key == b_key && self.same(a, b)
                };
                a.len() == b.len() && a.iter().zip(b.iter()).all(same)
            }
            (a, b) if self.data_types => a == b,
            (DiffValue::Undef, other) | (other, DiffValue::Undef) => *other == DiffValue::Undef,
            (a, b) => a.scalar_text().zip(b.scalar_text()).is_some_and(|(a, b)| a == b),
        }
    }
}

/// Returns a value for display beside another one, without anything that is sensitive in either: a value that was or
/// will be public is still not shown here.
pub(crate) fn shown(value: &DiffValue, other: Option<&DiffValue>) -> DiffValue {
    match (value, other) {
        (DiffValue::Sensitive(_), _) | (_, Some(DiffValue::Sensitive(_))) => DiffValue::HIDDEN,
        (DiffValue::Array(items), Some(DiffValue::Array(others))) if items.len() == others.len() => {
            items.iter().zip(others.iter()).map(|(item, other)| shown(item, Some(other))).collect()
        }
        (DiffValue::Hash(entries), Some(DiffValue::Hash(others))) => {
            entries.iter().map(|(key, value)| (key.clone(), shown(value, others.get(key)))).collect()
        }
        // The items cannot be matched up.
        (_, Some(other)) if other.has_secrets() => DiffValue::HIDDEN,
        (DiffValue::Array(_), Some(DiffValue::Array(_))) if value.has_secrets() => DiffValue::HIDDEN,
        (DiffValue::Array(items), _) => items.iter().map(|item| shown(item, None)).collect(),
        (DiffValue::Hash(entries), _) => {
            entries.iter().map(|(key, value)| (key.clone(), shown(value, None))).collect()
        }
        (
            DiffValue::Undef
            | DiffValue::Boolean(_)
            | DiffValue::Integer(_)
            | DiffValue::Float(_)
            | DiffValue::String(_),
            _,
        ) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(json: &str) -> DiffValue {
        let secret = |name: &str| format!(r#"{{"__ptype": "Sensitive", "__pvalue": "{name}"}}"#);
        let json = json.replace("S1", &secret("hunter1")).replace("S2", &secret("hunter2"));
        DiffValue::of_json(serde_json::from_str(&json).unwrap())
    }

    fn same(a: &str, b: &str) -> bool {
        ValueComparison { data_types: true }.same(&value(a), &value(b))
    }

    #[test]
    fn secrets_are_compared() {
        assert!(same("[S1]", "[S1]") && !same("[S1]", "[S2]"));
        assert!(same("S1", r#""hunter1""#) && !same("S1", r#""hunter2""#));
        assert!(same("S1", r#"{"__ptype": "Sensitive", "__pvalue": "Sensitive [value redacted]"}"#));
    }

    #[test]
    fn nothing_shows_a_secret_of_the_other_value() {
        for (a, b) in [
            (r#""hunter1""#, "S1"),
            (r#"["hunter1", 2]"#, "[S1, 3]"),
            (r#"["a", "hunter1"]"#, "[S1]"),
            (r#"{"k": "hunter1"}"#, r#"{"k": S1}"#),
            (r#"{"k": "hunter1"}"#, r#"["a", S1]"#),
            (r#"["hunter1"]"#, r#"{"k": S1}"#),
        ] {
            let (a, b) = (value(a), value(b));
            let text = format!("{} {}", shown(&a, Some(&b)), shown(&b, Some(&a)));
            assert!(!text.contains("hunter"), "{text}");
        }
    }

    #[test]
    fn what_is_beside_a_secret_is_shown() {
        let (a, b) = (value(r#"{"k": S1, "l": [1, 2]}"#), value(r#"{"k": "hunter1", "l": [1, 3]}"#));
        assert_eq!(shown(&b, Some(&a)).to_string(), "{'k' => Sensitive [value redacted], 'l' => [1, 3]}");
    }
}
