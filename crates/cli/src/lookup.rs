//! `puppetfn lookup`.

use std::io::Write;

use super::args::compile::CompileInputArgs;
use super::args::{Lookup, LookupFormat, MergeChoice};
use super::call::report;
use super::compile::report as report_log;
use super::{CommandFailure, CommandHost, CompileOptions, LookupRequest, OK, Request};
use puppetfn_base::limits::Limits;
use puppetfn_compile::NodePlan;
use puppetfn_runtime::settings;
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
        let node = self.node.clone().map_or_else(|| self.certname(), Ok)?;
        let (configuration, facts) = (self.given.configuration(), self.given.settings.facts());
        if self.compile {
            let mut log = Vec::new();
            let plan = configuration.checked_plan(&node, &facts, &mut log);
            report_log(&log, err);
            let NodePlan { options, request, .. } = plan?;
            return Ok((options, request));
        }
        let CompileInputArgs { manifest, classes, enc, .. } = &self.given;
        let of_catalogs = [
            ("--manifest", manifest.is_some()),
            ("--classes", !classes.is_empty()),
            ("--enc", enc.is_some()),
        ];
        match of_catalogs.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => {
                Err(CommandFailure::Usage(format!("{option} needs --compile, which compiles the catalog")))
            }
            None => Ok(configuration.codeless_plan(&node, &facts)?),
        }
    }

    /// Returns the name of the node that the command runs on.
    fn certname(&self) -> Result<String, CommandFailure> {
        let resolved = settings::resolve(&self.given.configuration().puppet_settings()?)?;
        match resolved.get_str("certname") {
            Some(Value::String(name)) => Ok(name.to_string()),
            _ => Ok("localhost".to_owned()),
        }
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
