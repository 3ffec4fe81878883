//! The classes, defined types and nodes that are known.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};

use super::declaration::{DefinitionCode, DefinitionForm, NodeName};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_catalog::{FastMap, ResourceId, ResourceKind, is_metaparameter};

/// Finds the manifests of modules.
pub trait ManifestLookup: Send + Sync {
    /// Returns the files that may define the class or type of this name, which is in lower case and without
    /// a leading `::`. The files of one step are read together, before their definitions are searched.
    ///
    /// # Errors
    /// Fails if a directory cannot be listed.
    fn manifests(&self, name: &str) -> Result<Vec<Vec<ManifestFile>>, Error>;

    /// Returns the text of such a file.
    ///
    /// # Errors
    /// Fails if it cannot be read.
    fn read(&self, file: &ManifestFile) -> Result<Arc<str>, Error>;

    /// Returns true if a module has a resource type of this name that is written in Ruby.
    ///
    /// # Errors
    /// Fails if a directory cannot be listed.
    fn has_resource_type(&self, name: &str) -> Result<bool, Error>;

    /// Refuses modules that Puppet cannot compile with.
    ///
    /// # Errors
    /// Fails if there is such a module, or if a directory cannot be listed.
    fn check_modules(&self) -> Result<(), Error> {
        Ok(())
    }
}

impl<L: ManifestLookup + ?Sized> ManifestLookup for Arc<L> {
    fn manifests(&self, name: &str) -> Result<Vec<Vec<ManifestFile>>, Error> {
        (**self).manifests(name)
    }

    fn read(&self, file: &ManifestFile) -> Result<Arc<str>, Error> {
        (**self).read(file)
    }

    fn has_resource_type(&self, name: &str) -> Result<bool, Error> {
        (**self).has_resource_type(name)
    }

    fn check_modules(&self) -> Result<(), Error> {
        (**self).check_modules()
    }
}

/// A manifest of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ManifestFile {
    /// The path.
    pub path: String,
    /// The module that it belongs to.
    pub module: Arc<str>,
    /// The prefix that names in it should have.
    pub namespace: String,
}

/// A lookup without modules.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct NoManifests;

impl ManifestLookup for NoManifests {
    fn manifests(&self, _: &str) -> Result<Vec<Vec<ManifestFile>>, Error> {
        Ok(Vec::new())
    }

    fn read(&self, file: &ManifestFile) -> Result<Arc<str>, Error> {
        Err(Error::new(ErrorKind::Load, format!("{} cannot be read", file.path)))
    }

    fn has_resource_type(&self, _: &str) -> Result<bool, Error> {
        Ok(false)
    }
}

/// The definitions in texts, by name.
#[derive(Debug)]
pub(super) struct ManifestDefinitions(RwLock<DefinitionTables>);

#[derive(Default, Debug)]
struct DefinitionTables {
    classes: FastMap<Arc<str>, Arc<DefinitionCode>>,
    types: FastMap<Arc<str>, Arc<DefinitionCode>>,
    nodes: Vec<Arc<DefinitionCode>>,
    /// The manifests that have been read.
    files: HashSet<String>,
    /// The resource types that are written in Ruby.
    native: FastMap<Arc<str>, Arc<ResourceKind>>,
    /// The definitions that resources are evaluated with.
    resources: FastMap<ResourceId, Arc<DefinitionCode>>,
}

impl Default for ManifestDefinitions {
    fn default() -> Self {
        let settings = Arc::new(DefinitionCode::settings());
        let classes = [(Arc::clone(&settings.name), settings)].into_iter().collect();
        Self(RwLock::new(DefinitionTables { classes, ..DefinitionTables::default() }))
    }
}

impl ManifestDefinitions {
    /// Adds the definitions of texts.
    ///
    /// # Errors
    /// Fails if a name is defined already.
    pub fn add(&self, definitions: Vec<Arc<DefinitionCode>>) -> Result<(), Error> {
        if definitions.is_empty() {
            return Ok(());
        }
        let mut tables = self.0.write().unwrap_or_else(PoisonError::into_inner);
        definitions.into_iter().try_for_each(|definition| tables.add(definition))
    }

    pub fn class(&self, name: &str) -> Option<Arc<DefinitionCode>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).classes.get(name).cloned()
    }

    pub fn defined_type(&self, name: &str) -> Option<Arc<DefinitionCode>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).types.get(name).cloned()
    }

    /// Notes that a manifest is read. Returns true if it is for the first time.
    pub fn begin_file(&self, path: &str) -> bool {
        self.0.write().unwrap_or_else(PoisonError::into_inner).files.insert(path.to_owned())
    }

    /// Lets a manifest be read again, because it could not be used.
    pub fn forget_file(&self, path: &str) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).files.remove(path);
    }

    /// Returns the resource type of this name that is written in Ruby, if it has been loaded.
    pub fn native_kind(&self, name: &str) -> Option<Arc<ResourceKind>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).native.get(name).cloned()
    }

    pub fn add_native_kind(&self, name: &str, kind: ResourceKind) -> Arc<ResourceKind> {
        let mut tables = self.0.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(tables.native.entry(name.into()).or_insert_with(|| Arc::new(kind)))
    }

    /// Records the definition that a resource is to be evaluated with.
    pub fn set_resource(&self, id: ResourceId, definition: &Arc<DefinitionCode>) {
        let mut tables = self.0.write().unwrap_or_else(PoisonError::into_inner);
        tables.resources.insert(id, Arc::clone(definition));
    }

    pub fn of_resource(&self, id: ResourceId) -> Option<Arc<DefinitionCode>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).resources.get(&id).cloned()
    }

    pub fn has_nodes(&self) -> bool {
        !self.0.read().unwrap_or_else(PoisonError::into_inner).nodes.is_empty()
    }

    /// Returns the definition for a node: by its name, else by a regular expression, else the default.
    ///
    /// # Errors
    /// Fails if a regular expression cannot be matched.
    pub fn node(&self, name: &str) -> Result<Option<(Arc<DefinitionCode>, usize)>, Error> {
        let tables = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let by_name = |wanted: &NodeName| matches!(wanted, NodeName::Name(known) if **known == *name);
        if let Some(found) = tables.find_node(|wanted| Ok(by_name(wanted)))? {
            return Ok(Some(found));
        }
        let by_regexp = |wanted: &NodeName| match wanted {
            NodeName::Regexp(regex) => regex.is_match(name),
            NodeName::Name(_) | NodeName::Default => Ok(false),
        };
        if let Some(found) = tables.find_node(by_regexp)? {
            return Ok(Some(found));
        }
        tables.find_node(|wanted| Ok(matches!(wanted, NodeName::Default)))
    }
}

