//! The actions of the page on code.

use puppetfn::check::World;
use puppetfn::graph::render;
use puppetfn::prelude::*;
use puppetfn::source::LineIndex;
use puppetfn::syntax::{parse, to_pn};

use crate::{Action, Answer, OutputFormat, Problem, Request};

/// The name of the code in messages.
const FILE: &str = "site.pp";

/// Limits that a page can afford. Its stack is a browser's, which is smaller than a program's.
const LIMITS: Limits = Limits { fuel: Some(20_000_000), calls: 200, stack: 512 * 1024, ..Limits::DEFAULT };

impl Request {
    /// Returns the answer.
    pub fn answer(&self) -> Answer {
        let done = match self.action {
            Action::Evaluate => self.evaluated(|value| Ok(value.to_indented_literal(0))),
            Action::Infer => self.evaluated(|value| Ok(value.inferred_set(&LIMITS)?.to_string())),
            Action::Check => Ok(self.check()),
            Action::Format => puppetfn::fmt::FormatOptions::default()
                .format(&self.code, &LIMITS)
                .map(|code| Answer::with(OutputFormat::Puppet, code)),
            Action::Parse => parse(&self.code, &LIMITS)
                .map(|program| Answer::with(OutputFormat::Text, to_pn(&program, true))),
            Action::Compile => {
                self.compiled(|draft| Ok(Answer::with(OutputFormat::Puppet, draft.to_code(&LIMITS)?)))
            }
            Action::Catalog => self.compiled(|draft| {
                let json = serde_json::to_string_pretty(&catalog(draft)?);
                Ok(json.map_or_else(
                    |error| Answer::failed(error.to_string()),
                    |json| Answer::with(OutputFormat::Json, json),
                ))
            }),
            Action::Graph => self.compiled(|draft| {
                let drawn = render::svg(&catalog(draft)?.graph());
                Ok(drawn.map_or_else(
                    |error| Answer::failed(error.to_string()),
                    |svg| Answer::with(OutputFormat::Svg, svg),
                ))
            }),
        };
        done.unwrap_or_else(Answer::from)
    }

    /// Evaluates the code as a script, and shows its value.
    fn evaluated(&self, show: impl FnOnce(&Value) -> Result<String, Error>) -> Result<Answer, Error> {
        let logs = Logs::default();
        let runtime = Runtime::builder().facts(self.facts()?).limits(LIMITS).host(logs.clone()).build();
        let shown = runtime.evaluate(&self.code, Some(FILE)).and_then(|value| show(&value));
        let answer = shown.map_or_else(Answer::from, |text| Answer::with(OutputFormat::Puppet, text));
        Ok(answer.logging(logs.take()))
    }

    /// Compiles the code as the main manifest of the node, and shows its catalog.
    fn compiled(&self, show: impl FnOnce(&Draft) -> Result<Answer, Error>) -> Result<Answer, Error> {
        let logs = Logs::default();
        let runtime = Runtime::builder()
            .manifests()
            .node(self.node.as_deref().unwrap_or("localhost"))
            .facts(self.facts()?)
            .limits(LIMITS)
            .host(logs.clone())
            .build();
        let main = Manifest { text: self.code.clone(), file: Some(FILE.into()) };
        let answer =
            runtime.compile(&[main], &[]).and_then(|draft| show(&draft)).unwrap_or_else(Answer::from);
        Ok(answer.logging(logs.take()))
    }

    /// Checks the code without evaluating it.
    fn check(&self) -> Answer {
        let lines = LineIndex::new(&self.code);
        let found = World::of_modulepath::<&str>([]).check_text(&self.code);
        let problems = found.iter().map(|finding| Problem::of(finding, &self.code, &lines)).collect();
        Answer { output: Some(String::new()), problems, ..Answer::default() }
    }

    fn facts(&self) -> Result<Hash, Error> {
        match &self.facts {
            None | Some(Value::Undef) => Ok(Hash::default()),
            Some(facts) => <&Hash>::try_from(facts).cloned(),
        }
    }
}

/// Returns the catalog as agents get it.
fn catalog(draft: &Draft) -> Result<Catalog, Error> {
    Ok(draft.finish(Identity::new("production"), Selection::Real, &LIMITS)?.catalog)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(action: &str, code: &str) -> serde_json::Value {
        let request = serde_json::json!({
            "action": action, "code": code, "node": "web", "facts": {"os": {"family": "Debian"}},
        });
        serde_json::from_str(&crate::answer(&request.to_string())).unwrap()
    }

    #[test]
    fn code_is_evaluated_with_facts() {
        let answer =
            answer("evaluate", "notice('hi')\n[1, 2].map |$n| { \"${n} ${facts['os']['family']}\" }");
        assert_eq!(answer["output"], "['1 Debian', '2 Debian']");
        assert_eq!(answer["log"][0]["message"], "hi");
        assert_eq!(answer["log"][0]["level"], "notice");
    }

    #[test]
    fn types_are_inferred() {
        assert_eq!(answer("infer", "{ a => 1 }")["output"], "Struct[{'a' => Integer[1, 1]}]");
    }

    #[test]
    fn an_error_has_its_place() {
        let answer = answer("evaluate", "$a = 1\n$b = $a + $missing");
        let problem = &answer["problems"][0];
        assert_eq!(answer["output"], serde_json::Value::Null);
        assert_eq!((problem["line"].as_u64(), problem["column"].as_u64()), (Some(2), Some(11)));
    }

    #[test]
    fn mistakes_are_found_without_evaluation() {
        let answer = answer("check", "file { '/etc/motd': ensrue => file }");
        let problem = &answer["problems"][0];
        assert_eq!(problem["rule"], "unknown-parameter");
        assert_eq!(problem["severity"], "error");
    }

    #[test]
    fn code_is_formatted_and_parsed() {
        assert_eq!(answer("format", "$a=1")["output"], "$a = 1\n");
        assert_eq!(answer("parse", "$a = 1")["output"], "(=\n  (var\n    \"a\")\n  1)");
    }

    #[test]
    fn a_node_is_compiled_and_drawn() {
        let code = "node web { file { '/tmp/a': } -> notify { 'b': } }";
        assert!(answer("compile", code)["output"].as_str().unwrap().contains("notify { 'b':"));
        let catalog = answer("catalog", code)["output"].as_str().unwrap().to_owned();
        assert_eq!(catalog.parse::<Catalog>().unwrap().node(), "web");
        let graph = answer("graph", code);
        assert_eq!(graph["format"], "svg");
        assert!(graph["output"].as_str().unwrap().contains("Notify[b]"));
    }

    #[test]
    fn endless_code_ends() {
        let recursion = answer("evaluate", "function f() { f() } f()");
        assert!(recursion["problems"][0]["message"].as_str().unwrap().contains("limit 'calls'"));
        let request = crate::answer("{}");
        assert!(request.contains("expected a request"), "{request}");
    }
}
