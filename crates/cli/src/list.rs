//! `puppetfn list`.

use std::cell::Cell;
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value as Json, json};

use super::args::List;
use super::{FAILED, Failure, Host, Listed, OK, complain};
use puppetfn_base::error::Error;
use puppetfn_runtime::builtin;
use puppetfn_runtime::loader::Loader;
use puppetfn_types::value::Regex;

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

    let loader = options.loader();
    let code = if list.types {
        let types = host.types(&options, &wanted)?;
        let origins = types_by_file(&loader, &types)?;
        print(types, list.json, out, err, |name, t| {
            let origin = origin(&origins, name);
            let json = json!({"name": name, "type": t, "origin": origin});
            Shown { lines: vec![format!("{name} = {t}")], origin, json }
        })
    } else {
        let functions = host.functions(&options, &wanted)?;
        let origins = functions_by_file(&loader)?;
        print(functions, list.json, out, err, |name, signatures| {
            let lines = signatures.iter().map(|signature| format!("{name}{signature}")).collect();
            let origin = origin(&origins, name);
            let json = json!({"name": name, "signatures": signatures, "origin": origin});
            Shown { lines, origin, json }
        })
    }?;
    stuck.take().map_or(Ok(code), |error| Err(error.into()))
}

/// The files that define what has a name.
type Origins = HashMap<String, PathBuf>;

fn functions_by_file(loader: &Loader) -> Result<Origins, Error> {
    let files = loader.functions()?.into_iter().map(|file| (file.name, file.path));
    let is_own = |name: &str| builtin::registry().names().any(|known| known == name);
    Ok(files.filter(|(name, _)| !is_own(name)).collect())
}

fn types_by_file(loader: &Loader, types: &[Listed<String>]) -> Result<Origins, Error> {
    let file = |t: &Listed<String>| {
        let file = loader.find_type_file(&t.name);
        file.map(|file| file.map(|file| (t.name.clone(), file))).transpose()
    };
    types.iter().filter_map(file).collect()
}

/// Where something is defined; what no file defines comes with this library.
fn origin(origins: &Origins, name: &str) -> String {
    origins.get(name).map_or_else(|| "built in".to_owned(), |path| path.display().to_string())
}

/// What is printed of one name, in either form.
struct Shown {
    lines: Vec<String>,
    origin: String,
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
                    shown.lines.iter().try_for_each(|line| writeln!(out, "{line}  # {}", shown.origin))?;
                }
            }
        }
    }
    if as_json {
        writeln!(out, "{}", Json::Array(documents))?;
    }
    Ok(code)
}
