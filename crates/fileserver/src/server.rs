//! The file server.
//!
//! See Puppet's `indirector/file_server.rb`, `indirector/indirection.rb` and `network/http/api/indirected_routes.rb`.
#![allow(clippy::disallowed_methods, reason = "the settings name the file")]

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use puppetfn_base::file_stamp::FileStamp;
use puppetfn_base::file_system::{FileSystem, StdFileSystem};
use puppetfn_base::limits::Limits;
use puppetfn_project::Environment;
use puppetfn_types::function::LogLevel;
use serde::{Deserialize, Serialize};

use crate::cache::ChecksumCache;
use crate::configuration::{parse, with_built_in};
use crate::content::FileContent;
use crate::error::{FileError, system_message};
use crate::fileset::Fileset;
use crate::log::LogMessage;
use crate::metadata::{FileMetadata, MetadataOptions, full_path, links};
use crate::modules::{EnvironmentModules, ModuleFaults, ServedModule};
use crate::mount::{Mount, MountContext, MountTable, split_key};
use crate::request::FileRequest;

/// The capacity of the log: further messages are dropped until the log is taken.
const LOG_CAPACITY: usize = 1000;

/// Settings of Puppet that the file server depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FileServerSettings {
    /// `fileserverconfig`, the path of `fileserver.conf`, which need not exist.
    pub configuration: Option<PathBuf>,
    /// `codedir`.
    pub codedir: String,
    /// `digest_algorithm`, the checksum type of requests that name none.
    pub digest_algorithm: String,
    /// The fully qualified name of this machine.
    pub host: String,
    /// Whether `strict` is `error`: modules with a malformed `metadata.json` have no files then.
    pub is_strict: bool,
}

impl Default for FileServerSettings {
    fn default() -> Self {
        Self {
            configuration: None,
            codedir: "/etc/puppetlabs/code".to_owned(),
            digest_algorithm: "sha256".to_owned(),
            host: "localhost".to_owned(),
            is_strict: true,
        }
    }
}

/// Limits of a file server.
#[derive(Clone, Copy, Debug)]
pub struct FileLimits {
    /// The greatest number of files in the answer to a search.
    pub entries: usize,
    /// The greatest number of cached checksums; 0 caches none.
    pub checksums: usize,
    /// The limits of files that the server reads itself: `fileserver.conf` and `metadata.json`.
    pub reading: Limits,
}

impl FileLimits {
    /// Returns the usual limits of answers and of the cache.
    pub fn new(reading: Limits) -> Self {
        Self { entries: 100_000, checksums: 200_000, reading }
    }
}

/// Serves files of modules and of the mounts in `fileserver.conf`. Threads can share one.
pub struct FileServer {
    settings: FileServerSettings,
    limits: FileLimits,
    mounts: Mutex<ConfiguredMounts>,
    checksums: ChecksumCache,
    log: Mutex<Vec<LogMessage>>,
    /// Messages about modules that were written already.
    module_faults: Mutex<HashSet<String>>,
}

/// Mounts, and the state of `fileserver.conf` that they were read from.
struct ConfiguredMounts {
    mounts: Arc<MountTable>,
    /// The stamp of the file, if every later change gives it another.
    file: Option<FileStamp>,
    /// The text, which tells whether a file with another stamp has changed.
    text: Option<Vec<u8>>,
}

/// The indirection and the method of a request, as errors name them.
#[derive(Clone, Copy)]
struct Indirection {
    name: &'static str,
    method: &'static str,
}

impl FileServer {
    /// Returns a file server. `fileserver.conf` is read at the first request, and again after each change.
    pub fn new(settings: FileServerSettings, limits: FileLimits) -> Self {
        let mounts = Arc::new(with_built_in(MountTable::new()));
        Self {
            settings,
            limits,
            mounts: Mutex::new(ConfiguredMounts { mounts, file: None, text: None }),
            checksums: ChecksumCache::new(limits.checksums),
            log: Mutex::default(),
            module_faults: Mutex::default(),
        }
    }

    /// Returns the metadata of a file: the answer to `GET /puppet/v3/file_metadata/KEY`.
    ///
    /// # Errors
    /// Fails if the file does not exist or cannot be read, or if the request is malformed.
    pub fn metadata(
        &self,
        environment: &Environment,
        request: &FileRequest,
    ) -> Result<FileMetadata, FileError> {
        let path = self.find(environment, request, "file_metadata")?;
        let options = MetadataOptions::new(request, &self.settings.digest_algorithm)?;
        options.collect(&path.into(), None, &self.checksums)
    }

    /// Returns the metadata of a directory and of the files below: the answer to `GET /puppet/v3/file_metadatas/KEY`.
    ///
    /// # Errors
    /// Fails if the directory does not exist, a file cannot be read, the request is malformed, or there are more files than
    /// [`FileLimits::entries`].
    pub fn metadatas(
        &self,
        environment: &Environment,
        request: &FileRequest,
    ) -> Result<Vec<FileMetadata>, FileError> {
        let indirection = Indirection { name: "file_metadata", method: "search" };
        let (mount, path) = self.mount(request, indirection)?;
        let context = self.context(environment, request);
        let roots = mount.search(path.as_deref(), &context)?;
        let roots = roots.ok_or_else(|| indirection.not_found(&request.key))?;
        let filesets = roots.paths.iter().map(|path| Fileset::new(path, request, roots.recurses));
        let filesets = filesets.collect::<Result<Vec<_>, _>>()?;
        let mut files: Vec<(Arc<str>, Arc<str>)> = Vec::new();
        // The first of several files with the same path counts.
        let mut known = HashSet::new();
        for fileset in &filesets {
            let remaining = self.limits.entries.saturating_sub(files.len());
            let found = fileset.files(remaining)?;
            if let Some(message) = found.warning {
                self.write_log(LogLevel::Warning, message);
            }
            for file in found.files {
                if known.insert(Arc::clone(&file)) {
                    files.push((Arc::clone(&fileset.path), file));
                }
            }
        }
        let options = MetadataOptions::new(request, &self.settings.digest_algorithm)?;
        let collect = |(path, file)| options.collect(&path, Some(&file), &self.checksums);
        files.into_iter().map(collect).collect()
    }

