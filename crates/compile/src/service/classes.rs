//! The classes and the modules of an environment, as puppetserver's endpoints `environment_classes` and `environment_modules` describe them.
//!
//! See Puppet's `info_service/class_information_service.rb`, and `puppet/server/master.rb` and `master_core.clj` of puppetserver.
#![allow(clippy::disallowed_methods, reason = "files of the environment")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use puppetfn_base::diagnostic::{Strict, refuse_errors};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::file_system::{FileSystem, StdFileSystem};
use puppetfn_base::limits::Limits;
use puppetfn_fileserver::{FileServer, ServedModule};
use puppetfn_project::{Environment, manifests_below};
use puppetfn_syntax::ast::{ClassDefinition, Expr, ExprKind, Parameter, StringSegment};
use puppetfn_syntax::validate::{ModuleFile, ValidationRules, validate};
use puppetfn_syntax::{Mode, not_utf8, parse_with};
use puppetfn_types::types::parse::{NoAliases, of_expr};
use serde_json::{Map, Number, Value as Json, json};

/// The rules by which manifests are parsed.
pub(super) struct ManifestRules<'r> {
    pub strict: Strict,
    /// Whether definitions have to match the paths of their files, as in the server's own environment.
    pub is_own: bool,
    pub limits: &'r Limits,
}

/// Returns the classes of all manifests, or the errors of manifests. Members are sorted by name and files by path, so that the same code has
/// the same text.
///
/// # Errors
/// Fails if a directory cannot be listed.
pub(super) fn environment_classes(
    environment: &Environment,
    files: &FileServer,
    rules: &ManifestRules<'_>,
) -> Result<Json, String> {
    let below = |path: &Path| manifests_below(path).map_err(|failure| failure.to_string());
    let mut manifests: BTreeSet<PathBuf> = match &environment.manifest {
        Some(path) if path.is_dir() => below(path)?.into_iter().collect(),
        Some(path) if path.exists() => BTreeSet::from([path.clone()]),
        Some(_) | None => BTreeSet::new(),
    };
    for ServedModule { root, .. } in files.modules(environment).map_err(|error| error.to_string())? {
        let directory = Path::new(&root).join("manifests");
        if directory.is_dir() {
            manifests.extend(below(&directory)?);
        }
    }
    let described = manifests.iter().map(|path| {
        let module_file = if rules.is_own { ModuleFile::locate(path, &environment.modulepath) } else { None };
        let name = path.to_string_lossy();
        match classes(path, module_file.as_ref(), rules) {
            Ok(classes) => json!({"classes": classes, "path": name}),
            Err(error) => json!({"error": error.to_string(), "path": name}),
        }
    });
    Ok(json!({"files": described.collect::<Vec<_>>(), "name": environment.name}))
}

/// Returns the names and versions of all modules.
///
/// # Errors
/// Fails if a directory cannot be listed.
pub(super) fn environment_modules(
    environment: &Environment,
    files: &FileServer,
    limits: &Limits,
) -> Result<Json, String> {
    let modules = files.modules(environment).map_err(|error| error.to_string())?;
    let described = modules.iter().map(|ServedModule { name, root }| {
        let text = StdFileSystem::new(limits).read_text(&Path::new(root).join("metadata.json"));
        let metadata: Json = text.ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let name = match metadata.get("name").and_then(Json::as_str) {
            Some(name) => name.replace('-', "/"),
            None => name.clone(),
        };
        json!({"name": name, "version": metadata.get("version")})
    });
    Ok(json!({"modules": described.collect::<Vec<_>>(), "name": environment.name}))
}

/// Returns the classes that a manifest defines, inner ones first, as Puppet's parser meets them.
fn classes(
    path: &Path,
    module_file: Option<&ModuleFile>,
    rules: &ManifestRules<'_>,
) -> Result<Vec<Json>, Error> {
    let file = path.to_string_lossy();
    let read = StdFileSystem::new(rules.limits).read(path);
    let bytes = read.map_err(|error| Error::new(ErrorKind::Load, format!("{error} - {file}")))?;
    let text = String::from_utf8(bytes).map_err(|_| not_utf8().in_file(&*file))?;
    let in_file = |error: Error| error.in_file(&*file);
    let program = parse_with(&text, Mode::default(), rules.limits).map_err(in_file)?;
    let checks =
        ValidationRules { tasks: false, module_file, strict: rules.strict, ..ValidationRules::default() };
    refuse_errors(&validate(&program, checks, *rules.limits), &text).map_err(in_file)?;
    let mut classes = Vec::new();
    collect(&program.statements, &text, rules.limits, &mut classes)?;
    Ok(classes)
}

