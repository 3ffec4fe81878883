//! Object types from the hashes that define them.
//!
//! See Puppet's `pops/types/p_object_type.rb`.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use crate::types::ops::{assert_instance, infer};
use crate::types::parse::known;
use crate::types::{
    Member, MemberKind, Members, ObjectAttributeKind, ObjectLayout, ObjectRef, ObjectType, StructMember, Type,
};
use crate::value::types::object::{NAMELESS, invalid, label, resolve_parent};
use crate::value::{Hash, Value};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

/// The hashes that define members and Object types, as types.
pub(in crate::types) struct InitTypes {
    pub name: Type,
    pub object: Type,
    pub annotations: Type,
    attribute: Type,
    function: Type,
}

const NAME: &str = r"Pattern[/\A[A-Z]\w*(?:::[A-Z]\w*)*\z/]";
const MEMBER: &str = r"Pattern[/\A[a-z_]\w*\z/]";
const ANNOTATIONS: &str = r"Optional[Hash[Type[Annotation], Hash[Pattern[/\A[a-z_]\w*\z/], Any]]]";

impl InitTypes {
    pub(in crate::types) fn get() -> &'static Self {
        static TYPES: LazyLock<InitTypes> = LazyLock::new(InitTypes::new);
        &TYPES
    }

    fn new() -> Self {
        let (name, member) = (known(NAME), known(MEMBER));
        let annotations = || ("annotations", false, known(ANNOTATIONS));
        let flag = |name| (name, true, Type::BOOLEAN);
        let by_name = |value| Type::hash(member.clone(), value, None);
        let any_by_name = || by_name(Type::NotUndef(None));
        let function = Type::one_of([member.clone(), Type::string_value("[]")]);
        let equality = Type::one_of([member.clone(), Type::array(member.clone(), None)]);
        Self {
            name: name.clone(),
            annotations: known(ANNOTATIONS),
            object: structure([
                ("name", true, name),
                ("parent", true, Type::Type(None)),
                ("type_parameters", true, any_by_name()),
                ("attributes", true, any_by_name()),
                ("constants", true, by_name(Type::Any)),
                ("functions", true, Type::hash(function, Type::NotUndef(None), None)),
                ("equality", true, equality),
                flag("equality_include_type"),
                ("checks", true, Type::Any),
                annotations(),
            ]),
            attribute: structure([
                ("type", false, Type::Type(None)),
                flag("final"),
                flag("override"),
                ("kind", true, known("Enum[constant, derived, given_or_derived, reference]")),
                ("value", true, Type::Any),
                annotations(),
            ]),
            function: structure([
                ("type", false, known("Type[Callable]")),
                flag("final"),
                flag("override"),
                annotations(),
            ]),
        }
    }
}

/// Returns a struct of members by name, whether they may be missing, and type.
pub(in crate::types) fn structure<const N: usize>(members: [(&str, bool, Type); N]) -> Type {
    Type::struct_of(members.map(|(name, optional, value)| StructMember {
        name: name.into(),
        optional: optional || value.accepts_undef(),
        value,
    }))
}

/// Returns the type that a checked hash defines. `name` overrides its name, and `me` is the reference to the type within
/// its own definition.
pub(super) fn from_init(
    name: Option<Arc<str>>,
    init: &Hash,
    me: Option<&ObjectRef>,
    limits: &Limits,
) -> Result<ObjectType, Error> {
    let whole = Value::Hash(Arc::new(init.clone()));
    assert_instance(|| "object initializer".into(), &InitTypes::get().object, &whole, limits)?;
    let name = name.or_else(|| text(init.get_str("name")));
    let inherited = Inherited::of(name.as_deref(), init, me)?;
    let mut definer = ObjectDefiner { label: name.as_deref().unwrap_or(NAMELESS).into(), inherited, limits };
    let type_parameters = definer.type_parameters(entries(init, "type_parameters"))?;
    let attributes = definer.attributes(init)?;
    let functions = definer.functions(entries(init, "functions"), &attributes)?;
    let includes_type = flag(init, "equality_include_type").unwrap_or(true);
    let equality = definer.equality(init.get_str("equality"), includes_type, &attributes, &functions)?;
    Ok(ObjectType {
        name,
        parent: definer.inherited.parent.take(),
        type_parameters,
        attributes,
        functions,
        equality,
        ignores_type: !includes_type,
        checks: init.get_str("checks").filter(|checks| **checks != Value::Undef).cloned(),
        annotations: annotations(init),
        ..ObjectType::default()
    })
}

