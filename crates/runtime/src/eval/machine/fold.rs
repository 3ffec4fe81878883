//! Folds: calls of a lambda with the accumulator and each element, as `reduce` makes them.
//!
//! A lambda that appends to its accumulator, `$memo + [$x]` or `"${memo}${x}"`, would copy all of it at each step. If the
//! lambda does nothing else with the accumulator, it is updated in place.

use std::sync::Arc;

use super::expr::blame;
use super::links::FunctionLinks;
use super::{CallSite, EvalResult, Frame, Machine, during};
use crate::eval::code::{BinaryCode, Node, Op, Routine, Slot, StringPart};
use crate::eval::operators::{OperatorFault, add_to_hash, elements};
use crate::eval::shared::FunctionTarget;
use puppetfn_base::error::{Error, Signal};
use puppetfn_syntax::ast::BinaryOp;
use puppetfn_types::value::{CallTarget, Closure, Hash, Value};

/// A value that nothing else refers to.
enum GrowingValue {
    Text(String),
    Array(Vec<Value>),
    Hash(Hash),
}

/// The accumulator of a fold.
struct FoldAccumulator {
    growing: GrowingValue,
    /// An upper bound of the number of elements, nested ones included.
    count: usize,
}

impl GrowingValue {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Text(text.to_string())),
            Value::Array(items) => Some(Self::Array(items.to_vec())),
            Value::Hash(hash) => Some(Self::Hash(Hash::clone(hash))),
            _ => None,
        }
    }

    fn into_value(self) -> Value {
        match self {
            Self::Text(text) => text.into(),
            Self::Array(items) => items.into(),
            Self::Hash(hash) => Value::Hash(Arc::new(hash)),
        }
    }

    /// Returns how many elements it has itself.
    fn len(&self) -> usize {
        match self {
            Self::Text(_) => 0,
            Self::Array(items) => items.len(),
            Self::Hash(hash) => hash.len(),
        }
    }

    /// Returns the number of elements, nested ones included.
    fn count(&self) -> usize {
        match self {
            Self::Text(_) => 0,
            Self::Array(items) => items.iter().map(counted).sum(),
            Self::Hash(hash) => {
                hash.iter().map(|(key, value)| counted(key).saturating_add(elements_in(value))).sum()
            }
        }
    }
}

/// Returns how many elements a value adds to a collection.
fn counted(value: &Value) -> usize {
    elements_in(value).saturating_add(1)
}

fn elements_in(value: &Value) -> usize {
    value.extent().elements as usize
}

impl Machine {
    /// Calls a block with the accumulator and each element; its result is the next accumulator. Returns the last one.
    pub(super) fn fold(
        &mut self,
        block: &Value,
        memo: Value,
        elements: &mut dyn Iterator<Item = Value>,
        caller: Option<&CallSite<'_>>,
    ) -> EvalResult {
        let mut memo = memo;
        let mut steps = 0usize;
        while let Some(element) = elements.next() {
            match self.call_block(block, &[memo.clone(), element], caller) {
                Ok(next) => memo = next,
                Err(error) if error.as_signal() == Some(&Signal::Break) => break,
                Err(error) => return Err(error),
            }
            steps = steps.saturating_add(1);
            // The functions that the lambda calls are known once they were called.
            if steps.is_power_of_two()
                && let Some((closure, routine)) = closure_of(block)
                && self.grows(routine, &memo)
                && let Some(growing) = GrowingValue::of(&memo)
            {
                return self.grow_over(closure, routine, growing, elements, caller);
            }
        }
        Ok(memo)
    }

    /// Returns true if a lambda does nothing with its first argument, now a value of this kind, but add to it.
    fn grows(&mut self, routine: &Routine, memo: &Value) -> bool {
        let links = self.links();
        let own = AccumulatorCheck { machine: self, links: &links, slot: routine.slots.start };
        routine.is_unchecked && routine.parameters.len() == 2 && own.is_grown(&routine.body, memo)
    }

