//! Names that became indexes.

use std::sync::Arc;

use indexmap::IndexSet;

use super::code::{FunctionId, GlobalId};

/// The names of variables of the top scope and of functions that were ever used.
#[derive(Default, Debug)]
pub(super) struct Symbols {
    globals: IndexSet<Arc<str>>,
    functions: IndexSet<Arc<str>>,
}

impl Symbols {
    /// The index of a variable of the top scope, which may be one of a class: `a::b`.
    pub fn global(&mut self, name: &str) -> GlobalId {
        GlobalId(intern(&mut self.globals, name.strip_prefix("::").unwrap_or(name)))
    }

    /// The index of a variable of the top scope that code uses or sets.
    pub fn find_global(&self, name: &str) -> Option<GlobalId> {
        let index = self.globals.get_index_of(name.strip_prefix("::").unwrap_or(name))?;
        Some(GlobalId(index as u32))
    }

    pub fn global_name(&self, id: GlobalId) -> &str {
        self.globals.get_index(id.0 as usize).map_or("", |name| name)
    }

    /// The index of a function.
    pub fn function(&mut self, name: &str) -> FunctionId {
        FunctionId(intern(&mut self.functions, name.strip_prefix("::").unwrap_or(name)))
    }

    pub fn function_name(&self, id: FunctionId) -> Arc<str> {
        self.functions.get_index(id.0 as usize).map_or_else(|| "".into(), Arc::clone)
    }
}

fn intern(names: &mut IndexSet<Arc<str>>, name: &str) -> u32 {
    let index = match names.get_index_of(name) {
        Some(index) => index,
        None => names.insert_full(name.into()).0,
    };
    // A name takes some bytes of a text, and texts are of less than 4 GB.
    index as u32
}
