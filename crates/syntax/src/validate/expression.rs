//! Operators, conditions, calls and literals.
//!
//! See Puppet's `pops/validation/checker4_0.rb`.

use std::collections::HashSet;

use super::external::check_syntax;
use super::literal::literal;
use super::{Checker, ContainerKind, name};
use crate::ast::{
    BinaryExpr, BinaryOp, Case, Expr, ExprKind, FunctionCall, Heredoc, If, KeyedEntry, Lambda,
    OperatorFamily, Selector, StringSegment, TemplateExpr, Unless,
};
use puppetfn_base::diagnostic::{Diagnostic, Strict};
use puppetfn_base::limits::Limits;
use puppetfn_base::source::Span;

/// The function that makes values.
const NEW: &str = "new";

impl<'a> Checker<'a> {
    /// Checks an expression and its descendants.
    pub(super) fn expr(&mut self, expr: &'a Expr<'_>) {
        if !self.has_stack(expr) {
            return;
        }
        match &expr.kind {
            ExprKind::Undef
            | ExprKind::Default
            | ExprKind::Boolean(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Regexp(_)
            | ExprKind::Name(_)
            | ExprKind::Reference(_)
            | ExprKind::RenderText(_) => {}
            ExprKind::Integer(number) => self.check_integer(*number, expr),
            ExprKind::Variable(name) => self.check_variable(name, expr),
            ExprKind::Reserved(word) => self.error(
                "RESERVED_WORD",
                format!("Use of reserved word: {word}, must be quoted if intended to be a String value"),
                expr.diagnostic_span(),
            ),
            ExprKind::Interpolation(segments) => {
                self.within(ContainerKind::Other, |checker| checker.segments(segments));
            }
            ExprKind::Heredoc(heredoc) => {
                self.check_heredoc(heredoc);
                self.within(ContainerKind::Other, |checker| checker.expr(&heredoc.text));
            }
            ExprKind::Error(parts) => self.within(ContainerKind::Other, |checker| checker.exprs(parts)),
            ExprKind::Array(elements) => {
                self.check_values(elements);
                self.within(ContainerKind::Other, |checker| checker.exprs(elements));
            }
            ExprKind::Hash(entries) => {
                self.check_keys(entries);
                self.within(ContainerKind::Other, |checker| checker.entries(entries));
            }
            ExprKind::Access(access) => self.within(ContainerKind::Other, |checker| {
                checker.expr(&access.operand);
                checker.exprs(&access.keys);
            }),
            ExprKind::Call(call) => self.call(call, expr),
            ExprKind::Method(method) => self.within(ContainerKind::Other, |checker| {
                checker.within(ContainerKind::Other, |checker| checker.expr(&method.receiver));
                checker.exprs(&method.arguments);
                checker.block_of(method.name, method.lambda.as_ref());
            }),
            ExprKind::Paren(operand) | ExprKind::Unary(_, operand) | ExprKind::Render(operand) => {
                self.check_value(operand);
                self.within(ContainerKind::Other, |checker| checker.expr(operand));
            }
            ExprKind::Binary(binary) => self.binary(binary, expr),
            ExprKind::Selector(selector) => self.selector(selector),
            ExprKind::If(conditional) => self.conditional(conditional),
            ExprKind::Unless(unless) => self.unless(unless),
            ExprKind::Case(case) => self.case(case),
            ExprKind::Block(statements) => self.block(statements, expr.diagnostic_span()),
            ExprKind::Template(template) => self.template(template),
            ExprKind::Function(_)
            | ExprKind::Plan(_)
            | ExprKind::TypeAlias(_)
            | ExprKind::TypeMapping(_)
            | ExprKind::TypeDefinition(_)
            | ExprKind::Class(_)
            | ExprKind::ResourceType(_)
            | ExprKind::Node(_) => self.definition(expr),
            ExprKind::Resource(_)
            | ExprKind::ResourceDefaults(_)
            | ExprKind::ResourceOverride(_)
            | ExprKind::Collector(_)
            | ExprKind::Apply(_) => self.catalog(expr),
        }
    }

    /// Literals have no sign, so that the least integer cannot be written.
    fn check_integer(&mut self, number: u64, expr: &Expr<'_>) {
        if i64::try_from(number).is_err() {
            self.error(
                "NUMERIC_OVERFLOW",
                format!(
                    "A Literal Integer resulted in a value outside of Puppet Integer max range, got '+{number:#x}'"
                ),
                expr.diagnostic_span(),
            );
        }
    }

    fn check_variable(&mut self, name: &str, expr: &Expr<'_>) {
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            if !name::is_match_variable(name) {
                self.error(
                    "ILLEGAL_NUMERIC_VAR_NAME",
                    format!(
                        "Illegal numeric variable name, The given name '{name}' must be a decimal value \
                         if it starts with a digit 0-9"
                    ),
                    expr.diagnostic_span(),
                );
            }
        } else if !name::is_variable(name) {
            self.error(
                "ILLEGAL_VAR_NAME",
                format!(
                    "Illegal variable name, The given name '{name}' does not conform to the naming rule \
                     /^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/"
                ),
                expr.diagnostic_span(),
            );
        }
    }

