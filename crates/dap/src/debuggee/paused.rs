//! The requests about paused code.

use puppetfn_base::error::Error;
use puppetfn_runtime::eval::{PausedEvaluation, StackFrame};
use serde::Deserialize;
use serde_json::{Value, json};

use super::control::{Step, Stop};
use super::variables::{VariableTree, text};
use super::{Session, THREAD};
use crate::protocol::{Reply, Request, event, response};

/// The state of one pause.
struct Pause<'p, 'm> {
    session: &'p Session,
    evaluation: &'p mut PausedEvaluation<'m>,
    frames: Vec<StackFrame>,
    tree: VariableTree,
    stop: &'p Stop,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StackTrace {
    #[serde(default)]
    start_frame: usize,
    levels: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Scopes {
    frame_id: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Variables {
    variables_reference: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SetVariable {
    variables_reference: i64,
    name: String,
    value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Evaluate {
    expression: String,
    frame_id: Option<usize>,
}

impl Session {
    /// Answers requests about the code until the editor resumes it.
    pub(super) fn pause(&self, evaluation: &mut PausedEvaluation<'_>, stop: &Stop) {
        self.control().is_paused = true;
        self.send(event(
            "stopped",
            json!({
                "reason": stop.reason,
                "threadId": THREAD,
                "allThreadsStopped": true,
                "text": stop.text,
                "hitBreakpointIds": stop.breakpoints,
            }),
        ));
        let frames = evaluation.frames();
        let mut pause = Pause { session: self, evaluation, frames, tree: VariableTree::default(), stop };
        // The channel is closed when the editor is gone.
        while let Ok(request) = self.requests.recv() {
            if let Some(step) = pause.step(&request.command) {
                self.control().resume(step);
                self.send(response(&request, Ok(json!({"allThreadsContinued": true}))));
                return;
            }
            let reply = pause.answer(&request);
            self.send(response(&request, reply));
        }
        self.control().is_paused = false;
    }
}

impl Pause<'_, '_> {
    /// Returns the step of a request that resumes the code; `None` for other requests.
    fn step(&self, command: &str) -> Option<Step> {
        Some(match command {
            "continue" => Step::None,
            "next" => Step::Over(self.evaluation.depth()),
            "stepIn" => Step::Into,
            "stepOut" => Step::Out(self.evaluation.depth()),
            _ => return None,
        })
    }

    fn answer(&mut self, request: &Request) -> Reply {
        match &*request.command {
            "stackTrace" => request.arguments().map(|trace| self.stack_trace(&trace)),
            "scopes" => self.scopes(request.arguments()?),
            "variables" => {
                let Variables { variables_reference } = request.arguments()?;
                let shown = self.tree.shown(variables_reference, &self.session.limits);
                shown.ok_or_else(|| "the variables are of an earlier pause".to_owned())
            }
            "setVariable" => self.set_variable(&request.arguments()?),
            "evaluate" => self.evaluate(&request.arguments()?),
            "exceptionInfo" => match &self.stop.text {
                Some(text) => Ok(json!({"exceptionId": "Error", "description": text, "breakMode": "always"})),
                None => Err("the code is not paused by an error".to_owned()),
            },
            other => Err(format!("puppetfn has no request '{other}'")),
        }
    }

    fn stack_trace(&self, trace: &StackTrace) -> Value {
        let levels = trace.levels.filter(|levels| *levels > 0).unwrap_or(usize::MAX);
        let wanted = self.frames.iter().enumerate().skip(trace.start_frame).take(levels);
        let shown: Vec<Value> = wanted.map(|(index, frame)| self.frame(index, frame)).collect();
        json!({"stackFrames": shown, "totalFrames": self.frames.len()})
    }

    fn frame(&self, index: usize, frame: &StackFrame) -> Value {
        let control = self.session.control();
        let place = frame.place();
        let source = match (&place.file, frame.code()) {
            (Some(file), _) => {
                let path = self.session.sources.real_path(file);
                json!({"name": file_name(file), "path": path.map_or_else(|| file.to_string(), |path| path.display().to_string())})
            }
            (None, Some((text, _))) => {
                json!({"name": "code", "sourceReference": self.session.sources.reference(text)})
            }
            (None, None) => Value::Null,
        };
        let column = frame.code().map_or(1, |(text, offset)| column(text, offset));
        json!({
            "id": index,
            "name": self.name(frame),
            "source": source,
            "line": control.client.line(place.line.unwrap_or(1)),
            "column": control.client.column(column),
            "presentationHint": if frame.code().is_some() { "normal" } else { "subtle" },
        })
    }

    /// Returns the name of a frame: of its function or template, or of the class or resource whose code it is.
    fn name(&self, frame: &StackFrame) -> String {
        if let Some(template) = frame.place().file.as_deref().filter(|file| file.ends_with(".epp")) {
            return file_name(template).to_owned();
        }
        let source = frame.code().map(|(text, offset)| (self.session.sources.of_text(text), offset));
        let function = source.as_ref().and_then(|(source, offset)| source.function_at(*offset));
        let container = frame.container().map(ToString::to_string).filter(|name| name != "Class[main]");
        match (function, container) {
            (Some(function), _) => function.to_owned(),
            (None, container) => {
                let owner = container.unwrap_or_else(|| "main".to_owned());
                if frame.is_local() { format!("{owner}, lambda") } else { owner }
            }
        }
    }

    fn scopes(&mut self, Scopes { frame_id }: Scopes) -> Reply {
        let frame = self.frames.get(frame_id).ok_or("there is no such frame")?;
        let locals = self.evaluation.locals(frame);
        let class = self.evaluation.class_variables(frame);
        let node = self.evaluation.node_variables();
        let top = self.evaluation.top_variables();
        let defaults = self.evaluation.resource_defaults(frame);
        let owner = frame.container().map_or_else(|| "Class".to_owned(), ToString::to_string);
        let facts = top.iter().find(|(name, _)| &**name == "facts").map(|(_, facts)| facts.clone());
        let mut scopes = Vec::new();
        for (name, variables) in [("Locals", locals), (&*owner, class), ("Node", node), ("Top scope", top)] {
            if !variables.is_empty() {
                let number = self.tree.add_scope(frame_id, variables);
                scopes.push(
                    json!({"name": name, "variablesReference": number, "expensive": name == "Top scope"}),
                );
            }
        }
        for (name, values) in [("Facts", facts), ("Resource defaults", defaults)] {
            let shown = values.map(|values| self.tree.value(&values, &self.session.limits));
            if let Some(number) =
                shown.and_then(|shown| shown.get("variablesReference")?.as_i64()).filter(|n| *n > 0)
            {
                scopes
                    .push(json!({"name": name, "variablesReference": number, "expensive": name == "Facts"}));
            }
        }
        Ok(json!({"scopes": scopes}))
    }

    fn set_variable(&mut self, SetVariable { variables_reference, name, value }: &SetVariable) -> Reply {
        let index = self.tree.branch(*variables_reference).and_then(|branch| branch.frame);
        let frame = index
            .and_then(|index| self.frames.get(index))
            .ok_or("only variables can be set, not elements")?;
        let evaluation = &mut *self.evaluation;
        let set = || {
            let value = evaluation.evaluate(frame, value)?;
            evaluation.set(frame, name.trim_start_matches('$'), value.clone())?;
            Ok(value)
        };
        let value = self.session.evaluating(set).map_err(|error| shown_error(&error))?;
        self.tree.replace(*variables_reference, name, &value);
        Ok(self.tree.value(&value, &self.session.limits))
    }

    fn evaluate(&mut self, Evaluate { expression, frame_id }: &Evaluate) -> Reply {
        let frame = self.frames.get(frame_id.unwrap_or_default()).ok_or("there is no such frame")?;
        let evaluation = &mut *self.evaluation;
        let result = self.session.evaluating(|| evaluation.evaluate(frame, expression));
        let value = result.map_err(|error| shown_error(&error))?;
        let mut shown = self.tree.value(&value, &self.session.limits);
        if let Value::Object(fields) = &mut shown {
            fields.remove("value");
            fields.insert("result".to_owned(), text(&value, &self.session.limits).into());
        }
        Ok(shown)
    }
}

/// Returns the message of an error in code of the editor, without its place in this code.
pub(super) fn shown_error(error: &Error) -> String {
    error.message().to_owned()
}

/// Returns the last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Returns the column of an offset, from 1, in the units of the protocol.
fn column(text: &str, offset: u32) -> u32 {
    let before = text.get(..offset as usize).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    u32::try_from(line.encode_utf16().count()).unwrap_or(u32::MAX).saturating_add(1)
}
