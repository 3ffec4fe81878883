//! The arguments of `puppetfn why`.

use clap::{Args, ValueEnum};

use super::compile::CompileInputArgs;

const EXAMPLES: &str = "\
Examples:
  puppetfn why web1.example.com 'File[/etc/motd]' --environment . --facts facts/web1.example.com.json
  puppetfn why web1.example.com 'Class[ntp]' --environment . --format json

Exit codes: 0 the resource was explained, 1 there is no such resource or the compilation failed, 2 the arguments are invalid";

/// Explain why a resource is in the catalog of a node: its declaration, the sources of its parameters, and its dependencies
///
/// Class parameters set by data are explained as `puppetfn lookup --explain` explains them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WhyArgs {
    /// Name of the node
    pub node: String,

    /// Resource reference, such as 'File[/etc/motd]'
    #[arg(value_name = "RESOURCE")]
    pub resource: String,

    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: WhyFormat,

    #[command(flatten)]
    pub given: CompileInputArgs,
}

/// How explanations are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum WhyFormat {
    /// Text
    #[default]
    Human,
    /// JSON
    Json,
}
