//! The functions that call their block for each element: `each`, `map`, `filter` and `reduce`.
//!
//! See Puppet's `functions/{each,map,filter,reverse_each,step,reduce}.rb`.

use std::sync::Arc;

use super::legacy::refused;
use puppetfn_base::error::{Error, ErrorKind, Signal};
use puppetfn_base::limits::Limits;
use puppetfn_types::function::{BlockUse, Call, Declaration, Deviation, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Elements, Hash, Iteration, Value};

/// The arguments of a block for an element.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum BlockArguments {
    /// The element; of a hash, the key and the value as an array.
    Element,
    /// Two arguments: of a hash, the key and the value, otherwise the index and the element.
    Two,
}

/// Declares a function by its four signatures: for hashes and for all else that can be iterated
/// over, with blocks of two parameters and of one. In this order.
macro_rules! over_elements {
    ($declaration:expr, $of_hash:expr, $of_elements:expr) => {
        $declaration
            .dispatch::<&Value>("(Hash hash, Callable[2, 2] block)", |call, value| {
                $of_hash(call, value, BlockArguments::Two)
            })
            .dispatch::<&Value>("(Hash hash, Callable[1, 1] block)", |call, value| {
                $of_hash(call, value, BlockArguments::Element)
            })
            .dispatch::<&Value>("(Iterable enumerable, Callable[2, 2] block)", |call, value| {
                $of_elements(call, value, BlockArguments::Two)
            })
            .dispatch::<&Value>("(Iterable enumerable, Callable[1, 1] block)", |call, value| {
                $of_elements(call, value, BlockArguments::Element)
            })
    };
}
pub(super) use over_elements;

/// Calls the block for each element, and `take` with the element and the block's result, until `take` returns
/// false.
pub(super) fn for_each(
    call: &mut Call<'_>,
    value: &Value,
    given: BlockArguments,
    mut take: impl FnMut(Value, Value) -> Result<bool, Error>,
) -> Result<(), Error> {
    let elements = elements(call, value)?;
    let is_hash = matches!(value, Value::Hash(_));
    for (index, element) in (0i64..).zip(elements) {
        let result = match (given, &element) {
            (BlockArguments::Two, Value::Array(entry)) if is_hash => call.call_block(entry)?,
            (BlockArguments::Two, element) => call.call_block(&[Value::Integer(index), element.clone()])?,
            (BlockArguments::Element, element) => call.call_block(std::slice::from_ref(element))?,
        };
        if !take(element, result)? {
            break;
        }
    }
    Ok(())
}

/// Results of an iteration. Their number is limited: a short text such as `Integer[0, 1000000000]` may stand for more
/// elements than there is memory for.
pub(super) struct CollectedValues {
    values: Vec<Value>,
    /// The number of values, with their nested elements.
    count: usize,
    limits: Limits,
}

impl CollectedValues {
    pub fn new(capacity: usize, limits: &Limits) -> Self {
        Self { values: Vec::with_capacity(capacity), count: 0, limits: *limits }
    }

    /// Adds a value.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when there are too many.
    pub fn push(&mut self, value: Value) -> Result<(), Error> {
        self.count = self.count.saturating_add(value.extent().elements as usize).saturating_add(1);
        self.limits.check_elements(self.count)?;
        self.values.try_reserve(1).map_err(|_| self.limits.memory_exceeded())?;
        self.values.push(value);
        Ok(())
    }
}

impl From<CollectedValues> for Value {
    fn from(collected: CollectedValues) -> Self {
        collected.values.into()
    }
}

#[cold]
pub(super) fn not_iterable(call: &Call<'_>, value: &Value) -> Error {
    let shown = value.ruby_to_s(call.limits()).unwrap_or_default();
    let message = format!("{}(): wrong argument type ({shown}; is not Iterable.", call.name());
    Error::new(ErrorKind::ArgumentMismatch, message)
}

/// Returns the elements of a value for a caller that collects them. Their number is limited: a short text such as
/// `Integer[0, 1000000000]` may stand for more than there is memory for.
pub(super) fn bounded_elements<'v>(call: &Call<'_>, value: &'v Value) -> Result<Elements<'v>, Error> {
    if let Value::Integer(_) | Value::Type(_) | Value::Iterator(_) = value {
        let count = value.element_count().unwrap_or(0);
        call.limits().check_size(u64::try_from(count).unwrap_or(u64::MAX))?;
    }
    elements(call, value)
}

