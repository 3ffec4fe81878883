//! The arguments of `puppetfn model`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

use super::{LimitArgs, Settings};

const EXAMPLES: &str = "\
Examples:
  puppetfn model export --ecore --modulepath modules > shop.ecore
  puppetfn model export --ecore --logic Shop::Cart --modulepath modules
  puppetfn model import library.ecore --output modules/library/types
  puppetfn model read Shop::Cart cart.xmi --modulepath modules
  puppetfn model write Shop::Cart cart.json --modulepath modules

Exit codes: 0 success, 1 the types, the model or the object are invalid, 2 the arguments are invalid";

/// Import and export object types (Ecore, XMI)
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ModelArgs {
    #[command(subcommand)]
    pub command: ModelCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ModelCommand {
    Export(ExportArgs),
    Import(Import),
    Read(Read),
    Write(Write),
}

/// Print types as a model, with the types that they use
#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// Names of the types [default: all object types of modules and the environment]
    #[arg(value_name = "TYPE")]
    pub types: Vec<String>,

    /// Print Ecore in XMI, which is the only format
    #[arg(long, required = true)]
    pub ecore: bool,

    /// Include the code of the types as annotations
    #[arg(long)]
    pub logic: bool,

    #[command(flatten)]
    pub settings: Settings,
}

/// Print the types of an Ecore model as Puppet code
#[derive(Args, Debug)]
pub(crate) struct Import {
    /// File with Ecore in XMI
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Directory `types` of a module, for one file per type [default: standard output]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub bounds: LimitArgs,
}

/// Validate the object in an XMI document, and print it as JSON
#[derive(Args, Debug)]
pub(crate) struct Read {
    /// Type of the object, or one of its ancestors
    #[arg(value_name = "TYPE")]
    pub t: String,

    /// File with XMI
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    #[command(flatten)]
    pub settings: Settings,
}

/// Validate the object in a JSON document, and print it as XMI
#[derive(Args, Debug)]
pub(crate) struct Write {
    /// Type of the object
    #[arg(value_name = "TYPE")]
    pub t: String,

    /// File with JSON
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    #[command(flatten)]
    pub settings: Settings,
}
