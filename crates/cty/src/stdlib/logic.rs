//! Truth values.
//!
//! See go-cty's `cty/function/stdlib/bool.go`.

use super::{FunctionFamily, boolean};
use crate::function::CtyFunction;
use crate::types::CtyType;

pub(super) fn functions() -> FunctionFamily {
    let operand = |name| boolean(name).allow_dynamic_type().allow_marked();
    let function = |text| CtyFunction::new(text).returns(CtyType::Bool);
    vec![
        (
            "not",
            function("Returns true for false, and false for true.")
                .parameter(operand("val"))
                .implement(|[val], _| val.not()),
        ),
        (
            "and",
            function("Returns true if both values are true.")
                .parameter(operand("a"))
                .parameter(operand("b"))
                .implement(|[a, b], _| a.and(b)),
        ),
        (
            "or",
            function("Returns true if at least one of the values is true.")
                .parameter(operand("a"))
                .parameter(operand("b"))
                .implement(|[a, b], _| a.or(b)),
        ),
    ]
}
