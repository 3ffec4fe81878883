//! `Puppetfn::FunctionSpec`: a function in Ruby that declares how it treats undef, unknown and sensitive arguments.

use std::cell::Cell;
use std::sync::Arc;

use magnus::error::ErrorType;
use magnus::gc::Marker;
use magnus::r_hash::ForEach;
use magnus::value::{Opaque, ReprValue};
use magnus::{
    DataTypeFunctions, Error, Module, Object, RArray, RClass, RHash, RModule, Ruby, Symbol, TryConvert,
    TypedData, Value, function, method, typed_data::Obj,
};
use puppetfn::cty::Cty;
use puppetfn::error::{Error as CoreError, ErrorKind};
use puppetfn::function::spec::{Domain, Puppet, Spec, SpecParameter};
use puppetfn::types::Type;
use puppetfn::value::Value as CoreValue;

use super::types::{self, type_argument};
use crate::api::limits;
use crate::ruby::classes::define_class;
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::error::{guarded, to_core, to_ruby};
use crate::ruby::raw::{Locked, once};

/// Values and types of a kind as Ruby objects.
pub trait InRuby: Domain {
    /// Returns the value of an object. Where a type is wanted, the object may be made to fit it.
    fn value(ruby: &Ruby, object: Value, wanted: Option<&Self::Type>) -> Result<Self::Value, Error>;

    /// Returns the object of a value.
    fn object(ruby: &Ruby, value: &Self::Value) -> Result<Value, Error>;

    /// Returns the type that an object is, or the text of.
    fn read_type(ruby: &Ruby, object: Value) -> Result<Self::Type, Error>;

    /// Returns the object of a type.
    fn type_object(ruby: &Ruby, t: &Self::Type) -> Result<Value, Error>;

    /// Returns a type for people.
    fn show(t: &Self::Type) -> String;

    /// Returns the exception of an error.
    fn exception(ruby: &Ruby, error: &CoreError) -> Error {
        to_ruby(ruby, error)
    }
}

impl InRuby for Puppet {
    fn value(ruby: &Ruby, object: Value, _wanted: Option<&Type>) -> Result<CoreValue, Error> {
        to_value(ruby, object)
    }

    fn object(ruby: &Ruby, value: &CoreValue) -> Result<Value, Error> {
        to_object(ruby, value)
    }

    fn read_type(ruby: &Ruby, object: Value) -> Result<Type, Error> {
        type_argument(ruby, object, ruby.qnil().as_value())
    }

    fn type_object(ruby: &Ruby, t: &Type) -> Result<Value, Error> {
        Ok(types::wrap(ruby, t.clone()))
    }

    fn show(t: &Type) -> String {
        t.to_string()
    }
}

/// A function for Puppet's values, or for cty's.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::FunctionSpec", free_immediately, mark)]
pub struct FunctionSpec {
    name: String,
    source: AnySpec,
}

enum AnySpec {
    Puppet(RubySpec<Puppet>),
    Cty(RubySpec<Cty>),
}

/// A function, with the Ruby objects that compute the type of its result and the result itself. Without one, the
/// function computes it without Ruby.
struct RubySpec<D: InRuby> {
    spec: Spec<D>,
    type_rule: Option<Opaque<Value>>,
    implementation: Option<Opaque<Value>>,
}

impl DataTypeFunctions for FunctionSpec {
    fn mark(&self, marker: &Marker) {
        let [type_rule, implementation] = match &self.source {
            AnySpec::Puppet(parts) => [parts.type_rule, parts.implementation],
            AnySpec::Cty(parts) => [parts.type_rule, parts.implementation],
        };
        type_rule.into_iter().chain(implementation).for_each(|object| marker.mark(object));
    }
}

/// A `throw` on its way through the core, which carries exceptions only.
type PendingJump = Arc<Locked<Cell<Option<Error>>>>;

