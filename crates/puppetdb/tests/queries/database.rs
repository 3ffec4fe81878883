//! The database of the tests.

use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_puppetdb::{Database, Entity, Query, Row};
use serde_json::{Value as Json, json};

fn rows(rows: Json) -> Vec<Row> {
    serde_json::from_value(rows).unwrap()
}

/// Returns a database of three nodes.
pub fn database() -> Database {
    let mut database = Database::default();
    let inventory = json!([
        {
            "certname": "web1", "environment": "production", "timestamp": "2024-05-01T10:00:00.000Z",
            "facts": {
                "os": {"family": "Debian", "release": {"major": "12"}}, "kernel": "Linux", "uptime": 4000, "load": 1.5,
                "virtual": true, "none": null, "disks": [{"size": 10}, {"size": 20}], "tags": ["a", "b"], "version": "1.10",
                "odd": {"a.b": {"c-d": "x"}, "q\"r": 1}, "zone": "8", "42": "answer",
            },
            "trusted": {"certname": "web1", "extensions": {"pp_role": "web"}},
        },
        {
            "certname": "web2", "environment": "production", "timestamp": "2024-05-02T10:00:00.000Z",
            "facts": {"os": {"family": "RedHat", "release": {"major": "9"}}, "kernel": "Linux", "uptime": 500, "virtual": false,
                "zone": 3, "version": "1.9"},
            "trusted": {"certname": "web2", "extensions": {"pp_role": "web"}},
        },
        {
            "certname": "db1", "environment": "test", "timestamp": "2024-04-01T10:00:00.000Z",
            "facts": {"os": {"family": "Debian", "release": {"major": "11"}}, "kernel": "linux", "uptime": 20},
            "trusted": {"certname": "db1", "extensions": {}},
        },
    ]);
    database.add_answer(Entity::Inventory, rows(inventory)).unwrap();
    let resource = |node: &str,
                    kind: &str,
                    title: &str,
                    tags: &[&str],
                    exported: bool,
                    line: Json,
                    parameters: Json| {
        let environment = if node == "db1" { "test" } else { "production" };
        let file = if line.is_null() { Json::Null } else { json!("/site.pp") };
        json!({"certname": node, "environment": environment, "type": kind, "title": title, "tags": tags, "exported": exported,
            "file": file, "line": line, "parameters": parameters})
    };
    let resources = json!([
        resource("web1", "Class", "Apache", &["class", "apache"], false, Json::Null, json!({"port": 80})),
        resource(
            "web1",
            "File",
            "/etc/motd",
            &["file", "motd"],
            false,
            json!(3),
            json!({"ensure": "present", "mode": "0644"})
        ),
        resource(
            "web1",
            "Host",
            "web1",
            &["host"],
            true,
            json!(4),
            json!({"ip": "10.0.0.1", "host_aliases": ["a", "b"]})
        ),
        resource("web2", "Class", "Apache", &["class", "apache"], false, Json::Null, json!({"port": 8080})),
        resource(
            "web2",
            "File",
            "/etc/motd",
            &["file", "motd"],
            false,
            json!(3),
            json!({"ensure": "absent"})
        ),
        resource("db1", "Class", "Postgresql", &["class", "postgresql"], false, Json::Null, Json::Null),
    ]);
    database.add_answer(Entity::Resources, rows(resources)).unwrap();
    let edges = json!([{"certname": "web1", "relationship": "contains", "source_type": "Class", "source_title": "Apache",
        "target_type": "File", "target_title": "/etc/motd"}]);
    database.add_answer(Entity::Edges, rows(edges)).unwrap();
    database.add_answer(Entity::Nodes, rows(nodes())).unwrap();
    database
}

fn nodes() -> Json {
    let node = |name: &str, status: Json, deactivated: Json, reported: Json| {
        json!({"certname": name, "deactivated": deactivated, "expired": null, "facts_environment": "production",
            "catalog_environment": "production", "report_environment": null, "latest_report_status": status,
            "latest_report_noop": false, "report_timestamp": reported, "facts_timestamp": "2024-05-01T10:00:00.000Z"})
    };
    json!([
        node("web1", json!("changed"), Json::Null, json!("2024-05-01T10:05:00.000Z")),
        node("web2", json!("failed"), Json::Null, json!("2024-05-02T10:05:00.500Z")),
        node("db1", Json::Null, Json::Null, Json::Null),
        node("old", json!("unchanged"), json!("2023-01-01T00:00:00.000Z"), Json::Null),
    ])
}

/// Parses and runs a query.
pub fn ask(query: &str) -> Result<Vec<Json>, String> {
    let query = Query::parse(query, &Limits::DEFAULT)
        .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
    query.run(&database(), &Limits::DEFAULT).map_err(|error: Error| error.message().to_owned())
}

/// Returns the answer in short: the only column of each row, or its name.
pub fn short(query: &str) -> String {
    let rows = ask(query).unwrap_or_else(|problem| panic!("{query}: {problem}"));
    let shown = rows.iter().map(|row| {
        let Json::Object(columns) = row else { return row.to_string() };
        let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match columns.len() {
            1 => columns.values().map(text).collect(),
            _ => {
                let names = ["certname", "name", "title", "path"].into_iter();
                let found: Vec<String> = names.filter_map(|name| columns.get(name)).map(text).collect();
                found.join("/")
            }
        }
    });
    shown.collect::<Vec<String>>().join(" ")
}
