//! HTML pages.

mod definition;
mod function;
mod index;
mod parts;
mod resource_type;
mod task;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::Page;
use super::code::{self, CodeLanguage};
use super::item::{ItemKind, PageSubject, SiteItem};
use super::markdown;
use super::module::SiteModule;
use super::names::{PageLinks, PageNames, up};
use puppetfn_base::file_system::FileSystem;
use puppetfn_doc::Api;

/// The content security policy of pages: the site's own files and images, and no inline scripts.
const POLICY: &str = "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; \
                      img-src 'self' data: http: https:; base-uri 'none'; form-action 'self' file:";

/// The maximum number of links to items of the same kind on a page.
const MOST: usize = 400;

/// The content of the site.
pub(crate) struct Site<'a> {
    pub items: &'a [SiteItem<'a>],
    pub modules: &'a [SiteModule],
    pub names: &'a PageNames<'a>,
    pub files: &'a dyn FileSystem,
}

impl Site<'_> {
    /// Returns all pages.
    pub fn pages(&self) -> Vec<Page> {
        let mut pages = vec![Page { path: "index.html".to_owned(), text: self.index().into_string() }];
        for (place, module) in (0..).zip(self.modules).filter(|(_, module)| module.path != "index.html") {
            pages.push(Page { path: module.path.clone(), text: self.module(place, module).into_string() });
        }
        pages.extend(self.items.iter().map(|item| {
            let text = self.page_of(item).into_string();
            Page { path: item.path.clone(), text }
        }));
        pages
    }

    /// Returns the title of the site.
    fn title(&self) -> String {
        match self.modules {
            [] => "Puppet reference".to_owned(),
            [only] => only.name.clone(),
            several if several.len() <= 3 => {
                several.iter().map(|module| module.name.as_str()).collect::<Vec<_>>().join(", ")
            }
            several => format!("{} modules", several.len()),
        }
    }

    fn module_of(&self, item: &SiteItem<'_>) -> Option<&SiteModule> {
        item.module.and_then(|module| self.modules.get(module))
    }

    /// Returns the file of an item, relative to its module, and the line.
    fn shown_place(&self, item: &SiteItem<'_>) -> Option<String> {
        let (file, line) = item.place()?;
        let within = self.module_of(item).and_then(|module| {
            let within = std::path::Path::new(file).strip_prefix(&module.root).ok()?;
            let within = within.display().to_string();
            Some(if self.modules.len() > 1 { format!("{}/{within}", module.name) } else { within })
        });
        let name = within.unwrap_or_else(|| file.rsplit('/').next().unwrap_or(file).to_owned());
        Some(format!("{name}:{line}"))
    }

    fn page_of(&self, item: &SiteItem<'_>) -> Markup {
        let own = item.parameters();
        let links = PageLinks { names: self.names, from: &item.path, own: &own };
        let content = html! {
            article {
                header {
                    p.kind {
                        (item.kind.label())
                        @if let Some(module) = self.module_of(item).filter(|_| self.modules.len() > 1) {
                            " of the module " a href={ (up(&item.path)) (module.path) } { (module.name) }
                        }
                    }
                    h1 { (breakable(item.name)) @if let PageSubject::Providers(_) = item.subject { " (providers)" } }
                    p.badges { (self.badges(item)) }
                }
                (self.content_of(item, &links))
                (self.source_of(item, &links))
            }
        };
        self.layout(item.name, &item.path, Some(item.kind), &content, &self.list_of_kind(item))
    }

    fn content_of(&self, item: &SiteItem<'_>, links: &PageLinks<'_>) -> Markup {
        match &item.subject {
            PageSubject::Definition(definition) => definition::definition(definition, links),
            PageSubject::Function(function) => function::function(function, links),
            PageSubject::TypeAlias(alias) => definition::type_alias(alias, links),
            PageSubject::DataType(data_type) => definition::data_type(data_type, links),
            PageSubject::ResourceType(t, providers) => resource_type::resource_type(t, providers, links),
            PageSubject::Providers(providers) => resource_type::providers(providers, links),
            PageSubject::Task(task) => task::task(task, links),
        }
    }

    fn badges(&self, item: &SiteItem<'_>) -> Markup {
        html! {
            @if item.is_private() { span.badge.private title="For the module itself: it may change at any time" { "private" } " " }
            @if item.is_deprecated() { span.badge.deprecated { "deprecated" } " " }
            @if let PageSubject::Function(function) = &item.subject {
                @if let Some(api) = function::api(function.api) { span.badge { (api) } " " }
            }
            @if let PageSubject::TypeAlias(_) = &item.subject { span.badge { "alias" } " " }
            @if let Some(place) = self.shown_place(item) { span.place { (place) } }
            @else { span.badge { "built in" } }
        }
    }

    /// Returns the source of an item, or its whole file if the item's part is unknown.
    fn source_of(&self, item: &SiteItem<'_>, links: &PageLinks<'_>) -> Markup {
        let Some((file, line)) = item.place() else { return html! {} };
        let own = match &item.subject {
            PageSubject::Definition(definition) => Some(definition.source.as_str()),
            PageSubject::Function(function) => function.source.as_deref(),
            PageSubject::Task(task) => Some(task.source.as_str()),
            PageSubject::TypeAlias(_)
            | PageSubject::DataType(_)
            | PageSubject::ResourceType(..)
            | PageSubject::Providers(_) => None,
        };
        let whole = || {
            let content = self.files.read(std::path::Path::new(file)).ok()?;
            Some(String::from_utf8_lossy(&content).trim_start_matches('\u{feff}').to_owned())
        };
        let (text, first) = match own {
            Some(text) => (text.to_owned(), line),
            None => match whole() {
                Some(text) => (text, 1),
                None => return html! {},
            },
        };
        let text = text.trim_end();
        html! {
            details.source {
                summary { h2 { "Source" } " " span.place { (self.shown_place(item).unwrap_or_default()) } }
                (code::numbered(&CodeLanguage::of_file(file).mark(text, links), text.lines().count(), first))
            }
        }
    }

    /// Returns links to all items of the same kind and module.
    fn list_of_kind(&self, item: &SiteItem<'_>) -> Markup {
        let (public, private): (Vec<&SiteItem<'_>>, Vec<_>) = self
            .items
            .iter()
            .filter(|other| other.kind == item.kind && other.module == item.module)
            .partition(|other| !other.is_private());
        html! {
            h2 { (item.kind.title()) }
            (self.list(&public, &item.path))
            @if !private.is_empty() {
                h2 { "Private" }
                (self.list(&private, &item.path))
            }
        }
    }

    /// Returns links to items, or to the neighbours of the page if there are too many for each page to have them all.
    fn list(&self, items: &[&SiteItem<'_>], from: &str) -> Markup {
        let here = items.iter().position(|item| item.path == from).unwrap_or(0);
        let first = here.saturating_sub(MOST / 2).min(items.len().saturating_sub(MOST));
        html! {
            ul {
                @for item in items.iter().skip(first).take(MOST) {
                    li {
                        a href={ (up(from)) (item.path) } aria-current=[(item.path == from).then_some("page")] { (breakable(item.name)) }
                        @if is_legacy(item) { " " span.count { "3.x" } }
                    }
                }
            }
        }
    }

    fn layout(
        &self,
        title: &str,
        path: &str,
        kind: Option<ItemKind>,
        content: &Markup,
        list: &Markup,
    ) -> Markup {
        let root = up(path);
        let site = self.title();
        let counts: Vec<(ItemKind, usize)> = ItemKind::ALL
            .into_iter()
            .map(|kind| (kind, self.items.iter().filter(|item| item.kind == kind).count()))
            .filter(|(_, count)| *count > 0)
            .collect();
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="generator" content="puppetfn";
                    title { (title) @if title != site { " · " (site) } }
                    link rel="stylesheet" href={ (root) "site.css" };
                    link rel="icon" href="data:,";
                    script src={ (root) "search-index.js" } defer {}
                    script src={ (root) "site.js" } defer {}
                }
                body data-root=(root) {
                    a.skip href="#content" { "Skip to the content" }
                    header.top {
                        a.home href={ (root) "index.html" } { (site) }
                        form.search role="search" action={ (root) "index.html" } hidden {
                            input #search type="search" name="q" placeholder="Search" aria-label="Search" autocomplete="off"
                                spellcheck="false" role="combobox" aria-expanded="false" aria-controls="results"
                                aria-autocomplete="list";
                            kbd aria-hidden="true" { "/" }
                            div #results role="listbox" aria-label="Results" hidden {}
                            p #status.hidden role="status" {}
                        }
                    }
                    div.columns {
                        main #content tabindex="-1" { (content) }
                        nav.side aria-label="Reference" {
                            ul.kinds {
                                @for (one, count) in counts {
                                    li {
                                        a href={ (root) "index.html#" (one.directory()) } aria-current=[(Some(one) == kind).then_some("true")] {
                                            (one.title()) " " span.count { (count) }
                                        }
                                    }
                                }
                            }
                            (list)
                        }
                    }
                }
            }
        }
    }
}

/// Returns true for a function of the 3.x API: one of the 4.x API may have the same name.
fn is_legacy(item: &SiteItem<'_>) -> bool {
    matches!(&item.subject, PageSubject::Function(function) if function.api == Api::Ruby3x)
}

/// Returns a name that can be broken at its namespaces.
fn breakable(name: &str) -> Markup {
    let mut parts = name.split("::");
    html! {
        (parts.next().unwrap_or_default())
        @for part in parts { (PreEscaped("::<wbr>")) (part) }
    }
}

/// Returns Markdown of a summary, which is one line.
fn summary(text: &str, links: &PageLinks<'_>) -> Markup {
    markdown::inline(text, links)
}
