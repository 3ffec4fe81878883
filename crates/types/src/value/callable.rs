//! Lambdas and functions as values.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::value::types::Type;
use puppetfn_base::host::HostRef;

/// A lambda or function.
#[derive(PartialEq, Debug)]
pub struct Callable {
    /// The lambda or function to call.
    pub target: CallTarget,
    /// Its type: a `Callable`, or a `Variant` of several.
    pub signature: Type,
    /// The names of its parameters, if known.
    pub parameter_names: Arc<[Arc<str>]>,
}

/// Target of a [`Callable`].
#[derive(PartialEq, Debug)]
pub enum CallTarget {
    /// A lambda or function of the host's.
    Host(HostRef),
    /// A lambda of Puppet code.
    Closure(Closure),
}

/// A lambda of Puppet code, with its captured variables. It can be called while the surrounding code runs.
#[derive(Clone)]
pub struct Closure {
    /// The evaluator's code of the lambda.
    pub code: Arc<dyn Any + Send + Sync>,
    /// The frame of the captured variables.
    pub frame: FrameRef,
}

/// Reference to a frame of a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FrameRef {
    /// The machine that runs the call.
    pub machine: u32,
    /// The index of its first slot.
    pub base: usize,
    /// The number of frames below it.
    pub index: usize,
    /// The unique number of the call.
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
