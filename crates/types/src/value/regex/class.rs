//! Character classes.

use super::escape::{self, RegexEscape};
use super::translate::{Charset, RegexOptions, TranslationResult};

/// Maximum depth of nested classes.
const DEPTH: usize = 64;

/// Translates a class from after its `[`. Returns the translation, and the rest of the text.
pub(super) fn translate(text: &str, options: RegexOptions) -> TranslationResult<(String, &str)> {
    let mut class = CharacterClass { rest: text, out: String::new(), charset: options.charset };
    class.set(DEPTH)?;
    Ok((class.out, class.rest))
}

struct CharacterClass<'s> {
    rest: &'s str,
    out: String,
    charset: Charset,
}

impl CharacterClass<'_> {
    fn set(&mut self, depth: usize) -> TranslationResult<()> {
        let depth = depth.checked_sub(1).ok_or("too deep nest level of char-class")?;
        self.out.push('[');
        if let Some(rest) = self.rest.strip_prefix('^') {
            self.out.push('^');
            self.rest = rest;
        }
        let mut empty = true;
        loop {
            // A leading bracket is literal if another one closes the class.
            if let Some(rest) = self.rest.strip_prefix(']')
                && (!empty || !rest.contains(']'))
            {
                self.rest = rest;
                break;
            }
            if let Some(rest) = self.rest.strip_prefix("&&") {
                self.rest = rest;
                self.out.push_str("&&");
            } else if let Some(rest) = self.rest.strip_prefix("[:")
                && let Some((name, after)) = rest.split_once(":]")
                && name.trim_start_matches('^').bytes().all(|byte| byte.is_ascii_alphabetic())
            {
                self.rest = after;
                self.out.push_str(&posix(name, self.charset).ok_or("invalid POSIX bracket type")?);
            } else if let Some(rest) = self.rest.strip_prefix('[') {
                self.rest = rest;
                self.set(depth)?;
            } else {
                self.range()?;
            }
            empty = false;
        }
        if empty {
            return Err("empty char-class".to_owned());
        }
        self.out.push(']');
        Ok(())
    }

    /// Translates a character, a range of characters, or an escape for a class.
    fn range(&mut self) -> TranslationResult<()> {
        let first = match self.item()? {
            RegexEscape::Class(class) => {
                self.out.push_str(&class);
                return match self.range_end()? {
                    Some(_) => Err("char-class value at start of range".to_owned()),
                    None => Ok(()),
                };
            }
            RegexEscape::Chars(chars) => chars,
        };
        let last = self.range_end()?;
        match (first.chars().next_back(), last) {
            (Some(start), Some(end)) if start > end => Err("empty range in char class".to_owned()),
            (_, last) => {
                first.chars().for_each(|c| escape::push_literal(&mut self.out, c));
                if let Some(last) = last {
                    self.out.push('-');
                    escape::push_literal(&mut self.out, last);
                }
                Ok(())
            }
        }
    }

    /// Returns the end of a range, if a dash and a character come next.
    fn range_end(&mut self) -> TranslationResult<Option<char>> {
        let Some(rest) = self.rest.strip_prefix('-') else { return Ok(None) };
        if rest.starts_with([']', '[']) || rest.is_empty() {
            return Ok(None);
        }
        self.rest = rest;
        match self.item()? {
            RegexEscape::Chars(chars) => Ok(chars.chars().next()),
            RegexEscape::Class(_) => Err("char-class value at end of range".to_owned()),
        }
    }

    fn item(&mut self) -> TranslationResult<RegexEscape> {
        let mut chars = self.rest.chars();
        let c = chars.next().ok_or("premature end of char-class")?;
        self.rest = chars.as_str();
        if c != '\\' {
            return Ok(RegexEscape::Chars(c.to_string()));
        }
        if let Some(rest) = self.rest.strip_prefix('b') {
            self.rest = rest;
            return Ok(RegexEscape::Chars('\x08'.to_string()));
        }
        let (escape, rest) = escape::read(self.rest, self.charset)?;
        self.rest = rest;
        Ok(escape)
    }
}

/// Returns the class of `\w` and its like.
pub(super) fn shorthand(letter: char, charset: Charset) -> String {
    let unicode = charset == Charset::Unicode;
    let set = match letter.to_ascii_lowercase() {
        'd' if unicode => r"\p{Nd}",
        'd' => "0-9",
        'w' if unicode => UNICODE_WORD,
        'w' => "0-9A-Za-z_",
        's' if unicode => r"\p{White_Space}",
        's' => r"\t-\r\x20",
        _ => "0-9A-Fa-f",
    };
    bracketed(set, letter.is_ascii_uppercase())
}

/// The word characters of Unicode.
const UNICODE_WORD: &str = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}";

fn bracketed(set: &str, negated: bool) -> String {
    format!("[{}{set}]", if negated { "^" } else { "" })
}

/// Returns the class of `[:name:]`, where `name` may start with `^`.
fn posix(name: &str, charset: Charset) -> Option<String> {
    let (negated, name) = name.strip_prefix('^').map_or((false, name), |name| (true, name));
    let set = if charset == Charset::Ascii { ascii_set(name)? } else { unicode_set(name)? };
    Some(bracketed(set, negated))
}

/// Returns the class of `\p{name}`.
pub(super) fn property(name: &str, negated: bool) -> TranslationResult<String> {
    let folded: String =
        name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).flat_map(char::to_lowercase).collect();
    if let Some(set) = unicode_set(&folded) {
        return Ok(bracketed(set, negated));
    }
    let known = folded != "any" && !folded.is_empty() && folded.chars().all(|c| c.is_ascii_alphanumeric());
    match &*folded {
        "any" => Ok(bracketed(r"\x00-\x{10FFFF}", negated)),
        "assigned" => Ok(bracketed(r"\p{Cn}", !negated)),
        _ if known => Ok(bracketed(&format!(r"\p{{{name}}}"), negated)),
        _ => Err(format!("invalid character property name {{{name}}}")),
    }
}

fn unicode_set(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => r"\p{Alphabetic}\p{Nd}",
        "alpha" => r"\p{Alphabetic}",
        "ascii" => r"\x00-\x7F",
        "blank" => r"\t\p{Zs}",
        "cntrl" => r"\p{Cc}",
        "digit" => r"\p{Nd}",
        "graph" => r"[^\p{White_Space}\p{Cc}\p{Cn}\p{Cs}]",
        "lower" => r"\p{Lowercase}",
        "print" => r"[[^\p{White_Space}\p{Cc}\p{Cn}\p{Cs}]\p{Zs}]",
        "punct" => r"\p{P}$+<=>\^`|\x7E",
        "space" => r"\p{White_Space}",
        "upper" => r"\p{Uppercase}",
        "xdigit" => "0-9A-Fa-f",
        "word" => UNICODE_WORD,
        _ => return None,
    })
}

fn ascii_set(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => "0-9A-Za-z",
        "alpha" => "A-Za-z",
        "ascii" => r"\x00-\x7F",
        "blank" => r"\t\x20",
        "cntrl" => r"\x00-\x1F\x7F",
        "digit" => "0-9",
        "graph" => r"\x21-\x7E",
        "lower" => "a-z",
        "print" => r"\x20-\x7E",
        "punct" => r"\x21-\x2F\x3A-\x40\x5B-\x60\x7B-\x7E",
        "space" => r"\t-\r\x20",
        "upper" => "A-Z",
        "xdigit" => "0-9A-Fa-f",
        "word" => "0-9A-Za-z_",
        _ => return None,
    })
}
