//! Functions of modules, for code that is evaluated.

use std::sync::Arc;

use super::FunctionHint;
use super::{ENVIRONMENT, FileLanguage, FunctionFile, LoadableKind, Loader, TypedName};
use crate::builtin;
use crate::eval::{FileWarning, FoundFunction, FunctionLookup, FunctionText};
use puppetfn_base::error::{Error, ErrorExplanation, ErrorKind};
use puppetfn_syntax::validate::ModuleFile;
use puppetfn_types::function::{Function, LogLevel};

impl Loader {
    /// Returns the text of a file that defines a function in the Puppet language.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when it cannot be read.
    pub fn function_text(&self, file: &FunctionFile) -> Result<FunctionText, Error> {
        let module_file = ModuleFile::locate(&file.path, &self.modulepath);
        let path = file.path.to_string_lossy().into_owned();
        let module = (*file.module != *ENVIRONMENT).then(|| Arc::clone(&file.module));
        Ok(FunctionText { text: self.read(&file.path)?, path, module_file, module })
    }

    /// Returns the function that is called in place of one in Ruby that encrypts or decrypts data, if secrets are hidden.
    ///
    /// # Errors
    /// Never: the declarations of these functions are right.
    pub fn placeholder_function(&self, file: &FunctionFile) -> Result<Option<&'static Arc<Function>>, Error> {
        if self.hides_secrets && file.format != FileLanguage::Puppet {
            builtin::placeholders().get(&file.name)
        } else {
            Ok(None)
        }
    }
}

/// Puppet's own functions, and the functions of modules in the Puppet language.
impl FunctionLookup for Arc<Loader> {
    fn find(&self, name: &str, module: Option<&str>) -> Result<Option<FoundFunction>, Error> {
        if let Some(function) = builtin::function(name, self.target)? {
            return Ok(Some(FoundFunction::Function(function.clone())));
        }
        let file = self.find_function_for(name, module)?;
        let is_in_ruby = file.as_ref().is_none_or(|file| file.format != FileLanguage::Puppet);
        if is_in_ruby && let Some(function) = builtin::termini().get(name)? {
            return Ok(Some(FoundFunction::Function(function.clone())));
        }
        let Some(file) = file else { return Ok(None) };
        if let Some(placeholder) = self.placeholder_function(&file)? {
            return Ok(Some(FoundFunction::Function(Arc::clone(placeholder))));
        }
        match file.format {
            FileLanguage::Puppet => self.function_text(&file).map(|text| Some(FoundFunction::File(text))),
            FileLanguage::Ruby | FileLanguage::LegacyRuby => Err(Error::new(
                ErrorKind::Load,
                format!(
                    "The function '{name}' is written in Ruby ({}), which this program does not run",
                    file.path.display()
                ),
            )),
        }
    }

    fn depends_on_module(&self, name: &str) -> bool {
        let is_qualified = name.trim_start_matches("::").contains("::");
        if is_qualified {
            self.strict_dependencies
        } else {
            !matches!(builtin::registry().get(name), Ok(Some(_)))
        }
    }

    fn environment_file(&self, name: &str) -> Result<Option<String>, Error> {
        self.file_of_environment(LoadableKind::Function, name)
    }

    fn complaints(&self) -> Vec<(LogLevel, String)> {
        self.modules().complaints().map(|(level, message)| (level, message.to_owned())).collect()
    }

    fn type_warnings(&self) -> Vec<FileWarning> {
        self.warnings.take()
    }

    fn hint(&self, name: &str, module: Option<&str>) -> Option<ErrorExplanation> {
        Some(ErrorExplanation::new(FunctionHint::new(Arc::clone(self), name, module)))
    }
}

impl Loader {
    /// Returns the file of the environment that defines a name.
    pub(super) fn file_of_environment(
        &self,
        kind: LoadableKind,
        name: &str,
    ) -> Result<Option<String>, Error> {
        let modules = self.modules();
        let (Some(environment), Some(name)) = (&modules.environment, TypedName::new(kind, name)) else {
            return Ok(None);
        };
        Ok(environment.find(&name)?.map(|(path, _)| path.to_string_lossy().into_owned()))
    }
}
