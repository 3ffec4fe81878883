//! Puppet's built-in functions: one family a file, all of them in one table.

mod block;
mod creation;
mod join;
mod logging;
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
            typing::assert_type(),
            creation::convert_to(),
            logging::crit(),
            logging::debug(),
            logging::emerg(),
            size::empty(),
            logging::err(),
            logging::fail(),
            logging::info(),
            join::join(),
            size::length(),
            block::lest(),
            creation::new(),
            logging::notice(),
            size::size(),
            time::strftime(),
            block::then(),
            typing::type_of(),
            logging::warning(),
            block::with(),
        ])
    });
    &REGISTRY
}
