//! Parts that several kinds of sections share.

use std::fmt::{self, Write};

use super::super::definition::DataDefault;
use super::super::docstring::Docstring;
use super::super::tag::{DocTag, TagEntry};

/// The maximum length of lines with parameters of resource types.
const LINE: usize = 120;

/// The length of a text's beginning that replaces a missing summary.
const LONGEST_SUMMARY: usize = 141;

/// The rendering of types in entries of options.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionTypes {
    /// Types are shown if they are known.
    IfKnown,
    /// Types are shown even if they are empty.
    Always,
}

/// Returns a name in the form of anchors and links.
pub(super) fn link(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '-' }).collect()
}

/// Returns the link to a parameter.
pub(super) fn parameter_link(owner: &str, name: &str) -> String {
    link(&format!("${owner}::{name}"))
}

/// Returns the text of the first tag of this name that has one.
pub(super) fn text_of<'a>(docstring: &'a Docstring, tag_name: &str) -> Option<&'a str> {
    let tags = docstring.tags.iter().filter(|tag| tag.tag_name == tag_name);
    tags.filter_map(|tag| tag.text.as_deref()).find(|text| !text.is_empty())
}

pub(super) fn summary(docstring: &Docstring) -> Option<&str> {
    text_of(docstring, "summary")
}

/// Returns the beginning of the text.
pub(super) fn beginning(docstring: &Docstring) -> String {
    docstring.text.chars().take(LONGEST_SUMMARY).collect::<String>().replace('\n', " ")
}

/// Returns the text, or else the summary.
pub(super) fn said(docstring: &Docstring) -> Option<&str> {
    Some(docstring.text.as_str()).filter(|text| !text.is_empty()).or_else(|| summary(docstring))
}

/// Writes the notes with titles.
pub(super) fn notes(docstring: &Docstring, titles: &[(&str, &str)], out: &mut String) -> fmt::Result {
    for (tag_name, title) in titles {
        if let Some(text) = text_of(docstring, tag_name) {
            write!(out, "* **{title}** {text}\n\n")?;
        }
    }
    Ok(())
}

/// Writes the `@since` and `@see` tags, with texts after this indent.
pub(super) fn since_and_see(docstring: &Docstring, indent: &str, out: &mut String) -> fmt::Result {
    if let Some(since) = docstring.tag("since") {
        write!(out, "* **Since** {}\n\n", since.text.as_deref().unwrap_or_default())?;
    }
    if docstring.tag("see").is_some() {
        out.push_str("* **See also**\n");
        for tag in docstring.tagged("see") {
            if let Some(name) = &tag.name {
                writeln!(out, "  * {name}")?;
            }
            if let Some(text) = &tag.text {
                writeln!(out, "{indent}  * {text}")?;
            }
        }
        out.push('\n');
    }
    Ok(())
}

/// Writes the examples below a heading of this level.
pub(super) fn examples(docstring: &Docstring, level: &str, out: &mut String) -> fmt::Result {
    if docstring.tag("example").is_some() {
        write!(out, "{level} Examples\n\n")?;
    }
    for tag in docstring.tagged("example") {
        let (name, text) = (tag.name.as_deref(), tag.text.as_deref());
        writeln!(out, "{level}# {}", name.unwrap_or_default())?;
        write!(out, "\n```puppet\n{}\n```\n\n", text.unwrap_or_default())?;
    }
    Ok(())
}