fn collect(
    statements: &[Expr<'_>],
    text: &str,
    limits: &Limits,
    classes: &mut Vec<Json>,
) -> Result<(), Error> {
    for statement in statements {
        let ExprKind::Class(class) = &statement.kind else { continue };
        let ClassDefinition { name, parameters, body, .. } = &**class;
        collect(&body.statements, text, limits, classes)?;
        let parameters = parameters.iter().map(|parameter| described(parameter, text, limits));
        classes.push(json!({"name": name, "params": parameters.collect::<Result<Vec<_>, _>>()?}));
    }
    Ok(())
}

fn described(parameter: &Parameter<'_>, text: &str, limits: &Limits) -> Result<Json, Error> {
    let mut members = Map::new();
    if let Some(default) = &parameter.default {
        if let Some(value) = literal(default).filter(|value| !value.is_null()) {
            members.insert("default_literal".into(), value);
        }
        let source = text.get(default.span.start as usize..source_end(default, text) as usize);
        members.insert("default_source".into(), source.unwrap_or_default().into());
    }
    members.insert("name".into(), parameter.name.into());
    if let Some(expr) = &parameter.type_expr {
        let wrong = |error: Error| {
            let message = format!("The parameter '${}' is invalid: {error}", parameter.name);
            Error::new(ErrorKind::TypeParameters, message)
        };
        let of_parameter = of_expr(expr, text, &NoAliases, limits).map_err(wrong)?;
        members.insert("type".into(), of_parameter.to_string().into());
    }
    Ok(members.into())
}

/// Returns where an expression of a text ends for Puppet: the positions of its nodes lack some closing brackets, and the text of a heredoc lacks
/// the margin of its first line. See `extract_tree_text` in Puppet's `pops/parser/locator.rb`, and its grammar.
#[allow(clippy::wildcard_enum_match_arm, reason = "all others end where their text does")]
fn source_end(expr: &Expr<'_>, text: &str) -> u32 {
    match &expr.kind {
        ExprKind::Paren(inner) => source_end(inner, text),
        ExprKind::Unary(_, operand) => source_end(operand, text),
        ExprKind::Binary(binary) => source_end(&binary.right, text),
        ExprKind::Selector(selector) => {
            selector.entries.last().map_or(expr.span.end, |entry| source_end(&entry.value, text))
        }
        ExprKind::Heredoc(heredoc) => match &heredoc.text.kind {
            ExprKind::String(value) => {
                let span = heredoc.text.span;
                let raw = text.get(span.start as usize..span.end as usize).unwrap_or_default();
                let with_margin = raw.lines().skip(1).filter(|line| line.starts_with(heredoc.margin));
                let length = value.len() + with_margin.count() * heredoc.margin.len();
                span.start.saturating_add(u32::try_from(length).unwrap_or_default())
            }
            _ => heredoc.text.span.end,
        },
        _ => expr.span.end,
    }
}

/// Returns the value of a literal, if JSON has it. See Puppet's `pops/evaluator/json_strict_literal_evaluator.rb`.
#[allow(clippy::wildcard_enum_match_arm, reason = "all that is not named here is no literal")]
fn literal(expr: &Expr<'_>) -> Option<Json> {
    Some(match &expr.kind {
        ExprKind::Undef => Json::Null,
        ExprKind::Boolean(truth) => (*truth).into(),
        ExprKind::Integer(number) => (*number).into(),
        ExprKind::Float(number) => Number::from_f64(*number)?.into(),
        ExprKind::String(text) => (&**text).into(),
        ExprKind::Name(name) => (*name).into(),
        ExprKind::Interpolation(segments) => match &**segments {
            [StringSegment::Text(text, _)] => (&**text).into(),
            _ => return None,
        },
        ExprKind::Array(elements) => elements.iter().map(literal).collect::<Option<Vec<_>>>()?.into(),
        ExprKind::Hash(entries) => {
            let entries = entries.iter().map(|entry| match literal(&entry.key)? {
                Json::String(key) => Some((key, literal(&entry.value)?)),
                _ => None,
            });
            // puppetserver sorts the keys.
            let mut entries: Vec<(String, Json)> = entries.collect::<Option<_>>()?;
            entries.sort_by(|(a, _), (b, _)| a.cmp(b));
            entries.into_iter().collect::<Map<_, _>>().into()
        }
        _ => return None,
    })
}
