//! Ruby's own URIs, read without sending them a message.

use std::ffi::CStr;

use magnus::Value;
use magnus::rb_sys::FromRawValue;
use puppetfn::subject::{Shape, Subject};
use puppetfn::value::{Uri, UriParts};
use rb_sys::{Qnil, VALUE};

use super::classify::class_ancestry;
use super::subject::RubySubject;

/// Returns true if an object is a `URI::Generic`.
pub fn is_uri(object: VALUE) -> bool {
    // Most objects have no scheme, and need no look at the names of their classes.
    // SAFETY: `object` is a heap object that Ruby code made; asking for a variable calls nothing.
    let has_scheme = unsafe { rb_sys::rb_ivar_defined(object, id(c"@scheme")) } != 0;
    // SAFETY: `object` is a live object on the stack of the caller.
    has_scheme && class_ancestry(unsafe { Value::from_raw(object) }).iter().any(|name| name == "URI::Generic")
}

/// Returns the URI that an object is; `None` if its parts make none.
pub fn read(object: VALUE) -> Option<Uri> {
    let userinfo = text(object, c"@user").map(|user| match text(object, c"@password") {
        Some(password) => format!("{user}:{password}"),
        None => user,
    });
    let path = text(object, c"@path").map(|path| match text(object, c"@typecode") {
        Some(typecode) => format!("{path};type={typecode}"),
        None => path,
    });
    Uri::assemble(UriParts {
        scheme: text(object, c"@scheme"),
        userinfo,
        host: text(object, c"@host"),
        port: port(object),
        path,
        query: text(object, c"@query"),
        opaque: text(object, c"@opaque"),
        fragment: text(object, c"@fragment"),
    })
    .ok()
}

/// Returns the text in an instance variable, if it is a string.
pub(super) fn text(object: VALUE, name: &CStr) -> Option<String> {
    match RubySubject::of(variable(object, name)).shape() {
        Ok(Shape::String(text)) => Some(text.to_owned()),
        _ => None,
    }
}

fn port(object: VALUE) -> Option<i64> {
    let port = variable(object, c"@port");
    // SAFETY: converted only if it is a small integer.
    rb_sys::FIXNUM_P(port).then(|| unsafe { rb_sys::FIX2LONG(port) })
}

/// Returns an instance variable; nil if it is not set.
fn variable(object: VALUE, name: &CStr) -> VALUE {
    // SAFETY: as in `is_uri`.
    unsafe {
        let name = id(name);
        if rb_sys::rb_ivar_defined(object, name) == 0 {
            Qnil as VALUE
        } else {
            rb_sys::rb_ivar_get(object, name)
        }
    }
}

fn id(name: &CStr) -> rb_sys::ID {
    // SAFETY: the name is NUL-terminated; interning it does not raise.
    unsafe { rb_sys::rb_intern(name.as_ptr()) }
}
