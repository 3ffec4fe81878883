//! The parser of comments: text and tags.

use serde_json::{Value as Json, json};

use super::tag::DocTag;
use super::yard::{self, is_space};

/// The reader of files to follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReadingMode {
    /// This project's own, which keeps all content.
    #[default]
    Own,
    /// Puppet Strings, with its omissions and truncations.
    Strings,
}

/// YARD's directives, which change a comment's context instead of documenting anything, in their old spelling without
/// `!`.
const DIRECTIVES: [&str; 7] = ["attribute", "endgroup", "group", "macro", "method", "scope", "visibility"];

/// A parsed comment: its text and its tags.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Docstring {
    /// The text outside of tags.
    pub text: String,
    /// The tags, in order.
    pub tags: Vec<DocTag>,
}

/// An unparsed tag, from its `@` to the start of the next text.
struct OpenTag<'a> {
    name: &'a str,
    is_directive: bool,
    line: u32,
    text: Vec<&'a str>,
    /// The indent of the continuation lines, once there is one.
    indent: usize,
}

impl Docstring {
    /// Parses a comment in YARD's format, without comment marks.
    ///
    /// A tag starts at the start of a line; continuation lines are indented, and keep any indent beyond the first
    /// one's.
    ///
    /// ```
    /// use puppetfn::doc::Docstring;
    ///
    /// let docstring = Docstring::parse("Adds.\n@param a [Integer] the first\n  of two\n@since 2.0");
    /// assert_eq!(docstring.text, "Adds.");
    /// assert_eq!(docstring.tags[0].name.as_deref(), Some("a"));
    /// assert_eq!(docstring.tags[0].text.as_deref(), Some("the first\nof two"));
    /// assert_eq!(docstring.tags[1].text.as_deref(), Some("2.0"));
    /// ```
    pub fn parse(comment: &str) -> Self {
        Self::read(comment, ReadingMode::Own)
    }

    /// Parses a comment as [`parse`](Self::parse) does, or as Puppet Strings does.
    pub fn read(comment: &str, reading: ReadingMode) -> Self {
        let comment =
            if reading == ReadingMode::Strings { yard::without_reference(comment) } else { comment };
        let (text, opened) = Self::split(comment);
        let tags = opened.into_iter().filter_map(|open| open.close(reading)).collect();
        Self { text, tags }
    }

    /// Returns the methods of `@!method` directives: their signatures and docstrings.
    pub(super) fn methods(comment: &str, reading: ReadingMode) -> Vec<(String, Self)> {
        let (_, opened) = Self::split(comment);
        let methods = opened.into_iter().filter(|open| open.name == "method");
        let read = |open: OpenTag<'_>| {
            let (signature, text) = open.text.split_first()?;
            Some((signature.trim().to_owned(), Self::read(&text.join("\n"), reading)))
        };
        methods.filter_map(read).collect()
    }

    /// Returns the text outside of tags, and the unparsed tags.
    fn split(comment: &str) -> (String, Vec<OpenTag<'_>>) {
        let mut text = Vec::new();
        let mut tags = Vec::new();
        let mut open: Option<OpenTag<'_>> = None;
        let mut after_blank = false;
        for (number, line) in (0..).zip(comment.lines()) {
            let indent = line.len() - line.trim_start_matches(is_space).len();
            let is_blank = indent == line.len();
            let ends = |open: &OpenTag<'_>| !is_blank && (indent == 0 || indent < open.indent);
            if open.as_ref().is_some_and(ends) {
                tags.extend(open.take());
            }
            match (&mut open, start(line)) {
                (None, Some((is_directive, name, rest))) => {
                    open = Some(OpenTag { name, is_directive, line: number, text: vec![rest], indent: 0 });
                }
                (None, None) => text.push(line),
                (Some(open), _) if !is_blank => {
                    if open.indent == 0 {
                        open.indent = indent;
                    }
                    if after_blank {
                        open.text.push("");
                    }
                    open.text.push(line.get(open.indent..).unwrap_or(line));
                }
                (Some(_), _) => {}
            }
            after_blank = is_blank;
        }
        tags.extend(open);
        (text.join("\n").trim_matches(is_space).to_owned(), tags)
    }

    /// Returns the tags of this name.
    pub fn tagged<'a>(&'a self, tag_name: &'a str) -> impl Iterator<Item = &'a DocTag> {
        self.tags.iter().filter(move |tag| tag.tag_name == tag_name)
    }

    /// Returns the first tag of this name.
    pub fn tag(&self, tag_name: &str) -> Option<&DocTag> {
        self.tags.iter().find(|tag| tag.tag_name == tag_name)
    }

    /// Returns true if it has neither text nor tags.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.tags.is_empty()
    }
}

