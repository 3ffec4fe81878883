//! The reader of Puppet code: functions, types and definitions.

use super::declared::{
    Api, Comment, DeclaredDefinition, DeclaredFunction, DeclaredParameter, DeclaredSignature, DeclaredType,
    DefinitionKind, ParameterKind,
};
use super::docstring::ReadingMode;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_base::source::{LineIndex, Span};
use puppetfn_syntax::ast::{self, Expr, ExprKind, Heredoc, Program};
use puppetfn_syntax::{Mode, parse, parse_with};

/// The declarations of a Puppet text.
#[derive(Default)]
pub(super) struct PuppetDeclarations {
    pub functions: Vec<DeclaredFunction>,
    pub types: Vec<DeclaredType>,
    pub definitions: Vec<DeclaredDefinition>,
}

/// Returns the declarations of a Puppet text.
pub(super) fn read(text: &str, reading: ReadingMode, limits: &Limits) -> Result<PuppetDeclarations, Error> {
    // Plans are only parsed with `plan` as a keyword, but in other code that may be a name.
    let with_plans = Mode { tasks: true, ..Mode::default() };
    let program = parse_with(text, with_plans, limits).or_else(|_| parse(text, limits))?;
    let file = PuppetFile { program: &program, lines: LineIndex::new(text), reading };
    let mut declared = PuppetDeclarations::default();
    let mut statements: Vec<&Expr<'_>> = program.statements.iter().rev().collect();
    while let Some(statement) = statements.pop() {
        if let ExprKind::Class(class) = &statement.kind {
            statements.extend(class.body.statements.iter().rev());
        }
        file.statement(statement, &mut declared);
    }
    Ok(declared)
}

/// The text being read.
struct PuppetFile<'a> {
    program: &'a Program<'a>,
    lines: LineIndex,
    reading: ReadingMode,
}

impl PuppetFile<'_> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "all others declare nothing")]
    fn statement(&self, statement: &Expr<'_>, declared: &mut PuppetDeclarations) {
        match &statement.kind {
            ExprKind::Function(function) => declared.functions.push(self.function(statement, function)),
            ExprKind::TypeAlias(alias) => declared.types.push(self.type_alias(statement, alias)),
            ExprKind::TypeDefinition(definition) if definition.members().is_some() => {
                declared.types.push(self.type_with_features(statement, definition));
            }
            ExprKind::Class(class) => {
                let made = self.definition(statement, DefinitionKind::Class, &class.name, &class.parameters);
                declared
                    .definitions
                    .push(DeclaredDefinition { parent: class.parent.map(str::to_owned), ..made });
            }
            ExprKind::ResourceType(t) => {
                let made = self.definition(statement, DefinitionKind::DefinedType, &t.name, &t.parameters);
                declared.definitions.push(made);
            }
            ExprKind::Plan(plan) => {
                let made = self.definition(statement, DefinitionKind::Plan, &plan.name, &plan.parameters);
                declared.definitions.push(made);
            }
            _ => {}
        }
    }

    fn definition(
        &self,
        statement: &Expr<'_>,
        kind: DefinitionKind,
        name: &str,
        parameters: &[ast::Parameter<'_>],
    ) -> DeclaredDefinition {
        DeclaredDefinition {
            kind,
            name: name.to_owned(),
            line: self.line(statement.span),
            comment: self.comment(statement),
            parent: None,
            parameters: parameters.iter().map(|parameter| self.parameter(parameter)).collect(),
            source: self.text(statement),
        }
    }

    fn function(&self, statement: &Expr<'_>, function: &ast::FunctionDefinition<'_>) -> DeclaredFunction {
        let line = self.line(statement.span);
        let signature = DeclaredSignature {
            line,
            comment: Comment::default(),
            parameters: function.parameters.iter().map(|parameter| self.parameter(parameter)).collect(),
            return_type: function.return_type.as_ref().map(|t| self.text(t)),
        };
        DeclaredFunction {
            name: function.name.to_string(),
            api: Api::Puppet,
            line,
            comment: self.comment(statement),
            signatures: vec![signature],
            source: Some(self.text(statement)),
        }
    }

    fn parameter(&self, parameter: &ast::Parameter<'_>) -> DeclaredParameter {
        DeclaredParameter {
            name: parameter.name.to_owned(),
            type_text: parameter.type_expr.as_ref().map(|t| self.text(t)),
            kind: if parameter.captures_rest { ParameterKind::Repeated } else { ParameterKind::Single },
            is_optional: false,
            default: parameter.default.as_ref().map(|default| self.default(default)),
            line: self.line(parameter.span),
        }
    }

    /// Returns the source text of a default, including heredocs. For Puppet Strings, it ends before the closing token.
    fn default(&self, default: &Expr<'_>) -> String {
        let text = self.program.text;
        if self.reading == ReadingMode::Strings {
            return Span::new(default.span.start, last_end(default, text)).text(text).to_owned();
        }
        let mut shown = self.text(default);
        add_heredocs(default, text, &mut shown);
        shown
    }

    fn type_alias(&self, statement: &Expr<'_>, alias: &ast::TypeAlias<'_>) -> DeclaredType {
        DeclaredType {
            name: alias.name.to_owned(),
            line: self.line(statement.span),
            comment: self.comment(statement),
            alias_of: self.type_text(&alias.value),
        }
    }

    /// An object type is shown with its features.
    fn type_with_features(&self, statement: &Expr<'_>, definition: &ast::TypeDefinition<'_>) -> DeclaredType {
        let text = self.text(statement);
        let features = text.split_once('{').map_or("", |(_, features)| features);
        let parent = definition.parent.map_or_else(String::new, |parent| format!("inherits {parent} "));
        DeclaredType {
            name: definition.name.to_owned(),
            line: self.line(statement.span),
            comment: self.comment(statement),
            alias_of: format!("type {parent}{{{features}"),
        }
    }

    /// Returns the text of a type, with its parameters on one line unless they span several lines themselves.
    fn type_text(&self, t: &Expr<'_>) -> String {
        let ExprKind::Access(access) = &t.kind else { return self.text(t) };
        let keys: Vec<_> = access.keys.iter().map(|key| self.text(key)).collect();
        format!("{}[{}]", self.text(&access.operand), keys.join(", "))
    }

    fn comment(&self, definition: &Expr<'_>) -> Comment {
        let comment = self.program.doc_comment(definition);
        comment.map(|found| Comment { text: found.text, line: self.line(found.span) }).unwrap_or_default()
    }

    fn text(&self, expr: &Expr<'_>) -> String {
        expr.span.text(self.program.text).to_owned()
    }

    fn line(&self, span: Span) -> u32 {
        self.lines.position(self.program.text, span.start).0
    }
}

