//! The Ruby objects of types and of values that Ruby has no class of its own for.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use magnus::value::{Opaque, ReprValue};
use magnus::{Class, Error, RClass, Ruby, Value};
use puppetfn::types::Type;
use puppetfn::value::Value as CoreValue;

use super::raw::class_of;
use super::wrapped::{RubyRich, RubyType};

/// The class for each kind of type, in the order of the kinds.
static TYPE_CLASSES: OnceLock<Vec<Opaque<RClass>>> = OnceLock::new();

/// The class of each kind of value.
static VALUE_CLASSES: OnceLock<HashMap<&'static str, Opaque<RClass>>> = OnceLock::new();

/// Whether there ever was an object for an unknown value.
static UNKNOWN_EXIST: AtomicBool = AtomicBool::new(false);

/// Sets the class for each kind of type, in the order of the kinds, once. Returns false if they are set already.
pub fn set_type_classes(classes: Vec<Opaque<RClass>>) -> bool {
    TYPE_CLASSES.set(classes).is_ok()
}

/// Sets the class of each kind of value. Classes that are set already stay.
pub fn set_value_classes(classes: HashMap<&'static str, Opaque<RClass>>) {
    _ = VALUE_CLASSES.set(classes);
}

/// Returns the Ruby object of a type. Its class is the class of its kind, once Ruby has set the classes.
pub fn wrap_type(ruby: &Ruby, t: Type) -> Value {
    match TYPE_CLASSES.get().and_then(|classes| classes.get(t.kind() as usize)) {
        Some(class) => ruby.obj_wrap_as(RubyType(t), ruby.get_inner(*class)).as_value(),
        None => ruby.obj_wrap(RubyType(t)).as_value(),
    }
}

/// Returns the Ruby object of a core value.
pub fn wrap_value(ruby: &Ruby, value: CoreValue) -> Result<Value, Error> {
    let class = match &value {
        CoreValue::Timestamp(_) => "Timestamp",
        CoreValue::Timespan(_) => "Timespan",
        CoreValue::SemVer(_) => "SemVer",
        CoreValue::SemVerRange(_) => "SemVerRange",
        CoreValue::Binary(_) => "Binary",
        CoreValue::Object(_) => "PuppetObject",
        CoreValue::Unknown(_) => "Unknown",
        CoreValue::Undef
        | CoreValue::Default
        | CoreValue::Boolean(_)
        | CoreValue::Integer(_)
        | CoreValue::Float(_)
        | CoreValue::String(_)
        | CoreValue::Regexp(_)
        | CoreValue::Array(_)
        | CoreValue::Hash(_)
        | CoreValue::Type(_)
        | CoreValue::Sensitive(_)
        | CoreValue::Iterator(_)
        | CoreValue::Callable(_)
        | CoreValue::Runtime(_)
        | CoreValue::Uri(_) => "RichValue",
    };
    Ok(ruby.obj_wrap_as(RubyRich(value), value_class(ruby, class)).as_value())
}

/// Returns true if an object is of the class that all objects share whose Object type has no implementation.
pub fn is_plain_object(ruby: &Ruby, object: Value) -> bool {
    class_of(object).equal(value_class(ruby, "PuppetObject")).unwrap_or(false)
}

/// Returns the class of a kind of value.
pub fn value_class(ruby: &Ruby, name: &str) -> RClass {
    let class = VALUE_CLASSES.get().and_then(|classes| classes.get(name));
    class.map_or_else(|| ruby.class_object(), |class| ruby.get_inner(*class))
}

/// Returns a new sensitive object.
pub fn wrap_sensitive(ruby: &Ruby, value: Value) -> Result<Value, Error> {
    value_class(ruby, "Sensitive").new_instance((value,))
}

/// Returns the Ruby object for an unknown value.
pub fn wrap_unknown(ruby: &Ruby, t: Arc<Type>) -> Result<Value, Error> {
    UNKNOWN_EXIST.store(true, Ordering::Relaxed);
    wrap_value(ruby, CoreValue::Unknown(t))
}

/// Returns true if there ever was an object for an unknown value. Until then no call has to look for one.
#[inline]
pub fn unknown_exist() -> bool {
    UNKNOWN_EXIST.load(Ordering::Relaxed)
}
