//! Kinds of types: types without their parameters, and the properties that all types of a kind share.

mod table;

use self::table::TYPES;
use super::Type;

/// Kind of a type: the variants of [`Type`] without their parameters. The names that code uses most come first, as the
/// parser looks them up in this order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "named like the variants of `Type`")]
pub enum TypeKind {
    String,
    Integer,
    Optional,
    Array,
    Hash,
    Variant,
    Enum,
    Any,
    Boolean,
    Struct,
    Pattern,
    Undef,
    Numeric,
    Float,
    Callable,
    Tuple,
    NotUndef,
    Type,
    Sensitive,
    Scalar,
    ScalarData,
    Regexp,
    SemVer,
    SemVerRange,
    Binary,
    Uri,
    Collection,
    Timestamp,
    Timespan,
    Iterable,
    Iterator,
    Runtime,
    Init,
    Default,
    Class,
    Resource,
    CatalogEntry,
    Object,
    TypeSet,
    Alias,
    Reference,
    Unit,
    ObjectExtension,
}

/// The table entry of a kind of type.
#[derive(Clone, Copy, Debug)]
pub struct TypeEntry {
    /// The kind.
    pub kind: TypeKind,
    /// Name in the Puppet language.
    pub name: &'static str,
    /// Whether code can use the name.
    pub is_written: bool,
    /// Name of the Object type that describes types of this kind, as serialized types have it.
    pub pcore_name: &'static str,
    /// Definition of that Object type, if code can use it. See Puppet's `pops/types/types.rb`.
    pub pcore_definition: Option<&'static str>,
    /// Ruby class of the type objects.
    pub ruby_class: RubyClass,
    /// Returns the type that the name alone denotes.
    pub default: fn() -> Type,
}

/// Class of type objects in Puppet's module `Puppet::Pops::Types`.
#[derive(Clone, Copy, Debug)]
pub struct RubyClass {
    /// Name within the module.
    pub name: &'static str,
    /// Name of the superclass; `None` for the class of all types.
    pub superclass: Option<&'static str>,
    /// Parts of the type for which the class has readers, in addition to the readers of the superclass.
    pub parts: &'static [&'static str],
}

/// Classes of Puppet's that only other classes of types inherit from.
pub const ABSTRACT_CLASSES: [RubyClass; 3] = [
    RubyClass { name: "PTypeWithContainedType", superclass: Some("PAnyType"), parts: &["type"] },
    RubyClass { name: "PAbstractTimeDataType", superclass: Some("PScalarType"), parts: &[] },
    RubyClass { name: "PMetaType", superclass: Some("PAnyType"), parts: &[] },
];

/// The names of types in code, with their kinds: a table of its own as the parser searches it for each name.
static NAMES: [(&str, TypeKind); written()] = names();

/// Returns the number of types with a name in code.
#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn written() -> usize {
    let (mut count, mut index) = (0, 0);
    while index < TypeKind::COUNT {
        // The table has an entry for each kind, in the order of the kinds: otherwise this does not compile.
        assert!(TYPES[index].kind as usize == index, "an entry is not at the place of its kind");
        count += TYPES[index].is_written as usize;
        index += 1;
    }
    count
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn names() -> [(&'static str, TypeKind); written()] {
    let mut names = [("", TypeKind::Any); written()];
    let (mut at, mut index) = (0, 0);
    while index < TypeKind::COUNT {
        if TYPES[index].is_written {
            names[at] = (TYPES[index].name, TYPES[index].kind);
            at += 1;
        }
        index += 1;
    }
    names
}

impl TypeKind {
    /// Number of kinds.
    pub const COUNT: usize = Self::ObjectExtension as usize + 1;

    /// Returns the entry of each kind.
    pub fn entries() -> &'static [TypeEntry] {
        &TYPES
    }

    /// Returns the kind of the type with this name in code. Case is ignored, as in Puppet.
    pub fn find(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, kind)| *kind)
    }

    /// Returns the names that code can use.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// Returns the entry of the kind in the table.
    pub fn entry(self) -> &'static TypeEntry {
        // Each kind has an entry.
        TYPES.get(self as usize).unwrap_or(&TYPES[0])
    }

    /// Returns the name in the Puppet language.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns the name of the Object type that describes types of this kind.
    pub fn pcore_name(self) -> &'static str {
        self.entry().pcore_name
    }

    /// Returns the type that the name alone denotes.
    pub fn default_type(self) -> Type {
        (self.entry().default)()
    }
}

