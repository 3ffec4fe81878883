//! `Puppetfn::SignatureBuilder`: the parameters of one dispatch, in the order they are declared.
//!
//! Errors are worded as in Puppet; function authors and their specs know the texts.

use std::cell::{Cell, RefCell};

use magnus::gc::Marker;
use magnus::scan_args::scan_args;
use magnus::value::{Opaque, ReprValue};
use magnus::{
    Class, DataTypeFunctions, Error, Module, RArray, RModule, RString, Ruby, Symbol, TypedData, Value, method,
};
use puppetfn::function::{SignatureBuilder as Core, TypeSource};
use puppetfn::types::{CallableType, Type};

use super::loader::TypeParser;
use super::types::type_argument;
use crate::ruby::classes::define_class;
use crate::ruby::error::{guarded, to_ruby};
use crate::ruby::raw::{TypedRef, class_of};
use crate::ruby::wrapped::{Dispatch, Knit, RubyType};

/// A signature that is being declared.
#[derive(Default, TypedData)]
#[magnus(class = "Puppetfn::SignatureBuilder", free_immediately, mark)]
pub struct RubySignatureBuilder {
    loader: Cell<Option<Opaque<Value>>>,
    names: Cell<Option<Opaque<RArray>>>,
    injections: Cell<Option<Opaque<RArray>>>,
    state: RefCell<BuilderState>,
}

#[derive(Default)]
struct BuilderState {
    core: Core,
    parameters: usize,
    weaving: Vec<Knit>,
}

/// Puppet's methods that add one parameter.
#[derive(Clone, Copy, PartialEq)]
enum ParameterMethod {
    Required,
    Optional,
    Repeated,
    RequiredRepeated,
}

impl DataTypeFunctions for RubySignatureBuilder {
    fn mark(&self, marker: &Marker) {
        if let Some(loader) = self.loader.get() {
            marker.mark(loader);
        }
        for array in [self.names.get(), self.injections.get()].into_iter().flatten() {
            marker.mark(array);
        }
    }
}

fn misuse(ruby: &Ruby, message: String) -> Error {
    Error::new(ruby.exception_arg_error(), message)
}

/// Returns the name of a class as Puppet shows it in messages.
fn class_name(value: Value) -> String {
    match RubyType::of(&value) {
        Some(t) => t.0.ruby_class(),
        None => class_of(value).to_string(),
    }
}

/// Returns a type object, or the text of a type, which is parsed when the dispatch is complete.
fn type_source(ruby: &Ruby, t: Value, what: &str) -> Result<TypeSource, Error> {
    if let Some(t) = RubyType::of(&t) {
        return Ok(TypeSource::from(t.0.clone()));
    }
    match RString::from_value(t) {
        Some(text) => Ok(TypeSource::from(text.to_string()?)),
        None => {
            let class = class_name(t);
            let message = format!("{what} must be a String reference to a Puppet Data Type. Got {class}");
            Err(misuse(ruby, message))
        }
    }
}

impl RubySignatureBuilder {
    /// @yard
    /// @def initialize(loader = nil)
    /// @param loader [Puppetfn::Loader, nil] finds the type aliases that types may name
    fn initialize(ruby: &Ruby, this: &Self, args: &[Value]) -> Result<(), Error> {
        let args = scan_args::<(), (Option<Value>,), (), (), (), ()>(args)?;
        this.loader.set(args.optional.0.map(Opaque::from));
        this.names.set(Some(ruby.ary_new().into()));
        this.injections.set(Some(ruby.ary_new().into()));
        Ok(())
    }

    /// Returns the names of the parameters as they were given.
    fn names(&self, ruby: &Ruby) -> RArray {
        self.names.get().map_or_else(|| ruby.ary_new(), |names| ruby.get_inner(names))
    }

    fn injections(&self, ruby: &Ruby) -> RArray {
        self.injections.get().map_or_else(|| ruby.ary_new(), |injections| ruby.get_inner(injections))
    }

    fn loader(&self, ruby: &Ruby) -> Value {
        self.loader.get().map_or_else(|| ruby.qnil().as_value(), |loader| ruby.get_inner(loader))
    }

