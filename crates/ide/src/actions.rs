//! Code actions.
#![allow(clippy::wildcard_enum_match_arm, reason = "only some code can be changed")]

use std::path::Path;

use super::describe::{definition_at, parameters};
use super::{Ide, SourceEdit};
use puppetfn_base::source::{LineIndex, Span};
use puppetfn_check::{AttributeOf, Finding, Rule, apart, by_meaning};
use puppetfn_index::Symbol;
use puppetfn_syntax::ast::{Expr, ExprKind, OperationAttribute, Program, ResourceBody, ResourceExpr};

/// A proposed change of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// The description of the change.
    pub title: String,
    /// The edits.
    pub edits: Vec<SourceEdit>,
    /// The rule whose violation the change fixes.
    pub rule: Option<Rule>,
    /// The kind.
    pub kind: ActionKind,
}

/// The kinds of code actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionKind {
    /// Fixes a finding.
    Fix,
    /// Rewrites or extends code without a finding.
    Refactor,
}

impl Ide {
    /// Returns the code actions for a span of a text.
    pub fn actions(&self, path: &Path, within: Span) -> Vec<Action> {
        let Some(source) = self.source(path) else { return Vec::new() };
        let mut found = self.fixes(path, within, source.lines());
        let program = source.program();
        for statement in &program.statements {
            self.add_actions(statement, within, source.text(), &mut found);
        }
        found.extend(self.legacy_facts(path, within));
        found.extend(self.documenting(program, path, within, source.text()));
        found
    }

    /// Returns the edits of all fixes of a text's findings, apart from each other. Fixes of style that change a catalog are left out.
    pub fn fix_all(&self, path: &Path) -> Vec<SourceEdit> {
        self.fixed(path, self.check(path))
    }

    /// Returns the edits of the findings' fixes, in the same way.
    fn fixed(&self, path: &Path, findings: Vec<Finding>) -> Vec<SourceEdit> {
        let Some(source) = self.source(path) else { return Vec::new() };
        let (style, others): (Vec<_>, Vec<_>) =
            findings.into_iter().partition(|finding| finding.rule.is_style());
        let fixes = |findings: Vec<Finding>| {
            findings.into_iter().filter_map(|finding| finding.fix).collect::<Vec<_>>()
        };
        let tree = source.tree();
        let (style, _) = by_meaning(source.text(), apart(fixes(style)), tree.mode(), self.world().limits());
        let all = apart(fixes(others).into_iter().chain(style).collect());
        all.into_iter().map(|fix| SourceEdit { span: fix.span, text: fix.text }).collect()
    }

    /// Returns the checker's fixes for the lines, and the fixes of the same rules in the whole text.
    fn fixes(&self, path: &Path, within: Span, lines: &LineIndex) -> Vec<Action> {
        let Some(text) = self.text(path) else { return Vec::new() };
        let within = lines.whole(text, within);
        let all = self.check(path);
        let there: Vec<&Finding> = all.iter().filter(|one| within.touches(one.span.start)).collect();
        let fix = |finding: &Finding| {
            let fix = finding.fix.clone()?;
            // Variables that are facts have an action of their own.
            if finding.rule == Rule::LegacyFact && !fix.span.text(text).starts_with(['\'', '"']) {
                return None;
            }
            let title = match fix.text.is_empty() {
                _ if finding.rule.is_style() => format!("Fix: {}", finding.rule.summary()),
                true => format!("Remove '{}'", fix.span.text(text)),
                false => format!("Replace '{}' by '{}'", fix.span.text(text), fix.text),
            };
            let edits = vec![SourceEdit { span: fix.span, text: fix.text }];
            Some(Action { title, edits, rule: Some(finding.rule), kind: ActionKind::Fix })
        };
        let mut rules: Vec<Rule> = Vec::new();
        for finding in there.iter().filter(|one| one.fix.is_some()) {
            if !rules.contains(&finding.rule) {
                rules.push(finding.rule);
            }
        }
        let of_rule = |rule: Rule| {
            let fixable = all.iter().filter(|one| one.rule == rule && one.fix.is_some());
            let findings: Vec<Finding> = fixable.cloned().collect();
            let edits = if findings.len() > 1 { self.fixed(path, findings) } else { Vec::new() };
            let title = format!("Fix all findings of {}", rule.name());
            (edits.len() > 1).then_some(Action { title, edits, rule: Some(rule), kind: ActionKind::Fix })
        };
        let of_rules: Vec<Action> = rules.into_iter().filter_map(of_rule).collect();
        there.into_iter().filter_map(fix).chain(of_rules).collect()
    }

    fn add_actions(&self, expr: &Expr<'_>, within: Span, text: &str, found: &mut Vec<Action>) {
        if expr.span.end < within.start || expr.span.start > within.end {
            return;
        }
        if let ExprKind::Resource(resource) = &expr.kind {
            found.extend(self.missing_parameters(resource, within, text));
        }
        expr.for_each_child(&mut |child| self.add_actions(child, within, text, found));
        let lambda = match &expr.kind {
            ExprKind::Call(call) => call.lambda.as_ref(),
            ExprKind::Method(method) => method.lambda.as_ref(),
            _ => None,
        };
        for statement in lambda.into_iter().flat_map(|lambda| &lambda.body.statements) {
            self.add_actions(statement, within, text, found);
        }
    }

