//! `Type[title][parameter]`.

use super::super::Machine;
use puppetfn_catalog::{Reference, flat};
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

impl Machine {
    /// Returns the values of a resource's parameters, or the message of an error; `None` if the operand is no resource.
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
        let (type_name, title) = match &**t {
            Type::Class(Some(name)) => ("Class", &**name),
            _ => (&**reference.type_name(), &**reference.title()),
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
            return Some(Err(format!("Resource not found: {type_name}['{title}']")));
        };
        let mut values = Vec::with_capacity(keys.len());
        for key in &keys {
            let name = match key {
                Value::String(name) if resource.kind().has_parameter(name) => name,
                other => {
                    // Of a name with namespaces only the first letter is upper case here.
                    let (first, rest) = type_name.split_at_checked(1).unwrap_or((type_name, ""));
                    let (rest, key) =
                        (rest.to_lowercase(), other.ruby_to_s(&self.limits).unwrap_or_default());
                    let shown = format!("The resource {first}{rest}['{title}']");
                    return Some(Err(format!("{shown} does not have a parameter called '{key}'")));
                }
            };
            values.push(compilation.value_of(id, name));
        }
        Some(Ok(if is_list { values.into() } else { values.pop().unwrap_or(Value::Undef) }))
    }
}
