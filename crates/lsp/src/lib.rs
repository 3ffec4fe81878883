//! A language server for Puppet code, over the Language Server Protocol 3.17.
//!
//! [`serve`] talks to an editor over standard input and output until the editor has enough. What editors ask is answered by
//! [`puppetfn_ide`]; where the files of a project are, and what is in its settings, is for the program to say: see
//! [`Workspace`].
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod capabilities;
mod client;
mod diagnostics;
mod dispatch;
mod documents;
mod requests;
mod server;
mod text;
mod uri;

pub use server::{Server, serve};

use std::path::{Path, PathBuf};
use std::sync::Arc;

use puppetfn_check::Finding;
use puppetfn_ide::{File, Ide};

/// The projects whose texts are edited.
pub trait Workspace {
    /// Reads the projects in these directories. `progress` is called with how many files were read, and of how many.
    ///
    /// # Errors
    /// Why that cannot be done: what the editor shows.
    fn open(&mut self, roots: &[PathBuf], progress: &mut dyn FnMut(usize, usize)) -> Result<Ide, String>;

    /// Returns a text of a file, if that is code by its name.
    fn file(&self, path: &Path, text: Arc<str>) -> Option<File>;

    /// Returns what a file says, if it can be read.
    fn read(&self, path: &Path) -> Option<String>;

    /// Reads what the Ruby files say that the texts use.
    fn learn(&mut self, ide: &mut Ide);

    /// Leaves out findings that settings leave out, and gives others the severity that these say.
    fn adjust(&self, path: &Path, findings: &mut Vec<Finding>);

    /// Reads the data of Hiera, and returns what is wrong with each file of it, with its text.
    fn check_data(&mut self, ide: &mut Ide) -> Vec<(PathBuf, String, Vec<Finding>)>;

    /// Returns true if the program is to end.
    fn is_interrupted(&mut self) -> bool {
        false
    }
}
