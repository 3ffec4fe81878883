//! Descriptions of functions, classes, types and attributes, as Markdown.
#![allow(clippy::wildcard_enum_match_arm, reason = "only definitions are described")]

use std::path::Path;

use super::Ide;
use super::bolt;
use puppetfn_base::source::Span;
use puppetfn_catalog::AttributeDescription;
use puppetfn_check::{AttributeOf, CallableFunction, Declarable};
use puppetfn_doc::Docstring;
use puppetfn_index::Symbol;
use puppetfn_syntax::ast::{Expr, Parameter, Program};
use puppetfn_types::function::{FunctionBody, Signature};
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::TypeLookup;

/// Returns a code block.
pub(crate) fn code(code: &str) -> String {
    format!("```puppet\n{code}\n```")
}

impl Ide {
    /// Returns the signatures and the documentation of a function.
    pub(crate) fn function(&self, name: &str, path: &Path) -> Option<(Vec<String>, String)> {
        let shown = name.trim_start_matches("::");
        match self.world().callable(name, &self.origin(path)) {
            Some(CallableFunction::Native(function)) => {
                let signatures = signatures(shown, function.signatures());
                let doc = match function.body() {
                    FunctionBody::Native(native) => native.doc().to_owned(),
                    _ => String::new(),
                };
                Some((signatures, doc))
            }
            Some(CallableFunction::Declared(declared)) => {
                Some((signatures(shown, &declared), self.documentation(&Symbol::Function(lower(name)), path)))
            }
            None => {
                let of_bolt = || bolt::function(shown).filter(|_| self.is_plan(path));
                let Some(location) = self.defined(&Symbol::Function(lower(name)), path).into_iter().next()
                else {
                    return of_bolt();
                };
                let file = location.path.file_name()?.to_string_lossy().into_owned();
                Some((vec![format!("{shown}(...)")], format!("Defined in Ruby, in `{file}`.")))
            }
        }
    }

    /// Returns true if a text can use Bolt.
    pub(crate) fn is_plan(&self, path: &Path) -> bool {
        self.source(path).is_some_and(|source| source.mode().tasks)
    }

    /// Returns the documentation of a definition, as Markdown.
    pub(crate) fn documentation(&self, symbol: &Symbol, path: &Path) -> String {
        if let Symbol::Function(name) = symbol
            && let Some((_, declared)) = self.ruby_function(name)
        {
            return markdown(&Docstring::parse(&declared.comment.text));
        }
        let comment = self.comment(symbol, path);
        comment.map(|comment| markdown(&Docstring::parse(&comment))).unwrap_or_default()
    }

    /// Returns the comment above a symbol's definition.
    fn comment(&self, symbol: &Symbol, path: &Path) -> Option<String> {
        let location = self.defined(symbol, path).into_iter().next()?;
        let source = self.any_source(&location.path)?;
        let program = source.program();
        let definition = definition_at(program, location.span)?;
        // Error recovery may parse an altered text, but that has the same comments.
        let comment = program.doc_comment(definition)?;
        Some(comment.text)
    }

    /// Returns the documentation of a parameter in the comment of its class, type or function.
    pub(crate) fn documentation_of_parameter(&self, owner: &Symbol, name: &str, path: &Path) -> String {
        let Some(comment) = self.comment(owner, path) else { return String::new() };
        let docstring = Docstring::parse(&comment);
        let tag = docstring.tags.iter().find(|tag| tag.is_param(name));
        tag.and_then(|tag| tag.text.clone()).unwrap_or_default()
    }

    /// Returns the declaration and the documentation of a class or a type.
    pub(crate) fn declarable(&self, symbol: &Symbol, path: &Path) -> Option<(String, String)> {
        let declarable = match symbol {
            Symbol::Class(name) => self.world().declarable_class(name),
            Symbol::Type(name) => self.world().declarable_type(name),
            _ => None,
        };
        match declarable {
            Some(Declarable::Native(description)) => {
                let doc = description.doc.clone().unwrap_or_default();
                Some((format!("{} {{ ... }}", description.name), unindented(&doc)))
            }
            Some(Declarable::Defined { name, .. }) => {
                let header = self.header(symbol, path).unwrap_or(name);
                Some((header, self.documentation(symbol, path)))
            }
            None => self.header(symbol, path).map(|header| (header, self.documentation(symbol, path))),
        }
    }

