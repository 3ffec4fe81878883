//! Functions and lambdas.

use std::sync::{Arc, OnceLock};

use super::ProgramCompiler;
use super::scope::CompileScope;
use crate::eval::code::{Node, Op, ParameterCode, Routine};
use puppetfn_base::error::Error;
use puppetfn_syntax::ast::{self, Block, Expr};
use puppetfn_types::value::Value;

/// Returns true if a variable of this name is set by the runtime only.
pub(super) fn is_reserved(name: &str) -> bool {
    matches!(name, "facts" | "trusted" | "server_facts")
}

impl<'s> ProgramCompiler<'_, 's> {
    /// Notes a function that is defined: there is nothing to do when execution reaches it.
    pub(super) fn function(&mut self, function: &ast::FunctionDefinition<'s>, at: u32) -> Result<Op, Error> {
        let outer = std::mem::replace(&mut self.scope, CompileScope::top());
        let layer = self.layer.take();
        let matches = self.matches;
        let routine = self.routine(
            (function.name.trim_start_matches("::").into(), at),
            &function.parameters,
            function.return_type.as_ref(),
            &function.body,
        );
        self.matches = matches;
        self.scope = outer;
        self.layer = layer;
        self.functions.push(Arc::new(routine?));
        Ok(Op::Constant(Value::Undef))
    }

    pub(super) fn lambda(&mut self, lambda: &ast::Lambda<'s>) -> Result<Arc<Routine>, Error> {
        let matches = self.matches;
        let routine = self.routine(
            ("lambda".into(), lambda.body.span.start),
            &lambda.parameters,
            lambda.return_type.as_ref(),
            &lambda.body,
        );
        self.matches = matches;
        Ok(Arc::new(routine?))
    }

    fn routine(
        &mut self,
        (name, at): (Arc<str>, u32),
        parameters: &[ast::Parameter<'s>],
        return_type: Option<&Expr<'s>>,
        body: &Block<'s>,
    ) -> Result<Routine, Error> {
        let outer = self.layer;
        let start = parameters.first().map_or(body.span.start, |parameter| parameter.span.start);
        let layer = self.locals.enter(start, outer);
        self.layer = Some(layer);
        let (block, parameters) = match parameters.split_last() {
            Some((last, others)) if last.is_block => (Some(last), others),
            Some(_) | None => (None, parameters),
        };
        // Types are evaluated where the parameters are not known yet.
        let types = self.types_of(parameters)?;
        let returns = self.optional(return_type)?;
        let block_type = self.optional(block.and_then(|block| block.type_expr.as_ref()))?;
        let has_fixed_types = types.iter().chain([&returns, &block_type]).flatten().all(Node::is_fixed);

        self.scope.enter();
        parameters.iter().chain(block).for_each(|parameter| self.scope.add_parameter(parameter.name));
        let mut compiled = Vec::with_capacity(parameters.len());
        for (index, (parameter, type_code)) in parameters.iter().zip(types).enumerate() {
            self.scope.see_parameters(Some(index));
            self.defaults.push((Arc::clone(&name), parameter.name));
            let default = self.default_value(parameter.default.as_ref());
            self.defaults.pop();
            let default = default?;
            compiled.push(ParameterCode {
                name: parameter.name.into(),
                type_code,
                default,
                captures_rest: parameter.captures_rest,
                at: parameter.span.start,
                is_reserved: is_reserved(parameter.name),
            });
        }
        self.scope.see_parameters(None);
        let end = body.span.end;
        let body = self.body(body)?;
        let is_simple = |p: &ParameterCode| p.default.is_none() && !p.captures_rest && !p.is_reserved;
        let is_plain = block.is_none() && compiled.iter().all(is_simple);
        let is_untyped = compiled.iter().all(|parameter| parameter.type_code.is_none());
        let is_untyped_result = returns.is_none();
        let (slots, names) = self.scope.leave();
        self.locals.leave(layer, end, names);
        self.layer = outer;
        Ok(Routine {
            name,
            at,
            parameter_names: compiled.iter().map(|parameter| Arc::clone(&parameter.name)).collect(),
            parameters: compiled.into(),
            block: block.map(|block| ParameterCode {
                name: block.name.into(),
                type_code: block_type,
                default: None,
                captures_rest: false,
                at: block.span.start,
                is_reserved: is_reserved(block.name),
            }),
            returns,
            body,
            unit: Arc::clone(&self.unit),
            slots,
            frame_size: self.scope.size(),
            signature: OnceLock::new(),
            has_fixed_types,
            is_plain,
            is_untyped,
            is_unchecked: is_plain && is_untyped && is_untyped_result,
        })
    }

    pub(super) fn optional(&mut self, expr: Option<&Expr<'s>>) -> Result<Option<Node>, Error> {
        expr.map(|expr| self.expr(expr)).transpose()
    }

    /// Returns the use of a parameter that has no value yet, in the default value of one before it.
    pub(super) fn not_yet(&self, name: &str) -> Op {
        let (routine, parameter) =
            self.defaults.last().map_or(("", ""), |(name, parameter)| (&**name, *parameter));
        Op::Raise(
            format!("{routine}: default expression for ${parameter} tries to illegally access not yet evaluated ${name}")
                .into(),
        )
    }
}
