//! Documentation as a site of static pages: a page for each class, function, type and the like, an index, and a search that
//! needs no server.
//!
//! The content comes from files that anybody may have written. Templates escape values, Markdown is rendered without
//! its HTML, and links lead to pages of the site or to addresses of the web.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod code;
mod item;
mod markdown;
mod module;
mod names;
mod page;
mod search;
mod site_file;

pub use site_file::Page;

use item::SiteItem;
use module::SiteModule;
use names::PageNames;
use page::Site;
use puppetfn_base::file_system::FileSystem;
use puppetfn_doc::Documentation;

/// Returns the files of a site for this documentation. The descriptions of modules and the sources of Ruby files are
/// read from `files`.
pub fn pages(documentation: &Documentation, files: &dyn FileSystem) -> Vec<Page> {
    let mut items = SiteItem::all(documentation);
    let modules = SiteModule::all(&mut items, files);
    let names = PageNames::of(&items);
    let site = Site { items: &items, modules: &modules, names: &names, files };
    let mut pages = site.pages();
    pages.push(Page { path: "search-index.js".to_owned(), text: search::index(&items, &modules) });
    for (path, text) in
        [("site.js", include_str!("../assets/site.js")), ("site.css", include_str!("../assets/site.css"))]
    {
        pages.push(Page { path: path.to_owned(), text: text.to_owned() });
    }
    pages
}
