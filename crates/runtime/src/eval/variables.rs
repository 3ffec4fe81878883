//! The variables of the top scope.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use super::code::GlobalId;
use puppetfn_base::error::Error;
use puppetfn_base::host::HostRef;
use puppetfn_catalog::NameMap;
use puppetfn_types::value::{FrozenText, Value};

/// The value of a variable of the top scope.
#[derive(Clone, Debug)]
pub struct GlobalVariable {
    /// The value as code sees it.
    pub value: Value,
    /// The object of the host that the value was converted from, for functions of the host that read the variable.
    pub object: Option<HostRef>,
}

/// Variables by their names; `None` for a name that code uses and that has no value.
type Table = NameMap<Arc<str>, Option<GlobalVariable>>;

/// The variables of the top scope, in one table for each runtime. Variables of classes and nodes are among them, with a
/// prefix: `a::x`. A name may begin with `::`.
///
/// The host can set and read them before a runtime exists. Clones are independent of each other; they share the table until
/// one of them changes.
///
/// ```
/// use puppetfn::eval::{Runtime, GlobalVariables};
/// use std::sync::Arc;
///
/// let variables = Arc::new(GlobalVariables::default());
/// variables.set("port", 80.into(), None);
/// let runtime = Runtime::builder().variables(Arc::clone(&variables)).build();
/// runtime.evaluate("$next = $port + 1", None)?;
/// assert_eq!(variables.get("next").map(|next| next.value), Some(81.into()));
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
#[derive(Default, Debug)]
pub struct GlobalVariables {
    table: RwLock<Arc<Table>>,
    /// Variables of classes that many tables share, such as the settings. The own table hides them.
    shared: RwLock<Arc<Table>>,
    changes: AtomicU64,
    /// Whether there was a variable whose name code cannot have, as a fact `a-b`.
    has_odd_names: AtomicBool,
    /// Marks of the texts of facts and the like.
    frozen: RwLock<Vec<Arc<[FrozenText]>>>,
}

impl GlobalVariables {
    /// Keeps Ruby code from changing the texts in a value, for the lifetime of these variables.
    pub fn freeze(&self, value: &Value) {
        let marks = FrozenText::mark_all(value);
        self.frozen.write().unwrap_or_else(PoisonError::into_inner).push(marks.into());
    }

    /// Returns the variable of this name, if it has a value.
    pub fn get(&self, name: &str) -> Option<GlobalVariable> {
        let name = plain(name);
        if let Some(Some(own)) = self.table().get(name) {
            return Some(own.clone());
        }
        self.shared().get(name)?.clone()
    }

    /// Returns true if the variable has a value.
    pub fn has(&self, name: &str) -> bool {
        let name = plain(name);
        matches!(self.table().get(name), Some(Some(_))) || matches!(self.shared().get(name), Some(Some(_)))
    }

