//! Finds out that two catalogs are the same, as most are, without understanding them.
#![allow(clippy::disallowed_methods, reason = "the user names the directories of these files")]

use std::collections::BTreeSet;
use std::fs;

use super::side::{Catalogs, Place};
use puppetfn_fleet::Kind;

/// What the sources of files begin with that are in modules.
const OF_MODULES: &str = "\"puppet:///modules/";

/// Returns true if both sides have a catalog of a node, these are the same text, and so are the files of modules that they name.
/// False says nothing.
pub(super) fn is_same(old: &Catalogs, new: &Catalogs, node: &str) -> bool {
    let (Some(before), Some(after)) = (text(old, node), text(new, node)) else { return false };
    let have_same = |source| old.source(source) == new.source(source);
    before == after && sources(&before).is_some_and(|all| all.into_iter().all(have_same))
}

fn text(side: &Catalogs, node: &str) -> Option<String> {
    let Place::Folder(folder) = &side.place else { return None };
    let problem = folder.path(Kind::Error, node);
    (!problem.exists()).then(|| fs::read_to_string(folder.path(Kind::Catalog, node)).ok()).flatten()
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
