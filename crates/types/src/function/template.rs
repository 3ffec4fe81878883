//! Evaluating templates on behalf of functions.

/// A template in EPP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EppTemplate<'t> {
    /// The text.
    pub text: &'t str,
    /// The file of the template, or its substitute in messages.
    pub file: &'t str,
    /// The function that is called, for messages.
    pub function: &'t str,
    /// Whether the template sees the variables of the calling code, or only the top scope.
    pub sees_locals: bool,
}
