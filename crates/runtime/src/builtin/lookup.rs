//! `lookup`.
//!
//! See Puppet's `functions/lookup.rb`.

use std::sync::Arc;

use super::legacy::refused;
use puppetfn_base::error::Error;
use puppetfn_types::function::{Call, Declaration, Deviation, Fallback, LookupQuery, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Hash, Value};

/// The options that a hash can have.
const OPTIONS: &str = "value_type => Optional[ValueType], default_value => Optional[DefaultValueType], \
                       override => Optional[Hash[String,Any]], default_values_hash => Optional[Hash[String,Any]], \
                       merge => Optional[MergeType]";

pub(super) fn lookup() -> Declaration {
    native("lookup").scope_method(refused(-2, true))
        .doc(
            "The value that data has for a key, or for the first of several keys that has one. It can be asserted \
             to be of a type, and be merged from all the places that have one. What is given where there is none is \
             a default value, or what a block makes of the key.",
        )
        .example("lookup('port', Integer, 'first', 80)", "80")
        .example("lookup(['a', 'b']) |$names| { $names }", "['a', 'b']")
        .example("lookup({'name' => 'a', 'default_values_hash' => {'a' => 1}})", "1")
        .local_type("NameType = Variant[String, Array[String]]")
        .local_type("ValueType = Type")
        .local_type("DefaultValueType = Any")
        .local_type("MergeType = Variant[String[1], Hash[String, Scalar]]")
        .local_type("BlockType = Callable[NameType]")
        .local_type(format!("OptionsWithName = Struct[{{name => NameType, {OPTIONS}}}]"))
        .local_type(format!("OptionsWithoutName = Struct[{{{OPTIONS}}}]"))
        .dispatch::<(&Value, Option<&Type>, Option<&Value>)>(
            "(NameType name, ValueType value_type?, MergeType merge?)",
            |call, (name, value_type, merge)| found(call, &LookupQuery { value_type, merge, ..LookupQuery::new(name) }, None),
        )
        .dispatch::<(&Value, Option<&Type>, &Value, &Value)>(
            "(NameType name, Optional[ValueType] value_type, Optional[MergeType] merge, DefaultValueType default_value)",
            |call, (name, value_type, merge, default)| {
                found(call, &LookupQuery { value_type, merge: Some(merge), ..LookupQuery::new(name) }, Some(default))
            },
        )
        .dispatch::<(&Value, Option<&Type>, Option<&Value>)>(
            "(NameType name, ValueType value_type?, MergeType merge?, BlockType block)",
            |call, (name, value_type, merge)| found(call, &LookupQuery { value_type, merge, ..LookupQuery::new(name) }, None),
        )
        .dispatch::<&Hash>("(OptionsWithName options_hash, BlockType block?)", |call, options| {
            with_options(call, call.entry_as::<&Value>(options, "name")?, options)
        })
        .dispatch::<(&Value, &Hash)>(
            "(Variant[String, Array[String]] name, OptionsWithoutName options_hash, BlockType block?)",
            |call, (name, options)| with_options(call, name, options),
        )
        .returns(|_| Type::Any)
}

fn with_options(call: &Call<'_>, name: &Value, options: &Hash) -> Result<Value, Error> {
    let query = LookupQuery {
        value_type: call.entry_as::<Option<&Type>>(options, "value_type")?,
        merge: options.get_str("merge"),
        overrides: call.entry_as::<Option<&Arc<Hash>>>(options, "override")?,
        default_values: call.entry_as::<Option<&Arc<Hash>>>(options, "default_values_hash")?,
        ..LookupQuery::new(name)
    };
    found(call, &query, options.get_str("default_value"))
}

/// Looks up a key, or the first of several, with the block or a value as the fallback.
pub(super) fn found(
    call: &Call<'_>,
    query: &LookupQuery<'_>,
    default: Option<&Value>,
) -> Result<Value, Error> {
    let fallback = match (call.block(), default) {
        (Some(block), _) => Fallback::Block(block),
        (None, Some(value)) => Fallback::Value(value),
        (None, None) => Fallback::None,
    };
    if let Value::Array(keys) = query.name {
        keys.iter().try_for_each(|key| tell(call, call.value_as::<&str>(key)?))?;
    } else {
        tell(call, call.value_as::<&str>(query.name)?)?;
    }
    let data = call.caller().data().ok_or_else(|| call.needs_data())?;
    data.lookup(&LookupQuery { fallback, ..*query }, call.caller())
}

/// Tells the host of a key.
fn tell(call: &Call<'_>, key: &str) -> Result<(), Error> {
    if let Some((root, _)) = key.split_once('.')
        && !root.is_empty()
        && root.bytes().all(|byte| byte.is_ascii_digit())
    {
        call.deviate(Deviation::from_all("a key that begins with an integer"))?;
    }
    call.host().looks_up(key)
}
