//! Puppet functions without Puppet: the type system, dispatch and (step by step) the language.
#![forbid(unsafe_code)]
