//! The forms of names.
//!
//! See Puppet's `pops/patterns.rb`.

use puppetfn_base::recognize::{numeral, whole};

/// Returns true if a name is one that variables may have: only its last segment may start with `_`.
pub(super) fn is_variable(name: &str) -> bool {
    let name = name.strip_prefix("::").unwrap_or(name);
    let (namespace, last) =
        name.rsplit_once("::").map_or((None, name), |(before, last)| (Some(before), last));
    namespace.is_none_or(|namespace| {
        namespace.split("::").all(|segment| starts_with_lower(segment) && is_word(segment))
    }) && is_parameter(last)
}

/// Returns true if a variable is a numbered group of a match, like `$1`.
pub(super) fn is_match_variable(name: &str) -> bool {
    whole(numeral, name).is_some()
}

/// Returns true if a name is one that parameters may have.
pub(super) fn is_parameter(name: &str) -> bool {
    (starts_with_lower(name) || name.starts_with('_')) && is_word(name)
}

/// Returns true if a parameter's name would be a number.
pub(super) fn is_numeric_parameter(name: &str) -> bool {
    let digits = name.strip_prefix("0x").filter(|digits| !digits.is_empty()).unwrap_or(name);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns true if a name is one that classes, functions and the like may have.
pub fn is_definition(name: &str) -> bool {
    name.split("::").all(|segment| starts_with_lower(segment) && is_word(segment))
}

/// Returns true if a name is one that types may have.
pub(super) fn is_type(name: &str) -> bool {
    name.split("::").all(|segment| segment.starts_with(|c: char| c.is_ascii_uppercase()) && is_word(segment))
}

/// Returns true if a text may be the name of a node.
pub(super) fn is_host(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}

/// Returns true if a name, in lower case, is one of Puppet's built-in types.
pub(super) fn is_reserved_type(name: &str) -> bool {
    const RESERVED: [&str; 28] = [
        "type",
        "any",
        "unit",
        "scalar",
        "boolean",
        "numeric",
        "integer",
        "float",
        "collection",
        "array",
        "hash",
        "tuple",
        "struct",
        "variant",
        "optional",
        "enum",
        "regexp",
        "pattern",
        "runtime",
        "init",
        "object",
        "sensitive",
        "semver",
        "semverrange",
        "string",
        "timestamp",
        "timespan",
        "typeset",
    ];
    RESERVED.contains(&name)
}

fn starts_with_lower(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
}

fn is_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
