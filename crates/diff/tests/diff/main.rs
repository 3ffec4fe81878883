//! Comparisons of catalogs through the crate's public interface.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod compare;
mod group;
mod hostile;
mod html;
mod octocatalog;
mod render;
mod rules;
mod support;