impl Type {
    /// Returns the kind.
    pub fn kind(&self) -> TypeKind {
        match self {
            Self::Any => TypeKind::Any,
            Self::Unit => TypeKind::Unit,
            Self::Undef => TypeKind::Undef,
            Self::Default => TypeKind::Default,
            Self::Scalar => TypeKind::Scalar,
            Self::ScalarData => TypeKind::ScalarData,
            Self::Numeric => TypeKind::Numeric,
            Self::Integer(_) => TypeKind::Integer,
            Self::Float(_) => TypeKind::Float,
            Self::Boolean(_) => TypeKind::Boolean,
            Self::String(_) => TypeKind::String,
            Self::Enum(_) => TypeKind::Enum,
            Self::Pattern(_) => TypeKind::Pattern,
            Self::Regexp(_) => TypeKind::Regexp,
            Self::SemVer(_) => TypeKind::SemVer,
            Self::SemVerRange => TypeKind::SemVerRange,
            Self::Binary => TypeKind::Binary,
            Self::Uri(_) => TypeKind::Uri,
            Self::Timestamp(_) => TypeKind::Timestamp,
            Self::Timespan(_) => TypeKind::Timespan,
            Self::Collection(_) => TypeKind::Collection,
            Self::Array(_) => TypeKind::Array,
            Self::Hash(_) => TypeKind::Hash,
            Self::Tuple(_) => TypeKind::Tuple,
            Self::Struct(_) => TypeKind::Struct,
            Self::Variant(_) => TypeKind::Variant,
            Self::Optional(_) => TypeKind::Optional,
            Self::NotUndef(_) => TypeKind::NotUndef,
            Self::Type(_) => TypeKind::Type,
            Self::Iterable(_) => TypeKind::Iterable,
            Self::Iterator(_) => TypeKind::Iterator,
            Self::Sensitive(_) => TypeKind::Sensitive,
            Self::Init(_) => TypeKind::Init,
            Self::Callable(_) => TypeKind::Callable,
            Self::Runtime(_) => TypeKind::Runtime,
            Self::Object(_) => TypeKind::Object,
            Self::ObjectExtension(_) => TypeKind::ObjectExtension,
            Self::TypeSet(_) => TypeKind::TypeSet,
            Self::CatalogEntry => TypeKind::CatalogEntry,
            Self::Class(_) => TypeKind::Class,
            Self::Resource(_) => TypeKind::Resource,
            Self::Alias(_) => TypeKind::Alias,
            Self::Reference(_) => TypeKind::Reference,
        }
    }

    /// Returns true if both types have the same name, ignoring their parameters.
    pub fn same_kind(&self, other: &Self) -> bool {
        self.kind() == other.kind()
    }

    /// Returns the name of the kind: `Integer` for `Integer[1, 2]`.
    pub fn simple_name(&self) -> &'static str {
        self.kind().name()
    }

    /// Returns the name of the Ruby class of its type object, as messages have it.
    pub fn ruby_class(&self) -> String {
        format!("Puppet::Pops::Types::{}", self.kind().entry().ruby_class.name)
    }

    /// Returns the type of this name without parameters: `Integer` for `Integer[1, 2]`, `Enum` for
    /// `Enum[a]`. An alias and a reference, which are nothing without their name, stay as they are.
    #[must_use]
    pub fn default_of_kind(&self) -> Self {
        if let Self::Alias(_) | Self::Reference(_) = self { self.clone() } else { self.kind().default_type() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_of_a_kind_is_that_of_its_types() {
        for entry in TypeKind::entries() {
            let t = entry.kind.default_type();
            // An object type extension has at least one parameter, so its kind has no default type; Puppet uses the type of
            // all types.
            let kind = if entry.kind == TypeKind::ObjectExtension { TypeKind::Any } else { entry.kind };
            assert_eq!(t.kind(), kind, "{}", entry.name);
            assert_eq!(TypeKind::find(entry.name), entry.is_written.then_some(entry.kind));
        }
        assert_eq!(TypeKind::find("semverrange"), Some(TypeKind::SemVerRange));
        assert_eq!(TypeKind::find(""), None);
    }

    #[test]
    fn each_superclass_is_in_the_table() {
        let classes = TypeKind::entries().iter().map(|entry| entry.ruby_class).chain(ABSTRACT_CLASSES);
        let classes: Vec<_> = classes.collect();
        for class in &classes {
            let superclass = class.superclass.unwrap_or("PAnyType");
            assert!(classes.iter().any(|other| other.name == superclass), "{}", class.name);
        }
    }
}
