//! Problems of queries, in PuppetDB's words where it has some.

use crate::database::ask;

fn check(cases: &[(&str, &str)]) {
    for (query, expected) in cases {
        let problem = ask(query).map(|rows| format!("{rows:?}")).unwrap_err();
        assert_eq!(problem, *expected, "{query}");
    }
}

#[test]
fn unknown_fields_and_entities_are_named_with_the_known_ones() {
    check(&[
        (
            "environments { foo = 'x' }",
            "'foo' is not a queryable object for environments. Known queryable objects are 'name'",
        ),
        (
            "facts { foo = 'x' or bar = 'y' }",
            "'foo' is not a queryable object for facts. Known queryable objects are 'certname', 'environment', 'name', and 'value'\n\
             'bar' is not a queryable object for facts. Known queryable objects are 'certname', 'environment', 'name', and 'value'",
        ),
        (
            "facts[foo] {}",
            "Can't extract unknown 'facts' field 'foo'. Acceptable fields are 'certname', 'environment', 'name', and 'value'",
        ),
        (
            "facts[foo, bar] {}",
            "Can't extract unknown 'facts' fields 'foo' and 'bar'. Acceptable fields are 'certname', 'environment', 'name', and 'value'",
        ),
        (
            "edges { foo in nodes[certname] {} }",
            "Can't match on unknown 'edges' field 'foo' for 'in'. Acceptable fields are 'certname', 'relationship', 'source_title', 'source_type', 'target_title', and 'target_type'",
        ),
        (
            "facts { certname in environments[foo] {} }",
            "Can't extract unknown 'environments' field 'foo'. Acceptable fields are 'name'",
        ),
        (
            "environments { foo in ['x'] }",
            "'foo' is not a queryable object for environments. Known queryable objects are 'name'",
        ),
        ("nodes { environments { name = 'test' } }", "No implicit relationship for entity 'environments'"),
        ("[\"from\", \"foo\"]", "Invalid entity 'foo' in query"),
        (
            "[\"from\", \"nodes\", [\"in\", \"certname\", [\"extract\", \"certname\", [\"foo\", [\"=\", \"a\", 1]]]]]",
            "Unsupported subquery `foo`",
        ),
        (
            "[\"from\", \"nodes\", [\"in\", \"certname\", [\"extract\", \"certname\", [\"select-facts\", [\"=\", \"name\", \"a\"]]]]]",
            "Unsupported subquery `select-facts` - did you mean `select_facts`?",
        ),
        (
            "facts { order by foo }",
            "Unrecognized column 'foo' specified in :order_by; Supported columns are 'certname', 'environment', 'name', 'value'",
        ),
        ("facts[count()] { group by foo }", "\"foo\" is niether a valid column name nor function name"),
        ("facts[count(foo)] {}", "field \"foo\" is not a valid queryable field"),
    ]);
}

#[test]
fn operators_are_for_types() {
    check(&[
        ("nodes { certname > 4 }", "Query operators >,>=,<,<= are not allowed on field certname"),
        ("resources { line = '3' }", "Argument \"3\" is incompatible with numeric field \"line\"."),
        ("resources { line > '3' }", "Argument \"3\" and operator \">\" have incompatible types."),
        ("facts { value > '3' }", "Argument \"3\" and operator \">\" have incompatible types."),
        ("nodes { report_timestamp > 'yesterday' }", "'yesterday' is not a valid timestamp value"),
        ("nodes { certname ~> ['a'] }", "Query operator ~> is not allowed on field certname"),
        ("nodes { certname = 4 }", "the field 'certname' is a text, which 4 is not"),
        ("resources { exported = 'true' }", "the field 'exported' is a boolean, which \"true\" is not"),
        ("resources { tags in ['a'] }", "Operator 'in'...'array' is not supported on array types"),
        ("fact_contents { path = [1.5] }", "Path array element wasn't string or integer in [1.5]"),
        (
            "inventory { facts.os.family in ['Debian'] }",
            "'in' with an array is not supported on 'facts.os.family': compare with = for each value",
        ),
        (
            "inventory { facts.match(\"a.*\") = 1 }",
            "match() is not supported in fields: facts.match(\"a.*\")",
        ),
    ]);
    assert!(ask("nodes { certname ~ '(' }").unwrap_err().starts_with("invalid regular expression: ("));
}

