//! Translates the syntax of Go's regular expressions to the `regex` crate's, which differs in details: in Go's, classes
//! like `\d` are ASCII, groups may have any names, and less is allowed.

use std::fmt;
use std::fmt::Write as _;

/// An error in an expression, in Go's words, with the invalid part.
pub(super) struct SyntaxError {
    pub code: &'static str,
    pub part: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error parsing regexp: {}: `{}`", self.code, self.part)
    }
}

fn error<T>(code: &'static str, part: &str) -> Result<T, SyntaxError> {
    Err(SyntaxError { code, part: part.to_owned() })
}

const MISSING_ARGUMENT: &str = "missing argument to repetition operator";
const INVALID_RANGE: &str = "invalid character class range";
/// Maximum number of repetitions.
const MOST_REPETITIONS: u32 = 1000;

/// Returns the expression in the syntax of the `regex` crate, and the names of its groups.
pub(super) fn translate(pattern: &str) -> Result<(String, Vec<Option<String>>), SyntaxError> {
    let mut translation = Translation { whole: pattern, ..Translation::default() };
    let mut rest = pattern;
    while let Some(next) = rest.chars().next() {
        rest = translation.next(next, rest)?;
    }
    if translation.open > 0 {
        return error("missing closing )", pattern);
    }
    Ok((translation.out, translation.names))
}

#[derive(Default)]
struct Translation<'p> {
    whole: &'p str,
    out: String,
    names: Vec<Option<String>>,
    /// Number of open groups.
    open: usize,
    /// There is something that an operator can repeat.
    repeatable: bool,
    /// The text from the operator on that is just before.
    operator: Option<&'p str>,
}

impl<'p> Translation<'p> {
    /// Translates the next item, and returns the rest of the expression.
    fn next(&mut self, next: char, rest: &'p str) -> Result<&'p str, SyntaxError> {
        let after = rest.get(next.len_utf8()..).unwrap_or_default();
        match next {
            '*' | '+' | '?' => return self.repeat(rest, after),
            '{' => {
                if let Some((least, most, after)) = counts(rest) {
                    let bounded = least.max(most.unwrap_or(0)) <= MOST_REPETITIONS;
                    if !bounded || most.is_some_and(|most| most < least) {
                        return error("invalid repeat count", before(rest, after));
                    }
                    return self.repeat(rest, after);
                }
                self.literal(next);
            }
            '(' => return self.group(rest, after),
            ')' => {
                self.open = match self.open.checked_sub(1) {
                    Some(open) => open,
                    None => return error("unexpected )", self.whole),
                };
                self.item(")");
            }
            '|' => {
                self.out.push('|');
                self.separate();
            }
            '[' => return self.class(rest, after),
            '^' | '$' | '.' => {
                self.out.push(next);
                self.made_item();
            }
            '\\' => return self.escape(rest, after),
            _ => self.literal(next),
        }
        Ok(after)
    }

    fn literal(&mut self, character: char) {
        push_literal(&mut self.out, character);
        self.made_item();
    }

    fn item(&mut self, text: &str) {
        self.out.push_str(text);
        self.made_item();
    }

    fn made_item(&mut self) {
        self.repeatable = true;
        self.operator = None;
    }

    /// Ends an item: an operator cannot follow.
    fn separate(&mut self) {
        self.repeatable = false;
        self.operator = None;
    }

    fn repeat(&mut self, rest: &'p str, after: &'p str) -> Result<&'p str, SyntaxError> {
        let after = after.strip_prefix('?').unwrap_or(after);
        if let Some(operator) = self.operator {
            return error("invalid nested repetition operator", before(operator, after));
        }
        if !self.repeatable {
            return error(MISSING_ARGUMENT, before(rest, after));
        }
        self.out.push_str(before(rest, after));
        self.operator = Some(rest);
        Ok(after)
    }