/// Returns the elements of a value.
///
/// # Errors
/// Fails if it has none, or the host refuses iterators that are used again.
pub(super) fn elements<'v>(call: &Call<'_>, value: &'v Value) -> Result<Elements<'v>, Error> {
    if let Value::Iterator(iteration) = value
        && iteration.begin()
    {
        call.deviate(Deviation::from_all("an iterator that is used again"))?;
    }
    value.elements().ok_or_else(|| not_iterable(call, value))
}

/// Returns the result of an iteration that `break` may have ended.
pub(super) fn until_break(result: Result<(), Error>) -> Result<(), Error> {
    match result {
        Err(error) if error.as_signal() == Some(&Signal::Break) => Ok(()),
        result => result,
    }
}

pub(super) fn each() -> Declaration {
    let declaration = native("each")
        .scope_method(refused(-3, true))
        .block_use(BlockUse::Elements)
        .for_types()
        .doc("Calls the block for each element, and returns the iterated value.")
        .example("[1, 2].each |$x| { $x }", "[1, 2]")
        .returns(|arguments| arguments.first().cloned().unwrap_or(Type::Any));
    over_elements!(declaration, each_of, each_of)
}

fn each_of(call: &mut Call<'_>, value: &Value, given: BlockArguments) -> Result<Value, Error> {
    until_break(for_each(call, value, given, |_, _| Ok(true)))?;
    Ok(value.clone())
}

pub(super) fn map() -> Declaration {
    let declaration = native("map")
        .scope_method(refused(-3, true))
        .block_use(BlockUse::Elements)
        .for_types()
        .doc("Calls the block for each element, and returns the results as an array.")
        .example("[1, 2].map |$x| { $x * 10 }", "[10, 20]")
        .example("{'a' => 1}.map |$k, $v| { $v }", "[1]")
        .returns_by_block(|_, block| Type::array(block.clone(), None));
    over_elements!(declaration, map_of, map_of)
}

fn map_of(call: &mut Call<'_>, value: &Value, given: BlockArguments) -> Result<Value, Error> {
    let capacity = if let Value::Array(items) = value { items.len() } else { 0 };
    let mut results = CollectedValues::new(capacity, call.limits());
    until_break(for_each(call, value, given, |_, result| {
        results.push(result)?;
        Ok(true)
    }))?;
    Ok(results.into())
}

pub(super) fn filter() -> Declaration {
    let declaration = native("filter")
        .scope_method(refused(-3, true))
        .block_use(BlockUse::Elements)
        .for_types()
        .doc("Returns the elements for which the block returns a true value.")
        .example("[1, 2, 3].filter |$x| { $x > 1 }", "[2, 3]")
        .example("{'a' => 1, 'b' => 2}.filter |$k, $v| { $v > 1 }", "{'b' => 2}")
        .returns(|arguments| match arguments {
            [Type::Array(array)] => Type::array(array.element.clone(), None),
            [Type::Hash(hash)] => Type::hash(hash.key.clone(), hash.value.clone(), None),
            [Type::Struct(_)] => Type::hash(Type::STRING, Type::Any, None),
            [Type::Tuple(tuple)] if !tuple.types.is_empty() => {
                Type::array(Type::one_of(tuple.types.iter().cloned()), None)
            }
            _ => Type::Any,
        });
    over_elements!(declaration, filter_hash, filter_elements)
}

/// Returns the counterpart of [`filter`] that code of types calls.
pub(super) fn reject() -> Declaration {
    let declaration = native("reject").doc("Returns the elements for which the block returns no true value.");
    over_elements!(declaration, reject_hash, reject_elements)
}

fn reject_hash(call: &mut Call<'_>, value: &Value, given: BlockArguments) -> Result<Value, Error> {
    keep_entries(call, value, given, false)
}

fn reject_elements(call: &mut Call<'_>, value: &Value, given: BlockArguments) -> Result<Value, Error> {
    keep_elements(call, value, given, false)
}

fn filter_hash(call: &mut Call<'_>, value: &Value, given: BlockArguments) -> Result<Value, Error> {
    keep_entries(call, value, given, true)
}

fn filter_elements(call: &mut Call<'_>, value: &Value, given: BlockArguments) -> Result<Value, Error> {
    keep_elements(call, value, given, true)
}

