//! The functions that sort elements into groups: `group_by`, `partition` and `slice`.
//!
//! See Puppet's `functions/{group_by,partition,slice}.rb`.

use super::iteration::{BlockArguments, bounded_elements, for_each, is_true};
use super::legacy::refused;
use puppetfn_base::error::{Error, ErrorKind, Signal};
use puppetfn_types::function::{BlockUse, Call, Declaration, native};
use puppetfn_types::subject::{CallableShape, Subject};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Value, ValueMap};

pub(super) fn group_by() -> Declaration {
    native("group_by")
        .block_use(BlockUse::Elements)
        .for_types()
        .doc("Groups the elements by the results of the block: returns a hash from results to arrays of elements.")
        .example("[1, 2, 3].group_by |$x| { $x % 2 }", "{1 => [1, 3], 0 => [2]}")
        .example("['a', 'b'].group_by |$i, $x| { $i }", "{0 => ['a'], 1 => ['b']}")
        .dispatch::<&Value>("(Collection collection, Callable[1, 1] block) >> Hash", |call, value| {
            grouped(call, value, BlockArguments::Element)
        })
        .dispatch::<&Value>("(Array array, Callable[2, 2] block) >> Hash", |call, value| {
            grouped(call, value, BlockArguments::Two)
        })
        .dispatch::<&Value>("(Collection collection, Callable[2, 2] block) >> Hash", |call, value| {
            grouped(call, value, BlockArguments::Two)
        })
}

fn grouped(call: &mut Call<'_>, value: &Value, given: BlockArguments) -> Result<Value, Error> {
    let mut groups: ValueMap<Vec<Value>> = ValueMap::default();
    for_each(call, value, given, |element, key| {
        groups.entry(key).or_default().push(element);
        Ok(true)
    })?;
    Ok(groups.into_iter().map(|(key, group)| (key, Value::from(group))).collect())
}

pub(super) fn partition() -> Declaration {
    native("partition")
        .block_use(BlockUse::Elements)
        .for_types()
        .doc("Returns two arrays: the elements for which the block returns a true value, and the others.")
        .example("[1, 2, 3].partition |$x| { $x > 1 }", "[[2, 3], [1]]")
        .dispatch::<&Value>(
            "(Collection collection, Callable[1, 1] block) >> Tuple[Array, Array]",
            |call, value| parted(call, value, BlockArguments::Element),
        )
        .dispatch::<&Value>("(Array array, Callable[2, 2] block) >> Tuple[Array, Array]", |call, value| {
            parted(call, value, BlockArguments::Two)
        })
        .dispatch::<&Value>(
            "(Collection collection, Callable[2, 2] block) >> Tuple[Array, Array]",
            |call, value| parted(call, value, BlockArguments::Two),
        )
}

fn parted(call: &mut Call<'_>, value: &Value, given: BlockArguments) -> Result<Value, Error> {
    let (mut chosen, mut others) = (Vec::new(), Vec::new());
    for_each(call, value, given, |element, result| {
        if is_true(&result) {
            chosen.push(element)
        } else {
            others.push(element)
        }
        Ok(true)
    })?;
    Ok(vec![chosen.into(), others.into()].into())
}

pub(super) fn slice() -> Declaration {
    native("slice")
        .scope_method(refused(-3, true))
        .block_use(BlockUse::OfElements)
        .for_types()
        .doc(
            "Gives arrays of so many elements each; the last may have fewer. A block is called with each of \
             them, or with their elements when it has as many parameters.",
        )
        .example("[1, 2, 3].slice(2)", "[[1, 2], [3]]")
        .example("[1, 2].slice(2) |$a, $b| { $a }", "[1, 2]")
        .dispatch::<(&Value, u64)>(
            "(Hash hash, Integer[1] slice_size, Callable block?)",
            |call, (value, size)| sliced(call, value, size, &Value::from(Vec::new())),
        )
        .dispatch::<(&Value, u64)>(
            "(Iterable enumerable, Integer[1] slice_size, Callable block?)",
            |call, (value, size)| sliced(call, value, size, &Value::Undef),
        )
        .returns(|arguments| match arguments {
            [value, _, _] => value.clone(),
            _ => Type::array(Type::array(Type::Any, None), None),
        })
}

/// `filler` stands in for elements that the last slice lacks.
fn sliced(call: &mut Call<'_>, value: &Value, size: u64, filler: &Value) -> Result<Value, Error> {
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let serving = call.block().map(|block| serving(block, size)).transpose()?;
    let mut elements = bounded_elements(call, value)?;
    let mut slices = Vec::new();
    loop {
        let mut slice: Vec<Value> = elements.by_ref().take(size).collect();
        if slice.is_empty() {
            break;
        }
        let result = match serving {
            None => {
                slices.push(slice.into());
                continue;
            }
            Some(1) => call.call_block(&[slice.into()]),
            Some(serving) => {
                if slice.len() < serving {
                    slice.resize(serving, filler.clone());
                }
                call.call_block(&slice)
            }
        };
        match result {
            Ok(_) => {}
            Err(error) if error.as_signal() == Some(&Signal::Break) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(if serving.is_some() { value.clone() } else { slices.into() })
}

/// Returns how many arguments a block is given for a slice: one, or as many as it has elements.
fn serving(block: &Value, size: usize) -> Result<usize, Error> {
    let CallableShape::Typed(signature) = block.signature() else { return Ok(1) };
    let Type::Callable(callable) = &*signature else { return Ok(1) };
    let count = callable.size();
    let serving = match count.max {
        Some(max) if max == count.min => usize::try_from(max).unwrap_or(usize::MAX),
        // Puppet serves the elements where the number of parameters varies.
        _ => size,
    };
    if serving == 0 {
        return Err(misfit("slice(): block must define at least one parameter. Block has 0.".to_owned()));
    }
    if serving == 1 || serving == size {
        return Ok(serving);
    }
    let names = block_parameters(block);
    Err(misfit(format!(
        "slice(): block must define one parameter, or the same number of parameters as the given size of the slice ({size}). Block has {serving}; {names}"
    )))
}

#[cold]
fn misfit(message: String) -> Error {
    Error::new(ErrorKind::ArgumentMismatch, message)
}

/// Returns the names of the parameters of a block, where they are known.
fn block_parameters(block: &Value) -> String {
    let Value::Callable(callable) = block else { return String::new() };
    let names: Vec<&str> = callable.parameter_names.iter().map(|name| &**name).collect();
    names.join(", ")
}
