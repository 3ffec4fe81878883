//! The commands that store catalogs, facts and reports. Whole catalogs are compared with Puppet's termini by
//! `script/verify exported-resources`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use puppetfn_base::limits::Limits;
use puppetfn_puppetdb::commands::{
    PuppetDbCommand, Sender, StoredCatalog, replace_catalog, replace_facts, store_report,
};
use puppetfn_runtime::eval::Runtime;
use puppetfn_types::convert::json::from_json;
use puppetfn_types::value::Value;
use serde_json::{Value as Json, json};

fn sender() -> Sender {
    Sender { producer: "puppet".into(), time: "2026-01-02T03:04:05.678901Z".parse().unwrap() }
}

fn stored(code: &str) -> Result<PuppetDbCommand, String> {
    let runtime = Runtime::builder().manifests().node("web").build();
    runtime.evaluate(code, None).unwrap();
    runtime.complete_catalog().unwrap();
    let command = runtime.with_catalog(|draft| {
        let version = Value::Integer(7);
        let catalog = StoredCatalog {
            draft,
            environment: "production",
            version: &version,
            uuid: "u",
            code_id: None,
            transaction_uuid: None,
        };
        replace_catalog(&catalog, &sender(), &Limits::DEFAULT)
    });
    command.map_err(|error| error.message().to_owned())
}

/// Returns the edges of a command that are relationships, as `SOURCE RELATIONSHIP TARGET`.
fn relationships(command: &PuppetDbCommand) -> Vec<String> {
    let end =
        |edge: &Json, name: &str| format!("{}[{}]", edge[name]["type"], edge[name]["title"]).replace('"', "");
    let edges = command.payload["edges"].as_array().unwrap().iter();
    let related = edges.filter(|edge| edge["relationship"] != "contains");
    let shown = |edge: &Json| {
        format!("{} {} {}", end(edge, "source"), edge["relationship"].as_str().unwrap(), end(edge, "target"))
    };
    related.map(shown).collect()
}

#[test]
fn a_catalog_has_exported_resources_but_no_virtual_or_sensitive_ones() {
    let command = stored(
        "@@notify { 'e': } @notify { 'v': } notify { 's': message => Sensitive('x'), tag => ['b', 'a'] }",
    )
    .unwrap();
    assert_eq!((command.name, command.version, &*command.certname), ("replace_catalog", 9, "web"));
    assert_eq!(command.timestamp, "2026-01-02T03:04:05.678Z");
    let payload = &command.payload;
    for (member, value) in [
        ("certname", json!("web")),
        ("version", json!("7")),
        ("environment", json!("production")),
        ("producer", json!("puppet")),
        ("producer_timestamp", json!("2026-01-02T03:04:05.678Z")),
        ("catalog_uuid", json!("u")),
        ("transaction_uuid", json!(null)),
    ] {
        assert_eq!(payload[member], value, "{member}");
    }
    let resources = payload["resources"].as_array().unwrap();
    assert_eq!(resources[0]["parameters"], json!({"name": "main", "alias": ["main"]}));
    let of_notify: Vec<&Json> = resources.iter().filter(|resource| resource["type"] == "Notify").collect();
    assert_eq!(of_notify.len(), 2);
    assert_eq!(
        *of_notify[0],
        json!({
            "type": "Notify", "title": "e", "tags": ["notify", "e", "class"], "file": "", "line": 1, "exported": true,
            "kind": "compilable_type", "parameters": {},
        })
    );
    assert_eq!(of_notify[1]["parameters"], json!({"tag": ["a", "b"]}));
    assert!(!payload.to_string().contains("\"x\""));
}

#[test]
fn relationships_are_edges_between_titles() {
    let code = "
        notify { 'a': before => Notify['b'], require => [File['/d/'], Notify['other']] }
        notify { 'b': subscribe => Notify['a'], notify => Notify['a'] }
        notify { 'c': alias => 'other' }
        file { '/d': }";
    assert_eq!(
        relationships(&stored(code).unwrap()),
        [
            "Notify[a] before Notify[b]",
            "File[/d] required-by Notify[a]",
            "Notify[c] required-by Notify[a]",
            "Notify[b] notifies Notify[a]",
            "Notify[a] subscription-of Notify[b]",
        ]
    );
}

