//! The files below a directory.
//!
//! See Puppet's `file_serving/fileset.rb`.
#![allow(clippy::disallowed_methods, reason = "files are served from the disk, links and modes included")]

use std::collections::VecDeque;
use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use puppetfn_hiera::name_matches;

use crate::error::FileError;
use crate::metadata::malformed_name;
use crate::request::{FileRequest, QueryValue};

/// The number of entries above which Puppet warns.
const SOFT_MAX_FILES: usize = 1000;

/// A directory, or a file, and the options of its search.
pub(crate) struct Fileset<'r> {
    /// The path, without a slash at its end.
    pub path: Arc<str>,
    ignore: Vec<String>,
    follows_links: bool,
    recurses: bool,
    recurselimit: Option<&'r QueryValue>,
    max_files: Option<&'r QueryValue>,
}

/// The files of a fileset.
pub(crate) struct FoundFiles {
    /// Relative paths, in Puppet's order.
    pub files: Vec<Arc<str>>,
    /// A warning about their number.
    pub warning: Option<String>,
}

/// An entry of a directory.
struct FilesetEntry {
    depth: u32,
    path: PathBuf,
    /// The path below the fileset's; `None` if it is not UTF-8.
    relative: Option<Arc<str>>,
    /// The type that the directory says, which saves a system call.
    kind: Option<FileType>,
}

impl<'r> Fileset<'r> {
    /// Reads the options of a search and checks that its path exists. `recurses` is `false` where only the directory itself is meant.
    pub fn new(path: &str, request: &'r FileRequest, recurses: bool) -> Result<Self, FileError> {
        let path = if path == "/" { path } else { path.strip_suffix('/').unwrap_or(path) };
        if !path.starts_with('/') {
            return Err(FileError::failed(format!("Fileset paths must be fully qualified: {path}")));
        }
        let follows_links = match request.option("links").map(QueryValue::text).as_deref() {
            None | Some("manage") => false,
            Some("follow") => true,
            Some(other) => return Err(FileError::failed(format!("Invalid :links value '{other}'"))),
        };
        let ignore = match request.option("ignore") {
            None => Vec::new(),
            Some(QueryValue::Array(patterns)) => patterns.iter().map(QueryValue::text).collect(),
            Some(pattern) => vec![pattern.text()],
        };
        let recurse = request.option("recurse").filter(|_| recurses);
        let set = Self {
            path: path.into(),
            ignore,
            follows_links,
            recurses: recurse.is_some_and(|value| *value != QueryValue::Boolean(false)),
            recurselimit: request.option("recurselimit"),
            max_files: request.option("max_files"),
        };
        match set.stat(Path::new(path)) {
            Ok(_) => {}
            Err(error) if is_absent(&error) => {
                return Err(FileError::failed("Fileset paths must exist"));
            }
            Err(error) => return Err(FileError::of_system(&error, Path::new(path))),
        }
        if matches!(recurse, Some(QueryValue::Integer(_))) {
            return Err(FileError::failed(
                "Fileset recurse parameter must not be a number anymore, please use recurselimit",
            ));
        }
        Ok(set)
    }

    /// Returns the files, the path itself first.
    ///
    /// # Errors
    /// Fails if there are more than `limit` files, or than the option `max_files` says.
    pub fn files(&self, limit: usize) -> Result<FoundFiles, FileError> {
        let found = self.descend(limit)?;
        let warning = self.check_number(found.len())?;
        let mut files = vec![Arc::from(".")];
        for entry in found {
            files.push(entry.ok_or_else(malformed_name)?);
        }
        Ok(FoundFiles { files, warning })
    }

    /// Goes through the directories level by level.
    fn descend(&self, limit: usize) -> Result<Vec<Option<Arc<str>>>, FileError> {
        let root = FilesetEntry {
            depth: 0,
            path: PathBuf::from(&*self.path),
            relative: Some("".into()),
            kind: None,
        };
        let mut entries = VecDeque::from([root]);
        let mut found = Vec::new();
        while let Some(entry) = entries.pop_front() {
            if !self.continues_at(entry.depth.saturating_add(1))? {
                continue;
            }
            for child in self.children(&entry, limit)? {
                if found.len() >= limit {
                    return Err(self.too_many(limit));
                }
                found.push(child.relative.clone());
                entries.push_back(child);
            }
        }
        Ok(found)
    }

