//! The resource types of Puppet itself.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use super::description::{AttributeDescription, Requirement, TypeDescription};
use super::{NativeType, TitleMeaning};
use puppetfn_base::target::{Difference, Target};

/// Descriptions of the types in `lib/puppetfn/puppet_types`, and last one without a name, which has the metaparameters;
/// `rake puppet_types` writes the file.
const DESCRIPTIONS: &str = include_str!("puppet_types.json");

/// One of Puppet's own types.
struct Builtin {
    description: Arc<TypeDescription>,
    native: Arc<NativeType>,
}

/// All of Puppet's own types.
struct BuiltinTypes {
    types: HashMap<String, Builtin>,
    /// The parameters that all types have.
    metaparameters: Arc<TypeDescription>,
}

static BUILTIN: LazyLock<BuiltinTypes> = LazyLock::new(|| {
    let mut descriptions = TypeDescription::list_of_json(DESCRIPTIONS).unwrap_or_default();
    let builtin = |description: TypeDescription| {
        (
            description.name.clone(),
            Builtin { native: Arc::new(native(&description)), description: Arc::new(description) },
        )
    };
    let metaparameters = descriptions.pop_if(|last| last.name.is_empty()).unwrap_or_default();
    let types = descriptions.into_iter().map(builtin).collect();
    BuiltinTypes { types, metaparameters: Arc::new(metaparameters) }
});

/// The type that OpenVox has extended by a parameter.
const PACKAGE: &str = "package";

static PACKAGE_OF_OPENVOX: LazyLock<Option<Builtin>> = LazyLock::new(|| {
    let mut description = TypeDescription::clone(&BUILTIN.types.get(PACKAGE)?.description);
    description.attributes.push(AttributeDescription {
        name: "environment".to_owned(),
        doc: Some("Variables that the commands of the provider get, as `NAME=value`.".to_owned()),
        requirements: vec![Requirement {
            type_text: r"Variant[Pattern[Regexp['\\A\\w+=']], Numeric, Boolean, Collection]".to_owned(),
            of_each: true,
            message: "Invalid environment setting '%{value}'".to_owned(),
            ..Requirement::default()
        }],
        ..AttributeDescription::default()
    });
    Some(Builtin { native: Arc::new(native(&description)), description: Arc::new(description) })
});

/// Returns a description with the parameters that all types have.
pub fn metaparameter_description() -> &'static Arc<TypeDescription> {
    &BUILTIN.metaparameters
}

/// Returns the part of a description that a catalog needs.
fn native(description: &TypeDescription) -> NativeType {
    let names = |is_wanted: &dyn Fn(bool) -> bool| {
        let wanted = description.attributes.iter().filter(|attribute| is_wanted(attribute.is_namevar));
        wanted.map(|attribute| Arc::from(&*attribute.name)).collect()
    };
    let titles = if description.name == "file" { TitleMeaning::Paths } else { TitleMeaning::Whole };
    let (attributes, keys) = (names(&|_| true), names(&|is_namevar| is_namevar));
    NativeType::new(&description.name, attributes, keys, description.is_isomorphic, titles)
}

/// Returns the parameter that names resources of one of Puppet's own types, `path` for `file`; `name` for all others.
pub fn name_parameter(type_name: &str) -> &'static str {
    builtin_type(&type_name.to_lowercase(), Target::default()).map_or("name", |t| t.name_parameter())
}

/// Returns the type of a release with this name, which is in lower case.
pub(super) fn builtin_type(name: &str, target: Target) -> Option<&'static Arc<NativeType>> {
    builtin(name, target).map(|builtin| &builtin.native)
}

/// Returns the description of Puppet 8's type of this name, which is in lower case.
pub fn builtin_description(name: &str) -> Option<&'static Arc<TypeDescription>> {
    builtin_description_of(name, Target::default())
}

/// Returns the description of a release's type of this name, which is in lower case.
pub fn builtin_description_of(name: &str, target: Target) -> Option<&'static Arc<TypeDescription>> {
    builtin(name, target).map(|builtin| &builtin.description)
}

fn builtin(name: &str, target: Target) -> Option<&'static Builtin> {
    if name == PACKAGE && target.has(Difference::PackageEnvironment) {
        PACKAGE_OF_OPENVOX.as_ref()
    } else {
        BUILTIN.types.get(name)
    }
}

/// Returns the names of all of them, sorted.
pub fn builtin_type_names() -> Vec<&'static str> {
    let mut names: Vec<_> = BUILTIN.types.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_read() {
        let descriptions = TypeDescription::list_of_json(DESCRIPTIONS).unwrap();
        let types = &descriptions[..descriptions.len() - 1];
        assert_eq!(types.len(), builtin_type_names().len());
        assert!(types.iter().all(|description| !description.is_open && !description.name.is_empty()));
        assert!(metaparameter_description().attribute("loglevel").is_some());
    }
}
