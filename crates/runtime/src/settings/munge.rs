//! Converts texts to values of settings. See the files in Puppet's `settings/`.

use std::path::{Component, Path, PathBuf};

use puppetfn_types::value::Value;

use super::{PuppetSetting, SettingKind, computed};

impl PuppetSetting {
    /// Returns the value that code sees.
    ///
    /// # Errors
    /// Fails if the setting does not accept the value.
    pub(super) fn munge(&self, value: Value) -> Result<Value, String> {
        match (self.kind, value) {
            (SettingKind::Autosign | SettingKind::CertificateRevocation, Value::Undef) => {
                Ok(Value::Boolean(false))
            }
            (_, Value::Undef) => Ok(Value::Undef),
            (SettingKind::String | SettingKind::Alias(_), value) => Ok(value),
            (SettingKind::Boolean, value) => self.boolean(value),
            (SettingKind::Path, Value::String(paths)) => {
                let paths = paths.trim_end_matches(':');
                let all = (!paths.is_empty()).then(|| paths.split(':'));
                Ok(all.into_iter().flatten().map(expanded).collect::<Vec<_>>().join(":").into())
            }
            (SettingKind::File | SettingKind::Directory, Value::String(path)) if *path != *":memory:" => {
                Ok(expanded(&path).into())
            }
            (SettingKind::Integer, Value::String(text)) => {
                text.trim().parse().map(Value::Integer).map_err(|_| {
                    format!("Cannot convert '\"{text}\"' to an integer for parameter: {}", self.name)
                })
            }
            (SettingKind::Duration, Value::String(text)) => seconds(&text)
                .map(Value::Integer)
                .ok_or_else(|| format!("Invalid duration format '\"{text}\"' for parameter: {}", self.name)),
            (SettingKind::Ttl, Value::String(text)) if *text == *"unlimited" => {
                Ok(Value::Float(f64::INFINITY))
            }
            (SettingKind::Ttl, Value::String(text)) => seconds(&text).map(Value::Integer).ok_or_else(|| {
                format!("Invalid 'time to live' format '\"{text}\"' for parameter: {}", self.name)
            }),
            (SettingKind::Array, Value::String(text)) => Ok(list(&text)),
            (SettingKind::ServerList | SettingKind::HttpExtraHeaders, Value::String(text)) => {
                Ok(pairs(&text))
            }
            (SettingKind::Enum(allowed) | SettingKind::SymbolicEnum(allowed), Value::String(text)) => {
                if allowed.contains(&&*text) {
                    return Ok(Value::String(text));
                }
                let allowed = allowed.join("', '");
                Err(format!(
                    "Invalid value '{text}' for parameter {}. Allowed values are '{allowed}'",
                    self.name
                ))
            }
            (SettingKind::Terminus, Value::String(text)) if text.is_empty() => Ok(Value::Undef),
            (SettingKind::Autosign, Value::String(text)) => autosign(&text),
            (SettingKind::Priority, Value::String(text)) => self.priority(&text),
            (SettingKind::CertificateRevocation, value) => certificate_revocation(value),
            (
                SettingKind::Path
                | SettingKind::File
                | SettingKind::Directory
                | SettingKind::Integer
                | SettingKind::Duration
                | SettingKind::Ttl
                | SettingKind::Array
                | SettingKind::ServerList
                | SettingKind::HttpExtraHeaders
                | SettingKind::Enum(_)
                | SettingKind::SymbolicEnum(_)
                | SettingKind::Terminus
                | SettingKind::Autosign
                | SettingKind::Priority,
                value,
            ) => Ok(value),
        }
    }

    fn boolean(&self, value: Value) -> Result<Value, String> {
        match text(&value) {
            Some("true") => Ok(Value::Boolean(true)),
            Some("false") => Ok(Value::Boolean(false)),
            Some(text) => Err(format!("Invalid value '\"{text}\"' for boolean parameter: {}", self.name)),
            None => Ok(value),
        }
    }

