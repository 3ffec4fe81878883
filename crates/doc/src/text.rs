//! Documentation as plain text, for a terminal.

use std::fmt::{self, Write};

use super::declared::{Api, DeclaredProvider};
use super::definition::DataDefault;
use super::docstring::Docstring;
use super::function::{DocumentedFunction, DocumentedSignature};
use super::tag::{DocTag, TagEntry};
use super::{
    DataType, Documentation, DocumentedAlias, DocumentedDefinition, DocumentedProvider,
    DocumentedResourceType, DocumentedTask, TaskParameter,
};
use puppetfn_catalog::{AttributeDescription, AttributeKind};

/// The tags that are shown as notes, with their headings.
const NOTES: [(&str, &str); 9] = [
    ("raise", "Raises"),
    ("note", "Note"),
    ("todo", "To do"),
    ("deprecated", "Deprecated"),
    ("since", "Since"),
    ("version", "Version"),
    ("author", "Author"),
    ("see", "See"),
    ("api", "API"),
];

/// The style of a text in colour output.
#[derive(Clone, Copy)]
enum TextStyle {
    /// Names of items, and headings.
    Bold,
    /// Types and signatures.
    Type,
    /// Locations of definitions.
    Faint,
    /// Warnings.
    Warning,
}

impl TextStyle {
    fn of(self, text: &str, has_colours: bool) -> String {
        let code = match self {
            Self::Bold => "1",
            Self::Type => "36",
            Self::Faint => "2",
            Self::Warning => "33",
        };
        if has_colours && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Prints a text, in colour if the format is `{:#}`.
fn styled(f: &mut fmt::Formatter<'_>, style: TextStyle, text: &str) -> fmt::Result {
    f.write_str(&style.of(text, f.alternate()))
}

/// Prints a coloured line, after an empty line.
fn line(f: &mut fmt::Formatter<'_>, indent: &str, style: TextStyle, text: &str) -> fmt::Result {
    write!(f, "\n{indent}")?;
    styled(f, style, text)?;
    f.write_char('\n')
}

impl fmt::Display for Documentation {
    /// Prints all items, separated by empty lines; `{:#}` prints in colour.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let definitions = self.definitions.iter().map(|definition| definition as &dyn fmt::Display);
        let functions = self.functions.iter().map(|function| function as &dyn fmt::Display);
        let data_types = self.data_types.iter().map(|data_type| data_type as &dyn fmt::Display);
        let tasks = self.tasks.iter().map(|task| task as &dyn fmt::Display);
        let types = self.type_aliases.iter().map(|alias| alias as &dyn fmt::Display);
        let resource_types = self.resource_types.iter().map(|t| t as &dyn fmt::Display);
        let providers = self.providers.iter().map(|provider| provider as &dyn fmt::Display);
        let code = definitions.chain(functions).chain(types).chain(data_types);
        for (index, document) in code.chain(resource_types).chain(providers).chain(tasks).enumerate() {
            if index > 0 {
                f.write_char('\n')?;
            }
            document.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for DocumentedDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, &self.name, &self.docstring)?;
        for tag in self.docstring.tagged("param") {
            parameter(f, tag, &self.docstring)?;
            let default = self.defaults.iter().find(|(name, _)| Some(name) == tag.name.as_ref());
            if let Some((_, default)) = default {
                indented(f, &format!("Default: {default}"), "      ")?;
            }
            for DataDefault { file, value, .. } in self.data_of(tag.name.as_deref().unwrap_or_default()) {
                indented(f, &format!("In {file}: {value}"), "      ")?;
            }
        }
        rest(f, &self.docstring, "  ")?;
        let title = self.kind.title();
        let (first, others) = title.split_at_checked(1).unwrap_or((title, ""));
        let parent = self.parent.as_ref().map(|parent| format!(", inherits {parent}")).unwrap_or_default();
        let place = format!("{}{others}{parent}, {}:{}", first.to_uppercase(), self.file, self.line);
        line(f, "  ", TextStyle::Faint, &place)
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, &self.name, &self.docstring)?;
        for tag in self.docstring.tagged("param") {
            parameter(f, tag, &self.docstring)?;
        }
        for function in &self.functions {
            let signature = DocumentedSignature {
                text: function.signature.clone(),
                docstring: function.docstring.clone(),
                defaults: Vec::new(),
            };
            signature.write(f, true)?;
        }
        rest(f, &self.docstring, "  ")?;
        line(f, "  ", TextStyle::Faint, &format!("Data type, {}:{}", self.file, self.line))
    }
}

