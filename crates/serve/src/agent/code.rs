//! Versions of code, which commands know: identifiers for catalogs, and the contents of files.
//!
//! See `versioned_code_core.clj` and `master_core.clj` of puppetserver.

use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use puppetfn_compile::service::is_environment_name;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;
use tokio::time::timeout;
use tracing::error;

use super::AgentState;
use super::environment::text_answer;
use super::request::AgentRequest;
use crate::body::{BodyMemory, RequestBody};
use crate::worker::SERVICE_MANAGER_VARIABLES;

/// The time of a command.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The longest identifier of code, and the longest text on standard error, in bytes.
const LONGEST_TEXT: usize = 64 << 10;
/// The directories of a module whose files are served.
const DIRECTORIES: [&str; 4] = ["files", "tasks", "scripts", "lib"];

/// The commands that know the versions of code: puppetserver's settings `code-id-command` and `code-content-command`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VersionedCode {
    /// Prints the identifier of an environment's code.
    pub id_command: PathBuf,
    /// Prints a file as it is in the code of an identifier.
    pub content_command: PathBuf,
}

/// The output of a command that has succeeded.
type CommandOutput = RequestBody;

/// Ends a command with its children when it is dropped.
struct CommandGroup(Option<Pid>);

impl Drop for CommandGroup {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // A group without processes is as good as killed.
            _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Returns the identifier of an environment's code, if there is a command. The error is for the client.
pub(super) async fn code_id(state: &AgentState, environment: &str) -> Result<Option<String>, String> {
    let Some(VersionedCode { id_command, .. }) = &state.code else { return Ok(None) };
    let output = run(id_command, &[environment], LONGEST_TEXT, &state.service.bodies).await?;
    let output = String::from_utf8_lossy(&output).into_owned();
    let id = output.strip_suffix("\r\n").or(output.strip_suffix('\n')).unwrap_or(&output);
    if is_code_id(id) { Ok(Some(id.to_owned())) } else { Err(wrong_code_id(id)) }
}

/// Returns a file as it is in the code of an identifier.
pub(super) async fn static_file_content(state: &AgentState, request: &AgentRequest, path: &str) -> Response {
    let parameter = |name| request.parameter(name).unwrap_or_default();
    let (environment, id) = (parameter("environment"), parameter("code_id"));
    if environment.is_empty() || id.is_empty() || path.is_empty() {
        let message =
            "Error: A /static_file_content request requires an environment, a code-id, and a file-path";
        return text_answer(StatusCode::BAD_REQUEST, message);
    }
    if !is_environment_name(environment) {
        let shown = environment.escape_debug();
        let message = format!("The environment must be purely alphanumeric, not '{shown}'");
        return text_answer(StatusCode::BAD_REQUEST, &message);
    }
    if !is_code_id(id) {
        return text_answer(StatusCode::BAD_REQUEST, &wrong_code_id(id));
    }
    if !is_served(path) {
        let message = "Request Denied: A /static_file_content request must be a file within the files, lib, scripts, or tasks \
                       directory of a module.";
        return text_answer(StatusCode::FORBIDDEN, message);
    }
    let Some(VersionedCode { content_command, .. }) = &state.code else {
        let message = "Internal Server Error: Cannot retrieve code content because the \"versioned-code.code-content-command\" \
                       setting is not present in configuration.";
        return text_answer(StatusCode::INTERNAL_SERVER_ERROR, message);
    };
    let most = state.service.limits.body_size;
    match run(content_command, &[environment, id, path], most, &state.service.bodies).await {
        Ok(content) => {
            let body = Body::from(Bytes::from_owner(content));
            ([(CONTENT_TYPE, "application/octet-stream")], body).into_response()
        }
        Err(problem) => {
            text_answer(StatusCode::INTERNAL_SERVER_ERROR, &format!("Internal Server Error: {problem}"))
        }
    }
}

/// Runs a command, without a shell. The error does not have the output, which is logged.
async fn run(
    program: &PathBuf,
    arguments: &[&str],
    most: usize,
    memory: &BodyMemory,
) -> Result<CommandOutput, String> {
    let shown = program.display();
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.process_group(0).kill_on_drop(true);
    for name in SERVICE_MANAGER_VARIABLES {
        command.env_remove(name);
    }
    let failed = |problem: &dyn std::fmt::Display| {
        error!(
            "Running script generated an error. Command executed: '{shown}', error generated: '{problem}'"
        );
        format!("the command {shown} failed: {problem}")
    };
    let mut child = command.spawn().map_err(|error| failed(&error))?;
    let _group = CommandGroup(child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)));
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(failed(&"it has no output"));
    };
    let ran = async {
        let (output, errors, status) =
            tokio::join!(memory.read_output(stdout, most), beginning(stderr), child.wait());
        (output, errors, status)
    };
    let Ok((output, errors, status)) = timeout(TIMEOUT, ran).await else {
        return Err(failed(&format_args!("it took longer than {} seconds", TIMEOUT.as_secs())));
    };
    let output = output.map_err(|problem| failed(&problem))?;
    let status = status.map_err(|error| failed(&error))?;
    if !status.success() {
        let code = status.code().unwrap_or_else(|| status.signal().unwrap_or_default() + 128);
        error!(
            "Non-zero exit code returned while running '{shown}'. exit-code: '{code}', stderr: '{errors}'"
        );
        return Err(format!("Non-zero exit code returned while running '{shown}'. exit-code: '{code}'"));
    }
    if !errors.trim().is_empty() {
        error!("Error output generated while running '{shown}'. stderr: '{errors}'");
    }
    Ok(output)
}

/// Returns the beginning of a text, and reads the rest.
async fn beginning(mut stream: impl AsyncRead + Unpin) -> String {
    let mut kept = Vec::new();
    // An output that cannot be read says nothing.
    _ = (&mut stream).take(LONGEST_TEXT as u64).read_to_end(&mut kept).await;
    _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&kept).into_owned()
}

fn is_code_id(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':' | b';'))
}

fn wrong_code_id(id: &str) -> String {
    let shown = id.escape_debug();
    format!("Invalid code-id '{shown}'. Must contain only alpha-numerics and '-', '_', ';', or ':'")
}

/// Returns true if a path is one of a module's files: `modules/NAME/files/PATH`.
fn is_served(path: &str) -> bool {
    let mut parts = path.splitn(4, '/');
    let is_name = |part: Option<&str>| part.is_some_and(|part| !part.is_empty());
    is_name(parts.next())
        && is_name(parts.next())
        && parts.next().is_some_and(|part| DIRECTORIES.contains(&part))
        && is_name(parts.next())
}
