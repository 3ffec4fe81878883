//! Comparison of values with secrets.

use crate::value::Value;

/// Options for comparing values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison {
    /// Whether `'1'` differs from `1`.
    pub data_types: bool,
}

impl Comparison {
    /// Returns true if values are the same. A secret equals its own content in plain text: hiding a value does not
    /// change it. A secret whose content was redacted before equals everything.
    pub(crate) fn same(self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Sensitive(secret), other) | (other, Value::Sensitive(secret)) => {
                let other = if let Value::Sensitive(other) = other { other.content() } else { Some(other) };
                secret.content().zip(other).is_none_or(|(a, b)| self.same(a, b))
            }
            (Value::Array(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| self.same(a, b))
            }
            (Value::Hash(a), Value::Hash(b)) => {
                let same = |((a_key, a), (b_key, b)): ((&_, &Value), (&_, &Value))| {
                    a_key == b_key && self.same(a, b)
                };
                a.len() == b.len() && a.iter().zip(b.iter()).all(same)
            }
            (a, b) if self.data_types => a == b,
            (Value::Undef, other) | (other, Value::Undef) => *other == Value::Undef,
            (a, b) => a.scalar_text().zip(b.scalar_text()).is_some_and(|(a, b)| a == b),
        }
    }
}

/// Returns a value for display beside another one, without anything that is sensitive in either: a value that was or
/// will be public is still not shown here.
pub(crate) fn shown(value: &Value, other: Option<&Value>) -> Value {
    match (value, other) {
        (Value::Sensitive(_), _) | (_, Some(Value::Sensitive(_))) => Value::HIDDEN,
        (Value::Array(items), Some(Value::Array(others))) if items.len() == others.len() => {
            items.iter().zip(others.iter()).map(|(item, other)| shown(item, Some(other))).collect()
        }
        (Value::Hash(entries), Some(Value::Hash(others))) => {
            entries.iter().map(|(key, value)| (key.clone(), shown(value, others.get(key)))).collect()
        }
        // The items cannot be matched up.
        (_, Some(other)) if other.has_secrets() => Value::HIDDEN,
        (Value::Array(_), Some(Value::Array(_))) if value.has_secrets() => Value::HIDDEN,
        (Value::Array(items), _) => items.iter().map(|item| shown(item, None)).collect(),
        (Value::Hash(entries), _) => {
            entries.iter().map(|(key, value)| (key.clone(), shown(value, None))).collect()
        }
        (Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_), _) => {
            value.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(json: &str) -> Value {
        let secret = |name: &str| format!(r#"{{"__ptype": "Sensitive", "__pvalue": "{name}"}}"#);
        let json = json.replace("S1", &secret("hunter1")).replace("S2", &secret("hunter2"));
        Value::of_json(serde_json::from_str(&json).unwrap())
    }

    fn same(a: &str, b: &str) -> bool {
        Comparison { data_types: true }.same(&value(a), &value(b))
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
