//! The static checker finds errors of types that are planted in calls, and nothing where none is. Which of them it does not
//! find is recorded in `snapshots/missed_mutants.snap`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test may take the short way"
)]

use std::path::PathBuf;
use std::sync::Arc;

use puppetfn::builtin::registry;
use puppetfn::check::{Finding, Origin, World};
use puppetfn::diagnostic::Severity;
use puppetfn::error::ErrorKind;
use puppetfn::eval::Runtime;
use puppetfn::function::Body;
use puppetfn::limits::Limits;
use puppetfn::loader::{Loader, StdFileSystem};
use puppetfn::syntax::ast::ExprKind;
use puppetfn::syntax::{Mode, parse};

use super::missed::Missed;

/// How many errors are planted.
const MUTANTS: usize = 500;

/// Values that are put in place of others, with their types.
const WRONG: [(&str, &str); 9] = [
    ("Integer", "42"),
    ("String", "'text'"),
    ("Boolean", "true"),
    ("Float", "2.5"),
    ("Array[Integer]", "[1, 2]"),
    ("Hash[String, Integer]", "{'a' => 1}"),
    ("Regexp", "/x/"),
    ("Type[Integer]", "Integer"),
    ("Undef", "undef"),
];

/// Code around a call. Some of it is reached only if a fact or parameter says so.
const AROUND: [&str; 9] = [
    "class app($any, #PARAMETER) { #BEFORE $result = #CALL notice($result) }",
    "define app(#PARAMETER, $any = 1) { #BEFORE file { '/etc/app': content => String(#CALL) } }",
    "function environment::app(#PARAMETER, $any = 1) { #BEFORE [#CALL] }",
    "class app(#PARAMETER, $any = 1) { if $facts['os']['family'] == 'Debian' { #BEFORE notice(#CALL) } else { notice(1) } }",
    "class app(#PARAMETER, Array $list = [], $any = 1) { #BEFORE $list.each |$index, $item| { notice($index, #CALL) } }",
    "class app(#PARAMETER, $any = 1) { #BEFORE $options = {'a' => 1, 'b' => #CALL} notice($options) }",
    "class app(#PARAMETER, Boolean $on = true, $any = 1) { #BEFORE $x = $on ? { true => #CALL, default => 'none' } notice($x) }",
    "class app(#PARAMETER, $any = 1) { #BEFORE notice(\"the result is ${[#CALL]}\") }",
    "class app(#PARAMETER, String $mode = 'a', $any = 1) { case $mode { 'a', 'b': { #BEFORE notice(#CALL) } default: { } } }",
];

/// Numbers that look drawn at random, and are the same each time.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// A call: the name of the function, and the texts of the arguments.
#[derive(Clone)]
struct Call {
    name: String,
    arguments: Vec<String>,
}

impl Call {
    fn text(&self) -> String {
        format!("{}({})", self.name, self.arguments.join(", "))
    }
}

/// Returns the calls in the examples of Puppet's own functions that have no block, and one of a module's.
fn calls() -> Vec<Call> {
    let mut calls = Vec::new();
    for name in registry().names().filter(|name| !name.contains("::")) {
        let Body::Native(native) = registry().get(name).unwrap().unwrap().body() else { continue };
        for example in native.examples() {
            let Ok(program) = parse(&example.code, &Limits::DEFAULT) else { continue };
            let [statement] = &*program.statements else { continue };
            let ExprKind::Call(call) = &statement.kind else { continue };
            let (ExprKind::Name(name), None) = (&call.function.kind, &call.lambda) else { continue };
            let text =
                |argument: &puppetfn::syntax::ast::Expr<'_>| argument.span.text(&example.code).to_owned();
            calls.push(Call {
                name: (*name).to_owned(),
                arguments: call.arguments.iter().map(text).collect(),
            });
        }
    }
    let arguments = vec!["'a.example'".to_owned(), "true".to_owned()];
    calls.extend(vec![Call { name: "ntp::line".to_owned(), arguments }; 5]);
    calls
}

fn loader() -> Loader {
    let modules = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases/check/modules");
    Loader::new(Arc::new(StdFileSystem), vec![modules], None, Limits::DEFAULT)
}

