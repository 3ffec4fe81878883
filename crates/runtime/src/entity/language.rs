//! The subset of the Puppet language for code in types: without side effects, input, or results that differ from
//! one evaluation to the next.

use crate::builtin::registry;
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{
    BinaryExpr, BinaryOp, Block, Expr, ExprKind, FunctionCall, Lambda, MethodCall, OperatorFamily, Parameter,
    SettingValue,
};
use puppetfn_types::types::Features;

/// The version of the functions that code in types can call. It counts up when a function is added.
pub const VERSION: u32 = 1;

/// The functions that code in types can call besides built-in ones: aliases of its own, and `is_set`.
const OWN: [&str; 4] = ["collect", "is_set", "reject", "select"];

/// The name of the hidden function that `reject` stands for in code of types. No code can name it.
pub(crate) const REJECT: &str = "reject in types";

/// Returns true if code in types can call a function.
pub fn is_allowed(function: &str) -> bool {
    let is_built_in =
        || registry().get(function).is_ok_and(|known| known.is_some_and(|known| known.is_for_types()));
    OWN.contains(&function) || is_built_in()
}

/// Returns the function that a name calls in code of types: the document that describes them has names of
/// its own for some.
pub(crate) fn meant(function: &str) -> &str {
    match function {
        "select" => "filter",
        "collect" => "map",
        "reject" => REJECT,
        other => other,
    }
}

/// The variable with the value that is checked, set or read, unless a lambda names it otherwise.
pub(crate) const IT: &str = "it";

/// The variable that describes the feature.
pub(crate) const META: &str = "meta";

