//! The values of all settings, as Puppet's `Settings::ChainedValues` computes them.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_types::value::{Hash, Value};

use super::table::SETTINGS;
use super::{PuppetSetting, SettingDefault, TARGET, computed, target_of};

/// The name by which values of settings refer to the run mode: `user`, `server` or `agent`.
pub const RUN_MODE: &str = "run_mode";
/// The run mode where nobody says which, as of `puppet apply`.
const DEFAULT_MODE: &str = "user";
/// The setting that Puppet interpolates in commands only.
pub const ENVIRONMENT: &str = "environment";
/// Up to how many settings refer to one another.
const DEPTH: usize = 20;

/// Returns the values of all settings in Puppet's order, followed by unknown ones.
///
/// Texts in `set` may refer to settings, as in `$vardir/lib`. [`RUN_MODE`] and [`TARGET`] in it are no settings.
///
/// # Errors
/// Fails if a setting does not accept its value, or refers to one that does not exist or to itself.
pub fn resolve(set: &Hash) -> Result<Hash, Error> {
    let target = target_of(set);
    let mut all = Hash::with_capacity(SETTINGS.len());
    for setting in SETTINGS.iter().filter(|setting| setting.is_of(target)) {
        all.insert(setting.name.into(), value(setting, set, 0).map_err(failure)?);
    }
    for (name, value) in set.iter() {
        if all.get(name).is_none() && [RUN_MODE, TARGET].iter().all(|own| *name != Value::from(*own)) {
            all.insert(name.clone(), value.clone());
        }
    }
    Ok(all)
}

/// Returns a text with the values of the settings that it refers to. `keep` names one that stays as it is.
///
/// # Errors
/// Fails as [`resolve`].
pub fn interpolate(text: &str, set: &Hash, keep: Option<&str>) -> Result<String, Error> {
    interpolated(text, set, keep, 0).map_err(failure)
}

fn failure(message: String) -> Error {
    Error::new(ErrorKind::Load, message)
}

fn value(setting: &PuppetSetting, set: &Hash, depth: usize) -> Result<Value, String> {
    if depth > DEPTH {
        return Err(format!("Error converting value for param '{}': it refers to itself", setting.name));
    }
    let mut raw = raw(setting, set, depth);
    // Code has variables of its own.
    if let Value::String(text) = &raw
        && setting.name != "code"
    {
        let keep = (setting.name != "config_version").then_some(ENVIRONMENT);
        let value = interpolated(text, set, keep, depth);
        raw = value
            .map(Value::from)
            .map_err(|problem| format!("Error converting value for param '{}': {problem}", setting.name))?;
    }
    // An alias has no kind of its own.
    setting.aliased().unwrap_or(setting).munge(raw)
}

/// Returns the value that was set, or the default.
fn raw(setting: &PuppetSetting, set: &Hash, depth: usize) -> Value {
    if let Some(value) = set.get_str(setting.name).filter(|value| **value != Value::Undef) {
        return value.clone();
    }
    if let Some(other) = setting.aliased() {
        return raw(other, set, depth);
    }
    let target = target_of(set);
    match setting.default_of(target) {
        SettingDefault::Undef => Value::Undef,
        SettingDefault::Boolean(value) => Value::Boolean(value),
        SettingDefault::Integer(value) => Value::Integer(value),
        SettingDefault::Text(text) => text.into(),
        SettingDefault::NoElements => Vec::new().into(),
        SettingDefault::Computed => {
            computed::default(setting.name, target, &mut |name| text_of(name, set, depth))
        }
    }
}

fn text_of(name: &str, set: &Hash, depth: usize) -> Option<String> {
    let value = value(PuppetSetting::named(name)?, set, depth.saturating_add(1)).ok()?;
    if let Value::String(text) = value { Some(text.to_string()) } else { None }
}

fn interpolated(text: &str, set: &Hash, keep: Option<&str>, depth: usize) -> Result<String, String> {
    static REFERENCE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\$(?:([[:word:]]+)|\{([[:word:]]+)\})").ok());
    let Some(reference) = REFERENCE.as_ref().filter(|_| text.contains('$')) else {
        return Ok(text.to_owned());
    };
    let mut problem = None;
    let replaced = reference.replace_all(text, |found: &Captures<'_>| {
        let whole = found.get(0).map_or("", |whole| whole.as_str());
        let name = found.get(1).or_else(|| found.get(2)).map_or("", |name| name.as_str());
        if Some(name) == keep {
            return whole.to_owned();
        }
        referred(name, whole, set, depth).unwrap_or_else(|message| {
            problem.get_or_insert(message);
            String::new()
        })
    });
    problem.map_or_else(|| Ok(replaced.into_owned()), Err)
}

/// Returns the text that stands in the place of a reference.
fn referred(name: &str, whole: &str, set: &Hash, depth: usize) -> Result<String, String> {
    let missing = || format!("Could not find value for {whole}");
    let found = match (name, PuppetSetting::named(name)) {
        (RUN_MODE, _) => set.get_str(RUN_MODE).cloned().unwrap_or_else(|| DEFAULT_MODE.into()),
        (_, Some(setting)) => value(setting, set, depth.saturating_add(1))?,
        _ => Value::Undef,
    };
    if found == Value::Undef {
        return Err(missing());
    }
    found.ruby_to_s(&Limits::FURTHEST).map_err(|error| error.to_string())
}