/// The inherited part of a definition.
struct Inherited {
    parent: Option<Type>,
    /// The layout of the parent; an empty one where that is no Object type.
    layout: Arc<ObjectLayout>,
    /// The names of the attributes that its objects are compared by.
    equality: HashSet<Arc<str>>,
}

impl Inherited {
    fn of(name: Option<&str>, init: &Hash, me: Option<&ObjectRef>) -> Result<Self, Error> {
        let nothing = |parent| {
            let layout = Arc::new(ObjectLayout::of(std::iter::empty()));
            Ok(Self { parent, layout, equality: HashSet::new() })
        };
        let Some(Value::Type(parent)) = init.get_str("parent") else { return nothing(None) };
        let parent = (**parent).clone();
        if let Type::Reference(text) = &parent {
            return Err(invalid(format!("reference to unresolved type '{text}'")));
        }
        let Some(object) = resolve_parent(&parent) else { return nothing(Some(parent)) };
        if let (Some(me), Some(name)) = (me, name)
            && inherits(&object, me)
        {
            return Err(invalid(format!("The Object type '{name}' inherits from itself")));
        }
        match object.get() {
            Some(t) => Ok(Self { parent: Some(parent), layout: t.layout(), equality: compared(&t) }),
            None => nothing(Some(parent)),
        }
    }
}

/// Returns true if `t` is `me` or inherits from it.
fn inherits(t: &ObjectRef, me: &ObjectRef) -> bool {
    let mut next = Some(t.clone());
    while let Some(t) = next {
        if t.identity() == me.identity() {
            return true;
        }
        next = t.get().and_then(|t| resolve_parent(t.parent()?));
    }
    false
}

/// Returns the names of the attributes that determine the equality of objects, including inherited ones.
fn compared(t: &ObjectType) -> HashSet<Arc<str>> {
    let ancestors = t.ancestors();
    let lineage = ancestors.iter().map(|ancestor| &***ancestor).chain([t]);
    lineage.flat_map(ObjectType::compared).collect()
}

/// Makes the members of one type.
struct ObjectDefiner<'l> {
    label: Arc<str>,
    inherited: Inherited,
    limits: &'l Limits,
}

