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

Exit codes: 0 all is well, 1 something is wrong with the types, the model or the object, 2 the arguments of the
command are wrong";

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

/// Print types as a model, with all types that they use
#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// The names of the types; all that modules and the environment have, if there are none
    #[arg(value_name = "TYPE")]
    pub types: Vec<String>,

    /// As Ecore, in XMI: the only format that there is
    #[arg(long, required = true)]
    pub ecore: bool,

    /// With the code of the types as annotations
    #[arg(long)]
    pub logic: bool,

    #[command(flatten)]
    pub settings: Settings,
}

/// Print the types of an Ecore model as Puppet code
#[derive(Args, Debug)]
pub(crate) struct Import {
    /// A file with Ecore, in XMI
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Write each type to its own file instead, in this directory `types` of a module
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub bounds: LimitArgs,
}

/// Print the object in an XMI document as JSON, once its type has checked it
#[derive(Args, Debug)]
pub(crate) struct Read {
    /// The type of the object, or one that it inherits from
    #[arg(value_name = "TYPE")]
    pub t: String,

    /// A file with XMI
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    #[command(flatten)]
    pub settings: Settings,
}

/// Print the object in a JSON document as XMI, once its type has checked it
#[derive(Args, Debug)]
pub(crate) struct Write {
    /// The type of the object
    #[arg(value_name = "TYPE")]
    pub t: String,

    /// A file with JSON
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    #[command(flatten)]
    pub settings: Settings,
}
