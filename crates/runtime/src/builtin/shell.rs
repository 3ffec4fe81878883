//! `shellquote`.
//!
//! See Puppet's `parser/functions/shellquote.rb`.

use super::collection::flatten_into;
use super::legacy::{LegacyArity, legacy};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Depth;
use puppetfn_types::function::Declaration;
use puppetfn_types::types::Type;
use puppetfn_types::value::{Value, label};

pub(super) fn shellquote() -> Declaration {
    legacy("shellquote", LegacyArity::AtLeast(0), |call, arguments| {
        let mut words = Vec::new();
        flatten_into(&mut words, arguments, Depth::nesting(call.limits()))?;
        let quoted: Result<Vec<_>, _> = words.iter().map(quoted).collect();
        Ok(quoted?.join(" ").into())
    })
    .pure()
    .doc(
        "The arguments as words of a shell command, each in quotes where that is needed. Of an array each \
         element is a word.",
    )
    .example("shellquote('ls', ['a b', '$c'])", "'ls \"a b\" \\'$c\\''")
    .returns(|_| Type::STRING)
}

fn quoted(word: &Value) -> Result<String, Error> {
    let Value::String(word) = word else {
        let message = format!("shellquote(): expects Strings, got {}", label(word));
        return Err(Error::new(ErrorKind::ArgumentMismatch, message));
    };
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "@%_+=:,./-".contains(c);
    let is_special = |c: char| "!\"`$\\".contains(c);
    Ok(if !word.is_empty() && word.chars().all(is_safe) {
        word.to_string()
    } else if !word.contains(is_special) {
        format!("\"{word}\"")
    } else if !word.contains('\'') {
        format!("'{word}'")
    } else {
        let escape = |c: char| is_special(c).then_some('\\').into_iter().chain([c]);
        format!("\"{}\"", word.chars().flat_map(escape).collect::<String>())
    })
}
