//! Fixes of calls of removed and deprecated functions: the code that has replaced each of them, where that is certain.
//!
//! The checks of parameters take the types that the functions of stdlib accepted. Functions that also accepted texts of numbers,
//! such as `is_integer`, have no type with the same values, and so no fix.
#![allow(clippy::wildcard_enum_match_arm, reason = "the rest is no call")]

use super::World;
use super::finding::{Finding, Fix};
use super::rule::Rule;
use super::words::last_word;
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{Expr, ExprKind, Lambda, Program};

/// Types for the functions that test a value, with exactly the values for which they are true.
const TESTS: [(&str, &str); 3] = [("is_array", "Array"), ("is_bool", "Boolean"), ("is_hash", "Hash")];

/// Types for the functions that validate values. Functions in the 3.x API get an empty string in place of `undef`.
const VALIDATIONS: [(&str, &str); 4] = [
    ("validate_array", "Array"),
    ("validate_bool", "Boolean"),
    ("validate_hash", "Hash"),
    ("validate_string", "Optional[String]"),
];

/// Functions with the same arguments and result under another name.
const RENAMED: [(&str, &str); 1] = [("sprintf_hash", "sprintf")];

/// Adds fixes to the findings about functions.
pub(super) fn add(found: &mut [Finding], program: &Program<'_>, text: &str, world: &World) {
    let is_about_function = |finding: &Finding| {
        finding.fix.is_none() && matches!(finding.rule, Rule::DeprecatedFunction | Rule::UnknownFunction)
    };
    if found.iter().any(is_about_function) {
        let mut fixes = Vec::new();
        let mut calls = CallFixes { text, world, fixes: &mut fixes };
        program.statements.iter().for_each(|statement| calls.visit(statement));
        for finding in found.iter_mut().filter(|finding| is_about_function(finding)) {
            let fix = fixes.iter().find(|(starts, _)| starts.contains(&finding.span.start));
            finding.fix = fix.map(|(_, fix)| fix.clone());
        }
    }
}

/// The fixes of the calls in a text, each with the positions that findings about its call can have.
struct CallFixes<'t, 'f> {
    text: &'t str,
    world: &'t World,
    fixes: &'f mut Vec<([u32; 2], Fix)>,
}

/// A call without a block, in either notation.
struct Call<'a, 's> {
    name: &'s str,
    name_span: Span,
    arguments: Vec<&'a Expr<'s>>,
}

impl<'a, 's> Call<'a, 's> {
    fn of(expr: &'a Expr<'s>) -> Option<Self> {
        match &expr.kind {
            ExprKind::Call(call) if call.lambda.is_none() => {
                let ExprKind::Name(name) = call.function.kind else { return None };
                let arguments = call.arguments.iter().collect();
                Some(Self { name, name_span: call.function.span, arguments })
            }
            ExprKind::Method(method) if method.lambda.is_none() => {
                let arguments = std::iter::once(&method.receiver).chain(&method.arguments).collect();
                Some(Self { name: method.name, name_span: method.name_span, arguments })
            }
            _ => None,
        }
    }
}

impl CallFixes<'_, '_> {
    fn visit(&mut self, expr: &Expr<'_>) {
        if let Some(call) = Call::of(expr)
            && let Some(text) = self.replacement(&call, expr.span)
        {
            let fix = Fix { span: expr.span, text };
            self.fixes.push(([call.name_span.start, expr.diagnostic_span().start], fix));
        }
        expr.for_each_child(&mut |child| self.visit(child));
        if let Some(lambda) = expr.kind.lambda() {
            self.lambda(lambda);
        }
    }

    fn lambda(&mut self, lambda: &Lambda<'_>) {
        let defaults = lambda.parameters.iter().flat_map(|parameter| &parameter.default);
        defaults.chain(&lambda.body.statements).for_each(|child| self.visit(child));
    }

