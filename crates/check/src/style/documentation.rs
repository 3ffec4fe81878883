//! Comments that describe definitions and their parameters.

use std::collections::HashSet;

use super::super::rule::Rule;
use super::Style;
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{Expr, ExprKind};

/// Reports a class or a defined type without a comment above it.
pub(super) fn definition(style: &mut Style<'_, '_>, expr: &Expr<'_>, kind: &str) {
    let index = style.lexemes.partition_point(|lexeme| lexeme.span.start < expr.span.start);
    let is_near = style.lexemes.get(index).is_some_and(|keyword| keyword.breaks <= 1);
    let before = index.checked_sub(1).and_then(|before| style.lexemes.get(before));
    if !(is_near && before.is_some_and(|before| before.kind.is_comment())) {
        let head = Span::rest_of_line(style.text, expr.span.start);
        style.report(Rule::Documentation, head, format!("No comment describes the {kind}"));
    }
}

/// Compares the documented parameters with the declared ones.
pub(super) fn parameters<'s>(style: &mut Style<'_, 's>, expr: &Expr<'s>) {
    if !style.selection().has(Rule::ParameterDocumentation) {
        return;
    }
    let Some(parameters) = expr.kind.parameters() else { return };
    let comment = style.program.doc_comment(expr).map(|comment| comment.span);
    let lines: Vec<(&str, Span)> = comment.map(|span| lines(style.text, span)).unwrap_or_default();
    if lines.iter().any(|(line, _)| line.trim_start().starts_with("@api private")) {
        return;
    }
    let described: Vec<(&str, Span)> =
        lines.into_iter().filter_map(|(line, span)| Some((described(line)?, span))).collect();
    for parameter in parameters {
        if !described.iter().any(|(name, _)| *name == parameter.name) {
            let message = format!("No `@param` describes the parameter '{}'", parameter.name);
            style.report(Rule::ParameterDocumentation, parameter.span, message);
        }
    }
    let is_type = matches!(expr.kind, ExprKind::ResourceType(_));
    let is_title = |name: &str| is_type && matches!(name, "name" | "title");
    let names: HashSet<&str> = parameters.iter().map(|parameter| parameter.name).collect();
    let mut passed = HashSet::new();
    for (name, span) in described {
        if !names.contains(name) && !is_title(name) {
            let message = format!("There is no parameter '{name}'");
            style.report(Rule::ParameterDocumentation, span, message);
        } else if !passed.insert(name) {
            let message = format!("The parameter '{name}' is already described");
            style.report(Rule::ParameterDocumentation, span, message);
        }
    }
}

/// Returns the lines of a comment without the marks, each with its span.
fn lines(text: &str, comment: Span) -> Vec<(&str, Span)> {
    let mut start = comment.start;
    let lines = comment.text(text).split('\n').map(|line| {
        let span = Span::new(start, start + line.trim_end().len() as u32);
        start += line.len() as u32 + 1;
        (line.trim_start().trim_start_matches('#'), span)
    });
    lines.collect()
}

/// Returns the name of the parameter that a line of a comment describes: `@param [String] name`, `[*name*]` or `$name::`.
fn described(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let older = line.strip_prefix("[*").and_then(|rest| rest.split_once("*]"));
    let older = older.or_else(|| line.strip_prefix('$').and_then(|rest| rest.split_once(":: ")));
    if let Some((name, _)) = older {
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        return Some(name).filter(|name| is_name && !name.is_empty());
    }
    let mut rest = line.strip_prefix("@param")?.trim_start();
    if let Some(typed) = rest.strip_prefix('[') {
        let mut depth = 1;
        let end = typed.char_indices().find(|(_, c)| {
            depth += match c {
                '[' => 1,
                ']' => -1,
                _ => 0,
            };
            depth == 0
        });
        rest = typed.get(end?.0 + 1..)?.trim_start();
    }
    rest.split_whitespace().next().map(|name| name.trim_start_matches(['$', '*', '&']))
}

#[cfg(test)]
mod tests {
    use super::described;

    #[test]
    fn types_come_before_names() {
        assert_eq!(described("@param a the a"), Some("a"));
        assert_eq!(described(" @param [Array[String]] b"), Some("b"));
        assert_eq!(described("@param *c"), Some("c"));
        assert_eq!(described("@return [String]"), None);
        assert_eq!(described(" [*d*] the d"), Some("d"));
        assert_eq!(described("$e:: the e"), Some("e"));
        assert_eq!(described("[*f g*]"), None);
    }
}
