//! Calls functions that a module has in the Puppet language, from Rust and from Puppet code:
//! `cargo run --example module_functions -- MODULEPATH CODE`.
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs)]

use std::process::ExitCode;

use puppetfn::prelude::*;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [modulepath, code] = arguments.as_slice() else {
        eprintln!("usage: module_functions MODULEPATH CODE");
        return ExitCode::FAILURE;
    };
    match run(modulepath, code) {
        Ok(shown) => {
            println!("{shown}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(modulepath: &str, code: &str) -> Result<String, Error> {
    let limits = Limits { fuel: Some(1_000_000), ..Limits::DEFAULT };
    let logs = Logs::default();
    let facts = Hash::from([("kernel", "Linux")]);
    let builder = Runtime::builder().modulepath([modulepath]).facts(facts);
    let value = builder.host(logs.clone()).limits(limits).build().evaluate(code, None)?;
    for (level, message) in logs.take() {
        eprintln!("{level}: {message}");
    }
    Ok(value.to_string())
}
