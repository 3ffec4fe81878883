//! Reports code that the grammar accepts but Puppet does not allow, with Puppet's messages and in Puppet's order.
//!
//! See Puppet's `pops/validation/checker4_0.rb`.

mod definition_rules;
mod expression;
mod external;
mod idem;
mod json;
mod literal;
mod module_file;
mod name;
mod resource;
mod role;

pub use self::external::{NotInSyntax, check_syntax};
pub use self::module_file::ModuleFile;

use super::ast::{Block, Expr, ExprKind, Program};
use super::label::{a, a_uc};
use puppetfn_base::diagnostic::{Diagnostic, Strict};
use puppetfn_base::limits::Limits;
use puppetfn_base::source::Span;
use puppetfn_base::stack::StackGuard;
use puppetfn_base::target::Target;

/// The code of a tree that is too deep for the stack. Puppet ends with a Ruby error then.
const TOO_DEEP: &str = "LIMIT_EXCEEDED";

/// The rules that a text is checked against.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ValidationRules<'a> {
    /// The text is a script or a plan, so catalog expressions are only allowed in `apply`.
    pub tasks: bool,
    /// The module's file that the text is from, if its path determines the names of its definitions.
    pub module_file: Option<&'a ModuleFile>,
    /// Severity of duplicate keys in hashes.
    pub strict: Strict,
    /// The release that messages are about.
    pub target: Target,
}

/// Reports the violations of a program that may be part of another, within limits. A tree that is too deep for the
/// stack is itself a violation.
pub fn validate<'a>(program: &'a Program<'_>, rules: ValidationRules<'a>, limits: Limits) -> Vec<Diagnostic> {
    let mut checker = Checker {
        text: program.text,
        rules,
        limits,
        stack: StackGuard::new(&limits),
        found: Vec::new(),
        not_in_syntax: None,
        containers: vec![ContainerKind::Program],
        made: Vec::new(),
        in_setter: false,
    };
    checker.top_constructs(&program.statements);
    match program.statements.as_slice() {
        [statement] => checker.expr(statement),
        statements => {
            checker.block(statements, statements.first().map_or_else(Span::default, Expr::diagnostic_span))
        }
    }
    match checker.not_in_syntax {
        Some(error) => vec![error],
        None => checker.found,
    }
}

/// The kinds of enclosing constructs that rules distinguish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ContainerKind {
    Program,
    Block,
    Class,
    Lambda,
    Apply,
    ApplyBlock,
    Other,
}

/// Visitor of a tree. It checks each expression before its children.
struct Checker<'a> {
    text: &'a str,
    rules: ValidationRules<'a>,
    /// The limits of embedded texts.
    limits: Limits,
    stack: StackGuard,
    found: Vec<Diagnostic>,
    /// The first heredoc that violates its declared syntax. Puppet then reports nothing else.
    not_in_syntax: Option<Diagnostic>,
    /// The enclosing constructs, the innermost last.
    containers: Vec<ContainerKind>,
    /// The variables in scope that hold an object under construction: parameters of blocks of `new`.
    made: Vec<&'a str>,
    /// Whether the code is in a setter, which can append to attributes.
    in_setter: bool,
}

impl<'a> Checker<'a> {
    fn error(&mut self, code: &'static str, message: impl Into<String>, span: Span) {
        self.found.push(Diagnostic::error(code, message, span.trimmed(self.text)));
    }

    /// Returns true if enough stack is left for an expression's children.
    fn has_stack(&mut self, expr: &Expr<'_>) -> bool {
        let checked = self.stack.check();
        if let Err(error) = &checked
            && !self.found.iter().any(|found| found.code == TOO_DEEP)
        {
            self.error(TOO_DEEP, error.message(), expr.diagnostic_span());
        }
        checked.is_ok()
    }

    /// Visits the children of a container.
    fn within(&mut self, container: ContainerKind, visit: impl FnOnce(&mut Self)) {
        self.containers.push(container);
        visit(self);
        self.containers.pop();
    }

