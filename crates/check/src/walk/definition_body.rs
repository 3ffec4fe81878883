//! Functions, classes and defined types: their bodies are checked for any arguments that they accept.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use std::collections::HashSet;

use super::super::abstraction::{accepts, any, may_be_deferred, restricted, type_of, unknown_of};
use super::super::declare::stated;
use super::super::rule::Rule;
use super::super::world::ResolvedTypeName;
use super::lambda::either;
use super::{ExpectedReturn, FlowValue, OuterVariables, Walk};
use puppetfn_base::source::Span;
use puppetfn_runtime::builtin;
use puppetfn_syntax::ast::{
    self, Apply, ClassDefinition, DefinedType, Expr, ExprKind, FunctionDefinition, NodeDefinition, Program,
    TemplateExpr,
};
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::describe::Messages;
use puppetfn_types::value::Value;

impl<'s> Walk<'_, 's> {
    /// Goes through a whole text.
    pub fn program(&mut self, program: &Program<'s>) {
        self.repeated_definitions(&program.statements);
        self.variables.enter();
        self.statements(&program.statements);
        self.variables.leave();
    }

    /// Reports classes, defined types and nodes that a text defines twice.
    fn repeated_definitions(&mut self, statements: &[Expr<'s>]) {
        let mut known = HashSet::new();
        for statement in statements {
            let names: Vec<(&str, String)> = match &statement.kind {
                ExprKind::Class(class) => vec![("Class", class.name.to_lowercase())],
                ExprKind::ResourceType(define) => vec![("Definition", define.name.to_lowercase())],
                ExprKind::Node(node) => {
                    let names = node.matches.iter().filter_map(|name| name.kind.as_constant_string());
                    names.map(|name| ("Node", name.to_lowercase())).collect()
                }
                _ => continue,
            };
            for (kind, name) in names {
                let message = format!("{kind} '{name}' is already defined; cannot redefine");
                if !known.insert((kind, name)) {
                    self.report(Rule::DuplicateDefinition, statement.diagnostic_span(), message);
                }
            }
        }
    }

    pub(super) fn definition(&mut self, expr: &Expr<'s>) {
        match &expr.kind {
            ExprKind::Function(function) => self.function(function, expr),
            ExprKind::Class(class) => self.class(class),
            ExprKind::ResourceType(define) => self.resource_type(define),
            ExprKind::Node(node) => self.node(node),
            ExprKind::Plan(plan) => self.plan(plan),
            ExprKind::TypeAlias(alias) if !is_type_set(&alias.value) => {
                // A value may be of a type whose other parts have the names.
                self.as_warnings(|walk| walk.stated_type(&alias.value));
            }
            // Other types are looked at before code is.
            _ => {}
        }
    }

    /// Goes through the body of a definition, which sees nothing of the code around it.
    fn apart(&mut self, surroundings: OuterVariables, go: impl FnOnce(&mut Self)) {
        let variables = std::mem::take(&mut self.variables);
        let surroundings = std::mem::replace(&mut self.surroundings, surroundings);
        let function = self.function.take();
        let nexts = std::mem::take(&mut self.nexts);
        self.variables.enter();
        self.block_of_its_own(go);
        self.variables = variables;
        self.surroundings = surroundings;
        self.function = function;
        self.nexts = nexts;
    }

    /// Reports a parameter of a function or block that is required, after an optional one.
    pub(super) fn required_first(&mut self, parameters: &[ast::Parameter<'s>]) {
        let after = parameters.iter().skip_while(|one| one.default.is_none());
        let late = after.into_iter().find(|one| one.default.is_none() && !one.captures_rest && !one.is_block);
        if let Some(late) = late {
            let message =
                format!("Parameter ${} is required but appears after optional parameters", late.name);
            self.report(Rule::ParameterOrder, late.span, message);
        }
    }

    fn function(&mut self, function: &FunctionDefinition<'s>, expr: &Expr<'s>) {
        self.function_name(function, expr);
        self.required_first(&function.parameters);
        let returns = function.return_type.as_ref().map(|t| {
            self.needed_type(t);
            ExpectedReturn {
                name: function.name.to_string(),
                t: stated(Some(t), self.text, &self.types(), self.limits()),
                results: results_of(&function.body.statements),
            }
        });
        self.apart(OuterVariables::default(), |walk| {
            walk.parameters(&function.parameters, &function.name);
            walk.function = returns;
            walk.statements(&function.body.statements);
            if function.body.statements.is_empty() {
                walk.check_returned(&Value::Undef, expr.diagnostic_span());
            }
        });
    }

    /// Goes through a plan. The program that runs it has functions, types and variables of its own.
    fn plan(&mut self, plan: &FunctionDefinition<'s>) {
        let was_in_plan = std::mem::replace(&mut self.in_plan, true);
        self.apart(OuterVariables::default(), |walk| {
            walk.parameters(&plan.parameters, &plan.name);
            walk.statements(&plan.body.statements);
        });
        self.in_plan = was_in_plan;
    }

    /// Goes through the block of `apply`, which sees the variables of the plan.
    pub(super) fn apply(&mut self, apply: &Apply<'s>) -> FlowValue {
        for argument in &apply.arguments {
            self.expr(argument)?;
        }
        self.variables.enter();
        self.block_of_its_own(|walk| walk.statements(&apply.body.statements));
        self.variables.leave();
        Some(any())
    }

    /// Returns the result of a function for these arguments, which it may accept; `None` if it always fails.
    pub fn result_of(mut self, function: &FunctionDefinition<'s>, arguments: &[Value]) -> FlowValue {
        self.variables.enter();
        for (index, parameter) in function.parameters.iter().enumerate() {
            let value = self.argument(parameter, arguments.get(index..).unwrap_or_default())?;
            self.variables.set(parameter.name, value);
        }
        // As in a block, `next` ends a function with a value.
        self.nexts.push(None);
        let last = self.statements(&function.body.statements);
        let next = self.nexts.pop().flatten();
        either(either(last, next, self.limits()), self.returned.take(), self.limits())
    }

    /// Returns the value of a parameter; `left` has the arguments for it and for the parameters after it.
    fn argument(&mut self, parameter: &ast::Parameter<'s>, left: &[Value]) -> FlowValue {
        let t = stated(parameter.type_expr.as_ref(), self.text, &self.types(), self.limits());
        Some(match (left, &parameter.default) {
            _ if parameter.is_block => Value::Undef,
            ([], Some(_)) if parameter.captures_rest => any(),
            (all, _) if parameter.captures_rest => all.to_vec().into(),
            ([given, ..], _) => restricted(given, &t, self.limits()),
            ([], Some(default)) => self.expr(default)?,
            ([], None) => unknown_of(&t),
        })
    }

    /// Checks the names of functions outside of modules by the specification of functions.
    fn function_name(&mut self, function: &FunctionDefinition<'s>, expr: &Expr<'s>) {
        let name = &*function.name;
        if let Ok(Some(_)) = builtin::registry().get(name) {
            let message = format!("This function is never called: '{name}' is a built-in function");
            self.report(Rule::FunctionName, expr.diagnostic_span(), message);
        } else if !self.origin.is_in_module && !name.starts_with("environment::") {
            let message = format!(
                "Name this function 'environment::{}': outside of modules, other names can shadow functions of modules",
                name.rsplit("::").next().unwrap_or(name)
            );
            self.report(Rule::FunctionName, expr.diagnostic_span(), message);
        }
    }

    fn class(&mut self, class: &ClassDefinition<'s>) {
        if let Some(parent) = class.parent {
            let brace = class.body.span.start;
            self.class_named(parent, Span::new(brace, brace.saturating_add(1)));
        }
        let surroundings = OuterVariables {
            parent: class.parent.map(str::to_owned),
            is_resource: true,
            ..OuterVariables::default()
        };
        self.apart(surroundings, |walk| {
            walk.set_own_variables();
            walk.parameters(&class.parameters, &class.name);
            walk.statements(&class.body.statements);
            if class.parent.is_none() {
                walk.overrides_in(&class.body.statements);
            }
            walk.cycles_in(&class.body.statements);
        });
    }

    fn resource_type(&mut self, define: &DefinedType<'s>) {
        self.apart(OuterVariables { is_resource: true, ..OuterVariables::default() }, |walk| {
            walk.set_own_variables();
            walk.parameters(&define.parameters, &define.name);
            walk.statements(&define.body.statements);
            walk.overrides_in(&define.body.statements);
            walk.cycles_in(&define.body.statements);
        });
    }

    fn node(&mut self, node: &NodeDefinition<'s>) {
        self.apart(OuterVariables::default(), |walk| {
            walk.statements(&node.body.statements);
            walk.cycles_in(&node.body.statements);
        });
    }

    /// Goes through a template. One that states no parameters has variables for all arguments of its call.
    pub(super) fn template(&mut self, template: &TemplateExpr<'s>) {
        self.surroundings.is_open = template.parameters.is_none();
        if let Some(parameters) = &template.parameters {
            self.parameters(parameters, "epp");
        }
        self.statements(&template.body);
    }

    /// Sets the variables that a class or a resource of a defined type has of itself.
    fn set_own_variables(&mut self) {
        for name in ["title", "name", "caller_module_name"] {
            self.variables.set(name, Value::unknown(Type::STRING));
        }
        let module = self.origin.module.as_deref();
        self.variables.set("module_name", module.map_or_else(|| Value::unknown(Type::STRING), Value::from));
    }

    /// Binds parameters to unknown values of their types, and checks their default values.
    fn parameters(&mut self, parameters: &[ast::Parameter<'s>], routine: &str) {
        for (index, parameter) in parameters.iter().enumerate() {
            let t = stated(parameter.type_expr.as_ref(), self.text, &self.types(), self.limits());
            if let Some(t) = &parameter.type_expr {
                self.needed_type(t);
            }
            if let Some(default) = &parameter.default {
                let later = parameters.get(index..).unwrap_or_default();
                self.variables.set_unassigned(later.iter().map(|parameter| parameter.name).collect());
                self.surroundings.default = Some((routine.to_owned(), parameter.name.to_owned()));
                let value = self.expr(default);
                self.surroundings.default = None;
                self.variables.set_unassigned(Vec::new());
                if let Some(value) = value {
                    self.check_default(parameter, &t, &value, default);
                }
            }
            let value = match (parameter.captures_rest, &t) {
                (true, Type::Array(_)) => unknown_of(&t),
                (true, _) => Value::unknown(Type::array(t, None)),
                (false, _) => unknown_of(&t),
            };
            self.variables.set(parameter.name, value);
        }
    }

    fn check_default(&mut self, parameter: &ast::Parameter<'s>, t: &Type, value: &Value, default: &Expr<'s>) {
        let element = match t {
            Type::Array(array) if parameter.captures_rest => array.element.clone(),
            _ => t.clone(),
        };
        // A parameter that takes the rest makes an array of a single value.
        let is_accepted = |t: &Type| accepts(t, value, self.limits()) != Verdict::No;
        let is_fine = is_accepted(t)
            || parameter.captures_rest
                && (is_accepted(&element) || is_accepted(&Type::array(element.clone(), None)));
        if is_fine || may_be_deferred(value) {
            return;
        }
        let message = format!(
            "The default value of ${} is of type {}, but the parameter takes {t}",
            parameter.name,
            type_of(value, self.limits())
        );
        self.report(Rule::DefaultType, default.diagnostic_span(), message);
    }

    /// Looks at the names in the type of a parameter or of a result. Classes and defined types need all of them; to a
    /// function, a value may be of a type whose other parts have the names.
    fn needed_type(&mut self, t: &Expr<'s>) {
        if self.surroundings.is_resource || matches!(t.kind, ExprKind::Reference(_)) {
            self.stated_type(t);
        } else {
            self.as_warnings(|walk| walk.stated_type(t));
        }
    }

    /// Looks at the names in a type that code states.
    pub(super) fn stated_type(&mut self, t: &Expr<'s>) {
        let mut names = Vec::new();
        collect_names(t, &mut names);
        for (name, at) in names {
            let message = || format!("references an unresolved type '{name}'");
            match self.world.type_named(name, self.origin) {
                ResolvedTypeName::Missing => self.unknown_type(name, message(), at),
                ResolvedTypeName::Unsure => self.probable_type(name, &message(), at),
                ResolvedTypeName::Type(_) | ResolvedTypeName::Resource => {}
            }
        }
    }

    /// Checks the result of a function.
    pub(super) fn check_returned(&mut self, value: &Value, at: Span) {
        let Some(returning) = &self.function else { return };
        if accepts(&returning.t, value, self.limits()) != Verdict::No {
            return;
        }
        let subject = format!("value returned from function '{}'", returning.name);
        let actual = type_of(value, self.limits());
        let message =
            Messages::Puppet.assertion_error(&subject, &returning.t, actual).message().trim().to_owned();
        self.report(Rule::ReturnType, at, message);
    }

    /// Checks the value of an expression with the result of the enclosing function.
    pub(super) fn check_result(&mut self, expr: &Expr<'s>, value: &Value) {
        let is_result = self.function.as_ref().is_some_and(|function| function.results.contains(&expr.span));
        if is_result {
            self.check_returned(value, expr.diagnostic_span());
        }
    }
}

/// Returns the spans of the expressions with the result of a body.
fn results_of(statements: &[Expr<'_>]) -> HashSet<Span> {
    fn add(expr: &Expr<'_>, results: &mut HashSet<Span>) {
        let mut last = |statements: &[Expr<'_>]| {
            statements.last().into_iter().for_each(|last| add(last, results));
        };
        match &expr.kind {
            ExprKind::If(conditional) => {
                conditional.branches.iter().for_each(|branch| last(&branch.then.statements));
                conditional.otherwise.iter().for_each(|block| last(&block.statements));
            }
            ExprKind::Unless(unless) => {
                last(&unless.then.statements);
                unless.otherwise.iter().for_each(|block| last(&block.statements));
            }
            ExprKind::Case(case) => {
                case.options.iter().for_each(|option| last(&option.then.statements));
            }
            ExprKind::Selector(selector) => {
                selector.entries.iter().for_each(|entry| last(std::slice::from_ref(&entry.value)));
            }
            ExprKind::Paren(inner) => last(std::slice::from_ref(&**inner)),
            _ => _ = results.insert(expr.span),
        }
    }
    let mut results = HashSet::new();
    statements.last().into_iter().for_each(|last| add(last, &mut results));
    results
}

/// Returns true for a set of types, which see each other.
fn is_type_set(t: &Expr<'_>) -> bool {
    match &t.kind {
        ExprKind::Access(access) => is_type_set(&access.operand),
        ExprKind::Reference(name) => name.eq_ignore_ascii_case("TypeSet"),
        _ => false,
    }
}

/// Collects the names of types in an expression that is one.
fn collect_names<'s>(t: &Expr<'s>, names: &mut Vec<(&'s str, Span)>) {
    match &t.kind {
        ExprKind::Reference(name) => names.push((name, t.span)),
        ExprKind::Access(access) => {
            collect_names(&access.operand, names);
            access.keys.iter().for_each(|key| collect_names(key, names));
        }
        ExprKind::Array(items) => items.iter().for_each(|item| collect_names(item, names)),
        ExprKind::Hash(entries) => entries.iter().for_each(|entry| {
            collect_names(&entry.key, names);
            collect_names(&entry.value, names);
        }),
        _ => {}
    }
}
