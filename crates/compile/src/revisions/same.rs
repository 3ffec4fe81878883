//! Finds out that two catalogs are the same, as most are, without understanding them.

use std::collections::BTreeSet;

use puppetfn_diff::Sources;

use super::side::{CatalogText, Catalogs, FoundCatalog};

/// Prefix of the sources of files in modules, as JSON.
const OF_MODULES: &str = "\"puppet:///modules/";

/// Returns true if both sides have the same text for a node, and the same files of modules that it names. False does not
/// mean that they differ.
pub(super) fn is_same(
    old: (&Catalogs, &FoundCatalog<CatalogText>),
    new: (&Catalogs, &FoundCatalog<CatalogText>),
) -> bool {
    let ((old, FoundCatalog::Catalog(before)), (new, FoundCatalog::Catalog(after))) = (old, new) else {
        return false;
    };
    let have_same =
        |source| old.file(source) == new.file(source) && old.directory(source) == new.directory(source);
    old.are_compiled()
        && new.are_compiled()
        && before.json == after.json
        && before.exports == after.exports
        && sources(&before.json).is_some_and(|all| all.into_iter().all(have_same))
}

/// Returns the sources of files in the JSON of a catalog; `None` if these are not plain to see.
fn sources(json: &str) -> Option<BTreeSet<&str>> {
    let found = json.match_indices(OF_MODULES).map(|(start, _)| {
        let rest = json.get(start.saturating_add(1)..)?;
        let source = rest.get(..rest.find('"')?)?;
        (!source.contains('\\')).then_some(source)
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::sources;

    #[test]
    fn sources_are_found_once_or_not_at_all() {
        let json =
            r#"{"source": "puppet:///modules/m/a", "b": ["puppet:///modules/m/b", "puppet:///modules/m/a"]}"#;
        let found: Vec<_> = sources(json).into_iter().flatten().collect();
        assert_eq!(found, ["puppet:///modules/m/a", "puppet:///modules/m/b"]);
        assert_eq!(sources(r#""puppet:///modules/m/\"""#), None);
    }
}
