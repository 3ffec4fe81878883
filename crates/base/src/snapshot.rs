//! A snapshot of a file system, and the reads that each catalog depends on.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use self::stamp::Stamps;
use crate::file_system::{DirectoryEntry, EntryKind, FileSystem};

mod stamp;

/// Capacity of the text cache, in bytes. Texts beyond it are read each time.
const MOST: usize = 64 << 20;
/// Maximum number of files below a directory that is digested as a whole.
const MOST_FILES: usize = 100_000;
/// Maximum depth below a directory that is digested as a whole.
const DEEPEST: usize = 64;

/// Kind of a tracked read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReadKind {
    /// Whether the path is a file, a directory, something else, or absent.
    Type,
    /// The entries of a directory.
    List,
    /// The content of a file.
    Read,
    /// The names of all entries below a directory, at any depth. Links are not followed.
    Names,
    /// The names and contents of all entries below a directory, at any depth.
    Tree,
    /// An input that may differ each time, such as the output of a program.
    Unknown,
}

/// A tracked read and a digest of its result: an equal digest means an equal result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TrackedRead {
    /// The kind of read.
    pub kind: ReadKind,
    /// The path, relative to the snapshot's root if it is below it; `None` if the read cannot be repeated.
    pub path: Option<String>,
    /// The digest of the result.
    pub digest: String,
}

/// A snapshot of a file system for a process that compiles one catalog after the other: repeated reads are answered from
/// memory.
///
/// Each read is recorded as a dependency of the current catalog, or of this and all later ones: code that is evaluated
/// once, such as Ruby of modules, affects all catalogs.
pub struct Snapshot {
    files: Arc<dyn FileSystem>,
    root: PathBuf,
    known: Mutex<SnapshotState>,
    /// Number of ongoing tasks whose reads count for all catalogs.
    for_all: AtomicUsize,
    /// Whether changes of the files are noticed.
    is_watching: bool,
}

/// A change of the files that a snapshot has read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SnapshotChange {
    /// All files are as they were.
    None,
    /// Files of single catalogs have changed.
    Some,
    /// A file has changed that was evaluated once, for all catalogs.
    ForAll,
}

/// A view of the snapshot that records reads for the current catalog, or for all.
struct SnapshotView {
    snapshot: Arc<Snapshot>,
    is_for_all: bool,
}

#[derive(Default, Debug)]
struct SnapshotState {
    /// The numbers of reads by their paths, for each kind.
    numbers: [HashMap<OsString, usize>; ReadKind::ALL.len()],
    questions: Vec<ReadRecord>,
    /// The reads of the current catalog, in any order.
    current: Vec<usize>,
    /// The reads that count for all catalogs.
    for_all: Vec<usize>,
    /// Number of catalogs begun so far.
    round: u64,
    /// Total size of the cached texts, in bytes.
    size: usize,
}

#[derive(Debug)]
struct ReadRecord {
    asked: TrackedRead,
    answer: ReadResult,
    /// The last catalog that depends on the read.
    round: u64,
    /// Whether the read counts for all catalogs.
    is_for_all: bool,
    /// The path that was read.
    path: PathBuf,
    /// The stamps of the files behind the result, if changes are noticed.
    stamps: Option<Stamps>,
    /// Whether the result is stale.
    is_outdated: bool,
}

#[derive(Clone, Debug)]
enum ReadResult {
    Type(FileKind),
    List(Vec<DirectoryEntry>),
    Text(Arc<[u8]>),
    /// A result that is not cached: an error, a large text, or a mere digest.
    Elsewhere,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FileKind {
    File,
    Directory,
    Other,
    Nothing,
}

impl Snapshot {
    /// Creates a snapshot of the files as they are from now on. Paths below `root` are recorded relative to it.
    pub fn new(files: Arc<dyn FileSystem>, root: PathBuf) -> Self {
        Self { files, root, known: Mutex::default(), for_all: AtomicUsize::new(0), is_watching: false }
    }

    /// Returns the snapshot, able to notice changes: [`Self::refresh`], [`Self::has_changed`].
    #[must_use]
    pub fn watching(self) -> Self {
        Self { is_watching: true, ..self }
    }

