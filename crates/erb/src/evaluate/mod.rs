//! Evaluates the code of templates.

mod methods;

use std::sync::Arc;

use puppetfn_base::limits::{Limits, Work};
use puppetfn_base::stack::Evaluation;
use puppetfn_types::value::{Hash, Value};

use crate::expression::{Block, Call, Case, ClassTest, Expression, Pattern};
use crate::object::{Object, Outcome, Stop, are_equal};
use crate::scope::Scope;

/// Renders a template; `None` if the result is not certain.
pub(crate) fn render(body: &Expression, locals: usize, scope: &dyn Scope, limits: &Limits) -> Option<String> {
    let mut renderer =
        Renderer { scope, locals: vec![Object::NIL; locals], output: String::new(), work: Work::new(limits) };
    renderer.evaluate(body).ok()?;
    Some(renderer.output)
}

/// A template at work.
pub(crate) struct Renderer<'s> {
    scope: &'s dyn Scope,
    locals: Vec<Object>,
    output: String,
    work: Work,
}

impl Renderer<'_> {
    pub fn limits(&self) -> &Limits {
        self.work.limits()
    }

    /// Counts steps of work besides the evaluation of code.
    pub fn spend(&self, steps: usize) -> Outcome<()> {
        self.work.spend_many(steps as u64).map_err(|_| Stop::Uncertain)
    }

    /// Checks the length of a text that is to be made.
    pub fn check_text(&self, length: usize) -> Outcome<()> {
        self.limits().check_text(length).map_err(|_| Stop::Uncertain)
    }

    pub fn evaluate(&mut self, code: &Expression) -> Outcome<Object> {
        self.spend(1)?;
        Evaluation::check().map_err(|_| Stop::Uncertain)?;
        Ok(match code {
            Expression::Literal(value) => Object::Value(value.clone()),
            Expression::Symbol(name) => Object::Symbol(Arc::clone(name)),
            Expression::Regex(regex) => Object::Regex(regex.clone()),
            Expression::Array(items) => Object::from(self.elements(items)?),
            Expression::Hash(entries) => self.hash(entries)?,
            Expression::Range(first, last, excludes_last) => self.range(first, last, *excludes_last)?,
            Expression::Interpolated(parts) => self.interpolated(parts)?,
            Expression::Local(index) => self.locals.get(*index).cloned().ok_or(Stop::Uncertain)?,
            Expression::SetLocal(index, value) => {
                let value = self.evaluate(value)?;
                self.set_local(*index, value.clone())?;
                value
            }
            Expression::Instance(name) => self.instance(name)?,
            Expression::Lookup(name) => self.variable(name)?.ok_or(Stop::Uncertain)?.into(),
            Expression::HasVariable(name) => (!self.instance(name)?.is_nil()).into(),
            Expression::IsDefined(name) if self.instance(name)?.is_nil() => Object::NIL,
            Expression::IsDefined(_) => "instance-variable".into(),
            Expression::Not(value) => match self.evaluate(value)? {
                // No class of Puppet or Ruby redefines `!`.
                Object::Value(value) => (!Object::Value(value).is_true()).into(),
                Object::Symbol(_) | Object::Range(..) | Object::Regex(_) | Object::Unnamed => false.into(),
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
                Object::NIL
            }
            Expression::Output(value) => {
                let text = self.evaluate(value)?.to_text(self.limits())?.into_owned();
                self.print(&text)?;
                Object::NIL
            }
            Expression::Next(value) => return Err(Stop::Next(self.evaluate(value)?)),
        })
    }

    /// Evaluates statements, and returns the value of the last.
    fn sequence(&mut self, statements: &[Expression]) -> Outcome<Object> {
        let mut last = Object::NIL;
        for statement in statements {
            last = self.evaluate(statement)?;
        }
        Ok(last)
    }

    fn is_a(&mut self, test: &ClassTest) -> Outcome<Object> {
        let value = self.evaluate(&test.value)?;
        if test.is_safe && value.is_nil() {
            return Ok(Object::NIL);
        }
        value.is_a(test.class).map(Object::from)
    }

    fn template(&mut self, name: &Expression) -> Outcome<Object> {
        let name = self.evaluate(name)?;
        let text = self.scope.template(name.as_str()?).map_err(|_| Stop::Uncertain)?;
        text.map(Object::from).ok_or(Stop::Uncertain)
    }

    fn compare_versions(&mut self, left: &Expression, right: &Expression) -> Outcome<Object> {
        let (left, right) = (self.evaluate(left)?.into_element()?, self.evaluate(right)?.into_element()?);
        self.scope.compare_versions(&left, &right).map(Object::from).map_err(|_| Stop::Uncertain)
    }

    fn print(&mut self, text: &str) -> Outcome<()> {
        self.check_text(self.output.len().saturating_add(text.len()))?;
        self.output.push_str(text);
        Ok(())
    }

    fn elements(&mut self, items: &[Expression]) -> Outcome<Vec<Value>> {
        items.iter().map(|item| self.evaluate(item)?.into_element()).collect()
    }

    fn hash(&mut self, entries: &[(Expression, Expression)]) -> Outcome<Object> {
        let mut hash = Hash::with_capacity(entries.len());
        for (key, value) in entries {
            let key = self.evaluate(key)?.into_element()?;
            hash.insert(key, self.evaluate(value)?.into_element()?);
        }
        Ok(Object::Value(hash.into()))
    }

    fn range(&mut self, first: &Expression, last: &Expression, excludes_last: bool) -> Outcome<Object> {
        let (first, last) = (self.integer(first)?, self.integer(last)?);
        let end = last.checked_add(i64::from(!excludes_last)).ok_or(Stop::Uncertain)?;
        Ok(Object::Range(first, end))
    }

    fn integer(&mut self, code: &Expression) -> Outcome<i64> {
        self.evaluate(code)?.as_integer()
    }

    fn interpolated(&mut self, parts: &[Expression]) -> Outcome<Object> {
        let mut text = String::new();
        for part in parts {
            let part = self.evaluate(part)?;
            let part = part.to_text(self.limits())?;
            self.check_text(text.len().saturating_add(part.len()))?;
            text.push_str(&part);
        }
        Ok(text.into())
    }

    fn variable(&self, name: &str) -> Outcome<Option<Value>> {
        self.scope.variable(name).map_err(|_| Stop::Uncertain)
    }

    fn instance(&self, name: &str) -> Outcome<Object> {
        Ok(self.variable(name)?.map_or(Object::NIL, Object::from))
    }

    fn set_local(&mut self, index: usize, value: Object) -> Outcome<()> {
        *self.locals.get_mut(index).ok_or(Stop::Uncertain)? = value;
        Ok(())
    }

    /// Adds a value to the array or string of a local variable.
    fn append(&mut self, local: usize, value: &Expression) -> Outcome<Object> {
        let value = self.evaluate(value)?;
        let appended = match self.locals.get(local) {
            Some(Object::Value(Value::Array(items))) => {
                self.spend(items.len())?;
                let items = items.iter().cloned().chain([value.into_element()?]);
                Object::from(items.collect::<Vec<_>>())
            }
            Some(Object::Value(Value::String(text))) => {
                let more = value.as_str()?;
                self.check_text(text.len().saturating_add(more.len()))?;
                self.spend(text.len())?;
                Object::from(format!("{text}{more}"))
            }
            _ => return Err(Stop::Uncertain),
        };
        self.set_local(local, appended)?;
        Ok(Object::Unnamed)
    }

    /// Sets an entry of the hash of a local variable.
    fn store(&mut self, local: usize, key: &Expression, value: &Expression) -> Outcome<Object> {
        let key = self.evaluate(key)?.into_element()?;
        let value = self.evaluate(value)?.into_element()?;
        let Some(Object::Value(Value::Hash(hash))) = self.locals.get(local) else {
            return Err(Stop::Uncertain);
        };
        self.spend(hash.len())?;
        let mut hash = Hash::clone(hash);
        hash.insert(key, value);
        self.set_local(local, Object::Value(hash.into()))?;
        Ok(Object::Unnamed)
    }

    fn case(&mut self, case: &Case) -> Outcome<Object> {
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
    fn matches(&mut self, pattern: &Pattern, subject: &Object) -> Outcome<bool> {
        let pattern = match pattern {
            Pattern::Class(class) => return subject.is_a(*class),
            Pattern::Value(pattern) => self.evaluate(pattern)?,
        };
        match pattern {
            Object::Regex(regex) => match subject {
                Object::Value(Value::String(text)) => Ok(methods::first_match(text, &regex, 0)?.is_some()),
                Object::Value(Value::Undef) => Ok(false),
                Object::Value(_)
                | Object::Symbol(_)
                | Object::Range(..)
                | Object::Regex(_)
                | Object::Unnamed => Err(Stop::Uncertain),
            },
            Object::Range(first, end) => Ok((first..end).contains(&subject.as_integer()?)),
            pattern => are_equal(&pattern, subject),
        }
    }

    fn call(&mut self, call: &Call) -> Outcome<Object> {
        let receiver = self.evaluate(&call.receiver)?;
        if call.is_safe && receiver.is_nil() {
            return Ok(Object::NIL);
        }
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            arguments.push(self.evaluate(argument)?);
        }
        methods::call(self, call, &receiver, &arguments)
    }

    /// Calls a block with one object, which is taken apart if the block has several parameters.
    pub fn call_block(&mut self, block: &Block, argument: Object) -> Outcome<Object> {
        match (&*block.parameters, argument) {
            ([], _) => self.call_block_with(block, Vec::new()),
            ([_], argument) => self.call_block_with(block, vec![argument]),
            (_, Object::Value(Value::Array(items))) => {
                self.call_block_with(block, items.iter().cloned().map(Object::from).collect())
            }
            (_, argument) => self.call_block_with(block, vec![argument]),
        }
    }

    /// Calls a block. Parameters without an argument are nil, arguments without a parameter are ignored.
    pub fn call_block_with(&mut self, block: &Block, arguments: Vec<Object>) -> Outcome<Object> {
        for index in block.locals.clone() {
            self.set_local(index, Object::NIL)?;
        }
        for (index, argument) in block.parameters.iter().zip(arguments) {
            self.set_local(*index, argument)?;
        }
        match self.evaluate(&block.body) {
            Err(Stop::Next(value)) => Ok(value),
            outcome => outcome,
        }
    }
}
