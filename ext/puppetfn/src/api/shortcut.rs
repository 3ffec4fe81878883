//! Built-in functions that Puppet implements with a method of Ruby's. For Ruby's own objects, that method takes less
//! time than converting them.

use magnus::value::{LazyId, ReprValue};
use magnus::{Error, RArray, RHash, Ruby, Value};
use puppetfn::function::HostMethod;
use puppetfn::limits::Depth;
use puppetfn::subject::{Shape, Subject};

use super::{limits, unknown};
use crate::ruby::raw::{self, RubySubject, subject, subject_slice};

static CAPITALIZE: LazyId = LazyId::new("capitalize");
static FORMAT: LazyId = LazyId::new("format");
static JOIN: LazyId = LazyId::new("join");
static KEYS: LazyId = LazyId::new("keys");
static SORT: LazyId = LazyId::new("sort");
static UNIQ: LazyId = LazyId::new("uniq");
static VALUES: LazyId = LazyId::new("values");

/// Fast path for calls of a function without a block, for suitable arguments.
#[derive(Clone, Copy)]
pub enum Shortcut {
    /// A method of the first argument, if the predicate accepts the arguments.
    Method(&'static LazyId, fn(&[Value]) -> bool),
    /// Another implementation, which may decline.
    Special(fn(&Ruby, &[Value]) -> Option<Value>),
}

impl Shortcut {
    /// Returns the fast path for functions that are declared with this method.
    pub fn of(method: HostMethod) -> Self {
        match method {
            HostMethod::Capitalize => {
                Self::Method(&CAPITALIZE, |args| matches!(args, [text] if is_text(subject(text))))
            }
            HostMethod::Dig => Self::Special(dig),
            HostMethod::Flatten => Self::Special(flatten),
            HostMethod::Join => Self::Method(&JOIN, |args| match subject_slice(args) {
                [array] => is_plain(*array),
                [array, delimiter] => is_plain(*array) && is_text(*delimiter),
                _ => false,
            }),
            HostMethod::Keys => Self::Method(&KEYS, is_hash),
            HostMethod::Sort => Self::Method(&SORT, |args| match subject_slice(args) {
                [array] => is_of(*array, is_text) || is_of(*array, is_integer),
                _ => false,
            }),
            HostMethod::Format => Self::Special(sprintf),
            HostMethod::Unique => Self::Method(&UNIQ, |args| match subject_slice(args) {
                [array] => is_plain(*array),
                _ => false,
            }),
            HostMethod::Values => Self::Method(&VALUES, is_hash),
        }
    }

    /// Answers a call of the Ruby method that is running; `None` if the core has to.
    pub fn call(self, ruby: &Ruby, args: &[Value]) -> Result<Option<Value>, Error> {
        if raw::block_given() || unknown::is_among(args) {
            return Ok(None);
        }
        match (self, args.split_first()) {
            (Self::Method(method, takes), Some((receiver, others))) if takes(args) => {
                receiver.funcall(**method, others).map(Some)
            }
            (Self::Method(..), _) => Ok(None),
            (Self::Special(answer), _) => Ok(answer(ruby, args)),
        }
    }
}

/// Calls Ruby's `format`. If that fails, the core reports the error.
fn sprintf(ruby: &Ruby, args: &[Value]) -> Option<Value> {
    let is_simple = subject_slice(args).iter().all(|arg| is_text(*arg) || is_number(*arg));
    if is_simple { ruby.module_kernel().funcall(*FORMAT, args).ok() } else { None }
}

/// Returns the arguments in one array, arrays replaced by their elements. Ruby's method does the same, but checks
/// whether each element can be converted to an array; here it is known that none can.
fn flatten(ruby: &Ruby, args: &[Value]) -> Option<Value> {
    // Shared arrays are traversed again and again: `left` is the number of elements left. The core reports an excess.
    fn collect(
        items: impl Iterator<Item = Value>,
        flat: &mut Vec<Value>,
        depth: Depth,
        left: &mut usize,
    ) -> Option<()> {
        for item in items {
            *left = left.checked_sub(1)?;
            match subject(&item).shape().ok()? {
                Shape::Array(_) => {
                    collect(
                        subject(&item).elements().map(RubySubject::value),
                        flat,
                        depth.deeper().ok()?,
                        left,
                    )?;
                }
                Shape::Undef
                | Shape::Default
                | Shape::Boolean(_)
                | Shape::Integer(_)
                | Shape::Float(_)
                | Shape::String(_)
                | Shape::Hash(_) => flat.push(item),
                Shape::Bytes(_)
                | Shape::LargeInteger { .. }
                | Shape::Regexp
                | Shape::Type
                | Shape::Sensitive(_)
                | Shape::Callable
                | Shape::Iterator
                | Shape::Rich(_)
                | Shape::Uri
                | Shape::Runtime
                | Shape::Unknown(_) => return None,
            }
        }
        Some(())
    }
    // The arguments keep the elements alive, and nothing runs that could change them.
    let mut flat = Vec::new();
    let mut limits = limits::current();
    collect(args.iter().copied(), &mut flat, Depth::nesting(&limits), &mut limits.elements)?;
    Some(ruby.ary_new_from_values(&flat).as_value())
}

/// Returns the element at a path of keys in nested hashes and arrays, if it is a simple value. All else is left to the
/// core, such as values without elements on the path.
fn dig(ruby: &Ruby, args: &[Value]) -> Option<Value> {
    let (data, path) = args.split_first()?;
    let mut found = *data;
    for key in path {
        let key = subject(key);
        let shape = subject(&found).shape().ok()?;
        found = match (shape, key.shape().ok()?) {
            (Shape::Undef, _) => found,
            (Shape::Hash(_), Shape::String(_) | Shape::Integer(_)) => {
                let value = RHash::from_value(found)?.lookup2(key.value(), ruby.qnil());
                value.ok()?
            }
            (Shape::Array(count), Shape::Integer(index)) => {
                let index = usize::try_from(index).ok().filter(|index| *index < count)?;
                RArray::from_value(found)?.entry(isize::try_from(index).ok()?).ok()?
            }
            _ => return None,
        };
    }
    let result = subject(&found);
    let is_simple = is_text(result) || is_number(result) || matches!(result.shape(), Ok(Shape::Undef));
    is_simple.then_some(found)
}

fn is_hash(args: &[Value]) -> bool {
    matches!(subject_slice(args), [hash] if matches!(hash.shape(), Ok(Shape::Hash(_))))
}

/// Returns true if an object is an array of texts and integers, which are the same everywhere.
fn is_plain(object: RubySubject<'_>) -> bool {
    is_of(object, |element| is_text(element) || is_integer(element))
}

fn is_of(array: RubySubject<'_>, has_it: impl Fn(RubySubject<'_>) -> bool) -> bool {
    matches!(array.shape(), Ok(Shape::Array(_))) && array.elements().all(has_it)
}

/// Returns true if it is a string that the core can read.
fn is_text(object: RubySubject<'_>) -> bool {
    matches!(object.shape(), Ok(Shape::String(_)))
}

fn is_number(object: RubySubject<'_>) -> bool {
    matches!(object.shape(), Ok(Shape::Integer(_) | Shape::Float(_)))
}

fn is_integer(object: RubySubject<'_>) -> bool {
    matches!(object.shape(), Ok(Shape::Integer(_)))
}
