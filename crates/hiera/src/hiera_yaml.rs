//! Reads a `hiera.yaml`.

use std::path::Path;
use std::sync::Arc;

use super::config::{HieraConfig, Version};
use super::invocation::Invocation;
use super::layer::HieraLayer;
use super::{version3, version4};
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::convert::yaml;
use puppetfn_types::value::{Hash, Value};

/// Reads the configuration of a layer.
pub(super) fn read(
    path: Option<&Path>,
    layer: &HieraLayer,
    invocation: &Invocation<'_>,
) -> Result<HieraConfig, Error> {
    let existing = path.filter(|path| invocation.data.files().file_system().exists(path));
    let Some(file) = existing else {
        let root = path.and_then(Path::parent).unwrap_or(Path::new("")).to_owned();
        return Ok(HieraConfig::by_default(root, path.is_some()));
    };
    // The file of the global layer is named by a user.
    let text = match layer {
        HieraLayer::Global => invocation.data.files().read_named_text(file)?,
        HieraLayer::Environment | HieraLayer::Module(_) => invocation.read(file)?,
    };
    let limits = invocation.caller.limits();
    let parsed = yaml::parse(&text, limits)
        .map_err(|error| error.reworded(|message| format!("({}): {message}", file.display())))?
        .map_err(|problem| Error::new(ErrorKind::Evaluation, problem.in_file(file.display())))?;
    let content = match parsed {
        Value::Hash(hash) => hash,
        _ => {
            invocation.warn(&format!(
                "{}: File exists but does not contain a valid YAML hash. Falling back to Hiera version 3 default \
                 config",
                file.display()
            ));
            Arc::default()
        }
    };
    let empty = HieraConfig::of_file(file, text, invocation.data.files().target());
    let config = match empty.version(&content, limits)? {
        Version::Three => version3::config(empty, &content, invocation)?,
        Version::Four => version4::config(empty, &content, invocation)?,
        Version::Five => return empty.with_content(Hash::clone(&content), layer, limits),
    };
    match (config.check_version(config.version, layer), layer) {
        (Ok(()), _) => Ok(config),
        (Err(error), HieraLayer::Global) => Err(error),
        (Err(error), _) if invocation.caller.strict() == Strict::Error => Err(error),
        (Err(_), HieraLayer::Environment | HieraLayer::Module(_)) => Ok(ignored(&config, layer, invocation)),
    }
}

/// Returns the configuration of a layer whose file is ignored, as of version 3 unless Puppet is strict.
fn ignored(config: &HieraConfig, layer: &HieraLayer, invocation: &Invocation<'_>) -> HieraConfig {
    let file = config.shown_path();
    let place = match layer {
        HieraLayer::Module(_) => "module root",
        HieraLayer::Global | HieraLayer::Environment => "the environment root",
    };
    let message = format!("hiera.yaml version 3 found at {place} was ignored\n   (file: {file})");
    invocation.caller.host().warn_once(&format!("{place}: {file}"), &message);
    HieraConfig::by_default(config.root.clone(), false)
}
