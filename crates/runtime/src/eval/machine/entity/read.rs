//! Reading of features, and calls to objects.

use std::sync::Arc;

use super::super::{EvalResult, Frame, Machine};
use super::unknown_feature;
use crate::eval::entity::{EntityCode, Logic};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::ops::{infer_set, instance};
use puppetfn_types::types::{FeatureKind, FeatureModel};
use puppetfn_types::value::{Object, Value, elements};

/// The call that an object answers besides its features: whether a feature is set.
const IS_SET: &str = "is_set";

impl Machine {
    /// Returns the value of a feature, as users read it.
    pub(in crate::eval) fn read_feature(&mut self, object: &Arc<Object>, index: usize) -> EvalResult {
        self.begin();
        let logic = self.logic_of(object)?;
        let logic =
            logic.ok_or_else(|| Error::new(ErrorKind::Internal, "an object without features is read"))?;
        self.read_of(&logic, object, index)
    }

    pub(super) fn read_of(&mut self, logic: &Logic, object: &Arc<Object>, index: usize) -> EvalResult {
        if let Some(value) = logic.plain_value(object, index) {
            return Ok(value);
        }
        let (Some((_, feature)), Some(code)) =
            (logic.model.features.get_index(index), logic.features.get(index))
        else {
            return Err(Error::new(ErrorKind::Internal, "a feature is read that there is not"));
        };
        if let Some(derived) = &code.derived {
            let value = self.run_code(derived, object, &Value::Object(Arc::clone(object)))?;
            return self.expected(feature, derived, value);
        }
        let Some(kept) = object.instance().and_then(|instance| instance.kept(index)) else {
            return Ok(feature.empty_value());
        };
        if feature.kind == FeatureKind::Reference {
            return self.resolved(object, feature, kept);
        }
        match &code.get {
            None => Ok(kept),
            Some(get) => {
                let value = self.run_code(get, object, &kept)?;
                self.expected(feature, get, value)
            }
        }
    }

    /// Returns the result of code, which has to be of the feature's type.
    fn expected(&mut self, feature: &FeatureModel, code: &EntityCode, value: Value) -> EvalResult {
        let value = feature.listed(value);
        let is_list = feature.is_many() && matches!(value, Value::Array(_));
        let values = if is_list { elements(&value) } else { std::slice::from_ref(&value) };
        for value in values {
            let is_missing = feature.min == 0 && matches!(value, Value::Undef);
            if !is_missing && instance(&feature.t, value, &self.limits)? == Verdict::No {
                let subject = format!("value of the {}", code.name);
                let actual = infer_set(value, &self.limits)?;
                return Err(self.shared.host.messages().assertion_error(&subject, &feature.t, actual));
            }
        }
        Ok(value)
    }

    /// Returns the objects that are referred to.
    fn resolved(&mut self, object: &Object, feature: &FeatureModel, kept: Value) -> EvalResult {
        let resolve = |value: &Value| {
            let Value::String(fragment) = value else { return Ok(value.clone()) };
            let found = object
                .resolve(fragment)
                .map_err(|error| error.restated(format!("{}: {}", feature.label(), error.message())))?;
            let found = Value::Object(found);
            if instance(&feature.t, &found, &self.limits)? == Verdict::No {
                let actual = infer_set(&found, &self.limits)?;
                let message = format!(
                    "{} refers to a {}, but '{fragment}' leads to a {actual}",
                    feature.label(),
                    feature.t
                );
                return Err(Error::new(ErrorKind::Evaluation, message));
            }
            Ok(found)
        };
        match kept {
            Value::Array(items) => {
                let found: Result<Vec<_>, Error> = items.iter().map(resolve).collect();
                Ok(found?.into())
            }
            value => resolve(&value),
        }
    }

    /// Returns the feature that code of a type uses.
    #[inline(never)]
    pub(in crate::eval::machine) fn own_feature(&mut self, index: u32, frame: Frame<'_>) -> EvalResult {
        match self.stack.get(frame.base) {
            Some(Some(Value::Object(object))) => {
                let object = Arc::clone(object);
                self.read_feature(&object, index as usize)
            }
            Some(_) | None => Err(Error::new(ErrorKind::Internal, "a feature is used without its object")),
        }
    }

    /// Evaluates `$object[keys]`; `None` if it is not an object with features.
    pub(in crate::eval::machine) fn feature_of(
        &mut self,
        operand: &Value,
        keys: &[Value],
    ) -> Option<EvalResult> {
        let Value::Object(object) = operand else { return None };
        let model = object.definition().model()?;
        let label = object.definition().label();
        let [key] = keys else {
            let message = format!("A {label} is asked for one feature at a time, got {} names", keys.len());
            return Some(Err(Error::new(ErrorKind::Evaluation, message)));
        };
        let found = if let Value::String(name) = key { model.feature(name) } else { None };
        Some(match found {
            Some((index, _)) => self.read_feature(object, index),
            None => Err(Error::new(ErrorKind::Evaluation, unknown_feature(model, label, key))),
        })
    }

    /// Evaluates `$object.name(arguments)`, of a name that the object [`answers`].
    pub(in crate::eval::machine) fn object_call(
        &mut self,
        object: &Arc<Object>,
        name: &str,
        arguments: &[Value],
    ) -> EvalResult {
        let label = object.definition().label();
        let model = object.definition().model();
        let wrong = |message: String| Err(Error::new(ErrorKind::ArgumentMismatch, message));
        match (model.and_then(|model| model.feature(name)), arguments) {
            (Some((index, _)), []) => self.read_feature(object, index),
            (Some(_), _) => {
                wrong(format!("'{name}' of a {label} takes no arguments, got {}", arguments.len()))
            }
            (None, [Value::String(feature)]) => match object.is_set(feature) {
                Some(is_set) => Ok(Value::Boolean(is_set)),
                None => wrong(model.map_or_else(String::new, |model| {
                    unknown_feature(model, label, &Value::String(Arc::clone(feature)))
                })),
            },
            (None, _) => wrong(format!("'{IS_SET}' of a {label} takes the name of a feature")),
        }
    }
}

/// Returns true if an object answers to a name itself: to the name of a feature, or to [`IS_SET`].
pub(in crate::eval::machine) fn answers(object: &Object, name: &str) -> bool {
    object.definition().model().is_some_and(|model| name == IS_SET || model.feature(name).is_some())
}
