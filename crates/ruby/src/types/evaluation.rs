//! Interprets Ruby code that declares types without running it: literals, variables, lambdas, loops over literals, and
//! methods called on declarations. The value of all other code is unknown.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use puppetfn_catalog::TypeDescription;
use puppetfn_doc::DeclaredProvider;

use super::attribute::Attribute;
use super::provider::Provider;
use super::resource_type::Declared;
use super::value::{Closure, Pattern, Scope, Target, Value};
use crate::file;
use crate::source::{Source, unindented};
use crate::tree::{Block, Call, Kind, Node, Pair, Part};

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

/// State of the interpretation of a file, with the declarations so far.
pub struct Evaluation {
    /// The current file, which may be a required one.
    pub source: Rc<Source>,
    /// The files that were required.
    required: HashSet<PathBuf>,
    constants: HashMap<String, Value>,
    /// The methods of modules, as `Module.method`.
    functions: HashMap<String, Closure>,
    pub types: Vec<Declared>,
    pub attributes: Vec<Attribute>,
    pub providers: Vec<Provider>,
    steps: usize,
    depth: usize,
}

impl Evaluation {
    pub fn new(source: Rc<Source>) -> Self {
        Self {
            source,
            required: HashSet::new(),
            constants: HashMap::new(),
            functions: HashMap::new(),
            types: Vec::new(),
            attributes: Vec::new(),
            providers: Vec::new(),
            steps: 0,
            depth: 0,
        }
    }

    /// Returns the declarations.
    pub fn finish(mut self) -> (Vec<TypeDescription>, Vec<DeclaredProvider>) {
        let types = std::mem::take(&mut self.types);
        let types = types.into_iter().map(|declared| declared.described(&mut self)).collect();
        (types, self.providers.into_iter().map(Provider::declared).collect())
    }

    /// Evaluates statements and returns the value of the last one.
    pub fn run(&mut self, statements: &[Node], scope: &Scope) -> Value {
        let mut last = Value::Nil;
        for statement in statements {
            last = self.evaluate(statement, scope);
        }
        last
    }

    /// Goes through a closure, where `self` is the target.
    pub fn apply(&mut self, closure: &Closure, arguments: &[Value], target: Option<Target>) -> Value {
        if self.depth >= DEEPEST {
            return Value::Unknown;
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

    fn default_of(&mut self, default: Option<&Node>, scope: &Scope) -> Value {
        default.map_or(Value::Nil, |default| self.evaluate(default, scope))
    }

    /// Returns the value of an expression.
    pub fn evaluate(&mut self, node: &Node, scope: &Scope) -> Value {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Value::Unknown;
        }
        match &node.kind {
            Kind::If(_)
            | Kind::Conditional(_)
            | Kind::Begin(..)
            | Kind::Binary(..)
            | Kind::Assign(_, _, Some(_)) => self.conditional(node, scope),
            Kind::Call(call) => self.call(call, scope),
            Kind::Assign(target, value, None) => {
                let value = self.evaluate(value, scope);
                self.assign(target, value, scope)
            }
            Kind::Parentheses(inner) | Kind::Singleton(inner) => self.run(inner, scope),
            Kind::Method(method) => {
                let closure = Closure { code: Rc::clone(&method.code), scope: scope.clone() };
                self.define(&method.name, method.is_singleton, closure)
            }
            Kind::Module(_, name, _, body) => {
                let name = name.constant().unwrap_or_default().to_owned();
                self.run(body, &Scope::new(&scope.source, Some(Target::Module(name))));
                Value::Unknown
            }
            Kind::Lambda(code) => closure(code, scope),
            Kind::Myself => scope.target.clone().map_or(Value::Nil, Value::Target),
            Kind::Local(name) => scope.get(name),
            Kind::Constant(path) => self.constant(path),
            _ => self.literal(node, scope),
        }
    }

    fn constant(&self, path: &str) -> Value {
        let last = path.rsplit("::").next().unwrap_or(path);
        self.constants
            .get(last)
            .cloned()
            .unwrap_or_else(|| Value::Constant(path.trim_start_matches("::").to_owned()))
    }

    fn literal(&mut self, node: &Node, scope: &Scope) -> Value {
        match &node.kind {
            Kind::Nil => Value::Nil,
            Kind::Boolean(truth) => Value::Boolean(*truth),
            Kind::Integer(number) => number.map_or(Value::Unknown, Value::Integer),
            Kind::Float(number) => Value::Float(*number),
            Kind::Text(parts) => self.text_of(parts, scope).map_or(Value::Unknown, Value::Text),
            Kind::Symbol(parts) => self.text_of(parts, scope).map_or(Value::Unknown, Value::Symbol),
            Kind::Unary(operator, operand) if operator == "-" => match self.evaluate(operand, scope) {
                Value::Integer(number) => number.checked_neg().map_or(Value::Unknown, Value::Integer),
                Value::Float(number) => Value::Float(-number),
                _ => Value::Unknown,
            },
            Kind::Array(items) => {
                let items = self.values(items, scope);
                if items.len() > MOST_ELEMENTS { Value::Unknown } else { Value::array(items) }
            }
            Kind::Hash(pairs) => self.hash(pairs, scope),
            Kind::Regexp(parts, closing) => regexp(parts, closing),
            _ => Value::Unknown,
        }
    }

    fn text_of(&mut self, parts: &[Part], scope: &Scope) -> Option<String> {
        let mut text = String::new();
        for part in parts {
            match part {
                Part::Text { value, .. } => text.push_str(value),
                Part::Code { statements, .. } => match statements.as_slice() {
                    [only] => text.push_str(self.evaluate(only, scope).name()?),
                    _ => return None,
                },
            }
        }
        Some(text)
    }

    /// Returns the values of elements or arguments; an unknown Array that is splatted counts as one unknown value.
    fn values(&mut self, nodes: &[Node], scope: &Scope) -> Vec<Value> {
        let mut found = Vec::with_capacity(nodes.len());
        for node in nodes {
            let Kind::Splat(inner) = &node.kind else {
                found.push(self.evaluate(node, scope));
                continue;
            };
            match inner.as_ref().map_or(Value::Unknown, |inner| self.evaluate(inner, scope)) {
                Value::Array(items) => found.extend(items.iter().cloned()),
                _ => found.push(Value::Unknown),
            }
        }
        found
    }

    fn hash(&mut self, pairs: &[Pair], scope: &Scope) -> Value {
        let mut entries: Vec<(Value, Value)> = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let (key, value) = match pair {
                Pair::Entry(key, Some(value)) => (self.evaluate(key, scope), self.evaluate(value, scope)),
                Pair::Entry(key, None) => (self.evaluate(key, scope), Value::Nil),
                Pair::Splat(_) => (Value::Unknown, Value::Unknown),
            };
            let known = key.name().map(str::to_owned);
            match entries.iter_mut().find(|(other, _)| known.is_some() && same_name(other, &key)) {
                Some(entry) => entry.1 = value,
                None => entries.push((key, value)),
            }
        }
        Value::Hash(Rc::new(entries))
    }

