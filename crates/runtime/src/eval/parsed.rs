//! Caches parsed manifests of modules, for all runtimes of the process.
//!
//! Contents are compared, not times: a text is read whenever it may have changed, and only parsed and checked when it
//! has.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use puppetfn_base::diagnostic::{Diagnostic, Strict};
use puppetfn_base::error::Error;
use puppetfn_base::target::Target;
use puppetfn_syntax::Tree;
use puppetfn_syntax::ast::Program;

/// Maximum size of the cached texts, in bytes: above it, the cache is cleared. Trees are up to twelve times as large.
const MOST: usize = 8 << 20;

/// The key of the cache: a file, and the rules that it is parsed and checked by.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct ParseKey {
    /// The path of the file.
    pub path: Arc<str>,
    /// The prefix that names in it should have, in a module.
    pub namespace: Option<String>,
    /// The severity of questionable code.
    pub strict: Strict,
    /// Whether it is a script, in which `plan` and `apply` are keywords.
    pub tasks: bool,
    /// The release that messages are about.
    pub target: Target,
}

/// A manifest that was parsed and checked.
pub(super) struct ParsedManifest {
    tree: Arc<Tree>,
    found: Vec<Diagnostic>,
}

impl ParsedManifest {
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// Returns the findings, without the parser's own.
    pub fn found(&self) -> &[Diagnostic] {
        &self.found
    }
}

#[derive(Default)]
struct ManifestCache {
    files: HashMap<ParseKey, Arc<ParsedManifest>>,
    size: usize,
}

static KEPT: LazyLock<Mutex<ManifestCache>> = LazyLock::new(Mutex::default);

fn kept() -> std::sync::MutexGuard<'static, ManifestCache> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a parsed text with its findings, from the cache if it has not changed.
///
/// # Errors
/// Fails if the text cannot be parsed. Errors are not cached.
pub(super) fn parsed(
    reading: ParseKey,
    text: Arc<str>,
    parse: impl FnOnce(Arc<str>, Arc<str>) -> Result<Arc<Tree>, Error>,
    check: impl FnOnce(&Program<'_>) -> Vec<Diagnostic>,
) -> Result<Arc<ParsedManifest>, Error> {
    let known = kept().files.get(&reading).cloned();
    if let Some(known) = known.filter(|known| *known.tree.text() == text) {
        return Ok(known);
    }
    let size = text.len();
    let tree = parse(text, Arc::clone(&reading.path))?;
    let found = check(tree.program());
    let parsed = Arc::new(ParsedManifest { tree, found });
    if size <= MOST {
        let mut kept = kept();
        if kept.size.saturating_add(size) > MOST {
            *kept = ManifestCache::default();
        }
        kept.size = kept.size.saturating_add(size);
        if let Some(old) = kept.files.insert(reading, Arc::clone(&parsed)) {
            kept.size = kept.size.saturating_sub(old.tree.text().len());
        }
    }
    Ok(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppetfn_base::limits::Limits;
    use puppetfn_syntax::Mode;

    #[test]
    fn a_text_is_parsed_once() {
        let read = |text: &str| {
            let reading = ParseKey {
                path: "/once.pp".into(),
                namespace: None,
                strict: Strict::Error,
                tasks: false,
                target: Target::default(),
            };
            let mode = Mode { tasks: false, template: false };
            let parse = |text: Arc<str>, path| Tree::parse(text, Some(path), mode, &Limits::DEFAULT);
            parsed(reading, text.into(), parse, |_| Vec::new())
        };
        let first = read("class a {}").unwrap();
        assert!(Arc::ptr_eq(&first, &read("class a {}").unwrap()));
        let other = read("class b {}").unwrap();
        assert_eq!(&**other.tree().text(), "class b {}");
        assert_eq!(&**first.tree().text(), "class a {}");
        assert!(read("class {").is_err());
    }
}
