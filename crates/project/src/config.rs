//! `puppetfn.toml`: the settings of a project.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};
use serde::{Deserialize, Deserializer, de};

use super::ProjectFailure;
use super::paths::absolute;
use puppetfn_base::diagnostic::Severity;
use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_base::target::Target;
use puppetfn_check::{Finding, Rule, Selection};
use puppetfn_fmt::{ArrowAlignment, FormatOptions};
use puppetfn_runtime::settings;
use puppetfn_types::types::ops::describe::most_similar;
use puppetfn_types::value::{Hash, Value};

/// The name of the file.
const FILE: &str = "puppetfn.toml";

/// The options of path patterns: `*` matches one component of a path, `**` any number.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// The settings of a project; empty if it has none.
#[derive(Default, Debug)]
pub struct ProjectConfig {
    /// The name of the file, or of other settings, for messages; empty if there are none.
    origin: String,
    /// The directory that its paths are relative to.
    root: PathBuf,
    content: ConfigContent,
    exclude: Vec<Pattern>,
}

#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct ConfigContent {
    modulepath: Vec<PathBuf>,
    environment: Option<PathBuf>,
    exclude: Vec<String>,
    baseline: Option<PathBuf>,
    fail_on_warnings: bool,
    markdown: bool,
    rules: BTreeMap<RuleName, RuleLevel>,
    check: CheckSettings,
    fmt: FormatSettings,
    allow: Vec<Permission>,
    secrets: Option<bool>,
    target: Option<Target>,
    coverage: Option<CoverageSettings>,
    roles: Option<RoleSettings>,
    settings: toml::Table,
}

/// Rules that `puppetfn check` applies.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct CheckSettings {
    select: Vec<Selected>,
    ignore: Vec<Selected>,
}

/// The layout of code.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct FormatSettings {
    indent: Option<u32>,
    line_width: Option<u32>,
    arrow_alignment: Option<ArrowSetting>,
}

/// The lines whose `=>` are aligned with each other.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "lowercase")]
enum ArrowSetting {
    Block,
    Paragraph,
    Off,
}

/// The rules that a name selects.
#[derive(Debug)]
struct Selected(Vec<Rule>);

impl<'de> Deserialize<'de> for Selected {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        selected(&name).map(Self).map_err(de::Error::custom)
    }
}

/// Returns the rules that a name selects: `all`, `default`, `style`, or the name of a rule, ours or in puppet-lint.
///
/// # Errors
/// Fails if there is no such rule, with the name that was probably meant.
pub fn selected(name: &str) -> Result<Vec<Rule>, String> {
    let rules = Selection::named(name);
    if rules.is_empty() { Err(unknown_rule(name)) } else { Ok(rules) }
}

/// Settings of `puppetfn test --coverage`.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct CoverageSettings {
    /// Patterns of the files that are counted.
    pub files: Option<Vec<String>>,
    /// Patterns of excluded files.
    pub exclude: Option<Vec<String>>,
    /// Reports to write, as `FORMAT` or `FORMAT:PATH`.
    pub reports: Option<Vec<String>>,
    /// The minimum coverage, in percent, by kind.
    pub minimum: BTreeMap<String, f64>,
}

/// Settings of `puppetfn test --roles`.
#[derive(Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct RoleSettings {
    /// Names and patterns of the compiled classes.
    pub classes: Option<Vec<String>>,
    /// Files and directories with the facts of systems.
    pub facts: Option<Vec<PathBuf>>,
    /// Code that is evaluated before each class.
    pub manifest: Option<PathBuf>,
}

/// Permissions of modules' code that are off by default.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// Running programs.
    Exec,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct RuleName(Rule);

impl<'de> Deserialize<'de> for RuleName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Rule::known_as(&name).map(Self).ok_or_else(|| de::Error::custom(unknown_rule(&name)))
    }
}

/// Returns the error message for an unknown rule, with the most similar name.
pub fn unknown_rule(name: &str) -> String {
    let near = most_similar(name, Rule::ALL.map(Rule::name));
    let meant = near.first().map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
    format!("there is no rule `{name}`{meant}")
}

/// The level of a rule's findings.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
enum RuleLevel {
    /// Reported with the rule's own severity.
    On,
    Off,
    Warning,
    Error,
}

