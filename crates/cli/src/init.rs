//! `puppetfn init`.
#![allow(clippy::disallowed_methods, reason = "the user has these files written")]

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use super::args::init::{CiChoice, InitArgs};
use super::{CommandFailure, FAILED, OK, complain};
use puppetfn_compile::check_directory;
use puppetfn_project::{CiService, InitialFile, ProjectKind, absolute, initial_files, repository_around};

pub(super) fn run(
    arguments: &InitArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let root = arguments.directory.as_path();
    check_directory("", root)?;
    let services = match arguments.ci {
        Some(CiChoice::GitHub) => vec![CiService::GitHub],
        Some(CiChoice::GitLab) => vec![CiService::GitLab],
        Some(CiChoice::None) => Vec::new(),
        None => CiService::of_repository(root),
    };
    let kind = ProjectKind::of(root);
    let files = initial_files(root, kind, &services);
    if arguments.dry_run {
        for (position, file) in files.iter().enumerate() {
            let separator = if position == 0 { "" } else { "\n" };
            let exists = if root.join(file.path).exists() { " (exists)" } else { "" };
            writeln!(out, "{separator}# {}{exists}\n{}", file.path, file.text.trim_end())?;
        }
    }
    let mut code = OK;
    for file in files.iter().filter(|_| !arguments.dry_run) {
        match write(root, file, arguments.force) {
            Ok(()) => writeln!(out, "wrote {}", file.path)?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                writeln!(out, "kept {}, which exists", file.path)?;
            }
            Err(error) => {
                code = FAILED;
                complain(err, &format!("error: {}: {error}", file.path));
            }
        }
    }
    notes(arguments, kind, &services, err)?;
    Ok(code)
}

/// Writes a file. Without force, the system refuses an existing one, even a link to nowhere.
fn write(root: &Path, file: &InitialFile, force: bool) -> io::Result<()> {
    let path = root.join(file.path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut options = OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    options.open(path)?.write_all(file.text.as_bytes())
}

/// Explains which files are missing.
fn notes(
    arguments: &InitArgs,
    kind: ProjectKind,
    services: &[CiService],
    err: &mut dyn Write,
) -> io::Result<()> {
    let directory = arguments.directory.display();
    if kind == ProjectKind::Files {
        writeln!(err, "note: {directory} is neither a module nor a control repository")?;
    }
    let root = absolute(&arguments.directory);
    match repository_around(&root) {
        Some(repository) if repository != root => {
            writeln!(
                err,
                "note: jobs and hooks belong in the root of the repository: `puppetfn init {}`",
                repository.display()
            )?;
        }
        _ if services.is_empty() && arguments.ci.is_none() => {
            writeln!(
                err,
                "note: the repository uses no known service: `--ci github` or `--ci gitlab` writes jobs"
            )?;
        }
        _ => {}
    }
    Ok(())
}
