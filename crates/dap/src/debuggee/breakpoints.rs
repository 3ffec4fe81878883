//! Breakpoints: on lines, and on functions, classes and defined types by name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use puppetfn_runtime::eval::{PausePoint, PausedEvaluation};
use puppetfn_types::value::Value as PuppetValue;
use serde::Deserialize;
use serde_json::json;

use super::Session;
use super::control::Stop;
use super::paused::shown_error;
use super::sources;
use crate::protocol::{Reply, Request, output};

/// All breakpoints.
#[derive(Default)]
pub(super) struct Breakpoints {
    lines: HashMap<PathBuf, Vec<Breakpoint<u32>>>,
    functions: Vec<Breakpoint<String>>,
    last_id: i64,
}

/// A breakpoint at a place: an offset, or the name of a definition.
#[derive(Clone, Debug)]
struct Breakpoint<P> {
    id: i64,
    place: P,
    options: BreakpointOptions,
    /// How often the code has been at the place while the condition held.
    hits: u64,
}

/// The options of a breakpoint: its conditions and its message.
#[derive(Clone, Deserialize, Default, Debug)]
#[serde(rename_all = "camelCase")]
struct BreakpointOptions {
    condition: Option<String>,
    hit_condition: Option<String>,
    log_message: Option<String>,
}

#[derive(Deserialize)]
struct SetBreakpoints {
    source: Source,
    #[serde(default)]
    breakpoints: Vec<SourceBreakpoint>,
}

#[derive(Deserialize)]
struct Source {
    path: Option<PathBuf>,
}

#[derive(Deserialize)]
struct SourceBreakpoint {
    line: u32,
    #[serde(flatten)]
    options: BreakpointOptions,
}

#[derive(Deserialize)]
struct SetFunctionBreakpoints {
    breakpoints: Vec<FunctionBreakpoint>,
}

#[derive(Deserialize)]
struct FunctionBreakpoint {
    name: String,
    #[serde(flatten)]
    options: BreakpointOptions,
}

impl BreakpointOptions {
    /// Returns the problem with the options, if there is one.
    fn problem(&self) -> Option<String> {
        let hit = self.hit_condition.as_deref()?;
        HitCondition::parse(hit)
            .is_none()
            .then(|| format!("'{hit}' is no count: write N, >= N, > N, == N or % N"))
    }
}

/// The condition on the number of hits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HitCondition {
    From(u64),
    Exactly(u64),
    Every(u64),
}

impl HitCondition {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let number = |rest: &str| rest.trim().parse::<u64>().ok();
        if let Some(rest) = text.strip_prefix(">=") {
            return number(rest).map(Self::From);
        }
        if let Some(rest) = text.strip_prefix('>') {
            return number(rest).map(|count| Self::From(count.saturating_add(1)));
        }
        if let Some(rest) = text.strip_prefix('%') {
            return number(rest).filter(|count| *count > 0).map(Self::Every);
        }
        number(text.strip_prefix("==").or_else(|| text.strip_prefix('=')).unwrap_or(text)).map(Self::Exactly)
    }

    fn holds(self, hits: u64) -> bool {
        match self {
            Self::From(least) => hits >= least,
            Self::Exactly(count) => hits == count,
            Self::Every(count) => hits.is_multiple_of(count),
        }
    }
}