/// Returns the entries for which the block's result is truthy, if `wanted` is true, or falsy.
fn keep_entries(
    call: &mut Call<'_>,
    value: &Value,
    given: BlockArguments,
    wanted: bool,
) -> Result<Value, Error> {
    let mut kept = Hash::default();
    for_each(call, value, given, |entry, result| {
        if let (Value::Array(entry), true) = (&entry, is_true(&result) == wanted)
            && let [key, value] = &**entry
        {
            kept.insert(key.clone(), value.clone());
        }
        Ok(true)
    })?;
    Ok(Value::Hash(Arc::new(kept)))
}

fn keep_elements(
    call: &mut Call<'_>,
    value: &Value,
    given: BlockArguments,
    wanted: bool,
) -> Result<Value, Error> {
    let mut kept = CollectedValues::new(0, call.limits());
    until_break(for_each(call, value, given, |element, result| {
        if is_true(&result) == wanted {
            kept.push(element)?;
        }
        Ok(true)
    }))?;
    Ok(kept.into())
}

pub(super) fn reverse_each() -> Declaration {
    native("reverse_each")
        .scope_method(refused(-1, true))
        .block_use(BlockUse::OfElements)
        .for_types()
        .doc(
            "Iterates from the last element to the first: calls the block for each, or returns the iterator.",
        )
        .example("[1, 2, 3].reverse_each.map |$x| { $x }", "[3, 2, 1]")
        .example("[1, 2].reverse_each |$x| { $x }", "undef")
        .dispatch::<&Value>("(Iterable iterable)", |call, value| {
            iteration(call, value, Iteration::reversed(value, call.limits())?)
        })
        .dispatch::<&Value>("(Iterable iterable, Callable[1, 1] block)", |call, value| {
            let reversed = iteration(call, value, Iteration::reversed(value, call.limits())?)?;
            run_through(call, &reversed)
        })
}

pub(super) fn step() -> Declaration {
    native("step")
        .scope_method(refused(-1, true))
        .block_use(BlockUse::OfElements)
        .for_types()
        .doc(
            "Iterates over the first element and each so many further on: calls the block for each, or \
             gives the iteration.",
        )
        .example("[1, 2, 3].step(2).map |$x| { $x }", "[1, 3]")
        .example("Integer[0, 9].step(5) |$x| { $x }", "undef")
        .dispatch::<(&Value, u64)>("(Iterable iterable, Integer[1] step)", stepping)
        .dispatch::<(&Value, u64)>(
            "(Iterable iterable, Integer[1] step, Callable[1, 1] block)",
            |call, arguments| {
                let steps = stepping(call, arguments)?;
                run_through(call, &steps)
            },
        )
}

fn stepping(call: &mut Call<'_>, (value, step): (&Value, u64)) -> Result<Value, Error> {
    let step = usize::try_from(step).unwrap_or(usize::MAX);
    iteration(call, value, Iteration::every(value, step, call.limits())?)
}

fn iteration(call: &Call<'_>, value: &Value, made: Option<Iteration>) -> Result<Value, Error> {
    made.map(|iteration| Value::Iterator(Arc::new(iteration))).ok_or_else(|| not_iterable(call, value))
}

/// Calls the block for each element.
fn run_through(call: &mut Call<'_>, value: &Value) -> Result<Value, Error> {
    until_break(for_each(call, value, BlockArguments::Element, |_, _| Ok(true)))?;
    Ok(Value::Undef)
}

/// Returns true if a block's result is truthy.
pub(super) fn is_true(value: &Value) -> bool {
    !matches!(value, Value::Undef | Value::Boolean(false))
}

pub(super) fn reduce() -> Declaration {
    native("reduce")
        .scope_method(refused(-3, true))
        .block_use(BlockUse::Accumulate)
        .for_types()
        .doc(
            "Calls the block with what it gave before and the next element, and gives what it gives \
             last. It starts with the given value, or with the first element.",
        )
        .example("[1, 2, 3].reduce |$sum, $x| { $sum + $x }", "6")
        .example("[1, 2].reduce(10) |$sum, $x| { $sum + $x }", "13")
        .dispatch::<&Value>("(Iterable enumerable, Callable[2, 2] block)", |call, value| {
            let mut elements = elements(call, value)?;
            match elements.next() {
                Some(first) => call.fold(first, elements),
                None => Ok(Value::Undef),
            }
        })
        .dispatch::<(&Value, &Value)>(
            "(Iterable enumerable, Any memo, Callable[2, 2] block)",
            |call, (value, memo)| {
                let elements = elements(call, value)?;
                call.fold(memo.clone(), elements)
            },
        )
}
