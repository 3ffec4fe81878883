//! `puppetfn list`.

use std::cell::Cell;
use std::io::Write;

use serde_json::{Value as Json, json};

use super::args::List;
use super::{FAILED, Failure, Host, Listed, OK, complain};
use crate::value::Regex;

pub(super) fn run(
    list: &List,
    host: &mut dyn Host,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, Failure> {
    let options = list.settings.options()?;
    let pattern = list.pattern.as_deref().map(Regex::new).transpose();
    let pattern = pattern.map_err(|error| Failure::Usage(format!("PATTERN: {error}")))?;
    let stuck = Cell::new(None);
    let wanted = |name: &str| {
        pattern.as_ref().map_or(Ok(true), |regex| regex.is_match(name)).unwrap_or_else(|error| {
            stuck.set(Some(error));
            false
        })
    };

    let code = if list.types {
        let types = host.types(&options, &wanted)?;
        print(types, list.json, out, err, |name, t| Shown {
            lines: vec![format!("{name} = {t}")],
            json: json!({"name": name, "type": t}),
        })
    } else {
        let functions = host.functions(&options, &wanted)?;
        print(functions, list.json, out, err, |name, signatures| Shown {
            lines: signatures.iter().map(|signature| format!("{name}{signature}")).collect(),
            json: json!({"name": name, "signatures": signatures}),
        })
    }?;
    stuck.take().map_or(Ok(code), |error| Err(error.into()))
}

/// What is printed of one name, in either form.
struct Shown {
    lines: Vec<String>,
    json: Json,
}

/// Prints what was found, sorted by name, and says what cannot be loaded.
fn print<T>(
    mut listed: Vec<Listed<T>>,
    as_json: bool,
    out: &mut dyn Write,
    err: &mut dyn Write,
    show: impl Fn(&str, &T) -> Shown,
) -> Result<i32, Failure> {
    listed.sort_by(|a, b| a.name.cmp(&b.name));
    let mut code = OK;
    let mut documents = Vec::new();
    for Listed { name, found } in &listed {
        match found {
            Err(error) => {
                complain(err, &format!("error: {name}: {error}"));
                code = FAILED;
            }
            Ok(found) => {
                let shown = show(name, found);
                if as_json {
                    documents.push(shown.json);
                } else {
                    shown.lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
                }
            }
        }
    }
    if as_json {
        writeln!(out, "{}", Json::Array(documents))?;
    }
    Ok(code)
}
