//! A `hiera.yaml` of version 3, which the global layer may have: backends that share one hierarchy.
//!
//! See Puppet's `pops/lookup/hiera_config.rb`.

use std::path::PathBuf;
use std::sync::Arc;

use super::config::{FunctionKind, HieraConfig, HierarchyEntry, Version};
use super::invocation::Invocation;
use super::location::Locations;
use super::merge::MergeStrategy;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::assert_instance;
use puppetfn_types::types::parse::{NoAliases, parse};
use puppetfn_types::value::{Hash, Value};

/// The default directory of data.
pub(super) const DATADIR: &str = "/etc/puppetlabs/code/environments/%{::environment}/hieradata";

/// Returns the configuration in a file of version 3, with an entry for each backend.
pub(super) fn config(
    mut config: HieraConfig,
    content: &Arc<Hash>,
    invocation: &Invocation<'_>,
) -> Result<HieraConfig, Error> {
    let file = config.shown_path();
    invocation.warn_of_deprecated(&config.deprecation(Version::Three));
    let backends = texts(content, "backends").unwrap_or_else(|| vec!["yaml".into()]);
    let subject = || format!("The Lookup Configuration at '{file}'");
    let config_type = config_type(&backends, invocation.caller.limits())?;
    assert_instance(subject, &config_type, &Value::Hash(Arc::clone(content)), invocation.caller.limits())?;
    let paths = texts(content, "hierarchy")
        .unwrap_or_else(|| vec!["nodes/%{::trusted.certname}".into(), "common".into()]);
    config.hierarchy = backends.iter().map(|backend| entry(backend, content, &paths)).collect();
    config.merge = merge(content, invocation.caller.limits())?;
    config.version = Version::Three;
    // Unlike in version 5, paths are relative to the working directory.
    config.root = PathBuf::new();
    Ok(config)
}

fn entry(backend: &Arc<str>, content: &Hash, paths: &[Arc<str>]) -> HierarchyEntry {
    let settings = match content.get_str(backend) {
        Some(Value::Hash(settings)) => Arc::clone(settings),
        _ => Arc::default(),
    };
    let function = match &**backend {
        "json" => (FunctionKind::DataHash, "json_data".into()),
        "yaml" => (FunctionKind::DataHash, "yaml_data".into()),
        "hocon" => (FunctionKind::DataHash, "hocon_data".into()),
        "eyaml" => (FunctionKind::LookupKey, "eyaml_lookup_key".into()),
        _ => (FunctionKind::Hiera3Backend, "hiera_v3_data".into()),
    };
    let extension = extension(backend, &settings);
    let options = (function.0 == FunctionKind::LookupKey).then(|| Arc::clone(&settings));
    HierarchyEntry {
        name: Arc::clone(backend),
        function: Some(function),
        datadir: Some(text(&settings, "datadir").unwrap_or_else(|| DATADIR.into())),
        locations: Some(Locations::PathsWithout { extension: extension.into(), paths: paths.to_vec() }),
        options: Some(options.unwrap_or_default()),
    }
}

fn text(settings: &Hash, key: &str) -> Option<Arc<str>> {
    match settings.get_str(key) {
        Some(Value::String(text)) => Some(Arc::clone(text)),
        _ => None,
    }
}

/// Returns the end of the names of a backend's files, with its dot.
pub(super) fn extension(backend: &str, settings: &Hash) -> String {
    let by_default = if backend == "hocon" { "conf" } else { backend };
    format!(".{}", text(settings, "extension").as_deref().unwrap_or(by_default))
}

/// Returns how `hiera_hash` is to merge.
fn merge(content: &Hash, limits: &Limits) -> Result<Option<MergeStrategy>, Error> {
    let strategy = match content.get_str("merge_behavior") {
        Some(Value::String(text)) if &**text == "deep" => "reverse_deep",
        Some(Value::String(text)) if &**text == "deeper" => "unconstrained_deep",
        _ => return Ok(None),
    };
    let mut options = match content.get_str("deep_merge_options") {
        Some(Value::Hash(options)) => Hash::clone(options),
        _ => Hash::default(),
    };
    options.insert("strategy".into(), strategy.into());
    MergeStrategy::of(Some(&options.into()), limits).map(Some)
}

/// Returns a text, or an array of texts, as a list.
pub(super) fn texts(content: &Hash, key: &str) -> Option<Vec<Arc<str>>> {
    let items = match content.get_str(key) {
        None | Some(Value::Undef | Value::Boolean(false)) => return None,
        Some(Value::Array(items)) => &**items,
        Some(one) => std::slice::from_ref(one),
    };
    let text = |item: &Value| if let Value::String(text) = item { Some(Arc::clone(text)) } else { None };
    Some(items.iter().filter_map(text).collect())
}

/// Returns the type of a whole file. Each backend can have settings.
pub(super) fn config_type(backends: &[Arc<str>], limits: &Limits) -> Result<Type, Error> {
    let mut text = "Struct[{Optional[version] => Integer[3, 3], Optional[backends] => Variant[String[1], \
                    Array[String[1]]], Optional[logger] => String[1], Optional[merge_behavior] => Enum[deep, deeper, \
                    native], Optional[deep_merge_options] => Hash[String[1], Variant[String, Boolean]], \
                    Optional[hierarchy] => Variant[String[1], Array[String[1]]]"
        .to_owned();
    for backend in backends {
        let name = backend.replace('\\', "\\\\").replace('\'', "\\'");
        text.push_str(&format!(", Optional['{name}'] => Hash[String[1], Any]"));
    }
    text.push_str("}]");
    parse(&text, &NoAliases, limits)
}
