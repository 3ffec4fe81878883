//! Methods of hashes.

use std::sync::Arc;

use puppetfn_types::value::{Hash, Value};

use super::super::Renderer;
use super::array;
use crate::expression::Block;
use crate::names::Method;
use crate::object::{Object, Outcome, Stop, is_plain};

pub(super) fn call(
    renderer: &mut Renderer<'_>,
    method: Method,
    receiver: &Arc<Hash>,
    arguments: &[Object],
    block: Option<&Block>,
) -> Outcome<Object> {
    renderer.spend(receiver.len())?;
    match (arguments, block) {
        ([], Some(block)) => with_block(renderer, method, receiver, block),
        ([], None) => unary(renderer, method, receiver),
        ([argument], None) => with_argument(method, receiver, argument),
        ([key, default], None) if method == Method::Fetch => match get(receiver, key)? {
            Some(value) => Ok(value.into()),
            None => Ok(default.clone()),
        },
        _ => Err(Stop::Uncertain),
    }
}

/// Returns the entries as arrays of a key and a value.
pub(super) fn pairs(hash: &Hash) -> Vec<Value> {
    hash.iter().map(|(key, value)| vec![key.clone(), value.clone()].into()).collect()
}

fn get(hash: &Hash, key: &Object) -> Outcome<Option<Value>> {
    match key {
        Object::Value(key) if is_plain(key) => Ok(hash.get(key).cloned()),
        // The only symbol that values of Puppet have.
        Object::Symbol(name) if &**name != "default" => Ok(None),
        Object::Value(_) | Object::Symbol(_) | Object::Range(..) | Object::Regex(_) | Object::Unnamed => {
            Err(Stop::Uncertain)
        }
    }
}

fn with_block(
    renderer: &mut Renderer<'_>,
    method: Method,
    receiver: &Arc<Hash>,
    block: &Block,
) -> Outcome<Object> {
    let this = || Object::Value(Value::Hash(Arc::clone(receiver)));
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
            Ok(Object::Value(chosen.into()))
        }
        Method::Map | Method::FlatMap | Method::Sort | Method::SortBy | Method::Find => {
            array::with_block(renderer, method, &pairs(receiver).into(), block)
        }
        Method::IsAny | Method::IsAll | Method::Count if block.parameters.len() == 2 => {
            array::with_block(renderer, method, &pairs(receiver).into(), block)
        }
        _ => Err(Stop::Uncertain),
    }
}

fn unary(renderer: &mut Renderer<'_>, method: Method, receiver: &Arc<Hash>) -> Outcome<Object> {
    Ok(match method {
        Method::Length | Method::Count => {
            i64::try_from(receiver.len()).map(Object::from).map_err(|_| Stop::Uncertain)?
        }
        Method::IsEmpty => receiver.is_empty().into(),
        Method::IsAny => (!receiver.is_empty()).into(),
        Method::Keys => Object::from(receiver.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>()),
        Method::Values => Object::from(receiver.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>()),
        Method::ToA => Object::from(pairs(receiver)),
        Method::ToH => Object::Value(Value::Hash(Arc::clone(receiver))),
        Method::Sort | Method::First => {
            return array::call(renderer, method, &pairs(receiver).into(), &[], None);
        }
        Method::Compact => {
            let entries = receiver.iter().filter(|(_, value)| !matches!(value, Value::Undef));
            Object::Value(entries.map(|(key, value)| (key.clone(), value.clone())).collect())
        }
        _ => return Err(Stop::Uncertain),
    })
}

fn with_argument(method: Method, receiver: &Arc<Hash>, argument: &Object) -> Outcome<Object> {
    Ok(match method {
        Method::Index => get(receiver, argument)?.map_or(Object::NIL, Object::from),
        Method::Fetch => get(receiver, argument)?.map(Object::from).ok_or(Stop::Uncertain)?,
        Method::HasKey | Method::Includes => get(receiver, argument)?.is_some().into(),
        Method::Merge => {
            let Object::Value(Value::Hash(other)) = argument else { return Err(Stop::Uncertain) };
            let mut merged = Hash::clone(receiver);
            for (key, value) in other.iter() {
                merged.insert(key.clone(), value.clone());
            }
            Object::Value(merged.into())
        }
        _ => return Err(Stop::Uncertain),
    })
}