    fn call(&mut self, call: &Call, scope: &Scope) -> Value {
        if call.receiver.is_none() && matches!(&*call.name, "require" | "require_relative") {
            return self.require(call);
        }
        // A name that was set is a variable, wherever that was.
        let receiver = match &call.receiver {
            Some(receiver) => Some(self.evaluate(receiver, scope)),
            None => scope.target.clone().map(Value::Target),
        };
        let block = self.block_of(call, scope);
        if call.receiver.is_none() && call.block.is_some() && matches!(&*call.name, "lambda" | "proc") {
            return block.map_or(Value::Unknown, Value::Closure);
        }
        let arguments = self.values(&call.args, scope);
        self.send(receiver.unwrap_or(Value::Nil), call, &arguments, block)
    }

    fn block_of(&mut self, call: &Call, scope: &Scope) -> Option<Closure> {
        if let Some(code) = &call.block {
            return Some(Closure { code: Rc::clone(code), scope: scope.clone() });
        }
        match self.evaluate(call.passed_block.as_ref()?, scope) {
            Value::Closure(closure) => Some(closure),
            _ => None,
        }
    }

    fn send(&mut self, receiver: Value, call: &Call, arguments: &[Value], block: Option<Closure>) -> Value {
        match &receiver {
            Value::Closure(closure) if call.name == "call" => {
                self.apply(closure, arguments, closure.scope.target.clone())
            }
            Value::Closure(_) => Value::Unknown,
            Value::Target(target) => self.receive(target, call, arguments, block),
            Value::Constant(path) => self.declare(path, call, arguments, block),
            Value::Array(_) | Value::Hash(_) => match block {
                Some(block) if LOOPS.contains(&&*call.name) => self.repeat(&receiver, &block),
                block => self.convert(&receiver, call, block),
            },
            _ => {
                self.touch(arguments);
                self.convert(&receiver, call, block)
            }
        }
    }

    fn repeat(&mut self, collection: &Value, block: &Closure) -> Value {
        for item in collection.items() {
            let spread = match &item {
                Value::Array(items) if block.arity() > 1 => items.to_vec(),
                _ => vec![item],
            };
            self.apply(block, &spread, block.scope.target.clone());
        }
        Value::Unknown
    }

    fn convert(&mut self, receiver: &Value, call: &Call, block: Option<Closure>) -> Value {
        self.may_run(block);
        let converts = CONVERSIONS.contains(&&*call.name) && call.args.is_empty();
        if converts { receiver.converted(&call.name) } else { Value::Unknown }
    }

    /// Records that unknown code receives these arguments, and may change declarations among them in any way.
    fn touch(&mut self, arguments: &[Value]) {
        for argument in arguments {
            if let Value::Target(target) = argument {
                self.touched(target);
            }
        }
    }

