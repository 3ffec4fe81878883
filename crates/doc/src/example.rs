//! Examples in comments: detection of Puppet code.

use puppetfn_base::limits::Limits;
use puppetfn_syntax::{Mode, parse_with};

/// Words that begin a statement in Puppet, but not in other languages.
const DEFINING: [&str; 6] = ["class", "define", "function", "node", "plan", "type"];

/// Returns true if a text looks like Puppet code, even with mistakes: if it has a statement that other languages do not
/// have.
pub fn is_puppet(text: &str) -> bool {
    text.lines().map(str::trim_start).any(is_statement)
}

/// Returns true if a line begins a statement that only Puppet has.
fn is_statement(line: &str) -> bool {
    let (word, rest) = first_word(line.trim_start_matches('@'));
    let rest = rest.trim_start();
    let starts = |text: &str, all: &[char]| text.starts_with(all);
    match word {
        "" => is_assignment(line),
        "include" | "contain" => starts(rest, &['\'', '"']) || is_name(first_word(rest).0),
        word if DEFINING.contains(&word) && is_definition(word, rest) => true,
        // `file { '/a':`, also where the titles follow on the next line.
        word if is_name(word) => rest.strip_prefix('{').is_some_and(|body| {
            let body = body.trim_start();
            (starts(body, &['\'', '"', '$', '[']) || body.starts_with("default:")) && has_colon(body)
        }),
        _ => false,
    }
}

fn is_definition(word: &str, rest: &str) -> bool {
    let (name, rest) = first_word(rest);
    let rest = rest.trim_start();
    match word {
        "type" => name.starts_with(|c: char| c.is_ascii_uppercase()) && rest.starts_with('='),
        "class" => is_name(name) && (rest.starts_with(['(', '{']) || rest.starts_with("inherits ")),
        _ => is_name(name) && rest.starts_with(['(', '{']),
    }
}

/// Returns true for `$a = `; a shell assigns without a sigil.
fn is_assignment(line: &str) -> bool {
    let Some((word, rest)) = line.strip_prefix('$').map(first_word) else { return false };
    let is_one = |rest: &str| rest.starts_with("= ") || rest.trim_end() == "=";
    is_name(word) && is_one(rest.trim_start()) && !line.trim_end().ends_with(';')
}

/// Returns true if a title ends here: at a colon that is not part of a name.
fn has_colon(body: &str) -> bool {
    let plain = body.replace("::", "");
    plain.trim_end().ends_with(':') || plain.contains(": ") || plain.contains(":}")
}

fn first_word(text: &str) -> (&str, &str) {
    let end =
        text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | ':'))).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn is_name(word: &str) -> bool {
    word.trim_start_matches(':').starts_with(|c: char| c.is_ascii_lowercase())
}

/// Returns the syntax error of an example that is meant to be complete Puppet code, with its line in the example,
/// counted from 0.
pub(super) fn mistake(text: &str) -> Option<(u32, String)> {
    let is_complete = !text.lines().any(is_no_code);
    if is_complete && is_puppet(text) { syntax_error(text) } else { None }
}

/// Returns true for a line that replaces code or comments on it.
fn is_no_code(line: &str) -> bool {
    let line = line.trim();
    line.contains("...")
        || line.contains('…')
        || line.contains("```")
        || is_placeholder(line)
        || is_prose(line)
}

/// Returns true for `<your code>`.
fn is_placeholder(line: &str) -> bool {
    let inner = line.trim_end_matches(',').strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    inner.is_some_and(|inner| inner.starts_with(|c: char| c.is_alphabetic()))
}

/// Returns true for a sentence. In code, a word in upper case is a type, which no other word follows.
fn is_prose(line: &str) -> bool {
    let (word, rest) = first_word(line);
    let is_capitalized =
        word.starts_with(|c: char| c.is_ascii_uppercase()) && !word.trim_end_matches(':').contains(':');
    let is_followed =
        rest.strip_prefix(' ').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
    is_capitalized && (is_followed || word.ends_with(':') || rest.starts_with(", "))
}

