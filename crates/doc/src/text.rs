//! Documents as plain text, for a terminal.

use std::fmt::{self, Write};

use super::declared::{Api, DeclaredProvider};
use super::docstring::Docstring;
use super::function::{Function, Signature};
use super::tag::{Entry, Tag};
use super::{DataType, Definition, Documentation, Provider, ResourceType, Task, TaskParameter, TypeAlias};
use puppetfn_runtime::catalog::{AttributeDescription, AttributeKind};

/// The tags that are shown as notes, with how they are headed.
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

impl fmt::Display for Documentation {
    /// Prints one after the other, with a line between.
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

impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, &self.name, &self.docstring)?;
        for tag in self.docstring.tagged("param") {
            parameter(f, tag, &self.docstring)?;
            let default = self.defaults.iter().find(|(name, _)| Some(name) == tag.name.as_ref());
            if let Some((_, default)) = default {
                indented(f, &format!("Default: {default}"), "      ")?;
            }
        }
        rest(f, &self.docstring, "  ")?;
        let title = self.kind.title();
        let (first, others) = title.split_at_checked(1).unwrap_or((title, ""));
        let parent = self.parent.as_ref().map(|parent| format!(", inherits {parent}")).unwrap_or_default();
        writeln!(f, "\n  {}{others}{parent}, {}:{}", first.to_uppercase(), self.file, self.line)
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, &self.name, &self.docstring)?;
        for tag in self.docstring.tagged("param") {
            parameter(f, tag, &self.docstring)?;
        }
        for function in &self.functions {
            let signature = Signature {
                text: function.signature.clone(),
                docstring: function.docstring.clone(),
                defaults: Vec::new(),
            };
            signature.write(f, true)?;
        }
        rest(f, &self.docstring, "  ")?;
        writeln!(f, "\n  Data type, {}:{}", self.file, self.line)
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, &self.name, &self.docstring)?;
        for TaskParameter { name, text, type_text } in &self.parameters {
            let t = type_text.as_ref().map(|t| format!("{t} ")).unwrap_or_default();
            writeln!(f, "\n    {t}{name}")?;
            indented(f, text, "      ")?;
        }
        writeln!(f, "\n  Task, {}", self.file)
    }
}

impl fmt::Display for Function {
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
        writeln!(f, "\n  {}{}", self.api.title(), file.unwrap_or_default())
    }
}

impl Signature {
    /// Prints the signature and its parameters; with its own text and notes if it is one of several.
    fn write(&self, f: &mut fmt::Formatter<'_>, is_one_of_several: bool) -> fmt::Result {
        writeln!(f, "\n  {}", self.text)?;
        if is_one_of_several {
            paragraphs(f, self.docstring.tag("summary").and_then(|tag| tag.text.as_deref()), "    ")?;
            paragraphs(f, Some(&self.docstring.text), "    ")?;
        }
        let documented = |tag: &&Tag| tag.text.as_deref().is_some_and(|text| !text.is_empty());
        for tag in self.docstring.tagged("param").filter(documented) {
            parameter(f, tag, &self.docstring)?;
        }
        let says_more =
            |tag: &&Tag| documented(tag) || tag.types.as_deref().is_some_and(|types| types != ["Any"]);
        if let Some(tag) = self.docstring.tag("return").filter(says_more) {
            writeln!(f, "\n    Returns {}", joined(tag.types.as_deref()))?;
            indented(f, tag.text.as_deref().unwrap_or_default(), "      ")?;
        }
        if is_one_of_several { rest(f, &self.docstring, "    ") } else { Ok(()) }
    }
}

impl fmt::Display for TypeAlias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, &self.name, &self.docstring)?;
        f.write_char('\n')?;
        indented(f, &format!("{} = {}", self.name, self.alias_of), "  ")?;
        for tag in self.docstring.tagged("param") {
            parameter(f, tag, &self.docstring)?;
        }
        rest(f, &self.docstring, "  ")?;
        writeln!(f, "\n  Type alias, {}:{}", self.file, self.line)
    }
}

impl fmt::Display for ResourceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, &self.description.name, &self.docstring)?;
        for (title, kind) in [
            ("Properties", AttributeKind::Property),
            ("Parameters", AttributeKind::Parameter),
            ("Checks", AttributeKind::Check),
        ] {
            let attributes = self.attributes(kind);
            if !attributes.is_empty() {
                writeln!(f, "\n  {title}")?;
            }
            attributes.into_iter().try_for_each(|one| attribute(f, one))?;
        }
        if !self.description.features.is_empty() {
            writeln!(f, "\n  Features")?;
        }
        for feature in &self.description.features {
            writeln!(f, "\n    {}", feature.name)?;
            indented(f, &feature.doc, "      ")?;
        }
        rest(f, &self.docstring, "  ")?;
        match &self.file {
            Some(file) => writeln!(f, "\n  Resource type, {file}:{}", self.description.line),
            None => writeln!(f, "\n  Resource type, built in"),
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DeclaredProvider { type_name, name, line, confines, defaults, commands, features, .. } =
            &self.declared;
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
        writeln!(f, "\n  Provider, {}:{line}", self.file)
    }
}

/// Prints an attribute of a resource type, and its values.
fn attribute(f: &mut fmt::Formatter<'_>, attribute: &AttributeDescription) -> fmt::Result {
    let note = if attribute.is_namevar { " (names resources)" } else { "" };
    let data_type = attribute.data_type.as_ref().map(|t| format!("{t} ")).unwrap_or_default();
    writeln!(f, "\n    {data_type}{}{note}", attribute.name)?;
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
        Some(summary) => writeln!(f, "{name}: {}", summary.split_whitespace().collect::<Vec<_>>().join(" "))?,
        None => writeln!(f, "{name}")?,
    }
    let text = docstring.text.as_str();
    paragraphs(f, Some(text).filter(|text| Some(*text) != summary), "  ")
}

/// Prints a parameter, what it is, and the entries or values that it may have.
fn parameter(f: &mut fmt::Formatter<'_>, tag: &Tag, docstring: &Docstring) -> fmt::Result {
    let name = tag.name.as_deref().unwrap_or_default();
    let plain = name.trim_start_matches(['*', '&']);
    let mark = name.strip_suffix(plain).unwrap_or_default();
    let types = joined(tag.types.as_deref());
    let separator = if types.is_empty() { "" } else { " " };
    writeln!(f, "\n    {types}{separator}{mark}${plain}")?;
    indented(f, tag.text.as_deref().unwrap_or_default(), "      ")?;
    let belongs = |tag: &&Tag| tag.name.as_deref() == Some(plain);
    for Tag { entry, .. } in docstring.tags.iter().filter(belongs) {
        if let Some(Entry { name, types, text }) = entry {
            let types = types.as_deref().map(|types| format!(" ({})", types.join(", ")));
            writeln!(f, "      {name}{}", types.unwrap_or_default())?;
            indented(f, text.as_deref().unwrap_or_default(), "        ")?;
        }
    }
    Ok(())
}

/// Prints examples and notes.
fn rest(f: &mut fmt::Formatter<'_>, docstring: &Docstring, indent: &str) -> fmt::Result {
    for tag in docstring.tagged("example") {
        let title = tag.name.as_deref().filter(|title| !title.is_empty());
        match title {
            Some(title) => writeln!(f, "\n{indent}Example: {title}\n")?,
            None => writeln!(f, "\n{indent}Example:\n")?,
        }
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
            indented(f, &format!("{title}: {text}"), indent)?;
        }
    }
    Ok(())
}

/// Prints a text with an empty line before it, unless there is none.
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
