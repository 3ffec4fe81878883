//! Answers requests of JSON documents on standard input, one line of JSON for each: `script/verify file-server` compares them with Puppet's.
#![allow(clippy::print_stdout, reason = "this is its output")]

use std::error::Error;
use std::io::{self, Read as _};
use std::path::PathBuf;

use puppetfn_base::limits::Limits;
use puppetfn_fileserver::{
    FileError, FileLimits, FileRequest, FileServer, FileServerSettings, query_options,
};
use puppetfn_project::Environment;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Document {
    modulepath: Vec<PathBuf>,
    configuration: PathBuf,
    codedir: String,
    host: String,
    requests: Vec<Request>,
}

#[derive(Deserialize)]
struct Request {
    indirection: String,
    key: String,
    node: Option<String>,
    query: Vec<(String, String)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let documents: Vec<Document> = serde_json::from_str(&text)?;
    documents.into_iter().for_each(answer_all);
    Ok(())
}

fn answer_all(document: Document) {
    let Document { modulepath, configuration, codedir, host, requests } = document;
    let environment = Environment { modulepath, ..Environment::default() };
    let configuration = Some(configuration);
    let settings = FileServerSettings { configuration, codedir, host, ..FileServerSettings::default() };
    let server = FileServer::new(settings, FileLimits::new(Limits::DEFAULT));
    for Request { indirection, key, node, query } in requests {
        let options = query_options(query.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let answer = options.and_then(|options| {
            answer(&server, &environment, &indirection, &FileRequest { key, node, options })
        });
        let log: Vec<String> = server.take_log().into_iter().map(|entry| entry.message).collect();
        let (status, body) = match answer {
            Ok(body) => (200, body),
            Err(error) => (
                error.status(),
                json!({"message": error.to_string(), "issue_kind": error.issue_kind()}).to_string(),
            ),
        };
        println!("{}", json!({"status": status, "body": body, "log": log}));
    }
}

fn answer(
    server: &FileServer,
    environment: &Environment,
    indirection: &str,
    request: &FileRequest,
) -> Result<String, FileError> {
    let failed = |error: &dyn Error| FileError::Failed(error.to_string());
    match indirection {
        "file_metadata" => server.metadata(environment, request)?.to_json().map_err(|error| failed(&error)),
        "file_metadatas" => {
            let found = server.metadatas(environment, request)?;
            serde_json::to_string(&found).map_err(|error| failed(&error))
        }
        _ => {
            let mut text = Vec::new();
            let mut content = server.content(environment, request)?;
            content.read_to_end(&mut text).map_err(|error| failed(&error))?;
            Ok(String::from_utf8_lossy(&text).into_owned())
        }
    }
}
