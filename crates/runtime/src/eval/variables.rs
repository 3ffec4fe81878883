//! The variables of the top scope.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use indexmap::IndexMap;

use super::code::GlobalId;
use puppetfn_base::error::Error;
use puppetfn_base::host::HostRef;
use puppetfn_types::value::{FrozenText, Value};

/// The value of a variable of the top scope.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The value as code sees it.
    pub value: Value,
    /// The object of the host that the value was converted from, for functions of the host that read the variable.
    pub object: Option<HostRef>,
}

/// Variables by their names; `None` for a name that code uses and that has no value.
type Table = IndexMap<Arc<str>, Option<Variable>>;

/// The variables of the top scope, of which a runtime has one table. Those of classes and nodes are among them, with a
/// prefix: `a::x`. A name may begin with `::`.
///
/// The host can set and read them before there is a runtime. Clones are independent of each other; they share the table until
/// one of them changes.
///
/// ```
/// use puppetfn::eval::{Runtime, Variables};
/// use std::sync::Arc;
///
/// let variables = Arc::new(Variables::default());
/// variables.set("port", 80.into(), None);
/// let runtime = Runtime::builder().variables(Arc::clone(&variables)).build();
/// runtime.evaluate("$next = $port + 1", None)?;
/// assert_eq!(variables.get("next").map(|next| next.value), Some(81.into()));
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
#[derive(Default, Debug)]
pub struct Variables {
    table: RwLock<Arc<Table>>,
    changes: AtomicU64,
    /// Marks of the texts of facts and the like.
    frozen: RwLock<Vec<Arc<[FrozenText]>>>,
}

impl Variables {
    /// Keeps Ruby code from changing the texts in a value, for as long as there are these variables.
    pub fn freeze(&self, value: &Value) {
        let marks = FrozenText::mark_all(value);
        self.frozen.write().unwrap_or_else(PoisonError::into_inner).push(marks.into());
    }

    /// Returns the variable of this name, if it has a value.
    pub fn get(&self, name: &str) -> Option<Variable> {
        self.table().get(plain(name))?.clone()
    }

    /// Returns true if the variable has a value.
    pub fn has(&self, name: &str) -> bool {
        matches!(self.table().get(plain(name)), Some(Some(_)))
    }

    /// Sets a variable, whatever it was before.
    pub fn set(&self, name: &str, value: Value, object: Option<HostRef>) {
        let variable = Some(Variable { value, object });
        self.change(|table| match table.get_mut(plain(name)) {
            Some(known) => *known = variable,
            None => _ = table.insert(plain(name).into(), variable),
        });
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    /// Sets variables to the values that they have in another table.
    pub fn add(&self, others: &Self) {
        let frozen = &others.frozen;
        let others = Arc::clone(&others.table());
        self.change(|table| {
            for (name, variable) in others.iter().filter(|(_, variable)| variable.is_some()) {
                table.insert(Arc::clone(name), variable.clone());
            }
        });
        let marks = frozen.read().unwrap_or_else(PoisonError::into_inner).clone();
        self.frozen.write().unwrap_or_else(PoisonError::into_inner).extend(marks);
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    /// Returns the variables that have values, without those of classes and nodes.
    pub fn of_top(&self) -> Vec<(Arc<str>, Variable)> {
        let table = self.table();
        let valued = table.iter().filter_map(|(name, variable)| Some((name, variable.as_ref()?)));
        let own = valued.filter(|(name, _)| !name.contains("::"));
        own.map(|(name, variable)| (Arc::clone(name), variable.clone())).collect()
    }

    /// Returns the variables of the class or node of this name, by their names in it.
    pub(super) fn of_class(&self, class: &str) -> Vec<(Arc<str>, Value)> {
        let own = |(name, variable): (&Arc<str>, &Option<Variable>)| {
            let name = name.strip_prefix(class)?.strip_prefix("::")?;
            let variable = variable.as_ref().filter(|_| !name.contains("::"))?;
            Some((name.into(), variable.value.clone()))
        };
        self.table().iter().filter_map(own).collect()
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
        Some(self.table().get_index(id.0 as usize)?.1.as_ref()?.value.clone())
    }

    /// Gives a variable a value, unless it has one. Returns true if it had none.
    pub(super) fn assign(&self, id: GlobalId, value: Value) -> bool {
        self.change(|table| match table.get_index_mut(id.0 as usize) {
            Some((_, variable @ None)) => {
                *variable = Some(Variable { value, object: None });
                true
            }
            Some(_) | None => false,
        })
    }

    /// Gives all variables other values. `update` returns what a value is now; `None` if it is the same.
    ///
    /// # Errors
    /// The first that `update` fails with.
    pub(super) fn update(
        &self,
        mut update: impl FnMut(&Value) -> Result<Option<Value>, Error>,
    ) -> Result<(), Error> {
        self.change(|table| {
            for variable in table.values_mut().flatten() {
                if let Some(value) = update(&variable.value)? {
                    *variable = Variable { value, object: None };
                }
            }
            Ok(())
        })
    }

    /// Returns a number that changes when a variable that may have been read has changed.
    pub(super) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    fn table(&self) -> RwLockReadGuard<'_, Arc<Table>> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<R>(&self, change: impl FnOnce(&mut Table) -> R) -> R {
        change(Arc::make_mut(&mut self.table.write().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Clone for Variables {
    fn clone(&self) -> Self {
        let frozen = self.frozen.read().unwrap_or_else(PoisonError::into_inner).clone();
        Self {
            table: RwLock::new(Arc::clone(&self.table())),
            changes: AtomicU64::new(self.changes()),
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

    fn names(variables: &Variables) -> Vec<String> {
        variables.of_top().into_iter().map(|(name, _)| name.to_string()).collect()
    }

    #[test]
    fn names_that_only_code_uses_are_no_variables() {
        let variables = Variables::default();
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
        let first = Variables::default();
        first.set("x", 1.into(), None);
        let second = first.clone();
        second.set("y", 2.into(), None);
        second.set("x", 3.into(), None);
        assert_eq!(names(&first), ["x"]);
        assert_eq!(first.get("x").map(|x| x.value), Some(1.into()));
    }
}
