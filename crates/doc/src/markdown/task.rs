//! Tasks.

use std::fmt::{self, Write};

use super::super::data_type::shown;
use super::super::docstring::Docstring;
use super::parts::{beginning, code};
use super::{DocumentedTask, MarkdownSection, heading};

impl MarkdownSection for DocumentedTask {
    fn name(&self) -> &str {
        &self.name
    }

    fn docstring(&self) -> &Docstring {
        &self.docstring
    }

    /// The description of a task has no tags.
    fn is_private(&self) -> bool {
        false
    }

    fn brief(&self) -> String {
        beginning(self.docstring())
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let Self { name, docstring, parameters, supports_noop, .. } = self;
        heading(name, out)?;
        match docstring.text.as_str() {
            "" => write!(out, "The {name} task.\n\n")?,
            text => write!(out, "{text}\n\n")?,
        }
        write!(out, "**Supports noop?** {}\n\n", shown(supports_noop))?;
        if !parameters.is_empty() {
            out.push_str("#### Parameters\n\n");
        }
        for parameter in parameters {
            let t = parameter.type_text.as_deref().unwrap_or_default();
            write!(
                out,
                "##### `{}`\n\nData type:{}\n\n{}\n\n",
                parameter.name,
                code(t, "puppet"),
                parameter.text
            )?;
        }
        Ok(())
    }
}
