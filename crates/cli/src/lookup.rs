//! `puppetfn lookup`.

use std::io::Write;

use super::args::{Lookup, LookupFormat, MergeChoice};
use super::call::report;
use super::compile::report as report_log;
use super::{CommandFailure, CommandHost, CompileOptions, LookupRequest, OK, Request};
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::{json, yaml};
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::{NoAliases, parse};
use puppetfn_types::value::Value;

pub(super) fn run(
    lookup: &Lookup,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let merge = lookup.merge()?;
    let (options, catalog) = lookup.subject(err)?;
    let keys: Vec<Value> = lookup.keys.iter().map(|key| key.as_str().into()).collect();
    // The options of no key in particular are looked up for one that Puppet reserves.
    let keys = if keys.is_empty() { vec!["__global__".into()] } else { keys };
    let question = LookupRequest {
        name: Value::from(keys),
        merge,
        value_type: lookup.value_type(&options.limits)?,
        default: lookup.default.as_deref().map(Value::from),
        only_options: lookup.explain_options && !lookup.explain,
        catalog,
    };
    if lookup.explain || lookup.explain_options {
        let outcome = host.explain_lookup(&options, &question);
        report(&outcome.log, err);
        let explanation = outcome.result?;
        match lookup.format() {
            Some(LookupFormat::Yaml) => {
                write!(out, "{}", yaml::to_yaml_with_aliases(&explanation.data, &options.limits)?)?
            }
            Some(LookupFormat::Json) => {
                writeln!(out, "{}", json::to_json(&explanation.data, &options.limits)?)?
            }
            Some(LookupFormat::S) | None => write!(out, "{}", explanation.text)?,
        }
        return Ok(OK);
    }
    let outcome = host.look_up(&options, &question);
    report(&outcome.log, err);
    lookup.write(&outcome.result?, &options.limits, out)?;
    Ok(OK)
}

impl Lookup {
    /// Returns the options with the facts of the node and its trusted data, and the catalog to compile first.
    fn subject(&self, err: &mut dyn Write) -> Result<(CompileOptions, Request), CommandFailure> {
        let mut log = Vec::new();
        let subject = self.given.subject(self.node.as_deref(), self.compile, &mut log);
        report_log(&log, err);
        Ok(subject?)
    }

    fn value_type(&self, limits: &Limits) -> Result<Option<Type>, CommandFailure> {
        let parsed = self.value_type.as_deref().map(|text| parse(text, &NoAliases, limits));
        parsed.transpose().map_err(|error| CommandFailure::Usage(format!("--type: {error}")))
    }

    fn format(&self) -> Option<LookupFormat> {
        if self.json { Some(LookupFormat::Json) } else { self.render_as }
    }

    /// Prints the value as `puppet lookup` does.
    fn write(&self, value: &Value, limits: &Limits, out: &mut dyn Write) -> Result<(), CommandFailure> {
        match self.format() {
            // Nothing shows a secret.
            None | Some(LookupFormat::Yaml) if !matches!(value, Value::Sensitive(_)) => {
                write!(out, "{}", yaml::to_yaml(value, limits)?)?;
            }
            Some(LookupFormat::Json) => writeln!(out, "{}", json::to_json(value, limits)?)?,
            None | Some(LookupFormat::S | LookupFormat::Yaml) => {
                let text = value.ruby_to_s(limits)?;
                // As Ruby's `puts`.
                write!(out, "{text}{}", if text.ends_with('\n') { "" } else { "\n" })?;
            }
        }
        Ok(())
    }

    /// Returns the strategy with its options.
    fn merge(&self) -> Result<Option<Value>, CommandFailure> {
        let has_options =
            self.knock_out_prefix.is_some() || self.sort_merged_arrays || self.merge_hash_arrays;
        let name = match self.merge {
            Some(MergeChoice::Deep) => return Ok(Some(self.deep_merge())),
            _ if has_options => {
                let options = "--knock-out-prefix, --sort-merged-arrays, and --merge-hash-arrays";
                return Err(CommandFailure::Usage(format!(
                    "The options {options} are only available with '--merge deep'"
                )));
            }
            None => return Ok(None),
            Some(MergeChoice::First) => "first",
            Some(MergeChoice::Unique) => "unique",
            Some(MergeChoice::Hash) => "hash",
        };
        Ok(Some([("strategy".into(), name.into())].into_iter().collect()))
    }

    fn deep_merge(&self) -> Value {
        let mut merge: Vec<(Value, Value)> = vec![
            ("strategy".into(), "deep".into()),
            ("sort_merged_arrays".into(), self.sort_merged_arrays.into()),
            ("merge_hash_arrays".into(), self.merge_hash_arrays.into()),
        ];
        if let Some(prefix) = &self.knock_out_prefix {
            merge.push(("knockout_prefix".into(), prefix.as_str().into()));
        }
        merge.into_iter().collect()
    }
}
