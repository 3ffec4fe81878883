//! The classes of Puppet's model.

use std::sync::OnceLock;

use magnus::value::Opaque;
use magnus::{RClass, RModule, Ruby, prelude::*};

use crate::ruby::decline::Reason;

macro_rules! model_classes {
    ($($name:ident),* $(,)?) => {
        /// A class of the model, and the factory that makes models.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum ModelClass {
            $($name),*
        }

        impl ModelClass {
            const ALL: &[(Self, &str)] = &[$((Self::$name, stringify!($name))),*];
        }
    };
}

model_classes!(
    AccessExpression,
    AndExpression,
    ArithmeticExpression,
    AssignmentExpression,
    AttributeOperation,
    AttributesOperation,
    BlockExpression,
    CallMethodExpression,
    CallNamedFunctionExpression,
    CaseExpression,
    CaseOption,
    CollectExpression,
    ComparisonExpression,
    ConcatenatedString,
    EppExpression,
    ExportedQuery,
    Factory,
    FunctionDefinition,
    HeredocExpression,
    HostClassDefinition,
    IfExpression,
    InExpression,
    KeyedEntry,
    LambdaExpression,
    LiteralBoolean,
    LiteralDefault,
    LiteralFloat,
    LiteralHash,
    LiteralInteger,
    LiteralList,
    LiteralRegularExpression,
    LiteralString,
    LiteralUndef,
    MatchExpression,
    NamedAccessExpression,
    NodeDefinition,
    Nop,
    NotExpression,
    OrExpression,
    Parameter,
    ParenthesizedExpression,
    Program,
    QualifiedName,
    QualifiedReference,
    RelationshipExpression,
    RenderExpression,
    RenderStringExpression,
    ReservedWord,
    ResourceBody,
    ResourceDefaultsExpression,
    ResourceExpression,
    ResourceOverrideExpression,
    ResourceTypeDefinition,
    SelectorEntry,
    SelectorExpression,
    TextExpression,
    TypeAlias,
    TypeDefinition,
    TypeMapping,
    UnaryMinusExpression,
    UnfoldExpression,
    UnlessExpression,
    VariableExpression,
    VirtualQuery,
);

fn pops(ruby: &Ruby, name: &str) -> Result<RModule, Reason> {
    let puppet: RModule = ruby.class_object().const_get("Puppet").map_err(|_| Reason::Other)?;
    let pops: RModule = puppet.const_get("Pops").map_err(|_| Reason::Other)?;
    pops.const_get(name).map_err(|_| Reason::Other)
}

/// Returns a class of the model. They are constants, found once.
pub fn class(ruby: &Ruby, of: ModelClass) -> Result<RClass, Reason> {
    static CLASSES: OnceLock<Vec<Opaque<RClass>>> = OnceLock::new();
    let classes = match CLASSES.get() {
        Some(classes) => classes,
        None => {
            let model = pops(ruby, "Model")?;
            let find = |(_, name): &(ModelClass, &str)| {
                let class: RClass = model.const_get(*name).map_err(|_| Reason::Other)?;
                ruby.gc_register_mark_object(class);
                Ok(class.into())
            };
            let found: Result<Vec<_>, Reason> = ModelClass::ALL.iter().map(find).collect();
            let found = found?;
            CLASSES.get_or_init(|| found)
        }
    };
    classes.get(of as usize).map(|class| ruby.get_inner(*class)).ok_or(Reason::Other)
}

/// Puppet's class of locators.
pub fn locator(ruby: &Ruby) -> Result<RClass, Reason> {
    static LOCATOR: OnceLock<Opaque<RClass>> = OnceLock::new();
    if let Some(locator) = LOCATOR.get() {
        return Ok(ruby.get_inner(*locator));
    }
    let class: RClass = pops(ruby, "Parser")?.const_get("Locator").map_err(|_| Reason::Other)?;
    ruby.gc_register_mark_object(class);
    Ok(ruby.get_inner(*LOCATOR.get_or_init(|| class.into())))
}
