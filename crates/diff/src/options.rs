//! Options of a comparison.

use puppetfn_base::limits::Limits;

use crate::filter::Filter;
use crate::ignore::Rules;

/// Options of a comparison: the kinds of differences that count.
///
/// The defaults show changes that may have an effect on a node. They match octocatalog-diff's with these exceptions:
/// classes, the order of resources, their containers and exported resources count, and files that are absent have no
/// [`Filter`].
#[derive(Clone, Debug)]
pub struct Options {
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
    pub filters: Vec<Filter>,
    /// Rules for ignored differences.
    pub rules: Rules,
    /// Tags of ignored resources: a tag itself, or a tag, two underscores and the name of a type, for resources of that
    /// type only. The new catalog's tags count, and the old catalog's for a resource that was removed.
    pub ignored_tags: Vec<String>,
    /// Limits of parsing contents, as [`Filter::Yaml`] does.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            classes: true,
            tags: false,
            ordering: true,
            containment: true,
            data_types: true,
            filters: Vec::new(),
            rules: Rules::default(),
            ignored_tags: vec!["ignored_octocatalog_diff".to_owned()],
            limits: Limits::DEFAULT,
        }
    }
}
