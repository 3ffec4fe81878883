//! Observing an evaluation statement by statement, as a debugger does.
//!
//! Code that is compiled for a runtime with a debugger of statements has an [`Op::Pause`] around each statement and around the bodies of
//! definitions; other code has none, and costs the same as without this module.

mod evaluate;
mod frames;

pub use frames::StackFrame;

use super::{EvalResult, Frame, Machine};
use crate::eval::code::{Node, Op, PauseCode};
use puppetfn_base::error::{Error, Signal};
use puppetfn_types::function::{Function, LogLevel, native};
use puppetfn_types::value::Value;

/// A program that observes an evaluation, and may keep it waiting in each of these methods.
pub trait Debugger: Send + Sync {
    /// Returns whether [`reached`](Self::reached) and [`failed`](Self::failed) are called. Code without these calls runs at full speed, and
    /// can still pause by [`break_function`].
    fn observes_statements(&self) -> bool {
        true
    }

    /// Called before a statement, or the body of a definition, is evaluated.
    fn reached(&self, evaluation: &mut PausedEvaluation<'_>);

    /// Called when a statement has failed, for the statement itself and for each one around it.
    fn failed(&self, evaluation: &mut PausedEvaluation<'_>, error: &Error);

    /// Called when code logs a message.
    fn logged(&self, evaluation: &mut PausedEvaluation<'_>, level: LogLevel, message: &str);

    /// Called when code calls [`break_function`].
    ///
    /// # Errors
    /// An error ends the evaluation.
    fn broke(&self, evaluation: &mut PausedEvaluation<'_>) -> Result<(), Error> {
        let _ = evaluation;
        Ok(())
    }
}

/// The code at which an evaluation is paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PausePoint {
    /// A statement, or the default value of a parameter.
    Statement,
    /// The body of a class, defined type, node, or function.
    Body,
}

/// An evaluation that is paused.
pub struct PausedEvaluation<'m> {
    machine: &'m mut Machine,
    frame: Frame<'m>,
    at: u32,
    point: PausePoint,
}

impl PausedEvaluation<'_> {
    /// Returns the kind of code.
    pub fn point(&self) -> PausePoint {
        self.point
    }

    /// Returns the file of the code, if it is from a file.
    pub fn file(&self) -> Option<&str> {
        self.frame.context.unit.file()
    }

    /// Returns the text that the code is part of.
    pub fn text(&self) -> &str {
        self.frame.context.unit.text()
    }

    /// Returns the offset of the code in its text.
    pub fn offset(&self) -> u32 {
        self.at
    }

    /// Returns the line of the code, from 1.
    pub fn line(&self) -> u32 {
        self.frame.context.unit.line(self.at).line.unwrap_or(1)
    }
}

impl Machine {
    /// Evaluates code at which a debugger may pause.
    #[inline(never)]
    pub(super) fn paused(&mut self, pause: &PauseCode, frame: Frame<'_>) -> EvalResult {
        let Some(debugger) = self.shared.debugger.get().cloned() else {
            return self.eval(&pause.code, frame);
        };
        let PauseCode { at, point, code } = pause;
        debugger.reached(&mut PausedEvaluation { machine: self, frame, at: *at, point: *point });
        let result = self.eval(code, frame);
        if let Err(error) = &result
            && !is_jump(error)
        {
            debugger.failed(&mut PausedEvaluation { machine: self, frame, at: *at, point: *point }, error);
        }
        result
    }

    /// Tells the debugger of a message that the code of a call logs.
    #[cold]
    pub(super) fn show_message(&mut self, frame: Frame<'_>, at: u32, level: LogLevel, message: &str) {
        let Some(debugger) = self.shared.debugger.get().cloned() else { return };
        let mut evaluation = PausedEvaluation { machine: self, frame, at, point: PausePoint::Statement };
        debugger.logged(&mut evaluation, level, message);
    }

    /// Tells the debugger that the code of a call asks for a pause.
    #[cold]
    pub(super) fn break_at(&mut self, frame: Frame<'_>, at: u32) -> Result<(), Error> {
        let Some(debugger) = self.shared.debugger.get().cloned() else { return Ok(()) };
        debugger.broke(&mut PausedEvaluation { machine: self, frame, at, point: PausePoint::Statement })
    }
}

