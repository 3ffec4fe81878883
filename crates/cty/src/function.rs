//! cty's functions: its function system, for its values.
//!
//! See go-cty's `cty/function/function.go`.

use super::types::Type;
use super::value::{Marks, Value};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_types::function::spec::{self, Domain, Spec};

pub use puppetfn_types::function::spec::argument_error;
pub use puppetfn_types::function::spec::exactly;

/// The values of cty.
#[derive(Debug)]
pub enum Cty {}

/// A function of cty's. Cheap to clone.
pub type Function = Spec<Cty>;

/// Context of a call: the type of the result and the limits.
pub type Context<'c> = spec::Context<'c, Cty>;

/// A parameter of a cty function.
pub type Parameter = spec::Parameter<Cty>;

impl Domain for Cty {
    type Value = Value;
    type Type = Type;
    type Marks = Marks;

    fn dynamic() -> Type {
        Type::Dynamic
    }

    fn unknown(t: Type) -> Value {
        Value::unknown(t)
    }

    fn is_null(value: &Value) -> bool {
        value.is_null()
    }

    fn is_known(value: &Value) -> bool {
        value.is_known()
    }

    fn is_dynamic(value: &Value) -> bool {
        *value.ty() == Type::Dynamic
    }

    fn unmark(value: &Value, marks: &mut Marks, _: &Limits) -> Value {
        let (value, own) = value.unmark_deep();
        marks.extend(own);
        value
    }

    fn mark(value: Value, marks: &Marks) -> Value {
        value.with_marks(marks)
    }

    fn null_argument(_: &str) -> String {
        "argument must not be null".into()
    }

    fn misfit(_: &str, value: &Value, t: &Type, _: &Limits) -> Result<Option<String>, Error> {
        Ok(value.ty().nonconformance(t))
    }

    fn check_result(result: &Value, t: &Type, _: &Limits) -> Result<(), Error> {
        match result.ty().nonconformance(t) {
            None => Ok(()),
            Some(reason) => Err(Error::new(
                ErrorKind::Evaluation,
                format!("the function returned what is not of the type that it declares: {reason}"),
            )),
        }
    }

    fn concealed(error: Error, arguments: &[Value]) -> Error {
        let may_show =
            matches!(error.kind(), ErrorKind::Evaluation | ErrorKind::Conversion | ErrorKind::Argument(_));
        if may_show && arguments.iter().any(Value::contains_sensitive) {
            return error.restated("what is wrong is not shown, since an argument is sensitive");
        }
        error
    }

    /// cty counts variadic arguments from their first one here.
    fn index(index: usize, positional: usize) -> usize {
        index.checked_sub(positional).unwrap_or(index)
    }
}
