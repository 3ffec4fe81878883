//! Expressions.
//!
//! See Puppet's `pops/evaluator/evaluator_impl.rb`.

use smallvec::SmallVec;

use super::{EvalResult, Frame, Machine, during, failure, is_true, misuse};
use crate::eval::access::access;
use crate::eval::code::{
    AccessCode, BinaryCode, HeredocCode, IfCode, ItemCode, Node, Once, Op, StringPart, VariableCode,
};
use crate::eval::operators::{
    BlamedOperand, OperatorFault, arithmetic, compare, compare_integers, includes, negate, of_integers, splat,
};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_syntax::ast::BinaryOp;
use puppetfn_syntax::check_syntax;
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::named;
use puppetfn_types::value::{Hash, Value};

/// Puppet's name for the issue of a text used as a number.
const NUMERIC_COERCION: &str = "NUMERIC_COERCION";

/// Maximum size of a text whose memory is reused for later ones.
const KEPT_TEXT: usize = 4_096;

impl Machine {
    /// Evaluates an expression. The most frequent kinds are handled here, so that dispatching on the kind takes no
    /// frame of the native stack.
    pub(super) fn eval(&mut self, node: &Node, frame: Frame<'_>) -> EvalResult {
        match &node.op {
            Op::Constant(value) => Ok(value.clone()),
            Op::Slot(slot) => self.value_in(*slot, frame),
            Op::Binary(binary) => self.binary(binary, node, frame),
            Op::Call(call) => self.call(call, node, frame),
            Op::Method(call) => self.method(call, node, frame),
            Op::If(conditional) => self.conditional(conditional, frame),
            Op::Block(statements) => self.statements(statements, frame),
            Op::Variable(variable) => self.variable(variable, node, frame),
            Op::Text(parts) => self.text(parts, node.at, frame),
            _ => self.eval_other(node, frame),
        }
    }

    /// The same, for a node that is often an operator, a call or a condition.
    #[inline(always)]
    pub(super) fn eval_hot(&mut self, node: &Node, frame: Frame<'_>) -> EvalResult {
        match &node.op {
            Op::Binary(binary) => self.binary(binary, node, frame),
            Op::Call(call) => self.call(call, node, frame),
            Op::If(conditional) => self.conditional(conditional, frame),
            _ => self.eval(node, frame),
        }
    }

    #[inline(never)]
    fn eval_other(&mut self, node: &Node, frame: Frame<'_>) -> EvalResult {
        match &node.op {
            Op::Constant(_)
            | Op::Slot(_)
            | Op::Binary(_)
            | Op::Call(_)
            | Op::Method(_)
            | Op::If(_)
            | Op::Block(_)
            | Op::Variable(_)
            | Op::Text(_) => self.eval(node, frame),
            Op::Assign(assign) => self.assign(assign, node, frame),
            Op::Heredoc(heredoc) => self.heredoc(heredoc, frame),
            Op::Not(operand) => self.truth(operand, frame).map(|truth| Value::Boolean(!truth)),
            Op::And(operands) => {
                let [left, right] = &**operands;
                Ok(Value::Boolean(self.truth(left, frame)? && self.truth(right, frame)?))
            }
            Op::Or(operands) => {
                let [left, right] = &**operands;
                Ok(Value::Boolean(self.truth(left, frame)? || self.truth(right, frame)?))
            }
            Op::Access(access) => self.access(access, node, frame),
            Op::Literal(value) => Ok(value.duplicated_if_shared()),
            Op::Array(items) => self.array(items, node.at, frame),
            Op::Hash(entries) => self.hash(entries, node.at, frame),
            Op::Once(once) => match once.value.get() {
                Some(value) => Ok(value.duplicated_if_shared()),
                None => self.first(once, frame),
            },
            Op::Guarded(inner) => self.guarded(inner, frame),
            Op::Case(case) => self.case(case, frame),
            Op::Select(case) => self.select(case, frame),
            Op::Feature(index) => self.own_feature(*index, frame),
            Op::UnknownVariable(name) => self.unknown_variable(name, node, frame),
            Op::Group(number) => Ok(self.group(*number)),
            Op::TypeName(name) => self.type_named(name, node, frame),
            Op::Splat(operand) => self.splat(operand, frame),
            Op::Minus(operand) => self.minus(operand, node, frame),
            Op::RenderText(text) => self.render_text(text, node, frame),
            Op::Render(rendered) => self.render_value(rendered, node, frame),
            Op::Declare(what) => self.declare(what, node, frame),
            Op::Probe(probe) => {
                self.count(probe.counter, frame);
                self.eval(&probe.code, frame)
            }
            Op::Pause(pause) => self.paused(pause, frame),
            Op::Raise(message) => Err(Error::new(ErrorKind::Evaluation, message.to_string())),
            Op::Fail(message) => Err(failed(message, node, frame)),
            Op::Illegal(message) => Err(failure(node, frame, message)),
        }
    }