/// Returns the function `puppetfn::break`, which pauses the code that calls it, for [`Runtime::define`]. Code has it only where a
/// program offers it: to Puppet, it is unknown.
///
/// # Errors
/// None: its signature is valid.
///
/// [`Runtime::define`]: crate::eval::Runtime::define
pub fn break_function() -> Result<Function, Error> {
    let declaration =
        native("puppetfn::break").doc("Pauses the code that calls it, to look at its variables.");
    declaration.dispatch::<()>("() >> Undef", |call, ()| call.break_here().map(|()| Value::Undef)).build()
}

impl Node {
    /// Returns code before which a debugger may pause, at an offset of its text.
    pub(in crate::eval) fn with_pause(self, at: u32, point: PausePoint) -> Self {
        Self {
            at: self.at,
            stands_at: self.stands_at,
            op: Op::Pause(Box::new(PauseCode { at, point, code: self })),
        }
    }
}

/// Returns true if control leaves the code without an error.
fn is_jump(error: &Error) -> bool {
    matches!(
        error.as_signal(),
        Some(Signal::Next | Signal::Return | Signal::Break | Signal::Unevaluated | Signal::NoSuchKey)
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "a recorder knows files by their paths")]

    use std::fs;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::coverage::Recorder;
    use crate::eval::Runtime;
    use puppetfn_base::limits::Limits;

    #[derive(Default)]
    struct Counter(AtomicUsize);

    impl Debugger for Counter {
        fn reached(&self, _: &mut PausedEvaluation<'_>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
        fn failed(&self, _: &mut PausedEvaluation<'_>, _: &Error) {}
        fn logged(&self, _: &mut PausedEvaluation<'_>, _: LogLevel, _: &str) {}
    }

    #[derive(Default)]
    struct BreakCounter(AtomicUsize);

    impl Debugger for BreakCounter {
        fn observes_statements(&self) -> bool {
            false
        }
        fn reached(&self, _: &mut PausedEvaluation<'_>) {
            panic!("statements are not observed");
        }
        fn failed(&self, _: &mut PausedEvaluation<'_>, _: &Error) {
            panic!("statements are not observed");
        }
        fn logged(&self, _: &mut PausedEvaluation<'_>, _: LogLevel, _: &str) {}
        fn broke(&self, evaluation: &mut PausedEvaluation<'_>) -> Result<(), Error> {
            let frames = evaluation.frames();
            assert_eq!(evaluation.locals(&frames[0]), [("x".into(), Value::Integer(1))]);
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }
    }

    #[test]
    fn code_can_pause_without_observed_statements() {
        let counter = Arc::new(BreakCounter::default());
        let runtime = Runtime::builder().debugger(Some(counter.clone())).build();
        runtime.define(break_function().unwrap());
        assert!(runtime.evaluate("[1].each |$x| { puppetfn::break() fail('no') }", None).is_err());
        assert_eq!(counter.0.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn code_that_is_debugged_is_counted_too() {
        let directory = std::env::temp_dir().canonicalize().unwrap();
        let path = directory.join(format!("puppetfn-debug-{}.pp", std::process::id()));
        let text = "function f($x = 1 + 1) {\n  $x\n}\nf()\n";
        fs::write(&path, text).unwrap();
        let mut recorder = Recorder::new();
        recorder.add(path.clone(), text, &Limits::DEFAULT).unwrap();
        let (recorder, counter) = (Arc::new(recorder), Arc::new(Counter::default()));
        let runtime =
            Runtime::builder().coverage(Arc::clone(&recorder)).debugger(Some(counter.clone())).build();
        runtime.evaluate(text, path.to_str()).unwrap();
        fs::remove_file(path).unwrap();
        let file = &recorder.files()[0];
        let counted = |statement: &crate::coverage::Statement| file.count(statement.counter);
        assert_eq!(file.points().statements.iter().map(counted).collect::<Vec<_>>(), [1, 1, 1, 1]);
        // The call, the default value, the body and its statement.
        assert_eq!(counter.0.load(Ordering::Relaxed), 4);
    }
}
