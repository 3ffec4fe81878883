//! Words within lines that differ.

use similar::DiffOp;

use crate::detail::operations;

/// The maximum number of words that are compared one by one; longer texts are marked as a whole.
const WORDS: usize = 4_000;

/// A part of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LinePart<'t> {
    /// The text.
    pub text: &'t str,
    /// Whether the part is missing or different on the other side.
    pub is_changed: bool,
}

/// The parts of lines.
pub(crate) type LineParts<'t> = Vec<Vec<LinePart<'t>>>;

/// Returns the parts of old lines and of the new lines that replaced them. Lines that have little in common have one
/// part each: single equal words mean nothing there.
pub(crate) fn changed<'t>(old: &[&'t str], new: &[&'t str]) -> (LineParts<'t>, LineParts<'t>) {
    marked(old, new).unwrap_or_else(|| (whole(old), whole(new)))
}

fn marked<'t>(old: &[&'t str], new: &[&'t str]) -> Option<(LineParts<'t>, LineParts<'t>)> {
    let (old, new) = (words(old)?, words(new)?);
    let (old_marks, new_marks) = marks(&old, &new)?;
    Some((parts(&old, &old_marks), parts(&new, &new_marks)))
}

fn whole<'t>(lines: &[&'t str]) -> LineParts<'t> {
    lines.iter().map(|text| vec![LinePart { text, is_changed: false }]).collect()
}

/// The end of a line in a list of words.
const END: &str = "\n";

/// Returns the words of lines and the texts between them, unless they are too many.
fn words<'t>(lines: &[&'t str]) -> Option<Vec<&'t str>> {
    let mut words = Vec::new();
    for line in lines {
        let mut rest = *line;
        while let Some(first) = rest.chars().next() {
            if words.len() >= WORDS {
                return None;
            }
            let kind = WordKind::of(first);
            let end = match kind {
                WordKind::Sign => first.len_utf8(),
                WordKind::Word | WordKind::Blank => {
                    rest.find(|c| WordKind::of(c) != kind).unwrap_or(rest.len())
                }
            };
            let (word, after) = rest.split_at(end);
            words.push(word);
            rest = after;
        }
        words.push(END);
    }
    Some(words)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WordKind {
    Word,
    Blank,
    Sign,
}

impl WordKind {
    fn of(c: char) -> Self {
        match c {
            c if is_word(c) => Self::Word,
            c if c.is_whitespace() => Self::Blank,
            _ => Self::Sign,
        }
    }
}

/// Returns marks for the words that changed, unless the lines have little in common.
fn marks(old: &[&str], new: &[&str]) -> Option<(Vec<bool>, Vec<bool>)> {
    let (mut old_marks, mut new_marks) = (vec![true; old.len()], vec![true; new.len()]);
    for operation in operations(old, new) {
        if let DiffOp::Equal { old_index, new_index, len } = operation {
            for (marks, start) in [(&mut old_marks, old_index), (&mut new_marks, new_index)] {
                marks.iter_mut().skip(start).take(len).for_each(|mark| *mark = false);
            }
        }
    }
    let weigh = |words: &[&str], marks: &[bool], which: bool| -> usize {
        let counted =
            words.iter().zip(marks).filter(|(word, mark)| **mark == which && word.starts_with(is_word));
        counted.map(|(word, _)| word.len()).fold(0, usize::saturating_add)
    };
    let same = weigh(old, &old_marks, false);
    let changed = weigh(old, &old_marks, true).max(weigh(new, &new_marks, true));
    if same.saturating_mul(2) < changed {
        return None;
    }
    join(old, &mut old_marks);
    join(new, &mut new_marks);
    Some((old_marks, new_marks))
}

/// Marks blanks between words that changed, so that these are one part.
fn join(words: &[&str], marks: &mut [bool]) {
    for index in 1..words.len() {
        let is_marked = |at: usize, marks: &[bool]| marks.get(at).copied().unwrap_or(false);
        let is_between =
            is_marked(index.saturating_sub(1), marks) && is_marked(index.saturating_add(1), marks);
        let is_blank = words.get(index).is_some_and(|word| *word != END && word.trim().is_empty());
        if let (true, true, Some(mark)) = (is_between, is_blank, marks.get_mut(index)) {
            *mark = true;
        }
    }
}

/// Merges adjacent words of the same kind, line by line.
fn parts<'t>(words: &[&'t str], marks: &[bool]) -> LineParts<'t> {
    let mut lines = Vec::new();
    let mut line: Vec<LinePart<'t>> = Vec::new();
    for (&text, &is_changed) in words.iter().zip(marks) {
        if text == END {
            // A line that is entirely different gets no marks.
            let is_whole = line.iter().all(|part| part.is_changed || part.text.trim().is_empty());
            line.iter_mut().for_each(|part| part.is_changed &= !is_whole);
            lines.push(std::mem::take(&mut line));
        } else {
            line.push(LinePart { text, is_changed });
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns lines with the changed parts in brackets.
    fn shown(lines: &LineParts<'_>) -> Vec<String> {
        let part = |part: &LinePart<'_>| match part.is_changed {
            true => format!("[{}]", part.text),
            false => part.text.to_owned(),
        };
        lines.iter().map(|line| line.iter().map(part).collect::<String>().replace("][", "")).collect()
    }

    fn compared(old: &[&str], new: &[&str]) -> (Vec<String>, Vec<String>) {
        let (old, new) = changed(old, new);
        (shown(&old), shown(&new))
    }

    #[test]
    fn words_that_differ_are_marked() {
        let (old, new) = compared(&["worker_processes = 4;"], &["worker_processes = 16;"]);
        assert_eq!(
            (old[0].as_str(), new[0].as_str()),
            ("worker_processes = [4];", "worker_processes = [16];")
        );
        let (old, new) = compared(&["server a b", "  listen 80"], &["server a b", "  listen on all 80"]);
        assert_eq!((old[1].as_str(), new[1].as_str()), ("  listen 80", "  listen [on all ]80"));
    }

    #[test]
    fn lines_with_little_in_common_are_not_picked_to_pieces() {
        let (old, new) = compared(&["one line of a text"], &["quite another of which"]);
        assert_eq!((old[0].as_str(), new[0].as_str()), ("one line of a text", "quite another of which"));
    }

    #[test]
    fn all_of_the_lines_comes_out_again() {
        for text in ["", "  a\tb ", "ä-ö_ü\u{200b}", "\u{1f600}x\r"] {
            let (old, _) = changed(&[text, "same same same"], &["same same same"]);
            let lines: Vec<String> =
                old.iter().map(|line| line.iter().map(|part| part.text).collect()).collect();
            assert_eq!(lines, [text, "same same same"]);
        }
        let long = "a ".repeat(5_000_000);
        assert_eq!(changed(&[&long], &["a"]).0[0].len(), 1);
    }
}
