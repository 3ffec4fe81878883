//! Comments that suppress findings: `puppetfn:ignore rule`.
//!
//! At the end of a line such a comment is about that line, alone on a line about the next one with code.
//! `puppetfn:ignore-begin rule` and `puppetfn:ignore-end` are about the lines between them, `puppetfn:ignore-file rule`
//! about the whole text.
#![allow(clippy::wildcard_enum_match_arm, reason = "few tokens may contain comments")]

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::finding::Finding;
use super::rule::Rule;
use super::selection::Selection;
use super::world::World;
use puppetfn_base::source::{LineIndex, Span};
use puppetfn_syntax::ast::{Expr, ExprKind, Program};
use puppetfn_types::types::ops::describe::most_similar;
use regex::Regex;

/// The common beginning of all such comments.
const MARK: &str = "puppetfn:ignore";

/// One rule that a comment names, and the lines in which it is not reported.
struct IgnoredRule {
    rule: Rule,
    lines: RangeInclusive<u32>,
    /// The rule's name in the comment.
    span: Span,
    is_used: bool,
}

/// Returns the findings of a text without those suppressed by its comments, and with findings about unneeded
/// comments. In code, comments are outside of `program`'s strings.
pub(super) fn without_ignored(
    found: Vec<Finding>,
    text: &str,
    program: Option<&Program<'_>>,
    selection: &Selection,
) -> Vec<Finding> {
    if !text.contains(MARK) {
        return found;
    }
    let lines = LineIndex::new(text);
    let mut comments =
        Comments { text, lines: &lines, ignored: Vec::new(), open: Vec::new(), odd: Vec::new() };
    let texts = program.map(texts_of).unwrap_or_default();
    comments.read(|offset| !texts.iter().any(|span| span.start <= offset && offset < span.end));
    let Comments { mut ignored, odd, .. } = comments;
    let mut left: Vec<Finding> = found
        .into_iter()
        .filter(|finding| {
            let (line, _) = lines.position(text, finding.span.start);
            let mut is_ignored = false;
            for ignored in &mut ignored {
                if ignored.rule == finding.rule && ignored.lines.contains(&line) {
                    ignored.is_used = true;
                    is_ignored = true;
                }
            }
            !is_ignored
        })
        .collect();
    let is_needless = |ignored: &&IgnoredRule| !ignored.is_used && selection.has(ignored.rule);
    let needless = ignored.iter().filter(is_needless).map(|ignored| {
        let message = format!("`{}` finds nothing here: remove the comment", ignored.rule.name());
        Finding::new(Rule::NeedlessIgnore, message, ignored.span)
    });
    left.extend(needless.chain(odd));
    left
}

impl World {
    /// Returns the findings of a text that is not Puppet code, without those that its comments suppress. Comments may be about
    /// findings of other checks of the text, so that none is needless.
    pub fn unsuppressed(&self, found: Vec<Finding>, text: &str) -> Vec<Finding> {
        let mut left = without_ignored(found, text, None, self.selection());
        left.retain(|finding| finding.rule != Rule::NeedlessIgnore);
        left
    }
}

struct Comments<'t> {
    text: &'t str,
    lines: &'t LineIndex,
    ignored: Vec<IgnoredRule>,
    /// Where the blocks begin that have not ended: the rule, the line and the place.
    open: Vec<(Rule, u32, Span)>,
    /// Problems of the comments themselves.
    odd: Vec<Finding>,
}

