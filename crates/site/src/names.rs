//! Names in texts, and the pages that they lead to.

use std::collections::HashMap;

use super::item::{ItemKind, SiteItem};

/// The possible referents of a name, by its use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NameUse {
    /// A function: `name(`.
    Call,
    /// A resource: `name {`.
    Resource,
    /// A class.
    Class,
    /// Any item of the name. Capitalized names are types.
    Any,
}

impl NameUse {
    fn kinds(self, is_type: bool) -> &'static [ItemKind] {
        const TYPES: [ItemKind; 3] = [ItemKind::DataType, ItemKind::ResourceType, ItemKind::DefinedType];
        match self {
            _ if is_type => &TYPES,
            Self::Call => &[ItemKind::Function],
            Self::Resource => &[ItemKind::DefinedType, ItemKind::ResourceType],
            Self::Class => &[ItemKind::Class],
            Self::Any => &[
                ItemKind::Class,
                ItemKind::DefinedType,
                ItemKind::Function,
                ItemKind::ResourceType,
                ItemKind::Plan,
                ItemKind::Task,
            ],
        }
    }
}

/// The pages by kind and name of their items.
pub(crate) struct PageNames<'a> {
    pages: HashMap<(ItemKind, String), &'a str>,
}

impl<'a> PageNames<'a> {
    pub fn of(items: &'a [SiteItem<'_>]) -> Self {
        let mut pages = HashMap::new();
        for item in items {
            pages.entry((item.kind, item.name.to_ascii_lowercase())).or_insert(item.path.as_str());
        }
        Self { pages }
    }

    /// Returns the page of a name.
    fn page(&self, name: &str, used: NameUse) -> Option<&'a str> {
        let name = name.strip_prefix("::").unwrap_or(name);
        let is_type = name.starts_with(|c: char| c.is_ascii_uppercase());
        let lower = name.to_ascii_lowercase();
        used.kinds(is_type).iter().find_map(|kind| self.pages.get(&(*kind, lower.clone())).copied())
    }
}

/// The names that one page links to.
#[derive(Clone, Copy)]
pub(crate) struct PageLinks<'a> {
    pub names: &'a PageNames<'a>,
    /// The path of the linking page.
    pub from: &'a str,
    /// Names that refer to something else on the page: its parameters.
    pub own: &'a [&'a str],
}

impl PageLinks<'_> {
    /// Returns the relative link from the page to a name's page, unless it is the same page.
    pub fn to(&self, name: &str, used: NameUse) -> Option<String> {
        let page = self.names.page(name, used).filter(|page| *page != self.from)?;
        Some(format!("{}{page}", up(self.from)))
    }
}

/// Returns the relative path from a page to the root of the site.
pub(crate) fn up(from: &str) -> &'static str {
    if from.contains('/') { "../" } else { "" }
}

/// Returns the qualified names in a text, such as `a::b`, with their offsets.
pub(crate) fn qualified(text: &str) -> Vec<(usize, &str)> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(start) = rest.find(is_of_name) else { break };
        let word = rest.get(start..).unwrap_or_default();
        let length = word.find(|c| !is_of_name(c)).unwrap_or(word.len());
        let word = word.get(..length).unwrap_or_default();
        let name = word.trim_end_matches(':');
        if name.trim_start_matches(':').contains("::") {
            found.push((at + start, name));
        }
        at += start + length.max(1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_a_namespace_are_found_in_texts() {
        assert_eq!(
            qualified("See a::b: or (::C::D), not e or 1:2, é x::y."),
            [(4, "a::b"), (14, "::C::D"), (40, "x::y")]
        );
    }
}
