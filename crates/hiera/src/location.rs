//! Locations of data: files and URIs.
//!
//! See Puppet's `pops/lookup/location_resolver.rb`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::explain::ExplainNode;
use super::interpolation::MethodPolicy;
use super::invocation::Invocation;
use super::lock::locked;
use super::{glob, path};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::value::{Uri, Value};

/// The locations of data in an entry of a hierarchy.
#[derive(Clone, Debug)]
pub(super) enum Locations {
    Paths(Vec<Arc<str>>),
    /// Paths that get an extension where they have none yet.
    PathsWithout {
        extension: Arc<str>,
        paths: Vec<Arc<str>>,
    },
    Globs(Vec<Arc<str>>),
    Uris(Vec<Arc<str>>),
    /// A variable with names, the name of one of them, and a path that is made of it.
    MappedPaths([Arc<str>; 3]),
}

/// A place that a function gives data of.
#[derive(Clone, Debug)]
pub(super) struct DataLocation {
    /// As it is declared.
    original: String,
    target: LocationTarget,
    pub exists: bool,
}

#[derive(Clone, Debug)]
enum LocationTarget {
    Path(PathBuf),
    Uri(String),
}

impl fmt::Display for DataLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.target {
            LocationTarget::Path(path) => path.display().fmt(f),
            LocationTarget::Uri(uri) => f.write_str(uri),
        }
    }
}

impl DataLocation {
    fn path(original: impl Into<String>, path: PathBuf, exists: bool) -> Self {
        Self { original: original.into(), target: LocationTarget::Path(path), exists }
    }

    /// Returns the option that tells the function of it.
    pub fn option(&self) -> (Value, Value) {
        let name = match self.target {
            LocationTarget::Path(_) => "path",
            LocationTarget::Uri(_) => "uri",
        };
        (name.into(), self.to_string().into())
    }

    pub fn explained(&self) -> ExplainNode {
        let kind = match self.target {
            LocationTarget::Path(_) => "Path",
            LocationTarget::Uri(_) => "URI",
        };
        ExplainNode::location(kind, self.to_string(), self.original.clone())
    }
}

impl Locations {
    /// Returns the places themselves.
    pub fn resolve(&self, directory: &Path, invocation: &Invocation<'_>) -> Result<Vec<DataLocation>, Error> {
        let system = invocation.data.files().file_system();
        let mut found = Vec::new();
        match self {
            Self::Paths(paths) => {
                for declared in paths {
                    let path = path::join(
                        directory,
                        &invocation.interpolated_text(declared, MethodPolicy::Refused)?,
                    );
                    let exists = system.exists(&path);
                    found.push(DataLocation::path(&**declared, path, exists));
                }
            }
            Self::PathsWithout { extension, paths } => {
                for declared in paths {
                    let mut path = invocation.interpolated_text(declared, MethodPolicy::Refused)?;
                    if !path.ends_with(&**extension) {
                        path.push_str(extension);
                    }
                    let path = path::join(directory, &path);
                    let exists = system.exists(&path);
                    found.push(DataLocation::path(&**declared, path, exists));
                }
            }
            Self::Globs(globs) => {
                let poll = || invocation.caller.host().poll();
                for declared in globs {
                    let pattern = path::join(
                        directory,
                        &invocation.interpolated_text(declared, MethodPolicy::Refused)?,
                    );
                    for path in glob::files(system, &pattern, invocation.caller.limits(), &poll)? {
                        found.push(DataLocation::path(pattern.to_string_lossy(), path, true));
                    }
                }
            }
            Self::Uris(uris) => {
                for declared in uris {
                    let text = invocation.interpolated_text(declared, MethodPolicy::Refused)?;
                    // Ruby's library refuses it, in an error that Puppet has no class for.
                    let uri = Uri::parse(&text)
                        .map_err(|e| Error::new(ErrorKind::ArgumentMismatch, e.message()))?;
                    let target = LocationTarget::Uri(uri.to_string());
                    found.push(DataLocation { original: declared.to_string(), target, exists: true });
                }
            }
            Self::MappedPaths(parts) => return mapped(parts, directory, invocation),
        }
        Ok(found)
    }
}

fn mapped(
    [names, variable, template]: &[Arc<str>; 3],
    directory: &Path,
    invocation: &Invocation<'_>,
) -> Result<Vec<DataLocation>, Error> {
    let names = match invocation.scope_value(names, "mapped_path[0]")? {
        Some(Value::Array(names)) => names.to_vec(),
        // As Ruby's `map` has the entries of a hash.
        Some(Value::Hash(names)) => {
            names.iter().map(|(key, value)| Value::from(vec![key.clone(), value.clone()])).collect()
        }
        Some(name @ Value::String(_)) if name != "".into() => vec![name],
        Some(_) | None => return Ok(Vec::new()),
    };
    let memory = invocation.settings.memory.as_ref();
    let before = memory.map_or(0, |memory| locked(memory).len());
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        let local = Some((Arc::clone(variable), name));
        let inner = invocation.with_settings(|settings| settings.local = local);
        let path = path::join(directory, &inner.interpolated_text(template, MethodPolicy::Refused)?);
        let exists = invocation.data.files().file_system().exists(&path);
        found.push(DataLocation::path(&**template, path, exists));
    }
    // No other interpolation depends on that variable.
    if let Some(memory) = memory {
        let mut index = 0usize;
        locked(memory).retain(|noted| {
            index = index.saturating_add(1);
            index <= before || noted.root != *variable
        });
    }
    Ok(found)
}
