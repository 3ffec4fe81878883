//! The functions of cty's standard library, as `cty::join` and so on.

mod examples;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_cty::convert::convert;
use puppetfn_cty::puppet::{type_from_puppet, type_to_puppet};
use puppetfn_cty::{CtyFunction, CtyParameter, CtyValue, stdlib};
use puppetfn_types::function::{Declaration, Signature, UnknownHandling, native};
use puppetfn_types::types::{CallableType, Size, TupleType, Type};
use puppetfn_types::value::Value;

/// Returns all of them.
pub(super) fn functions() -> impl Iterator<Item = Declaration> {
    stdlib::functions().map(|(name, function)| {
        let own = examples::EXAMPLES.iter().filter(|(of, ..)| *of == name);
        let declaration = own.fold(native(format!("cty::{name}")), |declaration, (_, arguments, result)| {
            declaration.example(format!("cty::{name}({arguments})"), *result)
        });
        declaration
            .doc(function.description())
            .dispatch::<&[Value]>(signature(function), move |call, arguments| {
                let limits = call.limits();
                let mut converted = Vec::with_capacity(arguments.len());
                for (argument, parameter) in arguments.iter().zip(parameters(function)) {
                    converted.push(fitting(CtyValue::from_puppet(argument, limits)?, parameter));
                }
                let result = function.call(&converted, limits).and_then(|result| result.to_puppet(limits));
                result.map_err(|error| named(call.name(), function, &error))
            })
            .unknowns(UnknownHandling::Accept)
            .returns(move |types| {
                let types: Vec<_> = types.iter().map(type_from_puppet).collect();
                function.return_type(&types, &Limits::FURTHEST).map_or(Type::Any, |t| type_to_puppet(&t))
            })
    })
}

/// Returns the signature. It does not restrict the types of arguments: cty itself converts and checks them.
fn signature(function: &CtyFunction) -> Signature {
    let types = function.parameters().iter().chain(function.variadic_parameter());
    let types = types.map(|parameter| if parameter.allows_null() { Type::Any } else { Type::NotUndef(None) });
    let names = function
        .parameters()
        .iter()
        .chain(function.variadic_parameter())
        .map(|parameter| parameter.name().into());
    let size = function.variadic_parameter().map(|_| Size::new(function.parameters().len() as u64, None));
    let params = TupleType { types: types.collect(), size };
    Signature::new(CallableType { params: Some(params), block: None, returns: None }, names, None)
}

fn parameters(function: &CtyFunction) -> impl Iterator<Item = &CtyParameter> {
    function.parameters().iter().chain(function.variadic_parameter().into_iter().cycle())
}

/// Returns the argument as one of the parameter's type, where it can be converted: an array as a list or set.
fn fitting(argument: CtyValue, parameter: &CtyParameter) -> CtyValue {
    convert(&argument, parameter.ty()).unwrap_or(argument)
}

/// Adds the name of the function to an error, and the parameter's name to an error about one.
fn named(name: &str, function: &CtyFunction, error: &Error) -> Error {
    let (kind, message) = (error.kind(), error.message());
    match kind {
        ErrorKind::Limit => error.clone(),
        ErrorKind::Unrepresentable => Error::new(kind.clone(), format!("{name}(): {message}")),
        ErrorKind::Argument(index) => {
            let parameter = parameters(function).nth(*index).map_or("?", CtyParameter::name);
            Error::new(ErrorKind::Evaluation, format!("{name}(): parameter '{parameter}': {message}"))
        }
        _ => Error::new(ErrorKind::Evaluation, format!("{name}(): {message}")),
    }
}
