//! Values that a module's own data gives to the parameters of its classes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::declared::DefinitionKind;
use super::definition::{DataDefault, DocumentedDefinition};
use super::files::module_of;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_base::target::Target;
use puppetfn_catalog::value_line;
use puppetfn_hiera::{SurveyedLayer, survey};
use puppetfn_runtime::loader::FileSystem;
use puppetfn_types::convert::yaml;
use puppetfn_types::value::Value;

/// The maximum length of a value, in characters. Longer ones are cut.
const LONGEST_VALUE: usize = 200;

/// The data of modules, each read once.
pub(super) struct ModuleData<'a> {
    files: &'a dyn FileSystem,
    limits: &'a Limits,
    modules: HashMap<PathBuf, Vec<(String, DataDefault)>>,
}

impl<'a> ModuleData<'a> {
    pub fn new(files: &'a dyn FileSystem, limits: &'a Limits) -> Self {
        Self { files, limits, modules: HashMap::new() }
    }

    /// Adds the values in the data of a class's module to its documentation, in the order of the hierarchy.
    ///
    /// # Errors
    /// Fails if a file of data cannot be read.
    pub fn add_to(&mut self, definition: &mut DocumentedDefinition) -> Result<(), Error> {
        let file = Path::new(&definition.file);
        let Some(module) = module_of(self.files, file).filter(|_| definition.kind == DefinitionKind::Class)
        else {
            return Ok(());
        };
        if !self.modules.contains_key(module) {
            let name = definition.name.split("::").next().unwrap_or_default();
            // Other classes of a module whose data cannot be read do not fail again.
            self.modules.insert(module.to_owned(), Vec::new());
            let values = self.read(module, name)?;
            self.modules.insert(module.to_owned(), values);
        }
        let values = self.modules.get(module).into_iter().flatten();
        definition.data =
            values.filter(|(class, _)| *class == definition.name).map(|(_, value)| value.clone()).collect();
        Ok(())
    }

    /// Returns the values of a module's data, each with its class.
    fn read(&self, module: &Path, name: &str) -> Result<Vec<(String, DataDefault)>, Error> {
        let layer = SurveyedLayer::Module(name);
        let hiera_yaml = module.join("hiera.yaml");
        let surveyed = survey(self.files, &hiera_yaml, layer, Target::default(), self.limits)
            .map_err(|error| error.in_file(hiera_yaml.display().to_string()))?;
        let mut found = Vec::new();
        for path in surveyed.map(|surveyed| surveyed.files).unwrap_or_default() {
            let shown = path.strip_prefix(module).unwrap_or(&path).display().to_string();
            let Value::Hash(data) = self.content(&path)? else { continue };
            for (key, value) in data.iter() {
                let Value::String(key) = key else { continue };
                let Some((class, parameter)) = key.rsplit_once("::") else { continue };
                let value = if is_encrypted(value) {
                    "(encrypted)".to_owned()
                } else {
                    value_line(value, LONGEST_VALUE, self.limits)?
                };
                let value = DataDefault { parameter: parameter.to_owned(), file: shown.clone(), value };
                found.push((class.to_owned(), value));
            }
        }
        Ok(found)
    }

    fn content(&self, path: &Path) -> Result<Value, Error> {
        let wrong = |reason: String| Error::new(ErrorKind::Load, format!("{}: {reason}", path.display()));
        let text = self.files.read(path).map_err(|error| wrong(error.to_string()))?;
        let text = String::from_utf8_lossy(&text);
        yaml::parse(&text, self.limits)?.map_err(|problem| wrong(problem.to_string()))
    }
}

/// Returns true for a value that hiera-eyaml decrypts.
fn is_encrypted(value: &Value) -> bool {
    matches!(value, Value::String(text) if text.trim_start().starts_with("ENC["))
}
