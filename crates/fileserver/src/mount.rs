//! Mounts: the first part of a key says where a file is.
//!
//! See Puppet's `file_serving/configuration.rb` and `file_serving/mount/`.
#![allow(clippy::disallowed_methods, reason = "files are served from the disk, links and modes included")]

use std::collections::HashMap;
use std::path::Path;

use crate::error::FileError;
use crate::metadata::{join, null_byte};
use crate::modules::EnvironmentModules;

/// A mount.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Mount {
    /// Files of a module, whose name is the first part of the path.
    OfModule {
        /// The directory in the module.
        directory: &'static str,
        /// The noun for the module in the error about a path without one.
        missing: &'static str,
    },
    /// A directory of all modules.
    OfAllModules(&'static str),
    /// A directory of fileserver.conf.
    Directory {
        /// The path, with patterns for the name of the client. It is missing until the file names it.
        path: Option<String>,
    },
}

/// The paths that a search begins at.
pub(crate) struct SearchRoots {
    pub paths: Vec<String>,
    /// Whether the files below are meant, or only the directories themselves.
    pub recurses: bool,
}

/// Mounts by name.
pub(crate) type MountTable = HashMap<String, Mount>;

/// The values for patterns in paths.
pub(crate) struct MountContext<'c> {
    pub modules: EnvironmentModules<'c>,
    /// The name of the client.
    pub node: Option<&'c str>,
    /// The fully qualified name of the server.
    pub host: &'c str,
    /// Puppet's setting `codedir`.
    pub codedir: &'c str,
}

impl Mount {
    /// Returns the mount that Puppet has without configuration.
    pub fn built_in(name: &str) -> Option<Self> {
        Some(match name {
            "modules" => Self::OfModule { directory: "files", missing: "No module specified" },
            "scripts" => Self::OfModule { directory: "scripts", missing: "No module specified" },
            "tasks" => Self::OfModule { directory: "tasks", missing: "No task specified" },
            "plugins" => Self::OfAllModules("lib"),
            "pluginfacts" => Self::OfAllModules("facts.d"),
            "locales" => Self::OfAllModules("locales"),
            _ => return None,
        })
    }

    /// Returns the path of a file.
    pub fn find(&self, path: Option<&str>, context: &MountContext<'_>) -> Result<Option<String>, FileError> {
        match self {
            Self::OfModule { directory, missing } => {
                let Some(path) = path else { return Err(FileError::failed(*missing)) };
                let (module, relative) = match path.split_once('/') {
                    Some((module, relative)) => (module, Some(relative)),
                    None => (path, None),
                };
                let Some(root) = context.modules.module(module)? else { return Ok(None) };
                let file = below(&join(&root, directory), relative)?;
                Ok(Path::new(&file).exists().then_some(file))
            }
            Self::OfAllModules(directory) => {
                let relative = path.map_or_else(|| (*directory).to_owned(), |path| join(directory, path));
                context.modules.first_with_file(&relative)
            }
            Self::Directory { path: root } => {
                let root = expand(root.as_deref(), context)?;
                let Some(path) = path else { return Ok(Some(root)) };
                let file = below(&root, Some(path))?;
                // A link that leads nowhere is there.
                Ok(Path::new(&file).symlink_metadata().is_ok().then_some(file))
            }
        }
    }

    /// Returns the paths that a search of a path begins at.
    pub fn search(
        &self,
        path: Option<&str>,
        context: &MountContext<'_>,
    ) -> Result<Option<SearchRoots>, FileError> {
        if let Self::OfAllModules(directory) = self {
            // Puppet knows one search only: for everything.
            let paths = context.modules.with_file(directory)?;
            return Ok(Some(if paths.is_empty() {
                let paths: Vec<String> =
                    context.modules.modulepath()?.into_iter().map(str::to_owned).collect();
                let paths = if paths.is_empty() { vec![context.codedir.to_owned()] } else { paths };
                SearchRoots { paths, recurses: false }
            } else {
                SearchRoots { paths, recurses: true }
            }));
        }
        let found = self.find(path, context)?;
        Ok(found.map(|path| SearchRoots { paths: vec![path], recurses: true }))
    }
}

/// Returns the name of the mount and the path of a key.
///
/// # Errors
/// Fails if the name is not one, or if a part of the path is `..`.
pub(crate) fn split_key(key: &str) -> Result<(&str, Option<String>), FileError> {
    let (name, path) = match key.split_once('/') {
        Some((name, path)) => (name, Some(path)),
        None => (key, None),
    };
    let is_name = |line: &str| {
        !line.is_empty()
            && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    // Puppet's expression is anchored to lines.
    if !name.split('\n').any(is_name) {
        return Err(FileError::failed(format!("Cannot find file: Invalid mount '{name}'")));
    }
    let Some(path) = path else { return Ok((name, None)) };
    if path.split('/').any(|part| part == "..") {
        return Err(FileError::failed(format!("Cannot find file: Invalid relative path '{path}'")));
    }
    if path.is_empty() {
        return Ok((name, None));
    }
    let mut parts = path.to_owned();
    while parts.contains("//") {
        parts = parts.replace("//", "/");
    }
    Ok((name, Some(parts)))
}

/// Returns the path of a file below a directory.
fn below(directory: &str, relative: Option<&str>) -> Result<String, FileError> {
    let Some(relative) = relative else { return Ok(directory.to_owned()) };
    if relative.contains('\0') {
        return Err(null_byte());
    }
    Ok(join(directory, relative))
}

/// Returns the directory of a mount, with the name of the client in place of patterns.
///
/// # Errors
/// Fails if the mount has no path, or if a part of the client's name would lead to a directory of others.
fn expand(path: Option<&str>, context: &MountContext<'_>) -> Result<String, FileError> {
    let path = path.ok_or_else(|| FileError::failed("Mounts without paths are not usable"))?;
    let name = context.node.unwrap_or(context.host);
    let mut expanded = String::new();
    let mut rest = path.chars();
    while let Some(c) = rest.next() {
        if c != '%' {
            expanded.push(c);
            continue;
        }
        let value = match rest.next() {
            Some('h') => name.split_once('.').map_or(name, |(host, _)| host),
            Some('H') => name,
            Some('d') => match name.split_once('.') {
                Some((host, domain)) if !host.is_empty() => domain,
                _ => name,
            },
            Some('%') => {
                expanded.push('%');
                continue;
            }
            other => {
                expanded.push('%');
                expanded.extend(other);
                continue;
            }
        };
        if matches!(value, "" | "." | "..") || value.contains(['/', '\0']) {
            return Err(FileError::failed(format!("The path '{path}' has no directory for '{name}'")));
        }
        expanded.push_str(value);
    }
    Ok(expanded)
}
