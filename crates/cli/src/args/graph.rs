//! The arguments of `puppetfn graph`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::compile::CompileInputArgs;

const EXAMPLES: &str = "\
Examples:
  puppetfn graph web1.example.com --environment . --facts facts/web1.example.com.json --format html --out web1.html
  puppetfn graph web1.example.com --environment . --around 'Service[nginx]' --depth 2 --format svg > nginx.svg
  puppetfn graph web1.example.com --environment . --cycles
  puppetfn graph --catalog web1.json --kind dependencies --format mermaid

Exit codes: 0 the graph was written, or --cycles found none, 1 --cycles found cycles, or the compilation failed,
2 the arguments are invalid";

/// Draw the containment and the dependencies of a catalog
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GraphArgs {
    /// Name of the node
    #[arg(required_unless_present = "catalog", conflicts_with = "catalog")]
    pub node: Option<String>,

    /// Catalog in JSON to draw, instead of compiling one
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub catalog: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: GraphFormat,

    /// Edges to draw
    #[arg(long, value_enum, default_value_t, value_name = "KIND")]
    pub kind: GraphKind,

    /// Draw only this resource and its neighbours
    #[arg(long, value_name = "RESOURCE")]
    pub around: Vec<String>,

    /// With --around: maximum distance of neighbours
    #[arg(long, value_name = "N", default_value_t = 1, requires = "around")]
    pub depth: usize,

    /// With --around: maximum number of neighbours, nearest first
    #[arg(long, value_name = "N", default_value_t = 200, requires = "around")]
    pub most: usize,

    /// Draw only dependency cycles
    #[arg(long, conflicts_with = "around")]
    pub cycles: bool,

    /// Output file [default: standard output]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub given: CompileInputArgs,
}

/// How graphs are drawn.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GraphFormat {
    /// Graphviz source
    #[default]
    Dot,
    /// Mermaid source, which GitHub and GitLab draw in Markdown
    Mermaid,
    /// Image
    Svg,
    /// HTML page with the image, which can be zoomed, moved and searched
    Html,
}

/// What of a catalog is drawn.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum GraphKind {
    /// Containment and dependencies
    #[default]
    All,
    /// Containment only
    Containment,
    /// Dependencies only, without resources that have none
    Dependencies,
}
