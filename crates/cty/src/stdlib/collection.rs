//! Functions that build lists and other sequences.
//!
//! See go-cty's `cty/function/stdlib/collection.go`.

use std::collections::HashMap;

use super::{FunctionFamily, any, failure, number};
use crate::convert::{Safety, convert, unify};
use crate::function::{CtyContext, CtyFunction, CtyParameter, argument_error, exactly};
use crate::types::CtyType;
use crate::value::{CtyValue, ValueMarks};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

pub(super) fn functions() -> FunctionFamily {
    let mut functions = filters();
    functions.extend(structure());
    functions.extend(order());
    functions
}

fn list_of(element: CtyType) -> CtyParameter {
    CtyParameter::new("list", CtyType::list(element))
}

fn filters() -> FunctionFamily {
    vec![
        (
            "coalescelist",
            CtyFunction::new("Returns the first list or tuple that has elements.")
                .variadic(any("vals").allow_unknown().allow_dynamic_type().allow_null())
                .type_rule(|arguments, _| coalesce_list_type(arguments))
                .implement_variadic(|arguments, call| coalesce_list(arguments, call.returns)),
        ),
        (
            "compact",
            CtyFunction::new("Returns the list without its empty and null strings.")
                .parameter(list_of(CtyType::String))
                .returns(CtyType::list(CtyType::String))
                .implement(|[list], call| {
                    let t = call.returns;
                    if !list.is_wholly_known() {
                        return Ok(CtyValue::unknown(t.clone()));
                    }
                    let mut kept = list.values()?;
                    kept.retain(|value| value.as_string().is_ok_and(|text| !text.is_empty()));
                    CtyValue::list(&CtyType::String, kept)
                }),
        ),
        (
            "distinct",
            CtyFunction::new("Returns the list without elements that are equal to an earlier one.")
                .parameter(list_of(CtyType::Dynamic))
                .type_rule(|arguments, _| {
                    let [list] = exactly(arguments)?;
                    Ok(list.ty().clone())
                })
                .implement(|[list], call| distinct(list, call.returns)),
        ),
    ]
}

fn coalesce_list_type(arguments: &[CtyValue]) -> Result<CtyType, Error> {
    let Some(first) = arguments.first() else { return Err(failure("at least one argument is required")) };
    for argument in arguments {
        if !argument.is_known() {
            return Ok(CtyType::Dynamic);
        }
        if !matches!(argument.ty(), CtyType::List(_) | CtyType::Tuple(_)) {
            return Err(failure("coalescelist arguments must be lists or tuples"));
        }
    }
    let same = arguments.iter().all(|argument| argument.ty() == first.ty());
    Ok(if same { first.ty().clone() } else { CtyType::Dynamic })
}

fn coalesce_list(arguments: &[CtyValue], t: &CtyType) -> Result<CtyValue, Error> {
    for argument in arguments {
        if !argument.is_known() {
            return Ok(CtyValue::unknown(t.clone()));
        }
        if !argument.is_null() && argument.element_count()? > 0 {
            return Ok(argument.clone());
        }
    }
    Err(failure("no non-null arguments"))
}

fn distinct(list: &CtyValue, t: &CtyType) -> Result<CtyValue, Error> {
    if !list.is_wholly_known() {
        return Ok(CtyValue::unknown(t.clone()));
    }
    let element = t.element_type().cloned().unwrap_or(CtyType::Dynamic);
    // Only elements that have a text in common can be equal.
    let mut seen: HashMap<String, Vec<CtyValue>> = HashMap::new();
    let mut kept = Vec::new();
    for value in list.values()? {
        // Negative zero is equal to zero.
        let alike = seen.entry(value.set_key()?.replace("-0", "0")).or_default();
        let mut new = true;
        for other in alike.iter() {
            new &= !other.equals(&value)?.as_bool()?;
        }
        if new {
            alike.push(value.clone());
            kept.push(value);
        }
    }
    CtyValue::list(&element, kept)
}

fn structure() -> FunctionFamily {
    vec![
        (
            "chunklist",
            CtyFunction::new("Splits the list into lists of at most the given size.")
                .parameter(list_of(CtyType::Dynamic).allow_marked().description("The list to split."))
                .parameter(
                    number("size")
                        .allow_marked()
                        .description("How many elements each list has; the last one may have fewer."),
                )
                .type_rule(|arguments, _| {
                    let [list, _] = exactly(arguments)?;
                    Ok(CtyType::list(list.ty().clone()))
                })
                .implement(|[list, size], _| chunklist(list, size)),
        ),
        (
            "flatten",
            CtyFunction::new("Replaces each list, set or tuple within the sequence by its elements.")
                .parameter(any("list").allow_marked())
                .type_rule(flatten_type)
                .implement(|[list], call| flatten(list, call)),
        ),
        (
            "setproduct",
            CtyFunction::new("Returns all combinations of one element of each of the sets.")
                .variadic(any("sets").allow_marked().description(
                    "Sets, lists or tuples. Where none is a set, the result is a list, in their order.",
                ))
                .type_rule(|arguments, _| set_product_type(arguments))
                .implement_variadic(set_product),
        ),
    ]
}

