//! Resources that a block declares twice.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use std::fmt;
use std::sync::Arc;

use super::super::kinds::ValueKinds;
use super::super::rule::Rule;
use super::Walk;
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{Expr, ExprKind, StringSegment};
use puppetfn_types::types::parse::capitalize_segments;
use puppetfn_types::value::Value;

/// The title of a resource.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum ResourceTitle<'s> {
    Known(Arc<str>),
    /// The name of a variable that is all of the title.
    Variable(&'s str),
    /// The text of an expression that has the same value wherever it stands in a block.
    Written(&'s str),
}

impl fmt::Display for ResourceTitle<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Known(title) => title,
            Self::Variable(name) => return write!(f, "${name}"),
            Self::Written(text) => text,
        })
    }
}

impl<'s> Walk<'_, 's> {
    /// Notes the declaration of resources, and reports resources that are declared already on the way here.
    pub(super) fn note_declared(&mut self, type_name: &str, title: &Value, written: &Expr<'s>) {
        let type_name = type_name.to_lowercase();
        let titles = match title {
            Value::Array(titles) => titles.to_vec(),
            // The title is unknown, but the same code has the same title again.
            // A title that is undef fails anyway.
            Value::Unknown(_)
                if ValueKinds::of(title).is_within(ValueKinds::STRING.or(ValueKinds::UNDEF))
                    && is_settled(written) =>
            {
                let variable = only_variable(written).map(ResourceTitle::Variable);
                let title = variable.unwrap_or_else(|| ResourceTitle::Written(written.span.text(self.text)));
                return self.note_title(type_name, title, written.diagnostic_span());
            }
            other => vec![other.clone()],
        };
        for title in titles {
            let Value::String(title) = title else { continue };
            let title = match &*type_name {
                "class" => title.trim_start_matches("::").to_lowercase().into(),
                _ => title,
            };
            self.note_title(type_name.clone(), ResourceTitle::Known(title), written.diagnostic_span());
        }
    }

    /// Notes classes that a function declares, whether they were declared already or not.
    pub(super) fn note_included(&mut self, names: &Value) {
        match names {
            Value::Array(names) => names.iter().for_each(|name| self.note_included(name)),
            Value::String(name) => {
                let name: Arc<str> = name.trim_start_matches("::").to_lowercase().into();
                self.declared.insert(("class".to_owned(), ResourceTitle::Known(name)));
            }
            _ => {}
        }
    }

    fn note_title(&mut self, type_name: String, title: ResourceTitle<'s>, at: Span) {
        let reference = format!("{}[{title}]", capitalize_segments(&type_name));
        if !self.declared.insert((type_name, title)) {
            let message = format!("Duplicate declaration: {reference} is already declared before this");
            self.report(Rule::DuplicateResource, at, message);
        }
    }
}

/// Returns the name of the variable that is all of a title, alone or in a string.
fn only_variable<'s>(expr: &Expr<'s>) -> Option<&'s str> {
    match &expr.kind {
        ExprKind::Variable(name) => Some(name),
        ExprKind::Paren(inner) => only_variable(inner),
        ExprKind::Interpolation(segments) => match segments.as_slice() {
            [StringSegment::Expr(code)] => only_variable(code),
            _ => None,
        },
        _ => None,
    }
}

/// Returns true if an expression has the same value wherever it stands in a block.
fn is_settled(expr: &Expr<'_>) -> bool {
    match &expr.kind {
        // Matches set the variables whose names are numbers.
        ExprKind::Variable(name) => !name.starts_with(|first: char| first.is_ascii_digit()),
        ExprKind::Access(_)
        | ExprKind::Integer(_)
        | ExprKind::Interpolation(_)
        | ExprKind::Name(_)
        | ExprKind::Paren(_)
        | ExprKind::String(_) => {
            let mut all = true;
            expr.for_each_child(&mut |child| all &= is_settled(child));
            all
        }
        _ => false,
    }
}
