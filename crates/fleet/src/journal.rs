//! Journals: a line of JSON for each finished node of a shard, from which a stopped run is resumed.
#![allow(clippy::disallowed_methods, reason = "the user names the folder that these files are in")]

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::reads::{JournalRead, ReadTable};
use crate::reuse::{CurrentInputs, ReadComparison};
use crate::{
    FleetFailure, FleetNode, FleetResult, Folder, NodeOutcome, ResultFileKind, Shard, TimeProfile,
    WorkerResponse,
};

/// The inputs of a shard's run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunInputs {
    /// The number of nodes.
    pub nodes: usize,
    /// A digest of the inputs besides facts.
    pub inputs: String,
    /// A digest of the options alone, without code and data.
    #[serde(default)]
    pub options: String,
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JournalLine {
    Begun(RunInputs),
    /// Questions about files, whose numbers continue the earlier ones.
    Asked(Vec<JournalRead>),
    Done(NodeOutcome),
    Ended {
        seconds: f64,
        #[serde(default)]
        profile: TimeProfile,
    },
}

/// The treatment of earlier results of a shard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartMode {
    /// Earlier results are an error.
    New,
    /// Earlier results are kept, and the remaining nodes compiled.
    Resumed,
    /// Earlier results are dropped, and all nodes compiled.
    Again,
}

/// The journal of a shard that is being compiled.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Outcomes of an earlier run.
    done: Vec<NodeOutcome>,
    /// The nodes that are done.
    known: HashSet<String>,
    /// The digest of the options.
    options: String,
    /// The recorded reads of files.
    reads: ReadTable,
    /// The numbers in this journal of each process's own questions.
    numbers: HashMap<usize, Vec<usize>>,
}

/// The contents of a shard's journal.
#[derive(Debug)]
pub(crate) struct JournalContent {
    pub begun: RunInputs,
    pub done: Vec<NodeOutcome>,
    /// The recorded reads of files.
    pub reads: ReadTable,
    /// The duration of the whole run in seconds, if it has ended.
    pub seconds: Option<f64>,
    /// The times of evaluated code.
    pub profile: TimeProfile,
}

impl Journal {
    /// Opens the journal of a shard. With [`StartMode::Resumed`], it keeps earlier outcomes whose inputs have not changed.
    ///
    /// # Errors
    /// Fails if the file system does, if the shard was begun with other inputs, or if it was begun and `start` is [`StartMode::New`].
    pub fn begin(
        folder: &Folder,
        shard: Shard,
        begun: &RunInputs,
        start: StartMode,
        now: CurrentInputs<'_>,
    ) -> FleetResult<Self> {
        let path = folder.parts().join(shard.file_name());
        let known = read(folder, shard)?;
        if let Some(known) = &known {
            check(folder, known, begun, start)?;
        }
        let known = known.filter(|_| start == StartMode::Resumed);
        let (mut done, reads) = known.map(|known| (known.done, known.reads)).unwrap_or_default();
        // Nodes without a catalog are tried again: the reason may have been the one that stopped the run.
        let compared = ReadComparison::new(&reads, now);
        let is_there = |outcome: &NodeOutcome| folder.path(ResultFileKind::Catalog, &outcome.node).is_file();
        done.retain(|outcome| compared.may_be_same(outcome) && is_there(outcome));
        // Written anew: the last line may be one that was cut off.
        let mut lines =
            vec![JournalLine::Begun(begun.clone()), JournalLine::Asked(reads.questions().to_vec())];
        lines.extend(done.iter().cloned().map(JournalLine::Done));
        let text: String =
            lines.iter().filter_map(|line| Some(serde_json::to_string(line).ok()? + "\n")).collect();
        folder.write_file(&path, text.as_bytes())?;
        let file = OpenOptions::new().append(true).open(&path).map_err(FleetFailure::at(&path))?;
        let known = done.iter().map(|outcome| outcome.node.clone()).collect();
        let options = begun.options.clone();
        Ok(Self { path, file, done, known, options, reads, numbers: HashMap::new() })
    }

    /// Takes the outcomes of earlier runs.
    pub fn take_done(&mut self) -> Vec<NodeOutcome> {
        std::mem::take(&mut self.done)
    }

    /// Returns true if a node is done: by an earlier run, or taken over.
    pub fn has(&self, node: &str) -> bool {
        self.known.contains(node)
    }

    /// Adds the answer of a process, with the digest of the node's facts, and returns the outcome.
    ///
    /// # Errors
    /// Fails if the file system does.
    pub fn add(
        &mut self,
        process: usize,
        answer: WorkerResponse,
        facts: Option<&String>,
    ) -> FleetResult<NodeOutcome> {
        let WorkerResponse { mut outcome, asked } = answer;
        let mut numbers = self.numbers.remove(&process).unwrap_or_default();
        numbers.extend(self.number(asked)?);
        outcome.reads = outcome.reads.and_then(|reads| ReadTable::renumbered(&reads, &numbers));
        outcome.facts = facts.cloned();
        self.numbers.insert(process, numbers);
        self.write_done(outcome)
    }

