//! The common type of two types.
//!
//! See Puppet's `pops/types/type_calculator.rb`.

use std::sync::Arc;

use crate::types::{
    CallableType, EnumType, PatternType, ResourceType, RuntimeType, StringType, Type, builtin,
};
use puppetfn_base::host;
use puppetfn_base::limits::Limits;

impl Type {
    /// Returns the common type of both, with Puppet's precision. Undef does not count: the common type of undef and another
    /// type is the other type.
    #[must_use]
    pub fn common(&self, other: &Self) -> Self {
        common(self, other, Limits::DEEPEST)
    }
}

fn common(a: &Type, b: &Type, depth: u32) -> Type {
    let Some(depth) = depth.checked_sub(1) else { return Type::Any };
    match (a, b) {
        (Type::Undef, _) => b.clone(),
        (_, Type::Undef) => a.clone(),
        (Type::Unit, _) => b.clone(),
        (_, Type::Unit) => a.clone(),
        _ if a.assignable(b) => a.clone(),
        _ if b.assignable(a) => b.clone(),
        _ => of_one_kind(a, b, depth).unwrap_or_else(|| abstract_type(a, b, depth)),
    }
}

/// Returns the common type of two types of one kind neither of which is assignable to the other.
fn of_one_kind(a: &Type, b: &Type, depth: u32) -> Option<Type> {
    Some(match (a, b) {
        (Type::Array(a), Type::Array(b)) => Type::array(common(&a.element, &b.element, depth), None),
        (Type::Hash(a), Type::Hash(b)) => {
            Type::hash(common(&a.key, &b.key, depth), common(&a.value, &b.value, depth), None)
        }
        (Type::Class(_), Type::Class(_)) => Type::Class(None),
        (Type::Resource(a), Type::Resource(b)) => {
            let type_name = a.type_name.clone().filter(|_| a.type_name == b.type_name);
            Type::Resource(Arc::new(ResourceType::new(type_name, None)))
        }
        (Type::Integer(a), Type::Integer(b)) => Type::Integer(a.union(*b)),
        (Type::Float(a), Type::Float(b)) => Type::Float(a.union(*b)),
        (Type::String(a), Type::String(b)) => strings(a, b),
        (Type::String(text), Type::Enum(names)) | (Type::Enum(names), Type::String(text)) => match text {
            StringType::Value(text) => enumeration(names.values().iter().chain([text])),
            StringType::Sized(_) => enumeration([]),
        },
        (Type::Enum(a), Type::Enum(b)) => enumeration(a.values().iter().chain(b.values())),
        (Type::Pattern(a), Type::Pattern(b)) => {
            let new = b.patterns.iter().filter(|pattern| !a.patterns.contains(pattern));
            let patterns = a.patterns.iter().chain(new).cloned().collect();
            Type::Pattern(Arc::new(PatternType { patterns }))
        }
        (Type::Variant(a), Type::Variant(b)) => Type::one_of(a.iter().chain(b).cloned()),
        (Type::Regexp(_), Type::Regexp(_)) => Type::Regexp(None),
        (Type::Callable(_), Type::Callable(_)) => Type::Callable(Arc::new(CallableType::default())),
        _ => return None,
    })
}

fn strings(a: &StringType, b: &StringType) -> Type {
    match (a, b) {
        (StringType::Value(a), StringType::Value(b)) => enumeration([a, b]),
        (StringType::Sized(Some(a)), StringType::Sized(Some(b))) => {
            Type::String(StringType::Sized(Some(a.union(*b))))
        }
        (StringType::Sized(_), _) | (_, StringType::Sized(_)) => Type::STRING,
    }
}

fn enumeration<'t>(texts: impl IntoIterator<Item = &'t Arc<str>>) -> Type {
    Type::Enum(Arc::new(EnumType::new(texts.into_iter().cloned(), false)))
}

/// Returns the most specific of Puppet's abstract types that both are assignable to.
fn abstract_type(a: &Type, b: &Type, depth: u32) -> Type {
    let both = |t: &Type| t.assignable(a) && t.assignable(b);
    for t in [Type::Numeric, Type::ScalarData, Type::Scalar, builtin::data()] {
        if both(&t) {
            return t;
        }
    }
    if let (Type::Type(Some(a)), Type::Type(Some(b))) = (a, b) {
        return Type::type_of(common(a, b, depth));
    }
    let rich_data = builtin::rich_data();
    if both(&rich_data) {
        return rich_data;
    }
    if let (Type::Runtime(a), Type::Runtime(b)) = (a, b)
        && let Some(class) = common_class(a, b)
    {
        return Type::ruby(class);
    }
    Type::Any
}

/// Returns the nearest class that both descend from.
fn common_class(a: &RuntimeType, b: &RuntimeType) -> Option<Arc<str>> {
    let host = host::classes()?;
    let classes = host.superclasses(b.name.as_deref()?);
    host.superclasses(a.name.as_deref()?).into_iter().find(|class| classes.contains(class))
}
