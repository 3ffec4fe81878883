//! The Ruby class of each kind of type, and the components of types.

use magnus::value::Opaque;
use magnus::{Error, Module, Object, RArray, RClass, RHash, RModule, Ruby, Value, method};
use puppetfn::types::{ABSTRACT_CLASSES, RubyClass, TypeKind};

use super::types::wrap;
use crate::ruby::convert::to_object;
use crate::ruby::error::guarded;
use crate::ruby::raw;
use crate::ruby::wrap::set_type_classes;
use crate::ruby::wrapped::RubyType;

/// @yard
/// @def kinds
/// @return [Array<Array(Symbol, Symbol, String, Array<Symbol>)>] the name of each class of types, its superclass, which
///   comes before it, the type's name in code, and the parts that the class has readers for
/// @api private
fn kinds(ruby: &Ruby, _type_class: Value) -> Result<RArray, Error> {
    let of_kinds = TypeKind::entries().iter();
    let of_kinds = of_kinds.map(|entry| (entry.ruby_class, entry.is_written.then_some(entry.name)));
    let mut classes: Vec<_> = of_kinds.chain(ABSTRACT_CLASSES.map(|class| (class, None))).collect();
    classes.sort_by_cached_key(|(class, _)| depth(class));
    let list = ruby.ary_new_capa(classes.len());
    for (class, name) in classes {
        let parts = ruby.ary_from_iter(class.parts.iter().map(|part| ruby.to_symbol(*part)));
        let superclass = class.superclass.map(|name| ruby.to_symbol(name));
        list.push((ruby.to_symbol(class.name), superclass, name, parts))?;
    }
    Ok(list)
}

/// Returns how many classes of types a class inherits from.
fn depth(class: &RubyClass) -> usize {
    let superclass = |class: RubyClass| {
        let classes = TypeKind::entries().iter().map(|entry| entry.ruby_class).chain(ABSTRACT_CLASSES);
        class.superclass.and_then(|name| classes.into_iter().find(|class| class.name == name))
    };
    std::iter::successors(superclass(*class), |class| superclass(*class)).count()
}

/// @yard
/// @def kinds=(classes)
/// Sets the class of the objects of each kind of type, once and for all.
/// @param classes [Hash{Symbol=>Class}] subclasses of Puppetfn::Type by name
/// @api private
fn set_kinds(ruby: &Ruby, _type_class: Value, classes: RHash) -> Result<(), Error> {
    let mut kinds = Vec::with_capacity(TypeKind::COUNT);
    for entry in TypeKind::entries() {
        let class: RClass = classes.fetch(ruby.to_symbol(entry.ruby_class.name))?;
        ruby.gc_register_mark_object(class);
        kinds.push(Opaque::from(class));
    }
    if set_type_classes(kinds) {
        return Ok(());
    }
    Err(Error::new(ruby.exception_runtime_error(), "the classes of the kinds of types are set already"))
}

/// @yard
/// @def defaults
/// @return [Array<Puppetfn::Type>] the types without parameters, one of each class
/// @api private
fn defaults(ruby: &Ruby, _type_class: Value) -> Result<RArray, Error> {
    let kinds = TypeKind::entries().iter().map(|entry| entry.kind);
    let defaults = kinds.map(|kind| (kind, kind.default_type())).filter(|(kind, t)| t.kind() == *kind);
    guarded(ruby, || Ok(ruby.ary_from_iter(defaults.map(|(_, t)| wrap(ruby, t)))))
}

/// @yard
/// @def parts
/// @return [Hash{Symbol=>Object}] the type's components by Puppet's names; nil where it has none
/// @api private
fn parts(ruby: &Ruby, this: &RubyType) -> Result<RHash, Error> {
    guarded(ruby, || {
        let parts = ruby.hash_new();
        for (name, value) in this.0.parts() {
            parts.aset(ruby.to_symbol(name), to_object(ruby, &value)?)?;
        }
        Ok(parts)
    })
}

/// @yard
/// @def iterators=(iterator_class)
/// Sets the class of the values of the type `Iterator`, once and for all.
/// @param iterator_class [Class]
/// @api private
fn set_iterators(_type_class: Value, class: RClass) {
    raw::set_iterators(class);
}

/// Defines the methods.
pub fn init(puppetfn: RModule) -> Result<(), Error> {
    let class: RClass = puppetfn.const_get("Type")?;
    class.define_singleton_method("kinds", method!(kinds, 0))?;
    class.define_singleton_method("kinds=", method!(set_kinds, 1))?;
    class.define_singleton_method("defaults", method!(defaults, 0))?;
    class.define_singleton_method("iterators=", method!(set_iterators, 1))?;
    class.define_method("parts", method!(parts, 0))
}