    fn children(&self, entry: &FilesetEntry, limit: usize) -> Result<Vec<FilesetEntry>, FileError> {
        if !self.is_directory(entry)? {
            return Ok(Vec::new());
        }
        let of_system = |error| FileError::of_system(&error, &entry.path);
        let mut children = Vec::new();
        let listing = match entry.path.read_dir() {
            Ok(listing) => listing,
            // Puppet looks at each entry, and takes it for no directory where the one above forbids that.
            Err(_) if self.stat(&entry.path).is_err_and(|error| is_absent(&error)) => return Ok(Vec::new()),
            Err(error) => return Err(of_system(error)),
        };
        for child in listing {
            let child = child.map_err(of_system)?;
            let name = child.file_name();
            let text = name.to_string_lossy();
            if self.ignore.iter().any(|pattern| name_matches(pattern, &text)) {
                continue;
            }
            if children.len() >= limit {
                return Err(self.too_many(limit));
            }
            let parent = entry.relative.as_deref().filter(|_| name.to_str().is_some());
            let relative = parent.map(|parent| match parent {
                "" => Arc::from(&*text),
                parent => format!("{parent}/{text}").into(),
            });
            let path = entry.path.join(&name);
            let kind = child.file_type().ok();
            children.push(FilesetEntry { depth: entry.depth.saturating_add(1), path, relative, kind });
        }
        Ok(children)
    }

    fn is_directory(&self, entry: &FilesetEntry) -> Result<bool, FileError> {
        if let Some(kind) = entry.kind.filter(|kind| !(kind.is_symlink() && self.follows_links)) {
            return Ok(kind.is_dir());
        }
        match self.stat(&entry.path) {
            Ok(stat) => Ok(stat.is_dir()),
            Err(error) if is_absent(&error) => Ok(false),
            Err(error) => Err(FileError::of_system(&error, &entry.path)),
        }
    }

    fn continues_at(&self, depth: u32) -> Result<bool, FileError> {
        if !self.recurses {
            return Ok(false);
        }
        let Some(limit) = self.recurselimit else { return Ok(true) };
        let not_comparable = || {
            let class = class_or_value(limit);
            FileError::failed(format!("comparison of Integer with {class} failed"))
        };
        limit.number().map(|limit| f64::from(depth) <= limit).ok_or_else(not_comparable)
    }

    /// Compares the number of entries with the option `max_files`, and returns a warning.
    fn check_number(&self, entries: usize) -> Result<Option<String>, FileError> {
        let max_files = match self.max_files {
            None => 0.0,
            Some(QueryValue::String(text)) if text == "-1" => -1.0,
            Some(value) => value.number().ok_or_else(|| {
                FileError::failed(format!("comparison of {} with 0 failed", class_or_value(value)))
            })?,
        };
        #[allow(clippy::cast_precision_loss, reason = "the limit `entries` is far less than 2^53")]
        let number = entries as f64;
        let path = &self.path;
        if max_files > 0.0 && number > max_files {
            let limit = self.max_files.map(QueryValue::text).unwrap_or_default();
            return Err(FileError::failed(format!(
                "The directory '{path}' contains {entries} entries, which exceeds the limit of {limit} specified by the \
                 max_files parameter for this resource. The limit may be increased, but be aware that large number of file \
                 resources can result in excessive resource consumption and degraded performance. Consider using an alternate \
                 method to manage large directory trees"
            )));
        }
        let warns = max_files == 0.0 && entries > SOFT_MAX_FILES;
        Ok(warns.then(|| {
            format!(
                "The directory '{path}' contains {entries} entries, which exceeds the default soft limit {SOFT_MAX_FILES} and \
                 may cause excessive resource consumption and degraded performance. To remove this warning set a value for \
                 `max_files` parameter or consider using an alternate method to manage large directory trees"
            )
        }))
    }

    fn stat(&self, path: &Path) -> io::Result<std::fs::Metadata> {
        if self.follows_links { path.metadata() } else { path.symlink_metadata() }
    }

    fn too_many(&self, limit: usize) -> FileError {
        FileError::LimitExceeded(format!(
            "The directory '{}' contains more than {limit} entries, the limit `entries` of the file server",
            self.path
        ))
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied)
}

/// Returns a value as Ruby names it in errors of comparisons.
fn class_or_value(value: &QueryValue) -> String {
    match value {
        QueryValue::Boolean(truth) => truth.to_string(),
        QueryValue::Integer(number) => number.to_string(),
        QueryValue::Float(number) => puppetfn_base::number::float_to_s(*number),
        QueryValue::String(_) => "String".to_owned(),
        QueryValue::Array(_) => "Array".to_owned(),
    }
}
