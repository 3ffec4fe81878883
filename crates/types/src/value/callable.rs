//! Lambdas and functions as values.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::value::types::Type;
use puppetfn_base::host::HostRef;

/// A lambda or function.
#[derive(PartialEq, Debug)]
pub struct Callable {
    /// What is called.
    pub target: CallTarget,
    /// What it can be called with: a `Callable`, or a `Variant` of several.
    pub signature: Type,
    /// The names of its parameters, where they are known.
    pub parameter_names: Arc<[Arc<str>]>,
}

/// What a [`Callable`] calls.
#[derive(PartialEq, Debug)]
pub enum CallTarget {
    /// A lambda or function of the host's.
    Host(HostRef),
    /// A lambda of Puppet code.
    Closure(Closure),
}

/// A lambda of Puppet code, with the variables that it sees. It can be called as long as the code
/// around it runs.
#[derive(Clone)]
pub struct Closure {
    /// What only the evaluator knows.
    pub code: Arc<dyn Any + Send + Sync>,
    /// The frame that has the variables.
    pub frame: FrameRef,
}

/// Which frame of which call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FrameRef {
    /// What runs the call.
    pub machine: u32,
    /// Where its slots begin.
    pub base: usize,
    /// How many frames are below it.
    pub index: usize,
    /// The number of the call, which no other call has.
    pub serial: u64,
}

impl Callable {
    /// Creates a lambda or function of the host's.
    pub fn of_host(host: HostRef, signature: Type) -> Self {
        Self { target: CallTarget::Host(host), signature, parameter_names: Arc::new([]) }
    }
}

impl PartialEq for Closure {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.code, &other.code) && self.frame == other.frame
    }
}

impl fmt::Debug for Closure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Closure({:?})", self.frame)
    }
}