/// Converts the value of a setting.
fn setting_value(value: &toml::Value) -> Option<Value> {
    match value {
        toml::Value::String(text) => Some(text.as_str().into()),
        toml::Value::Boolean(value) => Some(Value::Boolean(*value)),
        toml::Value::Integer(value) => Some(Value::Integer(*value)),
        toml::Value::Array(items) => {
            let items: Vec<Value> = items.iter().map(setting_value).collect::<Option<_>>()?;
            Some(Value::Array(items.into()))
        }
        toml::Value::Float(_) | toml::Value::Datetime(_) | toml::Value::Table(_) => None,
    }
}

/// Returns the error about settings of a file or of another origin.
fn wrong(origin: &str, reason: &str) -> ProjectFailure {
    ProjectFailure::Setting(format!("{origin}: {}", reason.trim_end()))
}

impl ProjectConfig {
    /// Reads the given file, or else the file in the nearest directory around the first path.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or has a setting that does not exist.
    pub fn of(file: Option<&Path>, first: Option<&PathBuf>, limits: &Limits) -> Result<Self, ProjectFailure> {
        let around = || {
            let path = first.filter(|path| *path != Path::new("-"));
            let path = absolute(path.map_or(Path::new("."), PathBuf::as_path));
            Self::files(&path).find(|file| file.is_file())
        };
        match file.map(absolute).or_else(around) {
            Some(file) => Self::read(file, limits),
            None => Ok(Self::default()),
        }
    }

    /// Returns the files that can have the settings for an absolute path, the nearest first.
    pub fn files(path: &Path) -> impl Iterator<Item = PathBuf> {
        path.ancestors().map(|directory| directory.join(FILE))
    }

    fn read(file: PathBuf, limits: &Limits) -> Result<Self, ProjectFailure> {
        let origin = file.display().to_string();
        let text = StdFileSystem::new(limits)
            .read_named_text(&file)
            .map_err(|error| wrong(&origin, &error.to_string()))?;
        let content = toml::from_str(&text).map_err(|error| wrong(&origin, &error.to_string()))?;
        let root = file.parent().unwrap_or(Path::new("/")).to_owned();
        Self::with(content, origin, root)
    }

    /// Reads the settings of an editor for a directory, in the form of the file.
    ///
    /// # Errors
    /// Fails if a setting does not exist or has a wrong value.
    pub fn of_editor(settings: &serde_json::Value, root: &Path) -> Result<Self, ProjectFailure> {
        let origin = "the editor's settings".to_owned();
        let content =
            ConfigContent::deserialize(settings).map_err(|error| wrong(&origin, &error.to_string()))?;
        Self::with(content, origin, root.to_owned())
    }

    fn with(content: ConfigContent, origin: String, root: PathBuf) -> Result<Self, ProjectFailure> {
        let pattern = |text: &String| {
            Pattern::new(text.trim_end_matches('/'))
                .map_err(|error| wrong(&origin, &format!("the pattern '{text}' in `exclude`: {error}")))
        };
        let exclude = content.exclude.iter().map(pattern).collect::<Result<_, _>>()?;
        Ok(Self { origin, root, content, exclude })
    }

    /// Returns true if there is no file.
    pub fn is_default(&self) -> bool {
        self.origin.is_empty()
    }

    fn directory(&self, key: &str, path: &Path) -> Result<PathBuf, ProjectFailure> {
        let directory = self.root.join(path);
        if directory.is_dir() {
            return Ok(directory);
        }
        Err(wrong(&self.origin, &format!("`{key}`: {} is not a directory", directory.display())))
    }

    /// Returns the directories with modules.
    ///
    /// # Errors
    /// Fails if one does not exist.
    pub fn modulepath(&self) -> Result<Vec<PathBuf>, ProjectFailure> {
        self.content.modulepath.iter().map(|path| self.directory("modulepath", path)).collect()
    }

    /// Returns the directory of the environment.
    ///
    /// # Errors
    /// Fails if it does not exist.
    pub fn environment(&self) -> Result<Option<PathBuf>, ProjectFailure> {
        self.content.environment.as_ref().map(|path| self.directory("environment", path)).transpose()
    }

    /// Returns the baseline file.
    pub fn baseline(&self) -> Option<PathBuf> {
        self.content.baseline.as_ref().map(|path| self.root.join(path))
    }

    /// Returns true if warnings make a check fail.
    pub fn fail_on_warnings(&self) -> bool {
        self.content.fail_on_warnings
    }