impl fmt::Display for DocumentedTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, &self.name, &self.docstring)?;
        for TaskParameter { name, text, type_text } in &self.parameters {
            typed(f, type_text.as_deref().unwrap_or_default(), "", name, "")?;
            indented(f, text, "      ")?;
        }
        line(f, "  ", TextStyle::Faint, &format!("Task, {}", self.file))
    }
}

impl fmt::Display for DocumentedFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, &self.name, &self.docstring)?;
        match self.signatures.as_slice() {
            [only] => only.write(f, false)?,
            several => {
                for signature in several {
                    signature.write(f, true)?;
                }
            }
        }
        rest(f, &self.docstring, "  ")?;
        let file = self.file.as_ref().map(|file| format!(", {file}:{}", self.line));
        line(f, "  ", TextStyle::Faint, &format!("{}{}", self.api.title(), file.unwrap_or_default()))
    }
}

impl DocumentedSignature {
    /// Prints the signature and its parameters; with its own text and notes if the function has several.
    fn write(&self, f: &mut fmt::Formatter<'_>, is_one_of_several: bool) -> fmt::Result {
        line(f, "  ", TextStyle::Type, &self.text)?;
        if is_one_of_several {
            paragraphs(f, self.docstring.tag("summary").and_then(|tag| tag.text.as_deref()), "    ")?;
            paragraphs(f, Some(&self.docstring.text), "    ")?;
        }
        let documented = |tag: &&DocTag| tag.text.as_deref().is_some_and(|text| !text.is_empty());
        for tag in self.docstring.tagged("param").filter(documented) {
            parameter(f, tag, &self.docstring)?;
        }
        let says_more =
            |tag: &&DocTag| documented(tag) || tag.types.as_deref().is_some_and(|types| types != ["Any"]);
        if let Some(tag) = self.docstring.tag("return").filter(says_more) {
            write!(f, "\n    Returns ")?;
            styled(f, TextStyle::Type, &joined(tag.types.as_deref()))?;
            f.write_char('\n')?;
            indented(f, tag.text.as_deref().unwrap_or_default(), "      ")?;
        }
        if is_one_of_several { rest(f, &self.docstring, "    ") } else { Ok(()) }
    }
}

impl fmt::Display for DocumentedAlias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, &self.name, &self.docstring)?;
        f.write_char('\n')?;
        indented(f, &format!("{} = {}", self.name, self.alias_of), "  ")?;
        for tag in self.docstring.tagged("param") {
            parameter(f, tag, &self.docstring)?;
        }
        rest(f, &self.docstring, "  ")?;
        line(f, "  ", TextStyle::Faint, &format!("Type alias, {}:{}", self.file, self.line))
    }
}

impl fmt::Display for DocumentedResourceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, &self.description.name, &self.docstring)?;
        for (title, kind) in [
            ("Properties", AttributeKind::Property),
            ("Parameters", AttributeKind::Parameter),
            ("Checks", AttributeKind::Check),
        ] {
            let attributes = self.attributes(kind);
            if !attributes.is_empty() {
                line(f, "  ", TextStyle::Bold, title)?;
            }
            attributes.into_iter().try_for_each(|one| attribute(f, one))?;
        }
        if !self.description.features.is_empty() {
            line(f, "  ", TextStyle::Bold, "Features")?;
        }
        for feature in &self.description.features {
            line(f, "    ", TextStyle::Bold, &feature.name)?;
            indented(f, &feature.doc, "      ")?;
        }
        rest(f, &self.docstring, "  ")?;
        let place = match &self.file {
            Some(file) => format!("Resource type, {file}:{}", self.description.line),
            None => "Resource type, built in".to_owned(),
        };
        line(f, "  ", TextStyle::Faint, &place)
    }
}

