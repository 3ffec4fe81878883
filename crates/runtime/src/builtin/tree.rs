//! `tree_each`.
//!
//! See Puppet's `functions/tree_each.rb`.

use std::sync::Arc;

use super::iteration::until_break;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::function::{Call, Declaration, native};
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::{NoAliases, parse};
use puppetfn_types::value::{Hash, Iteration, TreeIterator, TreeOptions, Value};

/// The three signatures, which differ in the block.
macro_rules! signature {
    ($block:literal) => {
        concat!("(Variant[Iterator, Array, Hash, Object] tree, OptionsType options?", $block, ")")
    };
}

pub(super) fn tree_each() -> Declaration {
    native("tree_each").for_types()
        .doc(
            "Iterates over a tree of arrays, hashes and objects: calls the block with each path and value, or \
             with each value, or gives the iteration. The options say in which order and what comes.",
        )
        .example(
            "[1, [2]].tree_each.map |$path, $value| { $value }",
            "[[[], [1, [2]]], [[0], 1], [[1], [2]], [[1, 0], 2]]",
        )
        .example(
            "{'a' => [1, 2]}.tree_each({'include_containers' => false}).map |$entry| { $entry[1] }",
            "[1, 2]",
        )
        .example("[1].tree_each |$path, $value| { $path }", "[1]")
        .local_type(
            "OptionsType = Struct[{container_type => Optional[Type], include_root => Optional[Boolean], \
             include_containers => Optional[Boolean], include_values => Optional[Boolean], \
             order => Optional[Enum[breadth_first, depth_first]], include_refs => Optional[Boolean]}]",
        )
        .dispatch::<(&Value, Option<&Hash>)>(signature!(", Callable[2, 2] block"), |call, arguments| {
            run_through(call, arguments, |call, path, value| call.call_block(&[path, value]))
        })
        .dispatch::<(&Value, Option<&Hash>)>(signature!(", Callable[1, 1] block"), |call, arguments| {
            run_through(call, arguments, |call, _, value| call.call_block(&[value]))
        })
        .dispatch::<(&Value, Option<&Hash>)>(signature!(""), |call, (tree, given)| {
            let iteration = Iteration::tree(tree, options(call, given)?, call.limits())?;
            Ok(Value::Iterator(Arc::new(iteration)))
        })
        .returns(|_| Type::Any)
}

/// Calls the block for each value.
fn run_through(
    call: &mut Call<'_>,
    (tree, given): (&Value, Option<&Hash>),
    run: impl Fn(&mut Call<'_>, Value, Value) -> Result<Value, Error>,
) -> Result<Value, Error> {
    let (options, limits) = (options(call, given)?, *call.limits());
    let result = TreeIterator::new(tree, &options, &limits).try_for_each(|place| {
        let (path, value) = place?;
        run(call, path, value).map(|_| ())
    });
    until_break(result)?;
    Ok(tree.clone())
}

fn options(call: &Call<'_>, given: Option<&Hash>) -> Result<TreeOptions, Error> {
    let option = |name: &str| given.and_then(|options| options.get_str(name));
    let flag = |name: &str, default: bool| match option(name) {
        Some(Value::Boolean(flag)) => *flag,
        _ => default,
    };
    let container = match option("container_type") {
        Some(Value::Type(t)) => Some(Type::clone(t)),
        _ => None,
    };
    if let Some(t) = &container
        && !parse("Variant[Array, Hash, Object]", &NoAliases, call.limits())?
            .try_assignable(t, call.limits())?
    {
        let message = format!(
            "Only Array, Hash, and Object types can be used as container types. Got {}",
            t.ruby_to_s()
        );
        return Err(Error::new(ErrorKind::ArgumentMismatch, message));
    }
    let options = TreeOptions {
        container,
        include_root: flag("include_root", true),
        include_containers: flag("include_containers", true),
        include_values: flag("include_values", true),
        include_refs: flag("include_refs", false),
        breadth_first: matches!(option("order"), Some(Value::String(order)) if &**order == "breadth_first"),
    };
    if !options.include_containers && !options.include_values {
        let message = "Options 'include_containers' and 'include_values' cannot both be false";
        return Err(Error::new(ErrorKind::ArgumentMismatch, message));
    }
    Ok(options)
}
