//! Calls that match no signature, as a table of accepted and actual arguments.

use std::fmt;
use std::sync::Arc;

use super::Signature;
use crate::types::{Size, Type};

/// A call whose arguments match none of the signatures of a function. Prints as
///
/// ```text
/// function 'min' called with mis-matched arguments
/// expected one of:
///   min(Numeric a, Numeric b) - arg count {2}
///   min(String s1, String s2) - arg count {2}
/// actual:
///   min(Integer, Integer, Integer) - arg count {3}
/// ```
///
/// where `?` marks an optional parameter, and `{0,}` one that takes that many arguments or more.
#[derive(Clone, Debug)]
pub struct MismatchedCall {
    name: Box<str>,
    signatures: Arc<[Signature]>,
    arguments: Vec<Type>,
    has_block: bool,
}

impl MismatchedCall {
    /// Creates a call of the function `name`. `arguments` are the types of the arguments; the type of the block, if given,
    /// comes last.
    pub(super) fn new(
        name: Box<str>,
        signatures: Arc<[Signature]>,
        arguments: Vec<Type>,
        has_block: bool,
    ) -> Self {
        Self { name, signatures, arguments, has_block }
    }

    /// Returns the signatures, without mismatch handlers.
    fn signatures(&self) -> impl Iterator<Item = &Signature> {
        self.signatures.iter().filter(|signature| !signature.handles_mismatch())
    }

    fn expected(&self, f: &mut fmt::Formatter<'_>, indent: &str) -> fmt::Result {
        for signature in self.signatures() {
            write!(f, "\n{indent}  {}(", self.name)?;
            write_parameters(f, signature)?;
            write!(f, ") - arg count {}", CountRange(signature.callable().size()))?;
        }
        Ok(())
    }

    fn actual(&self, f: &mut fmt::Formatter<'_>, indent: &str) -> fmt::Result {
        write!(f, "\n{indent}  {}(", self.name)?;
        for (index, argument) in self.arguments.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{}", argument.generalize())?;
        }
        let count = self.arguments.len().saturating_sub(usize::from(self.has_block));
        write!(f, ") - arg count {}", CountRange(Size::exactly(count)))
    }
}

impl fmt::Display for MismatchedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "function '{}' called with mis-matched arguments", self.name)?;
        let (expected, indent) =
            if self.signatures().count() == 1 { ("expected", "  ") } else { ("expected one of", "") };
        write!(f, "\n{indent}{expected}:")?;
        self.expected(f, indent)?;
        write!(f, "\n{indent}actual:")?;
        self.actual(f, indent)
    }
}

fn write_parameters(f: &mut fmt::Formatter<'_>, signature: &Signature) -> fmt::Result {
    let mut separator = "";
    for parameter in signature.parameters() {
        let gap = if parameter.name.is_empty() { "" } else { " " };
        write!(f, "{separator}{}{gap}{}{}", parameter.t, parameter.name, CountMark(parameter.size))?;
        separator = ", ";
    }
    let Some(block) = &signature.callable().block else { return Ok(()) };
    let name = signature.block_name().map_or("block", |name| name);
    let (t, mark) = if let Type::Optional(Some(inner)) = block { (&**inner, "?") } else { (block, "") };
    write!(f, "{separator}{t} {name}{mark}")
}

/// The accepted number of arguments: `{2}`, `{2,}` or `{2,3}`.
struct CountRange(Size);

impl fmt::Display for CountRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Size { min, max: Some(max) } if min == max => write!(f, "{{{min}}}"),
            Size { min, max: Some(max) } => write!(f, "{{{min},{max}}}"),
            Size { min, max: None } => write!(f, "{{{min},}}"),
        }
    }
}

/// The same for one parameter, where most take exactly one.
struct CountMark(Size);

impl fmt::Display for CountMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Size { min: 1, max: Some(1) } => Ok(()),
            Size { min: 0, max: Some(1) } => f.write_str("?"),
            size => CountRange(size).fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::mismatch_error;
    use crate::types::ops::describe::Messages;
    use crate::value::Value;
    use puppetfn_base::limits::Limits;

    fn explained(name: &str, signatures: &[&str], arguments: &[Value]) -> String {
        let signatures: Arc<[Signature]> = signatures.iter().map(|text| text.parse().unwrap()).collect();
        let arguments: Vec<_> = arguments.iter().collect();
        let error = mismatch_error(name, &signatures, &arguments, None, &Limits::DEFAULT, Messages::Puppet);
        error.explanation().unwrap().to_string()
    }

    #[test]
    fn one_signature_with_all_marks() {
        assert_eq!(
            explained("myfunc", &["(Any a, Any b, Any c?, Any d*)"], &[1.into()]),
            "function 'myfunc' called with mis-matched arguments\n  expected:\n    \
             myfunc(Any a, Any b, Any c?, Any d{0,}) - arg count {2,}\n  actual:\n    \
             myfunc(Integer) - arg count {1}"
        );
        let table = explained("f", &["(Integer a?, Enum[x] b?)"], &[]);
        assert!(table.contains("f(Integer a?, Enum['x'] b?) - arg count {0,2}"), "{table}");
        let table = explained("f", &["(String a+, Callable[1, 1] b?)"], &[]);
        assert!(table.contains("f(String a{1,}, Callable[1, 1] b?) - arg count {1,}"), "{table}");
        let table = explained("f", &["()"], &[1.into()]);
        assert!(table.contains("f() - arg count {0}"), "{table}");
    }

    #[test]
    fn several_signatures() {
        assert_eq!(
            explained(
                "min",
                &["(Numeric a, Numeric b)", "(String s1, String s2)"],
                &[1.into(), 2.into(), 3.into()]
            ),
            "function 'min' called with mis-matched arguments\nexpected one of:\n  \
             min(Numeric a, Numeric b) - arg count {2}\n  min(String s1, String s2) - arg count {2}\n\
             actual:\n  min(Integer, Integer, Integer) - arg count {3}"
        );
    }
}
