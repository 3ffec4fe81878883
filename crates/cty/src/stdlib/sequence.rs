//! Sequences of sequences and of numbers.
//!
//! See go-cty's `cty/function/stdlib/sequence.go`.

use super::collection::sequence_of;
use super::{FunctionFamily, any, failure, number};
use crate::convert::{Safety, convert, unify};
use crate::function::{CtyFunction, argument_error};
use crate::types::CtyType;
use crate::value::{CtyValue, ValueMarks};
use puppetfn_base::error::Error;

/// Maximum length of a range.
const LONGEST_RANGE: usize = 1024;

pub(super) fn functions() -> FunctionFamily {
    vec![
        (
            "concat",
            CtyFunction::new("Returns the elements of all lists and tuples, one after the other.")
                .variadic(any("seqs").allow_marked())
                .type_rule(|arguments, _| concat_type(arguments))
                .implement_variadic(|arguments, call| concat(arguments, call.returns)),
        ),
        (
            "range",
            CtyFunction::new("Returns numbers in even steps from a start to before an end.")
                .variadic(number("params"))
                .returns(CtyType::list(CtyType::Number))
                .implement_variadic(|arguments, call| range(arguments, call.returns)),
        ),
    ]
}

fn concat_type(arguments: &[CtyValue]) -> Result<CtyType, Error> {
    if arguments.is_empty() {
        return Err(failure("at least one argument is required"));
    }
    if arguments.iter().all(|argument| matches!(argument.ty(), CtyType::List(_))) {
        let types: Vec<CtyType> = arguments.iter().map(|argument| argument.ty().clone()).collect();
        if let Some(unified) = unify(&types, Safety::Unsafe) {
            return Ok(unified);
        }
    }
    let mut elements = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        match argument.ty() {
            CtyType::Tuple(types) => elements.extend(types.iter().cloned()),
            CtyType::List(_) if !argument.is_known() => return Ok(CtyType::Dynamic),
            CtyType::List(element) => {
                let count = argument.unmark().0.element_count()?;
                elements.extend(std::iter::repeat_n((**element).clone(), count));
            }
            t => {
                let given = t.friendly_name();
                let message = format!("all arguments must be lists or tuples; got {given}");
                return Err(argument_error(index, message));
            }
        }
    }
    Ok(CtyType::tuple(elements))
}

fn concat(arguments: &[CtyValue], t: &CtyType) -> Result<CtyValue, Error> {
    let mut elements = Vec::new();
    let mut marks = ValueMarks::default();
    for (index, argument) in arguments.iter().enumerate() {
        let converted = match t {
            CtyType::List(_) => {
                convert(argument, t).map_err(|error| argument_error(index, error.message()))?
            }
            _ => argument.clone(),
        };
        let (sequence, own) = converted.unmark();
        marks.extend(own);
        elements.extend(sequence.values()?);
    }
    Ok(sequence_of(t, elements)?.with_marks(&marks))
}

fn range(arguments: &[CtyValue], _: &CtyType) -> Result<CtyValue, Error> {
    let zero = CtyValue::from(0);
    let unit = |down: bool| CtyValue::from(if down { -1 } else { 1 });
    let is_less = |a: &CtyValue, b: &CtyValue| a.less_than(b)?.as_bool();
    let (start, end, step) = match arguments {
        [end] => (zero.clone(), end.clone(), unit(is_less(end, &zero)?)),
        [start, end] => (start.clone(), end.clone(), unit(is_less(end, start)?)),
        [start, end, step] => (start.clone(), end.clone(), step.clone()),
        _ => return Err(failure("must have one, two, or three arguments")),
    };
    let down = is_less(&step, &zero)?;
    if down && is_less(&start, &end)? {
        return Err(argument_error(1, "end must be less than start when step is negative"));
    }
    if !down && is_less(&end, &start)? {
        return Err(argument_error(1, "end must be greater than start when step is positive"));
    }
    let mut numbers = Vec::new();
    let mut number = start;
    loop {
        let ended =
            if down { number.less_than_or_equal_to(&end)? } else { number.greater_than_or_equal_to(&end)? };
        if ended.as_bool()? {
            return CtyValue::list(&CtyType::Number, numbers);
        }
        if numbers.len() >= LONGEST_RANGE {
            return Err(failure(format!(
                "more than {LONGEST_RANGE} values were generated; either decrease the difference \
                 between start and end or use a smaller step"
            )));
        }
        numbers.push(number.clone());
        number = number.add(&step)?;
    }
}