    fn priority(&self, text: &str) -> Result<Value, String> {
        let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
        let named = match text {
            "high" => Some(-10),
            "normal" => Some(0),
            "low" => Some(10),
            "idle" => Some(19),
            _ if text.bytes().any(|byte| byte.is_ascii_digit()) => Some(digits.parse().unwrap_or(0)),
            _ => None,
        };
        named
            .map(Value::Integer)
            .ok_or_else(|| format!("Invalid priority format '\"{text}\"' for parameter: {}", self.name))
    }
}

fn autosign(text: &str) -> Result<Value, String> {
    match text {
        "true" => Ok(Value::Boolean(true)),
        "false" => Ok(Value::Boolean(false)),
        path if path.starts_with('/') => Ok(path.into()),
        other => Err(format!("Invalid autosign value {other}: must be 'true'/'false' or an absolute path")),
    }
}

fn certificate_revocation(value: Value) -> Result<Value, String> {
    let chosen = match (&value, text(&value)) {
        (Value::Boolean(true), _) | (_, Some("chain" | "true")) => Some("chain".into()),
        (_, Some("leaf")) => Some("leaf".into()),
        (Value::Boolean(false), _) | (_, Some("false")) => Some(Value::Boolean(false)),
        _ => None,
    };
    chosen.ok_or_else(|| {
        let shown = text(&value).unwrap_or_default();
        format!(
            "Invalid certificate revocation value {shown}: must be one of 'true', 'chain', 'leaf', or 'false'"
        )
    })
}

fn text(value: &Value) -> Option<&str> {
    if let Value::String(text) = value { Some(text) } else { None }
}

/// Returns how many seconds a length of time such as `30m` has.
fn seconds(text: &str) -> Option<i64> {
    let (number, unit) = match text.chars().next_back()? {
        'y' => (text.strip_suffix('y')?, 365 * 24 * 60 * 60),
        'd' => (text.strip_suffix('d')?, 24 * 60 * 60),
        'h' => (text.strip_suffix('h')?, 60 * 60),
        'm' => (text.strip_suffix('m')?, 60),
        's' => (text.strip_suffix('s')?, 1),
        _ => (text, 1),
    };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { number.parse::<i64>().ok()?.checked_mul(unit) } else { None }
}

/// Returns the elements of a text with commas between them.
fn list(text: &str) -> Value {
    Value::Array(elements(text).map(Value::from).collect::<Vec<_>>().into())
}

fn elements(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    // As Ruby's `split`, which leaves out empty elements at the end.
    let text = text.trim_end_matches(|c: char| c == ',' || c.is_whitespace());
    let all = (!text.is_empty()).then(|| text.split(','));
    let mut is_first = true;
    let elements: Vec<&str> = all
        .into_iter()
        .flatten()
        .map(|element| {
            let element = if is_first { element } else { element.trim_start() };
            is_first = false;
            element.trim_end()
        })
        .collect();
    elements.into_iter()
}

/// Splits each element of such a text at its colons.
fn pairs(text: &str) -> Value {
    let pair = |element: &str| {
        let parts = element.trim_end_matches(':').split(':');
        Value::Array(parts.map(Value::from).collect::<Vec<_>>().into())
    };
    Value::Array(elements(text).map(pair).collect::<Vec<_>>().into())
}

/// Returns an absolute path as Ruby's `File.expand_path` does, which knows `~` for the user's home.
pub(super) fn expanded(path: &str) -> String {
    let path = match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            computed::home().join(rest.trim_start_matches('/'))
        }
        _ => PathBuf::from(path),
    };
    let absolute = std::path::absolute(&path).unwrap_or(path);
    let mut found = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::ParentDir => _ = found.pop(),
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => found.push(part),
        }
    }
    Path::new(&found).to_string_lossy().into_owned()
}
