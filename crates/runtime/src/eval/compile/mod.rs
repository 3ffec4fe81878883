//! From syntax trees to resolved programs.

mod call;
mod class;
mod control;
mod declare;
mod entity;
mod literal;
mod routine;
mod scope;
mod template;

use std::sync::Arc;

use self::class::CurrentParameters;
use self::entity::EntityScope;
pub(super) use self::entity::compile_entity;
use self::scope::{CompileScope, ResolvedVariable};
pub(super) use self::template::{compile_snippet, compile_template};
use super::code::{
    AccessCode, Assign, AssignTarget, BinaryCode, CompilationUnit, Node, Op, Probe, ProgramCode, Routine,
};
use super::declaration::DefinitionCode;
use super::function_lookup::FunctionLookup;
use super::interner::Interner;
use super::locals::Locals;
use super::machine::PausePoint;
use super::text::{with_article, with_article_uc};
use crate::coverage::{Counters, ProbeRole, is_executed, is_literal, start_of};
use puppetfn_base::error::Error;
use puppetfn_base::name::is_qualified;
use puppetfn_base::stack::StackGuard;
use puppetfn_syntax::Tree;
use puppetfn_syntax::ast::{self, BinaryOp, Expr, ExprKind, OperatorFamily, UnaryOp};
use puppetfn_types::value::Value;

/// A compiled text.
pub(super) struct CompiledText {
    pub program: ProgramCode,
    /// The functions that it defines.
    pub functions: Vec<Arc<Routine>>,
    /// The classes, defined types and nodes that it defines.
    pub definitions: Vec<DefinitionCode>,
    /// Whether it has a regular expression that cannot be compiled.
    pub has_wrong_regexp: bool,
    /// Whether it reads variables.
    pub has_variables: bool,
}

/// The context in which names of functions are looked up.
#[derive(Clone, Copy)]
pub(super) struct Perspective<'c> {
    /// The module of the text.
    pub module: Option<&'c Arc<str>>,
    pub lookup: &'c dyn FunctionLookup,
    /// The counters of the text, if its evaluation is counted.
    pub counters: Option<&'c Arc<Counters>>,
    /// Whether a debugger may pause in the code.
    pub is_debugged: bool,
}

/// Compiles a text.
///
/// # Errors
/// [`puppetfn_base::error::ErrorKind::Limit`] if the text nests too deep for the stack. All other mistakes in it are
/// raised when it is evaluated.
pub(super) fn compile(
    tree: &Tree,
    interner: &mut Interner,
    perspective: Perspective<'_>,
    stack: StackGuard,
) -> Result<CompiledText, Error> {
    let unit = CompilationUnit::new(Arc::clone(tree.text()), tree.file().cloned());
    let unit = Arc::new(unit.counted_by(perspective.counters));
    let mut compiler = ProgramCompiler::new(&unit, interner, perspective, stack, CompileScope::top());
    let body = compiler.statements(&tree.program().statements, 0)?;
    let frame_size = compiler.scope.size();
    let ProgramCompiler { functions, definitions, locals, has_wrong_regexp, has_variables, .. } = compiler;
    unit.name_slots(locals);
    let program = ProgramCode { body, unit, frame_size };
    Ok(CompiledText { program, functions, definitions, has_wrong_regexp, has_variables })
}

struct ProgramCompiler<'c, 's> {
    unit: Arc<CompilationUnit>,
    interner: &'c mut Interner,
    perspective: Perspective<'c>,
    stack: StackGuard,
    scope: CompileScope<'s>,
    /// The number of expressions so far that set the match variables.
    matches: u32,
    functions: Vec<Arc<Routine>>,
    definitions: Vec<DefinitionCode>,
    /// The parameters of the definition that is being compiled.
    parameters: Option<CurrentParameters<'s>>,
    /// The functions and parameters whose default values are being compiled.
    defaults: Vec<(Arc<str>, &'s str)>,
    /// The variables of functions and lambdas, and the layer that is being compiled.
    locals: Locals,
    layer: Option<usize>,
    /// The scope of a type's code, while such code is compiled.
    entity: Option<EntityScope>,
    /// True while the types of a definition's parameters are compiled, where no variable has a value.
    in_parameter_types: bool,
    has_wrong_regexp: bool,
    has_variables: bool,
}

type CodeResult = Result<Node, Error>;

impl<'c, 's> ProgramCompiler<'c, 's> {
    fn new(
        unit: &Arc<CompilationUnit>,
        interner: &'c mut Interner,
        perspective: Perspective<'c>,
        stack: StackGuard,
        scope: CompileScope<'s>,
    ) -> Self {
        Self {
            unit: Arc::clone(unit),
            interner,
            perspective,
            stack,
            scope,
            matches: 0,
            functions: vec![],
            definitions: vec![],
            parameters: None,
            defaults: vec![],
            locals: Locals::default(),
            layer: None,
            entity: None,
            in_parameter_types: false,
            has_wrong_regexp: false,
            has_variables: false,
        }
    }

