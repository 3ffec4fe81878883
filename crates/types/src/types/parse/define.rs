//! Definitions of types: an alias, or an Object type or type set that has the name itself.
//!
//! See Puppet's `pops/loader/type_definition_instantiator.rb`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;

use super::parameter::TypeParam;
use super::{TypeInterpreter, TypeLookup, find};
use crate::types::{Alias, ObjectRef, Type, TypeSetRef, TypeSetType};
use crate::value::{Hash, Value};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_syntax::ast::{Expr, ExprKind, KeyedEntry, OperationAttribute, ResourceDefaults};

/// Receives the reference to a type for use in its own definition, before the definition is resolved.
pub(super) type EnterDefinition<'e> = dyn Fn(Type) + 'e;

impl TypeInterpreter<'_> {
    /// Returns the type that a name is defined as.
    pub(super) fn define(
        &self,
        name: &str,
        value: &Expr<'_>,
        enter: &EnterDefinition<'_>,
    ) -> Result<Type, Error> {
        if let ExprKind::Hash(_) = &value.kind {
            return self.define_object(name, || self.init_hash(value), enter);
        }
        if let ExprKind::Access(access) = &value.kind
            && let (ExprKind::Reference(kind), [init, ..]) = (&access.operand.kind, access.keys.as_slice())
        {
            match *kind {
                "Object" => return self.define_object(name, || self.init_hash(init), enter),
                "TypeSet" => return self.define_type_set(name, init, enter),
                _ => {}
            }
        }
        let enter = |me: Alias| enter(Type::Alias(me));
        let resolve = || without_itself(name, self.interpret(value)?.normalize());
        Alias::define_entered(name, enter, resolve).map(Type::Alias)
    }

    fn define_object(
        &self,
        name: &str,
        init: impl FnOnce() -> Result<Arc<Hash>, Error>,
        enter: &EnterDefinition<'_>,
    ) -> Result<Type, Error> {
        let enter = |me: &ObjectRef| enter(Type::Object(me.clone()));
        ObjectRef::define_object(name, enter, init, self.limits).map(Type::Object)
    }

    /// Returns the hash that a definition states.
    fn init_hash(&self, expr: &Expr<'_>) -> Result<Arc<Hash>, Error> {
        match self.param(expr)?.into_value() {
            Value::Hash(init) => Ok(init),
            _ => Err(self.not_a_type(expr.span)),
        }
    }

    fn define_type_set(
        &self,
        name: &str,
        init: &Expr<'_>,
        enter: &EnterDefinition<'_>,
    ) -> Result<Type, Error> {
        let ExprKind::Hash(entries) = &init.kind else { return Err(self.not_a_type(init.span)) };
        let define = |me| {
            enter(Type::TypeSet(me));
            let (init, types) = self.type_set_init(entries)?;
            let mut set = TypeSetType::from_definition(name, &init, self.limits)?;
            set.resolve_references(|name| find(name, self.lookup))?;
            let scope = SetScope {
                name,
                set: &set,
                text: self.text,
                limits: self.limits,
                outer: self.lookup,
                definitions: types
                    .iter()
                    .map(|(name, value)| (name.to_lowercase(), (name, *value)))
                    .collect(),
                open: RefCell::default(),
                done: RefCell::default(),
                depth: RefCell::new(0),
            };
            let mut defined = IndexMap::with_capacity(types.len());
            for name in types.keys() {
                if let Some(t) = scope.own(name)? {
                    defined.insert(Arc::clone(name), Value::from(t));
                }
            }
            Ok(set.with_types(defined))
        };
        TypeSetRef::define(name, define).map(Type::TypeSet)
    }

    /// Returns the hash that defines a type set, without its types, and the types. Names of types are
    /// keys as they are, so they are not looked up.
    fn type_set_init<'e, 's>(
        &self,
        entries: &'e [KeyedEntry<'s>],
    ) -> Result<(Hash, IndexMap<Arc<str>, &'e Expr<'s>>), Error> {
        let mut init = Hash::default();
        let mut types = IndexMap::new();
        for KeyedEntry { key, value, .. } in entries {
            let key = self.param(key)?.into_value();
            let value = match (&key, &value.kind) {
                (Value::String(part), ExprKind::Hash(named)) if &**part == "types" => {
                    let mut names = Hash::default();
                    for entry in named {
                        let name = self.type_name(&entry.key)?;
                        // Which types they are is seen when they are defined.
                        names.insert(name.clone(), Value::from(Type::Any));
                        if let Value::String(name) = name {
                            types.insert(name, &entry.value);
                        }
                    }
                    Value::Hash(Arc::new(names))
                }
                (Value::String(part), ExprKind::Hash(named)) if &**part == "references" => {
                    let reference =
                        |entry: &KeyedEntry<'s>| Ok((self.type_name(&entry.key)?, self.value(&entry.value)?));
                    named.iter().map(reference).collect::<Result<_, Error>>()?
                }
                _ => self.value(value)?,
            };
            init.insert(key, value);
        }
        Ok((init, types))
    }

    fn type_name(&self, key: &Expr<'_>) -> Result<Value, Error> {
        match key.kind {
            ExprKind::Reference(name) => Ok(Value::from(name)),
            _ => self.value(key),
        }
    }

    fn value(&self, expr: &Expr<'_>) -> Result<Value, Error> {
        self.param(expr).map(TypeParam::into_value)
    }

    /// `Parent { name => value }`, as a type set can define a type.
    fn define_by_parent(
        &self,
        name: &str,
        defaults: &ResourceDefaults<'_>,
        enter: &EnterDefinition<'_>,
    ) -> Result<Type, Error> {
        let init = || {
            let mut init = Hash::default();
            if !matches!(defaults.type_ref.kind, ExprKind::Reference("Object" | "TypeSet")) {
                init.insert("parent".into(), self.value(&defaults.type_ref)?);
            }
            for operation in &defaults.operations {
                let OperationAttribute::Named(key, _) = operation.attribute else {
                    return Err(self.not_a_type(operation.span));
                };
                init.insert(key.into(), self.value(&operation.value)?);
            }
            Ok(Arc::new(init))
        };
        self.define_object(name, init, enter)
    }
}

