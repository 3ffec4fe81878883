//! The examples in docs/reference/entity-types.md hold.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use crate::support::files::files;
use puppetfn::error::Error;
use puppetfn::eval::Runtime;
use puppetfn::limits::Limits;
use puppetfn::loader::Loader;
use puppetfn::value::Value;

const TEXT: &str = include_str!("../../../docs/reference/entity-types.md");

/// Returns the blocks of Puppet code.
fn blocks() -> Vec<&'static str> {
    TEXT.split("```puppet\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("```").map(|(block, _)| block))
        .collect()
}

/// Returns the module: blocks that begin with the path of a file.
fn modules() -> Vec<(String, &'static str)> {
    let file = |block: &&'static str| {
        let path = block.strip_prefix("# ")?.split_once('\n')?.0;
        Some((format!("/modules/{path}"), *block))
    };
    blocks().iter().filter_map(file).collect()
}

fn evaluate(code: &str) -> Result<Value, Error> {
    let modules = modules();
    let content: Vec<_> = modules.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let loader = Loader::new(files(&content), vec!["/modules".into()], None, Limits::DEFAULT);
    let loader = Arc::new(loader);
    let runtime = Runtime::builder().functions(Arc::clone(&loader)).types(loader).build();
    runtime.evaluate(code, None)
}

/// Runs a block and returns the number of its statements about results.
fn run(block: &str) -> usize {
    // The code verified so far, and the code read since.
    let (mut before, mut code) = (String::new(), String::new());
    let mut stated = 0;
    let mut lines = block.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(message) = line.strip_prefix("# Error: ") {
            let mut message = message.to_owned();
            while let Some(more) = lines.peek().and_then(|line| line.strip_prefix("# ")) {
                message = format!("{message}\n{more}");
                lines.next();
            }
            let error = evaluate(&format!("{before}{code}")).unwrap_err().to_string();
            assert!(error.contains(&message), "{error}\n is not\n{message}");
            stated += 1;
            code.clear();
            continue;
        }
        let (statement, result) = match line.split_once(" # => ") {
            Some((statement, result)) => (statement, Some(result)),
            None => (line, None),
        };
        if let Some(result) = result {
            before.push_str(&std::mem::take(&mut code));
            assert_eq!(
                evaluate(&format!("{before}{statement}")).unwrap().to_literal(),
                result,
                "{statement}"
            );
            stated += 1;
        } else {
            code.push_str(&format!("{statement}\n"));
        }
    }
    stated
}

#[test]
fn the_examples_do_what_they_say() {
    assert_eq!(modules().len(), 5);
    let stated: usize = blocks().into_iter().filter(|block| !block.starts_with("# ")).map(run).sum();
    assert_eq!(stated, 21);
}
