//! A file system in memory.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use puppetfn::loader::{Entry, EntryKind, FileSystem};

/// Files in memory, and what was asked of them.
#[derive(Default)]
pub struct Files {
    pub files: BTreeMap<PathBuf, String>,
    pub asked: Mutex<Vec<String>>,
}

impl FileSystem for Files {
    fn list(&self, directory: &Path) -> io::Result<Vec<Entry>> {
        self.asked.lock().unwrap().push(format!("list {}", directory.display()));
        let mut entries = Vec::new();
        for path in self.files.keys() {
            let Ok(rest) = path.strip_prefix(directory) else { continue };
            let mut parts = rest.components();
            let name = parts.next().unwrap().as_os_str().to_str().unwrap().to_owned();
            let kind = if parts.next().is_some() { EntryKind::Directory } else { EntryKind::File };
            if !entries.iter().any(|entry: &Entry| entry.name == name) {
                entries.push(Entry { name, kind });
            }
        }
        if entries.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(entries) }
    }

    fn is_directory(&self, path: &Path) -> bool {
        self.files.keys().any(|file| file != path && file.starts_with(path))
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.keys().any(|file| file.starts_with(path))
    }

    fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
        self.asked.lock().unwrap().push(format!("read {}", file.display()));
        self.files.get(file).map(|text| text.clone().into_bytes()).ok_or(io::ErrorKind::NotFound.into())
    }
}

/// These files.
pub fn files(files: &[(&str, &str)]) -> Arc<Files> {
    let files = files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
    Arc::new(Files { files, asked: Mutex::default() })
}
