//! Evaluating templates on behalf of functions.

/// A template in EPP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Template<'t> {
    /// The text.
    pub text: &'t str,
    /// The file that it is from, or what stands for one in messages.
    pub file: &'t str,
    /// The function that is called, for messages.
    pub function: &'t str,
    /// Whether it sees the variables of the code that calls the function, or only those of the top
    /// scope.
    pub sees_locals: bool,
}
