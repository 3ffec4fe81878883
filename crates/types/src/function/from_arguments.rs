//! The arguments of a native function as values of Rust's types, which its declaration names.

use std::sync::Arc;

use super::Signature;
use crate::types::{CallableType, Size, TupleType, Type, builtin};
use crate::value::{Array, Binary, Hash, Object, Regex, SemVer, Timespan, Timestamp, Value};

/// A Rust type of an argument, such as `&str` or `i64`.
pub trait FromArgument {
    /// The same type for an argument that is borrowed for `'v`.
    type Given<'v>;

    /// Whether unknown arguments of a known type are accepted.
    const TAKES_UNKNOWN: bool = false;

    /// Returns the argument; `None` if it is not of the type [`Self::accepted`].
    fn from_argument(argument: &Value) -> Option<Self::Given<'_>>;

    /// Returns the type of the arguments that can be taken.
    fn accepted() -> Type;
}

/// The types of Rust that the arguments of a call are taken as: a tuple, or for one argument its type.
///
/// An `Option` is an argument that may be missing or undef. `&[Value]` is all further arguments as they are.
pub trait FromArguments {
    /// The same types for arguments that are borrowed for `'v`.
    type Given<'v>;

    /// Takes arguments from the beginning; `None` if they are of other types.
    fn from_arguments<'v>(arguments: &mut &'v [Value]) -> Option<Self::Given<'v>>;

    /// Appends the accepted type of each parameter.
    fn accept(parameters: &mut Vec<AcceptedArgument>);
}

/// The type and number of arguments accepted for one parameter.
#[derive(Debug)]
pub struct AcceptedArgument {
    t: Type,
    count: Size,
    takes_unknown: bool,
}

/// The parameters of a body, to be compared with its signature.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyParameters(fn(&mut Vec<AcceptedArgument>));

impl BodyParameters {
    pub(super) fn of<A: FromArguments>() -> Self {
        Self(A::accept)
    }

    /// Returns true if the body takes all arguments that the signature accepts.
    pub(super) fn fit(self, signature: &Signature, may_be_unknown: impl Fn(usize) -> bool) -> bool {
        let mut accepted = Vec::new();
        (self.0)(&mut accepted);
        let mut accepted = accepted.iter().peekable();
        let takes_each = signature.parameters().enumerate().all(|(index, parameter)| {
            // All further arguments stay for the following parameters.
            let next = accepted.next_if(|taken| taken.count.max.is_some());
            next.or_else(|| accepted.peek().copied()).is_some_and(|taken| {
                taken.count.includes(parameter.size)
                    && taken.t.assignable(parameter.t)
                    && (taken.takes_unknown || !may_be_unknown(index))
            })
        });
        takes_each && accepted.all(|taken| taken.count.max.is_none())
    }

    /// Returns the signature that accepts what the body takes.
    pub(super) fn signature(self) -> Signature {
        let mut accepted = Vec::new();
        (self.0)(&mut accepted);
        let required = accepted.iter().rposition(|taken| taken.count.min > 0).map_or(0, |last| last + 1);
        let is_open = accepted.iter().any(|taken| taken.count.max.is_none());
        let size = Size::new(required as u64, (!is_open).then_some(accepted.len() as u64));
        let names = (1..=accepted.len()).map(|number| format!("arg{number}").into());
        let types = accepted.iter().map(|taken| taken.t.clone()).collect();
        let params = TupleType { types, size: Some(size) };
        Signature::new(CallableType { params: Some(params), block: None, returns: None }, names, None)
    }
}

/// Returns all arguments of a call; `None` if they are of other types.
#[inline]
pub(super) fn from_all<A: FromArguments>(mut arguments: &[Value]) -> Option<A::Given<'_>> {
    let given = A::from_arguments(&mut arguments)?;
    arguments.is_empty().then_some(given)
}

impl<T: FromArgument> FromArguments for T {
    type Given<'v> = T::Given<'v>;

    #[inline]
    fn from_arguments<'v>(arguments: &mut &'v [Value]) -> Option<T::Given<'v>> {
        let (first, rest) = arguments.split_first()?;
        *arguments = rest;
        T::from_argument(first)
    }

    fn accept(parameters: &mut Vec<AcceptedArgument>) {
        parameters.push(AcceptedArgument {
            t: T::accepted(),
            count: Size::exactly(1),
            takes_unknown: T::TAKES_UNKNOWN,
        });
    }
}