/// Scope of the definitions in a type set: the surrounding scope, each other, and the sets that it refers to.
struct SetScope<'a, 's> {
    name: &'a str,
    set: &'a TypeSetType,
    text: &'a str,
    limits: &'a Limits,
    outer: &'a dyn TypeLookup,
    /// The definitions by their names in lower case.
    definitions: HashMap<String, (&'a Arc<str>, &'a Expr<'s>)>,
    /// The definitions that are being resolved.
    open: RefCell<HashMap<String, Type>>,
    done: RefCell<HashMap<String, Type>>,
    /// Number of definitions that are open at the same time.
    depth: RefCell<u32>,
}

impl SetScope<'_, '_> {
    /// Returns the type of this name in the set.
    fn own(&self, name: &str) -> Result<Option<Type>, Error> {
        let name = name.to_lowercase();
        let Some((own_name, value)) = self.definitions.get(&name) else { return Ok(None) };
        let known = self.done.borrow().get(&name).or(self.open.borrow().get(&name)).cloned();
        if known.is_some() {
            return Ok(known);
        }
        let limit = self.limits.nesting / 4;
        let depth = self.depth.borrow().saturating_add(1);
        if depth > limit {
            let message =
                format!("the types of '{}' use each other in a chain of more than {limit}", self.name);
            return Err(Error::new(ErrorKind::Limit, message));
        }
        self.depth.replace(depth);
        let enter = |me| _ = self.open.borrow_mut().insert(name.clone(), me);
        let interpreter = TypeInterpreter { text: self.text, lookup: self, limits: self.limits };
        let full_name = format!("{}::{own_name}", self.name);
        let defined = if let ExprKind::ResourceDefaults(defaults) = &value.kind {
            interpreter.define_by_parent(&full_name, defaults, &enter)
        } else {
            interpreter.define(&full_name, value, &enter)
        };
        self.depth.replace(depth.saturating_sub(1));
        self.open.borrow_mut().remove(&name);
        let t = defined?;
        self.done.borrow_mut().insert(name, t.clone());
        Ok(Some(t))
    }
}

impl TypeLookup for SetScope<'_, '_> {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        let within = name
            .split_at_checked(self.name.len())
            .filter(|(start, _)| start.eq_ignore_ascii_case(self.name))
            .and_then(|(_, rest)| rest.strip_prefix("::"));
        if let Some(within) = within {
            return self.own(within);
        }
        if let Some(t) = self.outer.find(name)? {
            return Ok(Some(t));
        }
        match self.own(name)? {
            Some(t) => Ok(Some(t)),
            None => Ok(self.set.find_referenced(name)),
        }
    }
}

/// Returns a variant without meaningless alternatives: the name itself, and names that resolve to it.
fn without_itself(name: &str, target: Type) -> Result<Type, Error> {
    if !is_real(name, &target) {
        return Err(Error::new(
            ErrorKind::Load,
            format!("Type alias '{name}' cannot be resolved to a real type"),
        ));
    }
    match &target {
        Type::Variant(types) if !types.iter().all(|t| is_real(name, t)) => {
            Ok(Type::one_of(types.iter().filter(|t| is_real(name, t)).cloned()))
        }
        _ => Ok(target),
    }
}

/// Returns true if a type consists of more than a name, and names and variants that lead to it.
fn is_real(name: &str, t: &Type) -> bool {
    let mut pending = vec![t.clone()];
    let mut seen = Vec::new();
    while let Some(t) = pending.pop() {
        if let Type::Variant(types) = t {
            pending.extend(types.iter().cloned());
        } else if let Type::Alias(alias) = t {
            if alias.name().eq_ignore_ascii_case(name) || seen.contains(&alias.identity()) {
                continue;
            }
            seen.push(alias.identity());
            // A definition that is not complete is checked when it is.
            let Some(target) = alias.target() else { return true };
            pending.push(target);
        } else {
            return true;
        }
    }
    false
}
