//! `generate`, which runs a program.
//!
//! See Puppet's `parser/functions/generate.rb`.

use std::io::{self, PipeWriter, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

use super::collection::flatten_into;
use super::legacy::{LegacyArity, legacy};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::{Depth, Limits};
use puppetfn_types::function::{Call, Declaration, LogLevel};
use puppetfn_types::value::Value;

/// Variables of the environment that programs do not get from this process: see Puppet's `util/posix.rb`.
const REMOVED_VARIABLES: [&str; 10] = [
    "LC_MESSAGES",
    "LANGUAGE",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MONETARY",
    "LC_NUMERIC",
    "LC_TIME",
    "HOME",
    "USER",
    "LOGNAME",
];

/// The error of a file that may be executed, but is no program: a shell interprets it.
const ENOEXEC: i32 = 8;

const UNQUALIFIED: &str = "Generators must be fully qualified";

pub(super) fn generate() -> Declaration {
    legacy("generate", LegacyArity::AtLeast(1), |call, arguments| {
        let Some(Value::String(program)) = arguments.first() else { return Err(unqualified(call, arguments)?) };
        check_name(program)?;
        if !call.host().may_execute() {
            return Err(failure(format!(
                "generate() may not run '{program}': functions run no programs unless that is allowed (--allow exec, \
                 Puppetfn::Runtime.new(allow: [:exec]))"
            )));
        }
        let mut flat = Vec::with_capacity(arguments.len());
        flatten_into(&mut flat, arguments, Depth::nesting(call.limits()))?;
        let command = flat.iter().map(|value| value.ruby_to_s(call.limits())).collect::<Result<Vec<_>, _>>()?;
        run(program, &command, call.limits()).map(Value::from)
    })
    .doc(
        "Runs a program, named by its whole path, with arguments, and gives what it writes. It must be \
         allowed to run programs.",
    )
}

/// Returns the error of a program that is no text, after the warning of Puppet's `util.rb`.
fn unqualified(call: &mut Call<'_>, arguments: &[Value]) -> Result<Error, Error> {
    let program = arguments.first().ok_or_else(|| call.unfit_body())?;
    let warning = format!(
        "Cannot check if {} is an absolute path because it is a '{}' and not a String'",
        program.ruby_to_s(call.limits())?,
        program.ruby_class()
    );
    call.log(LogLevel::Warning, &warning);
    Ok(failure(UNQUALIFIED))
}

fn check_name(program: &str) -> Result<(), Error> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | '_' | '.' | '+');
    if !program.starts_with('/') {
        Err(failure(UNQUALIFIED))
    } else if !program.chars().all(is_allowed) {
        Err(failure("Generators can only contain alphanumerics, file separators, and dashes"))
    } else if program.contains("..") {
        Err(failure("Can not use generators with '..' in them."))
    } else {
        Ok(())
    }
}

/// Returns the output of the program, if it succeeds.
fn run(program: &str, command: &[String], limits: &Limits) -> Result<String, Error> {
    let directory = Path::new(program).parent().unwrap_or(Path::new("/"));
    #[allow(clippy::disallowed_methods, reason = "the program runs there")]
    let is_directory = directory.is_dir();
    if !is_directory {
        return Err(failure(format!("Working directory {} does not exist!", directory.display())));
    }
    let failed = |code: &str, output: &str| {
        let command = command.join(" ");
        failure(format!(
            "Failed to execute generator {program}: Execution of '{command}' returned {code}: {output}"
        ))
    };
    // In Puppet, the process that would become the program writes this, and ends with 1.
    let (status, output) = execute(command, directory, limits.text).map_err(|error| {
        let reason = error.to_string();
        let reason = reason.split_once(" (os error").map_or(&*reason, |(reason, _)| reason);
        failed("1", &format!("Error: Could not execute posix command: {reason} - {program}"))
    })?;
    limits.check_text(output.len())?;
    let output = String::from_utf8(output)
        .map_err(|_| failure(format!("What the generator {program} writes is not text in UTF-8")))?;
    if status.success() {
        return Ok(output);
    }
    let code = status.code().map(|code| code.to_string()).unwrap_or_default();
    Err(failed(&code, output.trim()))
}

/// Runs a program in a directory. Its output is read to the limit, and a byte more.
fn execute(command: &[String], directory: &Path, limit: usize) -> io::Result<(ExitStatus, Vec<u8>)> {
    let (reader, writer) = io::pipe()?;
    let mut child = match spawn(command, directory, writer.try_clone()?) {
        Err(error) if error.raw_os_error() == Some(ENOEXEC) => {
            let command: Vec<String> =
                std::iter::once("/bin/sh".to_owned()).chain(command.iter().cloned()).collect();
            spawn(&command, directory, writer)
        }
        // The pipe is at its end when no one else can write to it.
        child => {
            drop(writer);
            child
        }
    }?;
    let mut output = Vec::new();
    let read = reader.take(limit.saturating_add(1) as u64).read_to_end(&mut output);
    if read.is_err() || output.len() > limit {
        child.kill()?;
    }
    let status = child.wait()?;
    read.map(|_| (status, output))
}

/// Starts a program, whose output and errors go to a pipe.
fn spawn(command: &[String], directory: &Path, writer: PipeWriter) -> io::Result<Child> {
    let [program, arguments @ ..] = command else { return Err(io::ErrorKind::InvalidInput.into()) };
    let mut process = Command::new(program);
    for name in REMOVED_VARIABLES {
        process.env_remove(name);
    }
    process
        .args(arguments)
        .current_dir(directory)
        .envs([("LANG", "C"), ("LC_ALL", "C")])
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .spawn()
}

fn failure(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Evaluation, message)
}
