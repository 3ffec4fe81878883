//! Templates in ERB, rendered without Ruby.
//!
//! Most templates interpolate variables, branch and loop. [`ErbTemplate::parse`] compiles these; it returns `None` for a template
//! with any other Ruby. Code of the subset changes nothing, so that rendering can stop at any value or method whose behaviour is
//! not certain: [`ErbTemplate::render`] returns `None` then, and Ruby renders the template from the beginning, with its own errors.

#![allow(clippy::wildcard_enum_match_arm, reason = "other nodes, methods and values are left to Ruby")]

mod cache;
mod compile;
mod evaluate;
mod expression;
mod lines;
mod names;
mod object;
mod ownership;
mod scan;
mod scope;
mod template;

#[cfg(test)]
mod tests;

pub use crate::cache::compiled;
pub use crate::lines::ruby_lines;
pub use crate::scope::TemplateScope;
pub use crate::template::ErbTemplate;
