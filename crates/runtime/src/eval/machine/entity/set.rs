//! Setting features of objects that are being made.

use std::sync::Arc;

use super::super::{EvalResult, Frame, Machine, failure};
use super::code::verdict;
use crate::eval::code::{ElementCode, Node};
use crate::eval::entity::{EntityCode, FeatureCode, Logic};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::convert::create::defined_by_features;
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::ops::{infer_set, instance};
use puppetfn_types::types::{FeatureKind, FeatureModel};
use puppetfn_types::value::{Object, Value, elements};

/// The code or user that sets a feature.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum SetterKind {
    Default,
    User,
    /// A user who appends to the present values.
    Appending,
    /// Code of the type, which may set features that users cannot set.
    Setter,
    /// The same, appending to the present values.
    SetterAppending,
}

impl SetterKind {
    fn is_user(self) -> bool {
        matches!(self, Self::User | Self::Appending)
    }

    fn appends(self) -> bool {
        matches!(self, Self::Appending | Self::SetterAppending)
    }
}

/// A feature that is being set.
#[derive(Clone, Copy)]
struct FeatureAssignment<'m> {
    object: &'m Arc<Object>,
    index: usize,
    feature: &'m FeatureModel,
    code: &'m FeatureCode,
}

impl Machine {
    /// Sets a feature. Problems with the value are recorded in the object; only an error of failing code is returned.
    pub(super) fn set_feature(
        &mut self,
        logic: &Logic,
        object: &Arc<Object>,
        index: usize,
        value: Value,
        by: SetterKind,
    ) -> Result<(), Error> {
        let (Some((_, feature)), Some(code), Some(made)) =
            (logic.model.features.get_index(index), logic.features.get(index), object.instance())
        else {
            return Err(Error::new(ErrorKind::Internal, "a feature is set that there is not"));
        };
        let label = feature.label();
        if !made.is_draft() {
            let message = format!(
                "{label} cannot be set: a {} does not change once it is made",
                object.definition().label()
            );
            return Err(Error::new(ErrorKind::Evaluation, message));
        }
        if by.is_user() && !feature.is_settable {
            made.note_of(index, format!("{label} is read-only: it cannot be set to {}", shown(&value)));
            return Ok(());
        }
        if by.appends() && !feature.is_many() {
            made.note_of(index, format!("{label} has one value at most: {} cannot be added", shown(&value)));
            return Ok(());
        }
        let value = if by.appends() { self.appended(logic, object, index, value)? } else { value };
        let setting = FeatureAssignment { object, index, feature, code };
        if let Some(set) = code.set.as_ref().filter(|_| by.is_user() || !feature.is_stored()) {
            return self.set_by_code(setting, set, value);
        }
        self.keep(setting, value)
    }

    /// Returns the present values followed by a value, or by the elements of an array.
    fn appended(&mut self, logic: &Logic, object: &Arc<Object>, index: usize, value: Value) -> EvalResult {
        let before = self.read_of(logic, object, index)?;
        let (before, more) = (elements(&before), elements(&value));
        self.limits.check_elements(before.len().saturating_add(more.len()))?;
        Ok(before.iter().chain(more).cloned().collect::<Vec<_>>().into())
    }

    /// Calls the setter for the value to store, unless it sets the feature, or others, itself.
    fn set_by_code(
        &mut self,
        setting: FeatureAssignment<'_>,
        set: &EntityCode,
        value: Value,
    ) -> Result<(), Error> {
        let FeatureAssignment { object, index, feature, .. } = setting;
        let Some(made) = object.instance() else { return Ok(()) };
        if matches!(value, Value::Undef) && feature.is_stored() {
            return self.keep(setting, value);
        }
        let value = feature.listed(value);
        if !feature.is_stored() && !self.meets_checks(setting, &value)? {
            return Ok(());
        }
        let before = made.changes(index);
        let value = self.run_code(set, object, &value)?;
        if feature.is_stored() && made.changes(index) == before { self.keep(setting, value) } else { Ok(()) }
    }

    /// Stores a value, if it is valid.
    fn keep(&mut self, setting: FeatureAssignment<'_>, value: Value) -> Result<(), Error> {
        let FeatureAssignment { object, index, feature, .. } = setting;
        let Some(made) = object.instance() else { return Ok(()) };
        if !feature.is_stored() {
            made.note_of(index, format!("{} is derived: no value of it is kept", feature.label()));
            return Ok(());
        }
        if matches!(value, Value::Undef) {
            made.keep(index, feature.is_unsettable.then_some(Value::Undef));
            return Ok(());
        }
        let value = match feature.listed(value) {
            Value::Array(items) if feature.is_many() => {
                let mut kept = Vec::with_capacity(items.len());
                for item in items.iter() {
                    kept.extend(self.fitting(setting, item.clone())?);
                }
                if kept.len() != items.len() {
                    return Ok(());
                }
                Value::from(kept)
            }
            value => match self.fitting(setting, value)? {
                Some(value) => value,
                None => return Ok(()),
            },
        };
        if self.meets_checks(setting, &value)? {
            made.keep(index, Some(value));
        }
        Ok(())
    }

