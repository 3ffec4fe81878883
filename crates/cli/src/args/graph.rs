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

Exit codes: 0 the graph was written, or there are no cycles, 1 there are cycles where --cycles asks for them, or the compilation \
failed, 2 the arguments of the command are wrong";

/// Draw the catalog of a node: what contains what, and what comes before what
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GraphArgs {
    /// The name of the node
    #[arg(required_unless_present = "catalog", conflicts_with = "catalog")]
    pub node: Option<String>,

    /// A catalog in JSON, instead of compiling one
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub catalog: Option<PathBuf>,

    /// How it is drawn
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: GraphFormat,

    /// What is drawn
    #[arg(long, value_enum, default_value_t, value_name = "KIND")]
    pub kind: GraphKind,

    /// Draw only what is near to this resource
    #[arg(long, value_name = "RESOURCE")]
    pub around: Vec<String>,

    /// How many steps what is near may be away
    #[arg(long, value_name = "N", default_value_t = 1, requires = "around")]
    pub depth: usize,

    /// How many resources that are near are drawn at most, the nearest first
    #[arg(long, value_name = "N", default_value_t = 200, requires = "around")]
    pub most: usize,

    /// Draw only dependency cycles
    #[arg(long, conflicts_with = "around")]
    pub cycles: bool,

    /// Where it is written, instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub given: CompileInputArgs,
}

/// How graphs are drawn.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GraphFormat {
    /// Text for Graphviz
    #[default]
    Dot,
    /// Text for Mermaid, which GitHub and GitLab draw in Markdown
    Mermaid,
    /// A picture
    Svg,
    /// A page with the picture, which can be made larger, moved and searched
    Html,
}

/// What of a catalog is drawn.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum GraphKind {
    /// What contains what, and what comes before what
    #[default]
    All,
    /// What contains what
    Containment,
    /// What comes before what, without resources that have nothing before or after them
    Dependencies,
}