/// Returns the syntax error of a text, with its line, counted from 0.
fn syntax_error(text: &str) -> Option<(u32, String)> {
    let mode = Mode { tasks: true, ..Mode::default() };
    let limits = Limits::FURTHEST;
    let error = parse_with(text, mode, &limits).err().filter(|_| {
        // `plan` may be a name.
        parse_with(text, Mode::default(), &limits).is_err()
    })?;
    let line = error.place().and_then(|place| place.line).unwrap_or(1);
    Some((line.saturating_sub(1), error.message().to_owned()))
}

/// Converts a line of an example to the line of its comment, both counted from 0. The example belongs to the tag on the
/// line `tag`, and lacks some of the comment's empty lines.
pub(super) fn line_in_comment(comment: &str, tag: u32, example: &str, line: u32) -> u32 {
    let is_written = |line: &&str| !line.trim().is_empty();
    let number = example.lines().take(line as usize + 1).filter(is_written).count();
    let below = (tag.saturating_add(1)..).zip(comment.lines().skip(tag as usize + 1));
    below.filter(|(_, line)| is_written(line)).take(number).last().map_or(tag, |(place, _)| place)
}

/// Returns true if a text is valid Puppet code that calls functions. It may be code of other languages as well.
pub fn is_call(text: &str) -> bool {
    let has_call = text.lines().map(str::trim_start).any(|line| {
        let (word, rest) = first_word(line.trim_start_matches('$'));
        is_name(word) && rest.starts_with(['(', '.'])
            || line.starts_with(['[', '{', '\'', '"'])
                && ["].", "}.", "'.", "\"."].iter().any(|end| line.contains(end))
    });
    has_call && syntax_error(text).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puppet_is_known_by_its_statements() {
        for text in [
            "class { 'a': }",
            "@@a::b { \"c\":\n  d => 1\n}",
            "file {\n  '/a':\n}\ninclude a",
            "# of it\ninclude a::b",
            "$a = 1",
            "define a::b ($c) { }",
            "type A = String",
            "file { '/a': ensure => file }",
        ] {
            assert!(is_puppet(text), "{text}");
        }
        for text in [
            "a: 1\nb:\n  - c: 'd'",
            "puppet apply -e 'include a'",
            "class A\n  include B\nend",
            "require 'a'",
            "A=$b; c $d",
            "{ \"a\": { \"b\": 1 } }",
            "it { is_expected.to run.with_params('a') }",
            "my $a = 1;",
            "for a in b; do c; done",
        ] {
            assert!(!is_puppet(text), "{text}");
        }
    }

    #[test]
    fn calls_may_stand_alone() {
        assert!(
            is_call("f('a')")
                && is_call("$a.map |$x| { $x }\n")
                && is_call("[1, 2].map |$x| { $x * 10 } # => [10, 20]")
        );
        assert!(!is_call("f 'a' b") && !is_call("- a: [b].") && !is_call("puppet apply -e 'f(1)'"));
    }

    #[test]
    fn only_complete_code_has_mistakes() {
        assert_eq!(mistake("class { 'a':\n  b => 1\n  c => 2,\n}").map(|(line, _)| line), Some(2));
        for text in [
            "class { 'a':\n  ...\n",
            "$a = 1\nThe result:\n$a = 2",
            "class { 'a':\n  b => {\n    <Content>\n  },\n}",
            "Would return: 2\n$a = f(1) 2",
            "a: {",
        ] {
            assert_eq!(mistake(text), None, "{text}");
        }
    }

    #[test]
    fn lines_are_found_in_comments() {
        let comment = "Does.\n@example It\n\n  $a = 1\n\n\n  $b =\n@since 1";
        let tags = super::super::Docstring::parse(comment).tags;
        let text = tags[0].text.as_deref().unwrap();
        assert_eq!(text, "\n$a = 1\n\n$b =");
        assert_eq!(line_in_comment(comment, 1, text, 3), 6);
    }
}
