//! The configuration in a `hiera.yaml`.
//!
//! See Puppet's `pops/lookup/hiera_config.rb`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use regex::{Regex, escape};

use super::error::misconfigured;
use super::layer::HieraLayer;
use super::location::Locations;
use super::merge::MergeStrategy;
use puppetfn_base::error::{Error, SourceLocation};
use puppetfn_base::limits::Limits;
use puppetfn_base::target::Target;
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::assert_instance;
use puppetfn_types::types::parse::known;
use puppetfn_types::value::{Hash, Value};

/// The configuration of a layer.
pub(super) struct HieraConfig {
    /// The file; `None` if the default configuration applies, as there is no file.
    path: Option<PathBuf>,
    /// The directory that paths are relative to.
    pub root: PathBuf,
    text: String,
    target: Target,
    pub defaults: HierarchyDefaults,
    pub hierarchy: Vec<HierarchyEntry>,
    default_hierarchy: Option<Vec<HierarchyEntry>>,
    plan_hierarchy: Option<Vec<HierarchyEntry>>,
    pub version: Version,
    /// The merge strategy of `hiera_hash`, if the file has one.
    pub merge: Option<MergeStrategy>,
}

/// The version of a `hiera.yaml`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Version {
    Three = 3,
    Four = 4,
    Five = 5,
}

/// Defaults of entries.
pub(super) struct HierarchyDefaults {
    pub datadir: Arc<str>,
    pub function: Option<(FunctionKind, Arc<str>)>,
    pub options: Option<Arc<Hash>>,
}

/// An entry of a hierarchy.
pub(super) struct HierarchyEntry {
    pub name: Arc<str>,
    pub function: Option<(FunctionKind, Arc<str>)>,
    pub datadir: Option<Arc<str>>,
    pub locations: Option<Locations>,
    pub options: Option<Arc<Hash>>,
}

/// The arguments and the result of a function that returns data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FunctionKind {
    /// A hash of all keys.
    DataHash,
    /// The value of a key.
    LookupKey,
    /// The value of a key, dug out at the path that the key names.
    DataDig,
    /// A backend of Hiera 3.
    Hiera3Backend,
}

impl FunctionKind {
    pub const ALL: [Self; 4] = [Self::DataHash, Self::LookupKey, Self::DataDig, Self::Hiera3Backend];

    /// Returns the key by which `hiera.yaml` names the function.
    pub fn tag(self) -> &'static str {
        match self {
            Self::DataHash => "data_hash",
            Self::LookupKey => "lookup_key",
            Self::DataDig => "data_dig",
            Self::Hiera3Backend => "hiera3_backend",
        }
    }
}

/// The hierarchies of a configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HierarchyKind {
    Regular,
    /// The default hierarchy of a module, for keys that are found nowhere else.
    Default,
}

const LOCATIONS: [&str; 7] = ["path", "paths", "glob", "globs", "uri", "uris", "mapped_paths"];

impl HieraConfig {
    /// Returns the configuration that a file has, without its content.
    pub fn of_file(file: &Path, text: String, target: Target) -> Self {
        let root = file.parent().unwrap_or(Path::new("/")).to_owned();
        Self { path: Some(file.to_owned()), text, target, ..Self::by_default(root, false) }
    }

    /// Returns the default configuration, for a layer without a file. Without data, its hierarchy is empty.
    pub fn by_default(root: PathBuf, has_data: bool) -> Self {
        let common = HierarchyEntry {
            name: "Common".into(),
            function: None,
            datadir: None,
            locations: Some(Locations::Paths(vec!["common.yaml".into()])),
            options: None,
        };
        Self {
            path: None,
            root,
            text: String::new(),
            target: Target::default(),
            defaults: HierarchyDefaults::builtin(),
            hierarchy: if has_data { vec![common] } else { Vec::new() },
            default_hierarchy: None,
            plan_hierarchy: None,
            version: Version::Five,
            merge: None,
        }
    }

    /// Returns the version that the content of the file names.
    pub fn version(&self, content: &Hash, limits: &Limits) -> Result<Version, Error> {
        let version = match content.get_str("version") {
            None | Some(Value::Undef | Value::Boolean(false)) => "3".to_owned(),
            Some(Value::Integer(number)) => number.to_string(),
            Some(Value::String(text)) => puppetfn_types::convert::number::leading_integer(text)?.to_string(),
            Some(other) => other.interpolated(limits)?,
        };
        match version.as_str() {
            "5" => Ok(Version::Five),
            "4" => Ok(Version::Four),
            "3" => Ok(Version::Three),
            _ => Err(self.error(format!("This runtime does not support hiera.yaml version {version}"), None)),
        }
    }

