//! The one owner of Ruby objects that the core refers to.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use super::classes::define_class;
use magnus::gc::Marker;
use magnus::typed_data::Obj;
use magnus::value::{Opaque, ReprValue};
use magnus::{DataTypeFunctions, Error, Ruby, TypedData, Value};
use puppetfn::host::{HostId, HostRef, ReleasedSlots};

/// Holds the objects, and pins them, for as long as the core holds a [`HostRef`] to them.
///
/// There is one table in a process; Ruby's global lock guards it.
#[derive(Default, TypedData)]
#[magnus(class = "Puppetfn::HostTable", free_immediately, mark)]
pub struct HostTable {
    slots: RefCell<Vec<Option<Opaque<Value>>>>,
    free: RefCell<Vec<HostId>>,
    released: Arc<ReleasedSlots>,
}

static TABLE: OnceLock<Opaque<Obj<HostTable>>> = OnceLock::new();

impl DataTypeFunctions for HostTable {
    fn mark(&self, marker: &Marker) {
        for slot in self.slots.borrow().iter().flatten() {
            marker.mark(*slot);
        }
    }
}

impl HostTable {
    fn add(&self, object: Value) -> HostRef {
        self.reclaim();
        // Nothing here allocates Ruby objects, so no garbage collection can see the table borrowed.
        let mut slots = self.slots.borrow_mut();
        let id = self.free.borrow_mut().pop().unwrap_or_else(|| {
            slots.push(None);
            HostId::new(u32::try_from(slots.len() - 1).unwrap_or(u32::MAX))
        });
        if let Some(slot) = slots.get_mut(id.index()) {
            *slot = Some(object.into());
        }
        HostRef::new(id, Arc::clone(&self.released))
    }

    fn reclaim(&self) {
        let mut slots = self.slots.borrow_mut();
        for id in self.released.take() {
            if let Some(slot) = slots.get_mut(id.index()) {
                *slot = None;
                self.free.borrow_mut().push(id);
            }
        }
    }

    fn get(&self, ruby: &Ruby, host: &HostRef) -> Option<Value> {
        let slot = self.slots.borrow().get(host.id().index()).copied().flatten()?;
        Some(ruby.get_inner(slot))
    }
}

fn table(ruby: &Ruby) -> Result<Obj<HostTable>, Error> {
    let table =
        TABLE.get().ok_or_else(|| Error::new(ruby.exception_runtime_error(), "puppetfn is not loaded"))?;
    Ok(ruby.get_inner(*table))
}

/// Keeps an object for as long as the reference, or a clone of it, lives.
pub fn keep(ruby: &Ruby, object: Value) -> Result<HostRef, Error> {
    Ok(table(ruby)?.add(object))
}

/// Returns the object that is referred to.
pub fn fetch(ruby: &Ruby, host: &HostRef) -> Result<Value, Error> {
    let object = table(ruby)?.get(ruby, host);
    object.ok_or_else(|| {
        Error::new(ruby.exception_runtime_error(), "puppetfn lost a Ruby object; please report this")
    })
}

/// Makes the table.
pub fn init(ruby: &Ruby, puppetfn: magnus::RModule) -> Result<(), Error> {
    let _class = define_class::<HostTable>(ruby, puppetfn, "HostTable", ruby.class_object())?;
    puppetfn.funcall::<_, _, Value>("private_constant", (ruby.to_symbol("HostTable"),))?;
    let table = ruby.obj_wrap(HostTable::default());
    ruby.gc_register_mark_object(table);
    TABLE.get_or_init(|| table.into());
    Ok(())
}
