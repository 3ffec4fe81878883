//! Regular expressions in Ruby's syntax.
//!
//! See Onigmo's `doc/RE`.

mod class;
mod compiled;
mod escape;
mod grapheme;
mod translate;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use fancy_regex::CompileError;
use puppetfn_base::error::{Error, ErrorKind, RaisedAs};
use puppetfn_base::limits::Limits;

/// A compiled regular expression in Ruby's syntax. Equal if the source is.
#[derive(Clone)]
pub struct Regex(Arc<RegexInner>);

struct RegexInner {
    source: Box<str>,
    compiled: fancy_regex::Regex,
}

/// The positions of a match and its groups in a text, in bytes.
pub struct Groups {
    /// The whole match.
    pub whole: Range<usize>,
    /// The groups from the first on; `None` if one has no part in the match.
    pub others: Vec<Option<Range<usize>>>,
}

/// Maximum number of instructions in a compiled expression; each call of a group is a copy.
const PROGRAM_SIZE: usize = 250_000;

/// Maximum size of a source, in bytes: parsing takes hundreds of times the memory.
const SOURCE_SIZE: usize = 524_288;

fn builder(translated: &str) -> fancy_regex::RegexBuilder {
    let mut builder = fancy_regex::RegexBuilder::new(translated);
    builder
        .multi_line(true)
        .oniguruma_mode(true)
        .ignore_numbered_groups_when_named_groups_exist(true)
        .max_prog_size(PROGRAM_SIZE)
        .backtrack_limit(Limits::BACKTRACKING);
    builder
}

impl Regex {
    /// Compiles a regular expression from the source between the slashes. Options are part of the source: `(?i-mx:...)`.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Syntax`] if it is not a regular expression, and with [`ErrorKind::Limit`] if it is too long.
    pub fn new(source: &str) -> Result<Self, Error> {
        if source.len() > SOURCE_SIZE {
            let message = format!(
                "a regular expression of more than {SOURCE_SIZE} bytes (a limit that cannot be changed)"
            );
            return Err(Error::new(ErrorKind::Limit, message));
        }
        if let Some(known) = compiled::known(source) {
            return known;
        }
        let invalid = |reason: String| {
            let message = format!("{reason}: /{source}/");
            Error::new(ErrorKind::Syntax, message).with_details(RaisedAs("RegexpError"))
        };
        let translated = translate::translate(source).map_err(invalid)?;
        let of = |compiled| Self(Arc::new(RegexInner { source: source.into(), compiled }));
        match builder(&translated).delegate_size_limit(compiled::SMALL).build() {
            Ok(small) => {
                let regex = of(small);
                compiled::keep(source, Ok(regex.clone()));
                Ok(regex)
            }
            Err(fancy_regex::Error::CompileError(error))
                if matches!(*error, CompileError::PatternTooComplex) =>
            {
                let message = format!(
                    "a regular expression with calls of groups that takes more than {PROGRAM_SIZE} instructions (a limit that cannot be \
                     changed): /{source}/"
                );
                let error = Error::new(ErrorKind::Limit, message);
                // Only a second attempt would take longer.
                compiled::keep(source, Err(error.clone()));
                Err(error)
            }
            Err(_) => builder(&translated).build().map(of).map_err(|error| invalid(error.to_string())),
        }
    }

    /// Returns the source between the slashes.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Returns true if some part of the text matches.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Limit`] if the match backtracks too much.
    pub fn is_match(&self, text: &str) -> Result<bool, Error> {
        self.0.compiled.is_match(text).map_err(|_| self.too_many_steps())
    }

    /// Returns the first match in the text and its groups, by their number; `None` if nothing matches.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Limit`] if the match backtracks too much.
    pub fn captures<'t>(&self, text: &'t str) -> Result<Option<Vec<Option<&'t str>>>, Error> {
        let captures = self.0.compiled.captures(text).map_err(|_| self.too_many_steps())?;
        Ok(captures.map(|groups| groups.iter().map(|group| group.map(|group| group.as_str())).collect()))
    }

    /// Returns the positions of the first match at or after an offset, and of its groups by their number.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Limit`] if the match backtracks too much.
    pub fn groups_from(&self, text: &str, start: usize) -> Result<Option<Groups>, Error> {
        if self.0.compiled.captures_len() == 1 {
            let found = self.0.compiled.find_from_pos(text, start).map_err(|_| self.too_many_steps())?;
            return Ok(found.map(|found| Groups { whole: found.range(), others: Vec::new() }));
        }
        let found = self.0.compiled.captures_from_pos(text, start).map_err(|_| self.too_many_steps())?;
        Ok(found.and_then(|groups| {
            let mut ranges = groups.iter().map(|group| group.map(|group| group.range()));
            Some(Groups { whole: ranges.next()??, others: ranges.collect() })
        }))
    }

    /// Returns the number of a group that has a name.
    pub fn group_named(&self, name: &str) -> Option<usize> {
        self.0.compiled.capture_names().position(|known| known == Some(name))
    }

    /// Returns true if the expression has named groups: then parentheses without a name do not form groups.
    pub fn has_named_groups(&self) -> bool {
        self.0.compiled.capture_names().flatten().next().is_some()
    }

    #[cold]
    fn too_many_steps(&self) -> Error {
        Error::new(
            ErrorKind::Limit,
            format!("matching /{}/ takes too many steps (limit 'backtracking')", self.source()),
        )
    }

    /// Returns the flags and the rest of a source that is one group with flags, `(?i-mx:...)`, as a whole.
    fn whole_group(&self) -> Option<(&str, &str)> {
        let inner = self.source().strip_prefix("(?")?.strip_suffix(')')?;
        let (flags, inner) = inner.split_once(':')?;
        let is_group = flags.chars().all(|c| matches!(c, 'm' | 'i' | 'x' | '-')) && Self::new(inner).is_ok();
        is_group.then_some((flags, inner))
    }
}