    /// Returns the value to store; `None`, after recording the problem, if it is not of the feature's type.
    fn fitting(&mut self, setting: FeatureAssignment<'_>, value: Value) -> Result<Option<Value>, Error> {
        let FeatureAssignment { object, index, feature, .. } = setting;
        let Some(made) = object.instance() else { return Ok(None) };
        let note = |problem: String| {
            made.note_of(index, problem);
            Ok(None)
        };
        let value = match value {
            Value::String(fragment) if feature.kind == FeatureKind::Reference => {
                let fragment = fragment.trim_start_matches('#');
                if fragment.starts_with('/') {
                    return Ok(Some(fragment.into()));
                }
                return note(format!(
                    "{} refers to '{fragment}', which is not within the same document; a reference is written \
                     as '//@feature.0'",
                    feature.label()
                ));
            }
            Value::Hash(values) if feature.kind != FeatureKind::Reference => {
                match defined_by_features(&feature.t) {
                    Some(t) => match self.new_instance(&t, &[Value::Hash(values)], None, None) {
                        Ok(value) => value,
                        Err(error) if *error.kind() == ErrorKind::Conversion => {
                            return note(format!(
                                "{}: {}",
                                feature.label(),
                                error.message().replace('\n', "\n  ")
                            ));
                        }
                        Err(error) => return Err(error),
                    },
                    None => Value::Hash(values),
                }
            }
            value => value,
        };
        if let Value::Object(value) = &value
            && value.instance().is_some_and(|instance| instance.is_draft())
        {
            let message = format!(
                "{} cannot have a {} that is still being made",
                feature.label(),
                value.definition().label()
            );
            return note(message);
        }
        if instance(&feature.t, &value, &self.limits)? == Verdict::No {
            let actual = infer_set(&value, &self.limits)?;
            let described = self.shared.host.messages().describe(&feature.label(), &feature.t, &actual);
            let described = if described.is_empty() {
                format!("{} expects a value of type {}, got {actual}", feature.label(), feature.t)
            } else {
                described
            };
            return note(format!("{described}: {}", shown(&value)));
        }
        Ok(Some(value))
    }

    /// Runs the checks, for each of several values, and records the problems that they find.
    fn meets_checks(&mut self, setting: FeatureAssignment<'_>, value: &Value) -> Result<bool, Error> {
        let FeatureAssignment { object, index, feature, code } = setting;
        let Some(made) = object.instance() else { return Ok(false) };
        let values = if feature.is_many() { elements(value) } else { std::slice::from_ref(value) };
        let mut is_met = true;
        for check in &code.checks {
            for value in values {
                let outcome = self.run_code(check, object, value)?;
                let standard = || {
                    let value = value.interpolated(&self.limits).unwrap_or_else(|_| value.to_literal());
                    format!("Illegal value: {value} is not an acceptable value for {}", feature.name)
                };
                if let Some(problem) = verdict(check, outcome, standard) {
                    made.note_of(index, format!("{}: {problem}", feature.label()));
                    is_met = false;
                }
            }
        }
        Ok(is_met)
    }

    /// Sets a feature, as a user does, of an object that is being made.
    pub(in crate::eval) fn write_feature(
        &mut self,
        object: &Arc<Object>,
        name: &str,
        value: Value,
    ) -> Result<(), Error> {
        self.begin();
        match self.logic_of(object)? {
            Some(logic) => self.set_named(&logic, object, &name.into(), value, false),
            None => Ok(()),
        }
    }

    /// Assigns, as code of a type does, one of its features.
    pub(in crate::eval::machine) fn assign_own(
        &mut self,
        index: u32,
        value: &Value,
        appends: bool,
        frame: Frame<'_>,
    ) -> Result<(), Error> {
        let Some(Some(Value::Object(object))) = self.stack.get(frame.base) else {
            return Err(Error::new(ErrorKind::Internal, "a feature is set without its object"));
        };
        let object = Arc::clone(object);
        let Some(logic) = self.logic_of(&object)? else { return Ok(()) };
        let by = if appends { SetterKind::SetterAppending } else { SetterKind::Setter };
        self.set_feature(&logic, &object, index as usize, value.clone(), by)
    }

    /// Evaluates `$object[name] = value`, or `+=`.
    pub(in crate::eval::machine) fn assign_element(
        &mut self,
        element: &ElementCode,
        value: &Value,
        appends: bool,
        node: &Node,
        frame: Frame<'_>,
    ) -> Result<(), Error> {
        let object = self.eval(&element.object, frame)?;
        let name = self.eval(&element.name, frame)?;
        if let Value::Object(object) = &object
            && let Some(logic) = self.logic_of(object)?
        {
            if object.instance().is_none_or(|made| !made.is_draft()) {
                let label = object.definition().label();
                let message = format!(
                    "{} of a {label} cannot be set: it does not change once it is made",
                    name.to_literal()
                );
                return Err(failure(node, frame, message));
            }
            return self.set_named(&logic, object, &name, value.clone(), appends);
        }
        Err(failure(node, frame, "Illegal attempt to assign via [index/key]. Not an assignable reference"))
    }
}

/// Returns a value in a message.
fn shown(value: &Value) -> String {
    const LONGEST: usize = 100;
    let text = value.to_literal();
    if text.chars().count() <= LONGEST {
        return text;
    }
    let start: String = text.chars().take(LONGEST).collect();
    format!("{start}...")
}