    fn grow_over(
        &mut self,
        closure: &Closure,
        routine: &Routine,
        growing: GrowingValue,
        elements: &mut dyn Iterator<Item = Value>,
        caller: Option<&CallSite<'_>>,
    ) -> EvalResult {
        self.in_closure(closure, routine, caller, |machine, frame| {
            let count = growing.count();
            let mut sum = FoldAccumulator { growing, count };
            let groups = machine.groups.clone();
            for element in elements {
                machine.enter(&routine.name)?;
                machine.set_parameter(routine, frame, 1, element);
                machine.grow(&routine.body, &mut sum, frame)?;
                machine.groups.clone_from(&groups);
                machine.depth = machine.depth.saturating_sub(1);
            }
            machine.bounded(sum.growing.into_value())
        })
    }

    /// Evaluates code that [`AccumulatorCheck::is_grown`] accepts, and updates the accumulator in place.
    fn grow(&mut self, node: &Node, sum: &mut FoldAccumulator, frame: Frame<'_>) -> Result<(), Error> {
        match (&node.op, &mut sum.growing) {
            (Op::Text(parts), GrowingValue::Text(text)) => {
                self.write_parts(parts.get(1..).unwrap_or_default(), node.at, text, frame)
            }
            (Op::Binary(binary), _) => self.grow_by(binary, node, sum, frame),
            (Op::If(conditional), _) => {
                let test = self.truth(&conditional.test, frame)?;
                self.grow(if test { &conditional.then } else { &conditional.otherwise }, sum, frame)
            }
            (Op::Probe(probe), _) => {
                self.count(probe.counter, frame);
                self.grow(&probe.code, sum, frame)
            }
            // The lambda returns its accumulator unchanged.
            _ => Ok(()),
        }
    }

    fn grow_by(
        &mut self,
        binary: &BinaryCode,
        node: &Node,
        sum: &mut FoldAccumulator,
        frame: Frame<'_>,
    ) -> Result<(), Error> {
        let BinaryCode { op, operands } = binary;
        let limits = self.limits;
        let check =
            |count, label| limits.check_elements(count).map_err(|error| during(error, label, node.at, frame));
        let length = sum.growing.len();
        // Of a literal, no collection is made.
        let (length, count) = match (&mut sum.growing, &operands[1].op) {
            (GrowingValue::Array(items), Op::Array(added))
                if *op == BinaryOp::Add && added.iter().all(|item| !item.splat) =>
            {
                let mut count = added.len();
                for item in added {
                    let value = self.eval(&item.code, frame)?;
                    count = count.saturating_add(elements_in(&value));
                    items.push(value);
                }
                (items.len(), count)
            }
            (GrowingValue::Hash(hash), Op::Hash(added)) => {
                let mut count = added.len();
                for (key, value) in added {
                    let key = self.eval(key, frame)?;
                    let value = self.eval(value, frame)?;
                    count = count.saturating_add(elements_in(&key)).saturating_add(elements_in(&value));
                    hash.insert(key, value);
                }
                (length.saturating_add(added.len()), count)
            }
            (growing, _) => {
                let added = self.eval(&operands[1], frame)?;
                let length = length.saturating_add(added.element_count().unwrap_or(1));
                check(length, "a '+' expression")?;
                let count = add(growing, *op, added);
                (length, count.map_err(|fault| blame(&fault, operands, node, frame))?)
            }
        };
        check(length, "a '+' expression")?;
        sum.count = sum.count.saturating_add(count);
        if sum.count > limits.elements {
            // Entries of a hash that were replaced since have been counted, too.
            sum.count = sum.growing.count();
            check(sum.count, "an expression")?;
        }
        Ok(())
    }
}

/// Computes `growing op added`. Returns how many elements that has added at most.
fn add(growing: &mut GrowingValue, op: BinaryOp, added: Value) -> Result<usize, OperatorFault> {
    match (growing, op) {
        (GrowingValue::Array(items), BinaryOp::ShiftLeft) => {
            let count = counted(&added);
            items.push(added);
            Ok(count)
        }
        (GrowingValue::Array(items), _) => {
            let added = elements(&added);
            items.extend_from_slice(&added);
            Ok(elements_in(&Value::Array(added)))
        }
        (GrowingValue::Hash(hash), _) => {
            add_to_hash(hash, &added)?;
            Ok(counted(&added))
        }
        (GrowingValue::Text(_), _) => Ok(0),
    }
}

