//! Types that only one loader sees, its `local_types`.

use std::sync::Arc;

use puppetfn::error::{Error, ErrorKind, SourceLocation};
use puppetfn::loader::Loader as Core;
use puppetfn::types::Type;
use puppetfn::types::parse::{AliasDefinition, Definitions, NamedDefinition, TypeLookup};

use super::limits;

/// Types by name, with the outer table.
#[derive(Default)]
pub struct LocalTypes {
    types: Definitions,
    outer: Option<Arc<LocalTypes>>,
}

impl LocalTypes {
    /// Creates an empty table that inherits the types of another loader's.
    pub fn within(outer: &Arc<Self>) -> Self {
        Self { outer: Some(Arc::clone(outer)), ..Self::default() }
    }

    /// Takes the text of a definition, `type Name = ...`, and returns the name.
    pub fn define(&self, text: &str) -> Result<String, Error> {
        let definition = AliasDefinition::parse(text, &limits::current())?;
        let name = definition.name().to_owned();
        match self.types.add(&name, Arc::new(definition)) {
            Some(first) => Err(redefined(&name, &first.place())),
            None => Ok(name),
        }
    }

    /// Returns the type of this name, if it is defined and resolved.
    pub fn resolved(&self, name: &str) -> Option<Type> {
        self.types.resolved(name).or_else(|| self.outer.as_ref()?.resolved(name))
    }

    /// Returns the type of this name, which is resolved if it was not.
    pub fn find(&self, name: &str, loader: &Core) -> Result<Option<Type>, Error> {
        let around = LoaderTypeLookup { types: self.outer.as_deref(), loader };
        match self.types.find(name, &around, &limits::current())? {
            Some(found) => Ok(Some(found)),
            None => around.find_local(name),
        }
    }
}

/// The scope around definitions.
struct LoaderTypeLookup<'l> {
    types: Option<&'l LocalTypes>,
    loader: &'l Core,
}

impl TypeLookup for LoaderTypeLookup<'_> {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        self.find_local(name)?.map_or_else(|| self.loader.find(name), |t| Ok(Some(t)))
    }

    fn find_local(&self, name: &str) -> Result<Option<Type>, Error> {
        self.types.map_or(Ok(None), |outer| outer.find(name, self.loader))
    }
}

/// Returns the error of a second definition, with the place of the first as Puppet shows it.
fn redefined(name: &str, place: &SourceLocation) -> Error {
    let (line, column) = (place.line.unwrap_or_default(), place.column.unwrap_or_default());
    let name = name.to_lowercase();
    let message = format!(
        "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/{name}'. \
         Originally set at string:?line={line}&pos={column}."
    );
    Error::new(ErrorKind::Load, message)
}
