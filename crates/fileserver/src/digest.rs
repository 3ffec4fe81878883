//! Digests of contents.

use std::fmt::Write as _;
use std::io::{self, Read};

use md5::Md5;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::{Sha224, Sha256, Sha384, Sha512};

/// The length of the prefix that lite checksums digest, in bytes.
const LITE_BYTES: u64 = 512;

/// A digest of a file's content.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ContentDigest {
    algorithm: Algorithm,
    /// Whether only the first bytes count.
    is_lite: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Algorithm {
    Md5,
    Sha1,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
}

impl ContentDigest {
    /// Returns the digest of a name of Puppet's.
    pub fn parse(name: &str) -> Option<Self> {
        let (name, is_lite) = match name {
            "md5lite" | "sha1lite" | "sha256lite" => (name.trim_end_matches("lite"), true),
            name => (name, false),
        };
        let algorithm = match name {
            "md5" => Algorithm::Md5,
            "sha1" => Algorithm::Sha1,
            "sha224" => Algorithm::Sha224,
            "sha256" => Algorithm::Sha256,
            "sha384" => Algorithm::Sha384,
            "sha512" => Algorithm::Sha512,
            _ => return None,
        };
        Some(Self { algorithm, is_lite })
    }

    /// Returns the number of hexadecimal digits of each digest.
    pub fn length(self) -> usize {
        2 * match self.algorithm {
            Algorithm::Md5 => Md5::output_size(),
            Algorithm::Sha1 => Sha1::output_size(),
            Algorithm::Sha224 => Sha224::output_size(),
            Algorithm::Sha256 => Sha256::output_size(),
            Algorithm::Sha384 => Sha384::output_size(),
            Algorithm::Sha512 => Sha512::output_size(),
        }
    }

    /// Returns the digest of a content in hexadecimal digits.
    ///
    /// # Errors
    /// Fails if the content cannot be read.
    pub fn of_content(self, file: &mut impl Read) -> io::Result<String> {
        match self.algorithm {
            Algorithm::Md5 => self.digest::<Md5>(file),
            Algorithm::Sha1 => self.digest::<Sha1>(file),
            Algorithm::Sha224 => self.digest::<Sha224>(file),
            Algorithm::Sha256 => self.digest::<Sha256>(file),
            Algorithm::Sha384 => self.digest::<Sha384>(file),
            Algorithm::Sha512 => self.digest::<Sha512>(file),
        }
    }

    fn digest<D: Digest>(self, file: &mut impl Read) -> io::Result<String> {
        let mut source = file.take(if self.is_lite { LITE_BYTES } else { u64::MAX });
        let mut digest = D::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            let read = match source.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            digest.update(buffer.get(..read).unwrap_or_default());
        }
        let mut text = String::new();
        for byte in digest.finalize() {
            _ = write!(text, "{byte:02x}");
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum::CHECKSUM_TYPES;

    #[test]
    fn digests_have_their_length() {
        let digests: Vec<_> = CHECKSUM_TYPES.into_iter().filter_map(ContentDigest::parse).collect();
        assert_eq!(digests.len(), 9);
        for digest in digests {
            assert_eq!(digest.of_content(&mut &b"content"[..]).unwrap().len(), digest.length(), "{digest:?}");
        }
    }
}
