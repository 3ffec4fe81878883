//! Goes through code as it would be evaluated, with partly known values.
//!
//! Findings hold for all values that are possible: an operation is reported if it fails for each of them. Where paths
//! through the code join, a value is one or the other; code that no path leads to is left out. Each expression is visited
//! once.

mod access;
mod advice;
mod attribute;
mod body_resources;
mod call;
mod command;
mod condition;
mod control;
mod created;
mod cycles;
mod declared;
mod definition_body;
mod fact;
mod features;
mod files;
mod iteration;
mod known_calls;
mod lambda;
mod literal;
mod mismatch;
mod operator;
mod own_types;
#[cfg(test)]
mod properties;
mod provider;
mod query;
mod references;
mod resource;
mod variable;

pub use advice::is_about_removed_function;

use std::collections::HashSet;

use super::abstraction::{any, type_of};
use super::rule::Rule;
use super::variables::ScopeStack;
use super::world::{VisibleTypes, World};
use super::{Finding, TextOrigin};
use declared::ResourceTitle;
use puppetfn_base::diagnostic::Severity;
use puppetfn_base::limits::Limits;
use puppetfn_base::source::Span;
use puppetfn_base::stack::StackGuard;
use puppetfn_syntax::ast::{BinaryExpr, Expr, ExprKind, UnaryOp};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Regex, Value};

/// Maximum number of expressions of a text that are visited, and of variables that are compared where branches join. Code
/// after that is not checked.
const WORK: u64 = 5_000_000;

/// The value of an expression; `None` if the code after it is not reached.
pub(super) type FlowValue = Option<Value>;

/// The code that is gone through.
pub(super) struct Walk<'a, 's> {
    world: &'a World,
    text: &'s str,
    origin: &'a TextOrigin,
    variables: ScopeStack<'s>,
    surroundings: OuterVariables,
    /// The enclosing function, if it states its result type.
    function: Option<ExpectedReturn>,
    /// The values of `next` in the enclosing lambdas.
    nexts: Vec<Option<Value>>,
    /// The value of `return`.
    returned: Option<Value>,
    /// Returns true if the function of a name may be any function.
    is_redefined: &'a dyn Fn(&str) -> bool,
    /// The types and titles of resources that are certainly declared, in the block at hand: a condition may have asked for
    /// resources that are declared around it.
    declared: HashSet<(String, ResourceTitle<'s>)>,
    /// The variable at hand, if it is in a string without braces.
    bare: Option<Span>,
    findings: Vec<Finding>,
    /// The types of the expressions that were gone through, if they are wanted.
    observed: Option<Vec<(Span, Type)>>,
    /// Whether findings are warnings, as the code need not fail.
    is_mild: bool,
    /// Whether the code is a plan.
    in_plan: bool,
    guard: StackGuard,
    work: u64,
}

/// The sources of variables besides the scopes.
#[derive(Clone, Default, Debug)]
struct OuterVariables {
    /// The class that the class at hand builds on.
    parent: Option<String>,
    /// Whether any variable may exist: code of a template sees the variables of its caller.
    is_open: bool,
    /// Whether it is the body of a class or of a defined type: metaparameters of the resource are variables.
    is_resource: bool,
    /// The routine and the parameter whose default value is looked at.
    default: Option<(String, String)>,
}

/// The result type of a function, and the expressions that give its result.
#[derive(Debug)]
struct ExpectedReturn {
    name: String,
    t: Type,
    results: HashSet<Span>,
}

impl<'a, 's> Walk<'a, 's> {
    pub fn new(world: &'a World, text: &'s str, origin: &'a TextOrigin) -> Self {
        Self {
            world,
            text,
            origin,
            variables: ScopeStack::default(),
            surroundings: OuterVariables::default(),
            function: None,
            nexts: Vec::new(),
            returned: None,
            is_redefined: &|_| false,
            declared: HashSet::new(),
            bare: None,
            findings: Vec::new(),
            observed: None,
            is_mild: false,
            in_plan: false,
            guard: StackGuard::new(world.limits()),
            work: WORK,
        }
    }