    fn expr(&mut self, expr: &Expr<'s>) -> CodeResult {
        self.stack.check()?;
        let at = expr.anchor();
        let op = match &expr.kind {
            ExprKind::Undef => Op::Constant(Value::Undef),
            ExprKind::Default => Op::Constant(Value::Default),
            ExprKind::Boolean(truth) => Op::Constant(Value::Boolean(*truth)),
            ExprKind::Integer(number) => literal::integer(*number),
            ExprKind::Float(number) => Op::Constant(Value::Float(*number)),
            ExprKind::String(text) => Op::Constant(self.unit.literal(text, expr.span.start)),
            ExprKind::Name(name) => Op::Constant(self.unit.literal(name, expr.span.start)),
            ExprKind::Regexp(source) => self.regexp(source),
            ExprKind::Interpolation(segments) => self.text(segments)?,
            ExprKind::Heredoc(heredoc) => return self.heredoc(heredoc, at),
            ExprKind::Reference(name) => literal::once(Node::new(Op::TypeName((*name).into()), at)),
            ExprKind::Variable(name) => self.variable(name),
            ExprKind::Reserved(word) => {
                fail(format!("Use of reserved word: {word}, must be quoted if intended to be a String value"))
            }
            ExprKind::Error(_) => fail("This is not Puppet code".to_owned()),
            ExprKind::Array(items) => self.array(items)?,
            ExprKind::Hash(entries) => self.hash(entries)?,
            ExprKind::Access(access) => self.access(access)?,
            ExprKind::Call(call) => self.call(call)?,
            ExprKind::Method(method) => self.method(method)?,
            ExprKind::Paren(inner) => return Ok(Node { stands_at: at, ..self.expr(inner)? }),
            ExprKind::Unary(UnaryOp::Minus, operand) => self.minus(operand)?,
            ExprKind::Unary(UnaryOp::Not, operand) => Op::Not(Box::new(self.expr(operand)?)),
            ExprKind::Unary(UnaryOp::Splat, operand) => Op::Splat(Box::new(self.expr(operand)?)),
            ExprKind::Binary(binary) => self.binary(binary)?,
            ExprKind::Selector(selector) => self.selector(selector)?,
            ExprKind::If(conditional) => self.conditional(conditional)?,
            ExprKind::Unless(unless) => self.unless(unless)?,
            ExprKind::Case(case) => self.case(case)?,
            ExprKind::Block(statements) => return self.statements(statements, at),
            ExprKind::Function(function) => self.function(function, at)?,
            // Known before the text is evaluated.
            ExprKind::TypeAlias(_) | ExprKind::TypeMapping(_) => {
                return Ok(Node::constant(Value::Undef, at));
            }
            ExprKind::TypeDefinition(definition) if definition.members().is_some() => {
                return Ok(Node::constant(Value::Undef, at));
            }
            ExprKind::Class(class) => self.class(class, at)?,
            ExprKind::ResourceType(define) => self.defined_type(define, at)?,
            ExprKind::Node(node) => self.node_definition(node, at)?,
            ExprKind::Resource(resource) => self.resources(resource)?,
            ExprKind::ResourceDefaults(defaults) => self.resource_defaults(defaults)?,
            ExprKind::ResourceOverride(overrides) => self.resource_override(overrides)?,
            ExprKind::Collector(collector) => self.collector(collector)?,
            ExprKind::Plan(_)
            | ExprKind::TypeDefinition(_)
            | ExprKind::Apply(_)
            // A template is always the whole text.
            | ExprKind::Template(_) => catalog_only(&expr.kind),
            ExprKind::RenderText(text) => Op::RenderText((&**text).into()),
            ExprKind::Render(rendered) => Op::Render(Box::new(self.expr(rendered)?)),
        };
        Ok(Node::new(op, at))
    }