fn chunklist(list: &CtyValue, size: &CtyValue) -> Result<CtyValue, Error> {
    let (list, mut marks) = list.unmark();
    let (size, size_marks) = size.unmark();
    marks.extend(size_marks);
    let size = size.as_i64().map_err(|error| super::wrapped(&error, "invalid size"))?;
    let size = usize::try_from(size).map_err(|_| failure("the size argument must be positive"))?;
    let values = list.values()?;
    let chunks: Vec<CtyValue> = if size == 0 && !values.is_empty() {
        vec![list.clone()]
    } else {
        let element = list.ty().element_type().cloned().unwrap_or(CtyType::Dynamic);
        let chunks = values.chunks(size.max(1));
        chunks.map(|chunk| CtyValue::list(&element, chunk.to_vec())).collect::<Result<_, _>>()?
    };
    Ok(CtyValue::list(list.ty(), chunks)?.with_marks(&marks))
}

fn flatten_type(arguments: &[CtyValue], limits: &Limits) -> Result<CtyType, Error> {
    let [list] = exactly(arguments)?;
    if !list.is_wholly_known() {
        return Ok(CtyType::Dynamic);
    }
    if !matches!(list.ty(), CtyType::List(_) | CtyType::Set(_) | CtyType::Tuple(_)) {
        return Err(failure("can only flatten lists, sets and tuples"));
    }
    let mut flat = FlattenAccumulator::new(limits);
    flat.add(list)?;
    Ok(match flat.known {
        true => CtyType::tuple(flat.values.iter().map(|value| value.ty().clone()).collect::<Vec<_>>()),
        false => CtyType::Dynamic,
    })
}

fn flatten(list: &CtyValue, call: &CtyContext<'_>) -> Result<CtyValue, Error> {
    let mut flat = FlattenAccumulator::new(call.limits);
    flat.add(list)?;
    let result =
        if flat.known { CtyValue::tuple(flat.values) } else { CtyValue::unknown(call.returns.clone()) };
    Ok(result.with_marks(&flat.marks))
}

/// Accumulator of `flatten`: the elements and marks so far, and whether all are known.
struct FlattenAccumulator<'l> {
    values: Vec<CtyValue>,
    marks: ValueMarks,
    known: bool,
    limits: &'l Limits,
}

impl<'l> FlattenAccumulator<'l> {
    fn new(limits: &'l Limits) -> Self {
        Self { limits, values: Vec::new(), marks: ValueMarks::default(), known: true }
    }

    fn add(&mut self, sequence: &CtyValue) -> Result<(), Error> {
        let (sequence, marks) = sequence.unmark();
        self.marks.extend(marks);
        if !sequence.length()?.is_known() {
            self.known = false;
            return Ok(());
        }
        for value in sequence.values()? {
            self.known &= !value.is_dynamic();
            if value.is_null()
                || !matches!(value.ty(), CtyType::List(_) | CtyType::Set(_) | CtyType::Tuple(_))
            {
                self.limits.check_size(self.values.len() as u64)?;
                self.values.push(value);
            } else if value.is_known() {
                self.add(&value)?;
            } else {
                self.known = false;
                self.marks.extend(value.marks());
            }
        }
        Ok(())
    }
}

fn set_product_type(arguments: &[CtyValue]) -> Result<CtyType, Error> {
    if arguments.len() < 2 {
        return Err(failure("at least two arguments are required"));
    }
    let mut elements = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        elements.push(match argument.ty() {
            CtyType::Set(element) | CtyType::List(element) => (**element).clone(),
            CtyType::Tuple(types) if types.is_empty() => CtyType::Dynamic,
            CtyType::Tuple(types) => unify(types, Safety::Unsafe)
                .ok_or_else(|| argument_error(index, "all elements must be of the same type"))?,
            _ => return Err(argument_error(index, "a set or a list is required")),
        });
    }
    let with_set = arguments.iter().any(|argument| matches!(argument.ty(), CtyType::Set(_)));
    let element = CtyType::tuple(elements);
    Ok(if with_set { CtyType::set(element) } else { CtyType::list(element) })
}