    /// Checks that a layer may have the version. Puppet does so after it has read the file.
    pub fn check_version(&self, version: Version, layer: &HieraLayer) -> Result<(), Error> {
        let message = match (version, layer) {
            (Version::Five, _) | (Version::Three, HieraLayer::Global) => return Ok(()),
            (Version::Four, HieraLayer::Environment | HieraLayer::Module(_)) => return Ok(()),
            (Version::Three, HieraLayer::Environment) => {
                "hiera.yaml version 3 cannot be used in an environment"
            }
            (Version::Three, HieraLayer::Module(_)) => "hiera.yaml version 3 cannot be used in a module",
            (Version::Four, HieraLayer::Global) => "hiera.yaml version 4 cannot be used in the global layer",
        };
        Err(self.error(message, None))
    }

    /// Returns the configuration with the content of a file of version 5.
    pub fn with_content(self, mut content: Hash, layer: &HieraLayer, limits: &Limits) -> Result<Self, Error> {
        let is_missing = |content: &Hash, key| {
            matches!(content.get_str(key), None | Some(Value::Undef | Value::Boolean(false)))
        };
        if is_missing(&content, "defaults") {
            let data_hash = [("datadir".into(), "data".into()), ("data_hash".into(), "yaml_data".into())];
            content.insert("defaults".into(), data_hash.into_iter().collect());
        }
        if is_missing(&content, "hierarchy") {
            let common: Value = [("name".into(), "Common".into()), ("path".into(), "common.yaml".into())]
                .into_iter()
                .collect();
            content.insert("hierarchy".into(), vec![common].into());
        }
        let shown = self.shown_path();
        let content = Value::Hash(Arc::new(content));
        assert_instance(
            || format!("The Lookup Configuration at '{shown}'"),
            config_type(),
            &content,
            limits,
        )?;
        let Value::Hash(content) = content else { return Ok(self) };
        let defaults = match content.get_str("defaults") {
            Some(Value::Hash(defaults)) => self.read_defaults(defaults)?,
            _ => HierarchyDefaults::builtin(),
        };
        let entries = |key: &str| {
            let Some(Value::Array(entries)) = content.get_str(key) else { return Ok(None) };
            let entries = entries
                .iter()
                .filter_map(|entry| if let Value::Hash(entry) = entry { Some(entry) } else { None });
            entries
                .map(|entry| self.read_entry(entry, &defaults, layer))
                .collect::<Result<Vec<_>, _>>()
                .map(Some)
        };
        let hierarchy = entries("hierarchy")?.unwrap_or_default();
        let plan_hierarchy = entries("plan_hierarchy")?;
        if content.get_str("default_hierarchy").is_some() && !matches!(layer, HieraLayer::Module(_)) {
            let line = self.line_with(r"(?:^|\s+)default_hierarchy:", 1);
            return Err(self.error("'default_hierarchy' is only allowed in the module layer", line));
        }
        let default_hierarchy = entries("default_hierarchy")?;
        Ok(Self { defaults, hierarchy, plan_hierarchy, default_hierarchy, ..self })
    }

    fn read_defaults(&self, defaults: &Hash) -> Result<HierarchyDefaults, Error> {
        let named = FunctionKind::ALL.iter().filter(|kind| defaults.get_str(kind.tag()).is_some()).count();
        if named > 1 {
            return Err(
                self.error(format!("Only one of {} can be defined in defaults", function_keys()), None)
            );
        }
        for key in ["path", "uri"] {
            if matches!(defaults.get_str("options"), Some(Value::Hash(options)) if options.get_str(key).is_some())
            {
                let product = self.target.product();
                let message = format!("Option key '{key}' used in defaults is reserved by {product}");
                return Err(self.error(message, None));
            }
        }
        Ok(HierarchyDefaults {
            datadir: text(defaults, "datadir").unwrap_or_else(|| "data".into()),
            function: function(defaults),
            options: options(defaults),
        })
    }

