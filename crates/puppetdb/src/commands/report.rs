//! The command that stores the report of an agent's run.

use jiff::{SignedDuration, Timestamp};
use puppetfn_base::error::{Error, ErrorKind};
use serde_json::{Map, Value as Json, json};

use super::{PuppetDbCommand, Sender};

/// Returns the command that stores a report, which is given in the form in which agents send it
/// (`Puppet::Transaction::Report#to_data_hash`). Resources without events are left out unless they were skipped or `has_unchanged` is true, as
/// PuppetDB's termini do.
///
/// # Errors
/// Fails if the report has no environment, no host, or a time that is none.
pub fn store_report(report: &Json, has_unchanged: bool, sender: &Sender) -> Result<PuppetDbCommand, Error> {
    let text = |name: &str| match report.get(name).and_then(Json::as_str) {
        Some(text) => Ok(text),
        None => Err(wrong(format!("the report has no {name}"))),
    };
    let (host, environment) = (text("host")?, text("environment")?);
    let statuses =
        report.get("resource_statuses").and_then(Json::as_object).into_iter().flat_map(Map::values);
    let resources = statuses.map(resource).collect::<Result<Vec<_>, Error>>()?;
    let reported = resources.iter().filter(|resource| {
        has_unchanged || !events(resource).is_empty() || resource["skipped"] == json!(true)
    });
    let reported: Vec<Json> = reported.cloned().collect();
    let start = text("time")?;
    let seconds = report.pointer("/metrics/time/values").and_then(total).unwrap_or_default();
    let payload = json!({
        "certname": host,
        "job_id": report.get("job_id"),
        "puppet_version": report.get("puppet_version"),
        "report_format": report.get("report_format"),
        "configuration_version": shown(report.get("configuration_version")),
        "producer_timestamp": sender.timestamp(),
        "start_time": wire_time(start, 0.0)?,
        "end_time": wire_time(start, seconds)?,
        "environment": environment,
        "transaction_uuid": report.get("transaction_uuid"),
        "status": report.get("status"),
        "noop": report.get("noop").filter(|noop| !noop.is_null()).cloned().unwrap_or_else(|| is_noop(&reported).into()),
        "noop_pending": report.get("noop_pending"),
        "corrective_change": report.get("corrective_change"),
        "logs": items(report.get("logs")).map(log).collect::<Result<Vec<_>, Error>>()?,
        "metrics": metrics(report),
        "resources": reported,
        "catalog_uuid": report.get("catalog_uuid"),
        "code_id": report.get("code_id"),
        "cached_catalog_status": report.get("cached_catalog_status"),
        "producer": sender.producer,
    });
    let (certname, timestamp) = (host.to_owned(), sender.timestamp());
    Ok(PuppetDbCommand { name: "store_report", version: 8, certname, timestamp, payload })
}

fn wrong(message: String) -> Error {
    Error::new(ErrorKind::Load, message)
}

fn items(list: Option<&Json>) -> impl Iterator<Item = &Json> {
    list.and_then(Json::as_array).into_iter().flatten()
}

fn events(resource: &Json) -> &[Json] {
    resource["events"].as_array().map_or(&[], Vec::as_slice)
}

/// Returns true if nothing was changed, and something would have been.
fn is_noop(resources: &[Json]) -> bool {
    let mut events = resources.iter().flat_map(events).map(|event| event["status"] == json!("noop"));
    let first = events.next();
    first == Some(true) && events.all(|is_noop| is_noop)
}

/// Returns the value of the metric `total`.
fn total(values: &Json) -> Option<f64> {
    values.as_array()?.iter().find(|value| value[0] == json!("total"))?.get(2)?.as_f64()
}

fn resource(status: &Json) -> Result<Json, Error> {
    Ok(json!({
        "skipped": status.get("skipped"),
        "timestamp": time_of(status)?,
        "resource_type": status.get("resource_type"),
        "resource_title": shown(status.get("title")),
        "file": status.get("file"),
        "line": status.get("line"),
        "containment_path": status.get("containment_path"),
        "corrective_change": status.get("corrective_change"),
        "events": items(status.get("events")).map(event).collect::<Result<Vec<_>, Error>>()?,
    }))
}

fn event(event: &Json) -> Result<Json, Error> {
    Ok(json!({
        "status": event.get("status"),
        "timestamp": time_of(event)?,
        "name": event.get("name"),
        "property": event.get("property"),
        "new_value": shown(event.get("desired_value")),
        "old_value": shown(event.get("previous_value")),
        "corrective_change": event.get("corrective_change"),
        "message": event.get("message"),
    }))
}

fn log(log: &Json) -> Result<Json, Error> {
    Ok(json!({
        "file": log.get("file"),
        "line": log.get("line"),
        "level": log.get("level"),
        "message": log.get("message"),
        "source": log.get("source"),
        "tags": log.get("tags"),
        "time": time_of(log)?,
    }))
}

fn metrics(report: &Json) -> Vec<Json> {
    let metrics = report.get("metrics").and_then(Json::as_object).into_iter().flatten();
    let values = |(category, metric): (&String, &Json)| -> Vec<Json> {
        let name = metric.get("name").and_then(Json::as_str).unwrap_or(category);
        let value = |value: &Json| json!({"category": name, "name": value.get(0), "value": value.get(2)});
        items(metric.get("values")).map(value).collect()
    };
    metrics.flat_map(values).collect()
}

/// Returns a value as Ruby's `to_s` shows it.
fn shown(value: Option<&Json>) -> String {
    match value {
        None | Some(Json::Null) => String::new(),
        Some(Json::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

fn time_of(entry: &Json) -> Result<String, Error> {
    match entry.get("time").and_then(Json::as_str) {
        Some(time) => wire_time(time, 0.0),
        None => Err(wrong("an entry of the report has no time".to_owned())),
    }
}

/// Returns a time and some seconds as PuppetDB's commands have them, in milliseconds.
fn wire_time(time: &str, seconds: f64) -> Result<String, Error> {
    let parsed: Timestamp =
        time.parse().map_err(|error| wrong(format!("the time '{time}' of the report: {error}")))?;
    let later =
        SignedDuration::try_from_secs_f64(seconds).ok().and_then(|span| parsed.checked_add(span).ok());
    Ok(format!("{:.3}", later.unwrap_or(parsed)))
}
