//! Types from their definitions.

use std::sync::Arc;

use super::feature::FeatureDefinition;
use super::language::{TypeCode, VisibleVariables};
use super::{invalid, language};
use puppetfn_base::error::{Error, SourceLocation};
use puppetfn_base::limits::Limits;
use puppetfn_base::source::Span;
use puppetfn_syntax::Tree;
use puppetfn_syntax::ast::{self, SettingValue};
use puppetfn_types::types::parse::{
    AliasDefinition, NamedDefinition, TypeLookup, literal, nesting, only_type,
};
use puppetfn_types::types::{
    Definition, FeatureKind, FeatureModel, Features, InvariantModel, Member, MemberKind, Members, Model,
    ModelSource, ObjectRef, ObjectType, Size, Type,
};
use puppetfn_types::value::Value;

/// Returns the definition of a type that a statement is, if it is one: an alias, or by features.
pub fn definition(tree: &Arc<Tree>, index: usize) -> Option<Arc<dyn NamedDefinition>> {
    if let Some(alias) = AliasDefinition::of(tree, index) {
        return Some(Arc::new(alias));
    }
    ModelSource::of(tree, index).map(|source| Arc::new(EntityDefinition(Arc::new(source))) as Arc<_>)
}

/// Returns the definition of the type `name` that the text of the file `source` has, and nothing else.
///
/// # Errors
/// Fails if it does not define that type, or defines more.
pub fn only_definition(
    tree: &Arc<Tree>,
    name: &str,
    source: &str,
) -> Result<Arc<dyn NamedDefinition>, Error> {
    only_type(tree.program(), name, source)?;
    definition(tree, 0)
        .ok_or_else(|| invalid(format!("The code loaded from {source} does not define a type")))
}

/// The definition of a type by its features.
#[derive(Debug)]
struct EntityDefinition(Arc<ModelSource>);

impl NamedDefinition for EntityDefinition {
    fn name(&self) -> &str {
        self.0.definition().name.trim_start_matches("::")
    }

    fn place(&self) -> SourceLocation {
        self.0.place(self.0.span.start)
    }

    fn nesting(&self) -> u32 {
        nesting(self.0.span.text(self.0.text()))
    }

    fn define_within(
        &self,
        lookup: &dyn TypeLookup,
        limits: &Limits,
        enter: &dyn Fn(Type),
    ) -> Result<Type, Error> {
        let source = &self.0;
        let defined = ObjectRef::define(self.name(), |me| {
            let name = Arc::clone(me.name());
            enter(Type::Object(me));
            let definer =
                TypeDefiner { text: source.text(), file: source.file().cloned(), name, lookup, limits };
            definer.define(source).map_err(|DefinitionFault { error, at }| error.at(source.place(at)))
        });
        defined.map(Type::Object)
    }
}

/// A mistake in a definition, with its offset in the text.
pub(super) struct DefinitionFault {
    pub error: Error,
    pub at: u32,
}

impl DefinitionFault {
    #[cold]
    pub fn new(message: impl Into<String>, at: u32) -> Self {
        Self { error: invalid(message), at }
    }
}

/// The context in which the members of a type are read.
pub(super) struct TypeDefiner<'d> {
    pub text: &'d str,
    pub file: Option<Arc<str>>,
    /// The name of the type.
    pub name: Arc<str>,
    pub lookup: &'d dyn TypeLookup,
    pub limits: &'d Limits,
}

