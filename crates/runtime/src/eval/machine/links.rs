//! Resolves the names of functions while code runs.

use std::sync::{Arc, OnceLock};

use super::Machine;
use crate::builtin::reject;
use crate::entity::language::REJECT;
use crate::eval::code::FunctionId;
use crate::eval::function_lookup::FoundFunction;
use crate::eval::interner::FunctionName;
use crate::eval::load::load_function;
use crate::eval::shared::FunctionTarget;
use puppetfn_base::error::Error;

/// The resolved functions of this generation, by their ids.
///
/// Running code holds a table of links, so that a call takes a single look-up in it. When a function is defined, later
/// calls get a new table.
#[derive(Default)]
pub(super) struct FunctionLinks {
    generation: u64,
    targets: Box<[OnceLock<FunctionTarget>]>,
}

impl FunctionLinks {
    fn new(generation: u64, count: usize) -> Self {
        Self { generation, targets: (0..count).map(|_| OnceLock::new()).collect() }
    }

    fn target(&self, id: FunctionId) -> Option<&FunctionTarget> {
        self.targets.get(id.0 as usize)?.get()
    }
}

impl Machine {
    /// Returns the target of a function in code that holds these links; `None` if it is not resolved or the links are stale.
    #[inline(always)]
    pub(super) fn linked<'l>(&self, links: &'l FunctionLinks, id: FunctionId) -> Option<&'l FunctionTarget> {
        if links.generation == self.shared.generation() { links.target(id) } else { None }
    }

    /// Returns the links of code that begins to run.
    pub(super) fn links(&mut self) -> Arc<FunctionLinks> {
        if self.links.generation != self.shared.generation() {
            self.renew_links();
        }
        Arc::clone(&self.links)
    }

    #[cold]
    fn renew_links(&mut self) {
        // The generation is read first: a definition made meanwhile makes these links stale.
        let generation = self.shared.generation();
        let count = self.shared.interner().function_count();
        self.links = Arc::new(FunctionLinks::new(generation, count));
    }

    /// Resolves the name of a function; `None` if there is no function of this name.
    pub(super) fn target(&mut self, id: FunctionId) -> Result<Option<FunctionTarget>, Error> {
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
            None => {
                let generation = self.shared.generation();
                let name = self.shared.function_name(id);
                let target = self.find_function(&name)?;
                target.map(|target| self.shared.know_function(id, target, generation))
            }
        };
        if let (Some(target), Some(link)) = (&found, links.targets.get(id.0 as usize)) {
            link.get_or_init(|| target.clone());
        }
        Ok(found)
    }

    /// Resolves a function's name that is in no code; `None` if there is no function of this name. Names without a function are not
    /// interned: there can be any number of them.
    pub(super) fn target_named(&mut self, name: &str) -> Result<Option<FunctionTarget>, Error> {
        let known = self.shared.interner().find_function(name);
        if let Some(id) = known {
            return self.target(id);
        }
        let generation = self.shared.generation();
        let plain = name.strip_prefix("::").unwrap_or(name);
        let Some(target) = self.find_function(&FunctionName { name: plain.into(), module: None })? else {
            return Ok(None);
        };
        let id = self.shared.interner_mut().function(name, None);
        Ok(Some(self.shared.know_function(id, target, generation)))
    }

    #[cold]
    fn find_function(
        &mut self,
        FunctionName { name, module }: &FunctionName,
    ) -> Result<Option<FunctionTarget>, Error> {
        if &**name == REJECT {
            return Ok(Some(FunctionTarget::Function(reject()?)));
        }
        if module.is_some()
            && let Some(target) = self.shared.defined_function(name)
        {
            return Ok(Some(target));
        }
        let found = self.away(None, |shared| shared.lookup.find(name, module.as_deref()))?;
        Ok(match found {
            None => {
                self.shared.log_complaints();
                None
            }
            Some(FoundFunction::Function(function)) => Some(FunctionTarget::from(function)),
            Some(FoundFunction::File(text)) => {
                Some(FunctionTarget::Routine(load_function(&self.shared, name, &text)?))
            }
        })
    }
}