    /// Returns the layout of code.
    pub fn layout(&self) -> FormatOptions {
        let FormatSettings { indent, line_width, arrow_alignment } = &self.content.fmt;
        let default = FormatOptions::default();
        FormatOptions {
            indent: indent.unwrap_or(default.indent),
            line_width: *line_width,
            arrow_alignment: arrow_alignment.map_or(default.arrow_alignment, |setting| match setting {
                ArrowSetting::Block => ArrowAlignment::Block,
                ArrowSetting::Paragraph => ArrowAlignment::Paragraph,
                ArrowSetting::Off => ArrowAlignment::Off,
            }),
        }
    }

    /// Returns the permissions of modules' code.
    pub fn allow(&self) -> &[Permission] {
        &self.content.allow
    }

    /// Returns false if encrypted data is replaced by placeholders.
    pub fn secrets(&self) -> bool {
        self.content.secrets.unwrap_or(true)
    }

    /// Returns the release whose behaviour code sees, if the file names one.
    pub fn target(&self) -> Option<Target> {
        self.content.target
    }

    /// Returns the settings of `puppetfn test --coverage`.
    pub fn coverage(&self) -> Option<&CoverageSettings> {
        self.content.coverage.as_ref()
    }

    /// Returns the settings of `puppetfn test --roles`, with absolute paths.
    pub fn roles(&self) -> Option<RoleSettings> {
        let roles = self.content.roles.clone()?;
        Some(RoleSettings {
            facts: roles.facts.map(|facts| facts.iter().map(|path| self.root.join(path)).collect()),
            manifest: roles.manifest.map(|path| self.root.join(path)),
            classes: roles.classes,
        })
    }

    /// Returns the project's settings for a release of Puppet.
    ///
    /// # Errors
    /// Fails if the release has no such setting, or a value has an unsupported type.
    pub fn settings(&self, target: Target) -> Result<Hash, ProjectFailure> {
        let setting = |(name, value): (&String, &toml::Value)| {
            if !settings::is_known(name, target) {
                let problem = format!("{} has no such setting", target.title());
                return Err(self.wrong_setting(name, &problem));
            }
            let value = setting_value(value).ok_or_else(|| {
                self.wrong_setting(name, "expected a string, a boolean, an integer or an array")
            })?;
            Ok((Value::from(name.as_str()), value))
        };
        self.content.settings.iter().map(setting).collect()
    }

    fn wrong_setting(&self, name: &str, problem: &str) -> ProjectFailure {
        wrong(&self.origin, &format!("`settings.{name}`: {problem}"))
    }

    /// Returns true if code in documentation is checked, too.
    pub fn markdown(&self) -> bool {
        self.content.markdown
    }

    /// Returns true if a file or one of its directories is excluded.
    pub fn excludes(&self, path: &Path) -> bool {
        if self.exclude.is_empty() {
            return false;
        }
        let path = absolute(path);
        let Ok(path) = path.strip_prefix(&self.root) else { return false };
        path.ancestors()
            .filter(|path| !path.as_os_str().is_empty())
            .any(|path| self.exclude.iter().any(|pattern| pattern.matches_path_with(path, OPTIONS)))
    }

    /// Returns the selected rules of the project. The default is all rules except rules of style, which `adds_style` adds.
    pub fn selection(&self, adds_style: bool) -> Selection {
        let CheckSettings { select, ignore } = &self.content.check;
        let selection = if select.is_empty() { Selection::default() } else { Selection::nothing() };
        let mut selection = selection.with_layout(self.layout());
        selection.add(select.iter().flat_map(|selected| selected.0.iter().copied()));
        if adds_style {
            selection.add(Selection::named("style"));
        }
        let levels = self.content.rules.iter();
        selection.add(levels.filter(|(_, level)| **level != RuleLevel::Off).map(|(RuleName(rule), _)| *rule));
        selection.remove(ignore.iter().flat_map(|ignored| ignored.0.iter().copied()));
        selection
    }

    /// Removes the findings of rules that are off, and sets the configured severities of the others.
    pub fn adjust(&self, findings: &mut Vec<Finding>) {
        let level = |rule| self.content.rules.get(&RuleName(rule)).copied().unwrap_or(RuleLevel::On);
        findings.retain(|finding| level(finding.rule) != RuleLevel::Off);
        for finding in findings {
            match level(finding.rule) {
                RuleLevel::Warning => finding.severity = Severity::Warning,
                RuleLevel::Error => finding.severity = Severity::Error,
                RuleLevel::On | RuleLevel::Off => {}
            }
        }
    }
}
