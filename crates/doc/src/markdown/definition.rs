//! Classes, defined types and plans.

use std::fmt;

use super::super::docstring::Docstring;
use super::parts::{OptionTypes, examples, notes, parameters, since_and_see};
use super::{DocumentedDefinition, MarkdownSection, description, heading};

/// The tags that are notes, and their titles.
pub(super) const NOTES: [(&str, &str); 3] =
    [("deprecated", "DEPRECATED"), ("todo", "TODO"), ("note", "Note")];

impl MarkdownSection for DocumentedDefinition {
    fn name(&self) -> &str {
        &self.name
    }

    fn docstring(&self) -> &Docstring {
        &self.docstring
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let Self { name, docstring, .. } = self;
        heading(name, out)?;
        description(docstring, &format!("The {name} class."), out)?;
        notes(docstring, &NOTES, out)?;
        since_and_see(docstring, "  ", out)?;
        examples(docstring, "####", out)?;
        let default =
            |name: &str| self.defaults.iter().find(|(of, _)| of == name).map(|(_, value)| value.clone());
        parameters(name, self.kind.title(), docstring, OptionTypes::IfKnown, &default, &self.data, out)
    }
}
