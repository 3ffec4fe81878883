//! `puppetfn model`.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::args::model::{ExportArgs, Import, ModelArgs, ModelCommand};
use super::{CommandFailure, FAILED, OK, complain};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_runtime::entity::{TypeOutline, ecore, xmi};
use puppetfn_types::convert::create::defined_by_features;
use puppetfn_types::convert::json;
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::{TypeLookup, named};
use puppetfn_types::value::Value;

pub(super) fn run(
    model: &ModelArgs,
    out: &mut dyn io::Write,
    err: &mut dyn io::Write,
) -> Result<i32, CommandFailure> {
    match &model.command {
        ModelCommand::Export(wanted) => export(wanted, out, err),
        ModelCommand::Import(wanted) => import(wanted, out, err),
        ModelCommand::Read(wanted) => {
            let options = wanted.settings.options()?;
            let (runtime, _) = options.runtime();
            let text = text_of(&wanted.file, &options.limits)?;
            let object = runtime.object_of_xmi(&wanted.t, &text).map_err(in_file(&wanted.file))?;
            writeln!(out, "{}", json::to_json(&Value::Object(object), &options.limits)?)?;
            Ok(OK)
        }
        ModelCommand::Write(wanted) => {
            let options = wanted.settings.options()?;
            let (runtime, _) = options.runtime();
            let text = text_of(&wanted.file, &options.limits)?;
            let object = runtime.object_of_json(&wanted.t, &text).map_err(in_file(&wanted.file))?;
            write!(out, "{}", xmi::write(&object, &options.limits)?)?;
            Ok(OK)
        }
    }
}

fn export(
    wanted: &ExportArgs,
    out: &mut dyn io::Write,
    err: &mut dyn io::Write,
) -> Result<i32, CommandFailure> {
    let options = wanted.settings.options()?;
    let loader = options.loader();
    let mut code = OK;
    let mut types = Vec::new();
    if wanted.types.is_empty() {
        for name in loader.type_names()? {
            match loader.find(&name) {
                Ok(found) => types.extend(found.filter(|t| defined_by_features(t).is_some())),
                Err(error) => {
                    complain(err, &format!("error: {name}: {error}"));
                    code = FAILED;
                }
            }
        }
    }
    for name in &wanted.types {
        let t = named(name, &loader)?;
        if let Type::Reference(_) = t {
            return Err(unknown_type(name).into());
        }
        types.push(t);
    }
    if types.is_empty() && code == OK {
        let message = "there are no object types on the modulepath or in the environment";
        return Err(Error::new(ErrorKind::Load, message).into());
    }
    if code == OK {
        write!(
            out,
            "{}",
            ecore::export(&types, ecore::ExportOptions { logic: wanted.logic, limits: options.limits })?
        )?;
    }
    Ok(code)
}

fn unknown_type(name: &str) -> Error {
    Error::new(ErrorKind::Load, format!("there is no type '{name}' on the modulepath or in the environment"))
}

fn import(wanted: &Import, out: &mut dyn io::Write, err: &mut dyn io::Write) -> Result<i32, CommandFailure> {
    let text = text_of(&wanted.file, &wanted.bounds.limits())?;
    let imported = ecore::import(&text, &wanted.bounds.limits()).map_err(in_file(&wanted.file))?;
    for note in &imported.notes {
        complain(err, &format!("note: {note}"));
    }
    match &wanted.output {
        None => {
            let texts: Vec<_> = imported.types.iter().map(ToString::to_string).collect();
            writeln!(out, "{}", texts.join("\n\n"))?;
        }
        Some(directory) => {
            for outline in &imported.types {
                let path = file_of(directory, outline);
                write_new(&path, &format!("{outline}\n"))?;
                writeln!(out, "{}", path.display())?;
            }
        }
    }
    Ok(OK)
}

/// Returns the file of a type within the directory `types` of its module.
fn file_of(directory: &Path, outline: &TypeOutline) -> PathBuf {
    let name = outline.name.to_lowercase();
    let within = name.split_once("::").map_or(name.as_str(), |(_, within)| within);
    let mut path = directory.to_path_buf();
    path.extend(within.split("::"));
    path.set_extension("pp");
    path
}

fn write_new(path: &Path, text: &str) -> Result<(), CommandFailure> {
    let write = || {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
    };
    write().map_err(|error: io::Error| {
        Error::new(ErrorKind::Load, format!("cannot write {}: {error}", path.display())).into()
    })
}

fn text_of(path: &Path, limits: &Limits) -> Result<String, CommandFailure> {
    StdFileSystem::new(limits)
        .read_named_text(path)
        .map_err(|error| CommandFailure::Usage(format!("{}: {error}", path.display())))
}

/// Adds the file to an error about a place in it.
fn in_file(path: &Path) -> impl Fn(Error) -> Error {
    let path = path.display().to_string();
    move |error| if error.place().is_some() { error.in_file(path.as_str()) } else { error }
}