    /// Invalidates the cached reads of files that have changed.
    ///
    /// Files are compared by their identities, sizes and times; also by their contents if they had just been changed when
    /// they were read.
    pub fn refresh(&self) -> SnapshotChange {
        let mut known = self.known();
        let SnapshotState { numbers, questions, size, .. } = &mut *known;
        let mut change = SnapshotChange::None;
        for question in questions.iter_mut().filter(|question| !question.is_outdated) {
            if question.is_current(&*self.files) {
                continue;
            }
            question.is_outdated = true;
            if let ReadResult::Text(text) = mem::replace(&mut question.answer, ReadResult::Elsewhere) {
                *size = size.saturating_sub(text.len());
            }
            if let Some(numbers) = numbers.get_mut(question.asked.kind as usize) {
                numbers.remove(question.path.as_os_str());
            }
            change =
                change.max(if question.is_for_all { SnapshotChange::ForAll } else { SnapshotChange::Some });
        }
        change
    }

    /// Returns true if files have changed since the current catalog has read them.
    pub fn has_changed(&self) -> bool {
        let mut known = self.known();
        let SnapshotState { questions, current, for_all, .. } = &mut *known;
        let mut numbers = current.iter().chain(&*for_all);
        numbers.any(|number| {
            questions.get_mut(*number).is_some_and(|question| !question.is_current(&*self.files))
        })
    }

    /// Returns a view of the files for the current task. If it is a task for all catalogs, later reads through this view
    /// count for all, too.
    pub fn files(self: &Arc<Self>) -> Arc<dyn FileSystem> {
        Arc::new(SnapshotView { snapshot: Arc::clone(self), is_for_all: self.is_for_all() })
    }

    /// Begins another catalog and clears the dependencies of the last one, except reads that count for all catalogs.
    pub fn begin(&self) {
        let mut known = self.known();
        known.round = known.round.wrapping_add(1);
        known.current.clear();
    }

    /// Returns the numbers of all reads that the current catalog depends on, in order.
    pub fn asked(&self) -> Vec<usize> {
        let known = self.known();
        let mut numbers: Vec<usize> = known.for_all.iter().chain(&known.current).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Returns the reads from a number on. Reads are numbered in the order in which they first happened.
    pub fn questions(&self, from: usize) -> Vec<TrackedRead> {
        self.known().questions.iter().skip(from).map(|question| question.asked.clone()).collect()
    }

    /// Begins a task during which all reads, on any thread, count for all catalogs; [`Snapshot::end_for_all`] ends it.
    pub fn begin_for_all(&self) {
        self.for_all.fetch_add(1, Ordering::Relaxed);
    }

    /// Ends a task begun with [`Snapshot::begin_for_all`].
    pub fn end_for_all(&self) {
        self.for_all.fetch_sub(1, Ordering::Relaxed);
    }

    fn is_for_all(&self) -> bool {
        self.for_all.load(Ordering::Relaxed) > 0
    }

    /// Records a read that bypasses the snapshot. The path does not matter for [`ReadKind::Unknown`].
    pub fn note(&self, kind: ReadKind, path: &Path) {
        self.ask(kind, path, self.is_for_all());
    }

    /// Records a read that bypasses the snapshot, and returns the digest of its result.
    pub fn digest(&self, kind: ReadKind, path: &Path) -> Option<String> {
        self.note(kind, path);
        let known = self.known();
        let number = *known.numbers.get(kind as usize)?.get(path.as_os_str())?;
        known.questions.get(number).map(|question| question.asked.digest.clone())
    }

    /// Returns true if code was evaluated for all catalogs. Its definitions stay in memory as long as the process runs.
    pub fn is_evaluated(&self) -> bool {
        !self.known().for_all.is_empty()
    }

    fn known(&self) -> MutexGuard<'_, SnapshotState> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the result of a read, from memory if it is repeated, and records it as a dependency.
    fn ask(&self, kind: ReadKind, path: &Path, is_for_all: bool) -> ReadResult {
        if let Some(answer) = self.known().again(kind, path, is_for_all) {
            return answer;
        }
        let stamps = self.is_watching.then(|| Stamps::of(kind, path));
        let (answer, digest) = answer(&*self.files, kind, path);
        let place = path.strip_prefix(&self.root).unwrap_or(path).to_str();
        let path_of = |digest: &Option<String>| digest.as_ref().and(place).map(str::to_owned);
        let asked = TrackedRead { kind, path: path_of(&digest), digest: digest.unwrap_or_default() };
        let mut known = self.known();
        let answer = known.kept(answer);
        let round = known.round;
        known.add(ReadRecord {
            asked,
            answer: answer.clone(),
            round,
            is_for_all,
            path: path.to_owned(),
            stamps,
            is_outdated: false,
        });
        answer
    }
}

impl ReadRecord {
    /// Returns true if the files behind the result are unchanged.
    fn is_current(&mut self, files: &dyn FileSystem) -> bool {
        let Some(stamps) = &self.stamps else { return true };
        if !stamps.are_current() {
            return false;
        }
        if stamps.are_certain() {
            return true;
        }
        let stamps = Stamps::of(self.asked.kind, &self.path);
        let digest = answer(files, self.asked.kind, &self.path).1;
        // Without a digest, as of a directory with too many files, the stamps alone decide.
        let is_same = digest.unwrap_or_default() == self.asked.digest;
        self.stamps = Some(stamps);
        is_same
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("root", &self.root).finish_non_exhaustive()
    }
}

impl SnapshotState {
    /// Returns the cached result of a repeated read, and records it as a dependency of the current catalog.
    fn again(&mut self, kind: ReadKind, path: &Path, is_for_all: bool) -> Option<ReadResult> {
        let number = *self.numbers.get(kind as usize)?.get(path.as_os_str())?;
        let question = self.questions.get_mut(number)?;
        if is_for_all && !question.is_for_all {
            question.is_for_all = true;
            self.for_all.push(number);
        }
        if question.round != self.round {
            question.round = self.round;
            self.current.push(number);
        }
        Some(question.answer.clone())
    }

