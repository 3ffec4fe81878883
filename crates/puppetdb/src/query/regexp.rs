//! PostgreSQL's regular expressions.
//!
//! They are translated to Ruby's syntax, which the rest of the program matches. See PostgreSQL's manual, "POSIX Regular Expressions".

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::value::Regex;

/// A regular expression of a query.
#[derive(Clone)]
pub(crate) struct Regexp(Regex);

impl std::fmt::Debug for Regexp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Regexp").field(&self.0.source()).finish()
    }
}

impl Regexp {
    /// Compiles a regular expression in PostgreSQL's syntax.
    ///
    /// # Errors
    /// Fails if it is none, or one that cannot be translated.
    pub fn new(source: &str) -> Result<Self, Error> {
        let translated = translate(source).map_err(|problem| {
            Error::new(ErrorKind::Syntax, format!("invalid regular expression: {problem}: {source}"))
        })?;
        Regex::new(&translated).map(Self).map_err(|error| {
            let kind = if *error.kind() == ErrorKind::Limit { ErrorKind::Limit } else { ErrorKind::Syntax };
            Error::new(kind, format!("invalid regular expression: {source}: {}", error.message()))
        })
    }

    /// Returns true if some part of the text matches.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] if the match backtracks too much.
    pub fn is_match(&self, text: &str) -> Result<bool, Error> {
        self.0.is_match(text)
    }
}

/// Options at the beginning of a regular expression.
#[derive(Default)]
struct EmbeddedOptions {
    ignores_case: bool,
    extended: bool,
    /// Whether `^` and `$` match at lines, and `.` and negated brackets no newline.
    by_lines: bool,
}

fn translate(source: &str) -> Result<String, String> {
    if let Some(literal) = source.strip_prefix("***=") {
        return Ok(escaped(literal));
    }
    let source = source.strip_prefix("***:").unwrap_or(source);
    let (options, body) = embedded(source)?;
    let mut out = String::new();
    let mut rest = body.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            '\\' => escape(rest.next(), &mut rest, &mut out, false)?,
            '[' => bracket(&mut rest, &mut out, options.by_lines)?,
            '^' if !options.by_lines => out.push_str("\\A"),
            '$' if !options.by_lines => out.push_str("\\z"),
            '{' if !rest.peek().is_some_and(char::is_ascii_digit) => out.push_str("\\{"),
            '}' => out.push('}'),
            '(' if rest.peek() == Some(&'?') => {
                rest.next();
                group(&mut rest, &mut out)?;
            }
            other => out.push(other),
        }
    }
    let case = if options.ignores_case { "i" } else { "" };
    let extended = if options.extended { "x" } else { "" };
    let newline = if options.by_lines { "" } else { "m" };
    let flags = format!("{newline}{case}{extended}");
    Ok(if flags.is_empty() { out } else { format!("(?{flags}:{out})") })
}

/// Splits off options such as `(?i)`, which PostgreSQL only has at the beginning.
fn embedded(source: &str) -> Result<(EmbeddedOptions, &str), String> {
    let mut options = EmbeddedOptions::default();
    let Some((letters, body)) = source.strip_prefix("(?").and_then(|rest| rest.split_once(')')) else {
        return Ok((options, source));
    };
    if letters.is_empty() || !letters.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Ok((options, source));
    }
    for letter in letters.chars() {
        match letter {
            'i' => options.ignores_case = true,
            'c' => options.ignores_case = false,
            'x' => options.extended = true,
            't' => options.extended = false,
            'm' | 'n' => options.by_lines = true,
            's' => options.by_lines = false,
            'q' => return Err("the option q is not supported".to_owned()),
            _ => return Err("invalid embedded option".to_owned()),
        }
    }
    Ok((options, body))
}

type Characters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Translates the text after `(?`.
fn group(rest: &mut Characters<'_>, out: &mut String) -> Result<(), String> {
    match rest.next() {
        Some(kind @ (':' | '=' | '!')) => {
            out.push_str("(?");
            out.push(kind);
            Ok(())
        }
        Some('<') if matches!(rest.peek(), Some('=' | '!')) => {
            out.push_str("(?<");
            Ok(())
        }
        Some('#') => {
            // A comment.
            rest.by_ref()
                .find(|next| *next == ')')
                .map(drop)
                .ok_or_else(|| "parentheses () not balanced".to_owned())
        }
        _ => Err("quantifier operand invalid".to_owned()),
    }
}

