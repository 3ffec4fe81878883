//! Stamps of files, by which changes are noticed without reading the files again.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The coarsest granularity of a file system's clock (FAT, old NFS): a file can change twice within it and keep its times.
const GRANULARITY: Duration = Duration::from_secs(2);

/// The identity, the size and the times of a file. Every change of the content changes the time of the last change of the status, which no
/// program can set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FileStamp {
    device: u64,
    inode: u64,
    size: u64,
    /// The times of the last changes of the content and of the status, since 1970.
    times: [Duration; 2],
}

impl FileStamp {
    /// Returns the stamp of a file.
    pub fn new(metadata: &Metadata) -> Self {
        let (device, inode) = identity(metadata);
        Self { device, inode, size: metadata.len(), times: times(metadata) }
    }

    /// Returns true if every later change of the file will change its stamp: it has not just been changed.
    pub fn is_settled(&self, now: SystemTime) -> bool {
        let now = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        self.times.iter().all(|time| *time < now.saturating_sub(GRANULARITY))
    }
}

/// Returns the numbers of the device and of the file on it.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

#[cfg(unix)]
fn times(metadata: &Metadata) -> [Duration; 2] {
    use std::os::unix::fs::MetadataExt;
    let time = |seconds, nanoseconds| {
        let seconds = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
        seconds + Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or_default())
    };
    [time(metadata.mtime(), metadata.mtime_nsec()), time(metadata.ctime(), metadata.ctime_nsec())]
}

#[cfg(not(unix))]
fn times(metadata: &Metadata) -> [Duration; 2] {
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    [modified.unwrap_or_default(); 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_have_the_identity_the_size_and_both_times() {
        let times = [Duration::new(100, 5), Duration::new(200, 5)];
        let stamp = FileStamp { device: 1, inode: 2, size: 3, times };
        let others = [
            FileStamp { device: 2, ..stamp },
            FileStamp { inode: 3, ..stamp },
            FileStamp { size: 4, ..stamp },
            FileStamp { times: [Duration::new(100, 6), times[1]], ..stamp },
            FileStamp { times: [times[0], Duration::new(200, 6)], ..stamp },
        ];
        assert!(others.iter().all(|other| *other != stamp));
        let is_settled = |seconds| stamp.is_settled(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!([0, 100, 199, 200, 202, 203].map(is_settled), [false, false, false, false, false, true]);
    }
}
