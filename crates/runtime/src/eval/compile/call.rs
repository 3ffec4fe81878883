//! Calls.

use super::{Perspective, ProgramCompiler};
use crate::eval::code::{CallCode, ItemCode, Op};
use crate::eval::text::with_article_uc;
use puppetfn_base::error::Error;
use puppetfn_syntax::ast::{self, Expr, ExprKind};

impl<'s> ProgramCompiler<'_, 's> {
    pub(super) fn call(&mut self, call: &ast::FunctionCall<'s>) -> Result<Op, Error> {
        let function = &call.function;
        let mut arguments = Vec::with_capacity(call.arguments.len());
        let name = if let ExprKind::Name(name) = function.kind {
            name
        } else if is_type(function) {
            arguments.push(self.item(function)?);
            "new"
        } else {
            return Ok(not_a_name(&function.kind));
        };
        for argument in &call.arguments {
            arguments.push(self.item(argument)?);
        }
        Ok(Op::Call(Box::new(self.named(name, arguments, call.lambda.as_ref())?)))
    }

    pub(super) fn method(&mut self, method: &ast::MethodCall<'s>) -> Result<Op, Error> {
        if self.is_feature_access(method) {
            return self.feature_access(method);
        }
        let mut arguments = vec![self.item(&method.receiver)?];
        for argument in &method.arguments {
            arguments.push(self.item(argument)?);
        }
        Ok(Op::Method(Box::new(self.named(method.name, arguments, method.lambda.as_ref())?)))
    }

    fn named(
        &mut self,
        name: &str,
        arguments: Vec<ItemCode>,
        lambda: Option<&ast::Lambda<'s>>,
    ) -> Result<CallCode, Error> {
        let lambda = lambda.map(|lambda| self.lambda(lambda)).transpose()?;
        let name = self.meant_function(name);
        let Perspective { module, lookup, .. } = self.perspective;
        let module = module.filter(|_| lookup.depends_on_module(name));
        let is_plain = lambda.is_none() && !arguments.iter().any(|argument| argument.splat);
        let function = self.interner.function(name, module);
        Ok(CallCode { function, arguments: arguments.into(), lambda, is_plain })
    }
}

/// Returns true if it is `Name` or `Name[...]`: a call of a type makes a value.
fn is_type(expr: &Expr<'_>) -> bool {
    if let ExprKind::Access(access) = &expr.kind {
        matches!(access.operand.kind, ExprKind::Reference(_))
    } else {
        matches!(expr.kind, ExprKind::Reference(_))
    }
}

/// Returns the failure of calling an expression that is neither a function's name nor a type.
fn not_a_name(function: &ExprKind<'_>) -> Op {
    if let ExprKind::RenderText(_) = function {
        let message = "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove leading whitespace";
        return Op::Illegal(message.into());
    }
    let label = with_article_uc(&function.label());
    let message = format!("Illegal expression. {label} is unacceptable as function name in a Function Call");
    Op::Illegal(message.into())
}
