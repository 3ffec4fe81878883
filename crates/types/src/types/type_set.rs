//! Type sets from the hashes that define them.
//!
//! See Puppet's `pops/types/p_type_set_type.rb`.

use std::sync::{Arc, LazyLock};

use indexmap::IndexMap;

use super::builtin;
use super::object::{InitTypes, structure};
use super::ops::assert_instance;
use super::parse::known;
use super::{Size, Type, TypeSetRef, TypeSetReference, TypeSetType};
use crate::value::types::type_set::RUNTIME_AUTHORITY;
use crate::value::{Hash, SemVer, SemVerRange, Value};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;

/// The versions of Pcore that are understood.
const UNDERSTOOD: &str = "1.x";

/// Returns the type of the hashes that define sets.
fn init_type() -> &'static Type {
    static TYPE: LazyLock<Type> = LazyLock::new(|| {
        let objects = InitTypes::get();
        let simple_name = || known(r"Pattern[/\A[A-Z]\w*\z/]");
        let version = || known("Variant[String[1], SemVer]");
        let some = Some(Size::new(1, None));
        let reference = structure([
            ("name", false, objects.name.clone()),
            ("version_range", false, known("Variant[String[1], SemVerRange]")),
            ("name_authority", true, uri()),
            ("annotations", true, objects.annotations.clone()),
        ]);
        let of_types = Type::one_of([Type::Type(None), objects.object.clone()]);
        structure([
            ("pcore_uri", true, uri()),
            ("pcore_version", false, version()),
            ("name_authority", true, uri()),
            ("name", true, objects.name.clone()),
            ("version", true, version()),
            ("types", true, Type::hash(simple_name(), of_types, some)),
            ("references", true, Type::hash(simple_name(), reference, some)),
            ("annotations", true, objects.annotations.clone()),
        ])
    });
    &TYPE
}

/// Returns an address with a scheme.
fn uri() -> Type {
    super::uri::ABSOLUTE.clone()
}

impl Type {
    /// `TypeSet[init]`: the set that a hash defines.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::TypeAssertion`] if the hash does not define a set, and with
    /// [`puppetfn_base::error::ErrorKind::TypeParameters`] if it contradicts itself; otherwise with the errors of its
    /// versions.
    pub fn type_set(init: &Value, limits: &Limits) -> Result<Self, Error> {
        if matches!(init, Value::Hash(init) if init.is_empty()) {
            return Ok(builtin::type_set());
        }
        let set = TypeSetType::from_value(init, limits)?;
        let name = set.name.clone().unwrap_or_default();
        Ok(Self::TypeSet(TypeSetRef::new(name, set)))
    }
}

impl TypeSetType {
    /// Returns the set that a hash defines. Its references are not resolved yet.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::TypeAssertion`] if the hash does not define a set, and with [`ErrorKind::TypeParameters`] if
    /// it contradicts itself; otherwise with the errors of its versions.
    fn from_value(init: &Value, limits: &Limits) -> Result<Self, Error> {
        assert_instance(|| "TypeSet initializer".into(), init_type(), init, limits)?;
        let Value::Hash(init) = init else { return Self::from_init(None, None, &Hash::default(), limits) };
        Self::from_init(None, None, init, limits)
    }

    /// Returns a set with a name, from the hash of its definition.
    ///
    /// # Errors
    /// The same errors as [`Self::from_value`]. Fails too with [`ErrorKind::TypeAssertion`] if the name is not a name of a
    /// type.
    pub(super) fn from_definition(name: &str, init: &Hash, limits: &Limits) -> Result<Self, Error> {
        assert_instance(|| "TypeSet name".into(), &InitTypes::get().name, &name.into(), limits)?;
        let whole = Value::Hash(Arc::new(init.clone()));
        assert_instance(|| "TypeSet initializer".into(), init_type(), &whole, limits)?;
        Self::from_init(Some(name.into()), Some(RUNTIME_AUTHORITY), init, limits)
    }

    fn from_init(
        name: Option<Arc<str>>,
        name_authority: Option<&str>,
        init: &Hash,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let name = name.or_else(|| text(init, "name"));
        let shown = name.as_deref().unwrap_or_default();
        let name_authority = name_authority.map(Arc::from).or_else(|| text(init, "name_authority"));
        let pcore_version = version(init, "pcore_version")?.unwrap_or_else(|| SemVer::stable(0, 0, 0));
        if !SemVerRange::parse(UNDERSTOOD, limits)?.includes(&pcore_version) {
            return Err(invalid(format!(
                "The pcore version for TypeSet '{shown}' is not understood by this runtime. \
                 Expected range {UNDERSTOOD}, got {pcore_version}"
            )));
        }
        let types: IndexMap<_, _> = entries(init, "types").collect();
        let mut references: IndexMap<Arc<str>, TypeSetReference> = IndexMap::new();
        for (alias, reference) in entries(init, "references") {
            let Value::Hash(reference) = reference else { continue };
            let reference = TypeSetReference::from_init(&reference, limits)?;
            reference.check_repetition(shown, name_authority.as_deref(), references.values())?;
            if types.contains_key(&alias) {
                return Err(invalid(format!(
                    "TypeSet '{shown}' references a TypeSet using alias '{alias}'. \
                     The alias collides with the name of a declared type"
                )));
            }
            references.insert(alias, reference);
        }
        Ok(Self {
            pcore_uri: text(init, "pcore_uri"),
            pcore_version,
            name_authority,
            name,
            version: version(init, "version")?,
            types,
            references,
            annotations: hash(init, "annotations"),
        })
    }

