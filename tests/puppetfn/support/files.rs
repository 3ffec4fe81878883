//! A file system in memory.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use puppetfn::loader::{DirectoryEntry, EntryKind, FileSystem};

/// Files in memory, with a log of the accesses.
#[derive(Default)]
pub struct Files {
    pub files: BTreeMap<PathBuf, String>,
    pub asked: Mutex<Vec<String>>,
}

impl FileSystem for Files {
    fn list(&self, directory: &Path) -> io::Result<Vec<DirectoryEntry>> {
        self.asked.lock().unwrap().push(format!("list {}", directory.display()));
        let mut entries = Vec::new();
        for path in self.files.keys() {
            let Ok(rest) = path.strip_prefix(directory) else { continue };
            let mut parts = rest.components();
            let name = parts.next().unwrap().as_os_str().to_str().unwrap().to_owned();
            let kind = if parts.next().is_some() { EntryKind::Directory } else { EntryKind::File };
            if !entries.iter().any(|entry: &DirectoryEntry| entry.name == name) {
                entries.push(DirectoryEntry { name, kind });
            }
        }
        if entries.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(entries) }
    }

    fn is_directory(&self, path: &Path) -> bool {
        self.files.keys().any(|file| file != path && file.starts_with(path))
    }

    fn is_file(&self, path: &Path) -> bool {
        self.files.contains_key(path)
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

/// Files in memory that change.
pub struct Changing(Mutex<Files>);

impl Changing {
    pub fn new(content: &[(&str, &str)]) -> Arc<Self> {
        let files = content.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
        Arc::new(Self(Mutex::new(Files { files, asked: Mutex::default() })))
    }

    pub fn write(&self, path: &str, text: &str) {
        self.0.lock().unwrap().files.insert(path.into(), text.to_owned());
    }

    pub fn remove(&self, path: &str) {
        self.0.lock().unwrap().files.remove(Path::new(path));
    }

    /// Returns the files read since the last call.
    pub fn take_reads(&self) -> Vec<String> {
        let asked = std::mem::take(&mut *self.0.lock().unwrap().asked.lock().unwrap());
        asked.into_iter().filter_map(|asked| asked.strip_prefix("read ").map(str::to_owned)).collect()
    }
}

impl FileSystem for Changing {
    fn list(&self, directory: &Path) -> io::Result<Vec<DirectoryEntry>> {
        self.0.lock().unwrap().list(directory)
    }

    fn is_directory(&self, path: &Path) -> bool {
        self.0.lock().unwrap().is_directory(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        self.0.lock().unwrap().is_file(path)
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.lock().unwrap().exists(path)
    }

    fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
        self.0.lock().unwrap().read(file)
    }
}
