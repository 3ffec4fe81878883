//! Hover texts.
#![allow(clippy::wildcard_enum_match_arm, reason = "variables of the top scope alone can be facts")]

use std::path::Path;

use super::Ide;
use super::bolt;
use super::describe::{attribute, code};
use puppetfn_base::source::Span;
use puppetfn_check::{AttributeOf, Declarable};
use puppetfn_index::{Occurrence, Symbol};
use puppetfn_types::types::Type;

/// A hover text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The span that it describes.
    pub span: Span,
    /// The text, as Markdown.
    pub markdown: String,
}

impl Ide {
    /// Returns the hover text of the name or the expression at an offset.
    pub fn hover(&self, path: &Path, offset: u32) -> Option<Hover> {
        if let Some(file) = self.module_files.get(path) {
            return self.hover_in_module_file(file, offset);
        }
        if let Some(found) = self.named_at(path, offset)
            && let Some((shown, doc)) = self.said_of(found, path, offset)
        {
            let doc = doc.trim();
            let doc = if doc.is_empty() { String::new() } else { format!("\n\n---\n\n{doc}") };
            return Some(Hover { span: found.span, markdown: format!("{}{doc}", code(&shown)) });
        }
        let (span, t) = self.type_at(path, offset)?;
        (t != Type::Any).then(|| Hover { span, markdown: code(&t.to_string()) })
    }

    fn said_of(&self, found: &Occurrence, path: &Path, offset: u32) -> Option<(String, String)> {
        match &found.symbol {
            Symbol::Function(name) => {
                let (signatures, doc) = self.function(name, path)?;
                Some((signatures.join("\n"), doc))
            }
            Symbol::Class(_) | Symbol::Plan(_) => self.declarable(&found.symbol, path),
            Symbol::Type(name) => {
                let text = found.span.text(self.text(path)?);
                let alias = || {
                    Some((
                        format!("type {text} = {}", self.alias(text)?),
                        self.documentation(&found.symbol, path),
                    ))
                };
                let of_bolt = || bolt::data_type(name).filter(|_| self.is_plan(path));
                let known = self.declarable(&found.symbol, path).or_else(alias).or_else(of_bolt);
                known.or_else(|| built_in_type(name, text))
            }
            Symbol::Variable { owner, name } if !owner.is_empty() => {
                let (shown, doc) = self.variable_or_attribute(found, path, offset)?;
                let data = self.data_for(owner, name, path);
                Some((shown, [Some(doc), data].into_iter().flatten().collect::<Vec<_>>().join("\n\n")))
            }
            Symbol::Variable { .. } | Symbol::Local { .. } => self.variable_or_attribute(found, path, offset),
            Symbol::Resource { type_name, title } => Some((
                format!("{type_name} {{ '{title}': }}"),
                self.declarable(&Symbol::Type(type_name.clone()), path)?.1,
            )),
            Symbol::Template(name) | Symbol::File(name) => {
                let file = self.defined(&found.symbol, path).into_iter().next()?;
                Some((name.to_string(), format!("`{}`", file.path.display())))
            }
            Symbol::TemplateVariable { name, .. } => {
                let (t, doc) = self.template_variable(&found.symbol, path)?;
                Some((format!("{t} ${name}").trim().to_owned(), doc))
            }
            Symbol::Key(key) => Some((format!("lookup('{key}')"), self.places_of_key(&found.symbol, path)?)),
        }
    }

    /// Returns the description of a variable, or of the resource attribute with its name.
    fn variable_or_attribute(
        &self,
        found: &Occurrence,
        path: &Path,
        offset: u32,
    ) -> Option<(String, String)> {
        let name = found.symbol.name();
        let text = self.text(path)?;
        let is_variable = text.get(..found.span.start as usize)?.ends_with(['$', '{']);
        if let (Symbol::Variable { owner, .. }, false) = (&found.symbol, is_variable) {
            return self.attribute_of(owner, name, path);
        }
        let declared = self.declared_parameter(&found.symbol, path);
        let observed =
            self.type_at(path, offset).map(|(_, t)| t).filter(|t| *t != Type::Any).map(|t| t.to_string());
        let (t, doc) = match declared {
            Some((t, doc)) => (Some(t).filter(|t| !t.is_empty()).or(observed), doc),
            None => (observed, String::new()),
        };
        let doc = match self.legacy(&found.symbol) {
            Some(code) => format!("A legacy fact, which Puppet 8 omits by default: use `{code}`.\n\n{doc}")
                .trim()
                .to_owned(),
            None => doc,
        };
        Some((t.map_or_else(|| format!("${name}"), |t| format!("{t} ${name}")), doc))
    }

    fn legacy(&self, symbol: &Symbol) -> Option<String> {
        match symbol {
            Symbol::Variable { owner, name } if owner.is_empty() => self.world().legacy_fact(name),
            _ => None,
        }
    }

    /// Returns the description of an attribute of a class or a type.
    fn attribute_of(&self, owner: &str, name: &str, path: &Path) -> Option<(String, String)> {
        let class = Symbol::Class(owner.into());
        let candidates = [
            (self.world().declarable_type(owner), Symbol::Type(owner.into())),
            (self.world().declarable_class(owner), class),
        ];
        candidates.into_iter().find_map(|(declarable, symbol)| {
            let declarable: Declarable = declarable?;
            let attributes = declarable.attributes();
            let found: AttributeOf<'_> = attributes.into_iter().find(|attribute| attribute.name() == name)?;
            let (t, doc) = attribute(self, found, &symbol, path);
            Some((format!("{t} {name}").trim().to_owned(), doc))
        })
    }

    /// Returns the declared type and the documentation of a parameter.
    pub(crate) fn declared_parameter(&self, symbol: &Symbol, path: &Path) -> Option<(String, String)> {
        let location = self.defined(symbol, path).into_iter().next()?;
        let source = self.any_source(&location.path)?;
        let definition = source.index().definition_around(location.span.start)?;
        let program = source.program();
        let found = super::describe::definition_at(program, definition.name_span)?;
        let parameters = super::describe::parameters(found);
        let parameter =
            parameters.iter().find(|one| Span::of_part(program.text, one.name) == Some(location.span))?;
        let t = parameter.type_expr.as_ref().map(|t| t.span.text(source.text()).to_owned());
        let doc = self.documentation_of_parameter(&definition.symbol, parameter.name, &location.path);
        Some((t.unwrap_or_default(), doc))
    }

    /// Returns the innermost expression with a known type at an offset, and the type.
    pub(crate) fn type_at(&self, path: &Path, offset: u32) -> Option<(Span, Type)> {
        let around = self.types(path)?.into_iter().filter(|(span, _)| span.touches(offset));
        // Of two spans of the same length, the one that was evaluated last is wider.
        around.min_by_key(|(span, _)| span.length())
    }

    /// Returns the types of the expressions in a text.
    pub(crate) fn types(&self, path: &Path) -> Option<Vec<(Span, Type)>> {
        let source = self.source(path)?;
        Some(self.world().types_in(source.program(), &self.origin(path)))
    }
}

fn built_in_type(name: &str, text: &str) -> Option<(String, String)> {
    let is_known = puppetfn_types::types::parse::basic_names().any(|known| known.eq_ignore_ascii_case(name));
    is_known.then(|| (format!("type {text}"), String::new()))
}