    fn read_entry(
        &self,
        entry: &Hash,
        defaults: &HierarchyDefaults,
        layer: &HieraLayer,
    ) -> Result<HierarchyEntry, Error> {
        let name = text(entry, "name").unwrap_or_default();
        match FunctionKind::ALL.iter().filter(|kind| entry.get_str(kind.tag()).is_some()).count() {
            0 if defaults.function.is_none() => {
                let message = format!("One of {} must be defined in hierarchy '{name}'", function_keys());
                return Err(self.error(message, None));
            }
            0 | 1 => {}
            _ => {
                let message = format!("Only one of {} can be defined in hierarchy '{name}'", function_keys());
                return Err(self.error(message, None));
            }
        }
        if let Some(backend) = text(entry, FunctionKind::Hiera3Backend.tag()) {
            self.check_hiera3_backend(&backend, layer)?;
        }
        if LOCATIONS.iter().filter(|key| entry.get_str(key).is_some()).count() > 1 {
            let keys = combined(&LOCATIONS);
            return Err(self.error(format!("Only one of {keys} can be defined in hierarchy '{name}'"), None));
        }
        let options = options(entry);
        for key in ["path", "uri"] {
            if options.as_ref().is_some_and(|options| options.get_str(key).is_some()) {
                let product = self.target.product();
                let message =
                    format!("Option key '{key}' used in hierarchy '{name}' is reserved by {product}");
                return Err(self.error(message, None));
            }
        }
        let (function, datadir) = (function(entry), text(entry, "datadir"));
        Ok(HierarchyEntry { name, function, datadir, locations: locations(entry), options })
    }

