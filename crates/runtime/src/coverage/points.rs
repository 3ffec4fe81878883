//! The points of a file that are counted.
//!
//! As in Ruby's `Coverage`, a statement counts where it begins, and each way that `if`, `unless` and `case` can go is a branch,
//! a missing `else` included. `and` and `or` are no branches.
#![allow(clippy::wildcard_enum_match_arm, reason = "few kinds of expressions have points of their own")]

use std::collections::HashMap;

use puppetfn_base::limits::Limits;
use puppetfn_base::source::{LineIndex, Span};
use puppetfn_base::stack::StackGuard;
use puppetfn_syntax::ast::{self, Block, Expr, ExprKind, Parameter, Program};

/// Index of a point's counter.
pub type Counter = u32;

/// The kind of code in a probe. Together with an offset it identifies a point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum ProbeRole {
    /// A statement, or a default value that is computed, at its start.
    Statement,
    /// A branch, at the start of its block or value.
    Arm,
    /// A branch that is not written, at the start of the block of `if`, or of the value of `case`.
    NoMatch,
    /// The body of a class, defined type, node or function, at its start.
    Definition,
}

/// The counted parts of a file, in the order of the text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CoveragePoints {
    /// The statements.
    pub statements: Vec<Statement>,
    /// The conditions.
    pub decisions: Vec<Decision>,
    /// The classes, defined types, nodes and functions.
    pub definitions: Vec<CountedDefinition>,
    /// The counters by offset and role, sorted.
    index: Vec<((u32, ProbeRole), Counter)>,
    count: u32,
}

/// Code whose lines count as executed with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The numbers of its lines: one, except for the text of a template.
    pub lines: Vec<u32>,
    /// The counter.
    pub counter: Counter,
}

/// A condition with its branches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The kind of condition.
    pub kind: DecisionKind,
    /// Its text.
    pub span: Span,
    /// The branches.
    pub arms: Vec<Arm>,
}

/// The kinds of conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecisionKind {
    /// `if` or `elsif`.
    If,
    /// `unless`.
    Unless,
    /// `case`.
    Case,
    /// `? { }`.
    Selector,
}

/// A branch of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arm {
    /// `then`, `else`, or the values of the option as they are written.
    pub label: String,
    /// Its text, with the braces or the values of the option; the condition's text if the branch is not written.
    pub span: Span,
    /// The statements or the value.
    pub body: Span,
    /// The counter.
    pub counter: Counter,
}

/// A class, defined type, node or function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedDefinition {
    /// The name; for a node, `node` and its names as they are written.
    pub name: String,
    /// The line that it begins in.
    pub line: u32,
    /// The counter of its evaluations.
    pub counter: Counter,
}

/// A place before which a debugger may pause.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PausePlace {
    /// The line of the statement or definition, from 1.
    pub line: u32,
    /// The offset of the statement, or of the body of the definition.
    pub offset: u32,
}

impl CoveragePoints {
    /// Returns the places before which a debugger may pause, in the order of their lines.
    pub fn pauses(&self) -> Vec<PausePlace> {
        let lines: HashMap<Counter, u32> = self
            .statements
            .iter()
            .filter_map(|statement| Some((statement.counter, *statement.lines.first()?)))
            .collect();
        let place = |((offset, role), counter): &((u32, ProbeRole), Counter)| match role {
            ProbeRole::Statement | ProbeRole::Definition => {
                Some(PausePlace { line: *lines.get(counter)?, offset: *offset })
            }
            ProbeRole::Arm | ProbeRole::NoMatch => None,
        };
        let mut places: Vec<PausePlace> = self.index.iter().filter_map(place).collect();
        places.sort_unstable();
        places
    }

    /// Returns the number of counters.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns the counter of a point.
    pub(crate) fn counter(&self, at: u32, role: ProbeRole) -> Option<Counter> {
        let found = self.index.binary_search_by_key(&(at, role), |(key, _)| *key).ok()?;
        self.index.get(found).map(|(_, counter)| *counter)
    }
}

