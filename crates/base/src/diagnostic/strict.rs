//! How strict evaluation is.

use serde::{Deserialize, Serialize};

/// How code that is probably a mistake is treated: Puppet's setting `strict`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strict {
    /// It is ignored.
    Off,
    /// It is logged.
    Warning,
    /// It is an error: the default of Puppet 8.
    #[default]
    Error,
}

impl Strict {
    /// All levels, from the least to the most strict.
    pub const ALL: [Self; 3] = [Self::Off, Self::Warning, Self::Error];

    /// Returns the name that Puppet uses, `warning` for example.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// Returns the level with this name, or `None` if no level has it.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}
