//! The summary of all shards.

use crate::journal;
use crate::{FleetFailure, FleetResult, FleetSummary, Folder, Shard, TimeProfile};

/// Returns the summary of a folder whose shards have ended, and removes the unfinished files of stopped processes. Nodes are
/// taken in the order of their names, so that the number of shards does not matter.
///
/// # Errors
/// Fails if a shard is missing or was stopped: the message names each, as it is to be run again with `--resume`.
pub fn merge(folder: &Folder) -> FleetResult<FleetSummary> {
    let shards = shards(folder)?;
    let (mut outcomes, mut open) = (Vec::new(), Vec::new());
    let (mut inputs, mut profile) = (None, TimeProfile::default());
    for shard in shards {
        let Some(written) = journal::read(folder, shard)? else {
            open.push(format!("{shard} was not started"));
            continue;
        };
        if written.seconds.is_none() {
            open.push(format!(
                "{shard} was stopped after {} of {} nodes",
                written.done.len(),
                written.begun.nodes
            ));
        }
        if *inputs.get_or_insert_with(|| written.begun.inputs.clone()) != written.begun.inputs {
            return Err(FleetFailure::new(format!(
                "{}: shard {shard} was compiled with other code or options than the shards before it",
                folder.root().display()
            )));
        }
        outcomes.extend(written.done);
        profile.merge(written.profile);
    }
    if !open.is_empty() {
        let missing = open.join(", ");
        return Err(FleetFailure::new(format!("{}: shards are missing: {missing}", folder.root().display())));
    }
    outcomes.sort_by(|a, b| a.node.cmp(&b.node));
    let mut summary = FleetSummary::default();
    summary.profile = profile;
    outcomes.into_iter().for_each(|outcome| summary.add(outcome));
    folder.tidy()?;
    Ok(summary.finish())
}

/// Returns all shards of the run whose journals are in the folder.
#[allow(clippy::disallowed_methods, reason = "the user names this folder")]
fn shards(folder: &Folder) -> FleetResult<Vec<Shard>> {
    let parts = folder.parts();
    let mut known = Vec::new();
    for entry in std::fs::read_dir(&parts).map_err(FleetFailure::at(&parts))? {
        let name = entry.map_err(FleetFailure::at(&parts))?.file_name();
        let name = name.to_string_lossy();
        let shard = name.strip_suffix(".jsonl").map(|name| name.replace("-of-", "/").parse::<Shard>());
        known.extend(shard.and_then(std::result::Result::ok));
    }
    let Some(one) = known.first() else {
        return Err(FleetFailure::of_file(&parts, "no shard was started"));
    };
    let siblings: Vec<Shard> = one.siblings().collect();
    if let Some(other) = known.iter().find(|shard| !siblings.contains(shard)) {
        return Err(FleetFailure::of_file(
            &parts,
            format!("there are shards of different runs: {one} and {other}"),
        ));
    }
    Ok(siblings)
}
