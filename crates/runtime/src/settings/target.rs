//! The settings of releases other than Puppet 8: the ones that they lack, and other defaults.

use puppetfn_base::target::{Difference, Target};
use puppetfn_types::value::{Hash, Value};

use super::{PuppetSetting, SettingDefault};

/// The name by which settings that were set say for which release they are; it is no setting.
pub const TARGET: &str = "puppetfn_target";

/// Settings that not all releases have.
const REMOVED: [(&str, Difference); 4] = [
    ("configprint", Difference::RemovedSettings),
    ("data_binding_terminus", Difference::RemovedSettings),
    ("environment_data_provider", Difference::RemovedSettings),
    ("pluginsync", Difference::RemovedSettings),
];

/// Defaults that differ from the table's.
const DEFAULTS: [(&str, Difference, SettingDefault); 4] = [
    ("reports", Difference::ReportsDefault, SettingDefault::Text("none")),
    ("preprocess_deferred", Difference::PreprocessDeferredDefault, SettingDefault::Boolean(true)),
    ("server", Difference::ServerDefault, SettingDefault::Computed),
    ("rundir", Difference::RuntimeDirectory, SettingDefault::Computed),
];

/// Returns the release that settings are for.
pub fn target_of(set: &Hash) -> Target {
    match set.get_str(TARGET) {
        Some(Value::String(name)) => name.parse().unwrap_or_default(),
        _ => Target::default(),
    }
}

impl PuppetSetting {
    /// Returns true if the release has the setting.
    pub(super) fn is_of(&self, target: Target) -> bool {
        !REMOVED.iter().any(|(name, difference)| *name == self.name && target.has(*difference))
    }

    /// Returns the default of a release.
    pub(super) fn default_of(&self, target: Target) -> SettingDefault {
        let own = DEFAULTS.iter().find(|(name, difference, _)| *name == self.name && target.has(*difference));
        own.map_or(self.default, |(_, _, default)| *default)
    }
}
