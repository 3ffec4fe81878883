//! What counts as a difference.

use puppetfn_base::limits::Limits;

use crate::filter::Filter;
use crate::ignore::Rules;

/// What counts as a difference.
///
/// The defaults show what may have an effect on a node. They are those of octocatalog-diff with these exceptions: classes,
/// the order of resources, what contains them and exported ones count, and files that are absent have no [`Filter`].
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether classes and their parameters are compared. What they contain always is.
    pub classes: bool,
    /// Whether tags are compared.
    pub tags: bool,
    /// Whether it is compared what comes before what.
    pub ordering: bool,
    /// Whether it is compared what contains what.
    pub containment: bool,
    /// Whether `'1'` is something else than `1`.
    pub data_types: bool,
    /// What is the same although it differs.
    pub filters: Vec<Filter>,
    /// What is ignored.
    pub rules: Rules,
    /// Tags of resources that are ignored: a tag itself, or with two underscores and the name of the type after it, which
    /// is about resources of the type alone. The new catalog says it, and of a resource that was removed the old one.
    pub ignored_tags: Vec<String>,
    /// How much may be used for contents that are read, as [`Filter::Yaml`] does.
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
