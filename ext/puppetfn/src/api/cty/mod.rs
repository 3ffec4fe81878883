//! `Puppetfn::Cty`: the values, types and functions of HashiCorp's cty.

mod convert;
mod types;
mod value;

use magnus::value::ReprValue;
use magnus::{Error, Module, Object, RModule, Ruby, Value, function, method};
use puppetfn::cty::convert::{Safety, unify};
use puppetfn::cty::{Cty, CtyType, CtyValue, stdlib};
use puppetfn::error::{Error as CoreError, ErrorKind};

use super::function_spec::{self, FunctionSpec, InRuby};
use crate::ruby::error::{class, guarded, to_ruby};

impl InRuby for Cty {
    fn value(ruby: &Ruby, object: Value, wanted: Option<&CtyType>) -> Result<CtyValue, Error> {
        convert::to_fitting_value(ruby, object, wanted)
    }

    fn object(ruby: &Ruby, value: &CtyValue) -> Result<Value, Error> {
        value::wrap(ruby, value.clone())
    }

    fn read_type(ruby: &Ruby, object: Value) -> Result<CtyType, Error> {
        types::type_argument(ruby, object)
    }

    fn type_object(ruby: &Ruby, t: &CtyType) -> Result<Value, Error> {
        types::wrap(ruby, t.clone())
    }

    fn show(t: &CtyType) -> String {
        t.constraint_name()
    }

    fn exception(ruby: &Ruby, error: &CoreError) -> Error {
        exception(ruby, error)
    }
}

/// Returns the exception for an error. Errors of cty's values and functions have a class of their own.
fn exception(ruby: &Ruby, error: &CoreError) -> Error {
    let is_own = matches!(error.kind(), ErrorKind::Evaluation | ErrorKind::Conversion | ErrorKind::Signature);
    if is_own && error.as_signal().is_none() {
        return Error::new(class(ruby, "Puppetfn::Cty::Error"), error.to_string());
    }
    to_ruby(ruby, error)
}

/// @yard
/// @def functions
/// @return [Array<String>] the names of the functions of the standard library
fn functions() -> Vec<&'static str> {
    stdlib::functions().map(|(name, _)| name).collect()
}

/// @yard
/// @def function(name)
/// @example
///   Puppetfn::Cty.function("join").call("-", ["a", "b"]).to_ruby  # => "a-b"
/// @param name [String, Symbol] one of {functions}
/// @return [Puppetfn::Cty::Function]
/// @raise [ArgumentError] when there is none of this name
fn function(ruby: &Ruby, name: Value) -> Result<Value, Error> {
    guarded(ruby, || {
        let name = name.to_r_string()?.to_string()?;
        let found = stdlib::function(&name).ok_or_else(|| {
            Error::new(ruby.exception_arg_error(), format!("there is no cty function '{name}'"))
        })?;
        wrap_function(ruby, FunctionSpec::of_cty(&name, found.clone()))
    })
}

/// @yard
/// @def conversion(type)
/// @param type [Puppetfn::Cty::Type, String, Array]
/// @return [Puppetfn::Cty::Function] the function that converts its argument to this type
fn conversion(ruby: &Ruby, t: Value) -> Result<Value, Error> {
    guarded(ruby, || {
        let function = stdlib::conversion_to(&types::type_argument(ruby, t)?);
        wrap_function(ruby, FunctionSpec::of_cty("conversion", function))
    })
}

fn wrap_function(ruby: &Ruby, function: FunctionSpec) -> Result<Value, Error> {
    let class = ruby.class_object().const_get::<_, RModule>("Puppetfn")?;
    let class = class.const_get::<_, RModule>("Cty")?.const_get("Function")?;
    Ok(ruby.obj_wrap_as(function, class).as_value())
}

/// @yard
/// @def unify(*types)
/// @param types [Array<Puppetfn::Cty::Type, String, Array>]
/// @return [Puppetfn::Cty::Type, nil] a type to which values of all these can be converted, if there is one
fn unified(ruby: &Ruby, args: &[Value]) -> Result<Option<Value>, Error> {
    guarded(ruby, || {
        let types = args.iter().map(|t| types::type_argument(ruby, *t)).collect::<Result<Vec<_>, _>>()?;
        unify(&types, Safety::Unsafe).map(|t| types::wrap(ruby, t)).transpose()
    })
}

/// Defines the module and its classes. Their part in Ruby, lib/puppetfn/cty.rb, calls this function, so that both are
/// defined together.
fn define(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let cty = puppetfn.define_module("Cty")?;
    types::init(ruby, cty)?;
    value::init(ruby, cty)?;
    function_spec::init_of_cty(puppetfn, cty)?;
    cty.define_module_function("functions", function!(functions, 0))?;
    cty.define_module_function("function", function!(function, 1))?;
    cty.define_module_function("conversion", function!(conversion, 1))?;
    cty.define_module_function("unify", function!(unified, -1))
}

/// Defines the method that defines the module.
pub fn init(puppetfn: RModule) -> Result<(), Error> {
    puppetfn.singleton_class()?.define_private_method("define_cty", method!(define, 0))
}
