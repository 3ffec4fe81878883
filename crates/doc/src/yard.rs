//! Tags as YARD parses them, mistakes included: tags that it cannot parse are dropped.

use std::collections::HashMap;

use super::tag::{DocTag, TagEntry, TagForm, split_name};

const OPENING: &str = "[({<";
const CLOSING: &str = "])}>";

/// Types in brackets, with the texts before and after them.
struct BracketedTypes {
    before: Option<String>,
    types: Option<Vec<String>>,
    rest: String,
}

/// Returns true for the characters of Ruby's `\s`.
pub(super) fn is_space(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{b}'
}

/// Parses the text after the name of a tag; `None` for a tag that is dropped.
pub(super) fn tag(tag_name: &str, text: &str, line: u32) -> Option<DocTag> {
    if is_reference(text) {
        return None;
    }
    let mut tag = DocTag { tag_name: tag_name.to_owned(), line, ..DocTag::default() };
    match TagForm::of(tag_name)? {
        TagForm::Text => tag.text = Some(text.trim_matches(is_space).to_owned()),
        TagForm::NameAndText => (tag.name, tag.text) = split_name(text),
        TagForm::TypesAndText => {
            let BracketedTypes { before: None, types, rest } = typed(text, OPENING, CLOSING) else {
                return None;
            };
            (tag.types, tag.text) = (types, Some(rest));
        }
        TagForm::TypesNameAndText => (tag.types, tag.name, tag.text) = types_and_name(text, OPENING, CLOSING),
        TagForm::Title => {
            if text.is_empty() {
                return None;
            }
            (tag.name, tag.text) = title(text);
        }
        TagForm::Option => {
            let (parameter, rest) = split_name(text);
            let (types, name, text) = types_and_name(&rest?, "[{<", "]}>");
            // Parentheses contain the default of an option.
            let text =
                text.map(|text| if text.starts_with('(') { typed(&text, "(", ")").rest } else { text });
            tag.name = parameter;
            tag.entry = Some(TagEntry { name: name.unwrap_or_default(), types, text });
        }
        TagForm::Enum => {
            let (parameter, rest) = split_name(text);
            let (name, text) = split_name(&rest?);
            tag.name = parameter;
            tag.entry = Some(TagEntry { name: name.unwrap_or_default(), types: None, text });
        }
    }
    Some(tag)
}

/// Returns true for a text that only refers to the tags of another item: `(see String#split)`.
fn is_reference(text: &str) -> bool {
    let text = text.trim_matches(is_space);
    let after_name = text.split_once(is_space).map(|(_, rest)| rest.trim_start_matches(is_space));
    [Some(text), after_name].into_iter().flatten().any(|text| {
        let target = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
        let target = target.and_then(|inner| inner.trim_start_matches(is_space).strip_prefix("see"));
        target.is_some_and(|target| target.starts_with(is_space) && is_word(target.trim_matches(is_space)))
    })
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(is_space)
}

/// Returns the text after a `(see name)` at the start of a comment, which includes another item's comment.
pub(super) fn without_reference(comment: &str) -> &str {
    let found = comment.trim_start_matches(is_space).strip_prefix("(see ").and_then(|rest| {
        let (target, rest) = rest.split_once(')')?;
        let is_end = rest.is_empty() || rest.starts_with(is_space);
        (is_word(target.trim_end_matches(is_space)) && is_end).then_some(rest)
    });
    found.map_or(comment, |rest| rest.strip_prefix(is_space).unwrap_or(rest))
}

fn title(text: &str) -> (Option<String>, Option<String>) {
    if text.starts_with(" \n") || text.starts_with("\t\n") {
        return (None, Some(text.to_owned()));
    }
    let (title, rest) = text.split_once('\n').unwrap_or((text, ""));
    let mut squeezed = String::with_capacity(title.len());
    for c in title.chars() {
        if c != ' ' || !squeezed.ends_with(' ') {
            squeezed.push(c);
        }
    }
    (Some(squeezed.trim_matches(is_space).to_owned()), Some(rest.to_owned()))
}

fn types_and_name(
    text: &str,
    opening: &str,
    closing: &str,
) -> (Option<Vec<String>>, Option<String>, Option<String>) {
    let BracketedTypes { before, types, rest } = typed(text, opening, closing);
    if before.is_some() {
        return (types, before, Some(rest));
    }
    let (name, text) = split_name(&rest);
    (types, name, text)
}

