//! Documentation of classes, defined types and plans.

use super::declared::{DeclaredDefinition, DeclaredParameter, DefinitionKind};
use super::docstring::{Docstring, ReadingMode};
use super::tag::DocTag;

/// The documentation of a class, a defined type or a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentedDefinition {
    /// The kind.
    pub kind: DefinitionKind,
    /// The full name.
    pub name: String,
    /// The file that defines it.
    pub file: String,
    /// The line of the definition, counted from 1.
    pub line: u32,
    /// The base class of a class.
    pub parent: Option<String>,
    /// The docstring. Each parameter has a tag.
    pub docstring: Docstring,
    /// The defaults of parameters, by name.
    pub defaults: Vec<(String, String)>,
    /// The values of parameters in the module's data, in the order of its hierarchy. Empty unless the reader reads data.
    pub data: Vec<DataDefault>,
    /// The text of the definition.
    pub source: String,
}

/// The value of a parameter in a file of data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataDefault {
    /// The parameter.
    pub parameter: String,
    /// The path of the file in the module.
    pub file: String,
    /// The value as code, without the values of interpolations.
    pub value: String,
}

impl DocumentedDefinition {
    /// Returns the values of a parameter in the module's data.
    pub fn data_of(&self, parameter: &str) -> impl Iterator<Item = &DataDefault> {
        self.data.iter().filter(move |value| value.parameter == parameter)
    }

    /// Documents a declaration.
    pub fn of(declared: DeclaredDefinition, file: String, reading: ReadingMode) -> Self {
        let DeclaredDefinition { kind, name, line, comment, parent, parameters, source } = declared;
        let mut docstring = Docstring::read(&comment.text, reading);
        let mut defaults = Vec::new();
        for DeclaredParameter { name, type_text, default, .. } in parameters {
            match docstring.tags.iter_mut().find(|tag| tag.is_param(&name)) {
                Some(tag) => {
                    let of_tag = || tag.types.take().unwrap_or_else(|| vec!["Any".to_owned()]);
                    tag.types = Some(type_text.map_or_else(of_tag, |t| vec![t]));
                }
                None => {
                    let types = vec![type_text.unwrap_or_else(|| "Any".to_owned())];
                    docstring.tags.push(DocTag::empty("param", Some(name.clone()), types));
                }
            }
            defaults.extend(default.map(|default| (name, default)));
        }
        Self { kind, name, file, line, parent, docstring, defaults, data: Vec::new(), source }
    }
}
