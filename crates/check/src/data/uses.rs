//! Keys that code or other data looks up.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

/// The keys that are looked up, among keys that name no parameter.
#[derive(Default, Debug)]
pub(crate) struct KeyUses {
    literal: HashSet<String>,
    /// Patterns of computed keys.
    patterns: Vec<Regex>,
}

impl KeyUses {
    /// Finds which of some keys are looked up: by the texts of code that `each_text` calls its argument with, and by other
    /// data, which refers to `referred`.
    pub fn of(
        mut keys: Vec<&str>,
        referred: &str,
        each_text: impl FnOnce(&mut dyn FnMut(Option<&str>, &str)),
    ) -> Self {
        let mut uses = Self::default();
        // The longest first, as one may be the beginning of another.
        keys.sort_by_key(|key| std::cmp::Reverse(key.len()));
        let quoted: Vec<String> = keys.iter().map(|key| regex::escape(key)).collect();
        let Ok(search) = Regex::new(&format!(r"(?:^|[^$\w:{{])({})\b", quoted.join("|"))) else {
            return uses;
        };
        let mut visit = |module: Option<&str>, text: &str| uses.read(text, module, &search);
        each_text(&mut visit);
        uses.read(referred, None, &search);
        uses
    }

    fn read(&mut self, text: &str, module: Option<&str>, search: &Regex) {
        for found in search.captures_iter(text) {
            self.literal.extend(found.get(1).map(|key| key.as_str().to_owned()));
        }
        // Computed texts are only of interest where something is looked up.
        if !text.contains("lookup") && !text.contains("hiera") {
            return;
        }
        static TEXT: LazyLock<Option<Regex>> =
            LazyLock::new(|| Regex::new(r#""((?:[^"\\\n]|\\.)*(?:[$#%]\{|\$\w)[^"\n]*)""#).ok());
        let Some(texts) = &*TEXT else { return };
        for found in texts.captures_iter(text) {
            if let Some(pattern) = found.get(1).and_then(|text| pattern(text.as_str(), module)) {
                self.patterns.push(pattern);
            }
        }
    }

    /// Returns true if a key may be looked up.
    pub fn has(&self, key: &str) -> bool {
        self.literal.contains(key) || self.patterns.iter().any(|pattern| pattern.is_match(key))
    }
}

/// Returns the pattern of the keys that a text with interpolations may be, if it is specific enough.
fn pattern(text: &str, module: Option<&str>) -> Option<Regex> {
    static PART: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"[$#%]\{(?:::)?([^}]*)\}|\$(?:::)?(\w+(?:::\w+)*)").ok());
    if !text.contains("::") {
        return None;
    }
    let (mut pattern, mut at, mut said) = (String::from("^"), 0usize, 0usize);
    for part in PART.as_ref()?.captures_iter(text) {
        let whole = part.get(0)?;
        let literal = text.get(at..whole.start())?;
        said = said.saturating_add(literal.chars().filter(|c| c.is_alphanumeric()).count());
        pattern.push_str(&regex::escape(literal));
        let name = part.get(1).or_else(|| part.get(2)).map_or("", |name| name.as_str());
        match module.filter(|_| matches!(name, "module_name" | "caller_module_name")) {
            Some(module) => {
                said = said.saturating_add(module.len());
                pattern.push_str(&regex::escape(module));
            }
            None => pattern.push_str(".*"),
        }
        at = whole.end();
    }
    let literal = text.get(at..)?;
    said = said.saturating_add(literal.chars().filter(|c| c.is_alphanumeric()).count());
    pattern.push_str(&regex::escape(literal));
    // A key may go on with the path of an element of the value.
    pattern.push_str(r"(?:\..*)?$");
    if said == 0 { None } else { Regex::new(&pattern).ok() }
}
