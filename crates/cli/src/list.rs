//! `puppetfn list`.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::args::ListArgs;
use super::{CommandFailure, CommandHost, FAILED, ListedDefinition, OK, complain};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_catalog::{TypeDescription, builtin_description, builtin_type_names};
use puppetfn_runtime::builtin;
use puppetfn_runtime::loader::Loader;
use puppetfn_types::types::ops::describe::most_similar;
use puppetfn_types::value::Regex;

pub(super) fn run(
    list: &ListArgs,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let options = list.settings.options()?;
    let pattern = list.pattern.as_deref().map(Regex::new).transpose();
    let pattern = pattern.map_err(|error| CommandFailure::Usage(format!("PATTERN: {error}")))?;
    let stuck = Cell::new(None);
    let known = RefCell::new(Vec::new());
    let wanted = |name: &str| {
        known.borrow_mut().push(name.to_owned());
        pattern.as_ref().map_or(Ok(true), |regex| regex.is_match(name)).unwrap_or_else(|error| {
            stuck.set(Some(error));
            false
        })
    };

    let loader = options.loader();
    let all = if list.types {
        let types = host.types(&options, &wanted)?;
        let origins = types_by_file(&loader, &types)?;
        let mut all = shown(types, |name, t| {
            let origin = origin(&origins, name);
            let json = json!({"name": name, "type": t, "origin": origin});
            ListEntry { lines: vec![format!("{name} = {t}")], origin, json }
        });
        all.extend(resource_types(&loader, host, &wanted)?);
        all
    } else {
        let functions = host.functions(&options, &wanted)?;
        let origins = functions_by_file(&loader)?;
        shown(functions, |name, signatures| {
            let lines = signatures.iter().map(|signature| format!("{name}{signature}")).collect();
            let origin = origin(&origins, name);
            let json = json!({"name": name, "signatures": signatures, "origin": origin});
            ListEntry { lines, origin, json }
        })
    };
    if let Some(error) = stuck.take() {
        return Err(error.into());
    }
    let found_none = all.is_empty();
    let code = print(all, list.json, out, err)?;
    if found_none {
        return Err(none(list, &known.take()));
    }
    Ok(code)
}

/// Says that nothing matches, which name was probably meant, and where more are.
fn none(list: &ListArgs, known: &[String]) -> CommandFailure {
    let what = if list.types { "type" } else { "function" };
    let pattern = list.pattern.as_deref().unwrap_or_default();
    let near = most_similar(pattern, known.iter().map(String::as_str));
    let meant = near.first().map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default();
    let problem = format!("no {what} matches '{pattern}'{meant}");
    let (settings, mut advice) = (&list.settings, Vec::new());
    if settings.modulepath.is_empty() && settings.environment.is_none() {
        advice.push("`--modulepath DIR` adds the functions and types of modules".to_owned());
    }
    CommandFailure::Advised(Error::new(ErrorKind::Load, problem), advice)
}

/// The files that define names.
type DefinitionFiles = HashMap<String, PathBuf>;

fn functions_by_file(loader: &Loader) -> Result<DefinitionFiles, Error> {
    let files = loader.functions()?.into_iter().map(|file| (file.name, file.path));
    let is_own = |name: &str| builtin::registry().names().any(|known| known == name);
    Ok(files.filter(|(name, _)| !is_own(name)).collect())
}

fn types_by_file(loader: &Loader, types: &[ListedDefinition<String>]) -> Result<DefinitionFiles, Error> {
    let file = |t: &ListedDefinition<String>| {
        let file = loader.find_type_file(&t.name);
        file.map(|file| file.map(|file| (t.name.clone(), file))).transpose()
    };
    types.iter().filter_map(file).collect()
}

/// Returns the file with a definition; names without a file come with this library.
fn origin(origins: &DefinitionFiles, name: &str) -> String {
    origins.get(name).map_or_else(|| "built in".to_owned(), |path| path.display().to_string())
}

/// The output for one name, in either form.
struct ListEntry {
    lines: Vec<String>,
    origin: String,
    json: Json,
}

/// Returns the output for names that were found.
fn shown<T>(
    listed: Vec<ListedDefinition<T>>,
    show: impl Fn(&str, &T) -> ListEntry,
) -> Vec<ListedDefinition<ListEntry>> {
    let show = |ListedDefinition { name, found }| ListedDefinition {
        found: found.map(|found| show(&name, &found)),
        name,
    };
    listed.into_iter().map(show).collect()
}

/// Returns the resource types: Puppet's own, and types of modules where the program can read Ruby.
fn resource_types(
    loader: &Loader,
    host: &mut dyn CommandHost,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<ListedDefinition<ListEntry>>, Error> {
    let mut all = Vec::new();
    for name in builtin_type_names().into_iter().filter(|name| wanted(name)) {
        if let Some(description) = builtin_description(name) {
            all.push(ListedDefinition {
                found: shown_type(description, "built in".to_owned(), loader),
                name: name.to_owned(),
            });
        }
    }
    let is_own = |name: &str| builtin_description(name).is_some();
    let of_modules = loader.resource_types()?;
    let of_modules = of_modules.iter().filter(|(name, _)| wanted(name) && !is_own(name));
    for (name, path) in of_modules {
        let found = read_type(host, name, path, loader)
            .and_then(|t| shown_type(&t, path.display().to_string(), loader));
        all.push(ListedDefinition { name: name.clone(), found });
    }
    Ok(all)
}

fn read_type(
    host: &mut dyn CommandHost,
    name: &str,
    path: &Path,
    loader: &Loader,
) -> Result<TypeDescription, Error> {
    let failed = |problem: String| Error::new(ErrorKind::Load, problem);
    let content = loader.read_file(path)?;
    let read = host.read_ruby(path, &String::from_utf8_lossy(&content))?;
    let found = read.types.into_iter().find(|t| t.name == name);
    found.ok_or_else(|| failed(format!("{} should define {name}, but does not", path.display())))
}

fn shown_type(t: &TypeDescription, origin: String, loader: &Loader) -> Result<ListEntry, Error> {
    let mut providers: BTreeSet<String> = t.providers.iter().cloned().collect();
    let files = loader.providers(&t.name)?;
    providers.extend(files.iter().filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned())));
    let attributes: Vec<&str> = t.attributes.iter().map(|attribute| &*attribute.name).collect();
    let mut line = format!("{} {{ {} }}", t.name, attributes.join(", "));
    if !providers.is_empty() {
        let names: Vec<&str> = providers.iter().map(String::as_str).collect();
        line.push_str(&format!(" by {}", names.join(", ")));
    }
    let json = json!({"name": t.name, "attributes": attributes, "providers": providers, "origin": origin});
    Ok(ListEntry { lines: vec![line], origin, json })
}

/// Prints the names, sorted, and reports definitions that cannot be loaded.
fn print(
    mut listed: Vec<ListedDefinition<ListEntry>>,
    as_json: bool,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    listed.sort_by(|a, b| a.name.cmp(&b.name));
    let mut code = OK;
    let mut documents = Vec::new();
    for ListedDefinition { name, found } in listed {
        match found {
            Err(error) => {
                complain(err, &format!("error: {name}: {error}"));
                code = FAILED;
            }
            Ok(shown) => {
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
