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

use crate::expectation::CaseResult;
use crate::world::CaseWorld;

/// A case, by operation.
#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum TypeSystemCase {
    Parse(parse::ParseCase),
    Assignable(assignable::AssignableCase),
    AssignableRow(assignable::AssignableRow),
    Instance(instance::InstanceCase),
    InstanceRow(instance::InstanceRow),
    Infer(infer::InferCase),
    Common(change::CommonCase),
    Generalize(change::ChangeCase),
    Normalize(change::ChangeCase),
    Callable(callable::CallableCase),
    CallableArgs(callable::ArgsCase),
    Mismatch(mismatch::MismatchCase),
    MismatchType(mismatch::TypeCase),
    New(new::NewCase),
    Format(format::FormatCase),
    Call(call::CallCase),
}

impl TypeSystemCase {
    /// Runs the case on the core.
    pub fn run(&self, world: &CaseWorld) -> CaseResult {
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
