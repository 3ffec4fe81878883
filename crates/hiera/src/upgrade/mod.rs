//! A `hiera.yaml` of version 3 or 4 as one of version 5 with the same lookups.
//!
//! The backends of version 3 share one hierarchy: each is searched through all of its levels before the next. So each becomes an
//! entry of version 5 with all of the paths.

mod version4;

use std::sync::Arc;

use super::version3::{DATADIR, config_type, extension, texts};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::yaml;
use puppetfn_types::types::ops::assert_instance;
use puppetfn_types::value::{Hash, Value};

/// Variables of version 3 about the code that asks for a value. Version 5 does not have them.
const OF_CALLERS: [&str; 3] = ["calling_class", "calling_class_path", "calling_module"];

/// Options of a deep merge that Puppet's `lookup` accepts.
const DEEP_OPTIONS: [&str; 4] = ["knockout_prefix", "merge_debug", "merge_hash_arrays", "sort_merged_arrays"];

/// The conversion of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HieraUpgrade {
    /// The file in version 5; `None` if it has a part without a counterpart.
    pub text: Option<String>,
    /// The merge of `hiera_hash`, in Puppet code.
    pub hash_merge: String,
    /// Parts that somebody has to look at, each with its line, beginning with 1.
    pub notes: Vec<(u32, String)>,
}

/// Converts a `hiera.yaml`. Returns `None` if it is of neither version 3 nor 4.
///
/// # Errors
/// Fails if the file is not YAML, or violates the schema of its version.
pub fn upgrade(text: &str, limits: &Limits) -> Result<Option<HieraUpgrade>, Error> {
    let Ok(Value::Hash(content)) = yaml::parse(text, limits)? else { return Ok(None) };
    let version = match content.get_str("version") {
        None if ["backends", "hierarchy"].iter().any(|key| content.get_str(key).is_some()) => 3,
        Some(Value::Integer(version)) => *version,
        _ => return Ok(None),
    };
    match version {
        3 => upgrade_three(text, &content, limits).map(Some),
        4 => version4::upgrade(text, &content, limits).map(Some),
        _ => Ok(None),
    }
}

/// Converts the content of a file of version 3.
fn upgrade_three(text: &str, content: &Arc<Hash>, limits: &Limits) -> Result<HieraUpgrade, Error> {
    let backends = texts(content, "backends").unwrap_or_else(|| vec!["yaml".into()]);
    let schema = config_type(&backends, limits)?;
    assert_instance(|| "The hiera.yaml".to_owned(), &schema, &Value::Hash(Arc::clone(content)), limits)?;
    let mut upgrade = Upgrade::new(text, content);
    let entries: Vec<Value> = backends.iter().map(|backend| upgrade.entry(backend)).collect();
    let hash_merge = upgrade.merge(limits)?;
    let converted = vec![("version", Value::Integer(5)), ("hierarchy", Value::Array(entries.into()))];
    upgrade.finish(converted, hash_merge, limits)
}

/// A conversion in progress.
struct Upgrade<'t> {
    text: &'t str,
    content: &'t Hash,
    notes: Vec<(u32, String)>,
    is_possible: bool,
}

impl<'t> Upgrade<'t> {
    fn new(text: &'t str, content: &'t Hash) -> Self {
        Self { text, content, notes: Vec::new(), is_possible: true }
    }

    /// Returns the result with the converted content, unless a part has no counterpart.
    fn finish(
        self,
        converted: Vec<(&str, Value)>,
        hash_merge: String,
        limits: &Limits,
    ) -> Result<HieraUpgrade, Error> {
        let converted = hash(converted);
        let converted = self.is_possible.then(|| yaml::to_yaml(&converted, limits)).transpose()?;
        let text = converted.map(|converted| format!("{}{converted}", leading_comments(self.text)));
        Ok(HieraUpgrade { text, hash_merge, notes: self.notes })
    }

