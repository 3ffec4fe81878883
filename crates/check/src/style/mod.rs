//! Rules of style: how code is written, whatever it does.
//!
//! Most of the rules are also in puppet-lint and its plugins. They work on the tokens and the syntax tree. Layout is
//! compared with the formatter's. A fix never changes a catalog: [`same_meaning`] compares the trees.

mod comments;
mod conditions;
mod definitions;
mod documentation;
mod fixes;
mod functions;
mod layout;
mod lines;
mod meaning;
mod parameters;
mod quoting;
mod resources;
mod security;
mod strings;
mod unused;
mod variables;

pub use fixes::{apart, by_meaning, fixed};
pub use meaning::same_meaning;

use std::collections::HashSet;
use std::sync::OnceLock;

use super::finding::{Finding, Fix};
use super::rule::Rule;
use super::world::World;
use super::{Selection, TextOrigin};
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{Expr, ExprKind, Program};
use puppetfn_syntax::{Lexeme, Tree, lexemes};
use puppetfn_types::types::Type;

/// A text that rules of style are applied to.
struct Style<'a, 's> {
    world: &'a World,
    tree: &'a Tree,
    program: &'a Program<'s>,
    text: &'a str,
    origin: &'a TextOrigin,
    /// Tokens and comments; a template has none.
    lexemes: Vec<Lexeme>,
    /// Spans of strings that rules of strings skip: keys of hashes, and code.
    exempt: HashSet<Span>,
    /// The variables in strings that have no braces.
    bare: HashSet<Span>,
    /// The enclosing class or defined type.
    definition: Option<&'a Expr<'s>>,
    /// Spans of expressions whose value is certainly a string, computed on first use.
    strings: OnceLock<HashSet<Span>>,
    findings: Vec<Finding>,
}

/// Returns the findings of the selected rules of style in a text.
pub(super) fn findings(world: &World, tree: &Tree, origin: &TextOrigin) -> Vec<Finding> {
    let is_template = tree.mode().template;
    let lexemes = (!is_template).then(|| lexemes(tree.text(), tree.mode()).map_while(Result::ok).collect());
    let mut style = Style {
        world,
        tree,
        program: tree.program(),
        text: tree.text(),
        origin,
        lexemes: lexemes.unwrap_or_default(),
        exempt: HashSet::new(),
        bare: HashSet::new(),
        definition: None,
        strings: OnceLock::new(),
        findings: Vec::new(),
    };
    for statement in &style.program.statements {
        if !is_template {
            definitions::top(&mut style, statement);
        }
        style.visit(statement);
    }
    if !is_template {
        comments::check(&mut style);
        lines::check(&mut style);
        layout::check(&mut style);
    }
    style.findings
}

impl<'a, 's> Style<'a, 's> {
    fn selection(&self) -> &'a Selection {
        self.world.selection()
    }

    fn report(&mut self, rule: Rule, span: Span, message: impl Into<String>) {
        self.report_with(rule, span, message, None);
    }

    /// Reports a finding with its fix, if any.
    fn report_with(&mut self, rule: Rule, span: Span, message: impl Into<String>, fix: Option<Fix>) {
        if self.selection().has(rule) {
            let finding = Finding::new(rule, message, span);
            self.findings.push(Finding { fix, ..finding });
        }
    }

    /// Returns the text of an expression.
    fn written(&self, expr: &Expr<'_>) -> &'a str {
        expr.span.text(self.text)
    }

    /// Returns true if there is a comment in a part of the text.
    fn has_comment(&self, span: Span) -> bool {
        let first = self.lexemes.partition_point(|lexeme| lexeme.span.start < span.start);
        let within = self.lexemes.get(first..).unwrap_or_default().iter();
        within.take_while(|lexeme| lexeme.span.start < span.end).any(|lexeme| lexeme.kind.is_comment())
    }

    /// Returns true if the value of an expression is certainly a string.
    fn is_string(&self, expr: &Expr<'_>) -> bool {
        let strings = self.strings.get_or_init(|| {
            let types = self.world.types_in(self.program, self.origin);
            let is_text = |t: &Type| *t != Type::Unit && Type::STRING.assignable(t);
            let (texts, others): (Vec<_>, Vec<_>) = types.into_iter().partition(|(_, t)| is_text(t));
            let others: HashSet<Span> = others.into_iter().map(|(span, _)| span).collect();
            texts.into_iter().map(|(span, _)| span).filter(|span| !others.contains(span)).collect()
        });
        strings.contains(&expr.span)
    }

    fn visit(&mut self, expr: &'a Expr<'s>) {
        let around = self.definition;
        definitions::check(self, expr);
        unused::check(self, expr);
        if matches!(expr.kind, ExprKind::Class(_) | ExprKind::ResourceType(_)) {
            self.definition = Some(expr);
        }
        strings::check(self, expr);
        quoting::check(self, expr);
        variables::check(self, expr);
        conditions::check(self, expr);
        functions::check(self, expr);
        resources::check(self, expr);
        expr.for_each_child(&mut |child| self.visit(child));
        if let Some(lambda) = expr.kind.lambda() {
            let parameters = lambda.parameters.iter();
            let of_parameters =
                parameters.flat_map(|parameter| parameter.type_expr.iter().chain(&parameter.default));
            let rest = lambda.return_type.iter().chain(&lambda.body.statements);
            of_parameters.chain(rest).for_each(|child| self.visit(child));
        }
        self.definition = around;
    }
}

/// Returns the fix that replaces a span by a text.
fn replaced(span: Span, text: impl Into<String>) -> Option<Fix> {
    Some(Fix { span, text: text.into() })
}
