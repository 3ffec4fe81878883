//! Values that are not known yet.

use std::sync::Arc;

use super::Value;
use crate::error::Error;
use crate::limits::{Depth, Limits};
use crate::types::Type;

impl Value {
    /// Some value of this type. The value itself where the type has only one.
    pub fn unknown(t: Type) -> Self {
        if let Type::Boolean(Some(truth)) = t {
            return Self::Boolean(truth);
        }
        if t == Type::Undef { Self::Undef } else { Self::Unknown(Arc::new(t)) }
    }

    /// Tells if it is, or contains, a value that is not known.
    ///
    /// # Errors
    /// [`crate::error::ErrorKind::Limit`] when it nests too deep.
    pub fn contains_unknown(&self) -> Result<bool, Error> {
        contains_unknown(self, Depth::nesting(&Limits::DEFAULT))
    }
}

fn contains_unknown(value: &Value, depth: Depth) -> Result<bool, Error> {
    let mut parts: &mut dyn Iterator<Item = &Value> = match value {
        Value::Unknown(_) => return Ok(true),
        Value::Array(items) => &mut items.iter(),
        Value::Hash(hash) => &mut hash.iter().flat_map(|(key, value)| [key, value]),
        Value::Sensitive(inner) => &mut std::iter::once(&**inner),
        Value::Object(object) => &mut object.values().iter(),
        Value::Undef
        | Value::Default
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::String(_)
        | Value::Regexp(_)
        | Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Binary(_)
        | Value::Uri(_)
        | Value::Timestamp(_)
        | Value::Timespan(_)
        | Value::Type(_)
        | Value::Iterator(_)
        | Value::Callable(_)
        | Value::Runtime(_) => return Ok(false),
    };
    let depth = depth.deeper()?;
    for part in &mut parts {
        // Most of what is in large collections needs no further look.
        if !matches!(part, Value::Integer(_) | Value::String(_)) && contains_unknown(part, depth)? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_is_found_at_any_depth() {
        let unknown = Value::unknown(Type::INTEGER);
        assert!(unknown.contains_unknown().unwrap());
        let nested: Value =
            [("a".into(), vec![Value::Sensitive(Arc::new(unknown))].into())].into_iter().collect();
        assert!(nested.contains_unknown().unwrap());
        assert!(!Value::from(vec![1.into(), Value::Undef]).contains_unknown().unwrap());
    }

    #[test]
    fn a_type_with_one_value_is_known() {
        assert_eq!(Value::unknown(Type::Undef), Value::Undef);
        assert_eq!(Value::unknown(Type::Boolean(Some(true))), Value::Boolean(true));
    }
}
