//! Static catalogs: metadata of files within a catalog, so that agents get the files of the code that it was compiled of.
//!
//! See `inline_metadata` in Puppet's `indirector/catalog/compiler.rb`.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "parameters are asked for a few kinds of values, and all others are treated alike"
)]

use std::path::Path;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_base::target::{Difference, Target};
use puppetfn_catalog::{Draft, NameMap, Resource};
use puppetfn_fileserver::{CHECKSUM_TYPES, FileError, FileMetadata, FileRequest, FileServer, QueryValue};
use puppetfn_project::Environment;
use puppetfn_types::value::Value;
use serde_json::{Map, Value as Json};

use crate::LogEntry;

/// The options of a static catalog.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StaticOptions {
    /// The checksum type of files whose resources name none.
    pub checksum_type: &'static str,
    pub limits: Limits,
}

/// Metadata of files for a catalog.
#[derive(Default)]
pub(super) struct InlineMetadata {
    /// Metadata of single files, by titles of resources.
    metadata: Map<String, Json>,
    /// Metadata of directories and the files below, by titles and sources.
    recursive: Map<String, Json>,
}

impl StaticOptions {
    /// Returns the options for an agent with these checksum types, as in `sha256.md5`.
    ///
    /// # Errors
    /// Fails if both have no checksum type in common.
    pub fn new(checksum_types: Option<&str>, target: Target, limits: Limits) -> Result<Self, Error> {
        let named = checksum_types.unwrap_or_default().split('.');
        let known = |name: &str| CHECKSUM_TYPES.into_iter().find(|known| *known == name);
        match named.into_iter().find_map(known) {
            Some(checksum_type) => Ok(Self { checksum_type, limits }),
            None => {
                let agent = checksum_types.unwrap_or_default();
                let own: Vec<_> = CHECKSUM_TYPES.iter().map(|name| format!(":{name}")).collect();
                let own = own.join(", ");
                let server = if target.has(Difference::OpenVoxNames) { "server" } else { "master" };
                Err(failed(format!(
                    "Unable to find a common checksum type between agent '{agent}' and {server} '[{own}]'."
                )))
            }
        }
    }
}

impl InlineMetadata {
    /// Collects the metadata of the files that a catalog copies from modules of the environment.
    ///
    /// # Errors
    /// Fails if a file does not exist or cannot be read.
    pub fn collect(
        draft: &Draft,
        environment: &Environment,
        files: &FileServer,
        options: &StaticOptions,
        log: &mut Vec<LogEntry>,
    ) -> Result<Self, Error> {
        let mut collected = Self::default();
        let Some(directory) = environment.directory.as_deref().and_then(Path::to_str) else {
            return Ok(collected);
        };
        let inliner = MetadataInliner { environment, directory, files, options };
        let is_compiled = |resource: &&Resource| !resource.is_virtual() || resource.is_exported();
        for resource in draft.resources().filter(is_compiled).filter(|found| found.type_name() == "File") {
            inliner.inline(resource, &mut collected)?;
        }
        log.extend(files.take_log().into_iter().map(|entry| LogEntry::new(entry.level, entry.message)));
        Ok(collected)
    }

    /// Adds the metadata to the JSON of the catalog.
    pub fn add_to(self, catalog: &mut String) {
        for (name, members) in [("metadata", self.metadata), ("recursive_metadata", self.recursive)] {
            if !members.is_empty() && catalog.ends_with('}') {
                catalog.pop();
                catalog.push_str(&format!(",\"{name}\":{}}}", Json::Object(members)));
            }
        }
    }
}

/// Finds the metadata of one resource after the other.
struct MetadataInliner<'i> {
    environment: &'i Environment,
    /// The directory of the environment.
    directory: &'i str,
    files: &'i FileServer,
    options: &'i StaticOptions,
}

/// The parameters of a resource of the type `File`.
struct FileParameters<'r>(NameMap<&'r str, Value>);

/// An option of a request for metadata.
type FileOption = (String, QueryValue);

