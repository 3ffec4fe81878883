//! Expressions in Puppet Notation.

use super::{NotationNode, Transformer, nop};
use crate::ast::{
    BinaryExpr, Block, Case, Expr, ExprKind, FunctionCall, If, IfBranch, KeyedEntry, Lambda, MethodCall,
    StringSegment, TemplateExpr, UnaryOp,
};
use puppetfn_base::number::float_to_s;
use puppetfn_base::source::Span;

impl<'a> Transformer<'a> {
    pub(super) fn expr(&self, expr: &'a Expr<'_>) -> NotationNode<'a> {
        match &expr.kind {
            ExprKind::Undef => NotationNode::Nil,
            ExprKind::Default => NotationNode::Call("default", Vec::new()),
            ExprKind::Boolean(truth) => NotationNode::Atom(truth.to_string()),
            ExprKind::Integer(number) => self.integer(*number, expr.span),
            ExprKind::Float(number) => NotationNode::Atom(float_to_s(*number)),
            ExprKind::String(text) => NotationNode::text(text),
            ExprKind::Interpolation(segments) => {
                NotationNode::Call("concat", segments.iter().map(|segment| self.segment(segment)).collect())
            }
            ExprKind::Heredoc(heredoc) => {
                let mut entries = Vec::new();
                entries.extend(heredoc.syntax.map(|syntax| ("syntax", NotationNode::text(syntax))));
                entries.push(("text", self.expr(&heredoc.text)));
                NotationNode::Call("heredoc", vec![NotationNode::Map(entries)])
            }
            ExprKind::Regexp(source) => NotationNode::Call("regexp", vec![NotationNode::text(source)]),
            ExprKind::Name(name) => NotationNode::Call("qn", vec![NotationNode::text(name)]),
            ExprKind::Reference(name) => NotationNode::Call("qr", vec![NotationNode::text(name)]),
            ExprKind::Variable(name) => NotationNode::Call("var", vec![NotationNode::text(name)]),
            ExprKind::Reserved(word) => NotationNode::Call("reserved", vec![NotationNode::text(word)]),
            ExprKind::Error(parts) => NotationNode::Call("error", self.exprs(parts)),
            ExprKind::Array(elements) => NotationNode::Call("array", self.exprs(elements)),
            ExprKind::Hash(entries) => NotationNode::Call("hash", self.entries(entries)),
            ExprKind::Access(access) => {
                let mut elements = vec![self.expr(&access.operand)];
                elements.extend(self.exprs(&access.keys));
                NotationNode::Call("access", elements)
            }
            ExprKind::Call(call) => self.call(call),
            ExprKind::Method(method) => self.method(method),
            ExprKind::Paren(inner) => NotationNode::Call("paren", vec![self.expr(inner)]),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(binary) => self.binary(binary),
            ExprKind::Selector(selector) => NotationNode::Call(
                "?",
                vec![self.expr(&selector.operand), NotationNode::List(self.entries(&selector.entries))],
            ),
            ExprKind::If(conditional) => self.conditional(conditional),
            ExprKind::Unless(unless) => {
                let mut entries = vec![("test", self.expr(&unless.test))];
                entries.extend(self.block("then", &unless.then));
                entries.extend(unless.otherwise.as_ref().and_then(|block| self.block("else", block)));
                NotationNode::Call("unless", vec![NotationNode::Map(entries)])
            }
            ExprKind::Case(case) => self.case(case),
            ExprKind::Block(statements) => NotationNode::Call("block", self.exprs(statements)),
            ExprKind::Template(template) => self.template(template),
            ExprKind::RenderText(text) => NotationNode::Call("render-s", vec![NotationNode::text(text)]),
            ExprKind::Render(rendered) => NotationNode::Call("render", vec![self.expr(rendered)]),
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

    fn integer(&self, number: u64, span: Span) -> NotationNode<'a> {
        let value = NotationNode::Atom(number.to_string());
        let radix = match span.text(self.text).as_bytes() {
            [b'0', b'x' | b'X', ..] => "16",
            [b'0', _, ..] => "8",
            _ => return value,
        };
        NotationNode::Call(
            "int",
            vec![NotationNode::Map(vec![("radix", NotationNode::Atom(radix.to_owned())), ("value", value)])],
        )
    }

