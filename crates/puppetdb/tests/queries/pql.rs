//! PQL and the AST that it stands for.

use puppetfn_base::limits::Limits;
use puppetfn_puppetdb::Query;
use serde_json::{Value as Json, json};

fn ast(query: &str) -> Json {
    match Query::parse(query, &Limits::DEFAULT) {
        Ok(query) => query.ast().clone(),
        Err(problems) => panic!("{query}: {}", problems[0]),
    }
}

#[test]
fn pql_is_parsed_to_puppetdbs_ast() {
    for (query, expected) in [
        ("nodes {}", json!(["from", "nodes"])),
        (" nodes\n{ } ", json!(["from", "nodes"])),
        ("nodes[] {}", json!(["from", "nodes", ["extract", []]])),
        ("nodes{certname='a'}", json!(["from", "nodes", ["=", "certname", "a"]])),
        ("nodes[certname,expired]{}", json!(["from", "nodes", ["extract", ["certname", "expired"]]])),
        ("nodes { certname = \"a\\\"b\\n\" }", json!(["from", "nodes", ["=", "certname", "a\"b\n"]])),
        ("nodes { certname = 'a\\'b\\n' }", json!(["from", "nodes", ["=", "certname", "a'b\\n"]])),
        ("nodes { certname = 'a\\\\' }", json!(["from", "nodes", ["=", "certname", "a\\\\"]])),
        ("resources { line = -3 }", json!(["from", "resources", ["=", "line", -3]])),
        ("resources { line = 9223372036854775807 }", json!(["from", "resources", ["=", "line", i64::MAX]])),
        ("facts { value < 1.5 }", json!(["from", "facts", ["<", "value", 1.5]])),
        (
            "facts { value = 007.50e+2 }",
            json!(["from", "facts", ["=", "value", serde_json::from_str::<Json>("7.50e+2").unwrap()]]),
        ),
        ("facts { value = true }", json!(["from", "facts", ["=", "value", true]])),
        ("facts { value = [1, 'a'] }", json!(["from", "facts", ["=", "value", [1, "a"]]])),
        (
            "facts { name != 'a' and value !~ 'b' }",
            json!(["from", "facts", ["and", ["not", ["=", "name", "a"]], ["not", ["~", "value", "b"]]]]),
        ),
        (
            "nodes { certname in facts[certname] {} and !(certname = 'a') }",
            json!([
                "from",
                "nodes",
                [
                    "and",
                    ["in", "certname", ["from", "facts", ["extract", ["certname"]]]],
                    ["not", ["=", "certname", "a"]]
                ]
            ]),
        ),
        ("facts { !name = 'a' }", json!(["from", "facts", ["not", ["=", "name", "a"]]])),
        ("facts { ! ! (name = 'a') }", json!(["from", "facts", ["not", ["not", ["=", "name", "a"]]]])),
        (
            "facts { name = 'a' or name = 'b' and name = 'c' or name = 'd' }",
            json!([
                "from",
                "facts",
                [
                    "or",
                    ["=", "name", "a"],
                    ["and", ["=", "name", "b"], ["=", "name", "c"]],
                    ["=", "name", "d"]
                ]
            ]),
        ),
        (
            "facts { (name = 'a' or name = 'b') and (name = 'c') }",
            json!([
                "from",
                "facts",
                ["and", ["or", ["=", "name", "a"], ["=", "name", "b"]], ["=", "name", "c"]]
            ]),
        ),
        (
            "facts { name = 'a' and (name = 'b' and name = 'c') }",
            json!(["from", "facts", ["and", ["=", "name", "a"], ["=", "name", "b"], ["=", "name", "c"]]]),
        ),
        ("nodes { expired is null }", json!(["from", "nodes", ["null?", "expired", true]])),
        ("nodes { expired is not null }", json!(["from", "nodes", ["null?", "expired", false]])),
        (
            "nodes { certname in ['a', 'b'] }",
            json!(["from", "nodes", ["in", "certname", ["array", ["a", "b"]]]]),
        ),
        (
            "nodes { certname in facts[certname] { name = 'a' } }",
            json!([
                "from",
                "nodes",
                ["in", "certname", ["from", "facts", ["extract", ["certname"], ["=", "name", "a"]]]]
            ]),
        ),
        (
            "facts { [certname, name] in fact_contents[certname,name] { value < 1 } }",
            json!([
                "from",
                "facts",
                [
                    "in",
                    ["certname", "name"],
                    ["from", "fact_contents", ["extract", ["certname", "name"], ["<", "value", 1]]]
                ]
            ]),
        ),
        (
            "nodes { resources { type = 'File' } }",
            json!(["from", "nodes", ["subquery", "resources", ["=", "type", "File"]]]),
        ),
        ("nodes[count()] {}", json!(["from", "nodes", ["extract", [["function", "count"]]]])),
        (
            "nodes[count( certname )] {}",
            json!(["from", "nodes", ["extract", [["function", "count", "certname"]]]]),
        ),
        (
            "facts[name, count()] { group by name }",
            json!(["from", "facts", ["extract", ["name", ["function", "count"]], ["group_by", "name"]]]),
        ),
        (
            "facts[name, count()] { certname ~ 'web' group by name }",
            json!([
                "from",
                "facts",
                ["extract", ["name", ["function", "count"]], ["~", "certname", "web"], ["group_by", "name"]]
            ]),
        ),
        ("nodes { limit 1 offset 2 }", json!(["from", "nodes", ["limit", 1], ["offset", 2]])),
        (
            "nodes[certname] { certname = 'a' limit 1 order by certname desc, expired asc }",
            json!([
                "from",
                "nodes",
                ["extract", ["certname"], ["=", "certname", "a"]],
                ["limit", 1],
                ["order_by", [["certname", "desc"], ["expired", "asc"]]]
            ]),
        ),
        (
            "nodes { order by certname , expired limit 3 }",
            json!(["from", "nodes", ["order_by", ["certname", "expired"]], ["limit", 3]]),
        ),
        (
            "fact_contents { path ~> ['os', \"fam.*\"] }",
            json!(["from", "fact_contents", ["~>", "path", ["os", "fam.*"]]]),
        ),
        (
            "inventory { facts.os.family = 'Debian' }",
            json!(["from", "inventory", ["=", "facts.os.family", "Debian"]]),
        ),
        (
            "inventory { facts.\"a b\".c[0] > 1 }",
            json!(["from", "inventory", [">", "facts.\"a b\".c[0]", 1]]),
        ),
        (
            "inventory[facts.os.family,facts.kernel]{trusted.certname=\"a\"}",
            json!([
                "from",
                "inventory",
                ["extract", ["facts.os.family", "facts.kernel"], ["=", "trusted.certname", "a"]]
            ]),
        ),
        (
            "facts { name in nodes[certname]{} }",
            json!(["from", "facts", ["in", "name", ["from", "nodes", ["extract", ["certname"]]]]]),
        ),
        (
            "nodes { facts_environment='in' and certname='and' }",
            json!(["from", "nodes", ["and", ["=", "facts_environment", "in"], ["=", "certname", "and"]]]),
        ),
    ] {
        assert_eq!(ast(query), expected, "{query}");
    }
}

