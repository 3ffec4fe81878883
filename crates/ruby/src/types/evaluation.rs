//! Interprets Ruby code that declares types without running it: literals, variables, lambdas, loops over literals, and
//! methods called on declarations. The value of all other code is unknown.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use puppetfn_catalog::{AttributeDescription, TypeDescription};
use puppetfn_doc::DeclaredProvider;

use super::attribute::TypeAttribute;
use super::provider::RubyProvider;
use super::resource_type::AnyResourceType;
use super::value::{ImplicitReceiver, RegexpLiteral, StaticClosure, StaticScope, StaticValue};
use crate::file;
use crate::source::{RubyText, unindented};
use crate::tree::{HashPair, RubyBlock, RubyCall, RubyNode, RubyNodeKind, TextPart};

const LOOPS: [&str; 3] = ["each", "map", "flat_map"];
/// Methods that leave their receiver unchanged, as far as types are concerned.
const CONVERSIONS: [&str; 10] =
    ["freeze", "to_sym", "to_s", "keys", "values", "strip", "to_a", "intern", "chomp", "dup"];
/// Maximum number of expressions evaluated for a file. It ends nested loops and lambdas that call each other.
const MOST_STEPS: usize = 1_000_000;
/// Maximum depth of nested calls.
const DEEPEST: usize = 100;
/// Maximum number of files that a file can require.
const MOST_FILES: usize = 100;
/// Maximum number of elements of an Array.
const MOST_ELEMENTS: usize = 10_000;

/// The declarations of a file.
pub struct TypeDeclarations {
    pub types: Vec<TypeDescription>,
    /// The attributes that all types have.
    pub metaparameters: Vec<AttributeDescription>,
    pub providers: Vec<DeclaredProvider>,
}

/// State of the interpretation of a file, with the declarations so far.
pub struct Evaluation {
    /// The current file, which may be a required one.
    pub source: Rc<RubyText>,
    /// The files that were required.
    required: HashSet<PathBuf>,
    constants: HashMap<String, StaticValue>,
    /// The methods of modules, as `Module.method`.
    functions: HashMap<String, StaticClosure>,
    pub types: Vec<AnyResourceType>,
    pub attributes: Vec<TypeAttribute>,
    /// The numbers of the attributes that all types have.
    pub metaparameters: Vec<usize>,
    pub providers: Vec<RubyProvider>,
    steps: usize,
    depth: usize,
}

impl Evaluation {
    pub fn new(source: Rc<RubyText>) -> Self {
        Self {
            source,
            required: HashSet::new(),
            constants: HashMap::new(),
            functions: HashMap::new(),
            types: Vec::new(),
            attributes: Vec::new(),
            metaparameters: Vec::new(),
            providers: Vec::new(),
            steps: 0,
            depth: 0,
        }
    }

    /// Returns the declarations.
    pub fn finish(mut self) -> TypeDeclarations {
        let types = std::mem::take(&mut self.types);
        let types = types.into_iter().map(|declared| declared.described(&mut self)).collect();
        let metaparameters = std::mem::take(&mut self.metaparameters).into_iter();
        let metaparameters = metaparameters.filter_map(|id| {
            let attribute = self.attributes.get(id)?.clone();
            Some(attribute.described(false, false, &mut self))
        });
        TypeDeclarations {
            types,
            metaparameters: metaparameters.collect(),
            providers: self.providers.into_iter().map(RubyProvider::declared).collect(),
        }
    }

    /// Evaluates statements and returns the value of the last one.
    pub fn run(&mut self, statements: &[RubyNode], scope: &StaticScope) -> StaticValue {
        let mut last = StaticValue::Nil;
        for statement in statements {
            last = self.evaluate(statement, scope);
        }
        last
    }