impl<D: InRuby> RubySpec<D> {
    /// Creates a function of the keywords of `new`.
    fn new(ruby: &Ruby, given: &SymbolKeys<'_>) -> Result<Self, Error> {
        given.check(&["name", "params", "var_param", "type", "impl", "description"])?;
        let mut spec = Spec::new(&given.get::<String>("description")?.unwrap_or_default());
        let params = given.get::<RArray>("params")?.unwrap_or_else(|| ruby.ary_new());
        for keys in params {
            spec = spec.parameter(parameter(ruby, RHash::try_convert(keys)?)?);
        }
        if let Some(keys) = given.get("var_param")? {
            spec = spec.variadic(parameter(ruby, keys)?);
        }
        let mut type_rule = None;
        match given.get::<Value>("type")? {
            None => {}
            Some(rule) if rule.respond_to("call", false)? => type_rule = Some(rule.into()),
            Some(t) => spec = spec.returns(D::read_type(ruby, t)?),
        }
        let implementation: Value = given.required("impl")?;
        if !implementation.respond_to("call", false)? {
            return Err(given.wrong("impl", "a callable object", implementation));
        }
        Ok(Self { spec, type_rule, implementation: Some(implementation.into()) })
    }

    /// Returns the function of the core, which calls the Ruby objects as long as this one is in use.
    fn spec(&self, jumped: &PendingJump) -> Spec<D> {
        let mut spec = self.spec.clone();
        if let Some(rule) = self.type_rule {
            let jumped = Arc::clone(jumped);
            spec = spec.type_rule(move |arguments, _| {
                in_ruby(&jumped, |ruby| {
                    let list = objects::<D>(ruby, arguments)?;
                    D::read_type(ruby, once(|| ruby.get_inner(rule).funcall("call", (list,)))?)
                })
            });
        }
        if let Some(implementation) = self.implementation {
            let jumped = Arc::clone(jumped);
            spec = spec.implement_variadic(move |arguments, call| {
                in_ruby(&jumped, |ruby| {
                    let arguments = (objects::<D>(ruby, arguments)?, D::type_object(ruby, call.returns)?);
                    D::value(
                        ruby,
                        once(|| ruby.get_inner(implementation).funcall("call", arguments))?,
                        Some(call.returns),
                    )
                })
            });
        }
        spec
    }

    fn run<T>(&self, ruby: &Ruby, body: impl FnOnce(&Spec<D>) -> Result<T, CoreError>) -> Result<T, Error> {
        let jumped = PendingJump::new(Locked::new(Cell::new(None)));
        let result = body(&self.spec(&jumped));
        match jumped.take() {
            Some(jump) => Err(jump),
            None => result.map_err(|error| D::exception(ruby, &error)),
        }
    }

    fn call(&self, ruby: &Ruby, args: &[Value]) -> Result<Value, Error> {
        let arguments = self.arguments(ruby, args)?;
        D::object(ruby, &self.run(ruby, |spec| spec.call(&arguments, &limits::current()))?)
    }

    fn return_type(&self, ruby: &Ruby, types: &[Value]) -> Result<Value, Error> {
        let types = types.iter().map(|t| D::read_type(ruby, *t)).collect::<Result<Vec<_>, _>>()?;
        D::type_object(ruby, &self.run(ruby, |spec| spec.return_type(&types, &limits::current()))?)
    }

    fn return_type_for_values(&self, ruby: &Ruby, args: &[Value]) -> Result<Value, Error> {
        let arguments = self.arguments(ruby, args)?;
        D::type_object(
            ruby,
            &self.run(ruby, |spec| spec.return_type_for_values(&arguments, &limits::current()))?,
        )
    }

    fn arguments(&self, ruby: &Ruby, objects: &[Value]) -> Result<Vec<D::Value>, Error> {
        let positional = self.spec.parameters().iter().map(Some);
        let parameters = positional.chain(std::iter::repeat(self.spec.variadic_parameter()));
        let pairs = objects.iter().zip(parameters);
        pairs.map(|(object, parameter)| D::value(ruby, *object, parameter.map(SpecParameter::ty))).collect()
    }

    fn params(&self, ruby: &Ruby) -> Result<RArray, Error> {
        let array = ruby.ary_new();
        self.spec.parameters().iter().try_for_each(|parameter| array.push(described(ruby, parameter)?))?;
        Ok(array)
    }

    fn var_param(&self, ruby: &Ruby) -> Result<Option<RHash>, Error> {
        self.spec.variadic_parameter().map(|parameter| described(ruby, parameter)).transpose()
    }

