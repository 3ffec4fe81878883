//! Checksums of files that have not changed since they were read.

use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::digest::ContentDigest;

/// Seconds that a file must be unchanged for its checksum to be cached. A file that is written again within the same tick of the file
/// system's clock has the same times, so that the new content could not be told from the old. Ticks are 10 ms locally and up to two seconds elsewhere.
const SETTLED: i64 = 3;

/// The state of a file. Every change of the content changes `ctime`, which no program can set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FileFingerprint {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl FileFingerprint {
    pub fn new(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Returns true if a later change of the file will have other times than these.
    pub fn is_settled(&self, now: SystemTime) -> bool {
        let seconds = now.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let latest = self.modified.0.max(self.changed.0);
        i64::try_from(seconds).is_ok_and(|now| latest.saturating_add(SETTLED) <= now)
    }
}

type Generation = HashMap<(FileFingerprint, ContentDigest), Arc<str>>;

/// A cache of bounded size: when the new generation is full, the old one is dropped. Entries in use move to the new one.
pub(crate) struct ChecksumCache {
    generations: Mutex<(Generation, Generation)>,
    /// The greatest number of entries of a generation.
    capacity: usize,
}

impl ChecksumCache {
    pub fn new(entries: usize) -> Self {
        Self { generations: Mutex::default(), capacity: entries / 2 }
    }

    pub fn get(&self, file: FileFingerprint, digest: ContentDigest) -> Option<Arc<str>> {
        let key = (file, digest);
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = generations.0.get(&key) {
            return Some(Arc::clone(known));
        }
        let old = generations.1.remove(&key)?;
        self.insert(&mut generations, key, Arc::clone(&old));
        Some(old)
    }

    /// Keeps a checksum. `now` is a time before the file was read.
    pub fn put(&self, file: FileFingerprint, digest: ContentDigest, checksum: &Arc<str>, now: SystemTime) {
        if self.capacity > 0 && file.is_settled(now) {
            let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
            self.insert(&mut generations, (file, digest), Arc::clone(checksum));
        }
    }

    fn insert(
        &self,
        generations: &mut (Generation, Generation),
        key: (FileFingerprint, ContentDigest),
        checksum: Arc<str>,
    ) {
        if generations.0.len() >= self.capacity {
            generations.1 = std::mem::take(&mut generations.0);
        }
        generations.0.insert(key, checksum);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_settled_files_are_cached_and_the_size_is_bounded() {
        let digest = ContentDigest::parse("md5").unwrap();
        let file =
            |inode| FileFingerprint { device: 1, inode, size: 3, modified: (100, 5), changed: (200, 5) };
        let now = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        let cache = ChecksumCache::new(10);
        let checksum = Arc::from("x");
        for seconds in [0, 100, 199, 200, 202] {
            cache.put(file(0), digest, &checksum, now(seconds));
            assert_eq!(cache.get(file(0), digest), None);
        }
        cache.put(file(0), digest, &checksum, now(203));
        assert_eq!(cache.get(file(0), digest), Some(Arc::clone(&checksum)));
        let others = [
            FileFingerprint { size: 4, ..file(0) },
            FileFingerprint { device: 2, ..file(0) },
            FileFingerprint { modified: (100, 6), ..file(0) },
            FileFingerprint { changed: (200, 6), ..file(0) },
        ];
        assert!(others.iter().all(|other| cache.get(*other, digest).is_none()));
        for inode in 1..100 {
            cache.put(file(inode), digest, &checksum, now(300));
            // Entries in use stay.
            assert!(cache.get(file(0), digest).is_some(), "{inode}");
            let generations = cache.generations.lock().unwrap();
            assert!(generations.0.len() + generations.1.len() <= 10);
        }
    }
}