impl<T: FromArgument> FromArguments for Option<T> {
    type Given<'v> = Option<T::Given<'v>>;

    #[inline]
    fn from_arguments<'v>(arguments: &mut &'v [Value]) -> Option<Self::Given<'v>> {
        let Some((first, rest)) = arguments.split_first() else { return Some(None) };
        *arguments = rest;
        match T::from_argument(first) {
            None if !matches!(first, Value::Undef) => None,
            given => Some(given),
        }
    }

    fn accept(parameters: &mut Vec<AcceptedArgument>) {
        parameters.push(AcceptedArgument {
            t: Type::optional(T::accepted()),
            count: Size::new(0, Some(1)),
            takes_unknown: T::TAKES_UNKNOWN,
        });
    }
}

impl FromArguments for &[Value] {
    type Given<'v> = &'v [Value];

    #[inline]
    fn from_arguments<'v>(arguments: &mut &'v [Value]) -> Option<&'v [Value]> {
        Some(std::mem::take(arguments))
    }

    fn accept(parameters: &mut Vec<AcceptedArgument>) {
        parameters.push(AcceptedArgument { t: Type::Any, count: Size::ANY, takes_unknown: true });
    }
}

macro_rules! tuples {
    ($(($($element:ident),*))*) => { $(
        impl<$($element: FromArguments),*> FromArguments for ($($element,)*) {
            type Given<'v> = ($($element::Given<'v>,)*);

            #[inline]
            fn from_arguments<'v>(_arguments: &mut &'v [Value]) -> Option<Self::Given<'v>> {
                Some(($($element::from_arguments(_arguments)?,)*))
            }

            fn accept(_parameters: &mut Vec<AcceptedArgument>) {
                $($element::accept(_parameters);)*
            }
        }
    )* };
}

tuples! {
    ()
    (A)
    (A, B)
    (A, B, C)
    (A, B, C, D)
    (A, B, C, D, E)
    (A, B, C, D, E, F)
    (A, B, C, D, E, F, G)
}

impl FromArgument for &Value {
    type Given<'v> = &'v Value;

    const TAKES_UNKNOWN: bool = true;

    #[inline]
    fn from_argument(argument: &Value) -> Option<&Value> {
        Some(argument)
    }

    fn accepted() -> Type {
        Type::Any
    }
}

/// Implements [`FromArgument`] for the content of one kind of value, given its type.
macro_rules! from_argument {
    ($(&$given:ty: $kind:ident, $accepted:expr;)*) => { $(
        impl FromArgument for &$given {
            type Given<'v> = &'v $given;

            #[inline]
            fn from_argument(argument: &Value) -> Option<Self::Given<'_>> {
                if let Value::$kind(value) = argument { Some(value) } else { None }
            }

            fn accepted() -> Type {
                $accepted
            }
        }
    )* };
    ($($given:ty: $kind:ident, $accepted:expr;)*) => { $(
        impl FromArgument for $given {
            type Given<'v> = $given;

            #[inline]
            fn from_argument(argument: &Value) -> Option<Self::Given<'_>> {
                if let Value::$kind(value) = argument { Some(*value) } else { None }
            }

            fn accepted() -> Type {
                $accepted
            }
        }
    )* };
}

from_argument! {
    bool: Boolean, Type::BOOLEAN;
    i64: Integer, Type::INTEGER;
    f64: Float, Type::FLOAT;
    Timespan: Timespan, Type::Timespan(Arc::default());
    Timestamp: Timestamp, Type::Timestamp(Arc::default());
}

from_argument! {
    &str: String, Type::STRING;
    &Regex: Regexp, Type::Regexp(None);
    &Array: Array, Type::array(Type::Any, None);
    &Hash: Hash, Type::hash(Type::Any, Type::Any, None);
    &Arc<Hash>: Hash, Type::hash(Type::Any, Type::Any, None);
    &SemVer: SemVer, Type::SemVer([].into());
    &Binary: Binary, Type::Binary;
    &Type: Type, Type::Type(None);
    &Object: Object, builtin::object();
}

