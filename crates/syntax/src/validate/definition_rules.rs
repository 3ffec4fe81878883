//! Definitions and parameters.
//!
//! See Puppet's `pops/validation/checker4_0.rb`.
#![allow(clippy::wildcard_enum_match_arm, reason = "only definitions are looked at")]

use std::collections::HashSet;

use super::literal::literal;
use super::{Checker, ContainerKind, idem, name};
use crate::ast::{
    Block, ClassDefinition, DefinedType, Expr, ExprKind, FunctionDefinition, NodeDefinition, Parameter,
    SettingValue, TypeBody, TypeMapping, TypeMember,
};
use crate::label::{a, a_uc};
use puppetfn_base::diagnostic::{Diagnostic, Severity};

impl<'a> Checker<'a> {
    pub(super) fn definition(&mut self, expr: &'a Expr<'_>) {
        match &expr.kind {
            ExprKind::Function(function) | ExprKind::Plan(function) => self.function(function, expr),
            ExprKind::Class(class) => self.class(class, expr),
            ExprKind::ResourceType(resource_type) => self.resource_type(resource_type, expr),
            ExprKind::Node(node) => self.node(node, expr),
            ExprKind::TypeAlias(alias) => {
                self.check_top(expr);
                if !name::is_type(alias.name) {
                    self.illegal_name(alias.name, expr);
                }
                self.check_type_reference(&alias.value, "Type Alias");
                self.within(ContainerKind::Other, |checker| checker.expr(&alias.value));
            }
            ExprKind::TypeMapping(mapping) => {
                self.check_top(expr);
                self.check_mapping(mapping, expr);
                self.within(ContainerKind::Other, |checker| {
                    checker.expr(&mapping.type_expr);
                    checker.expr(&mapping.value);
                });
            }
            ExprKind::TypeDefinition(definition) => {
                self.check_top(expr);
                if let Some(members) = definition.members() {
                    self.within(ContainerKind::Other, |checker| checker.members(members));
                } else if let TypeBody::Statements(block) = &definition.body {
                    self.unsupported(expr);
                    self.within(ContainerKind::Other, |checker| checker.body(block, expr.diagnostic_span()));
                }
            }
            _ => {}
        }
    }