    /// Returns the code for a call, if it is certain to do the same.
    fn replacement(&self, call: &Call<'_, '_>, span: Span) -> Option<String> {
        let arguments = call.arguments.as_slice();
        let is_spread = |argument: &&Expr<'_>| self.written(argument).starts_with('*');
        if arguments.iter().any(|argument| is_spread(argument) || !self.is_plain(argument)) {
            return None;
        }
        let name = call.name.trim_start_matches("::");
        let of = |table: &[(&str, &'static str)]| {
            table.iter().find(|(old, _)| *old == name).map(|(_, replacement)| *replacement)
        };
        if let Some(renamed) = of(&RENAMED) {
            let all: Vec<&str> = arguments.iter().map(|argument| self.written(argument)).collect();
            return Some(format!("{renamed}({})", all.join(", ")));
        }
        if let Some(t) = of(&VALIDATIONS) {
            return self.validation(t, arguments, span);
        }
        match (name, arguments) {
            ("hiera", [key, default @ ..]) => self.lookup(key, "'first'", default),
            ("hiera_array", [key, default @ ..]) => self.lookup(key, "'unique'", default),
            ("hiera_hash", [key, default @ ..]) => self.lookup(key, self.world.hash_merge(), default),
            ("hiera_include", [key, default @ ..]) => {
                self.lookup(key, "'unique'", default).map(|lookup| format!("include({lookup})"))
            }
            // `in` ignores the case of letters.
            ("has_key", [hash, key]) if self.world.is_migration() => {
                Some(self.operation(&format!("{} in {}", self.operand(key), self.operand(hash)), span))
            }
            ("validate_re", [value, patterns]) => self.pattern(value, patterns),
            ("validate_re", [value, patterns, message]) => {
                let check = self.pattern(value, patterns)?;
                let message = self.written(message);
                Some(format!("{check} |$_expected, $_actual| {{ fail({message}) }}"))
            }
            (_, [value]) => {
                let t = of(&TESTS)?;
                Some(self.operation(&format!("{} =~ {t}", self.operand(value)), span))
            }
            _ => None,
        }
    }

    fn written(&self, expr: &Expr<'_>) -> &str {
        expr.span.text(self.text)
    }

    /// Returns true for an expression that can be moved: the text of a heredoc is elsewhere, and a comment ends the line.
    fn is_plain(&self, expr: &Expr<'_>) -> bool {
        let mut is_plain = !matches!(expr.kind, ExprKind::Heredoc(_)) && !self.written(expr).contains('#');
        expr.for_each_child(&mut |child| is_plain &= self.is_plain(child));
        is_plain
    }

    /// Returns an expression as an operand, in parentheses if it has operators of its own.
    fn operand(&self, expr: &Expr<'_>) -> String {
        let text = self.written(expr);
        match expr.kind {
            ExprKind::Variable(_)
            | ExprKind::String(_)
            | ExprKind::Interpolation(_)
            | ExprKind::Access(_)
            | ExprKind::Method(_)
            | ExprKind::Array(_)
            | ExprKind::Paren(_) => text.to_owned(),
            ExprKind::Call(_) if text.ends_with(')') => text.to_owned(),
            _ => format!("({text})"),
        }
    }

    /// Returns an operation in parentheses, unless it has nothing around that could take one of its operands.
    fn operation(&self, operation: &str, span: Span) -> String {
        let before = self.text.get(..span.start as usize).unwrap_or_default().trim_end_matches([' ', '\t']);
        let after = self.text.get(span.end as usize..).unwrap_or_default().trim_start_matches([' ', '\t']);
        let is_condition = matches!(last_word(before), "if" | "elsif" | "unless") && after.starts_with('{');
        let is_enclosed = before.ends_with('(') && after.starts_with(')');
        let is_assigned =
            before.ends_with(" =") && (after.is_empty() || after.starts_with(['\n', '\r', '}']));
        if is_condition || is_enclosed || is_assigned {
            operation.to_owned()
        } else {
            format!("({operation})")
        }
    }

    fn lookup(&self, key: &Expr<'_>, merge: &str, default: &[&Expr<'_>]) -> Option<String> {
        let key = self.written(key);
        match default {
            [] => Some(format!("lookup({key}, Any, {merge})")),
            [default] => Some(format!("lookup({key}, Any, {merge}, {})", self.written(default))),
            // The third argument names a level of the hierarchy.
            _ => None,
        }
    }

