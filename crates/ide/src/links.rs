//! Links to the files that a text mentions.
#![allow(clippy::wildcard_enum_match_arm, reason = "only templates and files are linked")]

use std::path::{Path, PathBuf};

use super::Ide;
use puppetfn_base::source::Span;
use puppetfn_index::Symbol;

/// The start of the URIs of files in modules.
pub(crate) const MODULE_FILES: &str = "puppet:///modules/";

impl Ide {
    /// Returns the spans and paths of mentioned templates and files of modules, also in `puppet:///modules/m/f`.
    pub fn links(&self, path: &Path) -> Vec<(Span, PathBuf)> {
        let Some(source) = self.source(path) else { return Vec::new() };
        let named = source.index().occurrences().iter().filter_map(|one| {
            let file = match &one.symbol {
                Symbol::Template(name) => self.path_in_module("templates", name),
                Symbol::File(name) => self.path_in_module("files", name),
                _ => None,
            };
            Some((one.span, file?))
        });
        let by_scheme = source.text().match_indices(MODULE_FILES).filter_map(|(at, _)| {
            let start = at + MODULE_FILES.len();
            let rest = source.text().get(start..)?;
            let name = rest.split(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '$')).next()?;
            let span = Span::new(at as u32, (start + name.len()) as u32);
            Some((span, self.path_in_module("files", name)?))
        });
        named.chain(by_scheme).collect()
    }
}
