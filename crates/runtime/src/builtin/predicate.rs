//! Functions whose block tests elements: `all`, `any` and `index`.
//!
//! See Puppet's `functions/{all,any,index}.rb`.

use super::iteration::{BlockArguments, elements, for_each, is_true, over_elements};
use puppetfn_base::error::Error;
use puppetfn_types::function::{BlockUse, Call, Declaration, native, one_of};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Hash, Regex, Value};

pub(super) fn all() -> Declaration {
    let declaration = native("all")
        .block_use(BlockUse::Elements)
        .for_types()
        .doc("Returns true if the block returns a true value for all elements.")
        .example("[1, 2].all |$x| { $x > 0 }", "true")
        .returns(|_| Type::BOOLEAN);
    over_elements!(declaration, all_of, all_of)
}

fn all_of(call: &mut Call<'_>, value: &Value, given: BlockArguments) -> Result<Value, Error> {
    let mut all = true;
    for_each(call, value, given, |_, result| {
        all = is_true(&result);
        Ok(all)
    })?;
    Ok(Value::Boolean(all))
}

pub(super) fn any() -> Declaration {
    let declaration = native("any")
        .block_use(BlockUse::Elements)
        .for_types()
        .doc("Returns true if the block returns a true value for some element.")
        .example("[1, 2].any |$x| { $x > 1 }", "true")
        .returns(|_| Type::BOOLEAN);
    over_elements!(declaration, any_of, any_of)
}

fn any_of(call: &mut Call<'_>, value: &Value, given: BlockArguments) -> Result<Value, Error> {
    let mut any = false;
    for_each(call, value, given, |_, result| {
        any = is_true(&result);
        Ok(!any)
    })?;
    Ok(Value::Boolean(any))
}

one_of! {
    enum SearchedPart<'v> {
        String(&'v str),
        Regexp(&'v Regex),
    }
}

pub(super) fn index() -> Declaration {
    let declaration = native("index")
        .block_use(BlockUse::Elements)
        .pure()
        .doc(
            "The index of the first element, or the key of the first entry, that the block gives a true \
             value for or that equals the value. In a string, where a text or a match begins.",
        )
        .example("['a', 'b'].index('b')", "1")
        .example("[1, 2].index |$x| { $x > 1 }", "1")
        .example("{'a' => 1}.index |$v| { $v == 1 }", "'a'")
        .example("index('abc', 'c')", "2");
    over_elements!(declaration, index_of_entry, index_of_element)
        .dispatch::<(&str, SearchedPart)>("(String str, Variant[String, Regexp] match)", |_, (text, part)| {
            match part {
                SearchedPart::String(part) => Ok(position(text, text.find(part))),
                SearchedPart::Regexp(regex) => {
                    let found = regex.captures(text)?.and_then(|groups| groups.first().copied().flatten());
                    Ok(position(text, found.map(|found| found.as_ptr().addr() - text.as_ptr().addr())))
                }
            }
        })
        .dispatch::<(&Value, &Value)>("(Iterable enumerable, Any match)", |call, (value, sought)| {
            if let Value::Hash(hash) = value {
                let found = hash.iter().find(|(_, value)| ruby_equals(value, sought));
                return Ok(found.map_or(Value::Undef, |(key, _)| key.clone()));
            }
            let mut elements = elements(call, value)?;
            Ok(integer(elements.position(|element| ruby_equals(&element, sought))))
        })
}

/// Ruby's `==`, in which 1 and 1.0 are equal.
fn ruby_equals(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Integer(a), Value::Float(b)) | (Value::Float(b), Value::Integer(a)) => *a as f64 == *b,
        (a, b) => a == b,
    }
}

/// Returns where in a text, counted in characters.
fn position(text: &str, offset: Option<usize>) -> Value {
    integer(offset.and_then(|offset| text.get(..offset)).map(|before| before.chars().count()))
}

fn integer(index: Option<usize>) -> Value {
    index.and_then(|index| i64::try_from(index).ok()).map_or(Value::Undef, Value::Integer)
}

/// With one parameter, the block gets the value of the entry.
fn index_of_entry(call: &mut Call<'_>, value: &Value, given: BlockArguments) -> Result<Value, Error> {
    for (key, value) in call.value_as::<&Hash>(value)?.iter() {
        let result = match given {
            BlockArguments::Two => call.call_block(&[key.clone(), value.clone()])?,
            BlockArguments::Element => call.call_block(std::slice::from_ref(value))?,
        };
        if is_true(&result) {
            return Ok(key.clone());
        }
    }
    Ok(Value::Undef)
}

fn index_of_element(call: &mut Call<'_>, value: &Value, given: BlockArguments) -> Result<Value, Error> {
    let (mut count, mut found) = (0usize, None);
    for_each(call, value, given, |_, result| {
        if is_true(&result) {
            found = Some(count);
        }
        count = count.saturating_add(1);
        Ok(found.is_none())
    })?;
    Ok(integer(found))
}