    /// Goes through a closure, where `self` is the target.
    pub fn apply(
        &mut self,
        closure: &StaticClosure,
        arguments: &[StaticValue],
        target: Option<ImplicitReceiver>,
    ) -> StaticValue {
        if self.depth >= DEEPEST {
            return StaticValue::Unknown;
        }
        self.depth += 1;
        let source = std::mem::replace(&mut self.source, Rc::clone(&closure.scope.source));
        let scope = closure.scope.inner(target);
        for (index, parameter) in closure.positional().enumerate() {
            let given = arguments.get(index).cloned();
            let value = given.unwrap_or_else(|| self.default_of(parameter.default.as_ref(), &scope));
            if let Some(name) = &parameter.name {
                scope.set(name, value);
            }
        }
        for parameter in &closure.code.parameters.keywords {
            let Some(name) = &parameter.name else { continue };
            let given = arguments.last().and_then(|options| options.get(name)).cloned();
            let value = given.unwrap_or_else(|| self.default_of(parameter.default.as_ref(), &scope));
            scope.set(name, value);
        }
        let value = self.run(&closure.code.body, &scope);
        self.source = source;
        self.depth -= 1;
        value
    }

    fn default_of(&mut self, default: Option<&RubyNode>, scope: &StaticScope) -> StaticValue {
        default.map_or(StaticValue::Nil, |default| self.evaluate(default, scope))
    }