impl Session {
    pub(super) fn set_breakpoints(&self, request: &Request) -> Reply {
        let SetBreakpoints { source, breakpoints } = request.arguments()?;
        let path = source.path.ok_or("breakpoints need the path of a file")?;
        let real = sources::without_links(&path).unwrap_or(path);
        let places = self.sources.read(&real).map(|source| source.pauses().to_vec());
        let mut control = self.control();
        let mut set = Vec::new();
        let mut shown = Vec::new();
        for SourceBreakpoint { line, options } in breakpoints {
            control.breakpoints.last_id += 1;
            let id = control.breakpoints.last_id;
            let found = match &places {
                Ok(places) => {
                    let wanted = control.client.line_from_1(line);
                    let found = places.iter().find(|place| place.line >= wanted);
                    found.ok_or_else(|| "no code from this line on".to_owned())
                }
                Err(message) => Err(message.clone()),
            };
            shown.push(match (found, options.problem()) {
                (Ok(place), None) => {
                    set.push(Breakpoint { id, place: place.offset, options, hits: 0 });
                    json!({"id": id, "verified": true, "line": control.client.line(place.line)})
                }
                (Err(message), _) | (_, Some(message)) => {
                    json!({"id": id, "verified": false, "message": message})
                }
            });
        }
        control.breakpoints.lines.insert(real, set);
        Ok(json!({"breakpoints": shown}))
    }

    pub(super) fn set_function_breakpoints(&self, request: &Request) -> Reply {
        let SetFunctionBreakpoints { breakpoints } = request.arguments()?;
        let mut control = self.control();
        let (mut set, mut shown) = (Vec::new(), Vec::new());
        for FunctionBreakpoint { name, options } in breakpoints {
            control.breakpoints.last_id += 1;
            let id = control.breakpoints.last_id;
            let name = name.trim().trim_start_matches("::").to_lowercase();
            shown.push(match options.problem() {
                None => {
                    set.push(Breakpoint { id, place: name, options, hits: 0 });
                    json!({"id": id, "verified": true})
                }
                Some(message) => json!({"id": id, "verified": false, "message": message}),
            });
        }
        control.breakpoints.functions = set;
        Ok(json!({"breakpoints": shown}))
    }

    /// Returns the stop of the breakpoints at a place, if the conditions of one hold.
    pub(super) fn breakpoint_at(&self, evaluation: &mut PausedEvaluation<'_>) -> Option<Stop> {
        let lines = self.lines_at(evaluation);
        let functions = self.functions_at(evaluation);
        let hit = |ids: Vec<(i64, BreakpointOptions)>, evaluation: &mut PausedEvaluation<'_>| -> Vec<i64> {
            ids.into_iter()
                .filter(|(id, options)| self.is_hit(*id, options, evaluation))
                .map(|(id, _)| id)
                .collect()
        };
        let (lines, functions) = (hit(lines, evaluation), hit(functions, evaluation));
        let reason = match (lines.is_empty(), functions.is_empty()) {
            (true, true) => return None,
            (false, _) => "breakpoint",
            (true, false) => "function breakpoint",
        };
        Some(Stop { reason, breakpoints: [lines, functions].concat(), ..Stop::default() })
    }

    fn lines_at(&self, evaluation: &PausedEvaluation<'_>) -> Vec<(i64, BreakpointOptions)> {
        let control = self.control();
        if control.breakpoints.lines.values().all(Vec::is_empty) {
            return Vec::new();
        }
        let Some(path) = evaluation.file().and_then(|file| self.sources.real_path(file)) else {
            return Vec::new();
        };
        let in_file = control.breakpoints.lines.get::<Path>(&path).into_iter().flatten();
        let here = in_file.filter(|breakpoint| breakpoint.place == evaluation.offset());
        here.map(|breakpoint| (breakpoint.id, breakpoint.options.clone())).collect()
    }

    fn functions_at(&self, evaluation: &PausedEvaluation<'_>) -> Vec<(i64, BreakpointOptions)> {
        if evaluation.point() != PausePoint::Body || self.control().breakpoints.functions.is_empty() {
            return Vec::new();
        }
        let source = self.sources.of_text(evaluation.text());
        let Some(name) = source.definition_with_body(evaluation.offset()) else { return Vec::new() };
        let control = self.control();
        let named = control.breakpoints.functions.iter().filter(|breakpoint| breakpoint.place == name);
        named.map(|breakpoint| (breakpoint.id, breakpoint.options.clone())).collect()
    }

    /// Returns true if the conditions of a breakpoint hold, and it is to pause the code.
    fn is_hit(&self, id: i64, options: &BreakpointOptions, evaluation: &mut PausedEvaluation<'_>) -> bool {
        if let Some(condition) = options.condition.as_deref().filter(|text| !text.trim().is_empty()) {
            match self.evaluate_here(condition, evaluation) {
                Ok(PuppetValue::Undef | PuppetValue::Boolean(false)) => return false,
                Ok(_) => {}
                // Not to pause would hide the mistake.
                Err(message) => {
                    self.send(output("console", &format!("condition '{condition}': {message}\n")))
                }
            }
        }
        let hits = self.control().breakpoints.count_hit(id);
        if let Some(hit) = options.hit_condition.as_deref().and_then(HitCondition::parse)
            && !hit.holds(hits)
        {
            return false;
        }
        match options.log_message.as_deref().filter(|text| !text.is_empty()) {
            Some(text) => {
                let message = self.interpolated(text, evaluation);
                self.send(output("console", &format!("{message}\n")));
                false
            }
            None => true,
        }
    }

    fn evaluate_here(
        &self,
        code: &str,
        evaluation: &mut PausedEvaluation<'_>,
    ) -> Result<PuppetValue, String> {
        let frames = evaluation.frames();
        let frame = frames.first().ok_or("there is no frame")?;
        self.evaluating(|| evaluation.evaluate(frame, code)).map_err(|error| shown_error(&error))
    }

    /// Returns the text of a logpoint, in which `{code}` stands for the value of code.
    fn interpolated(&self, text: &str, evaluation: &mut PausedEvaluation<'_>) -> String {
        let mut message = String::new();
        let mut rest = text;
        while let Some((before, code, after)) = next_code(rest) {
            message.push_str(before);
            match self.evaluate_here(code, evaluation) {
                Ok(value) => message.push_str(&value.interpolated(&self.limits).unwrap_or_default()),
                Err(problem) => message.push_str(&format!("<{problem}>")),
            }
            rest = after;
        }
        message + rest
    }
}

