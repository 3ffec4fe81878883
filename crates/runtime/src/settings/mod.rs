//! Puppet's settings: code sees them as `$settings::NAME`, functions in Ruby as `Puppet[:name]`.
//!
//! [`resolve`] computes the value of every setting from the ones that were set. See Puppet's `defaults.rb` and `settings.rb`.

mod computed;
mod config_file;
mod munge;
mod resolver;
mod table;
mod target;

pub use computed::machine_name;
pub use config_file::{ConfigFile, ConfigProblem, ConfigSection, MAIN};
pub use resolver::{ENVIRONMENT, RUN_MODE, interpolate, resolve};
pub use target::{TARGET, target_of};

use puppetfn_base::target::Target;
use puppetfn_types::value::Value;

use table::SETTINGS;

/// The settings that an `environment.conf` can have.
pub const OF_ENVIRONMENTS: [&str; 7] = [
    "modulepath",
    "manifest",
    "config_version",
    "environment_timeout",
    "environment_data_provider",
    "static_catalogs",
    "rich_data",
];

/// One of Puppet's settings.
#[derive(Debug)]
struct PuppetSetting {
    name: &'static str,
    kind: SettingKind,
    default: SettingDefault,
}

impl PuppetSetting {
    const fn new(name: &'static str, kind: SettingKind, default: SettingDefault) -> Self {
        Self { name, kind, default }
    }

    fn named(name: &str) -> Option<&'static Self> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// Returns the setting that this one is another name of.
    fn aliased(&self) -> Option<&'static Self> {
        if let SettingKind::Alias(name) = self.kind { Self::named(name) } else { None }
    }
}

/// Kinds of settings, after the classes in Puppet's `settings/`: accepted texts and their values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SettingKind {
    String,
    Boolean,
    Integer,
    /// A length of time, in seconds.
    Duration,
    /// The same, or `unlimited`.
    Ttl,
    /// Paths with colons between them.
    Path,
    File,
    Directory,
    Array,
    Enum(&'static [&'static str]),
    SymbolicEnum(&'static [&'static str]),
    /// The name of a class of Puppet, or none.
    Terminus,
    Autosign,
    Priority,
    CertificateRevocation,
    ServerList,
    HttpExtraHeaders,
    /// The same as another setting, unless it is set itself.
    Alias(&'static str),
}

/// The value of a setting that nobody sets. Texts may refer to other settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SettingDefault {
    Undef,
    Boolean(bool),
    Integer(i64),
    Text(&'static str),
    NoElements,
    /// Depends on the machine or on the user: see [`computed`].
    Computed,
}

/// Returns true if a release has a setting of this name that is a variable of `$settings`.
pub fn is_known(name: &str, target: Target) -> bool {
    PuppetSetting::named(name).is_some_and(|setting| setting.is_of(target))
}

/// Returns true if the value of a setting is a Symbol in Ruby.
pub fn is_symbolic(name: &str) -> bool {
    let is_symbol = |kind| {
        matches!(
            kind,
            SettingKind::SymbolicEnum(_) | SettingKind::Terminus | SettingKind::CertificateRevocation
        )
    };
    PuppetSetting::named(name).is_some_and(|setting| is_symbol(setting.kind))
}

/// Converts the text of a value on the command line or in a file.
pub fn of_text(text: &str) -> Value {
    config_file::translated(text)
}

/// Returns the names of all settings of a release that are variables of `$settings`, in Puppet's order.
pub fn names(target: Target) -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().filter(move |setting| setting.is_of(target)).map(|setting| setting.name)
}