    fn members(&mut self, members: &'a [TypeMember<'_>]) {
        for member in members {
            match member {
                TypeMember::Attribute(feature) | TypeMember::Reference(feature) => {
                    self.exprs(feature.type_expr.as_slice());
                    for setting in &feature.settings {
                        self.in_setter = setting.name == "set";
                        self.setting(&setting.value);
                        self.in_setter = false;
                    }
                }
                TypeMember::Invariant(invariant) => {
                    self.exprs(invariant.message.as_slice());
                    self.setting(&invariant.condition);
                }
                TypeMember::Abstract(_) => {}
            }
        }
    }

    fn setting(&mut self, value: &'a SettingValue<'_>) {
        match value {
            SettingValue::Expr(expr) => self.expr(expr),
            SettingValue::Block(block) => self.body(block, block.span),
            SettingValue::Lambda(lambda) => self.lambda(Some(lambda)),
        }
    }

    fn function(&mut self, function: &'a FunctionDefinition<'_>, expr: &'a Expr<'_>) {
        self.check_named(&function.name, expr);
        self.check_return_type(function.return_type.as_ref(), &expr.kind.label());
        self.check_unique(&function.parameters);
        self.within(ContainerKind::Other, |checker| {
            checker.parameters(&function.parameters);
            checker.body(&function.body, expr.diagnostic_span());
            if let Some(t) = &function.return_type {
                checker.expr(t);
            }
        });
    }

    fn class(&mut self, class: &'a ClassDefinition<'_>, expr: &'a Expr<'_>) {
        if self.check_for_catalog(expr, false) {
            self.check_named(&class.name, expr);
            self.check_resource_parameters(&class.parameters, &class.body, expr);
            for parameter in &class.parameters {
                self.check_literal_type(parameter);
            }
        }
        self.within(ContainerKind::Class, |checker| {
            checker.parameters(&class.parameters);
            checker.body(&class.body, expr.diagnostic_span());
        });
    }

    fn resource_type(&mut self, resource_type: &'a DefinedType<'_>, expr: &'a Expr<'_>) {
        if self.check_for_catalog(expr, false) {
            self.check_named(&resource_type.name, expr);
            self.check_resource_parameters(&resource_type.parameters, &resource_type.body, expr);
        }
        self.within(ContainerKind::Other, |checker| {
            checker.parameters(&resource_type.parameters);
            checker.body(&resource_type.body, expr.diagnostic_span());
        });
    }

    /// Checks the rules that classes and defined types share.
    fn check_resource_parameters(
        &mut self,
        parameters: &'a [Parameter<'_>],
        body: &'a Block<'_>,
        expr: &'a Expr<'_>,
    ) {
        let label = expr.kind.label();
        self.check_no_capture(parameters, &label);
        self.check_unique(parameters);
        for parameter in parameters.iter().filter(|parameter| matches!(parameter.name, "name" | "title")) {
            let message =
                format!("The parameter ${} redefines a built in parameter in the {label}", parameter.name);
            self.error("RESERVED_PARAMETER", message, parameter.span);
        }
        self.check_end(body, expr);
    }

    fn node(&mut self, node: &'a NodeDefinition<'_>, expr: &'a Expr<'_>) {
        if self.check_for_catalog(expr, true) {
            for host in &node.matches {
                self.check_host(host);
            }
            self.check_top(expr);
            self.check_end(&node.body, expr);
            if let Some(parent) = &node.parent {
                self.error(
                    "ILLEGAL_NODE_INHERITANCE",
                    "Node inheritance is not supported in Puppet >= 4.0.0. \
                     See http://links.puppet.com/puppet-node-inheritance-deprecation",
                    parent.diagnostic_span(),
                );
            }
        }
        self.within(ContainerKind::Other, |checker| {
            if let Some(parent) = &node.parent {
                checker.expr(parent);
            }
            checker.exprs(&node.matches);
            checker.body(&node.body, expr.diagnostic_span());
        });
    }

    /// Checks that a body does not end with a statement that is only there for its value.
    fn check_end(&mut self, body: &'a Block<'_>, expr: &'a Expr<'_>) {
        let Some(last) = body.statements.last().filter(|last| idem::is_idem(last)) else { return };
        if let ExprKind::Block(statements) = &last.kind
            && self.resource_without_title(statements).is_some()
        {
            return;
        }
        let (label, container) = (last.kind.label(), expr.kind.label());
        self.error(
            "IDEM_NOT_ALLOWED_LAST",
            format!(
                "This {label} has no effect. {} can not end with a value-producing expression without other effect",
                a_uc(&container)
            ),
            last.diagnostic_span(),
        );
    }

    /// Checks that a definition is in an allowed container.
    fn check_top(&mut self, expr: &'a Expr<'_>) {
        let only_at_top = matches!(
            expr.kind,
            ExprKind::Function(_) | ExprKind::Plan(_) | ExprKind::TypeAlias(_) | ExprKind::TypeDefinition(_)
        );
        let mut containers = self.containers.iter().rev().peekable();
        while let Some(container) = containers.next() {
            match container {
                ContainerKind::Program | ContainerKind::Apply | ContainerKind::Class => return,
                ContainerKind::Block | ContainerKind::ApplyBlock => {
                    if only_at_top && containers.peek() != Some(&&ContainerKind::Program) {
                        let label = expr.kind.label();
                        let message = format!("{} may only appear at toplevel", a_uc(&label));
                        self.error("NOT_ABSOLUTE_TOP_LEVEL", message, expr.diagnostic_span());
                        return;
                    }
                }
                ContainerKind::Lambda | ContainerKind::Other => {
                    self.error(
                        "NOT_TOP_LEVEL",
                        "Classes, definitions, and nodes may only appear at toplevel or inside other classes",
                        expr.diagnostic_span(),
                    );
                    return;
                }
            }
        }
    }

    /// Checks the name and the place of a class, a defined type or a function.
    fn check_named(&mut self, name: &'a str, expr: &'a Expr<'_>) {
        self.check_top(expr);
        if !name::is_definition(name) {
            self.illegal_name(name, expr);
        }
        if let Some(file) = self.rules.module_file
            && !file.namespace.as_ref().is_some_and(|namespace| name.to_lowercase().starts_with(namespace))
        {
            let message =
                format!("Unacceptable location. The name '{name}' is unacceptable in file '{}'", file.path);
            self.error("ILLEGAL_DEFINITION_LOCATION", message, expr.diagnostic_span());
        }
        if name::is_reserved_type(name) {
            let label = expr.kind.label();
            self.error(
                "RESERVED_TYPE_NAME",
                format!(
                    "The name: '{name}' is already defined by Puppet and can not be used as the name of {}.",
                    a(&label)
                ),
                expr.diagnostic_span(),
            );
        }
        self.check_future_word(name, expr);
    }

    fn illegal_name(&mut self, name: &str, expr: &Expr<'_>) {
        let label = expr.kind.label();
        self.error(
            "ILLEGAL_DEFINITION_NAME",
            format!("Unacceptable name. The name '{name}' is unacceptable as the name of {}", a(&label)),
            expr.diagnostic_span(),
        );
    }

    fn check_future_word(&mut self, word: &str, expr: &Expr<'_>) {
        if word == "plan" {
            self.found.push(Diagnostic {
                severity: Severity::Deprecation,
                code: "FUTURE_RESERVED_WORD",
                message: format!("Use of future reserved word: '{word}'"),
                span: expr.diagnostic_span().trimmed(self.text),
            });
        }
    }

    pub(super) fn check_return_type(&mut self, t: Option<&'a Expr<'_>>, container: &str) {
        if let Some(t) = t {
            self.check_type_reference(t, container);
        }
    }

    fn check_type_reference(&mut self, t: &'a Expr<'_>, container: &str) {
        let reference = match &t.kind {
            ExprKind::Access(access) => &access.operand,
            _ => t,
        };
        match reference.kind {
            ExprKind::Reference(name) => self.check_future_word(&name.to_lowercase(), t),
            _ => self.illegal_expression(t, "a type reference", container),
        }
    }

    fn check_mapping(&mut self, mapping: &'a TypeMapping<'_>, expr: &'a Expr<'_>) {
        let keys = match &mapping.type_expr.kind {
            ExprKind::Access(access) if matches!(access.operand.kind, ExprKind::Reference("Runtime")) => {
                &access.keys
            }
            _ => return self.unsupported(expr),
        };
        let from_pattern = matches!(keys.as_slice(), [_, key] if is_pattern_with_replacement(key));
        let is_legal = if is_pattern_with_replacement(&mapping.value) {
            from_pattern
        } else {
            !from_pattern && is_type(&mapping.value)
        };
        if !is_legal {
            let expected = if from_pattern { "Tuple[Regexp,String]" } else { "Type" };
            let message =
                format!("Illegal type mapping. Expected a {expected} on the left side, got A Type Mapping");
            self.error("ILLEGAL_TYPE_MAPPING", message, expr.diagnostic_span());
        }
    }

    fn unsupported(&mut self, expr: &Expr<'_>) {
        let (label, product) = (expr.kind.label(), self.rules.target.product());
        self.error(
            "UNSUPPORTED_EXPRESSION",
            format!("Expressions of type {} are not supported in this version of {product}", a(&label)),
            expr.diagnostic_span(),
        );
    }

    /// Checks parameters, with their types and defaults.
    pub(super) fn parameters(&mut self, parameters: &'a [Parameter<'_>]) {
        for parameter in parameters {
            self.check_parameter(parameter);
            self.within(ContainerKind::Other, |checker| {
                checker.exprs(parameter.default.as_slice());
                checker.exprs(parameter.type_expr.as_slice());
            });
        }
    }

    fn check_parameter(&mut self, parameter: &'a Parameter<'_>) {
        let Parameter { name, default, span, .. } = parameter;
        if name::is_numeric_parameter(name) {
            self.error(
                "ILLEGAL_NUMERIC_PARAMETER",
                format!(
                    "The numeric parameter name '${name}' cannot be used (clashes with numeric match result variables)"
                ),
                *span,
            );
        }
        if !name::is_parameter(name) {
            self.error(
                "ILLEGAL_PARAM_NAME",
                format!(
                    "Illegal parameter name. The given name '{name}' does not conform to the naming rule \
                     /^[a-z_]\\w*$/"
                ),
                *span,
            );
        }
        if let Some(default) = default {
            self.check_no_assignment(default);
        }
    }

    /// Checks that a default assigns nothing, but in lambdas.
    fn check_no_assignment(&mut self, expr: &'a Expr<'_>) {
        match &expr.kind {
            ExprKind::Binary(binary) if binary.op.is_assignment() => {
                self.error(
                    "ILLEGAL_ASSIGNMENT_CONTEXT",
                    "Assignment not allowed here",
                    expr.diagnostic_span(),
                );
            }
            _ => expr.for_each_child(&mut |child| self.check_no_assignment(child)),
        }
    }

    pub(super) fn check_unique(&mut self, parameters: &'a [Parameter<'_>]) {
        let mut names = HashSet::with_capacity(parameters.len());
        for Parameter { name, span, .. } in parameters {
            if !names.insert(*name) {
                let message =
                    format!("The parameter '{name}' is declared more than once in the parameter list");
                self.error("DUPLICATE_PARAMETER", message, *span);
            }
        }
    }

    pub(super) fn check_capture_last(&mut self, parameters: &'a [Parameter<'_>]) {
        let others = parameters.split_last().map_or([].as_slice(), |(_, others)| others);
        for Parameter { name, span, .. } in others.iter().filter(|parameter| parameter.captures_rest) {
            let message = format!("Parameter ${name} is not last, and has 'captures rest'");
            self.error("CAPTURES_REST_NOT_LAST", message, *span);
        }
    }

    pub(super) fn check_no_capture(&mut self, parameters: &'a [Parameter<'_>], container: &str) {
        for Parameter { name, span, .. } in parameters.iter().filter(|parameter| parameter.captures_rest) {
            let message =
                format!("Parameter ${name} has 'captures rest' - not supported in {}", a(container));
            self.error("CAPTURES_REST_NOT_SUPPORTED", message, *span);
        }
    }

    /// Checks that the type of a class's parameter needs no evaluation.
    fn check_literal_type(&mut self, parameter: &'a Parameter<'_>) {
        if parameter.type_expr.as_ref().is_some_and(|t| literal(t).is_none()) {
            self.found.push(Diagnostic {
                severity: Severity::Deprecation,
                code: "ILLEGAL_NONLITERAL_PARAMETER_TYPE",
                message: format!(
                    "The parameter '${}' must be a literal type, not a Puppet::Pops::Model::AccessExpression",
                    parameter.name
                ),
                span: parameter.span,
            });
        }
    }
}

/// Returns true if an expression is `[/pattern/, 'replacement']`.
fn is_pattern_with_replacement(expr: &Expr<'_>) -> bool {
    match &expr.kind {
        ExprKind::Array(elements) => matches!(
            elements.as_slice(),
            [Expr { kind: ExprKind::Regexp(_), .. }, Expr { kind: ExprKind::String(_), .. }]
        ),
        _ => false,
    }
}

fn is_type(expr: &Expr<'_>) -> bool {
    match &expr.kind {
        ExprKind::Access(access) => matches!(access.operand.kind, ExprKind::Reference(_)),
        kind => matches!(kind, ExprKind::Reference(_)),
    }
}
