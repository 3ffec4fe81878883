//! Conditions: operators, types, nulls, subqueries.

use crate::database::short;

/// Checks the short answers of queries.
fn check(cases: &[(&str, &str)]) {
    for (query, expected) in cases {
        assert_eq!(short(query), *expected, "{query}");
    }
}

#[test]
fn texts_are_compared_with_their_case_and_regular_expressions_find_parts() {
    check(&[
        ("nodes[certname] {}", "db1 web1 web2"),
        ("nodes[certname] { certname = 'web1' }", "web1"),
        ("nodes[certname] { certname = 'WEB1' }", ""),
        ("nodes[certname] { certname != 'web1' }", "db1 web2"),
        ("nodes[certname] { certname ~ 'eb' }", "web1 web2"),
        ("nodes[certname] { certname ~ '^b' }", ""),
        ("nodes[certname] { certname !~ '^web' }", "db1"),
        ("nodes[certname] { certname ~ '(?i)WEB\\d$' }", "web1 web2"),
        ("nodes[certname] { certname in ['web1', 'db1', 'x'] }", "db1 web1"),
        ("nodes[certname] { !(certname in ['web1', 'db1']) }", "web2"),
        ("nodes[certname] { certname = 'web1' or certname = 'db1' }", "db1 web1"),
        ("nodes[certname] { certname ~ 'web' and !certname = 'web1' }", "web2"),
        ("[\"from\", \"nodes\", [\"extract\", \"certname\", [\"=\", \"certname\", \"web1\"]]]", "web1"),
    ]);
}

#[test]
fn nulls_are_neither_equal_nor_different() {
    check(&[
        ("nodes[certname] { latest_report_status = 'failed' }", "web2"),
        ("nodes[certname] { latest_report_status != 'failed' }", "web1"),
        ("nodes[certname] { !(latest_report_status = 'failed' or certname = 'x') }", "web1"),
        ("nodes[certname] { latest_report_status is null }", "db1"),
        ("nodes[certname] { latest_report_status is not null }", "web1 web2"),
        ("[\"from\",\"nodes\",[\"extract\",\"certname\",[\"=\",\"latest_report_status\",null]]]", "db1"),
        // A regular expression is false for null, so that its negation is true: see `sql-regexp-match`.
        ("nodes[certname] { latest_report_status ~ 'fail' }", "web2"),
        ("nodes[certname] { latest_report_status !~ 'fail' }", "db1 web1"),
        ("nodes[certname] { latest_report_status in ['failed'] }", "web2"),
        ("nodes[certname] { !(latest_report_status in ['failed']) }", "web1"),
        ("nodes[certname] { latest_report_noop = false }", "db1 web1 web2"),
        ("resources[title] { line is null }", "Postgresql Apache Apache"),
        ("resources[title] { line != 3 }", "web1"),
        ("resources[title] { file !~ 'site' }", "Postgresql Apache Apache"),
    ]);
}

#[test]
fn deactivated_nodes_are_left_out_unless_a_query_names_their_state() {
    check(&[
        ("nodes[certname] { certname = 'old' }", ""),
        ("nodes[certname] { node_state = 'any' }", "db1 old web1 web2"),
        ("nodes[certname] { node_state = 'inactive' }", "old"),
        ("nodes[certname] { node_state = 'ACTIVE' and certname ~ 'web' }", "web1 web2"),
        ("[\"from\",\"nodes\",[\"extract\",\"certname\",[\"=\",[\"node\",\"active\"],false]]]", "old"),
        // Any state is no condition, in `or` as well.
        ("nodes[certname] { certname ~ 'o' and (node_state = 'any' or certname = 'x') }", ""),
        ("nodes[certname] { deactivated is not null and node_state = 'any' }", "old"),
    ]);
}

#[test]
fn times_and_numbers_are_ordered() {
    check(&[
        ("nodes[certname] { report_timestamp > '2024-05-01T10:05:00Z' }", "web2"),
        ("nodes[certname] { report_timestamp >= '2024-05-01T12:05:00+02:00' }", "web1 web2"),
        ("nodes[certname] { report_timestamp < '2024-05-02' }", "web1"),
        ("nodes[certname] { !(report_timestamp < '2024-05-02') }", "web2"),
        ("nodes[certname] { report_timestamp = '2024-05-02 10:05:00.5' }", "web2"),
        ("nodes[certname] { report_timestamp is null }", "db1"),
        ("nodes[certname] { report_timestamp in ['2024-05-01T10:05:00Z', '2020-01-01'] }", "web1"),
        ("resources[title] { line > 3 }", "web1"),
        ("resources[title] { line <= 3 }", "/etc/motd /etc/motd"),
        ("resources[title] { line = 3.0 }", "/etc/motd /etc/motd"),
        ("inventory[certname] { timestamp >= '2024-05-01' }", "web1 web2"),
    ]);
}

