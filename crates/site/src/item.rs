//! Items with pages of their own.

use std::collections::{HashMap, HashSet};

use puppetfn_doc::{
    Api, DataType, DefinitionKind, Docstring, Documentation, DocumentedAlias, DocumentedDefinition,
    DocumentedFunction, DocumentedProvider, DocumentedResourceType, DocumentedTask,
};

/// The kinds of documented items, in the order of the index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum ItemKind {
    Class,
    DefinedType,
    ResourceType,
    Function,
    DataType,
    Task,
    Plan,
}

impl ItemKind {
    pub const ALL: [Self; 7] = [
        Self::Class,
        Self::DefinedType,
        Self::ResourceType,
        Self::Function,
        Self::DataType,
        Self::Task,
        Self::Plan,
    ];

    /// Returns the heading of a list of this kind.
    pub fn title(self) -> &'static str {
        match self {
            Self::Class => "Classes",
            Self::DefinedType => "Defined types",
            Self::ResourceType => "Resource types",
            Self::Function => "Functions",
            Self::DataType => "Data types",
            Self::Task => "Tasks",
            Self::Plan => "Plans",
        }
    }

    /// Returns the singular name of the kind.
    pub fn label(self) -> &'static str {
        match self {
            Self::Class => "Class",
            Self::DefinedType => "Defined type",
            Self::ResourceType => "Resource type",
            Self::Function => "Function",
            Self::DataType => "Data type",
            Self::Task => "Task",
            Self::Plan => "Plan",
        }
    }

    /// Returns the directory of the kind's pages, which is also the anchor of its list.
    pub fn directory(self) -> &'static str {
        match self {
            Self::Class => "classes",
            Self::DefinedType => "defined_types",
            Self::ResourceType => "resource_types",
            Self::Function => "functions",
            Self::DataType => "data_types",
            Self::Task => "tasks",
            Self::Plan => "plans",
        }
    }
}

