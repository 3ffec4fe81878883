//! YAML to values, as Ruby reads it: YAML 1.1 through libyaml, and nothing but plain data.
//!
//! Symbols are data in Ruby, but not values in Puppet: as keys they become strings, elsewhere unknown
//! values of the class `Symbol`.

mod encoding;
mod events;
mod node;
mod places;
mod readable;
mod scalar;
mod write;

pub use encoding::decode;
pub use places::{KeyPlace, key_places};
pub use write::{to_yaml, to_yaml_with_aliases};

use std::fmt::{self, Display};

use libyaml_safer::{Error as LibError, ErrorKind as LibErrorKind};

use self::readable::ReadableText;
use crate::value::Value;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

/// Returns the value of the first document of a YAML text, or the reason why it has none. A text without any document is
/// undef.
///
/// # Errors
/// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if it nests too deep, or its aliases expand too far.
pub fn parse(text: &str, limits: &Limits) -> Result<Result<Value, NotYaml>, Error> {
    events::read(text, limits)
}

/// Reason why a text is not YAML, or is more than plain data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotYaml {
    /// A syntax error, with the line and column at which it begins.
    Syntax {
        /// The description of the error.
        problem: String,
        /// The line, from 1.
        line: u64,
        /// The column, from 1.
        column: u64,
    },
    /// An object of this Ruby class, including dates and times.
    Class(String),
    /// A scalar or alias has no value; with a description of the problem.
    Value(String),
}

impl NotYaml {
    /// Returns the message that Puppet has for a file with this problem.
    pub fn in_file(&self, file: impl Display) -> String {
        match self {
            Self::Syntax { problem, line, column } => {
                format!("({file}): {problem} at line {line} column {column}")
            }
            Self::Class(name) => format!("({file}): Tried to load unspecified class: {name}"),
            Self::Value(problem) => problem.clone(),
        }
    }
}

impl Display for NotYaml {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_file("<unknown>"))
    }
}

impl std::error::Error for NotYaml {}

