//! Compiles the Ruby code of templates, as Prism parses it.

use std::sync::Arc;

use puppetfn_types::value::{Regex, Value};
use ruby_prism::{
    BlockNode, CallNode, CaseNode, ConstantId, IfNode, Node, NodeList, RegularExpressionNode, StatementsNode,
};

use crate::expression::{ClassTest, Expression, TemplateBlock, TemplateCall, TemplateCase, WhenPattern};
use crate::names::{Method, TemplateClass, TemplateFunction};
use crate::ownership;
use crate::scan::{OUTPUT, RubySource, TEXT};

/// The deepest nesting of code. No template that people write comes near it.
const DEEPEST: usize = 200;

/// Compiles the code of a template. Returns the code and the number of its local variables; `None` if something in it is outside
/// of the subset.
pub(crate) fn template(source: &RubySource) -> Option<(Expression, usize)> {
    let parsed = ruby_prism::parse(source.code.as_bytes());
    if parsed.errors().next().is_some() {
        return None;
    }
    let root = parsed.node();
    let program = root.as_program_node()?;
    let mut compiler =
        TemplateCompiler { texts: &source.texts, scopes: vec![Vec::new()], locals: 0, depth: 0, blocks: 0 };
    let body = compiler.list(&program.statements().body())?;
    ownership::is_certain(&body).then_some((body, compiler.locals))
}

struct TemplateCompiler<'t> {
    texts: &'t [String],
    /// The names of local variables with their indices: of the template, and of the blocks around the code.
    scopes: Vec<Vec<(Vec<u8>, usize)>>,
    locals: usize,
    depth: usize,
    /// The number of blocks around the code.
    blocks: usize,
}

