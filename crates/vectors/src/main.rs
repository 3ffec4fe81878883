//! Runs recorded cases on the core: `puppetfn-vectors run [PRELUDE] <cases >outcomes`.
//!
//! Each line of the standard input is a case in JSON. For each, a line is written: `null` if the actual result equals
//! the recorded one, otherwise a string with both. `script/vectors` is the command for developers.
//!
//! `puppetfn-vectors ruby [PRELUDE] <expressions >codes` reads one expression a line, each a JSON string, and writes
//! the Ruby code that creates its value, or `null` if there is none.

mod catalog;
mod cty;
mod expectation;
mod host;
mod lang;
mod ruby;
mod syntax;
mod types;
mod world;

use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use expectation::CaseResult;
use host::RecordedClasses;
use puppetfn::host::set_classes;
use serde_json::{Value, from_value};
use world::CaseWorld;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let answer = match arguments.next().as_deref() {
        Some("run") => |line: &str, world: &CaseWorld| run(line, world).err(),
        Some("ruby") => |line: &str, world: &CaseWorld| ruby_code(line, world),
        Some(_) | None => return Err("usage: puppetfn-vectors run|ruby [PRELUDE]".into()),
    };
    set_classes(Box::new(RecordedClasses)).map_err(|_| "a process has one host")?;
    let world =
        arguments.next().map_or_else(|| Ok(CaseWorld::default()), |prelude| CaseWorld::load(&prelude))?;
    let mut answers = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        // Each answer is written at once: if a line ends the process, that line is the first without an answer.
        writeln!(answers, "{}", serde_json::to_string(&answer(&line?, &world))?)?;
        answers.flush()?;
    }
    Ok(())
}

fn run(case: &str, world: &CaseWorld) -> CaseResult {
    let unread = |error: serde_json::Error| format!("the case is not read: {error}");
    let run = || {
        let case: Value = serde_json::from_str(case).map_err(unread)?;
        // Only cases of types name an operation; cases of code have a field for the code.
        if case.get("op").is_some() {
            from_value::<types::TypeSystemCase>(case).map_err(unread)?.run(world)
        } else if case.get("code").is_none() {
            from_value::<cty::CtyCase>(case).map_err(unread)?.run()
        } else {
            let family = case.get("id").and_then(Value::as_str).and_then(|id| id.split('/').next());
            match family {
                Some("resources") => from_value::<catalog::CatalogCase>(case).map_err(unread)?.run(),
                Some("pn" | "parse_errors") => from_value::<syntax::SyntaxCase>(case).map_err(unread)?.run(),
                Some(_) | None => from_value::<lang::LanguageCase>(case).map_err(unread)?.run(),
            }
        }
    };
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err("the core panicked".to_owned()))
}

fn ruby_code(expression: &str, world: &CaseWorld) -> Option<String> {
    let expression: String = serde_json::from_str(expression).ok()?;
    ruby::code(&world.evaluate(&expression).ok()?, world)
}
