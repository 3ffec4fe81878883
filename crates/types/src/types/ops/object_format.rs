//! Object types and type sets as text.
//!
//! See Puppet's `pops/types/type_formatter.rb`.

use std::fmt;
use std::sync::Arc;

use super::format::Printer;
use super::infer;
use crate::types::{
    Definition, Member, MemberKind, Members, ObjectExtension, ObjectRef, ObjectType, Type, TypeSetRef,
    TypeSetReference, TypeSetType,
};
use crate::value::{Hash, QuotedString, Value};
use puppetfn_base::limits::Limits;

impl Printer<'_> {
    /// Prints an Object type: by its name, or, if names are expanded, with its whole definition. The definition of a type
    /// with features cannot be written in this form, so the type is printed by its name.
    pub(super) fn object(&mut self, t: &Type, object: &ObjectRef) -> fmt::Result {
        let within = self.type_set.as_ref().and_then(|set| set.name_of(t));
        match (self.expand, object.get()) {
            (true, Some(definition)) if definition.model().is_none() => {
                let is_own = within.as_deref().is_some_and(|name| !name.contains("::"));
                self.definition(&definition, !is_own)
            }
            (true | false, _) => self.out.write_str(within.as_deref().unwrap_or(object.name())),
        }
    }

    /// Prints `Object[{...}]`. Types in it are shown by name.
    fn definition(&mut self, object: &ObjectType, with_name: bool) -> fmt::Result {
        self.out.write_str("Object[")?;
        self.expand = false;
        self.entries(object_parts(object, with_name), |printer, (key, part)| {
            write!(printer.out, "{key} => ")?;
            printer.object_part(part)
        })?;
        self.expand = true;
        self.out.write_char(']')
    }

    fn object_part(&mut self, part: ObjectPart<'_>) -> fmt::Result {
        match part {
            ObjectPart::Value(value) => self.value(&value),
            ObjectPart::Type(t) => self.print(t),
            ObjectPart::Constants(constants) => self.entries(constants, |printer, constant| {
                write!(printer.out, "{} => ", QuotedString(&constant.name))?;
                printer.value(constant.value.as_ref().unwrap_or(&Value::Undef))
            }),
            ObjectPart::Members(members) => self.entries(members, |printer, member| {
                write!(printer.out, "{} => ", QuotedString(&member.name))?;
                printer.member(&member)
            }),
            ObjectPart::Names(names) => {
                let names: Vec<Value> = names.iter().map(|name| Value::String(Arc::clone(name))).collect();
                self.value(&names.into())
            }
        }
    }

    /// Prints a member by its type, or by all that is said of it.
    fn member(&mut self, member: &Member) -> fmt::Result {
        let parts = member_parts(member);
        if let [("type", MemberPart::Type(t))] = parts.as_slice() {
            return self.print(t);
        }
        let quoted = member.feature == MemberKind::TypeParameter;
        self.entries(parts, |printer, (key, part)| {
            match quoted {
                true => write!(printer.out, "{} => ", QuotedString(key))?,
                false => write!(printer.out, "{key} => ")?,
            }
            match part {
                MemberPart::Type(t) => printer.print(t),
                MemberPart::Word(word) => printer.out.write_str(word),
                MemberPart::Value(value) => printer.value(&value),
            }
        })
    }

    /// Prints `Name[parameters]`.
    pub(super) fn extension(&mut self, extension: &ObjectExtension) -> fmt::Result {
        let base = Type::Object(extension.base_ref());
        let within = self.type_set.as_ref().and_then(|set| set.name_of(&base));
        self.out.write_str(within.as_deref().unwrap_or(extension.base().simple_name()))?;
        self.out.write_char('[')?;
        match extension.positional() {
            Some(parameters) => {
                for (index, parameter) in parameters.iter().enumerate() {
                    self.out.write_str(if index > 0 { ", " } else { "" })?;
                    self.value(parameter)?;
                }
            }
            None => self.entries(extension.parameters(), |printer, (name, value)| {
                write!(printer.out, "{} => ", QuotedString(name))?;
                printer.value(value)
            })?,
        }
        self.out.write_char(']')
    }

    /// Prints `TypeSet[{...}]`.
    pub(super) fn type_set(&mut self, type_set: &TypeSetRef) -> fmt::Result {
        let Some(definition) = type_set.get() else { return self.out.write_str(type_set.name()) };
        self.out.write_str("TypeSet[")?;
        self.entries(type_set_parts(&definition), |printer, (key, part)| {
            write!(printer.out, "{key} => ")?;
            match part {
                TypeSetPart::Text(text) => write!(printer.out, "{}", QuotedString(&text)),
                TypeSetPart::Annotations(annotations) => printer.value(&Value::Hash(Arc::clone(annotations))),
                TypeSetPart::Types => printer.types_of_set(&definition),
                TypeSetPart::References => {
                    printer.entries(definition.references(), |printer, (name, reference)| {
                        write!(printer.out, "{name} => ")?;
                        printer.value(&Value::Hash(Arc::new(reference_hash(&definition, reference))))
                    })
                }
            }
        })?;
        self.out.write_char(']')
    }

    fn types_of_set(&mut self, type_set: &Arc<Definition<TypeSetType>>) -> fmt::Result {
        let outer = self.type_set.replace(Arc::clone(type_set));
        self.entries(type_set.types(), |printer, (name, value)| {
            write!(printer.out, "{name} => ")?;
            printer.value(value)
        })?;
        self.type_set = outer;
        Ok(())
    }
}

