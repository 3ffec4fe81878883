//! The classes of Puppet's type objects, and the checks of the objects.

mod checks;

pub use checks::is_instance;

use magnus::value::ReprValue;
use magnus::{Error, Module, Object, RArray, RClass, RHash, RModule, Ruby, TryConvert, Value, function};
use puppetfn::types::TypeKind;

use crate::ruby::puppet_types;
use crate::ruby::raw::{PuppetClass, learn_kinds};

/// The classes that are no types, by name.
const OTHERS: [(&str, PuppetClass); 9] = [
    ("Sensitive", PuppetClass::SensitiveValue),
    ("PuppetProc", PuppetClass::PuppetProc),
    ("Dispatcher", PuppetClass::Dispatcher),
    ("Dispatch", PuppetClass::Dispatch),
    ("PStructElement", PuppetClass::StructElement),
    ("Parser", PuppetClass::Parser),
    ("EppParser", PuppetClass::TemplateParser),
    ("Next", PuppetClass::Next),
    ("Return", PuppetClass::Return),
];

/// Returns the kinds of classes by name, as `Puppetfn::DropIn.learn` takes them.
fn kinds() -> impl Iterator<Item = (&'static str, PuppetClass)> {
    let of_types =
        TypeKind::entries().iter().map(|entry| (entry.ruby_class.name, PuppetClass::Type(entry.kind)));
    of_types.chain(OTHERS)
}

/// @yard
/// @def learn(classes)
/// Sets the kinds of Puppet's classes.
/// @param classes [Hash{Symbol=>Class}] by their names without namespaces
/// @return [void]
/// @raise [ArgumentError] when one is missing
fn learn(ruby: &Ruby, classes: RHash) -> Result<(), Error> {
    let find = |name: &str| {
        let class =
            classes.get(ruby.to_symbol(name)).and_then(|class: Value| RClass::try_convert(class).ok());
        class.ok_or_else(|| Error::new(ruby.exception_arg_error(), format!("class '{name}' is missing")))
    };
    let default = |class: RClass| class.const_get("DEFAULT").unwrap_or_else(|_| ruby.qnil().as_value());
    learn_kinds(kinds().map(|(name, kind)| find(name).map(|class| (class, kind, default(class)))))
}

/// @yard
/// @def learned
/// @return [Array<Symbol>] the names of the classes that `learn` needs
fn learned(ruby: &Ruby) -> RArray {
    ruby.ary_from_iter(kinds().map(|(name, _)| ruby.to_symbol(name)))
}

/// Defines the classes and modules.
pub fn init(ruby: &Ruby, drop_in: RModule) -> Result<(), Error> {
    puppet_types::init(ruby, drop_in)?;
    drop_in.define_singleton_method("learn", function!(learn, 1))?;
    drop_in.define_singleton_method("learned", function!(learned, 0))?;
    checks::init(drop_in)
}