    fn redescribed(&self, ruby: &Ruby, description: &str, parameters: &[String]) -> Result<Self, Error> {
        let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
        let spec = self.spec.redescribed(description, &parameters);
        Ok(Self { spec: spec.map_err(|error| D::exception(ruby, &error))?, ..*self })
    }

    fn unpredictable(&self) -> Self {
        Self { spec: self.spec.clone().unpredictable(), implementation: None, ..*self }
    }

    fn show_parameters(&self) -> String {
        let shown =
            |parameter: &SpecParameter<D>| format!("{} {}", D::show(parameter.ty()), parameter.name());
        let positional = self.spec.parameters().iter().map(shown);
        let rest = self.spec.variadic_parameter();
        let rest = rest.map(|parameter| format!("{} *{}", D::show(parameter.ty()), parameter.name()));
        positional.chain(rest).collect::<Vec<_>>().join(", ")
    }
}

/// Does the same with the parts of a function of either kind.
macro_rules! with_parts {
    ($function:expr, $parts:ident => $body:expr) => {
        match &$function.source {
            AnySpec::Puppet($parts) => $body,
            AnySpec::Cty($parts) => $body,
        }
    };
}

impl FunctionSpec {
    /// @yard
    /// @def new(name:, params: [], var_param: nil, type: "Any", impl:, description: "")
    /// @example
    ///   params = [{name: "text", type: "String"}, {name: "count", type: "Integer[0]"}]
    ///   impl = ->((text, count), _type) { text * count }
    ///   repeat = Puppetfn::FunctionSpec.new(name: "repeat", params:, type: "String", impl:)
    ///   repeat.call("ab", 2)                                           # => "abab"
    ///   repeat.call("ab", Puppetfn::Unknown.new("Integer")).type.to_s  # => "String"
    /// @param name [String]
    /// @param params [Array<Hash>] for each positional parameter its `:name` and `:type`, and optionally its
    ///   `:description`, and whether it accepts arguments that are otherwise kept from `impl`: `:allow_null`,
    ///   `:allow_unknown`, `:allow_dynamic_type` and `:allow_marked`
    /// @param var_param [Hash, nil] the parameter of all arguments that follow
    /// @param type [Puppetfn::Type, String, #call] the type of the result, or a callable that returns it for an Array
    ///   of the arguments
    /// @param impl [#call] computes the result from an Array of the arguments and its type
    /// @param description [String] the documentation of the function
    /// @raise [ArgumentError] when a key is missing, unknown or of the wrong kind
    fn new(ruby: &Ruby, args: &[Value]) -> Result<Self, Error> {
        Self::of_keywords(ruby, args, "FunctionSpec", |given| {
            Ok(AnySpec::Puppet(RubySpec::new(ruby, given)?))
        })
    }

    /// @yard
    /// @def new(name:, params: [], var_param: nil, type: "dynamic", impl:, description: "")
    /// Returns the same for cty's values and types.
    /// @return [Puppetfn::Cty::Function]
    fn new_of_cty(ruby: &Ruby, class: RClass, args: &[Value]) -> Result<Obj<Self>, Error> {
        let of_cty = |given: &SymbolKeys<'_>| Ok(AnySpec::Cty(RubySpec::new(ruby, given)?));
        Ok(ruby.obj_wrap_as(Self::of_keywords(ruby, args, "Function", of_cty)?, class))
    }

