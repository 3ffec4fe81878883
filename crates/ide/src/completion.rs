//! Completion.
#![allow(clippy::wildcard_enum_match_arm, reason = "few kinds of names can be completed at a place")]

mod names;
mod plans;
mod resources;

pub(super) use names::KNOWN_VARIABLES;
pub(super) use resources::listed;

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use super::Ide;
use super::context::{CursorPlace, DEFERRED, context};
use super::describe::{lower, signatures};
use super::links::MODULE_FILES;
use puppetfn_base::source::Span;
use puppetfn_index::{Occurrence, Symbol};
use puppetfn_runtime::builtin::registry;
use puppetfn_types::function::FunctionBody;
use puppetfn_types::types::Type;

/// A completion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// The displayed label.
    pub label: String,
    /// The kind.
    pub kind: CompletionKind,
    /// The detail beside the label: a type or a signature.
    pub detail: Option<String>,
    /// The documentation, as Markdown.
    pub documentation: Option<String>,
    /// The span that it replaces.
    pub span: Span,
    /// The inserted text.
    pub insert: String,
    /// Whether the inserted text has placeholders: `${1:name}`.
    pub is_snippet: bool,
}

/// The kinds of completions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum CompletionKind {
    Keyword,
    Variable,
    Fact,
    Function,
    Class,
    ResourceType,
    Type,
    Attribute,
    Value,
    Title,
    File,
    Key,
    Module,
}

/// Keywords with their snippets.
const KEYWORDS: [(&str, &str); 14] = [
    ("and", "and"),
    ("case", "case ${1:\\$value} {\n  ${2:value}: { $0 }\n  default: { }\n}"),
    ("class", "class ${1:name} {\n  $0\n}"),
    ("default", "default"),
    ("define", "define ${1:name} {\n  $0\n}"),
    ("else", "else {\n  $0\n}"),
    ("elsif", "elsif ${1:condition} {\n  $0\n}"),
    ("false", "false"),
    ("function", "function ${1:name}($2) >> ${3:Any} {\n  $0\n}"),
    ("if", "if ${1:condition} {\n  $0\n}"),
    ("node", "node '${1:name}' {\n  $0\n}"),
    ("true", "true"),
    ("undef", "undef"),
    ("unless", "unless ${1:condition} {\n  $0\n}"),
];

impl Completion {
    pub(crate) fn new(kind: CompletionKind, label: impl Into<String>, span: Span) -> Self {
        let label = label.into();
        let insert = label.clone();
        Self { label, kind, detail: None, documentation: None, span, insert, is_snippet: false }
    }

    pub(crate) fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: Some(detail.into()).filter(|detail| !detail.is_empty()), ..self }
    }

    pub(crate) fn documented(self, documentation: String) -> Self {
        Self { documentation: Some(documentation).filter(|text| !text.is_empty()), ..self }
    }

    pub(crate) fn inserting(self, insert: impl Into<String>) -> Self {
        Self { insert: insert.into(), ..self }
    }

    fn snippet(self, insert: impl Into<String>) -> Self {
        Self { insert: insert.into(), is_snippet: true, ..self }
    }
}

impl Ide {
    /// Returns the completions at an offset, which all begin with the word before it.
    pub fn completions(&self, path: &Path, offset: u32) -> Vec<Completion> {
        self.completed(path, offset, false)
    }

    /// Returns the completions after a typed character, such as a bracket or a quote: only the names that it leads to. Where any
    /// expression can follow, an editor would put the first one in the place of a line break.
    pub fn completions_after_character(&self, path: &Path, offset: u32) -> Vec<Completion> {
        self.completed(path, offset, true)
    }

