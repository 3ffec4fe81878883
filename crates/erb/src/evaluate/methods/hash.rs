//! Methods of hashes.

use std::sync::Arc;

use puppetfn_types::value::{Hash, Value};

use super::super::TemplateRenderer;
use super::array;
use crate::expression::TemplateBlock;
use crate::names::Method;
use crate::object::{EvaluationStop, StopResult, TemplateObject, is_plain};

pub(super) fn call(
    renderer: &mut TemplateRenderer<'_>,
    method: Method,
    receiver: &Arc<Hash>,
    arguments: &[TemplateObject],
    block: Option<&TemplateBlock>,
) -> StopResult<TemplateObject> {
    renderer.spend(receiver.len())?;
    match (arguments, block) {
        ([], Some(block)) => with_block(renderer, method, receiver, block),
        ([], None) => unary(renderer, method, receiver),
        ([argument], None) => with_argument(method, receiver, argument),
        ([key, default], None) if method == Method::Fetch => match get(receiver, key)? {
            Some(value) => Ok(value.into()),
            None => Ok(default.clone()),
        },
        _ => Err(EvaluationStop::Uncertain),
    }
}

/// Returns the entries as arrays of a key and a value.
pub(super) fn pairs(hash: &Hash) -> Vec<Value> {
    hash.iter().map(|(key, value)| vec![key.clone(), value.clone()].into()).collect()
}

fn get(hash: &Hash, key: &TemplateObject) -> StopResult<Option<Value>> {
    match key {
        TemplateObject::Value(key) if is_plain(key) => Ok(hash.get(key).cloned()),
        // The only symbol that values of Puppet have.
        TemplateObject::Symbol(name) if &**name != "default" => Ok(None),
        TemplateObject::Value(_)
        | TemplateObject::Symbol(_)
        | TemplateObject::Range(..)
        | TemplateObject::Regex(_)
        | TemplateObject::Unnamed => Err(EvaluationStop::Uncertain),
    }
}

fn with_block(
    renderer: &mut TemplateRenderer<'_>,
    method: Method,
    receiver: &Arc<Hash>,
    block: &TemplateBlock,
) -> StopResult<TemplateObject> {
    let this = || TemplateObject::Value(Value::Hash(Arc::clone(receiver)));
    match method {
        Method::Each | Method::EachPair => {
            array::with_block(renderer, Method::Each, &pairs(receiver).into(), block)?;
            Ok(this())
        }
        Method::EachWithIndex => {
            array::with_block(renderer, method, &pairs(receiver).into(), block)?;
            Ok(this())
        }
        Method::EachKey => {
            for (key, _) in receiver.iter() {
                renderer.call_block(block, key.clone().into())?;
            }
            Ok(this())
        }
        Method::EachValue => {
            for (_, value) in receiver.iter() {
                renderer.call_block(block, value.clone().into())?;
            }
            Ok(this())
        }
        // These call the block with two arguments, and others with one array.
        Method::Select | Method::Reject if block.parameters.len() == 2 => {
            let mut chosen = Hash::default();
            for (key, value) in receiver.iter() {
                let arguments = vec![key.clone().into(), value.clone().into()];
                if renderer.call_block_with(block, arguments)?.is_true() == (method == Method::Select) {
                    chosen.insert(key.clone(), value.clone());
                }
            }
            Ok(TemplateObject::Value(chosen.into()))
        }
        Method::Map | Method::FlatMap | Method::Sort | Method::SortBy | Method::Find => {
            array::with_block(renderer, method, &pairs(receiver).into(), block)
        }
        Method::IsAny | Method::IsAll | Method::Count if block.parameters.len() == 2 => {
            array::with_block(renderer, method, &pairs(receiver).into(), block)
        }
        _ => Err(EvaluationStop::Uncertain),
    }
}

fn unary(
    renderer: &mut TemplateRenderer<'_>,
    method: Method,
    receiver: &Arc<Hash>,
) -> StopResult<TemplateObject> {
    Ok(match method {
        Method::Length | Method::Count => {
            i64::try_from(receiver.len()).map(TemplateObject::from).map_err(|_| EvaluationStop::Uncertain)?
        }
        Method::IsEmpty => receiver.is_empty().into(),
        Method::IsAny => (!receiver.is_empty()).into(),
        Method::Keys => TemplateObject::from(receiver.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>()),
        Method::Values => {
            TemplateObject::from(receiver.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>())
        }
        Method::ToA => TemplateObject::from(pairs(receiver)),
        Method::ToH => TemplateObject::Value(Value::Hash(Arc::clone(receiver))),
        Method::Sort | Method::First => {
            return array::call(renderer, method, &pairs(receiver).into(), &[], None);
        }
        Method::Compact => {
            let entries = receiver.iter().filter(|(_, value)| !matches!(value, Value::Undef));
            TemplateObject::Value(entries.map(|(key, value)| (key.clone(), value.clone())).collect())
        }
        _ => return Err(EvaluationStop::Uncertain),
    })
}

fn with_argument(
    method: Method,
    receiver: &Arc<Hash>,
    argument: &TemplateObject,
) -> StopResult<TemplateObject> {
    Ok(match method {
        Method::Index => get(receiver, argument)?.map_or(TemplateObject::NIL, TemplateObject::from),
        Method::Fetch => {
            get(receiver, argument)?.map(TemplateObject::from).ok_or(EvaluationStop::Uncertain)?
        }
        Method::HasKey | Method::Includes => get(receiver, argument)?.is_some().into(),
        Method::Merge => {
            let TemplateObject::Value(Value::Hash(other)) = argument else {
                return Err(EvaluationStop::Uncertain);
            };
            let mut merged = Hash::clone(receiver);
            for (key, value) in other.iter() {
                merged.insert(key.clone(), value.clone());
            }
            TemplateObject::Value(merged.into())
        }
        _ => return Err(EvaluationStop::Uncertain),
    })
}
