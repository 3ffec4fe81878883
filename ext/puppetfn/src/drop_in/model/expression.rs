//! Expressions.

use magnus::value::ReprValue;
use magnus::{IntoValue, RArray};
use puppetfn::source::Span;
use puppetfn::syntax::ast::{
    Access, BinaryExpr, BinaryOp, Block, Case, CaseOption, Expr, ExprKind, FunctionCall, If, IfBranch,
    KeyedEntry, MethodCall, Selector, UnaryOp, Unless,
};

use super::classes::ModelClass;
use super::{Builder, KEY, ModelAttribute, ModelNode, ModelPlace, ModelResult, VALUE};
use crate::ruby::decline::Reason;
use crate::ruby::raw::InstanceVariable;

variables! {
    LEFT = c"@left_expr";
    RIGHT = c"@right_expr";
    OPERATOR = c"@operator";
    EXPR = c"@expr";
    KEYS = c"@keys";
    VALUES = c"@values";
    ENTRIES = c"@entries";
    RVAL_REQUIRED = c"@rval_required";
    FUNCTOR = c"@functor_expr";
    ARGUMENTS = c"@arguments";
    LAMBDA = c"@lambda";
    TEST = c"@test";
    THEN = c"@then_expr";
    ELSE = c"@else_expr";
    OPTIONS = c"@options";
    SELECTORS = c"@selectors";
    MATCHING = c"@matching_expr";
    VALUE_EXPR = c"@value_expr";
    RADIX = c"@radix";
    CASED_VALUE = c"@cased_value";
    WORD = c"@word";
    FUTURE = c"@future";
    PATTERN = c"@pattern";
}