    fn add(&mut self, question: ReadRecord) {
        let number = self.questions.len();
        if let Some(numbers) = self.numbers.get_mut(question.asked.kind as usize) {
            numbers.insert(question.path.as_os_str().to_owned(), number);
        }
        if question.is_for_all {
            self.for_all.push(number);
        }
        self.current.push(number);
        self.questions.push(question);
    }

    fn kept(&mut self, answer: ReadResult) -> ReadResult {
        let ReadResult::Text(text) = &answer else { return answer };
        if self.size.saturating_add(text.len()) > MOST {
            return ReadResult::Elsewhere;
        }
        self.size = self.size.saturating_add(text.len());
        answer
    }
}

impl ReadKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::Type, Self::List, Self::Read, Self::Names, Self::Tree, Self::Unknown];

    /// Returns the kind's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::List => "list",
            Self::Read => "read",
            Self::Names => "names",
            Self::Tree => "tree",
            Self::Unknown => "unknown",
        }
    }
}

impl TrackedRead {
    /// Returns true if the same read has the same result in another file system, with `root` for the root of the snapshot.
    pub fn has_same_answer(&self, files: &dyn FileSystem, root: &Path) -> bool {
        let Some(path) = &self.path else { return false };
        answer(files, self.kind, &root.join(path)).1.as_ref() == Some(&self.digest)
    }
}

/// Performs a read, and returns its result and a digest of it: `None` if the result may differ the next time.
fn answer(files: &dyn FileSystem, kind: ReadKind, path: &Path) -> (ReadResult, Option<String>) {
    match kind {
        ReadKind::Type => {
            let what = what(files, path);
            (ReadResult::Type(what), Some(format!("{what:?}")))
        }
        ReadKind::List => match files.list(path) {
            Ok(mut entries) => {
                entries.sort_unstable();
                let digest = digest(format!("{entries:?}").as_bytes());
                (ReadResult::List(entries), Some(digest))
            }
            Err(error) => (ReadResult::Elsewhere, Some(error.kind().to_string())),
        },
        ReadKind::Read => match files.read(path) {
            Ok(content) => {
                let digest = digest(&content);
                (ReadResult::Text(content.into()), Some(digest))
            }
            Err(error) => (ReadResult::Elsewhere, Some(error.kind().to_string())),
        },
        ReadKind::Unknown => (ReadResult::Elsewhere, None),
        ReadKind::Names | ReadKind::Tree => {
            (ReadResult::Elsewhere, below(files, path, kind == ReadKind::Tree))
        }
    }
}