    fn of_keywords(
        ruby: &Ruby,
        args: &[Value],
        owner: &'static str,
        source: impl FnOnce(&SymbolKeys<'_>) -> Result<AnySpec, Error>,
    ) -> Result<Self, Error> {
        guarded(ruby, || {
            let args = magnus::scan_args::scan_args::<(), (), (), (), RHash, ()>(args)?;
            let given = SymbolKeys { ruby, owner, keys: args.keywords };
            Ok(Self { source: source(&given)?, name: given.required("name")? })
        })
    }

    /// Creates a function of cty's that is not in Ruby.
    pub fn of_cty(name: &str, spec: Spec<Cty>) -> Self {
        let parts = RubySpec { spec, type_rule: None, implementation: None };
        Self { name: name.to_owned(), source: AnySpec::Cty(parts) }
    }

    /// @yard
    /// @def call(*args)
    /// Calls the function. If an argument is unknown and its parameter does not allow that, `impl` is not called, and
    /// the result is a {Puppetfn::Unknown} of its type. If a parameter does not allow a sensitive argument, `impl` gets
    /// the unwrapped value, and the result is sensitive.
    /// @param args [Array<Object>]
    /// @return [Object]
    /// @raise [Puppetfn::FunctionSpec::ArgumentError] when an argument is not accepted
    /// @raise [ArgumentError] when there are not as many arguments as parameters
    pub fn call(ruby: &Ruby, this: &Self, args: &[Value]) -> Result<Value, Error> {
        guarded(ruby, || with_parts!(this, parts => parts.call(ruby, args)))
    }

    /// @yard
    /// @def return_type(*types)
    /// @param types [Array<Puppetfn::Type, String>] the types of the arguments
    /// @return [Puppetfn::Type] the type of the result
    /// @raise (see #call)
    fn return_type(ruby: &Ruby, this: &Self, args: &[Value]) -> Result<Value, Error> {
        guarded(ruby, || with_parts!(this, parts => parts.return_type(ruby, args)))
    }

    /// @yard
    /// @def return_type_for_values(*args)
    /// @param args [Array<Object>] arguments, known or not
    /// @return [Puppetfn::Type] the type of the result, which may be narrower for values than for their types
    /// @raise (see #call)
    fn return_type_for_values(ruby: &Ruby, this: &Self, args: &[Value]) -> Result<Value, Error> {
        guarded(ruby, || with_parts!(this, parts => parts.return_type_for_values(ruby, args)))
    }

    /// @yard
    /// @return [String] the name, as messages have it
    fn name(this: &Self) -> &str {
        &this.name
    }

    /// @yard
    /// @return [String] the documentation of the function; empty if there is none
    fn description(this: &Self) -> &str {
        with_parts!(this, parts => parts.spec.description())
    }

    /// @yard
    /// @return [Array<Hash{Symbol=>Object}>] the positional parameters, with all keys
    fn params(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        with_parts!(this, parts => parts.params(ruby))
    }

    /// @yard
    /// @return [Hash{Symbol=>Object}, nil] the parameter of all arguments that follow
    fn var_param(ruby: &Ruby, this: &Self) -> Result<Option<RHash>, Error> {
        with_parts!(this, parts => parts.var_param(ruby))
    }

    /// @yard
    /// @def with_descriptions(description, params)
    /// @param description [String] the documentation of the function
    /// @param params [Array<String>] the documentation of its parameters, with or without the variadic one
    /// @return [Puppetfn::FunctionSpec] the same function, described in other words
    /// @raise [ArgumentError] when there are not as many texts as parameters
    fn with_descriptions(
        ruby: &Ruby,
        this: Obj<Self>,
        description: String,
        params: Vec<String>,
    ) -> Result<Obj<Self>, Error> {
        let source = match &this.source {
            AnySpec::Puppet(parts) => AnySpec::Puppet(parts.redescribed(ruby, &description, &params)?),
            AnySpec::Cty(parts) => AnySpec::Cty(parts.redescribed(ruby, &description, &params)?),
        };
        Ok(ruby.obj_wrap_as(Self { name: this.name.clone(), source }, this.class()))
    }

    /// @yard
    /// @return [Puppetfn::FunctionSpec] the function with a result that is never known, as for one that answers
    ///   differently at another time. Its arguments and the type of the result are found as before.
    fn unpredictable(ruby: &Ruby, this: Obj<Self>) -> Obj<Self> {
        let source = match &this.source {
            AnySpec::Puppet(parts) => AnySpec::Puppet(parts.unpredictable()),
            AnySpec::Cty(parts) => AnySpec::Cty(parts.unpredictable()),
        };
        ruby.obj_wrap_as(Self { name: this.name.clone(), source }, this.class())
    }

    /// @yard
    /// @return [String]
    fn inspect(this: Obj<Self>) -> String {
        let parameters = with_parts!(this, parts => parts.show_parameters());
        format!("#<{} {}({parameters})>", this.class(), this.name)
    }
}

fn in_ruby<T>(jumped: &PendingJump, body: impl FnOnce(&Ruby) -> Result<T, Error>) -> Result<T, CoreError> {
    let ruby = Ruby::get().map_err(|error| CoreError::new(ErrorKind::Internal, error.to_string()))?;
    body(&ruby).map_err(|error| {
        let carried = to_core(&ruby, &error);
        if matches!(error.error_type(), ErrorType::Jump(_)) {
            jumped.set(Some(error));
        }
        carried
    })
}

/// Returns values for a function in Ruby.
fn objects<D: InRuby>(ruby: &Ruby, values: &[D::Value]) -> Result<RArray, Error> {
    let list = ruby.ary_new_capa(values.len());
    values.iter().try_for_each(|value| list.push(D::object(ruby, value)?))?;
    Ok(list)
}

const FLAGS: [&str; 4] = ["allow_null", "allow_unknown", "allow_dynamic_type", "allow_marked"];

fn parameter<D: InRuby>(ruby: &Ruby, keys: RHash) -> Result<SpecParameter<D>, Error> {
    let given = SymbolKeys { ruby, owner: "a parameter of FunctionSpec", keys };
    given.check(&["name", "type", "description", FLAGS[0], FLAGS[1], FLAGS[2], FLAGS[3]])?;
    let name: String = given.required("name")?;
    let t = D::read_type(ruby, given.required("type")?)?;
    let mut parameter =
        SpecParameter::new(&name, t).description(&given.get::<String>("description")?.unwrap_or_default());
    let allow = [
        SpecParameter::allow_null,
        SpecParameter::allow_unknown,
        SpecParameter::allow_dynamic_type,
        SpecParameter::allow_marked,
    ];
    for (flag, allow) in FLAGS.into_iter().zip(allow) {
        if given.get::<bool>(flag)?.unwrap_or(false) {
            parameter = allow(parameter);
        }
    }
    Ok(parameter)
}

fn described<D: InRuby>(ruby: &Ruby, parameter: &SpecParameter<D>) -> Result<RHash, Error> {
    let keys = ruby.hash_new();
    keys.aset(ruby.to_symbol("name"), parameter.name())?;
    keys.aset(ruby.to_symbol("type"), D::type_object(ruby, parameter.ty())?)?;
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
struct SymbolKeys<'r> {
    ruby: &'r Ruby,
    owner: &'static str,
    keys: RHash,
}

impl SymbolKeys<'_> {
    fn error(&self, message: String) -> Error {
        Error::new(self.ruby.exception_arg_error(), message)
    }