enum ObjectPart<'t> {
    Value(Value),
    Type(&'t Type),
    /// Members of which only the value is shown.
    Constants(Vec<Arc<Member>>),
    Members(Vec<Arc<Member>>),
    Names(&'t [Arc<str>]),
}

/// Returns the parts of an Object type's definition, in Puppet's order.
fn object_parts(t: &ObjectType, with_name: bool) -> Vec<(&'static str, ObjectPart<'_>)> {
    let mut parts = Vec::new();
    if let Some(annotations) = t.annotations() {
        parts.push(("annotations", ObjectPart::Value(Value::Hash(Arc::clone(annotations)))));
    }
    if let Some(name) = t.name().filter(|_| with_name) {
        parts.push(("name", ObjectPart::Value(Value::String(Arc::clone(name)))));
    }
    parts.extend(t.parent().map(|parent| ("parent", ObjectPart::Type(parent))));
    let mut add_members = |key, members: Vec<Arc<Member>>| {
        if !members.is_empty() {
            parts.push((key, ObjectPart::Members(members)));
        }
    };
    let all = |members: &Members| members.values().cloned().collect::<Vec<_>>();
    add_members("type_parameters", all(t.type_parameters()));
    let (constants, attributes): (Vec<_>, Vec<_>) =
        all(t.attributes()).into_iter().partition(is_plain_constant);
    add_members("attributes", attributes);
    if !constants.is_empty() {
        parts.push(("constants", ObjectPart::Constants(constants)));
    }
    if !t.functions().is_empty() {
        parts.push(("functions", ObjectPart::Members(all(t.functions()))));
    }
    parts.extend(t.equality().map(|names| ("equality", ObjectPart::Names(names))));
    parts.extend(t.checks().map(|checks| ("checks", ObjectPart::Value(checks.clone()))));
    parts
}

/// Returns true if a constant is of the very type that its value has in general.
fn is_plain_constant(attribute: &Arc<Member>) -> bool {
    attribute.is_constant()
        && attribute.value.as_ref().is_some_and(|value| {
            infer(value, &Limits::FURTHEST).is_ok_and(|inferred| inferred.generalize() == attribute.t)
        })
}

enum MemberPart<'m> {
    Type(&'m Type),
    Word(&'static str),
    Value(Value),
}

/// Returns the parts of a member's declaration, in Puppet's order.
fn member_parts(member: &Member) -> Vec<(&'static str, MemberPart<'_>)> {
    let is_parameter = member.feature == MemberKind::TypeParameter;
    // Parameters can always be left open.
    let t = if let Type::Optional(Some(t)) = &member.t
        && is_parameter
    {
        t
    } else {
        &member.t
    };
    let mut parts = vec![("type", MemberPart::Type(t))];
    if member.is_final && !member.is_constant() {
        parts.push(("final", MemberPart::Word("true")));
    }
    if member.overrides {
        parts.push(("override", MemberPart::Word("true")));
    }
    if let Some(annotations) = &member.annotations {
        parts.push(("annotations", MemberPart::Value(Value::Hash(Arc::clone(annotations)))));
    }
    parts.extend(member.kind.map(|kind| ("kind", MemberPart::Word(kind.name()))));
    let value = member.value.as_ref().filter(|value| !is_parameter || **value != Value::Undef);
    parts.extend(value.map(|value| ("value", MemberPart::Value(value.clone()))));
    parts
}

/// Returns a hash from which an Object type can be created, including its name.
pub(crate) fn object_init_hash(t: &ObjectType) -> Hash {
    let named = |members: Vec<Arc<Member>>, value: &dyn Fn(&Member) -> Value| -> Value {
        members.iter().map(|member| (Value::String(Arc::clone(&member.name)), value(member))).collect()
    };
    let parts = object_parts(t, true).into_iter().map(|(key, part)| {
        let part = match part {
            ObjectPart::Value(value) => value,
            ObjectPart::Type(t) => t.clone().into(),
            ObjectPart::Constants(constants) => {
                named(constants, &|constant| constant.value.clone().unwrap_or(Value::Undef))
            }
            ObjectPart::Members(members) => named(members, &member_init_hash),
            ObjectPart::Names(names) => {
                names.iter().map(|name| Value::String(Arc::clone(name))).collect::<Vec<_>>().into()
            }
        };
        (key.into(), part)
    });
    parts.collect()
}

/// Returns the type of a member, or a hash with all that is said of it.
fn member_init_hash(member: &Member) -> Value {
    let parts = member_parts(member);
    if let [("type", MemberPart::Type(t))] = parts.as_slice() {
        return Type::clone(t).into();
    }
    let parts = parts.into_iter().map(|(key, part)| {
        let part = match part {
            MemberPart::Type(t) => t.clone().into(),
            MemberPart::Word("true") => true.into(),
            MemberPart::Word(word) => word.into(),
            MemberPart::Value(value) => value,
        };
        (key.into(), part)
    });
    parts.collect()
}

enum TypeSetPart<'t> {
    Text(String),
    Annotations(&'t Arc<Hash>),
    Types,
    References,
}

/// Returns the parts of a type set's definition, in Puppet's order.
fn type_set_parts(t: &TypeSetType) -> Vec<(&'static str, TypeSetPart<'_>)> {
    let mut parts = Vec::new();
    parts.extend(t.annotations().map(|annotations| ("annotations", TypeSetPart::Annotations(annotations))));
    let (pcore_version, pcore_uri) = t.pcore();
    let mut add = |key, text: Option<String>| parts.extend(text.map(|text| (key, TypeSetPart::Text(text))));
    add("pcore_uri", pcore_uri.map(|uri| uri.to_string()));
    add("pcore_version", Some(pcore_version.to_string()));
    add("name_authority", t.name_authority().map(|authority| authority.to_string()));
    add("name", t.name().map(|name| name.to_string()));
    add("version", t.version().map(|version| version.to_string()));
    if !t.types().is_empty() {
        parts.push(("types", TypeSetPart::Types));
    }
    if !t.references().is_empty() {
        parts.push(("references", TypeSetPart::References));
    }
    parts
}

fn reference_hash(owner: &TypeSetType, reference: &TypeSetReference) -> Hash {
    let authority =
        reference.name_authority.as_ref().filter(|authority| Some(*authority) != owner.name_authority());
    let authority = authority.map(|authority| ("name_authority", authority.to_string()));
    let entries = authority.into_iter().chain([
        ("name", reference.name.to_string()),
        ("version_range", reference.version_range.to_string()),
    ]);
    entries.map(|(key, text)| (Value::from(key), Value::from(text))).collect()
}