/// Finds types in brackets after at most one word.
fn typed(text: &str, opening: &str, closing: &str) -> BracketedTypes {
    let chars: Vec<char> = text.chars().collect();
    let mut strings = QuotedStrings { chars: &chars, next: HashMap::new() };
    let mut before = String::new();
    let mut list = vec![String::new()];
    let mut level = 0i64;
    let (mut has_space, mut last, mut end, mut at) = (false, ' ', 0, 0);
    while let Some(&c) = chars.get(at) {
        if let Some((start, behind)) = strings.at(at, c) {
            push(&mut list, chars.get(start..behind).unwrap_or_default());
            at = at.saturating_add(behind.saturating_sub(start));
            continue;
        }
        if opening.contains(c) {
            if level > 0 {
                push(&mut list, &[c]);
            }
            level = level.saturating_add(1);
        } else if closing.contains(c) {
            if last != '=' || c != '>' {
                level = level.saturating_sub(1);
            }
            if level == 0 {
                end = at;
                break;
            }
            push(&mut list, &[c]);
        } else if c == ',' && level == 1 {
            list.push(String::new());
        } else if level == 0 && !is_space(c) {
            if has_space && list == [""] {
                end = at;
                break;
            }
            before.push(c);
        } else if level == 0 && matches!(c, ' ' | '\t') && !before.is_empty() {
            has_space = true;
        } else if level >= 1 {
            push(&mut list, &[c]);
        } else if level == 0 && c == '\n' {
            end = at;
            break;
        }
        last = c;
        at = at.saturating_add(1);
    }
    if list == [""] {
        return BracketedTypes { before: None, types: None, rest: text.trim_matches(is_space).to_owned() };
    }
    let rest: String = chars.into_iter().skip(end.saturating_add(1)).collect();
    BracketedTypes {
        before: Some(before.trim_matches(is_space).to_owned()).filter(|before| !before.is_empty()),
        types: Some(list.iter().map(|t| t.trim_matches(is_space).to_owned()).collect()),
        rest: rest.trim_matches(is_space).to_owned(),
    }
}

/// The quoted strings of a text, each of which is searched for once.
struct QuotedStrings<'a> {
    chars: &'a [char],
    /// The next string for each quote character; `None` if there are no more.
    next: HashMap<char, Option<(usize, usize)>>,
}

impl QuotedStrings<'_> {
    /// Returns the span of the string that starts with the quote at a place, or else of the next string with this
    /// quote.
    fn at(&mut self, at: usize, quote: char) -> Option<(usize, usize)> {
        if !matches!(quote, '"' | '\'') {
            return None;
        }
        match self.next.get(&quote) {
            Some(Some((start, behind))) if *start >= at => return Some((*start, *behind)),
            Some(None) => return None,
            Some(Some(_)) | None => {}
        }
        let mut starts = (at..self.chars.len()).filter(|&start| self.chars.get(start) == Some(&quote));
        let found = starts.find_map(|start| Some((start, self.end(start, quote)?)));
        self.next.insert(quote, found);
        found
    }

    /// Returns the end of a string that starts here, if it ends on the same line and is not empty.
    fn end(&self, start: usize, quote: char) -> Option<usize> {
        let from = start.checked_add(2)?;
        self.chars.get(from.checked_sub(1)?).filter(|&&c| c != '\n')?;
        let inside = self.chars.get(from..)?;
        let length = inside.iter().position(|&c| c == quote || c == '\n')?;
        (inside.get(length) == Some(&quote)).then(|| from.saturating_add(length).saturating_add(1))
    }
}

fn push(list: &mut [String], chars: &[char]) {
    if let Some(last) = list.last_mut() {
        last.extend(chars);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Parts<'a> = (Option<Vec<&'a str>>, Option<&'a str>, Option<&'a str>);

    fn check(tag_name: &str, text: &str, expected: Option<Parts<'_>>) {
        let found = tag(tag_name, text, 0);
        let found = found.as_ref().map(|tag| {
            let types = tag.types.as_ref().map(|types| types.iter().map(String::as_str).collect());
            (types, tag.name.as_deref(), tag.text.as_deref())
        });
        assert_eq!(found, expected, "@{tag_name} {text}");
    }

    #[test]
    fn what_is_well_formed_is_read() {
        let string = Some(vec!["String", "Hash{a => b}"]);
        check("param", "[String, Hash{a => b}] a  it is", Some((string.clone(), Some("a"), Some("it is"))));
        check("param", "a [String, Hash{a => b}] it is", Some((string, Some("a"), Some("it is"))));
        check("param", "a it's", Some((None, Some("a"), Some("it's"))));
        check("return", "[Enum['a, b']] x", Some((Some(vec!["Enum['a, b']"]), None, Some("x"))));
        check("example", "A  title\nof it", Some((None, Some("A title"), Some("of it"))));
    }

    #[test]
    fn what_is_not_is_dropped_or_cut() {
        check("return", "what [String] x", None);
        check("example", "", None);
        check("frob", "x", None);
        check("param", "(see other)", None);
        check("option", "opts", None);
        check("return", "[unclosed", Some((Some(vec!["unclosed"]), None, Some("unclosed"))));
        let entry = tag("option", "opts [Integer] :a (3) text", 0).and_then(|tag| tag.entry);
        assert_eq!(entry.and_then(|entry| entry.text).as_deref(), Some("text"));
    }

    #[test]
    fn references_take_the_place_of_texts() {
        assert_eq!(without_reference("(see String#a)\nmore"), "more");
        assert_eq!(without_reference("(see the manual) more"), "(see the manual) more");
    }
}
