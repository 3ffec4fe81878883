//! Expressions as JSON.

use serde_json::{Value as Json, json};

use super::{Tree, node, span};
use crate::syntax::ast::{Block, Branch, Entry, Expr, ExprKind, Lambda, Segment, UnaryOp};

impl Tree<'_> {
    pub(super) fn expr(&self, expr: &Expr<'_>) -> Json {
        let at = expr.span;
        match &expr.kind {
            ExprKind::Undef => node("undef", at, []),
            ExprKind::Default => node("default", at, []),
            ExprKind::Boolean(truth) => node("boolean", at, [("value", json!(truth))]),
            ExprKind::Integer(number) => node("integer", at, [("value", json!(number))]),
            ExprKind::Float(number) => node("float", at, [("value", json!(number))]),
            ExprKind::String(text) => node("string", at, [("value", json!(text))]),
            ExprKind::Interpolation(segments) => {
                let parts = segments.iter().map(|segment| match segment {
                    Segment::Text(text) => json!(text),
                    Segment::Expr(code) => self.expr(code),
                });
                node("interpolation", at, [("parts", parts.collect())])
            }
            ExprKind::Heredoc(heredoc) => {
                let parts = [("syntax", json!(heredoc.syntax)), ("text", self.expr(&heredoc.text))];
                node("heredoc", at, parts)
            }
            ExprKind::Regexp(source) => node("regexp", at, [("source", json!(source))]),
            ExprKind::Name(name) => node("name", at, [("name", json!(name))]),
            ExprKind::Reference(name) => node("reference", at, [("name", json!(name))]),
            ExprKind::Variable(name) => node("variable", at, [("name", json!(name))]),
            ExprKind::Reserved(word) => node("reserved", at, [("word", json!(word))]),
            ExprKind::Array(elements) => node("array", at, [("elements", self.exprs(elements))]),
            ExprKind::Hash(entries) => node("hash", at, [("entries", self.entries(entries))]),
            ExprKind::Access(access) => {
                let parts = [("operand", self.expr(&access.operand)), ("keys", self.exprs(&access.keys))];
                node("access", at, parts)
            }
            ExprKind::Call(call) => node(
                "call",
                at,
                [
                    ("function", self.expr(&call.function)),
                    ("arguments", self.exprs(&call.arguments)),
                    ("lambda", self.lambda(call.lambda.as_ref())),
                    ("is_statement", json!(call.is_statement)),
                ],
            ),
            ExprKind::Method(method) => node(
                "method",
                at,
                [
                    ("receiver", self.expr(&method.receiver)),
                    ("name", json!(method.name)),
                    ("name_span", span(method.name_span)),
                    ("arguments", self.exprs(&method.arguments)),
                    ("lambda", self.lambda(method.lambda.as_ref())),
                ],
            ),
            ExprKind::Paren(inner) => node("paren", at, [("expression", self.expr(inner))]),
            ExprKind::Unary(op, operand) => {
                let op = match op {
                    UnaryOp::Minus => "-",
                    UnaryOp::Not => "!",
                    UnaryOp::Splat => "*",
                };
                node("unary", at, [("op", json!(op)), ("operand", self.expr(operand))])
            }
            ExprKind::Binary(binary) => node(
                "binary",
                at,
                [
                    ("op", json!(binary.op.symbol())),
                    ("left", self.expr(&binary.left)),
                    ("right", self.expr(&binary.right)),
                ],
            ),
            ExprKind::Selector(selector) => node(
                "selector",
                at,
                [("operand", self.expr(&selector.operand)), ("entries", self.entries(&selector.entries))],
            ),
            ExprKind::If(conditional) => node(
                "if",
                at,
                [
                    ("branches", conditional.branches.iter().map(|branch| self.branch(branch)).collect()),
                    ("else", self.optional_block(conditional.otherwise.as_ref())),
                ],
            ),
            ExprKind::Unless(unless) => node(
                "unless",
                at,
                [
                    ("test", self.expr(&unless.test)),
                    ("then", self.block(&unless.then)),
                    ("else", self.optional_block(unless.otherwise.as_ref())),
                ],
            ),
            ExprKind::Case(case) => {
                let options = case.options.iter().map(
                    |option| json!({"values": self.exprs(&option.values), "then": self.block(&option.then)}),
                );
                node("case", at, [("test", self.expr(&case.test)), ("options", options.collect())])
            }
            ExprKind::Block(statements) => node("block", at, [("statements", self.exprs(statements))]),
            ExprKind::Template(template) => {
                let parameters = template.parameters.as_ref().map(|parameters| self.parameters(parameters));
                let parts =
                    [("parameters", parameters.unwrap_or_default()), ("body", self.exprs(&template.body))];
                node("template", at, parts)
            }
            ExprKind::RenderText(text) => node("render_text", at, [("text", json!(text))]),
            ExprKind::Render(rendered) => node("render", at, [("expression", self.expr(rendered))]),
            ExprKind::Function(_)
            | ExprKind::Plan(_)
            | ExprKind::TypeAlias(_)
            | ExprKind::TypeMapping(_)
            | ExprKind::TypeDefinition(_)
            | ExprKind::Class(_)
            | ExprKind::ResourceType(_)
            | ExprKind::Node(_)
            | ExprKind::Resource(_)
            | ExprKind::ResourceDefaults(_)
            | ExprKind::ResourceOverride(_)
            | ExprKind::Collector(_)
            | ExprKind::Apply(_) => self.definition(expr),
        }
    }

    pub(super) fn block(&self, block: &Block<'_>) -> Json {
        node("block", block.span, [("statements", self.exprs(&block.statements))])
    }

    pub(super) fn lambda(&self, lambda: Option<&Lambda<'_>>) -> Json {
        let Some(lambda) = lambda else { return Json::Null };
        let parts = [
            ("parameters", self.parameters(&lambda.parameters)),
            ("return_type", self.option(lambda.return_type.as_ref())),
            ("body", self.block(&lambda.body)),
        ];
        node("lambda", lambda.span, parts)
    }

    fn optional_block(&self, block: Option<&Block<'_>>) -> Json {
        block.map_or(Json::Null, |block| self.block(block))
    }

    fn branch(&self, branch: &Branch<'_>) -> Json {
        json!({
            "span": span(branch.span), "test": self.expr(&branch.test), "then": self.block(&branch.then),
        })
    }

    fn entries(&self, entries: &[Entry<'_>]) -> Json {
        let entry =
            |entry: &Entry<'_>| json!({"key": self.expr(&entry.key), "value": self.expr(&entry.value)});
        entries.iter().map(entry).collect()
    }
}
