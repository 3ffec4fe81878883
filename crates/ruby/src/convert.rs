//! Converts Prism's syntax tree to the tree of this crate.

mod parameters;
mod rest;
mod text;

use std::rc::Rc;

use ruby_prism::{
    AssocNode, BeginNode, BlockNode, CallNode, CaseNode, ConstantId, IfNode, Location, Node as Prism,
    NodeList, StatementsNode, UnlessNode,
};

use crate::tree::{HashPair, RubyBlock, RubyCall, RubyCase, RubyIf, RubyMethod, RubyNode, RubyNodeKind};

/// Maximum depth of code, including chains of calls. Handwritten code does not come near it.
const DEEPEST: usize = 1_000;

/// Returns the statements of a file; none if they nest too deep.
pub fn statements(parsed: &ruby_prism::ParseResult<'_>, text: &str) -> Option<Vec<RubyNode>> {
    let mut converter = PrismConverter { text, depth: 0, is_too_deep: false };
    let root = parsed.node();
    let program = root.as_program_node()?;
    let found = converter.list(&program.statements().body());
    (!converter.is_too_deep).then_some(found)
}

struct PrismConverter<'s> {
    text: &'s str,
    depth: usize,
    is_too_deep: bool,
}

/// Returns the name of one of Prism's constants.
fn name(id: &ConstantId<'_>) -> String {
    String::from_utf8_lossy(id.as_slice()).into_owned()
}

fn start(location: &Location<'_>) -> usize {
    location.start() as usize
}

fn end(location: &Location<'_>) -> usize {
    location.end() as usize
}

