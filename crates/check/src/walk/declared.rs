//! Resources that a block declares twice.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use std::fmt;
use std::sync::Arc;

use super::super::kinds::ValueKinds;
use super::super::native_type::RubyResourceType;
use super::super::rule::Rule;
use super::Walk;
use super::own_types::each;
use super::resource::BodyAttributes;
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

    /// Notes the other names of a resource: its aliases, and the value of its namevar if that differs from the title. They belong to
    /// one resource alone, too.
    pub(super) fn note_names(
        &mut self,
        t: &RubyResourceType,
        attributes: &BodyAttributes<'s>,
        title: &Value,
        written: &Expr<'s>,
    ) {
        let Value::String(title) = title else { return };
        let at = written.diagnostic_span();
        let given = |name: &str| {
            let mut given = attributes.given().iter();
            given.find(|(known, ..)| known == name).map(|(_, value, _)| value.clone())
        };
        for alias in given("alias").iter().flat_map(each) {
            if let Value::String(alias) = alias
                && alias != title
            {
                self.note_title(t.name().to_owned(), ResourceTitle::Known(Arc::clone(alias)), at);
            }
        }
        let Some((key, name)) = unique_name(t, title, attributes.is_open(), &given) else { return };
        let is_new = self.declared.insert((key, ResourceTitle::Known(Arc::clone(&name))));
        // Of two resources with the same title, that is told already.
        let is_told = name == *title && self.is_reported(Rule::DuplicateResource, at);
        if !is_new && !is_told {
            let shown = t.shown_name();
            let message = format!(
                "Cannot alias {shown}[{title}] to [\"{name}\"]; resource [\"{shown}\", \"{name}\"] already declared"
            );
            self.report(Rule::DuplicateResource, at, message);
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

    /// Returns true if a finding of a rule is at a place already.
    fn is_reported(&self, rule: Rule, at: Span) -> bool {
        let at = at.trimmed(self.text);
        self.findings.iter().any(|finding| finding.rule == rule && finding.span == at)
    }

    fn note_title(&mut self, type_name: String, title: ResourceTitle<'s>, at: Span) {
        let reference = format!("{}[{title}]", capitalize_segments(&type_name));
        if !self.declared.insert((type_name, title)) {
            let message = format!("Duplicate declaration: {reference} is already declared before this");
            self.report(Rule::DuplicateResource, at, message);
        }
    }
}

/// Returns the name that a resource has by its namevar, with the key of names that it shares; `None` if it is unknown, or only its
/// title again.
fn unique_name(
    t: &RubyResourceType,
    title: &Arc<str>,
    is_open: bool,
    given: &dyn Fn(&str) -> Option<Value>,
) -> Option<(String, Arc<str>)> {
    let namevar = if t.name() == "package" { Some("name") } else { t.titled() };
    let namevar = namevar.filter(|_| t.description().is_isomorphic && !is_open)?;
    let name = match given(namevar).or_else(|| given("name")) {
        None => Arc::clone(title),
        Some(Value::String(name)) => name,
        Some(_) => return None,
    };
    let name: Arc<str> = match t.name() {
        "file" if name.len() > 1 => name.trim_end_matches('/').into(),
        _ => name,
    };
    // Packages of the same name can have different providers.
    match (t.name(), given("provider")) {
        ("package", None) => Some(("package of a name".to_owned(), name)),
        ("package", Some(Value::String(provider))) => {
            Some((format!("package of a name and {provider}"), name))
        }
        ("package", Some(_)) => None,
        (type_name, _) => (name != *title).then(|| (type_name.to_owned(), name)),
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