/// Writes the parameters that have tags: first a list, then a section for each.
pub(super) fn parameters(
    owner: &str,
    kind: &str,
    docstring: &Docstring,
    option_types: OptionTypes,
    default: &dyn Fn(&str) -> Option<String>,
    data: &[DataDefault],
    out: &mut String,
) -> fmt::Result {
    let params: Vec<(&str, &DocTag)> =
        docstring.tagged("param").map(|tag| (tag.name.as_deref().unwrap_or_default(), tag)).collect();
    if params.is_empty() {
        return Ok(());
    }
    write!(out, "#### Parameters\n\nThe following parameters are available in the `{owner}` {kind}:\n\n")?;
    for (name, _) in &params {
        writeln!(out, "* [`{name}`](#{})", parameter_link(owner, name))?;
    }
    out.push('\n');
    for (name, tag) in params {
        write!(out, "##### <a name=\"{}\"></a>`{name}`\n\n", parameter_link(owner, name))?;
        if let Some(types) = &tag.types {
            write!(out, "Data type:{}\n\n", code(&types.join(", "), "puppet"))?;
        }
        write!(out, "{}\n\n", tag.text.as_deref().unwrap_or_default())?;
        entries(docstring, tag.name.as_deref(), option_types, out)?;
        if let Some(default) = default(name) {
            write!(out, "Default value:{}\n\n", code(&default, "puppet"))?;
        }
        let data: Vec<_> = data.iter().filter(|value| value.parameter == name).collect();
        if !data.is_empty() {
            out.push_str("Value in the module's data:\n\n");
            for DataDefault { file, value, .. } in data {
                writeln!(out, "* `{file}`:{}", code(value, "puppet"))?;
            }
            out.push('\n');
        }
    }
    Ok(())
}

/// Writes the entries and the values of a parameter.
pub(super) fn entries(
    docstring: &Docstring,
    parameter: Option<&str>,
    option_types: OptionTypes,
    out: &mut String,
) -> fmt::Result {
    for tag_name in ["option", "enum"] {
        let of_parameter = docstring.tagged(tag_name).filter(|tag| tag.name.as_deref() == parameter);
        let entries: Vec<&TagEntry> = of_parameter.filter_map(|tag| tag.entry.as_ref()).collect();
        if entries.is_empty() {
            continue;
        }
        out.push_str("Options:\n\n");
        for TagEntry { name, types, text } in entries {
            let text = text.as_deref().unwrap_or_default();
            match types.as_deref().map(|types| types.first().map_or("", String::as_str)) {
                Some(t) if tag_name == "option" => writeln!(out, "* **{name}** `{t}`: {text}")?,
                None if tag_name == "option" && option_types == OptionTypes::Always => {
                    writeln!(out, "* **{name}** ``: {text}")?;
                }
                _ => writeln!(out, "* **{name}**: {text}")?,
            }
        }
        out.push('\n');
    }
    Ok(())
}

/// Returns code for the text after a title: inline, or as a block if it has several lines.
pub(super) fn code(code: &str, language: &str) -> String {
    if code.contains('\n') { format!("\n\n```{language}\n{code}\n```") } else { format!(" `{code}`") }
}

/// Returns a text with its long lines broken at spaces, if they have any.
pub(super) fn wrapped(text: &str) -> String {
    let line = |line: &str| if line.chars().count() > LINE { broken(line) } else { line.to_owned() };
    let lines: Vec<String> = text.trim_end_matches('\n').split('\n').map(line).collect();
    lines.join("\n")
}

fn broken(line: &str) -> String {
    let chars: Vec<char> = line.chars().collect();
    let is_space = |at: usize| chars.get(at).is_none_or(|c| c.is_ascii_whitespace() || *c == '\u{b}');
    let mut out = String::with_capacity(line.len());
    let mut at = 0usize;
    while let Some(&c) = chars.get(at) {
        let furthest = at.saturating_add(LINE).min(chars.len());
        match (at.saturating_add(1)..=furthest).rev().find(|&end| is_space(end)) {
            Some(end) => {
                out.extend(chars.get(at..end).unwrap_or_default());
                out.push('\n');
                at = end;
                while at < chars.len() && is_space(at) {
                    at = at.saturating_add(1);
                }
            }
            // A word that is too long for a line stays whole.
            None => {
                out.push(c);
                at = at.saturating_add(1);
            }
        }
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_spaces() {
        let words = "word ".repeat(30);
        assert_eq!(
            wrapped(words.trim()),
            format!("{}\n{}", "word ".repeat(24).trim(), "word ".repeat(6).trim())
        );
        assert_eq!(wrapped("a\n\nb\n"), "a\n\nb");
        let long = "x".repeat(130);
        assert_eq!(wrapped(&long), long);
    }

    #[test]
    fn code_of_several_lines_is_a_block() {
        assert_eq!(code("1", "puppet"), " `1`");
        assert_eq!(code("[\n]", "ruby"), "\n\n```ruby\n[\n]\n```");
    }
}
