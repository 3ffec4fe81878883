//! `puppetfn lookup`.

use std::io::Write;

use super::args::{Lookup, Merge};
use super::call::{argument, tell};
use super::{Failure, Host, OK, Question};
use puppetfn_types::types::parse::{NoAliases, parse};
use puppetfn_types::value::Value;

pub(super) fn run(
    lookup: &Lookup,
    host: &mut dyn Host,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, Failure> {
    let options = lookup.settings.options()?;
    let keys: Vec<Value> = lookup.keys.iter().map(|key| key.as_str().into()).collect();
    let (name, merge) = (Value::from(keys), lookup.merge()?);
    if lookup.explain || lookup.explain_options {
        let question = Question { name, merge, only_options: lookup.explain_options && !lookup.explain };
        write!(out, "{}", host.explain_lookup(&options, &question)?)?;
        return Ok(OK);
    }
    let mut given = vec![("name".into(), name)];
    if let Some(merge) = merge {
        given.push(("merge".into(), merge));
    }
    if let Some(text) = &lookup.value_type {
        let t = parse(text, &NoAliases, &options.limits)
            .map_err(|error| Failure::Usage(format!("--type: {error}")))?;
        given.push(("value_type".into(), t.into()));
    }
    if let Some(text) = &lookup.default {
        given.push(("default_value".into(), argument(text, &options.limits)?));
    }
    tell(
        host.call(&options, "lookup", &[given.into_iter().collect()]),
        lookup.json,
        &options.limits,
        out,
        err,
    )
}

impl Lookup {
    /// Returns the strategy with its options.
    fn merge(&self) -> Result<Option<Value>, Failure> {
        let has_options =
            self.knock_out_prefix.is_some() || self.sort_merged_arrays || self.merge_hash_arrays;
        let name = match self.merge {
            Some(Merge::Deep) => "deep",
            _ if has_options => {
                let options = "--knock-out-prefix, --sort-merged-arrays, and --merge-hash-arrays";
                return Err(Failure::Usage(format!(
                    "the options {options} are only available with --merge deep"
                )));
            }
            None => return Ok(None),
            Some(Merge::First) => "first",
            Some(Merge::Unique) => "unique",
            Some(Merge::Hash) => "hash",
        };
        let mut merge = vec![("strategy".into(), name.into())];
        if let Some(prefix) = &self.knock_out_prefix {
            merge.push(("knockout_prefix".into(), prefix.as_str().into()));
        }
        for (option, is_set) in
            [("sort_merged_arrays", self.sort_merged_arrays), ("merge_hash_arrays", self.merge_hash_arrays)]
        {
            if is_set {
                merge.push((option.into(), true.into()));
            }
        }
        Ok(Some(merge.into_iter().collect()))
    }
}
