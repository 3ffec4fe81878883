//! Inputs that catalogs share: all but facts.
#![allow(clippy::disallowed_methods, reason = "the user names these directories")]

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use walkdir::{DirEntry, WalkDir};

use crate::{FleetFailure, FleetNode, FleetResult};

/// A digest of code, data and options.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    digest: Sha256,
}

impl Inputs {
    /// Adds a text, such as an option.
    pub fn add(&mut self, text: &str) {
        self.digest.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
        self.digest.update(text.as_bytes());
    }

    /// Adds all files below a directory, by their paths in it and their content. Directories of version control and the `skipped`
    /// paths are left out.
    ///
    /// # Errors
    /// Fails if the file system does.
    pub fn add_directory(&mut self, directory: &Path, skipped: &[PathBuf]) -> FleetResult<()> {
        let is_skipped =
            |entry: &DirEntry| entry.file_name() == ".git" || skipped.iter().any(|path| path == entry.path());
        let is_wanted = |entry: &DirEntry| entry.depth() == 0 || !is_skipped(entry);
        let mut files = Vec::new();
        for entry in
            WalkDir::new(directory).follow_links(true).sort_by_file_name().into_iter().filter_entry(is_wanted)
        {
            // A link that leads nowhere or round in circles is nothing that can be read.
            let Ok(entry) = entry else { continue };
            if entry.file_type().is_file() {
                files.push(entry.into_path());
            }
        }
        let digests: Vec<FleetResult<[u8; 32]>> = files.par_iter().map(|file| digest(file)).collect();
        self.add(&files.len().to_string());
        for (file, digest) in files.iter().zip(digests) {
            self.add(&file.strip_prefix(directory).unwrap_or(file).to_string_lossy());
            self.digest.update(digest?);
        }
        Ok(())
    }

    /// Adds a file, which need not be there.
    ///
    /// # Errors
    /// Fails if the file system does.
    pub fn add_file(&mut self, file: &Path) -> FleetResult<()> {
        if file.is_file() {
            self.digest.update(digest(file)?);
        }
        Ok(())
    }

    /// Returns the digest, as text.
    pub fn finish(self) -> String {
        hexadecimal(&self.digest.finalize())
    }
}

/// Returns the digests of the facts of nodes, by their names. Facts that cannot be read have none: whoever compiles says why.
pub fn facts(nodes: &[FleetNode]) -> HashMap<String, String> {
    let digest_of =
        |node: &FleetNode| Some((node.name.clone(), hexadecimal(&digest(node.facts.as_deref()?).ok()?)));
    nodes.par_iter().filter_map(digest_of).collect()
}

/// Returns the SHA-256 of some bytes, in hexadecimal.
pub fn digest_of(content: &[u8]) -> String {
    hexadecimal(&Sha256::digest(content))
}

/// Returns a UUID of version 8 that is always the same for the same names.
pub fn identifier(names: &[&str]) -> String {
    let mut inputs = Inputs::default();
    names.iter().for_each(|name| inputs.add(name));
    let text = inputs.finish();
    let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
    let parts = [part(0..8), part(8..12), part(13..16), part(17..20), part(20..32)];
    let [one, two, three, four, five] = parts;
    format!("{one}-{two}-8{three}-8{four}-{five}")
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn digest(file: &Path) -> FleetResult<[u8; 32]> {
    let content = fs::read(file).map_err(FleetFailure::at(file))?;
    Ok(Sha256::digest(content).into())
}