impl DefinitionTables {
    fn find_node(
        &self,
        is_wanted: impl Fn(&NodeName) -> Result<bool, Error>,
    ) -> Result<Option<(Arc<DefinitionCode>, usize)>, Error> {
        for definition in &self.nodes {
            let DefinitionForm::Node(names) = &definition.form else { continue };
            for (index, name) in names.iter().enumerate() {
                if is_wanted(name)? {
                    return Ok(Some((Arc::clone(definition), index)));
                }
            }
        }
        Ok(None)
    }

    fn add(&mut self, definition: Arc<DefinitionCode>) -> Result<(), Error> {
        let name = &definition.name;
        match &definition.form {
            DefinitionForm::Class(_) => {
                if !self.classes.get(name).is_some_and(|class| class.is_builtin()) {
                    self.refuse(&self.classes, &definition, "Class", "; cannot redefine")?;
                }
                self.refuse(&self.types, &definition, "Definition", "; cannot be redefined as a class")?;
                self.classes.insert(Arc::clone(name), definition);
            }
            DefinitionForm::DefinedType => {
                let problem = " as a class; cannot redefine as a definition";
                self.refuse(&self.classes, &definition, "", problem)?;
                self.refuse(&self.types, &definition, "Definition", "; cannot be redefined")?;
                self.types.insert(Arc::clone(name), definition);
            }
            DefinitionForm::Node(names) => {
                for title in names.iter().map(NodeName::title) {
                    self.refuse_node(&title, &definition)?;
                }
                self.nodes.push(definition);
            }
        }
        Ok(())
    }

    /// Refuses a definition whose name one of the tables has.
    fn refuse(
        &self,
        known: &FastMap<Arc<str>, Arc<DefinitionCode>>,
        definition: &DefinitionCode,
        label: &str,
        problem: &str,
    ) -> Result<(), Error> {
        let Some(existing) = known.get(&definition.name) else { return Ok(()) };
        let label = if label.is_empty() { String::new() } else { format!("{label} ") };
        let (name, place) = (&definition.name, existing.unit.line(existing.at));
        Err(error(definition, format!("{label}'{name}' is already defined {place}{problem}")))
    }

    fn refuse_node(&self, title: &str, definition: &DefinitionCode) -> Result<(), Error> {
        for existing in &self.nodes {
            let DefinitionForm::Node(names) = &existing.form else { continue };
            if names.iter().any(|name| name.title() == title) {
                let place = existing.unit.line(existing.at);
                let message = format!("Node '{title}' is already defined {place}; cannot redefine");
                return Err(error(definition, message));
            }
        }
        match self.classes.get(title) {
            None => Ok(()),
            Some(existing) => {
                let place = existing.unit.line(existing.at);
                let message =
                    format!("Class '{title}' is already defined {place}; cannot be redefined as a node");
                Err(error(definition, message))
            }
        }
    }
}

/// Refuses required parameters named like metaparameters.
///
/// # Errors
/// Fails at the first.
pub(super) fn check_parameters(definition: &DefinitionCode) -> Result<(), Error> {
    let required = |parameter: &&super::code::ParameterCode| {
        parameter.default.is_none() && is_metaparameter(&parameter.name)
    };
    match definition.parameters.iter().find(required) {
        None => Ok(()),
        Some(parameter) => {
            let message = format!(
                "{} is a metaparameter; please choose another parameter name in the {} definition",
                parameter.name, definition.name
            );
            Err(Error::new(ErrorKind::Evaluation, message))
        }
    }
}

/// Returns the warnings about optional parameters named like metaparameters, up to the first required one, which is an
/// error: `warn_if_metaparam` in Puppet's `resource/type.rb`.
pub(super) fn metaparameter_warnings(definition: &DefinitionCode) -> impl Iterator<Item = String> {
    let parameters = definition.parameters.iter().filter(|parameter| is_metaparameter(&parameter.name));
    parameters.take_while(|parameter| parameter.default.is_some()).map(|parameter| {
        format!(
            "{} is a metaparam; this value will inherit to all contained resources in the {} definition",
            parameter.name, definition.name
        )
    })
}

#[cold]
fn error(definition: &DefinitionCode, message: String) -> Error {
    Error::new(ErrorKind::Evaluation, message).at(definition.unit.line(definition.at))
}