    fn add(ruby: &Ruby, this: &Self, kind: ParameterMethod, t: Value, name: Value) -> Result<(), Error> {
        let mut state = this.state.borrow_mut();
        state.core.check_param().map_err(|error| to_ruby(ruby, &error))?;
        if RString::from_value(name).is_some() {
            return Err(misuse(
                ruby,
                format!("Parameter name argument must be a Symbol. Got {}", class_name(name)),
            ));
        }
        let source = type_source(ruby, t, "Parameter 'type'")?;
        let index = state.parameters;
        state.parameters += 1;
        let repeated = matches!(kind, ParameterMethod::Repeated | ParameterMethod::RequiredRepeated);
        state.weaving.push(if repeated { Knit::Rest(index) } else { Knit::Argument(index) });
        this.names(ruby).push(name)?;
        let name = name.to_r_string()?.to_string()?;
        let added = match kind {
            ParameterMethod::Required => state.core.param(source, name),
            ParameterMethod::Optional => state.core.optional_param(source, name),
            ParameterMethod::Repeated => state.core.repeated_param(source, name),
            ParameterMethod::RequiredRepeated => state.core.required_repeated_param(source, name),
        };
        added.map(|_| ()).map_err(|error| to_ruby(ruby, &error))
    }

    /// @yard
    /// @def param(type, name)
    /// Adds a required parameter.
    /// @param type [String, Puppetfn::Type]
    /// @param name [Symbol]
    /// @raise [ArgumentError] after an optional or repeated parameter, or the block
    fn param(ruby: &Ruby, this: &Self, t: Value, name: Value) -> Result<(), Error> {
        guarded(ruby, || Self::add(ruby, this, ParameterMethod::Required, t, name))
    }

    /// @yard
    /// @def optional_param(type, name)
    /// Adds an optional parameter.
    fn optional_param(ruby: &Ruby, this: &Self, t: Value, name: Value) -> Result<(), Error> {
        guarded(ruby, || Self::add(ruby, this, ParameterMethod::Optional, t, name))
    }

    /// @yard
    /// @def repeated_param(type, name)
    /// Adds a parameter that takes all further arguments, possibly none.
    fn repeated_param(ruby: &Ruby, this: &Self, t: Value, name: Value) -> Result<(), Error> {
        guarded(ruby, || Self::add(ruby, this, ParameterMethod::Repeated, t, name))
    }

    /// @yard
    /// @def required_repeated_param(type, name)
    /// Adds a parameter that takes all further arguments, at least one.
    fn required_repeated_param(ruby: &Ruby, this: &Self, t: Value, name: Value) -> Result<(), Error> {
        guarded(ruby, || Self::add(ruby, this, ParameterMethod::RequiredRepeated, t, name))
    }

    fn add_block(ruby: &Ruby, this: &Self, args: &[Value], optional: bool) -> Result<(), Error> {
        let any = || Type::Callable(CallableType::default().into());
        let (t, name) = match *args {
            [] => (any(), ruby.to_symbol("block").as_value()),
            [name] => (any(), name),
            [t, name] => (type_argument(ruby, t, this.loader(ruby))?, name),
            _ => {
                return Err(misuse(
                    ruby,
                    format!("block_param accepts max 2 arguments (type, name), got {}.", args.len()),
                ));
            }
        };
        if !t.is_callable_kind(false) {
            let class = t.ruby_class();
            return Err(misuse(ruby, format!("Expected PCallableType or PVariantType thereof, got {class}")));
        }
        let Some(name) = Symbol::from_value(name) else {
            return Err(misuse(
                ruby,
                format!("Expected block_param name to be a Symbol, got {}", class_name(name)),
            ));
        };
        let name = name.name()?.into_owned();
        let mut state = this.state.borrow_mut();
        let added =
            if optional { state.core.optional_block_param(t, name) } else { state.core.block_param(t, name) };
        added.map(|_| ()).map_err(|error| to_ruby(ruby, &error))
    }

