//! Sets.
//!
//! See go-cty's `cty/function/stdlib/set.go`.

use super::{FunctionFamily, any, failure};
use crate::convert::{Safety, convert, unify};
use crate::function::{CtyFunction, CtyParameter, argument_error};
use crate::types::CtyType;
use crate::value::CtyValue;
use puppetfn_base::error::Error;

pub(super) fn functions() -> FunctionFamily {
    let set = |name| CtyParameter::new(name, CtyType::set(CtyType::Dynamic)).allow_dynamic_type();
    let of_any = |text| {
        CtyFunction::new(text)
            .parameter(set("first_set"))
            .variadic(set("other_sets"))
            .type_rule(|arguments, _| set_type(arguments))
    };
    vec![
        (
            "sethaselement",
            CtyFunction::new("Returns true if the set has the given element.")
                .parameter(set("set"))
                .parameter(any("elem").allow_dynamic_type())
                .returns(CtyType::Bool)
                .implement(|[set, element], _| set.has_element(element)),
        ),
        (
            "setunion",
            of_any("Returns the elements that are in any of the sets.").implement_variadic(|sets, call| {
                combine(sets, call.returns, UnknownElements::Kept, |_, _| true, |_, _| true)
            }),
        ),
        (
            "setintersection",
            of_any("Returns the elements that are in all of the sets.").implement_variadic(|sets, call| {
                let t = call.returns;
                combine(
                    sets,
                    t,
                    UnknownElements::Decide,
                    |element, second| has(second, element),
                    |_, _| false,
                )
            }),
        ),
        (
            "setsubtract",
            CtyFunction::new("Returns the elements of the first set that are not in the second.")
                .parameter(set("a"))
                .parameter(set("b"))
                .type_rule(|arguments, _| set_type(arguments))
                .implement_variadic(|sets, call| {
                    let t = call.returns;
                    combine(
                        sets,
                        t,
                        UnknownElements::Decide,
                        |element, second| !has(second, element),
                        |_, _| false,
                    )
                }),
        ),
        (
            "setsymmetricdifference",
            of_any("Returns the elements that are in an odd number of the sets.").implement_variadic(
                |sets, call| {
                    let t = call.returns;
                    let absent = |element: &CtyValue, other: &CtyValue| !has(other, element);
                    combine(sets, t, UnknownElements::Decide, absent, absent)
                },
            ),
        ),
    ]
}

/// Effect of unknown elements on the result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UnknownElements {
    /// They are elements of the result.
    Kept,
    /// The result depends on them, so it is unknown.
    Decide,
}

fn set_type(arguments: &[CtyValue]) -> Result<CtyType, Error> {
    let mut elements = Vec::new();
    for argument in arguments {
        let element = argument.ty().element_type();
        let element = element
            .ok_or_else(|| failure(format!("a set is required, not {}", argument.ty().friendly_name())))?;
        // An empty set of any type has no say.
        let has_a_say = *element != CtyType::Dynamic || !argument.is_known() || argument.element_count()? > 0;
        if has_a_say {
            elements.push(element.clone());
        }
    }
    if elements.is_empty() {
        return Ok(CtyType::set(CtyType::Dynamic));
    }
    unify(&elements, Safety::Unsafe)
        .map(CtyType::set)
        .ok_or_else(|| failure("given sets must all have compatible element types"))
}

fn has(set: &CtyValue, element: &CtyValue) -> bool {
    set.has_element(element).is_ok_and(|found| found.as_bool().unwrap_or(false))
}

/// Combines the first set with the second, the result with the third, and so on. The functions say
/// which elements of either are kept, given the other one.
fn combine(
    sets: &[CtyValue],
    t: &CtyType,
    unknowns: UnknownElements,
    keep_first: impl Fn(&CtyValue, &CtyValue) -> bool,
    keep_second: impl Fn(&CtyValue, &CtyValue) -> bool,
) -> Result<CtyValue, Error> {
    let mut combined: Option<CtyValue> = None;
    for (index, set) in sets.iter().enumerate() {
        let set = convert(set, t).map_err(|error| argument_error(index, error.message()))?;
        if unknowns == UnknownElements::Decide && !set.is_wholly_known() {
            return Ok(CtyValue::unknown(t.clone()));
        }
        combined = Some(match combined {
            None => set,
            Some(first) => {
                let element = first.ty().element_type().cloned().unwrap_or(CtyType::Dynamic);
                let mut kept = first.values()?;
                kept.retain(|element| keep_first(element, &set));
                let mut others = set.values()?;
                others.retain(|element| keep_second(element, &first));
                CtyValue::set(&element, kept.into_iter().chain(others))?
            }
        });
    }
    combined.ok_or_else(|| failure("at least one set is required"))
}
