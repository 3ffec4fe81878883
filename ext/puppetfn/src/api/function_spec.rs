//! `Puppetfn::FunctionSpec`: a function in Ruby that says what it does with arguments that are undef, not known
//! or sensitive.

use std::cell::Cell;
use std::sync::Arc;

use magnus::error::ErrorType;
use magnus::gc::Marker;
use magnus::r_hash::ForEach;
use magnus::value::{Opaque, ReprValue};
use magnus::{
    Class, DataTypeFunctions, Error, Module, Object, RArray, RHash, RModule, Ruby, Symbol, TryConvert,
    TypedData, Value, function, method,
};
use puppetfn::error::{Error as CoreError, ErrorKind};
use puppetfn::function::spec::{Parameter, Puppet, Spec};
use puppetfn::types::Type;
use puppetfn::value::Value as CoreValue;

use super::types::{self, type_argument};
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::error::{guarded, to_core, to_ruby};
use crate::ruby::raw::Locked;

/// A function: what it takes, and the Ruby objects that find the type of its result and the result itself.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::FunctionSpec", free_immediately, mark)]
pub struct FunctionSpec {
    name: String,
    description: String,
    parameters: Vec<Parameter<Puppet>>,
    variadic: Option<Parameter<Puppet>>,
    type_rule: TypeRule,
    implementation: Opaque<Value>,
}

/// How the type of the result is found.
enum TypeRule {
    Fixed(Type),
    /// From the arguments, by something that can be called.
    Called(Opaque<Value>),
}

impl DataTypeFunctions for FunctionSpec {
    fn mark(&self, marker: &Marker) {
        marker.mark(self.implementation);
        if let TypeRule::Called(rule) = &self.type_rule {
            marker.mark(*rule);
        }
    }
}

/// A `throw` on its way through the core, which carries exceptions only.
type Jumped = Arc<Locked<Cell<Option<Error>>>>;

impl FunctionSpec {
    /// @yard
    /// @def new(name:, params: [], var_param: nil, type: "Any", impl:, description: "")
    /// @param name [String]
    /// @param params [Array<Hash>] for each positional parameter its `:name` and `:type`, and if need be its
    ///   `:description`, and whether it takes what is otherwise not given to `impl`: `:allow_null`,
    ///   `:allow_unknown`, `:allow_dynamic_type` and `:allow_marked`
    /// @param var_param [Hash, nil] the parameter of all arguments that follow
    /// @param type [Puppetfn::Type, String, #call] the type of the result, or what finds it from an Array of the
    ///   arguments
    /// @param impl [#call] gives the result from an Array of the arguments and its type
    /// @param description [String] what it does
    /// @raise [ArgumentError] when a key is missing, unknown or of the wrong kind
    fn new(ruby: &Ruby, args: &[Value]) -> Result<Self, Error> {
        guarded(ruby, || {
            let args = magnus::scan_args::scan_args::<(), (), (), (), RHash, ()>(args)?;
            let given = Keys { ruby, owner: "FunctionSpec", keys: args.keywords };
            given.check(&["name", "params", "var_param", "type", "impl", "description"])?;
            let params = given.get::<RArray>("params")?.unwrap_or_else(|| ruby.ary_new());
            let type_rule = match given.get::<Value>("type")? {
                None => TypeRule::Fixed(Type::Any),
                Some(rule) if rule.respond_to("call", false)? => TypeRule::Called(rule.into()),
                Some(t) => TypeRule::Fixed(type_argument(ruby, t, ruby.qnil().as_value())?),
            };
            let implementation: Value = given.required("impl")?;
            if !implementation.respond_to("call", false)? {
                return Err(given.wrong("impl", "something that can be called", implementation));
            }
            Ok(Self {
                name: given.required("name")?,
                description: given.get("description")?.unwrap_or_default(),
                parameters: params
                    .into_iter()
                    .map(|keys| parameter(ruby, RHash::try_convert(keys)?))
                    .collect::<Result<_, _>>()?,
                variadic: given.get("var_param")?.map(|keys| parameter(ruby, keys)).transpose()?,
                type_rule,
                implementation: implementation.into(),
            })
        })
    }

    /// The function of the core, which calls the Ruby objects as long as this one is in use.
    fn spec(&self, jumped: &Jumped) -> Spec<Puppet> {
        let mut spec = Spec::new(&self.description);
        for parameter in &self.parameters {
            spec = spec.parameter(parameter.clone());
        }
        if let Some(parameter) = &self.variadic {
            spec = spec.variadic(parameter.clone());
        }
        spec = match &self.type_rule {
            TypeRule::Fixed(t) => spec.returns(t.clone()),
            TypeRule::Called(rule) => {
                let (rule, jumped) = (*rule, Arc::clone(jumped));
                spec.type_rule(move |arguments| in_ruby(&jumped, |ruby| find_type(ruby, rule, arguments)))
            }
        };
        let (implementation, jumped) = (self.implementation, Arc::clone(jumped));
        spec.implement_variadic(move |arguments, t| {
            in_ruby(&jumped, |ruby| {
                let list = ruby.ary_from_iter(objects(ruby, arguments)?);
                let t = types::wrap(ruby, t.clone());
                to_value(ruby, ruby.get_inner(implementation).funcall("call", (list, t))?)
            })
        })
    }