#[test]
fn tags_ignore_case_and_lists_are_asked_for_elements() {
    check(&[
        ("resources[certname] { tag = 'APACHE' }", "web1 web2"),
        ("resources[title] { tags = 'motd' }", "/etc/motd /etc/motd"),
        ("resources[title] { tags = 'MOTD' }", ""),
        ("resources[title] { tag ~ '^Post' }", "Postgresql"),
        ("resources[title] { tags ~ 'gres' }", "Postgresql"),
        ("resources[title] { exported = true }", "web1"),
        ("resources[title] { exported = false and type = 'Class' }", "Postgresql Apache Apache"),
        ("resources[title] { type = 'any' and certname = 'db1' }", "Postgresql"),
    ]);
}

#[test]
fn members_of_documents_are_asked_for_by_dotted_fields() {
    check(&[
        ("inventory[certname] { facts.os.family = 'Debian' }", "db1 web1"),
        ("inventory[certname] { facts.os.family != 'Debian' }", "web2"),
        ("inventory[certname] { facts.kernel = 'Linux' }", "web1 web2"),
        ("inventory[certname] { facts.os.release.major ~ '^1' }", "db1 web1"),
        ("inventory[certname] { facts.none = 'x' or facts.nowhere = 'x' }", ""),
        ("inventory[certname] { !(facts.nowhere = 'x') }", "db1 web1 web2"),
        ("inventory[certname] { facts.uptime > 400 }", "web1 web2"),
        ("inventory[certname] { facts.uptime <= 20 }", "db1"),
        ("inventory[certname] { facts.uptime = 4000.0 }", "web1"),
        ("inventory[certname] { facts.uptime = '4000' }", ""),
        ("inventory[certname] { facts.load >= 1.5 }", "web1"),
        ("inventory[certname] { facts.virtual = true }", "web1"),
        ("inventory[certname] { facts.virtual ~ 'true' }", "web1"),
        ("inventory[certname] { facts.uptime ~ '^4' }", "web1"),
        // Numbers are greater than texts in the order of jsonb.
        ("inventory[certname] { facts.zone < 5 }", "web1 web2"),
        ("inventory[certname] { facts.zone > 5 }", ""),
        ("inventory[certname] { facts.version > '1.10' }", "web2"),
        // Nothing is known of members that do not exist.
        ("inventory[certname] { !(facts.nowhere > 1) }", ""),
        ("inventory[certname] { !(facts.nowhere ~ 'x') }", ""),
        ("inventory[certname] { !(facts.nowhere[0] = 1) }", ""),
        ("inventory[certname] { !(facts.os.nowhere > 1) }", ""),
        ("inventory[certname] { !(facts.os.nowhere ~ 'x') }", ""),
        ("inventory[certname] { facts.disks[1].size = 20 }", "web1"),
        ("inventory[certname] { facts.disks[0].size > 9 }", "web1"),
        ("inventory[certname] { facts.disks.1.size = 20 }", "web1"),
        ("inventory[certname] { facts.disks[7].size = 20 }", ""),
        ("inventory[certname] { facts.tags[0] = 'a' }", "web1"),
        // A member is asked for exactly: lists contain lists, not texts.
        ("inventory[certname] { facts.tags = 'a' }", ""),
        ("inventory[certname] { facts.tags = ['b'] }", "web1"),
        ("inventory[certname] { facts.odd.\"a.b\".\"c-d\" = 'x' }", "web1"),
        ("inventory[certname] { facts.odd.\"q\"r\" = 1 }", "web1"),
        ("inventory[certname] { facts.42 = 'answer' }", "web1"),
        ("inventory[certname] { trusted.extensions.pp_role = 'web' }", "web1 web2"),
        ("inventory[certname] { trusted.certname ~ '^db' }", "db1"),
        ("inventory[certname] { facts.trusted.certname = 'web2' }", "web2"),
        // Only a null that is there is null.
        ("inventory[certname] { facts.none is null }", "web1"),
        ("inventory[certname] { facts.none is not null }", ""),
        ("inventory[certname] { facts.load is not null }", "web1"),
        ("inventory[certname] { facts.load is null }", ""),
        ("inventory[certname] { trusted.extensions.pp_role is not null }", "web1 web2"),
    ]);
}

