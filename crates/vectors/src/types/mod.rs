//! The cases of the type system; `spec/vectors/types/README.md` describes them.

mod assignable;
mod call;
mod callable;
mod change;
mod format;
mod infer;
mod instance;
mod mismatch;
mod new;
mod parse;

use serde::Deserialize;

use crate::expectation::Outcome;
use crate::world::World;

/// A case, by operation.
#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Case {
    Parse(parse::Case),
    Assignable(assignable::Case),
    AssignableRow(assignable::Row),
    Instance(instance::Case),
    InstanceRow(instance::Row),
    Infer(infer::Case),
    Common(change::Pair),
    Generalize(change::Case),
    Normalize(change::Case),
    Callable(callable::Case),
    CallableArgs(callable::ArgsCase),
    Mismatch(mismatch::Case),
    MismatchType(mismatch::TypeCase),
    New(new::Case),
    Format(format::Case),
    Call(call::Case),
}

impl Case {
    /// Runs the case on the core.
    pub fn run(&self, world: &World) -> Outcome {
        match self {
            Self::Parse(case) => case.run(world),
            Self::Assignable(case) => case.run(world),
            Self::AssignableRow(case) => case.run(world),
            Self::Instance(case) => case.run(world),
            Self::InstanceRow(case) => case.run(world),
            Self::Infer(case) => case.run(world),
            Self::Common(case) => case.run(world),
            Self::Generalize(case) => case.run(world, |t| t.generalize()),
            Self::Normalize(case) => case.run(world, |t| t.normalize()),
            Self::Callable(case) => case.run(world),
            Self::CallableArgs(case) => case.run(world),
            Self::Mismatch(case) => case.run(world),
            Self::MismatchType(case) => case.run(world),
            Self::New(case) => case.run(world),
            Self::Format(case) => case.run(world),
            Self::Call(case) => case.run(world),
        }
    }
}