    fn run<T>(
        &self,
        ruby: &Ruby,
        body: impl FnOnce(&Spec<Puppet>) -> Result<T, CoreError>,
    ) -> Result<T, Error> {
        let jumped = Jumped::new(Locked::new(Cell::new(None)));
        let result = body(&self.spec(&jumped));
        match jumped.take() {
            Some(jump) => Err(jump),
            None => result.map_err(|error| to_ruby(ruby, &error)),
        }
    }

    /// @yard
    /// @def call(*args)
    /// Calls the function. It is not called, and the result is a {Puppetfn::Unknown} of its type, where an
    /// argument is not known and its parameter does not allow that. What is sensitive is given to it in the open
    /// where the parameter does not allow it, and makes the result sensitive.
    /// @param args [Array<Object>]
    /// @return [Object]
    /// @raise [Puppetfn::FunctionSpec::ArgumentError] when an argument is not accepted
    /// @raise [ArgumentError] when there are not as many arguments as parameters
    fn call(ruby: &Ruby, this: &Self, args: &[Value]) -> Result<Value, Error> {
        guarded(ruby, || {
            let arguments = values(ruby, args)?;
            to_object(ruby, &this.run(ruby, |spec| spec.call(&arguments))?)
        })
    }

    /// @yard
    /// @def return_type(*types)
    /// @param types [Array<Puppetfn::Type, String>] those of the arguments
    /// @return [Puppetfn::Type] the type of the result
    /// @raise (see #call)
    fn return_type(ruby: &Ruby, this: &Self, args: &[Value]) -> Result<Value, Error> {
        guarded(ruby, || {
            let types = args.iter().map(|t| type_argument(ruby, *t, ruby.qnil().as_value()));
            let types = types.collect::<Result<Vec<_>, _>>()?;
            Ok(types::wrap(ruby, this.run(ruby, |spec| spec.return_type(&types))?))
        })
    }

    /// @yard
    /// @def return_type_for_values(*args)
    /// @param args [Array<Object>] arguments, known or not
    /// @return [Puppetfn::Type] the type of the result, of which values may tell more than their types
    /// @raise (see #call)
    fn return_type_for_values(ruby: &Ruby, this: &Self, args: &[Value]) -> Result<Value, Error> {
        guarded(ruby, || {
            let arguments = values(ruby, args)?;
            Ok(types::wrap(ruby, this.run(ruby, |spec| spec.return_type_for_values(&arguments))?))
        })
    }

    fn name(this: &Self) -> &str {
        &this.name
    }

    fn description(this: &Self) -> &str {
        &this.description
    }

    /// @yard
    /// @return [Array<Hash{Symbol=>Object}>] the positional parameters, with all keys
    fn params(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        let array = ruby.ary_new();
        this.parameters.iter().try_for_each(|parameter| array.push(described(ruby, parameter)?))?;
        Ok(array)
    }

    /// @yard
    /// @return [Hash{Symbol=>Object}, nil] the parameter of all arguments that follow
    fn var_param(ruby: &Ruby, this: &Self) -> Result<Option<RHash>, Error> {
        this.variadic.as_ref().map(|parameter| described(ruby, parameter)).transpose()
    }

    fn inspect(this: &Self) -> String {
        let parameters: Vec<String> = this
            .parameters
            .iter()
            .map(|parameter| format!("{} {}", parameter.ty(), parameter.name()))
            .collect();
        let rest =
            this.variadic.as_ref().map(|parameter| format!("{} *{}", parameter.ty(), parameter.name()));
        let all: Vec<String> = parameters.into_iter().chain(rest).collect();
        format!("#<Puppetfn::FunctionSpec {}({})>", this.name, all.join(", "))
    }
}

fn in_ruby<T>(jumped: &Jumped, body: impl FnOnce(&Ruby) -> Result<T, Error>) -> Result<T, CoreError> {
    let ruby = Ruby::get().map_err(|error| CoreError::new(ErrorKind::Internal, error.to_string()))?;
    body(&ruby).map_err(|error| {
        let carried = to_core(&ruby, &error);
        if matches!(error.error_type(), ErrorType::Jump(_)) {
            jumped.set(Some(error));
        }
        carried
    })
}

