//! Ruby's classes by name, as far as the core needs them.

use std::sync::Arc;

use magnus::value::ReprValue;
use magnus::{Class, Error, Module, RClass, RModule, Ruby, TypedData, Value};
use puppetfn::host::HostClasses;

use super::interruption::answer;

/// Ruby's classes and modules, as far as they are loaded.
pub struct RubyClasses;

impl HostClasses for RubyClasses {
    fn descends(&self, class: &str, ancestor: &str) -> bool {
        let Ok(ruby) = Ruby::get() else { return false };
        match (find(&ruby, class), find(&ruby, ancestor)) {
            (Some(class), Some(ancestor)) => {
                answer(&ruby, class.funcall::<_, _, Option<bool>>("<=", (ancestor,)))
                    .flatten()
                    .unwrap_or(false)
            }
            _ => false,
        }
    }

    fn superclasses(&self, class: &str) -> Vec<Arc<str>> {
        let Ok(ruby) = Ruby::get() else { return Vec::new() };
        let first = find(&ruby, class).and_then(RClass::from_value);
        // The superclass of `BasicObject` is nil, which magnus returns as a class, too.
        let superclass = |class: &RClass| class.superclass().ok().filter(|above| !above.is_nil());
        std::iter::successors(first, superclass)
            .filter_map(|class| answer(&ruby, class.funcall::<_, _, Option<String>>("name", ())).flatten())
            .map(Arc::from)
            .collect()
    }
}

/// Returns the class or module of this name. One that would have to be loaded first is not there: a type
/// check runs no code.
fn find(ruby: &Ruby, name: &str) -> Option<Value> {
    name.split("::").try_fold(ruby.class_object().as_value(), |scope, name| {
        let there = answer(ruby, scope.funcall::<_, _, bool>("const_defined?", (name,)))?;
        let waiting = answer(ruby, scope.funcall::<_, _, Value>("autoload?", (name,)))?;
        if !there || !waiting.is_nil() {
            return None;
        }
        let found = answer(ruby, scope.funcall::<_, _, Value>("const_get", (name,)))?;
        (RClass::from_value(found).is_some() || RModule::from_value(found).is_some()).then_some(found)
    })
}

/// Defines the class of the objects that hold values of a type.
///
/// `magnus` would look the class up when the first of them is made. Ruby can let other threads run then, and one that
/// needs the class as well would wait for the first with Ruby's lock held. So it is looked up at once.
pub fn define_class<T: TypedData>(
    ruby: &Ruby,
    namespace: RModule,
    name: &str,
    superclass: RClass,
) -> Result<RClass, Error> {
    namespace.define_class(name, superclass)?;
    Ok(T::class(ruby))
}
