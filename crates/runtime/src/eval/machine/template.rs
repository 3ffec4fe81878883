//! Evaluating templates.
//!
//! See Puppet's `pops/evaluator/epp_evaluator.rb`.

use std::sync::Arc;

use super::routine::refuse_reserved;
use super::{CallSite, EvalResult, Frame, Machine, during};
use crate::eval::code::{Node, TemplateCode};
use crate::eval::load::load_template;
use crate::eval::templates::{OWNER, TemplateContext};
use puppetfn_base::error::{Error, ErrorKind, Signal};
use puppetfn_catalog::{ParameterArgument, ScopeId, check_parameters};
use puppetfn_types::function::EppTemplate;
use puppetfn_types::value::{Hash, Value};

/// The output of a template while it is evaluated.
pub(super) struct TemplateOutput {
    /// The index of the call of the template.
    index: usize,
    text: String,
    is_sensitive: bool,
}

impl Machine {
    /// Evaluates a template, which has the arguments as variables.
    pub fn render(
        &mut self,
        template: &EppTemplate<'_>,
        arguments: Option<&Hash>,
        site: Option<CallSite<'_>>,
    ) -> EvalResult {
        self.begin();
        let (locals, values) = match site {
            Some(site) if template.sees_locals => self.locals_in_sight(site),
            None if template.sees_locals => self.host_caller().map_or_else(Default::default, |caller| {
                caller
                    .locals(&self.shared)
                    .into_iter()
                    .map(|(name, value)| (Box::from(&*name), value))
                    .unzip()
            }),
            Some(_) | None => (Vec::new(), Vec::new()),
        };
        let class = (template.sees_locals && self.scope != ScopeId::TOP).then(|| self.class_around());
        let given = arguments.map(|arguments| {
            let names = arguments.iter().filter_map(|(name, _)| text_of(name).map(Box::from));
            names.collect::<Box<[_]>>()
        });
        let surroundings = TemplateContext { locals: locals.into(), class, arguments: given };
        let compiled = load_template(&self.shared, template, surroundings)?;
        self.enter(template.function)?;
        let (scope, groups) = (self.scope, self.groups.clone());
        if !template.sees_locals {
            self.scope = self.global_scope();
            self.groups = None;
        }
        let base = self.stack.len();
        let first = values.len();
        self.stack.extend(values.into_iter().map(Some));
        let caller = site.as_ref();
        let result =
            self.in_called_frame(base, compiled.frame_size, &compiled.unit, caller, |machine, frame| {
                let result = machine.set_arguments(&compiled, first, arguments, frame);
                result.and_then(|()| machine.run_template(&compiled, frame))
            });
        self.stack.truncate(base);
        self.depth = self.depth.saturating_sub(1);
        self.scope = scope;
        self.groups = groups;
        result
    }

    /// Returns the variables that have values in the functions and lambdas around a call.
    fn locals_in_sight(&self, CallSite { frame, at }: CallSite<'_>) -> (Vec<Box<str>>, Vec<Value>) {
        let (mut names, mut values) = (Vec::<Box<str>>::new(), Vec::new());
        for name in frame.context.unit.names_in_sight(at) {
            if !names.iter().any(|known| **known == *name)
                && let Some(value) = self.local_named(name, frame, at)
            {
                names.push(name.into());
                values.push(value);
            }
        }
        (names, values)
    }