#[test]
fn parameters_of_resources_are_documents() {
    check(&[
        ("resources[certname] { type = 'Class' and parameters.port = 80 }", "web1"),
        ("resources[certname] { type = 'Class' and parameters.port > 100 }", "web2"),
        ("resources[certname] { type = 'File' and parameters.ensure ~ 'sent' }", "web1 web2"),
        ("resources[certname] { parameters.host_aliases = ['b'] }", "web1"),
        ("resources[certname] { parameters.host_aliases[1] = 'b' }", "web1"),
        // Without parameters, nothing is known of any.
        ("resources[certname] { type = 'Class' and !(parameters.port = 80) }", "web2"),
        (
            "[\"from\",\"resources\",[\"extract\",\"certname\",[\"=\",[\"parameter\",\"ensure\"],\"present\"]]]",
            "web1",
        ),
        ("[\"from\",\"resources\",[\"extract\",\"certname\",[\"=\",[\"parameter\",\"port\"],80]]]", "web1"),
        (
            "[\"from\",\"resources\",[\"extract\",\"certname\",[\"=\",[\"parameter\",\"host_aliases\"],[\"a\",\"b\"]]]]",
            "web1",
        ),
        // PuppetDB matches the JSON of the parameter, with the regular expression as JSON.
        (
            "[\"from\",\"resources\",[\"extract\",\"certname\",[\"~\",[\"parameter\",\"ensure\"],\"pre.*\"]]]",
            "web1",
        ),
        (
            "[\"from\",\"resources\",[\"extract\",\"certname\",[\"~\",[\"parameter\",\"ensure\"],\"resent\"]]]",
            "",
        ),
        (
            "[\"from\",\"resources\",[\"extract\",\"certname\",[\"and\",[\"=\",\"type\",\"File\"],[\"not\",[\"=\",[\"parameter\",\"mode\"],\"0644\"]]]]]",
            "web2",
        ),
    ]);
}

#[test]
fn values_of_facts_keep_their_types() {
    check(&[
        ("facts[certname] { name = 'uptime' and value = 500 }", "web2"),
        ("facts[certname] { name = 'uptime' and value = '500' }", ""),
        ("facts[certname] { name = 'uptime' and value > 400 }", "web1 web2"),
        ("facts[certname] { name = 'zone' and value < 5 }", "web2"),
        ("facts[certname] { name = 'zone' and value = '8' }", "web1"),
        ("facts[certname] { name = 'virtual' and value = true }", "web1"),
        ("facts[certname] { name = 'kernel' and value ~ 'inux' }", "db1 web1 web2"),
        ("facts[certname] { name = 'uptime' and value ~ '00$' }", "web1 web2"),
        ("facts[certname] { name = 'kernel' and value != 'Linux' }", "db1"),
        ("facts[certname] { name = 'kernel' and value in ['Linux', 'SunOS'] }", "web1 web2"),
        ("facts[certname] { name = 'uptime' and value in [20, 500] }", "db1 web2"),
        ("facts[certname] { name = 'none' and value is null }", "web1"),
        ("facts[certname] { name = 'tags' and value = ['a', 'b'] }", "web1"),
        ("facts[name] { certname = 'db1' }", "os kernel uptime trusted"),
        ("facts[name] { certname = 'web2' and name ~ '^[kv]' }", "kernel version virtual"),
        ("facts[certname] { name = 'kernel' and environment = 'test' }", "db1"),
    ]);
}

#[test]
fn leaves_of_facts_have_paths() {
    check(&[
        ("fact_contents[value] { path = ['os', 'family'] and certname = 'web1' }", "Debian"),
        ("fact_contents[value] { path = ['disks', 1, 'size'] }", "20"),
        ("fact_contents[value] { path = ['disks', '1', 'size'] }", ""),
        ("fact_contents[value] { path in [['disks', 0, 'size'], ['tags', 1]] }", "b 10"),
        ("fact_contents[value] { path ~> ['disks', '.*', 'si.e'] }", "10 20"),
        ("fact_contents[value] { path ~> ['os', 'release'] }", ""),
        ("fact_contents[value] { path ~> ['tags', '\\d'] }", "a b"),
        ("[\"from\",\"fact_contents\",[\"extract\",\"value\",[\"~>\",\"path\",[\"tags\",0]]]]", "a"),
        ("fact_contents[value] { name = 'os' and value ~ '^R' }", "RedHat"),
        ("fact_contents[certname] { path = ['uptime'] and value > 400 }", "web1 web2"),
        (
            "fact_contents[path] { certname = 'web2' and name = 'os' }",
            "[\"os\",\"family\"] [\"os\",\"release\",\"major\"]",
        ),
        ("fact_paths[path] { name = 'disks' }", "[\"disks\",0,\"size\"] [\"disks\",1,\"size\"]"),
        (
            "fact_paths[path] { path ~> ['di.*', '.*', 'size'] }",
            "[\"disks\",0,\"size\"] [\"disks\",1,\"size\"]",
        ),
        ("fact_paths[path] { path ~> ['di.*'] }", ""),
        ("fact_paths[type] { name = 'load' }", "float"),
        ("fact_paths[name] { depth = 0 and type = 'boolean' }", "virtual"),
        (
            "[\"from\",\"fact_names\"]",
            "\"42\" \"disks\" \"kernel\" \"load\" \"none\" \"odd\" \"os\" \"tags\" \"trusted\" \"uptime\" \"version\" \"virtual\" \"zone\"",
        ),
        ("environments {}", "production test"),
        ("environments { name ~ 'st' }", "test"),
        ("edges[target_title] { source_type = 'Class' }", "/etc/motd"),
    ]);
}