    /// Returns the entry for a backend.
    fn entry(&mut self, backend: &Arc<str>) -> Value {
        let settings = match self.content.get_str(backend) {
            Some(Value::Hash(settings)) => Arc::clone(settings),
            _ => Arc::default(),
        };
        let (title, kind, function) = match &**backend {
            "yaml" => ("YAML data", "data_hash", "yaml_data"),
            "json" => ("JSON data", "data_hash", "json_data"),
            "hocon" => ("HOCON data", "data_hash", "hocon_data"),
            "eyaml" => ("Encrypted YAML data", "lookup_key", "eyaml_lookup_key"),
            other => {
                self.refuse(
                    other,
                    format!(
                        "the backend '{other}' has no counterpart in version 5: it needs a lookup function"
                    ),
                );
                return Value::Undef;
            }
        };
        let datadir = self.datadir(backend, &settings);
        let extension = extension(backend, &settings);
        let levels = texts(self.content, "hierarchy")
            .unwrap_or_else(|| vec!["nodes/%{::trusted.certname}".into(), "common".into()]);
        for text in levels.iter().chain(std::iter::once(&datadir)) {
            if let Some(variable) = OF_CALLERS.iter().find(|variable| text.contains(*variable)) {
                self.refuse(
                    text,
                    format!("the variable '{variable}' in '{text}' has no counterpart in version 5"),
                );
            }
        }
        let paths: Vec<Value> =
            levels.iter().map(|level| Value::from(format!("{level}{extension}").as_str())).collect();
        let mut entry = vec![
            ("name", Value::from(title)),
            (kind, function.into()),
            ("datadir", (&*datadir).into()),
            ("paths", Value::Array(paths.into())),
        ];
        // The settings of eyaml are the locations of its keys.
        let is_option = |(key, _): &(&Value, &Value)| {
            **key != Value::from("datadir") && **key != Value::from("extension")
        };
        let options: Hash = settings.iter().filter(is_option).map(|(k, v)| (k.clone(), v.clone())).collect();
        if kind == "lookup_key" {
            entry.push(("options", options.into()));
        } else if !options.is_empty() {
            self.note(
                backend,
                format!("settings of the backend '{backend}' besides datadir and extension have no effect"),
            );
        }
        hash(entry)
    }

    fn datadir(&mut self, backend: &str, settings: &Hash) -> Arc<str> {
        let Some(Value::String(datadir)) = settings.get_str("datadir") else {
            self.note(
                backend,
                format!("the backend '{backend}' names no datadir: the default of version 3 is written out, {DATADIR}"),
            );
            return DATADIR.into();
        };
        if !datadir.starts_with('/') && !datadir.starts_with('%') && !datadir.contains(":/") {
            let message = format!(
                "the datadir '{datadir}' was relative to the working directory of Puppet, and is now relative to the directory of \
                 hiera.yaml"
            );
            self.note(datadir, message);
        }
        Arc::clone(datadir)
    }