impl<'s> Builder<'_, 's> {
    pub(super) fn statement(&mut self, expr: &Expr<'s>) -> ModelResult<ModelNode> {
        self.expr(expr)
    }

    pub(super) fn expr(&mut self, expr: &Expr<'s>) -> ModelResult<ModelNode> {
        let place = ModelPlace::from(expr.span);
        match &expr.kind {
            ExprKind::Undef => self.node(ModelClass::LiteralUndef, place, &[]),
            ExprKind::Default => self.node(ModelClass::LiteralDefault, place, &[]),
            ExprKind::Boolean(truth) => {
                let value = self.boolean(*truth)?;
                self.node(ModelClass::LiteralBoolean, place, &[(&VALUE, value)])
            }
            ExprKind::Integer(number) => self.integer(*number, expr.span),
            ExprKind::Float(number) => {
                let value = self.object(number.into_value_with(self.ruby))?;
                self.node(ModelClass::LiteralFloat, place, &[(&VALUE, value)])
            }
            ExprKind::String(text) if self.is_at(expr.span.start, "\"") => self.joined_literal(text, place),
            ExprKind::String(text) => self.literal(text, place),
            ExprKind::Interpolation(segments) => self.interpolation(segments, expr.span),
            ExprKind::Regexp(source) => self.regexp(source, place),
            ExprKind::Name(name) => self.name(name, place),
            ExprKind::Reference(name) => self.reference(name, place),
            ExprKind::Variable(name) => self.variable(name, expr.span),
            ExprKind::Reserved(word) => {
                let (word, future) = (self.string(word)?, self.boolean(false)?);
                self.node(ModelClass::ReservedWord, place, &[(&WORD, word), (&FUTURE, future)])
            }
            // Code that the parser refused does not come here.
            ExprKind::Error(_) => self.node(ModelClass::Nop, place, &[]),
            ExprKind::Array(items) => {
                let values = self.nodes(items)?;
                let values = self.list(values)?;
                self.node(ModelClass::LiteralList, place, &[(&VALUES, values)])
            }
            ExprKind::Hash(entries) => self.hash(entries, expr.span),
            ExprKind::Access(access) => self.access(access, expr.span),
            ExprKind::Call(call) => self.call(call, expr.span),
            ExprKind::Method(method) => self.method(method, expr.span),
            ExprKind::Paren(inner) => {
                self.unary(ModelClass::ParenthesizedExpression, inner, ModelPlace::at(expr.span.start, 1))
            }
            ExprKind::Unary(op, operand) => {
                let class = match op {
                    UnaryOp::Minus => ModelClass::UnaryMinusExpression,
                    UnaryOp::Not => ModelClass::NotExpression,
                    UnaryOp::Splat => ModelClass::UnfoldExpression,
                };
                self.unary(class, operand, ModelPlace::at(expr.span.start, 1))
            }
            ExprKind::Binary(binary) => self.binary(binary),
            ExprKind::Selector(selector) => self.selector(selector),
            ExprKind::If(conditional) => self.conditional(conditional),
            ExprKind::Unless(unless) => self.unless(unless, expr.span),
            ExprKind::Case(case) => self.case(case, place),
            ExprKind::Function(function) => self.function(function, place),
            ExprKind::TypeAlias(alias) => self.type_alias(alias),
            ExprKind::Class(class) => self.class_definition(class, place),
            ExprKind::ResourceType(definition) => self.resource_type(definition, place),
            ExprKind::Node(node) => self.node_definition(node, place),
            ExprKind::Resource(resource) => self.resource(resource, expr.span),
            ExprKind::ResourceDefaults(defaults) => self.resource_defaults(defaults, expr.span),
            ExprKind::ResourceOverride(overrides) => self.resource_override(overrides, expr.span),
            ExprKind::Collector(collector) => self.collector(collector, expr.span),
            ExprKind::Heredoc(heredoc) => self.heredoc(heredoc, place),
            ExprKind::Block(statements) => self.block(statements, place),
            ExprKind::Template(template) => self.template(template),
            ExprKind::RenderText(text) => {
                let value = self.string(text)?;
                self.node(ModelClass::RenderStringExpression, place, &[(&VALUE, value)])
            }
            ExprKind::Render(inner) => self.unary(ModelClass::RenderExpression, inner, place),
            ExprKind::TypeMapping(mapping) => self.type_mapping(mapping),
            ExprKind::TypeDefinition(definition) => self.type_definition(definition, place),
            ExprKind::Plan(_) | ExprKind::Apply(_) => Err(Reason::KindOfExpression),
        }
    }

    fn integer(&self, number: u64, span: Span) -> ModelResult<ModelNode> {
        let number = i64::try_from(number).map_err(|_| Reason::Bignum)?;
        let radix = match span.text(self.text).as_bytes() {
            [b'0', b'x' | b'X', ..] => 16,
            [b'0', _, ..] => 8,
            _ => 10,
        };
        let value = self.object(number.into_value_with(self.ruby))?;
        let radix = self.object(radix.into_value_with(self.ruby))?;
        self.node(ModelClass::LiteralInteger, span.into(), &[(&RADIX, radix), (&VALUE, value)])
    }

    pub(super) fn literal(&self, text: &str, place: ModelPlace) -> ModelResult<ModelNode> {
        let value = self.string(text)?;
        self.node(ModelClass::LiteralString, place, &[(&VALUE, value)])
    }

    /// Builds a text that Puppet's lexer puts together, as it does with all in which something may be interpolated.
    pub(super) fn joined_literal(&self, text: &str, place: ModelPlace) -> ModelResult<ModelNode> {
        let value = self.joined(text)?;
        self.node(ModelClass::LiteralString, place, &[(&VALUE, value)])
    }

    pub(super) fn name(&self, name: &str, place: ModelPlace) -> ModelResult<ModelNode> {
        let value = self.string(name)?;
        self.node(ModelClass::QualifiedName, place, &[(&VALUE, value)])
    }

    pub(super) fn reference(&self, name: &str, place: ModelPlace) -> ModelResult<ModelNode> {
        let value = self.string(name)?;
        self.node(ModelClass::QualifiedReference, place, &[(&CASED_VALUE, value)])
    }

    /// Builds a variable; its name is after the dollar, or where that would be.
    pub(super) fn variable(&self, name: &str, span: Span) -> ModelResult<ModelNode> {
        let name = self.name(name, ModelPlace::new(span.start.saturating_add(1), span.end))?;
        self.node(ModelClass::VariableExpression, span.into(), &[(&EXPR, name.into())])
    }

    fn regexp(&self, source: &str, place: ModelPlace) -> ModelResult<ModelNode> {
        let regexp = self.ruby.reg_new(source, Default::default()).map_err(|_| Reason::Pattern)?.as_value();
        let value = self.object(regexp)?;
        let pattern = self.object(regexp.funcall("inspect", ()).map_err(|_| Reason::Pattern)?)?;
        self.node(ModelClass::LiteralRegularExpression, place, &[(&VALUE, value), (&PATTERN, pattern)])
    }

    /// Builds a hash. One without braces is where its first arrow is.
    fn hash(&mut self, entries: &[KeyedEntry<'s>], span: Span) -> ModelResult<ModelNode> {
        let place = match entries.first() {
            Some(first) if first.key.span.start == span.start => ModelPlace::at(first.arrow, 2),
            Some(_) | None => span.into(),
        };
        self.braced(entries, place, None)
    }

    /// Builds a hash that is at a place, maybe with one more entry.
    pub(super) fn braced(
        &mut self,
        entries: &[KeyedEntry<'s>],
        place: ModelPlace,
        more: Option<ModelNode>,
    ) -> ModelResult<ModelNode> {
        let list = self.ruby.ary_new_capa(entries.len());
        for entry in entries {
            let mut key = self.expr(&entry.key)?;
            let mut at = ModelPlace::at(entry.arrow, 2);
            if let ExprKind::String(name) = &entry.key.kind
                && entry.arrow == place.offset
                && self.is_at(entry.arrow, "{")
            {
                // Attributes of a hash that looks like a resource get no place.
                at = at.inside();
                key = self.literal(name, at)?;
            }
            let value = self.expr(&entry.value)?;
            let node =
                self.node(ModelClass::KeyedEntry, at, &[(&KEY, key.into()), (&VALUE, value.into())])?;
            self.push(list, node)?;
        }
        if let Some(entry) = more {
            self.push(list, entry)?;
        }
        let entries = self.list(list)?;
        self.node(ModelClass::LiteralHash, place, &[(&ENTRIES, entries)])
    }

    fn access(&mut self, access: &Access<'s>, span: Span) -> ModelResult<ModelNode> {
        let left = self.expr(&access.operand)?;
        let place = ModelPlace::new(left.place.offset, span.end);
        self.access_at(left, &access.keys, place)
    }

    pub(super) fn access_at(
        &mut self,
        left: ModelNode,
        keys: &[Expr<'s>],
        place: ModelPlace,
    ) -> ModelResult<ModelNode> {
        let keys = self.nodes(keys)?;
        let keys = self.list(keys)?;
        self.node(ModelClass::AccessExpression, place, &[(&LEFT, left.into()), (&KEYS, keys)])
    }

    /// Builds an access with one key.
    pub(super) fn access_to(
        &self,
        left: ModelNode,
        key: ModelNode,
        place: ModelPlace,
    ) -> ModelResult<ModelNode> {
        let keys = self.ruby.ary_new_capa(1);
        self.push(keys, key)?;
        let keys = self.list(keys)?;
        self.node(ModelClass::AccessExpression, place, &[(&LEFT, left.into()), (&KEYS, keys)])
    }

    pub(super) fn unary(
        &mut self,
        class: ModelClass,
        operand: &Expr<'s>,
        place: ModelPlace,
    ) -> ModelResult<ModelNode> {
        let operand = self.expr(operand)?;
        self.node(class, place, &[(&EXPR, operand.into())])
    }

    /// Builds something around another node.
    pub(super) fn around(
        &self,
        class: ModelClass,
        inner: Option<ModelNode>,
        place: ModelPlace,
    ) -> ModelResult<ModelNode> {
        let inner = self.optional(inner);
        self.node(class, place, &[(&EXPR, inner)])
    }

    fn binary(&mut self, binary: &BinaryExpr<'s>) -> ModelResult<ModelNode> {
        let (class, text) = operation(binary.op);
        let (left, right) = (self.expr(&binary.left)?, self.expr(&binary.right)?);
        let place = ModelPlace::at(binary.at, text.len());
        let operands = [(&LEFT, left.into()), (&RIGHT, right.into())];
        if let ModelClass::AndExpression | ModelClass::OrExpression | ModelClass::InExpression = class {
            return self.node(class, place, &operands);
        }
        let [left, right] = operands;
        let operator = self.string(text)?;
        self.node(class, place, &[left, right, (&OPERATOR, operator)])
    }

    fn call(&mut self, call: &FunctionCall<'s>, span: Span) -> ModelResult<ModelNode> {
        let functor = self.expr(&call.function)?;
        let arguments = self.ruby.ary_new_capa(call.arguments.len());
        let mut last = None;
        for argument in &call.arguments {
            let node = self.expr(argument)?;
            self.push(arguments, node)?;
            last = Some(node.place);
        }
        let lambda = call.lambda.as_ref().map(|lambda| self.lambda(lambda)).transpose()?;
        // A call without parentheses ends with its last argument.
        let bare = lambda.is_none() && call.arguments.last().is_some_and(|last| last.span.end == span.end);
        let end = match last {
            Some(last) if bare => last.end,
            Some(_) | None => span.end,
        };
        let place = ModelPlace::new(functor.place.offset, end);
        let attributes = self.call_attributes(functor, !call.is_statement, arguments, lambda)?;
        self.node(ModelClass::CallNamedFunctionExpression, place, &attributes)
    }

    fn call_attributes(
        &self,
        functor: ModelNode,
        rval_required: bool,
        arguments: RArray,
        lambda: Option<ModelNode>,
    ) -> ModelResult<[(&'static InstanceVariable, ModelAttribute); 4]> {
        Ok([
            (&RVAL_REQUIRED, self.boolean(rval_required)?),
            (&FUNCTOR, functor.into()),
            (&ARGUMENTS, self.list(arguments)?),
            (&LAMBDA, self.optional(lambda)),
        ])
    }

    fn method(&mut self, method: &MethodCall<'s>, span: Span) -> ModelResult<ModelNode> {
        let receiver = self.expr(&method.receiver)?;
        let dot = self.before(method.name_span.start).filter(|dot| self.is_at(*dot, "."));
        let named = ModelPlace::new(dot.ok_or(Reason::KindOfExpression)?, method.name_span.end);
        let name = self.name(method.name, named.inside())?;
        let functor = self.node(
            ModelClass::NamedAccessExpression,
            named,
            &[(&LEFT, receiver.into()), (&RIGHT, name.into())],
        )?;
        let arguments = self.nodes(&method.arguments)?;
        let place = if !self.is_at(method.at, "(") {
            named
        } else if method.arguments.is_empty() {
            // Puppet's grammar takes the end from a token past the end of the rule, where there is none.
            ModelPlace::at(method.at, 1)
        } else {
            let close = match &method.lambda {
                None => Some(span.end),
                Some(lambda) => {
                    self.before(lambda.span.start).filter(|at| self.is_at(*at, ")")).map(|at| at + 1)
                }
            };
            ModelPlace::new(method.at, close.ok_or(Reason::KindOfExpression)?)
        };
        let lambda = method.lambda.as_ref().map(|lambda| self.lambda(lambda)).transpose()?;
        let attributes = self.call_attributes(functor, true, arguments, lambda)?;
        self.node(ModelClass::CallMethodExpression, place, &attributes)
    }

    fn selector(&mut self, selector: &Selector<'s>) -> ModelResult<ModelNode> {
        let left = self.expr(&selector.operand)?;
        let list = self.ruby.ary_new_capa(selector.entries.len());
        for entry in &selector.entries {
            let (key, value) = (self.expr(&entry.key)?, self.expr(&entry.value)?);
            let attributes = [(&MATCHING, key.into()), (&VALUE_EXPR, value.into())];
            let node = self.node(ModelClass::SelectorEntry, ModelPlace::at(entry.arrow, 2), &attributes)?;
            self.push(list, node)?;
        }
        let selectors = self.list(list)?;
        self.node(
            ModelClass::SelectorExpression,
            left.place,
            &[(&LEFT, left.into()), (&SELECTORS, selectors)],
        )
    }

    /// Each `elsif` is the `else` of the branch before it.
    fn conditional(&mut self, conditional: &If<'s>) -> ModelResult<ModelNode> {
        self.branches(&conditional.branches, conditional.otherwise.as_ref())?.ok_or(Reason::Other)
    }

    fn branches(
        &mut self,
        branches: &[IfBranch<'s>],
        otherwise: Option<&Block<'s>>,
    ) -> ModelResult<Option<ModelNode>> {
        let Some((first, rest)) = branches.split_first() else {
            return otherwise.map_or(Ok(None), |block| self.branch(block));
        };
        let test = self.expr(&first.test)?;
        let then = self.branch(&first.then)?;
        let other = self.branches(rest, otherwise)?;
        let end = other.map_or(first.then.span.end, |other| other.place.end);
        let place = self.moved_to(ModelPlace::new(test.place.offset, end), first.span.start);
        let attributes = [(&TEST, test.into()), (&THEN, self.optional(then)), (&ELSE, self.optional(other))];
        self.node(ModelClass::IfExpression, place, &attributes).map(Some)
    }

    fn unless(&mut self, unless: &Unless<'s>, span: Span) -> ModelResult<ModelNode> {
        let test = self.expr(&unless.test)?;
        let then = self.branch(&unless.then)?;
        let other = unless.otherwise.as_ref().map_or(Ok(None), |block| self.branch(block))?;
        let end = match (then, other) {
            (Some(_), _) => unless.then.span.end,
            (None, Some(other)) => other.place.end,
            (None, None) => ModelPlace::at(span.start, "unless".len()).end,
        };
        let attributes = [(&TEST, test.into()), (&THEN, self.optional(then)), (&ELSE, self.optional(other))];
        self.node(ModelClass::UnlessExpression, ModelPlace::new(span.start, end), &attributes)
    }

    fn case(&mut self, case: &Case<'s>, place: ModelPlace) -> ModelResult<ModelNode> {
        let test = self.expr(&case.test)?;
        let options = self.ruby.ary_new_capa(case.options.len());
        for option in &case.options {
            let node = self.case_option(option)?;
            self.push(options, node)?;
        }
        let options = self.list(options)?;
        self.node(ModelClass::CaseExpression, place, &[(&TEST, test.into()), (&OPTIONS, options)])
    }

    fn case_option(&mut self, option: &CaseOption<'s>) -> ModelResult<ModelNode> {
        let values = self.nodes(&option.values)?;
        let values = self.list(values)?;
        let place = ModelPlace::new(option.colon, option.then.span.end);
        let then = self.body(&option.then.statements, place)?;
        self.node(ModelClass::CaseOption, place, &[(&VALUES, values), (&THEN, self.optional(then))])
    }
}

/// Returns the class of a binary expression, and its operator.
fn operation(op: BinaryOp) -> (ModelClass, &'static str) {
    match op {
        BinaryOp::Assign => (ModelClass::AssignmentExpression, "="),
        BinaryOp::Append => (ModelClass::AssignmentExpression, "+="),
        BinaryOp::Delete => (ModelClass::AssignmentExpression, "-="),
        BinaryOp::Before => (ModelClass::RelationshipExpression, "->"),
        BinaryOp::Notify => (ModelClass::RelationshipExpression, "~>"),
        BinaryOp::After => (ModelClass::RelationshipExpression, "<-"),
        BinaryOp::Subscribe => (ModelClass::RelationshipExpression, "<~"),
        BinaryOp::Or => (ModelClass::OrExpression, "or"),
        BinaryOp::And => (ModelClass::AndExpression, "and"),
        BinaryOp::In => (ModelClass::InExpression, "in"),
        BinaryOp::Less => (ModelClass::ComparisonExpression, "<"),
        BinaryOp::LessOrEqual => (ModelClass::ComparisonExpression, "<="),
        BinaryOp::Greater => (ModelClass::ComparisonExpression, ">"),
        BinaryOp::GreaterOrEqual => (ModelClass::ComparisonExpression, ">="),
        BinaryOp::Equal => (ModelClass::ComparisonExpression, "=="),
        BinaryOp::NotEqual => (ModelClass::ComparisonExpression, "!="),
        BinaryOp::ShiftLeft => (ModelClass::ArithmeticExpression, "<<"),
        BinaryOp::ShiftRight => (ModelClass::ArithmeticExpression, ">>"),
        BinaryOp::Add => (ModelClass::ArithmeticExpression, "+"),
        BinaryOp::Subtract => (ModelClass::ArithmeticExpression, "-"),
        BinaryOp::Multiply => (ModelClass::ArithmeticExpression, "*"),
        BinaryOp::Divide => (ModelClass::ArithmeticExpression, "/"),
        BinaryOp::Modulo => (ModelClass::ArithmeticExpression, "%"),
        BinaryOp::Match => (ModelClass::MatchExpression, "=~"),
        BinaryOp::NotMatch => (ModelClass::MatchExpression, "!~"),
    }
}
