//! Values that no lookup can return: interpolations that fail, and Symbols; and encrypted texts that nothing decrypts.
//!
//! See Puppet's `pops/lookup/interpolation.rb` and `sub_lookup.rb`, and the parser of hiera-eyaml.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other values have no texts")]

use std::sync::LazyLock;

use regex::Regex;

use crate::data::DataText;
use crate::finding::Finding;
use crate::rule::Rule;
use puppetfn_base::diagnostic::Severity;
use puppetfn_base::limits::Limits;
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

/// The methods of interpolations.
const METHODS: [&str; 5] = ["alias", "hiera", "literal", "lookup", "scope"];

/// Returns the findings about the texts and Symbols in the value of a key.
pub(super) fn of_value(key: &str, value: &Value, data: &DataText, limits: &Limits) -> Vec<Finding> {
    let mut found = Vec::new();
    let at = data.value_span(&[key]);
    if has_symbol(value, limits.nesting) {
        let part = if let Value::Unknown(_) = value { "" } else { " in it" };
        let message = format!(
            "Value for key '{key}' has wrong type, expects Puppet::LookupValue, got Runtime[ruby, 'Symbol']{part}: a text with a colon in front needs quotation marks"
        );
        found.push(Finding::new(Rule::DataValue, message, at));
    }
    each_text(value, limits.nesting, &mut |text| {
        let problems = interpolation_problems(key, text).into_iter().chain(encryption_problem(text));
        for (rule, severity, message) in problems {
            // The text is searched for, as its place in the value is not known.
            let span = data.span_of_text(text, at);
            found.push(Finding { severity, ..Finding::new(rule, message, span) });
        }
    });
    found.dedup();
    found
}

fn has_symbol(value: &Value, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match value {
        Value::Unknown(t) => **t == Type::ruby("Symbol"),
        Value::Array(items) => items.iter().any(|item| has_symbol(item, depth)),
        Value::Hash(hash) => hash.iter().any(|(_, value)| has_symbol(value, depth)),
        _ => false,
    }
}

/// Visits the texts in a value that can be interpolated, keys of hashes among them.
fn each_text(value: &Value, depth: u32, visit: &mut dyn FnMut(&str)) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match value {
        Value::String(text) if text.contains("%{") || text.contains("ENC[") => visit(text),
        Value::Array(items) => items.iter().for_each(|item| each_text(item, depth, visit)),
        Value::Hash(hash) => hash.iter().for_each(|(key, value)| {
            each_text(key, depth, visit);
            each_text(value, depth, visit);
        }),
        _ => {}
    }
}

type TextProblem = (Rule, Severity, String);

/// Returns the problems of the interpolations in a text.
fn interpolation_problems(key: &str, text: &str) -> Vec<TextProblem> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once("%{") {
        let Some((expression, after)) = behind.split_once('}') else {
            let message = "`%{` has no `}` after it, so that it stays in the value".to_owned();
            found.push((Rule::DataInterpolation, Severity::Warning, message));
            break;
        };
        found.extend(recursion_problem(key, expression.trim()));
        found.extend(expression_problem(expression.trim(), text));
        rest = after;
    }
    found
}

/// Returns the problem of a value that looks its own key up.
fn recursion_problem(key: &str, expression: &str) -> Option<TextProblem> {
    let (method, argument) = method_call(expression)?;
    let is_own = matches!(method, "alias" | "hiera" | "lookup") && argument.split('.').next() == Some(key);
    let message = format!("Lookup of key '{key}' failed: Recursive lookup detected in [{key}]");
    is_own.then_some((Rule::DataInterpolation, Severity::Error, message))
}

fn expression_problem(expression: &str, text: &str) -> Option<TextProblem> {
    let error = |message: String| Some((Rule::DataInterpolation, Severity::Error, message));
    if matches!(expression, "" | "::" | "\"\"" | "''" | "\"::\"" | "'::'") {
        return None;
    }
    let Some((method, argument)) = method_call(expression) else {
        return variable_problem(expression, text);
    };
    if !METHODS.contains(&method) {
        return error(format!("Unknown interpolation method '{method}'"));
    }
    let is_whole = text.strip_prefix("%{").and_then(|text| text.strip_suffix('}'));
    if method == "alias" && is_whole.is_none_or(|inner| inner.contains('}')) {
        let message =
            "'alias' interpolation is only permitted if the expression is equal to the entire string";
        return error(message.to_owned());
    }
    let is_malformed = method != "literal" && !is_key(argument);
    if is_malformed { error(format!("Syntax error in string: {argument}")) } else { None }
}

/// Returns the problem of an expression that is no call, so that it names a variable.
fn variable_problem(expression: &str, text: &str) -> Option<TextProblem> {
    if !is_key(expression) {
        let message = format!("Syntax error in string: {text}");
        return Some((Rule::DataInterpolation, Severity::Error, message));
    }
    if !expression.contains('(') {
        return None;
    }
    let message =
        format!("'{expression}' names no variable: the argument of a method is a text in quotation marks");
    Some((Rule::DataInterpolation, Severity::Warning, message))
}

/// Returns the name and the argument of `name("argument")`.
fn method_call(expression: &str) -> Option<(&str, &str)> {
    let (name, rest) = expression.split_once('(')?;
    let argument = rest.strip_suffix(')')?;
    let quoted =
        |mark: char| argument.strip_prefix(mark)?.strip_suffix(mark).filter(|text| !text.contains(mark));
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let text = quoted('"').or_else(|| quoted('\'')).filter(|text| is_name && !text.is_empty())?;
    Some((name, text))
}

/// Returns true for segments, of which some may be in quotation marks, with a dot between each.
fn is_key(text: &str) -> bool {
    static KEY: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let segment = r#"(\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+)"#;
        Regex::new(&format!(r"\A{segment}(\.{segment})*\z")).ok()
    });
    KEY.as_ref().is_none_or(|key| key.is_match(text))
}

/// Returns the problem of an encrypted text that hiera-eyaml does not recognize.
fn encryption_problem(text: &str) -> Option<TextProblem> {
    static TOKEN: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\AENC\[(\w+,)?[a-zA-Z0-9+/ =\n]+\]").ok());
    let token = TOKEN.as_ref()?;
    let starts = text.match_indices("ENC[").map(|(start, _)| start);
    let is_malformed = |start: &usize| text.get(*start..).is_some_and(|rest| !token.is_match(rest));
    starts.into_iter().find(is_malformed)?;
    let message = "This is no encrypted text of hiera-eyaml, ENC[METHOD,BASE64], so that it is not decrypted";
    Some((Rule::DataEncryption, Severity::Warning, message.to_owned()))
}
