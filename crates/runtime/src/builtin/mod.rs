//! Puppet's built-in functions: one family a file, all of them in one table.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a function asks for the kinds of values that its signature lets through"
)]

mod annotate;
mod arithmetic;
mod block;
mod case;
mod catalog;
mod collection;
mod compare;
mod control;
mod creation;
#[cfg(feature = "cty")]
mod cty;
mod data;
mod declared;
mod digest;
mod erb;
mod extreme;
mod files;
mod fqdn_rand;
mod generate;
mod grouping;
mod hiera;
mod iteration;
mod join;
mod legacy;
mod logging;
mod lookup;
mod matching;
mod navigation;
mod order;
mod pattern;
mod predicate;
mod replacement;
mod scanf;
mod secrets;
mod sensitive;
mod shell;
mod size;
mod sort;
mod split;
mod sprintf;
mod template;
mod termini;
mod text;
mod time;
mod tree;
mod typing;

use std::sync::{Arc, LazyLock};

use puppetfn_base::error::Error;
use puppetfn_base::target::{Difference, Target};
use puppetfn_types::function::{Declaration, Function, Registry};

/// `reject`, which only code of types can call.
///
/// # Errors
/// Never: its declaration is right.
pub(crate) fn reject() -> Result<Arc<Function>, Error> {
    static REJECT: LazyLock<Result<Arc<Function>, Error>> =
        LazyLock::new(|| iteration::reject().build().map(Arc::new));
    REJECT.clone()
}

/// Returns the functions that are called in place of modules' functions of the same names where secrets are hidden.
pub(crate) fn placeholders() -> &'static Registry {
    static PLACEHOLDERS: LazyLock<Registry> =
        LazyLock::new(|| Registry::new([secrets::node_encrypt(), secrets::node_decrypt()]));
    &PLACEHOLDERS
}

/// Returns the functions of PuppetDB's termini, which are called where no module has a function of the name in another language than
/// Ruby.
pub fn termini() -> &'static Registry {
    static TERMINI: LazyLock<Registry> = LazyLock::new(|| Registry::new([termini::puppetdb_query()]));
    &TERMINI
}

/// Returns the built-in function of a release with this name, if it exists.
///
/// # Errors
/// Never: the declarations of these functions are right.
pub fn function(name: &str, target: Target) -> Result<Option<&'static Arc<Function>>, Error> {
    static WITHOUT_ENCODING: LazyLock<Registry> =
        LazyLock::new(|| Registry::new([matching::regsubst_without_encoding()]));
    if target.has(Difference::RegsubstWithoutEncoding)
        && let Some(function) = WITHOUT_ENCODING.get(name)?
    {
        return Ok(Some(function));
    }
    registry().get(name)
}

/// Returns the table of Puppet 8's built-in functions.
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
        let puppet = [
            arithmetic::abs(),
            logging::alert(),
            predicate::all(),
            predicate::any(),
            annotate::annotate(),
            typing::assert_type(),
            files::binary_file(),
            control::break_(),
            control::call(),
            case::camelcase(),
            case::capitalize(),
            arithmetic::ceiling(),
            text::chomp(),
            text::chop(),
            compare::compare(),
            catalog::contain(),
            creation::convert_to(),
            catalog::create_resources(),
            logging::crit(),
            logging::debug(),
            declared::defined(),
            navigation::dig(),
            digest::digest(),
            case::downcase(),
            iteration::each(),
            logging::emerg(),
            size::empty(),
            template::epp(),
            logging::err(),
            data::eyaml_lookup_key(),
            logging::fail(),
            files::file(),
            iteration::filter(),
            files::find_file(),
            files::find_template(),
            collection::flatten(),
            arithmetic::floor(),
            fqdn_rand::fqdn_rand(),
            generate::generate(),
            navigation::get(),
            navigation::getvar(),
            grouping::group_by(),
            hiera::hiera(),
            hiera::hiera_array(),
            hiera::hiera_hash(),
            hiera::hiera_include(),
            data::hocon_data(),
            predicate::index(),
            control::import(),
            catalog::include(),
            logging::info(),
            template::inline_epp(),
            erb::inline_template(),
            join::join(),
            data::json_data(),
            navigation::keys(),
            size::length(),
            block::lest(),
            lookup::lookup(),
            text::lstrip(),
            iteration::map(),
            matching::match_(),
            extreme::max(),
            digest::md5(),
            extreme::min(),
            files::module_directory(),
            creation::new(),
            control::next(),
            logging::notice(),
            grouping::partition(),
            catalog::realize(),
            iteration::reduce(),
            matching::regsubst(),
            catalog::require(),
            control::return_(),
            iteration::reverse_each(),
            arithmetic::round(),
            text::rstrip(),
            scanf::scanf(),
            digest::sha1(),
            digest::sha256(),
            shell::shellquote(),
            size::size(),
            grouping::slice(),
            sort::sort(),
            split::split(),
            sprintf::sprintf(),
            iteration::step(),
            time::strftime(),
            text::strip(),
            declared::tag(),
            declared::tagged(),
            erb::template(),
            block::then(),
            tree::tree_each(),
            typing::type_of(),
            collection::unique(),
            sensitive::unwrap(),
            case::upcase(),
            navigation::values(),
            compare::versioncmp(),
            logging::warning(),
            block::with(),
            data::yaml_data(),
        ];
        Registry::new(puppet.into_iter().chain(of_cty()))
    });
    &REGISTRY
}

/// Returns the functions of cty's standard library, if they are part of the program.
fn of_cty() -> impl Iterator<Item = Declaration> {
    #[cfg(feature = "cty")]
    return cty::functions();
    #[cfg(not(feature = "cty"))]
    return std::iter::empty();
}
