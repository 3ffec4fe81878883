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

Exit codes: 0 the catalogs are the same, 2 there are differences, 1 anything else: a node has no catalog, or the arguments of
the command are wrong";

/// Compare the catalogs of nodes: what a change does, before it is merged
///
/// Each side is a reference of git, the directory of an environment, a directory that `puppetfn compile --nodes` made, or a
/// catalog in JSON. Nodes that differ in the same way are shown once.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Diff {
    /// What was
    #[arg(value_name = "OLD", value_hint = ValueHint::AnyPath)]
    pub old: OsString,

    /// What is or will be
    #[arg(value_name = "NEW", value_hint = ValueHint::AnyPath)]
    pub new: OsString,

    #[command(flatten)]
    pub nodes: Nodes,

    /// The repository that references are of; the environment is there, or where --environment says in it
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub repository: PathBuf,

    /// Use no modules of the working tree that the repository does not track, for example modules installed by r10k
    #[arg(long)]
    pub only_tracked: bool,

    /// Keep catalogs in this directory, and use those again of which all is the same that they depend on
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub cache: Option<PathBuf>,

    /// Compile every node on both sides; reuse no catalog
    #[arg(long)]
    pub compile_all: bool,

    /// Leave out differences that a rule is about, such as 'File[/tmp/*]' or '*[*]::parameters::owner'
    #[arg(long, value_name = "RULE")]
    pub ignore: Vec<String>,

    /// The same with the rules of a file, one on each line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub ignore_file: Vec<PathBuf>,

    /// Leave out differences of these attributes
    #[arg(long, value_name = "ATTRIBUTE[,ATTRIBUTE]", value_delimiter = ',', allow_hyphen_values = true)]
    pub ignore_attr: Vec<String>,

    /// Leave out resources with these tags
    #[arg(long, value_name = "TAG[,TAG]", value_delimiter = ',', default_value = "ignored_octocatalog_diff")]
    pub ignore_tags: Vec<String>,

    /// Leave out no resources for their tags
    #[arg(long, conflicts_with = "ignore_tags")]
    pub no_ignore_tags: bool,

    /// Leave out differences that have no effect: AbsentFile, JSON, YAML, SingleItemArray or
    /// EquivalentArrayNoDatatypes
    #[arg(long, value_name = "FILTER[,FILTER]", value_delimiter = ',')]
    pub filters: Vec<String>,

    /// Compare tags, too
    #[arg(long)]
    pub include_tags: bool,

    /// Do not compare classes and their parameters
    #[arg(long)]
    pub no_classes: bool,

    /// Do not compare what comes before what
    #[arg(long)]
    pub no_ordering: bool,

    /// Do not compare what contains what
    #[arg(long)]
    pub no_containment: bool,

    /// Take '1' for the same as 1
    #[arg(long)]
    pub no_data_types: bool,

    /// How differences are printed
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: DiffFormat,

    /// Where they are written, instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,

    /// How many bytes Markdown or HTML may have: what is more is left out, and it is said how much [default: 65000, 16777216]
    #[arg(long, value_name = "BYTES")]
    pub size: Option<usize>,

    #[command(flatten)]
    pub given: CompileInputArgs,
}

/// How differences are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum DiffFormat {
    /// For people, with colours on a terminal
    #[default]
    Human,
    /// JSON
    Json,
    /// JUnit's XML, a test case for each node
    Junit,
    /// Markdown for a comment on a change, with parts that can be unfolded
    Markdown,
    /// A page for a browser, with search and graphs, in one file
    Html,
}
