//! Coverage of Puppet code: which statements and branches were evaluated, and how often.
//!
//! A [`Recorder`] knows the files whose evaluation is counted. The counted parts of a file follow from its syntax tree
//! alone ([`points`]), so that files that are never loaded have the same lines and branches as others. A runtime with a
//! recorder ([`crate::eval::RuntimeBuilder::coverage`]) compiles these files with probes; all other programs are the same
//! with and without one.

mod points;
mod recorder;

pub use points::{
    Arm, CountedDefinition, CoveragePoints, Decision, DecisionKind, PausePlace, Statement, points,
};
pub(crate) use points::{ProbeRole, is_executed, is_literal, start_of};
pub use recorder::{Counters, Recorder};
