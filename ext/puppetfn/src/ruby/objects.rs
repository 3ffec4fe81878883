//! Methods of Ruby objects that the core calls.

use magnus::value::{LazyId, OpaqueId, ReprValue};
use magnus::{RString, Ruby, Value};
use puppetfn::error::{Error as CoreError, ErrorKind};
use puppetfn::host::{HostRef, Objects};

use super::error::to_core;
use super::host_table::fetch;
use super::interruption::answer;
use super::raw::{class_ancestry, once};

static TO_S: LazyId = LazyId::new("to_s");
static INSPECT: LazyId = LazyId::new("inspect");
static EQUALS: LazyId = LazyId::new("==");
static EQL: LazyId = LazyId::new("eql?");

/// Ruby objects that the core holds handles of.
pub struct RubyObjects;

impl Objects for RubyObjects {
    fn to_s(&self, object: &HostRef) -> Result<String, CoreError> {
        text(object, *TO_S)
    }

    fn inspect(&self, object: &HostRef) -> Result<String, CoreError> {
        text(object, *INSPECT)
    }

    fn equals(&self, object: &HostRef, other: &HostRef) -> bool {
        compares(object, *EQUALS, other)
    }

    fn is_same_key(&self, object: &HostRef, other: &HostRef) -> bool {
        compares(object, *EQL, other)
    }

    fn class_without_data(&self, object: &HostRef) -> Option<String> {
        let ruby = Ruby::get().ok()?;
        let object = fetch(&ruby, object).ok()?;
        let has_data = answer(&ruby, object.respond_to("_pcore_type", false)).unwrap_or(true);
        if has_data { None } else { class_ancestry(object).into_iter().next() }
    }
}

/// Calls an object's method that compares it with another.
fn compares(object: &HostRef, method: OpaqueId, other: &HostRef) -> bool {
    let Ok(ruby) = Ruby::get() else { return false };
    let (Ok(object), Ok(other)) = (fetch(&ruby, object), fetch(&ruby, other)) else { return false };
    let equal = once(|| object.funcall::<_, _, Value>(method, (other,)));
    answer(&ruby, equal).is_some_and(|equal| equal.to_bool())
}

/// Calls a method that returns a text.
fn text(object: &HostRef, method: OpaqueId) -> Result<String, CoreError> {
    let ruby = Ruby::get().map_err(|error| CoreError::new(ErrorKind::Internal, error.to_string()))?;
    let text = fetch(&ruby, object).and_then(|object| once(|| object.funcall::<_, _, RString>(method, ())));
    text.and_then(|text| text.to_string()).map_err(|error| to_core(&ruby, &error))
}
