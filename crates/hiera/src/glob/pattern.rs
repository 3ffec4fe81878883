//! A pattern as its segments.

/// A pattern of paths below a directory.
#[derive(Debug)]
pub(super) struct GlobPattern {
    pub segments: Vec<GlobSegment>,
    /// Whether only directories match, as after a slash at the end.
    is_directory: bool,
}

/// Segment of a pattern between slashes.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum GlobSegment {
    /// `**/`: any number of directories.
    Recursive,
    /// A name, or several with slashes between them, without escapes.
    Plain(String),
    /// A pattern of names.
    Magical(String),
    /// A pattern with alternatives.
    Brace(String),
}

impl GlobPattern {
    /// Takes a pattern apart. See `glob_make_pattern` in Ruby's `dir.c`.
    pub fn parse(text: &str) -> Self {
        let mut pattern = Self { segments: Vec::new(), is_directory: false };
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(mut after) = rest.strip_prefix("**/") {
                loop {
                    after = after.trim_start_matches('/');
                    let Some(next) = after.strip_prefix("**/") else { break };
                    after = next;
                }
                pattern.segments.push(GlobSegment::Recursive);
                (rest, pattern.is_directory) = (after, true);
                continue;
            }
            let (segment, after) = split_segment(rest);
            pattern.is_directory = after.is_some();
            rest = after.unwrap_or_default();
            pattern.segments.push(GlobSegment::of(segment));
        }
        pattern
    }

    /// Returns true if files match the whole pattern, and not only directories.
    pub fn matches_files(&self) -> bool {
        !self.is_directory
    }

    /// Returns the text of the segments from one on.
    pub fn text_from(&self, start: usize) -> String {
        let mut text = String::new();
        for (index, segment) in self.segments.iter().enumerate().skip(start) {
            if index > start {
                text.push('/');
            }
            match segment {
                GlobSegment::Recursive => text.push_str("**"),
                GlobSegment::Plain(part) | GlobSegment::Magical(part) | GlobSegment::Brace(part) => {
                    text.push_str(part);
                }
            }
        }
        if self.is_directory {
            text.push('/');
        }
        text
    }
}

impl GlobSegment {
    /// Returns the kind of a segment. See `has_magic` in Ruby's `dir.c`.
    fn of(text: &str) -> Self {
        let mut is_magical = false;
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match c {
                '{' => return Self::Brace(text.to_owned()),
                '*' | '?' | '[' => is_magical = true,
                '\\' => _ = chars.next(),
                _ => {}
            }
        }
        if is_magical { Self::Magical(text.to_owned()) } else { Self::Plain(text.to_owned()) }
    }
}

/// Returns a pattern up to a slash, and the pattern after it. A slash in brackets or braces separates nothing.
///
/// As in Ruby, any closing bracket or brace ends whichever is open. See `find_dirsep` in Ruby's `dir.c`.
fn split_segment(text: &str) -> (&str, Option<&str>) {
    let mut is_open = false;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '[' | '{' => is_open = true,
            ']' | '}' => is_open = false,
            '\\' => _ = chars.next(),
            '/' if !is_open => {
                return (text.get(..at).unwrap_or_default(), text.get(at.saturating_add(1)..));
            }
            _ => {}
        }
    }
    (text, None)
}

/// Returns a plain segment without the backslashes that escape characters.
pub(super) fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        // A backslash at the end escapes nothing, and is dropped as well.
        plain.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    plain
}
