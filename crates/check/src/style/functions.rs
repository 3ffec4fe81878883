//! Calls of functions that have something better in their place.
#![allow(clippy::wildcard_enum_match_arm, reason = "the rest is no call")]

use super::super::rule::Rule;
use super::{Style, replaced};
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{Expr, ExprKind};

/// The functions that declare or name classes.
const OF_CLASSES: [&str; 3] = ["include", "contain", "require"];

pub(super) fn check(style: &mut Style<'_, '_>, expr: &Expr<'_>) {
    match &expr.kind {
        ExprKind::Call(call) => {
            let Some(name) = call.function.kind.as_constant_string() else { return };
            named(style, name, call.function.span, &call.arguments);
        }
        ExprKind::Method(method) => {
            if let "hiera" | "hiera_array" | "hiera_hash" | "hiera_include" = method.name {
                hiera(style, method.name, method.name_span);
            }
        }
        ExprKind::Access(access) if access.operand.kind == ExprKind::Reference("Class") => {
            access.keys.iter().for_each(|key| absolute(style, key));
        }
        ExprKind::Resource(resource) if resource.type_name.kind.as_constant_string() == Some("class") => {
            resource.bodies.iter().for_each(|body| absolute(style, &body.title));
        }
        ExprKind::Class(class) => {
            let parent = class.parent.filter(|parent| parent.starts_with("::"));
            if let Some(span) = parent.and_then(|parent| Span::of_part(style.text, parent)) {
                relative(style, span, span.text(style.text));
            }
        }
        _ => {}
    }
}

fn named(style: &mut Style<'_, '_>, name: &str, span: Span, arguments: &[Expr<'_>]) {
    match name {
        _ if OF_CLASSES.contains(&name) => arguments.iter().for_each(|argument| absolute(style, argument)),
        "hiera" | "hiera_array" | "hiera_hash" | "hiera_include" => hiera(style, name, span),
        "template" => {
            if let [first, .., last] = arguments {
                let all = Span::new(first.span.start, last.span.end);
                style.report(Rule::ConcatenatedTemplates, all, "Several templates are put together");
            }
            extensions(style, arguments, ".erb");
            style.report(Rule::ErbTemplate, span, "The template is in ERB, not in EPP");
        }
        "epp" => extensions(style, arguments.get(..1).unwrap_or_default(), ".epp"),
        "inline_template" => style.report(Rule::ErbTemplate, span, "The template is in ERB, not in EPP"),
        _ => {}
    }
    for argument in arguments.iter().filter(|argument| argument.kind == ExprKind::Undef) {
        style.report(Rule::UndefInFunction, argument.span, "`undef` is given to a function");
    }
}

fn hiera(style: &mut Style<'_, '_>, name: &str, span: Span) {
    style.report(Rule::HieraFunction, span, format!("`lookup` has taken the place of `{name}`"));
}

fn extensions(style: &mut Style<'_, '_>, files: &[Expr<'_>], wanted: &str) {
    for file in files {
        if file.kind.as_constant_string().is_some_and(|name| !name.ends_with(wanted)) {
            let message = format!("The name of the template does not end in `{wanted}`");
            style.report(Rule::TemplateFileExtension, file.span, message);
        }
    }
}

/// Reports names of classes that begin with `::`.
fn absolute(style: &mut Style<'_, '_>, expr: &Expr<'_>) {
    if let ExprKind::Array(names) = &expr.kind {
        return names.iter().for_each(|name| absolute(style, name));
    }
    if let Some(name) = expr.kind.as_constant_string().filter(|name| name.starts_with("::")) {
        let written = style.written(expr);
        let start = expr.span.start + written.find("::").unwrap_or(0) as u32;
        relative(style, Span::new(start, start + name.len() as u32), name);
    }
}

/// Reports a name at a place of the text.
fn relative(style: &mut Style<'_, '_>, span: Span, name: &str) {
    let message = "The name of the class begins with a needless `::`";
    let mark = Span::new(span.start, span.start + 2);
    let fix = replaced(mark, "").filter(|_| span.text(style.text) == name);
    style.report_with(Rule::AbsoluteClassname, span, message, fix);
}