impl ObjectDefiner<'_> {
    fn type_parameters<'h>(
        &self,
        specs: impl Iterator<Item = (&'h Arc<str>, &'h Value)>,
    ) -> Result<Members, Error> {
        let mut parameters = Members::new();
        for (name, spec) in specs {
            let (t, value) = if let Value::Hash(spec) = spec {
                (spec.get_str("type").cloned(), spec.get_str("value").cloned())
            } else {
                let subject = || label(MemberKind::TypeParameter, &self.label, name);
                assert_instance(subject, &Type::Type(None), spec, self.limits)?;
                (Some(spec.clone()), None)
            };
            let mut spec = Hash::default();
            if let Some(t) = t {
                spec.insert("type".into(), optional(t));
            }
            if let Some(value) = value {
                spec.insert("value".into(), value);
            }
            let parameter = self.attribute(MemberKind::TypeParameter, name, &spec)?;
            parameter.check_override(&self.inherited.layout.type_parameters)?;
            parameters.insert(Arc::clone(name), Arc::new(parameter));
        }
        Ok(parameters)
    }

    fn attributes(&self, init: &Hash) -> Result<Members, Error> {
        let inherited = self.inherited.layout.members();
        let mut specs: Vec<(Arc<str>, Hash)> = Vec::new();
        for (name, spec) in entries(init, "attributes") {
            specs.push((Arc::clone(name), self.attribute_spec(name, spec)?));
        }
        for (name, value) in entries(init, "constants") {
            if specs.iter().any(|(known, _)| known == name) {
                let label = &self.label;
                return Err(invalid(format!(
                    "attribute {label}[{name}] is defined as both a constant and an attribute"
                )));
            }
            // The type has to be general, or the constant could not be overridden.
            let t = infer(value, self.limits)?.generalize();
            let spec = [
                ("type".into(), t.into()),
                ("value".into(), value.clone()),
                ("kind".into(), ObjectAttributeKind::Constant.name().into()),
                ("override".into(), inherited.contains_key(name).into()),
            ];
            specs.push((Arc::clone(name), spec.into_iter().collect()));
        }
        let mut attributes = Members::new();
        for (name, spec) in specs {
            let attribute = self.attribute(MemberKind::Attribute, &name, &spec)?;
            attribute.check_override(&inherited)?;
            attributes.insert(name, Arc::new(attribute));
        }
        Ok(attributes)
    }

    /// Returns the full form of an attribute's declaration.
    fn attribute_spec(&self, name: &str, spec: &Value) -> Result<Hash, Error> {
        if let Value::Hash(spec) = spec {
            return Ok((**spec).clone());
        }
        let subject = || label(MemberKind::Attribute, &self.label, name);
        assert_instance(subject, &Type::Type(None), spec, self.limits)?;
        let mut full: Hash = [("type".into(), spec.clone())].into_iter().collect();
        if matches!(spec, Value::Type(t) if matches!(**t, Type::Optional(_))) {
            full.insert("value".into(), Value::Undef);
        }
        Ok(full)
    }

    fn attribute(&self, feature: MemberKind, name: &Arc<str>, spec: &Hash) -> Result<Member, Error> {
        let label = || label(feature, &self.label, name);
        let whole = Value::Hash(Arc::new(spec.clone()));
        assert_instance(
            || format!("initializer for {}", label()),
            &InitTypes::get().attribute,
            &whole,
            self.limits,
        )?;
        if matches!(&**name, "__ptype" | "__pvalue") {
            return Err(invalid(format!("The attribute '{name}' is reserved and cannot be used")));
        }
        let kind = text(spec.get_str("kind")).and_then(|kind| ObjectAttributeKind::find(&kind));
        let is_constant = kind == Some(ObjectAttributeKind::Constant);
        if is_constant && flag(spec, "final") == Some(false) {
            let message = format!("{} of kind 'constant' cannot be combined with final => false", label());
            return Err(invalid(message));
        }
        let member = self.member(feature, name, spec);
        let value = spec.get_str("value").cloned();
        match (kind, &value) {
            (Some(kind @ (ObjectAttributeKind::Derived | ObjectAttributeKind::GivenOrDerived)), Some(_)) => {
                let (label, kind) = (label(), kind.name());
                return Err(invalid(format!(
                    "{label} of kind '{kind}' cannot be combined with an attribute value"
                )));
            }
            (Some(ObjectAttributeKind::Constant), None) => {
                return Err(invalid(format!("{} of kind 'constant' requires a value", label())));
            }
            (_, Some(Value::Default) | None) => {}
            (_, Some(value)) => {
                assert_instance(|| format!("{} value", label()), &member.t, value, self.limits)?
            }
        }
        Ok(Member { kind, value, is_final: member.is_final || is_constant, ..member })
    }

    fn functions<'h>(
        &self,
        specs: impl Iterator<Item = (&'h Arc<str>, &'h Value)>,
        attributes: &Members,
    ) -> Result<Members, Error> {
        let types = InitTypes::get();
        let inherited = self.inherited.layout.members();
        let mut functions = Members::new();
        for (name, spec) in specs {
            let spec = if let Value::Hash(full) = spec {
                assert_instance(
                    || format!("initializer for function '{name}'"),
                    &types.function,
                    spec,
                    self.limits,
                )?;
                (**full).clone()
            } else {
                static CALLABLE: LazyLock<Type> = LazyLock::new(|| known("Type[Callable]"));
                assert_instance(
                    || label(MemberKind::Function, &self.label, name),
                    &CALLABLE,
                    spec,
                    self.limits,
                )?;
                [("type".into(), spec.clone())].into_iter().collect()
            };
            let function = self.member(MemberKind::Function, name, &spec);
            if attributes.contains_key(name) {
                let label = function.label();
                return Err(invalid(format!("{label} conflicts with attribute with the same name")));
            }
            function.check_override(&inherited)?;
            functions.insert(Arc::clone(name), Arc::new(function));
        }
        Ok(functions)
    }

    /// Returns a member with the properties that attributes and functions have in common.
    fn member(&self, feature: MemberKind, name: &Arc<str>, spec: &Hash) -> Member {
        let t = if let Some(Value::Type(t)) = spec.get_str("type") { (**t).clone() } else { Type::Any };
        Member {
            feature,
            name: Arc::clone(name),
            container: Arc::clone(&self.label),
            t,
            kind: None,
            value: None,
            overrides: flag(spec, "override").unwrap_or(false),
            is_final: flag(spec, "final").unwrap_or(false),
            annotations: annotations(spec),
        }
    }

    fn equality(
        &self,
        names: Option<&Value>,
        includes_type: bool,
        attributes: &Members,
        functions: &Members,
    ) -> Result<Option<Box<[Arc<str>]>>, Error> {
        let names: Box<[Arc<str>]> = if let Some(Value::Array(names)) = names {
            names.iter().filter_map(|name| text(Some(name))).collect()
        } else if let Some(name) = text(names) {
            [name].into()
        } else {
            return Ok(None);
        };
        if !names.is_empty() && !includes_type {
            return Err(invalid(
                "equality_include_type = false cannot be combined with non empty equality specification"
                    .to_owned(),
            ));
        }
        let inherited = self.inherited.layout.members();
        for name in &names {
            let own = || attributes.get(name).or_else(|| functions.get(name));
            self.check_equality(name, inherited.get(name), own)?;
        }
        Ok(Some(names))
    }

    fn check_equality<'m>(
        &self,
        name: &str,
        inherited: Option<&'m Arc<Member>>,
        own: impl FnOnce() -> Option<&'m Arc<Member>>,
    ) -> Result<(), Error> {
        let label = &self.label;
        if let Some(attribute) = inherited
            && attribute.feature == MemberKind::Attribute
            && self.inherited.equality.contains(name)
        {
            let attribute_label = attribute.label();
            let definer = self.definer_of_equality(name);
            return Err(invalid(format!(
                "{label} equality is referencing {attribute_label} which is included in equality of {definer}"
            )));
        }
        match inherited.or_else(own) {
            None => Err(invalid(format!("{label} equality is referencing non existent attribute '{name}'"))),
            Some(member) if member.feature != MemberKind::Attribute => Err(invalid(format!(
                "{label} equality is referencing {}. Only attribute references are allowed",
                member.label()
            ))),
            Some(member) if member.is_constant() => Err(invalid(format!(
                "{label} equality is referencing constant {}. Reference to constant is not allowed in equality",
                member.label()
            ))),
            Some(_) => Ok(()),
        }
    }

    /// Returns the topmost type that compares objects by an attribute.
    fn definer_of_equality(&self, name: &str) -> String {
        let mut definer = self.label.to_string();
        let parent = self.inherited.parent.as_ref().and_then(resolve_parent);
        let mut next = parent.and_then(|parent| parent.get());
        while let Some(t) = next {
            if !compared(&t).contains(name) {
                break;
            }
            t.label().clone_into(&mut definer);
            next = t.parent_object();
        }
        definer
    }
}