impl TemplateCompiler<'_> {
    fn list(&mut self, nodes: &NodeList<'_>) -> Option<Expression> {
        let mut found = nodes.iter().map(|node| self.node(&node)).collect::<Option<Vec<_>>>()?;
        Some(match found.len() {
            1 => found.pop()?,
            _ => Expression::Sequence(found),
        })
    }

    fn statements(&mut self, statements: Option<StatementsNode<'_>>) -> Option<Expression> {
        match statements {
            Some(statements) => self.list(&statements.body()),
            None => Some(Expression::Literal(Value::Undef)),
        }
    }

    fn body(&mut self, body: Option<Node<'_>>) -> Option<Expression> {
        match body {
            Some(body) => match body.as_statements_node() {
                Some(statements) => self.list(&statements.body()),
                None => self.node(&body),
            },
            None => Some(Expression::Literal(Value::Undef)),
        }
    }

    fn boxed(&mut self, node: &Node<'_>) -> Option<Box<Expression>> {
        self.node(node).map(Box::new)
    }

    fn nodes(&mut self, nodes: &NodeList<'_>) -> Option<Vec<Expression>> {
        nodes.iter().map(|node| self.node(&node)).collect()
    }

    fn node(&mut self, node: &Node<'_>) -> Option<Expression> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let found = self.literal(node).or_else(|| self.variable(node)).or_else(|| self.control(node));
        self.depth -= 1;
        found
    }

    fn literal(&mut self, node: &Node<'_>) -> Option<Expression> {
        Some(match node {
            Node::NilNode { .. } => Expression::Literal(Value::Undef),
            Node::TrueNode { .. } => Expression::Literal(true.into()),
            Node::FalseNode { .. } => Expression::Literal(false.into()),
            Node::IntegerNode { .. } => {
                let number: i32 = node.as_integer_node()?.value().try_into().ok()?;
                Expression::Literal(i64::from(number).into())
            }
            Node::FloatNode { .. } => Expression::Literal(node.as_float_node()?.value().into()),
            Node::StringNode { .. } => Expression::Literal(text(node.as_string_node()?.unescaped())?.into()),
            Node::InterpolatedStringNode { .. } => {
                let parts = node.as_interpolated_string_node()?.parts();
                Expression::Interpolated(self.nodes(&parts)?)
            }
            Node::EmbeddedStatementsNode { .. } => {
                self.statements(node.as_embedded_statements_node()?.statements())?
            }
            Node::SymbolNode { .. } => Expression::Symbol(text(node.as_symbol_node()?.unescaped())?.into()),
            Node::RegularExpressionNode { .. } => {
                Expression::Regex(regex(&node.as_regular_expression_node()?)?)
            }
            Node::ArrayNode { .. } => Expression::Array(self.nodes(&node.as_array_node()?.elements())?),
            Node::HashNode { .. } => Expression::Hash(self.pairs(&node.as_hash_node()?.elements())?),
            Node::RangeNode { .. } => {
                let range = node.as_range_node()?;
                let (first, last) = (self.boxed(&range.left()?)?, self.boxed(&range.right()?)?);
                Expression::Range(first, last, range.is_exclude_end())
            }
            _ => return None,
        })
    }

    fn pairs(&mut self, elements: &NodeList<'_>) -> Option<Vec<(Expression, Expression)>> {
        let pair = |element: Node<'_>| {
            let entry = element.as_assoc_node()?;
            Some((self.node(&entry.key())?, self.node(&entry.value())?))
        };
        elements.iter().map(pair).collect()
    }

    fn variable(&mut self, node: &Node<'_>) -> Option<Expression> {
        Some(match node {
            Node::InstanceVariableReadNode { .. } => {
                Expression::Instance(instance(&node.as_instance_variable_read_node()?.name())?)
            }
            Node::LocalVariableReadNode { .. } => {
                Expression::Local(self.local(node.as_local_variable_read_node()?.name().as_slice())?)
            }
            Node::LocalVariableWriteNode { .. } => {
                let write = node.as_local_variable_write_node()?;
                // Ruby knows the variable within its own value, too.
                let local = self.declare(write.name().as_slice());
                Expression::SetLocal(local, self.boxed(&write.value())?)
            }
            Node::LocalVariableOperatorWriteNode { .. } => {
                let write = node.as_local_variable_operator_write_node()?;
                let local = self.declare(write.name().as_slice());
                let operator = Method::named(write.binary_operator().as_slice())?;
                let call =
                    TemplateCall::new(Expression::Local(local), operator, vec![self.node(&write.value())?]);
                Expression::SetLocal(local, Box::new(call.into()))
            }
            Node::LocalVariableOrWriteNode { .. } => {
                let write = node.as_local_variable_or_write_node()?;
                let local = self.declare(write.name().as_slice());
                let assignment = Expression::SetLocal(local, self.boxed(&write.value())?);
                Expression::Or(Box::new(Expression::Local(local)), Box::new(assignment))
            }
            _ => return None,
        })
    }

    fn control(&mut self, node: &Node<'_>) -> Option<Expression> {
        Some(match node {
            Node::CallNode { .. } => self.call(&node.as_call_node()?)?,
            Node::ParenthesesNode { .. } => self.body(node.as_parentheses_node()?.body())?,
            Node::IfNode { .. } => self.if_(&node.as_if_node()?)?,
            Node::ElseNode { .. } => self.statements(node.as_else_node()?.statements())?,
            Node::UnlessNode { .. } => {
                let unless = node.as_unless_node()?;
                let condition = self.boxed(&unless.predicate())?;
                let statements = self.statements(unless.statements())?;
                let otherwise =
                    self.statements(unless.else_clause().and_then(|clause| clause.statements()))?;
                Expression::If(condition, Box::new(otherwise), Box::new(statements))
            }
            Node::AndNode { .. } => {
                let and = node.as_and_node()?;
                Expression::And(self.boxed(&and.left())?, self.boxed(&and.right())?)
            }
            Node::OrNode { .. } => {
                let or = node.as_or_node()?;
                Expression::Or(self.boxed(&or.left())?, self.boxed(&or.right())?)
            }
            Node::CaseNode { .. } => self.case(&node.as_case_node()?)?,
            Node::DefinedNode { .. } => {
                let value = node.as_defined_node()?.value();
                let value = unwrap_parentheses(value)?;
                let name = value.as_instance_variable_read_node()?.name();
                Expression::IsDefined(instance(&name)?)
            }
            Node::NextNode { .. } if self.blocks > 0 => {
                let next = node.as_next_node()?;
                if next.arguments().is_some() {
                    return None;
                }
                Expression::Next(Box::new(Expression::Literal(Value::Undef)))
            }
            _ => return None,
        })
    }

    fn if_(&mut self, node: &IfNode<'_>) -> Option<Expression> {
        let condition = self.boxed(&node.predicate())?;
        let statements = self.statements(node.statements())?;
        let otherwise = match node.subsequent() {
            Some(otherwise) => self.node(&otherwise)?,
            None => Expression::Literal(Value::Undef),
        };
        Some(Expression::If(condition, Box::new(statements), Box::new(otherwise)))
    }

    fn case(&mut self, node: &CaseNode<'_>) -> Option<Expression> {
        let subject = self.node(&node.predicate()?)?;
        let mut clauses = Vec::new();
        for clause in &node.conditions() {
            let clause = clause.as_when_node()?;
            let patterns = clause.conditions().iter().map(|pattern| self.pattern(&pattern));
            let patterns = patterns.collect::<Option<Vec<_>>>()?;
            clauses.push((patterns, self.statements(clause.statements())?));
        }
        let otherwise = self.statements(node.else_clause().and_then(|clause| clause.statements()))?;
        Some(Expression::Case(Box::new(TemplateCase { subject, clauses, otherwise })))
    }

    fn pattern(&mut self, node: &Node<'_>) -> Option<WhenPattern> {
        match node.as_constant_read_node() {
            Some(constant) => TemplateClass::named(constant.name().as_slice()).map(WhenPattern::Class),
            None => self.node(node).map(WhenPattern::Value),
        }
    }

    fn call(&mut self, node: &CallNode<'_>) -> Option<Expression> {
        let name = node.name();
        let arguments: Vec<Node<'_>> =
            node.arguments().map(|arguments| arguments.arguments().iter().collect()).unwrap_or_default();
        let Some(receiver) = node.receiver() else {
            return self.own_call(node, name.as_slice(), &arguments);
        };
        if is_scope(&receiver) {
            return self.scope_call(node, name.as_slice(), &arguments);
        }
        if let Some(change) = self.change(&receiver, name.as_slice(), &arguments) {
            return Some(change);
        }
        if node.is_attribute_write() {
            return None;
        }
        if name.as_slice() == b"!" && arguments.is_empty() {
            return Some(Expression::Not(self.boxed(&receiver)?));
        }
        if let b"is_a?" | b"kind_of?" | b"instance_of?" = name.as_slice() {
            return self.class_test(node, &receiver, &arguments);
        }
        let method = Method::named(name.as_slice())?;
        let receiver = self.node(&receiver)?;
        let arguments = arguments.iter().map(|argument| self.node(argument)).collect::<Option<_>>()?;
        let block = match node.block() {
            Some(block) => Some(self.block(&block)?),
            None => None,
        };
        let is_safe = node.is_safe_navigation();
        Some(TemplateCall { block, is_safe, ..TemplateCall::new(receiver, method, arguments) }.into())
    }

    /// Compiles `is_a?` and its synonyms.
    fn class_test(
        &mut self,
        node: &CallNode<'_>,
        receiver: &Node<'_>,
        arguments: &[Node<'_>],
    ) -> Option<Expression> {
        let ([class], None) = (arguments, node.block()) else { return None };
        let class = TemplateClass::named(class.as_constant_read_node()?.name().as_slice())?;
        // No object is an instance of `Numeric` itself.
        if class == TemplateClass::Numeric && node.name().as_slice() == b"instance_of?" {
            return None;
        }
        let (value, is_safe) = (self.node(receiver)?, node.is_safe_navigation());
        Some(Expression::IsA(Box::new(ClassTest { value, class, is_safe })))
    }

    /// Compiles an in-place change of the object of a local variable.
    fn change(&mut self, receiver: &Node<'_>, name: &[u8], arguments: &[Node<'_>]) -> Option<Expression> {
        let local = self.local(receiver.as_local_variable_read_node()?.name().as_slice())?;
        match (name, arguments) {
            (b"<<" | b"push", [value]) => Some(Expression::Append(local, self.boxed(value)?)),
            (b"[]=", [key, value]) => Some(Expression::Store(local, self.boxed(key)?, self.boxed(value)?)),
            _ => None,
        }
    }

    /// Compiles a call of a method of `scope`: one that reads a variable or calls a function of Puppet.
    fn scope_call(&mut self, node: &CallNode<'_>, name: &[u8], arguments: &[Node<'_>]) -> Option<Expression> {
        if node.block().is_some() || node.is_safe_navigation() {
            return None;
        }
        match (name, arguments) {
            (b"[]" | b"lookupvar", [argument]) => {
                let argument = argument.as_string_node()?;
                let name = text(argument.unescaped())?;
                // The groups of the last match are the host's.
                let is_group = name.bytes().all(|byte| byte.is_ascii_digit());
                (!is_group).then(|| Expression::Lookup(name.into()))
            }
            (b"function_versioncmp", [arguments]) => {
                self.function(TemplateFunction::CompareVersions, arguments)
            }
            (b"function_template", [arguments]) => self.function(TemplateFunction::Template, arguments),
            (b"call_function", [function, arguments]) => {
                self.function(TemplateFunction::named(function.as_string_node()?.unescaped())?, arguments)
            }
            _ => None,
        }
    }

    /// Compiles a call of a function of Puppet.
    fn function(&mut self, function: TemplateFunction, arguments: &Node<'_>) -> Option<Expression> {
        let mut arguments = match arguments.as_array_node() {
            Some(arguments) => self.nodes(&arguments.elements())?,
            None => vec![self.node(arguments)?],
        }
        .into_iter()
        .map(Box::new);
        let first = arguments.next()?;
        match (function, arguments.next(), arguments.next()) {
            (TemplateFunction::Template, None, None) => Some(Expression::Template(first)),
            (TemplateFunction::CompareVersions, Some(second), None) => {
                Some(Expression::CompareVersions(first, second))
            }
            _ => None,
        }
    }

    /// Compiles a call of a method of the template itself.
    fn own_call(&mut self, node: &CallNode<'_>, name: &[u8], arguments: &[Node<'_>]) -> Option<Expression> {
        if node.block().is_some() {
            return None;
        }
        let [argument] = arguments else { return None };
        Some(match name {
            _ if name == TEXT.as_bytes() => {
                let index: i32 = argument.as_integer_node()?.value().try_into().ok()?;
                Expression::Text(self.texts.get(usize::try_from(index).ok()?)?.as_str().into())
            }
            _ if name == OUTPUT.as_bytes() => Expression::Output(self.boxed(argument)?),
            b"has_variable?" => Expression::HasVariable(text(argument.as_string_node()?.unescaped())?.into()),
            b"Array" => Expression::ToArray(self.boxed(argument)?),
            _ => return None,
        })
    }

    fn block(&mut self, node: &Node<'_>) -> Option<TemplateBlock> {
        if let Some(argument) = node.as_block_argument_node() {
            return self.symbol_block(argument.expression()?.as_symbol_node()?.unescaped());
        }
        let block: BlockNode<'_> = node.as_block_node()?;
        let first = self.locals;
        self.scopes.push(Vec::new());
        self.blocks += 1;
        let parameters = self.parameters(block.parameters());
        let body = parameters.as_ref().and_then(|_| self.body(block.body()));
        self.blocks -= 1;
        self.scopes.pop();
        Some(TemplateBlock { parameters: parameters?, locals: first..self.locals, body: body? })
    }

    /// Compiles `&:name`.
    fn symbol_block(&mut self, name: &[u8]) -> Option<TemplateBlock> {
        let local = self.locals;
        self.locals += 1;
        let call = TemplateCall::new(Expression::Local(local), Method::named(name)?, Vec::new());
        Some(TemplateBlock { parameters: vec![local], locals: local..self.locals, body: call.into() })
    }

    /// Declares the parameters of a block, which are plain names.
    fn parameters(&mut self, node: Option<Node<'_>>) -> Option<Vec<usize>> {
        let Some(node) = node else { return Some(Vec::new()) };
        let node = node.as_block_parameters_node()?;
        let Some(parameters) = node.parameters() else { return Some(Vec::new()) };
        let is_plain = node.locals().iter().next().is_none()
            && parameters.optionals().iter().next().is_none()
            && parameters.posts().iter().next().is_none()
            && parameters.keywords().iter().next().is_none()
            && parameters.rest().is_none()
            && parameters.keyword_rest().is_none()
            && parameters.block().is_none();
        if !is_plain {
            return None;
        }
        let names = parameters.requireds();
        names
            .iter()
            .map(|name| Some(self.add(name.as_required_parameter_node()?.name().as_slice())))
            .collect()
    }

    fn local(&self, name: &[u8]) -> Option<usize> {
        let mut names = self.scopes.iter().rev().flat_map(|scope| scope.iter().rev());
        names.find(|(known, _)| known == name).map(|(_, index)| *index)
    }

    fn declare(&mut self, name: &[u8]) -> usize {
        self.local(name).unwrap_or_else(|| self.add(name))
    }

    fn add(&mut self, name: &[u8]) -> usize {
        let index = self.locals;
        self.locals += 1;
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name.to_vec(), index));
        }
        index
    }
}

fn is_scope(node: &Node<'_>) -> bool {
    node.as_call_node().is_some_and(|call| call.is_variable_call() && call.name().as_slice() == b"scope")
}

fn unwrap_parentheses(node: Node<'_>) -> Option<Node<'_>> {
    let Some(parentheses) = node.as_parentheses_node() else { return Some(node) };
    let statements = parentheses.body()?.as_statements_node()?.body();
    let mut statements = statements.iter();
    let first = statements.next()?;
    statements.next().is_none().then_some(first)
}

/// Returns the name of a variable of Puppet.
fn instance(name: &ConstantId<'_>) -> Option<Arc<str>> {
    Some(text(name.as_slice())?.strip_prefix('@')?.into())
}

/// Returns a text of the code; `None` if it is not UTF-8, as `"\xff"`.
fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

fn regex(node: &RegularExpressionNode<'_>) -> Option<Regex> {
    let has_options = node.closing_loc().as_slice() != b"/";
    let is_plain = node.opening_loc().as_slice() == b"/" && !has_options;
    if !is_plain {
        return None;
    }
    Regex::new(text(node.content_loc().as_slice())?).ok()
}
