//! Resolves the names of functions while code runs.

use std::sync::{Arc, OnceLock};

use super::Machine;
use crate::builtin::reject;
use crate::entity::language::REJECT;
use crate::eval::code::FunctionId;
use crate::eval::function_lookup::Found;
use crate::eval::interner::FunctionName;
use crate::eval::load::load_function;
use crate::eval::shared::Target;
use puppetfn_base::error::Error;

/// The functions that names stand for, as far as they were called since the last of them was defined.
///
/// Code that runs holds one of these, so that a call takes no more than a look into it. When a function
/// is defined, there is another one for the calls that follow.
#[derive(Default)]
pub(super) struct Links {
    generation: u64,
    targets: Box<[OnceLock<Target>]>,
}

impl Links {
    fn new(generation: u64, count: usize) -> Self {
        Self { generation, targets: (0..count).map(|_| OnceLock::new()).collect() }
    }

    fn target(&self, id: FunctionId) -> Option<&Target> {
        self.targets.get(id.0 as usize)?.get()
    }
}

impl Machine {
    /// Returns what a function's name is known to stand for, in code that holds these links.
    #[inline(always)]
    pub(super) fn linked<'l>(&self, links: &'l Links, id: FunctionId) -> Option<&'l Target> {
        if links.generation == self.shared.generation() { links.target(id) } else { None }
    }

    /// Returns the links of code that begins to run.
    pub(super) fn links(&mut self) -> Arc<Links> {
        if self.links.generation != self.shared.generation() {
            self.renew_links();
        }
        Arc::clone(&self.links)
    }

    #[cold]
    fn renew_links(&mut self) {
        // In this order: what is defined meanwhile makes these out of date.
        let generation = self.shared.generation();
        let count = self.shared.interner().function_count();
        self.links = Arc::new(Links::new(generation, count));
    }

    /// Resolves the name of a function; `None` if it stands for nothing.
    pub(super) fn target(&mut self, id: FunctionId) -> Result<Option<Target>, Error> {
        let mut links = self.links();
        if links.targets.len() <= id.0 as usize {
            self.renew_links();
            links = Arc::clone(&self.links);
        }
        if let Some(target) = links.target(id) {
            return Ok(Some(target.clone()));
        }
        let found = match self.shared.function(id) {
            Some(target) => Some(target),
            None => self.find_function(id)?,
        };
        if let (Some(target), Some(link)) = (&found, links.targets.get(id.0 as usize)) {
            link.get_or_init(|| target.clone());
        }
        Ok(found)
    }

    #[cold]
    fn find_function(&mut self, id: FunctionId) -> Result<Option<Target>, Error> {
        let FunctionName { name, module } = self.shared.function_name(id);
        let generation = self.shared.generation();
        if &*name == REJECT {
            return Ok(Some(self.shared.know_function(id, Target::Function(reject()?), generation)));
        }
        if module.is_some()
            && let Some(target) = self.shared.defined_function(&name)
        {
            return Ok(Some(self.shared.know_function(id, target, generation)));
        }
        let target = match self.away(None, |shared| shared.lookup.find(&name, module.as_deref()))? {
            None => return Ok(None),
            Some(Found::Function(function)) => Target::from(function),
            Some(Found::File(text)) => Target::Routine(load_function(&self.shared, &name, &text)?),
        };
        Ok(Some(self.shared.know_function(id, target, generation)))
    }
}