    fn segment(&self, segment: &'a StringSegment<'_>) -> NotationNode<'a> {
        match segment {
            StringSegment::Text(text, _) => NotationNode::text(text),
            StringSegment::Expr(expr) => NotationNode::Call("str", vec![self.expr(expr)]),
        }
    }

    pub(super) fn entries(&self, entries: &'a [KeyedEntry<'_>]) -> Vec<NotationNode<'a>> {
        let entry = |entry: &'a KeyedEntry<'_>| {
            NotationNode::Call("=>", vec![self.expr(&entry.key), self.expr(&entry.value)])
        };
        entries.iter().map(entry).collect()
    }

    fn call(&self, call: &'a FunctionCall<'_>) -> NotationNode<'a> {
        let mut entries = vec![
            ("functor", self.expr(&call.function)),
            ("args", NotationNode::List(self.exprs(&call.arguments))),
        ];
        entries.extend(call.lambda.as_ref().map(|lambda| ("block", self.lambda(lambda))));
        NotationNode::Call(
            if call.is_statement { "invoke" } else { "call" },
            vec![NotationNode::Map(entries)],
        )
    }

    fn method(&self, method: &'a MethodCall<'_>) -> NotationNode<'a> {
        let name = NotationNode::Call("qn", vec![NotationNode::text(method.name)]);
        let functor = NotationNode::Call(".", vec![self.expr(&method.receiver), name]);
        let mut entries =
            vec![("functor", functor), ("args", NotationNode::List(self.exprs(&method.arguments)))];
        entries.extend(method.lambda.as_ref().map(|lambda| ("block", self.lambda(lambda))));
        NotationNode::Call("call-method", vec![NotationNode::Map(entries)])
    }

    pub(super) fn lambda(&self, lambda: &'a Lambda<'_>) -> NotationNode<'a> {
        let mut entries = Vec::new();
        entries.extend(self.parameters(&lambda.parameters));
        entries.extend(lambda.return_type.as_ref().map(|t| ("returns", self.expr(t))));
        entries.extend(self.block("body", &lambda.body));
        NotationNode::Call("lambda", vec![NotationNode::Map(entries)])
    }

    fn unary(&self, op: UnaryOp, operand: &'a Expr<'_>) -> NotationNode<'a> {
        let name = match (op, &operand.kind) {
            (UnaryOp::Minus, ExprKind::Integer(0)) => return NotationNode::Atom("0".to_owned()),
            (UnaryOp::Minus, ExprKind::Integer(number)) => return NotationNode::Atom(format!("-{number}")),
            (UnaryOp::Minus, ExprKind::Float(number)) => return NotationNode::Atom(float_to_s(-number)),
            (UnaryOp::Minus, _) => "-",
            (UnaryOp::Not, _) => "!",
            (UnaryOp::Splat, _) => "unfold",
        };
        NotationNode::Call(name, vec![self.expr(operand)])
    }

    fn binary(&self, binary: &'a BinaryExpr<'_>) -> NotationNode<'a> {
        NotationNode::Call(binary.op.symbol(), vec![self.expr(&binary.left), self.expr(&binary.right)])
    }

    /// Each `elsif` is an `if` in the `else` of the one before.
    fn conditional(&self, conditional: &'a If<'_>) -> NotationNode<'a> {
        let mut otherwise = conditional.otherwise.as_ref().and_then(|block| self.block("else", block));
        for IfBranch { test, then, .. } in conditional.branches.iter().rev() {
            let mut entries = vec![("test", self.expr(test))];
            entries.extend(self.block("then", then));
            entries.extend(otherwise);
            otherwise = Some((
                "else",
                NotationNode::List(vec![NotationNode::Call("if", vec![NotationNode::Map(entries)])]),
            ));
        }
        match otherwise {
            Some((_, NotationNode::List(mut outermost))) => outermost.pop().unwrap_or_else(nop),
            _ => nop(),
        }
    }

    fn case(&self, case: &'a Case<'_>) -> NotationNode<'a> {
        let options = case.options.iter().map(|option| {
            let then = self.block("then", &option.then).unwrap_or(("then", NotationNode::List(vec![nop()])));
            NotationNode::Map(vec![("when", NotationNode::List(self.exprs(&option.values))), then])
        });
        NotationNode::Call("case", vec![self.expr(&case.test), NotationNode::List(options.collect())])
    }

    /// A template is a lambda.
    fn template(&self, template: &'a TemplateExpr<'_>) -> NotationNode<'a> {
        let mut entries = Vec::new();
        entries.extend(template.parameters.as_deref().and_then(|parameters| self.parameters(parameters)));
        entries
            .push(("body", NotationNode::List(vec![NotationNode::Call("epp", self.exprs(&template.body))])));
        NotationNode::Call("lambda", vec![NotationNode::Map(entries)])
    }

    /// Returns the statements of a block under a key; `None` if it is empty.
    pub(super) fn block(
        &self,
        key: &'static str,
        block: &'a Block<'_>,
    ) -> Option<(&'a str, NotationNode<'a>)> {
        (!block.statements.is_empty()).then(|| (key, NotationNode::List(self.exprs(&block.statements))))
    }
}
