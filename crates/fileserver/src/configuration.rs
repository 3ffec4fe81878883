//! `fileserver.conf`.
//!
//! See Puppet's `file_serving/configuration/parser.rb`.
#![allow(clippy::disallowed_methods, reason = "the settings name the file and its directories")]

use std::path::Path;
use std::sync::LazyLock;

use puppetfn_types::function::LogLevel;
use regex::Regex;

use crate::log::LogMessage;
use crate::mount::{Mount, MountTable};

const BUILT_IN: [&str; 6] = ["modules", "plugins", "locales", "pluginfacts", "scripts", "tasks"];

static SECTION: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\[([-0-9A-Za-z_]+)\]").ok());
static ENTRY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^[ \t\r\x0b\x0c]*([0-9A-Za-z_]+)[ \t\r\x0b\x0c]+(.+?)([ \t\r\x0b\x0c]*#.*)?$").ok()
});

/// Adds the mounts that Puppet always has.
pub(crate) fn with_built_in(mut mounts: MountTable) -> MountTable {
    for name in BUILT_IN {
        if let Some(mount) = Mount::built_in(name) {
            mounts.entry(name.to_owned()).or_insert(mount);
        }
    }
    mounts
}

/// Reads the mounts of a `fileserver.conf`.
///
/// # Errors
/// Fails with Puppet's message if the text is malformed.
pub(crate) fn parse(text: &str, file: &Path, log: &mut Vec<LogMessage>) -> Result<MountTable, String> {
    let mut parser = ConfigurationParser { mounts: MountTable::new(), current: None, log, file };
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        parser.line(line.trim_end_matches(['\n', '\r']), number)?;
    }
    let lacks_path = |mount: &Mount| *mount == Mount::Directory { path: None };
    if parser.mounts.values().any(lacks_path) {
        return Err("Mounts without paths are not usable".to_owned());
    }
    Ok(parser.mounts)
}

struct ConfigurationParser<'p> {
    mounts: MountTable,
    /// The name of the mount that entries belong to.
    current: Option<String>,
    log: &'p mut Vec<LogMessage>,
    file: &'p Path,
}

impl ConfigurationParser<'_> {
    fn line(&mut self, line: &str, number: usize) -> Result<(), String> {
        let place = format!("(file: {}, line: {number})", self.file.display());
        let content = line.trim_start_matches([' ', '\t', '\r', '\u{b}', '\u{c}']);
        if content.is_empty() || content.starts_with('#') {
            return Ok(());
        }
        if let Some(found) = SECTION.as_ref().and_then(|section| section.captures(line)) {
            return self.section(found.get(1).map_or("", |name| name.as_str()), &place);
        }
        let entry = ENTRY.as_ref().and_then(|entry| entry.captures(line));
        let Some(entry) = entry else { return Err(format!("Invalid entry at {place}: '{line}'")) };
        let group = |index| entry.get(index).map_or("", |group: regex::Match<'_>| group.as_str());
        let (name, value) = (group(1), group(2).trim());
        if value.starts_with('=') {
            return Err("Fileserver configuration file does not use '=' as a separator".to_owned());
        }
        match name {
            "path" => self.path(value),
            "allow" | "deny" => {
                if (name, value) != ("allow", "*") {
                    let message = format!("Entry '{line}' is unsupported and will be ignored at {place}");
                    self.log.push(LogMessage { level: LogLevel::Err, message });
                }
                Ok(())
            }
            other => Err(format!("Invalid argument '{other}' at {place}")),
        }
    }

    fn section(&mut self, name: &str, place: &str) -> Result<(), String> {
        if self.mounts.contains_key(name) {
            return Err(format!("mount[{name}] is already mounted at {name} at {place}"));
        }
        // Puppet's parser does not know that mount.
        let built_in = Mount::built_in(name).filter(|_| name != "pluginfacts");
        self.mounts.insert(name.to_owned(), built_in.unwrap_or(Mount::Directory { path: None }));
        self.current = Some(name.to_owned());
        Ok(())
    }

    fn path(&mut self, value: &str) -> Result<(), String> {
        let Some(current) = &self.current else { return Err("undefined method `name' for nil".to_owned()) };
        // An earlier path can have removed the mount.
        let Some(mount) = self.mounts.get_mut(current) else { return Ok(()) };
        let Mount::Directory { path } = mount else {
            let message = format!("The '{current}' module can not have a path. Ignoring attempt to set it");
            self.log.push(LogMessage { level: LogLevel::Warning, message });
            return Ok(());
        };
        // Paths with patterns are not checked.
        let has_pattern = value.char_indices().any(|(at, c)| c == '%' && at.saturating_add(1) < value.len());
        let problem = if has_pattern {
            None
        } else if !Path::new(value).is_dir() {
            Some("does not exist or is not a directory")
        } else if rustix::fs::access(value, rustix::fs::Access::READ_OK).is_err() {
            Some("is not readable")
        } else {
            None
        };
        if let Some(problem) = problem {
            let message = format!("Removing mount \"{current}\": {value} {problem}");
            self.log.push(LogMessage { level: LogLevel::Err, message });
            self.mounts.remove(current);
        } else {
            *path = Some(value.to_owned());
        }
        Ok(())
    }
}
