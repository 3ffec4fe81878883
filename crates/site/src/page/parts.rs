//! Sections that several kinds of pages have.

use std::collections::{HashMap, HashSet};

use maud::{Markup, html};
use puppetfn_doc::{DataDefault, DocTag, Docstring, TagEntry};

use super::super::code::{self, CodeLanguage};
use super::super::markdown;
use super::super::names::{NameUse, PageLinks};

/// The tags that are shown as notes, and their titles.
const NOTES: [(&str, &str); 5] = [
    ("deprecated", "Deprecated"),
    ("note", "Note"),
    ("todo", "To do"),
    ("abstract", "Abstract"),
    ("private", "Private"),
];

/// The tags that are facts, and their titles.
const FACTS: [(&str, &str); 3] = [("since", "Since"), ("version", "Version"), ("author", "Author")];

/// The maximum number of parameters without a list of them at the top.
const FEW: usize = 5;

/// Returns the summary, the text and the notes.
pub(super) fn description(docstring: &Docstring, links: &PageLinks<'_>) -> Markup {
    let summary = docstring.tag("summary").and_then(|tag| tag.text.as_deref()).unwrap_or_default();
    html! {
        @if !summary.trim().is_empty() { p.lead { (markdown::inline(summary, links)) } }
        (notes(docstring, links))
        @if docstring.text.trim() != summary.trim() {
            div.text { (markdown::comment(&docstring.text, links)) }
        }
    }
}

fn notes(docstring: &Docstring, links: &PageLinks<'_>) -> Markup {
    html! {
        @for (tag_name, title) in NOTES {
            @for tag in docstring.tagged(tag_name) {
                div class={ "note " (tag_name) } {
                    p { strong { (title) } }
                    (markdown::comment(tag.text.as_deref().unwrap_or_default(), links))
                }
            }
        }
    }
}

/// Returns further tags: facts, references and raised errors.
pub(super) fn further(docstring: &Docstring, links: &PageLinks<'_>) -> Markup {
    let has = |tag_name: &str| docstring.tag(tag_name).is_some();
    let facts: Vec<(&str, &DocTag)> = FACTS
        .into_iter()
        .flat_map(|(tag_name, title)| {
            docstring.tags.iter().filter(move |tag| tag.tag_name == tag_name).map(move |tag| (title, tag))
        })
        .collect();
    html! {
        @if has("raise") {
            h2 { "Raises" }
            ul {
                @for tag in docstring.tagged("raise") {
                    li {
                        @if let Some(types) = &tag.types { code { (types.join(", ")) } " " }
                        (markdown::inline(tag.text.as_deref().unwrap_or_default(), links))
                    }
                }
            }
        }
        @if has("see") {
            h2 { "See also" }
            ul { @for tag in docstring.tagged("see") { li { (see(tag, links)) } } }
        }
        @if !facts.is_empty() {
            dl.facts {
                @for (title, tag) in facts {
                    div { dt { (title) } dd { (markdown::inline(tag.text.as_deref().unwrap_or_default(), links)) } }
                }
            }
        }
    }
}

fn see(tag: &DocTag, links: &PageLinks<'_>) -> Markup {
    let name = tag.name.as_deref().unwrap_or_default();
    let text = tag.text.as_deref().unwrap_or_default();
    html! {
        @match links.to(name.trim_matches(['`', '{', '}']), NameUse::Any) {
            Some(href) => {
                a href=(href) { code { (name) } }
                @if !text.is_empty() { " " (markdown::inline(text, links)) }
            }
            // An address, or the first word of a text.
            None => (markdown::inline(&format!("{name} {text}"), links)),
        }
    }
}

/// Returns the examples below a heading.
pub(super) fn examples(docstring: &Docstring, links: &PageLinks<'_>) -> Markup {
    let count = docstring.tagged("example").count();
    html! {
        @if count > 0 {
            h2 { @if count > 1 { "Examples" } @else { "Example" } }
        }
        @for tag in docstring.tagged("example") {
            @if let Some(title) = tag.name.as_deref().filter(|title| !title.is_empty()) {
                h3.example { (markdown::inline(title, links)) }
            }
            (example(tag.text.as_deref().unwrap_or_default(), links))
        }
    }
}

fn example(text: &str, links: &PageLinks<'_>) -> Markup {
    // Some examples contain Markdown.
    if text.contains("```") {
        return markdown::comment(text, links);
    }
    let is_puppet = puppetfn_doc::is_puppet(text) || puppetfn_doc::is_call(text);
    let language = if is_puppet { CodeLanguage::Puppet } else { CodeLanguage::Other };
    code::block(&language.mark(text.trim_end(), links))
}

