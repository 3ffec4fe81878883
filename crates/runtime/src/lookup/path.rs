//! Joining paths as Ruby's `Pathname` does.

use std::path::{Component, Path, PathBuf};

/// Returns a path relative to a directory: what leads up is resolved without looking at links.
pub(super) fn join(directory: &Path, path: &str) -> PathBuf {
    let mut directory = directory.to_owned();
    let mut rest = Path::new(path).components();
    if rest.clone().next() == Some(Component::RootDir) {
        return PathBuf::from(path);
    }
    loop {
        match rest.clone().next() {
            Some(Component::CurDir) => {}
            Some(Component::ParentDir) => match directory.components().next_back() {
                Some(Component::Normal(_)) => {
                    directory.pop();
                }
                Some(Component::RootDir) => {}
                _ => directory.push(".."),
            },
            _ => break,
        }
        rest.next();
    }
    if rest.as_path().as_os_str().is_empty() { directory } else { directory.join(rest.as_path()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_dots_are_resolved() {
        let cases = [
            ("/a/b", "c/d", "/a/b/c/d"),
            ("/a/b", "../c", "/a/c"),
            ("/a/b", "./c", "/a/b/c"),
            ("/a/b", "../../../c", "/c"),
            ("/a/b", "/c", "/c"),
            ("/a/b", "c/../d", "/a/b/c/../d"),
            ("/a/b", "", "/a/b"),
            ("/a/b", ".", "/a/b"),
        ];
        for (directory, path, expected) in cases {
            assert_eq!(join(Path::new(directory), path), Path::new(expected), "{directory} {path}");
        }
    }
}