impl PartialEq for Regex {
    fn eq(&self, other: &Self) -> bool {
        self.0.source == other.0.source
    }
}

impl Eq for Regex {}

impl Hash for Regex {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.source.hash(state);
    }
}

impl fmt::Display for Regex {
    /// Prints as Puppet does, with slashes around: as Ruby's `inspect`, but as its `to_s` where a
    /// character is not ASCII.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.source().is_ascii() {
            return write!(f, "/{}/", EscapedSource(self.source()));
        }
        let (flags, inner) = self.whole_group().unwrap_or(("", self.source()));
        let on = flags.split('-').next().unwrap_or_default();
        let select = |is_on| ['m', 'i', 'x'].into_iter().filter(move |flag| on.contains(*flag) == is_on);
        let (on, off): (String, String) = (select(true).collect(), select(false).collect());
        let separator = if off.is_empty() { "" } else { "-" };
        write!(f, "/(?{on}{separator}{off}:{})/", EscapedSource(inner))
    }
}

/// A source with a backslash in front of each slash that has none.
struct EscapedSource<'a>(&'a str);

impl fmt::Display for EscapedSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut escaped = false;
        for c in self.0.chars() {
            if c == '/' && !escaped {
                f.write_str("\\")?;
            }
            escaped = !escaped && c == '\\';
            match c {
                c if c.is_control() && !c.is_ascii_whitespace() && c.is_ascii() => {
                    write!(f, "\\x{:02X}", u32::from(c))?;
                }
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_to_be_read_is_refused() {
        let classes = |count| Regex::new(&"[a-z]".repeat(count)).map_err(|error| error.kind().clone());
        assert!(classes(100).is_ok());
        assert_eq!(classes(200_000).unwrap_err(), ErrorKind::Limit);
    }

    #[test]
    fn references_to_a_group_from_within_it_are_refused() {
        for source in [r"(a|b\1)+", r"(?<n>a|\k<n>b)", r"((a)|\k<-2>)", r"(?<n>a\g<m>)(?<m>\k<n>)"] {
            let error = Regex::new(source).unwrap_err();
            assert!(error.message().contains("not supported"), "{source}: {error}");
        }
        for source in [r"(a)(b|\1)+", r"(?<n>a)\k<n>", r"(?<n>a\g<n>?b)"] {
            assert!(Regex::new(source).is_ok(), "{source}");
        }
    }

    #[test]
    fn printed_as_puppet_does() {
        for (source, shown) in [
            ("a", "/a/"),
            ("a/b", r"/a\/b/"),
            (r"a\/b", r"/a\/b/"),
            ("(?i-mx:a)", "/(?i-mx:a)/"),
            ("é+", "/(?-mix:é+)/"),
            ("(?-mix:é+)", "/(?-mix:é+)/"),
            ("(?i-mx:é)", "/(?i-mx:é)/"),
            ("(?mix:é)", "/(?mix:é)/"),
            ("(?i-mx:é)|(b)", "/(?-mix:(?i-mx:é)|(b))/"),
            ("a\tb\u{1}", "/a\tb\\x01/"),
        ] {
            assert_eq!(Regex::new(source).unwrap().to_string(), shown);
        }
    }

    #[test]
    fn too_much_backtracking_is_an_error() {
        let regex = Regex::new(r"\A(?:(a+)+\1)+\z").unwrap();
        let error = regex.is_match(&("a".repeat(60) + "b")).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Limit);
    }

    #[test]
    fn an_invalid_expression_says_what_is_wrong() {
        let error = Regex::new("a[b").unwrap_err();
        assert_eq!(error.to_string(), "premature end of char-class: /a[b/");
        assert_eq!(error.kind(), &ErrorKind::Syntax);
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes many minutes")]
    fn calls_of_groups_do_not_use_up_memory() {
        let calls = (0..40).map(|n| format!(r"(?<g{}>\g<g{n}>\g<g{n}>)", n + 1));
        let source = format!("(?<g0>a){}", calls.collect::<String>());
        assert_eq!(Regex::new(&source).unwrap_err().kind(), &ErrorKind::Limit);
    }
}