/// Returns a type that also accepts undef.
fn optional(t: Value) -> Value {
    if let Value::Type(t) = &t
        && !matches!(**t, Type::Optional(_))
    {
        Type::Optional(Some(Arc::clone(t))).into()
    } else {
        t
    }
}

/// Returns the entries with string keys of the hash at a key.
fn entries<'h>(init: &'h Hash, key: &str) -> impl Iterator<Item = (&'h Arc<str>, &'h Value)> {
    let hash = if let Some(Value::Hash(hash)) = init.get_str(key) { Some(hash) } else { None };
    let entries = hash.into_iter().flat_map(|hash| hash.iter());
    entries
        .filter_map(|(name, value)| if let Value::String(name) = name { Some((name, value)) } else { None })
}

fn text(value: Option<&Value>) -> Option<Arc<str>> {
    if let Some(Value::String(text)) = value { Some(Arc::clone(text)) } else { None }
}

fn flag(spec: &Hash, key: &str) -> Option<bool> {
    if let Some(Value::Boolean(truth)) = spec.get_str(key) { Some(*truth) } else { None }
}

fn annotations(spec: &Hash) -> Option<Arc<Hash>> {
    if let Some(Value::Hash(annotations)) = spec.get_str("annotations") {
        Some(Arc::clone(annotations))
    } else {
        None
    }
}