/// Splits a text at its first code in braces, which may itself have braces.
fn next_code(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let mut depth = 1_usize;
    for (index, character) in rest.char_indices() {
        match character {
            '{' => depth = depth.saturating_add(1),
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some((before, rest.get(..index)?, rest.get(index.saturating_add(1)..)?));
        }
    }
    None
}

impl Breakpoints {
    /// Counts a hit, and returns the number of hits with it.
    fn count_hit(&mut self, id: i64) -> u64 {
        let lines = self.lines.values_mut().flatten().map(|breakpoint| (breakpoint.id, &mut breakpoint.hits));
        let functions = self.functions.iter_mut().map(|breakpoint| (breakpoint.id, &mut breakpoint.hits));
        let Some((_, hits)) = lines.chain(functions).find(|(known, _)| *known == id) else { return 0 };
        *hits = hits.saturating_add(1);
        *hits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_counted_in_the_ways_of_editors() {
        for (text, holds) in [
            ("3", vec![3]),
            ("== 3", vec![3]),
            (">= 3", vec![3, 4, 5, 6]),
            ("> 3", vec![4, 5, 6]),
            ("%2", vec![2, 4, 6]),
        ] {
            let condition = HitCondition::parse(text).unwrap();
            assert_eq!((1..=6).filter(|hits| condition.holds(*hits)).collect::<Vec<_>>(), holds, "{text}");
        }
        assert_eq!([HitCondition::parse("often"), HitCondition::parse("% 0")], [None, None]);
    }

    #[test]
    fn code_of_logpoints_may_have_braces() {
        assert_eq!(next_code("a {{'b' => 1}['b']} c"), Some(("a ", "{'b' => 1}['b']", " c")));
        assert_eq!(next_code("no { code"), None);
    }
}
