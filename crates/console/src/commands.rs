//! The commands of the console.

use puppetfn_types::types::ops::describe::most_similar;

/// A command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConsoleCommand {
    Help,
    Ls,
    Type,
    Why,
    Catalog,
    Lookup,
    Facts,
    Edit,
    Reload,
    Quit,
    Where,
    Frame,
    Continue,
}

/// Where a command works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CommandPlace {
    /// In a session.
    Session,
    /// Where code is paused.
    Pause,
}

/// The description of a command.
pub(crate) struct CommandHelp {
    command: ConsoleCommand,
    pub name: &'static str,
    arguments: &'static str,
    text: &'static str,
    places: &'static [CommandPlace],
}

const EVERYWHERE: &[CommandPlace] = &[CommandPlace::Session, CommandPlace::Pause];
const SESSION: &[CommandPlace] = &[CommandPlace::Session];
const PAUSE: &[CommandPlace] = &[CommandPlace::Pause];

/// All commands, in the order of the help.
pub(crate) const COMMANDS: [CommandHelp; 13] = [
    described(ConsoleCommand::Help, "help", "", "Print this list", EVERYWHERE),
    described(
        ConsoleCommand::Ls,
        "ls",
        "",
        "List variables; in a session also definitions, classes and resources",
        EVERYWHERE,
    ),
    described(ConsoleCommand::Type, "type", "EXPRESSION", "Print the type of a value", EVERYWHERE),
    described(
        ConsoleCommand::Facts,
        "facts",
        "[PATH]",
        "Print the facts, or the one at a path such as os.family",
        EVERYWHERE,
    ),
    described(
        ConsoleCommand::Lookup,
        "lookup",
        "KEY [--explain]",
        "Look up data, or explain the lookup",
        EVERYWHERE,
    ),
    described(
        ConsoleCommand::Why,
        "why",
        "RESOURCE|$VARIABLE",
        "Explain the origin of a resource or a variable",
        SESSION,
    ),
    described(
        ConsoleCommand::Catalog,
        "catalog",
        "[FILE]",
        "Evaluate the pending parts of the catalog; print it, or write its JSON",
        SESSION,
    ),
    described(
        ConsoleCommand::Edit,
        "edit",
        "[FILE]",
        "Edit the last code, or a file, in $VISUAL or $EDITOR, and evaluate it",
        EVERYWHERE,
    ),
    described(ConsoleCommand::Reload, "reload", "", "Begin again with the current files", SESSION),
    described(ConsoleCommand::Where, "where", "", "Print the call stack", PAUSE),
    described(ConsoleCommand::Frame, "frame", "NUMBER", "Select a frame of the call stack", PAUSE),
    described(ConsoleCommand::Continue, "continue", "", "Continue the evaluation (also Ctrl-D)", PAUSE),
    described(ConsoleCommand::Quit, "quit", "", "End the console (also Ctrl-D in a session)", EVERYWHERE),
];

const fn described(
    command: ConsoleCommand,
    name: &'static str,
    arguments: &'static str,
    text: &'static str,
    places: &'static [CommandPlace],
) -> CommandHelp {
    CommandHelp { command, name, arguments, text, places }
}

/// Returns the command that a line names, and its arguments. An unambiguous beginning of a name is enough.
///
/// # Errors
/// Fails with a message if there is no such command in this place.
pub(crate) fn parse(line: &str, place: CommandPlace) -> Result<(ConsoleCommand, &str), String> {
    let line = line.trim().trim_start_matches(':');
    let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let here = || COMMANDS.iter().filter(|known| known.places.contains(&place));
    let exact = here().find(|known| known.name == name);
    let mut abbreviated = here().filter(|known| known.name.starts_with(name));
    let found = exact.or_else(|| abbreviated.next().filter(|_| abbreviated.next().is_none()));
    if let Some(found) = found {
        return Ok((found.command, arguments.trim()));
    }
    let elsewhere = COMMANDS.iter().find(|known| known.name == name);
    Err(match elsewhere {
        Some(known) if known.places == PAUSE => format!(":{name} works only where code is paused"),
        Some(_) => format!(":{name} does not work where code is paused"),
        None => {
            let meant = most_similar(name, here().map(|known| known.name));
            let meant = meant.first().map(|meant| format!("; did you mean :{meant}?")).unwrap_or_default();
            format!("unknown command :{name}{meant}")
        }
    })
}

/// Returns the list of commands.
pub(crate) fn help(place: CommandPlace) -> String {
    let usage = |known: &CommandHelp| format!(":{} {}", known.name, known.arguments).trim().to_owned();
    let here = || COMMANDS.iter().filter(|known| known.places.contains(&place));
    let width = here().map(|known| usage(known).len()).max().unwrap_or(0);
    let lines = here().map(|known| format!("{:width$}  {}\n", usage(known), known.text));
    lines
        .chain([format!("{:width$}  {}\n", "CODE", "Evaluate statements, and print the last value")])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_of_names_are_enough() {
        assert_eq!(parse(":q", CommandPlace::Session), Ok((ConsoleCommand::Quit, "")));
        assert_eq!(
            parse(":l", CommandPlace::Session),
            Err("unknown command :l; did you mean :ls?".to_owned())
        );
        assert_eq!(
            parse(" :lo  a::b --explain ", CommandPlace::Pause),
            Ok((ConsoleCommand::Lookup, "a::b --explain"))
        );
        assert_eq!(
            parse(":catalog", CommandPlace::Pause),
            Err(":catalog does not work where code is paused".to_owned())
        );
        assert_eq!(
            parse(":where", CommandPlace::Session),
            Err(":where works only where code is paused".to_owned())
        );
    }

    #[test]
    fn the_help_has_the_commands_of_the_place() {
        assert!(help(CommandPlace::Session).contains(":catalog [FILE]"));
        assert!(!help(CommandPlace::Session).contains(":continue"));
        assert!(help(CommandPlace::Pause).contains(":continue"));
    }
}
