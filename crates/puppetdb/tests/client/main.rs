//! A client of PuppetDB against servers that answer well, badly or not at all.
#![cfg(feature = "client")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    missing_docs
)]

mod server;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use puppetfn_base::limits::Limits;
use puppetfn_catalog::{ExportQuery, ExportSource, ExportedResource};
use puppetfn_puppetdb::client::{ClientSettings, PuppetDbClient};
use puppetfn_puppetdb::commands::PuppetDbCommand;
use puppetfn_types::convert::json::to_json;
use serde_json::json;

use self::server::{ClientFiles, TestAuthority, TestServer};

const ANSWER: &str = r#"[{"certname": "web1", "type": "Notify", "title": "a", "exported": true, "tags": ["a"], "parameters": {"message": "m"}}]"#;

fn query() -> ExportQuery {
    ExportQuery { node: "lb".into(), type_name: "Notify".into(), condition: Some(json!(["=", "tag", "a"])) }
}

/// Asks the servers for resources, and returns the titles or the error, and the warnings.
fn titles(settings: ClientSettings) -> (Result<Vec<String>, String>, Vec<String>) {
    let mut warnings = Vec::new();
    let found = PuppetDbClient::new(settings, Limits::DEFAULT)
        .and_then(|client| client.find(&query(), &mut |warning| warnings.push(warning)));
    let title = |resource: ExportedResource| resource.title.to_string();
    (
        found.map(|found| found.into_iter().map(title).collect()).map_err(|error| error.message().to_owned()),
        warnings,
    )
}

fn settings(files: &ClientFiles, servers: &[&TestServer]) -> ClientSettings {
    ClientSettings {
        server_urls: servers.iter().map(|server| server.url()).collect(),
        timeout: Duration::from_secs(5),
        ca: Some(files.path("ca.pem")),
        revocations: Some(files.path("crl.pem")),
        identity: Some((files.path("cert.pem"), files.path("key.pem"))),
        ..ClientSettings::default()
    }
}

#[test]
fn resources_come_from_a_server_that_knows_the_clients_certificate() {
    let authority = TestAuthority::new();
    let server = TestServer::start(&authority, |request| {
        assert!(request.starts_with(
            "GET /pdb/query/v4/resources?query=%5B%22and%22%2C%5B%22%3D%22%2C%22type%22%2C%22Notify%22%5D"
        ));
        server::answer(200, ANSWER)
    });
    let files = authority.files();
    let (found, warnings) = titles(settings(&files, &[&server]));
    assert_eq!((found, warnings), (Ok(vec!["a".to_owned()]), Vec::new()));
    let stranger = TestAuthority::new().files();
    let other = ClientSettings {
        identity: Some((stranger.path("cert.pem"), stranger.path("key.pem"))),
        ..settings(&files, &[&server])
    };
    let (found, warnings) = titles(other);
    assert!(found.unwrap_err().contains("Failed to execute '/pdb/query/v4/resources?query="));
    assert_eq!(warnings.len(), 1);
}