    /// Counts an evaluation of a probe's code.
    #[inline]
    pub(super) fn count(&self, counter: u32, frame: Frame<'_>) {
        if let Some(counters) = frame.context.unit.counters() {
            counters.hit(counter);
        }
    }

    /// Returns the value of an expression that need not be evaluated.
    #[inline(always)]
    fn at_hand<'v>(&'v self, node: &'v Node, frame: Frame<'_>) -> Option<&'v Value> {
        match &node.op {
            Op::Constant(value) | Op::Literal(value) => Some(value),
            Op::Slot(slot) => self.slot(frame, *slot),
            _ => None,
        }
    }

    /// Returns the operands, if they are integers that need not be evaluated.
    #[inline(always)]
    fn integers_at_hand(&self, [left, right]: &[Node; 2], frame: Frame<'_>) -> Option<(i64, i64)> {
        match (self.at_hand(left, frame)?, self.at_hand(right, frame)?) {
            (Value::Integer(left), Value::Integer(right)) => Some((*left, *right)),
            _ => None,
        }
    }

    #[inline(always)]
    fn slot(&self, frame: Frame<'_>, slot: u32) -> Option<&Value> {
        self.stack.get(frame.base.wrapping_add(slot as usize))?.as_ref()
    }

    #[inline(always)]
    fn value_in(&self, slot: u32, frame: Frame<'_>) -> EvalResult {
        match self.slot(frame, slot) {
            // A number is copied here; other values are copied by a function.
            Some(Value::Integer(number)) => Ok(Value::Integer(*number)),
            Some(value) => Ok(value.clone()),
            None => Ok(Value::Undef),
        }
    }

    #[inline(never)]
    pub(super) fn truth(&mut self, node: &Node, frame: Frame<'_>) -> Result<bool, Error> {
        match self.comparison(node, frame) {
            Some(truth) => Ok(truth),
            None => Ok(is_true(&self.eval(node, frame)?)),
        }
    }

    /// Returns the result of a comparison of integers, if the node is one.
    #[inline(always)]
    fn comparison(&self, node: &Node, frame: Frame<'_>) -> Option<bool> {
        let Op::Binary(binary) = &node.op else { return None };
        let (left, right) = self.integers_at_hand(&binary.operands, frame)?;
        compare_integers(binary.op, left, right)
    }

    #[inline(never)]
    fn conditional(&mut self, conditional: &IfCode, frame: Frame<'_>) -> EvalResult {
        let test = match self.comparison(&conditional.test, frame) {
            Some(truth) => truth,
            None => self.truth(&conditional.test, frame)?,
        };
        self.eval_hot(if test { &conditional.then } else { &conditional.otherwise }, frame)
    }

    #[inline(never)]
    fn statements(&mut self, statements: &[Node], frame: Frame<'_>) -> EvalResult {
        let Some((last, statements)) = statements.split_last() else { return Ok(Value::Undef) };
        for statement in statements {
            self.eval(statement, frame)?;
        }
        self.eval(last, frame)
    }

    #[cold]
    #[inline(never)]
    fn first(&mut self, once: &Once, frame: Frame<'_>) -> EvalResult {
        let value = self.eval(&once.code, frame)?;
        Ok(once.value.get_or_init(|| value).clone())
    }

    #[inline(never)]
    fn splat(&mut self, operand: &Node, frame: Frame<'_>) -> EvalResult {
        Ok(Value::Array(splat(&self.eval(operand, frame)?)))
    }

    #[inline(never)]
    pub(super) fn variable(&mut self, variable: &VariableCode, node: &Node, frame: Frame<'_>) -> EvalResult {
        let local = |slot: &u32| self.stack.get(frame.base.saturating_add(*slot as usize))?.clone();
        let value = variable.slots.iter().find_map(local);
        let value = match value.or_else(|| self.global(variable.own?)) {
            Some(value) => Some(value),
            None => self.outer_variable(&variable.name)?,
        };
        match value.or_else(|| self.global(variable.global?)) {
            Some(value) => Ok(value),
            // The runtime sets these where code belongs to a module.
            None if matches!(&*variable.name, "module_name" | "caller_module_name") => Ok(Value::Undef),
            None => self.unknown_variable(&variable.name, node, frame),
        }
    }

    /// Returns the result of reading a variable without a value.
    #[cold]
    fn unknown_variable(&self, name: &str, node: &Node, frame: Frame<'_>) -> EvalResult {
        let message = format!("Unknown variable: '{name}'.");
        let place = || frame.context.unit.place(node.at);
        if self.shared.strict_variables || self.shared.refuses("UNKNOWN_VARIABLE", &message, place) {
            return Err(failure(node, frame, message));
        }
        Ok(Value::Undef)
    }

    #[inline(never)]
    fn text(&mut self, parts: &[StringPart], at: u32, frame: Frame<'_>) -> EvalResult {
        // Its memory is used again and again, but not by a text that is in this one.
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        self.write_parts(parts, at, &mut text, frame)?;
        let value = Value::from(&*text);
        if text.capacity() <= KEPT_TEXT {
            self.text = text;
        } else {
            self.poll()?;
            self.memory.check_made(value.own_bytes(), &self.limits)?;
        }
        Ok(value)
    }

    /// Adds parts of a text that begins at an offset to it.
    #[inline]
    pub(super) fn write_parts(
        &mut self,
        parts: &[StringPart],
        at: u32,
        text: &mut String,
        frame: Frame<'_>,
    ) -> Result<(), Error> {
        for part in parts {
            match part {
                StringPart::Text(part) => text.push_str(part),
                StringPart::Code(node) => {
                    let written = match self.at_hand(node, frame) {
                        Some(value) => value.interpolate_into(text, &self.limits),
                        None => self.eval(node, frame)?.interpolate_into(text, &self.limits),
                    };
                    let placed = |error: Error| {
                        // Raised by a method `to_s` of the host's.
                        if matches!(error.kind(), ErrorKind::HostFailure(_)) {
                            return during(error, "an Expression in Interpolated String", at, frame);
                        }
                        during(error, "a Double Quoted String", node.at, frame)
                    };
                    written.and_then(|()| self.limits.check_text(text.len())).map_err(placed)?;
                }
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn heredoc(&mut self, heredoc: &HeredocCode, frame: Frame<'_>) -> EvalResult {
        let text = self.eval(&heredoc.text, frame)?;
        if let Value::String(produced) = &text
            && let Err(problem) = check_syntax(produced, &heredoc.syntax, self.shared.is_script, &self.limits)
        {
            let place = frame.context.unit.place(heredoc.text.at);
            return Err(Error::new(ErrorKind::Evaluation, problem.message).at(place));
        }
        Ok(text)
    }

    #[inline(never)]
    fn array(&mut self, items: &[ItemCode], at: u32, frame: Frame<'_>) -> EvalResult {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            let value = self.eval(&item.code, frame)?;
            match value {
                Value::Array(elements) if item.splat => {
                    let count = values.len().saturating_add(elements.len());
                    let checked = self.limits.check_elements(count);
                    checked.map_err(|error| during(error, "an Array", item.code.at, frame))?;
                    values.extend(elements.iter().cloned());
                }
                value => values.push(value),
            }
        }
        self.bounded(values.into()).map_err(|error| during(error, "an Array", at, frame))
    }

    #[inline(never)]
    fn hash(&mut self, entries: &[(Node, Node)], at: u32, frame: Frame<'_>) -> EvalResult {
        let mut hash = Hash::default();
        for (key, value) in entries {
            let key = self.eval(key, frame)?;
            hash.insert(key, self.eval(value, frame)?);
        }
        let hash = Value::Hash(std::sync::Arc::new(hash));
        self.bounded(hash).map_err(|error| during(error, "a Hash", at, frame))
    }

    #[inline(never)]
    fn access(&mut self, code: &AccessCode, node: &Node, frame: Frame<'_>) -> EvalResult {
        let operand = self.eval(&code.operand, frame)?;
        let of_class = matches!(&operand, Value::Type(t) if matches!(**t, Type::Class(_)));
        let mut eval_key = |key: &Node| match type_name(key) {
            // A name of no type is refused for not being a text, like any other value.
            Some(name) if of_class => named(name, &self.shared.types).map(Value::from),
            Some(_) | None => self.eval(key, frame),
        };
        let mut keys: SmallVec<[Value; 1]> = SmallVec::with_capacity(code.keys.len());
        for key in &code.keys {
            keys.push(eval_key(key)?);
        }
        if let Some(values) = self.resource_parameters(&operand, &keys) {
            return values.map_err(|message| failure(node, frame, message));
        }
        if let Some(value) = self.feature_of(&operand, &keys) {
            return value.map_err(|error| during(error, "an access expression", node.at, frame));
        }
        let value = self.accessed(node, frame, code, &operand, &mut keys)?;
        self.bounded(value).map_err(|error| during(error, "an access expression", node.at, frame))
    }

    /// Returns a value that has been made, unless it is too large: then it might as well have no end.
    #[inline]
    pub(super) fn bounded(&self, value: Value) -> EvalResult {
        value.check_extent(&self.limits)?;
        self.memory.check_made(value.own_bytes(), &self.limits)?;
        Ok(value)
    }

    /// Returns the values at the keys. A text of a number is used as the number, unless code is strict.
    fn accessed(
        &self,
        node: &Node,
        frame: Frame<'_>,
        code: &AccessCode,
        operand: &Value,
        keys: &mut [Value],
    ) -> EvalResult {
        loop {
            let fault = match access(operand, keys, &self.limits) {
                Ok(value) => {
                    self.refuse_bounds(&value)?;
                    return Ok(value);
                }
                Err(fault) => fault,
            };
            let place = || {
                let key = fault.key.and_then(|index| code.keys.get(index));
                frame.context.unit.place(key.map_or(node.at, |key| key.stands_at))
            };
            match (fault.number, fault.key.and_then(|index| keys.get_mut(index))) {
                (Some(number), Some(key @ Value::String(_)))
                    if !self.shared.refuses(NUMERIC_COERCION, &fault.message, place) =>
                {
                    *key = number;
                }
                _ => {
                    return Err(match fault.key.and_then(|index| code.keys.get(index)) {
                        Some(key) => misuse(key, frame, fault.message),
                        None => failure(node, frame, fault.message),
                    });
                }
            }
        }
    }

    #[inline(never)]
    fn minus(&mut self, operand: &Node, node: &Node, frame: Frame<'_>) -> EvalResult {
        let value = self.eval(operand, frame)?;
        match negate(&value) {
            Err(OperatorFault { number: Some(number), message, .. })
                if !self.shared.refuses(NUMERIC_COERCION, &message, || frame.context.unit.place(node.at)) =>
            {
                negate(&number).map_err(|fault| failure(node, frame, fault.message))
            }
            result => result.map_err(|fault| failure(node, frame, fault.message)),
        }
    }

    #[inline(never)]
    fn binary(&mut self, binary: &BinaryCode, node: &Node, frame: Frame<'_>) -> EvalResult {
        let BinaryCode { op, operands } = binary;
        if let Some((left, right)) = self.integers_at_hand(operands, frame)
            && let Some(result) = of_integers(*op, left, right)
        {
            return Ok(result);
        }
        let [left, right] = operands;
        match (self.eval_hot(left, frame)?, self.eval_hot(right, frame)?) {
            (Value::Integer(a), Value::Integer(b)) => match of_integers(*op, a, b) {
                Some(result) => Ok(result),
                None => self.binary_of_any(*op, a.into(), b.into(), operands, node, frame),
            },
            (left, right) => self.binary_of_any(*op, left, right, operands, node, frame),
        }
    }

    #[inline(never)]
    fn binary_of_any(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        operands: &[Node; 2],
        node: &Node,
        frame: Frame<'_>,
    ) -> EvalResult {
        if let Value::Array(_) | Value::Hash(_) = left {
            self.poll()?;
        }
        if self.shared.types.is_watching()
            && matches!(op, BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::In)
        {
            self.refuse_comparison(&left, &right)?;
        }
        let result = match op {
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Modulo
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight => {
                if let (BinaryOp::Add | BinaryOp::ShiftLeft, Value::Array(_) | Value::Hash(_)) = (op, &left) {
                    let count = |value: &Value| value.element_count().unwrap_or(1);
                    let count = count(&left).saturating_add(count(&right));
                    let checked = self.limits.check_elements(count);
                    checked.map_err(|error| during(error, "a '+' expression", node.at, frame))?;
                }
                self.arithmetic(op, left, right, operands, frame)
            }
            BinaryOp::Match | BinaryOp::NotMatch => {
                return self
                    .matches(&left, &right, operands, node, frame)
                    .map(|matched| Value::Boolean(matched == (op == BinaryOp::Match)));
            }
            BinaryOp::In => {
                let limits = self.limits;
                return includes(&right, &left, self, &limits)
                    .map(Value::Boolean)
                    .map_err(|error| during(error, "an 'in' expression", node.at, frame));
            }
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessOrEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterOrEqual
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Assign
            | BinaryOp::Append
            | BinaryOp::Delete
            | BinaryOp::Before
            | BinaryOp::Notify
            | BinaryOp::After
            | BinaryOp::Subscribe => compare(op, &left, &right, &self.limits).map(Value::Boolean),
        };
        let value = result.map_err(|fault| blame(&fault, operands, node, frame))?;
        self.bounded(value).map_err(|error| during(error, "an expression", node.at, frame))
    }

    /// Returns the result of an operation. A text of a number is used as the number, unless code is strict.
    fn arithmetic(
        &self,
        op: BinaryOp,
        mut left: Value,
        mut right: Value,
        operands: &[Node; 2],
        frame: Frame<'_>,
    ) -> Result<Value, OperatorFault> {
        let [left_node, right_node] = operands;
        loop {
            let fault = match arithmetic(op, &left, &right) {
                Ok(value) => return Ok(value),
                Err(fault) => fault,
            };
            let (operand, node) = match fault.blamed {
                BlamedOperand::Left => (&mut left, left_node),
                BlamedOperand::Right => (&mut right, right_node),
                BlamedOperand::Operator => return Err(fault),
            };
            let place = || frame.context.unit.place(node.stands_at);
            match &fault.number {
                Some(number) if !self.shared.refuses(NUMERIC_COERCION, &fault.message, place) => {
                    *operand = number.clone();
                }
                Some(_) | None => return Err(fault),
            }
        }
    }
}

#[cold]
fn failed(message: &str, node: &Node, frame: Frame<'_>) -> Error {
    Error::new(ErrorKind::Evaluation, message).at(frame.context.unit.place(node.at))
}

#[cold]
pub(super) fn blame(fault: &OperatorFault, operands: &[Node; 2], node: &Node, frame: Frame<'_>) -> Error {
    let [left, right] = operands;
    match fault.blamed {
        BlamedOperand::Left => misuse(left, frame, &fault.message),
        BlamedOperand::Right => misuse(right, frame, &fault.message),
        BlamedOperand::Operator => failure(node, frame, &fault.message),
    }
}

/// Returns the name of a type, where an expression is that and no more.
fn type_name(node: &Node) -> Option<&str> {
    if let Op::TypeName(name) = &node.op {
        Some(name)
    } else if let Op::Once(once) = &node.op {
        type_name(&once.code)
    } else {
        None
    }
}
