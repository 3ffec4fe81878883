//! Resolved programs, which syntax trees are compiled to.
//!
//! Names are gone: a variable is a slot of its frame or the index of a global, a function is an
//! index into the table of functions. Literals, and collections and types of literals, are values.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::declaration::DeclareCode;
use super::locals::Locals;
use super::machine::PausePoint;
use crate::coverage::Counters;
use puppetfn_base::error::SourceLocation;
use puppetfn_base::source::LineIndex;
use puppetfn_syntax::ast::BinaryOp;
use puppetfn_types::function::Signature;
use puppetfn_types::value::{FrozenText, Value};

/// A text and where it came from.
#[derive(Debug)]
pub(super) struct CompilationUnit {
    text: Arc<str>,
    file: Option<Arc<str>>,
    lines: OnceLock<LineIndex>,
    locals: OnceLock<Locals>,
    /// Marks of the literals that are frozen.
    frozen: Mutex<Vec<FrozenText>>,
    /// The counters of the probes in its code.
    counters: Option<Arc<Counters>>,
}

impl CompilationUnit {
    pub fn new(text: impl Into<Arc<str>>, file: Option<Arc<str>>) -> Self {
        Self {
            text: text.into(),
            file,
            lines: OnceLock::new(),
            locals: OnceLock::new(),
            frozen: Mutex::default(),
            counters: None,
        }
    }

    /// Sets the counters of the probes in its code.
    pub fn counted_by(self, counters: Option<&Arc<Counters>>) -> Self {
        Self { counters: counters.cloned(), ..self }
    }

    /// Returns the counters of the probes in its code, if its evaluation is counted.
    pub fn counters(&self) -> Option<&Arc<Counters>> {
        self.counters.as_ref()
    }