fn set_product(arguments: &[CtyValue], call: &CtyContext<'_>) -> Result<CtyValue, Error> {
    let t = call.returns;
    let mut marks = ValueMarks::default();
    let mut sources = Vec::new();
    for argument in arguments {
        let (argument, own) = argument.unmark();
        marks.extend(own);
        sources.push(argument);
    }
    let mut total: u64 = 1;
    for source in &sources {
        if !source.length()?.is_known() {
            return Ok(CtyValue::unknown(t.clone()).with_marks(&marks));
        }
        total = total.saturating_mul(source.element_count()? as u64);
    }
    call.limits.check_size(total.saturating_mul(sources.len() as u64))?;
    let element = t.element_type().cloned().unwrap_or(CtyType::Dynamic);
    let mut product = if total == 0 { Vec::new() } else { vec![Vec::new()] };
    for (source, t) in sources.iter().zip(element.tuple_elements().unwrap_or_default()) {
        if total == 0 {
            break;
        }
        let values = source.values()?;
        let values = values.iter().map(|value| convert(value, t)).collect::<Result<Vec<_>, _>>()?;
        let with_value = |row: &Vec<CtyValue>| {
            let rows = values.iter().map(|value| row.iter().chain([value]).cloned().collect());
            rows.collect::<Vec<Vec<CtyValue>>>()
        };
        product = product.iter().flat_map(with_value).collect();
    }
    let rows = product.into_iter().map(CtyValue::tuple);
    let result = match t {
        CtyType::Set(_) => CtyValue::set(&element, rows),
        _ => CtyValue::list(&element, rows),
    };
    Ok(result?.with_marks(&marks))
}

fn order() -> FunctionFamily {
    vec![
        (
            "reverselist",
            CtyFunction::new("Returns the elements of the list, tuple or set in the opposite order.")
                .parameter(any("list").allow_marked())
                .type_rule(|arguments, _| {
                    let [list] = exactly(arguments)?;
                    match list.ty() {
                        CtyType::Tuple(types) => {
                            Ok(CtyType::tuple(types.iter().rev().cloned().collect::<Vec<_>>()))
                        }
                        CtyType::List(element) | CtyType::Set(element) => Ok(CtyType::List(element.clone())),
                        t => {
                            let given = t.friendly_name();
                            Err(argument_error(
                                0,
                                format!("can only reverse list or tuple values, not {given}"),
                            ))
                        }
                    }
                })
                .implement(|[list], call| {
                    let t = call.returns;
                    let (list, marks) = list.unmark();
                    let reversed = list.values()?.into_iter().rev();
                    Ok(sequence_of(t, reversed.collect())?.with_marks(&marks))
                }),
        ),
        (
            "slice",
            CtyFunction::new("Returns the elements from one index up to another.")
                .parameter(any("list").allow_marked())
                .parameter(number("start_index"))
                .parameter(number("end_index"))
                .type_rule(|arguments, _| slice_type(arguments))
                .implement(|[list, start, end], call| {
                    let t = call.returns;
                    let (unmarked, marks) = list.unmark();
                    if *t == CtyType::Dynamic {
                        return Ok(CtyValue::DYNAMIC.with_marks(&marks));
                    }
                    let (start, end) = slice_range(list, start, end)?;
                    let (start, end) = (start.unwrap_or(0), end.unwrap_or(0));
                    let values = unmarked.values()?;
                    let part = values.get(start..end).unwrap_or_default().to_vec();
                    Ok(sequence_of(t, part)?.with_marks(&marks))
                }),
        ),
    ]
}

/// Returns a tuple or list, depending on the type.
pub(super) fn sequence_of(t: &CtyType, values: Vec<CtyValue>) -> Result<CtyValue, Error> {
    match t {
        CtyType::Tuple(_) => Ok(CtyValue::tuple(values)),
        _ => CtyValue::list(t.element_type().unwrap_or(&CtyType::Dynamic), values),
    }
}

fn slice_type(arguments: &[CtyValue]) -> Result<CtyType, Error> {
    let [list, start, end] = exactly(arguments)?;
    match list.ty() {
        CtyType::Set(_) => Err(argument_error(
            0,
            "cannot slice a set, because its elements do not have indices; \
             explicitly convert to a list if the ordering of the result is not important",
        )),
        CtyType::List(_) => slice_range(list, start, end).map(|_| list.ty().clone()),
        CtyType::Tuple(types) => Ok(match slice_range(list, start, end)? {
            (Some(start), Some(end)) => CtyType::tuple(types.get(start..end).unwrap_or_default()),
            _ => CtyType::Dynamic,
        }),
        _ => Err(argument_error(0, "must be a list or tuple value")),
    }
}

/// Returns the indexes as far as they are known. They are checked.
fn slice_range(
    list: &CtyValue,
    start: &CtyValue,
    end: &CtyValue,
) -> Result<(Option<usize>, Option<usize>), Error> {
    let (list, _) = list.unmark();
    let length = if list.length()?.is_known() { Some(list.element_count()?) } else { None };
    let checked = |index: usize, name: &str, value: &CtyValue| {
        if !value.is_known() {
            return Ok(None);
        }
        let number = value
            .as_i64()
            .map_err(|error| argument_error(index, format!("invalid {name} index: {}", error.message())))?;
        let place = usize::try_from(number)
            .map_err(|_| argument_error(index, format!("{name} index must not be less than zero")))?;
        if length.is_some_and(|length| place > length) {
            let message = format!("{name} index must not be greater than the length of the list");
            return Err(argument_error(index, message));
        }
        Ok(Some(place))
    };
    let (start, end) = (checked(1, "start", start)?, checked(2, "end", end)?);
    if start.zip(end).is_some_and(|(start, end)| start > end) {
        return Err(argument_error(1, "start index must not be greater than end index"));
    }
    Ok((start, end))
}
