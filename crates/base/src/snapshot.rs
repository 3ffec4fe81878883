//! Files as they were when they were first looked at, and what was asked about them.

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
use crate::file_system::{Entry, EntryKind, FileSystem};

mod stamp;

/// How much text is kept, in bytes. What comes later is read each time.
const MOST: usize = 64 << 20;
/// How many files a directory may have, with all below it, that is looked at as a whole.
const MOST_FILES: usize = 100_000;
/// How deep directories are looked into then.
const DEEPEST: usize = 64;

/// What can be asked about a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// What is there: a file, a directory, something else, nothing.
    Type,
    /// The entries of a directory.
    List,
    /// The content of a file.
    Read,
    /// The names of all that is in a directory and below it. Links are not followed.
    Names,
    /// All that is in a directory and below it, with what is in files.
    Tree,
    /// Something that may have another answer the next time, as what a program prints.
    Unknown,
}

/// A question that was asked, and a digest of the answer: where that is the same, whoever has asked comes to the same result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Asked {
    /// What was asked.
    pub kind: Kind,
    /// About which path: one below the directory of the snapshot is relative to it. It is not known if nobody can ask again.
    pub path: Option<String>,
    /// The digest of the answer.
    pub digest: String,
}

/// The files of a file system as they were when they were first looked at, for those that compile one catalog after the other:
/// what was asked once is answered from memory.
///
/// It notes what is asked, for the catalog that is being compiled, or for it and all later ones: what is evaluated once, such as
/// Ruby of modules, has an effect on all.
pub struct Snapshot {
    files: Arc<dyn FileSystem>,
    root: PathBuf,
    known: Mutex<Known>,
    /// How many that are at work ask for all.
    for_all: AtomicUsize,
    /// Whether changes of the files are noticed.
    is_watching: bool,
}

/// A change of the files that a snapshot has looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// All files are as they were.
    None,
    /// Files of single catalogs have changed.
    Some,
    /// A file has changed that was evaluated once, for all catalogs.
    ForAll,
}

/// The files as one sees them who asks for the current catalog, or for all.
struct View {
    snapshot: Arc<Snapshot>,
    is_for_all: bool,
}

#[derive(Default, Debug)]
struct Known {
    /// The numbers of questions by their paths, for each kind.
    numbers: [HashMap<OsString, usize>; Kind::ALL.len()],
    questions: Vec<Question>,
    /// The questions of the current catalog, in any order.
    current: Vec<usize>,
    /// Those of all catalogs.
    for_all: Vec<usize>,
    /// How many catalogs have been begun.
    round: u64,
    /// How large the texts are that are kept, in bytes.
    size: usize,
}

#[derive(Debug)]
struct Question {
    asked: Asked,
    answer: Answer,
    /// The last catalog that it was asked for.
    round: u64,
    /// Whether it counts for all catalogs.
    is_for_all: bool,
    /// The path that was asked about.
    path: PathBuf,
    /// The stamps of the files in the answer, where changes are noticed.
    stamps: Option<Stamps>,
    /// Whether the answer is no longer the same.
    is_outdated: bool,
}

#[derive(Clone, Debug)]
enum Answer {
    Type(What),
    List(Vec<Entry>),
    Text(Arc<[u8]>),
    /// What has an answer that is not kept: errors, and large texts.
    Elsewhere,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    File,
    Directory,
    Other,
    Nothing,
}

impl Snapshot {
    /// Returns the files as they are from now on. Paths below `root` are noted relative to it.
    pub fn new(files: Arc<dyn FileSystem>, root: PathBuf) -> Self {
        Self { files, root, known: Mutex::default(), for_all: AtomicUsize::new(0), is_watching: false }
    }

    /// Returns the same, able to notice changes: [`Self::refresh`], [`Self::has_changed`].
    #[must_use]
    pub fn watching(self) -> Self {
        Self { is_watching: true, ..self }
    }

    /// Forgets the answers about files that have changed, so that they are asked about again.
    ///
    /// Files are compared by their identities, sizes and times; by their contents if they had just been changed when they were read.
    pub fn refresh(&self) -> Change {
        let mut known = self.known();
        let Known { numbers, questions, size, .. } = &mut *known;
        let mut change = Change::None;
        for question in questions.iter_mut().filter(|question| !question.is_outdated) {
            if question.is_current(&*self.files) {
                continue;
            }
            question.is_outdated = true;
            if let Answer::Text(text) = mem::replace(&mut question.answer, Answer::Elsewhere) {
                *size = size.saturating_sub(text.len());
            }
            if let Some(numbers) = numbers.get_mut(question.asked.kind as usize) {
                numbers.remove(question.path.as_os_str());
            }
            change = change.max(if question.is_for_all { Change::ForAll } else { Change::Some });
        }
        change
    }

