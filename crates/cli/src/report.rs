//! Shows problems in a text with the lines that they are about.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use puppetfn_base::diagnostic::{Diagnostic, Severity};
use puppetfn_base::source::{LineIndex, Span};
use puppetfn_syntax::{Mode, explain};

/// The number of problems of one text that are shown.
const SHOWN: usize = 50;

/// The maximum length of a problem's lines in bytes, to be shown. Each problem in one long line shows it.
const EXCERPT: u32 = 65_536;

/// Problems of a text, to be printed.
pub(super) struct ProblemReport {
    pub text: String,
    pub has_errors: bool,
}

impl ProblemReport {
    /// Creates the problem of a text that cannot be read.
    pub fn unreadable(name: &str, reason: &str) -> Self {
        Self { text: format!("error: {name}: {reason}"), has_errors: true }
    }
}

/// A line of any file that a problem refers to.
pub(super) struct Note {
    /// The text of the note.
    pub message: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// The text of the line, where it could be read.
    pub text: Option<String>,
}

/// Renders the diagnostics of a text.
pub(super) fn problems(
    found: &[Diagnostic],
    text: &str,
    name: &str,
    mode: Mode,
    is_coloured: bool,
) -> ProblemReport {
    let found: Vec<_> = found.iter().map(|diagnostic| (diagnostic.clone(), Vec::new())).collect();
    problems_with_notes(&found, text, name, mode, is_coloured)
}

/// Renders diagnostics with notes about other places.
pub(super) fn problems_with_notes(
    found: &[(Diagnostic, Vec<Note>)],
    text: &str,
    name: &str,
    mode: Mode,
    is_coloured: bool,
) -> ProblemReport {
    let renderer = if is_coloured { Renderer::styled() } else { Renderer::plain() };
    let lines = LineIndex::new(text);
    let show = |(diagnostic, notes)| show(diagnostic, notes, text, &lines, name, mode, &renderer);
    let pairs = found.iter().map(|(diagnostic, notes)| (diagnostic, notes.as_slice()));
    let mut shown: Vec<String> = pairs.take(SHOWN).map(show).collect();
    if found.len() > SHOWN {
        shown.push(format!("... and {} more in {name}", found.len() - SHOWN));
    }
    let has_errors = found.iter().any(|(diagnostic, _)| diagnostic.severity == Severity::Error);
    ProblemReport { text: shown.join("\n\n"), has_errors }
}

fn show(
    diagnostic: &Diagnostic,
    notes: &[Note],
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
        let group = Group::with_title(title).element(origin).elements(help);
        return renderer.render(&[vec![group], notes.iter().map(shown_note).collect()].concat());
    }
    let within = |span: Span| (span.start - excerpt.start) as usize..(span.end - excerpt.start) as usize;
    let first_line = lines.position(text, excerpt.start).0 as usize;
    let label = |(span, label)| -> Annotation<'_> { AnnotationKind::Context.span(within(span)).label(label) };
    let snippet = Snippet::source(excerpt.text(text))
        .path(name)
        .line_start(first_line)
        .annotation(AnnotationKind::Primary.span(within(explanation.span)))
        .annotations(explanation.labels.into_iter().map(label));
    let group = Group::with_title(title).element(snippet).elements(help);
    renderer.render(&[vec![group], notes.iter().map(shown_note).collect()].concat())
}

fn shown_note(note: &Note) -> Group<'_> {
    let title = Level::NOTE.secondary_title(note.message.as_str());
    let (line, column) = (note.line as usize, note.column as usize);
    match &note.text {
        Some(text) => {
            let start: usize = text.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum();
            let word = word_at(text, start);
            let snippet = Snippet::source(text.as_str()).path(note.file.as_str()).line_start(line);
            Group::with_title(title).element(snippet.annotation(AnnotationKind::Primary.span(word)))
        }
        None => {
            let origin = Origin::path(note.file.as_str()).line(line).char_column(column);
            Group::with_title(title).element(origin)
        }
    }
}

/// Returns the word at an offset of a line.
fn word_at(line: &str, start: usize) -> Range<usize> {
    let word = Diagnostic::error("", "", Span::at(u32::try_from(start).unwrap_or(u32::MAX)));
    let span = explain(line, Mode::default(), &word).span;
    span.start as usize..span.end as usize
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Deprecation => Level::WARNING.with_name("deprecated"),
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    }
}
