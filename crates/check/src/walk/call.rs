//! Calls of functions.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use std::sync::Arc;

use super::super::abstraction::{accepts, any, bounded, certain, type_of, unknown_of};
use super::super::finding::Finding;
use super::super::kinds::ValueKinds;
use super::super::rule::Rule;
use super::super::world::Callee;
use super::advice::{REMOVAL, lacks, replacement_of};
use super::lambda::CheckedBlock;
use super::{FlowValue, Walk};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::source::Span;
use puppetfn_hiera::check_merge;
use puppetfn_syntax::ast::{Expr, ExprKind, FunctionCall, Lambda, MethodCall};
use puppetfn_types::convert::create::defined_by_features;
use puppetfn_types::function::{BlockUse, Control, Function, NoHost, Signature, find, possible_result};
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::describe::Messages;
use puppetfn_types::value::Value;

/// Functions that convert a text to a number, with a warning as their only effect.
const CONVERTING: [&str; 3] = ["abs", "ceiling", "floor"];

/// Functions that add classes to the catalog, by their names or references to them.
const INCLUDING: [&str; 3] = ["include", "contain", "require"];

/// The arguments of a call.
pub(super) struct CallArguments {
    pub values: Vec<Value>,
    /// Whether these are all: the elements of an unknown array that is spread are not among them.
    pub is_exact: bool,
}

/// A call, as far as it does not depend on how it is written.
pub(super) struct CheckedCall<'l, 's> {
    pub name: &'l str,
    pub lambda: Option<&'l Lambda<'s>>,
    /// The call without its block, from the position that Puppet reports.
    pub span: Span,
    /// The span of the name.
    pub name_span: Span,
    /// Whether the first argument may have a method of this name.
    pub may_be_method: bool,
}

impl CheckedCall<'_, '_> {
    /// Returns the span for an unknown function: the name, if the position that Puppet reports for the call is there.
    fn reported_name(&self) -> Span {
        if self.name_span.start == self.span.start { self.name_span } else { self.span }
    }
}

