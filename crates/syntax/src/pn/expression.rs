//! Expressions in Puppet Notation.

use super::{Pn, Transformer, nop};
use crate::ast::{
    BinaryExpr, Block, Case, Expr, ExprKind, FunctionCall, If, IfBranch, KeyedEntry, Lambda, MethodCall,
    StringSegment, TemplateExpr, UnaryOp,
};
use puppetfn_base::number::float_to_s;
use puppetfn_base::source::Span;

impl<'a> Transformer<'a> {
    pub(super) fn expr(&self, expr: &'a Expr<'_>) -> Pn<'a> {
        match &expr.kind {
            ExprKind::Undef => Pn::Nil,
            ExprKind::Default => Pn::Call("default", Vec::new()),
            ExprKind::Boolean(truth) => Pn::Atom(truth.to_string()),
            ExprKind::Integer(number) => self.integer(*number, expr.span),
            ExprKind::Float(number) => Pn::Atom(float_to_s(*number)),
            ExprKind::String(text) => Pn::Text(text),
            ExprKind::Interpolation(segments) => {
                Pn::Call("concat", segments.iter().map(|segment| self.segment(segment)).collect())
            }
            ExprKind::Heredoc(heredoc) => {
                let mut entries = Vec::new();
                entries.extend(heredoc.syntax.map(|syntax| ("syntax", Pn::Text(syntax))));
                entries.push(("text", self.expr(&heredoc.text)));
                Pn::Call("heredoc", vec![Pn::Map(entries)])
            }
            ExprKind::Regexp(source) => Pn::Call("regexp", vec![Pn::Text(source)]),
            ExprKind::Name(name) => Pn::Call("qn", vec![Pn::Text(name)]),
            ExprKind::Reference(name) => Pn::Call("qr", vec![Pn::Text(name)]),
            ExprKind::Variable(name) => Pn::Call("var", vec![Pn::Text(name)]),
            ExprKind::Reserved(word) => Pn::Call("reserved", vec![Pn::Text(word)]),
            ExprKind::Error(parts) => Pn::Call("error", self.exprs(parts)),
            ExprKind::Array(elements) => Pn::Call("array", self.exprs(elements)),
            ExprKind::Hash(entries) => Pn::Call("hash", self.entries(entries)),
            ExprKind::Access(access) => {
                let mut elements = vec![self.expr(&access.operand)];
                elements.extend(self.exprs(&access.keys));
                Pn::Call("access", elements)
            }
            ExprKind::Call(call) => self.call(call),
            ExprKind::Method(method) => self.method(method),
            ExprKind::Paren(inner) => Pn::Call("paren", vec![self.expr(inner)]),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(binary) => self.binary(binary),
            ExprKind::Selector(selector) => {
                Pn::Call("?", vec![self.expr(&selector.operand), Pn::List(self.entries(&selector.entries))])
            }
            ExprKind::If(conditional) => self.conditional(conditional),
            ExprKind::Unless(unless) => {
                let mut entries = vec![("test", self.expr(&unless.test))];
                entries.extend(self.block("then", &unless.then));
                entries.extend(unless.otherwise.as_ref().and_then(|block| self.block("else", block)));
                Pn::Call("unless", vec![Pn::Map(entries)])
            }
            ExprKind::Case(case) => self.case(case),
            ExprKind::Block(statements) => Pn::Call("block", self.exprs(statements)),
            ExprKind::Template(template) => self.template(template),
            ExprKind::RenderText(text) => Pn::Call("render-s", vec![Pn::Text(text)]),
            ExprKind::Render(rendered) => Pn::Call("render", vec![self.expr(rendered)]),
            ExprKind::Function(_)
            | ExprKind::Plan(_)
            | ExprKind::TypeAlias(_)
            | ExprKind::TypeMapping(_)
            | ExprKind::TypeDefinition(_)
            | ExprKind::Class(_)
            | ExprKind::ResourceType(_)
            | ExprKind::Node(_) => self.definition(&expr.kind),
            ExprKind::Resource(_)
            | ExprKind::ResourceDefaults(_)
            | ExprKind::ResourceOverride(_)
            | ExprKind::Collector(_)
            | ExprKind::Apply(_) => self.catalog(&expr.kind),
        }
    }

    fn integer(&self, number: u64, span: Span) -> Pn<'a> {
        let value = Pn::Atom(number.to_string());
        let radix = match span.text(self.text).as_bytes() {
            [b'0', b'x' | b'X', ..] => "16",
            [b'0', _, ..] => "8",
            _ => return value,
        };
        Pn::Call("int", vec![Pn::Map(vec![("radix", Pn::Atom(radix.to_owned())), ("value", value)])])
    }

    fn segment(&self, segment: &'a StringSegment<'_>) -> Pn<'a> {
        match segment {
            StringSegment::Text(text, _) => Pn::Text(text),
            StringSegment::Expr(expr) => Pn::Call("str", vec![self.expr(expr)]),
        }
    }

    pub(super) fn entries(&self, entries: &'a [KeyedEntry<'_>]) -> Vec<Pn<'a>> {
        let entry =
            |entry: &'a KeyedEntry<'_>| Pn::Call("=>", vec![self.expr(&entry.key), self.expr(&entry.value)]);
        entries.iter().map(entry).collect()
    }

    fn call(&self, call: &'a FunctionCall<'_>) -> Pn<'a> {
        let mut entries =
            vec![("functor", self.expr(&call.function)), ("args", Pn::List(self.exprs(&call.arguments)))];
        entries.extend(call.lambda.as_ref().map(|lambda| ("block", self.lambda(lambda))));
        Pn::Call(if call.is_statement { "invoke" } else { "call" }, vec![Pn::Map(entries)])
    }

    fn method(&self, method: &'a MethodCall<'_>) -> Pn<'a> {
        let name = Pn::Call("qn", vec![Pn::Text(method.name)]);
        let functor = Pn::Call(".", vec![self.expr(&method.receiver), name]);
        let mut entries = vec![("functor", functor), ("args", Pn::List(self.exprs(&method.arguments)))];
        entries.extend(method.lambda.as_ref().map(|lambda| ("block", self.lambda(lambda))));
        Pn::Call("call-method", vec![Pn::Map(entries)])
    }

    pub(super) fn lambda(&self, lambda: &'a Lambda<'_>) -> Pn<'a> {
        let mut entries = Vec::new();
        entries.extend(self.parameters(&lambda.parameters));
        entries.extend(lambda.return_type.as_ref().map(|t| ("returns", self.expr(t))));
        entries.extend(self.block("body", &lambda.body));
        Pn::Call("lambda", vec![Pn::Map(entries)])
    }

    fn unary(&self, op: UnaryOp, operand: &'a Expr<'_>) -> Pn<'a> {
        let name = match (op, &operand.kind) {
            (UnaryOp::Minus, ExprKind::Integer(0)) => return Pn::Atom("0".to_owned()),
            (UnaryOp::Minus, ExprKind::Integer(number)) => return Pn::Atom(format!("-{number}")),
            (UnaryOp::Minus, ExprKind::Float(number)) => return Pn::Atom(float_to_s(-number)),
            (UnaryOp::Minus, _) => "-",
            (UnaryOp::Not, _) => "!",
            (UnaryOp::Splat, _) => "unfold",
        };
        Pn::Call(name, vec![self.expr(operand)])
    }

    fn binary(&self, binary: &'a BinaryExpr<'_>) -> Pn<'a> {
        Pn::Call(binary.op.symbol(), vec![self.expr(&binary.left), self.expr(&binary.right)])
    }

    /// Each `elsif` is an `if` in the `else` of the one before.
    fn conditional(&self, conditional: &'a If<'_>) -> Pn<'a> {
        let mut otherwise = conditional.otherwise.as_ref().and_then(|block| self.block("else", block));
        for IfBranch { test, then, .. } in conditional.branches.iter().rev() {
            let mut entries = vec![("test", self.expr(test))];
            entries.extend(self.block("then", then));
            entries.extend(otherwise);
            otherwise = Some(("else", Pn::List(vec![Pn::Call("if", vec![Pn::Map(entries)])])));
        }
        match otherwise {
            Some((_, Pn::List(mut outermost))) => outermost.pop().unwrap_or_else(nop),
            _ => nop(),
        }
    }

    fn case(&self, case: &'a Case<'_>) -> Pn<'a> {
        let options = case.options.iter().map(|option| {
            let then = self.block("then", &option.then).unwrap_or(("then", Pn::List(vec![nop()])));
            Pn::Map(vec![("when", Pn::List(self.exprs(&option.values))), then])
        });
        Pn::Call("case", vec![self.expr(&case.test), Pn::List(options.collect())])
    }

    /// A template is a lambda.
    fn template(&self, template: &'a TemplateExpr<'_>) -> Pn<'a> {
        let mut entries = Vec::new();
        entries.extend(template.parameters.as_deref().and_then(|parameters| self.parameters(parameters)));
        entries.push(("body", Pn::List(vec![Pn::Call("epp", self.exprs(&template.body))])));
        Pn::Call("lambda", vec![Pn::Map(entries)])
    }

    /// Returns the statements of a block under a key; `None` if it is empty.
    pub(super) fn block(&self, key: &'static str, block: &'a Block<'_>) -> Option<(&'a str, Pn<'a>)> {
        (!block.statements.is_empty()).then(|| (key, Pn::List(self.exprs(&block.statements))))
    }
}