    fn completed(&self, path: &Path, offset: u32, is_after_character: bool) -> Vec<Completion> {
        if let Some(data) = self.data(path) {
            return self.data_completions(data, offset);
        }
        if let Some(file) = self.module_files.get(path) {
            return self.completions_in_module_file(file, offset);
        }
        if let Some(template) = self.erb.get(path) {
            return self.erb_completions(template, offset);
        }
        let Some(source) = self.source(path) else { return Vec::new() };
        let context = context(source.text(), source.mode(), offset);
        let word = context.word.text(source.text()).to_owned();
        let span = context.word;
        let mut found = match &context.place {
            CursorPlace::Variable => self.variables(path, offset, &word, span),
            CursorPlace::Method { receiver } => self.methods(path, *receiver, &word, span),
            CursorPlace::Attribute { type_name, title, given } => {
                self.attributes(path, type_name, title.as_deref(), given, span)
            }
            CursorPlace::Value { type_name, title, attribute, in_quotes } => {
                let mut values = self.values(type_name, title.as_deref(), attribute, *in_quotes, span);
                if *in_quotes && attribute == "source" {
                    values.extend(self.files_in("files", span).into_iter().map(|one| {
                        Completion::new(CompletionKind::File, format!("{MODULE_FILES}{}", one.label), span)
                    }));
                }
                if !in_quotes && !is_after_character {
                    values.extend(self.expressions(span, &word));
                }
                values
            }
            CursorPlace::Title { type_name, is_reference: true } => self.titles(type_name, span),
            CursorPlace::Class => self.classes(span),
            CursorPlace::Fact { path: keys } => self.fact_keys(keys, span),
            CursorPlace::Key { variable } => self.keys_of(path, *variable, span),
            CursorPlace::Argument { function } => self.arguments(path, function, &word, span),
            CursorPlace::TemplateParameter { template, given, in_quotes } => {
                self.template_parameters(template, given, *in_quotes, span)
            }
            CursorPlace::Expression if is_after_character => Vec::new(),
            CursorPlace::Expression => {
                let mut found = self.expressions(span, &word);
                if source.mode().tasks {
                    found.extend(plans::of_bolt(&word, span));
                }
                found
            }
            CursorPlace::Title { .. } | CursorPlace::Unknown => Vec::new(),
        };
        let prefix = word.trim_start_matches("::").to_lowercase();
        found.retain(|one| one.label.trim_start_matches("::").to_lowercase().starts_with(&prefix));
        found.sort_by(|a, b| a.label.cmp(&b.label));
        found.dedup_by(|a, b| a.label == b.label && a.kind == b.kind);
        found
    }

    /// Returns the completions for the start of an expression.
    fn expressions(&self, span: Span, word: &str) -> Vec<Completion> {
        if word.starts_with(|c: char| c.is_ascii_uppercase()) {
            let types = self.names().types.iter().filter(|name| begins(name, word));
            return types.map(|name| Completion::new(CompletionKind::Type, name.as_str(), span)).collect();
        }
        let keyword = |(word, snippet): (&str, &str)| {
            let keyword = Completion::new(CompletionKind::Keyword, word, span);
            if word == snippet { keyword } else { keyword.snippet(snippet) }
        };
        let mut found: Vec<_> = KEYWORDS.into_iter().map(keyword).collect();
        let functions = self.names().functions.iter().filter(|name| begins(name, word));
        found.extend(functions.map(|name| function(name, span, false)));
        found.extend(self.resource_types(word, span));
        found
    }

    /// Returns the functions whose first parameter accepts the type of an expression.
    fn methods(&self, path: &Path, receiver: Span, word: &str, span: Span) -> Vec<Completion> {
        let t = self.type_of(path, receiver);
        let accepts = |name: &str| {
            let Some(callable) = self.world().callable(name, &self.origin(path)) else { return true };
            let signatures = match &callable {
                puppetfn_check::CallableFunction::Native(function) => function.signatures(),
                puppetfn_check::CallableFunction::Declared(signatures) => signatures,
            };
            signatures.iter().any(|signature| {
                let first = signature.parameter_types().first();
                first.is_some_and(|first| may_be(&t, first))
            })
        };
        let names = self.names().functions.iter().filter(|name| begins(name, word) && accepts(name));
        names.map(|name| function(name, span, true)).collect()
    }

    /// Returns the type of the expression with a span, or `Any`.
    fn type_of(&self, path: &Path, span: Span) -> Type {
        let types = self.types(path).unwrap_or_default();
        let found = types.iter().rev().find(|(at, _)| *at == span).map(|(_, t)| t.clone());
        found
            .or_else(|| {
                // In an incomplete line, a variable has its type from before.
                let text = self.text(path)?;
                let name = span.text(text).strip_prefix('$')?;
                let before = types.into_iter().filter(|(at, _)| at.end <= span.start);
                before.filter(|(at, _)| at.text(text).trim_start_matches('$') == name).last().map(|(_, t)| t)
            })
            .unwrap_or(Type::Any)
    }

