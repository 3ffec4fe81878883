//! References to resources as Ruby has them, `Puppet::Resource`, read without sending them a message.

use magnus::Value;
use magnus::rb_sys::FromRawValue;
use puppetfn::catalog::Reference;
use puppetfn::types::Type;
use rb_sys::VALUE;

use super::classify::class_ancestry;
use super::uri::text;

/// Ruby's classes of references to resources: the second is for processes in which real Puppet has the name of the first.
const RESOURCE: [&str; 2] = ["Puppet::Resource", "Puppetfn::Puppet::Resource"];

/// Returns true if an object is a `Puppet::Resource`.
pub fn is_reference(object: VALUE) -> bool {
    // Most objects have no title, and need no look at the names of their classes.
    // SAFETY: `object` is a heap object that Ruby code made; asking for a variable calls nothing.
    let has_title = unsafe { rb_sys::rb_ivar_defined(object, rb_sys::rb_intern(c"@title".as_ptr())) } != 0;
    // SAFETY: `object` is a live object on the stack of the caller.
    has_title
        && class_ancestry(unsafe { Value::from_raw(object) }).iter().any(|name| RESOURCE.contains(&&**name))
}

/// Returns the reference that code sees for a `Puppet::Resource`.
pub fn read(object: VALUE) -> Option<Type> {
    let type_name = text(object, c"@type")?;
    // The initial class and stage have a Symbol for a title.
    let title = text(object, c"@title").unwrap_or_else(|| "main".to_owned());
    Reference::given(&Reference::new(&type_name, &title).to_type())
}
