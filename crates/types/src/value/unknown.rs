//! Unknown values.

use std::sync::Arc;

use super::Value;
use crate::value::types::Type;

impl Value {
    /// Some value of this type. The value itself where the type has only one.
    pub fn unknown(t: Type) -> Self {
        if let Type::Boolean(Some(truth)) = t {
            return Self::Boolean(truth);
        }
        if t == Type::Undef { Self::Undef } else { Self::Unknown(Arc::new(t)) }
    }

    /// Returns true if it is, or contains, an unknown value.
    pub fn contains_unknown(&self) -> bool {
        self.extent().has_unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_is_found_at_any_depth() {
        let unknown = Value::unknown(Type::INTEGER);
        assert!(unknown.contains_unknown());
        let nested: Value =
            [("a".into(), vec![Value::Sensitive(Arc::new(unknown))].into())].into_iter().collect();
        assert!(nested.contains_unknown());
        assert!(!Value::from(vec![1.into(), Value::Undef]).contains_unknown());
    }

    #[test]
    fn a_type_with_one_value_is_known() {
        assert_eq!(Value::unknown(Type::Undef), Value::Undef);
        assert_eq!(Value::unknown(Type::Boolean(Some(true))), Value::Boolean(true));
    }
}