/// A parameter or attribute for display.
#[derive(Default)]
pub(super) struct ShownParameter<'a> {
    pub name: &'a str,
    pub types: Option<String>,
    pub text: &'a str,
    pub badges: Vec<&'a str>,
    /// Further details: titles and code.
    pub values: Vec<(&'static str, Vec<String>)>,
    pub default: Option<&'a str>,
    /// Values in the data of the module.
    pub data: Vec<&'a DataDefault>,
}

impl<'a> ShownParameter<'a> {
    /// Returns a parameter from its tag.
    pub fn of(tag: &'a DocTag, default: Option<&'a str>) -> Self {
        let name = tag.name.as_deref().unwrap_or_default();
        Self {
            name,
            types: tag.types.as_ref().map(|types| types.join(", ")).filter(|types| !types.is_empty()),
            text: tag.text.as_deref().unwrap_or_default(),
            default,
            ..Self::default()
        }
    }
}

/// Returns parameters below a heading.
pub(super) fn parameters(
    title: &str,
    prefix: &str,
    all: &[ShownParameter<'_>],
    docstring: &Docstring,
    links: &PageLinks<'_>,
) -> Markup {
    let mut entries: HashMap<&str, Vec<&TagEntry>> = HashMap::new();
    for tag in &docstring.tags {
        if let (Some(name), Some(entry)) = (&tag.name, &tag.entry) {
            entries.entry(name).or_default().push(entry);
        }
    }
    // Some parameters are documented twice: the first has the anchor and the entries.
    let mut taken = HashSet::new();
    let all: Vec<(Option<String>, &ShownParameter<'_>)> = all
        .iter()
        .map(|one| (Some(anchor(prefix, one.name)).filter(|id| taken.insert(id.clone())), one))
        .collect();
    html! {
        @if !all.is_empty() {
            h2 id={ (prefix) "s" } { (title) }
            @if all.len() > FEW {
                ul.names aria-label=(title) {
                    @for (id, one) in &all {
                        @if let Some(id) = id { li { a href={ "#" (id) } { (one.name) } } }
                    }
                }
            }
            @for (id, one) in &all {
                @let entries = entries.get(one.name.trim_start_matches(['*', '&'])).filter(|_| id.is_some());
                (parameter(id.as_deref(), one, entries.map_or(&[], Vec::as_slice), links))
            }
        }
    }
}

/// Returns the anchor of a parameter.
fn anchor(prefix: &str, name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '-' };
    format!("{prefix}-{}", name.trim_start_matches(['*', '&']).chars().map(safe).collect::<String>())
}

fn parameter(
    id: Option<&str>,
    shown: &ShownParameter<'_>,
    entries: &[&TagEntry],
    links: &PageLinks<'_>,
) -> Markup {
    let ShownParameter { name, types, text, badges, values, default, data } = shown;
    html! {
        section.parameter {
            h3 id=[id] {
                code { (name) }
                @for badge in badges { " " span.badge { (badge) } }
            }
            @if let Some(types) = types { p.type { code { (code::puppet(types, links)) } } }
            @if !text.trim().is_empty() { div.text { (markdown::comment(text, links)) } }
            @if !entries.is_empty() { (options(entries, links)) }
            @for (title, all) in values {
                p.values { (title) ": " @for (index, value) in all.iter().enumerate() { @if index > 0 { ", " } code { (value) } } }
            }
            @if let Some(default) = default { (default_value(default, links)) }
            @for DataDefault { file, value, .. } in data {
                p.values { "In " code { (file) } ": " code { (code::puppet(value, links)) } }
            }
        }
    }
}

fn default_value(default: &str, links: &PageLinks<'_>) -> Markup {
    html! {
        @if default.contains('\n') {
            p.values { "Default:" }
            (code::block(&code::puppet(default, links)))
        } @else {
            p.values { "Default: " code { (code::puppet(default, links)) } }
        }
    }
}

/// Returns the documented entries of a parameter.
fn options(entries: &[&TagEntry], links: &PageLinks<'_>) -> Markup {
    html! {
        dl.options {
            @for TagEntry { name, types, text } in entries {
                dt {
                    code { (name) }
                    @if let Some(types) = types { " " code.type { (code::puppet(&types.join(", "), links)) } }
                }
                dd { (markdown::inline(text.as_deref().unwrap_or_default(), links)) }
            }
        }
    }
}
