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
use puppetfn_catalog::{Draft, Resource};
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
    /// Fails if there is none that both know.
    pub fn new(checksum_types: Option<&str>, limits: Limits) -> Result<Self, Error> {
        let named = checksum_types.unwrap_or_default().split('.');
        let known = |name: &str| CHECKSUM_TYPES.into_iter().find(|known| *known == name);
        match named.into_iter().find_map(known) {
            Some(checksum_type) => Ok(Self { checksum_type, limits }),
            None => {
                let agent = checksum_types.unwrap_or_default();
                let own: Vec<_> = CHECKSUM_TYPES.iter().map(|name| format!(":{name}")).collect();
                let own = own.join(", ");
                Err(failed(format!(
                    "Unable to find a common checksum type between agent '{agent}' and master '[{own}]'."
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
        let inliner = Inliner { environment, directory, files, options };
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
struct Inliner<'i> {
    environment: &'i Environment,
    /// The directory of the environment.
    directory: &'i str,
    files: &'i FileServer,
    options: &'i StaticOptions,
}

impl Inliner<'_> {
    fn inline(&self, resource: &Resource, collected: &mut InlineMetadata) -> Result<(), Error> {
        let parameters = resource.parameters();
        let get = |name: &str| parameters.get(name).filter(|value| !matches!(value, Value::Undef));
        let is_absent = matches!(get("ensure"), Some(Value::String(text)) if **text == *"absent");
        let sources = match get("source").map(sources) {
            Some(Some(sources)) if !is_absent && !sources.is_empty() => sources,
            _ => return Ok(()),
        };
        let text = |name: &str| match get(name) {
            Some(Value::String(text)) => Some(text.to_string()),
            _ => None,
        };
        let or = |value: Option<String>, default: &str| {
            QueryValue::String(value.unwrap_or_else(|| default.to_owned()))
        };
        let mut options = vec![
            ("links".to_owned(), or(text("links"), "manage")),
            ("checksum_type".to_owned(), or(text("checksum"), self.options.checksum_type)),
            ("source_permissions".to_owned(), or(text("source_permissions"), "ignore")),
        ];
        let recurses = match get("recurse") {
            Some(Value::Boolean(truth)) => *truth,
            Some(Value::String(text)) => matches!(&**text, "true" | "remote"),
            _ => false,
        };
        let title = resource.title().to_owned();
        if !recurses {
            let sources = sources.iter().map(|source| source.trim_end_matches('/'));
            let found = self.first(sources, &options)?;
            let Some((source, mut metadata)) = found else {
                let shown = get("source").map(|source| source.ruby_to_s(&self.options.limits));
                let shown = shown.transpose()?.unwrap_or_default();
                return Err(failed(format!("Could not get metadata for {shown}")));
            };
            if self.is_inlineable(&metadata, source) {
                metadata.content_uri = Some(self.content_uri(&metadata, source));
                metadata.source = Some(source.to_owned());
                collected.metadata.insert(title, json(&metadata)?);
            }
            return Ok(());
        }
        options.push(("recurse".to_owned(), QueryValue::Boolean(true)));
        for name in ["recurselimit", "max_files", "ignore"] {
            if let Some(value) = get(name).and_then(query_value) {
                options.push((name.to_owned(), value));
            }
        }
        let is_first = text("sourceselect").is_none_or(|select| select == "first");
        let mut of_sources = Map::new();
        for source in sources.iter().map(|source| source.trim_end_matches('/')) {
            let Some(mut found) = self.search(source, &options)? else { continue };
            let Some(root) = found.iter().find(|metadata| metadata.relative_path.as_deref() == Some("."))
            else {
                continue;
            };
            if !self.is_inlineable(root, source) {
                return Ok(());
            }
            let base = self.content_uri(root, source);
            for metadata in &mut found {
                metadata.content_uri = Some(match metadata.relative_path.as_deref() {
                    None | Some(".") => base.clone(),
                    Some(path) => format!("{base}/{path}"),
                });
            }
            let found = found.iter().map(json).collect::<Result<Vec<_>, _>>()?;
            of_sources.insert(source.to_owned(), found.into());
            if is_first {
                break;
            }
        }
        if !of_sources.is_empty() {
            collected.recursive.insert(title, of_sources.into());
        }
        Ok(())
    }

    /// Returns the first source that exists, and its metadata.
    fn first<'s>(
        &self,
        sources: impl Iterator<Item = &'s str>,
        options: &[(String, QueryValue)],
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

    fn search(
        &self,
        source: &str,
        options: &[(String, QueryValue)],
    ) -> Result<Option<Vec<FileMetadata>>, Error> {
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

/// Returns the sources of a parameter; `None` if there is one that is no address of a Puppet server.
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

fn request(source: &str, options: &[(String, QueryValue)]) -> FileRequest {
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