/// The variables that code sees besides its own.
#[derive(Clone, Copy)]
pub(super) enum VisibleVariables<'d> {
    /// The value, also under this name.
    Value(&'d str),
    /// All features.
    Features(&'d Features),
    /// All features, and can assign them.
    Setter(&'d Features),
}

/// A piece of code of a type.
pub(super) struct TypeCode<'c, 's> {
    pub code: &'c SettingValue<'s>,
    /// The name of the code in messages.
    pub label: &'c str,
    pub sees: VisibleVariables<'c>,
    /// Whether the code sees `$meta`.
    pub has_meta: bool,
}

/// A mistake in code, with its offset.
pub(super) struct CodeProblem {
    pub message: String,
    pub at: u32,
}

impl TypeCode<'_, '_> {
    /// Checks that the code is in the subset of the language for types.
    pub fn check(&self) -> Result<(), CodeProblem> {
        let mut locals = Vec::new();
        match self.code {
            SettingValue::Expr(expr) => self.collect(expr, &mut locals),
            SettingValue::Block(block) => self.collect_all(block, &mut locals),
            SettingValue::Lambda(lambda) => {
                self.check_parameters(lambda)?;
                self.collect_lambda(lambda, &mut locals);
            }
        }
        if !matches!(self.code, SettingValue::Lambda(Lambda { parameters, .. }) if !parameters.is_empty()) {
            locals.push(IT);
        }
        match self.code {
            SettingValue::Expr(expr) => self.expr(expr, &locals),
            SettingValue::Block(block) => self.block(block, &locals),
            SettingValue::Lambda(lambda) => self.lambda(lambda, &locals),
        }
    }

    fn problem(&self, span: Span, message: impl std::fmt::Display) -> CodeProblem {
        CodeProblem { message: format!("{message}, in {}", self.label), at: span.start }
    }

    /// The lambda itself gets one value.
    fn check_parameters(&self, lambda: &Lambda<'_>) -> Result<(), CodeProblem> {
        let is_plain = |parameter: &Parameter<'_>| {
            parameter.default.is_none() && !parameter.captures_rest && !parameter.is_block
        };
        if lambda.parameters.len() <= 1
            && lambda.parameters.iter().all(is_plain)
            && lambda.return_type.is_none()
        {
            return Ok(());
        }
        let message =
            "The lambda must have one parameter at most, without a default, and no type of its result";
        Err(self.problem(lambda.span, message))
    }

    fn block(&self, block: &Block<'_>, locals: &[&str]) -> Result<(), CodeProblem> {
        block.statements.iter().try_for_each(|statement| self.expr(statement, locals))
    }

    fn lambda(&self, lambda: &Lambda<'_>, locals: &[&str]) -> Result<(), CodeProblem> {
        for parameter in &lambda.parameters {
            for expr in parameter.type_expr.iter().chain(&parameter.default) {
                self.expr(expr, locals)?;
            }
        }
        lambda.return_type.iter().try_for_each(|t| self.expr(t, locals))?;
        self.block(&lambda.body, locals)
    }

    fn children(&self, expr: &Expr<'_>, locals: &[&str]) -> Result<(), CodeProblem> {
        let mut result = Ok(());
        expr.for_each_child(&mut |child| {
            if result.is_ok() {
                result = self.expr(child, locals);
            }
        });
        result
    }

    fn expr(&self, expr: &Expr<'_>, locals: &[&str]) -> Result<(), CodeProblem> {
        match &expr.kind {
            ExprKind::Variable(name) => return self.variable(name, expr.span, locals),
            ExprKind::Binary(binary) => self.binary(binary, expr)?,
            ExprKind::Call(call) => return self.call(call, locals),
            ExprKind::Method(method) => return self.method(method, locals),
            ExprKind::Undef
            | ExprKind::Default
            | ExprKind::Boolean(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Regexp(_)
            | ExprKind::Name(_)
            | ExprKind::Reference(_)
            | ExprKind::Reserved(_)
            | ExprKind::Error(_)
            | ExprKind::Interpolation(_)
            | ExprKind::Heredoc(_)
            | ExprKind::Array(_)
            | ExprKind::Hash(_)
            | ExprKind::Access(_)
            | ExprKind::Paren(_)
            | ExprKind::Unary(..)
            | ExprKind::Selector(_)
            | ExprKind::If(_)
            | ExprKind::Unless(_)
            | ExprKind::Case(_)
            | ExprKind::Block(_) => {}
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
            | ExprKind::Apply(_)
            | ExprKind::Template(_)
            | ExprKind::RenderText(_)
            | ExprKind::Render(_) => {
                let message = format!("A {} is not available in the code of types", expr.kind.label());
                return Err(self.problem(expr.span, message));
            }
        }
        self.children(expr, locals)
    }

    fn variable(&self, name: &str, span: Span, locals: &[&str]) -> Result<(), CodeProblem> {
        let is_group = name.bytes().all(|byte| byte.is_ascii_digit());
        let is_feature = match self.sees {
            VisibleVariables::Value(own) => own == name,
            VisibleVariables::Features(features) | VisibleVariables::Setter(features) => {
                features.contains_key(name)
            }
        };
        if is_group || is_feature || locals.contains(&name) || name == META && self.has_meta {
            return Ok(());
        }
        let hint = match self.sees {
            VisibleVariables::Value(_) => {
                " (a check sees only the value that it checks; an invariant sees all features)"
            }
            VisibleVariables::Features(_) | VisibleVariables::Setter(_) => "",
        };
        Err(self.problem(span, format_args!("Unknown variable: '${name}'{hint}")))
    }

    fn binary(&self, binary: &BinaryExpr<'_>, expr: &Expr<'_>) -> Result<(), CodeProblem> {
        match binary.op.family() {
            OperatorFamily::Relationship => {
                let message = "A Relationship Expression is not available in the code of types";
                Err(self.problem(expr.span, message))
            }
            OperatorFamily::Assignment
                if binary.op != BinaryOp::Assign && !self.is_assignable_feature(&binary.left) =>
            {
                let message = format_args!(
                    "The operator '{}' is for features of objects that are being made",
                    binary.op.symbol()
                );
                Err(self.problem(binary.left.span, message))
            }
            OperatorFamily::Assignment => self.assigned(&binary.left),
            OperatorFamily::Logical
            | OperatorFamily::Comparison
            | OperatorFamily::Equality
            | OperatorFamily::Shift
            | OperatorFamily::Sum
            | OperatorFamily::Product
            | OperatorFamily::Match
            | OperatorFamily::In => Ok(()),
        }
    }

    fn is_assignable_feature(&self, target: &Expr<'_>) -> bool {
        match (&target.kind, self.sees) {
            (ExprKind::Variable(name), VisibleVariables::Setter(features)) => features.contains_key(*name),
            (ExprKind::Access(_), _) => true,
            _ => false,
        }
    }

    /// Only setters assign features.
    fn assigned(&self, target: &Expr<'_>) -> Result<(), CodeProblem> {
        if let ExprKind::Array(targets) = &target.kind {
            return targets.iter().try_for_each(|target| self.assigned(target));
        }
        let ExprKind::Variable(name) = target.kind else { return Ok(()) };
        let is_feature = match self.sees {
            VisibleVariables::Value(own) => own == name,
            VisibleVariables::Features(features) => features.contains_key(name),
            VisibleVariables::Setter(_) => false,
        };
        if is_feature {
            let message = format_args!("The feature '{name}' can only be assigned in setters");
            return Err(self.problem(target.span, message));
        }
        if matches!(name, IT | META) {
            return Err(self.problem(target.span, format_args!("The variable '${name}' cannot be assigned")));
        }
        Ok(())
    }

    fn call(&self, call: &FunctionCall<'_>, locals: &[&str]) -> Result<(), CodeProblem> {
        match call.function.kind {
            ExprKind::Name(name) => self.function(name, call.function.span)?,
            // A type makes a value.
            _ => self.expr(&call.function, locals)?,
        }
        call.arguments.iter().try_for_each(|argument| self.expr(argument, locals))?;
        call.lambda.iter().try_for_each(|lambda| self.lambda(lambda, locals))
    }

    /// A method can also be a feature of an object.
    fn method(&self, method: &MethodCall<'_>, locals: &[&str]) -> Result<(), CodeProblem> {
        if !method.arguments.is_empty() || method.lambda.is_some() {
            self.function(method.name, method.name_span)?;
        }
        self.expr(&method.receiver, locals)?;
        method.arguments.iter().try_for_each(|argument| self.expr(argument, locals))?;
        method.lambda.iter().try_for_each(|lambda| self.lambda(lambda, locals))
    }

    fn function(&self, name: &str, span: Span) -> Result<(), CodeProblem> {
        if is_allowed(name.trim_start_matches("::")) {
            return Ok(());
        }
        Err(self.problem(span, format_args!("The function '{name}' is not available in the code of types")))
    }

    /// Collects the variables that code sets for itself, and the parameters of its lambdas.
    fn collect<'s>(&self, expr: &Expr<'s>, locals: &mut Vec<&'s str>) {
        match &expr.kind {
            ExprKind::Binary(binary) if binary.op == BinaryOp::Assign => collect_target(&binary.left, locals),
            ExprKind::Call(call) => call.lambda.iter().for_each(|lambda| self.collect_lambda(lambda, locals)),
            ExprKind::Method(method) => {
                method.lambda.iter().for_each(|lambda| self.collect_lambda(lambda, locals))
            }
            _ => {}
        }
        expr.for_each_child(&mut |child| self.collect(child, locals));
    }

    fn collect_all<'s>(&self, block: &Block<'s>, locals: &mut Vec<&'s str>) {
        block.statements.iter().for_each(|statement| self.collect(statement, locals));
    }

    fn collect_lambda<'s>(&self, lambda: &Lambda<'s>, locals: &mut Vec<&'s str>) {
        locals.extend(lambda.parameters.iter().map(|parameter| parameter.name));
        self.collect_all(&lambda.body, locals);
    }
}

fn collect_target<'s>(target: &Expr<'s>, locals: &mut Vec<&'s str>) {
    match &target.kind {
        ExprKind::Variable(name) => locals.push(name),
        ExprKind::Array(targets) => targets.iter().for_each(|target| collect_target(target, locals)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All functions, for [`VERSION`]: a change of this list needs another version.
    const FUNCTIONS: &str = "abs all any assert_type break camelcase capitalize ceiling chomp chop compare convert_to dig \
        downcase each empty filter flatten floor get group_by index join keys length lest lstrip map match max min \
        new next partition reduce regsubst reverse_each round rstrip shellquote size slice sort split sprintf step \
        strip then tree_each type unique unwrap upcase values versioncmp with";

    #[test]
    fn a_version_has_certain_functions() {
        let allowed: Vec<_> = registry().names().filter(|name| is_allowed(name)).collect();
        assert_eq!((VERSION, allowed.join(" ").as_str()), (1, FUNCTIONS));
    }
}