impl Comments<'_> {
    fn read(&mut self, is_comment: impl Fn(u32) -> bool) {
        static COMMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
            Regex::new(r"#[ \t]*puppetfn:ignore(-begin|-end|-file)?(?:[ \t]+([^\r\n]*))?(?m:$|\r)").ok()
        });
        let Some(comment) = &*COMMENT else { return };
        for found in comment.captures_iter(self.text) {
            let Some(whole) = found.get(0) else { continue };
            if !is_comment(offset_of(whole.start())) {
                continue;
            }
            let names = found.get(2).map_or((whole.end(), ""), |names| (names.start(), names.as_str()));
            self.comment(whole.start(), found.get(1).map_or("", |kind| kind.as_str()), names);
        }
        for (rule, begin, span) in std::mem::take(&mut self.open) {
            self.odd(format!("Missing `{MARK}-end`"), span);
            self.ignored.push(IgnoredRule { rule, lines: begin..=u32::MAX, span, is_used: true });
        }
    }

    fn comment(&mut self, at: usize, kind: &str, (names_at, names): (usize, &str)) {
        let (line, _) = self.lines.position(self.text, offset_of(at));
        let rules = self.rules(at, kind, names_at, names);
        match kind {
            "-begin" => self.open.extend(rules.into_iter().map(|(rule, span)| (rule, line, span))),
            "-end" => self.end(at, line, &rules),
            _ => {
                let lines = match kind {
                    "-file" => 0..=u32::MAX,
                    _ if self.is_alone(at) => line..=self.next_code(line),
                    _ => line..=line,
                };
                self.ignored.extend(rules.into_iter().map(|(rule, span)| IgnoredRule {
                    rule,
                    lines: lines.clone(),
                    span,
                    is_used: false,
                }));
            }
        }
    }

    /// Returns the rules that a comment names, with their places.
    fn rules(&mut self, at: usize, kind: &str, names_at: usize, names: &str) -> Vec<(Rule, Span)> {
        // The reason follows two dashes.
        let end = ["--", "-%>", "%>"].into_iter().filter_map(|end| names.find(end)).min();
        let names = names.get(..end.unwrap_or(names.len())).unwrap_or_default();
        let mut rules = Vec::new();
        for name in names.split([',', ' ', '\t']).filter(|name| !name.is_empty()) {
            let within = (name.as_ptr() as usize).saturating_sub(names.as_ptr() as usize);
            let start = names_at.saturating_add(within);
            let span = Span::new(offset_of(start), offset_of(start.saturating_add(name.len())));
            match Rule::named(name) {
                Some(rule) => rules.push((rule, span)),
                None => {
                    let near = most_similar(name, Rule::ALL.map(Rule::name));
                    let meant =
                        near.first().map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default();
                    self.odd(format!("There is no rule '{name}'{meant}"), span);
                }
            }
        }
        if names.trim().is_empty() && kind != "-end" {
            self.odd(format!("`{MARK}{kind}` names no rule"), self.comment_at(at));
        }
        rules
    }

    /// Ends the blocks of some rules, or all that are open.
    fn end(&mut self, at: usize, line: u32, rules: &[(Rule, Span)]) {
        let is_ended = |rule: Rule| rules.is_empty() || rules.iter().any(|(ended, _)| *ended == rule);
        let (ended, open) =
            std::mem::take(&mut self.open).into_iter().partition(|(rule, ..)| is_ended(*rule));
        self.open = open;
        let ended: Vec<(Rule, u32, Span)> = ended;
        if ended.is_empty() {
            self.odd(format!("Missing `{MARK}-begin` before this"), self.comment_at(at));
        }
        self.ignored.extend(ended.into_iter().map(|(rule, begin, span)| IgnoredRule {
            rule,
            lines: begin..=line,
            span,
            is_used: false,
        }));
    }

    /// Returns where the comment is that starts at an offset.
    fn comment_at(&self, at: usize) -> Span {
        Span::rest_of_line(self.text, offset_of(at))
    }

    fn odd(&mut self, message: String, span: Span) {
        self.odd.push(Finding::new(Rule::NeedlessIgnore, message, span));
    }

    /// Returns true if there is nothing else on the line before a comment.
    fn is_alone(&self, at: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default();
        let before = before.rsplit('\n').next().unwrap_or(before).trim();
        matches!(before, "" | "<%" | "<%-")
    }

    /// Returns the first line after one that has more than a comment.
    fn next_code(&self, line: u32) -> u32 {
        let after = (1u32..).zip(self.text.lines()).skip_while(|(number, _)| *number <= line);
        let is_code = |text: &str| {
            let text = text.trim_start();
            !text.is_empty() && !text.starts_with('#') && !text.starts_with("<%#")
        };
        after.into_iter().find(|(_, text)| is_code(text)).map_or(line, |(number, _)| number)
    }
}

fn offset_of(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Returns where the texts of a program are, in which nothing is a comment.
fn texts_of(program: &Program<'_>) -> Vec<Span> {
    fn collect(expr: &Expr<'_>, text: &str, spans: &mut Vec<Span>) {
        match &expr.kind {
            ExprKind::String(_) | ExprKind::Interpolation(_) | ExprKind::Regexp(_) => spans.push(expr.span),
            ExprKind::Heredoc(heredoc) => spans.push(heredoc.text.span),
            ExprKind::RenderText(_) => rendered(expr.span, text, spans),
            _ => {}
        }
        expr.for_each_child(&mut |child| collect(child, text, spans));
        let block = expr.kind.lambda().into_iter().flat_map(|lambda| &lambda.body.statements);
        block.for_each(|one| collect(one, text, spans));
    }
    let mut spans = Vec::new();
    program.statements.iter().for_each(|statement| collect(statement, program.text, &mut spans));
    spans
}

/// Collects where the text of a template is that is rendered: its comments are not.
fn rendered(span: Span, text: &str, spans: &mut Vec<Span>) {
    let mut start = span.start;
    while let Some(length) = text.get(start as usize..span.end as usize).and_then(|rest| rest.find("<%#")) {
        let comment = start.saturating_add(offset_of(length));
        spans.push(Span::new(start, comment));
        let rest = text.get(comment as usize..span.end as usize).unwrap_or_default();
        let end = rest.find("%>").map_or(rest.len(), |end| end.saturating_add("%>".len()));
        start = comment.saturating_add(offset_of(end));
    }
    spans.push(Span::new(start, span.end));
}
