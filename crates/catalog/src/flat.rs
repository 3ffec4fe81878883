//! Values in nested arrays.

use puppetfn_types::value::Value;

/// Returns the values in nested arrays, in order.
pub fn flat(value: &Value) -> Vec<Value> {
    leaves(value).cloned().collect()
}

/// Returns the same by reference. A value that is no array is the only one.
pub(crate) fn leaves(value: &Value) -> Leaves<'_> {
    Leaves { first: Some(value), rest: Vec::new() }
}

/// The values in nested arrays, in order.
pub(crate) struct Leaves<'v> {
    /// The next value, in front of the others: most values are no arrays, and need no list.
    first: Option<&'v Value>,
    /// The others, the last one first.
    rest: Vec<&'v Value>,
}

impl<'v> Iterator for Leaves<'v> {
    type Item = &'v Value;

    fn next(&mut self) -> Option<&'v Value> {
        loop {
            let value = self.first.take().or_else(|| self.rest.pop())?;
            match value.contents() {
                Value::Array(items) => self.rest.extend(items.iter().rev()),
                _ => return Some(value),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_in_order() {
        let nested: Value =
            vec![1.into(), vec![2.into(), vec![].into(), Value::Undef].into(), "a".into()].into();
        assert_eq!(flat(&nested), [1.into(), 2.into(), Value::Undef, "a".into()]);
        assert_eq!(flat(&Value::Undef), [Value::Undef]);
        assert_eq!(flat(&Value::from(Vec::new())), []);
    }
}
