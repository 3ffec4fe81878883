//! Aliases, mappings and definitions of types.

use puppetfn::syntax::ast::{
    Access, Entry, Expr, ExprKind, TypeAlias, TypeBody, TypeDefinition, TypeMapping,
};

use super::classes::ModelClass;
use super::{Attribute, BODY, Builder, Built, KEY, Node, Place, VALUE};
use crate::ruby::decline::Reason;
use crate::ruby::raw::InstanceVariable;

variables! {
    NAME = c"@name";
    TYPE_EXPR = c"@type_expr";
    MAPPING_EXPR = c"@mapping_expr";
    PARENT = c"@parent";
}

/// The forms of an alias's type.
enum Meaning<'a, 's> {
    /// `{...}`, which is read as `Object[{...}]`.
    Hash(&'a Expr<'s>),
    /// `Parent {...}`: the parent, the hash and its entries.
    Derived(&'a Expr<'s>, &'a Expr<'s>, &'a [Entry<'s>]),
    /// `Type[...]`.
    Access(&'a Access<'s>),
    /// Another expression.
    Other,
}

impl<'a, 's> Meaning<'a, 's> {
    fn of(value: &'a Expr<'s>) -> Self {
        let ExprKind::Access(access) = &value.kind else { return Self::Other };
        let [hash] = access.keys.as_slice() else { return Self::Access(access) };
        // A hash in brackets ends before the closing bracket.
        let ExprKind::Hash(entries) = &hash.kind else { return Self::Access(access) };
        if hash.span.end < value.span.end {
            return Self::Access(access);
        }
        if hash.span == value.span {
            return Self::Hash(hash);
        }
        if access.operand.span != hash.span {
            // `Object {...}` and `TypeSet {...}` have no entry for a parent.
            return Self::Derived(&access.operand, hash, entries);
        }
        match entries.split_last() {
            Some((parent, entries)) => Self::Derived(&parent.value, hash, entries),
            None => Self::Other,
        }
    }
}

impl<'s> Builder<'_, 's> {
    pub(super) fn type_alias(&mut self, alias: &TypeAlias<'s>) -> Built<Node> {
        let name = Place::from(alias.name_span);
        let (value, place) = match Meaning::of(&alias.value) {
            Meaning::Hash(hash) => {
                let hash = self.expr(hash)?;
                (self.object_type(hash, name)?, Place::new(name.offset, hash.place.end))
            }
            Meaning::Derived(parent, hash, entries) => {
                let place = Place::new(name.offset, hash.span.end);
                (self.derived(parent, entries, hash.span.into(), name)?, place)
            }
            meaning @ (Meaning::Access(_) | Meaning::Other) => self.meant(&meaning, &alias.value, name)?,
        };
        let attributes = [(&NAME, self.string(alias.name)?), (&TYPE_EXPR, value.into())];
        let definition = self.node(ModelClass::TypeAlias, place, &attributes)?;
        self.define(definition)
    }

    pub(super) fn type_mapping(&mut self, mapping: &TypeMapping<'s>) -> Built<Node> {
        let mapped = self.expr(&mapping.type_expr)?;
        let (value, place) = match Meaning::of(&mapping.value) {
            Meaning::Hash(hash) => {
                let hash = self.expr(hash)?;
                (hash, Place::new(mapped.place.offset, hash.place.end))
            }
            Meaning::Derived(parent, hash, entries) => {
                let place = Place::new(mapped.place.offset, hash.span.end);
                let (parent, hash) = (self.expr(parent)?, self.braced(entries, hash.span.into(), None)?);
                (self.entry(parent, hash, place.inside())?, place)
            }
            meaning @ (Meaning::Access(_) | Meaning::Other) => {
                self.meant(&meaning, &mapping.value, mapped.place)?
            }
        };
        let attributes = [(&TYPE_EXPR, mapped.into()), (&MAPPING_EXPR, value.into())];
        let definition = self.node(ModelClass::TypeMapping, place, &attributes)?;
        self.define(definition)
    }

    /// Returns the expression of a plain type, and the place of the whole definition. Puppet's grammar loses the place
    /// of an expression that ends with a bracket.
    fn meant(&mut self, meaning: &Meaning<'_, 's>, value: &Expr<'s>, name: Place) -> Built<(Node, Place)> {
        if let Meaning::Access(access) = meaning {
            let operand = self.expr(&access.operand)?;
            return Ok((self.access_at(operand, &access.keys, name.inside())?, name));
        }
        let node = self.expr(value)?;
        let place = if let ExprKind::Reference(_) = value.kind {
            Place::new(name.offset, node.place.end)
        } else if let ExprKind::Array(_) = value.kind {
            name
        } else {
            return Err(Reason::KindOfExpression);
        };
        Ok((node, place))
    }

    /// `Object[hash]`, of which only the hash has a place.
    fn object_type(&self, hash: Node, name: Place) -> Built<Node> {
        let operand = self.reference("Object", name.inside())?;
        self.access_to(operand, hash, name.inside())
    }

    fn derived(
        &mut self,
        parent: &Expr<'s>,
        entries: &[Entry<'s>],
        braces: Place,
        name: Place,
    ) -> Built<Node> {
        let operand = self.expr(parent)?;
        if let ExprKind::Reference("Object" | "TypeSet") = parent.kind {
            let hash = self.braced(entries, braces, None)?;
            return self.access_to(operand, hash, name.inside());
        }
        let key = self.name("parent", braces.inside())?;
        let parent = self.entry(key, operand, braces.inside())?;
        let hash = self.braced(entries, braces, Some(parent))?;
        self.object_type(hash, name)
    }

    fn entry(&self, key: Node, value: Node, place: Place) -> Built<Node> {
        let attributes: [(_, Attribute); 2] = [(&KEY, key.into()), (&VALUE, value.into())];
        self.node(ModelClass::KeyedEntry, place, &attributes)
    }

    /// Builds the definition of a type. Puppet's members are statements.
    pub(super) fn type_definition(&mut self, definition: &TypeDefinition<'s>, place: Place) -> Built<Node> {
        let TypeBody::Statements(statements) = &definition.body else {
            return Err(Reason::KindOfExpression);
        };
        let body = self.body(&statements.statements, place)?;
        let parent = definition.parent.map_or_else(|| Ok(self.nil()), |parent| self.string(parent))?;
        let attributes =
            [(&NAME, self.string(definition.name)?), (&PARENT, parent), (&BODY, self.optional(body))];
        let definition = self.node(ModelClass::TypeDefinition, place, &attributes)?;
        self.define(definition)
    }
}
