//! Starting the command to debug.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde::Deserialize;

use crate::SOCKET;

/// The commands that evaluate code in their own process.
const COMMANDS: [&str; 4] = ["compile", "eval", "call", "test"];

/// The arguments of the request `launch`.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LaunchArguments {
    /// The name of the command: `compile`, `eval`, `call` or `test`.
    command: String,
    /// Its arguments.
    #[serde(default)]
    args: Vec<String>,
    /// The directory in which it runs.
    cwd: Option<PathBuf>,
    /// Variables of its environment; null removes one.
    #[serde(default)]
    env: BTreeMap<String, Option<String>>,
    /// Whether it runs without the debugger.
    #[serde(default)]
    pub no_debug: bool,
}

impl LaunchArguments {
    /// Starts the command, with pipes for its output.
    ///
    /// # Errors
    /// Fails with a message for the user if it is not a command to debug, or cannot be started.
    pub fn start(&self, mut program: Command, socket: &Path) -> Result<Child, String> {
        if !COMMANDS.contains(&&*self.command) {
            return Err(format!(
                "\"command\" is '{}', and has to be one of: {}",
                self.command,
                COMMANDS.join(", ")
            ));
        }
        if let Some(cwd) = &self.cwd {
            program.current_dir(cwd);
        }
        for (name, value) in &self.env {
            match value {
                Some(value) => program.env(name, value),
                None => program.env_remove(name),
            };
        }
        if !self.no_debug {
            program.env(SOCKET, socket);
        }
        program.arg(&self.command).args(&self.args);
        program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        program.spawn().map_err(|error| {
            let cwd = self.cwd.as_ref().map(|cwd| format!(" in {}", cwd.display())).unwrap_or_default();
            format!("cannot start {}{cwd}: {error}", program.get_program().to_string_lossy())
        })
    }
}