impl TypeDefiner<'_> {
    fn define(&self, source: &Arc<ModelSource>) -> Result<ObjectType, DefinitionFault> {
        let definition = source.definition();
        let members = definition.members().unwrap_or_default();
        let parent = definition.parent.map(|parent| self.parent(parent, source.span.start)).transpose()?;
        let inherited = parent.as_ref().map(|(_, definition)| definition);
        let mut features = inherited
            .and_then(|parent| parent.model())
            .map_or_else(Features::new, |model| model.features.clone());
        let own = features.len();
        let mut is_abstract = false;
        for member in members {
            let feature = match member {
                ast::TypeMember::Attribute(feature) => self.attribute(feature)?,
                ast::TypeMember::Reference(feature) => self.reference(feature)?,
                ast::TypeMember::Abstract(_) => {
                    is_abstract = true;
                    continue;
                }
                ast::TypeMember::Invariant(_) => continue,
            };
            if let Some(other) = features.get(&feature.name) {
                let message = format!(
                    "The feature '{}' is declared more than once: by {} and by {}",
                    feature.name, other.container, feature.container
                );
                return Err(DefinitionFault::new(message, feature.at));
            }
            features.insert(Arc::clone(&feature.name), Arc::new(feature));
        }
        self.check_code(members, &features)?;
        let invariants = members.iter().filter_map(|member| {
            if let ast::TypeMember::Invariant(invariant) = member {
                Some(self.invariant(invariant))
            } else {
                None
            }
        });
        let invariants = invariants.collect::<Result<_, _>>()?;
        let declared =
            features.values().skip(own).map(|feature| (Arc::clone(&feature.name), member(feature)));
        let attributes: Members = declared.collect();
        let model = Model { is_abstract, features, invariants, source: Arc::clone(source) };
        let parent = parent.map(|(t, _)| t);
        Ok(ObjectType::of_model(Arc::clone(&self.name), parent, attributes, model))
    }

    /// Returns the type that is inherited from, which has to be defined by features, too.
    fn parent(&self, name: &str, at: u32) -> Result<(Type, Arc<Definition<ObjectType>>), DefinitionFault> {
        let name = name.trim_start_matches("::");
        let found = self.lookup.find(name).map_err(|error| DefinitionFault { error, at })?;
        let Some(t) = found else {
            return Err(DefinitionFault::new(
                format!("{} inherits from '{name}', which is not defined", self.name),
                at,
            ));
        };
        let Type::Object(parent) = &t else {
            return Err(DefinitionFault::new(self.wrong_parent(name), at));
        };
        let Some(definition) = parent.get() else {
            return Err(DefinitionFault::new(
                format!("{} inherits from itself, by way of '{name}'", self.name),
                at,
            ));
        };
        if definition.model().is_none() {
            return Err(DefinitionFault::new(self.wrong_parent(name), at));
        }
        Ok((t, definition))
    }

    fn wrong_parent(&self, name: &str) -> String {
        format!(
            "{} inherits from '{name}', which is not defined by features, as 'type {name} {{ ... }}'",
            self.name
        )
    }

    fn invariant(&self, invariant: &ast::Invariant<'_>) -> Result<InvariantModel, DefinitionFault> {
        let message = match &invariant.message {
            None => None,
            Some(expr) => match literal(self.text, expr, self.lookup, self.limits) {
                Ok(Value::String(message)) => Some(message),
                Ok(_) | Err(_) => {
                    let message =
                        format!("The message of an invariant of {} must be a plain String", self.name);
                    return Err(DefinitionFault::new(message, expr.span.start));
                }
            },
        };
        Ok(InvariantModel { message, condition: span_of(&invariant.condition) })
    }

    /// Checks that the members' code is in the subset of the language for types. The code sees all features.
    fn check_code(
        &self,
        members: &[ast::TypeMember<'_>],
        features: &Features,
    ) -> Result<(), DefinitionFault> {
        let fault = |problem: language::CodeProblem| DefinitionFault::new(problem.message, problem.at);
        for member in members {
            match member {
                ast::TypeMember::Attribute(feature) | ast::TypeMember::Reference(feature) => {
                    for (setting, code) in FeatureDefinition::code(feature) {
                        let sees = match setting {
                            "check" | "validate" => VisibleVariables::Value(feature.name),
                            "set" => VisibleVariables::Setter(features),
                            _ => VisibleVariables::Features(features),
                        };
                        let label = format!("the {setting} of {}[{}]", self.name, feature.name);
                        TypeCode { code, label: &label, sees, has_meta: true }.check().map_err(fault)?;
                    }
                }
                ast::TypeMember::Invariant(invariant) => {
                    let label = format!("an invariant of {}", self.name);
                    let sees = VisibleVariables::Features(features);
                    TypeCode { code: &invariant.condition, label: &label, sees, has_meta: false }
                        .check()
                        .map_err(fault)?;
                }
                ast::TypeMember::Abstract(_) => {}
            }
        }
        Ok(())
    }
}

/// Returns where code is.
pub(super) fn span_of(code: &SettingValue<'_>) -> Span {
    match code {
        SettingValue::Expr(expr) => expr.span,
        SettingValue::Block(block) => block.span,
        SettingValue::Lambda(lambda) => lambda.span,
    }
}

/// Returns a feature as all Object types have it: an attribute.
fn member(feature: &FeatureModel) -> Arc<Member> {
    use puppetfn_types::types::ObjectAttributeKind;
    let t = if feature.is_many() {
        Type::array(feature.t.clone(), Some(Size::new(feature.min, feature.max)))
    } else {
        feature.t.clone()
    };
    let is_optional = feature.min == 0 && (!feature.is_many() || feature.is_unsettable);
    let value = match &feature.default {
        Some(default) => Some(default.clone()),
        None if is_optional => Some(Value::Undef),
        None if feature.min == 0 => Some(Vec::new().into()),
        None => None,
    };
    let kind = match feature.kind {
        _ if feature.derived.is_some() => Some(ObjectAttributeKind::Derived),
        FeatureKind::Reference => Some(ObjectAttributeKind::Reference),
        FeatureKind::Attribute | FeatureKind::Containment => None,
    };
    Arc::new(Member {
        feature: MemberKind::Attribute,
        name: Arc::clone(&feature.name),
        container: Arc::clone(&feature.container),
        t: if is_optional { Type::Optional(Some(Arc::new(t))) } else { t },
        kind,
        value,
        overrides: false,
        is_final: false,
        annotations: None,
    })
}