    /// Returns the same, where some functions may be any.
    pub fn with_redefined(self, is_redefined: &'a dyn Fn(&str) -> bool) -> Self {
        Self { is_redefined, ..self }
    }

    /// Returns the same, which notes the types of expressions.
    pub fn observing(self) -> Self {
        Self { observed: Some(Vec::new()), ..self }
    }

    /// Returns the types of the expressions that were gone through.
    pub fn observed(self) -> Vec<(Span, Type)> {
        self.observed.unwrap_or_default()
    }

    fn observe(&mut self, span: Span, value: &Value) {
        let limits = self.limits();
        if let Some(observed) = &mut self.observed {
            observed.push((span, type_of(value, limits)));
        }
    }

    /// Returns the findings, each once and in the order of the text.
    pub fn findings(mut self) -> Vec<Finding> {
        self.findings.sort_by_key(|finding| (finding.span.start, finding.rule));
        self.findings.dedup();
        self.findings
    }

    fn limits(&self) -> &'a Limits {
        self.world.limits()
    }

    fn types(&self) -> VisibleTypes<'a> {
        VisibleTypes::of(self.world)
    }

    /// Reports a problem, and goes on with an unknown value.
    fn report(&mut self, rule: Rule, at: Span, message: impl Into<String>) -> Value {
        self.note(Finding::new(rule, message, at))
    }

    /// Notes a finding, and goes on with an unknown value.
    fn note(&mut self, finding: Finding) -> Value {
        // After the maximum of work, too little is known for findings.
        if self.work > 0 && !(self.in_plan && is_of_program(finding.rule)) {
            let severity = if self.is_mild { Severity::Warning } else { finding.severity };
            let span = finding.span.trimmed(self.text);
            self.findings.push(Finding { severity, span, ..finding });
        }
        any()
    }

    /// Goes through code that may not be reached where the code around it is.
    fn block_of_its_own<T>(&mut self, go: impl FnOnce(&mut Self) -> T) -> T {
        let declared = std::mem::take(&mut self.declared);
        let result = go(self);
        self.declared = declared;
        result
    }

    /// Goes on where findings are warnings, as the code need not fail.
    fn as_warnings<T>(&mut self, go: impl FnOnce(&mut Self) -> T) -> T {
        let was_mild = std::mem::replace(&mut self.is_mild, true);
        let result = go(self);
        self.is_mild = was_mild;
        result
    }

    /// Counts work. Returns true if some is left.
    fn spend(&mut self, work: u64) -> bool {
        self.work = self.work.saturating_sub(work);
        self.work > 0 && self.guard.check().is_ok()
    }

    /// Goes through an expression.
    pub fn expr(&mut self, expr: &Expr<'s>) -> FlowValue {
        if !self.spend(1) {
            self.work = 0;
            return Some(any());
        }
        let value = self.expr_kind(expr)?;
        self.check_result(expr, &value);
        self.observe(expr.span, &value);
        Some(value)
    }

    fn expr_kind(&mut self, expr: &Expr<'s>) -> FlowValue {
        match &expr.kind {
            ExprKind::Undef => Some(Value::Undef),
            ExprKind::Default => Some(Value::Default),
            ExprKind::Boolean(truth) => Some(Value::Boolean(*truth)),
            ExprKind::Integer(number) => {
                Some(i64::try_from(*number).map_or_else(|_| Value::unknown(Type::INTEGER), Value::Integer))
            }
            ExprKind::Float(number) => Some(Value::Float(*number)),
            ExprKind::String(text) => Some(Value::from(&**text)),
            ExprKind::Name(name) => Some(Value::from(*name)),
            ExprKind::Reserved(_) | ExprKind::Error(_) => Some(any()),
            ExprKind::Interpolation(segments) => self.interpolation(segments),
            ExprKind::Heredoc(heredoc) => self.expr(&heredoc.text),
            ExprKind::Regexp(source) => Some(self.regexp(source, expr.span)),
            ExprKind::Reference(name) => Some(self.type_name(name, expr.span)),
            ExprKind::Variable(name) => Some(self.variable(name, expr.span)),
            ExprKind::Array(items) => self.array(items),
            ExprKind::Hash(entries) => self.hash(entries),
            ExprKind::Access(access) => self.access(access, expr),
            ExprKind::Call(call) => self.call(call, expr),
            ExprKind::Method(method) => self.method(method, expr),
            ExprKind::Paren(inner) => self.expr(inner),
            ExprKind::Render(inner) => self.expr(inner),
            ExprKind::RenderText(_) => Some(Value::Undef),
            ExprKind::Unary(UnaryOp::Minus, operand) => self.minus(operand, expr),
            ExprKind::Unary(UnaryOp::Not, operand) => self.not(operand),
            ExprKind::Unary(UnaryOp::Splat, operand) => self.splat(operand),
            ExprKind::Binary(binary) => self.binary(binary, expr),
            ExprKind::Selector(selector) => self.selector(selector),
            ExprKind::If(conditional) => self.conditional(conditional),
            ExprKind::Unless(unless) => self.unless(unless),
            ExprKind::Case(case) => self.case(case),
            ExprKind::Block(statements) => self.statements(statements),
            ExprKind::Function(_)
            | ExprKind::Plan(_)
            | ExprKind::TypeAlias(_)
            | ExprKind::TypeMapping(_)
            | ExprKind::TypeDefinition(_)
            | ExprKind::Class(_)
            | ExprKind::ResourceType(_)
            | ExprKind::Node(_) => {
                self.definition(expr);
                Some(any())
            }
            ExprKind::Resource(resource) => self.resource(resource),
            ExprKind::ResourceDefaults(defaults) => self.resource_defaults(defaults),
            ExprKind::ResourceOverride(overrides) => self.resource_override(overrides),
            ExprKind::Collector(collector) => self.collector(collector),
            ExprKind::Apply(apply) => self.apply(apply),
            ExprKind::Template(template) => {
                self.template(template);
                Some(Value::unknown(Type::STRING))
            }
        }
    }

    /// Returns a regular expression. Puppet reads no file with an invalid one.
    fn regexp(&mut self, source: &str, at: Span) -> Value {
        match Regex::new(source) {
            Ok(regex) => Value::Regexp(regex),
            Err(error) => {
                self.report(Rule::Syntax, at, format!("Invalid regular expression: {}", error.message()));
                Value::unknown(Type::Regexp(None))
            }
        }
    }

    /// Goes through statements, and returns the value of the last one.
    fn statements(&mut self, statements: &[Expr<'s>]) -> FlowValue {
        let mut value = Value::Undef;
        let mut left = statements.iter();
        while let Some(statement) = left.next() {
            match self.expr(statement) {
                Some(last) => value = last,
                None => {
                    // Definitions are made whether the code around them is reached or not.
                    let next = left.find(|statement| !statement.kind.is_definition());
                    if let Some(next) = next {
                        let message = "This is never reached: the code before it always ends the evaluation";
                        self.report(Rule::Unreachable, next.diagnostic_span(), message);
                    }
                    return None;
                }
            }
        }
        Some(value)
    }
}

/// Returns the span of an operation from its operator on, the position that Puppet reports.
fn operator_span(binary: &BinaryExpr<'_>) -> Span {
    Span::new(binary.at, binary.right.span.end)
}

/// Returns true for a rule about names that depend on the program which runs the code.
fn is_of_program(rule: Rule) -> bool {
    matches!(rule, Rule::UnknownFunction | Rule::UnknownType | Rule::UnknownVariable | Rule::LegacyFact)
}
