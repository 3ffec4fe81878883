//! How output is shown: for people at a terminal, or plain.
#![allow(clippy::disallowed_methods, reason = "environment variables describe the terminal")]

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};

/// The outputs that are terminals. They are coloured, unless the environment disables colours, and long work shows its
/// progress on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Terminals {
    /// Whether the results go to a terminal.
    pub out: bool,
    /// Whether the complaints go to a terminal.
    pub err: bool,
}

impl Terminals {
    /// Returns which outputs of the process are terminals.
    pub fn of_process() -> Self {
        Self { out: io::stdout().is_terminal(), err: io::stderr().is_terminal() }
    }

    /// Returns true if results are coloured.
    pub(super) fn colours_out(self) -> bool {
        self.out && wants_colours(|name| env::var_os(name))
    }

    /// Returns true if the terminal cannot move its cursor.
    pub(super) fn is_dumb(self) -> bool {
        env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty())
    }

    /// Returns true if complaints are coloured.
    pub(super) fn colours_err(self) -> bool {
        self.err && wants_colours(|name| env::var_os(name))
    }
}

/// Returns true unless the environment disables colours: see <https://no-color.org>.
fn wants_colours(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    variable("NO_COLOR").is_none_or(|value| value.is_empty())
        && variable("TERM").is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_may_say_that_there_are_no_colours() {
        let wanted = |name: &'static str, value: &'static str| {
            wants_colours(|asked| (asked == name).then(|| OsString::from(value)))
        };
        assert!(wanted("TERM", "xterm") && wanted("NO_COLOR", ""));
        assert!(!wanted("TERM", "dumb") && !wanted("NO_COLOR", "1") && !wanted("NO_COLOR", "0"));
    }
}
