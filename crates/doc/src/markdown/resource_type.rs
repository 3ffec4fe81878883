//! Resource types.

use std::fmt::{self, Write};

use super::super::docstring::Docstring;
use super::definition::NOTES;
use super::parts::{OptionTypes, code, entries, examples, notes, parameter_link, since_and_see, wrapped};
use super::{MarkdownSection, ProvidedType, description, heading};
use puppetfn_catalog::{AttributeDescription, AttributeKind};

impl MarkdownSection for ProvidedType<'_> {
    fn name(&self) -> &str {
        &self.resource_type.description.name
    }

    fn docstring(&self) -> &Docstring {
        &self.resource_type.docstring
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let (name, docstring) = (self.name(), self.docstring());
        heading(name, out)?;
        description(docstring, &format!("The {name} type."), out)?;
        notes(docstring, &NOTES, out)?;
        since_and_see(docstring, "", out)?;
        examples(docstring, "####", out)?;
        self.properties(out)?;
        self.parameters(out)
    }
}

impl ProvidedType<'_> {
    fn properties(&self, out: &mut String) -> fmt::Result {
        let mut properties = self.resource_type.attributes(AttributeKind::Property);
        properties.extend(self.resource_type.attributes(AttributeKind::Check));
        properties.sort_by(|a, b| a.name.cmp(&b.name));
        if properties.is_empty() {
            return Ok(());
        }
        let name = self.name();
        write!(out, "#### Properties\n\nThe following properties are available in the `{name}` type.\n\n")?;
        for property in properties {
            write!(out, "##### `{}`\n\n", property.name)?;
            values(property, out)?;
            write!(out, "{}\n\n", property.doc.as_deref().unwrap_or_default())?;
            entries(self.docstring(), Some(&property.name), OptionTypes::Always, out)?;
            if let Some(default) = &property.default {
                write!(out, "Default value:{}\n\n", code(default, "ruby"))?;
            }
        }
        Ok(())
    }

    fn parameters(&self, out: &mut String) -> fmt::Result {
        let provider = AttributeDescription::provider_of(self.name());
        let mut parameters = self.resource_type.attributes(AttributeKind::Parameter);
        if self.has_providers && !parameters.iter().any(|parameter| parameter.name == provider.name) {
            parameters.push(&provider);
            parameters.sort_by(|a, b| a.name.cmp(&b.name));
        }
        if parameters.is_empty() {
            return Ok(());
        }
        let name = self.name();
        write!(out, "#### Parameters\n\nThe following parameters are available in the `{name}` type.\n\n")?;
        for parameter in &parameters {
            writeln!(out, "* [`{0}`](#{1})", parameter.name, parameter_link(name, &parameter.name))?;
        }
        out.push('\n');
        for parameter in parameters {
            let link = parameter_link(name, &parameter.name);
            write!(out, "##### <a name=\"{link}\"></a>`{}`\n\n", parameter.name)?;
            values(parameter, out)?;
            if let Some(doc) = parameter.doc.as_deref().filter(|doc| !doc.is_empty()) {
                writeln!(out, "{}", wrapped(doc))?;
            }
            out.push('\n');
            entries(self.docstring(), Some(&parameter.name), OptionTypes::Always, out)?;
            if let Some(default) = &parameter.default {
                write!(out, "Default value: `{default}`\n\n")?;
            }
            if !parameter.features.is_empty() {
                write!(out, "Required features: {}.\n\n", parameter.features.join(", "))?;
            }
        }
        Ok(())
    }
}

/// Writes the valid values of an attribute.
fn values(attribute: &AttributeDescription, out: &mut String) -> fmt::Result {
    let values = attribute.all_values();
    if !values.is_empty() {
        write!(out, "Valid values: `{}`\n\n", values.join("`, `"))?;
    }
    if attribute.is_namevar {
        out.push_str("namevar\n\n");
    }
    if !attribute.aliases.is_empty() {
        let pairs = attribute.aliases.iter().map(|(alias, value)| format!("{alias:?}=>{value:?}"));
        write!(out, "Aliases: `{}`\n\n", pairs.collect::<Vec<_>>().join(", ").replace(['{', '}'], ""))?;
    }
    if let Some(data_type) = &attribute.data_type {
        writeln!(out, "Data type: `{data_type}`")?;
        if has_regexp(data_type) {
            out.push_str(
                "_*this data type contains a regex that may not be accurately reflected in generated documentation_\n",
            );
        }
        out.push('\n');
    }
    Ok(())
}

/// Returns true if a type contains a regular expression, which Markdown may not show literally.
fn has_regexp(data_type: &str) -> bool {
    data_type.lines().any(|line| {
        line.split_once("[/").is_some_and(|(before, after)| {
            before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') && after.contains("/]")
        })
    })
}
