//! cty, the type system of HashiCorp's languages, with its functions, as go-cty 1.12.1 has them.
//!
//! A [`CtyValue`] may be unknown and may be marked, and a [`CtyFunction`] specifies how it handles both: most are not called
//! with unknown arguments, and return an unknown value of a known type.
//!
//! ```
//! use puppetfn::cty::{CtyType, CtyValue, stdlib};
//! use puppetfn::limits::Limits;
//!
//! let letters = CtyValue::list(&CtyType::String, ["a".into(), "b".into()])?;
//! assert_eq!(stdlib::join(&"-".into(), &[letters], &Limits::DEFAULT)?.as_string()?.as_ref(), "a-b");
//!
//! let unknown = stdlib::join(&"-".into(), &[CtyValue::unknown(CtyType::list(CtyType::String))], &Limits::DEFAULT)?;
//! assert!(!unknown.is_known());
//! assert_eq!(*unknown.ty(), CtyType::String);
//! # Ok::<(), puppetfn::error::Error>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "cty's kinds of types are final; most functions take a few of them and refuse all others"
)]

pub mod convert;
mod function;
mod number;
pub mod puppet;
pub mod stdlib;
mod text;
mod types;
mod value;

pub use function::{Cty, CtyFunction, CtyParameter, argument_error};
pub use number::{CtyNumber, DigitCount};
pub use types::{AttributeTypes, Capsule, CtyObjectType, CtyType};
pub use value::{CtyValue, SENSITIVE, ValueMarks};