fn find_type(ruby: &Ruby, rule: Opaque<Value>, arguments: &[CoreValue]) -> Result<Type, Error> {
    let list = ruby.ary_from_iter(objects(ruby, arguments)?);
    let t: Value = ruby.get_inner(rule).funcall("call", (list,))?;
    type_argument(ruby, t, ruby.qnil().as_value())
}

fn objects(ruby: &Ruby, values: &[CoreValue]) -> Result<Vec<Value>, Error> {
    values.iter().map(|value| to_object(ruby, value)).collect()
}

fn values(ruby: &Ruby, objects: &[Value]) -> Result<Vec<CoreValue>, Error> {
    objects.iter().map(|object| to_value(ruby, *object)).collect()
}

const FLAGS: [&str; 4] = ["allow_null", "allow_unknown", "allow_dynamic_type", "allow_marked"];

fn parameter(ruby: &Ruby, keys: RHash) -> Result<Parameter<Puppet>, Error> {
    let given = Keys { ruby, owner: "a parameter of FunctionSpec", keys };
    given.check(&["name", "type", "description", FLAGS[0], FLAGS[1], FLAGS[2], FLAGS[3]])?;
    let name: String = given.required("name")?;
    let t = type_argument(ruby, given.required("type")?, ruby.qnil().as_value())?;
    let mut parameter =
        Parameter::new(&name, t).description(&given.get::<String>("description")?.unwrap_or_default());
    let allow = [
        Parameter::allow_null,
        Parameter::allow_unknown,
        Parameter::allow_dynamic_type,
        Parameter::allow_marked,
    ];
    for (flag, allow) in FLAGS.into_iter().zip(allow) {
        if given.get::<bool>(flag)?.unwrap_or(false) {
            parameter = allow(parameter);
        }
    }
    Ok(parameter)
}

fn described(ruby: &Ruby, parameter: &Parameter<Puppet>) -> Result<RHash, Error> {
    let keys = ruby.hash_new();
    keys.aset(ruby.to_symbol("name"), parameter.name())?;
    keys.aset(ruby.to_symbol("type"), types::wrap(ruby, parameter.ty().clone()))?;
    keys.aset(ruby.to_symbol("description"), parameter.text())?;
    let flags = [
        parameter.allows_null(),
        parameter.allows_unknown(),
        parameter.allows_dynamic_type(),
        parameter.allows_marked(),
    ];
    FLAGS.iter().zip(flags).try_for_each(|(name, flag)| keys.aset(ruby.to_symbol(name), flag))?;
    Ok(keys)
}

/// A Hash with Symbols as keys, some of which are known.
struct Keys<'r> {
    ruby: &'r Ruby,
    owner: &'static str,
    keys: RHash,
}

impl Keys<'_> {
    fn error(&self, message: String) -> Error {
        Error::new(self.ruby.exception_arg_error(), message)
    }

    fn wrong(&self, name: &str, expected: &str, given: Value) -> Error {
        self.error(format!("{} expects {expected} as {name}, got {}", self.owner, given.inspect()))
    }

    fn check(&self, known: &[&str]) -> Result<(), Error> {
        self.keys.foreach(|key: Value, _: Value| {
            let name = Symbol::from_value(key).map(|name| name.to_string());
            if name.is_some_and(|name| known.contains(&name.as_str())) {
                return Ok(ForEach::Continue);
            }
            let known = known.join(", ");
            Err(self.error(format!("{} has no key {}: it has {known}", self.owner, key.inspect())))
        })
    }

    fn get<T: TryConvert>(&self, name: &str) -> Result<Option<T>, Error> {
        let Some(value) = self.keys.get(self.ruby.to_symbol(name)).filter(|value| !value.is_nil()) else {
            return Ok(None);
        };
        T::try_convert(value).map(Some).map_err(|_| self.wrong(name, "another value", value))
    }

    fn required<T: TryConvert>(&self, name: &str) -> Result<T, Error> {
        self.get(name)?.ok_or_else(|| self.error(format!("{} needs the key {name}", self.owner)))
    }
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = puppetfn.define_class("FunctionSpec", ruby.class_object())?;
    class.undef_default_alloc_func();
    class.define_singleton_method("new", function!(FunctionSpec::new, -1))?;
    class.define_method("call", method!(FunctionSpec::call, -1))?;
    class.define_method("return_type", method!(FunctionSpec::return_type, -1))?;
    class.define_method("return_type_for_values", method!(FunctionSpec::return_type_for_values, -1))?;
    class.define_method("name", method!(FunctionSpec::name, 0))?;
    class.define_method("description", method!(FunctionSpec::description, 0))?;
    class.define_method("params", method!(FunctionSpec::params, 0))?;
    class.define_method("var_param", method!(FunctionSpec::var_param, 0))?;
    class.define_method("inspect", method!(FunctionSpec::inspect, 0))
}
