//! ERB templates: the variables from the classes and defined types that render them.
#![allow(clippy::wildcard_enum_match_arm, reason = "only variables are in templates")]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::Ide;
use puppetfn_base::source::Span;
use puppetfn_index::{FileIndex, Occurrence, Role, Symbol};

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
        for lookup in ["scope[", "scope.lookupvar(", "scope.lookupvar ", "scope.lookup("] {
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

impl Ide {
    /// Adds an ERB template, by its name in function calls: `m/t.erb`.
    pub fn set_erb(&mut self, path: &Path, name: &str, text: Arc<str>) {
        self.index.set(path, Arc::new(names(name, &text)));
        self.erb.insert(path.to_owned(), text);
    }

    /// Removes an ERB template.
    pub fn remove_erb(&mut self, path: &Path) {
        if self.erb.remove(path).is_some() {
            self.index.remove(path);
        }
    }

    /// Resolves a symbol: through inheritance, and a template's variable to the class or defined type that sets it.
    pub(crate) fn resolved(&self, symbol: &Symbol, path: &Path) -> Symbol {
        let Symbol::TemplateVariable { template, name } = symbol else {
            return self.index.get().inherited(symbol, path);
        };
        let users = self.index.get().occurrences(&Symbol::Template(Arc::clone(template)), path);
        let owners = users.iter().filter_map(|(path, one)| {
            let around = self.index.get().file(path)?.definition_around(one.span.start)?;
            let owner = around.symbol.name().into();
            Some(self.index.get().inherited(&Symbol::Variable { owner, name: Arc::clone(name) }, path))
        });
        let mut known = owners.filter(|symbol| !self.index.get().definitions(symbol, path).is_empty());
        known.next().unwrap_or_else(|| symbol.clone())
    }

    /// Returns the occurrences in templates of a variable of a class or defined type.
    pub(crate) fn in_templates(&self, variable: &Symbol, path: &Path) -> Vec<(&Path, &Occurrence)> {
        let Symbol::Variable { owner, name } = variable else { return Vec::new() };
        let owners = [Symbol::Class(Arc::clone(owner)), Symbol::Type(Arc::clone(owner))];
        let mut files: BTreeSet<&Path> = BTreeSet::new();
        for owner in &owners {
            files.extend(self.index.get().definitions(owner, path).into_iter().map(|(file, _)| file));
        }
        // Derived classes use it in their templates, too.
        files.extend(self.index.get().variables(name).into_iter().map(|(file, _)| file));
        let named = files
            .into_iter()
            .filter_map(|file| self.index.get().file(file))
            .flat_map(|file| file.occurrences());
        let templates: BTreeSet<&Arc<str>> = named
            .filter_map(|one| match &one.symbol {
                Symbol::Template(template) => Some(template),
                _ => None,
            })
            .collect();
        let mut found = Vec::new();
        for template in templates {
            let own = Symbol::TemplateVariable { template: Arc::clone(template), name: Arc::clone(name) };
            if self.resolved(&own, path) == *variable {
                found.extend(self.index.get().occurrences(&own, path));
            }
        }
        found
    }
}
