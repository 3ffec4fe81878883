//! Answers: columns, functions, groups, order, pages.

use crate::database::{ask, short};
use serde_json::{Value as Json, json};

fn check(cases: &[(&str, Json)]) {
    for (query, expected) in cases {
        let rows = Json::Array(ask(query).unwrap_or_else(|problem| panic!("{query}: {problem}")));
        assert_eq!(rows.to_string(), expected.to_string(), "{query}");
    }
}

fn number(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

#[test]
fn columns_have_the_order_of_the_query_and_functions_come_first() {
    check(&[
        (
            "facts[value, certname] { name = 'uptime' and certname = 'db1' }",
            json!([{"value": 20, "certname": "db1"}]),
        ),
        (
            "facts { name = 'uptime' and certname = 'db1' }",
            json!([{"certname": "db1", "environment": "test", "name": "uptime", "value": 20}]),
        ),
        ("environments[] { name = 'test' }", json!([{"name": "test"}])),
        (
            "inventory[facts.os.family, certname] { certname = 'web2' }",
            json!([{"facts.os.family": "RedHat", "certname": "web2"}]),
        ),
        (
            "inventory[facts.os] { certname = 'db1' }",
            json!([{"facts.os": {"family": "Debian", "release": {"major": "11"}}}]),
        ),
        ("inventory[facts.nowhere] { certname = 'db1' }", json!([{"facts.nowhere": null}])),
        ("inventory[trusted.certname] { certname = 'db1' }", json!([{"trusted.certname": "db1"}])),
        ("inventory[facts.odd.\"a.b\" ] { certname = 'web1' }", json!([{"facts.odd.\"a.b\"": {"c-d": "x"}}])),
        (
            "resources[parameters.port] { title = 'Apache' }",
            json!([{"parameters.port": 80}, {"parameters.port": 8080}]),
        ),
        (
            "facts[certname, count()] { name ~ 'up|ker' group by certname }",
            json!([{"count": 2, "certname": "db1"}, {"count": 2, "certname": "web1"}, {"count": 2, "certname": "web2"}]),
        ),
        (
            "fact_contents[path, value] { name = 'tags' }",
            json!([{"path": ["tags", 0], "value": "a"}, {"path": ["tags", 1], "value": "b"}]),
        ),
        (
            "edges {}",
            json!([{"certname": "web1", "relationship": "contains", "source_title": "Apache", "source_type": "Class",
                "target_title": "/etc/motd", "target_type": "File"}]),
        ),
        // Rows of more than eight columns are in the order of Clojure's maps.
        (
            "resources { title = 'Postgresql' }",
            json!([{"tags": ["class", "postgresql"], "file": null, "type": "Class", "title": "Postgresql", "line": null,
                "resource": null, "environment": "test", "certname": "db1", "parameters": null, "exported": false}]),
        ),
    ]);
}

#[test]
fn functions_fold_rows() {
    check(&[
        ("nodes[count()] {}", json!([{"count": 3}])),
        ("nodes[count()] { certname = 'x' }", json!([{"count": 0}])),
        ("nodes[count(latest_report_status)] {}", json!([{"count": 2}])),
        ("nodes[count(certname)] {}", json!([{"count": 3}])),
        ("facts[sum(value)] { name = 'uptime' }", json!([{"sum": 4520}])),
        ("facts[avg(value)] { name = 'uptime' }", json!([{"avg": number("1506.6666666666666667")}])),
        ("facts[min(value), max(value)] { name = 'uptime' }", json!([{"min": 20, "max": 4000}])),
        // Texts that are numbers count, too.
        ("facts[sum(value)] { name = 'zone' }", json!([{"sum": 11}])),
        ("facts[max(value)] { name = 'none' }", json!([{"max": null}])),
        ("facts[sum(value)] { name = 'nowhere' }", json!([{"sum": null}])),
        ("fact_contents[sum(value)] { path = ['uptime'] }", json!([{"sum": 4520}])),
        ("resources[sum(line), min(line), count(line)] {}", json!([{"sum": 10, "min": 3, "count": 3}])),
        ("resources[avg(line)] {}", json!([{"avg": number("3.3333333333333333")}])),
        ("nodes[min(certname), max(certname)] {}", json!([{"min": "db1", "max": "web2"}])),
        ("nodes[max(report_timestamp)] {}", json!([{"max": "2024-05-02T10:05:00.500Z"}])),
        (
            "nodes[to_string(report_timestamp, 'YYYY-MM')] { certname = 'web1' }",
            json!([{"to_string": "2024-05"}]),
        ),
        (
            "facts[to_string(value, '999999')] { name = 'uptime' and certname = 'db1' }",
            json!([{"to_string": "     20"}]),
        ),
        (
            "[\"from\",\"facts\",[\"extract\",[[\"function\",\"jsonb_typeof\",\"value\"],\"name\"],[\"and\",[\"=\",\"certname\",\"db1\"],[\"~\",\"name\",\"os|up\"]]]]",
            json!([{"jsonb_typeof": "object", "name": "os"}, {"jsonb_typeof": "number", "name": "uptime"}]),
        ),
    ]);
}

#[test]
fn groups_are_counted() {
    check(&[
        (
            "resources[type, count()] { group by type }",
            json!([
                {"count": 3, "type": "Class"}, {"count": 2, "type": "File"}, {"count": 1, "type": "Host"}
            ]),
        ),
        (
            "resources[type, title, count()] { type = 'Class' group by type, title }",
            json!([
                {"count": 1, "type": "Class", "title": "Postgresql"}, {"count": 2, "type": "Class", "title": "Apache"}
            ]),
        ),
        ("resources[type] { group by type }", json!([{"type": "Class"}, {"type": "File"}, {"type": "Host"}])),
        (
            "inventory[facts.os.family, count()] { group by facts.os.family }",
            json!([
                {"count": 2, "facts.os.family": "Debian"}, {"count": 1, "facts.os.family": "RedHat"}
            ]),
        ),
        (
            "inventory[facts.load, count()] { group by facts.load }",
            json!([
                {"count": 2, "facts.load": null}, {"count": 1, "facts.load": 1.5}
            ]),
        ),
        (
            "nodes[latest_report_status, count()] { group by latest_report_status }",
            json!([
                {"count": 1, "latest_report_status": null}, {"count": 1, "latest_report_status": "changed"},
                {"count": 1, "latest_report_status": "failed"}
            ]),
        ),
        (
            "facts[count(), value] { name = 'kernel' group by value }",
            json!([
                {"count": 1, "value": "linux"}, {"count": 2, "value": "Linux"}
            ]),
        ),
        (
            "inventory[to_string(timestamp, 'MM'), count()] { group by to_string(timestamp, 'MM') }",
            json!([
                {"count": 1, "to_string": "04"}, {"count": 2, "to_string": "05"}
            ]),
        ),
        (
            "[\"from\",\"resources\",[\"extract\",[[\"function\",\"count\"],\"type\"],[\"group_by\",\"type\"]],[\"order_by\",[[\"type\",\"desc\"]]],[\"limit\",1]]",
            json!([{"count": 1, "type": "Host"}]),
        ),
    ]);
}

#[test]
fn rows_are_sorted_and_paged() {
    for (query, expected) in [
        ("nodes[certname] { order by certname desc }", "web2 web1 db1"),
        ("nodes[certname] { order by certname limit 2 }", "db1 web1"),
        ("nodes[certname] { order by certname asc offset 1 }", "web1 web2"),
        ("nodes[certname] { limit 1 offset 2 }", "web2"),
        ("nodes[certname] { offset 9 }", ""),
        // Nulls are greater than all values.
        ("nodes[certname] { order by latest_report_status }", "web1 web2 db1"),
        ("nodes[certname] { order by latest_report_status desc }", "db1 web2 web1"),
        ("nodes[certname] { order by facts_environment, certname desc }", "web2 web1 db1"),
        ("nodes[certname] { order by report_timestamp desc, certname }", "db1 web2 web1"),
        ("facts[certname] { name = 'uptime' order by value }", "db1 web2 web1"),
        ("facts[certname] { name = 'zone' order by value }", "web1 web2"),
        ("resources[title] { type = 'Class' order by title, certname }", "Apache Apache Postgresql"),
        (
            "[\"from\",\"nodes\",[\"extract\",\"certname\"],[\"order_by\",[[\"certname\",\"desc\"]]],[\"limit\",1]]",
            "web2",
        ),
        ("[\"from\",\"environments\",[\"limit\",1]]", "production"),
    ] {
        assert_eq!(short(query), expected, "{query}");
    }
}
