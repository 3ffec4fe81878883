//! A `hiera.yaml` of version 4 as one of version 5: each entry keeps its place and its name.

use super::super::version3::texts;
use super::super::version4::{config_type, data_function};
use super::{HieraUpgrade, Upgrade, hash};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_types::types::ops::assert_instance;
use puppetfn_types::value::{Hash, Value};

/// Converts the content of a file.
pub(super) fn upgrade(text: &str, content: &Hash, limits: &Limits) -> Result<HieraUpgrade, Error> {
    assert_instance(|| "The hiera.yaml".to_owned(), config_type(), &content.clone().into(), limits)?;
    let mut upgrade = Upgrade::new(text, content);
    let mut converted = vec![("version", Value::Integer(5))];
    if let Some(datadir) = upgrade.plain_datadir(content) {
        converted.push(("defaults", hash([("data_hash", "yaml_data".into()), ("datadir", datadir)])));
    }
    let common = hash([("name", "common".into()), ("backend", "yaml".into())]);
    let entries = match content.get_str("hierarchy") {
        Some(Value::Array(entries)) => entries.to_vec(),
        _ => vec![common],
    };
    let entries: Vec<Value> = entries.iter().map(|entry| upgrade.entry_of_four(entry)).collect();
    converted.push(("hierarchy", Value::Array(entries.into())));
    upgrade.finish(converted, "'hash'".to_owned(), limits)
}

impl Upgrade<'_> {
    /// Returns the entry for one of version 4.
    fn entry_of_four(&mut self, entry: &Value) -> Value {
        let Value::Hash(entry) = entry else { return Value::Undef };
        let text = |key: &str| match entry.get_str(key) {
            Some(Value::String(text)) => &**text,
            _ => "",
        };
        let (name, backend) = (text("name"), text("backend"));
        let Some((function, extension)) = data_function(backend) else {
            self.refuse(backend, format!("the backend '{backend}' has no counterpart in version 5"));
            return Value::Undef;
        };
        let file = |path: &str| match path.ends_with(extension) {
            true => Value::from(path),
            false => Value::from(format!("{path}{extension}").as_str()),
        };
        let mut converted = vec![("name", Value::from(name)), ("data_hash", function.into())];
        converted.extend(self.plain_datadir(entry).map(|datadir| ("datadir", datadir)));
        converted.push(match (texts(entry, "paths"), text("path")) {
            (Some(paths), _) => {
                ("paths", Value::Array(paths.iter().map(|path| file(path)).collect::<Vec<_>>().into()))
            }
            (None, "") => ("path", file(name)),
            (None, path) => ("path", file(path)),
        });
        hash(converted)
    }

    /// Returns the `datadir`, in which version 4 interpolates nothing.
    fn plain_datadir(&mut self, entry: &Hash) -> Option<Value> {
        let datadir = entry.get_str("datadir")?;
        if let Value::String(text) = datadir
            && text.contains("%{")
        {
            self.note(text, format!("version 5 interpolates the datadir '{text}'"));
        }
        Some(datadir.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HieraUpgrade, upgrade};
    use puppetfn_base::limits::Limits;

    fn upgraded(text: &str) -> HieraUpgrade {
        upgrade(text, &Limits::DEFAULT).unwrap().unwrap()
    }

    #[test]
    fn entries_keep_their_places() {
        let found = upgraded(
            "# Data\n---\nversion: 4\ndatadir: hieradata\nhierarchy:\n  - name: nodes/%{::fqdn}\n    backend: yaml\n  - name: all\n    \
             backend: json\n    datadir: json\n    paths: [one, two.json]\n  - {name: last, backend: hocon, path: x}\n",
        );
        assert_eq!(
            found.text.unwrap(),
            "# Data\n---\nversion: 5\ndefaults:\n  data_hash: yaml_data\n  datadir: hieradata\nhierarchy:\n- name: nodes/%{::fqdn}\n  \
             data_hash: yaml_data\n  path: nodes/%{::fqdn}.yaml\n- name: all\n  data_hash: json_data\n  datadir: json\n  paths:\n  \
             - one.json\n  - two.json\n- name: last\n  data_hash: hocon_data\n  path: x.conf\n"
        );
        assert_eq!(found.notes, []);
    }

    #[test]
    fn the_default_hierarchy_is_written_out() {
        let text =
            "---\nversion: 5\nhierarchy:\n- name: common\n  data_hash: yaml_data\n  path: common.yaml\n";
        assert_eq!(upgraded("version: 4\n").text.unwrap(), text);
    }

    #[test]
    fn unknown_backends_and_other_schemas_are_reported() {
        let found = upgraded("version: 4\nhierarchy:\n  - {name: a, backend: mysql}\n");
        assert_eq!((found.text, found.notes.len()), (None, 1));
        assert!(upgrade("version: 4\nhierarchy: [{name: a}]\n", &Limits::DEFAULT).is_err());
        let found = upgraded("version: 4\ndatadir: \"%{x}\"\n");
        assert_eq!(found.notes, [(2, "version 5 interpolates the datadir '%{x}'".to_owned())]);
    }
}