    /// Goes through a block that other code may run, with anything.
    pub fn may_run(&mut self, block: Option<Closure>) {
        let Some(block) = block else { return };
        let Some(target) = block.scope.target.clone() else { return };
        let arguments = vec![Value::Unknown; block.arity()];
        self.maybe(&target, |evaluation| {
            evaluation.apply(&block, &arguments, block.scope.target.clone());
        });
    }

    /// Evaluates conditional code.
    fn conditional(&mut self, node: &Node, scope: &Scope) -> Value {
        if let Some(target) = &scope.target {
            let inner = scope.inner(scope.target.clone());
            self.maybe(target, |evaluation| evaluation.parts(node, &inner));
        }
        Value::Unknown
    }

    fn parts(&mut self, node: &Node, scope: &Scope) {
        for part in node.children() {
            match &part.kind {
                Kind::If(_)
                | Kind::Conditional(_)
                | Kind::Clause(_)
                | Kind::Begin(..)
                | Kind::Binary(..)
                | Kind::Assign(_, _, Some(_)) => self.parts(part, scope),
                _ => {
                    self.evaluate(part, scope);
                }
            }
        }
    }

    fn assign(&mut self, target: &Node, value: Value, scope: &Scope) -> Value {
        match &target.kind {
            Kind::Local(name) => scope.set(name, value.clone()),
            Kind::Constant(path) if !path.contains("::") => {
                _ = self.constants.insert(path.clone(), value.clone())
            }
            Kind::Instance(name) => {
                if let Some(target) = &scope.target {
                    self.set_instance(target, name, &value);
                }
            }
            Kind::Field(receiver, name) if matches!(receiver.kind, Kind::Myself) => {
                if let Some(own) = &scope.target {
                    let call = Call::setter(name, target.start);
                    self.receive(own, &call, std::slice::from_ref(&value), None);
                }
            }
            _ => {}
        }
        value
    }

    fn define(&mut self, name: &str, is_singleton: bool, closure: Closure) -> Value {
        match closure.scope.target.clone() {
            Some(Target::Module(module)) => _ = self.functions.insert(format!("{module}.{name}"), closure),
            Some(Target::Type(index)) => {
                if let Some(declared) = self.types.get_mut(index) {
                    declared.method_defined(name, is_singleton, &closure);
                }
            }
            Some(Target::Attribute(index)) => {
                if let Some(attribute) = self.attributes.get_mut(index) {
                    attribute.method_defined(name, is_singleton);
                }
            }
            _ => {}
        }
        Value::Unknown
    }

    /// Calls a method of a module that was read.
    pub fn call_function(
        &mut self,
        module: &str,
        call: &Call,
        arguments: &[Value],
        block: Option<Closure>,
    ) -> Value {
        let function = self.functions.get(&format!("{module}.{}", call.name)).cloned();
        if let Some(function) = function.filter(|function| arguments.len() <= function.arity()) {
            return self.apply(&function, arguments, function.scope.target.clone());
        }
        self.touch(arguments);
        self.may_run(block);
        Value::Unknown
    }

    /// Evaluates a file required with `require_relative`, once. Other files declare no types.
    fn require(&mut self, call: &Call) -> Value {
        let name = call.args.first().filter(|_| call.name == "require_relative").and_then(Node::literal);
        let Some(name) = name.filter(|_| self.depth < DEEPEST) else { return Value::Unknown };
        let path = file::beside(Path::new(&self.source.path), &name);
        if self.required.len() >= MOST_FILES || !self.required.insert(path.clone()) {
            return Value::Unknown;
        }
        let Some((source, statements)) =
            file::read(&path).and_then(|text| crate::parse(&path.to_string_lossy(), &text).ok())
        else {
            return Value::Unknown;
        };
        let scope = Scope::new(&source, None);
        let outer = std::mem::replace(&mut self.source, source);
        self.depth += 1;
        self.run(&statements, &scope);
        self.depth -= 1;
        self.source = outer;
        Value::Unknown
    }

    /// Returns the text that `desc` is given.
    pub fn documentation(call: &Call, arguments: &[Value]) -> Option<String> {
        let known = arguments.first().and_then(Value::text).map(str::to_owned);
        known.or_else(|| call.args.first()?.prose()).map(|text| unindented(&text))
    }
}

fn closure(code: &Rc<Block>, scope: &Scope) -> Value {
    Value::Closure(Closure { code: Rc::clone(code), scope: scope.clone() })
}

fn same_name(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Text(one), Value::Text(other)) | (Value::Symbol(one), Value::Symbol(other)) => one == other,
        _ => false,
    }
}

fn regexp(parts: &[Part], closing: &str) -> Value {
    if parts.iter().any(|part| part.value().is_none()) {
        return Value::Unknown;
    }
    let source: String = parts.iter().map(Part::raw).collect();
    let options = closing.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    Pattern::new(&source, options).map_or(Value::Unknown, |pattern| Value::Regexp(Rc::new(pattern)))
}
