//! Data types: aliases, and types in Ruby.

use std::fmt::{self, Write};

use serde_json::Value as Json;

use super::super::data_type::{DataTypeFunction, shown};
use super::super::docstring::Docstring;
use super::definition::NOTES;
use super::function::{details, result};
use super::parts::{OptionTypes, beginning, code, examples, notes, parameters, since_and_see};
use super::{DataType, DocumentedAlias, MarkdownSection, description, heading};

impl MarkdownSection for DocumentedAlias {
    fn name(&self) -> &str {
        &self.name
    }

    fn docstring(&self) -> &Docstring {
        &self.docstring
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        above(&self.name, &self.docstring, out)?;
        write!(out, "Alias of{}\n\n", code(&self.alias_of, "puppet"))?;
        parameters(&self.name, "data type", &self.docstring, OptionTypes::Always, &|_| None, &[], out)
    }
}

impl MarkdownSection for DataType {
    fn name(&self) -> &str {
        &self.name
    }

    fn docstring(&self) -> &Docstring {
        &self.docstring
    }

    /// Tags for the type itself, such as `@api private`, are not shown.
    fn is_private(&self) -> bool {
        false
    }

    fn brief(&self) -> String {
        beginning(self.docstring())
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let Self { name, docstring, functions, .. } = self;
        above(name, docstring, out)?;
        let default = |name: &str| {
            let default = self.defaults.iter().find(|(of, _)| of == name);
            default.filter(|(_, value)| *value != Json::Bool(false)).map(|(_, value)| shown(value))
        };
        parameters(name, "data type", docstring, OptionTypes::Always, &default, &[], out)?;
        write!(
            out,
            "#### Functions\n\nThe following functions are available in the `{name}` data type.\n\n"
        )?;
        functions.iter().try_for_each(|function| function.write(out))
    }
}

/// Writes the sections before the members of a type.
fn above(name: &str, docstring: &Docstring, out: &mut String) -> fmt::Result {
    heading(name, out)?;
    description(docstring, &format!("The {name} data type."), out)?;
    notes(docstring, &NOTES, out)?;
    since_and_see(docstring, "", out)?;
    examples(docstring, "####", out)
}

impl DataTypeFunction {
    fn write(&self, out: &mut String) -> fmt::Result {
        let Self { name, signature, docstring } = self;
        heading(name, out)?;
        write!(out, "#### `{signature}`\n\n")?;
        description(docstring, &format!("The {name} function."), out)?;
        result(docstring, out)?;
        examples(docstring, "#####", out)?;
        details(docstring, out)
    }
}
