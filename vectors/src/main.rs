//! Runs recorded cases on the core: `puppetfn-vectors PRELUDE <cases >outcomes`.
//!
//! A case is a line of JSON on the standard input. For each, a line comes out: `null` when the answer
//! is the recorded one, else a string that tells what was expected and what came. `script/vectors` is
//! what a person types.

mod expectation;
mod host;
mod literal;
mod types;
mod world;

use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use expectation::Outcome;
use world::World;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let world = match std::env::args().nth(1) {
        Some(prelude) => World::load(&prelude)?,
        None => World::default(),
    };
    let mut outcomes = std::io::stdout().lock();
    for case in std::io::stdin().lock().lines() {
        // Each outcome leaves at once: should a case end the process, it is the first without one.
        writeln!(outcomes, "{}", serde_json::to_string(&run(&case?, &world).err())?)?;
        outcomes.flush()?;
    }
    Ok(())
}

fn run(case: &str, world: &World) -> Outcome {
    let case: types::Case =
        serde_json::from_str(case).map_err(|error| format!("the case is not read: {error}"))?;
    catch_unwind(AssertUnwindSafe(|| case.run(world))).unwrap_or_else(|_| Err("the core panicked".to_owned()))
}
