//! `Puppetfn::Variables`: the variables of the top scope, of which the core has the values.

use std::sync::Arc;

use magnus::r_hash::ForEach;
use magnus::value::ReprValue;
use magnus::{
    Error, Integer, Module, Object, RArray, RHash, RModule, RString, Ruby, TypedData, Value, function, method,
};
use puppetfn::eval::{GlobalVariable, GlobalVariables as Core};
use puppetfn::value::Value as CoreValue;

use crate::ruby::classes::define_class;
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::error::guarded;
use crate::ruby::host_table::{fetch, keep};

/// The variables of the top scope.
///
/// Ruby reads a value that it has set as the same object.
#[derive(Default, TypedData)]
#[magnus(class = "Puppetfn::Variables", free_immediately)]
pub struct RubyVariables(Arc<Core>);

impl magnus::DataTypeFunctions for RubyVariables {}

impl RubyVariables {
    /// Returns the core's variables.
    pub fn core(&self) -> Arc<Core> {
        Arc::clone(&self.0)
    }

    /// @yard
    /// @def new
    /// Creates a table that has no variables yet.
    fn new() -> Self {
        Self::default()
    }

    /// @yard
    /// @def copy
    /// @return [Puppetfn::Variables] a table with the same values
    fn copy(ruby: &Ruby, this: &Self) -> Result<Self, Error> {
        guarded(ruby, || Ok(Self(Arc::new(Core::clone(&this.0)))))
    }

    /// @yard
    /// @def get(name)
    /// @param name [String] with or without leading `::`
    /// @return [Array(Object), nil] the value, if the variable has one
    fn get(ruby: &Ruby, this: &Self, name: RString) -> Result<Option<RArray>, Error> {
        guarded(ruby, || match this.0.get(&name.to_string()?) {
            Some(variable) => Ok(Some(ruby.ary_from_iter([object_of(ruby, &variable)?]))),
            None => Ok(None),
        })
    }

    /// @yard
    /// @def key?(name)
    /// @param name [String] with or without leading `::`
    /// @return [Boolean] whether the variable has a value
    fn has(ruby: &Ruby, this: &Self, name: RString) -> Result<bool, Error> {
        guarded(ruby, || Ok(this.0.has(&name.to_string()?)))
    }

    /// @yard
    /// @def set(name, value)
    /// Sets a variable, whatever it was before.
    /// @param name [String] with or without leading `::`
    /// @param value [Object]
    fn set(ruby: &Ruby, this: &Self, name: String, value: Value) -> Result<(), Error> {
        guarded(ruby, || this.put(ruby, &name, to_value(ruby, value)?, value))
    }

    /// @yard
    /// @def set_frozen(name, value)
    /// Sets a variable to data that no code may change.
    /// @param name [String] with or without leading `::`
    /// @param value [Hash] frozen, with all that is in it
    fn set_frozen(ruby: &Ruby, this: &Self, name: String, value: Value) -> Result<(), Error> {
        guarded(ruby, || {
            let known = to_value(ruby, value)?;
            this.0.freeze(&known);
            this.put(ruby, &name, known, value)
        })
    }

    /// @yard
    /// @def share(others)
    /// Shares the variables of another table.
    /// @param others [Puppetfn::Variables] variables of classes, with frozen values
    fn share(ruby: &Ruby, this: &Self, others: &Self) -> Result<(), Error> {
        guarded(ruby, || {
            this.0.share(&others.0);
            Ok(())
        })
    }

    /// @yard
    /// @def set_facts(facts)
    /// Sets `$facts`, and a variable for each fact. The facts are converted once for both.
    /// @param facts [Hash{String=>Object}]
    fn set_facts(ruby: &Ruby, this: &Self, facts: RHash) -> Result<(), Error> {
        guarded(ruby, || {
            let known = to_value(ruby, facts.as_value())?;
            facts.foreach(|name: String, fact: Value| {
                let value =
                    if let CoreValue::Hash(known) = &known { known.get_str(&name).cloned() } else { None };
                this.put(ruby, &name, value.unwrap_or(CoreValue::Undef), fact)?;
                Ok(ForEach::Continue)
            })?;
            this.0.freeze(&known);
            this.put(ruby, "facts", known, facts.as_value())
        })
    }

    /// @yard
    /// @def to_hash
    /// @return [Hash{String=>Object}] the variables that have values, except the variables of classes and nodes
    fn to_hash(ruby: &Ruby, this: &Self) -> Result<RHash, Error> {
        guarded(ruby, || {
            let all = ruby.hash_new();
            for (name, variable) in this.0.of_top() {
                all.aset(ruby.str_new(&name).to_interned_str(), object_of(ruby, &variable)?)?;
            }
            Ok(all)
        })
    }

    /// @yard
    /// @def odd_names
    /// @return [Array<String>] the names of variables that code cannot have, but facts and functions can
    fn odd_names(ruby: &Ruby, this: &Self) -> Result<Vec<String>, Error> {
        guarded(ruby, || {
            let is_odd = |name: &str| name.bytes().any(|byte| !byte.is_ascii_alphanumeric() && byte != b'_');
            let names = this.0.of_top().into_iter().map(|(name, _)| name);
            Ok(names.filter(|name| is_odd(name)).map(|name| name.to_string()).collect())
        })
    }

    /// Sets a variable to a value, which was converted from an object.
    fn put(&self, ruby: &Ruby, name: &str, value: CoreValue, object: Value) -> Result<(), Error> {
        // Code has the same of these.
        let is_plain = matches!(value, CoreValue::Boolean(_))
            || object.is_nil()
            || Integer::from_value(object).is_some();
        let object = if is_plain { None } else { Some(keep(ruby, object)?) };
        self.0.set(name, value, object);
        Ok(())
    }
}

/// Returns the value of a variable, for Ruby.
fn object_of(ruby: &Ruby, variable: &GlobalVariable) -> Result<Value, Error> {
    match &variable.object {
        Some(object) => fetch(ruby, object),
        None => to_object(ruby, &variable.value),
    }
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = define_class::<RubyVariables>(ruby, puppetfn, "Variables", ruby.class_object())?;
    class.define_singleton_method("new", function!(RubyVariables::new, 0))?;
    class.define_method("copy", method!(RubyVariables::copy, 0))?;
    class.define_method("get", method!(RubyVariables::get, 1))?;
    class.define_method("key?", method!(RubyVariables::has, 1))?;
    class.define_method("set", method!(RubyVariables::set, 2))?;
    class.define_method("set_frozen", method!(RubyVariables::set_frozen, 2))?;
    class.define_method("share", method!(RubyVariables::share, 1))?;
    class.define_method("set_facts", method!(RubyVariables::set_facts, 1))?;
    class.define_method("to_hash", method!(RubyVariables::to_hash, 0))?;
    class.define_method("odd_names", method!(RubyVariables::odd_names, 0))?;
    puppetfn.funcall::<_, _, Value>("private_constant", (ruby.to_symbol("Variables"),))?;
    Ok(())
}