    /// Returns the value of an expression.
    pub fn evaluate(&mut self, node: &RubyNode, scope: &StaticScope) -> StaticValue {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return StaticValue::Unknown;
        }
        match &node.kind {
            RubyNodeKind::If(_)
            | RubyNodeKind::Case(_)
            | RubyNodeKind::Conditional(_)
            | RubyNodeKind::Begin(..)
            | RubyNodeKind::Binary(..)
            | RubyNodeKind::Assign(_, _, Some(_)) => self.conditional(node, scope),
            RubyNodeKind::Call(call) => self.call(call, scope),
            RubyNodeKind::Assign(target, value, None) => {
                let value = self.evaluate(value, scope);
                self.assign(target, value, scope)
            }
            RubyNodeKind::Parentheses(inner) | RubyNodeKind::Singleton(inner) => self.run(inner, scope),
            RubyNodeKind::Method(method) => {
                let closure = StaticClosure { code: Rc::clone(&method.code), scope: scope.clone() };
                self.define(&method.name, method.is_singleton, closure)
            }
            RubyNodeKind::Module(_, name, _, body) => {
                let name = name.constant().unwrap_or_default().to_owned();
                self.run(body, &StaticScope::new(&scope.source, Some(ImplicitReceiver::Module(name))));
                StaticValue::Unknown
            }
            RubyNodeKind::Lambda(code) => closure(code, scope),
            RubyNodeKind::Myself => scope.target.clone().map_or(StaticValue::Nil, StaticValue::Target),
            RubyNodeKind::Local(name) => scope.get(name),
            RubyNodeKind::Constant(path) => self.constant(path),
            _ => self.literal(node, scope),
        }
    }

    fn constant(&self, path: &str) -> StaticValue {
        let last = path.rsplit("::").next().unwrap_or(path);
        self.constants
            .get(last)
            .cloned()
            .unwrap_or_else(|| StaticValue::Constant(path.trim_start_matches("::").to_owned()))
    }

    fn literal(&mut self, node: &RubyNode, scope: &StaticScope) -> StaticValue {
        match &node.kind {
            RubyNodeKind::Nil => StaticValue::Nil,
            RubyNodeKind::Boolean(truth) => StaticValue::Boolean(*truth),
            RubyNodeKind::Integer(number) => number.map_or(StaticValue::Unknown, StaticValue::Integer),
            RubyNodeKind::Float(number) => StaticValue::Float(*number),
            RubyNodeKind::Text(parts) => {
                self.text_of(parts, scope).map_or(StaticValue::Unknown, StaticValue::Text)
            }
            RubyNodeKind::Symbol(parts) => {
                self.text_of(parts, scope).map_or(StaticValue::Unknown, StaticValue::Symbol)
            }
            RubyNodeKind::Unary(operator, operand) if operator == "-" => {
                match self.evaluate(operand, scope) {
                    StaticValue::Integer(number) => {
                        number.checked_neg().map_or(StaticValue::Unknown, StaticValue::Integer)
                    }
                    StaticValue::Float(number) => StaticValue::Float(-number),
                    _ => StaticValue::Unknown,
                }
            }
            RubyNodeKind::Array(items) => {
                let items = self.values(items, scope);
                if items.len() > MOST_ELEMENTS { StaticValue::Unknown } else { StaticValue::array(items) }
            }
            RubyNodeKind::Hash(pairs) => self.hash(pairs, scope),
            RubyNodeKind::Regexp(parts, closing) => regexp(parts, closing),
            _ => StaticValue::Unknown,
        }
    }

    fn text_of(&mut self, parts: &[TextPart], scope: &StaticScope) -> Option<String> {
        let mut text = String::new();
        for part in parts {
            match part {
                TextPart::Text { value, .. } => text.push_str(value),
                TextPart::Code { statements, .. } => match statements.as_slice() {
                    [only] => text.push_str(self.evaluate(only, scope).name()?),
                    _ => return None,
                },
            }
        }
        Some(text)
    }

    /// Returns the values of elements or arguments; an unknown Array that is splatted counts as one unknown value.
    fn values(&mut self, nodes: &[RubyNode], scope: &StaticScope) -> Vec<StaticValue> {
        let mut found = Vec::with_capacity(nodes.len());
        for node in nodes {
            let RubyNodeKind::Splat(inner) = &node.kind else {
                found.push(self.evaluate(node, scope));
                continue;
            };
            match inner.as_ref().map_or(StaticValue::Unknown, |inner| self.evaluate(inner, scope)) {
                StaticValue::Array(items) => found.extend(items.iter().cloned()),
                _ => found.push(StaticValue::Unknown),
            }
        }
        found
    }

    fn hash(&mut self, pairs: &[HashPair], scope: &StaticScope) -> StaticValue {
        let mut entries: Vec<(StaticValue, StaticValue)> = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let (key, value) = match pair {
                HashPair::Entry(key, Some(value)) => (self.evaluate(key, scope), self.evaluate(value, scope)),
                HashPair::Entry(key, None) => (self.evaluate(key, scope), StaticValue::Nil),
                HashPair::Splat(_) => (StaticValue::Unknown, StaticValue::Unknown),
            };
            let known = key.name().map(str::to_owned);
            match entries.iter_mut().find(|(other, _)| known.is_some() && same_name(other, &key)) {
                Some(entry) => entry.1 = value,
                None => entries.push((key, value)),
            }
        }
        StaticValue::Hash(Rc::new(entries))
    }

    fn call(&mut self, call: &RubyCall, scope: &StaticScope) -> StaticValue {
        if call.receiver.is_none() && matches!(&*call.name, "require" | "require_relative") {
            return self.require(call);
        }
        // A name that was set is a variable, wherever that was.
        let receiver = match &call.receiver {
            Some(receiver) => Some(self.evaluate(receiver, scope)),
            None => scope.target.clone().map(StaticValue::Target),
        };
        let block = self.block_of(call, scope);
        if call.receiver.is_none() && call.block.is_some() && matches!(&*call.name, "lambda" | "proc") {
            return block.map_or(StaticValue::Unknown, StaticValue::Closure);
        }
        let arguments = self.values(&call.args, scope);
        self.send(receiver.unwrap_or(StaticValue::Nil), call, &arguments, block)
    }

    fn block_of(&mut self, call: &RubyCall, scope: &StaticScope) -> Option<StaticClosure> {
        if let Some(code) = &call.block {
            return Some(StaticClosure { code: Rc::clone(code), scope: scope.clone() });
        }
        match self.evaluate(call.passed_block.as_ref()?, scope) {
            StaticValue::Closure(closure) => Some(closure),
            _ => None,
        }
    }

    fn send(
        &mut self,
        receiver: StaticValue,
        call: &RubyCall,
        arguments: &[StaticValue],
        block: Option<StaticClosure>,
    ) -> StaticValue {
        match &receiver {
            StaticValue::Closure(closure) if call.name == "call" => {
                self.apply(closure, arguments, closure.scope.target.clone())
            }
            StaticValue::Closure(_) => StaticValue::Unknown,
            StaticValue::Target(target) => self.receive(target, call, arguments, block),
            StaticValue::Constant(path) => self.declare(path, call, arguments, block),
            StaticValue::Array(_) | StaticValue::Hash(_) => match block {
                Some(block) if LOOPS.contains(&&*call.name) => self.repeat(&receiver, &block),
                block => self.convert(&receiver, call, block),
            },
            _ => {
                self.touch(arguments);
                self.convert(&receiver, call, block)
            }
        }
    }

    fn repeat(&mut self, collection: &StaticValue, block: &StaticClosure) -> StaticValue {
        for item in collection.items() {
            let spread = match &item {
                StaticValue::Array(items) if block.arity() > 1 => items.to_vec(),
                _ => vec![item],
            };
            self.apply(block, &spread, block.scope.target.clone());
        }
        StaticValue::Unknown
    }

    fn convert(
        &mut self,
        receiver: &StaticValue,
        call: &RubyCall,
        block: Option<StaticClosure>,
    ) -> StaticValue {
        self.may_run(block);
        let converts = CONVERSIONS.contains(&&*call.name) && call.args.is_empty();
        if converts { receiver.converted(&call.name) } else { StaticValue::Unknown }
    }

    /// Records that unknown code receives these arguments, and may change declarations among them in any way.
    fn touch(&mut self, arguments: &[StaticValue]) {
        for argument in arguments {
            if let StaticValue::Target(target) = argument {
                self.touched(target);
            }
        }
    }

    /// Goes through a block that other code may run, with anything.
    pub fn may_run(&mut self, block: Option<StaticClosure>) {
        let Some(block) = block else { return };
        let Some(target) = block.scope.target.clone() else { return };
        let arguments = vec![StaticValue::Unknown; block.arity()];
        self.maybe(&target, |evaluation| {
            evaluation.apply(&block, &arguments, block.scope.target.clone());
        });
    }

    /// Evaluates conditional code.
    fn conditional(&mut self, node: &RubyNode, scope: &StaticScope) -> StaticValue {
        if let Some(target) = &scope.target {
            let inner = scope.inner(scope.target.clone());
            self.maybe(target, |evaluation| evaluation.parts(node, &inner));
        }
        StaticValue::Unknown
    }

    fn parts(&mut self, node: &RubyNode, scope: &StaticScope) {
        for part in node.children() {
            match &part.kind {
                RubyNodeKind::If(_)
                | RubyNodeKind::Case(_)
                | RubyNodeKind::Conditional(_)
                | RubyNodeKind::Clause(_)
                | RubyNodeKind::Begin(..)
                | RubyNodeKind::Binary(..)
                | RubyNodeKind::Assign(_, _, Some(_)) => self.parts(part, scope),
                _ => {
                    self.evaluate(part, scope);
                }
            }
        }
    }

    fn assign(&mut self, target: &RubyNode, value: StaticValue, scope: &StaticScope) -> StaticValue {
        match &target.kind {
            RubyNodeKind::Local(name) => scope.set(name, value.clone()),
            RubyNodeKind::Constant(path) if !path.contains("::") => {
                _ = self.constants.insert(path.clone(), value.clone())
            }
            RubyNodeKind::Instance(name) => {
                if let Some(target) = &scope.target {
                    self.set_instance(target, name, &value);
                }
            }
            RubyNodeKind::Field(receiver, name) if matches!(receiver.kind, RubyNodeKind::Myself) => {
                if let Some(own) = &scope.target {
                    let call = RubyCall::setter(name, target.start);
                    self.receive(own, &call, std::slice::from_ref(&value), None);
                }
            }
            _ => {}
        }
        value
    }

    fn define(&mut self, name: &str, is_singleton: bool, closure: StaticClosure) -> StaticValue {
        match closure.scope.target.clone() {
            Some(ImplicitReceiver::Module(module)) => {
                _ = self.functions.insert(format!("{module}.{name}"), closure)
            }
            Some(ImplicitReceiver::Type(index)) => {
                if let Some(declared) = self.types.get_mut(index) {
                    declared.method_defined(name, is_singleton, &closure);
                }
            }
            Some(ImplicitReceiver::Attribute(index)) => {
                if let Some(attribute) = self.attributes.get_mut(index) {
                    attribute.method_defined(name, is_singleton);
                }
            }
            _ => {}
        }
        StaticValue::Unknown
    }

    /// Calls a method of a module that was read.
    pub fn call_function(
        &mut self,
        module: &str,
        call: &RubyCall,
        arguments: &[StaticValue],
        block: Option<StaticClosure>,
    ) -> StaticValue {
        let function = self.functions.get(&format!("{module}.{}", call.name)).cloned();
        if let Some(function) = function.filter(|function| arguments.len() <= function.arity()) {
            return self.apply(&function, arguments, function.scope.target.clone());
        }
        self.touch(arguments);
        self.may_run(block);
        StaticValue::Unknown
    }

    /// Evaluates a file required with `require_relative`, once. Other files declare no types.
    fn require(&mut self, call: &RubyCall) -> StaticValue {
        let name = call.args.first().filter(|_| call.name == "require_relative").and_then(RubyNode::literal);
        let Some(name) = name.filter(|_| self.depth < DEEPEST) else { return StaticValue::Unknown };
        let path = file::beside(Path::new(&self.source.path), &name);
        if self.required.len() >= MOST_FILES || !self.required.insert(path.clone()) {
            return StaticValue::Unknown;
        }
        let Some((source, statements)) =
            file::read(&path).and_then(|text| crate::parse(&path.to_string_lossy(), &text).ok())
        else {
            return StaticValue::Unknown;
        };
        let scope = StaticScope::new(&source, None);
        let outer = std::mem::replace(&mut self.source, source);
        self.depth += 1;
        self.run(&statements, &scope);
        self.depth -= 1;
        self.source = outer;
        StaticValue::Unknown
    }

    /// Returns the text that `desc` is given.
    pub fn documentation(call: &RubyCall, arguments: &[StaticValue]) -> Option<String> {
        let known = arguments.first().and_then(StaticValue::text).map(str::to_owned);
        known.or_else(|| call.args.first()?.prose()).map(|text| unindented(&text))
    }
}

fn closure(code: &Rc<RubyBlock>, scope: &StaticScope) -> StaticValue {
    StaticValue::Closure(StaticClosure { code: Rc::clone(code), scope: scope.clone() })
}

fn same_name(one: &StaticValue, other: &StaticValue) -> bool {
    match (one, other) {
        (StaticValue::Text(one), StaticValue::Text(other))
        | (StaticValue::Symbol(one), StaticValue::Symbol(other)) => one == other,
        _ => false,
    }
}

fn regexp(parts: &[TextPart], closing: &str) -> StaticValue {
    if parts.iter().any(|part| part.value().is_none()) {
        return StaticValue::Unknown;
    }
    let source: String = parts.iter().map(TextPart::raw).collect();
    let options = closing.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    RegexpLiteral::new(&source, options)
        .map_or(StaticValue::Unknown, |pattern| StaticValue::Regexp(Rc::new(pattern)))
}