/// Returns true if the function does not accept the arguments, as evaluation has it.
fn is_mismatch(runtime: &Runtime, call: &Call) -> bool {
    let result = runtime.evaluate(&format!("[{}]", call.text()), None);
    result.is_err_and(|error| *error.kind() == ErrorKind::ArgumentMismatch)
}

/// Returns the call with an error in it, and the argument that is wrong, by its type, its value and its place; none if
/// there are too many or too few.
fn mutated(call: &Call, draw: &mut Draw) -> (Call, Option<(usize, usize)>) {
    let mut mutant = call.clone();
    match draw.below(4) {
        0 => {
            let count = 1 + draw.below(2);
            mutant.arguments.extend(vec!["42".to_owned(); count]);
            (mutant, None)
        }
        1 if !call.arguments.is_empty() => {
            mutant.arguments.pop();
            (mutant, None)
        }
        _ if call.arguments.is_empty() => (mutant, None),
        _ => {
            let place = draw.below(call.arguments.len());
            let wrong = draw.below(WRONG.len());
            mutant.arguments[place] = WRONG[wrong].1.to_owned();
            (mutant, Some((place, wrong)))
        }
    }
}

/// Code with the call in it. What is wrong stands there as a value, or as a variable of one of several origins.
fn embedded(call: &Call, wrong: Option<(usize, usize)>, draw: &mut Draw) -> String {
    let mut call = call.clone();
    let (mut parameter, mut before) = ("String $unused = ''".to_owned(), String::new());
    if let Some((place, wrong)) = wrong {
        let (t, value) = WRONG[wrong];
        let argument = &mut call.arguments[place];
        match draw.below(10) {
            0..4 => {}
            4..6 => {
                parameter = format!("{t} $given");
                *argument = "$given".to_owned();
            }
            6..8 => {
                before = format!("$local = {value}");
                *argument = "$local".to_owned();
            }
            8 => {
                parameter = format!("Array[{t}, 1] $several");
                before = "$first = $several.map |$one| { $one } $picked = with($first[0]) |$one| { $one }"
                    .to_owned();
                *argument = "$picked".to_owned();
            }
            // Of this nothing is known.
            _ => *argument = "$any".to_owned(),
        }
    }
    let around = AROUND[draw.below(AROUND.len())];
    around.replace("#PARAMETER", &parameter).replace("#BEFORE", &before).replace("#CALL", &call.text())
}

fn errors(text: &str) -> Vec<Finding> {
    let mut world = World::new(Arc::new(loader()), Limits::DEFAULT);
    let definitions = world.declarations(text, Mode::default());
    world.add(definitions);
    let found = world.check(text, Mode::default(), &Origin::default());
    found.into_iter().filter(|finding| finding.severity == Severity::Error).collect()
}

/// Returns why the error of a mutant is not found in this code.
fn why(mutant: &Call, code: &str) -> &'static str {
    if !errors(&mutant.text()).is_empty() {
        return if code.contains("$several") {
            "The value comes by way of blocks, which leave its type open"
        } else if code.contains("$any,") || code.contains("$any)") {
            "The argument is `$any`, of which nothing is known"
        } else {
            "Other values of the type that the variable has are accepted, as an empty array is"
        };
    }
    "The function refuses it itself: its signature accepts the argument"
}

#[test]
fn planted_errors_are_found_and_no_others() {
    let runtime = Runtime::builder().functions(Arc::new(loader())).build();
    let calls = calls();
    let mut draw = Draw(11);
    let (mut planted, mut missed) = (0, Missed::default());
    while planted < MUTANTS {
        let call = &calls[draw.below(calls.len())];
        let (mutant, wrong) = mutated(call, &mut draw);
        if is_mismatch(&runtime, call) || !is_mismatch(&runtime, &mutant) {
            continue;
        }
        planted += 1;
        let code = embedded(&mutant, wrong, &mut draw);
        if errors(&code).is_empty() {
            missed.add(why(&mutant, &code), &[&mutant.text(), &code]);
        } else {
            missed.count_found();
        }
        let code = embedded(call, None, &mut draw);
        assert_eq!(errors(&code), [], "{code}");
    }
    missed.assert("missed_mutants", "planted errors are found");
}
