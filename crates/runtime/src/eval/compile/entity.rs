//! The code of types that are defined by their features.
#![allow(clippy::wildcard_enum_match_arm, reason = "only members can be extended")]

use std::sync::Arc;

use super::scope::{CompileScope, ResolvedVariable};
use super::{Perspective, ProgramCompiler, fail};
use crate::entity::language::{IT, META, is_allowed, meant};
use crate::eval::code::{AccessCode, Assign, AssignTarget, CompilationUnit, ElementCode, Node, Op};
use crate::eval::entity::{EntityCode, FeatureCode, InvariantCode};
use crate::eval::interner::Interner;
use puppetfn_base::error::Error;
use puppetfn_base::stack::StackGuard;
use puppetfn_syntax::ast::{self, BinaryExpr, BinaryOp, ExprKind, SettingValue, TypeDefinition, TypeMember};
use puppetfn_types::types::{Definition, Model, ObjectRef, ObjectType, Type};
use puppetfn_types::value::Value;

/// The code that a type states itself.
pub(in crate::eval) struct CompiledType {
    /// The code of the features, in their order.
    pub features: Vec<FeatureCode>,
    pub invariants: Vec<InvariantCode>,
}

/// The scope of code in a type: the features and `$meta`, as far as the code sees them.
pub(super) struct EntityScope {
    model: Arc<Model>,
    sees_features: bool,
    meta: Option<Value>,
}

/// Compiles the code of a type.
///
/// # Errors
/// [`ErrorKind::Limit`](puppetfn_base::error::ErrorKind::Limit) when it nests too deep for the stack.
pub(in crate::eval) fn compile_entity(
    t: &Arc<Definition<ObjectType>>,
    model: &Arc<Model>,
    interner: &mut Interner,
    perspective: Perspective<'_>,
    stack: StackGuard,
) -> Result<CompiledType, Error> {
    let unit = Arc::new(CompilationUnit::new(Arc::clone(model.source.text()), model.source.file().cloned()));
    let mut compiler = ProgramCompiler::new(&unit, interner, perspective, stack, CompileScope::top());
    compiler.entity(model.source.definition(), t, model)
}

