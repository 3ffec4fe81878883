//! All unsafe code of the extension: looking into Ruby objects, and calling Ruby.
//!
//! Each block says why it is sound. Two rules hold throughout: a `VALUE` lives on the machine stack
//! or in an object that Ruby marks, never elsewhere; and nothing here raises past a Rust frame that
//! has something to drop.
#![allow(unsafe_code)]

mod call;
mod classify;
mod encoding;
mod locked;
mod subject;
mod thread;
mod typed;
mod uri;

pub use call::{block_given, call_method, call_method_with_block, is_public_method};
pub use classify::{
    class_ancestry, class_dispatcher, class_of, hidden_value, set_hidden_value, set_known_classes,
};
pub use encoding::bytes_of;
pub use locked::Locked;
pub use subject::{RubySubject, subject, subject_slice, with_elements};
pub use thread::{set_fiber_stack, stack_left, take_turns};
pub use typed::{Typed, TypedRef};
