//! Functions and their signatures.