impl FileParameters<'_> {
    fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !matches!(value, Value::Undef))
    }

    fn text(&self, name: &str) -> Option<String> {
        match self.get(name) {
            Some(Value::String(text)) => Some(text.to_string()),
            _ => None,
        }
    }

    /// Returns the sources of a file that is to exist; none if one of them is not on a Puppet server.
    fn sources(&self) -> Vec<String> {
        let is_absent = self.text("ensure").is_some_and(|text| text == "absent");
        let found = self.get("source").filter(|_| !is_absent).and_then(sources).unwrap_or_default();
        found.iter().map(|source| source.trim_end_matches('/').to_owned()).collect()
    }

    fn recurses(&self) -> bool {
        match self.get("recurse") {
            Some(Value::Boolean(truth)) => *truth,
            Some(Value::String(text)) => matches!(&**text, "true" | "remote"),
            _ => false,
        }
    }

    /// Returns true if the first source that exists is the only one.
    fn selects_first(&self) -> bool {
        self.text("sourceselect").is_none_or(|select| select == "first")
    }

    /// Returns the options of a request for a file. `checksum_type` is the one of files that name none.
    fn options(&self, checksum_type: &str) -> Vec<FileOption> {
        let defaults = [
            ("links", "links", "manage"),
            ("checksum_type", "checksum", checksum_type),
            ("source_permissions", "source_permissions", "ignore"),
        ];
        let option = |(name, parameter, default): (&str, &str, &str)| {
            let value = self.text(parameter).unwrap_or_else(|| default.to_owned());
            (name.to_owned(), QueryValue::String(value))
        };
        defaults.map(option).into()
    }

    /// Returns the options of a request for a directory.
    fn recursive_options(&self, checksum_type: &str) -> Vec<FileOption> {
        let mut options = self.options(checksum_type);
        options.push(("recurse".to_owned(), QueryValue::Boolean(true)));
        let limits = ["recurselimit", "max_files", "ignore"];
        options.extend(limits.iter().filter_map(|name| {
            let value = self.get(name).and_then(query_value)?;
            Some(((*name).to_owned(), value))
        }));
        options
    }
}

impl MetadataInliner<'_> {
    fn inline(&self, resource: &Resource, collected: &mut InlineMetadata) -> Result<(), Error> {
        let file = FileParameters(resource.parameters());
        let sources = file.sources();
        let title = || resource.title().to_owned();
        if sources.is_empty() {
            return Ok(());
        }
        if !file.recurses() {
            if let Some(metadata) = self.file_metadata(&file, &sources)? {
                collected.metadata.insert(title(), metadata);
            }
            return Ok(());
        }
        let found = self.directory_metadata(&file, &sources)?;
        if !found.is_empty() {
            collected.recursive.insert(title(), found.into());
        }
        Ok(())
    }

    /// Returns the metadata of a single file; `None` if it cannot be in the catalog.
    fn file_metadata(&self, file: &FileParameters<'_>, sources: &[String]) -> Result<Option<Json>, Error> {
        let options = file.options(self.options.checksum_type);
        let Some((source, mut metadata)) = self.first(sources, &options)? else {
            let shown = file.get("source").map(|source| source.ruby_to_s(&self.options.limits));
            let shown = shown.transpose()?.unwrap_or_default();
            return Err(failed(format!("Could not get metadata for {shown}")));
        };
        if !self.is_inlineable(&metadata, source) {
            return Ok(None);
        }
        metadata.content_uri = Some(self.content_uri(&metadata, source));
        metadata.source = Some(source.to_owned());
        json(&metadata).map(Some)
    }

    /// Returns the metadata of a directory and of the files below, by their sources. If one source cannot be in the catalog, none is.
    fn directory_metadata(
        &self,
        file: &FileParameters<'_>,
        sources: &[String],
    ) -> Result<Map<String, Json>, Error> {
        let options = file.recursive_options(self.options.checksum_type);
        let mut of_sources = Map::new();
        for source in sources {
            let Some(mut found) = self.search(source, &options)? else { continue };
            let is_root = |metadata: &&FileMetadata| metadata.relative_path.as_deref() == Some(".");
            let Some(root) = found.iter().find(is_root) else { continue };
            if !self.is_inlineable(root, source) {
                return Ok(Map::new());
            }
            let base = self.content_uri(root, source);
            for metadata in &mut found {
                metadata.content_uri = Some(match metadata.relative_path.as_deref() {
                    None | Some(".") => base.clone(),
                    Some(path) => format!("{base}/{path}"),
                });
            }
            let found = found.iter().map(json).collect::<Result<Vec<_>, _>>()?;
            of_sources.insert(source.clone(), found.into());
            if file.selects_first() {
                break;
            }
        }
        Ok(of_sources)
    }

    /// Returns the first source that exists, and its metadata.
    fn first<'s>(
        &self,
        sources: &'s [String],
        options: &[FileOption],
    ) -> Result<Option<(&'s str, FileMetadata)>, Error> {
        for source in sources {
            match self.files.metadata(self.environment, &request(source, options)) {
                Ok(metadata) => return Ok(Some((source, metadata))),
                Err(FileError::NotFound(_)) => {}
                Err(error) => return Err(failed(error.message())),
            }
        }
        Ok(None)
    }

    fn search(&self, source: &str, options: &[FileOption]) -> Result<Option<Vec<FileMetadata>>, Error> {
        match self.files.metadatas(self.environment, &request(source, options)) {
            Ok(found) => Ok(Some(found)),
            Err(FileError::NotFound(_)) => Ok(None),
            Err(error) => Err(failed(error.message())),
        }
    }

    /// Returns true if a file is in `DIRECTORY/*/*/files` of the environment.
    fn is_inlineable(&self, metadata: &FileMetadata, source: &str) -> bool {
        let mut parts =
            match metadata.path.strip_prefix(self.directory).and_then(|path| path.strip_prefix('/')) {
                Some(relative) => relative.splitn(4, '/'),
                None => return false,
            };
        let is_name = |part: Option<&str>| part.is_some_and(|part| !part.is_empty());
        SourceParts::of(source).path.starts_with("/modules/")
            && is_name(parts.next())
            && is_name(parts.next())
            && parts.next() == Some("files")
            && is_name(parts.next())
    }

    /// Returns the address of a file's content, which names the server of the source.
    fn content_uri(&self, metadata: &FileMetadata, source: &str) -> String {
        let path = &*metadata.path;
        let relative = path.strip_prefix(self.directory).unwrap_or(path).trim_start_matches('/');
        let SourceParts { server, .. } = SourceParts::of(source);
        format!("puppet://{server}/{relative}")
    }
}

