//! ERB templates: the variables from the classes and defined types that render them.
#![allow(clippy::wildcard_enum_match_arm, reason = "only variables are in templates")]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::Ide;
use super::completion::{Completion, CompletionKind, KNOWN_VARIABLES};
use super::erb_template::{ErbTemplate, LOOKUPS};
use puppetfn_base::source::Span;
use puppetfn_index::{Occurrence, Symbol};
use puppetfn_types::types::Type;

impl Ide {
    /// Adds an ERB template, by its name in function calls: `m/t.erb`.
    pub fn set_erb(&mut self, path: &Path, name: &str, text: Arc<str>) {
        let template = ErbTemplate { name: name.into(), text };
        self.index.set(path, Arc::new(template.names()));
        self.erb.insert(path.to_owned(), template);
    }

    /// Removes an ERB template.
    pub fn remove_erb(&mut self, path: &Path) {
        if self.erb.remove(path).is_some() {
            self.index.remove(path);
        }
    }

    /// Returns the completions at an offset of a template: after `@` and in `scope['`, the variables of the classes and defined types
    /// that render it.
    pub(crate) fn erb_completions(&self, template: &ErbTemplate, offset: u32) -> Vec<Completion> {
        let before = template.text.get(..offset as usize).unwrap_or_default();
        let in_code = template.code().into_iter().find(|code| code.start <= offset && offset <= code.end);
        let Some(before) = in_code.and_then(|code| before.get(code.start as usize..)) else {
            return Vec::new();
        };
        let word = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | ':'))).next();
        let word = word.unwrap_or_default();
        let lead = before.strip_suffix(word).unwrap_or(before);
        let span = Span::new(offset.saturating_sub(word.len() as u32), offset);
        let is_lookup = LOOKUPS.iter().any(|lookup| {
            lead.strip_suffix(['\'', '"']).is_some_and(|lead| lead.trim_end().ends_with(lookup.trim_end()))
        });
        if !is_lookup && !lead.ends_with('@') {
            return Vec::new();
        }
        let mut found = self.rendering_variables(template, span);
        if is_lookup {
            found.extend(self.class_variables(span));
        }
        found.retain(|one| one.label.starts_with(word));
        found.sort_by(|one, other| one.label.cmp(&other.label));
        found.dedup_by(|one, other| one.label == other.label);
        found
    }

    /// Returns the variables in the scopes that render a template.
    fn rendering_variables(&self, template: &ErbTemplate, span: Span) -> Vec<Completion> {
        let here = Path::new("");
        let mut found: Vec<Completion> = Vec::new();
        for mut owner in self.renderers(&template.name, here) {
            // Bounded, as a class may inherit from itself.
            for _ in 0..100 {
                let variables = self.index.get().symbols().filter_map(|symbol| match symbol {
                    Symbol::Variable { owner: of, name } if *of == owner => Some((symbol, name)),
                    _ => None,
                });
                let defined =
                    variables.filter(|(symbol, _)| !self.index.get().definitions(symbol, here).is_empty());
                found.extend(defined.map(|(symbol, name)| {
                    let (t, doc) = self.template_variable(symbol, here).unwrap_or_default();
                    Completion::new(CompletionKind::Variable, &**name, span).detail(t).documented(doc)
                }));
                let Some(parent) = self.index.get().parent(&owner) else { break };
                owner = parent;
            }
        }
        let known = KNOWN_VARIABLES.into_iter();
        found.extend(known.map(|name| Completion::new(CompletionKind::Variable, name, span)));
        let facts = self.world().facts().into_iter();
        found.extend(facts.map(|name| Completion::new(CompletionKind::Fact, &*name, span)));
        found
    }

    /// Returns the type and the documentation of a variable that templates use: the declared ones, or the type of the assigned value.
    pub(crate) fn template_variable(&self, symbol: &Symbol, path: &Path) -> Option<(String, String)> {
        if let Some(declared) = self.declared_parameter(symbol, path) {
            return Some(declared);
        }
        let assigned = self.defined(symbol, path).into_iter().next()?;
        let (_, t) = self.type_at(&assigned.path, assigned.span.start)?;
        Some((if t == Type::Any { String::new() } else { t.to_string() }, String::new()))
    }

    /// Returns the names of the classes and defined types that render a template.
    fn renderers(&self, template: &Arc<str>, path: &Path) -> Vec<Arc<str>> {
        let users = self.index.get().occurrences(&Symbol::Template(Arc::clone(template)), path);
        let owners = users.iter().filter_map(|(path, one)| {
            let around = self.index.get().file(path)?.definition_around(one.span.start)?;
            Some(Arc::from(around.symbol.name()))
        });
        let mut owners: Vec<Arc<str>> = owners.collect();
        owners.dedup();
        owners
    }

    /// Resolves a symbol: through inheritance, and a template's variable to the class or defined type that sets it.
    pub(crate) fn resolved(&self, symbol: &Symbol, path: &Path) -> Symbol {
        let Symbol::TemplateVariable { template, name } = symbol else {
            return self.index.get().inherited(symbol, path);
        };
        let owners = self.renderers(template, path).into_iter().map(|owner| {
            self.index.get().inherited(&Symbol::Variable { owner, name: Arc::clone(name) }, path)
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
