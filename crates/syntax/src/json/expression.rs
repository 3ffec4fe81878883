//! Expressions as JSON.

use serde_json::{Value as Json, json};

use super::{TreeConverter, node, span};
use crate::ast::{
    Access, BinaryExpr, Block, Case, CaseOption, Expr, ExprKind, FunctionCall, Heredoc, If, IfBranch,
    KeyedEntry, Lambda, MethodCall, Selector, StringSegment, TemplateExpr, UnaryOp, Unless,
};
use puppetfn_base::source::Span;

impl TreeConverter<'_> {
    /// Serializes an expression. Each kind that nests has a method of its own, so that a stack frame is only as large
    /// as that kind needs.
    pub(super) fn expr(&self, expr: &Expr<'_>) -> Json {
        let at = expr.span;
        match &expr.kind {
            ExprKind::Undef
            | ExprKind::Default
            | ExprKind::Boolean(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Regexp(_)
            | ExprKind::Name(_)
            | ExprKind::Reference(_)
            | ExprKind::Variable(_)
            | ExprKind::Reserved(_)
            | ExprKind::RenderText(_) => leaf(expr),
            ExprKind::Interpolation(segments) => self.interpolation(segments, at),
            ExprKind::Heredoc(heredoc) => self.heredoc(heredoc, at),
            ExprKind::Error(parts) => node("error", at, [("parts", self.exprs(parts))]),
            ExprKind::Array(elements) => node("array", at, [("elements", self.exprs(elements))]),
            ExprKind::Hash(entries) => node("hash", at, [("entries", self.entries(entries))]),
            ExprKind::Access(access) => self.access(access, at),
            ExprKind::Call(call) => self.call(call, at),
            ExprKind::Method(method) => self.method(method, at),
            ExprKind::Paren(inner) => self.inner("paren", inner, at),
            ExprKind::Render(inner) => self.inner("render", inner, at),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, at),
            ExprKind::Binary(binary) => self.binary(binary, at),
            ExprKind::Selector(selector) => self.selector(selector, at),
            ExprKind::If(conditional) => self.conditional(conditional, at),
            ExprKind::Unless(unless) => self.unless(unless, at),
            ExprKind::Case(case) => self.case(case, at),
            ExprKind::Block(statements) => node("block", at, [("statements", self.exprs(statements))]),
            ExprKind::Template(template) => self.template(template, at),
            ExprKind::Function(function) => self.function("function", function, expr),
            ExprKind::Plan(plan) => self.function("plan", plan, expr),
            ExprKind::Class(class) => self.class(class, expr),
            ExprKind::ResourceType(resource_type) => self.resource_type(resource_type, expr),
            ExprKind::Node(definition) => self.node_definition(definition, expr),
            ExprKind::TypeAlias(alias) => self.type_alias(alias, expr),
            ExprKind::TypeMapping(mapping) => self.type_mapping(mapping, expr),
            ExprKind::TypeDefinition(definition) => self.type_definition(definition, expr),
            ExprKind::Resource(resource) => self.resource(resource, at),
            ExprKind::ResourceDefaults(defaults) => self.resource_defaults(defaults, at),
            ExprKind::ResourceOverride(overrides) => self.resource_override(overrides, at),
            ExprKind::Collector(collector) => self.collector(collector, at),
            ExprKind::Apply(apply) => self.apply(apply, at),
        }
    }

    fn interpolation(&self, segments: &[StringSegment<'_>], at: Span) -> Json {
        let parts = segments.iter().map(|segment| match segment {
            StringSegment::Text(text, _) => json!(text),
            StringSegment::Expr(code) => self.expr(code),
        });
        node("interpolation", at, [("parts", parts.collect())])
    }

    fn heredoc(&self, heredoc: &Heredoc<'_>, at: Span) -> Json {
        node("heredoc", at, [("syntax", json!(heredoc.syntax)), ("text", self.expr(&heredoc.text))])
    }

    fn access(&self, access: &Access<'_>, at: Span) -> Json {
        let parts = [("operand", self.expr(&access.operand)), ("keys", self.exprs(&access.keys))];
        node("access", at, parts)
    }

    fn call(&self, call: &FunctionCall<'_>, at: Span) -> Json {
        let parts = [
            ("function", self.expr(&call.function)),
            ("arguments", self.exprs(&call.arguments)),
            ("lambda", self.lambda(call.lambda.as_ref())),
            ("is_statement", json!(call.is_statement)),
        ];
        node("call", at, parts)
    }

    fn method(&self, method: &MethodCall<'_>, at: Span) -> Json {
        let parts = [
            ("receiver", self.expr(&method.receiver)),
            ("name", json!(method.name)),
            ("name_span", span(method.name_span)),
            ("arguments", self.exprs(&method.arguments)),
            ("lambda", self.lambda(method.lambda.as_ref())),
        ];
        node("method", at, parts)
    }

    fn inner(&self, kind: &str, inner: &Expr<'_>, at: Span) -> Json {
        node(kind, at, [("expression", self.expr(inner))])
    }

    fn unary(&self, op: UnaryOp, operand: &Expr<'_>, at: Span) -> Json {
        let op = match op {
            UnaryOp::Minus => "-",
            UnaryOp::Not => "!",
            UnaryOp::Splat => "*",
        };
        node("unary", at, [("op", json!(op)), ("operand", self.expr(operand))])
    }

    fn binary(&self, binary: &BinaryExpr<'_>, at: Span) -> Json {
        let parts = [
            ("op", json!(binary.op.symbol())),
            ("left", self.expr(&binary.left)),
            ("right", self.expr(&binary.right)),
        ];
        node("binary", at, parts)
    }

    fn selector(&self, selector: &Selector<'_>, at: Span) -> Json {
        let parts = [("operand", self.expr(&selector.operand)), ("entries", self.entries(&selector.entries))];
        node("selector", at, parts)
    }

    fn conditional(&self, conditional: &If<'_>, at: Span) -> Json {
        let parts = [
            ("branches", conditional.branches.iter().map(|branch| self.branch(branch)).collect()),
            ("else", self.optional_block(conditional.otherwise.as_ref())),
        ];
        node("if", at, parts)
    }

    fn unless(&self, unless: &Unless<'_>, at: Span) -> Json {
        let parts = [
            ("test", self.expr(&unless.test)),
            ("then", self.block(&unless.then)),
            ("else", self.optional_block(unless.otherwise.as_ref())),
        ];
        node("unless", at, parts)
    }

    fn case(&self, case: &Case<'_>, at: Span) -> Json {
        let option = |option: &CaseOption<'_>| json!({"values": self.exprs(&option.values), "then": self.block(&option.then)});
        let parts = [("test", self.expr(&case.test)), ("options", case.options.iter().map(option).collect())];
        node("case", at, parts)
    }

    fn template(&self, template: &TemplateExpr<'_>, at: Span) -> Json {
        let parameters = template.parameters.as_ref().map(|parameters| self.parameters(parameters));
        let parts = [("parameters", parameters.unwrap_or_default()), ("body", self.exprs(&template.body))];
        node("template", at, parts)
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

    fn branch(&self, branch: &IfBranch<'_>) -> Json {
        json!({
            "span": span(branch.span), "test": self.expr(&branch.test), "then": self.block(&branch.then),
        })
    }

    fn entries(&self, entries: &[KeyedEntry<'_>]) -> Json {
        let entry =
            |entry: &KeyedEntry<'_>| json!({"key": self.expr(&entry.key), "value": self.expr(&entry.value)});
        entries.iter().map(entry).collect()
    }
}

/// Returns an expression that has no parts but its value.
#[allow(clippy::wildcard_enum_match_arm, reason = "all other expressions have parts")]
fn leaf(expr: &Expr<'_>) -> Json {
    let (kind, value) = match &expr.kind {
        ExprKind::Default => return node("default", expr.span, []),
        ExprKind::Boolean(truth) => ("boolean", ("value", json!(truth))),
        ExprKind::Integer(number) => ("integer", ("value", json!(number))),
        ExprKind::Float(number) => ("float", ("value", json!(number))),
        ExprKind::String(text) => ("string", ("value", json!(text))),
        ExprKind::Regexp(source) => ("regexp", ("source", json!(source))),
        ExprKind::Name(name) => ("name", ("name", json!(name))),
        ExprKind::Reference(name) => ("reference", ("name", json!(name))),
        ExprKind::Variable(name) => ("variable", ("name", json!(name))),
        ExprKind::Reserved(word) => ("reserved", ("word", json!(word))),
        ExprKind::RenderText(text) => ("render_text", ("text", json!(text))),
        _ => return node("undef", expr.span, []),
    };
    node(kind, expr.span, [value])
}