    fn exprs(&mut self, exprs: &'a [Expr<'_>]) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    /// Visits the body of a condition, which is a block only if it has several statements.
    fn branch(&mut self, block: &'a Block<'_>) {
        match block.statements.as_slice() {
            [] => {}
            [statement] => self.expr(statement),
            statements => self.block(statements, block.span),
        }
    }

    /// Visits the body of a definition or a lambda, which is always a block, unless it is empty. Puppet gives it the
    /// place of the definition or lambda.
    fn body(&mut self, block: &'a Block<'_>, span: Span) {
        if !block.statements.is_empty() {
            self.block(&block.statements, span);
        }
    }

    fn block(&mut self, statements: &'a [Expr<'_>], span: Span) {
        self.check_block(statements, span);
        self.within(ContainerKind::Block, |checker| checker.exprs(statements));
    }

    /// Only the last statement may be there just for its value.
    fn check_block(&mut self, statements: &'a [Expr<'_>], span: Span) {
        if let Some(name) = self.resource_without_title(statements) {
            self.error(
                "RESOURCE_WITHOUT_TITLE",
                format!(
                    "This expression is invalid. Did you try declaring a '{name}' resource without a title?"
                ),
                span,
            );
            return;
        }
        let others = statements.split_last().map_or([].as_slice(), |(_, others)| others);
        if let Some(idle) = others.iter().find(|statement| idem::is_idem(statement)) {
            self.error(
                "IDEM_EXPRESSION_NOT_LAST",
                format!(
                    "This {} has no effect. A value was produced and then forgotten \
                     (one or more preceding expressions may have the wrong form)",
                    idle.kind.label()
                ),
                idle.diagnostic_span(),
            );
        }
    }

    /// Returns the name if the statements are the parse of `name { a => 1 }`.
    fn resource_without_title(&self, statements: &'a [Expr<'_>]) -> Option<&'a str> {
        match statements {
            [Expr { kind: ExprKind::Name(name), .. }, Expr { kind: ExprKind::Hash(_), .. }]
                if !self.rules.tasks =>
            {
                Some(name)
            }
            _ => None,
        }
    }

    fn in_apply(&self) -> bool {
        self.containers.contains(&ContainerKind::ApplyBlock)
    }

    /// Checks an expression that is only available in catalogs. Returns true if it is allowed here.
    fn check_for_catalog(&mut self, expr: &Expr<'_>, allowed_in_apply: bool) -> bool {
        if !self.rules.tasks || allowed_in_apply && self.in_apply() {
            return true;
        }
        let label = expr.kind.label();
        self.error(
            "EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING",
            format!("{} is only available when compiling a catalog", a_uc(&label)),
            expr.diagnostic_span(),
        );
        false
    }

    fn check_not_in_apply(&mut self, expr: &Expr<'_>) {
        let label = expr.kind.label();
        self.error(
            "EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING",
            format!("{} is not available when compiling a catalog", a_uc(&label)),
            expr.diagnostic_span(),
        );
    }

    /// Reports an expression that cannot have the role it is used in.
    fn illegal_expression(&mut self, expr: &Expr<'_>, feature: &str, container: &str) {
        let label = expr.kind.label();
        self.error(
            "ILLEGAL_EXPRESSION",
            format!("Illegal expression. {} is unacceptable as {feature} in {}", a_uc(&label), a(container)),
            expr.diagnostic_span(),
        );
    }

    /// Checks that a module's file has only definitions at its top level.
    fn top_constructs(&mut self, statements: &'a [Expr<'_>]) {
        if self.rules.module_file.is_none() {
            return;
        }
        for statement in statements {
            if statement.kind.is_definition() && !matches!(statement.kind, ExprKind::Node(_)) {
                continue;
            }
            let label = statement.kind.label();
            self.error(
                "ILLEGAL_TOP_CONSTRUCT_LOCATION",
                format!("This {label} is unacceptable as a top level construct in this location"),
                statement.diagnostic_span(),
            );
        }
    }
}
