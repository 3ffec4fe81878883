//! Files of settings: `puppet.conf` and `environment.conf`. See Puppet's `settings/ini_file.rb` and `settings/config_file.rb`.

use std::sync::LazyLock;

use regex::Regex;

use puppetfn_types::value::{Hash, Value};

/// The name of the section that settings before all sections are in.
pub const MAIN: &str = "main";
/// The sections of a `puppet.conf`.
const SECTIONS: [&str; 5] = [MAIN, "server", "master", "agent", "user"];

/// The sections of a file, in the order in which they begin.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct ConfigFile {
    sections: Vec<ConfigSection>,
}

/// A section of such a file.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct ConfigSection {
    /// The name, `main` for settings before all sections.
    pub name: String,
    /// The line that it begins with.
    pub line: usize,
    /// The settings in their order, repeated ones included.
    pub settings: Vec<(String, Value)>,
}

/// A line that is none of a file of settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigProblem {
    /// Puppet's error message.
    pub message: String,
    /// The number of the line.
    pub line: usize,
}

impl ConfigFile {
    /// Parses the text of a file.
    ///
    /// # Errors
    /// Fails if a line is no setting, section or comment, or a value has owners and modes that Puppet does not know.
    pub fn parse(text: &str) -> Result<Self, ConfigProblem> {
        static LINES: LazyLock<Option<(Regex, Regex)>> = LazyLock::new(|| {
            let section = Regex::new(r"^\s*\[([[:word:]]+)\]\s*$").ok()?;
            Some((section, Regex::new(r"^\s*([[:word:]]+)\s*=\s*(.*?)\s*$").ok()?))
        });
        let mut file = Self::default();
        let Some((section, setting)) = LINES.as_ref() else { return Ok(file) };
        let mut current = file.section_index(MAIN, 0);
        for (index, text) in text.lines().enumerate() {
            let line = index.saturating_add(1);
            if let Some(found) = section.captures(text) {
                current = file.section_index(found.get(1).map_or("", |name| name.as_str()), line);
            } else if let Some(found) = setting.captures(text) {
                let part = |group| found.get(group).map_or("", |part| part.as_str());
                let value = without_file_info(translated(part(2)))
                    .map_err(|message| ConfigProblem { message, line })?;
                if let Some(section) = file.sections.get_mut(current) {
                    section.settings.push((part(1).to_owned(), value));
                }
            } else if !text.trim().is_empty() && !text.trim_start().starts_with('#') {
                return Err(ConfigProblem { message: format!("Could not match line {text}"), line });
            }
        }
        Ok(file)
    }

    /// Returns the sections.
    pub fn sections(&self) -> &[ConfigSection] {
        &self.sections
    }

    /// Returns the first value of a setting in a section.
    pub fn get(&self, section: &str, name: &str) -> Option<&Value> {
        let section = self.sections.iter().find(|found| found.name == section)?;
        section.settings.iter().find(|(found, _)| found == name).map(|(_, value)| value)
    }

    /// Returns the settings of a `puppet.conf` that count in a run mode: its section takes precedence over `main`.
    ///
    /// # Errors
    /// Fails if there are other sections than Puppet's.
    pub fn of_run_mode(&self, mode: &str) -> Result<Hash, ConfigProblem> {
        if let Some(section) = self.sections.iter().find(|section| !SECTIONS.contains(&&*section.name)) {
            let message = format!(
                "Illegal section '{}' in config file. The only valid puppet.conf sections are: [{}]",
                section.name,
                SECTIONS.join(", ")
            );
            return Err(ConfigProblem { message, line: section.line });
        }
        // Of a server, `master` is the older name of the section.
        let names: &[&str] = if mode == "server" { &["server", "master", MAIN] } else { &[mode, MAIN] };
        let mut all = Hash::default();
        for name in names {
            let of_name = self.sections.iter().filter(|section| section.name == *name);
            for (setting, value) in of_name.flat_map(|section| &section.settings) {
                all.get_or_insert_with(setting.as_str().into(), || value.clone());
            }
        }
        Ok(all)
    }

    fn section_index(&mut self, name: &str, line: usize) -> usize {
        let known = self.sections.iter().position(|section| section.name == name);
        known.unwrap_or_else(|| {
            self.sections.push(ConfigSection { name: name.to_owned(), line, settings: Vec::new() });
            self.sections.len().saturating_sub(1)
        })
    }
}

/// Returns the value that a text stands for: quotes at its ends are left out, whether they belong together or not. See Puppet's
/// `settings/value_translator.rb`.
pub(super) fn translated(text: &str) -> Value {
    if text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") {
        return Value::Boolean(text.eq_ignore_ascii_case("true"));
    }
    let is_quote = |c: char| c == '"' || c == '\'';
    let text = text.strip_prefix(is_quote).unwrap_or(text);
    text.strip_suffix(is_quote).unwrap_or(text).trim_end().into()
}

/// Leaves out the owner, group and mode of a file, as in `/var/log {owner = root, mode = 0640}`.
fn without_file_info(value: Value) -> Result<Value, String> {
    let Value::String(text) = &value else { return Ok(value) };
    let Some((before, (info, after))) =
        text.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    else {
        return Ok(value);
    };
    if info.trim().is_empty() {
        return Ok(value);
    }
    for part in info.trim().split(',').map(str::trim) {
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        let pair = part.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
        match pair.filter(|(name, value)| is_word(name) && is_word(value)) {
            None => return Err(format!("Could not parse '{text}'")),
            Some(("mode", mode)) if !mode.bytes().all(|byte| byte.is_ascii_digit()) => {
                return Err("File modes must be numbers".to_owned());
            }
            Some(("owner" | "group" | "mode", _)) => {}
            Some((name, _)) => return Err(format!("Invalid file option '{name}'")),
        }
    }
    Ok(format!("{before}{after}").trim_end().into())
}
