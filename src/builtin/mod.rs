//! Puppet's built-in functions: one family a file, all of them in one table.

mod block;
mod control;
mod creation;
mod grouping;
mod iteration;
mod join;
mod logging;
mod predicate;
mod size;
mod time;
mod typing;

use std::sync::LazyLock;

use crate::function::Registry;

/// The table of built-in functions.
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
        Registry::new([
            logging::alert(),
            predicate::all(),
            predicate::any(),
            typing::assert_type(),
            control::break_(),
            control::call(),
            creation::convert_to(),
            logging::crit(),
            logging::debug(),
            logging::emerg(),
            iteration::each(),
            size::empty(),
            logging::err(),
            logging::fail(),
            iteration::filter(),
            grouping::group_by(),
            predicate::index(),
            logging::info(),
            join::join(),
            size::length(),
            block::lest(),
            iteration::map(),
            creation::new(),
            control::next(),
            logging::notice(),
            grouping::partition(),
            iteration::reduce(),
            iteration::reverse_each(),
            control::return_(),
            size::size(),
            grouping::slice(),
            iteration::step(),
            time::strftime(),
            block::then(),
            typing::type_of(),
            logging::warning(),
            block::with(),
        ])
    });
    &REGISTRY
}