#[test]
fn what_is_no_pql_is_refused_with_its_place() {
    for (query, line, column) in [
        ("", 1, 1),
        ("nodes", 1, 6),
        ("{}", 1, 1),
        ("foobar {}", 1, 1),
        ("nodes[certname {}", 1, 16),
        ("nodes { certname = a }", 1, 20),
        ("nodes { certname == 'a' }", 1, 19),
        ("nodes { certname = 'a' certname = 'b' }", 1, 24),
        ("nodes { certname = 'a'and certname = 'b' }", 1, 23),
        ("nodes { certname = 'a' and }", 1, 28),
        ("nodes {\n  certname ~ /a/\n}", 2, 14),
        ("nodes { certname > true }", 1, 20),
        ("nodes { (certname = 'a' }", 1, 25),
        ("nodes {} x", 1, 10),
        ("nodes[certname,] {}", 1, 16),
        ("nodes { certname in [] }", 1, 22),
        ("nodes { a.b = 1 }", 1, 10),
        ("nodes { order by desc }", 1, 18),
        ("facts[name] { group by name limit 1 }", 1, 29),
        ("facts { value = 99999999999999999999 }", 1, 17),
        ("nodes { certname = 'a }", 1, 20),
        ("facts { EXPIRED IS NULL }", 1, 17),
    ] {
        let problems = Query::parse(query, &Limits::DEFAULT).unwrap_err();
        let expected = format!("PQL parse error at line {line}, column {column}:\n\n");
        assert!(problems[0].message.starts_with(&expected), "{query}: {}", problems[0]);
    }
    let problems = Query::parse("nodes { certname = }", &Limits::DEFAULT).unwrap_err();
    assert_eq!(
        problems[0].message,
        "PQL parse error at line 1, column 20:\n\nnodes { certname = }\n                   ^\n\nExpected one of:\n\n[\na number\na string\nfalse\ntrue\n"
    );
}

#[test]
fn deep_queries_end_with_an_error() {
    let limits = Limits::DEFAULT;
    for query in [
        format!("nodes {{ {}certname = 'a' }}", "!".repeat(100_000)),
        format!("nodes {{ {}certname = 'a' }}", "(".repeat(100_000)),
        format!("facts {{ value = {}1 }}", "[1,".repeat(100_000)),
        format!("nodes {{ {}certname = 'a' }}", "facts { ".repeat(100_000)),
        format!("{}1", "[".repeat(100_000)),
        format!("[\"from\",\"nodes\",{}1{}]", "[\"not\",".repeat(10_000), "]".repeat(10_000)),
    ] {
        let problems = Query::parse(&query, &limits).unwrap_err();
        // Where frames are large, as in builds for debugging, the stack ends first.
        let message = &problems[0].message;
        assert!(message.contains(" deep ") && message.contains("(limit '"), "{}", &message[..80]);
    }
}