/// The subject of a page.
#[derive(Clone)]
pub(crate) enum PageSubject<'a> {
    Definition(&'a DocumentedDefinition),
    Function(&'a DocumentedFunction),
    TypeAlias(&'a DocumentedAlias),
    DataType(&'a DataType),
    ResourceType(&'a DocumentedResourceType, Vec<&'a DocumentedProvider>),
    /// Providers of a resource type that is documented elsewhere.
    Providers(Vec<&'a DocumentedProvider>),
    Task(&'a DocumentedTask),
}

/// A documented item with a page of its own.
pub(crate) struct SiteItem<'a> {
    pub kind: ItemKind,
    pub name: &'a str,
    pub subject: PageSubject<'a>,
    /// The path of the page within the site.
    pub path: String,
    /// The index of the item's module.
    pub module: Option<usize>,
}

impl<'a> SiteItem<'a> {
    /// Returns all documented items, sorted by kind and name, with the paths of their pages.
    pub fn all(documentation: &'a Documentation) -> Vec<Self> {
        let mut items: Vec<Self> = subjects(documentation).into_iter().map(Self::of).collect();
        // Of functions with the same name, links lead to the one of the newer API.
        let is_legacy = |subject: &PageSubject<'_>| matches!(subject, PageSubject::Function(function) if function.api == Api::Ruby3x);
        items.sort_by_key(|item| (item.kind, item.name, is_legacy(&item.subject)));
        let mut taken = HashMap::new();
        for item in &mut items {
            item.path = path(item.kind, item.name, &mut taken);
        }
        items
    }

    fn of(subject: PageSubject<'a>) -> Self {
        let (kind, name) = match &subject {
            PageSubject::Definition(definition) => {
                let kind = match definition.kind {
                    DefinitionKind::Class => ItemKind::Class,
                    DefinitionKind::DefinedType => ItemKind::DefinedType,
                    DefinitionKind::Plan => ItemKind::Plan,
                };
                (kind, definition.name.as_str())
            }
            PageSubject::Function(function) => (ItemKind::Function, function.name.as_str()),
            PageSubject::TypeAlias(alias) => (ItemKind::DataType, alias.name.as_str()),
            PageSubject::DataType(data_type) => (ItemKind::DataType, data_type.name.as_str()),
            PageSubject::ResourceType(t, _) => (ItemKind::ResourceType, t.description.name.as_str()),
            PageSubject::Providers(providers) => (
                ItemKind::ResourceType,
                providers.first().map_or("", |provider| &provider.declared.type_name),
            ),
            PageSubject::Task(task) => (ItemKind::Task, task.name.as_str()),
        };
        Self { kind, name, subject, path: String::new(), module: None }
    }

    /// Returns the defining file and the line.
    pub fn place(&self) -> Option<(&'a str, u32)> {
        match &self.subject {
            PageSubject::Definition(definition) => Some((&definition.file, definition.line)),
            PageSubject::Function(function) => function.file.as_deref().map(|file| (file, function.line)),
            PageSubject::TypeAlias(alias) => Some((&alias.file, alias.line)),
            PageSubject::DataType(data_type) => Some((&data_type.file, data_type.line)),
            PageSubject::ResourceType(t, _) => t.file.as_deref().map(|file| (file, t.description.line)),
            PageSubject::Providers(providers) => {
                providers.first().map(|provider| (provider.file.as_str(), provider.declared.line))
            }
            PageSubject::Task(task) => Some((&task.file, 1)),
        }
    }

    /// Returns the docstring.
    pub fn docstring(&self) -> Option<&'a Docstring> {
        match &self.subject {
            PageSubject::Definition(definition) => Some(&definition.docstring),
            PageSubject::Function(function) => Some(&function.docstring),
            PageSubject::TypeAlias(alias) => Some(&alias.docstring),
            PageSubject::DataType(data_type) => Some(&data_type.docstring),
            PageSubject::ResourceType(t, _) => Some(&t.docstring),
            PageSubject::Providers(_) => None,
            PageSubject::Task(task) => Some(&task.docstring),
        }
    }

    /// Returns the names of parameters and attributes.
    pub fn parameters(&self) -> Vec<&'a str> {
        match &self.subject {
            PageSubject::ResourceType(t, _) => {
                t.description.attributes.iter().map(|attribute| attribute.name.as_str()).collect()
            }
            PageSubject::Task(task) => {
                task.parameters.iter().map(|parameter| parameter.name.as_str()).collect()
            }
            PageSubject::Function(function) => {
                let mut known = HashSet::new();
                let names = function.signatures.iter().flat_map(|signature| params(&signature.docstring));
                names.filter(|name| known.insert(*name)).collect()
            }
            PageSubject::Definition(_)
            | PageSubject::TypeAlias(_)
            | PageSubject::DataType(_)
            | PageSubject::Providers(_) => {
                self.docstring().map(|docstring| params(docstring).collect()).unwrap_or_default()
            }
        }
    }

    /// Returns true if the item is not part of the public API.
    pub fn is_private(&self) -> bool {
        let says_so = |docstring: &Docstring| {
            docstring.tag("private").is_some()
                || docstring.tagged("api").any(|tag| tag.text.as_deref() == Some("private"))
        };
        self.docstring().is_some_and(says_so)
    }

    /// Returns true if the item is deprecated.
    pub fn is_deprecated(&self) -> bool {
        self.docstring().is_some_and(|docstring| docstring.tag("deprecated").is_some())
    }

    /// Returns the summary for lists, or the beginning of the text without one.
    pub fn summary(&self) -> String {
        if let PageSubject::Providers(providers) = &self.subject {
            let names: Vec<&str> = providers.iter().map(|provider| provider.declared.name.as_str()).collect();
            return format!("Providers: {}", names.join(", "));
        }
        let Some(docstring) = self.docstring() else { return String::new() };
        let of_signatures = || {
            let PageSubject::Function(function) = &self.subject else { return None };
            let texts = function.signatures.iter().map(|signature| beginning(&signature.docstring));
            texts.into_iter().find(|text| !text.is_empty())
        };
        Some(beginning(docstring)).filter(|text| !text.is_empty()).or_else(of_signatures).unwrap_or_default()
    }
}

fn params(docstring: &Docstring) -> impl Iterator<Item = &str> {
    let names =
        docstring.tags.iter().filter(|tag| tag.tag_name == "param").filter_map(|tag| tag.name.as_deref());
    names.map(|name| name.trim_start_matches(['*', '&']))
}

/// The maximum length of a text that replaces a missing summary.
const LONGEST_SUMMARY: usize = 160;

/// Returns the summary, else the first sentence or paragraph.
pub(crate) fn beginning(docstring: &Docstring) -> String {
    let summary = docstring.tag("summary").and_then(|tag| tag.text.as_deref());
    if let Some(summary) = summary.filter(|summary| !summary.trim().is_empty()) {
        return on_one_line(summary);
    }
    let text = docstring.text.trim();
    let paragraph = on_one_line(text.split("\n\n").next().unwrap_or(text));
    let sentence = paragraph.find(". ").and_then(|end| paragraph.get(..=end));
    let text = sentence.unwrap_or(&paragraph);
    if text.chars().count() <= LONGEST_SUMMARY {
        return text.to_owned();
    }
    let cut: String = text.chars().take(LONGEST_SUMMARY).collect();
    let end = cut.rfind(' ').unwrap_or(cut.len());
    format!("{} …", cut.get(..end).unwrap_or(&cut))
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn subjects(documentation: &Documentation) -> Vec<PageSubject<'_>> {
    let types = &documentation.resource_types;
    let mut subjects: Vec<PageSubject<'_>> =
        types.iter().map(|t| PageSubject::ResourceType(t, documentation.providers_of(t))).collect();
    subjects.extend(documentation.definitions.iter().map(PageSubject::Definition));
    subjects.extend(documentation.functions.iter().map(PageSubject::Function));
    subjects.extend(documentation.type_aliases.iter().map(PageSubject::TypeAlias));
    subjects.extend(documentation.data_types.iter().map(PageSubject::DataType));
    subjects.extend(documentation.tasks.iter().map(PageSubject::Task));
    let is_known = |name: &str| types.iter().any(|t| t.description.name == name);
    let mut others: Vec<&DocumentedProvider> =
        documentation.providers.iter().filter(|provider| !is_known(&provider.declared.type_name)).collect();
    others.sort_by(|a, b| a.declared.type_name.cmp(&b.declared.type_name));
    let of_one_type =
        |a: &&DocumentedProvider, b: &&DocumentedProvider| a.declared.type_name == b.declared.type_name;
    subjects.extend(others.chunk_by(of_one_type).map(|providers| PageSubject::Providers(providers.to_vec())));
    subjects
}

/// The maximum length of a file's name, without its extension. File systems allow 255 bytes.
const LONGEST_FILE_NAME: usize = 120;

/// Returns the path of a page. Names in code may contain anything: only letters, digits and underscores are kept, and
/// no two paths are equal on a case-insensitive file system.
fn path(kind: ItemKind, name: &str, taken: &mut HashMap<String, u32>) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let plain: String = name.replace("::", "-").chars().map(safe).take(LONGEST_FILE_NAME).collect();
    // GitHub Pages omits files that start with an underscore.
    let stem =
        if plain.starts_with(|c: char| c.is_ascii_alphanumeric()) { plain } else { format!("x{plain}") };
    let lower = |stem: &str| format!("{}/{}", kind.directory(), stem.to_ascii_lowercase());
    let mut number = taken.get(&lower(&stem)).copied().unwrap_or(0);
    let mut unique = stem.clone();
    while number > 0 && taken.contains_key(&lower(&unique)) {
        number = number.saturating_add(1);
        unique = format!("{stem}-{number}");
    }
    taken.insert(lower(&stem), number.max(1));
    taken.entry(lower(&unique)).or_insert(1);
    format!("{}/{unique}.html", kind.directory())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_has_a_file_of_its_own() {
        let mut taken = HashMap::new();
        let mut file = |name: &str| path(ItemKind::Function, name, &mut taken);
        assert_eq!(file("stdlib::ensure"), "functions/stdlib-ensure.html");
        assert_eq!(file("Stdlib::Ensure"), "functions/Stdlib-Ensure-2.html");
        assert_eq!(file("stdlib::ensure"), "functions/stdlib-ensure-3.html");
        assert_eq!(file("stdlib::ensure-3"), "functions/stdlib-ensure-3-2.html");
        assert_eq!(file("../../<script>"), "functions/x-------script-.html");
        assert_eq!(file("_f"), "functions/x_f.html");
        assert_eq!(file(""), "functions/x.html");
        assert_eq!(file("é\0"), "functions/x--.html");
        assert!(file(&"long".repeat(500)).len() < 200);
    }
}