/// Adds the texts of the heredocs in an expression, including their end tags.
fn add_heredocs(expr: &Expr<'_>, text: &str, shown: &mut String) {
    if let ExprKind::Heredoc(heredoc) = &expr.kind {
        let tag = expr.span.text(text).trim_start_matches(['@', '(', ' ', '\t', '"']);
        let name = tag.split([')', ':', '/', '"']).next().unwrap_or_default().trim_end();
        let is_end = |line: &str| line.trim_start_matches([' ', '\t', '|', '-']).trim_end() == name;
        let body = text.get(heredoc.text.span.start as usize..).unwrap_or_default();
        for line in body.lines() {
            shown.push('\n');
            shown.push_str(line);
            if is_end(line) {
                break;
            }
        }
        return;
    }
    expr.for_each_child(&mut |child| add_heredocs(child, text, shown));
}

/// Returns the end of an expression's last part, without its closing token: the braces of selectors and conditions,
/// parentheses, the end tags of heredocs.
#[expect(clippy::wildcard_enum_match_arm, reason = "all others end where they end")]
fn last_end(expr: &Expr<'_>, text: &str) -> u32 {
    let mut end = match &expr.kind {
        ExprKind::Selector(_) | ExprKind::Binary(_) | ExprKind::Paren(_) | ExprKind::Unary(..) => {
            expr.span.start
        }
        ExprKind::If(conditional) => {
            let block =
                conditional.otherwise.as_ref().or(conditional.branches.last().map(|branch| &branch.then));
            block.map_or(expr.span.start, |block| block.span.start)
        }
        ExprKind::Heredoc(heredoc) => return heredoc_end(heredoc, text),
        _ => expr.span.end,
    };
    expr.for_each_child(&mut |child| end = end.max(last_end(child, text)));
    end
}

/// A text without interpolations ends where it would if its first line had no margin.
fn heredoc_end(heredoc: &Heredoc<'_>, text: &str) -> u32 {
    let span = heredoc.text.span;
    if !matches!(heredoc.text.kind, ExprKind::String(_)) {
        return span.end;
    }
    let first_margin = u32::try_from(heredoc.margin.len()).unwrap_or(0);
    let has_margin = span.text(text).starts_with(heredoc.margin);
    if has_margin { span.end.saturating_sub(first_margin) } else { span.end }
}
