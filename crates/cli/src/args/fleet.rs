//! The arguments of commands about many nodes.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};
use puppetfn_compile::NodeSource;

const EXAMPLES: &str = "\
Examples:
  puppetfn compile --nodes facts --environment . --out catalogs --shard 1/8
  puppetfn fleet merge catalogs

Exit codes: 0 all nodes have catalogs, 1 a shard is missing, or a node has no catalog, 2 the arguments are invalid";

/// Which nodes, and how many are compiled at the same time.
#[derive(Args, Debug)]
pub(crate) struct Nodes {
    /// Source of many nodes: a directory with a file of facts per node, an export of PuppetDB, or a list of names [default of diff: `facts` of
    /// the control repository]
    #[arg(long, value_name = "SOURCE", value_hint = ValueHint::AnyPath)]
    pub nodes: Option<PathBuf>,

    /// Path to the facts of listed nodes, with {} for the name
    #[arg(long, value_name = "PATH", requires = "nodes")]
    pub facts_for: Option<String>,

    /// Name nodes by the certname in their facts
    #[arg(long, requires = "nodes")]
    pub named_by_facts: bool,

    /// Number of processes [default: one per processor]
    #[arg(long, value_name = "N", requires = "nodes")]
    pub jobs: Option<NonZero<usize>>,
}

impl Nodes {
    /// Returns where the nodes are read from, if there are many.
    pub fn source(&self) -> Option<NodeSource> {
        let (facts_for, named_by_facts) = (self.facts_for.clone(), self.named_by_facts);
        Some(NodeSource { source: self.nodes.clone()?, facts_for, named_by_facts })
    }
}

/// Which nodes, and which of them are compiled.
#[derive(Args, Debug)]
pub(crate) struct NodeSelectionArgs {
    #[command(flatten)]
    pub nodes: Nodes,

    /// Resume an interrupted run
    #[arg(long, requires = "nodes")]
    pub resume: bool,

    /// Compile one shard of the nodes: I/N, or auto to take it from a Slurm array, a Kubernetes Indexed Job, GitLab or GNU parallel
    #[arg(long, value_name = "I/N", requires = "nodes")]
    pub shard: Option<String>,
}

/// Merge the results of sharded runs
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Fleet {
    #[command(subcommand)]
    pub command: FleetCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum FleetCommand {
    Merge(FleetMergeArgs),
}

/// Check that all shards in a directory are complete, and summarize their results
#[derive(Args, Debug)]
pub(crate) struct FleetMergeArgs {
    /// Directory of `puppetfn compile --nodes ... --out`
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub directory: PathBuf,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
