//! `puppetfn check --watch`, as a program.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may take the short way")]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// SIGTERM. A shell starts background commands with SIGINT ignored, and their children inherit that, so SIGINT would not end the program there.
const TERMINATE: i32 = 15;

struct WatchProcess {
    child: Child,
    lines: Receiver<String>,
}

impl WatchProcess {
    fn new(directory: &PathBuf) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_puppetfn"))
            .args(["check", "--watch", "--format", "github"])
            .arg(directory)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { child, lines }
    }

    /// Returns the output until it waits.
    fn printed(&self) -> Vec<String> {
        let mut printed = Vec::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60)).unwrap();
            if line == "Waiting for changes" {
                return printed;
            }
            printed.push(line);
        }
    }
}

#[test]
fn files_are_checked_again_when_they_change_until_the_user_ends_it() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("watched");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("a.pp"), "notice(1)\n").unwrap();
    let mut watching = WatchProcess::new(&directory);
    assert!(watching.printed().is_empty());
    fs::write(directory.join("b.pp"), "notice(1 + 'a')\n").unwrap();
    let printed = watching.printed();
    assert!(matches!(printed.as_slice(), [line] if line.contains("title=arithmetic")), "{printed:?}");
    // Errors in the settings are reported, and can be corrected while it waits.
    fs::write(directory.join("puppetfn.toml"), "nosuch = 1\n").unwrap();
    assert!(watching.printed().is_empty());
    fs::write(directory.join("puppetfn.toml"), "rules.arithmetic = \"off\"\n").unwrap();
    assert!(watching.printed().is_empty());
    fs::remove_file(directory.join("puppetfn.toml")).unwrap();
    assert_eq!(watching.printed().len(), 1);

    let process = watching.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
    assert_eq!(watching.child.wait().unwrap().signal(), Some(TERMINATE));
    let mut complaints = String::new();
    watching.child.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
    assert!(complaints.contains("unknown field `nosuch`"), "{complaints}");
    assert_eq!(complaints.matches("error").count(), 2, "{complaints}");
}
