//! `puppetfn fixtures`.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::args::fixtures::FixturesArgs;
use super::{CommandFailure, FAILED, OK, complain};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_fixtures::{InstallOptions, LockFile, ModuleList, ModuleState, install};
use puppetfn_project::absolute;

/// The file that keeps commits and releases.
const LOCK_FILE: &str = "puppetfn.lock";

pub(super) fn run(
    arguments: &FixturesArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let Some((root, list)) = module_list(&arguments.directory)? else {
        let directory = arguments.directory.display();
        return Err(CommandFailure::Usage(format!(
            "there is neither a .fixtures.yml nor a Puppetfile in or above {directory}; write one that lists the modules to install"
        )));
    };
    let lock_file = root.join(LOCK_FILE);
    let mut lock = LockFile::read(&lock_file)?;
    let options =
        InstallOptions { forge: arguments.forge.clone(), jobs: arguments.jobs, update: arguments.update };
    let mut code = OK;
    for module in install(&list, &options, &mut lock)? {
        match module.state {
            Ok(state) => writeln!(out, "{}: {}", module.name, described(&state))?,
            Err(error) => {
                code = FAILED;
                complain(err, &format!("error: {}: {error}", module.name));
            }
        }
    }
    lock.write(&lock_file)?;
    Ok(code)
}

/// Returns the nearest list of modules in or above a directory, with its directory.
fn module_list(directory: &Path) -> Result<Option<(PathBuf, ModuleList)>, Error> {
    for root in absolute(directory).ancestors() {
        if let Some(list) = ModuleList::of_directory(root, &Limits::DEFAULT)? {
            return Ok(Some((root.to_owned(), list)));
        }
    }
    Ok(None)
}

fn described(state: &ModuleState) -> String {
    match state {
        ModuleState::Installed(code) => format!("installed {code}"),
        ModuleState::Linked => "linked".to_owned(),
        ModuleState::Current => "up to date".to_owned(),
        ModuleState::Foreign => "left as it is, as puppetfn did not install it".to_owned(),
    }
}
