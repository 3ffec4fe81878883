//! `generate`, which runs a program.
//!
//! See Puppet's `parser/functions/generate.rb`.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use super::legacy::{Arity, legacy};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_types::function::Declaration;
use puppetfn_types::value::Value;

pub(super) fn generate() -> Declaration {
    legacy("generate", Arity::AtLeast(1), |call, arguments| {
        let command = arguments
            .iter()
            .map(|argument| argument.ruby_to_s(call.limits()))
            .collect::<Result<Vec<_>, _>>()?;
        let [program, ..] = command.as_slice() else { return Err(call.unfit_body()) };
        check_name(program)?;
        if !call.host().may_execute() {
            return Err(failure(format!(
                "generate() may not run '{program}': functions run no programs unless that is allowed (--allow exec, \
                 Puppetfn::Runtime.new(allow: [:exec]))"
            )));
        }
        run(program, &command, call.limits()).map(Value::from)
    })
    .doc(
        "Runs a program, named by its whole path, with arguments, and gives what it writes. It must be \
         allowed to run programs.",
    )
}

fn check_name(program: &str) -> Result<(), Error> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | '_' | '.' | '+');
    if !program.starts_with('/') {
        Err(failure("Generators must be fully qualified"))
    } else if !program.chars().all(is_allowed) {
        Err(failure("Generators can only contain alphanumerics, file separators, and dashes"))
    } else if program.contains("..") {
        Err(failure("Can not use generators with '..' in them."))
    } else {
        Ok(())
    }
}

/// Returns what the program writes, if it succeeds.
fn run(program: &str, command: &[String], limits: &Limits) -> Result<String, Error> {
    let directory = Path::new(program).parent().unwrap_or(Path::new("/"));
    let (status, output) = execute(command, directory, limits.text)
        .map_err(|error| failure(format!("Failed to execute generator {program}: {error}")))?;
    limits.check_text(output.len())?;
    let output = String::from_utf8(output)
        .map_err(|_| failure(format!("What the generator {program} writes is not text in UTF-8")))?;
    if status.success() {
        return Ok(output);
    }
    let code = status.code().map(|code| code.to_string()).unwrap_or_default();
    Err(failure(format!(
        "Failed to execute generator {program}: Execution of '{}' returned {code}: {}",
        command.join(" "),
        output.trim()
    )))
}

/// Runs a program in a directory. What it writes is read to the limit, and a byte more.
fn execute(command: &[String], directory: &Path, limit: usize) -> io::Result<(ExitStatus, Vec<u8>)> {
    let [program, arguments @ ..] = command else { return Err(io::ErrorKind::InvalidInput.into()) };
    let (reader, writer) = io::pipe()?;
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .envs([("LANG", "C"), ("LC_ALL", "C")])
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .spawn()?;
    let mut output = Vec::new();
    let read = reader.take(limit.saturating_add(1) as u64).read_to_end(&mut output);
    if read.is_err() || output.len() > limit {
        child.kill()?;
    }
    let status = child.wait()?;
    read.map(|_| (status, output))
}

fn failure(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Evaluation, message)
}