impl NotYaml {
    /// Words an error as Ruby does: with the place at which the element begins that is not finished.
    fn of(error: &LibError, text: &ReadableText<'_>) -> Self {
        let scanned = || error.problem_mark().filter(|_| error.kind() == LibErrorKind::Scanner);
        let (line, column) = text.position(error.context_mark().or_else(scanned).unwrap_or_default());
        let problem = match (error.problem(), error.context()) {
            // The port mistakes the end of the text for the escaped character.
            ("found unexpected end of stream", Some("while scanning a quoted scalar"))
                if error.context_mark().is_some_and(|start| text.ends_in_escape(start)) =>
            {
                "found unknown escape character while parsing a quoted scalar".to_owned()
            }
            (problem, Some(context)) => format!("{problem} {context}"),
            (problem, None) => problem.to_owned(),
        };
        Self::Syntax { problem, line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppetfn_base::error::ErrorKind;

    fn shown(text: &str) -> String {
        match parse(text, &Limits::DEFAULT).unwrap() {
            Ok(value) => value.inspected(),
            Err(problem) => problem.in_file("/x.yaml"),
        }
    }

    #[test]
    fn scalars_are_those_of_yaml_1_1_in_ruby() {
        let cases = [
            ("~", "nil"),
            ("", "nil"),
            ("[yes, No, on, OFF, y, n, True]", r#"[true, false, true, false, "y", "n", true]"#),
            ("[null, NULL, '']", r#"[nil, nil, ""]"#),
            ("[0o17, 017, 0x1f, 0b101, 08, 1_000, '1,000']", r#"["0o17", 15, 31, 5, "08", 1000, "1,000"]"#),
            (
                "[1.5, .5, 1., 1e3, 1.0e+3, .inf, -.inf]",
                r#"[1.5, 0.5, 1.0, "1e3", 1000.0, Infinity, -Infinity]"#,
            ),
            ("[1:30, 1:30:15, 1:30.5]", "[5400, 5415, 5430.0]"),
            ("[1.2.3, '1', \"2\", -x, -4, +5]", r#"["1.2.3", "1", "2", "-x", -4, 5]"#),
            ("! 12", "12"),
            ("!!str 12", r#""12""#),
            ("!!float 12", "12.0"),
            ("!foo 12", "12"),
            ("!binary aGVsbG8=", r#""hello""#),
            ("2001-02-03", "(/x.yaml): Tried to load unspecified class: Date"),
            ("2001-02-03 04:05:06", "(/x.yaml): Tried to load unspecified class: Time"),
            ("!ruby/regexp /x/", "(/x.yaml): Tried to load unspecified class: Regexp"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn commas_end_tags() {
        let cases = [
            ("[!, 2]", "[nil, 2]"),
            ("[!!str, 2]", r#"["", 2]"#),
            (
                "[!<a,b>,!<!c,d>, !foo,1, é!,\"!e,!f,\",\n !,'!,'] # !,",
                r#"[nil, nil, nil, 1, "é!", "!e,!f,", nil, "!,"]"#,
            ),
            ("a: !x\nb: é!x,y # !x,y\nc: |\n  !x,y", r#"{"a"=>nil, "b"=>"é!x,y", "c"=>"!x,y"}"#),
            ("a,b c:!d:,e", r#""a,b c:!d:,e""#),
            (
                "[[a!b]!c,",
                "(/x.yaml): did not find expected ',' or ']' while parsing a flow sequence at line 1 column 1",
            ),
            ("[!a:, b]", "[nil, \"b\"]"),
            (
                "- !,",
                "(/x.yaml): did not find expected whitespace or line break while scanning a tag at line 1 column 3",
            ),
            (
                "[!1, a: [b], c: 'd",
                "(/x.yaml): found unexpected end of stream while scanning a quoted scalar at line 1 column 17",
            ),
            (
                "é: [!,\n!, !, [",
                "(/x.yaml): did not find expected node content while parsing a flow node at line 3 column 1",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn texts_need_no_line_break_at_their_end() {
        let escape =
            "(/x.yaml): found unknown escape character while parsing a quoted scalar at line 2 column 4";
        let open =
            "(/x.yaml): found unexpected end of stream while scanning a quoted scalar at line 1 column 1";
        let cases = [
            ("a: |\n  x", r#"{"a"=>"x"}"#),
            ("a: |\n  x\n", r#"{"a"=>"x\n"}"#),
            ("a: |+\n  x\n\n ", r#"{"a"=>"x\n\n"}"#),
            ("a: >-\n  x\n  y", r#"{"a"=>"x y"}"#),
            ("|1\n  a\n   ", r#"" a\n  ""#),
            ("|\n x\n\n", r#""x\n""#),
            ("a\\", r#""a\\""#),
            ("a: 1\nb: \"\\\\\\", escape),
            ("\"\\\\", open),
            ("'\\", open),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn keys_merge_and_aliases_repeat() {
        assert_eq!(
            shown("a: &a {x: 1, y: 2}\nb:\n  x: 0\n  <<: *a\n  y: 3"),
            r#"{"a"=>{"x"=>1, "y"=>2}, "b"=>{"x"=>1, "y"=>3}}"#
        );
        assert_eq!(shown("<<: [{a: 1}, {a: 2, b: 2}]"), r#"{"a"=>1, "b"=>2}"#);
        assert_eq!(shown("<<: 1"), r#"{"<<"=>1}"#);
        assert_eq!(shown(":a: 1\n:\"b c\": 2"), r#"{"a"=>1, "b c"=>2}"#);
        assert_eq!(shown("a: *b"), "Unknown alias: b");
        assert_eq!(shown("--- 1\n--- 2"), "1");
    }

    #[test]
    fn errors_of_syntax_come_before_all_others() {
        assert_eq!(
            shown("a: 2001-02-03\nb: [c"),
            "(/x.yaml): did not find expected ',' or ']' while parsing a flow sequence at line 2 column 4"
        );
    }

    #[test]
    fn nesting_is_limited() {
        let deep = "[".repeat(if cfg!(miri) { 1_000 } else { 100_000 });
        assert!(parse(&deep, &Limits::DEFAULT).unwrap_err().message().contains("nested"));
        let chain = (1..300).fold("- &0 []\n".to_owned(), |text, n| text + &format!("- &{n} [*{}]\n", n - 1));
        assert!(parse(&chain, &Limits::DEFAULT).unwrap_err().message().contains("nested"));
    }

    #[test]
    fn what_aliases_stand_for_is_limited() {
        let level = |n: u32| format!("{n}: &{n} [{}]\n", vec![format!("*{}", n - 1); 10].join(", "));
        let laughs = |levels: u32| "0: &0 [ha]\n".to_owned() + &(1..levels).map(level).collect::<String>();
        let error = parse(&laughs(9), &Limits::DEFAULT).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Limit);
        assert_eq!(
            error.message(),
            "a collection of more than 10000000 elements (limit 'elements'; raise it with Limits, \
             Puppetfn.limits= or --limit)"
        );
        assert!(parse(&laughs(6), &Limits::DEFAULT).unwrap().is_ok());
        let merges = format!("a: &a {{x: 1}}\nb:\n{}", "  <<: *a\n".repeat(20));
        assert!(parse(&merges, &Limits { elements: 10, ..Limits::DEFAULT }).is_err());
    }
}
