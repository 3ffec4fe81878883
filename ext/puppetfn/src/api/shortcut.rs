//! Built-in functions that are a method of Ruby's in Puppet. Where the arguments are Ruby's, it has done the work
//! before they could be converted.

use magnus::value::{LazyId, ReprValue};
use magnus::{Error, Ruby, Value};
use puppetfn::subject::{Shape, Subject};

use super::unknown;
use crate::ruby::raw::{self, RubySubject, subject};

static FLATTEN: LazyId = LazyId::new("flatten");
static JOIN: LazyId = LazyId::new("join");
static KEYS: LazyId = LazyId::new("keys");
static SORT: LazyId = LazyId::new("sort");
static UNIQ: LazyId = LazyId::new("uniq");
static VALUES: LazyId = LazyId::new("values");

/// Calls the method that a function is, if these arguments, without a block, are what it is for.
pub fn call(ruby: &Ruby, function: &str, args: &[Value]) -> Result<Option<Value>, Error> {
    let method = match (function, args) {
        ("keys", [hash]) if is_hash(*hash) => &KEYS,
        ("values", [hash]) if is_hash(*hash) => &VALUES,
        ("unique", [array]) if is_plain(*array) => &UNIQ,
        ("sort", [array]) if is_of(*array, is_text) || is_of(*array, is_integer) => &SORT,
        ("join", [array]) if is_plain(*array) => &JOIN,
        ("join", [array, delimiter]) if is_plain(*array) && is_text(subject(*delimiter)) => &JOIN,
        ("flatten", _) => &FLATTEN,
        _ => return Ok(None),
    };
    if raw::block_given() || unknown::is_among(args) {
        return Ok(None);
    }
    match (function, args.split_first()) {
        ("flatten", _) => ruby.ary_new_from_values(args).funcall(**method, ()).map(Some),
        (_, Some((receiver, args))) => receiver.funcall(**method, args).map(Some),
        (_, None) => Ok(None),
    }
}

fn is_hash(object: Value) -> bool {
    matches!(subject(object).shape(), Ok(Shape::Hash(_)))
}

/// Tells if an object is an array of texts and integers, which are the same everywhere.
fn is_plain(object: Value) -> bool {
    is_of(object, |element| is_text(element) || is_integer(element))
}

fn is_of(object: Value, has_it: impl Fn(RubySubject<'_>) -> bool) -> bool {
    let array = subject(object);
    matches!(array.shape(), Ok(Shape::Array(_))) && array.elements().all(has_it)
}

/// Tells if it is a string that the core can read.
fn is_text(object: RubySubject<'_>) -> bool {
    matches!(object.shape(), Ok(Shape::String(_)))
}

fn is_integer(object: RubySubject<'_>) -> bool {
    matches!(object.shape(), Ok(Shape::Integer(_)))
}
