//! Origins of texts.

use puppetfn_syntax::validate::ModuleFile;

/// The origin of a text, which determines what it sees and may define.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The module, where it is one that code can use.
    pub module: Option<String>,
    /// What the text may define, where it is in a place for definitions.
    pub file: Option<ModuleFile>,
    /// Whether it is a file of any module at all.
    pub is_in_module: bool,
}
