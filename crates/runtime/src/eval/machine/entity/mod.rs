//! Objects of types that are defined by their features: making them.

mod code;
mod read;
mod running;
mod set;

use std::sync::Arc;

pub(super) use self::read::answers;
use self::running::RunningLogic;
use self::set::SetterKind;
use super::{CallSite, EvalResult, Machine};
use crate::eval::entity::Logic;
use crate::eval::load::load_logic;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::types::ops::describe::most_similar;
use puppetfn_types::types::ops::infer;
use puppetfn_types::types::parse::named;
use puppetfn_types::types::{Definition, FeatureModel, Model, ObjectType, Type};
use puppetfn_types::value::{Hash, Object, TYPE_KEY, Value, elements};

impl Machine {
    /// `new` of a type that is defined by its features: from a hash, and a block that can still set the
    /// object.
    pub(in crate::eval) fn new_instance(
        &mut self,
        t: &Arc<Definition<ObjectType>>,
        arguments: &[Value],
        block: Option<&Value>,
        caller: Option<&CallSite<'_>>,
    ) -> EvalResult {
        self.new_instance_with(t, arguments, |machine, object| match block {
            Some(block) => {
                machine.call_block(block, &[Value::Object(Arc::clone(object))], caller).map(|_| ())
            }
            None => Ok(()),
        })
    }

    /// Returns a new object, like [`Self::new_instance`], that `fill` may set further.
    pub(in crate::eval) fn new_instance_with(
        &mut self,
        t: &Arc<Definition<ObjectType>>,
        arguments: &[Value],
        fill: impl FnOnce(&mut Self, &Arc<Object>) -> Result<(), Error>,
    ) -> EvalResult {
        self.begin();
        self.guard.check()?;
        let nothing = Hash::default();
        let values = match arguments {
            [] => &nothing,
            [Value::Hash(values)] => values,
            [only] => {
                let actual = infer(only, &self.limits)?.generalize();
                return Err(not_a_hash(t, &actual.to_string()));
            }
            several => return Err(not_a_hash(t, &format!("{} arguments", several.len()))),
        };
        let named;
        let t = match values.get_str(TYPE_KEY) {
            Some(name) => {
                named = self.subtype(t, name)?;
                &named
            }
            None => t,
        };
        let Some(model) = t.model().map(Arc::clone) else {
            return Err(Error::new(
                ErrorKind::Internal,
                format!("'{}' is not defined by features", t.label()),
            ));
        };
        if model.is_abstract {
            let message = format!("{} is abstract: it has no instances of its own", t.label());
            return Err(Error::new(ErrorKind::Conversion, message));
        }
        let logic = load_logic(&self.shared, t, &model)?;
        let running = RunningLogic { shared: Arc::downgrade(&self.shared), logic: Arc::clone(&logic) };
        let object = Object::draft(Arc::clone(t), Arc::new(running));
        self.fill(&logic, &object, values)?;
        fill(self, &object)?;
        self.complete(&logic, &object)?;
        let made = Value::Object(object);
        made.check_extent(&self.limits)?;
        Ok(made)
    }

    /// Returns the type that a hash names, which has to be the expected one or one that inherits from it.
    fn subtype(
        &mut self,
        expected: &Arc<Definition<ObjectType>>,
        name: &Value,
    ) -> Result<Arc<Definition<ObjectType>>, Error> {
        let wrong = || {
            let message = format!(
                "{} cannot be created: {TYPE_KEY} must name it or a type that inherits from it, not {}",
                expected.label(),
                name.to_literal()
            );
            Error::new(ErrorKind::Conversion, message)
        };
        let Value::String(name) = name else { return Err(wrong()) };
        let Type::Object(t) = named(name, &self.shared.types)? else { return Err(wrong()) };
        let found = t.get().ok_or_else(wrong)?;
        let is_subtype =
            Arc::ptr_eq(&found, expected) || found.ancestors().iter().any(|a| Arc::ptr_eq(a, expected));
        if is_subtype { Ok(found) } else { Err(wrong()) }
    }