    fn group(&mut self, rest: &'p str, after: &'p str) -> Result<&'p str, SyntaxError> {
        let Some(flags) = after.strip_prefix('?') else {
            self.open_group("(");
            self.names.push(None);
            return Ok(after);
        };
        if let Some(named) = flags.strip_prefix("P<") {
            let Some((name, after)) = named.split_once('>') else {
                return error("invalid named capture", rest);
            };
            let valid =
                !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if !valid {
                return error("invalid named capture", before(rest, after));
            }
            self.open_group("(");
            self.names.push(Some(name.to_owned()));
            return Ok(after);
        }
        let mut left = flags;
        let (mut negated, mut seen) = (false, false);
        while let Some(flag) = left.chars().next() {
            left = left.get(flag.len_utf8()..).unwrap_or_default();
            match flag {
                'i' | 'm' | 's' | 'U' => seen = true,
                '-' if !negated => (negated, seen) = (true, false),
                ':' | ')' if seen || !negated => {
                    let text = before(rest, left);
                    if flag == ':' {
                        self.open_group(text);
                    } else if seen {
                        self.out.push_str(text);
                    }
                    return Ok(left);
                }
                _ => break,
            }
        }
        error("invalid or unsupported Perl syntax", before(rest, left))
    }

    fn open_group(&mut self, text: &str) {
        self.out.push_str(text);
        self.open += 1;
        self.separate();
    }

    fn escape(&mut self, rest: &'p str, after: &'p str) -> Result<&'p str, SyntaxError> {
        let Some(kind) = after.chars().next() else {
            return error("trailing backslash at end of expression", "");
        };
        let following = after.get(kind.len_utf8()..).unwrap_or_default();
        match kind {
            'A' => self.item("\\A"),
            'z' => self.item("\\z"),
            'b' => self.item("(?-u:\\b)"),
            'B' => self.item("(?-u:\\B)"),
            'Q' => {
                let (text, after) = following.split_once("\\E").unwrap_or((following, ""));
                for character in text.chars() {
                    self.literal(character);
                }
                return Ok(after);
            }
            _ => {
                if let Some((class, after)) = class_escape(rest)? {
                    self.item(&class);
                    return Ok(after);
                }
                let (character, after) = character_escape(rest)?;
                self.literal(character);
                return Ok(after);
            }
        }
        Ok(following)
    }

    fn class(&mut self, whole: &'p str, after: &'p str) -> Result<&'p str, SyntaxError> {
        let negated = after.strip_prefix('^');
        let mut rest = negated.unwrap_or(after);
        let mut class = String::from(if negated.is_some() { "[^" } else { "[" });
        let mut first = true;
        while first || !rest.starts_with(']') {
            first = false;
            if let Some((name, after)) = posix_class(rest)? {
                class.push_str(name);
                rest = after;
                continue;
            }
            if let Some((escaped, after)) = class_escape(rest)? {
                class.push_str(&escaped);
                rest = after;
                continue;
            }
            let start = rest;
            let (low, after) = class_character(rest, whole)?;
            rest = after;
            let mut high = low;
            if let Some(after) =
                rest.strip_prefix('-').filter(|after| !after.is_empty() && !after.starts_with(']'))
            {
                (high, rest) = class_character(after, whole)?;
                if high < low {
                    return error(INVALID_RANGE, before(start, rest));
                }
            }
            // Writing to a string cannot fail.
            let _ = write!(class, "\\x{{{:X}}}-\\x{{{:X}}}", u32::from(low), u32::from(high));
        }
        class.push(']');
        self.item(&class);
        Ok(rest.get(1..).unwrap_or_default())
    }
}

/// Returns the part of `text` before its end `rest`.
fn before<'p>(text: &'p str, rest: &str) -> &'p str {
    text.get(..text.len().saturating_sub(rest.len())).unwrap_or(text)
}

fn push_literal(out: &mut String, character: char) {
    out.push_str(&regex::escape(character.encode_utf8(&mut [0; 4])));
}

/// Parses `{2}`, `{2,}` or `{2,3}`, and returns it with the rest of the text.
fn counts(text: &str) -> Option<(u32, Option<u32>, &str)> {
    let (inner, after) = text.strip_prefix('{')?.split_once('}')?;
    let number = |digits: &str| {
        let valid = !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && (digits == "0" || !digits.starts_with('0'));
        valid.then(|| digits.parse().unwrap_or(u32::MAX))
    };
    let (least, most) = match inner.split_once(',') {
        None => (number(inner)?, Some(number(inner)?)),
        Some((least, "")) => (number(least)?, None),
        Some((least, most)) => (number(least)?, Some(number(most)?)),
    };
    Some((least, most, after))
}

