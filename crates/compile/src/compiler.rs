//! The interface of compilers.

use std::process;

use puppetfn_base::error::Error;
use puppetfn_catalog::Reference;
use puppetfn_types::function::LookupExplanation;

use crate::standalone::{self, StandaloneCompiler};
use crate::{CallOutcome, CompileOptions, CompileResult, Explained, LookupRequest, Request, Session};

/// A compiler of catalogs. The default implementations run no Ruby.
pub trait Compiler {
    /// Compiles the catalog of a node.
    fn compile(&mut self, options: &CompileOptions, request: &Request) -> CompileResult {
        standalone::compile(options, request)
    }

    /// Compiles the catalog of a node, and finds out why a resource is in it.
    fn why(&mut self, options: &CompileOptions, request: &Request, resource: &Reference) -> Explained {
        standalone::why(options, request, resource)
    }

    /// Runs a session on a node with the inputs of its catalog.
    ///
    /// # Errors
    /// Fails if the host cannot make a runtime.
    fn session(
        &mut self,
        options: &CompileOptions,
        request: &Request,
        work: &mut dyn FnMut(&mut dyn Session),
    ) -> Result<(), Error> {
        StandaloneCompiler::run_session(options, request, None, work);
        Ok(())
    }

    /// Looks up data.
    fn look_up(&mut self, options: &CompileOptions, question: &LookupRequest) -> CallOutcome {
        standalone::look_up(options, question)
    }

    /// Explains how the result of a lookup is found. Only errors that are not about data are errors.
    fn explain_lookup(
        &mut self,
        options: &CompileOptions,
        question: &LookupRequest,
    ) -> CallOutcome<LookupExplanation> {
        standalone::explain_lookup(options, question)
    }

    /// Returns the command line that starts this program again, without arguments.
    ///
    /// # Errors
    /// Fails if the program's own path is not known.
    fn program(&self) -> Result<process::Command, Error> {
        standalone::program()
    }

    /// Returns the command of a process that compiles nodes: one that calls [`crate::serve`].
    ///
    /// # Errors
    /// Fails if the program's own path is not known.
    fn worker(&self) -> Result<process::Command, Error> {
        let mut command = self.program()?;
        command.arg("worker");
        Ok(command)
    }
}

impl Compiler for StandaloneCompiler {}
