//! Commands of `exec`: a program without a directory needs a `path`.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use super::super::native_type::RubyResourceType;
use super::super::rule::Rule;
use super::Walk;
use super::resource::BodyAttributes;
use puppetfn_base::source::Span;
use puppetfn_types::value::Value;

/// The parameters that are commands, besides `command` itself.
const OTHER_COMMANDS: [&str; 3] = ["onlyif", "unless", "refresh"];

impl<'s> Walk<'_, 's> {
    /// Reports commands whose program the provider cannot find, as `validatecmd` of `Puppet::Provider::Exec` does.
    pub(super) fn commands(
        &mut self,
        t: &RubyResourceType,
        attributes: &BodyAttributes<'s>,
        title: &Value,
        is_complete: bool,
        reference: &str,
        at: Span,
    ) {
        if t.name() != "exec" || !is_complete {
            return;
        }
        let value = |name: &str| {
            attributes.given().iter().find(|(given, ..)| given == name).map(|(_, value, span)| (value, *span))
        };
        // Other providers look for programs themselves.
        let is_posix = value("provider").is_none_or(|(value, _)| *value == Value::from("posix"));
        let has_path = value("path").is_some_and(|(value, _)| *value != Value::Undef);
        if has_path || !is_posix {
            return;
        }
        let reported: Vec<_> = OTHER_COMMANDS
            .iter()
            .filter_map(|name| {
                let (value, span) = value(name)?;
                let program = unqualified(value, true)?;
                Some((format!("Parameter {name} failed on {reference}: {}", refused(&program)), span))
            })
            .collect();
        for (message, span) in reported {
            self.report(Rule::AttributeCombination, span, message);
        }
        let (command, span) = value("command").unwrap_or((title, at));
        if let Some(program) = unqualified(command, false) {
            let message = format!("Validation of {reference} failed: {}", refused(&program));
            self.report(Rule::AttributeCombination, span, message);
        }
    }
}

fn refused(program: &str) -> String {
    format!(
        "'{program}' is not qualified and no path was specified. Please qualify the command or specify a path."
    )
}

/// Returns the program of a command if it has no directory. Several commands are in an Array, in which a command can be an
/// Array of its words.
fn unqualified(command: &Value, is_list: bool) -> Option<String> {
    match command {
        Value::String(text) => {
            Some(program_of(text)).filter(|program| !is_absolute(program)).map(str::to_owned)
        }
        Value::Array(items) if is_list => items.iter().find_map(|item| unqualified(item, false)),
        Value::Array(words) => match words.first() {
            Some(Value::String(word)) if !is_absolute(word) => Some(word.to_string()),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the first word of a command, without quotation marks.
fn program_of(command: &str) -> &str {
    for mark in ['"', '\''] {
        let quoted = command.strip_prefix(mark).and_then(|rest| rest.split_once(mark));
        if let Some((program, _)) = quoted.filter(|(program, _)| !program.is_empty()) {
            return program;
        }
    }
    command.split(' ').next().unwrap_or_default()
}

/// Returns true for an absolute path of any system, and for several lines, of which Puppet accepts any absolute one.
fn is_absolute(path: &str) -> bool {
    let mut letters = path.chars();
    let is_drive = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.next() == Some(':')
        && letters.next().is_some_and(|letter| letter == '/' || letter == '\\');
    path.starts_with('/') || path.starts_with("\\\\") || is_drive || path.contains('\n')
}