#[test]
fn a_query_is_posted() {
    let authority = TestAuthority::new();
    let server = TestServer::start(&authority, |request| {
        assert!(request.starts_with("POST /pdb/query/v4 HTTP/1.1"));
        assert!(request.ends_with(r#"{"query":"nodes { }"}"#));
        server::answer(200, r#"[{"certname": "web1"}]"#)
    });
    let files = authority.files();
    let client = PuppetDbClient::new(settings(&files, &[&server]), Limits::DEFAULT).unwrap();
    let found = client.query(&json!("nodes { }"), None, &mut |warning| panic!("{warning}"));
    assert_eq!(to_json(&found.unwrap(), &Limits::DEFAULT).unwrap(), json!([{"certname": "web1"}]));
}

#[test]
fn the_next_server_answers_where_one_does_not() {
    let authority = TestAuthority::new();
    let failing = TestServer::start(&authority, |_| server::answer(500, "out of memory"));
    let starting = TestServer::start(&authority, |_| server::answer(404, "<html>"));
    let working = TestServer::start(&authority, |_| server::answer(200, ANSWER));
    let files = authority.files();
    let (found, warnings) = titles(settings(&files, &[&failing, &starting, &working]));
    assert_eq!(found, Ok(vec!["a".to_owned()]));
    let expected = |server: &TestServer, reason: &str| {
        format!(
            "Error connecting to localhost on {} at route {}/pdb/query/v4/resources?query={}, error message received was '{reason}'. \
             Failing over to the next PuppetDB server_url in the 'server_urls' list",
            server.port,
            server.url(),
            warnings[0].split("query=").nth(1).unwrap().split(',').next().unwrap(),
        )
    };
    assert_eq!(warnings, [expected(&failing, "Internal Server Error"), expected(&starting, "Not Found")]);
}

/// As in Puppet, the message has the server that was tried last.
#[test]
fn an_error_names_the_last_server() {
    let authority = TestAuthority::new();
    let failing = TestServer::start(&authority, |_| server::answer(500, ""));
    let last = TestServer::start(&authority, |_| server::answer(503, ""));
    let files = authority.files();
    let (found, warnings) = titles(settings(&files, &[&failing, &last]));
    let expected =
        format!("Could not retrieve resources from the PuppetDB at {}: Failed to execute ", last.url());
    assert!(found.unwrap_err().starts_with(&expected));
    assert_eq!(warnings.len(), 2);
}

#[test]
fn a_bad_answer_is_an_error() {
    let authority = TestAuthority::new();
    let files = authority.files();
    for (status, body, message) in [
        (400, "PQL parse error\r\nat line 1", "[400 Bad Request] PQL parse errorat line 1"),
        (
            200,
            r#"[{"certname": "web1", "ty"#,
            "PuppetDB's answer is malformed: EOF while parsing a string at line 1 column 25",
        ),
        (
            200,
            "{}",
            "PuppetDB's answer is malformed: invalid type: map, expected a sequence at line 1 column 0",
        ),
    ] {
        let server = TestServer::start(&authority, move |_| server::answer(status, body));
        let (found, warnings) = titles(settings(&files, &[&server]));
        let expected =
            format!("Could not retrieve resources from the PuppetDB at {}: {message}", server.url());
        assert_eq!((found, warnings), (Err(expected), Vec::new()));
    }
}

/// Each case is one warning, and no answer.
#[test]
fn a_server_that_cannot_be_trusted_or_heard_is_no_source() {
    let (authority, other) = (TestAuthority::new(), TestAuthority::new());
    let files = authority.files();
    let quick = |server: &TestServer| ClientSettings {
        timeout: Duration::from_millis(300),
        ..settings(&files, &[server])
    };
    let wrong_authority = TestServer::start(&other, |_| server::answer(200, ANSWER));
    let revoked = TestServer::revoked(&authority, |_| server::answer(200, ANSWER));
    let silent = TestServer::start(&authority, |_| {
        std::thread::sleep(Duration::from_secs(2));
        server::answer(200, ANSWER)
    });
    let large = TestServer::start(&authority, |_| server::answer(200, &format!("[{}]", " ".repeat(100_000))));
    let short =
        TestServer::start(&authority, |_| "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[".to_owned());
    for (settings, warning) in [
        (settings(&files, &[&wrong_authority]), "invalid peer certificate: "),
        (settings(&files, &[&revoked]), "invalid peer certificate: Revoked"),
        (quick(&silent), "timed out after 0.3 seconds"),
        (
            ClientSettings { max_answer: 50_000, ..settings(&files, &[&large]) },
            "the answer has more than 50000 bytes",
        ),
        (settings(&files, &[&short]), "the answer ends early"),
    ] {
        let (found, warnings) = titles(settings);
        assert!(
            found.unwrap_err().contains("on at least 1 of the following 'server_urls': https://localhost:")
        );
        assert!(warnings.len() == 1 && warnings[0].contains(warning), "{warnings:?} has no {warning}");
        assert!(!warnings[0].contains("PRIVATE KEY"));
    }
}

#[test]
fn commands_go_to_the_first_server_that_accepts_them_or_to_all() {
    let authority = TestAuthority::new();
    let files = authority.files();
    let received = Arc::new(Mutex::new(Vec::new()));
    let start = |name: &'static str, status| {
        let received = Arc::clone(&received);
        TestServer::start(&authority, move |request| {
            assert!(request.starts_with("POST /pdb/cmd/v1?version=5&certname=web&command=replace_facts&"));
            received.lock().unwrap().push(name);
            server::answer(status, "{}")
        })
    };
    let (broken, first, second, other) =
        (start("broken", 500), start("first", 200), start("second", 200), start("other", 200));
    let refusing = start("refusing", 400);
    let command = PuppetDbCommand {
        name: "replace_facts",
        version: 5,
        certname: "web".to_owned(),
        timestamp: "2026-01-02T03:04:05.678Z".to_owned(),
        payload: json!({}),
    };
    let submit = |servers: &[&TestServer], command_broadcast, min_successful_submissions| {
        received.lock().unwrap().clear();
        let settings = ClientSettings {
            command_broadcast,
            min_successful_submissions,
            submit_only_server_urls: vec![other.url()],
            ..settings(&files, servers)
        };
        let submitted = PuppetDbClient::new(settings, Limits::DEFAULT).unwrap().submit(&command, &mut |_| {});
        let submitted = submitted.map_err(|error| error.message().to_owned());
        (submitted, received.lock().unwrap().join(" "))
    };
    assert_eq!(submit(&[&first, &second], false, 1), (Ok(()), "first".to_owned()));
    assert_eq!(submit(&[&broken, &first], false, 1), (Ok(()), "broken first".to_owned()));
    assert_eq!(submit(&[&broken], false, 1), (Ok(()), "broken other".to_owned()));
    assert_eq!(submit(&[&broken, &first], true, 2), (Ok(()), "broken first other".to_owned()));
    let (failed, asked) = submit(&[&broken, &first], true, 3);
    assert!(failed.unwrap_err().contains("on at least 3 of the following 'server_urls': https://"));
    assert_eq!(asked, "broken first other");
    let (failed, asked) = submit(&[&refusing, &first], false, 1);
    assert!(failed.unwrap_err().ends_with("to PuppetDB: [400 Bad Request] {}"));
    assert_eq!(asked, "refusing");
}

#[test]
fn files_that_are_no_certificates_are_named() {
    let files = TestAuthority::new().files();
    std::fs::write(files.path("empty.pem"), "").unwrap();
    let wrong = |settings| PuppetDbClient::new(settings, Limits::DEFAULT).unwrap_err().message().to_owned();
    let plain = ClientSettings::default();
    let empty = files.path("empty.pem");
    assert!(
        wrong(ClientSettings { ca: Some(empty.clone()), ..plain.clone() })
            .ends_with("empty.pem: there is no certificate in PEM")
    );
    assert!(
        wrong(ClientSettings { ca: Some(files.path("none.pem")), ..plain.clone() })
            .contains("none.pem: No such file or directory")
    );
    let identity = Some((empty.clone(), empty));
    assert!(wrong(ClientSettings { identity, ..plain.clone() }).contains("not a certificate and its key"));
    let server_urls = vec!["https://a:8081/path".to_owned()];
    assert_eq!(
        wrong(ClientSettings { server_urls, ..plain }),
        "PuppetDB 'server_urls' cannot contain URL paths, found 'https://a:8081/path'"
    );
}