impl PrismConverter<'_> {
    fn slice(&self, location: &Location<'_>) -> String {
        self.text.get(start(location)..end(location)).unwrap_or_default().to_owned()
    }

    fn list(&mut self, nodes: &NodeList<'_>) -> Vec<RubyNode> {
        nodes.iter().map(|node| self.node(&node)).collect()
    }

    fn body(&mut self, statements: Option<StatementsNode<'_>>) -> Vec<RubyNode> {
        statements.map(|statements| self.list(&statements.body())).unwrap_or_default()
    }

    /// Returns the statements of a block, a method or a class.
    fn inside(&mut self, body: Option<Prism<'_>>) -> Vec<RubyNode> {
        let Some(body) = body else { return Vec::new() };
        match body.as_statements_node() {
            Some(statements) => self.list(&statements.body()),
            None => vec![self.node(&body)],
        }
    }

    fn boxed(&mut self, node: &Prism<'_>) -> Box<RubyNode> {
        Box::new(self.node(node))
    }

    fn optional(&mut self, node: Option<Prism<'_>>) -> Option<RubyNode> {
        node.map(|node| self.node(&node))
    }

    fn node(&mut self, node: &Prism<'_>) -> RubyNode {
        let location = node.location();
        let (start, end) = (start(&location), end(&location));
        if self.depth >= DEEPEST {
            self.is_too_deep = true;
            return RubyNode { start, end, kind: RubyNodeKind::Nil };
        }
        self.depth += 1;
        let found = self.value(node).or_else(|| self.structure(node)).or_else(|| self.assignment(node));
        let kind = found.unwrap_or_else(|| RubyNodeKind::Other(self.rest(node)));
        self.depth -= 1;
        RubyNode { start, end, kind }
    }

    /// Converts literals and names.
    fn value(&mut self, node: &Prism<'_>) -> Option<RubyNodeKind> {
        Some(match node {
            Prism::NilNode { .. } => RubyNodeKind::Nil,
            Prism::TrueNode { .. } => RubyNodeKind::Boolean(true),
            Prism::FalseNode { .. } => RubyNodeKind::Boolean(false),
            Prism::SelfNode { .. } => RubyNodeKind::Myself,
            Prism::IntegerNode { .. } => RubyNodeKind::Integer(self.integer(&node.location())),
            Prism::FloatNode { .. } => RubyNodeKind::Float(node.as_float_node()?.value()),
            Prism::StringNode { .. } => self.string(&node.as_string_node()?),
            Prism::InterpolatedStringNode { .. } => {
                self.interpolated_string(&node.as_interpolated_string_node()?)
            }
            Prism::SymbolNode { .. } => self.symbol(&node.as_symbol_node()?),
            Prism::InterpolatedSymbolNode { .. } => {
                let node = node.as_interpolated_symbol_node()?;
                RubyNodeKind::Symbol(self.parts(&node.parts()))
            }
            Prism::RegularExpressionNode { .. } => self.regexp(&node.as_regular_expression_node()?),
            Prism::InterpolatedRegularExpressionNode { .. } => {
                let node = node.as_interpolated_regular_expression_node()?;
                let parts = self.parts(&node.parts());
                RubyNodeKind::Regexp(parts, self.slice(&node.closing_loc()))
            }
            Prism::ArrayNode { .. } => RubyNodeKind::Array(self.list(&node.as_array_node()?.elements())),
            Prism::HashNode { .. } => RubyNodeKind::Hash(self.pairs(&node.as_hash_node()?.elements())),
            Prism::KeywordHashNode { .. } => {
                RubyNodeKind::Hash(self.pairs(&node.as_keyword_hash_node()?.elements()))
            }
            Prism::ConstantReadNode { .. } => {
                RubyNodeKind::Constant(name(&node.as_constant_read_node()?.name()))
            }
            Prism::ConstantPathNode { .. } => {
                let node = node.as_constant_path_node()?;
                self.constant_path(node.name(), node.parent())?
            }
            Prism::LocalVariableReadNode { .. } => {
                RubyNodeKind::Local(name(&node.as_local_variable_read_node()?.name()))
            }
            Prism::InstanceVariableReadNode { .. } => {
                RubyNodeKind::Instance(name(&node.as_instance_variable_read_node()?.name()))
            }
            Prism::GlobalVariableReadNode { .. } => {
                RubyNodeKind::Global(name(&node.as_global_variable_read_node()?.name()))
            }
            _ => return None,
        })
    }

    /// Converts a node with children.
    fn structure(&mut self, node: &Prism<'_>) -> Option<RubyNodeKind> {
        Some(match node {
            Prism::CallNode { .. } => self.call(&node.as_call_node()?),
            Prism::AndNode { .. } => {
                let node = node.as_and_node()?;
                RubyNodeKind::Binary(self.boxed(&node.left()), "&&".to_owned(), self.boxed(&node.right()))
            }
            Prism::OrNode { .. } => {
                let node = node.as_or_node()?;
                RubyNodeKind::Binary(self.boxed(&node.left()), "||".to_owned(), self.boxed(&node.right()))
            }
            Prism::MatchWriteNode { .. } => self.call(&node.as_match_write_node()?.call()),
            Prism::DefNode { .. } => self.method(&node.as_def_node()?),
            Prism::LambdaNode { .. } => {
                let node = node.as_lambda_node()?;
                let parameters = self.parameters_of_block(node.parameters());
                RubyNodeKind::Lambda(Rc::new(RubyBlock { parameters, body: self.inside(node.body()) }))
            }
            Prism::ModuleNode { .. } => {
                let node = node.as_module_node()?;
                RubyNodeKind::Module(
                    "module",
                    self.boxed(&node.constant_path()),
                    None,
                    self.inside(node.body()),
                )
            }
            Prism::ClassNode { .. } => {
                let node = node.as_class_node()?;
                let parent = self.optional(node.superclass()).map(Box::new);
                RubyNodeKind::Module(
                    "class",
                    self.boxed(&node.constant_path()),
                    parent,
                    self.inside(node.body()),
                )
            }
            Prism::SingletonClassNode { .. } => {
                RubyNodeKind::Singleton(self.inside(node.as_singleton_class_node()?.body()))
            }
            Prism::IfNode { .. } => self.if_(&node.as_if_node()?),
            Prism::UnlessNode { .. } => self.unless(&node.as_unless_node()?),
            Prism::CaseNode { .. } => self.case(&node.as_case_node()?),
            Prism::BeginNode { .. } => self.begin(&node.as_begin_node()?),
            Prism::ParenthesesNode { .. } => {
                RubyNodeKind::Parentheses(self.inside(node.as_parentheses_node()?.body()))
            }
            Prism::SplatNode { .. } => {
                RubyNodeKind::Splat(self.optional(node.as_splat_node()?.expression()).map(Box::new))
            }
            Prism::AliasMethodNode { .. } => {
                let node = node.as_alias_method_node()?;
                RubyNodeKind::Alias(self.boxed(&node.new_name()), self.boxed(&node.old_name()))
            }
            Prism::ForNode { .. } => {
                let node = node.as_for_node()?;
                let mut rest = vec![self.node(&node.collection())];
                rest.extend(self.body(node.statements()));
                RubyNodeKind::For(self.boxed(&node.index()), rest)
            }
            Prism::WhileNode { .. }
            | Prism::UntilNode { .. }
            | Prism::CaseMatchNode { .. }
            | Prism::RescueModifierNode { .. } => RubyNodeKind::Conditional(self.rest(node)),
            Prism::InNode { .. } => RubyNodeKind::Clause(self.rest(node)),
            Prism::ElseNode { .. } => RubyNodeKind::Clause(self.body(node.as_else_node()?.statements())),
            Prism::SuperNode { .. } | Prism::ForwardingSuperNode { .. } => {
                RubyNodeKind::Super(self.rest(node))
            }
            Prism::ReturnNode { .. }
            | Prism::NextNode { .. }
            | Prism::BreakNode { .. }
            | Prism::RedoNode { .. }
            | Prism::RetryNode { .. }
            | Prism::YieldNode { .. } => RubyNodeKind::Leave(self.rest(node)),
            _ => return None,
        })
    }

    /// Returns the path of a constant; `None` if its scope is no constant.
    fn constant_path(
        &mut self,
        last: Option<ConstantId<'_>>,
        parent: Option<Prism<'_>>,
    ) -> Option<RubyNodeKind> {
        let last = name(&last?);
        let Some(parent) = parent else { return Some(RubyNodeKind::Constant(format!("::{last}"))) };
        match self.node(&parent).kind {
            RubyNodeKind::Constant(path) => Some(RubyNodeKind::Constant(format!("{path}::{last}"))),
            _ => None,
        }
    }

    fn pairs(&mut self, elements: &NodeList<'_>) -> Vec<HashPair> {
        let pair = |element: Prism<'_>| match element.as_assoc_node() {
            Some(entry) => self.pair(&entry),
            None => {
                let splat = element.as_assoc_splat_node().and_then(|splat| splat.value());
                HashPair::Splat(self.optional(splat))
            }
        };
        elements.iter().map(pair).collect()
    }

    fn pair(&mut self, entry: &AssocNode<'_>) -> HashPair {
        let value = entry.value();
        let is_implicit = matches!(value, Prism::ImplicitNode { .. });
        HashPair::Entry(self.node(&entry.key()), (!is_implicit).then(|| self.node(&value)))
    }

    fn call(&mut self, node: &CallNode<'_>) -> RubyNodeKind {
        let method = name(&node.name());
        let arguments = node.arguments();
        let mut args = arguments.map(|arguments| self.list(&arguments.arguments())).unwrap_or_default();
        let receiver = self.optional(node.receiver());
        if node.is_attribute_write()
            && let Some(receiver) = &receiver
        {
            return assigned(receiver.clone(), &method, args);
        }
        match (receiver, method.as_str(), node.call_operator_loc(), args.len()) {
            (Some(receiver), "[]", None, _) => RubyNodeKind::Index(Box::new(receiver), args),
            (Some(receiver), _, None, 0) if !is_name(&method) => {
                RubyNodeKind::Unary(method.trim_end_matches('@').to_owned(), Box::new(receiver))
            }
            (Some(receiver), _, None, 1) if !is_name(&method) => match args.pop() {
                Some(argument) => RubyNodeKind::Binary(Box::new(receiver), method, Box::new(argument)),
                None => RubyNodeKind::Other(vec![receiver]),
            },
            (receiver, ..) => self.plain_call(node, receiver, method, args),
        }
    }

    fn plain_call(
        &mut self,
        node: &CallNode<'_>,
        receiver: Option<RubyNode>,
        name: String,
        args: Vec<RubyNode>,
    ) -> RubyNodeKind {
        let at = node.message_loc().map_or_else(|| start(&node.location()), |location| start(&location));
        let block = node.block();
        let passed = block.as_ref().and_then(Prism::as_block_argument_node);
        let passed_block = passed.and_then(|passed| passed.expression()).map(|passed| self.node(&passed));
        let block = block.as_ref().and_then(Prism::as_block_node).map(|block| Rc::new(self.block(&block)));
        let is_name = node.is_variable_call();
        RubyNodeKind::Call(Box::new(RubyCall { receiver, name, args, block, passed_block, at, is_name }))
    }

    fn block(&mut self, node: &BlockNode<'_>) -> RubyBlock {
        let parameters = self.parameters_of_block(node.parameters());
        RubyBlock { parameters, body: self.inside(node.body()) }
    }

    fn method(&mut self, node: &ruby_prism::DefNode<'_>) -> RubyNodeKind {
        let parameters = node.parameters().map(|found| self.parameters(&found)).unwrap_or_default();
        let (name, is_singleton) = (name(&node.name()), node.receiver().is_some());
        let code = Rc::new(RubyBlock { parameters, body: self.inside(node.body()) });
        RubyNodeKind::Method(Box::new(RubyMethod { name, is_singleton, code }))
    }

    fn if_(&mut self, node: &IfNode<'_>) -> RubyNodeKind {
        // Without a keyword, it is `a ? b : c`.
        let is_ternary = node.if_keyword_loc().is_none();
        let is_single = node.subsequent().is_none() && !is_ternary;
        RubyNodeKind::If(Box::new(RubyIf {
            negated: false,
            is_single,
            condition: self.node(&node.predicate()),
            statements: self.body(node.statements()),
            otherwise: self.optional(node.subsequent()).into_iter().collect(),
        }))
    }

    fn unless(&mut self, node: &UnlessNode<'_>) -> RubyNodeKind {
        let otherwise = node.else_clause().and_then(|clause| clause.statements());
        RubyNodeKind::If(Box::new(RubyIf {
            negated: true,
            is_single: node.else_clause().is_none(),
            condition: self.node(&node.predicate()),
            statements: self.body(node.statements()),
            otherwise: self.body(otherwise),
        }))
    }

    fn case(&mut self, node: &CaseNode<'_>) -> RubyNodeKind {
        let branches = node.conditions();
        let branches = branches.iter().filter_map(|branch| branch.as_when_node());
        RubyNodeKind::Case(Box::new(RubyCase {
            subject: self.optional(node.predicate()),
            branches: branches
                .map(|branch| (self.list(&branch.conditions()), self.body(branch.statements())))
                .collect(),
            otherwise: self.body(node.else_clause().and_then(|clause| clause.statements())),
        }))
    }

    fn begin(&mut self, node: &BeginNode<'_>) -> RubyNodeKind {
        let mut parts = self.body(node.statements());
        let mut rescue = node.rescue_clause();
        while let Some(clause) = rescue {
            parts.extend(self.list(&clause.exceptions()));
            parts.extend(self.optional(clause.reference()));
            parts.extend(self.body(clause.statements()));
            rescue = clause.subsequent();
        }
        parts.extend(self.body(node.else_clause().and_then(|clause| clause.statements())));
        parts.extend(self.body(node.ensure_clause().and_then(|clause| clause.statements())));
        RubyNodeKind::Begin(parts)
    }
}

/// Returns true if a method has the name of one, not an operator.
fn is_name(method: &str) -> bool {
    method.starts_with(|first: char| first.is_alphabetic() || first == '_' || !first.is_ascii())
}

/// Returns the assignment for a setter call, as in `a.b = c` and `a[b] = c`.
fn assigned(receiver: RubyNode, method: &str, mut args: Vec<RubyNode>) -> RubyNodeKind {
    let (from, to) = (receiver.start, receiver.end);
    let Some(value) = args.pop() else { return RubyNodeKind::Other(vec![receiver]) };
    let kind = match method {
        "[]=" => RubyNodeKind::Index(Box::new(receiver), args),
        _ => RubyNodeKind::Field(Box::new(receiver), method.trim_end_matches('=').to_owned()),
    };
    RubyNodeKind::Assign(Box::new(RubyNode { start: from, end: to, kind }), Box::new(value), None)
}
