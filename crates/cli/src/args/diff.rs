//! The arguments of `puppetfn diff`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::compile::CompileInputArgs;
use super::fleet::Nodes;

const EXAMPLES: &str = "\
Examples:
  puppetfn diff main HEAD --nodes facts
  puppetfn diff production . --repository . --nodes facts --enc scripts/classifier.sh --format markdown
  puppetfn diff /etc/puppetlabs/code/environments/production /etc/puppetlabs/code/environments/test --nodes facts
  puppetfn diff main HEAD --nodes facts --format html --out diff.html
  puppetfn diff before after --ignore 'File[/tmp/*]' --ignore-attr parameters::owner
  puppetfn diff web1.before.json web1.after.json

Exit codes: 0 the catalogs are the same, 2 there are differences, 1 a node has no catalog, or the arguments are invalid";

/// Compare catalogs before and after a change
///
/// Each side is a Git reference, the directory of an environment, an output directory of `puppetfn compile --nodes`, or a catalog in JSON.
/// Nodes with the same differences are shown together.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Diff {
    /// State before the change
    #[arg(value_name = "OLD", value_hint = ValueHint::AnyPath)]
    pub old: OsString,

    /// State after the change
    #[arg(value_name = "NEW", value_hint = ValueHint::AnyPath)]
    pub new: OsString,

    #[command(flatten)]
    pub nodes: Nodes,

    /// Repository of the Git references; the environment is its root, or its directory --environment
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub repository: PathBuf,

    /// Ignore untracked modules of the working tree, for example modules installed by r10k
    #[arg(long)]
    pub only_tracked: bool,

    /// Cache catalogs in this directory, and reuse them while their inputs are unchanged
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub cache: Option<PathBuf>,

    /// Compile every node on both sides; reuse no catalog
    #[arg(long)]
    pub compile_all: bool,

    /// Ignore differences that match a rule, such as 'File[/tmp/*]' or '*[*]::parameters::owner'
    #[arg(long, value_name = "RULE")]
    pub ignore: Vec<String>,

    /// Ignore differences that match a rule in this file, which has one rule per line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub ignore_file: Vec<PathBuf>,

    /// Ignore differences of these attributes
    #[arg(long, value_name = "ATTRIBUTE[,ATTRIBUTE]", value_delimiter = ',', allow_hyphen_values = true)]
    pub ignore_attr: Vec<String>,

    /// Ignore resources with these tags
    #[arg(long, value_name = "TAG[,TAG]", value_delimiter = ',', default_value = "ignored_octocatalog_diff")]
    pub ignore_tags: Vec<String>,

    /// Compare resources whatever their tags
    #[arg(long, conflicts_with = "ignore_tags")]
    pub no_ignore_tags: bool,

    /// Ignore differences without effect: AbsentFile, JSON, YAML, SingleItemArray or EquivalentArrayNoDatatypes
    #[arg(long, value_name = "FILTER[,FILTER]", value_delimiter = ',')]
    pub filters: Vec<String>,

    /// Compare tags, too
    #[arg(long)]
    pub include_tags: bool,

    /// Do not compare classes and their parameters
    #[arg(long)]
    pub no_classes: bool,

    /// Do not compare dependencies
    #[arg(long)]
    pub no_ordering: bool,

    /// Do not compare containment
    #[arg(long)]
    pub no_containment: bool,

    /// Treat '1' and 1 as equal
    #[arg(long)]
    pub no_data_types: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: DiffFormat,

    /// Output file [default: standard output]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,

    /// Maximum size of Markdown or HTML in bytes; the report counts omitted entries [default: 65000 for Markdown, 16777216 for HTML]
    #[arg(long, value_name = "BYTES")]
    pub size: Option<usize>,

    #[command(flatten)]
    pub given: CompileInputArgs,
}

/// How differences are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum DiffFormat {
    /// Text, with colours on a terminal
    #[default]
    Human,
    /// JSON
    Json,
    /// JUnit XML with a test case per node
    Junit,
    /// Markdown for a pull request's comment, with collapsed sections
    Markdown,
    /// HTML page with search and graphs, in one file
    Html,
}
