//! Variables, facts, and names in modules.
#![allow(clippy::wildcard_enum_match_arm, reason = "few kinds of names can be completed at a place")]

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::{Completion, CompletionKind};
use crate::Ide;
use crate::describe::{definition_at, parameters};
use puppetfn_base::file_system::EntryKind;
use puppetfn_base::source::Span;
use puppetfn_doc::Docstring;
use puppetfn_index::{Symbol, SymbolDefinition};
use puppetfn_syntax::ast::Program;
use puppetfn_types::function::ModuleFiles;
use puppetfn_types::types::Type;

/// The facts that Facter 4 and 5 find on the systems of facterdb, with their types; nested facts have their paths as
/// keys.
static FACTS: LazyLock<BTreeMap<&str, &str>> =
    LazyLock::new(|| include_str!("facts.txt").lines().filter_map(|line| line.split_once(' ')).collect());

/// The variables that every scope has.
pub(crate) const KNOWN_VARIABLES: [&str; 7] =
    ["facts", "trusted", "server_facts", "environment", "title", "name", "module_name"];

impl Ide {
    /// Returns the variables in scope at an offset. Variables of classes are listed once the word has a `::`.
    pub(super) fn variables(&self, path: &Path, offset: u32, word: &str, span: Span) -> Vec<Completion> {
        let Some(source) = self.source(path) else { return Vec::new() };
        let around = source.index().definition_around(offset);
        if word.contains("::") {
            return self.class_variables(span);
        }
        // The last assignment counts.
        let observed: HashMap<u32, Type> =
            self.types(path).unwrap_or_default().into_iter().map(|(at, t)| (at.end, t)).collect();
        let stated = around
            .map(|around| self.parameters_of(source.text(), source.program(), around))
            .unwrap_or_default();
        let is_within =
            |at: Span| around.is_none_or(|around| around.span.start <= at.start && at.end <= around.span.end);
        let own = source.index().defined().filter(|one| {
            let is_variable = matches!(one.symbol, Symbol::Variable { .. } | Symbol::Local { .. });
            is_variable && is_within(one.span) && one.span.end <= offset && one.span != span
        });
        let mut found: Vec<_> = own
            .map(|one| {
                let shown = Completion::new(CompletionKind::Variable, one.symbol.name(), span);
                let t = observed.get(&one.span.end).filter(|t| **t != Type::Any);
                match stated.get(&one.span) {
                    Some((stated, doc)) if !stated.is_empty() => {
                        shown.detail(stated.as_str()).documented(doc.clone())
                    }
                    Some((_, doc)) => shown.documented(doc.clone()),
                    None => shown.detail(t.map(ToString::to_string).unwrap_or_default()),
                }
            })
            .collect();
        let parent = around.and_then(|around| around.parent.as_ref());
        let inherited = self.index.get().symbols().filter_map(|symbol| match symbol {
            Symbol::Variable { owner, name } if parent == Some(owner) => Some(&**name),
            _ => None,
        });
        found.extend(
            inherited
                .chain(KNOWN_VARIABLES)
                .map(|name| Completion::new(CompletionKind::Variable, name, span)),
        );
        found
    }

    /// Returns the variables of all classes.
    pub(crate) fn class_variables(&self, span: Span) -> Vec<Completion> {
        let named = self.index.get().symbols().filter_map(|symbol| match symbol {
            Symbol::Variable { owner, name } if !owner.is_empty() && self.is_class(owner) => {
                Some(Completion::new(CompletionKind::Variable, format!("{owner}::{name}"), span))
            }
            _ => None,
        });
        named.collect()
    }

    /// Returns the declared types and the documentation of a definition's parameters.
    fn parameters_of(
        &self,
        text: &str,
        program: &Program<'_>,
        definition: &SymbolDefinition,
    ) -> HashMap<Span, (String, String)> {
        let Some(found) = definition_at(program, definition.name_span) else { return HashMap::new() };
        let comment = program.doc_comment(found).map(|comment| comment.text).unwrap_or_default();
        let docstring = Docstring::parse(&comment);
        let stated = parameters(found).iter().filter_map(|one| {
            let t = one.type_expr.as_ref().map(|t| t.span.text(text).to_owned()).unwrap_or_default();
            let tag = docstring.tags.iter().find(|tag| tag.is_param(one.name));
            let doc = tag.and_then(|tag| tag.text.clone()).unwrap_or_default();
            Some((Span::of_part(program.text, one.name)?, (t, doc)))
        });
        stated.collect()
    }

    fn is_class(&self, name: &str) -> bool {
        !self.index.get().definitions(&Symbol::Class(name.into()), Path::new("")).is_empty()
    }

    /// Returns the keys of facts below a path.
    pub(super) fn fact_keys(&self, path: &[String], span: Span) -> Vec<Completion> {
        let fact = |name: &str, t: &str| Completion::new(CompletionKind::Fact, name, span).detail(t);
        if path.is_empty() {
            let names = self.world().facts().into_iter();
            return names.map(|name| fact(&name, FACTS.get(&*name).copied().unwrap_or_default())).collect();
        }
        let around = format!("{}.", path.join("."));
        let nested = FACTS.range(&*around..).map_while(|(name, t)| Some((name.strip_prefix(&around)?, *t)));
        nested.filter(|(name, _)| !name.contains('.')).map(|(name, t)| fact(name, t)).collect()
    }

    /// Returns the files in a directory of each module, in the form of function arguments.
    pub(super) fn files_in(&self, directory: &str, span: Span) -> Vec<Completion> {
        let mut found = Vec::new();
        for module in self.loader.module_names().unwrap_or_default() {
            let Ok(Some(root)) = self.loader.module_directory(&module) else { continue };
            let mut files = Vec::new();
            self.list(&root.join(directory), &mut PathBuf::new(), &mut files);
            found.extend(files.into_iter().map(|file| {
                Completion::new(CompletionKind::File, format!("{module}/{}", file.display()), span)
            }));
        }
        found
    }

    /// Lists the files in a directory and its subdirectories.
    fn list(&self, root: &Path, within: &mut PathBuf, found: &mut Vec<PathBuf>) {
        /// No directory of templates is deeper or larger.
        const DEEPEST: usize = 16;
        const MOST: usize = 10_000;
        let Ok(entries) = self.loader.file_system().list(&root.join(&*within)) else { return };
        for entry in entries {
            if found.len() >= MOST || within.components().count() >= DEEPEST {
                return;
            }
            within.push(&entry.name);
            if entry.kind == EntryKind::Directory {
                self.list(root, within, found)
            } else {
                found.push(within.clone())
            }
            within.pop();
        }
    }
}
