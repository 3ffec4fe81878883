//! Checksums of files that have not changed since they were read.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use puppetfn_base::file_stamp::FileStamp;

use crate::digest::ContentDigest;

type Generation = HashMap<(FileStamp, ContentDigest), Arc<str>>;

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

    pub fn get(&self, file: FileStamp, digest: ContentDigest) -> Option<Arc<str>> {
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
    pub fn put(&self, file: FileStamp, digest: ContentDigest, checksum: &Arc<str>, now: SystemTime) {
        if self.capacity > 0 && file.is_settled(now) {
            let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
            self.insert(&mut generations, (file, digest), Arc::clone(checksum));
        }
    }

    fn insert(
        &self,
        generations: &mut (Generation, Generation),
        key: (FileStamp, ContentDigest),
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
        let files: Vec<_> = (0..100).map(|_| tempfile::tempfile().unwrap()).collect();
        let stamp = |number: usize| FileStamp::new(&files[number].metadata().unwrap());
        let digest = ContentDigest::parse("md5").unwrap();
        let cache = ChecksumCache::new(10);
        let checksum = Arc::from("x");
        let first = stamp(0);
        let now = SystemTime::now();
        cache.put(first, digest, &checksum, now);
        assert_eq!(cache.get(first, digest), None);
        let later = now + Duration::from_secs(10);
        cache.put(first, digest, &checksum, later);
        assert_eq!(cache.get(first, digest), Some(Arc::clone(&checksum)));
        assert_eq!(cache.get(first, ContentDigest::parse("sha256").unwrap()), None);
        for number in 1..files.len() {
            let other = stamp(number);
            assert_eq!(cache.get(other, digest), None);
            cache.put(other, digest, &checksum, later);
            // Entries in use stay.
            assert!(cache.get(first, digest).is_some(), "{number}");
            let generations = cache.generations.lock().unwrap();
            assert!(generations.0.len() + generations.1.len() <= 10);
        }
    }
}