fn what(files: &dyn FileSystem, path: &Path) -> FileKind {
    if files.is_file(path) {
        FileKind::File
    } else if files.is_directory(path) {
        FileKind::Directory
    } else if files.exists(path) {
        FileKind::Other
    } else {
        FileKind::Nothing
    }
}

/// Returns a digest of the names below a directory, and optionally of the contents; `None` if the directory exceeds a limit
/// or holds an unreadable name.
fn below(files: &dyn FileSystem, root: &Path, with_content: bool) -> Option<String> {
    let mut all = Sha256::new();
    let mut left = vec![(root.to_owned(), EntryKind::Directory, DEEPEST)];
    let mut count = 0_usize;
    while let Some((path, kind, depth)) = left.pop() {
        count = count.checked_add(1).filter(|count| *count <= MOST_FILES)?;
        all.update(path.strip_prefix(root).ok()?.to_str()?);
        all.update("\0");
        let is_directory = match kind {
            EntryKind::Directory => true,
            EntryKind::File => false,
            EntryKind::Link => with_content && files.is_directory(&path),
        };
        if !is_directory && !with_content {
            continue;
        }
        // The path itself may be a file.
        let question =
            if is_directory && files.is_directory(&path) { ReadKind::List } else { ReadKind::Read };
        let (answer, digest) = answer(files, question, &path);
        all.update(digest?);
        if let ReadResult::List(entries) = answer {
            let depth = depth.checked_sub(1)?;
            let is_history = |entry: &DirectoryEntry| entry.name == ".git" && entry.kind != EntryKind::Link;
            let inside = entries.into_iter().filter(|entry| !is_history(entry));
            left.extend(inside.map(|entry| (path.join(entry.name), entry.kind, depth)));
        }
    }
    Some(hexadecimal(&all.finalize()))
}

/// Returns a digest of a content, as text.
pub fn digest(content: &[u8]) -> String {
    hexadecimal(&Sha256::digest(content))
}

/// Returns the first half of a digest, as text.
fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

impl SnapshotView {
    fn ask(&self, kind: ReadKind, path: &Path) -> ReadResult {
        self.snapshot.ask(kind, path, self.is_for_all || self.snapshot.is_for_all())
    }

    fn what(&self, path: &Path) -> FileKind {
        match self.ask(ReadKind::Type, path) {
            ReadResult::Type(what) => what,
            ReadResult::List(_) | ReadResult::Text(_) | ReadResult::Elsewhere => FileKind::Nothing,
        }
    }
}

impl FileSystem for SnapshotView {
    fn list(&self, directory: &Path) -> io::Result<Vec<DirectoryEntry>> {
        match self.ask(ReadKind::List, directory) {
            ReadResult::List(entries) => Ok(entries),
            ReadResult::Type(_) | ReadResult::Text(_) | ReadResult::Elsewhere => {
                self.snapshot.files.list(directory)
            }
        }
    }

    fn is_directory(&self, path: &Path) -> bool {
        self.what(path) == FileKind::Directory
    }

    fn is_file(&self, path: &Path) -> bool {
        self.what(path) == FileKind::File
    }

    fn exists(&self, path: &Path) -> bool {
        self.what(path) != FileKind::Nothing
    }

    fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
        match self.ask(ReadKind::Read, file) {
            ReadResult::Text(content) => Ok(content.to_vec()),
            ReadResult::Type(_) | ReadResult::List(_) | ReadResult::Elsewhere => {
                self.snapshot.files.read(file)
            }
        }
    }

    fn read_named(&self, file: &Path) -> io::Result<Vec<u8>> {
        if self.what(file) == FileKind::File {
            return self.read(file);
        }
        // A pipe or a device may have other content each time.
        self.ask(ReadKind::Unknown, Path::new(""));
        self.snapshot.files.read_named(file)
    }

    fn check(&self, path: &Path) -> io::Result<()> {
        self.snapshot.files.check(path)
    }

    /// Returns `None`: the snapshot's content never changes.
    fn modified(&self, _: &Path) -> io::Result<Option<SystemTime>> {
        Ok(None)
    }
}

#[cfg(all(test, unix))]
mod tests;
