//! Options of the comparison.
#![allow(clippy::disallowed_methods, reason = "the user names these files")]

use std::fs;
use std::path::PathBuf;

use puppetfn_base::limits::Limits;
use puppetfn_diff::{self as diff, DiffOptions, IgnoreRules};
use serde::Deserialize;

use crate::CompileFailure;

/// The filter for catalogs that contain the path of the code's directory. Catalogs that are compiled here do not.
const OF_DIRECTORIES: &str = "CompilationDir";

/// Options of the comparison: differences to ignore, and filters.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct DifferenceOptions {
    /// Rules that leave out differences, such as `File[/tmp/*]`.
    pub ignore: Vec<String>,
    /// Files with such rules, one on each line.
    pub ignore_file: Vec<PathBuf>,
    /// Attributes whose differences are left out.
    pub ignore_attr: Vec<String>,
    /// Tags of resources that are left out, instead of the default.
    pub ignore_tags: Option<Vec<String>>,
    /// Names of filters: see [`diff::DifferenceFilter`].
    pub filters: Vec<String>,
    /// Whether tags are compared.
    pub include_tags: bool,
    /// Whether classes and their parameters are left out.
    pub no_classes: bool,
    /// Whether the order is left out.
    pub no_ordering: bool,
    /// Whether containment is left out.
    pub no_containment: bool,
    /// Whether `'1'` counts as the same as `1`.
    pub no_data_types: bool,
}

impl DifferenceOptions {
    pub(super) fn options(&self, limits: Limits) -> Result<DiffOptions, CompileFailure> {
        let wrong = |setting, error: diff::ReadError| CompileFailure::setting(setting, error.to_string());
        let mut rules = IgnoreRules::default();
        for rule in &self.ignore {
            rules.add_list(rule).map_err(|error| wrong("ignore", error))?;
        }
        for attribute in &self.ignore_attr {
            rules.add_attribute(attribute).map_err(|error| wrong("ignore_attr", error))?;
        }
        for path in &self.ignore_file {
            let name = path.display().to_string();
            let text = fs::read_to_string(path)
                .map_err(|error| CompileFailure::setting("ignore_file", format!("{name}: {error}")))?;
            rules.add_lines(&text).map_err(|error| wrong("ignore_file", error.in_file(&name)))?;
        }
        let named = self.filters.iter().filter(|name| !name.eq_ignore_ascii_case(OF_DIRECTORIES));
        let filters =
            named.map(|name| name.parse().map_err(|error: String| CompileFailure::setting("filters", error)));
        let default = DiffOptions::default();
        Ok(DiffOptions {
            classes: !self.no_classes,
            tags: self.include_tags,
            ordering: !self.no_ordering,
            containment: !self.no_containment,
            data_types: !self.no_data_types,
            filters: filters.collect::<Result<_, _>>()?,
            rules,
            ignored_tags: self.ignore_tags.clone().unwrap_or(default.ignored_tags),
            limits,
        })
    }
}
