//! Tags, and the grammars of their texts.
//!
//! Types in brackets are found by counting brackets instead of with nom, whose parsers would recurse once for each
//! bracket of a comment, without a limit.

/// A tag of a comment: `@param [Integer] name text`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DocTag {
    /// The name of the tag, without the `@`.
    pub tag_name: String,
    /// The text.
    pub text: Option<String>,
    /// The types in brackets.
    pub types: Option<Vec<String>>,
    /// The subject: the parameter of `@param`, `@option` and `@enum`, the target of `@see`, the title of `@example`,
    /// the signature of `@overload`.
    pub name: Option<String>,
    /// The entry of an `@option` or `@enum`.
    pub entry: Option<TagEntry>,
    /// The line within the comment, counted from 0.
    pub line: u32,
}

/// An entry of a hash, or a valid value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TagEntry {
    /// The key or the value.
    pub name: String,
    /// The types in brackets.
    pub types: Option<Vec<String>>,
    /// The text.
    pub text: Option<String>,
}

/// The grammar of a tag's text.
#[derive(Clone, Copy)]
pub(super) enum TagForm {
    Text,
    NameAndText,
    TypesAndText,
    TypesNameAndText,
    /// A title on the first line, and the unchanged rest.
    Title,
    /// A parameter, and the types, name and text of an entry.
    Option,
    /// A parameter, and the name and text of an entry.
    Enum,
}

impl TagForm {
    /// Returns the grammar of a tag of YARD or of Puppet Strings.
    pub(super) fn of(tag_name: &str) -> Option<Self> {
        Some(match tag_name {
            "abstract" | "api" | "author" | "deprecated" | "note" | "private" | "since" | "summary"
            | "todo" | "version" => Self::Text,
            "see" => Self::NameAndText,
            "raise" | "return" | "yield" | "yieldreturn" => Self::TypesAndText,
            "attr" | "attr_reader" | "attr_writer" | "param" | "yieldparam" => Self::TypesNameAndText,
            "example" | "overload" => Self::Title,
            "option" => Self::Option,
            "enum" => Self::Enum,
            _ => return None,
        })
    }
}

impl DocTag {
    /// Creates a tag without a text.
    pub(super) fn empty(tag_name: &str, name: Option<String>, types: Vec<String>) -> Self {
        let tag_name = tag_name.to_owned();
        Self { tag_name, text: Some(String::new()), types: Some(types), name, entry: None, line: 0 }
    }

    /// Parses the text after the name of a tag.
    pub(super) fn parse(tag_name: &str, text: &str, line: u32) -> Self {
        let mut tag = Self { tag_name: tag_name.to_owned(), line, ..Self::default() };
        match TagForm::of(tag_name).unwrap_or(TagForm::Text) {
            TagForm::Text => tag.text = Some(text.trim().to_owned()),
            TagForm::NameAndText => (tag.name, tag.text) = split_name(text),
            TagForm::TypesAndText => match TypedText::split(text, "[({<") {
                Some(TypedText { before: "", types, rest }) => {
                    (tag.types, tag.text) = (Some(types), Some(rest.trim().to_owned()));
                }
                _ => tag.text = Some(text.trim().to_owned()),
            },
            TagForm::TypesNameAndText => (tag.types, tag.name, tag.text) = split_types_and_name(text, "[({<"),
            TagForm::Title => {
                let (title, rest) = text.split_once('\n').unwrap_or((text, ""));
                tag.name = Some(title.split_whitespace().collect::<Vec<_>>().join(" "));
                tag.text = Some(rest.to_owned());
            }
            TagForm::Option => {
                let (parameter, rest) = split_name(text);
                // Parentheses contain the default of an option.
                let (types, name, text) = split_types_and_name(rest.as_deref().unwrap_or_default(), "[{<");
                tag.name = parameter;
                tag.entry = Some(TagEntry { name: name.unwrap_or_default(), types, text });
            }
            TagForm::Enum => {
                let (parameter, rest) = split_name(text);
                let (name, text) = split_name(rest.as_deref().unwrap_or_default());
                tag.name = parameter;
                tag.entry = Some(TagEntry { name: name.unwrap_or_default(), types: None, text });
            }
        }
        tag
    }

    /// Returns true if YARD or Puppet Strings knows the tag.
    pub fn is_known(&self) -> bool {
        TagForm::of(&self.tag_name).is_some()
    }

    /// Returns true for the `@param` tag of a parameter.
    pub fn is_param(&self, name: &str) -> bool {
        self.tag_name == "param" && self.name.as_deref() == Some(name)
    }
}

/// Returns the first word and the rest.
pub(super) fn split_name(text: &str) -> (Option<String>, Option<String>) {
    let text = text.trim();
    if text.is_empty() {
        return (None, None);
    }
    match text.split_once(char::is_whitespace) {
        Some((name, rest)) => (Some(name.to_owned()), Some(rest.trim_start().to_owned())),
        None => (Some(text.to_owned()), None),
    }
}

