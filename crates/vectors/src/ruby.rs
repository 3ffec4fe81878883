//! Values as Ruby code, for the cases that run on Ruby's values.

use puppetfn::convert::create::create;
use puppetfn::limits::Limits;
use puppetfn::types::Type;
use puppetfn::types::ops::infer;
use puppetfn::value::Value;

use crate::world::CaseWorld;
use puppetfn::function::NoHost;

/// Returns the Ruby code that makes a value, with `type(text)` for a type, `create(type, text)` for a value that
/// Ruby has no class of its own for, and `sensitive(value)`. `None` for a value that Ruby cannot make.
pub fn code(value: &Value, world: &CaseWorld) -> Option<String> {
    match value {
        Value::Undef
        | Value::Default
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::String(_)
        | Value::Regexp(_) => Some(value.inspected()),
        Value::Array(items) => {
            let items = items.iter().map(|item| code(item, world)).collect::<Option<Vec<_>>>()?;
            Some(format!("[{}]", items.join(", ")))
        }
        Value::Hash(hash) => {
            let entry = |(key, value)| Some(format!("{} => {}", code(key, world)?, code(value, world)?));
            let entries = hash.iter().map(entry).collect::<Option<Vec<_>>>()?;
            Some(format!("{{{}}}", entries.join(", ")))
        }
        Value::Sensitive(hidden) => Some(format!("sensitive({})", code(hidden, world)?)),
        Value::Type(t) => Some(format!("type({})", type_text(t, world)?)),
        Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Binary(_)
        | Value::Uri(_)
        | Value::Timestamp(_)
        | Value::Timespan(_) => rich(value),
        Value::Object(object) => {
            let init = code(&Value::Hash(object.init_hash().into()), world)?;
            Some(format!("create(type({:?}), {init})", object.definition().label()))
        }
        Value::Iterator(_) | Value::Callable(_) | Value::Runtime(_) | Value::Unknown(_) => None,
    }
}

/// Returns the text of a type in quotes, if it parses to the same type.
fn type_text(t: &Type, world: &CaseWorld) -> Option<String> {
    let text = t.to_string();
    world.parse(&text).ok().filter(|parsed| parsed == t)?;
    Some(Value::from(text).inspected())
}

/// Returns code that creates a value from its text, if its type converts the text to the same value.
fn rich(value: &Value) -> Option<String> {
    let t = infer(value, &Limits::DEFAULT).ok()?.generalize();
    let text = Value::from(value.interpolated(&Limits::DEFAULT).ok()?);
    create(&t, std::slice::from_ref(&text), &NoHost).ok().filter(|made| made == value)?;
    Some(format!("create(type({:?}), {})", t.to_string(), text.inspected()))
}
