//! The texts at the paths of a command.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::ProjectFailure;
use puppetfn_base::file_system::{FileSystem, StdFileSystem};
use puppetfn_base::limits::Limits;

/// The source of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CodeSource {
    /// A file in the arguments, which may be a pipe.
    File(PathBuf),
    /// A file in a directory in the arguments.
    Found(PathBuf),
    /// The standard input.
    Input,
}

impl CodeSource {
    /// Returns the source at a path: `-` is the standard input, and a directory is not a source.
    ///
    /// # Errors
    /// Fails if the path does not exist or is a directory.
    pub fn file(path: &Path) -> Result<Self, ProjectFailure> {
        if path == Path::new("-") {
            return Ok(Self::Input);
        }
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => {
                Err(ProjectFailure::Setting(format!("{} is a directory", path.display())))
            }
            Ok(_) => Ok(Self::File(path.to_owned())),
            Err(error) => Err(ProjectFailure::Setting(format!("{}: {error}", path.display()))),
        }
    }

    /// Returns the sources at a path; of a directory, all files of Puppet code, sorted by name.
    ///
    /// # Errors
    /// Fails if a directory cannot be listed.
    pub fn all(path: &Path) -> Result<Vec<Self>, ProjectFailure> {
        if path == Path::new("-") || !path.is_dir() {
            return Self::file(path).map(|source| vec![source]);
        }
        Self::within(path, &|path| ends_with(path, &["pp", "epp"]))
    }

    /// Returns the wanted files in a directory, sorted by name.
    fn within(path: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> Result<Vec<Self>, ProjectFailure> {
        let is_shown =
            |entry: &DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
        let found = WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter();
        let mut sources = Vec::new();
        for entry in found.filter_entry(is_shown) {
            match entry {
                Ok(entry) if !entry.file_type().is_dir() && is_wanted(entry.path()) => {
                    sources.push(Self::Found(entry.into_path()));
                }
                Ok(_) => {}
                // A broken or circular link is not a source.
                Err(error)
                    if error.loop_ancestor().is_some() || error.path().is_some_and(Path::is_symlink) => {}
                Err(error) => return Err(ProjectFailure::Setting(error.to_string())),
            }
        }
        Ok(sources)
    }

    /// Returns the sources at a path, without the fixtures of specs: these are copies of other modules.
    ///
    /// # Errors
    /// The same errors as [`Self::all`].
    pub fn own(path: &Path) -> Result<Vec<Self>, ProjectFailure> {
        Self::all(path).map(|sources| Self::without_fixtures(path, sources))
    }

    /// Returns the ERB templates in a directory, without fixtures.
    ///
    /// # Errors
    /// Fails if a directory cannot be listed.
    pub fn erb(directory: &Path) -> Result<Vec<Self>, ProjectFailure> {
        Self::matching(directory, &|path| ends_with(path, &["erb"]))
    }

    /// Returns the wanted files in a directory, without fixtures.
    ///
    /// # Errors
    /// The same errors as [`Self::erb`].
    pub fn matching(
        directory: &Path,
        is_wanted: &dyn Fn(&Path) -> bool,
    ) -> Result<Vec<Self>, ProjectFailure> {
        Self::within(directory, is_wanted).map(|sources| Self::without_fixtures(directory, sources))
    }

    fn without_fixtures(path: &Path, mut sources: Vec<Self>) -> Vec<Self> {
        let is_fixture = |source: &Self| {
            let within = source.path().and_then(|file| file.strip_prefix(path).ok());
            let parts: Vec<_> =
                within.into_iter().flat_map(Path::components).map(Component::as_os_str).collect();
            parts.windows(2).any(|parts| parts == ["spec", "fixtures"])
        };
        sources.retain(|source| !is_fixture(source));
        sources
    }

    /// Returns the name in messages.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Self::File(path) | Self::Found(path) => path.to_string_lossy(),
            Self::Input => Cow::Borrowed("<stdin>"),
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) | Self::Found(path) => Some(path),
            Self::Input => None,
        }
    }

    /// Returns true if the file's name is a template's.
    pub fn is_template(&self) -> bool {
        self.path().and_then(Path::extension).is_some_and(|end| end == "epp")
    }

    /// Returns the text.
    ///
    /// # Errors
    /// Fails if the source cannot be read. The error is a message for the user.
    pub fn read(&self, limits: &Limits) -> Result<String, String> {
        self.read_from(&StdFileSystem::new(limits), limits)
    }

    /// Returns the text in a view of the files.
    ///
    /// # Errors
    /// The same errors as [`Self::read`].
    pub fn read_from(&self, files: &dyn FileSystem, limits: &Limits) -> Result<String, String> {
        let bytes = match self {
            Self::File(path) => files.read_named(path),
            Self::Found(path) => files.read(path),
            Self::Input => StdFileSystem::new(limits).read_all(io::stdin().lock()),
        };
        let text = String::from_utf8(bytes.map_err(|error| error.to_string())?);
        text.map_err(|error| {
            format!("the text is not UTF-8 after its first {} bytes", error.utf8_error().valid_up_to())
        })
    }
}

/// Returns true if a file has one of these extensions.
fn ends_with(path: &Path, ends: &[&str]) -> bool {
    path.extension().is_some_and(|end| ends.iter().any(|wanted| end == *wanted))
}