    /// Checks that a text has its declared syntax. A text with interpolations is checked when it is evaluated.
    fn check_heredoc(&mut self, heredoc: &'a Heredoc<'_>) {
        if let (Some(syntax), ExprKind::String(text)) = (heredoc.syntax, &heredoc.text.kind)
            && self.not_in_syntax.is_none()
            && let Err(problem) = check_syntax(text, syntax, self.rules.tasks, &self.limits_here())
        {
            self.not_in_syntax = Some(Diagnostic::error(problem.code, problem.message, heredoc.text.span));
        }
    }

    /// Returns the limits for a text in this text: they hold for both together.
    fn limits_here(&self) -> Limits {
        let depth = u32::try_from(self.containers.len()).unwrap_or(u32::MAX);
        Limits { syntax: self.limits.syntax.saturating_sub(depth), ..self.limits }
    }

    fn segments(&mut self, segments: &'a [StringSegment<'_>]) {
        for segment in segments {
            if let StringSegment::Expr(code) = segment {
                self.check_value(code);
                self.within(ContainerKind::Other, |checker| checker.expr(code));
            }
        }
    }

    fn check_keys(&mut self, entries: &'a [KeyedEntry<'_>]) {
        let mut keys = HashSet::with_capacity(entries.len());
        for entry in entries {
            if let Some(key) = literal(&entry.key) {
                let shown = key.clone();
                if !keys.insert(key) {
                    let message = format!("The key '{shown}' is declared more than once");
                    let at = Span::new(entry.arrow, entry.value.span.end);
                    match self.rules.strict {
                        Strict::Off => {}
                        Strict::Warning => {
                            self.found.push(Diagnostic::warning("DUPLICATE_KEY", message, at));
                        }
                        Strict::Error => self.error("DUPLICATE_KEY", message, at),
                    }
                }
            }
        }
    }

    fn entries(&mut self, entries: &'a [KeyedEntry<'_>]) {
        for KeyedEntry { key, value, .. } in entries {
            self.check_value(key);
            self.check_value(value);
            self.within(ContainerKind::Other, |checker| {
                checker.expr(key);
                checker.expr(value);
            });
        }
    }

    fn call(&mut self, call: &'a FunctionCall<'_>, expr: &'a Expr<'_>) {
        let mut called = &call.function.kind;
        if let ExprKind::Access(access) = called
            && let reference @ ExprKind::Reference(_) = &access.operand.kind
        {
            called = reference;
        }
        if matches!(call.function.kind, ExprKind::RenderText(_)) {
            self.error(
                "ILLEGAL_EPP_PARAMETERS",
                "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters \
                 to remove leading whitespace",
                expr.diagnostic_span(),
            );
        } else if !matches!(called, ExprKind::Name(_) | ExprKind::Reference(_)) {
            self.illegal_expression(&call.function, "function name", "Function Call");
        }
        self.within(ContainerKind::Other, |checker| {
            checker.expr(&call.function);
            checker.exprs(&call.arguments);
            let name = if let ExprKind::Name(name) = call.function.kind { name } else { NEW };
            checker.block_of(name, call.lambda.as_ref());
        });
    }

    /// Checks the block of a call. The block of `new` can set attributes of the new object.
    fn block_of(&mut self, function: &str, lambda: Option<&'a Lambda<'_>>) {
        let known = self.made.len();
        if function == NEW {
            let parameters = lambda.iter().flat_map(|lambda| &lambda.parameters);
            self.made.extend(parameters.map(|parameter| parameter.name));
        }
        self.lambda(lambda);
        self.made.truncate(known);
    }

    /// Returns true if an expression is `$object[name]` of an object under construction.
    pub(super) fn is_settable(&self, expr: &Expr<'_>) -> bool {
        if let ExprKind::Access(access) = &expr.kind
            && let ExprKind::Variable(name) = access.operand.kind
        {
            access.keys.len() == 1 && self.made.contains(&name)
        } else {
            false
        }
    }

    /// Returns true if an expression can be the target of `+=`.
    fn can_grow(&self, expr: &Expr<'_>) -> bool {
        self.is_settable(expr) || self.in_setter && matches!(expr.kind, ExprKind::Variable(_))
    }

    pub(super) fn lambda(&mut self, lambda: Option<&'a Lambda<'_>>) {
        let Some(lambda) = lambda else { return };
        self.check_capture_last(&lambda.parameters);
        self.check_return_type(lambda.return_type.as_ref(), "Lambda");
        self.within(ContainerKind::Lambda, |checker| {
            checker.parameters(&lambda.parameters);
            checker.body(&lambda.body, lambda.span);
            if let Some(t) = &lambda.return_type {
                checker.expr(t);
            }
        });
    }

    fn binary(&mut self, binary: &'a BinaryExpr<'_>, expr: &'a Expr<'_>) {
        let BinaryExpr { op, left, right, .. } = binary;
        match op.family() {
            OperatorFamily::Assignment if *op == BinaryOp::Assign => {
                self.check_assigned(left);
                self.check_value(right);
            }
            OperatorFamily::Assignment if *op == BinaryOp::Append && self.can_grow(left) => self.check_value(right),
            OperatorFamily::Assignment => self.error(
                "APPENDS_DELETES_NO_LONGER_SUPPORTED",
                format!(
                    "The operator '{}' is no longer supported. See http://links.puppet.com/remove-plus-equals",
                    op.symbol()
                ),
                expr.diagnostic_span(),
            ),
            OperatorFamily::Relationship => {
                if self.check_for_catalog(expr, true) {
                    self.check_related(left);
                    self.check_related(right);
                }
            }
            OperatorFamily::Logical
            | OperatorFamily::Comparison
            | OperatorFamily::Equality
            | OperatorFamily::Shift
            | OperatorFamily::Sum
            | OperatorFamily::Product
            | OperatorFamily::Match
            | OperatorFamily::In => {
                self.check_value(left);
                self.check_value(right);
            }
        }
        self.within(ContainerKind::Other, |checker| {
            checker.expr(left);
            checker.expr(right);
        });
    }

    fn selector(&mut self, selector: &'a Selector<'_>) {
        self.check_value(&selector.operand);
        let mut defaults =
            selector.entries.iter().filter(|entry| matches!(entry.key.kind, ExprKind::Default));
        if let Some(second) = defaults.nth(1) {
            self.duplicate_default(&second.key, "Selector Expression");
        }
        self.within(ContainerKind::Other, |checker| {
            checker.expr(&selector.operand);
            for entry in &selector.entries {
                checker.check_value(&entry.key);
                checker.within(ContainerKind::Other, |checker| {
                    checker.expr(&entry.key);
                    checker.expr(&entry.value);
                });
            }
        });
    }

    fn duplicate_default(&mut self, duplicate: &Expr<'_>, container: &str) {
        self.error(
            "DUPLICATE_DEFAULT",
            format!("This {container} already has a 'default' entry - this is a duplicate"),
            duplicate.diagnostic_span(),
        );
    }

    /// Each `elsif` is within the `if` before it.
    fn conditional(&mut self, conditional: &'a If<'_>) {
        for branch in &conditional.branches {
            self.check_value(&branch.test);
            self.containers.push(ContainerKind::Other);
            self.expr(&branch.test);
            self.branch(&branch.then);
        }
        if let Some(block) = &conditional.otherwise {
            self.branch(block);
        }
        self.containers.truncate(self.containers.len().saturating_sub(conditional.branches.len()));
    }

    fn unless(&mut self, unless: &'a Unless<'_>) {
        self.check_value(&unless.test);
        self.within(ContainerKind::Other, |checker| {
            checker.expr(&unless.test);
            checker.branch(&unless.then);
            if let Some(block) = &unless.otherwise {
                checker.branch(block);
            }
        });
    }

    fn case(&mut self, case: &'a Case<'_>) {
        self.check_value(&case.test);
        let values = case.options.iter().flat_map(|option| &option.values);
        for duplicate in values.filter(|value| matches!(value.kind, ExprKind::Default)).skip(1) {
            self.duplicate_default(duplicate, "'case' statement");
        }
        self.within(ContainerKind::Other, |checker| {
            checker.expr(&case.test);
            for option in &case.options {
                checker.check_values(&option.values);
                checker.within(ContainerKind::Other, |checker| {
                    checker.exprs(&option.values);
                    checker.body(&option.then, Span::new(option.colon, option.then.span.end));
                });
            }
        });
    }

    /// A template is a lambda.
    fn template(&mut self, template: &'a TemplateExpr<'_>) {
        let parameters = template.parameters.as_deref().unwrap_or_default();
        self.check_capture_last(parameters);
        self.within(ContainerKind::Lambda, |checker| {
            checker.parameters(parameters);
            checker.check_no_capture(parameters, "Epp Template");
            checker.check_unique(parameters);
            checker.within(ContainerKind::Other, |checker| checker.block(&template.body, Span::default()));
        });
    }
}