impl fmt::Display for DocumentedProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DeclaredProvider {
            type_name, name, line: number, confines, defaults, commands, features, ..
        } = &self.declared;
        heading(f, &format!("{type_name} {name}"), &self.docstring)?;
        let pairs = |pairs: &[(String, String)]| {
            pairs.iter().map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>().join(", ")
        };
        let defaults: Vec<String> = defaults.iter().map(|constraints| pairs(constraints)).collect();
        for (title, text) in [
            ("Confined to", pairs(confines)),
            ("Default for", defaults.join("; ")),
            ("Commands", pairs(commands)),
            ("Features", features.join(", ")),
        ] {
            if !text.is_empty() {
                writeln!(f, "\n  {title}: {text}")?;
            }
        }
        rest(f, &self.docstring, "  ")?;
        line(f, "  ", TextStyle::Faint, &format!("Provider, {}:{number}", self.file))
    }
}

/// Prints an attribute of a resource type, and its values.
fn attribute(f: &mut fmt::Formatter<'_>, attribute: &AttributeDescription) -> fmt::Result {
    let note = if attribute.is_namevar { " (names resources)" } else { "" };
    typed(f, attribute.data_type.as_deref().unwrap_or_default(), "", &attribute.name, note)?;
    indented(f, attribute.doc.as_deref().unwrap_or_default(), "      ")?;
    let aliases = attribute.aliases.iter().map(|(alias, value)| format!("{alias} (for {value})"));
    let values: Vec<String> = attribute.values.iter().cloned().chain(aliases).collect();
    for (title, text) in [
        ("Values", values.join(", ")),
        ("Default", attribute.default.clone().unwrap_or_default()),
        ("Requires features", attribute.features.join(", ")),
    ] {
        if !text.is_empty() {
            indented(f, &format!("{title}: {text}"), "      ")?;
        }
    }
    Ok(())
}

/// Prints the name, the summary and the text.
fn heading(f: &mut fmt::Formatter<'_>, name: &str, docstring: &Docstring) -> fmt::Result {
    let summary =
        docstring.tag("summary").and_then(|tag| tag.text.as_deref()).filter(|text| !text.is_empty());
    match summary {
        Some(summary) => {
            styled(f, TextStyle::Bold, name)?;
            writeln!(f, ": {}", summary.split_whitespace().collect::<Vec<_>>().join(" "))?;
        }
        None => {
            styled(f, TextStyle::Bold, name)?;
            f.write_char('\n')?;
        }
    }
    let text = docstring.text.as_str();
    paragraphs(f, Some(text).filter(|text| Some(*text) != summary), "  ")
}

/// Prints a parameter, its type and text, and its entries or values.
fn parameter(f: &mut fmt::Formatter<'_>, tag: &DocTag, docstring: &Docstring) -> fmt::Result {
    let name = tag.name.as_deref().unwrap_or_default();
    let plain = name.trim_start_matches(['*', '&']);
    let mark = name.strip_suffix(plain).unwrap_or_default();
    typed(f, &joined(tag.types.as_deref()), mark, &format!("${plain}"), "")?;
    indented(f, tag.text.as_deref().unwrap_or_default(), "      ")?;
    let belongs = |tag: &&DocTag| tag.name.as_deref() == Some(plain);
    for DocTag { entry, .. } in docstring.tags.iter().filter(belongs) {
        if let Some(TagEntry { name, types, text }) = entry {
            let types = types.as_deref().map(|types| format!(" ({})", types.join(", ")));
            writeln!(f, "      {name}{}", types.unwrap_or_default())?;
            indented(f, text.as_deref().unwrap_or_default(), "        ")?;
        }
    }
    Ok(())
}

