//! The language's operators on URIs and URI types.
#![allow(clippy::unwrap_used, missing_docs)]

use puppetfn::eval::Runtime;
use puppetfn::limits::Limits;

fn run(code: &str) -> String {
    match Runtime::new().evaluate(code, None) {
        Ok(value) => value.ruby_to_s(&Limits::DEFAULT).unwrap(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_uri_is_equal_to_one_that_means_the_same() {
    assert_eq!(run("URI('http://A') == URI('http://a/')"), "true");
    assert_eq!(run("URI('http://a/b') == URI('http://a/')"), "false");
    assert_eq!(run("URI('http://a') == 'http://a'"), "false");
}

#[test]
fn a_reference_is_added_to_a_uri() {
    assert_eq!(run("URI('http://a/b/c') + '../d'"), "http://a/d");
    assert_eq!(run("URI('http://a/b/c') + URI('/d')"), "http://a/d");
    assert_eq!(
        run("URI('http://a') + 1"),
        "Evaluation Error: Error while evaluating a '+' expression, An URI can only be merged with an URI or \
         String (line: 1, column: 17)"
    );
    assert_eq!(
        run("URI('/a') + 'b'"),
        "Evaluation Error: Error while evaluating a '+' expression, both URI are relative (line: 1, column: 11)"
    );
}

#[test]
fn a_type_of_uris_takes_what_describes_one() {
    assert_eq!(run("URI('http://a/b') =~ URI[{host => /a/, port => 80}]"), "true");
    assert_eq!(run("URI[{scheme => Enum[http, https]}]"), "URI[{'scheme' => Enum['http', 'https']}]");
    assert_eq!(
        run("URI[URI('http://a')]"),
        "Evaluation Error: URI-Type[] arguments must be types. Got URI::HTTP (line: 1, column: 5)"
    );
}