impl OpenTag<'_> {
    /// Parses the tag; `None` for a directive.
    fn close(self, reading: ReadingMode) -> Option<DocTag> {
        if self.is_directive || DIRECTIVES.contains(&self.name) {
            return None;
        }
        let text = self.text.join("\n");
        match reading {
            ReadingMode::Own => Some(DocTag::parse(self.name, &text, self.line)),
            ReadingMode::Strings => yard::tag(self.name, &text, self.line),
        }
    }
}

/// Returns the tag that a line starts: whether it is a directive, the name, and the rest of the line.
fn start(line: &str) -> Option<(bool, &str, &str)> {
    let rest = line.strip_prefix('@')?;
    let (is_directive, rest) = rest.strip_prefix('!').map_or((false, rest), |rest| (true, rest));
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    let end = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
    let (name, text) = rest.split_at_checked(end)?;
    let is_name = name.starts_with(|c| c != '.') && !name.contains("..");
    (is_name && text.chars().next().is_none_or(is_space))
        .then(|| (is_directive, name, text.trim_start_matches(is_space)))
}

impl Docstring {
    /// Returns true for `@api public`, which is the default.
    pub(super) fn is_public(&self) -> bool {
        self.tag("api").is_some_and(|tag| tag.text.as_deref() == Some("public"))
    }
}

/// The tags that are repeated with each signature.
pub(super) const TAGS_OF_SIGNATURES: [&str; 5] = ["param", "option", "enum", "return", "example"];

/// Returns a docstring as JSON, with all of its tags or only the tags of these names.
pub(super) fn docstring(docstring: &Docstring, names: Option<&[&str]>) -> Json {
    let wanted = |tag: &&DocTag| names.is_none_or(|names| names.contains(&tag.tag_name.as_str()));
    let tags =
        docstring.tags.iter().filter(wanted).map(|tag| (tag.tag_name.as_str(), tag.to_json())).collect();
    with_tags(&docstring.text, docstring.is_public(), tags)
}

/// Returns a text and tags. They are sorted, as YARD does.
pub(super) fn with_tags(text: &str, is_public: bool, mut tags: Vec<(&str, Json)>) -> Json {
    tags.retain(|(name, _)| *name != "api" || !is_public);
    tags.sort_by_key(|(name, _)| *name);
    if tags.is_empty() {
        return json!({"text": text});
    }
    json!({"text": text, "tags": tags.into_iter().map(|(_, tag)| tag).collect::<Vec<_>>()})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(comment: &str) -> Vec<(String, Option<String>, Option<String>)> {
        let tags = Docstring::parse(comment).tags.into_iter();
        tags.map(|tag| (tag.tag_name, tag.name, tag.text)).collect()
    }

    #[test]
    fn text_may_follow_tags() {
        let docstring = Docstring::parse("One.\n\n@since 1\n\nTwo.\n@api private\n");
        assert_eq!(docstring.text, "One.\n\nTwo.");
        assert_eq!(docstring.tags.len(), 2);
        assert_eq!(docstring.tags[1].line, 5);
    }

    #[test]
    fn further_lines_of_a_tag_are_indented() {
        let comment = "@example Of it\n  a {\n    b\n\n\n    c\n  }\n @not a tag\n@note x\ny";
        assert_eq!(
            tags(comment),
            [
                ("example".into(), Some("Of it".into()), Some("a {\n  b\n\n  c\n}".into())),
                ("note".into(), None, Some("x".into())),
            ]
        );
        assert_eq!(Docstring::parse(comment).text, "@not a tag\ny");
    }

    #[test]
    fn directives_and_addresses_are_no_tags() {
        let docstring =
            Docstring::parse("@!method x\n  more\n@visibility private\nmail me@example.org\n@ b\n@-c");
        assert_eq!(docstring.tags, []);
        assert_eq!(docstring.text, "mail me@example.org\n@ b\n@-c");
    }
}
