//! The source of functions that no text has defined.

use std::sync::Arc;

use puppetfn_base::error::{Error, ErrorExplanation, SourceLocation};
use puppetfn_syntax::validate::ModuleFile;
use puppetfn_types::function::{Function, LogLevel};

/// Finds the functions that no text has defined.
pub trait FunctionLookup: Send + Sync {
    /// Returns the definition of a function for code of a module, or of none. The name is without a leading `::`.
    ///
    /// # Errors
    /// Fails if the function cannot be loaded.
    fn find(&self, name: &str, module: Option<&str>) -> Result<Option<FoundFunction>, Error>;

    /// Returns true if the same name may resolve to different functions in different modules.
    fn depends_on_module(&self, _name: &str) -> bool {
        false
    }

    /// Returns the file of the environment that defines a function. Once it is loaded, no text can define
    /// another of this name.
    ///
    /// # Errors
    /// Fails if a directory cannot be listed.
    fn environment_file(&self, _name: &str) -> Result<Option<String>, Error> {
        Ok(None)
    }

    /// Returns the complaints about modules to log: all the first time, none later.
    fn complaints(&self) -> Vec<(LogLevel, String)> {
        Vec::new()
    }

    /// Returns the warnings about files of types that were read since the last call.
    fn type_warnings(&self) -> Vec<FileWarning> {
        Vec::new()
    }

    /// Returns a suggestion for the name of a missing function, for code of a module or of none.
    fn hint(&self, _name: &str, _module: Option<&str>) -> Option<ErrorExplanation> {
        None
    }
}

/// A warning about a file that was read for a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileWarning {
    /// Puppet's name for the kind of problem: `DUPLICATE_KEY`.
    pub code: &'static str,
    /// The message, in Puppet's words.
    pub message: String,
    /// The position.
    pub place: SourceLocation,
}

/// The definition of a function.
#[derive(Clone, Debug)]
pub enum FoundFunction {
    /// The function itself.
    Function(Arc<Function>),
    /// A file in the Puppet language, which defines it and nothing else.
    File(FunctionText),
}

/// The text of a file that defines a function in the Puppet language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionText {
    /// The content of the file.
    pub text: Arc<str>,
    /// The path of the file, for messages.
    pub path: String,
    /// The rules for definitions in a file of a module.
    pub module_file: Option<ModuleFile>,
    /// The module that it belongs to, unless it is the environment's.
    pub module: Option<Arc<str>>,
}

/// A function that a file in the Puppet language defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoadedFunction<'n> {
    /// The name as code has it.
    pub name: &'n str,
    /// The module of that code, if the name may resolve to another function elsewhere.
    pub module: Option<&'n str>,
    /// The path of the file.
    pub file: &'n str,
}
