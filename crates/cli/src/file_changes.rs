//! Waits for changes of files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher, recommended_watcher};

/// The quiet time after changes: editors and version control change several files at once.
const QUIET: Duration = Duration::from_millis(100);

/// The time between looks at the flag of an interruption.
const PATIENCE: Duration = Duration::from_millis(100);

/// The ends of the names of files that matter.
const EXTENSIONS: [&str; 9] = ["pp", "epp", "erb", "rb", "yaml", "yml", "json", "md", "toml"];

/// Changes of the files below some paths, from the moment of its creation on.
pub struct FileChanges {
    events: Receiver<notify::Result<Event>>,
    /// It ends the notifications when it is dropped.
    _watcher: RecommendedWatcher,
}

impl FileChanges {
    /// Begins to watch paths.
    ///
    /// # Errors
    /// A message if the system cannot watch a path, or not that many files.
    pub fn of<P: AsRef<Path>>(paths: &[P]) -> Result<Self, String> {
        let (sender, events) = channel();
        let mut watcher = recommended_watcher(sender).map_err(|error| error.to_string())?;
        for path in paths {
            watcher.watch(path.as_ref(), RecursiveMode::Recursive).map_err(|error| error.to_string())?;
        }
        Ok(Self { events, _watcher: watcher })
    }

    /// Waits until files have changed, and no more of them change. Returns their paths; `None` if the flag is set, or the system
    /// notifies no more.
    pub fn wait(&self, is_interrupted: &AtomicBool) -> Option<BTreeSet<PathBuf>> {
        let mut changed = BTreeSet::new();
        while changed.is_empty() {
            match self.events.recv_timeout(PATIENCE) {
                Ok(event) => add(event, &mut changed),
                Err(RecvTimeoutError::Timeout) if !is_interrupted.load(Ordering::Relaxed) => {}
                Err(_) => return None,
            }
        }
        while let Ok(event) = self.events.recv_timeout(QUIET) {
            add(event, &mut changed);
        }
        Some(changed)
    }
}

/// Adds the paths of an event that matter. An error, such as an overflow, can be about any file: its path is empty.
fn add(event: notify::Result<Event>, changed: &mut BTreeSet<PathBuf>) {
    match event {
        Ok(Event { kind: EventKind::Access(_), .. }) => {}
        Ok(event) => changed.extend(event.paths.into_iter().filter(|path| matters(path))),
        Err(_) => {
            changed.insert(PathBuf::new());
        }
    }
}

fn matters(path: &Path) -> bool {
    path.extension().is_none_or(|end| EXTENSIONS.iter().any(|extension| end == *extension))
}
