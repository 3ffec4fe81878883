//! The search index: a script that any page can load, also from files.

use serde_json::json;

use super::item::SiteItem;
use super::markdown::plain;
use super::module::SiteModule;

/// Returns the script.
pub(crate) fn index(items: &[SiteItem<'_>], modules: &[SiteModule]) -> String {
    let of_modules = modules.iter().filter(|module| module.path != "index.html").map(|module| {
        json!(["Module", module.name, module.path, module.stated("summary").unwrap_or_default(), []])
    });
    let of_items = items.iter().map(|item| {
        json!([item.kind.label(), item.name, item.path, plain(&item.summary()), item.parameters()])
    });
    let lines: Vec<String> = of_modules.chain(of_items).map(|entry| entry.to_string()).collect();
    format!("// Kind, name, page, summary, parameters.\nvar searchIndex = [\n{}\n];\n", lines.join(",\n"))
}
