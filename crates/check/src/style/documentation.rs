//! Comments that describe definitions and their parameters.

use std::collections::HashSet;

use super::super::rule::Rule;
use super::Style;
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::Expr;

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
    let comment = style.program.doc_comment(expr);
    let text = comment.as_ref().map(|comment| comment.text.as_str()).unwrap_or_default();
    if text.lines().any(|line| line.trim_start().starts_with("@api private")) {
        return;
    }
    let described: Vec<&str> = text.lines().filter_map(described).collect();
    for parameter in parameters.iter().filter(|parameter| !described.contains(&parameter.name)) {
        let message = format!("No `@param` describes the parameter '{}'", parameter.name);
        style.report(Rule::ParameterDocumentation, parameter.span, message);
    }
    let names: HashSet<&str> = parameters.iter().map(|parameter| parameter.name).collect();
    let Some(comment) = &comment else { return };
    for name in described.into_iter().filter(|name| !names.contains(name)) {
        let message = format!("There is no parameter '{name}'");
        style.report(Rule::ParameterDocumentation, comment.span, message);
    }
}

/// Returns the name of the parameter that a line of a comment describes: `@param [String] name`.
fn described(line: &str) -> Option<&str> {
    let mut rest = line.trim_start().strip_prefix("@param")?.trim_start();
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
    }
}
