//! Interned names: each becomes an index.

use std::sync::Arc;

use indexmap::{Equivalent, IndexSet};

use super::code::{FunctionId, GlobalId};

/// Interns the names of variables of the top scope and of functions.
#[derive(Default, Debug)]
pub(super) struct Interner {
    globals: IndexSet<Arc<str>>,
    functions: IndexSet<FunctionName>,
}

/// A name of a function as code has it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct FunctionName {
    pub name: Arc<str>,
    /// The module of the code, where the name may stand for something else elsewhere.
    pub module: Option<Arc<str>>,
}

impl Equivalent<FunctionName> for (&str, Option<&str>) {
    fn equivalent(&self, key: &FunctionName) -> bool {
        *self == (&*key.name, key.module.as_deref())
    }
}

impl Interner {
    /// The index of a variable of the top scope, which may be one of a class: `a::b`.
    pub fn global(&mut self, name: &str) -> GlobalId {
        GlobalId(intern(&mut self.globals, name.strip_prefix("::").unwrap_or(name)))
    }

    /// The index of a variable of the top scope that code uses or sets.
    pub fn find_global(&self, name: &str) -> Option<GlobalId> {
        let index = self.globals.get_index_of(name.strip_prefix("::").unwrap_or(name))?;
        Some(GlobalId(index as u32))
    }

    /// The variables of the top scope, without those of classes and nodes.
    pub fn globals_of_top(&self) -> impl Iterator<Item = (&str, GlobalId)> {
        let globals = self.globals.iter().enumerate().filter(|(_, name)| !name.contains("::"));
        globals.map(|(index, name)| (&**name, GlobalId(index as u32)))
    }

    /// The variables of the class or node of this name, by their names in it.
    pub fn globals_of(&self, class: &str) -> impl Iterator<Item = (&str, GlobalId)> {
        self.globals.iter().enumerate().filter_map(move |(index, name)| {
            let name = name.strip_prefix(class)?.strip_prefix("::")?;
            (!name.contains("::")).then_some((name, GlobalId(index as u32)))
        })
    }

    pub fn global_name(&self, id: GlobalId) -> &str {
        self.globals.get_index(id.0 as usize).map_or("", |name| name)
    }

    /// The index of a function, in code of a module where that makes a difference.
    pub fn function(&mut self, name: &str, module: Option<&Arc<str>>) -> FunctionId {
        let name = name.strip_prefix("::").unwrap_or(name);
        let index = match self.functions.get_index_of(&(name, module.map(|module| &**module))) {
            Some(index) => index,
            None => self.functions.insert_full(FunctionName { name: name.into(), module: module.cloned() }).0,
        };
        FunctionId(index as u32)
    }

    /// The index of a function that was ever called or defined, outside of modules.
    pub fn find_function(&self, name: &str) -> Option<FunctionId> {
        let name = name.strip_prefix("::").unwrap_or(name);
        self.functions.get_index_of(&(name, None)).map(|index| FunctionId(index as u32))
    }

    /// The indices of all functions of a name, in code of any module.
    pub fn functions_named(&self, name: &str) -> Vec<FunctionId> {
        let named = |(index, function): (usize, &FunctionName)| (&*function.name == name).then_some(index);
        self.functions.iter().enumerate().filter_map(named).map(|index| FunctionId(index as u32)).collect()
    }

    pub fn function_count(&self) -> usize {
        self.functions.len()
    }

    pub fn function_name(&self, id: FunctionId) -> FunctionName {
        let nameless = || FunctionName { name: "".into(), module: None };
        self.functions.get_index(id.0 as usize).map_or_else(nameless, Clone::clone)
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
