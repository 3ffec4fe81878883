//! `new`: values made from other values.
//!
//! Each type with constructible values has a constructor: a native function with a signature for each form of its
//! arguments. Each family of types has a file.

mod binary;
mod collection;
mod init;
mod number;
mod object;
mod scalar;
mod string;
mod time;
mod tree;
mod uri;
mod version;
mod wrap;

use std::sync::{Arc, LazyLock};

use crate::function::{Caller, Function};
use crate::subject::Verdict;
use crate::types::ops::{infer, infer_set, instance};
use crate::types::{Definition, ObjectType, Type};
use crate::value::Value;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;

/// Creates a value of a type: returns a single argument that already is one, and otherwise calls the type's constructor
/// with the arguments.
///
/// # Errors
/// Fails with [`ErrorKind::ArgumentMismatch`] if the type has no constructor or the constructor does not take the
/// arguments, with [`ErrorKind::Conversion`] if they cannot be converted, and with [`ErrorKind::TypeAssertion`] if the
/// constructed value is not of the type.
pub fn create(t: &Type, arguments: &[Value], caller: &dyn Caller) -> Result<Value, Error> {
    // `Init` types convert their argument even if it is an instance.
    let is_instance = match arguments {
        [value] if !matches!(t, Type::Init(_)) => instance(t, value, caller.limits())?,
        _ => Verdict::No,
    };
    match (is_instance, arguments) {
        (Verdict::Yes, [value]) => Ok(value.clone()),
        // An unknown value of the type stays as it is, whether or not the type has a constructor.
        (Verdict::Maybe, _) => {
            let made = construct(t, arguments, caller);
            if made.as_ref().is_err_and(is_refusal) { Ok(Value::unknown(t.clone())) } else { made }
        }
        (Verdict::Yes | Verdict::No, _) => construct(t, arguments, caller),
    }
}

/// Returns true if an error means that a constructor does not accept its arguments.
fn is_refusal(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::ArgumentMismatch | ErrorKind::Conversion | ErrorKind::TypeAssertion)
}

/// Calls the constructor of a type.
fn construct(t: &Type, arguments: &[Value], caller: &dyn Caller) -> Result<Value, Error> {
    if let Some(definition) = defined_by_features(t) {
        return caller.new_instance(&definition, arguments, None);
    }
    let value = constructor(t)?.call(caller, arguments, None)?;
    match instance(t, &value, caller.limits())? {
        Verdict::Yes => Ok(value),
        Verdict::Maybe if matches!(value, Value::Unknown(_)) => Ok(Value::unknown(t.clone())),
        Verdict::Maybe => Ok(value),
        Verdict::No => {
            let subject = format!("Converted value from {}.new()", t.ruby_to_s());
            let actual = infer_set(&value, caller.limits())?;
            Err(caller.host().messages().assertion_error(&subject, t, actual))
        }
    }
}

/// Returns the definition of a type that is defined by its features, whose objects are created by code; `None` for any
/// other type.
pub fn defined_by_features(t: &Type) -> Option<Arc<Definition<ObjectType>>> {
    let Type::Object(t) = constructed(t) else { return None };
    t.get().filter(|definition| definition.model().is_some())
}

/// The function of this declaration, which is built once.
macro_rules! once {
    ($declaration:path) => {{
        static FUNCTION: LazyLock<Result<Arc<Function>, Error>> =
            LazyLock::new(|| $declaration().build().map(Arc::new));
        FUNCTION.clone()
    }};
}

/// Returns the constructor of a type.
///
/// # Errors
/// Fails with [`ErrorKind::ArgumentMismatch`] if the type has none.
pub fn constructor(t: &Type) -> Result<Arc<Function>, Error> {
    let t = constructed(t);
    if let Type::Init(init) = &t {
        init.accepted()?;
    }
    declared(&t)
}

/// Returns the type whose constructor creates the values of a type: the content of an `Optional`, or the target of an
/// alias.
pub(crate) fn constructed(t: &Type) -> Type {
    let mut t = t.clone();
    // Aliases may form a circle.
    for _ in 0..Limits::DEEPEST {
        t = if let Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) = &t {
            Type::clone(inner)
        } else if let Type::Alias(alias) = &t
            && let Some(target) = alias.target()
        {
            target
        } else {
            break;
        };
    }
    t
}

/// Returns the constructor of a type that [`constructed`] returned. The constructor of an `Init` type is not checked to
/// accept any arguments.
pub(crate) fn declared(t: &Type) -> Result<Arc<Function>, Error> {
    match t {
        Type::Numeric => once!(number::numeric),
        Type::Integer(_) => once!(number::integer),
        Type::Float(_) => once!(number::float),
        Type::Boolean(_) => once!(scalar::boolean),
        Type::Regexp(_) => once!(scalar::regexp),
        Type::Timestamp(_) => once!(time::timestamp),
        Type::Timespan(_) => once!(time::timespan),
        Type::SemVer(_) => once!(version::sem_ver),
        Type::SemVerRange => once!(version::sem_ver_range),
        Type::Binary => once!(binary::binary),
        Type::Uri(_) => once!(uri::uri),
        Type::Array(_) | Type::Tuple(_) => once!(collection::array),
        Type::Hash(_) | Type::Struct(_) => once!(collection::hash),
        Type::String(_) => once!(string::string),
        Type::Sensitive(_) => once!(wrap::sensitive),
        Type::Type(_) => once!(wrap::type_of),
        Type::Unit | Type::NotUndef(None) => once!(wrap::unit),
        Type::Init(init) if init.t().is_some() => init::constructor(init),
        Type::Object(t) => object::object(t)?.build().map(Arc::new),
        Type::ObjectExtension(extension) => object::object(&extension.base_ref())?.build().map(Arc::new),
        Type::Any
        | Type::Undef
        | Type::Default
        | Type::Scalar
        | Type::ScalarData
        | Type::Init(_)
        | Type::Enum(_)
        | Type::Pattern(_)
        | Type::Collection(_)
        | Type::Variant(_)
        | Type::Optional(_)
        | Type::NotUndef(Some(_))
        | Type::Iterable(_)
        | Type::Iterator(_)
        | Type::Callable(_)
        | Type::Runtime(_)
        | Type::TypeSet(_)
        | Type::CatalogEntry
        | Type::Class(_)
        | Type::Resource(_)
        | Type::Alias(_)
        | Type::Reference(_) => Err(unsupported(t)),
    }
}

#[cold]
pub(crate) fn unsupported(t: &Type) -> Error {
    Error::new(
        ErrorKind::ArgumentMismatch,
        format!("Creation of new instance of type '{}' is not supported", t.ruby_to_s()),
    )
}

/// Returns a constructor's message for an argument that it cannot convert.
fn not_convertible(value: &Value, name: &str, limits: &Limits) -> Result<String, Error> {
    if let Value::String(text) = value {
        return Ok(format!("The string '{text}' cannot be converted to {name}"));
    }
    let t = infer(value, limits)?.generalize();
    Ok(format!("Value of type {} cannot be converted to {name}", t.ruby_to_s()))
}
