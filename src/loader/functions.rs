//! Functions of modules, for code that is evaluated.

use super::{Format, FunctionFile, Loader};
use crate::builtin;
use crate::error::{Error, ErrorKind};
use crate::eval::{Found, FunctionLookup, FunctionText};
use crate::syntax::validate::ModuleFile;

impl Loader {
    /// The text of a file that defines a function in the Puppet language.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] when it cannot be read.
    pub fn function_text(&self, file: &FunctionFile) -> Result<FunctionText, Error> {
        let module_file = ModuleFile::locate(&file.path, &self.modulepath);
        let path = file.path.to_string_lossy().into_owned();
        Ok(FunctionText { text: self.read(&file.path)?, path, module_file })
    }
}

/// Puppet's own functions, and those that modules define in the Puppet language.
impl FunctionLookup for Loader {
    fn find(&self, name: &str) -> Result<Option<Found>, Error> {
        if let Some(function) = builtin::registry().get(name)? {
            return Ok(Some(Found::Function(function.clone())));
        }
        let Some(file) = self.find_function(name)? else { return Ok(None) };
        match file.format {
            Format::Puppet => self.function_text(&file).map(|text| Some(Found::File(text))),
            Format::Ruby | Format::LegacyRuby => Err(Error::new(
                ErrorKind::Load,
                format!(
                    "The function '{name}' is written in Ruby ({}), which this program does not run",
                    file.path.display()
                ),
            )),
        }
    }
}