    /// Returns the keys of the hash in an expression, from its type.
    fn keys_of(&self, path: &Path, operand: Span, span: Span) -> Vec<Completion> {
        let Type::Struct(members) = resolved(&self.type_of(path, operand)) else { return Vec::new() };
        let keys = members.members().iter().map(|member| {
            Completion::new(CompletionKind::Key, &*member.name, span).detail(member.value.to_string())
        });
        keys.collect()
    }

    /// Returns the completions for a function's first argument: the names of templates, files, keys, classes and types.
    fn arguments(&self, path: &Path, function: &str, word: &str, span: Span) -> Vec<Completion> {
        match function {
            "epp" | "template" | "find_template" => self.files_in("templates", span),
            "file" | "binary_file" | "find_file" => self.files_in("files", span),
            "run_plan" => self.plans(span),
            "run_task" | "run_task_with" => self.tasks(span),
            DEFERRED => {
                let functions = self.names().functions.iter().filter(|name| begins(name, word));
                functions.map(|name| Completion::new(CompletionKind::Function, name.as_str(), span)).collect()
            }
            "lookup" | "hiera" => {
                // The word at the cursor is not a key yet.
                let is_other = |(file, one): &(&Path, &Occurrence)| *file != path || one.span != span;
                let keys = self.index.get().symbols().filter_map(|symbol| match symbol {
                    Symbol::Key(key) if self.index.get().occurrences(symbol, path).iter().any(is_other) => {
                        Some(Completion::new(CompletionKind::Key, &**key, span))
                    }
                    _ => None,
                });
                keys.collect()
            }
            "include" | "contain" | "require" => self.classes(span),
            "create_resources" | "ensure_resource" | "ensure_resources" => {
                let types = self.resource_types(word, span).into_iter();
                types
                    .map(|one| {
                        let label = one.label.clone();
                        Completion { is_snippet: false, ..one.inserting(label) }
                    })
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    fn classes(&self, span: Span) -> Vec<Completion> {
        let classes = self.names().classes.iter();
        classes.map(|name| Completion::new(CompletionKind::Class, name.as_str(), span)).collect()
    }

    fn titles(&self, type_name: &str, span: Span) -> Vec<Completion> {
        let t = lower(type_name);
        let titles = self.index.get().symbols().filter_map(|symbol| match symbol {
            Symbol::Resource { type_name, title } if *type_name == t => Some(title),
            _ => None,
        });
        titles.map(|title| Completion::new(CompletionKind::Title, &**title, span)).collect()
    }
}

/// Returns true if a name begins with the word at the cursor.
fn begins(name: &str, word: &str) -> bool {
    let word = word.trim_start_matches("::");
    name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Returns a function, with the documentation of a built-in one. Documentation in files is read on request.
fn function(name: &str, span: Span, is_method: bool) -> Completion {
    /// The first signature and the documentation of each built-in function.
    static NATIVE: LazyLock<HashMap<String, (String, String)>> = LazyLock::new(|| {
        let described = |name: &str| {
            let function = registry().get(name).ok()??;
            let doc = match function.body() {
                FunctionBody::Native(native) => native.doc().to_owned(),
                _ => String::new(),
            };
            let signature = signatures(name, function.signatures()).into_iter().next().unwrap_or_default();
            Some((name.to_owned(), (signature, doc)))
        };
        registry().names().filter_map(described).collect()
    });
    const STATEMENTS: [&str; 8] =
        ["include", "contain", "require", "notice", "warning", "fail", "realize", "tag"];
    let function = Completion::new(CompletionKind::Function, name, span);
    let function = match NATIVE.get(name) {
        Some((signature, doc)) => function.detail(signature.as_str()).documented(doc.clone()),
        None => function,
    };
    if is_method || STATEMENTS.contains(&name) { function } else { function.snippet(format!("{name}($0)")) }
}

/// Returns true if a value of a type may also be of another type.
fn may_be(t: &Type, other: &Type) -> bool {
    *t == Type::Any
        || *other == Type::Any
        || t.assignable(other)
        || other.assignable(t)
        || other.assignable(&t.generalize())
}

/// Returns the type behind aliases.
fn resolved(t: &Type) -> Type {
    match t {
        Type::Alias(alias) => alias.with_target(|target| target.map_or(Type::Any, resolved)),
        Type::Optional(Some(inner)) => resolved(inner),
        other => other.clone(),
    }
}
