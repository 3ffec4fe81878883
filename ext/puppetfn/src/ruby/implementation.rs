//! Objects of types that modules define in Ruby: their construction, and calls of their members.

use magnus::value::ReprValue;
use magnus::{Error, Module, RModule, Ruby, Value};
use puppetfn::error::{Error as CoreError, ErrorKind};
use puppetfn::function::{Caller, Implementation, Maker, implemented};
use puppetfn::host::HostRef;
use puppetfn::types::Type;
use puppetfn::value::{Object, Value as CoreValue};

use super::error::to_core;
use super::host_table;

/// A `Puppetfn::ObjectImplementation`, by its id. Its class, not this reference, keeps the implementations of live loaders.
pub struct RubyMaker {
    /// The id by which the class finds it.
    pub id: i64,
    /// Whether it makes objects of hashes.
    pub takes_hash: bool,
}

impl RubyMaker {
    fn find(&self, ruby: &Ruby) -> Result<Value, Error> {
        let puppetfn: RModule = ruby.class_object().const_get("Puppetfn")?;
        puppetfn.const_get::<_, Value>("ObjectImplementation")?.funcall("find", (self.id,))
    }

    /// Sets the type, once it is resolved.
    pub fn define(&self, ruby: &Ruby, t: Value) -> Result<(), Error> {
        self.find(ruby)?.funcall::<_, _, Value>("define", (t,)).map(|_| ())
    }
}

impl Maker for RubyMaker {
    fn takes_hash(&self) -> bool {
        self.takes_hash
    }

    fn make(
        &self,
        t: &Type,
        arguments: &[CoreValue],
        of_hash: bool,
        caller: &dyn Caller,
    ) -> Result<CoreValue, CoreError> {
        let ruby = ruby()?;
        let make = self.find(&ruby).and_then(|found| method(found, "make"));
        let make = make.and_then(|make| host_table::keep(&ruby, make));
        let make = make.map_err(|error| to_core(&ruby, &error))?;
        let arguments = [t.clone().into(), arguments.to_vec().into(), of_hash.into()];
        caller.call_function(&make, &arguments, None)
    }
}

/// An object of Ruby that has the members as methods.
struct RubyMembers(HostRef);

impl Implementation for RubyMembers {
    fn call(
        &self,
        name: &str,
        arguments: &[CoreValue],
        block: Option<&CoreValue>,
        caller: &dyn Caller,
    ) -> Result<CoreValue, CoreError> {
        let ruby = ruby()?;
        let member = host_table::fetch(&ruby, &self.0).and_then(|object| method(object, name));
        let member = member.and_then(|member| host_table::keep(&ruby, member));
        caller.call_function(&member.map_err(|error| to_core(&ruby, &error))?, arguments, block)
    }

    fn host(&self) -> Option<&HostRef> {
        Some(&self.0)
    }
}

/// Returns the same object with the methods of one of Ruby as members.
pub fn implemented_by(object: Object, members: HostRef) -> CoreValue {
    implemented(object, RubyMembers(members)).into()
}

/// Returns a method as a block, which is called without the scope that functions get.
fn method(object: Value, name: &str) -> Result<Value, Error> {
    object.funcall::<_, _, Value>("method", (name,))?.funcall("to_proc", ())
}

fn ruby() -> Result<Ruby, CoreError> {
    Ruby::get().map_err(|error| CoreError::new(ErrorKind::Internal, error.to_string()))
}
