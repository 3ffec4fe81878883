//! Resources that give more rights than they should.
#![allow(clippy::wildcard_enum_match_arm, reason = "the rest is no variable")]

use super::super::rule::Rule;
use super::Style;
use super::resources::{beginning, has_splat, operation};
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{Expr, ExprKind, ResourceBody, StringSegment};

pub(super) fn check<'s>(style: &mut Style<'_, 's>, type_name: &str, body: &ResourceBody<'s>) {
    match type_name {
        "file" => {
            writable(style, body);
            checksum(style, body);
        }
        "exec" => command(style, body),
        "user" => password(style, body),
        _ => {}
    }
}

/// Reports files that everybody may write.
fn writable(style: &mut Style<'_, '_>, body: &ResourceBody<'_>) {
    let Some(mode) = operation(body, "mode") else { return };
    let Some(text) = mode.value.kind.as_constant_string() else { return };
    let octal = text.len() >= 3 && text.chars().all(|c| c.is_digit(8));
    let by_digits = octal && text.ends_with(['2', '3', '6', '7']);
    let by_symbols = text.split(',').any(|part| {
        let (who, what) = part.split_once(['=', '+']).unwrap_or((part, ""));
        who.contains(['o', 'a']) && what.contains('w')
    });
    // A sticky bit, as of /tmp, keeps others from the files.
    let is_sticky = octal && text.len() == 4 && text.starts_with(['1', '3', '5', '7']);
    if (by_digits || by_symbols) && !is_sticky {
        style.report(Rule::WorldWritableFile, mode.value.span, "Everybody may write the file");
    }
}

/// Reports files from the network that are not compared with a checksum.
fn checksum(style: &mut Style<'_, '_>, body: &ResourceBody<'_>) {
    let Some(source) = operation(body, "source").filter(|_| !has_splat(body)) else { return };
    let is_remote = beginning(&source.value)
        .is_some_and(|(url, _)| url.starts_with("http://") || url.starts_with("https://"));
    if is_remote && operation(body, "checksum_value").is_none() {
        let message = "No `checksum_value` says what the downloaded file has to be";
        style.report(Rule::SourceWithoutChecksum, source.value.span, message);
    }
}

/// Reports commands with parameters of the definition, which may say anything to a shell.
fn command<'s>(style: &mut Style<'_, 's>, body: &ResourceBody<'s>) {
    let Some(definition) = style.definition else { return };
    let parameters = definition.kind.parameters().unwrap_or_default();
    let command = operation(body, "command").map_or(&body.title, |command| &command.value);
    let ExprKind::Interpolation(segments) = &command.kind else { return };
    let name = |expr: &Expr<'s>| match &expr.kind {
        ExprKind::Variable(name) => Some(*name),
        _ => None,
    };
    let mut found: Vec<(Span, &str)> = Vec::new();
    for segment in segments {
        if let StringSegment::Expr(code) = segment {
            let known = name(code).filter(|name| parameters.iter().any(|parameter| parameter.name == *name));
            found.extend(known.map(|name| (code.span, name)));
        }
    }
    for (span, name) in found {
        let message =
            format!("The parameter '{name}' is a part of the command; `shell_escape` makes it one word");
        style.report(Rule::ParameterInCommand, span, message);
    }
}

/// Reports passwords in plain text.
fn password(style: &mut Style<'_, '_>, body: &ResourceBody<'_>) {
    let Some(password) = operation(body, "password") else { return };
    let is_plain =
        password.value.kind.as_constant_string().is_some_and(|text| !text.starts_with(['!', '*', '$', 'x']));
    if is_plain {
        style.report(Rule::PasswordInCode, password.value.span, "The password is in the code");
    }
}
