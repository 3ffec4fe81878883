//! Classes, defined types and nodes.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other expressions are compiled alike")]

use std::sync::{Arc, OnceLock};

use super::declare::declare;
use super::routine::is_reserved;
use super::scope::{CompileScope, ResolvedVariable};
use super::{ProgramCompiler, literal};
use crate::eval::code::{GlobalId, Node, Op, ParameterCode, Slot, VariableCode};
use crate::eval::declaration::{
    AwaitedParameter, DEFINED_VARIABLES, DeclareCode, DefinitionCode, DefinitionForm, NODE, NodeName,
    ParameterVariable,
};
use puppetfn_base::error::Error;
use puppetfn_catalog::METAPARAMETERS;
use puppetfn_syntax::ast::{self, Expr, ExprKind};
use puppetfn_types::value::Value;

/// The parameters of the definition or template that is being compiled.
pub(super) struct CurrentParameters<'s> {
    names: Vec<&'s str>,
    /// The slot of the first. `None` if they are variables of a class.
    first: Option<Slot>,
    /// The one whose default value is being compiled.
    current: Option<usize>,
    /// The owner of the parameters in messages; `None` if it is the enclosing resource.
    owner: Option<&'static str>,
}

impl<'s> CurrentParameters<'s> {
    pub fn new(parameters: &[ast::Parameter<'s>], first: Option<Slot>, owner: Option<&'static str>) -> Self {
        let names = parameters.iter().map(|parameter| parameter.name).collect();
        Self { names, first, current: None, owner }
    }
}

impl<'s> ProgramCompiler<'_, 's> {
    pub(super) fn class(&mut self, class: &ast::ClassDefinition<'s>, at: u32) -> Result<Op, Error> {
        let name: Arc<str> = class.name.trim_start_matches("::").to_lowercase().into();
        let globals: Box<[GlobalId]> = class
            .parameters
            .iter()
            .map(|parameter| self.interner.global(&format!("{name}::{}", parameter.name)))
            .collect();
        let parent = class.parent.map(|parent| parent.trim_start_matches("::").to_lowercase().into());
        let scope = CompileScope::of(Arc::clone(&name));
        self.definition(
            DefinitionForm::Class(globals),
            name,
            parent,
            scope,
            (&class.parameters, &class.body),
            at,
        )
    }

    pub(super) fn defined_type(&mut self, define: &ast::DefinedType<'s>, at: u32) -> Result<Op, Error> {
        let name: Arc<str> = define.name.trim_start_matches("::").to_lowercase().into();
        let mut scope = CompileScope::top();
        scope.enter();
        define.parameters.iter().for_each(|parameter| scope.add_parameter(parameter.name));
        DEFINED_VARIABLES.into_iter().for_each(|name| scope.add_parameter(name));
        METAPARAMETERS.into_iter().for_each(|name| scope.add_optional(name));
        self.definition(
            DefinitionForm::DefinedType,
            name,
            None,
            scope,
            (&define.parameters, &define.body),
            at,
        )
    }

    pub(super) fn node_definition(&mut self, node: &ast::NodeDefinition<'s>, at: u32) -> Result<Op, Error> {
        let names: Vec<NodeName> = node.matches.iter().filter_map(node_name).collect();
        let scope = CompileScope::of(NODE.into());
        self.definition(DefinitionForm::Node(names.into()), NODE.into(), None, scope, (&[], &node.body), at)
    }

