//! Parses signatures in their printed form.

use std::str::FromStr;

use super::{Signature, SignatureBuilder};
use crate::types::Type;
use crate::types::parse::{NoAliases, parse};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;

impl Signature {
    /// Parses a signature such as `(Array arg, String delimiter?) >> String`; see [`Signature`] for the notation. A last
    /// parameter of a callable type is the block.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Signature`] if the text is not of that form; otherwise with the errors of `parse_type`,
    /// which parses the types, and of [`SignatureBuilder`].
    pub fn parse(text: &str, mut parse_type: impl FnMut(&str) -> Result<Type, Error>) -> Result<Self, Error> {
        let malformed = || {
            Error::new(
                ErrorKind::Signature,
                format!("expected a signature like (Type name, Type name?) >> Type, got: {text}"),
            )
        };
        let (parameters, rest) = split(text).ok_or_else(malformed)?;
        let mut builder = SignatureBuilder::new();
        let last = parameters.len().checked_sub(1);
        for (index, parameter) in parameters.iter().enumerate() {
            let (t, name) = parameter.trim().rsplit_once(' ').ok_or_else(malformed)?;
            let t = parse_type(t.trim())?;
            let may_be_block = Some(index) == last && t.is_callable_kind(false);
            match (name.strip_suffix('?'), name.strip_suffix('*'), name.strip_suffix('+')) {
                (Some(name), _, _) if may_be_block => builder.optional_block_param(t, name)?,
                (None, None, None) if may_be_block => builder.block_param(t, name)?,
                (Some(name), _, _) => builder.optional_param(t, name)?,
                (_, Some(name), _) => builder.repeated_param(t, name)?,
                (_, _, Some(name)) => builder.required_repeated_param(t, name)?,
                (None, None, None) => builder.param(t, name)?,
            };
        }
        match rest.trim() {
            "" => {}
            rest => {
                let t = rest.strip_prefix(">>").ok_or_else(malformed)?;
                builder.return_type(parse_type(t.trim())?);
            }
        }
        builder.build(parse_type)
    }
}

impl FromStr for Signature {
    type Err = Error;

    /// Reads a signature that only has types of Puppet's own.
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text, |t| parse(t, &NoAliases, &Limits::FURTHEST))
    }
}

/// Splits the text between the parentheses at the commas that separate parameters. Returns the parameters, and the text
/// after the parentheses.
fn split(text: &str) -> Option<(Vec<&str>, &str)> {
    let body = text.strip_prefix('(')?;
    let mut parameters = Vec::new();
    let mut start = 0;
    let mut depth = 0usize;
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in body.char_indices() {
        if let Some(end) = quote {
            let closes = c == end && !escaped;
            escaped = c == '\\' && !escaped;
            if closes {
                quote = None;
            }
            continue;
        }
        match c {
            '\'' | '"' | '/' => quote = Some(c),
            '[' | '{' | '(' => depth = depth.saturating_add(1),
            ')' if depth == 0 => {
                let last = body.get(start..at)?;
                if !(parameters.is_empty() && last.trim().is_empty()) {
                    parameters.push(last);
                }
                return Some((parameters, body.get(at.saturating_add(1)..)?));
            }
            ']' | '}' | ')' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                parameters.push(body.get(start..at)?);
                start = at.saturating_add(1);
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_within_types_do_not_separate() {
        let (parameters, rest) =
            split(r"(Hash[String, Integer] a, Pattern[/,\/)/] b, Enum['),'] c) >> Any").unwrap();
        assert_eq!(parameters, ["Hash[String, Integer] a", r" Pattern[/,\/)/] b", " Enum['),'] c"]);
        assert_eq!(rest, " >> Any");
        assert_eq!(split("()"), Some((vec![], "")));
        assert_eq!(split("(Any a"), None);
    }
}
