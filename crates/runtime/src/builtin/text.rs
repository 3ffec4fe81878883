//! Functions that change one string or several: `strip` and its relatives, `chomp` and `chop`.
//!
//! See Puppet's `functions/{strip,lstrip,rstrip,chomp,chop}.rb`.

use puppetfn_types::function::{Declaration, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

use super::iteration::bounded_elements;

/// Declares a function that changes a string, or each of the strings that come from an iteration. It
/// lets numbers be.
pub(super) fn over_numbers_and_texts(
    name: &'static str,
    change: impl Fn(&str) -> String + Copy + Send + Sync + 'static,
) -> Declaration {
    let changed =
        move |value: Value| if let Value::String(text) = value { change(&text).into() } else { value };
    native(name)
        .dispatch::<&Value>("(Numeric arg)", |_, number| Ok(number.clone()))
        .dispatch::<&str>("(String arg)", move |_, text| Ok(change(text).into()))
        .dispatch::<&Value>("(Iterable[Variant[String, Numeric]] arg)", move |call, value| {
            Ok(bounded_elements(call, value)?.map(changed).collect::<Vec<_>>().into())
        })
        .returns(same_kind)
}

/// Numbers stay numbers, strings stay strings; iterables become arrays.
pub(super) fn same_kind(arguments: &[Type]) -> Type {
    match arguments {
        [Type::Integer(_)] => Type::INTEGER,
        [Type::Float(_)] => Type::FLOAT,
        [t] if Type::STRING.assignable(t) => Type::STRING,
        [Type::Array(_) | Type::Tuple(_)] => Type::array(Type::Any, None),
        [Type::Hash(_)] => Type::hash(Type::Any, Type::Any, None),
        _ => Type::Any,
    }
}

/// Returns true if Ruby takes a character at an end of a string for a blank.
fn is_blank(c: char) -> bool {
    matches!(c, '\0' | '\t'..='\r' | ' ')
}

pub(super) fn strip() -> Declaration {
    over_numbers_and_texts("strip", |text| text.trim_matches(is_blank).to_owned())
        .pure()
        .doc("A string, or each of several, without the blanks at its ends.")
        .example("strip(\"  a b \\n\")", "'a b'")
        .example("strip([' a', 'b '])", "['a', 'b']")
}

pub(super) fn lstrip() -> Declaration {
    over_numbers_and_texts("lstrip", |text| text.trim_start_matches(is_blank).to_owned())
        .pure()
        .doc("A string, or each of several, without the blanks at its beginning.")
        .example("lstrip('  a ')", "'a '")
}

pub(super) fn rstrip() -> Declaration {
    over_numbers_and_texts("rstrip", |text| text.trim_end_matches(is_blank).to_owned())
        .pure()
        .doc("A string, or each of several, without the blanks at its end.")
        .example("rstrip('  a ')", "'  a'")
}

pub(super) fn chomp() -> Declaration {
    over_numbers_and_texts("chomp", |text| {
        let line = text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r']));
        line.unwrap_or(text).to_owned()
    })
    .pure()
    .doc("A string, or each of several, without the line break at its end.")
    .example("chomp(\"a\\r\\n\")", "'a'")
}

pub(super) fn chop() -> Declaration {
    over_numbers_and_texts("chop", |text| {
        let mut chars = text.chars();
        let chopped = text.strip_suffix("\r\n").unwrap_or_else(|| {
            chars.next_back();
            chars.as_str()
        });
        chopped.to_owned()
    })
    .pure()
    .doc("A string, or each of several, without its last character; `\\r\\n` counts as one.")
    .example("chop('abc')", "'ab'")
}
