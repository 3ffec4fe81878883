//! Interned names: each becomes an index.

use std::sync::Arc;

use indexmap::{Equivalent, IndexSet};

use super::code::{FunctionId, GlobalId};
use super::variables::GlobalVariables;

/// Interns the names of functions, and the names of top-scope variables in their table.
#[derive(Debug)]
pub(super) struct Interner {
    variables: Arc<GlobalVariables>,
    functions: IndexSet<FunctionName>,
}

/// A name of a function as code has it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct FunctionName {
    pub name: Arc<str>,
    /// The module of the code, if the name may resolve to another function elsewhere.
    pub module: Option<Arc<str>>,
}

impl Equivalent<FunctionName> for (&str, Option<&str>) {
    fn equivalent(&self, key: &FunctionName) -> bool {
        *self == (&*key.name, key.module.as_deref())
    }
}

impl Interner {
    pub fn new(variables: Arc<GlobalVariables>) -> Self {
        Self { variables, functions: IndexSet::new() }
    }

    /// Returns the index of a variable of the top scope, which may be one of a class: `a::b`.
    pub fn global(&self, name: &str) -> GlobalId {
        self.variables.id(name)
    }

    /// Returns the index of a function, in code of a module where that makes a difference.
    pub fn function(&mut self, name: &str, module: Option<&Arc<str>>) -> FunctionId {
        let name = name.strip_prefix("::").unwrap_or(name);
        let index = match self.functions.get_index_of(&(name, module.map(|module| &**module))) {
            Some(index) => index,
            None => self.functions.insert_full(FunctionName { name: name.into(), module: module.cloned() }).0,
        };
        FunctionId(index as u32)
    }

    /// Returns the index of a function that was ever called or defined, outside of modules.
    pub fn find_function(&self, name: &str) -> Option<FunctionId> {
        let name = name.strip_prefix("::").unwrap_or(name);
        self.functions.get_index_of(&(name, None)).map(|index| FunctionId(index as u32))
    }

    /// Returns the indices of all functions of a name, in code of any module.
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