    /// Returns true if files have changed since the current catalog has asked about them.
    pub fn has_changed(&self) -> bool {
        let mut known = self.known();
        let Known { questions, current, for_all, .. } = &mut *known;
        let mut numbers = current.iter().chain(&*for_all);
        numbers.any(|number| {
            questions.get_mut(*number).is_some_and(|question| !question.is_current(&*self.files))
        })
    }

    /// Returns the files for one who is at work now. What looks at them while something is done for all catalogs does so for all also
    /// later.
    pub fn files(self: &Arc<Self>) -> Arc<dyn FileSystem> {
        Arc::new(View { snapshot: Arc::clone(self), is_for_all: self.is_for_all() })
    }

    /// Begins another catalog: what was asked for the last one is forgotten, unless it was for all.
    pub fn begin(&self) {
        let mut known = self.known();
        known.round = known.round.wrapping_add(1);
        known.current.clear();
    }

    /// Returns the numbers of all questions that the current catalog depends on, in order.
    pub fn asked(&self) -> Vec<usize> {
        let known = self.known();
        let mut numbers: Vec<usize> = known.for_all.iter().chain(&known.current).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Returns the questions from a number on: they are numbered in the order in which they were first asked.
    pub fn questions(&self, from: usize) -> Vec<Asked> {
        self.known().questions.iter().skip(from).map(|question| question.asked.clone()).collect()
    }

    /// Begins something whose questions, whoever asks them, are for all catalogs; [`Snapshot::end_for_all`] ends it.
    pub fn begin_for_all(&self) {
        self.for_all.fetch_add(1, Ordering::Relaxed);
    }

    /// Ends what [`Snapshot::begin_for_all`] has begun.
    pub fn end_for_all(&self) {
        self.for_all.fetch_sub(1, Ordering::Relaxed);
    }

    fn is_for_all(&self) -> bool {
        self.for_all.load(Ordering::Relaxed) > 0
    }

    /// Notes that something else looks at a path. What is [`Kind::Unknown`] needs none.
    pub fn note(&self, kind: Kind, path: &Path) {
        self.ask(kind, path, self.is_for_all());
    }

    /// Notes that something else looks at a path, and returns the digest of the answer.
    pub fn digest(&self, kind: Kind, path: &Path) -> Option<String> {
        self.note(kind, path);
        let known = self.known();
        let number = *known.numbers.get(kind as usize)?.get(path.as_os_str())?;
        known.questions.get(number).map(|question| question.asked.digest.clone())
    }

    /// Returns true if code was evaluated for all catalogs. Its definitions stay in memory as long as the process runs.
    pub fn is_evaluated(&self) -> bool {
        !self.known().for_all.is_empty()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the answer to a question, which is asked now or was asked before.
    fn ask(&self, kind: Kind, path: &Path, is_for_all: bool) -> Answer {
        if let Some(answer) = self.known().again(kind, path, is_for_all) {
            return answer;
        }
        let stamps = self.is_watching.then(|| Stamps::of(kind, path));
        let (answer, digest) = answer(&*self.files, kind, path);
        let place = path.strip_prefix(&self.root).unwrap_or(path).to_str();
        let path_of = |digest: &Option<String>| digest.as_ref().and(place).map(str::to_owned);
        let asked = Asked { kind, path: path_of(&digest), digest: digest.unwrap_or_default() };
        let mut known = self.known();
        let answer = known.kept(answer);
        let round = known.round;
        known.add(Question {
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

impl Question {
    /// Returns true if the files of the answer are the same.
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
        // Without a digest, as of a directory with too many files, stamps are all there is.
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

impl Known {
    /// Returns the answer to a question that was asked before, and notes that it was asked again.
    fn again(&mut self, kind: Kind, path: &Path, is_for_all: bool) -> Option<Answer> {
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

    fn add(&mut self, question: Question) {
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

    fn kept(&mut self, answer: Answer) -> Answer {
        let Answer::Text(text) = &answer else { return answer };
        if self.size.saturating_add(text.len()) > MOST {
            return Answer::Elsewhere;
        }
        self.size = self.size.saturating_add(text.len());
        answer
    }
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::Type, Self::List, Self::Read, Self::Names, Self::Tree, Self::Unknown];

    /// Returns what it is called.
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

impl Asked {
    /// Returns true if the same question has the same answer in other files, in which `root` takes the place of the directory of
    /// the snapshot.
    pub fn has_same_answer(&self, files: &dyn FileSystem, root: &Path) -> bool {
        let Some(path) = &self.path else { return false };
        answer(files, self.kind, &root.join(path)).1.as_ref() == Some(&self.digest)
    }
}

/// Returns the answer to a question, and a digest of it. There is none if the answer may be another the next time.
fn answer(files: &dyn FileSystem, kind: Kind, path: &Path) -> (Answer, Option<String>) {
    match kind {
        Kind::Type => {
            let what = what(files, path);
            (Answer::Type(what), Some(format!("{what:?}")))
        }
        Kind::List => match files.list(path) {
            Ok(mut entries) => {
                entries.sort_unstable();
                let digest = digest(format!("{entries:?}").as_bytes());
                (Answer::List(entries), Some(digest))
            }
            Err(error) => (Answer::Elsewhere, Some(error.kind().to_string())),
        },
        Kind::Read => match files.read(path) {
            Ok(content) => {
                let digest = digest(&content);
                (Answer::Text(content.into()), Some(digest))
            }
            Err(error) => (Answer::Elsewhere, Some(error.kind().to_string())),
        },
        Kind::Unknown => (Answer::Elsewhere, None),
        Kind::Names | Kind::Tree => (Answer::Elsewhere, below(files, path, kind == Kind::Tree)),
    }
}

fn what(files: &dyn FileSystem, path: &Path) -> What {
    if files.is_file(path) {
        What::File
    } else if files.is_directory(path) {
        What::Directory
    } else if files.exists(path) {
        What::Other
    } else {
        What::Nothing
    }
}

/// Returns a digest of what is in a directory and below, with what is in files if that is asked for; none if it is too much.
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
        // The path itself may be that of a file.
        let question = if is_directory && files.is_directory(&path) { Kind::List } else { Kind::Read };
        let (answer, digest) = answer(files, question, &path);
        all.update(digest?);
        if let Answer::List(entries) = answer {
            let depth = depth.checked_sub(1)?;
            let is_history = |entry: &Entry| entry.name == ".git" && entry.kind != EntryKind::Link;
            let inside = entries.into_iter().filter(|entry| !is_history(entry));
            left.extend(inside.map(|entry| (path.join(entry.name), entry.kind, depth)));
        }
    }
    Some(hexadecimal(&all.finalize()))
}

fn digest(content: &[u8]) -> String {
    hexadecimal(&Sha256::digest(content))
}

/// Returns the first half of a digest, as text.
fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

impl View {
    fn ask(&self, kind: Kind, path: &Path) -> Answer {
        self.snapshot.ask(kind, path, self.is_for_all || self.snapshot.is_for_all())
    }

    fn what(&self, path: &Path) -> What {
        match self.ask(Kind::Type, path) {
            Answer::Type(what) => what,
            Answer::List(_) | Answer::Text(_) | Answer::Elsewhere => What::Nothing,
        }
    }
}

impl FileSystem for View {
    fn list(&self, directory: &Path) -> io::Result<Vec<Entry>> {
        match self.ask(Kind::List, directory) {
            Answer::List(entries) => Ok(entries),
            Answer::Type(_) | Answer::Text(_) | Answer::Elsewhere => self.snapshot.files.list(directory),
        }
    }

    fn is_directory(&self, path: &Path) -> bool {
        self.what(path) == What::Directory
    }

    fn is_file(&self, path: &Path) -> bool {
        self.what(path) == What::File
    }

    fn exists(&self, path: &Path) -> bool {
        self.what(path) != What::Nothing
    }

    fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
        match self.ask(Kind::Read, file) {
            Answer::Text(content) => Ok(content.to_vec()),
            Answer::Type(_) | Answer::List(_) | Answer::Elsewhere => self.snapshot.files.read(file),
        }
    }

    fn read_named(&self, file: &Path) -> io::Result<Vec<u8>> {
        if self.what(file) == What::File {
            return self.read(file);
        }
        // A pipe or a device has something else in it each time.
        self.ask(Kind::Unknown, Path::new(""));
        self.snapshot.files.read_named(file)
    }

    fn check(&self, path: &Path) -> io::Result<()> {
        self.snapshot.files.check(path)
    }

    /// It is not known: what was read does not change.
    fn modified(&self, _: &Path) -> io::Result<Option<SystemTime>> {
        Ok(None)
    }
}

#[cfg(all(test, unix))]
mod tests;
