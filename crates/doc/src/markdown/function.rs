//! Functions.

use std::fmt::{self, Write};

use super::super::declared::Api;
use super::super::docstring::Docstring;
use super::definition::NOTES;
use super::parts::{OptionTypes, code, entries, examples, notes};
use super::{DocumentedFunction, MarkdownSection, description, heading};

impl MarkdownSection for DocumentedFunction {
    fn name(&self) -> &str {
        &self.name
    }

    fn docstring(&self) -> &Docstring {
        &self.docstring
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let Self { name, docstring, .. } = self;
        let otherwise = format!("The {name} function.");
        heading(name, out)?;
        write!(out, "Type: {}\n\n", self.api.heading())?;
        description(docstring, &otherwise, out)?;
        notes(docstring, &NOTES, out)?;
        examples(docstring, "####", out)?;
        for signature in &self.signatures {
            write!(out, "#### `{}`\n\n", signature.text)?;
            // Only notes on the whole function are shown.
            let text = Some(signature.docstring.text.as_str()).filter(|text| !text.is_empty());
            write!(out, "{}\n\n", text.unwrap_or(&otherwise))?;
            result(&signature.docstring, out)?;
            raises(docstring, out)?;
            examples(&signature.docstring, "#####", out)?;
            details(&signature.docstring, out)?;
        }
        Ok(())
    }
}

/// Writes the return value.
pub(super) fn result(docstring: &Docstring, out: &mut String) -> fmt::Result {
    let Some(first) = docstring.tag("return") else { return Ok(()) };
    let t = first.types.as_ref().and_then(|types| types.first()).map_or("", String::as_str);
    write!(out, "Returns: `{t}`")?;
    if let Some(text) = super::parts::text_of(docstring, "return") {
        write!(out, " {text}")?;
    }
    out.push_str("\n\n");
    Ok(())
}

fn raises(docstring: &Docstring, out: &mut String) -> fmt::Result {
    if docstring.tag("raise").is_none() {
        return Ok(());
    }
    out.push_str("Raises:\n\n");
    for tag in docstring.tagged("raise") {
        let mut words = tag.text.as_deref().unwrap_or_default().split_whitespace();
        let error = words.next().unwrap_or_default();
        writeln!(out, "* `{error}` {}", words.collect::<Vec<_>>().join(" "))?;
    }
    out.push('\n');
    Ok(())
}

/// Writes the parameters of one signature.
pub(super) fn details(docstring: &Docstring, out: &mut String) -> fmt::Result {
    for tag in docstring.tagged("param") {
        let name = tag.name.as_deref();
        let t = tag.types.as_ref().and_then(|types| types.first()).map_or("", String::as_str);
        write!(out, "##### `{}`\n\nData type:{}\n\n", name.unwrap_or_default(), code(t, "puppet"))?;
        write!(out, "{}\n\n", tag.text.as_deref().unwrap_or_default())?;
        entries(docstring, name, OptionTypes::Always, out)?;
    }
    Ok(())
}

impl Api {
    fn heading(self) -> &'static str {
        match self {
            Self::Ruby4x => "Ruby 4.x API",
            Self::Ruby3x => "Ruby 3.x API",
            Self::Puppet => "Puppet Language",
            Self::BuiltIn => "Built in",
        }
    }
}
