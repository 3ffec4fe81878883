//! `Puppetfn::RichValue`: values that Ruby has no class of its own for.

use std::collections::HashMap;

use magnus::value::Opaque;
use magnus::{Class, Error, Module, RClass, RHash, RModule, Ruby, Value, method};
use puppetfn::value::Value as CoreValue;

use super::{binary, object, time, unknown, version};
use crate::api::limits;
use crate::ruby::classes::define_class;
use crate::ruby::error::to_ruby;
use crate::ruby::hash_code::hash_code;
use crate::ruby::raw::TypedRef;
use crate::ruby::wrap::set_value_classes;
pub use crate::ruby::wrap::{value_class as class, wrap_value as wrap};
use crate::ruby::wrapped::RubyRich;

impl RubyRich {
    /// Returns the core value in a Ruby object, if it is one of these.
    pub fn of_kind(object: &Value) -> Option<&CoreValue> {
        Self::of(object).map(|rich| &rich.0)
    }

    /// @yard
    /// @return [String] the text that the value has within a string of Puppet's
    fn to_s(ruby: &Ruby, this: &Self) -> Result<String, Error> {
        this.0.interpolated(&limits::current()).map_err(|error| to_ruby(ruby, &error))
    }

    /// @yard
    /// @def ==(other)
    /// @return [Boolean] whether the other one is the same value
    fn equals(&self, other: Value) -> bool {
        Self::of(&other).is_some_and(|other| self.0 == other.0)
    }

    /// @yard
    /// @return [Integer] the same for the same values
    fn hash(&self) -> i64 {
        hash_code(&self.0)
    }
}

/// Defines the methods that values of all kinds have.
pub fn define_common(class: RClass) -> Result<(), Error> {
    class.undef_default_alloc_func();
    class.define_method("to_s", method!(RubyRich::to_s, 0))?;
    class.define_method("==", method!(RubyRich::equals, 1))?;
    class.define_method("eql?", method!(RubyRich::equals, 1))?;
    class.define_method("hash", method!(RubyRich::hash, 0))
}

/// The classes of values, by the names of the kinds of these, while they are defined.
pub struct RichClasses {
    by_name: RHash,
    known: HashMap<&'static str, Opaque<RClass>>,
}

impl RichClasses {
    fn new(ruby: &Ruby, puppetfn: RModule) -> Result<Self, Error> {
        let by_name = ruby.hash_new();
        puppetfn.const_set("VALUE_CLASSES", by_name)?;
        Ok(Self { by_name, known: HashMap::new() })
    }

    /// Makes a class without a name: in Ruby it gets the one that Puppet has for it.
    pub fn define(&mut self, kind: &'static str, superclass: RClass) -> Result<RClass, Error> {
        let class = RClass::new(superclass)?;
        self.add(kind, class)?;
        Ok(class)
    }

    fn add(&mut self, kind: &'static str, class: RClass) -> Result<(), Error> {
        self.by_name.aset(kind, class)?;
        // The constant keeps the class alive, but compaction could move it.
        Ruby::get_with(class).gc_register_mark_object(class);
        self.known.insert(kind, class.into());
        Ok(())
    }
}

/// Defines the classes.
pub fn init(ruby: &Ruby, puppetfn: RModule, sensitive: RClass) -> Result<(), Error> {
    let rich = define_class::<RubyRich>(ruby, puppetfn, "RichValue", ruby.class_object())?;
    define_common(rich)?;
    RubyRich::typed().learn(ruby, RubyRich(CoreValue::Undef));
    let mut classes = RichClasses::new(ruby, puppetfn)?;
    classes.add("RichValue", rich)?;
    classes.add("PuppetObject", object::init(puppetfn, rich)?)?;
    classes.add("Sensitive", sensitive)?;
    classes.add("Unknown", unknown::init(puppetfn, rich)?)?;
    binary::init(&mut classes, rich)?;
    time::init(ruby, &mut classes)?;
    version::init(ruby, &mut classes, rich)?;
    // They are set already when the library is loaded a second time under another name.
    set_value_classes(classes.known);
    Ok(())
}