    /// Returns the merge of `hiera_hash`, in Puppet code.
    fn merge(&mut self, limits: &Limits) -> Result<String, Error> {
        let options = match self.content.get_str("deep_merge_options") {
            Some(Value::Hash(options)) => Arc::clone(options),
            _ => Arc::default(),
        };
        let is_known =
            |(key, _): (&Value, &Value)| DEEP_OPTIONS.iter().any(|known| *key == Value::from(*known));
        let strategy =
            match self.content.get_str("merge_behavior") {
                Some(Value::String(behaviour)) if &**behaviour == "deep" => "reverse_deep",
                Some(Value::String(behaviour)) if &**behaviour == "deeper" => {
                    if options.iter().all(is_known) { "deep" } else { "unconstrained_deep" }
                }
                _ => return Ok("'hash'".to_owned()),
            };
        let mut merge = format!("'{strategy}'");
        if !options.is_empty() {
            let options = options.iter().map(|(key, value)| {
                let code = match value {
                    Value::String(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
                    other => other.interpolated(limits)?,
                };
                Ok(format!(", '{}' => {code}", key.interpolated(limits)?))
            });
            merge = format!("{{'strategy' => {merge}{}}}", options.collect::<Result<String, Error>>()?);
        }
        self.note(
            "merge_behavior",
            format!("version 5 has no merge_behavior: calls of hiera_hash() need the merge {merge}"),
        );
        Ok(merge)
    }

    fn refuse(&mut self, place: &str, message: String) {
        self.is_possible = false;
        self.note(place, message);
    }

    /// Adds a note at the first line with a text.
    fn note(&mut self, place: &str, message: String) {
        let line = self.text.lines().position(|line| line.contains(place)).unwrap_or(0);
        let note = (u32::try_from(line).unwrap_or(0).saturating_add(1), message);
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

fn hash<'k>(entries: impl IntoIterator<Item = (&'k str, Value)>) -> Value {
    entries.into_iter().map(|(key, value)| (Value::from(key), value)).collect::<Hash>().into()
}

/// Returns the comments at the beginning of a text.
fn leading_comments(text: &str) -> String {
    text.split_inclusive('\n').take_while(|line| line.starts_with('#')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upgraded(text: &str) -> HieraUpgrade {
        upgrade(text, &Limits::DEFAULT).unwrap().unwrap()
    }

    #[test]
    fn backends_become_entries_with_all_paths() {
        let found = upgraded(
            "# Data\n---\n:backends: [eyaml, json]\n:hierarchy:\n  - \"nodes/%{::fqdn}\"\n  - common\n:eyaml:\n  :datadir: /data\n  \
             :extension: yaml\n  :pkcs7_private_key: /keys/private.pem\n:json:\n  :datadir: /json\n:logger: console\n",
        );
        assert_eq!(
            found.text.unwrap(),
            "# Data\n---\nversion: 5\nhierarchy:\n- name: Encrypted YAML data\n  lookup_key: eyaml_lookup_key\n  datadir: \"/data\"\n  \
             paths:\n  - nodes/%{::fqdn}.yaml\n  - common.yaml\n  options:\n    pkcs7_private_key: \"/keys/private.pem\"\n\
             - name: JSON data\n  data_hash: json_data\n  datadir: \"/json\"\n  paths:\n  - nodes/%{::fqdn}.json\n  - common.json\n"
        );
        assert_eq!((found.hash_merge.as_str(), found.notes), ("'hash'", Vec::new()));
    }

    #[test]
    fn merges_are_those_of_lookup() {
        let merge = |behaviour: &str| {
            upgraded(&format!(":backends: yaml\n:yaml:\n  :datadir: /d\n:merge_behavior: {behaviour}\n"))
                .hash_merge
        };
        assert_eq!(merge("native"), "'hash'");
        assert_eq!(merge("deep"), "'reverse_deep'");
        assert_eq!(merge("deeper"), "'deep'");
        assert_eq!(
            merge("deeper\n:deep_merge_options:\n  :knockout_prefix: '--'\n  :sort_merged_arrays: true"),
            "{'strategy' => 'deep', 'knockout_prefix' => '--', 'sort_merged_arrays' => true}"
        );
        assert_eq!(
            merge("deeper\n:deep_merge_options:\n  :unpack_arrays: ','"),
            "{'strategy' => 'unconstrained_deep', 'unpack_arrays' => ','}"
        );
    }

    #[test]
    fn parts_without_a_counterpart_are_said() {
        let found = upgraded(
            ":backends:\n  - yaml\n  - mysql\n:yaml:\n  :datadir: data\n:hierarchy:\n  - '%{calling_module}'\n",
        );
        assert_eq!(found.text, None);
        let lines: Vec<u32> = found.notes.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [5, 7, 3], "{:?}", found.notes);
    }

    #[test]
    fn other_files_stay() {
        for text in ["version: 5\nhierarchy: []\n", "version: x\n", "a: 1\n", "", "- 1\n"] {
            assert_eq!(upgrade(text, &Limits::DEFAULT).unwrap(), None, "{text}");
        }
        assert!(upgrade(":hierarchy: {a: b}\n", &Limits::DEFAULT).is_err());
        assert!(upgrade("a: [", &Limits::DEFAULT).is_ok_and(|found| found.is_none()));
    }
}
