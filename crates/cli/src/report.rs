//! Shows problems in a text with the lines that they are about.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use puppetfn_base::diagnostic::{Diagnostic, Severity};
use puppetfn_base::source::{LineIndex, Span};
use puppetfn_syntax::{Mode, explain};

/// How many problems of one text are shown.
const SHOWN: usize = 50;

/// How many bytes the lines of a problem may have to be shown. Each problem in one long line shows it.
const EXCERPT: u32 = 65_536;

/// What is wrong with a text, to be printed.
pub(super) struct Problems {
    pub text: String,
    pub has_errors: bool,
}

impl Problems {
    /// Creates the problem of a text that cannot be read.
    pub fn unreadable(name: &str, reason: &str) -> Self {
        Self { text: format!("error: {name}: {reason}"), has_errors: true }
    }
}

/// Shows what was found in a text.
pub(super) fn problems(
    found: &[Diagnostic],
    text: &str,
    name: &str,
    mode: Mode,
    is_terminal: bool,
) -> Problems {
    let renderer = if is_terminal { Renderer::styled() } else { Renderer::plain() };
    let lines = LineIndex::new(text);
    let show = |diagnostic| show(diagnostic, text, &lines, name, mode, &renderer);
    let mut shown: Vec<String> = found.iter().take(SHOWN).map(show).collect();
    if found.len() > SHOWN {
        shown.push(format!("... and {} more in {name}", found.len() - SHOWN));
    }
    let has_errors = found.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    Problems { text: shown.join("\n\n"), has_errors }
}

fn show(
    diagnostic: &Diagnostic,
    text: &str,
    lines: &LineIndex,
    name: &str,
    mode: Mode,
    renderer: &Renderer,
) -> String {
    let explanation = explain(text, mode, diagnostic);
    let spans = explanation.labels.iter().map(|(span, _)| *span);
    // Only these lines are needed; the text may be long.
    let all = spans.fold(explanation.span, Span::to);
    let excerpt = lines.whole(text, all);
    let title = level(diagnostic.severity).primary_title(diagnostic.message.as_str());
    let help = explanation.help.map(|help| Level::HELP.message(help));
    if excerpt.end - excerpt.start > EXCERPT {
        let (line, column) = lines.position(text, explanation.span.start);
        let origin = Origin::path(name).line(line as usize).char_column(column as usize);
        return renderer.render(&[Group::with_title(title).element(origin).elements(help)]);
    }
    let within = |span: Span| (span.start - excerpt.start) as usize..(span.end - excerpt.start) as usize;
    let first_line = lines.position(text, excerpt.start).0 as usize;
    let label = |(span, label)| -> Annotation<'_> { AnnotationKind::Context.span(within(span)).label(label) };
    let snippet = Snippet::source(excerpt.text(text))
        .path(name)
        .line_start(first_line)
        .annotation(AnnotationKind::Primary.span(within(explanation.span)))
        .annotations(explanation.labels.into_iter().map(label));
    renderer.render(&[Group::with_title(title).element(snippet).elements(help)])
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Deprecation => Level::WARNING.with_name("deprecated"),
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    }
}
