//! Values of Rust's own types from values: the way back from `Value::from`.
//!
//! ```
//! use puppetfn::value::Value;
//!
//! let port: u16 = Value::from(8080).try_into()?;
//! let value = Value::from("web");
//! let name: &str = (&value).try_into()?;
//! assert_eq!((port, name), (8080, "web"));
//! let error = u16::try_from(Value::from("80")).unwrap_err();
//! assert_eq!(error.message(), "the value has wrong type, expects an Integer value, got String");
//! # Ok::<(), puppetfn::error::Error>(())
//! ```
//!
//! [`Value::deserialize`] makes collections and structures.

use std::sync::Arc;

use crate::function::FromArgument;
use crate::types::ops::describe::assertion_error;
use crate::types::ops::infer_set;
use crate::value::{Array, Hash, SemVer, Timespan, Timestamp, Value};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

/// Returns a value as a type that arguments of functions can have.
fn take<T: FromArgument>(value: &Value) -> Result<T::Given<'_>, Error> {
    T::from_argument(value).ok_or_else(|| match infer_set(value, &Limits::FURTHEST) {
        Ok(actual) => assertion_error("the value", &T::accepted(), actual),
        Err(error) => error,
    })
}

macro_rules! borrow {
    ($($content:ty)*) => { $(
        impl<'v> TryFrom<&'v Value> for &'v $content {
            type Error = Error;

            fn try_from(value: &'v Value) -> Result<Self, Error> {
                take::<&$content>(value)
            }
        }
    )* };
}

macro_rules! copy {
    ($($content:ty)*) => { $(
        impl TryFrom<&Value> for $content {
            type Error = Error;

            fn try_from(value: &Value) -> Result<Self, Error> {
                take::<$content>(value)
            }
        }

        impl TryFrom<Value> for $content {
            type Error = Error;

            fn try_from(value: Value) -> Result<Self, Error> {
                Self::try_from(&value)
            }
        }
    )* };
}

borrow!(str Array Hash Arc<Hash> SemVer);
copy!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f64 String Timespan Timestamp);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_taken_within_their_range() {
        assert_eq!(i8::try_from(Value::from(-128)).unwrap(), -128);
        let error = i8::try_from(Value::from(128)).unwrap_err();
        assert_eq!(
            error.message(),
            "the value has wrong type, expects an Integer[-128, 127] value, got Integer[128, 128]"
        );
        assert_eq!(u64::try_from(Value::from(1)).unwrap(), 1);
        assert!(u64::try_from(Value::from(-1)).is_err());
    }

    #[test]
    fn sensitive_values_are_not_taken_and_not_shown() {
        let error = String::try_from(Value::sensitive("secret")).unwrap_err();
        assert!(error.message().ends_with("expects a String value, got Sensitive[String]"), "{error}");
    }

    #[test]
    fn contents_are_borrowed() {
        let value = Value::array([1]);
        let array: &Array = (&value).try_into().unwrap();
        assert_eq!(array.len(), 1);
        assert!(<&Hash>::try_from(&value).is_err());
    }
}
