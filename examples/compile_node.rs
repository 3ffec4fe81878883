//! Compiles a node of an environment's directory, as a server does.
//!
//!     cargo run --example compile_node -- /etc/puppetlabs/code/environments/production web1.example.com facts.json
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the command line")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use puppetfn::convert::json;
use puppetfn_compile::{Configuration, FactSource, StandaloneCompiler};

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let (Some(directory), Some(node)) = (arguments.next(), arguments.next()) else {
        eprintln!(
            "expected the directory of an environment, the name of a node, and perhaps a file with its facts"
        );
        return ExitCode::FAILURE;
    };
    let facts = arguments.next().map_or(FactSource::None, |file| FactSource::File(PathBuf::from(file)));
    match compile(Path::new(&directory), &node, &facts) {
        Ok(catalog) => {
            println!("{catalog}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the JSON of a node's catalog, after its log was printed.
fn compile(directory: &Path, node: &str, facts: &FactSource) -> Result<String, Box<dyn std::error::Error>> {
    let configuration = Configuration { environment: Some(directory.to_owned()), ..Configuration::default() };
    let mut log = Vec::new();
    let compiled = configuration.compile(node, facts, false, &mut StandaloneCompiler, &mut log);
    let catalog = compiled.map(|compiled| compiled.and_then(|made| made.finish(&mut log)));
    log.iter().filter(|entry| entry.is_shown()).for_each(|entry| eprintln!("{entry}"));
    Ok(format!("{:#}", json::to_json(&catalog??.to_value(), &configuration.limits)?))
}