#[test]
fn subqueries_relate_entities() {
    check(&[
        (
            "nodes[certname] { certname in resources[certname] { type = 'Class' and title = 'Apache' } }",
            "web1 web2",
        ),
        ("nodes[certname] { !(certname in resources[certname] { title = 'Apache' }) }", "db1"),
        ("nodes[certname] { resources { type = 'Class' and title = 'Postgresql' } }", "db1"),
        (
            "nodes[certname] { resources { title = 'Apache' } and inventory { facts.os.family = 'Debian' } }",
            "web1",
        ),
        ("nodes[certname] { facts { name = 'kernel' and value = 'Linux' } }", "web1 web2"),
        ("facts[value] { name = 'kernel' and resources { title = 'Postgresql' } }", "linux"),
        ("facts[value] { fact_contents { value < 100 } and certname = 'db1' }", "20"),
        (
            "facts[value] { [certname, name] in fact_contents[certname, name] { value = 8 or value = '8' } }",
            "8",
        ),
        ("nodes[certname] { certname in nodes[certname] { limit 1 } }", "db1"),
        ("nodes[certname] { certname in nodes[certname] { order by certname desc limit 2 } }", "web1 web2"),
        ("nodes[certname] { certname in nodes[certname] { order by certname offset 2 limit 1 } }", "web1"),
        ("resources[title] { environments { name = 'test' } }", "Postgresql"),
        ("environments { facts { name = 'uptime' and value = 20 } }", "test"),
        ("environments { inventory { facts.kernel = 'Linux' } }", "production"),
        // Further columns of a subquery do not count.
        ("nodes[certname] { certname in facts[certname, name] { value = 20 } }", "db1"),
        ("edges[source_title] { nodes { certname = 'web1' } }", "Apache"),
        ("fact_paths[name] { facts { name = 'load' } }", "load"),
        ("fact_paths[name] { fact_contents { value = 1.5 } }", "load"),
        (
            "[\"from\",\"nodes\",[\"extract\",\"certname\",[\"in\",\"certname\",[\"extract\",\"certname\",[\"select_facts\",[\"and\",[\"=\",\"name\",\"uptime\"],[\">\",\"value\",100]]]]]]]",
            "web1 web2",
        ),
        // PuppetDB asks the inventory here, which compares values of different types.
        (
            "[\"from\",\"nodes\",[\"extract\",\"certname\",[\"in\",\"certname\",[\"extract\",\"certname\",[\"select_facts\",[\"and\",[\"=\",\"name\",\"zone\"],[\"<\",\"value\",5]]]]]]]",
            "web1 web2",
        ),
        (
            "[\"from\",\"nodes\",[\"extract\",\"certname\",[\"in\",[\"certname\"],[\"extract\",[\"certname\"],[\"select_facts\",[\"and\",[\"=\",\"name\",\"zone\"],[\"<\",\"value\",5]]]]]]]",
            "web2",
        ),
        (
            "[\"from\",\"nodes\",[\"extract\",\"certname\",[\"=\",[\"fact\",\"kernel\"],\"Linux\"]]]",
            "web1 web2",
        ),
        ("[\"from\",\"nodes\",[\"extract\",\"certname\",[\"~\",[\"fact\",\"kernel\"],\"^l\"]]]", "db1"),
        ("[\"from\",\"nodes\",[\"extract\",\"certname\",[\">\",[\"fact\",\"uptime\"],100]]]", "web1 web2"),
        (
            "[\"from\",\"nodes\",[\"extract\",\"certname\",[\"in\",[\"fact\",\"uptime\"],[\"array\",[20,500]]]]]",
            "db1 web2",
        ),
        (
            "[\"from\",\"nodes\",[\"extract\",\"certname\",[\"in\",\"certname\",[\"extract\",\"certname\",[\"select_resources\",[\"=\",\"exported\",true]]]]]]",
            "web1",
        ),
        (
            "[\"from\",\"facts\",[\"extract\",\"certname\",[\"=\",[\"function\",\"jsonb_typeof\",\"value\"],\"boolean\"]]]",
            "web1 web2",
        ),
        // A null among the members leaves open whether something is in them.
        ("nodes[certname] { certname in nodes[latest_report_status] {} }", ""),
        ("nodes[certname] { !(certname in nodes[latest_report_status] {}) }", ""),
        ("nodes[certname] { latest_report_status in nodes[latest_report_status] {} }", "web1 web2"),
    ]);
}
