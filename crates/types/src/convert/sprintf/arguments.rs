//! Which argument a directive shows.

use super::directive::FormatDirective;
use super::invalid;
use crate::value::Value;
use puppetfn_base::error::Error;

/// The arguments, taken one by one, by number or by name. A format uses one of these ways only.
pub(super) struct FormatArguments<'a> {
    values: &'a [Value],
    used: ArgumentUse,
}

enum ArgumentUse {
    InOrder(usize),
    ByNumber,
    ByName,
}

impl<'a> FormatArguments<'a> {
    pub(super) fn new(values: &'a [Value]) -> Self {
        Self { values, used: ArgumentUse::InOrder(0) }
    }

    /// Returns the next argument.
    pub(super) fn next(&mut self) -> Result<&'a Value, Error> {
        let taken = match self.used {
            ArgumentUse::InOrder(taken) => taken,
            ArgumentUse::ByNumber => return Err(invalid("unnumbered(1) mixed with numbered")),
            ArgumentUse::ByName => return Err(invalid("unnumbered(1) mixed with named")),
        };
        let value = self.values.get(taken).ok_or_else(|| invalid("too few arguments"))?;
        self.used = ArgumentUse::InOrder(taken + 1);
        Ok(value)
    }

    /// Returns the argument of a number from 1.
    pub(super) fn numbered(&mut self, number: usize) -> Result<&'a Value, Error> {
        match self.used {
            ArgumentUse::InOrder(taken) if taken > 0 => {
                return Err(invalid(format!("numbered({number}) after unnumbered({taken})")));
            }
            ArgumentUse::ByName => return Err(invalid(format!("numbered({number}) after named"))),
            ArgumentUse::InOrder(_) | ArgumentUse::ByNumber => {}
        }
        self.used = ArgumentUse::ByNumber;
        let value = number.checked_sub(1).and_then(|index| self.values.get(index));
        value.ok_or_else(|| invalid("too few arguments"))
    }

    /// Returns the argument of a name; `bracketed` is the name with its brackets.
    pub(super) fn named(&mut self, bracketed: &str, name: &str) -> Result<&'a Value, Error> {
        match self.used {
            ArgumentUse::InOrder(taken) if taken > 0 => {
                return Err(invalid(format!("named{bracketed} after unnumbered({taken})")));
            }
            ArgumentUse::ByNumber => return Err(invalid(format!("named{bracketed} after numbered"))),
            ArgumentUse::InOrder(_) | ArgumentUse::ByName => {}
        }
        self.used = ArgumentUse::ByName;
        let [Value::Hash(hash)] = self.values else { return Err(invalid("one hash required")) };
        hash.get_str(name).ok_or_else(|| invalid(format!("key{bracketed} not found")))
    }

    /// Returns the argument that a directive shows.
    pub(super) fn of(&mut self, directive: &FormatDirective<'a>) -> Result<&'a Value, Error> {
        directive.argument.map_or_else(|| self.next(), Ok)
    }
}