#[test]
fn malformed_queries_are_refused() {
    check(&[
        ("[\"from\", \"nodes\", [\"and\"]]", "'and' takes at least one argument, but none were supplied"),
        ("[\"from\", \"nodes\", [\"or\"]]", "'or' takes at least one argument, but none were supplied"),
        ("[\"from\", \"nodes\", [\"not\"]]", "'not' takes exactly one argument, but 0 were supplied"),
        (
            "[\"from\", \"nodes\", [\"and\", []]]",
            "[] is not well-formed: queries must contain at least one operator",
        ),
        ("[\"from\", \"nodes\", [\"=\", \"certname\"]]", "= requires exactly two arguments"),
        ("[\"from\", \"nodes\", [\"~\", \"certname\", null]]", "Invalid ~ clause"),
        ("[\"from\", \"nodes\", [\"=\", \"certname\", {}]]", "Invalid = clause"),
        ("[\"from\", \"nodes\", \"x\"]", "`from` only accepts a query as an optional second argument."),
        ("[\"nodes\"]", "This query must be of the form [\"from\", <entity>, (<optional-query>)]."),
        ("[\"from\", \"nodes\", [\"extract\", \"certname\", [\"foo\", 1]]]", "Unsupported subquery `foo`"),
        (
            "[\"from\", \"nodes\", [\"extract\", \"certname\", [\"foo\", \"a\", 1]]]",
            "[\"foo\" \"a\" 1] is not a valid expression for \"extract\"",
        ),
        ("[\"from\", \"nodes\", [\"foo\", \"a\", 1]]", "not a condition of a query: [\"foo\" \"a\" 1]"),
        (
            "[\"from\", \"nodes\", [\"limit\", 1], [\"limit\", 2]]",
            "Multiple 'limit' clauses are not permitted",
        ),
        ("[\"from\", \"nodes\", [\"limit\"]]", "Received 'limit' clause without an argument"),
        ("nodes { limit 0 }", "Illegal value '0' for :limit; expected a positive non-zero integer."),
        ("nodes { offset -1 }", "Illegal value '-1' for :offset; expected a non-negative integer."),
        (
            "[\"from\", \"nodes\", [\"in\", [\"fact\", \"a\"], [\"array\", [1, \"a\"]]]]",
            "All values in array must be the same type.",
        ),
        (
            "[\"from\", \"nodes\", [\"in\", \"certname\", [\"array\", 1]]]",
            "Operator 'array' requires a vector argument",
        ),
        ("[\"from\", \"nodes\", [\">\", [\"fact\", \"a\"], \"b\"]]", "Operator '>' not allowed on value 'b'"),
        ("facts[to_string(value)] {}", "wrong number of arguments (1) provided for function to_string"),
        (
            "facts[name, count()] {}",
            "column \"name\" must appear in the GROUP BY clause or be used in an aggregate function",
        ),
        (
            "facts[name, count()] { group by value }",
            "column \"name\" must appear in the GROUP BY clause or be used in an aggregate function",
        ),
        (
            "[\"from\", \"nodes\", ]",
            "Json parse error at line 1, column 19:\n\n[\"from\", \"nodes\", ]\n                  ^\n\ntrailing comma",
        ),
        (
            "nodes { resources {} }",
            "the subquery of 'resources' has no condition: name one that its rows meet",
        ),
        (
            "facts { [certname, name] in nodes[certname] {} }",
            "'in' compares 2 columns, but its subquery of nodes extracts 1",
        ),
        (
            "[\"from\", \"nodes\", [\"NOT\", [\"=\", \"certname\", \"a\"]]]",
            "not a condition of a query: [\"NOT\" [\"=\" \"certname\" \"a\"]]",
        ),
        ("nodes { certname in facts {} }", "'in' compares 1 columns, but its subquery of facts extracts 0"),
    ]);
}

#[test]
fn what_the_source_lacks_is_an_error() {
    check(&[
        ("reports {}", "the source of PuppetDB's data does not have the entity 'reports'"),
        ("events { status = 'failure' }", "the source of PuppetDB's data does not have the entity 'events'"),
        ("catalogs {}", "the source of PuppetDB's data does not have the entity 'catalogs'"),
        ("packages {}", "the source of PuppetDB's data does not have the entity 'packages'"),
        (
            "nodes { events { status = 'failure' } }",
            "the source of PuppetDB's data does not have the entity 'events'",
        ),
        (
            "nodes { latest_report_hash = 'x' }",
            "the source of PuppetDB's data does not have the field 'latest_report_hash' of nodes",
        ),
        (
            "nodes[cached_catalog_status] {}",
            "the source of PuppetDB's data does not have the field 'cached_catalog_status' of nodes",
        ),
        (
            "facts[max(value)] { name = 'kernel' }",
            "the function max needs numbers, and the value of a fact is none",
        ),
        (
            "fact_contents[sum(value)] { name = 'kernel' }",
            "the function sum needs numbers, and the value of a fact is none",
        ),
    ]);
}