    fn check_hiera3_backend(&self, backend: &str, layer: &HieraLayer) -> Result<(), Error> {
        let key = FunctionKind::Hiera3Backend.tag();
        if !matches!(layer, HieraLayer::Global) {
            let line = self.line_with(&format!(r"\s+{key}:"), 1);
            return Err(self.error(format!("'{key}' is only allowed in the global layer"), line));
        }
        if matches!(backend, "json" | "yaml") {
            let line = self.line_with(&format!(r#"\s+{key}:\s*['"]?{backend}(?:[^\w]|$)"#), 1);
            let message = format!("Use \"data_hash: {backend}_data\" instead of \"{key}: {backend}\"");
            return Err(self.error(message, line));
        }
        Ok(())
    }

    /// Returns the entries of a hierarchy. Scripts may have one of their own.
    pub fn entries(&self, which: HierarchyKind, is_script: bool) -> &[HierarchyEntry] {
        match (which, &self.plan_hierarchy, &self.default_hierarchy) {
            (HierarchyKind::Default, _, None) => &[],
            (_, Some(plan), _) if is_script => plan,
            (HierarchyKind::Default, _, Some(default)) => default,
            (HierarchyKind::Regular, ..) => &self.hierarchy,
        }
    }

    /// Returns the directory that data directories are relative to.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the file, if there is one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the warning that its version is deprecated.
    pub(super) fn deprecation(&self, version: Version) -> String {
        let (file, version) = (self.shown_path(), version as u8);
        format!(
            "{file}: Use of 'hiera.yaml' version {version} is deprecated. It should be converted to version 5\n   \
             (file: {file})"
        )
    }

    /// Returns the file as errors show it.
    pub fn shown_path(&self) -> String {
        self.path.as_ref().map_or_else(String::new, |path| path.display().to_string())
    }

    /// Returns true if there is a default hierarchy.
    pub fn has_default_hierarchy(&self) -> bool {
        self.default_hierarchy.is_some()
    }

    /// Returns the error of a name that two entries have.
    #[cold]
    pub fn repeated(&self, name: &str) -> Error {
        let pattern = format!(r#"\s+name:\s+['"]?{}(?:[^\w]|$)"#, escape(name));
        let first = self.line_with(&pattern, 1);
        let second = first.and_then(|first| self.line_with(&pattern, first.saturating_add(1)));
        let mut message = format!("Hierarchy name '{name}' defined more than once.");
        if let (Some(first), Some(_)) = (first, second) {
            message.push_str(&format!(" First defined at (line: {first})"));
        }
        self.error(message, second.or(first))
    }

    /// Returns the error of a variable without a value.
    #[cold]
    pub fn undefined(&self, variable: &str) -> Error {
        let line = self.line_with(&format!(r#"%\{{['"]?{}['"]?\}}"#, escape(variable)), 1);
        self.error(format!("Undefined variable '{variable}'"), line)
    }

    /// Returns an error at a line of the file.
    #[cold]
    pub fn error(&self, message: impl Into<String>, line: Option<u32>) -> Error {
        let error = misconfigured(message);
        match &self.path {
            None => error,
            Some(path) => {
                let file = Some(path.display().to_string().into());
                error.at(SourceLocation { file, line, column: None })
            }
        }
    }

    /// Returns the first line from `start` on that matches a pattern, without comments.
    pub fn line_with(&self, pattern: &str, start: u32) -> Option<u32> {
        let pattern = Regex::new(pattern).ok()?;
        (1u32..)
            .zip(self.text.split_inclusive('\n'))
            .find(|(number, line)| *number >= start && pattern.is_match(without_comment(line)))
            .map(|(number, _)| number)
    }
}

impl HierarchyDefaults {
    fn builtin() -> Self {
        Self {
            datadir: "data".into(),
            function: Some((FunctionKind::DataHash, "yaml_data".into())),
            options: None,
        }
    }
}

/// Returns a line up to a hash mark, as Puppet has it: also one in quotes.
fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or(line)
}

fn text(hash: &Hash, key: &str) -> Option<Arc<str>> {
    match hash.get_str(key) {
        Some(Value::String(text)) => Some(Arc::clone(text)),
        _ => None,
    }
}

fn texts(value: &Value) -> Vec<Arc<str>> {
    let items = match value {
        Value::Array(items) => items,
        one => std::slice::from_ref(one),
    };
    items
        .iter()
        .filter_map(|item| if let Value::String(text) = item { Some(Arc::clone(text)) } else { None })
        .collect()
}

fn function(hash: &Hash) -> Option<(FunctionKind, Arc<str>)> {
    FunctionKind::ALL.into_iter().find_map(|kind| Some((kind, text(hash, kind.tag())?)))
}

fn options(hash: &Hash) -> Option<Arc<Hash>> {
    match hash.get_str("options") {
        Some(Value::Hash(options)) => Some(Arc::clone(options)),
        _ => None,
    }
}

fn locations(entry: &Hash) -> Option<Locations> {
    let (key, declared) = LOCATIONS.into_iter().find_map(|key| Some((key, texts(entry.get_str(key)?))))?;
    Some(match key {
        "path" | "paths" => Locations::Paths(declared),
        "glob" | "globs" => Locations::Globs(declared),
        "uri" | "uris" => Locations::Uris(declared),
        _ => Locations::MappedPaths(declared.try_into().ok()?),
    })
}

/// Words with commas between them.
fn combined(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [all @ .., last] => format!("{}, or {last}", all.join(", ")),
    }
}

fn function_keys() -> String {
    combined(&FunctionKind::ALL.map(FunctionKind::tag))
}

/// Returns the type of a whole file.
fn config_type() -> &'static Type {
    const OPTIONS: &str =
        r"Optional[options] => Hash[Pattern[/\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\z/], Data]";
    static TYPE: LazyLock<Type> = LazyLock::new(|| {
        let entries = format!(
            "Array[Struct[{{name => String[1], {OPTIONS}, Optional[data_hash] => String[1], Optional[lookup_key] => \
             String[1], Optional[hiera3_backend] => String[1], Optional[v4_data_hash] => String[1], \
             Optional[data_dig] => String[1], Optional[path] => String[1], Optional[paths] => Array[String[1], 1], \
             Optional[glob] => String[1], Optional[globs] => Array[String[1], 1], Optional[uri] => String[1], \
             Optional[uris] => Array[String[1], 1], Optional[mapped_paths] => Array[String[1], 3, 3], \
             Optional[datadir] => String[1]}}]]"
        );
        let text = format!(
            "Struct[{{version => Integer[5, 5], Optional[defaults] => Struct[{{Optional[data_hash] => String[1], \
             Optional[lookup_key] => String[1], Optional[data_dig] => String[1], Optional[datadir] => String[1], \
             {OPTIONS}}}], Optional[hierarchy] => {entries}, Optional[plan_hierarchy] => {entries}, \
             Optional[default_hierarchy] => {entries}}}]"
        );
        known(&text)
    });
    &TYPE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_of_a_file_is_well_formed() {
        assert!(matches!(config_type(), Type::Struct(_)));
        assert_eq!(function_keys(), "data_hash, lookup_key, data_dig, or hiera3_backend");
    }
}