    /// Returns a line for each validated value. More than one is only certain if the call has a line of its own.
    fn validation(&self, t: &str, values: &[&Expr<'_>], span: Span) -> Option<String> {
        let before = self.text.get(..span.start as usize).unwrap_or_default();
        let indentation = before.rsplit('\n').next().unwrap_or_default();
        if values.is_empty() || values.len() > 1 && !indentation.trim().is_empty() {
            return None;
        }
        let checks = values.iter().map(|value| format!("assert_type({t}, {})", self.written(value)));
        Some(checks.collect::<Vec<_>>().join(&format!("\n{indentation}")))
    }

    /// Returns the check of a value against constant patterns.
    fn pattern(&self, value: &Expr<'_>, patterns: &Expr<'_>) -> Option<String> {
        let patterns = match &patterns.kind {
            ExprKind::Array(patterns) if !patterns.is_empty() => patterns.iter().collect(),
            _ => vec![patterns],
        };
        let is_text = |pattern: &&Expr<'_>| matches!(pattern.kind, ExprKind::String(_));
        if !patterns.iter().all(is_text) {
            return None;
        }
        let patterns: Vec<&str> = patterns.into_iter().map(|pattern| self.written(pattern)).collect();
        Some(format!("assert_type(Pattern[{}], {})", patterns.join(", "), self.written(value)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{World, apart, fixed};
    use puppetfn_runtime::loader::Loader;
    use std::sync::Arc;

    /// The text after the fixes for calls.
    fn migrated(text: &str) -> String {
        let loader = Arc::new(Loader::of_modulepath([""; 0]));
        let world = World::new(loader, puppetfn_base::limits::Limits::DEFAULT)
            .migrating("{'strategy' => 'unconstrained_deep'}");
        let found = world.check_text(text).into_iter();
        let is_about_function = |name: &str| matches!(name, "deprecated-function" | "unknown-function");
        let of_calls = found.filter(|finding| is_about_function(finding.rule.name()));
        fixed(text, &apart(of_calls.filter_map(|finding| finding.fix).collect()))
    }

    #[test]
    fn calls_of_hiera_3_become_lookups_with_the_same_merge() {
        for (before, after) in [
            ("$a = hiera('k')", "$a = lookup('k', Any, 'first')"),
            ("$a = hiera('k', $default)", "$a = lookup('k', Any, 'first', $default)"),
            ("$a = hiera_array(\"${b}::k\", [])", "$a = lookup(\"${b}::k\", Any, 'unique', [])"),
            ("$a = hiera_hash('k')", "$a = lookup('k', Any, {'strategy' => 'unconstrained_deep'})"),
            ("hiera_include('classes')", "include(lookup('classes', Any, 'unique'))"),
            ("notice('k'.hiera)", "notice(lookup('k', Any, 'first'))"),
            ("[1].each |$x| { notice(hiera('k')) }", "[1].each |$x| { notice(lookup('k', Any, 'first')) }"),
        ] {
            assert_eq!(migrated(before), after);
        }
    }

    #[test]
    fn has_key_is_only_replaced_where_code_is_migrated() {
        let world =
            World::new(Arc::new(Loader::of_modulepath([""; 0])), puppetfn_base::limits::Limits::DEFAULT);
        let found = world.check_text("if has_key($facts, 'k') { }");
        assert_eq!(found.iter().map(|finding| &finding.fix).collect::<Vec<_>>(), [&None], "{found:?}");
    }

    #[test]
    fn tests_of_values_become_operators() {
        for (before, after) in [
            ("if has_key($h, 'k') { }", "if 'k' in $h { }"),
            ("if !has_key($h, $a + $b) { }", "if !(($a + $b) in $h) { }"),
            ("$a = is_hash($b['c'])\n", "$a = $b['c'] =~ Hash\n"),
            ("$a = is_bool($b) and $c", "$a = ($b =~ Boolean) and $c"),
            ("unless [1].is_array { }", "unless [1] =~ Array { }"),
            ("notice(is_array($a), 1)", "notice(($a =~ Array), 1)"),
        ] {
            assert_eq!(migrated(before), after);
        }
    }

    #[test]
    fn validations_become_assertions() {
        for (before, after) in [
            ("validate_array($a)", "assert_type(Array, $a)"),
            ("validate_string($a)", "assert_type(Optional[String], $a)"),
            ("  validate_bool($a, $b)\n", "  assert_type(Boolean, $a)\n  assert_type(Boolean, $b)\n"),
            ("validate_re($a, '^b$')", "assert_type(Pattern['^b$'], $a)"),
            (
                "validate_re($a, ['^b$', 'c'], \"no ${a}\")",
                "assert_type(Pattern['^b$', 'c'], $a) |$_expected, $_actual| { fail(\"no ${a}\") }",
            ),
            ("notice(sprintf_hash('%<a>d', $b))", "notice(sprintf('%<a>d', $b))"),
        ] {
            assert_eq!(migrated(before), after);
        }
    }

    #[test]
    fn calls_without_a_certain_replacement_stay() {
        for text in [
            "$a = hiera('k', 1, 'override')",
            "$a = hiera('k') |$k| { 1 }",
            "$a = hiera(*$b)",
            "$a = hiera(@(END))\n  k\n  | END\n",
            "$a = is_integer($b)",
            "validate_re($a, $b)",
            "validate_absolute_path($a)",
            "if $a { validate_hash($a, $b) }",
        ] {
            assert_eq!(migrated(text), text);
        }
    }
}
