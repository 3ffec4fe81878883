//! Aliases, mappings and definitions of types.

use puppetfn::syntax::ast::{
    Access, Expr, ExprKind, KeyedEntry, TypeAlias, TypeBody, TypeDefinition, TypeMapping,
};

use super::classes::ModelClass;
use super::{BODY, Builder, KEY, ModelAttribute, ModelNode, ModelPlace, ModelResult, VALUE};
use crate::ruby::decline::Reason;
use crate::ruby::raw::InstanceVariable;

variables! {
    NAME = c"@name";
    TYPE_EXPR = c"@type_expr";
    MAPPING_EXPR = c"@mapping_expr";
    PARENT = c"@parent";
}

/// The forms of an alias's type.
enum AliasMeaning<'a, 's> {
    /// `{...}`, which is read as `Object[{...}]`.
    Hash(&'a Expr<'s>),
    /// `Parent {...}`: the parent, the hash and its entries.
    Derived(&'a Expr<'s>, &'a Expr<'s>, &'a [KeyedEntry<'s>]),
    /// `Type[...]`.
    Access(&'a Access<'s>),
    /// Another expression.
    Other,
}

impl<'a, 's> AliasMeaning<'a, 's> {
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
    pub(super) fn type_alias(&mut self, alias: &TypeAlias<'s>) -> ModelResult<ModelNode> {
        let name = ModelPlace::from(alias.name_span);
        let (value, place) = match AliasMeaning::of(&alias.value) {
            AliasMeaning::Hash(hash) => {
                let hash = self.expr(hash)?;
                (self.object_type(hash, name)?, ModelPlace::new(name.offset, hash.place.end))
            }
            AliasMeaning::Derived(parent, hash, entries) => {
                let place = ModelPlace::new(name.offset, hash.span.end);
                (self.derived(parent, entries, hash.span.into(), name)?, place)
            }
            meaning @ (AliasMeaning::Access(_) | AliasMeaning::Other) => {
                self.meant(&meaning, &alias.value, name)?
            }
        };
        let attributes = [(&NAME, self.string(alias.name)?), (&TYPE_EXPR, value.into())];
        let definition = self.node(ModelClass::TypeAlias, place, &attributes)?;
        self.define(definition)
    }

    pub(super) fn type_mapping(&mut self, mapping: &TypeMapping<'s>) -> ModelResult<ModelNode> {
        let mapped = self.expr(&mapping.type_expr)?;
        let (value, place) = match AliasMeaning::of(&mapping.value) {
            AliasMeaning::Hash(hash) => {
                let hash = self.expr(hash)?;
                (hash, ModelPlace::new(mapped.place.offset, hash.place.end))
            }
            AliasMeaning::Derived(parent, hash, entries) => {
                let place = ModelPlace::new(mapped.place.offset, hash.span.end);
                let (parent, hash) = (self.expr(parent)?, self.braced(entries, hash.span.into(), None)?);
                (self.entry(parent, hash, place.inside())?, place)
            }
            meaning @ (AliasMeaning::Access(_) | AliasMeaning::Other) => {
                self.meant(&meaning, &mapping.value, mapped.place)?
            }
        };
        let attributes = [(&TYPE_EXPR, mapped.into()), (&MAPPING_EXPR, value.into())];
        let definition = self.node(ModelClass::TypeMapping, place, &attributes)?;
        self.define(definition)
    }

    /// Returns the expression of a plain type, and the place of the whole definition. Puppet's grammar loses the place
    /// of an expression that ends with a bracket.
    fn meant(
        &mut self,
        meaning: &AliasMeaning<'_, 's>,
        value: &Expr<'s>,
        name: ModelPlace,
    ) -> ModelResult<(ModelNode, ModelPlace)> {
        if let AliasMeaning::Access(access) = meaning {
            let operand = self.expr(&access.operand)?;
            return Ok((self.access_at(operand, &access.keys, name.inside())?, name));
        }
        let node = self.expr(value)?;
        let place = if let ExprKind::Reference(_) = value.kind {
            ModelPlace::new(name.offset, node.place.end)
        } else if let ExprKind::Array(_) = value.kind {
            name
        } else {
            return Err(Reason::KindOfExpression);
        };
        Ok((node, place))
    }

    /// `Object[hash]`, of which only the hash has a place.
    fn object_type(&self, hash: ModelNode, name: ModelPlace) -> ModelResult<ModelNode> {
        let operand = self.reference("Object", name.inside())?;
        self.access_to(operand, hash, name.inside())
    }

    fn derived(
        &mut self,
        parent: &Expr<'s>,
        entries: &[KeyedEntry<'s>],
        braces: ModelPlace,
        name: ModelPlace,
    ) -> ModelResult<ModelNode> {
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

    fn entry(&self, key: ModelNode, value: ModelNode, place: ModelPlace) -> ModelResult<ModelNode> {
        let attributes: [(_, ModelAttribute); 2] = [(&KEY, key.into()), (&VALUE, value.into())];
        self.node(ModelClass::KeyedEntry, place, &attributes)
    }

    /// Builds the definition of a type. Puppet's members are statements.
    pub(super) fn type_definition(
        &mut self,
        definition: &TypeDefinition<'s>,
        place: ModelPlace,
    ) -> ModelResult<ModelNode> {
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