/// The parts of a source: `puppet://SERVER/PATH`.
struct SourceParts<'s> {
    /// The name of the server, and the port if there is one.
    server: &'s str,
    /// The path from its `/` on.
    path: &'s str,
}

impl<'s> SourceParts<'s> {
    fn of(source: &'s str) -> Self {
        let rest = source.strip_prefix("puppet:").unwrap_or(source);
        let rest = rest.split('?').next().unwrap_or_default();
        match rest.strip_prefix("//") {
            Some(rest) => {
                let (server, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                let server = server.rsplit('@').next().unwrap_or_default();
                Self { server, path }
            }
            None => Self { server: "", path: rest },
        }
    }
}

/// Returns the sources of a parameter; `None` if one is no address of a Puppet server.
fn sources(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) if text.starts_with("puppet:") => Some(vec![text.to_string()]),
        Value::Array(values) => {
            let found: Option<Vec<Vec<String>>> =
                values.iter().filter(|value| !matches!(value, Value::Undef)).map(sources).collect();
            found.map(|found| found.concat())
        }
        _ => None,
    }
}

fn request(source: &str, options: &[FileOption]) -> FileRequest {
    let key = SourceParts::of(source).path.trim_start_matches('/').to_owned();
    FileRequest { key, node: None, options: options.to_vec() }
}

fn query_value(value: &Value) -> Option<QueryValue> {
    Some(match value {
        Value::Boolean(truth) => QueryValue::Boolean(*truth),
        Value::Integer(number) => QueryValue::Integer(*number),
        Value::Float(number) => QueryValue::Float(*number),
        // Filesets take digits for numbers.
        Value::String(text) => match text.parse() {
            Ok(number) if text.bytes().all(|byte| byte.is_ascii_digit()) => QueryValue::Integer(number),
            _ => QueryValue::String(text.to_string()),
        },
        Value::Array(values) => QueryValue::Array(values.iter().filter_map(query_value).collect()),
        _ => return None,
    })
}

fn json(metadata: &FileMetadata) -> Result<Json, Error> {
    serde_json::to_value(metadata).map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))
}

fn failed(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Evaluation, message.into())
}
