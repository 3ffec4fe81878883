//! Lists of variables, definitions and resources, and values as text.

use std::collections::BTreeSet;
use std::sync::Arc;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_catalog::{Draft, value_code, value_line};
use puppetfn_types::value::{Hash, Value};

/// The maximum length of a value in a list, in characters.
const LONGEST: usize = 100;

/// Returns a value as code; nothing for undef.
pub(crate) fn printed(value: &Value, limits: &Limits) -> Result<Option<String>, Error> {
    if *value == Value::Undef { Ok(None) } else { value_code(value, 0, limits).map(Some) }
}

/// Returns a value as code on one line, which is cut if it is long.
pub(crate) fn shortened(value: &Value, limits: &Limits) -> String {
    value_line(value, LONGEST, limits).unwrap_or_else(|_| value.inspected())
}

/// Returns lines of variables with their values, below a title; nothing if there are none.
pub(crate) fn variables(title: &str, variables: &[(Arc<str>, Value)], limits: &Limits) -> String {
    let lines = variables.iter().map(|(name, value)| format!("${name} = {}", shortened(value, limits)));
    section(title, lines.collect())
}

/// Returns lines below a title; nothing if there are none.
pub(crate) fn section(title: &str, lines: Vec<String>) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let lines: String = lines.into_iter().map(|line| format!("  {line}\n")).collect();
    format!("{title}:\n{lines}")
}

/// Returns the classes and the resources of a catalog.
pub(crate) fn resources(draft: &Draft) -> String {
    let mut seen = BTreeSet::new();
    let classes = draft.classes().filter(|name| *name != "settings" && seen.insert(*name));
    let classes = classes.map(str::to_owned).collect();
    let is_declared = |type_name: &str| !matches!(type_name, "Class" | "Stage" | "Node");
    let declared = draft.resources().filter(|resource| is_declared(resource.type_name()));
    let declared = declared.map(|resource| {
        let kind = if resource.is_virtual() { " (virtual)" } else { "" };
        format!("{}{kind}", resource.reference())
    });
    section("classes", classes) + &section("resources", declared.collect())
}

/// Returns the value at a path of keys and indexes, such as `os.release.major`.
pub(crate) fn value_at(facts: &Hash, path: &str) -> Result<Value, Error> {
    let mut value = Value::from(facts.clone());
    for key in path.split('.') {
        let next = if let Value::Hash(hash) = &value {
            hash.get_str(key).cloned()
        } else if let Value::Array(items) = &value {
            key.parse::<usize>().ok().and_then(|index| items.get(index).cloned())
        } else {
            None
        };
        value = next.ok_or_else(|| {
            Error::new(ErrorKind::NotFound, format!("the node has no fact '{path}': there is no '{key}'"))
        })?;
    }
    Ok(value)
}

/// Returns the paths of facts that begin with a text, up to the next key.
pub(crate) fn paths_from(facts: &Hash, beginning: &str) -> Vec<String> {
    let (around, key) = beginning.rsplit_once('.').map_or((None, beginning), |(path, key)| (Some(path), key));
    let within = match around.map(|path| value_at(facts, path)) {
        None => Value::from(facts.clone()),
        Some(Ok(within)) => within,
        Some(Err(_)) => return Vec::new(),
    };
    let Value::Hash(within) = within else { return Vec::new() };
    let names =
        within.iter().filter_map(|(name, _)| if let Value::String(name) = name { Some(name) } else { None });
    let keys = names.filter(|name| name.starts_with(key));
    keys.map(|name| around.map_or_else(|| name.to_string(), |path| format!("{path}.{name}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_through_hashes_and_arrays() {
        let os: Value = [("names".into(), vec![Value::from("a"), "b".into()].into())].into_iter().collect();
        let facts: Hash = [("os".into(), os)].into_iter().collect();
        assert_eq!(value_at(&facts, "os.names.1"), Ok("b".into()));
        assert_eq!(
            value_at(&facts, "os.family").unwrap_err().to_string(),
            "the node has no fact 'os.family': there is no 'family'"
        );
    }

    #[test]
    fn paths_are_completed_key_by_key() {
        let os: Value = [("name".into(), "a".into()), ("family".into(), "b".into())].into_iter().collect();
        let facts: Hash = [("os".into(), os), ("osx".into(), "c".into())].into_iter().collect();
        assert_eq!(paths_from(&facts, "os"), ["os", "osx"]);
        assert_eq!(paths_from(&facts, "os.fa"), ["os.family"]);
        assert_eq!(paths_from(&facts, "osx.a"), [""; 0]);
        assert_eq!(paths_from(&facts, "none.a"), [""; 0]);
    }

    #[test]
    fn long_values_are_cut() {
        let shown = shortened(&"é".repeat(200).into(), &Limits::DEFAULT);
        assert_eq!((shown.chars().count(), shown.ends_with("é…")), (101, true));
    }

    #[test]
    fn sensitive_values_are_hidden() {
        let secret = Value::from(vec![Value::Sensitive(Arc::new("secret".into()))]);
        assert_eq!(
            variables("x", &[("a".into(), secret)], &Limits::DEFAULT),
            "x:\n  $a = [Sensitive('redacted')]\n"
        );
    }
}