/// Translates an escape.
fn escape(
    escaped: Option<char>,
    rest: &mut Characters<'_>,
    out: &mut String,
    in_bracket: bool,
) -> Result<(), String> {
    let Some(escaped) = escaped else { return Err("invalid escape \\ sequence".to_owned()) };
    match escaped {
        'd' | 's' | 'w' | 't' | 'n' | 'r' | 'f' | 'v' | 'a' => {
            out.push('\\');
            out.push(escaped);
        }
        'D' | 'S' | 'W' if !in_bracket => {
            out.push('\\');
            out.push(escaped);
        }
        'b' => out.push_str("\\x08"),
        'B' => out.push_str("\\\\"),
        'e' => out.push_str("\\x1b"),
        '0' => return Err("a null character is not supported".to_owned()),
        'u' => code_point(rest, 4, out)?,
        'U' => code_point(rest, 8, out)?,
        'x' => {
            let mut digits = String::new();
            while let Some(digit) = rest.next_if(char::is_ascii_hexdigit) {
                digits.push(digit);
            }
            push_code(&digits, out)?;
        }
        'm' if !in_bracket => out.push_str("(?<!\\w)(?=\\w)"),
        'M' if !in_bracket => out.push_str("(?<=\\w)(?!\\w)"),
        'y' if !in_bracket => out.push_str("\\b"),
        'Y' if !in_bracket => out.push_str("\\B"),
        'A' if !in_bracket => out.push_str("\\A"),
        'Z' if !in_bracket => out.push_str("\\z"),
        '1'..='9' if !in_bracket => {
            out.push('\\');
            out.push(escaped);
        }
        other if other.is_ascii_alphanumeric() => return Err("invalid escape \\ sequence".to_owned()),
        other => push_literal(other, out),
    }
    Ok(())
}

fn code_point(rest: &mut Characters<'_>, count: usize, out: &mut String) -> Result<(), String> {
    let mut digits = String::new();
    for _ in 0..count {
        digits.extend(rest.next_if(char::is_ascii_hexdigit));
    }
    if digits.len() == count { push_code(&digits, out) } else { Err("invalid escape \\ sequence".to_owned()) }
}

fn push_code(digits: &str, out: &mut String) -> Result<(), String> {
    let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    let character = code.filter(|code| *code != '\0').ok_or("invalid escape \\ sequence")?;
    push_literal(character, out);
    Ok(())
}

/// Translates a bracket expression, after its `[`.
fn bracket(rest: &mut Characters<'_>, out: &mut String, by_lines: bool) -> Result<(), String> {
    const UNBALANCED: &str = "brackets [] not balanced";
    // `[[:<:]]` and `[[:>:]]` are the beginning and the end of a word.
    let ahead: String = rest.clone().take(6).collect();
    for (form, boundary) in [("[:<:]]", "(?<!\\w)(?=\\w)"), ("[:>:]]", "(?<=\\w)(?!\\w)")] {
        if ahead == form {
            rest.by_ref().take(6).for_each(drop);
            out.push_str(boundary);
            return Ok(());
        }
    }
    out.push('[');
    if rest.next_if_eq(&'^').is_some() {
        out.push('^');
        if by_lines {
            out.push_str("\\n");
        }
    }
    // A bracket that comes first stands for itself.
    let mut is_first = true;
    loop {
        let Some(next) = rest.next() else { return Err(UNBALANCED.to_owned()) };
        match next {
            ']' if !is_first => break,
            '[' if matches!(rest.peek(), Some(':')) => {
                out.push('[');
                loop {
                    let Some(next) = rest.next() else { return Err(UNBALANCED.to_owned()) };
                    out.push(next);
                    if next == ']' {
                        break;
                    }
                }
            }
            '[' if matches!(rest.peek(), Some('.' | '=')) => {
                return Err("collating elements are not supported".to_owned());
            }
            '\\' => escape(rest.next(), rest, out, true)?,
            '-' => out.push('-'),
            other => push_literal(other, out),
        }
        is_first = false;
    }
    out.push(']');
    Ok(())
}

/// Writes a character that stands for itself, inside and outside of brackets.
fn push_literal(character: char, out: &mut String) {
    if character.is_ascii_punctuation() && character != '_' {
        out.push('\\');
    }
    out.push(character);
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    text.chars().for_each(|character| push_literal(character, &mut out));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_match_as_postgresql_matches_them() {
        for (source, text, expected) in [
            ("web", "web1", true),
            ("^web$", "web1", false),
            ("^b", "a\nb", false),
            ("a$", "a\nb", false),
            ("(?n)^b", "a\nb", true),
            ("a.b", "a\nb", true),
            ("(?n)a.b", "a\nb", false),
            ("(?i)WEB", "web", true),
            ("web\\d+", "web12", true),
            ("a{2}", "aa", true),
            ("a{b", "a{b", true),
            ("\\yweb\\y", "a web b", true),
            ("\\mweb\\M", "webs", false),
            ("[[:<:]]eb", "web", false),
            ("[[:digit:]]", "a1", true),
            ("[]a]", "]", true),
            ("[^]a]", "]", false),
            ("[a\\]]", "]", true),
            ("[a&&b]", "&", true),
            ("(a|b)\\1", "bb", true),
            ("(?:a)(?#why)b", "ab", true),
            ("a(?!b)", "ab", false),
            ("\\u0041", "A", true),
            ("\\.com$", "a.com", true),
            ("***=a.b", "axb", false),
            ("", "anything", true),
        ] {
            let regexp = Regexp::new(source).unwrap();
            assert_eq!(regexp.is_match(text).unwrap(), expected, "{text:?} ~ {source:?}");
        }
    }

    #[test]
    fn what_is_no_regular_expression_is_an_error() {
        for source in ["(", "[a", "a\\", "*a(", "[[.a.]]", "\\q", "(?P<a>b)"] {
            let message = Regexp::new(source).unwrap_err().to_string();
            assert!(message.starts_with("invalid regular expression: "), "{source}: {message}");
        }
    }
}