/// Splits a text into types in brackets and a name, in either order, and the rest.
fn split_types_and_name(text: &str, opening: &str) -> (Option<Vec<String>>, Option<String>, Option<String>) {
    match TypedText::split(text, opening) {
        Some(TypedText { before: "", types, rest }) => {
            let (name, text) = split_name(rest);
            (Some(types), name, text)
        }
        Some(TypedText { before, types, rest }) => {
            (Some(types), Some(before.to_owned()), Some(rest.trim().to_owned()))
        }
        None => {
            let (name, text) = split_name(text);
            (None, name, text)
        }
    }
}

/// A text with types in brackets after at most one word.
struct TypedText<'a> {
    before: &'a str,
    types: Vec<String>,
    rest: &'a str,
}

impl<'a> TypedText<'a> {
    /// Finds the types; `None` if the text does not start with types or with a word and types.
    fn split(text: &'a str, opening: &str) -> Option<Self> {
        let text = text.trim_start();
        let start = text.find(|c| opening.contains(c))?;
        let (before, list) = text.split_at_checked(start)?;
        if before.trim_end().contains(char::is_whitespace) || before.contains('\n') {
            return None;
        }
        let (types, rest) = type_list(list)?;
        Some(Self { before: before.trim_end(), types, rest })
    }
}

/// Returns the elements of a bracketed list, and the rest. Brackets and commas in strings are ignored.
fn type_list(text: &str) -> Option<(Vec<String>, &str)> {
    let mut depth = 0u32;
    let mut start = 0;
    let mut types = Vec::new();
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let behind = at.checked_add(c.len_utf8())?;
        match (quote, c) {
            (Some(end), _) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') if text.get(behind..)?.contains(c) => quote = Some(c),
            (None, '[' | '(' | '{' | '<') => {
                depth = depth.checked_add(1)?;
                if depth == 1 {
                    start = behind;
                }
            }
            (None, '>') if before == '=' => {}
            (None, ']' | ')' | '}' | '>') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    types.push(text.get(start..at)?.trim().to_owned());
                    let is_empty = types.iter().all(String::is_empty);
                    return (!is_empty).then_some((types, text.get(behind..)?));
                }
            }
            (None, ',') if depth == 1 => {
                types.push(text.get(start..at)?.trim().to_owned());
                start = behind;
            }
            (None, _) => {}
        }
        before = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(tag_name: &str, text: &str) -> (Option<Vec<String>>, Option<String>, Option<String>) {
        let tag = DocTag::parse(tag_name, text, 0);
        (tag.types, tag.name, tag.text)
    }

    fn types(types: &[&str]) -> Option<Vec<String>> {
        Some(types.iter().map(|t| (*t).to_owned()).collect())
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn types_stand_before_or_behind_the_name() {
        assert_eq!(parsed("param", "[String] a the text"), (types(&["String"]), some("a"), some("the text")));
        assert_eq!(parsed("param", "a [String] the text"), (types(&["String"]), some("a"), some("the text")));
        assert_eq!(parsed("param", "a  the [text]"), (None, some("a"), some("the [text]")));
        assert_eq!(parsed("param", "a"), (None, some("a"), None));
        assert_eq!(parsed("param", ""), (None, None, None));
    }

    #[test]
    fn types_nest_and_contain_strings_and_arrows() {
        assert_eq!(
            parsed("return", "[Variant[Enum['a]', \"b,\"], Integer[1, 2]], Hash{String => Any}] what"),
            (
                types(&["Variant[Enum['a]', \"b,\"], Integer[1, 2]]", "Hash{String => Any}"]),
                None,
                some("what")
            )
        );
        assert_eq!(parsed("return", "[Don't] it is"), (types(&["Don't"]), None, some("it is")));
        assert_eq!(parsed("return", "[unclosed"), (None, None, some("[unclosed")));
        assert_eq!(parsed("return", "[] nothing"), (None, None, some("[] nothing")));
        assert_eq!(parsed("return", "the value [or so]"), (None, None, some("the value [or so]")));
        assert_eq!(
            parsed("return", "\n  [Boolean] on the next line"),
            (types(&["Boolean"]), None, some("on the next line"))
        );
    }

    #[test]
    fn options_and_enums_belong_to_a_parameter() {
        let tag = DocTag::parse("option", "opts [Boolean] :force (false) what it does", 0);
        let entry = TagEntry {
            name: ":force".into(),
            types: types(&["Boolean"]),
            text: some("(false) what it does"),
        };
        assert_eq!((tag.name, tag.entry), (some("opts"), Some(entry)));
        let tag = DocTag::parse("enum", "mode fast the fast one", 0);
        let entry = TagEntry { name: "fast".into(), types: None, text: some("the fast one") };
        assert_eq!((tag.name, tag.entry), (some("mode"), Some(entry)));
    }

    #[test]
    fn examples_keep_their_form() {
        let tag = DocTag::parse("example", "A  title\na\n  b\n", 0);
        assert_eq!((tag.name, tag.text), (some("A title"), some("a\n  b\n")));
        let tag = DocTag::parse("example", "\ncode", 0);
        assert_eq!((tag.name, tag.text), (some(""), some("code")));
    }

    #[test]
    fn unknown_tags_are_texts() {
        assert!(!DocTag::parse("frob", "x", 0).is_known());
        assert_eq!(parsed("frob", " x "), (None, None, some("x")));
    }
}
