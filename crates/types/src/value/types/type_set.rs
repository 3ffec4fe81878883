//! Type sets that go together.
//!
//! See Puppet's `pops/types/p_type_set_type.rb`.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use indexmap::IndexMap;

use super::{DefinitionUse, Type};
use crate::value::{self, SemVer, SemVerRange, Value};

/// A use of a type set.
pub type TypeSetRef = DefinitionUse<TypeSetType>;

/// The name authority of Puppet's own definitions, and of definitions by name.
pub(crate) const RUNTIME_AUTHORITY: &str = "http://puppet.com/2016.1/runtime";

/// A type set, with a version.
#[derive(Debug)]
pub struct TypeSetType {
    pub(crate) pcore_uri: Option<Arc<str>>,
    pub(crate) pcore_version: SemVer,
    pub(crate) name_authority: Option<Arc<str>>,
    pub(crate) name: Option<Arc<str>>,
    pub(crate) version: Option<SemVer>,
    pub(crate) types: IndexMap<Arc<str>, Value>,
    pub(crate) references: IndexMap<Arc<str>, TypeSetReference>,
    pub(crate) annotations: Option<Arc<value::Hash>>,
}

/// Another type set that one uses.
#[derive(Debug)]
pub struct TypeSetReference {
    /// The authority of its name, if it differs from the authority of the referring set.
    pub name_authority: Option<Arc<str>>,
    /// The name of the set.
    pub name: Arc<str>,
    /// The accepted versions.
    pub version_range: SemVerRange,
    /// The set; `None` if the referring set has no name, as its references are not resolved.
    pub type_set: Option<TypeSetRef>,
}

impl TypeSetType {
    /// Returns the version of Pcore that it is written in, and its address.
    pub fn pcore(&self) -> (&SemVer, Option<&Arc<str>>) {
        (&self.pcore_version, self.pcore_uri.as_ref())
    }

    /// Whose names the types are found by.
    pub fn name_authority(&self) -> Option<&Arc<str>> {
        self.name_authority.as_ref()
    }

    /// Returns the name; `None` for a set that is written where it is used.
    pub fn name(&self) -> Option<&Arc<str>> {
        self.name.as_ref()
    }

    /// Returns the version of the set.
    pub fn version(&self) -> Option<&SemVer> {
        self.version.as_ref()
    }

    /// Returns the types by name. A set that has no name may have the hash that defines an Object type
    /// instead of the type.
    pub fn types(&self) -> &IndexMap<Arc<str>, Value> {
        &self.types
    }

    /// The sets that it uses, by the names that it has for them.
    pub fn references(&self) -> &IndexMap<Arc<str>, TypeSetReference> {
        &self.references
    }

    /// Returns the annotations of the set, by annotation type.
    pub fn annotations(&self) -> Option<&Arc<value::Hash>> {
        self.annotations.as_ref()
    }

    /// Returns the type with this name in the set or, through the set's names for them, in the referenced sets. Case is
    /// ignored.
    pub fn find(&self, name: &str) -> Option<Type> {
        let own = self.types.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        if let Some((_, Value::Type(t))) = own {
            return Some((**t).clone());
        }
        self.find_referenced(name)
    }

    /// The set or type of this name among the sets that it refers to, by the names that it has for
    /// them.
    pub(crate) fn find_referenced(&self, name: &str) -> Option<Type> {
        let (first, rest) = name.split_once("::").map_or((name, None), |(first, rest)| (first, Some(rest)));
        let (_, reference) = self.references.iter().find(|(known, _)| known.eq_ignore_ascii_case(first))?;
        let type_set = reference.type_set.as_ref()?;
        match rest {
            Some(rest) => type_set.get()?.find(rest),
            None => Some(Type::TypeSet(type_set.clone())),
        }
    }

    /// Returns the name that a type has within this set.
    pub fn name_of(&self, t: &Type) -> Option<String> {
        let own = self.types.iter().find(|(_, known)| matches!(known, Value::Type(known) if **known == *t));
        if let Some((name, _)) = own {
            return Some(name.to_string());
        }
        self.references.iter().find_map(|(name, reference)| {
            let within = reference.type_set.as_ref()?.get()?.name_of(t)?;
            Some(format!("{name}::{within}"))
        })
    }
}

/// `TypeSet`: any type set.
pub fn any_type_set() -> Type {
    static ANY: LazyLock<TypeSetRef> = LazyLock::new(|| {
        const NAME: &str = "DefaultTypeSet";
        TypeSetRef::new(
            NAME,
            TypeSetType {
                pcore_uri: Some("http://puppet.com/2016.1/pcore".into()),
                pcore_version: SemVer::stable(1, 0, 0),
                name_authority: Some(RUNTIME_AUTHORITY.into()),
                name: Some(NAME.into()),
                version: Some(SemVer::stable(0, 0, 0)),
                types: IndexMap::new(),
                references: IndexMap::new(),
                annotations: None,
            },
        )
    });
    Type::TypeSet(ANY.clone())
}

impl TypeSetRef {
    /// Returns true if this is the plain `TypeSet`, which comprises all sets.
    pub(crate) fn is_any(&self) -> bool {
        matches!(any_type_set(), Type::TypeSet(any) if any == *self)
    }
}

/// Equality as in Puppet.
impl PartialEq for TypeSetType {
    fn eq(&self, other: &Self) -> bool {
        self.name_authority == other.name_authority
            && self.name == other.name
            && self.version == other.version
    }
}

impl Eq for TypeSetType {}

impl PartialEq for TypeSetRef {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Use(a), Self::Use(b)) => Arc::ptr_eq(a, b) || ***a == ***b,
            // A use within a set's own definition is compared by name alone; other uses compare the definitions.
            (a, b) => a.name() == b.name(),
        }
    }
}

impl Eq for TypeSetRef {}

impl Hash for TypeSetRef {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}
