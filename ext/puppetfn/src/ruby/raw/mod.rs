//! All unsafe code of the extension: looking into Ruby objects, and calling Ruby.
//!
//! Each block says why it is sound. Two rules hold throughout: a `VALUE` lives on the machine stack
//! or in an object that Ruby marks, never elsewhere; and nothing here raises past a Rust frame that
//! has something to drop.
#![allow(unsafe_code)]

#[cfg(feature = "allocator")]
mod allocator;
mod call;
mod catching;
mod classify;
mod collection;
mod encoding;
mod ivar;
mod locked;
mod once;
mod puppet;
mod reference;
mod subject;
mod thread;
mod typed;
mod unlocked;
mod uri;

#[cfg(feature = "allocator")]
pub use allocator::reserve_little_memory;
pub use call::{block_given, call_method, call_method_with_block, is_public_method};
pub use catching::call_catching;
pub use classify::{
    bignum_text, class_ancestry, class_dispatcher, class_of, hidden_value, set_hidden_value, set_iterators,
    set_known_classes, set_object_example,
};
pub use collection::enable_collection_later;
pub use encoding::{bytes_of, is_utf8, string};
pub use ivar::{InstanceVariable, entry};
pub use locked::Locked;
pub use once::once;
pub use puppet::{
    PuppetClass, allocate, class_of_kind, closure_of, default_of_kind, hash_of, is_type, kind_of,
    learn_kinds, puppet_subject, puppet_subjects, type_kind_of, with_variables,
};
pub use subject::{RubySubject, subject, subject_slice, with_elements};
pub use thread::{set_fiber_stack, stack_left, take_turns};
pub use typed::{TypedClass, TypedRef};
pub use unlocked::unlocked;
