//! The settings of attributes and references.

use super::define::{DefinitionFault, TypeDefiner};
use puppetfn_syntax::ast::{Feature, FeatureSetting, SettingValue};
use puppetfn_types::types::ops::describe::most_similar;
use puppetfn_types::types::parse::literal;
use puppetfn_types::value::Value;

/// Settings of attributes and references alike.
const COMMON: [&str; 7] = ["min", "max", "unsettable", "validate", "derived", "transient", "setable"];
const OF_REFERENCES: [&str; 1] = ["containment"];
const OF_ATTRIBUTES: [&str; 4] = ["default", "check", "set", "get"];

/// The settings of a feature that have values; the ones that are not set are `None`.
pub(super) struct FeatureOptions<'d> {
    label: &'d str,
    min: Option<u64>,
    /// None within for no bound.
    max: Option<Option<u64>>,
    pub unsettable: Option<bool>,
    pub transient: Option<bool>,
    pub setable: Option<bool>,
    pub containment: Option<bool>,
    /// With the offset at which it is.
    pub default: Option<(Value, u32)>,
    has_getter: bool,
    at: u32,
}

impl<'d> FeatureOptions<'d> {
    /// Reads the settings of a feature, which must be known and of the right kind.
    pub fn read(
        definer: &TypeDefiner<'_>,
        feature: &Feature<'_>,
        label: &'d str,
        is_attribute: bool,
    ) -> Result<Self, DefinitionFault> {
        let mut settings = Self {
            label,
            min: None,
            max: None,
            unsettable: None,
            transient: None,
            setable: None,
            containment: None,
            default: None,
            has_getter: false,
            at: feature.name_span.start,
        };
        for (index, setting) in feature.settings.iter().enumerate() {
            let before = feature.settings.iter().take(index);
            if before.clone().any(|other| other.name == setting.name) {
                let message = format!("The setting '{}' of {label} is given more than once", setting.name);
                return Err(DefinitionFault::new(message, setting.name_span.start));
            }
            settings.check_name(setting, is_attribute)?;
            settings.add(definer, setting)?;
        }
        Ok(settings)
    }

    fn check_name(&self, setting: &FeatureSetting<'_>, is_attribute: bool) -> Result<(), DefinitionFault> {
        let name = setting.name;
        let (own, others) = if is_attribute {
            (&OF_ATTRIBUTES[..], &OF_REFERENCES[..])
        } else {
            (&OF_REFERENCES[..], &OF_ATTRIBUTES[..])
        };
        if COMMON.contains(&name) || own.contains(&name) {
            return Ok(());
        }
        let message = if others.contains(&name) {
            let (this, those) =
                if is_attribute { ("attribute", "references") } else { ("reference", "attributes") };
            let hint = if name == "check" { "; 'validate' is for both" } else { "" };
            format!("The {this} {} cannot have '{name}', which only {those} have{hint}", self.label)
        } else {
            let known = COMMON.iter().chain(own).copied();
            let meant = most_similar(name, known);
            let hint = meant.first().map_or_else(String::new, |known| format!(". Did you mean '{known}'?"));
            format!("{} has an unknown setting, '{name}'{hint}", self.label)
        };
        Err(DefinitionFault::new(message, setting.name_span.start))
    }

    fn add(
        &mut self,
        definer: &TypeDefiner<'_>,
        setting: &FeatureSetting<'_>,
    ) -> Result<(), DefinitionFault> {
        match setting.name {
            "min" => self.min = Some(self.bound(definer, setting, "an Integer of at least 0")?.unwrap_or(0)),
            "max" => {
                self.max = Some(self.bound(definer, setting, "an Integer of at least 0 or 'unbound'")?)
            }
            "unsettable" => self.unsettable = Some(self.flag(definer, setting)?),
            "transient" => self.transient = Some(self.flag(definer, setting)?),
            "setable" => self.setable = Some(self.flag(definer, setting)?),
            "containment" => self.containment = Some(self.flag(definer, setting)?),
            "default" => match self.value(definer, setting)? {
                Some(Value::Undef | Value::Default) | None => {
                    return Err(self.ill_typed(setting, "a literal value"));
                }
                Some(value) => self.default = Some((value, setting.name_span.start)),
            },
            "derived" | "set" | "get" => {
                self.has_getter |= setting.name == "get";
                if matches!(setting.value, SettingValue::Expr(_)) {
                    return Err(self.ill_typed(setting, "a lambda or a block"));
                }
            }
            // Checks are code of any form.
            _ => {}
        }
        Ok(())
    }

    fn value(
        &self,
        definer: &TypeDefiner<'_>,
        setting: &FeatureSetting<'_>,
    ) -> Result<Option<Value>, DefinitionFault> {
        let SettingValue::Expr(expr) = &setting.value else { return Ok(None) };
        Ok(literal(definer.text, expr, definer.lookup, definer.limits).ok())
    }

    /// Returns how many values there can be; `None` for `unbound`.
    fn bound(
        &self,
        definer: &TypeDefiner<'_>,
        setting: &FeatureSetting<'_>,
        expected: &str,
    ) -> Result<Option<u64>, DefinitionFault> {
        let value = self.value(definer, setting)?;
        let unbound = Value::from("unbound");
        match value {
            Some(Value::Integer(bound)) => {
                u64::try_from(bound).map(Some).map_err(|_| self.ill_typed(setting, expected))
            }
            Some(value) if value == unbound && setting.name == "max" => Ok(None),
            Some(_) | None => Err(self.ill_typed(setting, expected)),
        }
    }

    fn flag(&self, definer: &TypeDefiner<'_>, setting: &FeatureSetting<'_>) -> Result<bool, DefinitionFault> {
        match self.value(definer, setting)? {
            Some(Value::Boolean(flag)) => Ok(flag),
            Some(_) | None => Err(self.ill_typed(setting, "a Boolean")),
        }
    }

    #[cold]
    fn ill_typed(&self, setting: &FeatureSetting<'_>, expected: &str) -> DefinitionFault {
        let message = format!("The setting '{}' of {} must be {expected}", setting.name, self.label);
        DefinitionFault::new(message, setting.name_span.start)
    }

    /// Returns how many values there are at least, and at most.
    pub fn multiplicity(&self, at: u32) -> Result<(u64, Option<u64>), DefinitionFault> {
        let min = self.min.unwrap_or(0);
        let max = self.max.unwrap_or(if min > 1 { None } else { Some(1) });
        match max {
            Some(0) => Err(DefinitionFault::new(
                format!("{} can have no value at all: its max is 0", self.label),
                at,
            )),
            Some(max) if max < min => Err(DefinitionFault::new(
                format!("{} has a min of {min}, which is more than its max, {max}", self.label),
                at,
            )),
            Some(_) | None => Ok((min, max)),
        }
    }

    /// Checks that no other setting contradicts `derived`.
    pub fn check_derived(&self, is_derived: bool, has_setter: bool) -> Result<(), DefinitionFault> {
        if !is_derived {
            return Ok(());
        }
        let problem = if self.default.is_some() {
            "and has a default, which it can never have"
        } else if self.transient == Some(false) {
            "and has 'transient => false', but nothing to store"
        } else if self.has_getter {
            "and has a 'get', which is what 'derived' is"
        } else if self.setable == Some(true) && !has_setter {
            "and has 'setable => true', but no 'set' that would do something with a value"
        } else {
            return Ok(());
        };
        Err(DefinitionFault::new(format!("{} is derived {problem}", self.label), self.at))
    }
}
