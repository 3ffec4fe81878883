//! Values in nested arrays.

use puppetfn_types::value::Value;

/// Returns the values in nested arrays, in order.
pub fn flat(value: &Value) -> Vec<Value> {
    let mut rest = vec![value];
    let mut values = Vec::new();
    while let Some(value) = rest.pop() {
        match value.contents() {
            Value::Array(items) => rest.extend(items.iter().rev()),
            _ => values.push(value.clone()),
        }
    }
    values
}