/// Prints a name with its type before it, after an empty line.
fn typed(f: &mut fmt::Formatter<'_>, t: &str, mark: &str, name: &str, note: &str) -> fmt::Result {
    f.write_str("\n    ")?;
    styled(f, TextStyle::Type, t)?;
    write!(f, "{}{mark}", if t.is_empty() { "" } else { " " })?;
    styled(f, TextStyle::Bold, name)?;
    writeln!(f, "{note}")
}

/// Prints examples and notes.
fn rest(f: &mut fmt::Formatter<'_>, docstring: &Docstring, indent: &str) -> fmt::Result {
    for tag in docstring.tagged("example") {
        let title = tag.name.as_deref().filter(|title| !title.is_empty());
        match title {
            Some(title) => line(f, indent, TextStyle::Bold, &format!("Example: {title}"))?,
            None => line(f, indent, TextStyle::Bold, "Example:")?,
        }
        f.write_char('\n')?;
        indented(f, tag.text.as_deref().unwrap_or_default(), &format!("{indent}  "))?;
    }
    for (tag_name, title) in NOTES {
        for (index, tag) in docstring.tagged(tag_name).enumerate() {
            if index == 0 {
                f.write_char('\n')?;
            }
            let types = tag.types.as_deref().map(|types| joined(Some(types)));
            let parts = [types.as_deref(), tag.name.as_deref(), tag.text.as_deref()];
            let text = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
            let style = if tag_name == "deprecated" { TextStyle::Warning } else { TextStyle::Bold };
            indented(f, &format!("{}: {text}", style.of(title, f.alternate())), indent)?;
        }
    }
    Ok(())
}

/// Prints a text after an empty line, unless the text is missing.
fn paragraphs(f: &mut fmt::Formatter<'_>, text: Option<&str>, indent: &str) -> fmt::Result {
    match text {
        None | Some("") => Ok(()),
        Some(text) => {
            f.write_char('\n')?;
            indented(f, text, indent)
        }
    }
}

/// Prints the lines of a text, each after `indent`.
fn indented(f: &mut fmt::Formatter<'_>, text: &str, indent: &str) -> fmt::Result {
    for line in text.lines() {
        if line.trim().is_empty() {
            f.write_char('\n')?;
        } else {
            writeln!(f, "{indent}{line}")?;
        }
    }
    Ok(())
}

fn joined(types: Option<&[String]>) -> String {
    types.unwrap_or_default().join(", ")
}

impl Api {
    fn title(self) -> &'static str {
        match self {
            Self::Ruby4x => "Ruby 4.x API",
            Self::Ruby3x => "Ruby 3.x API",
            Self::Puppet => "Puppet language",
            Self::BuiltIn => "Built-in function",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Docstring, DocumentedAlias};
    use super::*;

    #[test]
    fn colours_are_for_terminals_only() {
        let docstring = Docstring::parse("A port.\n@deprecated It is\n  old.");
        let (name, alias_of) = ("A::Port".to_owned(), "Integer".to_owned());
        let alias = DocumentedAlias { name, file: "a.pp".to_owned(), line: 2, docstring, alias_of };
        let documentation = Documentation { type_aliases: vec![alias], ..Documentation::default() };
        let plain = documentation.to_string();
        assert_eq!(
            plain,
            "A::Port\n\n  A port.\n\n  A::Port = Integer\n\n  Deprecated: It is\n  old.\n\n  Type alias, a.pp:2\n"
        );
        let coloured = format!("{documentation:#}");
        assert!(coloured.starts_with("\x1b[1mA::Port\x1b[0m\n"), "{coloured:?}");
        assert!(coloured.contains("\x1b[33mDeprecated\x1b[0m: It is\n"), "{coloured:?}");
        let mut without = coloured;
        for code in ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[33m", "\x1b[36m"] {
            without = without.replace(code, "");
        }
        assert_eq!(without, plain);
    }
}
