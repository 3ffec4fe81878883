//! The sources of data that a configuration makes, for the variables that it interpolates.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use super::config::{FunctionKind, HieraConfig, HierarchyEntry, HierarchyKind, Version};
use super::error::{LOOKUP_CONFIGURATION, failure};
use super::interpolation::MethodPolicy;
use super::invocation::{InterpolatedVariable, Invocation};
use super::layer::HieraLayer;
use super::lock::locked;
use super::path;
use super::source::DataSource;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::value::Value;

/// A configuration with the sources of its hierarchies, which are made again when variables change that they depend
/// on.
pub(super) struct Hierarchies {
    pub config: HieraConfig,
    made: Mutex<Option<Arc<ResolvedHierarchies>>>,
}

struct ResolvedHierarchies {
    regular: Arc<[DataSource]>,
    default: Arc<[DataSource]>,
    memory: Vec<InterpolatedVariable>,
}

impl Hierarchies {
    /// Creates the hierarchies of a configuration. Their sources are made when they are first used.
    pub fn of(config: HieraConfig) -> Self {
        Self { config, made: Mutex::default() }
    }

    /// Returns the sources of a hierarchy, in order of preference.
    pub fn sources(
        &self,
        which: HierarchyKind,
        layer: &HieraLayer,
        invocation: &Invocation<'_>,
    ) -> Result<Arc<[DataSource]>, Error> {
        let known = locked(&self.made).clone();
        let made = match known {
            Some(made) if invocation.is_stable(&made.memory)? => made,
            before => {
                if before.is_some() {
                    invocation.explain(|explainer| {
                        explainer.text(
                            "Hiera configuration recreated due to change of scope variables used in interpolation \
                             expressions"
                                .to_owned(),
                        );
                    });
                }
                let made = Arc::new(self.config.make(layer, invocation)?);
                *locked(&self.made) = Some(Arc::clone(&made));
                made
            }
        };
        Ok(match which {
            HierarchyKind::Regular => Arc::clone(&made.regular),
            HierarchyKind::Default => Arc::clone(&made.default),
        })
    }
}

impl HieraConfig {
    fn make(&self, layer: &HieraLayer, invocation: &Invocation<'_>) -> Result<ResolvedHierarchies, Error> {
        let memory = Arc::new(Mutex::new(Vec::new()));
        let noting = invocation.for_options().with_settings(|settings| {
            settings.memory = Some(Arc::clone(&memory));
            // Puppet's `ScopeLookupCollectingInvocation` inherits no explainer: `Invocation.current` is one of each class.
            settings.explainer = None;
            settings.local = None;
        });
        let make = |which| self.make_one(which, layer, &noting);
        let (regular, default) = (make(HierarchyKind::Regular), make(HierarchyKind::Default));
        let named = |error: Error| match undefined_variable(&error) {
            Some(variable) => self.undefined(variable),
            // The failed interpolation is in this file.
            None if error.code() == Some(LOOKUP_CONFIGURATION) && error.place().is_none() => {
                self.error(error.message(), None)
            }
            None => error,
        };
        let (regular, default) = (regular.map_err(named)?, default.map_err(named)?);
        let mut keys = HashSet::new();
        let mut memory = std::mem::take(&mut *locked(&memory));
        memory.retain(|noted| keys.insert(Arc::clone(&noted.key)));
        Ok(ResolvedHierarchies { regular, default, memory })
    }

    fn make_one(
        &self,
        which: HierarchyKind,
        layer: &HieraLayer,
        invocation: &Invocation<'_>,
    ) -> Result<Arc<[DataSource]>, Error> {
        let is_script = invocation.caller.compiler().is_some_and(|compiler| !compiler.makes_catalog());
        let mut names = HashSet::new();
        let mut sources = Vec::new();
        for entry in self.entries(which, is_script) {
            if !names.insert(&*entry.name) {
                return Err(self.repeated(&entry.name));
            }
            sources.extend(self.source(entry, layer, invocation)?);
        }
        Ok(sources.into())
    }

    fn source(
        &self,
        entry: &HierarchyEntry,
        layer: &HieraLayer,
        invocation: &Invocation<'_>,
    ) -> Result<Option<DataSource>, Error> {
        let Some((kind, function)) = entry.function.as_ref().or(self.defaults.function.as_ref()) else {
            return Ok(None);
        };
        let datadir = path::join(self.root(), entry.datadir.as_ref().unwrap_or(&self.defaults.datadir));
        let datadir = datadir.to_string_lossy();
        let datadir = match self.version {
            Version::Four => datadir.into_owned(),
            Version::Three | Version::Five => {
                invocation.interpolated_text(&datadir, MethodPolicy::Refused)?
            }
        };
        let lenient =
            invocation.with_settings(|settings| settings.is_lenient = self.version == Version::Five);
        let declared = entry.locations.as_ref();
        let mut locations =
            declared.map(|declared| declared.resolve(datadir.as_ref(), &lenient)).transpose()?;
        if self.path().is_none()
            && let Some(locations) = &mut locations
        {
            locations.retain(|location| location.exists);
            if locations.is_empty() {
                return Ok(None);
            }
        }
        let options = match entry.options.as_ref().or(self.defaults.options.as_ref()) {
            None => Arc::default(),
            Some(options) => {
                match invocation.interpolated(&Value::Hash(Arc::clone(options)), MethodPolicy::Refused)? {
                    Value::Hash(options) => options,
                    _ => Arc::default(),
                }
            }
        };
        if *kind == FunctionKind::Hiera3Backend {
            return Err(failure("Hiera 3 is not installed"));
        }
        Ok(Some(DataSource::new(&entry.name, *kind, function, layer.module().cloned(), options, locations)))
    }
}

/// Returns the undefined variable that an error is about.
fn undefined_variable(error: &Error) -> Option<&str> {
    let is_of_variable = *error.kind() == ErrorKind::ArgumentMismatch;
    let (name, _) = error.message().strip_prefix("Undefined variable '")?.split_once('\'')?;
    is_of_variable.then_some(name)
}