    /// Sets the features that have a default, and then the given ones.
    fn fill(&mut self, logic: &Logic, object: &Arc<Object>, values: &Hash) -> Result<(), Error> {
        for (index, feature) in logic.model.features.values().enumerate() {
            if let Some(default) = &feature.default {
                self.set_feature(logic, object, index, default.clone(), SetterKind::Default)?;
            }
        }
        for (name, value) in values.iter() {
            match name {
                Value::String(name) if &**name == TYPE_KEY => {}
                name => self.set_named(logic, object, name, value.clone(), false)?,
            }
        }
        Ok(())
    }

    /// Sets the feature of a name that the user has given.
    fn set_named(
        &mut self,
        logic: &Logic,
        object: &Arc<Object>,
        name: &Value,
        value: Value,
        appends: bool,
    ) -> Result<(), Error> {
        let found = if let Value::String(name) = name { logic.model.feature(name) } else { None };
        match (found, object.instance()) {
            (Some((index, _)), _) => self.set_feature(
                logic,
                object,
                index,
                value,
                if appends { SetterKind::Appending } else { SetterKind::User },
            ),
            (None, Some(instance)) => {
                instance.note(unknown_feature(&logic.model, object.definition().label(), name));
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }

    /// Makes the checks that need all features, and ends the construction.
    fn complete(&mut self, logic: &Logic, object: &Arc<Object>) -> Result<(), Error> {
        let Some(instance) = object.instance() else { return Ok(()) };
        for (index, feature) in logic.model.features.values().enumerate() {
            if feature.is_stored()
                && !instance.is_bad(index)
                && let Some(problem) = count_problem(feature, instance.kept(index).as_ref())
            {
                instance.note(problem);
            }
        }
        let label = object.definition().label();
        refuse(label, instance.take_problems())?;
        refuse(label, instance.complete(&logic.model))?;
        let mut broken = Vec::new();
        for invariant in &logic.invariants {
            let value = Value::Object(Arc::clone(object));
            let outcome = self.run_code(&invariant.code, object, &value)?;
            let title = || invariant.message.as_deref().unwrap_or("Illegal invariant").to_owned();
            broken.extend(code::verdict(&invariant.code, outcome, title));
        }
        refuse(label, broken)
    }

    fn logic_of(&mut self, object: &Object) -> Result<Option<Arc<Logic>>, Error> {
        let t = object.definition();
        t.model().map(|model| load_logic(&self.shared, t, model)).transpose()
    }
}

/// Returns the problem with the number of a feature's values, if any.
fn count_problem(feature: &FeatureModel, value: Option<&Value>) -> Option<String> {
    let label = feature.label();
    let count = match value {
        Some(value) => elements(value).len() as u64,
        None if feature.min == 0 => return None,
        None => 0,
    };
    if count == 0 && feature.min > 0 {
        return Some(format!("{label} is required: it has no value"));
    }
    if count < feature.min {
        return Some(format!("{label} needs at least {} values, it has {count}", feature.min));
    }
    let max = feature.max.filter(|max| count > *max)?;
    Some(format!("{label} can have at most {max} values, it has {count}"))
}

#[cold]
fn unknown_feature(model: &Model, label: &str, name: &Value) -> String {
    let known = model.features.keys().map(|known| &**known);
    let meant = if let Value::String(name) = name { most_similar(name, known) } else { Vec::new() };
    let hint = meant.first().map_or_else(String::new, |meant| format!(". Did you mean '{meant}'?"));
    format!("{label} has no feature {}{hint}", name.to_literal())
}

#[cold]
fn not_a_hash(t: &ObjectType, given: &str) -> Error {
    let message =
        format!("{} is created from a Hash with the values of its features, got {given}", t.label());
    Error::new(ErrorKind::ArgumentMismatch, message)
}

/// Fails with all problems in one error.
fn refuse(label: &str, problems: Vec<String>) -> Result<(), Error> {
    let message = match problems.as_slice() {
        [] => return Ok(()),
        [only] => format!("{label} cannot be created: {only}"),
        several => format!("{label} cannot be created:\n  - {}", several.join("\n  - ")),
    };
    Err(Error::new(ErrorKind::Conversion, message))
}