/// Implements [`FromArgument`] for integers of a range.
macro_rules! from_integer {
    ($($given:ty: $min:expr, $max:expr;)*) => { $(
        impl FromArgument for $given {
            type Given<'v> = $given;

            #[inline]
            fn from_argument(argument: &Value) -> Option<$given> {
                if let Value::Integer(number) = argument { (*number).try_into().ok() } else { None }
            }

            fn accepted() -> Type {
                Type::integer($min, $max)
            }
        }
    )* };
}

from_integer! {
    i8: Some(i8::MIN.into()), Some(i8::MAX.into());
    i16: Some(i16::MIN.into()), Some(i16::MAX.into());
    i32: Some(i32::MIN.into()), Some(i32::MAX.into());
    isize: None, None;
    u8: Some(0), Some(u8::MAX.into());
    u16: Some(0), Some(u16::MAX.into());
    u32: Some(0), Some(u32::MAX.into());
    u64: Some(0), None;
    usize: Some(0), None;
}

/// Copies the text.
impl FromArgument for String {
    type Given<'v> = Self;

    #[inline]
    fn from_argument(argument: &Value) -> Option<Self> {
        <&str>::from_argument(argument).map(Into::into)
    }

    fn accepted() -> Type {
        Type::STRING
    }
}

/// Any value.
impl FromArgument for Value {
    type Given<'v> = Self;

    const TAKES_UNKNOWN: bool = true;

    #[inline]
    fn from_argument(argument: &Value) -> Option<Self> {
        Some(argument.clone())
    }

    fn accepted() -> Type {
        Type::Any
    }
}

/// An Array of elements of one type.
impl<T: FromArgument> FromArgument for Vec<T> {
    type Given<'v> = Vec<T::Given<'v>>;

    fn from_argument(argument: &Value) -> Option<Self::Given<'_>> {
        <&Array>::from_argument(argument)?.iter().map(T::from_argument).collect()
    }

    fn accepted() -> Type {
        Type::array(T::accepted(), None)
    }
}

/// The value `default`.
#[derive(Clone, Copy, Debug)]
pub struct DefaultValue;

impl FromArgument for DefaultValue {
    type Given<'v> = Self;

    fn from_argument(argument: &Value) -> Option<Self> {
        matches!(argument, Value::Default).then_some(Self)
    }

    fn accepted() -> Type {
        Type::Default
    }
}

/// The value that a `Sensitive` hides.
#[derive(Clone, Copy, Debug)]
pub struct SensitiveArgument<T>(pub T);

impl<T: FromArgument> FromArgument for SensitiveArgument<T> {
    type Given<'v> = SensitiveArgument<T::Given<'v>>;

    #[inline]
    fn from_argument(argument: &Value) -> Option<Self::Given<'_>> {
        if let Value::Sensitive(inner) = argument {
            T::from_argument(inner).map(SensitiveArgument)
        } else {
            None
        }
    }

    fn accepted() -> Type {
        Type::sensitive(T::accepted())
    }
}

/// An argument that may be unknown except for its type.
#[derive(Clone, Copy, Debug)]
pub enum MaybeUnknown<T> {
    /// A known argument.
    Known(T),
    /// An unknown one.
    Unknown,
}

impl<T: FromArgument> FromArgument for MaybeUnknown<T> {
    type Given<'v> = MaybeUnknown<T::Given<'v>>;

    const TAKES_UNKNOWN: bool = true;

    #[inline]
    fn from_argument(argument: &Value) -> Option<Self::Given<'_>> {
        if let Value::Unknown(_) = argument {
            Some(MaybeUnknown::Unknown)
        } else {
            T::from_argument(argument).map(MaybeUnknown::Known)
        }
    }

    fn accepted() -> Type {
        T::accepted()
    }
}

/// Returns the union of types. `Numeric` and `Collection` are added if both types that they comprise are present: in
/// Puppet, they are not assignable to a `Variant` of the two.
pub fn accepted_one_of(types: impl IntoIterator<Item = Type>) -> Type {
    let types = Type::one_of(types);
    let [array, hash] = [<&Array>::accepted(), <&Hash>::accepted()];
    let whole = [(Type::Numeric, [Type::INTEGER, Type::FLOAT]), (Type::Collection(None), [array, hash])];
    let whole = whole.into_iter().filter(|(_, parts)| parts.iter().all(|part| types.assignable(part)));
    Type::one_of(whole.map(|(t, _)| t).chain([types.clone()]).collect::<Vec<_>>())
}

