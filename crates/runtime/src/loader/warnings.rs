//! Warnings about files of types, which are resolved where nothing can be logged.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::eval::FileWarning;
use puppetfn_base::diagnostic::Diagnostic;
use puppetfn_base::error::SourceLocation;
use puppetfn_base::source::LineIndex;
use puppetfn_syntax::ast::Program;

/// The warnings that no evaluation has logged yet.
#[derive(Default)]
pub(super) struct PendingWarnings {
    pending: Mutex<Vec<FileWarning>>,
    is_pending: AtomicBool,
}

impl PendingWarnings {
    /// Adds the warnings of the lexer and of the validation, as Puppet reports them once for each file that it reads.
    pub fn add<'d>(
        &self,
        program: &'d Program<'_>,
        validation: impl Iterator<Item = &'d Diagnostic>,
        file: &Arc<str>,
    ) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        for Diagnostic { code, message, span, .. } in program.warnings.iter().chain(validation) {
            let (line, column) = LineIndex::new(program.text).position(program.text, span.start);
            let place =
                SourceLocation { file: Some(Arc::clone(file)), line: Some(line), column: Some(column) };
            pending.push(FileWarning { code, message: message.clone(), place });
        }
        self.is_pending.store(!pending.is_empty(), Ordering::Release);
    }

    /// Returns the warnings that were added since the last call.
    pub fn take(&self) -> Vec<FileWarning> {
        if !self.is_pending.load(Ordering::Acquire) {
            return Vec::new();
        }
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_pending.store(false, Ordering::Release);
        std::mem::take(&mut *pending)
    }
}