    /// Statements in a row; `at` places them where there are none.
    fn statements(&mut self, statements: &[Expr<'s>], at: u32) -> CodeResult {
        match statements {
            [] => Ok(Node::constant(Value::Undef, at)),
            [only] => self.statement(only),
            several => {
                let nodes = several.iter().map(|s| self.statement(s)).collect::<Result<_, _>>()?;
                Ok(Node::new(Op::Block(nodes), at))
            }
        }
    }

    fn statement(&mut self, statement: &Expr<'s>) -> CodeResult {
        let start = start_of(statement, self.unit.text());
        let node = self.expr(statement)?;
        let node = self.counted(ProbeRole::Statement, start, node);
        let pauses = is_executed(statement) && !is_blank(statement);
        Ok(if pauses { self.pausing(PausePoint::Statement, start, node) } else { node })
    }

    /// Puts a probe around code whose evaluation is counted.
    fn counted(&self, role: ProbeRole, at: u32, code: Node) -> Node {
        let counter = self.unit.counters().and_then(|counters| counters.points().counter(at, role));
        let Some(counter) = counter else { return code };
        Node { at: code.at, stands_at: code.stands_at, op: Op::Probe(Box::new(Probe { counter, code })) }
    }

    /// Puts a pause before code that a debugger observes.
    fn pausing(&self, point: PausePoint, at: u32, code: Node) -> Node {
        if self.perspective.is_debugged { code.with_pause(at, point) } else { code }
    }

    fn block(&mut self, block: &ast::Block<'s>) -> CodeResult {
        self.statements(&block.statements, block.span.start)
    }

    /// Compiles a block that may be skipped.
    fn branch(&mut self, block: &ast::Block<'s>) -> CodeResult {
        let branch = self.scope.branch();
        let node = self.block(block)?;
        self.scope.join(branch);
        Ok(self.counted(ProbeRole::Arm, block.span.start, node))
    }

    /// Compiles the body of a definition.
    fn body(&mut self, block: &ast::Block<'s>) -> CodeResult {
        let node = self.block(block)?;
        let node = self.counted(ProbeRole::Definition, block.span.start, node);
        Ok(self.pausing(PausePoint::Body, block.span.start, node))
    }

    /// Compiles the default value of a parameter.
    fn default_value(&mut self, default: Option<&Expr<'s>>) -> Result<Option<Node>, Error> {
        let Some(default) = default else { return Ok(None) };
        let node = self.expr(default)?;
        let node = self.counted(ProbeRole::Statement, default.span.start, node);
        if is_literal(default) {
            return Ok(Some(node));
        }
        Ok(Some(self.pausing(PausePoint::Statement, default.span.start, node)))
    }

    /// Compiles an expression that may be skipped.
    fn maybe(&mut self, expr: &Expr<'s>) -> CodeResult {
        let branch = self.scope.branch();
        let node = self.expr(expr)?;
        self.scope.join(branch);
        Ok(node)
    }

    fn variable(&mut self, name: &'s str) -> Op {
        self.has_variables = true;
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            return name.parse().map_or(Op::Constant(Value::Undef), Op::Group);
        }
        if let Some(op) = self.definition_variable(name).or_else(|| self.entity_variable(name)) {
            return op;
        }
        let mut slots = Vec::new();
        if !is_qualified(name) {
            match self.scope.find(name) {
                ResolvedVariable::Certain(slot) => return Op::Slot(slot),
                ResolvedVariable::Maybe(found) => slots = found,
                ResolvedVariable::NotYet => return self.not_yet(name),
            }
        }
        if self.in_parameter_types && slots.is_empty() {
            return Op::UnknownVariable(name.into());
        }
        Op::Variable(Box::new(self.outer_variable(name, slots)))
    }

