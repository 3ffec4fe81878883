//! Semantic tokens, for highlighting.
#![allow(clippy::wildcard_enum_match_arm, reason = "variables of the top scope alone can be facts")]

use std::path::Path;

use super::Ide;
use puppetfn_base::source::Span;
use puppetfn_index::{Occurrence, Role, Symbol};
use puppetfn_syntax::{Lexeme, LexemeKind, Mode, lexemes};

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HighlightToken {
    /// The span, on one line or more.
    pub span: Span,
    /// The kind.
    pub kind: HighlightKind,
    /// Whether it is a definition.
    pub is_definition: bool,
    /// Whether its symbol is deprecated.
    pub is_deprecated: bool,
}

/// The kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum HighlightKind {
    Class,
    Comment,
    Function,
    Keyword,
    Number,
    Operator,
    Parameter,
    Property,
    Regexp,
    String,
    Type,
    Variable,
}

impl Ide {
    /// Returns the tokens of a text, in its order and without overlaps.
    pub fn tokens(&self, path: &Path) -> Vec<HighlightToken> {
        let Some(source) = self.source(path) else { return Vec::new() };
        let names = source.index().occurrences();
        let named = |one: &Occurrence| self.token(one, source.text());
        let mut found: Vec<HighlightToken> = names.iter().filter_map(named).collect();
        found.sort_by_key(|token| (token.span.start, std::cmp::Reverse(token.span.end)));
        found.dedup_by_key(|token| token.span.start);
        if source.mode().template {
            return apart(found);
        }
        let words = lexemes(source.text(), Mode { template: false, ..source.mode() }).map_while(Result::ok);
        let mut all = Vec::new();
        for word in words {
            let start = found.partition_point(|token| token.span.start < word.span.start);
            let within = found.get(start..).unwrap_or_default().iter();
            let within: Vec<HighlightToken> =
                within.take_while(|token| token.span.start < word.span.end).copied().collect();
            around(&word, &within, &mut all);
        }
        apart(all)
    }

    fn token(&self, one: &Occurrence, text: &str) -> Option<HighlightToken> {
        let is_variable =
            text.get(..one.span.start as usize).is_some_and(|before| before.ends_with(['$', '{']));
        let is_deprecated = match &one.symbol {
            Symbol::Variable { owner, name } => owner.is_empty() && self.world().legacy_fact(name).is_some(),
            _ => false,
        };
        let kind = match &one.symbol {
            Symbol::Function(_) | Symbol::Plan(_) => HighlightKind::Function,
            Symbol::Class(_) => HighlightKind::Class,
            Symbol::Type(_) => HighlightKind::Type,
            Symbol::Variable { .. } | Symbol::Local { .. } if is_variable => HighlightKind::Variable,
            Symbol::Variable { .. } | Symbol::Local { .. } => HighlightKind::Property,
            Symbol::TemplateVariable { .. }
            | Symbol::Resource { .. }
            | Symbol::Template(_)
            | Symbol::File(_)
            | Symbol::Key(_) => return None,
        };
        let start =
            one.span.start - u32::from(is_variable && text.get(..one.span.start as usize)?.ends_with('$'));
        let span = Span::new(start, one.span.end);
        Some(HighlightToken { span, kind, is_definition: one.role == Role::Definition, is_deprecated })
    }
}

/// Adds a lexeme, cut around the names in it.
fn around(word: &Lexeme, within: &[HighlightToken], all: &mut Vec<HighlightToken>) {
    let kind = match word.kind {
        LexemeKind::Keyword => Some(HighlightKind::Keyword),
        LexemeKind::Variable => Some(HighlightKind::Variable),
        LexemeKind::Number => Some(HighlightKind::Number),
        LexemeKind::Text | LexemeKind::Interpolation | LexemeKind::Heredoc => Some(HighlightKind::String),
        LexemeKind::Regexp => Some(HighlightKind::Regexp),
        LexemeKind::Operator => Some(HighlightKind::Operator),
        LexemeKind::Comment | LexemeKind::BlockComment => Some(HighlightKind::Comment),
        LexemeKind::Name | LexemeKind::Sign => None,
    };
    let plain = |start: u32, end: u32| {
        let span = Span::new(start, end);
        kind.filter(|_| start < end).map(|kind| HighlightToken {
            span,
            kind,
            is_definition: false,
            is_deprecated: false,
        })
    };
    let mut at = word.span.start;
    for token in within {
        all.extend(plain(at, token.span.start));
        all.push(*token);
        at = token.span.end;
    }
    all.extend(plain(at, word.span.end));
}

/// Drops tokens that overlap an earlier one.
fn apart(tokens: Vec<HighlightToken>) -> Vec<HighlightToken> {
    let mut end = 0;
    let is_apart = |token: &HighlightToken| {
        let is_apart = token.span.start >= end && token.span.end > token.span.start;
        if is_apart {
            end = token.span.end;
        }
        is_apart
    };
    tokens.into_iter().filter(is_apart).collect()
}
