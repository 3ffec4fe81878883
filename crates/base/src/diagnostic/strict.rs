//! How strict evaluation is.

/// What is done about code that is hardly meant as it is: Puppet's setting `strict`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Strict {
    /// Nothing.
    Off,
    /// It is logged.
    Warning,
    /// It is an error, as it is in Puppet 8 if no one says otherwise.
    #[default]
    Error,
}

impl Strict {
    /// All levels, from the least to the most strict.
    pub const ALL: [Self; 3] = [Self::Off, Self::Warning, Self::Error];

    /// The name that Puppet uses, `warning` for example.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The level of this name, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}
