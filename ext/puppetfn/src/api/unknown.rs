//! `Puppetfn::Unknown`: a value of which only the type is known.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

use magnus::value::ReprValue;
use magnus::{Error, Module, Object, RArray, RClass, RModule, Ruby, Value, function, method};
use puppetfn::limits::Depth;
use puppetfn::subject::{Shape, Subject};
use puppetfn::types::Type;
use puppetfn::value::Value as CoreValue;

use super::limits;
use super::types::{self, type_argument};
use crate::ruby::convert::to_object;
use crate::ruby::error::guarded;
use crate::ruby::raw::{RubySubject, subject_slice, with_elements};
use crate::ruby::wrap::{unknown_exist, wrap_unknown};
use crate::ruby::wrapped::RubyRich;

/// Returns the Ruby object for the result of a call that was not made: the value itself if the type has only one.
pub fn result(ruby: &Ruby, t: Type) -> Result<Value, Error> {
    to_object(ruby, &CoreValue::unknown(t))
}

/// Returns true if one of the arguments is unknown, or contains an unknown value.
#[inline]
pub fn is_among(arguments: &[Value]) -> bool {
    unknown_exist() && look_for(arguments)
}

#[cold]
fn look_for(arguments: &[Value]) -> bool {
    let limits = limits::current();
    let (depth, left) = (Depth::nesting(&limits), Cell::new(limits.work));
    subject_slice(arguments).iter().any(|argument| contains(*argument, depth, &left))
}

/// Objects that cannot be read, nest too deep or take too long are left to the check of the arguments. `left` is the number
/// of collections that may still be visited.
#[allow(clippy::wildcard_enum_match_arm, reason = "other values have no elements")]
fn contains(subject: RubySubject<'_>, depth: Depth, left: &Cell<u64>) -> bool {
    let (Ok(shape), Ok(depth)) = (subject.shape(), depth.deeper()) else { return false };
    if let Shape::Array(_) | Shape::Hash(_) = shape {
        match left.get().checked_sub(1) {
            Some(less) => left.set(less),
            None => return false,
        }
    }
    match shape {
        Shape::Unknown(_) => true,
        Shape::Array(_) => subject.elements().any(|element| contains(element, depth, left)),
        Shape::Hash(_) => {
            let found = subject.each_entry(|key, value| {
                let found = contains(key, depth, left) || contains(value, depth, left);
                if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            found.is_break()
        }
        Shape::Sensitive(inner) => contains(inner, depth, left),
        Shape::Rich(value) => value.contains_unknown(),
        _ => false,
    }
}

/// @yard
/// @def new(type = "Any")
/// @example
///   name = Puppetfn::Unknown.new("String[1]")
///   Puppetfn::Runtime.new.call_function("split", name, ",").type.to_s  # => "Array[String]"
/// @param type [Puppetfn::Type, String] the type of the value
/// @return [Puppetfn::Unknown]
/// @raise [Puppet::ParseError] when the text is not a type
fn new(ruby: &Ruby, args: &[Value]) -> Result<Value, Error> {
    guarded(ruby, || {
        let args = magnus::scan_args::scan_args::<(), (Option<Value>,), (), (), (), ()>(args)?;
        let t = match args.optional.0 {
            Some(t) => type_argument(ruby, t, ruby.qnil().as_value())?,
            None => Type::Any,
        };
        wrap_unknown(ruby, Arc::new(t))
    })
}

/// @yard
/// @def among?(values)
/// @param values [Array<Object>]
/// @return [Boolean] whether one of the values is unknown, or contains an unknown value
fn among(_class: Value, values: RArray) -> bool {
    with_elements(values, is_among)
}

/// @yard
/// @return [Puppetfn::Type] the type of the value
fn ruby_type(ruby: &Ruby, this: Value) -> Value {
    let t = match RubyRich::of_kind(&this) {
        Some(CoreValue::Unknown(t)) => Type::clone(t),
        Some(_) | None => Type::Any,
    };
    types::wrap(ruby, t)
}

/// @yard
/// @return [String] the kind and type of the value, which has no text of its own
fn inspect(this: Value) -> String {
    match RubyRich::of_kind(&this) {
        Some(CoreValue::Unknown(t)) => format!("#<Puppetfn::Unknown {t}>"),
        Some(_) | None => "#<Puppetfn::Unknown>".to_owned(),
    }
}

/// Defines the class.
pub fn init(puppetfn: RModule, rich: RClass) -> Result<RClass, Error> {
    let class = puppetfn.define_class("Unknown", rich)?;
    class.define_singleton_method("new", function!(new, -1))?;
    class.define_singleton_method("among?", method!(among, 1))?;
    class.define_method("type", method!(ruby_type, 0))?;
    class.define_method("inspect", method!(inspect, 0))?;
    class.define_method("to_s", method!(inspect, 0))?;
    Ok(class)
}