    fn write_done(&mut self, outcome: NodeOutcome) -> FleetResult<NodeOutcome> {
        self.write(&JournalLine::Done(outcome.clone()))?;
        Ok(outcome)
    }

    /// Takes over the catalogs of some nodes that were compiled in another state with the same options, and would be the same now.
    /// Returns their outcomes.
    ///
    /// # Errors
    /// Fails if the file system does, or if the other folder has a journal that cannot be read.
    pub fn take_over(
        &mut self,
        folder: &Folder,
        other: &Folder,
        nodes: &[FleetNode],
        now: CurrentInputs<'_>,
    ) -> FleetResult<Vec<NodeOutcome>> {
        let written = read(other, Shard::ALL)?.filter(|written| written.begun.options == self.options);
        let Some(written) = written else { return Ok(Vec::new()) };
        let compared = ReadComparison::new(&written.reads, now);
        let wanted: HashSet<&str> = nodes.iter().map(|node| &*node.name).collect();
        let mut same = written.done;
        same.retain(|outcome| wanted.contains(&*outcome.node) && compared.is_same(outcome));
        if same.is_empty() {
            return Ok(same);
        }
        let numbers = self.number(written.reads.into_questions())?;
        let mut taken = Vec::new();
        for mut outcome in same {
            if !folder.take(other, &outcome.node)? {
                continue;
            }
            outcome.seconds = 0.0;
            outcome.reads = outcome.reads.and_then(|reads| ReadTable::renumbered(&reads, &numbers));
            self.known.insert(outcome.node.clone());
            taken.push(self.write_done(outcome)?);
        }
        Ok(taken)
    }

    /// Returns the numbers of questions. New questions are written to the journal.
    fn number(&mut self, asked: impl IntoIterator<Item = JournalRead>) -> FleetResult<Vec<usize>> {
        let (mut numbers, mut added) = (Vec::new(), Vec::new());
        for question in asked {
            let (number, is_new) = self.reads.add(question.clone());
            numbers.push(number);
            if is_new {
                added.push(question);
            }
        }
        if !added.is_empty() {
            self.write(&JournalLine::Asked(added))?;
        }
        Ok(numbers)
    }

    /// Records the end of the shard, with the duration and the times of evaluated code.
    ///
    /// # Errors
    /// Fails if the file system does.
    pub fn end(mut self, seconds: f64, profile: TimeProfile) -> FleetResult<()> {
        self.write(&JournalLine::Ended { seconds, profile })
    }

    fn write(&mut self, line: &JournalLine) -> FleetResult<()> {
        let text = serde_json::to_string(line).map_err(|error| FleetFailure::of_file(&self.path, error))?;
        self.file.write_all(format!("{text}\n").as_bytes()).map_err(FleetFailure::at(&self.path))
    }
}

fn check(folder: &Folder, known: &JournalContent, begun: &RunInputs, start: StartMode) -> FleetResult<()> {
    let root = folder.root().display();
    if start == StartMode::New {
        let what = if known.seconds.is_some() { "ended" } else { "was stopped" };
        return Err(FleetFailure::new(format!(
            "{root} has a run that {what}: resume it with --resume, or name another folder"
        )));
    }
    if known.begun.inputs != begun.inputs {
        return Err(FleetFailure::new(format!(
            "{root} has a run with other code, data or options: remove it, or name another folder"
        )));
    }
    Ok(())
}

/// Reads the journal of a shard; `None` if the shard was not begun.
pub(crate) fn read(folder: &Folder, shard: Shard) -> FleetResult<Option<JournalContent>> {
    let path = folder.parts().join(shard.file_name());
    let Ok(file) = File::open(&path) else { return Ok(None) };
    let mut written: Option<JournalContent> = None;
    let mut places: HashMap<String, usize> = HashMap::new();
    for (index, line) in BufReader::new(file).lines().enumerate() {
        let line = line.map_err(FleetFailure::at(&path))?;
        let parsed = serde_json::from_str(&line);
        match (parsed, &mut written) {
            (Ok(JournalLine::Begun(begun)), None) => {
                let (done, reads, profile) = Default::default();
                written = Some(JournalContent { begun, done, reads, seconds: None, profile });
            }
            (Ok(JournalLine::Asked(questions)), Some(written)) => {
                questions.into_iter().for_each(|question| _ = written.reads.add(question));
            }
            (Ok(JournalLine::Done(outcome)), Some(written)) => match places.get(&outcome.node) {
                // It was compiled again, as its answers from exported resources have changed.
                Some(place) => {
                    written.done.get_mut(*place).into_iter().for_each(|known| *known = outcome.clone())
                }
                None => {
                    places.insert(outcome.node.clone(), written.done.len());
                    written.done.push(outcome);
                }
            },
            (Ok(JournalLine::Ended { seconds, profile }), Some(written)) => {
                written.seconds = Some(seconds);
                written.profile = profile;
            }
            // The line that was being written when the process was stopped.
            (Err(error), Some(_)) if error.is_eof() => {}
            _ => {
                return Err(FleetFailure::of_file(
                    &path,
                    format!("line {} is not a journal entry", index + 1),
                ));
            }
        }
    }
    Ok(written)
}
