//! A `hiera.yaml` of version 4, which environments and modules may have: each entry names a backend.
//!
//! See Puppet's `pops/lookup/hiera_config.rb`, `HieraConfigV4`.

use std::sync::{Arc, LazyLock};

use regex::escape;

use super::config::{FunctionKind, HieraConfig, HierarchyEntry, Version};
use super::invocation::Invocation;
use super::location::Locations;
use puppetfn_base::error::Error;
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::assert_instance;
use puppetfn_types::types::parse::known;
use puppetfn_types::value::{Hash, Value};

/// Returns the configuration with the content of a file of version 4.
pub(super) fn config(
    mut config: HieraConfig,
    content: &Arc<Hash>,
    invocation: &Invocation<'_>,
) -> Result<HieraConfig, Error> {
    invocation.warn_of_deprecated(&config.deprecation(Version::Four));
    let file = config.shown_path();
    assert_instance(
        || format!("The Lookup Configuration at '{file}'"),
        config_type(),
        &Value::Hash(Arc::clone(content)),
        invocation.caller.limits(),
    )?;
    if let Some(datadir) = text(content, "datadir") {
        config.defaults.datadir = datadir;
    }
    config.hierarchy = match content.get_str("hierarchy") {
        Some(Value::Array(entries)) => entries
            .iter()
            .filter_map(|entry| if let Value::Hash(entry) = entry { Some(entry) } else { None })
            .map(|found| entry(&config, found))
            .collect::<Result<Vec<_>, _>>()?,
        _ => vec![entry(
            &config,
            &[("name".into(), "common".into()), ("backend".into(), "yaml".into())].into_iter().collect(),
        )?],
    };
    config.version = Version::Four;
    Ok(config)
}

fn entry(config: &HieraConfig, entry: &Hash) -> Result<HierarchyEntry, Error> {
    let name = text(entry, "name").unwrap_or_default();
    let backend = text(entry, "backend").unwrap_or_default();
    let Some((function, extension)) = data_function(&backend) else {
        let line = config.line_with(&format!(r"[^\w]{}(?:[^\w]|$)", escape(&backend)), 1);
        let message = format!("No data provider is registered for backend '{backend}'");
        return Err(config.error(message, line));
    };
    let paths = match entry.get_str("paths") {
        Some(Value::Array(paths)) => paths
            .iter()
            .filter_map(|path| if let Value::String(path) = path { Some(Arc::clone(path)) } else { None })
            .collect(),
        _ => vec![text(entry, "path").unwrap_or_else(|| Arc::clone(&name))],
    };
    Ok(HierarchyEntry {
        name,
        function: Some((FunctionKind::DataHash, function.into())),
        datadir: text(entry, "datadir"),
        locations: Some(Locations::PathsWithout { extension: extension.into(), paths }),
        options: Some(Arc::default()),
    })
}

/// Returns the function of a backend that reads its files, and the extension of these.
pub(super) fn data_function(backend: &str) -> Option<(&'static str, &'static str)> {
    match backend {
        "json" => Some(("json_data", ".json")),
        "yaml" => Some(("yaml_data", ".yaml")),
        "hocon" => Some(("hocon_data", ".conf")),
        _ => None,
    }
}

fn text(hash: &Hash, key: &str) -> Option<Arc<str>> {
    match hash.get_str(key) {
        Some(Value::String(text)) => Some(Arc::clone(text)),
        _ => None,
    }
}

/// Returns the type of a whole file.
pub(super) fn config_type() -> &'static Type {
    static TYPE: LazyLock<Type> = LazyLock::new(|| {
        known(
            "Struct[{version => Integer[4, 4], Optional[datadir] => String[1], Optional[hierarchy] => \
             Array[Struct[{backend => String[1], name => String[1], Optional[datadir] => String[1], Optional[path] => \
             String[1], Optional[paths] => Array[String[1]]}]]}]",
        )
    });
    &TYPE
}