    fn wrong(&self, name: &str, expected: &str, given: Value) -> Error {
        self.error(format!("{} expects {expected} as {name}, got {}", self.owner, given.inspect()))
    }

    fn check(&self, known: &[&str]) -> Result<(), Error> {
        self.keys.foreach(|key: Value, _: Value| {
            let name = Symbol::from_value(key).map(Symbol::name).transpose()?;
            if name.is_some_and(|name| known.contains(&&*name)) {
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

/// Defines the classes.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = define_class::<FunctionSpec>(ruby, puppetfn, "FunctionSpec", ruby.class_object())?;
    class.define_singleton_method("new", function!(FunctionSpec::new, -1))?;
    class.define_method("call", method!(FunctionSpec::call, -1))?;
    class.define_method("return_type", method!(FunctionSpec::return_type, -1))?;
    class.define_method("return_type_for_values", method!(FunctionSpec::return_type_for_values, -1))?;
    class.define_method("name", method!(FunctionSpec::name, 0))?;
    class.define_method("description", method!(FunctionSpec::description, 0))?;
    class.define_method("params", method!(FunctionSpec::params, 0))?;
    class.define_method("var_param", method!(FunctionSpec::var_param, 0))?;
    class.define_method("with_descriptions", method!(FunctionSpec::with_descriptions, 2))?;
    class.define_method("unpredictable", method!(FunctionSpec::unpredictable, 0))?;
    class.define_method("inspect", method!(FunctionSpec::inspect, 0))
}

/// Defines the class for values of cty's.
pub fn init_of_cty(puppetfn: RModule, cty: RModule) -> Result<(), Error> {
    let class = puppetfn.const_get::<_, RClass>("FunctionSpec")?;
    let of_cty = cty.define_class("Function", class)?;
    of_cty.define_singleton_method("new", method!(FunctionSpec::new_of_cty, -1))
}