    /// Notes a definition: there is nothing to do when execution reaches it.
    fn definition(
        &mut self,
        form: DefinitionForm,
        name: Arc<str>,
        parent: Option<Arc<str>>,
        scope: CompileScope<'s>,
        (parameters, body): (&[ast::Parameter<'s>], &ast::Block<'s>),
        at: u32,
    ) -> Result<Op, Error> {
        let matches = self.matches;
        let outer = std::mem::replace(&mut self.scope, CompileScope::top());
        let start = parameters.first().map_or(body.span.start, |parameter| parameter.span.start);
        let layer = self.locals.enter_body(start);
        let outer_layer = self.layer.replace(layer);
        // Puppet evaluates them without variables: `create_type_map` in its `parser/ast/pops_bridge.rb`.
        self.in_parameter_types = true;
        let types = self.types_of(parameters);
        self.in_parameter_types = false;
        let types = types?;
        let size_of_types = self.scope.size();
        self.scope = scope;
        let first = matches!(form, DefinitionForm::DefinedType).then_some(0);
        let outer_parameters = self.parameters.replace(CurrentParameters::new(parameters, first, None));
        let compiled = self.named_parameters(parameters, types)?;
        let end = body.span.end;
        let body = self.body(body)?;
        let frame_size = self.scope.size().max(size_of_types);
        let (_, names) = self.scope.leave();
        self.locals.leave(layer, end, names);
        self.layer = outer_layer;
        self.parameters = outer_parameters;
        self.scope = outer;
        self.matches = matches;
        self.definitions.push(DefinitionCode {
            form,
            name,
            parent,
            parameters: compiled,
            body,
            unit: Arc::clone(&self.unit),
            frame_size,
            at,
            module: OnceLock::new(),
            kind: OnceLock::new(),
            source: OnceLock::new(),
        });
        Ok(Op::Constant(Value::Undef))
    }

    /// Returns the types of parameters, where a parameter has one.
    pub(super) fn types_of(&mut self, parameters: &[ast::Parameter<'s>]) -> Result<Vec<Option<Node>>, Error> {
        parameters.iter().map(|parameter| self.optional(parameter.type_expr.as_ref())).collect()
    }

    /// Parameters that are given by name, of which any may be given before default values are evaluated.
    pub(super) fn named_parameters(
        &mut self,
        parameters: &[ast::Parameter<'s>],
        types: Vec<Option<Node>>,
    ) -> Result<Box<[ParameterCode]>, Error> {
        let mut compiled = Vec::with_capacity(parameters.len());
        for (index, (parameter, type_code)) in parameters.iter().zip(types).enumerate() {
            if let Some(parameters) = &mut self.parameters {
                parameters.current = Some(index);
            }
            // No variable can be set in there.
            self.scope.enter();
            self.scope.see_parameters(Some(0));
            let default = self.default_value(parameter.default.as_ref())?;
            self.scope.leave();
            compiled.push(ParameterCode {
                name: parameter.name.into(),
                type_code,
                default,
                captures_rest: parameter.captures_rest,
                at: parameter.span.start,
                is_reserved: is_reserved(parameter.name),
            });
        }
        if let Some(parameters) = &mut self.parameters {
            parameters.current = None;
        }
        Ok(compiled.into())
    }

    /// Compiles a variable that is special within a definition; `None` for any other.
    pub(super) fn definition_variable(&mut self, name: &'s str) -> Option<Op> {
        let CurrentParameters { names, first, current, owner } = self.parameters.as_ref()?;
        let found = self.scope.find(name);
        if let Some(current) = *current
            && let Some(index) = names.iter().position(|known| *known == name)
        {
            let variable = match (found, self.scope.prefix()) {
                (ResolvedVariable::Certain(slot), _)
                    if first.is_some_and(|first| first.saturating_add(index as Slot) == slot) =>
                {
                    ParameterVariable::Slot(slot)
                }
                (ResolvedVariable::Maybe(slots), Some(prefix)) if first.is_none() && slots.is_empty() => {
                    ParameterVariable::Global(self.interner.global(&format!("{prefix}::{name}")))
                }
                _ => return None,
            };
            let user = names.get(current).copied().unwrap_or_default().into();
            let (is_before, owner) = (index < current, *owner);
            let awaited = AwaitedParameter { variable, name: name.into(), user, is_before, owner };
            return Some(declare(DeclareCode::Parameter(awaited)));
        }
        None
    }

    /// Compiles a variable that may be in some slots, and else is one of the class or node around, or of the
    /// top scope.
    pub(super) fn outer_variable(&mut self, name: &str, slots: Vec<u32>) -> VariableCode {
        let global = self.interner.global(name);
        let (own, global) = if name.contains("::") {
            // The named class comes before its ancestors.
            (Some(global), None)
        } else {
            let own = self.scope.prefix().map(|prefix| format!("{prefix}::{name}"));
            (own.map(|own| self.interner.global(&own)), Some(global))
        };
        VariableCode { name: name.into(), slots: slots.into(), own, global }
    }
}

fn node_name(expr: &Expr<'_>) -> Option<NodeName> {
    match &expr.kind {
        ExprKind::Default => Some(NodeName::Default),
        ExprKind::Regexp(source) => match literal::regexp(source) {
            Op::Constant(Value::Regexp(regex)) => Some(NodeName::Regexp(regex)),
            _ => None,
        },
        ExprKind::String(text) => Some(NodeName::Name(text.to_lowercase().into())),
        ExprKind::Name(text) => Some(NodeName::Name(text.to_lowercase().into())),
        _ => None,
    }
}