    /// Returns the text of a definition up to its body; the whole text of a type alias.
    fn header(&self, symbol: &Symbol, path: &Path) -> Option<String> {
        let location = self.defined(symbol, path).into_iter().next()?;
        let source = self.any_source(&location.path)?;
        let program = source.program();
        let definition = definition_at(program, location.span)?;
        let end = definition.kind.body().map_or(definition.span.end, |body| body.span.start);
        Some(Span::new(definition.span.start, end).text(source.text()).trim_end().to_owned())
    }

    /// Returns the source text of the type behind an alias.
    pub(crate) fn alias(&self, name: &str) -> Option<String> {
        match TypeLookup::find(&*self.loader, name).ok()?? {
            Type::Alias(alias) => alias.with_target(|target| target.map(Type::to_string)),
            _ => None,
        }
    }
}

/// Returns the definition whose name has a span.
pub(crate) fn definition_at<'p, 's>(program: &'p Program<'s>, name: Span) -> Option<&'p Expr<'s>> {
    fn find<'p, 's>(expr: &'p Expr<'s>, text: &str, name: Span) -> Option<&'p Expr<'s>> {
        if puppetfn_index::name_span(text, expr) == Some(name) {
            return Some(expr);
        }
        let mut found = None;
        expr.for_each_child(&mut |child| found = found.or_else(|| find(child, text, name)));
        found
    }
    program.statements.iter().find_map(|statement| find(statement, program.text, name))
}

/// Returns the parameters of a definition.
pub(crate) fn parameters<'p, 's>(definition: &'p Expr<'s>) -> &'p [Parameter<'s>] {
    definition.kind.parameters().unwrap_or_default()
}

/// Returns the declaration and the documentation of an attribute.
pub(crate) fn attribute(
    ide: &Ide,
    attribute: AttributeOf<'_>,
    owner: &Symbol,
    path: &Path,
) -> (String, String) {
    match attribute {
        AttributeOf::Parameter(parameter) => {
            let doc = ide.documentation_of_parameter(owner, &parameter.name, path);
            (parameter.t.to_string(), doc)
        }
        AttributeOf::Native(attribute) => (native_type(attribute), native_documentation(attribute)),
    }
}

fn native_type(attribute: &AttributeDescription) -> String {
    match &attribute.data_type {
        Some(t) => t.clone(),
        None if attribute.values.is_empty() => String::new(),
        None => attribute.values.join(" | "),
    }
}

fn native_documentation(attribute: &AttributeDescription) -> String {
    let mut doc = unindented(attribute.doc.as_deref().unwrap_or_default());
    if let Some(default) = &attribute.default {
        doc.push_str(&format!("\n\nDefault: `{default}`"));
    }
    doc
}

/// Returns the signatures of a function as text.
pub(crate) fn signatures(name: &str, signatures: &[Signature]) -> Vec<String> {
    let shown = signatures.iter().filter(|signature| !signature.handles_mismatch());
    shown.map(|signature| format!("{name}{signature}")).collect()
}

/// Returns a docstring as Markdown: its text, and its tags as lists.
pub(crate) fn markdown(docstring: &Docstring) -> String {
    let mut shown = String::new();
    let mut add = |part: String| {
        if !part.trim().is_empty() {
            if !shown.is_empty() {
                shown.push_str("\n\n");
            }
            shown.push_str(part.trim());
        }
    };
    docstring.tag("summary").and_then(|tag| tag.text.clone()).into_iter().for_each(&mut add);
    add(docstring.text.clone());
    if let Some(deprecated) = docstring.tag("deprecated") {
        add(format!("**Deprecated**: {}", deprecated.text.as_deref().unwrap_or_default()));
    }
    let params = docstring.tagged("param").map(|tag| {
        let name = tag.name.as_deref().unwrap_or_default();
        format!("- `{name}`: {}\n", tag.text.as_deref().unwrap_or_default().replace('\n', " "))
    });
    add(params.collect());
    docstring
        .tag("return")
        .and_then(|tag| tag.text.clone())
        .into_iter()
        .for_each(|text| add(format!("Returns {text}")));
    for example in docstring.tagged("example") {
        add(format!(
            "{}\n{}",
            example.name.as_deref().unwrap_or_default(),
            code(example.text.as_deref().unwrap_or_default())
        ));
    }
    shown
}

/// Returns a text without the common indent of its continuation lines.
pub(crate) fn unindented(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let common = text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim().to_owned();
    lines
        .fold(first, |shown, line| format!("{shown}\n{}", line.get(common..).unwrap_or_default().trim_end()))
        .trim()
        .to_owned()
}

pub(crate) fn lower(name: &str) -> std::sync::Arc<str> {
    name.trim_start_matches("::").to_lowercase().into()
}