    /// @yard
    /// @def block_param(*type_and_name)
    /// Adds a required block.
    /// @overload block_param(name = :block)
    /// @overload block_param(type, name)
    fn block_param(ruby: &Ruby, this: &Self, args: &[Value]) -> Result<(), Error> {
        guarded(ruby, || Self::add_block(ruby, this, args, false))
    }

    /// @yard
    /// @def optional_block_param(*type_and_name)
    /// Adds an optional block.
    fn optional_block_param(ruby: &Ruby, this: &Self, args: &[Value]) -> Result<(), Error> {
        guarded(ruby, || Self::add_block(ruby, this, args, true))
    }

    /// @yard
    /// @def return_type(type)
    /// Declares the type of the result.
    fn return_type(ruby: &Ruby, this: &Self, t: Value) -> Result<(), Error> {
        guarded(ruby, || {
            let source = type_source(ruby, t, "Argument to 'return_type'")?;
            this.state.borrow_mut().core.return_type(source);
            Ok(())
        })
    }

    /// @yard
    /// @def inject(what)
    /// Passes an argument at this position that is not part of the signature: the scope of the caller for `:scope`, for
    /// anything else the result of the function's method `injected`.
    /// @param what [Object]
    fn inject(ruby: &Ruby, this: &Self, what: Value) -> Result<(), Error> {
        guarded(ruby, || {
            let injections = this.injections(ruby);
            let index = injections.len();
            injections.push(what)?;
            let is_scope = what.eql(ruby.to_symbol("scope"))?;
            this.state.borrow_mut().weaving.push(if is_scope {
                Knit::Scope(index)
            } else {
                Knit::Injection(index)
            });
            Ok(())
        })
    }

    /// @yard
    /// @def build(method_name, argument_mismatch = false)
    /// @param method_name [Symbol, String] the method that is called when the arguments match
    /// @param argument_mismatch [Boolean] whether that method words an error instead
    /// @return [Puppetfn::Dispatch]
    /// @raise [ArgumentError] when the text of a type cannot be parsed
    fn build(ruby: &Ruby, this: &Self, args: &[Value]) -> Result<Value, Error> {
        guarded(ruby, || {
            let args = scan_args::<(Value,), (Option<bool>,), (), (), (), ()>(args)?;
            let method: Symbol = args.required.0.funcall("to_sym", ())?;
            let mut core = this.state.borrow().core.clone();
            if args.optional.0.unwrap_or(false) {
                core.handles_mismatch();
            }
            let loader = this.loader(ruby);
            let parser = TypeParser::new(ruby, &loader)?;
            let signature = core.build(|text| parser.parse(text)).map_err(|error| to_ruby(ruby, &error))?;
            let state = this.state.borrow();
            let injections = this.injections(ruby);
            let dispatch = Dispatch {
                signature,
                method: method.into(),
                names: this.names(ruby).into(),
                weaving: if injections.is_empty() { Vec::new() } else { state.weaving.clone() },
                injections: injections.into(),
            };
            Ok(ruby.obj_wrap(dispatch).as_value())
        })
    }
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class =
        define_class::<RubySignatureBuilder>(ruby, puppetfn, "SignatureBuilder", ruby.class_object())?;
    class.define_alloc_func::<RubySignatureBuilder>();
    class.define_method("initialize", method!(RubySignatureBuilder::initialize, -1))?;
    class.define_method("param", method!(RubySignatureBuilder::param, 2))?;
    class.define_method("optional_param", method!(RubySignatureBuilder::optional_param, 2))?;
    class.define_method("repeated_param", method!(RubySignatureBuilder::repeated_param, 2))?;
    class.define_method(
        "required_repeated_param",
        method!(RubySignatureBuilder::required_repeated_param, 2),
    )?;
    class.define_method("block_param", method!(RubySignatureBuilder::block_param, -1))?;
    class.define_method("optional_block_param", method!(RubySignatureBuilder::optional_block_param, -1))?;
    class.define_method("return_type", method!(RubySignatureBuilder::return_type, 1))?;
    class.define_method("inject", method!(RubySignatureBuilder::inject, 1))?;
    class.define_method("build", method!(RubySignatureBuilder::build, -1))?;
    Ok(())
}