/// Returns the points of a program. Code that nests too deep for the stack is left out: it cannot be evaluated either.
///
/// ```
/// use puppetfn::coverage::points;
/// use puppetfn::limits::Limits;
/// use puppetfn::syntax::parse;
///
/// let program = parse("class a {\n  if $b {\n    c()\n  }\n}", &Limits::DEFAULT)?;
/// let points = points(&program, &Limits::DEFAULT);
/// let lines: Vec<u32> = points.statements.iter().flat_map(|statement| statement.lines.clone()).collect();
/// assert_eq!((lines, points.decisions.len()), (vec![1, 2, 3], 1));
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
pub fn points(program: &Program<'_>, limits: &Limits) -> CoveragePoints {
    let mut walk = PointWalk {
        text: program.text,
        lines: LineIndex::new(program.text),
        stack: StackGuard::new(limits),
        points: CoveragePoints::default(),
    };
    walk.statements(&program.statements);
    let PointWalk { mut points, .. } = walk;
    points.index.sort_unstable();
    points
}

struct PointWalk<'a> {
    text: &'a str,
    lines: LineIndex,
    stack: StackGuard,
    points: CoveragePoints,
}

impl PointWalk<'_> {
    fn counter(&mut self, at: u32, role: ProbeRole) -> Counter {
        let counter = self.points.count;
        self.points.count = counter.saturating_add(1);
        self.points.index.push(((at, role), counter));
        counter
    }

    fn line(&self, at: u32) -> u32 {
        self.lines.position(self.text, at).0
    }

    fn add_line(&mut self, at: u32, counter: Counter) {
        let lines = vec![self.line(at)];
        self.points.statements.push(Statement { lines, counter });
    }

    fn statements(&mut self, statements: &[Expr<'_>]) {
        for statement in statements {
            if is_executed(statement) {
                self.statement(statement);
            }
            self.expr(statement);
        }
    }

    fn statement(&mut self, statement: &Expr<'_>) {
        let start = start_of(statement, self.text);
        let lines = match &statement.kind {
            ExprKind::RenderText(_) => self.lines_with_text(statement.span),
            _ => vec![self.line(start)],
        };
        if !lines.is_empty() {
            let counter = self.counter(start, ProbeRole::Statement);
            self.points.statements.push(Statement { lines, counter });
        }
    }

    /// Returns the lines of a template's text, without blank ones.
    fn lines_with_text(&self, span: Span) -> Vec<u32> {
        let first = self.line(span.start);
        let text = without_tags(span.text(self.text));
        let lines = text.split('\n').zip(first..);
        lines.filter(|(line, _)| !line.trim().is_empty()).map(|(_, number)| number).collect()
    }

    fn block(&mut self, block: &Block<'_>) {
        self.statements(&block.statements);
    }

    fn expr(&mut self, expr: &Expr<'_>) {
        if self.stack.check().is_err() {
            return;
        }
        match &expr.kind {
            ExprKind::If(conditional) => self.conditional(conditional, expr.span.end),
            ExprKind::Unless(unless) => self.unless(unless, expr.span),
            ExprKind::Case(case) => self.case(case, expr.span),
            ExprKind::Selector(selector) => self.selector(selector, expr.span),
            ExprKind::Block(statements) => self.statements(statements),
            ExprKind::Function(function) => {
                self.definition(&function.name, &function.parameters, &function.body, expr.span);
            }
            ExprKind::Class(class) => {
                self.definition(&class.name, &class.parameters, &class.body, expr.span);
            }
            ExprKind::ResourceType(define) => {
                self.definition(&define.name, &define.parameters, &define.body, expr.span);
            }
            ExprKind::Node(node) => {
                let names: Vec<&str> = node.matches.iter().map(|name| name.span.text(self.text)).collect();
                self.definition(&format!("node {}", names.join(", ")), &[], &node.body, expr.span);
            }
            ExprKind::Template(template) => {
                self.defaults(template.parameters.as_deref().unwrap_or_default());
                self.statements(&template.body);
            }
            // Declarations, which have no evaluation that could be counted, and code that only Bolt runs.
            ExprKind::TypeAlias(_)
            | ExprKind::TypeMapping(_)
            | ExprKind::TypeDefinition(_)
            | ExprKind::Plan(_)
            | ExprKind::Apply(_) => {}
            _ => self.parts(expr),
        }
    }

    fn parts(&mut self, expr: &Expr<'_>) {
        expr.for_each_child(&mut |child| self.expr(child));
        let lambda = match &expr.kind {
            ExprKind::Call(call) => call.lambda.as_ref(),
            ExprKind::Method(method) => method.lambda.as_ref(),
            _ => None,
        };
        if let Some(lambda) = lambda {
            self.defaults(&lambda.parameters);
            self.block(&lambda.body);
        }
    }

    fn definition(&mut self, name: &str, parameters: &[Parameter<'_>], body: &Block<'_>, span: Span) {
        let counter = self.counter(body.span.start, ProbeRole::Definition);
        self.add_line(span.start, counter);
        let (name, line) = (name.trim_start_matches("::").to_owned(), self.line(span.start));
        self.points.definitions.push(CountedDefinition { name, line, counter });
        self.defaults(parameters);
        self.block(body);
    }

    /// Default values count if they are computed.
    fn defaults(&mut self, parameters: &[Parameter<'_>]) {
        for default in parameters.iter().filter_map(|parameter| parameter.default.as_ref()) {
            if !is_literal(default) {
                self.statement(default);
            }
            self.expr(default);
        }
    }

    fn conditional(&mut self, conditional: &ast::If<'_>, end: u32) {
        let mut branches = conditional.branches.iter().peekable();
        while let Some(branch) = branches.next() {
            let span = Span::new(branch.span.start, end);
            let then = self.block_arm("then", &branch.then);
            let otherwise = match (branches.peek(), &conditional.otherwise) {
                (Some(next), _) => {
                    let arm =
                        self.arm("else", Span::new(next.span.start, end), Span::new(next.span.start, end));
                    self.add_line(next.span.start, arm.counter);
                    arm
                }
                (None, Some(block)) => self.block_arm("else", block),
                (None, None) => self.no_match(span, branch.then.span.start),
            };
            self.points.decisions.push(Decision {
                kind: DecisionKind::If,
                span,
                arms: vec![then, otherwise],
            });
            self.expr(&branch.test);
            self.block(&branch.then);
        }
        conditional.otherwise.iter().for_each(|block| self.block(block));
    }

    fn unless(&mut self, unless: &ast::Unless<'_>, span: Span) {
        let then = self.block_arm("then", &unless.then);
        let otherwise = match &unless.otherwise {
            Some(block) => self.block_arm("else", block),
            None => self.no_match(span, unless.then.span.start),
        };
        let arms = vec![then, otherwise];
        self.points.decisions.push(Decision { kind: DecisionKind::Unless, span, arms });
        self.expr(&unless.test);
        self.block(&unless.then);
        unless.otherwise.iter().for_each(|block| self.block(block));
    }

    fn case(&mut self, case: &ast::Case<'_>, span: Span) {
        let mut arms = Vec::with_capacity(case.options.len());
        let mut has_default = false;
        for option in &case.options {
            has_default |= option.values.iter().any(is_default);
            let start = option.values.first().map_or(option.colon, |value| value.span.start);
            let label = self.label(Span::new(start, option.colon));
            let arm = self.block_arm(&label, &option.then);
            arms.push(Arm { span: Span::new(start, option.then.span.end), ..arm });
        }
        if !has_default {
            arms.push(self.no_match(span, case.test.span.start));
        }
        self.points.decisions.push(Decision { kind: DecisionKind::Case, span, arms });
        self.expr(&case.test);
        for option in &case.options {
            option.values.iter().for_each(|value| self.expr(value));
            self.block(&option.then);
        }
    }

    /// A selector without a match is an error, so it has no branch for that.
    fn selector(&mut self, selector: &ast::Selector<'_>, span: Span) {
        let mut arms = Vec::with_capacity(selector.entries.len());
        for entry in &selector.entries {
            let label = self.label(entry.key.span);
            let arm = self.arm(&label, entry.key.span.to(entry.value.span), entry.value.span);
            self.add_line(entry.key.span.start, arm.counter);
            arms.push(arm);
        }
        self.points.decisions.push(Decision { kind: DecisionKind::Selector, span, arms });
        self.expr(&selector.operand);
        for entry in &selector.entries {
            self.expr(&entry.key);
            self.expr(&entry.value);
        }
    }

    fn arm(&mut self, label: &str, span: Span, body: Span) -> Arm {
        Arm { label: label.to_owned(), span, body, counter: self.counter(body.start, ProbeRole::Arm) }
    }

    fn block_arm(&mut self, label: &str, block: &Block<'_>) -> Arm {
        let arm = self.arm(label, block.span, block.span);
        match (block.statements.first(), block.statements.last()) {
            (Some(first), Some(last)) => Arm { body: first.span.to(last.span), ..arm },
            _ => arm,
        }
    }

    fn no_match(&mut self, span: Span, at: u32) -> Arm {
        Arm { label: "else".to_owned(), span, body: span, counter: self.counter(at, ProbeRole::NoMatch) }
    }

    /// Returns code on one line.
    fn label(&self, span: Span) -> String {
        span.text(self.text).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Returns true if reaching a statement executes it. Definitions count when they are evaluated.
pub(crate) fn is_executed(statement: &Expr<'_>) -> bool {
    !matches!(
        statement.kind,
        ExprKind::Function(_)
            | ExprKind::Plan(_)
            | ExprKind::Class(_)
            | ExprKind::ResourceType(_)
            | ExprKind::Node(_)
            | ExprKind::TypeAlias(_)
            | ExprKind::TypeMapping(_)
            | ExprKind::TypeDefinition(_)
            | ExprKind::Template(_)
    )
}

/// Returns where a statement of a text begins. To Puppet, a value in a template begins where the text before it does, and a text
/// before the end of the tag: here, after that and blank lines.
pub(crate) fn start_of(statement: &Expr<'_>, text: &str) -> u32 {
    match &statement.kind {
        ExprKind::Render(rendered) => rendered.span.start,
        ExprKind::RenderText(_) => {
            let written = statement.span.text(text).trim_start();
            let tag_end = ["-%>", "%>"].into_iter().find_map(|end| written.strip_prefix(end));
            let visible = tag_end.unwrap_or(written).trim_start();
            statement.span.end.saturating_sub(visible.len() as u32)
        }
        _ => statement.span.start,
    }
}

/// Returns a template's text without the tag that follows it, and without the comments in it, whose lines are left blank.
fn without_tags(text: &str) -> String {
    let tag = ["<%=", "<%-", "<%"].into_iter().find_map(|tag| text.strip_suffix(tag));
    let mut rest = tag.unwrap_or(text);
    let mut visible = String::with_capacity(rest.len());
    while let Some((before, comment)) = rest.split_once("<%#") {
        let (comment, after) = comment.split_once("%>").unwrap_or((comment, ""));
        visible.push_str(before);
        visible.extend(comment.matches('\n'));
        rest = after;
    }
    visible.push_str(rest);
    visible
}

fn is_default(value: &Expr<'_>) -> bool {
    match &value.kind {
        ExprKind::Default => true,
        ExprKind::Paren(inner) => is_default(inner),
        _ => false,
    }
}

/// Returns true if an expression computes nothing: a number, a text, or an array or hash of these.
pub(crate) fn is_literal(expr: &Expr<'_>) -> bool {
    match &expr.kind {
        ExprKind::Undef
        | ExprKind::Default
        | ExprKind::Boolean(_)
        | ExprKind::Integer(_)
        | ExprKind::Float(_)
        | ExprKind::String(_)
        | ExprKind::Name(_)
        | ExprKind::Reference(_)
        | ExprKind::Regexp(_) => true,
        ExprKind::Array(items) => items.iter().all(is_literal),
        ExprKind::Hash(entries) => {
            entries.iter().all(|entry| is_literal(&entry.key) && is_literal(&entry.value))
        }
        ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => is_literal(inner),
        _ => false,
    }
}
