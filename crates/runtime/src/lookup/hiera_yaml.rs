//! Reads a `hiera.yaml`.

use std::path::Path;
use std::sync::Arc;

use super::config::{Config, Version};
use super::invocation::Invocation;
use super::layer::Layer;
use super::version3;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::convert::yaml;
use puppetfn_types::value::{Hash, Value};

/// Reads the configuration of a layer.
pub(super) fn read(path: Option<&Path>, layer: &Layer, invocation: &Invocation<'_>) -> Result<Config, Error> {
    let existing = path.filter(|path| invocation.data.files().file_system().exists(path));
    let Some(file) = existing else {
        let root = path.and_then(Path::parent).unwrap_or(Path::new("")).to_owned();
        return Ok(Config::by_default(root, path.is_some()));
    };
    // The file of the global layer is named by a user.
    let text = match layer {
        Layer::Global => invocation.data.files().read_named_text(file)?,
        Layer::Environment | Layer::Module(_) => invocation.read(file)?,
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
    let empty = Config::of_file(file, text);
    match empty.version(&content, layer, limits)? {
        Version::Three => version3::config(empty, &content, invocation),
        Version::Five => empty.with_content(Hash::clone(&content), layer, limits),
    }
}
