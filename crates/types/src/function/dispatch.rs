//! Picking the signature for a call.
//!
//! See Puppet's `pops/functions/dispatcher.rb`.

use std::sync::Arc;

use super::Signature;
use super::describe::describe_signatures;
use super::explain::MismatchedCall;
use crate::subject::{Subject, Verdict};
use crate::types::Type;
use crate::types::ops::describe::Messages;
use crate::types::ops::{callable_with, infer_set};
use puppetfn_base::error::{Error, ErrorExplanation, ErrorKind};
use puppetfn_base::limits::Limits;

/// The signature for a call, by its index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Match {
    /// The first signature that the arguments match.
    Found(usize),
    /// The first signature that the arguments may match, depending on unknown values.
    Undecided(usize),
}

/// Returns the first signature that can be called with these arguments, if any. Allocates nothing.
///
/// # Errors
/// Fails if the arguments cannot be read.
pub fn find<'a, S: Subject<'a>>(
    signatures: &[Signature],
    arguments: &[S],
    block: Option<S>,
    limits: &Limits,
) -> Result<Option<Match>, Error> {
    for (index, signature) in signatures.iter().enumerate() {
        match callable_with(signature.callable(), arguments, block, limits)? {
            Verdict::No => {}
            Verdict::Maybe => return Ok(Some(Match::Undecided(index))),
            Verdict::Yes => return Ok(Some(Match::Found(index))),
        }
    }
    Ok(None)
}

/// Returns the type of the result of a call with these arguments, some of which may be unknown: the union of the return
/// types of all signatures that they may match, up to the first one that they certainly match. `None` if no signature can
/// be called.
///
/// # Errors
/// Fails if the arguments cannot be read.
pub fn possible_result<'a, S: Subject<'a>>(
    signatures: &[Signature],
    arguments: &[S],
    block: Option<S>,
    limits: &Limits,
) -> Result<Option<Type>, Error> {
    let mut possible = Vec::new();
    for signature in signatures {
        let verdict = callable_with(signature.callable(), arguments, block, limits)?;
        if verdict != Verdict::No && !signature.handles_mismatch() {
            possible.push(signature.return_type().cloned().unwrap_or(Type::Any));
        }
        if verdict == Verdict::Yes {
            break;
        }
    }
    Ok(match possible.as_slice() {
        [] => None,
        types if types.contains(&Type::Any) => Some(Type::Any),
        _ => Some(Type::one_of(possible).normalize()),
    })
}

/// Returns the error of a call of the function `name` whose arguments match none of its signatures.
#[cold]
pub fn mismatch_error<'a, S: Subject<'a>>(
    name: impl Into<Box<str>>,
    signatures: &Arc<[Signature]>,
    arguments: &[S],
    block: Option<S>,
    limits: &Limits,
    messages: Messages,
) -> Error {
    let types: Result<Vec<Type>, Error> =
        arguments.iter().copied().chain(block).map(|argument| infer_set(argument, limits)).collect();
    match types {
        Ok(types) => {
            let name = name.into();
            let message = describe_signatures(&name, signatures, &types, messages);
            let explanation = MismatchedCall::new(name, Arc::clone(signatures), types, block.is_some());
            let explanation = ErrorExplanation::new(explanation).restating_message();
            Error::new(ErrorKind::ArgumentMismatch, message).explained(explanation)
        }
        Err(error) => error,
    }
}

/// Returns the error of a call whose arguments match a signature that words mismatches itself.
#[cold]
pub fn handler_error(name: &str, message: &str) -> Error {
    Error::new(ErrorKind::ArgumentMismatch, format!("'{name}' {message}"))
}