impl<'s> ProgramCompiler<'_, 's> {
    fn entity(
        &mut self,
        definition: &TypeDefinition<'s>,
        t: &Arc<Definition<ObjectType>>,
        model: &Arc<Model>,
    ) -> Result<CompiledType, Error> {
        let mut compiled = CompiledType { features: Vec::new(), invariants: Vec::new() };
        let members = definition.members().unwrap_or_default();
        let mut messages = model.invariants.iter().map(|invariant| invariant.message.clone());
        for member in members {
            match member {
                TypeMember::Attribute(feature) | TypeMember::Reference(feature) => {
                    let code = self.entity_feature(feature, t, model)?;
                    compiled.features.push(code);
                }
                TypeMember::Invariant(invariant) => {
                    let what = format!("invariant of {}", t.label());
                    let scope = EntityScope { model: Arc::clone(model), sees_features: true, meta: None };
                    let code = self.entity_code(&invariant.condition, &what, None, scope)?;
                    compiled.invariants.push(InvariantCode { message: messages.next().flatten(), code });
                }
                TypeMember::Abstract(_) => {}
            }
        }
        Ok(compiled)
    }

    fn entity_feature(
        &mut self,
        feature: &ast::Feature<'s>,
        t: &Arc<Definition<ObjectType>>,
        model: &Arc<Model>,
    ) -> Result<FeatureCode, Error> {
        let mut compiled = FeatureCode::default();
        for setting in &feature.settings {
            let is_check = matches!(setting.name, "check" | "validate");
            let what = format!("{} of {}[{}]", setting.name, t.label(), feature.name);
            let meta = Some(meta(t, feature.name));
            let scope = EntityScope { model: Arc::clone(model), sees_features: !is_check, meta };
            let own_name = is_check.then_some(feature.name);
            let code = || self.entity_code(&setting.value, &what, own_name, scope);
            match setting.name {
                "check" | "validate" => compiled.checks.push(code()?),
                "derived" => compiled.derived = Some(code()?),
                "set" => compiled.set = Some(code()?),
                "get" => compiled.get = Some(code()?),
                _ => {}
            }
        }
        Ok(compiled)
    }

    fn entity_code(
        &mut self,
        code: &SettingValue<'s>,
        what: &str,
        own_name: Option<&'s str>,
        scope: EntityScope,
    ) -> Result<EntityCode, Error> {
        let lambda = if let SettingValue::Lambda(lambda) = code { Some(lambda) } else { None };
        let parameter = lambda.and_then(|lambda| lambda.parameters.first());
        let parameter_type = self.optional(parameter.and_then(|parameter| parameter.type_expr.as_ref()))?;
        let parameter_name = parameter.map_or(IT, |parameter| parameter.name);
        let own_name = own_name.filter(|name| *name != parameter_name);

        self.scope = CompileScope::top();
        self.scope.enter();
        self.scope.add_parameter(SELF);
        self.scope.add_parameter(parameter_name);
        own_name.iter().for_each(|name| self.scope.add_parameter(name));
        self.entity = Some(scope);
        let body = match code {
            SettingValue::Expr(expr) => self.expr(expr),
            SettingValue::Block(block) => self.block(block),
            SettingValue::Lambda(lambda) => self.block(&lambda.body),
        };
        self.entity = None;
        self.scope.leave();
        Ok(EntityCode {
            name: what.into(),
            body: body?,
            parameter_type,
            has_own_name: own_name.is_some(),
            unit: Arc::clone(&self.unit),
            frame_size: self.scope.size(),
        })
    }

    /// Returns the variable of a feature, or the one that describes it, where code of a type uses it and has
    /// no other of its name.
    pub(super) fn entity_variable(&self, name: &str) -> Option<Op> {
        let scope = self.entity.as_ref()?;
        if !matches!(self.scope.find(name), ResolvedVariable::Maybe(slots) if slots.is_empty()) {
            return None;
        }
        if let Some(meta) = scope.meta.as_ref().filter(|_| name == META) {
            return Some(Op::Constant(meta.clone()));
        }
        self.entity_feature_index(name).map(Op::Feature)
    }

    fn entity_feature_index(&self, name: &str) -> Option<u32> {
        let scope = self.entity.as_ref().filter(|scope| scope.sees_features)?;
        scope.model.feature(name).and_then(|(index, _)| u32::try_from(index).ok())
    }

    /// Returns the feature that an assignment to this variable sets; `None` if the variable is not a feature.
    pub(super) fn entity_target(&self, name: &str) -> Option<AssignTarget> {
        self.entity_feature_index(name).map(AssignTarget::Feature)
    }

    /// Returns the function that a name calls here.
    pub(super) fn meant_function<'n>(&self, name: &'n str) -> &'n str {
        if self.entity.is_some() { meant(name) } else { name }
    }

    /// Returns true if `receiver.name` is the feature of an object, and never a function.
    pub(super) fn is_feature_access(&self, method: &ast::MethodCall<'s>) -> bool {
        let has_arguments = !method.arguments.is_empty() || method.lambda.is_some();
        self.entity.is_some() && !has_arguments && !is_allowed(method.name)
    }

    pub(super) fn feature_access(&mut self, method: &ast::MethodCall<'s>) -> Result<Op, Error> {
        let operand = self.expr(&method.receiver)?;
        let key = Node::constant(Value::from(method.name), method.name_span.start);
        Ok(Op::Access(Box::new(AccessCode { operand, keys: [key].into() })))
    }

    /// Compiles `target += value`: only features of objects that are being made can grow.
    pub(super) fn append(&mut self, binary: &BinaryExpr<'s>) -> Result<Op, Error> {
        let target = match &binary.left.kind {
            ExprKind::Access(_) => self.target(&binary.left).ok(),
            ExprKind::Variable(name) => self.entity_target(name),
            _ => None,
        };
        let Some(target) = target.filter(|_| binary.op == BinaryOp::Append) else {
            return Ok(fail(format!(
                "The operator '{}' is no longer supported. See http://links.puppet.com/remove-plus-equals",
                binary.op.symbol()
            )));
        };
        let value = self.expr(&binary.right)?;
        Ok(Op::Assign(Box::new(Assign { target, value, appends: true })))
    }

    /// Compiles `$object[name]` as the target of an assignment; `None` for any other form.
    pub(super) fn element(&mut self, access: &ast::Access<'s>) -> Result<Option<AssignTarget>, Error> {
        let (ExprKind::Variable(_), [key]) = (&access.operand.kind, access.keys.as_slice()) else {
            return Ok(None);
        };
        let element = ElementCode { object: self.expr(&access.operand)?, name: self.expr(key)? };
        Ok(Some(AssignTarget::Element(Box::new(element))))
    }
}

/// The name of the variable that has the object, which no code can name.
const SELF: &str = "the object";

/// Compiles `$meta`.
fn meta(container: &Arc<Definition<ObjectType>>, name: &str) -> Value {
    let container = Value::from(Type::Object(ObjectRef::Use(Arc::clone(container))));
    Value::from_iter([("name".into(), name.into()), ("container".into(), container)])
}
