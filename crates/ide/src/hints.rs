//! Inlay hints: types of values and names of parameters.
#![allow(clippy::wildcard_enum_match_arm, reason = "only calls and assignments have hints")]

use std::path::Path;

use super::Ide;
use puppetfn_base::source::Span;
use puppetfn_check::CallableFunction;
use puppetfn_syntax::ast::{BinaryOp, Expr, ExprKind, Lambda};
use puppetfn_types::types::Type;

/// An inlay hint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceHint {
    /// The offset of the text after the hint.
    pub offset: u32,
    /// The label.
    pub label: String,
    /// Whether the label is a type; otherwise it is the name of a parameter.
    pub is_type: bool,
}

/// The maximum length of a type: longer ones say less than the code itself.
const LONGEST: usize = 40;

impl Ide {
    /// Returns the hints in a span of a text.
    pub fn hints(&self, path: &Path, within: Span) -> Vec<SourceHint> {
        let Some(source) = self.source(path) else { return Vec::new() };
        let program = source.program();
        let types = self.types(path).unwrap_or_default();
        let mut found = Vec::new();
        for statement in &program.statements {
            self.add_hints(statement, within, &types, path, &mut found);
        }
        found.sort_by_key(|hint| hint.offset);
        found
    }

    fn add_hints(
        &self,
        expr: &Expr<'_>,
        within: Span,
        types: &[(Span, Type)],
        path: &Path,
        found: &mut Vec<SourceHint>,
    ) {
        if expr.span.end < within.start || expr.span.start > within.end {
            return;
        }
        let mut lambda: Option<&Lambda<'_>> = None;
        match &expr.kind {
            ExprKind::Binary(binary) if binary.op == BinaryOp::Assign && !is_literal(&binary.right) => {
                let value = types
                    .iter()
                    .rev()
                    .find(|(span, _)| *span == binary.right.span)
                    .map(|(_, t)| t.generalize());
                let shown = value.filter(|t| *t != Type::Any).map(|t| t.to_string());
                found.extend(shown.filter(|shown| shown.len() <= LONGEST).map(|shown| SourceHint {
                    offset: binary.left.span.end,
                    label: format!(": {shown}"),
                    is_type: true,
                }));
            }
            ExprKind::Call(call) => {
                if let (ExprKind::Name(name), false) = (&call.function.kind, call.is_statement) {
                    self.add_names(name, &call.arguments, 0, path, found);
                }
                lambda = call.lambda.as_ref();
            }
            ExprKind::Method(method) => {
                self.add_names(method.name, &method.arguments, 1, path, found);
                lambda = method.lambda.as_ref();
            }
            _ => {}
        }
        expr.for_each_child(&mut |child| self.add_hints(child, within, types, path, found));
        for statement in lambda.into_iter().flat_map(|lambda| &lambda.body.statements) {
            self.add_hints(statement, within, types, path, found);
        }
    }

    /// Adds the parameter names of literal arguments, if there is more than one argument.
    fn add_names(
        &self,
        function: &str,
        arguments: &[Expr<'_>],
        first: usize,
        path: &Path,
        found: &mut Vec<SourceHint>,
    ) {
        if arguments.len() + first < 2 {
            return;
        }
        let Some(callable) = self.world().callable(function, &self.origin(path)) else { return };
        let signatures = match &callable {
            CallableFunction::Native(function) => function.signatures(),
            CallableFunction::Declared(signatures) => signatures,
        };
        let count = (arguments.len() + first) as u64;
        let takes = signatures.iter().find(|one| {
            !one.handles_mismatch()
                && one.callable().size().min <= count
                && one.callable().size().max.is_none_or(|max| count <= max)
        });
        let Some(signature) = takes else { return };
        let names = signature.parameter_names();
        for (argument, name) in arguments.iter().zip(names.iter().skip(first)) {
            let is_repeated = signature.captures_rest() && names.last() == Some(name);
            if is_literal(argument) && !is_repeated {
                let label = format!("{name}: ");
                found.push(SourceHint { offset: argument.span.start, label, is_type: false });
            }
        }
    }
}

fn is_literal(expr: &Expr<'_>) -> bool {
    expr.kind.is_literal() || matches!(expr.kind, ExprKind::Interpolation(_))
}