fn closure_of(block: &Value) -> Option<(&Closure, &Routine)> {
    let Value::Callable(callable) = block else { return None };
    let CallTarget::Closure(closure) = &callable.target else { return None };
    Some((closure, closure.code.downcast_ref()?))
}

/// The accumulator parameter of a lambda, which only code that appends to it may use.
struct AccumulatorCheck<'a> {
    slot: Slot,
    links: &'a FunctionLinks,
    machine: &'a Machine,
}

impl AccumulatorCheck<'_> {
    /// Returns true if code returns the parameter, as it is or with something appended, and does nothing else with it.
    fn is_grown(&self, node: &Node, memo: &Value) -> bool {
        match &node.op {
            Op::Slot(slot) => *slot == self.slot,
            Op::Probe(probe) => self.is_grown(&probe.code, memo),
            Op::If(conditional) => {
                self.is_apart(&conditional.test)
                    && self.is_grown(&conditional.then, memo)
                    && self.is_grown(&conditional.otherwise, memo)
            }
            Op::Text(parts) => match (parts.split_first(), memo) {
                (Some((StringPart::Code(first), rest)), Value::String(_)) => {
                    self.is_memo(first) && rest.iter().all(|part| self.is_part_apart(part))
                }
                _ => false,
            },
            Op::Binary(binary) => {
                let [left, right] = &binary.operands;
                let grows = match memo {
                    Value::Array(_) => matches!(binary.op, BinaryOp::Add | BinaryOp::ShiftLeft),
                    Value::Hash(_) => binary.op == BinaryOp::Add,
                    _ => false,
                };
                grows && self.is_memo(left) && self.is_apart(right)
            }
            _ => false,
        }
    }

    fn is_memo(&self, node: &Node) -> bool {
        matches!(node.op, Op::Slot(slot) if slot == self.slot)
    }

    fn is_part_apart(&self, part: &StringPart) -> bool {
        match part {
            StringPart::Text(_) => true,
            StringPart::Code(node) => self.is_apart(node),
        }
    }

    /// Returns true if code does not use the parameter, nor calls anything that could look at it, as functions in Ruby can
    /// at all variables of the code that calls them.
    fn is_apart(&self, node: &Node) -> bool {
        let are_apart = |nodes: &[Node]| nodes.iter().all(|node| self.is_apart(node));
        match &node.op {
            Op::Constant(_) | Op::Literal(_) | Op::Group(_) => true,
            Op::Slot(slot) => *slot != self.slot,
            Op::Variable(variable) => !variable.slots.contains(&self.slot),
            Op::Probe(probe) => self.is_apart(&probe.code),
            Op::Text(parts) => parts.iter().all(|part| self.is_part_apart(part)),
            Op::Array(items) => items.iter().all(|item| self.is_apart(&item.code)),
            Op::Hash(entries) => {
                entries.iter().all(|(key, value)| self.is_apart(key) && self.is_apart(value))
            }
            Op::Access(access) => self.is_apart(&access.operand) && are_apart(&access.keys),
            Op::Not(operand) | Op::Minus(operand) | Op::Splat(operand) => self.is_apart(operand),
            Op::And(operands) | Op::Or(operands) => are_apart(&**operands),
            Op::Binary(binary) => are_apart(&binary.operands),
            Op::If(conditional) => [&conditional.test, &conditional.then, &conditional.otherwise]
                .into_iter()
                .all(|node| self.is_apart(node)),
            Op::Call(call) | Op::Method(call) => {
                let is_pure = match self.machine.linked(self.links, call.function) {
                    Some(FunctionTarget::Function(function)) => function.is_pure(),
                    _ => false,
                };
                is_pure
                    && call.lambda.is_none()
                    && call.arguments.iter().all(|item| self.is_apart(&item.code))
            }
            _ => false,
        }
    }
}
