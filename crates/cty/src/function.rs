//! cty's functions: its function system, for its values.
//!
//! See go-cty's `cty/function/function.go`.

use super::types::CtyType;
use super::value::{CtyValue, ValueMarks};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_types::function::spec::{self, Domain, Spec};

pub use puppetfn_types::function::spec::argument_error;
pub use puppetfn_types::function::spec::exactly;

/// The values of cty.
#[derive(Debug)]
pub enum Cty {}

/// A function of cty's. Cheap to clone.
pub type CtyFunction = Spec<Cty>;

/// Context of a call: the type of the result and the limits.
pub type CtyContext<'c> = spec::SpecContext<'c, Cty>;

/// A parameter of a cty function.
pub type CtyParameter = spec::SpecParameter<Cty>;

impl Domain for Cty {
    type Value = CtyValue;
    type Type = CtyType;
    type Marks = ValueMarks;

    fn dynamic() -> CtyType {
        CtyType::Dynamic
    }

    fn unknown(t: CtyType) -> CtyValue {
        CtyValue::unknown(t)
    }

    fn is_null(value: &CtyValue) -> bool {
        value.is_null()
    }

    fn is_known(value: &CtyValue) -> bool {
        value.is_known()
    }

    fn is_dynamic(value: &CtyValue) -> bool {
        *value.ty() == CtyType::Dynamic
    }

    fn unmark(value: &CtyValue, marks: &mut ValueMarks, _: &Limits) -> CtyValue {
        let (value, own) = value.unmark_deep();
        marks.extend(own);
        value
    }

    fn mark(value: CtyValue, marks: &ValueMarks) -> CtyValue {
        value.with_marks(marks)
    }

    fn null_argument(_: &str) -> String {
        "argument must not be null".into()
    }

    fn misfit(_: &str, value: &CtyValue, t: &CtyType, _: &Limits) -> Result<Option<String>, Error> {
        Ok(value.ty().nonconformance(t))
    }

    fn check_result(result: &CtyValue, t: &CtyType, _: &Limits) -> Result<(), Error> {
        match result.ty().nonconformance(t) {
            None => Ok(()),
            Some(reason) => Err(Error::new(
                ErrorKind::Evaluation,
                format!("the function returned what is not of the type that it declares: {reason}"),
            )),
        }
    }

    fn concealed(error: Error, arguments: &[CtyValue]) -> Error {
        let may_show =
            matches!(error.kind(), ErrorKind::Evaluation | ErrorKind::Conversion | ErrorKind::Argument(_));
        if may_show && arguments.iter().any(CtyValue::contains_sensitive) {
            return error.restated("what is wrong is not shown, since an argument is sensitive");
        }
        error
    }

    /// cty counts variadic arguments from their first one here.
    fn index(index: usize, positional: usize) -> usize {
        index.checked_sub(positional).unwrap_or(index)
    }
}
