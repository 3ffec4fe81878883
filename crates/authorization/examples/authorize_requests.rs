//! Authorizes the requests of JSON documents on standard input, one line of JSON for each: `script/verify authorization` compares them with
//! puppetserver's.
#![allow(clippy::print_stdout, reason = "this is its output")]

use std::collections::HashMap;
use std::error::Error;
use std::io::{self, Read as _};
use std::path::PathBuf;

use puppetfn_authorization::{AuthorizationRequest, AuthorizationRules, ClientIdentity};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Document {
    file: PathBuf,
    requests: Vec<Request>,
}

#[derive(Deserialize)]
struct Request {
    method: String,
    path: String,
    query: Vec<(String, String)>,
    client: Option<Client>,
    address: String,
}

#[derive(Deserialize)]
struct Client {
    name: String,
    extensions: HashMap<String, String>,
    alternative_names: HashMap<String, Vec<String>>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let documents: Vec<Document> = serde_json::from_str(&text)?;
    for Document { file, requests } in documents {
        let rules = AuthorizationRules::read(&file, &HashMap::new());
        for Request { method, path, query, client, address } in requests {
            let client = client.map(|Client { name, extensions, alternative_names }| ClientIdentity {
                name,
                extensions,
                alternative_names,
            });
            let request = AuthorizationRequest {
                method: &method,
                path: &path,
                query: &query,
                client: client.as_ref(),
                address: &address,
            };
            let answer = match &rules {
                Err(error) => json!({"invalid": error.to_string()}),
                Ok(rules) => match rules.authorize(&request) {
                    Ok(()) => json!({"allowed": true}),
                    Err(denial) => json!({"allowed": false, "message": denial.message, "log": denial.log}),
                },
            };
            println!("{answer}");
        }
    }
    Ok(())
}
