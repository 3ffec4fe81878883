//! Dependencies of catalogs: the reads of files during their compilation.

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use puppetfn_base::file_system::FileSystem;
use puppetfn_base::snapshot::{ReadKind, TrackedRead};
use rayon::prelude::*;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A question as it is written: the kind, the path and the digest of the answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct JournalRead(pub TrackedRead);

/// Numbers of questions, in order. They are written as `0-812,900`, since questions that nodes share are asked in the same order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReadNumbers(Vec<RangeInclusive<usize>>);

/// Questions, with a number each.
#[derive(Debug, Default)]
pub(crate) struct ReadTable {
    questions: Vec<JournalRead>,
    numbers: HashMap<JournalRead, usize>,
}

impl ReadNumbers {
    /// Returns the numbers, which are in order.
    pub fn of(sorted: impl IntoIterator<Item = usize>) -> Self {
        let mut ranges: Vec<RangeInclusive<usize>> = Vec::new();
        for number in sorted {
            match ranges.last_mut() {
                Some(last) if last.end().checked_add(1) == Some(number) => *last = *last.start()..=number,
                _ => ranges.push(number..=number),
            }
        }
        Self(ranges)
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().cloned().flatten()
    }

    /// Returns true if one of some numbers, which are in order, is among these.
    pub(crate) fn has_any(&self, sorted: &[usize]) -> bool {
        self.0.iter().any(|range| {
            let next = sorted.get(sorted.partition_point(|number| number < range.start()));
            next.is_some_and(|number| number <= range.end())
        })
    }
}

impl ReadTable {
    /// Returns the number of a question, and whether it is new.
    pub fn add(&mut self, question: JournalRead) -> (usize, bool) {
        if let Some(number) = self.numbers.get(&question) {
            return (*number, false);
        }
        let number = self.questions.len();
        self.questions.push(question.clone());
        self.numbers.insert(question, number);
        (number, true)
    }

    pub fn questions(&self) -> &[JournalRead] {
        &self.questions
    }

    pub fn into_questions(self) -> Vec<JournalRead> {
        self.questions
    }

    /// Returns other numbers for the same questions; none if one is not known.
    pub fn renumbered(numbers: &ReadNumbers, by: &[usize]) -> Option<ReadNumbers> {
        let mut found = numbers.iter().map(|number| by.get(number).copied()).collect::<Option<Vec<_>>>()?;
        found.sort_unstable();
        Some(ReadNumbers::of(found))
    }

    /// Returns the numbers of the questions that have other answers in some files, in order. Paths are relative to `root`.
    pub fn different(&self, files: &dyn FileSystem, root: &Path) -> Vec<usize> {
        let is_other =
            |question: &JournalRead| question.0.path.is_some() && !question.0.has_same_answer(files, root);
        let other = self.questions.par_iter().enumerate().filter(|(_, question)| is_other(question));
        other.map(|(number, _)| number).collect()
    }

    /// Returns the numbers of the questions that cannot be asked again, in order.
    pub fn unknown(&self) -> Vec<usize> {
        let unknown = self.questions.iter().enumerate().filter(|(_, question)| question.0.path.is_none());
        unknown.map(|(number, _)| number).collect()
    }
}

impl Display for ReadNumbers {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, range) in self.0.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            match (range.start(), range.end()) {
                (first, last) if first == last => write!(f, "{comma}{first}")?,
                (first, last) => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for ReadNumbers {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let range = |text: &str| match text.split_once('-') {
            Some((first, last)) => Ok(first.parse()?..=last.parse()?),
            None => text.parse().map(|number| number..=number),
        };
        text.split(',').filter(|part| !part.is_empty()).map(range).collect::<Result<_, _>>().map(Self)
    }
}

impl Serialize for ReadNumbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ReadNumbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl Serialize for JournalRead {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.0.kind.name(), &self.0.path, &self.0.digest).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JournalRead {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (name, path, digest) = <(String, Option<String>, String)>::deserialize(deserializer)?;
        let kind = ReadKind::ALL.into_iter().find(|kind| kind.name() == name);
        let kind =
            kind.ok_or_else(|| D::Error::custom(format!("there are no questions of the kind {name}")))?;
        Ok(Self(TrackedRead { kind, path, digest }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_ranges() {
        for (numbers, text) in [(vec![], ""), (vec![3], "3"), (vec![0, 1, 2, 5, 7, 8], "0-2,5,7-8")] {
            let made = ReadNumbers::of(numbers.iter().copied());
            assert_eq!(made.to_string(), text);
            assert_eq!(text.parse::<ReadNumbers>().unwrap(), made);
            assert_eq!(made.iter().collect::<Vec<_>>(), numbers);
        }
        assert!("1-x".parse::<ReadNumbers>().is_err());
    }

    #[test]
    fn some_of_the_numbers_are_found() {
        let numbers = ReadNumbers::of([2, 3, 4, 9]);
        for (sorted, is_among) in
            [(&[][..], false), (&[1], false), (&[1, 5, 8, 10], false), (&[1, 4], true), (&[5, 9], true)]
        {
            assert_eq!(numbers.has_any(sorted), is_among, "{sorted:?}");
        }
    }

    #[test]
    fn questions_that_are_known_keep_their_numbers() {
        let question = |path: &str| {
            JournalRead(TrackedRead {
                kind: ReadKind::Read,
                path: Some(path.to_owned()),
                digest: "0a".to_owned(),
            })
        };
        let mut reads = ReadTable::default();
        assert_eq!([reads.add(question("a")), reads.add(question("b"))], [(0, true), (1, true)]);
        assert_eq!(reads.add(question("a")), (0, false));
        let json = serde_json::to_string(&question("a")).unwrap();
        assert_eq!(json, r#"["read","a","0a"]"#);
        assert_eq!(serde_json::from_str::<JournalRead>(&json).unwrap(), question("a"));
        let numbers = ReadNumbers::of([0, 2]);
        assert_eq!(ReadTable::renumbered(&numbers, &[7, 8, 3]), Some(ReadNumbers::of([3, 7])));
        assert_eq!(ReadTable::renumbered(&numbers, &[7]), None);
    }
}
