//! Calls functions that a module has in the Puppet language, from Rust and from Puppet code:
//! `cargo run --example module_functions -- MODULEPATH CODE`.
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs)]

use std::process::ExitCode;
use std::sync::Arc;

use puppetfn::error::Error;
use puppetfn::eval::{Logs, Runtime};
use puppetfn::limits::Limits;
use puppetfn::loader::{Loader, StdFileSystem};
use puppetfn::value::Value;

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
    let loader =
        Arc::new(Loader::new(Arc::new(StdFileSystem::DEFAULT), vec![modulepath.into()], None, limits));
    let logs = Logs::default();
    let runtime = Runtime::builder()
        .functions(Arc::clone(&loader))
        .types(loader)
        .host(logs.clone())
        .limits(limits)
        .build();
    let facts = [(Value::from("kernel"), Value::from("Linux"))].into_iter().collect();
    runtime.set_variable("facts", facts);
    let value = runtime.evaluate(code, None)?;
    for (level, message) in logs.take() {
        eprintln!("{level}: {message}");
    }
    value.interpolated(&limits)
}