#[test]
fn a_relationship_with_an_exported_resource_is_an_error() {
    let message = stored("notify { 'a': before => Notify['e'] } @@notify { 'e': }").unwrap_err();
    assert_eq!(
        message,
        "Invalid relationship: Notify[a] { before => Notify[e] }, because Notify[e] is exported but not collected"
    );
}

#[test]
fn facts_have_trusted_facts_and_no_inventory() {
    let facts = json!({"os": {"family": "Debian"}, "_puppet_inventory_1": {"packages": [["a", "1", "apt"]]}});
    let Value::Hash(facts) = from_json(&facts, &Limits::DEFAULT).unwrap() else { unreachable!() };
    let Value::Hash(trusted) = from_json(&json!({"certname": "web"}), &Limits::DEFAULT).unwrap() else {
        unreachable!()
    };
    let command = replace_facts("web", "production", &facts, &trusted, &sender(), &Limits::DEFAULT).unwrap();
    assert_eq!((command.name, command.version), ("replace_facts", 5));
    assert_eq!(
        command.payload,
        json!({
            "certname": "web",
            "values": {"os": {"family": "Debian"}, "trusted": {"certname": "web"}},
            "environment": "production",
            "producer_timestamp": "2026-01-02T03:04:05.678Z",
            "producer": "puppet",
            "package_inventory": [["a", "1", "apt"]],
        })
    );
}

#[test]
fn a_report_has_resources_with_events_or_that_were_skipped() {
    let event = json!({
        "property": "ensure", "previous_value": "absent", "desired_value": ["present"], "message": "created", "name": "file_created",
        "status": "noop", "time": "2026-01-02T03:04:06+01:00", "corrective_change": false,
    });
    let status = |events: Json, skipped: bool| {
        json!({"title": "/a", "resource_type": "File", "time": "2026-01-02T03:04:05.5Z", "skipped": skipped, "events": events,
               "containment_path": ["Stage[main]"], "file": null, "line": 3, "corrective_change": false})
    };
    let report = json!({
        "host": "web", "environment": "production", "time": "2026-01-02T03:04:05.123456789+00:00", "status": "changed",
        "configuration_version": 17, "report_format": 12, "puppet_version": "8.11.0", "noop": null, "noop_pending": true,
        "logs": [{"level": "notice", "message": "m", "source": "s", "tags": ["t"], "time": "2026-01-02T03:04:05Z", "file": "f", "line": 1}],
        "metrics": {"time": {"name": "time", "label": "Time", "values": [["total", "Total", 1.5], ["file", "File", 0.25]]}},
        "resource_statuses": {"File[/a]": status(json!([event]), false), "File[/b]": status(json!([]), false), "File[/c]": status(json!([]), true)},
    });
    let command = store_report(&report, false, &sender()).unwrap();
    assert_eq!((command.name, command.version, &*command.certname), ("store_report", 8, "web"));
    let payload = &command.payload;
    assert_eq!(payload["start_time"], "2026-01-02T03:04:05.123Z");
    assert_eq!(payload["end_time"], "2026-01-02T03:04:06.623Z");
    assert_eq!((&payload["configuration_version"], &payload["noop"]), (&json!("17"), &json!(true)));
    assert_eq!(
        payload["metrics"],
        json!([
            {"category": "time", "name": "total", "value": 1.5}, {"category": "time", "name": "file", "value": 0.25},
        ])
    );
    assert_eq!(payload["resources"].as_array().unwrap().len(), 2);
    assert_eq!(
        payload["resources"][0]["events"],
        json!([{
            "status": "noop", "timestamp": "2026-01-02T02:04:06.000Z", "name": "file_created", "property": "ensure",
            "new_value": "[\"present\"]", "old_value": "absent", "corrective_change": false, "message": "created",
        }])
    );
    assert_eq!(
        store_report(&json!({"host": "web"}), false, &sender()).unwrap_err().message(),
        "the report has no environment"
    );
}
