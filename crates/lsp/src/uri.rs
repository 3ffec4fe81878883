//! URIs of files.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::Uri;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// The characters of a path that are percent-encoded.
const RESERVED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Returns the path of a `file` URI; `None` for other URIs.
pub(crate) fn path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    // A host may precede the path.
    let path = rest.get(rest.find('/')?..)?;
    Some(PathBuf::from(percent_decode_str(path).decode_utf8().ok()?.into_owned()))
}

/// Returns the URI of a file.
pub(crate) fn uri(path: &Path) -> Option<Uri> {
    let path = path.to_str()?;
    Uri::from_str(&format!("file://{}", utf8_percent_encode(path, RESERVED))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_of_files() {
        for name in ["/a/b.pp", "/a b/é[1]%20.pp", "/x#y?z"] {
            let address = uri(Path::new(name)).unwrap();
            assert_eq!(path(&address).as_deref(), Some(Path::new(name)));
        }
        assert_eq!(path(&Uri::from_str("untitled:Untitled-1").unwrap()), None);
        assert_eq!(path(&Uri::from_str("file://host/a").unwrap()), Some("/a".into()));
    }
}
