//! `Type[title][parameter]`.

use super::super::Machine;
use crate::catalog::{Reference, flat};
use crate::types::Type;
use crate::value::Value;

impl Machine {
    /// The values of parameters of a resource, if a value refers to one; or what is wrong.
    pub(in crate::eval::machine) fn resource_parameters(
        &self,
        operand: &Value,
        keys: &[Value],
    ) -> Option<Result<Value, String>> {
        let Value::Type(t) = operand else { return None };
        if self.shared.is_script || !matches!(**t, Type::Resource(_) | Type::Class(_)) {
            return None;
        }
        let reference = Reference::of_type(t)?;
        let shown = match &**t {
            Type::Class(Some(name)) => format!("Class['{name}']"),
            _ => format!("{}['{}']", reference.type_name(), reference.title()),
        };
        let is_list = keys.len() > 1 || matches!(keys, [Value::Array(_)]);
        let keys: Vec<Value> =
            keys.iter().flat_map(flat).filter(|key| !matches!(key, Value::Undef)).collect();
        if keys.is_empty() {
            return Some(Ok(if is_list { Vec::new().into() } else { Value::Undef }));
        }
        let compilation = self.compilation();
        let found = compilation.find(&reference);
        let Some((id, resource)) = found.and_then(|id| Some((id, compilation.resource(id)?))) else {
            return Some(Err(format!("Resource not found: {shown}")));
        };
        let mut values = Vec::with_capacity(keys.len());
        for key in &keys {
            let Value::String(name) = key else {
                let key = key.ruby_to_s().unwrap_or_default();
                return Some(Err(format!("The resource {shown} does not have a parameter called '{key}'")));
            };
            if !resource.kind().has_parameter(name) {
                return Some(Err(format!("The resource {shown} does not have a parameter called '{name}'")));
            }
            values.push(compilation.value_of(id, name));
        }
        Some(Ok(if is_list { values.into() } else { values.pop().unwrap_or(Value::Undef) }))
    }
}
