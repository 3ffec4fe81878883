//! Files as they were when they were first looked at, and what was asked about them.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use crate::file_system::{Entry, EntryKind, FileSystem};

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
        Self { files, root, known: Mutex::default(), for_all: AtomicUsize::new(0) }
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

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the answer to a question, which is asked now or was asked before.
    fn ask(&self, kind: Kind, path: &Path, is_for_all: bool) -> Answer {
        if let Some(answer) = self.known().again(kind, path, is_for_all) {
            return answer;
        }
        let (answer, digest) = answer(&*self.files, kind, path);
        let place = path.strip_prefix(&self.root).unwrap_or(path).to_str();
        let path_of = |digest: &Option<String>| digest.as_ref().and(place).map(str::to_owned);
        let asked = Asked { kind, path: path_of(&digest), digest: digest.unwrap_or_default() };
        let mut known = self.known();
        let answer = known.kept(answer);
        let round = known.round;
        known.add(Question { asked, answer: answer.clone(), round, is_for_all }, path);
        answer
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

    fn add(&mut self, question: Question, path: &Path) {
        let number = self.questions.len();
        if let Some(numbers) = self.numbers.get_mut(question.asked.kind as usize) {
            numbers.insert(path.as_os_str().to_owned(), number);
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
#[allow(clippy::disallowed_methods, reason = "makes the files that the tests are about")]
mod tests {
    use std::fs;

    use super::*;
    use crate::file_system::StdFileSystem;

    /// Calls `run` with a new directory, which has a file `a/one` and is removed afterwards.
    fn in_a_directory(name: &str, run: impl FnOnce(&Path, &Arc<Snapshot>)) {
        let directory = std::env::temp_dir().join(format!("puppetfn-snapshot-{name}-{}", std::process::id()));
        fs::create_dir_all(directory.join("a")).unwrap();
        fs::write(directory.join("a/one"), "1").unwrap();
        let files: Arc<dyn FileSystem> = Arc::new(StdFileSystem::DEFAULT);
        run(&directory, &Arc::new(Snapshot::new(files, directory.clone())));
        fs::remove_dir_all(&directory).unwrap();
    }

    fn asked(snapshot: &Snapshot) -> Vec<(Kind, String)> {
        let questions = snapshot.questions(0);
        let of = |number: usize| {
            let Asked { kind, path, .. } = questions[number].clone();
            (kind, path.unwrap_or_else(|| "?".to_owned()))
        };
        snapshot.asked().into_iter().map(of).collect()
    }

    #[test]
    fn files_stay_as_they_were_when_they_were_first_looked_at() {
        in_a_directory("stay", |directory, snapshot| {
            let (one, two) = (directory.join("a/one"), directory.join("a/two"));
            let snapshot = snapshot.files();
            assert_eq!(snapshot.read(&one).unwrap(), b"1");
            assert!(snapshot.is_file(&one) && snapshot.exists(&one) && !snapshot.is_directory(&one));
            assert!(!snapshot.exists(&two) && snapshot.read(&two).is_err());
            assert_eq!(snapshot.list(&directory.join("a")).unwrap().len(), 1);
            fs::remove_file(&one).unwrap();
            fs::write(&two, "2").unwrap();
            assert_eq!(snapshot.read(&one).unwrap(), b"1");
            assert!(snapshot.is_file(&one) && !snapshot.exists(&two));
            assert_eq!(snapshot.list(&directory.join("a")).unwrap().len(), 1);
        });
    }

    #[test]
    fn each_catalog_depends_on_what_was_asked_for_it_and_for_all() {
        in_a_directory("each", |directory, snapshot| {
            let question = |kind, path: &str| (kind, path.to_owned());
            let one = directory.join("a/one");
            let files = snapshot.files();
            snapshot.begin_for_all();
            let shared = snapshot.files();
            snapshot.end_for_all();
            snapshot.begin();
            files.read(&one).unwrap();
            shared.list(&directory.join("a")).unwrap();
            assert_eq!(asked(snapshot), [question(Kind::Read, "a/one"), question(Kind::List, "a")]);
            snapshot.begin();
            assert_eq!(asked(snapshot), [question(Kind::List, "a")]);
            snapshot.begin_for_all();
            files.is_file(&one);
            snapshot.end_for_all();
            snapshot.begin();
            files.read(&one).unwrap();
            let all =
                [question(Kind::Read, "a/one"), question(Kind::List, "a"), question(Kind::Type, "a/one")];
            assert_eq!(asked(snapshot), all);
            snapshot.note(Kind::Unknown, Path::new(""));
            snapshot.note(Kind::Unknown, Path::new(""));
            assert_eq!(asked(snapshot)[3..], [question(Kind::Unknown, "?")]);
        });
    }

    #[test]
    fn what_was_asked_has_other_answers_where_something_else_is_there() {
        in_a_directory("before", |before, snapshot| {
            in_a_directory("after", |after, _| {
                let one = before.join("a/one");
                snapshot.note(Kind::Type, &one);
                snapshot.note(Kind::Read, &one);
                snapshot.note(Kind::List, &before.join("a"));
                snapshot.note(Kind::Tree, before);
                snapshot.note(Kind::Names, before);
                snapshot.note(Kind::Read, &before.join("none"));
                snapshot.note(Kind::Unknown, Path::new(""));
                let same = || -> Vec<bool> {
                    let questions = snapshot.questions(0);
                    let files = &StdFileSystem::DEFAULT;
                    questions.iter().map(|asked| asked.has_same_answer(files, after)).collect()
                };
                assert_eq!(same(), [true, true, true, true, true, true, false]);
                fs::write(after.join("a/one"), "2").unwrap();
                assert_eq!(same(), [true, false, true, false, true, true, false]);
                fs::write(after.join("a/two"), "").unwrap();
                assert_eq!(same(), [true, false, false, false, false, true, false]);
                fs::remove_file(after.join("a/one")).unwrap();
                fs::create_dir(after.join("none")).unwrap();
                assert_eq!(same(), [false, false, false, false, false, false, false]);
            });
        });
    }
}
