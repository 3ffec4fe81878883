//! Properties: PQL and AST of the same query have the same answers, and answers obey the laws of sets.

use proptest::prelude::*;
use puppetfn_base::limits::Limits;
use puppetfn_puppetdb::Query;
use serde_json::{Value as Json, json};

use crate::database::database;

/// A condition of resources in PQL and in the AST.
fn condition() -> impl Strategy<Value = (String, Json)> {
    let text = prop_oneof![Just("certname"), Just("type"), Just("title"), Just("environment"), Just("file")];
    let value = prop_oneof![
        Just("web1"),
        Just("Class"),
        Just("Apache"),
        Just("test"),
        Just("/site.pp"),
        Just("x'y"),
        Just("a\"b")
    ];
    let equal = (text.clone(), value).prop_map(|(field, value)| {
        (format!("{field} = '{}'", value.replace('\'', "\\'")), json!(["=", field, value]))
    });
    let regexp = (text, prop_oneof![Just("^w"), Just("a.*e"), Just("[0-9]$"), Just("(?i)CLASS")])
        .prop_map(|(field, value)| (format!("{field} ~ \"{value}\""), json!(["~", field, value])));
    let line = (prop_oneof![Just("<"), Just(">="), Just("=")], 2..6_i64)
        .prop_map(|(operator, line)| (format!("line {operator} {line}"), json!([operator, "line", line])));
    let null = any::<bool>().prop_map(|is_null| {
        (format!("line is {}null", if is_null { "" } else { "not " }), json!(["null?", "line", is_null]))
    });
    let subquery = Just((
        "nodes { latest_report_status = 'failed' }".to_owned(),
        json!(["subquery", "nodes", ["=", "latest_report_status", "failed"]]),
    ));
    let leaf = prop_oneof![equal, regexp, line, null, subquery];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|(pql, ast)| (format!("!({pql})"), json!(["not", ast]))),
            (prop::collection::vec(inner, 2..4), any::<bool>()).prop_map(|(sides, is_or)| {
                let operator = if is_or { "or" } else { "and" };
                let pql: Vec<String> = sides.iter().map(|(pql, _)| format!("({pql})")).collect();
                let ast: Vec<Json> =
                    [json!(operator)].into_iter().chain(sides.into_iter().map(|(_, ast)| ast)).collect();
                (pql.join(&format!(" {operator} ")), Json::Array(ast))
            }),
        ]
    })
}

fn answer(query: &Query) -> Vec<Json> {
    query.run(&database(), &Limits::DEFAULT).unwrap()
}

fn titles(condition: &Json) -> Vec<Json> {
    let query = json!(["from", "resources", ["extract", ["certname", "type", "title"], condition]]);
    answer(&Query::of_ast(query, &Limits::DEFAULT).unwrap())
}

proptest! {
    #[test]
    fn pql_and_ast_have_the_same_answers((pql, ast) in condition()) {
        let of_pql = Query::parse(&format!("resources[certname, type, title] {{ {pql} }}"), &Limits::DEFAULT).unwrap();
        prop_assert_eq!(answer(&of_pql), titles(&ast));
        let text = json!(["from", "resources", ["extract", ["certname", "type", "title"], ast]]).to_string();
        prop_assert_eq!(answer(&Query::parse(&text, &Limits::DEFAULT).unwrap()), answer(&of_pql));
    }

    #[test]
    fn a_row_meets_a_condition_its_negation_or_neither((_, ast) in condition()) {
        let (meet, fail) = (titles(&ast), titles(&json!(["not", ast])));
        prop_assert!(meet.iter().all(|row| !fail.contains(row)));
        prop_assert_eq!(&titles(&json!(["not", ["not", ast]])), &meet);
        let all = titles(&json!(["or", ast, ["not", ast]]));
        prop_assert_eq!(all.len(), meet.len() + fail.len());
    }

    #[test]
    fn junctions_are_intersections_and_unions((_, a) in condition(), (_, b) in condition()) {
        let (of_a, of_b) = (titles(&a), titles(&b));
        let both: Vec<&Json> = of_a.iter().filter(|row| of_b.contains(row)).collect();
        let met_both = titles(&json!(["and", a, b]));
        prop_assert_eq!(met_both.iter().collect::<Vec<_>>(), both);
        let any = titles(&json!(["or", a, b]));
        prop_assert!(any.iter().all(|row| of_a.contains(row) || of_b.contains(row)));
        prop_assert!(of_a.iter().chain(&of_b).all(|row| any.contains(row)));
    }

    #[test]
    fn texts_that_are_no_queries_are_errors(text in "[a-z\\[\\]{}'\"=~,. 0-9()!]{0,40}") {
        // Whatever comes out, nothing panics.
        let _ = Query::parse(&text, &Limits::DEFAULT);
        let _ = Query::parse(&format!("nodes {{ {text} }}"), &Limits::DEFAULT);
    }
}
