//! The names of facts, and of variables of the top scope.

use super::super::TextOrigin;
use super::super::facts::FactNames;
use super::super::recorded_facts::recorded_facts;
use super::World;

impl World {
    /// Returns the names of all facts.
    pub(in super::super) fn fact_names(&self) -> Vec<String> {
        self.names_of_facts().all().map(str::to_owned).collect()
    }

    /// Returns true if the variable of a name may have a value that no class or function sets.
    pub(in super::super) fn may_be_set(&self, name: &str, origin: &TextOrigin) -> bool {
        self.declared.variables.contains(name)
            || self.names_of_facts().may_be(name)
            || !self.is_complete_for(origin)
            || self.is_known_to_environment(name)
    }

    /// Returns true if modules or the checked texts themselves set a variable, or add a fact, that Facter may also have.
    pub(in super::super) fn has_own_fact(&self, name: &str) -> bool {
        self.declared.variables.contains(name) || self.names_of_facts().is_of_module(name)
    }

    /// Returns the fact that is meant by the name of a variable of the top scope that nothing sets, if it is a slip away.
    pub(in super::super) fn misspelt_fact(&self, name: &str) -> Option<&'static str> {
        let meant =
            self.names_of_facts().misspelt(name).filter(|_| !self.declared.variables.contains(name))?;
        (!self.is_known_to_environment(name)).then_some(meant)
    }

    fn names_of_facts(&self) -> &FactNames {
        self.facts.get_or_init(|| FactNames::of(&self.loader))
    }

    /// Returns true if nodes of the environment have a fact or a variable of the top scope: its files of facts or the output of its
    /// classifier have it, or Hiera interpolates it.
    fn is_known_to_environment(&self, name: &str) -> bool {
        self.data.interpolates(name)
            || self.recorded_facts.get_or_init(|| recorded_facts(&self.loader, &self.limits)).contains(name)
    }
}
