//! Measures the evaluator beside those of other languages in Rust: the same program in one run.
//!
//! Times depend on the machine and are not judged, ratios are: with `--check`, the exit status is 1
//! when another language is faster.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use starlark::environment::{Globals, Module};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect};

/// The languages take turns, so that all meet the same load; of several samples, the fastest counts.
const ROUNDS: usize = 15;

const FIB_25: i64 = 75_025;

/// Runs a program that is read already, and gives its result.
type Run = Box<dyn FnMut() -> i64>;

fn puppetfn(code: &str) -> Run {
    let runtime = puppetfn::eval::Runtime::new();
    runtime.evaluate(code, None).unwrap();
    Box::new(move || match runtime.call("fib", &[25.into()], None).unwrap() {
        puppetfn::value::Value::Integer(number) => number,
        other => panic!("{other:?}"),
    })
}

fn rhai() -> Run {
    let engine = rhai::Engine::new();
    let code = "fn fib(n) { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }";
    let program = engine.compile(code).unwrap();
    let mut scope = rhai::Scope::new();
    Box::new(move || engine.call_fn(&mut scope, &program, "fib", (25_i64,)).unwrap())
}

fn starlark() -> Run {
    let code = "
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
";
    let program = AstModule::parse("fib.star", code.to_owned(), &Dialect::Standard).unwrap();
    let module = Module::new();
    Evaluator::new(&module).eval_module(program, &Globals::standard()).unwrap();
    let module = module.freeze().unwrap();
    Box::new(move || {
        let fib = module.get("fib").unwrap();
        let scratch = Module::new();
        let argument = scratch.heap().alloc(25);
        let result = Evaluator::new(&scratch).eval_function(fib.value(), &[argument], &[]).unwrap();
        i64::from(result.unpack_i32().unwrap())
    })
}

fn time(run: &mut Run) -> Duration {
    let start = Instant::now();
    assert_eq!(run(), FIB_25);
    start.elapsed()
}

fn main() -> ExitCode {
    let is_checked = std::env::args().any(|argument| argument == "--check");
    let mut languages = [
        ("puppetfn", puppetfn("function fib($n) { if $n < 2 { $n } else { fib($n - 1) + fib($n - 2) } }")),
        (
            "puppetfn, with types",
            puppetfn(
                "function fib(Integer[0] $n) >> Integer { if $n < 2 { $n } else { fib($n - 1) + fib($n - 2) } }",
            ),
        ),
        ("rhai", rhai()),
        ("starlark", starlark()),
    ];
    let mut fastest = [Duration::MAX; 4];
    for _ in 0..ROUNDS {
        for (best, (_, run)) in fastest.iter_mut().zip(&mut languages) {
            *best = time(run).min(*best);
        }
    }
    println!("fib(25)");
    let own = fastest[0];
    for ((name, _), best) in languages.iter().zip(fastest) {
        let ratio = best.as_secs_f64() / own.as_secs_f64();
        println!("{name:24} {:8.2} ms {ratio:6.2}x", best.as_secs_f64() * 1e3);
    }
    let is_fastest = fastest.iter().all(|best| own <= *best);
    if is_checked && !is_fastest { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