    /// Returns the action that adds a resource's missing required attributes.
    fn missing_parameters(&self, resource: &ResourceExpr<'_>, within: Span, text: &str) -> Option<Action> {
        let is_there = |body: &&ResourceBody<'_>| {
            let end = body.operations.last().map_or(body.title.span, |last| body.title.span.to(last.span));
            end.end >= within.start
        };
        let body = resource.bodies.iter().find(is_there).or(resource.bodies.last())?;
        let title = body.title.span.text(text).trim_matches(['\'', '"']);
        let type_name = resource.type_name.span.text(text).to_lowercase();
        let (declarable, _) = self.declared_as(&type_name, Some(title))?;
        let given: Vec<_> = body.operations.iter().map(|operation| operation.attribute).collect();
        if given.contains(&OperationAttribute::All) {
            return None;
        }
        let is_given = |name: &str| {
            given.iter().any(|one| matches!(one, OperationAttribute::Named(own, _) if *own == name))
        };
        let attributes = declarable.attributes();
        let missing: Vec<&str> = attributes
            .iter()
            .filter(|one| one.is_required())
            .map(AttributeOf::name)
            .filter(|name| !is_given(name))
            .collect();
        if missing.is_empty() {
            return None;
        }
        let line_start =
            text.get(..resource.type_name.span.start as usize)?.rfind('\n').map_or(0, |at| at + 1);
        let indent: String =
            text.get(line_start..)?.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
        let width = missing.iter().map(|name| name.len()).max().unwrap_or(0);
        let lines: String =
            missing.iter().map(|name| format!("\n{indent}  {name:width$} => undef,")).collect();
        let (at, comma) = match body.operations.last() {
            Some(last) => {
                let end = last.span.end as usize;
                let has_comma = text.get(end..).is_some_and(|rest| rest.trim_start().starts_with(','));
                let comma_end =
                    text.get(end..)?.find(',').filter(|_| has_comma).map_or(end, |comma| end + comma + 1);
                (comma_end as u32, if has_comma { "" } else { "," })
            }
            None => {
                let colon = text.get(body.title.span.end as usize..)?.find(':')?;
                (body.title.span.end + colon as u32 + 1, "")
            }
        };
        let edit = SourceEdit { span: Span::new(at, at), text: format!("{comma}{lines}") };
        let title = format!("Add the required {}", missing.join(", "));
        Some(Action {
            title,
            edits: vec![edit],
            rule: Some(Rule::MissingParameter),
            kind: ActionKind::Refactor,
        })
    }

    /// Returns the actions that replace legacy facts, which Puppet 8 omits.
    fn legacy_facts(&self, path: &Path, within: Span) -> Vec<Action> {
        let Some(source) = self.source(path) else { return Vec::new() };
        let there = source
            .index()
            .occurrences()
            .iter()
            .filter(|one| one.span.end >= within.start && one.span.start <= within.end);
        let replaced = there.filter_map(|one| {
            let Symbol::Variable { owner, name } = &one.symbol else { return None };
            let code = self.world().legacy_fact(name).filter(|_| owner.is_empty())?;
            let before = source.text().get(..one.span.start as usize)?;
            // The dollar of `${name}` and `$name` stays.
            let is_bare = before.ends_with('{') || before.ends_with('$');
            let code = code.strip_prefix('$').filter(|_| is_bare)?.to_owned();
            let title = format!("Replace '${name}' by '${code}'");
            let in_string = !before.ends_with('{') && is_in_string(source.text(), one.span);
            let text = if in_string { format!("{{{code}}}") } else { code };
            let edits = vec![SourceEdit { span: one.span, text }];
            Some(Action { title, edits, rule: Some(Rule::LegacyFact), kind: ActionKind::Refactor })
        });
        replaced.collect()
    }

    /// Returns the action that documents the definition whose name is in a span of a text.
    fn documenting(&self, program: &Program<'_>, path: &Path, within: Span, text: &str) -> Option<Action> {
        let source = self.source(path)?;
        let is_there = |one: &&puppetfn_index::SymbolDefinition| {
            one.name_span.end >= within.start && one.name_span.start <= within.end
        };
        let found = source.index().definitions().iter().find(is_there)?;
        let definition = definition_at(program, found.name_span)?;
        if program.doc_comment(definition).is_some() {
            return None;
        }
        let line_start = text.get(..found.span.start as usize)?.rfind('\n').map_or(0, |at| at + 1);
        let indent =
            text.get(line_start..found.span.start as usize).filter(|before| before.trim().is_empty())?;
        let mut comment = format!("{indent}# @summary\n");
        let names: Vec<&str> = parameters(definition).iter().map(|parameter| parameter.name).collect();
        if !names.is_empty() {
            comment.push_str(&format!("{indent}#\n"));
        }
        for name in names {
            comment.push_str(&format!("{indent}# @param {name}\n"));
        }
        if matches!(found.symbol, Symbol::Function(_)) {
            comment.push_str(&format!("{indent}#\n{indent}# @return\n"));
        }
        let at = line_start as u32;
        let edits = vec![SourceEdit { span: Span::new(at, at), text: comment }];
        let title = format!("Document '{}'", found.symbol.name());
        Some(Action { title, edits, rule: None, kind: ActionKind::Refactor })
    }
}

/// Returns true if a span is within a string with interpolation.
fn is_in_string(text: &str, span: Span) -> bool {
    let words = puppetfn_syntax::lexemes(text, puppetfn_syntax::Mode::default()).map_while(Result::ok);
    let mut around = words.take_while(|word| word.span.start <= span.start);
    around.any(|word| word.kind == puppetfn_syntax::LexemeKind::Interpolation && word.span.end >= span.end)
}