/// Returns the error of a function whose implementation `method` returned a value of another type than
/// its signature states.
#[cold]
pub fn return_error(method: &str, expected: &Type, actual: Type, messages: Messages) -> Error {
    messages.assertion_error(&format!("value returned from function '{method}'"), expected, actual)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    fn signatures(texts: &[&str]) -> Arc<[Signature]> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    fn pick(signatures: &[Signature], arguments: &[Value]) -> Option<Match> {
        find(signatures, &arguments.iter().collect::<Vec<_>>(), None, &Limits::DEFAULT).unwrap()
    }

    #[test]
    fn the_first_match_wins() {
        let signatures = signatures(&["(Integer x)", "(Numeric x)", "(Any x, Any y?)"]);
        assert_eq!(pick(&signatures, &[1.into()]), Some(Match::Found(0)));
        assert_eq!(pick(&signatures, &[1.5.into()]), Some(Match::Found(1)));
        assert_eq!(pick(&signatures, &["a".into()]), Some(Match::Found(2)));
        assert_eq!(pick(&signatures, &[]), None);
    }

    #[test]
    fn an_unknown_argument_decides_only_what_all_its_values_agree_in() {
        let signatures = signatures(&["(Integer[1, 5] x)", "(Numeric x)"]);
        let unknown = |t| [Value::unknown(t)];
        assert_eq!(pick(&signatures, &unknown(Type::integer(Some(2), Some(3)))), Some(Match::Found(0)));
        assert_eq!(pick(&signatures, &unknown(Type::INTEGER)), Some(Match::Undecided(0)));
        assert_eq!(pick(&signatures, &unknown(Type::FLOAT)), Some(Match::Found(1)));
        assert_eq!(pick(&signatures, &unknown(Type::STRING)), None);
    }

    #[test]
    fn the_result_is_of_any_type_that_a_possible_signature_states() {
        let signatures = signatures(&["(Integer[1, 5] x) >> Integer", "(Numeric x) >> Float", "(Any x)"]);
        let result = |t: Type| {
            let found = possible_result(&signatures, &[&Value::unknown(t)], None, &Limits::DEFAULT);
            found.unwrap().map(|t| t.to_string())
        };
        assert_eq!(result(Type::integer(Some(2), Some(3))).as_deref(), Some("Integer"));
        assert_eq!(result(Type::INTEGER).as_deref(), Some("Variant[Integer, Float]"));
        assert_eq!(result(Type::FLOAT).as_deref(), Some("Float"));
        assert_eq!(result(Type::Any).as_deref(), Some("Any"), "nothing is left of the others");
        let none = possible_result(&signatures, &[] as &[&Value], None, &Limits::DEFAULT);
        assert_eq!(none.unwrap(), None);
    }

    #[test]
    fn signatures_that_word_mismatches_are_not_offered() {
        let signatures = signatures(&["(Integer x)", "(Any x, Any y)"]);
        let signatures = [signatures[0].clone(), signatures[1].clone().handling_mismatch(true)].into();
        let error =
            mismatch_error("f", &signatures, &[&Value::from("a")], None, &Limits::DEFAULT, Messages::Puppet);
        assert_eq!(error.kind(), &ErrorKind::ArgumentMismatch);
        assert_eq!(error.message(), "'f' parameter 'x' expects an Integer value, got String");
        assert_eq!(handler_error("f", "wants a number").message(), "'f' wants a number");
    }

    #[test]
    fn rich_messages_list_the_nearest_signature_first() {
        let signatures = signatures(&["(String a)", "(Integer a, Enum[left, right] b)"]);
        let arguments = [Value::from(1), Value::from("rihgt")];
        let arguments: Vec<_> = arguments.iter().collect();
        let error = mismatch_error("f", &signatures, &arguments, None, &Limits::DEFAULT, Messages::Rich);
        assert_eq!(
            error.message(),
            "The function 'f' was called with arguments it does not accept. It expects one of these, the nearest \
             first:\n  (Integer a, Enum['left', 'right'] b)\n    rejected: parameter 'b' expects a match for \
             Enum['left', 'right'], got 'rihgt'; did you mean 'right'?\n  (String a)\n    rejected: expects 1 \
             argument, got 2"
        );
    }

    #[test]
    fn each_problem_of_a_result_names_the_implementation() {
        let list = Type::array(Type::STRING, None);
        let actual = Type::tuple([Type::INTEGER, Type::STRING, Type::FLOAT], None);
        assert_eq!(
            return_error("produce", &list, actual, Messages::Puppet).message(),
            " value returned from function 'produce' has wrong type, index 0 expects a String value, got Integer\n  \
             value returned from function 'produce' has wrong type, index 2 expects a String value, got Float"
        );
    }
}
