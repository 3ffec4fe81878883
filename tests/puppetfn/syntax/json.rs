//! Syntax trees as JSON, as `docs/reference/syntax-tree.md` describes them.
#![allow(clippy::unwrap_used, missing_docs)]

use puppetfn::limits::Limits;
use puppetfn::syntax::{Mode, parse_with, to_json};
use regex::Regex;

/// Returns the source, and each statement as JSON with its children on lines of their own. A position stays on one line.
fn document(text: &str, mode: Mode) -> String {
    let program = parse_with(text, mode, &Limits::DEFAULT).unwrap();
    let tree = to_json(&program, None);
    let statements = tree.get("statements").and_then(|statements| statements.as_array()).unwrap().iter();
    let place = Regex::new(r"\[\s+(\d+),\s+(\d+)\s+\]").unwrap();
    let mut document = format!("{text}\n");
    for statement in statements {
        let json = serde_json::to_string_pretty(statement).unwrap();
        document.push_str(&format!("\n{}\n", place.replace_all(&json, "[$1, $2]")));
    }
    document
}

fn check(name: &str, text: &str, mode: Mode) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(format!("json_{name}"), document(text, mode));
    });
}

#[test]
fn nodes_have_a_type_a_place_and_their_parts() {
    check(
        "expressions",
        "$x = \"a${b}\"\nnotice(-1, undef).f |$y| { $y[0] }\n@(END:json)\n  1\n  |- END",
        Mode::default(),
    );
    check(
        "conditions",
        "if $a { } elsif $b { 1 } else { 2 }\nunless $a { }\ncase $a { 1, 2: { } default: { 3 } }\n$a ? { 1 => 2 }",
        Mode::default(),
    );
}

#[test]
fn definitions_have_their_comments() {
    check(
        "definitions",
        "# Doubles.\n# @param x what\nfunction f(Integer $x = 1, *$y) >> T { }\n# A type.\ntype A = B[1]\n\nclass a inherits b { }\nnode /x/ { }\ndefine d { }",
        Mode::default(),
    );
    check(
        "members",
        "type X { attr y, Integer { z => |$q| { 1 } } has w abstract invariant 'no' { true } }",
        Mode::default(),
    );
}

#[test]
fn resources_have_their_attributes() {
    check(
        "resources",
        "@a { 'b': c => 1, * => $d }\nA { e +> 1 }\nA['b'] { e => 1 }\nA <<| x == 1 |>> { e => 1 }",
        Mode::default(),
    );
}

#[test]
fn templates_and_plans_are_there() {
    check("template", "<%- |$a| -%>b<%= $a %>", Mode { template: true, tasks: false });
    check("plan", "plan p() { apply('h') { } }", Mode { template: false, tasks: true });
}