/// Returns a class that is one escape: `\d`, `\pL` or `\p{Greek}`.
fn class_escape(text: &str) -> Result<Option<(String, &str)>, SyntaxError> {
    let Some(after) = text.strip_prefix('\\') else { return Ok(None) };
    let Some(kind) = after.chars().next() else { return Ok(None) };
    let after = after.get(kind.len_utf8()..).unwrap_or_default();
    let class = match kind {
        'd' => "[0-9]",
        'D' => "[^0-9]",
        's' => "[\\t\\n\\f\\r ]",
        'S' => "[^\\t\\n\\f\\r ]",
        'w' => "[0-9A-Za-z_]",
        'W' => "[^0-9A-Za-z_]",
        'p' | 'P' => return unicode_class(text, kind, after).map(Some),
        _ => return Ok(None),
    };
    Ok(Some((class.to_owned(), after)))
}

fn unicode_class<'p>(text: &'p str, kind: char, after: &'p str) -> Result<(String, &'p str), SyntaxError> {
    let (name, rest) = match after.strip_prefix('{') {
        Some(braced) => match braced.split_once('}') {
            Some(parts) => parts,
            None => return error(INVALID_RANGE, text),
        },
        None => {
            let end = after.chars().next().map_or(0, char::len_utf8);
            after.split_at_checked(end).unwrap_or_default()
        }
    };
    let unnegated = name.strip_prefix('^');
    let negated = (kind == 'P') != unnegated.is_some();
    let name = unnegated.unwrap_or(name);
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_') {
        return error(INVALID_RANGE, before(text, rest));
    }
    Ok((format!("\\{}{{{name}}}", if negated { 'P' } else { 'p' }), rest))
}

/// Returns a class within a class: `[:alpha:]`.
fn posix_class(text: &str) -> Result<Option<(&str, &str)>, SyntaxError> {
    const NAMES: [&str; 14] = [
        "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
        "upper", "word", "xdigit",
    ];
    let Some((name, after)) = text.strip_prefix("[:").and_then(|named| named.split_once(":]")) else {
        return Ok(None);
    };
    let whole = before(text, after);
    if NAMES.contains(&name.strip_prefix('^').unwrap_or(name)) {
        return Ok(Some((whole, after)));
    }
    error(INVALID_RANGE, whole)
}

fn class_character<'p>(text: &'p str, whole: &str) -> Result<(char, &'p str), SyntaxError> {
    match text.chars().next() {
        None => error("missing closing ]", whole),
        Some('\\') => character_escape(text),
        Some(character) => Ok((character, text.get(character.len_utf8()..).unwrap_or_default())),
    }
}

/// Returns the character of an escape, and the rest of the text.
fn character_escape(text: &str) -> Result<(char, &str), SyntaxError> {
    let after = text.strip_prefix('\\').unwrap_or(text);
    let Some(kind) = after.chars().next() else {
        return error("trailing backslash at end of expression", "");
    };
    let rest = after.get(kind.len_utf8()..).unwrap_or_default();
    let invalid = |rest: &str| error("invalid escape sequence", before(text, rest));
    let digits = |text: &'_ str, radix: u32, most: usize| {
        text.bytes().take(most).take_while(|byte| char::from(*byte).is_digit(radix)).count()
    };
    let character = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
    match kind {
        'a' => Ok(('\x07', rest)),
        'f' => Ok(('\x0c', rest)),
        'n' => Ok(('\n', rest)),
        'r' => Ok(('\r', rest)),
        't' => Ok(('\t', rest)),
        'v' => Ok(('\x0b', rest)),
        // Without a second digit it would be a reference to a group.
        '0'..='7' if kind == '0' || digits(rest, 8, 1) == 1 => {
            let (octal, rest) = after.split_at_checked(digits(after, 8, 3)).unwrap_or((after, ""));
            character(octal, 8).map_or_else(|| invalid(rest), |character| Ok((character, rest)))
        }
        'x' => {
            let (hex, rest) = match rest.strip_prefix('{') {
                Some(braced) => match braced.split_once('}') {
                    Some(parts) => parts,
                    None => return invalid(""),
                },
                None => match rest.split_at_checked(2) {
                    Some(parts) => parts,
                    None => return invalid(""),
                },
            };
            let valid = !hex.is_empty() && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
            match character(hex, 16).filter(|_| valid) {
                Some(character) => Ok((character, rest)),
                None => invalid(rest),
            }
        }
        _ if kind.is_ascii() && !kind.is_ascii_alphanumeric() => Ok((kind, rest)),
        _ => invalid(rest),
    }
}