    /// Resolves the references to other sets.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::TypeParameters`] if one cannot be found, is not a set, or is of another version; otherwise
    /// with the errors of `find`.
    pub(super) fn resolve_references(
        &mut self,
        find: impl Fn(&str) -> Result<Option<Type>, Error>,
    ) -> Result<(), Error> {
        let owner = self.name.as_deref().unwrap_or_default();
        for reference in self.references.values_mut() {
            let found = find(&reference.name)?;
            reference.type_set = Some(reference.checked(owner, found)?);
        }
        Ok(())
    }

    /// Replaces the types.
    pub(super) fn with_types(self, types: IndexMap<Arc<str>, Value>) -> Self {
        Self { types, ..self }
    }
}

impl TypeSetReference {
    fn from_init(init: &Hash, limits: &Limits) -> Result<Self, Error> {
        let version_range = match init.get_str("version_range") {
            Some(Value::SemVerRange(range)) => (**range).clone(),
            Some(Value::String(range)) => SemVerRange::parse(range, limits)?,
            _ => SemVerRange::parse("*", limits)?,
        };
        Ok(Self {
            name_authority: text(init, "name_authority"),
            name: text(init, "name").unwrap_or_default(),
            version_range,
            type_set: None,
        })
    }

    /// Checks that no other reference is to the same set. In Puppet, any two version ranges overlap.
    fn check_repetition<'r>(
        &self,
        owner: &str,
        authority: Option<&str>,
        mut others: impl Iterator<Item = &'r Self>,
    ) -> Result<(), Error> {
        let own = self.name_authority.as_deref().or(authority);
        let repeated = others
            .any(|other| other.name == self.name && other.name_authority.as_deref().or(authority) == own);
        if repeated {
            let (authority, name) = (own.unwrap_or_default(), &self.name);
            return Err(invalid(format!(
                "TypeSet '{owner}' references TypeSet '{authority}/{name}' more than once \
                 using overlapping version ranges"
            )));
        }
        Ok(())
    }

    fn checked(&self, owner: &str, found: Option<Type>) -> Result<TypeSetRef, Error> {
        let label = format!("TypeSet '{owner}' reference to TypeSet named '{}'", self.name);
        let type_set = match found {
            Some(Type::TypeSet(type_set)) => type_set,
            Some(other) => return Err(invalid(format!("{label} resolves to a {}", other.name()))),
            None => return Err(invalid(format!("{label} cannot be resolved"))),
        };
        let version = type_set.with_target(|type_set| type_set.and_then(|type_set| type_set.version.clone()));
        match version {
            Some(version) if !self.version_range.includes(&version) => Err(invalid(format!(
                "{label} resolves to an incompatible version. Expected {}, got {version}",
                self.version_range
            ))),
            // Sets that refer to each other: the other one is not complete yet.
            Some(_) | None => Ok(type_set),
        }
    }
}

fn version(init: &Hash, key: &str) -> Result<Option<SemVer>, Error> {
    match init.get_str(key) {
        Some(Value::SemVer(version)) => Ok(Some((**version).clone())),
        Some(Value::String(version)) => SemVer::parse(version).map(Some),
        _ => Ok(None),
    }
}

fn text(init: &Hash, key: &str) -> Option<Arc<str>> {
    if let Some(Value::String(text)) = init.get_str(key) { Some(Arc::clone(text)) } else { None }
}

fn hash(init: &Hash, key: &str) -> Option<Arc<Hash>> {
    if let Some(Value::Hash(hash)) = init.get_str(key) { Some(Arc::clone(hash)) } else { None }
}

fn entries(init: &Hash, key: &str) -> impl Iterator<Item = (Arc<str>, Value)> {
    let entries: Vec<_> = hash(init, key).iter().flat_map(|hash| hash.iter()).filter_map(named).collect();
    entries.into_iter()
}

fn named((name, value): (&Value, &Value)) -> Option<(Arc<str>, Value)> {
    if let Value::String(name) = name { Some((Arc::clone(name), value.clone())) } else { None }
}

#[cold]
fn invalid(message: String) -> Error {
    Error::new(ErrorKind::TypeParameters, message)
}