    /// Binds the parameters, whose slots begin at `first`.
    fn set_arguments(
        &mut self,
        template: &TemplateCode,
        first: usize,
        arguments: Option<&Hash>,
        frame: Frame<'_>,
    ) -> Result<(), Error> {
        let given = |name: &str| arguments.and_then(|arguments| arguments.get_str(name));
        let position = |index: usize| frame.base.saturating_add(first).saturating_add(index);
        for (index, parameter) in template.parameters.iter().enumerate() {
            let value = given(&parameter.name);
            let is_missing = parameter.default.is_some() && matches!(value, Some(Value::Undef));
            if let Some(slot) = self.stack.get_mut(position(index)) {
                *slot = value.filter(|_| !is_missing).cloned();
            }
        }
        if template.declares_parameters {
            for (index, parameter) in template.parameters.iter().enumerate() {
                let Some(default) = &parameter.default else { continue };
                if matches!(self.stack.get(position(index)), Some(None)) {
                    let groups = self.groups.clone();
                    let value = self.eval(default, frame);
                    self.groups = groups;
                    let value = Some(value.map_err(Error::landed)?);
                    if let Some(slot) = self.stack.get_mut(position(index)) {
                        *slot = value;
                    }
                }
            }
            let typed = self.named_parameters(&template.parameters, frame)?;
            let index_of = |name: &str| template.parameters.iter().position(|known| *known.name == *name);
            let value = |name: &str| {
                self.stack.get(position(index_of(name)?)).cloned().flatten().map(ParameterArgument::Value)
            };
            let mut unknown = arguments.into_iter().flat_map(Hash::iter).filter_map(|(name, value)| {
                let name = text_of(name).filter(|_| *value != Value::Undef)?;
                index_of(name).is_none().then_some(name)
            });
            let messages = self.shared.host.messages();
            check_parameters(&typed, &OWNER, &value, &mut unknown, &self.limits, messages)?;
        }
        refuse_reserved(&template.parameters)
    }

    fn run_template(&mut self, template: &TemplateCode, frame: Frame<'_>) -> EvalResult {
        let height = self.renderings.len();
        self.renderings.push(TemplateOutput {
            index: frame.context.index,
            text: String::new(),
            is_sensitive: false,
        });
        let result = self.eval(&template.body, frame);
        let rendering = self.renderings.pop();
        self.renderings.truncate(height);
        match (result, rendering) {
            (Ok(_), Some(TemplateOutput { text, is_sensitive: false, .. })) => Ok(text.into()),
            (Ok(_), Some(TemplateOutput { text, .. })) => Ok(Value::Sensitive(Arc::new(text.into()))),
            (Ok(value), None) => Ok(value),
            (Err(error), _) if error.as_signal() == Some(&Signal::Next) && template.declares_parameters => {
                Ok(std::mem::replace(&mut self.jump, Value::Undef))
            }
            (Err(error), _) => Err(error),
        }
    }

    #[inline(never)]
    pub(super) fn render_text(&mut self, text: &str, node: &Node, frame: Frame<'_>) -> EvalResult {
        self.add_text(text, false, frame).map_err(|error| during(error, "an Epp Text", node.at, frame))
    }

    #[inline(never)]
    pub(super) fn render_value(&mut self, rendered: &Node, node: &Node, frame: Frame<'_>) -> EvalResult {
        let value = self.eval(rendered, frame)?;
        let result = match &value {
            Value::String(text) => self.add_text(text, false, frame),
            Value::Sensitive(inner) => {
                inner.interpolated(&self.limits).and_then(|text| self.add_text(&text, true, frame))
            }
            other => other.interpolated(&self.limits).and_then(|text| self.add_text(&text, false, frame)),
        };
        result.map_err(|error| during(error, "an Epp Interpolated Expression", node.at, frame))
    }

    /// Appends to the output of the enclosing template, which may not be the last one that was entered.
    fn add_text(&mut self, text: &str, is_sensitive: bool, frame: Frame<'_>) -> EvalResult {
        let rendering =
            self.renderings.iter_mut().rev().find(|rendering| rendering.index == frame.context.index);
        let Some(rendering) = rendering else {
            return Err(Error::new(ErrorKind::Internal, "what is rendered is in no template"));
        };
        self.limits.check_text(rendering.text.len().saturating_add(text.len()))?;
        rendering.text.push_str(text);
        rendering.is_sensitive |= is_sensitive;
        Ok(Value::Undef)
    }
}

fn text_of(value: &Value) -> Option<&str> {
    if let Value::String(text) = value { Some(text) } else { None }
}