    fn binary(&mut self, binary: &ast::BinaryExpr<'s>) -> Result<Op, Error> {
        let op = binary.op;
        match op.family() {
            OperatorFamily::Assignment if op == BinaryOp::Assign => self.assignment(binary),
            OperatorFamily::Logical if op == BinaryOp::And => {
                Ok(Op::And(Box::new([self.expr(&binary.left)?, self.maybe(&binary.right)?])))
            }
            OperatorFamily::Logical => {
                Ok(Op::Or(Box::new([self.expr(&binary.left)?, self.maybe(&binary.right)?])))
            }
            OperatorFamily::Assignment => self.append(binary),
            OperatorFamily::Relationship => self.relationship(binary),
            OperatorFamily::Match | OperatorFamily::In => {
                self.matches = self.matches.saturating_add(1);
                self.operands(op, binary)
            }
            OperatorFamily::Comparison
            | OperatorFamily::Equality
            | OperatorFamily::Shift
            | OperatorFamily::Sum
            | OperatorFamily::Product => self.operands(op, binary),
        }
    }

    fn operands(&mut self, op: BinaryOp, binary: &ast::BinaryExpr<'s>) -> Result<Op, Error> {
        let operands = [self.expr(&binary.left)?, self.expr(&binary.right)?];
        Ok(Op::Binary(Box::new(BinaryCode { op, operands })))
    }

    fn assignment(&mut self, binary: &ast::BinaryExpr<'s>) -> Result<Op, Error> {
        let value = self.expr(&binary.right)?;
        let target = match self.target(&binary.left) {
            Ok(target) => target,
            Err(message) => return Ok(Op::Fail(message)),
        };
        Ok(Op::Assign(Box::new(Assign { target, value, appends: false })))
    }

    /// Returns the target of an assignment, or the message that it cannot be assigned to.
    fn target(&mut self, expr: &Expr<'s>) -> Result<AssignTarget, Box<str>> {
        if let ExprKind::Array(items) = &expr.kind {
            let targets =
                items.iter().map(|item| Ok((self.target(item)?, name_of(item).into(), item.anchor())));
            return Ok(AssignTarget::Several(targets.collect::<Result<_, Box<str>>>()?));
        }
        if let ExprKind::Access(access) = &expr.kind
            && let Some(target) = self.element(access).map_err(|error| Box::<str>::from(error.message()))?
        {
            return Ok(target);
        }
        let ExprKind::Variable(name) = expr.kind else {
            let label = with_article(&expr.kind.label());
            return Err(format!("Illegal attempt to assign to '{label}'. Not an assignable reference").into());
        };
        if is_qualified(name) {
            return Err(format!(
                "Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces"
            )
            .into());
        }
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!(
                "Illegal attempt to assign to the numeric match result variable '${name}'. Numeric variables are not assignable"
            )
            .into());
        }
        if let Some(target) = self.entity_target(name) {
            return Ok(target);
        }
        Ok(if routine::is_reserved(name) {
            AssignTarget::Reserved {
                name: name.into(),
                is_top: self.scope.is_main() || name == "server_facts",
            }
        } else if self.scope.is_read_only() {
            AssignTarget::Forbidden(name.into())
        } else if self.scope.is_top() {
            AssignTarget::Global(self.interner.global(&self.scope.qualified(name)))
        } else {
            AssignTarget::Slot(self.scope.assign(name), name.into())
        })
    }

    fn access(&mut self, access: &ast::Access<'s>) -> Result<Op, Error> {
        let operand = self.expr(&access.operand)?;
        let keys = access.keys.iter().map(|key| self.expr(key)).collect::<Result<Box<[Node]>, _>>()?;
        let is_fixed = operand.is_fixed() && keys.iter().all(Node::is_fixed);
        let at = operand.stands_at;
        let op = Op::Access(Box::new(AccessCode { operand, keys }));
        Ok(if is_fixed { literal::once(Node::new(op, at)) } else { op })
    }
}

/// Returns the name by which a hash gives the value of a variable. No hash has one for several variables.
fn name_of(expr: &Expr<'_>) -> String {
    if let ExprKind::Array(items) = &expr.kind {
        let names: Vec<String> = items.iter().map(|item| format!("{:?}", name_of(item))).collect();
        format!("[{}]", names.join(", "))
    } else if let ExprKind::Variable(name) = expr.kind {
        name.to_owned()
    } else {
        String::new()
    }
}

/// Returns true for white space in a template.
fn is_blank(statement: &Expr<'_>) -> bool {
    matches!(&statement.kind, ExprKind::RenderText(text) if text.trim().is_empty())
}

fn fail(message: String) -> Op {
    Op::Fail(message.into())
}

fn catalog_only(kind: &ExprKind<'_>) -> Op {
    let label = with_article_uc(&kind.label());
    fail(format!("{label} is only available when compiling a catalog"))
}
