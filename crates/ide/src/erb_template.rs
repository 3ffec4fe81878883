//! ERB templates, and the names in their code.

use std::sync::Arc;

use puppetfn_base::source::Span;
use puppetfn_index::{FileIndex, Occurrence, Role, Symbol};

/// The calls that look up a variable by name in Ruby.
pub(crate) const LOOKUPS: [&str; 4] = ["scope[", "scope.lookupvar(", "scope.lookupvar ", "scope.lookup("];

/// An ERB template.
pub(crate) struct ErbTemplate {
    /// The name in function calls: `m/t.erb`.
    pub name: Arc<str>,
    pub text: Arc<str>,
}

impl ErbTemplate {
    /// Returns the text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the variables: `@x`, `scope['x']`, `scope['a::x']` and `scope.lookupvar('a::x')`.
    pub fn names(&self) -> FileIndex {
        names(&self.name, &self.text)
    }

    /// Returns the spans of Ruby code.
    pub fn code(&self) -> Vec<Span> {
        code(&self.text)
    }
}

/// Returns the variables in a template: `@x`, `scope['x']`, `scope['a::x']` and `scope.lookupvar('a::x')`.
fn names(template: &str, text: &str) -> FileIndex {
    let mut found = Vec::new();
    for code in code(text) {
        let inner = code.text(text);
        for (at, _) in inner.match_indices('@') {
            let before = inner.get(..at).and_then(|before| before.chars().next_back());
            let name = inner.get(at + 1..).map(leading_name).unwrap_or_default();
            // Ruby's class variables and e-mail addresses are not Puppet variables.
            if name.is_empty() || before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '@' | '_')) {
                continue;
            }
            found.push((name, code.start as usize + at + 1));
        }
        for lookup in LOOKUPS {
            for (at, _) in inner.match_indices(lookup) {
                let start = at + lookup.len();
                let Some(quote) = inner.get(start..).and_then(|rest| rest.chars().next()) else { continue };
                let quoted = inner.get(start + 1..).and_then(|rest| rest.split_once(quote));
                if let Some((name, _)) = quoted.filter(|_| matches!(quote, '\'' | '"')) {
                    found.push((name, code.start as usize + start + 1));
                }
            }
        }
    }
    let occurrence = |(name, start): (&str, usize)| {
        let (owner, name, start) = match name.rsplit_once("::") {
            Some((owner, name)) => (Some(owner.trim_start_matches("::")), name, start + owner.len() + 2),
            None => (None, name, start),
        };
        let symbol = match owner {
            Some(owner) => Symbol::Variable { owner: owner.into(), name: name.into() },
            None => Symbol::TemplateVariable { template: template.into(), name: name.into() },
        };
        Occurrence { symbol, span: Span::new(start as u32, (start + name.len()) as u32), role: Role::Read }
    };
    FileIndex::of_occurrences(found.into_iter().map(occurrence).collect())
}

/// Returns the spans of Ruby code in a template.
fn code(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| rest.find("<%")) {
        let start = at + open + 2;
        let rest = text.get(start..).unwrap_or_default();
        // An unclosed tag ends at the end of its line.
        let length = rest.find("%>").or_else(|| rest.find('\n')).unwrap_or(rest.len());
        if !rest.starts_with(['#', '%']) {
            found.push(Span::new(start as u32, (start + length) as u32));
        }
        at = start + length;
    }
    found
}

fn leading_name(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    let name = text.get(..end).unwrap_or_default();
    if name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_') { name } else { "" }
}
