//! The code of types that are defined by their features, as their objects reach it.

use std::sync::{Arc, Weak};

use crate::eval::entity::Logic;
use crate::eval::machine::Machine;
use crate::eval::machine::machines::Machines;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::stack::StackBudget;
use puppetfn_types::value::{Behavior, Object, Value};

/// The code of a type, for its objects.
pub(super) struct RunningLogic {
    pub shared: Weak<Machines>,
    pub logic: Arc<Logic>,
}

impl Behavior for RunningLogic {
    fn read(&self, object: &Arc<Object>, feature: usize) -> Result<Value, Error> {
        if let Some(value) = self.logic.plain_value(object, feature) {
            return Ok(value);
        }
        let shared = self.shared()?;
        let _evaluation = StackBudget::begin(&shared.limits);
        Machine::new(&shared).read_feature(object, feature)
    }

    fn write(&self, object: &Arc<Object>, name: &str, value: Value) -> Result<(), Error> {
        let shared = self.shared()?;
        let _evaluation = StackBudget::begin(&shared.limits);
        Machine::new(&shared).write_feature(object, name, value)
    }
}

impl RunningLogic {
    fn shared(&self) -> Result<Arc<Machines>, Error> {
        self.shared.upgrade().ok_or_else(|| {
            Error::new(ErrorKind::Evaluation, "the runtime that made an object no longer exists")
        })
    }
}