    /// Returns a literal as a value. As in Puppet's lexer, words and strings in single quotes are frozen, strings in double
    /// quotes and heredocs are not.
    pub fn literal(&self, text: &str, at: u32) -> Value {
        let text: Arc<str> = text.into();
        let is_frozen =
            !self.text.as_bytes().get(at as usize).is_some_and(|first| matches!(first, b'"' | b'@'));
        if is_frozen {
            self.frozen.lock().unwrap_or_else(PoisonError::into_inner).push(FrozenText::mark(&text));
        }
        Value::String(text)
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the file that the text is from.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Sets the names of the slots, which are known when the text is compiled.
    pub fn name_slots(&self, locals: Locals) {
        self.locals.get_or_init(|| locals);
    }

    /// Returns the slots that a variable of this name may be in at an offset, the innermost first.
    pub fn slots_in_sight<'u>(&'u self, name: &'u str, at: u32) -> impl Iterator<Item = Slot> + 'u {
        self.locals.get().into_iter().flat_map(move |locals| locals.in_sight(name, at))
    }

    /// Returns the names of all variables with slots that may have a value at an offset.
    pub fn names_in_sight(&self, at: u32) -> impl Iterator<Item = &str> {
        self.locals.get().into_iter().flat_map(move |locals| locals.names_in_sight(at))
    }

    /// Returns true if the code at an offset is of a function or lambda.
    pub fn is_local(&self, at: u32) -> bool {
        self.locals.get().is_some_and(|locals| locals.is_inside(at))
    }

    /// Returns the place of an offset, as messages state it.
    #[cold]
    pub fn place(&self, at: u32) -> SourceLocation {
        let (line, column) = self.line_index().position(&self.text, at);
        SourceLocation { file: self.file.clone(), line: Some(line), column: Some(column) }
    }

    /// Returns the place of a call, as Puppet notes it while the call lasts: texts from no file have a name.
    #[cold]
    pub fn call(&self, at: u32) -> SourceLocation {
        let place = self.line(at);
        SourceLocation { file: place.file.or_else(|| Some("unknown".into())), ..place }
    }

    /// Returns the same without the column.
    pub fn line(&self, at: u32) -> SourceLocation {
        SourceLocation { file: self.file.clone(), line: Some(self.line_index().line(at)), column: None }
    }

    fn line_index(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }
}

/// An index into a frame.
pub(super) type Slot = u32;

/// An index into the table of variables of the top scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GlobalId(pub u32);

/// An index into the table of functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct FunctionId(pub u32);

/// An expression.
#[derive(Debug)]
pub(super) struct Node {
    pub op: Op,
    /// The offset at which messages about the expression place it.
    pub at: u32,
    /// The offset at which messages about the enclosing expression place it: the offset of the parentheses around it.
    pub stands_at: u32,
}

/// An operation.
#[derive(Debug)]
#[repr(u8)] // A tag of its own is cheaper to read than one that shares a byte with a value's tag.
pub(super) enum Op {
    /// Evaluates to a constant.
    Constant(Value),
    /// An array or hash of constants. Each evaluation gives another one.
    Literal(Value),
    /// Evaluates once, and to the same value from then on.
    Once(Box<Once>),
    /// Evaluates to the variable in a slot, which certainly has a value.
    Slot(Slot),
    /// Evaluates to the first of several variables that has a value.
    Variable(Box<VariableCode>),
    /// Evaluates to a feature of the object whose code it is.
    Feature(u32),
    /// A variable that has no value in any scope.
    UnknownVariable(Box<str>),
    /// Evaluates to a group of the last match.
    Group(u32),
    /// Evaluates to the type of a name.
    TypeName(Arc<str>),
    /// Evaluates to a string of several parts.
    Text(Box<[StringPart]>),
    /// Evaluates to a string that has to be in the syntax that it names.
    Heredoc(Box<HeredocCode>),
    /// Evaluates to an array.
    Array(Box<[ItemCode]>),
    /// Evaluates to the elements of a value as an array.
    Splat(Box<Node>),
    /// Evaluates to a hash.
    Hash(Box<[(Node, Node)]>),
    /// `operand[keys]`.
    Access(Box<AccessCode>),
    /// `!operand`.
    Not(Box<Node>),
    /// `-operand`.
    Minus(Box<Node>),
    /// `left and right`.
    And(Box<[Node; 2]>),
    /// `left or right`.
    Or(Box<[Node; 2]>),
    /// `left op right`, both evaluated in any case.
    Binary(Box<BinaryCode>),
    /// `target = value`.
    Assign(Box<Assign>),
    /// The statements, the last of which gives the value.
    Block(Box<[Node]>),
    /// `if`, with `elsif` as an `if` within.
    If(Box<IfCode>),
    /// `case`.
    Case(Box<CaseCode>),
    /// `operand ? { ... }`.
    Select(Box<CaseCode>),
    /// Evaluates the node, then restores the match variables from before.
    Guarded(Box<Node>),
    /// `function(arguments)`.
    Call(Box<CallCode>),
    /// `receiver.function(arguments)`.
    Method(Box<CallCode>),
    /// Adds a text to the output of the template.
    RenderText(Box<str>),
    /// Adds a value to the output of the template, as a text.
    Render(Box<Node>),
    /// Adds or changes entries of a catalog.
    Declare(Box<DeclareCode>),
    /// Fails with this message: an error that is found when a text is compiled is raised when
    /// execution reaches it.
    Fail(Box<str>),
    /// The same, as an error of evaluation.
    Illegal(Box<str>),
    /// The same, but the error is placed by the call that it is raised in.
    Raise(Box<str>),
    /// Counts the evaluation of the code in it, and has its value.
    Probe(Box<Probe>),
    /// Lets a debugger pause before the code in it, and has its value.
    Pause(Box<PauseCode>),
}

/// Code whose evaluations are counted.
#[derive(Debug)]
pub(super) struct Probe {
    pub counter: u32,
    pub code: Node,
}

/// Code before which a debugger may pause.
#[derive(Debug)]
pub(super) struct PauseCode {
    /// The offset at which the code begins.
    pub at: u32,
    pub point: PausePoint,
    pub code: Node,
}

/// Code that always gives the same, and the value that it gave.
#[derive(Debug)]
pub(super) struct Once {
    pub code: Node,
    pub value: OnceLock<Value>,
}

/// A variable that may or may not have a value when it is used.
#[derive(Debug)]
pub(super) struct VariableCode {
    pub name: Box<str>,
    /// The slots in the frame that are tried first, in this order.
    pub slots: Box<[Slot]>,
    /// The variable of the class or node around, or of the class that is named, where it is looked for then.
    pub own: Option<GlobalId>,
    /// The variable that is tried last.
    pub global: Option<GlobalId>,
}

/// A part of a string.
#[derive(Debug)]
pub(super) enum StringPart {
    Text(Box<str>),
    Code(Node),
}

/// A heredoc of several parts, as in `@("END":json)`.
#[derive(Debug)]
pub(super) struct HeredocCode {
    pub text: Node,
    pub syntax: Box<str>,
}

/// An element of an array, or an argument.
#[derive(Debug)]
pub(super) struct ItemCode {
    pub code: Node,
    /// Whether its value is splatted into elements.
    pub splat: bool,
}

#[derive(Debug)]
pub(super) struct AccessCode {
    pub operand: Node,
    pub keys: Box<[Node]>,
}

#[derive(Debug)]
pub(super) struct BinaryCode {
    pub op: BinaryOp,
    pub operands: [Node; 2],
}

#[derive(Debug)]
pub(super) struct Assign {
    pub target: AssignTarget,
    pub value: Node,
    /// Whether the value is appended to the existing values.
    pub appends: bool,
}

/// `object[name]`, which is assigned to.
#[derive(Debug)]
pub(super) struct ElementCode {
    pub object: Node,
    pub name: Node,
}

/// The target of an assignment.
#[derive(Debug)]
pub(super) enum AssignTarget {
    /// A variable of the frame.
    Slot(Slot, Box<str>),
    /// A variable of the top scope.
    Global(GlobalId),
    /// A feature of the object whose code it is.
    Feature(u32),
    /// A feature of an object that is being made.
    Element(Box<ElementCode>),
    /// A name that must not be assigned to. Puppet words it in two ways.
    Reserved { name: Box<str>, is_top: bool },
    /// A parameter's default value assigns.
    Forbidden(Box<str>),
    /// Each to its element, or to the value of its name.
    Several(Box<[(AssignTarget, Box<str>, u32)]>),
}

#[derive(Debug)]
pub(super) struct IfCode {
    pub test: Node,
    pub then: Node,
    pub otherwise: Node,
}

/// A `case` or a selector.
#[derive(Debug)]
pub(super) struct CaseCode {
    pub test: Node,
    pub options: Box<[CaseOptionCode]>,
    /// The option that is taken when none matches.
    pub default: Option<usize>,
}

#[derive(Debug)]
pub(super) struct CaseOptionCode {
    pub values: Box<[ItemCode]>,
    pub then: Node,
}

#[derive(Debug)]
pub(super) struct CallCode {
    pub function: FunctionId,
    pub arguments: Box<[ItemCode]>,
    pub lambda: Option<Arc<Routine>>,
    /// Whether it has the arguments that are written there, each of them, and no lambda.
    pub is_plain: bool,
}

/// A function or a lambda.
#[derive(Debug)]
pub(super) struct Routine {
    pub name: Arc<str>,
    /// The offset of the definition.
    pub at: u32,
    pub parameters: Box<[ParameterCode]>,
    pub parameter_names: Arc<[Arc<str>]>,
    /// The parameter that is the block of the call. Its slot follows the slots of the other parameters.
    pub block: Option<ParameterCode>,
    pub returns: Option<Node>,
    pub body: Node,
    pub unit: Arc<CompilationUnit>,
    /// The range of its own slots, which begins with the parameters. The slots of a lambda lie in the frame of
    /// the enclosing function.
    pub slots: std::ops::Range<Slot>,
    /// The size of a frame; only of use for functions.
    pub frame_size: u32,
    /// The signature, once it is known. It stays unset if it may differ from one evaluation to the next.
    pub signature: OnceLock<Signature>,
    /// Whether the types of the parameters and of the result are the same each time.
    pub has_fixed_types: bool,
    /// Whether each argument is the value of a parameter, and there are no others: no default values, no
    /// rest, no block, no name that must not be assigned to.
    pub is_plain: bool,
    /// Whether no parameter has a type.
    pub is_untyped: bool,
    /// Whether a call with as many arguments as there are parameters can neither be wrong nor needs any
    /// preparation: it is plain, and nothing has a type.
    pub is_unchecked: bool,
}

#[derive(Debug)]
pub(super) struct ParameterCode {
    pub name: Arc<str>,
    pub type_code: Option<Node>,
    pub default: Option<Node>,
    pub captures_rest: bool,
    pub at: u32,
    /// Whether the name is one that must not be assigned to.
    pub is_reserved: bool,
}

/// A template in EPP. The first slots of its frame are the variables that it sees from outside, and
/// then its parameters.
#[derive(Debug)]
pub(super) struct TemplateCode {
    pub parameters: Box<[ParameterCode]>,
    /// Whether it is called with these parameters; otherwise with any, which `parameters` are then.
    pub declares_parameters: bool,
    pub body: Node,
    pub unit: Arc<CompilationUnit>,
    pub frame_size: u32,
    /// Whether it has a regular expression that cannot be compiled.
    pub has_wrong_regexp: bool,
    /// Whether it reads variables.
    pub has_variables: bool,
}

/// A whole text.
#[derive(Debug)]
pub(super) struct ProgramCode {
    pub body: Node,
    pub unit: Arc<CompilationUnit>,
    pub frame_size: u32,
}

impl Node {
    pub fn new(op: Op, at: u32) -> Self {
        Self { op, at, stands_at: at }
    }

    pub fn constant(value: Value, at: u32) -> Self {
        Self::new(Op::Constant(value), at)
    }

    /// Returns the value, if it is known.
    pub fn as_constant(&self) -> Option<&Value> {
        if let Op::Constant(value) | Op::Literal(value) = &self.op { Some(value) } else { None }
    }

    /// Returns true if it gives the same each time: types of literals. Names of types can be defined
    /// later, but not another time.
    pub fn is_fixed(&self) -> bool {
        matches!(self.op, Op::Constant(_) | Op::Literal(_) | Op::Once(_))
    }
}

const _: () = assert!(size_of::<Op>() <= 32);
