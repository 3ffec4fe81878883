//! `puppetfn lookup`.

use std::io::Write;

use super::args::{Lookup, LookupFormat, Merge};
use super::call::report;
use super::compile::trusted;
use super::{Failure, Host, OK, Options, Question};
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::{json, yaml};
use puppetfn_types::types::parse::{NoAliases, parse};
use puppetfn_types::value::Value;

pub(super) fn run(
    lookup: &Lookup,
    host: &mut dyn Host,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, Failure> {
    let options = lookup.options()?;
    let keys: Vec<Value> = lookup.keys.iter().map(|key| key.as_str().into()).collect();
    // The options of no key in particular are looked up for one that Puppet reserves.
    let keys = if keys.is_empty() { vec!["__global__".into()] } else { keys };
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
        given.push(("default_value".into(), text.as_str().into()));
    }
    let outcome = host.call(&options, "lookup", &[given.into_iter().collect()]);
    report(&outcome, err);
    lookup.write(&outcome.result?, &options.limits, out)?;
    Ok(OK)
}

impl Lookup {
    /// Returns the options with the facts of the node, and its trusted data.
    fn options(&self) -> Result<Options, Failure> {
        let Some(node) = &self.node else { return self.settings.options() };
        let facts = self.settings.facts(Some(node))?;
        let mut options = self.settings.options_with(facts.values)?;
        if self.settings.trusted.is_none() {
            options.trusted = facts.trusted.unwrap_or_else(|| trusted(node, &options.facts));
        }
        Ok(options)
    }

    /// Prints the value as `puppet lookup` does.
    fn write(&self, value: &Value, limits: &Limits, out: &mut dyn Write) -> Result<(), Failure> {
        match self.render_as {
            _ if self.json => writeln!(out, "{}", json::to_json(value, limits)?)?,
            // Nothing shows a secret.
            LookupFormat::Yaml if !matches!(value, Value::Sensitive(_)) => {
                write!(out, "{}", yaml::to_yaml(value, limits)?)?;
            }
            LookupFormat::Json => writeln!(out, "{}", json::to_json(value, limits)?)?,
            LookupFormat::S | LookupFormat::Yaml => writeln!(out, "{}", value.ruby_to_s(limits)?)?,
        }
        Ok(())
    }

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
