//! Options of a comparison.

use puppetfn_base::limits::Limits;

use crate::filter::DifferenceFilter;
use crate::ignore::IgnoreRules;

/// Options of a comparison: the kinds of differences that count.
///
/// The defaults show changes that may have an effect on a node. They match octocatalog-diff's with these exceptions:
/// classes, the order of resources, their containers and exported resources count, and files that are absent have no
/// [`DifferenceFilter`].
#[derive(Clone, Debug)]
pub struct DiffOptions {
    /// Whether classes and their parameters are compared. The resources in them always are.
    pub classes: bool,
    /// Whether tags are compared.
    pub tags: bool,
    /// Whether relationships between resources are compared.
    pub ordering: bool,
    /// Whether the containers of resources are compared.
    pub containment: bool,
    /// Whether `'1'` differs from `1`.
    pub data_types: bool,
    /// Filters that drop differences without effect.
    pub filters: Vec<DifferenceFilter>,
    /// Rules for ignored differences.
    pub rules: IgnoreRules,
    /// Tags of ignored resources: a tag itself, or a tag, two underscores and the name of a type, for resources of that
    /// type only. The new catalog's tags count, and the old catalog's for a resource that was removed.
    pub ignored_tags: Vec<String>,
    /// Limits of parsing contents, as [`DifferenceFilter::Yaml`] does.
    pub limits: Limits,
}

impl Default for DiffOptions {
    fn default() -> Self {
        Self {
            classes: true,
            tags: false,
            ordering: true,
            containment: true,
            data_types: true,
            filters: Vec::new(),
            rules: IgnoreRules::default(),
            ignored_tags: vec!["ignored_octocatalog_diff".to_owned()],
            limits: Limits::DEFAULT,
        }
    }
}
