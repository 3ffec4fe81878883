//! Evaluates the code of templates.

mod methods;

use std::sync::Arc;

use puppetfn_base::limits::{Limits, Work};
use puppetfn_base::stack::StackBudget;
use puppetfn_types::value::{Hash, Value};

use crate::expression::{ClassTest, Expression, TemplateBlock, TemplateCall, TemplateCase, WhenPattern};
use crate::object::{EvaluationStop, StopResult, TemplateObject, are_equal};
use crate::scope::TemplateScope;

/// Renders a template; `None` if the result is not certain.
pub(crate) fn render(
    body: &Expression,
    locals: usize,
    scope: &dyn TemplateScope,
    limits: &Limits,
) -> Option<String> {
    let mut renderer = TemplateRenderer {
        scope,
        locals: vec![TemplateObject::NIL; locals],
        output: String::new(),
        work: Work::new(limits),
    };
    renderer.evaluate(body).ok()?;
    Some(renderer.output)
}

/// A template at work.
pub(crate) struct TemplateRenderer<'s> {
    scope: &'s dyn TemplateScope,
    locals: Vec<TemplateObject>,
    output: String,
    work: Work,
}

impl TemplateRenderer<'_> {
    pub fn limits(&self) -> &Limits {
        self.work.limits()
    }

    /// Counts steps of work besides the evaluation of code.
    pub fn spend(&self, steps: usize) -> StopResult<()> {
        self.work.spend_many(steps as u64).map_err(|_| EvaluationStop::Uncertain)
    }

    /// Checks the length of a text that is to be made.
    pub fn check_text(&self, length: usize) -> StopResult<()> {
        self.limits().check_text(length).map_err(|_| EvaluationStop::Uncertain)
    }

    pub fn evaluate(&mut self, code: &Expression) -> StopResult<TemplateObject> {
        self.spend(1)?;
        StackBudget::check().map_err(|_| EvaluationStop::Uncertain)?;
        Ok(match code {
            Expression::Literal(value) => TemplateObject::Value(value.clone()),
            Expression::Symbol(name) => TemplateObject::Symbol(Arc::clone(name)),
            Expression::Regex(regex) => TemplateObject::Regex(regex.clone()),
            Expression::Array(items) => TemplateObject::from(self.elements(items)?),
            Expression::Hash(entries) => self.hash(entries)?,
            Expression::Range(first, last, excludes_last) => self.range(first, last, *excludes_last)?,
            Expression::Interpolated(parts) => self.interpolated(parts)?,
            Expression::Local(index) => self.locals.get(*index).cloned().ok_or(EvaluationStop::Uncertain)?,
            Expression::SetLocal(index, value) => {
                let value = self.evaluate(value)?;
                self.set_local(*index, value.clone())?;
                value
            }
            Expression::Instance(name) => self.instance(name)?,
            Expression::Lookup(name) => self.variable(name)?.ok_or(EvaluationStop::Uncertain)?.into(),
            Expression::HasVariable(name) => (!self.instance(name)?.is_nil()).into(),
            Expression::IsDefined(name) if self.instance(name)?.is_nil() => TemplateObject::NIL,
            Expression::IsDefined(_) => "instance-variable".into(),
            Expression::Not(value) => match self.evaluate(value)? {
                // No class of Puppet or Ruby redefines `!`.
                TemplateObject::Value(value) => (!TemplateObject::Value(value).is_true()).into(),
                TemplateObject::Symbol(_)
                | TemplateObject::Range(..)
                | TemplateObject::Regex(_)
                | TemplateObject::Unnamed => false.into(),
            },
            Expression::And(left, right) => match self.evaluate(left)? {
                left if left.is_true() => self.evaluate(right)?,
                left => left,
            },
            Expression::Or(left, right) => match self.evaluate(left)? {
                left if left.is_true() => left,
                _ => self.evaluate(right)?,
            },
            Expression::If(condition, statements, otherwise) => {
                let holds = self.evaluate(condition)?.is_true();
                self.evaluate(if holds { statements } else { otherwise })?
            }
            Expression::Case(case) => self.case(case)?,
            Expression::IsA(test) => self.is_a(test)?,
            Expression::ToArray(value) => methods::to_array(self.evaluate(value)?)?,
            Expression::Call(call) => self.call(call)?,
            Expression::Template(name) => self.template(name)?,
            Expression::CompareVersions(left, right) => self.compare_versions(left, right)?,
            Expression::Append(local, value) => self.append(*local, value)?,
            Expression::Store(local, key, value) => self.store(*local, key, value)?,
            Expression::Sequence(statements) => self.sequence(statements)?,
            Expression::Text(text) => {
                self.print(text)?;
                TemplateObject::NIL
            }
            Expression::Output(value) => {
                let text = self.evaluate(value)?.to_text(self.limits())?.into_owned();
                self.print(&text)?;
                TemplateObject::NIL
            }
            Expression::Next(value) => return Err(EvaluationStop::Next(self.evaluate(value)?)),
        })
    }

    /// Evaluates statements, and returns the value of the last.
    fn sequence(&mut self, statements: &[Expression]) -> StopResult<TemplateObject> {
        let mut last = TemplateObject::NIL;
        for statement in statements {
            last = self.evaluate(statement)?;
        }
        Ok(last)
    }

    fn is_a(&mut self, test: &ClassTest) -> StopResult<TemplateObject> {
        let value = self.evaluate(&test.value)?;
        if test.is_safe && value.is_nil() {
            return Ok(TemplateObject::NIL);
        }
        value.is_a(test.class).map(TemplateObject::from)
    }

    fn template(&mut self, name: &Expression) -> StopResult<TemplateObject> {
        let name = self.evaluate(name)?;
        let text = self.scope.template(name.as_str()?).map_err(|_| EvaluationStop::Uncertain)?;
        text.map(TemplateObject::from).ok_or(EvaluationStop::Uncertain)
    }

    fn compare_versions(&mut self, left: &Expression, right: &Expression) -> StopResult<TemplateObject> {
        let (left, right) = (self.evaluate(left)?.into_element()?, self.evaluate(right)?.into_element()?);
        self.scope
            .compare_versions(&left, &right)
            .map(TemplateObject::from)
            .map_err(|_| EvaluationStop::Uncertain)
    }

    fn print(&mut self, text: &str) -> StopResult<()> {
        self.check_text(self.output.len().saturating_add(text.len()))?;
        self.output.push_str(text);
        Ok(())
    }

    fn elements(&mut self, items: &[Expression]) -> StopResult<Vec<Value>> {
        items.iter().map(|item| self.evaluate(item)?.into_element()).collect()
    }

    fn hash(&mut self, entries: &[(Expression, Expression)]) -> StopResult<TemplateObject> {
        let mut hash = Hash::with_capacity(entries.len());
        for (key, value) in entries {
            let key = self.evaluate(key)?.into_element()?;
            hash.insert(key, self.evaluate(value)?.into_element()?);
        }
        Ok(TemplateObject::Value(hash.into()))
    }

    fn range(
        &mut self,
        first: &Expression,
        last: &Expression,
        excludes_last: bool,
    ) -> StopResult<TemplateObject> {
        let (first, last) = (self.integer(first)?, self.integer(last)?);
        let end = last.checked_add(i64::from(!excludes_last)).ok_or(EvaluationStop::Uncertain)?;
        Ok(TemplateObject::Range(first, end))
    }

    fn integer(&mut self, code: &Expression) -> StopResult<i64> {
        self.evaluate(code)?.as_integer()
    }

    fn interpolated(&mut self, parts: &[Expression]) -> StopResult<TemplateObject> {
        let mut text = String::new();
        for part in parts {
            let part = self.evaluate(part)?;
            let part = part.to_text(self.limits())?;
            self.check_text(text.len().saturating_add(part.len()))?;
            text.push_str(&part);
        }
        Ok(text.into())
    }

    fn variable(&self, name: &str) -> StopResult<Option<Value>> {
        self.scope.variable(name).map_err(|_| EvaluationStop::Uncertain)
    }

    fn instance(&self, name: &str) -> StopResult<TemplateObject> {
        Ok(self.variable(name)?.map_or(TemplateObject::NIL, TemplateObject::from))
    }

    fn set_local(&mut self, index: usize, value: TemplateObject) -> StopResult<()> {
        *self.locals.get_mut(index).ok_or(EvaluationStop::Uncertain)? = value;
        Ok(())
    }

    /// Adds a value to the array or string of a local variable.
    fn append(&mut self, local: usize, value: &Expression) -> StopResult<TemplateObject> {
        let value = self.evaluate(value)?;
        let appended = match self.locals.get(local) {
            Some(TemplateObject::Value(Value::Array(items))) => {
                self.spend(items.len())?;
                let items = items.iter().cloned().chain([value.into_element()?]);
                TemplateObject::from(items.collect::<Vec<_>>())
            }
            Some(TemplateObject::Value(Value::String(text))) => {
                let more = value.as_str()?;
                self.check_text(text.len().saturating_add(more.len()))?;
                self.spend(text.len())?;
                TemplateObject::from(format!("{text}{more}"))
            }
            _ => return Err(EvaluationStop::Uncertain),
        };
        self.set_local(local, appended)?;
        Ok(TemplateObject::Unnamed)
    }

    /// Sets an entry of the hash of a local variable.
    fn store(&mut self, local: usize, key: &Expression, value: &Expression) -> StopResult<TemplateObject> {
        let key = self.evaluate(key)?.into_element()?;
        let value = self.evaluate(value)?.into_element()?;
        let Some(TemplateObject::Value(Value::Hash(hash))) = self.locals.get(local) else {
            return Err(EvaluationStop::Uncertain);
        };
        self.spend(hash.len())?;
        let mut hash = Hash::clone(hash);
        hash.insert(key, value);
        self.set_local(local, TemplateObject::Value(hash.into()))?;
        Ok(TemplateObject::Unnamed)
    }

    fn case(&mut self, case: &TemplateCase) -> StopResult<TemplateObject> {
        let subject = self.evaluate(&case.subject)?;
        for (patterns, statements) in &case.clauses {
            for pattern in patterns {
                if self.matches(pattern, &subject)? {
                    return self.evaluate(statements);
                }
            }
        }
        self.evaluate(&case.otherwise)
    }

    /// Returns the result of `===`.
    fn matches(&mut self, pattern: &WhenPattern, subject: &TemplateObject) -> StopResult<bool> {
        let pattern = match pattern {
            WhenPattern::Class(class) => return subject.is_a(*class),
            WhenPattern::Value(pattern) => self.evaluate(pattern)?,
        };
        match pattern {
            TemplateObject::Regex(regex) => match subject {
                TemplateObject::Value(Value::String(text)) => {
                    Ok(methods::first_match(text, &regex, 0)?.is_some())
                }
                TemplateObject::Value(Value::Undef) => Ok(false),
                TemplateObject::Value(_)
                | TemplateObject::Symbol(_)
                | TemplateObject::Range(..)
                | TemplateObject::Regex(_)
                | TemplateObject::Unnamed => Err(EvaluationStop::Uncertain),
            },
            TemplateObject::Range(first, end) => Ok((first..end).contains(&subject.as_integer()?)),
            pattern => are_equal(&pattern, subject),
        }
    }

    fn call(&mut self, call: &TemplateCall) -> StopResult<TemplateObject> {
        let receiver = self.evaluate(&call.receiver)?;
        if call.is_safe && receiver.is_nil() {
            return Ok(TemplateObject::NIL);
        }
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            arguments.push(self.evaluate(argument)?);
        }
        methods::call(self, call, &receiver, &arguments)
    }

    /// Calls a block with one object, which is taken apart if the block has several parameters.
    pub fn call_block(
        &mut self,
        block: &TemplateBlock,
        argument: TemplateObject,
    ) -> StopResult<TemplateObject> {
        match (&*block.parameters, argument) {
            ([], _) => self.call_block_with(block, Vec::new()),
            ([_], argument) => self.call_block_with(block, vec![argument]),
            (_, TemplateObject::Value(Value::Array(items))) => {
                self.call_block_with(block, items.iter().cloned().map(TemplateObject::from).collect())
            }
            (_, argument) => self.call_block_with(block, vec![argument]),
        }
    }

    /// Calls a block. Parameters without an argument are nil, arguments without a parameter are ignored.
    pub fn call_block_with(
        &mut self,
        block: &TemplateBlock,
        arguments: Vec<TemplateObject>,
    ) -> StopResult<TemplateObject> {
        for index in block.locals.clone() {
            self.set_local(index, TemplateObject::NIL)?;
        }
        for (index, argument) in block.parameters.iter().zip(arguments) {
            self.set_local(*index, argument)?;
        }
        match self.evaluate(&block.body) {
            Err(EvaluationStop::Next(value)) => Ok(value),
            outcome => outcome,
        }
    }
}