/// Declares an argument of one of several types, like a `Variant`: an enum of their Rust types.
///
/// ```
/// use puppetfn::function::{native, one_of};
///
/// one_of! {
///     enum Number<'v> {
///         Integer(i64),
///         Float(f64),
///     }
/// }
/// let double = native("double").dispatch::<Number>("(Numeric number)", |_, number| match number {
///     Number::Integer(number) => Ok(number.saturating_mul(2).into()),
///     Number::Float(number) => Ok((number * 2.0).into()),
/// });
/// double.build()?;
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
#[macro_export]
macro_rules! one_of {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident<$v:lifetime> {
            $($(#[$variant_meta:meta])* $variant:ident($t:ty),)+
        }
    ) => {
        $(#[$meta])*
        $visibility enum $name<$v> {
            $($(#[$variant_meta])* $variant(<$t as $crate::function::FromArgument>::Given<$v>),)+
        }

        impl<$v> $crate::function::FromArgument for $name<$v> {
            type Given<'a> = $name<'a>;

            fn from_argument(argument: &$crate::value::Value) -> Option<$name<'_>> {
                $(
                    if let Some(given) = <$t as $crate::function::FromArgument>::from_argument(argument) {
                        return Some($name::$variant(given));
                    }
                )+
                None
            }

            fn accepted() -> $crate::types::Type {
                $crate::function::accepted_one_of([$(<$t as $crate::function::FromArgument>::accepted()),+])
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{UnknownHandling, native};

    fn problem<A: FromArguments>(signature: &'static str, unknowns: UnknownHandling) -> Option<String> {
        let declaration = native("f").dispatch::<A>(signature, |_, _| Ok(Value::Undef)).unknowns(unknowns);
        declaration.build().err().map(|error| error.message().to_owned())
    }

    #[test]
    fn a_body_takes_what_its_signature_lets_in() {
        let fits = |problem: Option<String>| assert_eq!(problem, None);
        fits(problem::<()>("()", UnknownHandling::ShortCircuit));
        fits(problem::<(&str, Option<i64>)>("(String[1] a, Integer b?)", UnknownHandling::ShortCircuit));
        fits(problem::<(&str, Option<i64>)>(
            "(String[1] a, Optional[Integer] b)",
            UnknownHandling::ShortCircuit,
        ));
        fits(problem::<(&Value, &[Value])>("(Numeric a, String b?, String c*)", UnknownHandling::Accept));
        fits(problem::<SensitiveArgument<&str>>("(Sensitive[String] a)", UnknownHandling::ShortCircuit));
        fits(problem::<MaybeUnknown<&Type>>("(Type a)", UnknownHandling::Accept));
    }

    #[test]
    fn a_body_that_takes_less_is_a_mistake_of_the_declaration() {
        let unfit = |problem: Option<String>, signature: &str| {
            let expected = format!("the implementation of 'f{signature}' does not fit its signature");
            assert_eq!(problem, Some(expected));
        };
        unfit(problem::<i64>("(Numeric a)", UnknownHandling::ShortCircuit), "(Numeric a)");
        unfit(problem::<i64>("(Integer a?)", UnknownHandling::ShortCircuit), "(Integer a?)");
        unfit(
            problem::<i64>("(Integer a, Integer b)", UnknownHandling::ShortCircuit),
            "(Integer a, Integer b)",
        );
        unfit(problem::<(i64, i64)>("(Integer a)", UnknownHandling::ShortCircuit), "(Integer a)");
        unfit(problem::<i64>("(Integer a)", UnknownHandling::Accept), "(Integer a)");
    }

    crate::one_of! {
        #[derive(PartialEq, Debug)]
        enum CountableArgument<'v> {
            Number(i64),
            Fraction(f64),
            Text(&'v str),
        }
    }

    #[test]
    fn one_of_several_types_is_taken_as_its_variant() {
        assert_eq!(
            problem::<CountableArgument>("(Variant[Numeric, String] a)", UnknownHandling::ShortCircuit),
            None
        );
        assert!(problem::<CountableArgument>("(Scalar a)", UnknownHandling::ShortCircuit).is_some());
        assert_eq!(CountableArgument::from_argument(&Value::Integer(1)), Some(CountableArgument::Number(1)));
        assert_eq!(CountableArgument::from_argument(&"a".into()), Some(CountableArgument::Text("a")));
        assert_eq!(CountableArgument::from_argument(&Value::Undef), None);
    }
}
