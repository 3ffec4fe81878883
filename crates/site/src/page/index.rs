//! The index, and the pages of modules.

use maud::{Markup, html};

use super::super::item::{ItemKind, SiteItem};
use super::super::markdown;
use super::super::module::SiteModule;
use super::super::names::{PageLinks, up};
use super::{Site, breakable, is_legacy, summary};

impl Site<'_> {
    /// Returns the first page: the only module's page, otherwise a list of all modules and items.
    pub fn index(&self) -> Markup {
        if let [only] = self.modules {
            return self.module(0, only);
        }
        let path = "index.html";
        let links = self.links(path);
        let content = html! {
            h1 { (self.title()) }
            @if !self.modules.is_empty() {
                table.list {
                    caption { "Modules" }
                    tbody {
                        @for module in self.modules {
                            tr {
                                th scope="row" { a href=(module.path) { (module.name) } }
                                td { (summary(module.stated("summary").unwrap_or_default(), &links)) }
                            }
                        }
                    }
                }
            }
            (self.reference(|_| true, path))
        };
        self.layout(&self.title(), path, None, &content, &html! {})
    }

    /// Returns the page of a module.
    pub fn module(&self, place: usize, module: &SiteModule) -> Markup {
        let path = module.path.as_str();
        let links = self.links(path);
        let base = module.repository().map(|address| format!("{address}/blob/HEAD/"));
        let content = html! {
            header {
                p.kind { "Module" }
                h1 { (module.name) @if let Some(version) = module.stated("version") { " " span.version { (version) } } }
                @if let Some(text) = module.stated("summary") { p.lead { (text) } }
                (facts(module))
            }
            @if let Some(readme) = &module.readme {
                section.readme aria-label="README" { (markdown::readme(readme, base.as_deref(), &links)) }
            }
            (self.reference(|item| item.module == Some(place) || item.module.is_none() && self.modules.len() == 1, path))
        };
        self.layout(&module.name, path, None, &content, &html! {})
    }

    fn links<'b>(&'b self, path: &'b str) -> PageLinks<'b> {
        PageLinks { names: self.names, from: path, own: &[] }
    }

    /// Returns lists of these items with their summaries.
    fn reference(&self, is_wanted: impl Fn(&SiteItem<'_>) -> bool, path: &str) -> Markup {
        html! {
            section #reference aria-label="Reference" {
                @for kind in ItemKind::ALL {
                    @let (public, private): (Vec<&SiteItem<'_>>, Vec<_>) = self.items.iter()
                        .filter(|item| item.kind == kind && is_wanted(item)).partition(|item| !item.is_private());
                    @if !public.is_empty() || !private.is_empty() {
                        section {
                            h2 #(kind.directory()) { (kind.title()) }
                            @if !public.is_empty() { (self.table(&public, path)) }
                            @if !private.is_empty() {
                                h3 { "Private" }
                                p.note { "For the module itself: these may change at any time." }
                                (self.table(&private, path))
                            }
                        }
                    }
                }
            }
        }
    }

    fn table(&self, items: &[&SiteItem<'_>], path: &str) -> Markup {
        let links = self.links(path);
        html! {
            table.list {
                tbody {
                    @for item in items {
                        tr {
                            th scope="row" {
                                a href={ (up(path)) (item.path) } { (breakable(item.name)) }
                                @if is_legacy(item) { " " span.badge { "3.x API" } }
                                @if item.is_deprecated() { " " span.badge.deprecated { "deprecated" } }
                            }
                            td { (summary(&item.summary(), &links)) }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the metadata of a module.
fn facts(module: &SiteModule) -> Markup {
    let dependencies = module.dependencies();
    let page = module.stated("project_page").or_else(|| module.stated("source"));
    let is_web = |address: &&str| address.starts_with("https://") || address.starts_with("http://");
    html! {
        dl.facts {
            @for (title, key) in [("Author", "author"), ("License", "license")] {
                @if let Some(text) = module.stated(key) { div { dt { (title) } dd { (text) } } }
            }
            @if let Some(page) = page.filter(is_web) { div { dt { "Project" } dd { a href=(page) { (page) } } } }
            @if !dependencies.is_empty() {
                div {
                    dt { "Depends on" }
                    dd {
                        @for (index, (name, version)) in dependencies.iter().enumerate() {
                            @if index > 0 { ", " }
                            (name) " " span.version { (version) }
                        }
                    }
                }
            }
        }
    }
}