    /// Opens a file: the answer to `GET /puppet/v3/file_content/KEY`.
    ///
    /// # Errors
    /// Fails if the file does not exist or cannot be read, is not a regular file, or if the request is malformed.
    pub fn content(
        &self,
        environment: &Environment,
        request: &FileRequest,
    ) -> Result<FileContent, FileError> {
        let path = self.find(environment, request, "file_content")?;
        // Links are always followed to the content.
        links(request)?;
        FileContent::open(&full_path(&path, None), &request.key)
    }

    /// Returns the modules of an environment, in the order of the modulepath and by name.
    ///
    /// # Errors
    /// Fails if a directory of the modulepath cannot be read.
    pub fn modules(&self, environment: &Environment) -> Result<Vec<ServedModule>, FileError> {
        EnvironmentModules::new(environment, self.settings.is_strict, self.limits.reading, self).all()
    }

    /// Returns the messages for the server's log since the last call, oldest first.
    pub fn take_log(&self) -> Vec<LogMessage> {
        std::mem::take(&mut *self.log.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn find(
        &self,
        environment: &Environment,
        request: &FileRequest,
        name: &'static str,
    ) -> Result<String, FileError> {
        let indirection = Indirection { name, method: "find" };
        let (mount, path) = self.mount(request, indirection)?;
        let found = mount.find(path.as_deref(), &self.context(environment, request))?;
        found.ok_or_else(|| indirection.not_found(&request.key))
    }

    /// Returns the mount of a request, and the path in it.
    fn mount(
        &self,
        request: &FileRequest,
        indirection: Indirection,
    ) -> Result<(Mount, Option<String>), FileError> {
        let mounts = self.mounts();
        let (name, path) = split_key(&request.key)?;
        match mounts.get(name) {
            Some(mount) => Ok((mount.clone(), path)),
            // Puppet authorizes clients that have a name only.
            None if request.node.is_none() => Err(indirection.not_found(&request.key)),
            None => {
                let options = request.inspect_options();
                let with = if options.is_empty() { String::new() } else { format!(" with {options}") };
                let Indirection { name, method } = indirection;
                let key = &request.key;
                Err(FileError::NotAuthorized(format!(
                    "Not authorized to call {method} on /{name}/{key}{with}"
                )))
            }
        }
    }

    fn context<'c>(&'c self, environment: &'c Environment, request: &'c FileRequest) -> MountContext<'c> {
        MountContext {
            modules: EnvironmentModules::new(environment, self.settings.is_strict, self.limits.reading, self),
            node: request.node.as_deref(),
            host: &self.settings.host,
            codedir: &self.settings.codedir,
        }
    }

    /// Returns the mounts as `fileserver.conf` has them now. A malformed file leaves them as they are.
    fn mounts(&self) -> Arc<MountTable> {
        let mut configured = self.mounts.lock().unwrap_or_else(PoisonError::into_inner);
        let file = self.settings.configuration.as_deref();
        let state = file.and_then(|file| Some((file, FileStamp::new(&file.metadata().ok()?))));
        let Some((file, state)) = state.filter(|(_, state)| configured.file != Some(*state)) else {
            return Arc::clone(&configured.mounts);
        };
        let now = SystemTime::now();
        let text = StdFileSystem::new(&self.limits.reading).read(file);
        configured.file = Some(state).filter(|state| state.is_settled(now));
        if text.as_ref().is_ok_and(|text| configured.text.as_ref() == Some(text)) {
            return Arc::clone(&configured.mounts);
        }
        let mut log = Vec::new();
        let parsed = match &text {
            Ok(text) => parse(&String::from_utf8_lossy(text), file, &mut log),
            Err(error) => Err(system_message(error, file)),
        };
        configured.text = text.ok();
        match parsed {
            Ok(mounts) => configured.mounts = Arc::new(with_built_in(mounts)),
            Err(detail) => {
                let message =
                    format!("Error parsing fileserver configuration: {detail}; using old configuration");
                log.push(LogMessage { level: LogLevel::Err, message });
            }
        }
        log.into_iter().for_each(|LogMessage { level, message }| self.write_log(level, message));
        Arc::clone(&configured.mounts)
    }

    fn write_log(&self, level: LogLevel, message: String) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        if log.len() < LOG_CAPACITY {
            log.push(LogMessage { level, message });
        }
    }
}

impl ModuleFaults for FileServer {
    fn write_fault(&self, message: String) {
        let mut known = self.module_faults.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < LOG_CAPACITY && known.insert(message.clone()) {
            self.write_log(LogLevel::Err, message);
        }
    }
}

impl Indirection {
    fn not_found(self, key: &str) -> FileError {
        let name = self.name;
        FileError::NotFound(if self.method == "search" {
            format!("Could not find instances in {name} with '{key}'")
        } else {
            format!("Could not find {name} {key}")
        })
    }
}
