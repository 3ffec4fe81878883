//! Joining paths as Ruby's `Pathname` does.

use std::path::{Component, Path, PathBuf};

/// Returns a path relative to a directory: leading `..` are resolved without looking at links.
///
/// The rest of the path stays as it is written, as patterns tell `a/.` from `a`.
pub(super) fn join(directory: &Path, path: &str) -> PathBuf {
    if path.starts_with('/') {
        return PathBuf::from(path);
    }
    let mut directory = directory.to_owned();
    let mut rest = path;
    loop {
        let (first, after) = rest.split_once('/').unwrap_or((rest, ""));
        match first {
            "." => {}
            ".." => match directory.components().next_back() {
                Some(Component::Normal(_)) => {
                    directory.pop();
                }
                Some(Component::RootDir) => {}
                _ => directory.push(".."),
            },
            _ => break,
        }
        rest = after.trim_start_matches('/');
    }
    if rest.is_empty() { directory } else { directory.join(rest) }
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
            ("/a/b", "..//./c", "/a/c"),
            ("/a/b", "", "/a/b"),
            ("/a/b", ".", "/a/b"),
        ];
        for (directory, path, expected) in cases {
            assert_eq!(join(Path::new(directory), path), Path::new(expected), "{directory} {path}");
        }
    }
}
