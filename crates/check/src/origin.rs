//! Origins of texts.

use puppetfn_syntax::validate::ModuleFile;

/// The origin of a text, which determines the names in its scope and its possible definitions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextOrigin {
    /// The module, where it is one that code can use.
    pub module: Option<String>,
    /// The definitions that the text may have, if its file is in a place for definitions.
    pub file: Option<ModuleFile>,
    /// Whether it is a file of any module at all.
    pub is_in_module: bool,
}