impl<'s> Walk<'_, 's> {
    pub(super) fn call(&mut self, call: &FunctionCall<'s>, expr: &Expr<'s>) -> FlowValue {
        let lambda = call.lambda.as_ref();
        if let ExprKind::Name(name) = call.function.kind {
            let arguments = self.arguments(Vec::new(), &call.arguments)?;
            if INCLUDING.contains(&name.trim_start_matches("::")) {
                call.arguments.iter().for_each(|argument| self.included_resource(argument));
            }
            let (span, name_span) = (self.call_span(expr, lambda), call.function.span);
            let site = CheckedCall { name, lambda, span, name_span, may_be_method: false };
            return self.named_call(&site, arguments);
        }
        let callee = self.expr(&call.function)?;
        let is_type = ValueKinds::of(&callee) == ValueKinds::TYPE;
        let arguments = self.arguments(vec![callee], &call.arguments)?;
        if is_type {
            let span = self.call_span(expr, lambda);
            let site = CheckedCall { name: "new", lambda, span, name_span: span, may_be_method: true };
            return self.named_call(&site, arguments);
        }
        self.unknown_block(lambda);
        Some(any())
    }

    pub(super) fn method(&mut self, method: &MethodCall<'s>, expr: &Expr<'s>) -> FlowValue {
        let receiver = self.expr(&method.receiver)?;
        let with_methods = ValueKinds::FOREIGN
            .or(ValueKinds::URI)
            .or(ValueKinds::TYPE)
            .or(ValueKinds::CALLABLE)
            .or(ValueKinds::ITERATOR);
        let may_be_method = ValueKinds::of(&receiver).meets(with_methods);
        let arguments = self.arguments(vec![receiver], &method.arguments)?;
        let lambda = method.lambda.as_ref();
        let (span, name_span) = (self.call_span(expr, lambda), method.name_span);
        let site = CheckedCall { name: method.name, lambda, span, name_span, may_be_method };
        self.named_call(&site, arguments)
    }

    /// Returns the span of a call without its block.
    fn call_span(&self, expr: &Expr<'s>, lambda: Option<&Lambda<'s>>) -> Span {
        let span = expr.diagnostic_span();
        let end = lambda.map_or(span.end, |lambda| lambda.span.start.max(span.start));
        Span { end, ..span }.trimmed(self.text)
    }

    fn arguments(&mut self, mut values: Vec<Value>, exprs: &[Expr<'s>]) -> Option<CallArguments> {
        let mut is_exact = true;
        for expr in exprs {
            let value = self.expr(expr)?;
            match value {
                Value::Array(items) if super::literal::is_splat(expr) => values.extend(items.iter().cloned()),
                _ if super::literal::is_splat(expr) => is_exact = false,
                value => values.push(value),
            }
        }
        Some(CallArguments { values, is_exact })
    }

    fn named_call(&mut self, site: &CheckedCall<'_, 's>, arguments: CallArguments) -> FlowValue {
        if (self.is_redefined)(site.name.trim_start_matches("::")) {
            self.unknown_block(site.lambda);
            return Some(any());
        }
        let callee = self.world.function(site.name, self.origin);
        let mut block_use = BlockUse::Unknown;
        if let Callee::Native(function) = &callee {
            if let Some(control) = function.control() {
                if arguments.is_exact
                    && let Err(error) = self.find(site, function.signatures(), &arguments.values, None)
                {
                    self.failed(&error, site.span);
                }
                self.leave(control, site, arguments);
                return None;
            }
            if function.names_classes() {
                arguments.values.iter().for_each(|value| {
                    self.class_names(value, site.span);
                    self.note_included(value);
                });
            }
            block_use = function.block_use();
        }
        match &callee {
            Callee::Native(_) => {
                self.advise(site, &arguments);
                self.known_call(site, &arguments);
            }
            Callee::Declared(_) | Callee::Legacy(_) | Callee::Opaque => self.removed_function(site),
            Callee::Unsure | Callee::Missing => {}
        }
        if arguments.is_exact {
            self.created(site.name, &arguments.values, site.span);
            self.files_read(site.name.trim_start_matches("::"), &arguments.values, site.span);
            self.puppetdb_query(site.name.trim_start_matches("::"), &arguments.values, site.span);
        }
        let block = site.lambda.map(|lambda| self.block(block_use, lambda, &arguments));
        Some(match callee {
            Callee::Native(function) if self.legacy_arity(&function, site, &arguments) => any(),
            Callee::Legacy(arity) => {
                if arguments.is_exact {
                    self.wrong_arity(arity, site, arguments.values.len());
                }
                any()
            }
            Callee::Native(function) => self.native_call(&function, site, &arguments, block),
            Callee::Declared(signatures) => self.declared_call(&signatures, site, &arguments, block),
            Callee::Opaque => any(),
            Callee::Unsure => self.unsure_function(site),
            Callee::Missing if site.may_be_method => self.unsure_function(site),
            Callee::Missing => {
                let message = format!("Unknown function: '{}'.", site.name);
                if let Some(replacement) = replacement_of(site.name) {
                    let message = format!("{message} {REMOVAL}; use {replacement}");
                    return Some(self.report(Rule::UnknownFunction, site.reported_name(), message));
                }
                let names = self.world.function_names();
                let written = (self.text, site.name_span.start);
                let finding = Finding::new(Rule::UnknownFunction, message, site.reported_name());
                self.note(finding.meant(site.name, names.iter().map(String::as_str), written))
            }
        })
    }

    /// Returns the result of a function that a module which is not there may have, or an object as its method.
    fn unsure_function(&mut self, site: &CheckedCall<'_, 's>) -> Value {
        if let Some(replacement) = replacement_of(site.name).filter(|_| !site.may_be_method) {
            let message = lacks(site.name, replacement);
            self.report(Rule::DeprecatedFunction, site.reported_name(), message);
            return any();
        }
        let meant = self.world.function_meant(site.name, self.origin);
        self.probably(
            Rule::UnknownFunction,
            &format!("Unknown function: '{}'.", site.name),
            meant,
            site.reported_name(),
        );
        any()
    }

    /// Records the effect of a call that does not return.
    fn leave(&mut self, control: Control, site: &CheckedCall<'_, 's>, arguments: CallArguments) {
        let argument = arguments.values.into_iter().next();
        match control {
            Control::Next => self.next(argument.unwrap_or(Value::Undef)),
            // A value returned this way is not checked.
            Control::Return => self.returns(argument.unwrap_or(Value::Undef)),
            Control::Break => self.breaks(site),
            Control::Fail => self.unknown_block(site.lambda),
        }
    }

    /// Reports `break` in code that belongs to no lambda. A template or a plan may be called from one.
    fn breaks(&mut self, site: &CheckedCall<'_, 's>) {
        if self.nexts.is_empty() && self.surroundings.is_resource && !self.in_plan {
            self.report(Rule::FailingCall, site.span, "break() from context where this is illegal");
        }
    }

    fn native_call(
        &mut self,
        function: &Arc<Function>,
        site: &CheckedCall<'_, 's>,
        arguments: &CallArguments,
        block: Option<CheckedBlock>,
    ) -> Value {
        let values = &arguments.values;
        if !arguments.is_exact || !values.iter().all(is_definite) {
            return any();
        }
        if let Some(made) = made(site.name, values) {
            return made;
        }
        if site.name == "lookup" && block.is_none() {
            self.lookup(site, values);
        }
        if let [Value::String(_)] = values.as_slice()
            && CONVERTING.contains(&site.name.trim_start_matches("::"))
            && let Err(error) = function.call(&NoHost, values, None)
            && *error.kind() == ErrorKind::ArgumentMismatch
        {
            return self.failed(&error, site.span);
        }
        if block.is_none() && function.is_pure() {
            return match function.call(&NoHost, values, None) {
                Ok(value) => self.called(value),
                Err(error) => {
                    let mismatch = self.find(site, function.signatures(), values, None).err();
                    self.failed(&mismatch.unwrap_or(error), site.span)
                }
            };
        }
        let states = |signature: &Signature| signature.parameter_types().iter().all(|t| certain(t) == *t);
        let is_known = !values.iter().any(Value::contains_unknown);
        if !is_known && !function.signatures().iter().all(states) {
            return any();
        }
        let callable = block.as_ref().map(|block| &block.callable);
        match self.find(site, function.signatures(), values, callable) {
            Ok(()) => {}
            Err(error) => return self.failed(&error, site.span),
        }
        if let ("assert_type", [Value::Type(t), value], None) = (site.name, values.as_slice(), &block)
            && accepts(t, value, self.limits()) == Verdict::No
        {
            let actual = type_of(value, self.limits());
            let error = Messages::Puppet.assertion_error("assert_type():", t, actual);
            return self.report(Rule::FailingCall, site.span, error.message().trim());
        }
        let block = block.as_ref().map(|block| &block.resulting);
        let result = function.return_type_for(values, block, self.limits());
        result.map_or_else(|_| any(), |t| Value::unknown(certain(&t)))
    }

    /// Reports data that is not of the type that it is looked up with.
    fn lookup(&mut self, site: &CheckedCall<'_, 's>, arguments: &[Value]) {
        if let [_, _, merge @ (Value::String(_) | Value::Hash(_)), ..] = arguments
            && !merge.contains_unknown()
            && let Err(error) = check_merge(merge, self.limits())
        {
            self.report(Rule::FailingCall, site.span, error.message());
            return;
        }
        let (key, t, merge) = match arguments {
            [Value::String(key), Value::Type(t)] => (key, t, None),
            [Value::String(key), Value::Type(t), merge @ (Value::String(_) | Value::Hash(_))] => {
                (key, t, Some(merge))
            }
            _ => return,
        };
        if let Some((message, place)) = self.world.looked_up(key, t, merge) {
            let finding = Finding::new(Rule::DataValue, message, site.span);
            self.note(finding.declared(format!("'{key}' has this value here"), place.as_ref()));
        }
    }

    /// Returns the result of a call, as far as it is the same at any time.
    fn called(&self, value: Value) -> Value {
        match value {
            Value::Timestamp(_) => Value::unknown(Type::Timestamp(Arc::default())),
            Value::Unknown(t) => Value::unknown(certain(&t)),
            value => bounded(value, self.limits()),
        }
    }

    fn declared_call(
        &mut self,
        signatures: &Arc<[Signature]>,
        site: &CheckedCall<'_, 's>,
        arguments: &CallArguments,
        block: Option<CheckedBlock>,
    ) -> Value {
        let callable = block.map(|block| block.callable);
        if !arguments.is_exact {
            return any();
        }
        if let Err(error) = self.find(site, signatures, &arguments.values, callable.as_ref()) {
            let is_mismatch = *error.kind() == ErrorKind::ArgumentMismatch && error.as_signal().is_none();
            let place = self.world.place_of_function(site.name);
            let Some(place) = place.filter(|_| is_mismatch) else {
                return self.failed(&error, site.span);
            };
            let finding = Finding::new(Rule::ArgumentMismatch, error.message().trim(), site.span);
            return self.note(finding.declared(format!("'{}' is declared here", site.name), Some(place)));
        }
        let references: Vec<&Value> = arguments.values.iter().collect();
        let result = possible_result(signatures, &references, callable.as_ref(), self.limits());
        result.ok().flatten().map_or_else(any, |t| Value::unknown(certain(&t)))
    }

    /// Looks for a signature that may accept the arguments.
    fn find(
        &self,
        site: &CheckedCall<'_, 's>,
        signatures: &[Signature],
        values: &[Value],
        block: Option<&Value>,
    ) -> Result<(), Error> {
        let references: Vec<&Value> = values.iter().collect();
        match find(signatures, &references, block, self.limits()) {
            Ok(None) => Err(self.mismatch(site.name.trim_start_matches("::"), signatures, values, block)),
            Ok(Some(_)) | Err(_) => Ok(()),
        }
    }

    /// Reports the error of a call, if it is one of Puppet's.
    fn failed(&mut self, error: &Error, at: Span) -> Value {
        let rule = match error.kind() {
            _ if error.as_signal().is_some() => return any(),
            ErrorKind::ArgumentMismatch => Rule::ArgumentMismatch,
            ErrorKind::Conversion | ErrorKind::TypeAssertion | ErrorKind::Evaluation | ErrorKind::Syntax => {
                Rule::FailingCall
            }
            _ => return any(),
        };
        self.report(rule, at, error.message().trim())
    }
}

/// Returns an object of a type that is defined by its features, if the call makes one: that takes code to be run.
fn made(function: &str, arguments: &[Value]) -> Option<Value> {
    let (("new", [Value::Type(t), ..]) | ("convert_to", [_, Value::Type(t), ..])) = (function, arguments)
    else {
        return None;
    };
    defined_by_features(t).map(|_| unknown_of(t))
}

/// Returns true if a value, known or not, is of a type whose values are certain.
fn is_definite(value: &Value) -> bool {
    match value {
        Value::Unknown(t) => certain(t) == **t,
        _ => true,
    }
}