    /// Sets a variable, whatever it was before.
    pub fn set(&self, name: &str, value: Value, object: Option<HostRef>) {
        let variable = Some(GlobalVariable { value, object });
        self.note_name(name);
        self.change(|table| match table.get_mut(plain(name)) {
            Some(known) => *known = variable,
            None => _ = table.insert(plain(name).into(), variable),
        });
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    /// Notes the name of a new variable.
    pub(super) fn note_name(&self, name: &str) {
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':')) {
            self.has_odd_names.store(true, Ordering::Relaxed);
        }
    }

    /// Returns true if there was a variable whose name code cannot have.
    pub(super) fn has_odd_names(&self) -> bool {
        self.has_odd_names.load(Ordering::Relaxed)
    }

    /// Shares the variables of another table, which must be variables of classes with values that never change. There are
    /// hundreds of settings, so that they are not copied for each runtime.
    pub fn share(&self, others: &Self) {
        *self.shared.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&others.table());
        let marks = others.frozen.read().unwrap_or_else(PoisonError::into_inner).clone();
        self.frozen.write().unwrap_or_else(PoisonError::into_inner).extend(marks);
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    /// Calls a function without the shared variables, which then replace own ones of the same names.
    pub(super) fn without_shared<R>(&self, evaluate: impl FnOnce() -> R) -> R {
        let replace =
            |table| mem::replace(&mut *self.shared.write().unwrap_or_else(PoisonError::into_inner), table);
        let shared = replace(Arc::default());
        let result = evaluate();
        self.change(|table| {
            for (name, variable) in table.iter_mut() {
                if shared.contains_key(name) {
                    *variable = None;
                }
            }
        });
        replace(shared);
        self.changes.fetch_add(1, Ordering::AcqRel);
        result
    }

    /// Returns the variables that have values, without variables of classes and nodes.
    pub fn of_top(&self) -> Vec<(Arc<str>, GlobalVariable)> {
        let table = self.table();
        let valued = table.iter().filter_map(|(name, variable)| Some((name, variable.as_ref()?)));
        let own = valued.filter(|(name, _)| !name.contains("::"));
        own.map(|(name, variable)| (Arc::clone(name), variable.clone())).collect()
    }

    /// Returns the variables of the class or node of this name, by their names in it.
    pub(super) fn of_class(&self, class: &str) -> Vec<(Arc<str>, Value)> {
        let own = |(name, variable): (&Arc<str>, &Option<GlobalVariable>)| {
            let name = name.strip_prefix(class)?.strip_prefix("::")?;
            let variable = variable.as_ref().filter(|_| !name.contains("::"))?;
            Some((name.into(), variable.value.clone()))
        };
        // The own variables come last, as they hide shared ones of the same name.
        let (table, shared) = (self.table(), self.shared());
        shared.iter().chain(table.iter()).filter_map(own).collect()
    }

    /// Returns the index of a name, by which compiled code knows the variable.
    pub(super) fn id(&self, name: &str) -> GlobalId {
        let name = plain(name);
        let known = self.table().get_index_of(name);
        let index = known.unwrap_or_else(|| {
            // Another thread may have added it.
            let add = |table: &mut Table| {
                table.get_index_of(name).unwrap_or_else(|| table.insert_full(name.into(), None).0)
            };
            self.change(add)
        });
        // A name takes some bytes of a text, and texts are of less than 4 GB.
        GlobalId(index as u32)
    }

    pub(super) fn name(&self, id: GlobalId) -> Arc<str> {
        self.table().get_index(id.0 as usize).map_or_else(|| "".into(), |(name, _)| Arc::clone(name))
    }

    /// Returns the value of a variable, if it has one.
    pub(super) fn value(&self, id: GlobalId) -> Option<Value> {
        match self.table().get_index(id.0 as usize)? {
            (_, Some(variable)) => Some(variable.value.clone()),
            (name, None) => Some(self.shared().get(name)?.as_ref()?.value.clone()),
        }
    }

    /// Sets a variable, unless it has a value. Returns true if it had none.
    pub(super) fn assign(&self, id: GlobalId, value: Value) -> bool {
        self.change(|table| match table.get_index_mut(id.0 as usize) {
            Some((name, variable @ None)) if !self.shared().contains_key(name) => {
                *variable = Some(GlobalVariable { value, object: None });
                true
            }
            Some(_) | None => false,
        })
    }

    /// Replaces the values of variables. `update` returns a new value, or `None` to keep the old one.
    ///
    /// # Errors
    /// The first error of `update`.
    pub(super) fn update(
        &self,
        mut update: impl FnMut(&Value) -> Result<Option<Value>, Error>,
    ) -> Result<(), Error> {
        self.change(|table| {
            for variable in table.values_mut().flatten() {
                if let Some(value) = update(&variable.value)? {
                    *variable = GlobalVariable { value, object: None };
                }
            }
            Ok(())
        })
    }

    /// Returns a number that changes when a variable that may have been read has changed.
    pub(super) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    fn shared(&self) -> RwLockReadGuard<'_, Arc<Table>> {
        self.shared.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn table(&self) -> RwLockReadGuard<'_, Arc<Table>> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<R>(&self, change: impl FnOnce(&mut Table) -> R) -> R {
        change(Arc::make_mut(&mut self.table.write().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Clone for GlobalVariables {
    fn clone(&self) -> Self {
        let frozen = self.frozen.read().unwrap_or_else(PoisonError::into_inner).clone();
        Self {
            table: RwLock::new(Arc::clone(&self.table())),
            shared: RwLock::new(Arc::clone(&self.shared())),
            changes: AtomicU64::new(self.changes()),
            has_odd_names: AtomicBool::new(self.has_odd_names()),
            frozen: RwLock::new(frozen),
        }
    }
}

/// Returns the name as the table has it.
fn plain(name: &str) -> &str {
    name.strip_prefix("::").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(variables: &GlobalVariables) -> Vec<String> {
        variables.of_top().into_iter().map(|(name, _)| name.to_string()).collect()
    }

    #[test]
    fn names_that_only_code_uses_are_no_variables() {
        let variables = GlobalVariables::default();
        let id = variables.id("::used");
        variables.set("a::b", 1.into(), None);
        assert!(!variables.has("used"));
        assert_eq!(names(&variables), Vec::<String>::new());
        assert!(variables.assign(id, 2.into()));
        assert!(!variables.assign(id, 3.into()));
        assert_eq!(names(&variables), ["used"]);
        assert_eq!(variables.get("::used").map(|used| used.value), Some(2.into()));
        assert_eq!(variables.of_class("a"), [(Arc::from("b"), Value::from(1))]);
    }

    #[test]
    fn clones_are_independent() {
        let first = GlobalVariables::default();
        first.set("x", 1.into(), None);
        let second = first.clone();
        second.set("y", 2.into(), None);
        second.set("x", 3.into(), None);
        assert_eq!(names(&first), ["x"]);
        assert_eq!(first.get("x").map(|x| x.value), Some(1.into()));
    }

    #[test]
    fn shared_variables_are_there_until_the_own_table_hides_them() {
        let settings = GlobalVariables::default();
        settings.set("settings::noop", false.into(), None);
        let variables = GlobalVariables::default();
        let id = variables.id("settings::noop");
        variables.share(&settings);
        assert_eq!(variables.value(id), Some(false.into()));
        assert!(variables.has("::settings::noop"));
        assert!(!variables.assign(id, true.into()));
        assert_eq!(names(&variables), Vec::<String>::new());
        assert_eq!(variables.of_class("settings"), [(Arc::from("noop"), Value::from(false))]);
        variables.set("settings::noop", true.into(), None);
        assert_eq!(variables.get("settings::noop").map(|noop| noop.value), Some(true.into()));
        assert_eq!(settings.get("settings::noop").map(|noop| noop.value), Some(false.into()));
    }
}
