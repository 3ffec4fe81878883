//! Turns texts into programs: parsing, checking, compiling.

use std::sync::Arc;

use super::code::{self, Routine};
use super::compile::{CompiledText, Perspective, compile, compile_entity, compile_snippet, compile_template};
use super::declaration::DefinitionCode;
use super::entity::Logic;
use super::function_lookup::FunctionText;
use super::manifest_definitions::ManifestFile;
use super::parsed::{ParseKey, parsed};
use super::shared::SharedRuntime;
use super::templates::{TemplateContext, TemplateKey};
use puppetfn_base::diagnostic::{Diagnostic, Severity, logged, refuse_errors};
use puppetfn_base::error::{Error, ErrorKind, RaisedAs, SourceLocation};
use puppetfn_base::source::LineIndex;
use puppetfn_base::stack::StackGuard;
use puppetfn_syntax::ast::{ExprKind, Program};
use puppetfn_syntax::validate::{ModuleFile, validate};
use puppetfn_syntax::{Mode, Tree, parse_with};
use puppetfn_types::function::{Deviation, EppTemplate, LogLevel};
use puppetfn_types::types::{Definition, Model, ObjectType};

/// Compiles a text, and defines its types.
///
/// # Errors
/// Fails if the text is not Puppet code, or contains something that is not allowed in it.
pub(super) fn load(shared: &SharedRuntime, text: &str, file: Option<&str>) -> Result<CompiledText, Error> {
    let mode = Mode { tasks: shared.is_script, template: false };
    let load = || {
        let tree = Tree::parse(text, file.map(Arc::from), mode, &shared.limits_here())?;
        check(shared, tree.program(), None, file)?;
        shared.types.define(&tree)?;
        compile_from(shared, &tree, None)
    };
    load().map_err(|error| in_file(error, file))
}

/// Compiles the text of a file that is to define the function `name`, and nothing else.
///
/// # Errors
/// The same errors as [`load`]. Fails too if the file defines anything else.
pub(super) fn load_function(
    shared: &SharedRuntime,
    name: &str,
    source: &FunctionText,
) -> Result<Arc<Routine>, Error> {
    let FunctionText { text, path, module_file, module } = source;
    let mode = Mode { tasks: shared.is_script, template: false };
    let placed = |error: Error| in_file(error, Some(path));
    let file = Some(path.as_str().into());
    let tree = Tree::parse(Arc::clone(text), file, mode, &shared.limits_here()).map_err(placed)?;
    check(shared, tree.program(), module_file.as_ref(), Some(path)).map_err(placed)?;
    only_function(tree.program(), name, path)?;
    let compiled = compile_from(shared, &tree, module.as_ref()).map_err(placed)?;
    compiled
        .functions
        .into_iter()
        .next()
        .ok_or_else(|| Error::new(ErrorKind::Internal, format!("the function of {path} was not compiled")))
}

/// Loads a manifest of a module, and returns its definitions. Its other code is not evaluated.
///
/// # Errors
/// The same errors as [`load`]. Fails too if a definition does not belong to the module.
pub(super) fn load_manifest(
    shared: &SharedRuntime,
    file: &ManifestFile,
) -> Result<Vec<DefinitionCode>, Error> {
    let text = shared.manifests.read(file)?;
    let mode = Mode { tasks: shared.is_script, template: false };
    let module_file = ModuleFile { path: file.path.clone(), namespace: Some(file.namespace.clone()) };
    let reading = ParseKey {
        path: file.path.as_str().into(),
        namespace: Some(file.namespace.clone()),
        strict: shared.strict,
        tasks: shared.is_script,
        target: shared.files.target(),
    };
    let rules = shared.validation_rules(Some(&module_file));
    let load = || {
        let limits = shared.limits_here();
        let parsed = parsed(
            reading,
            text,
            |text, path| Tree::parse(text, Some(path), mode, &limits),
            |program| validate(program, rules, limits),
        )?;
        let tree = parsed.tree();
        report(shared, tree.program(), parsed.found(), Some(&file.path))?;
        shared.types.define(tree)?;
        let compiled = compile_from(shared, tree, Some(&file.module))?;
        shared.define(compiled.functions)?;
        Ok(compiled.definitions)
    };
    load().map_err(|error| in_file(error, Some(&file.path)))
}

/// Compiles a template, unless that has been done.
///
/// # Errors
/// Fails if the text is not a template, or contains something that is not allowed in it.
pub(super) fn load_template(
    shared: &SharedRuntime,
    template: &EppTemplate<'_>,
    surroundings: TemplateContext,
) -> Result<Arc<code::TemplateCode>, Error> {
    let EppTemplate { text, file, function, .. } = *template;
    let key = TemplateKey { text: text.into(), file: file.into(), surroundings };
    if let Some(compiled) = shared.templates.get(&key) {
        return Ok(compiled);
    }
    let mode = Mode { tasks: shared.is_script, template: true };
    let checked = || {
        let program = parse_with(text, mode, &shared.limits_here())?;
        check(shared, &program, None, (!file.is_empty()).then_some(file))?;
        Ok(program)
    };
    let program = checked().map_err(|error: Error| {
        if *error.kind() != ErrorKind::Syntax {
            return error;
        }
        let message = format!("{function}(): Invalid EPP: {}", error.in_file(file));
        Error::new(ErrorKind::Evaluation, message).with_details(RaisedAs::ARGUMENT_ERROR)
    })?;
    let guard = StackGuard::new(&shared.limits_here());
    let counters = shared.counters(file, text);
    let perspective =
        Perspective { module: None, lookup: &*shared.lookup, counters, is_debugged: shared.is_debugged() };
    let (surroundings, interner) = (&key.surroundings, &mut shared.interner_mut());
    let compiled = compile_template(&program, file, surroundings, interner, perspective, guard)?;
    refuse_wrong_regexp(shared, compiled.has_wrong_regexp)?;
    shared.lookups.note(compiled.has_variables)?;
    Ok(shared.templates.add(key, compiled))
}

/// Compiles a text that is evaluated once, where other code is paused. If it is local, it assigns to variables of its own, as a
/// function does.
///
/// # Errors
/// Fails if the text is not Puppet code, or defines something.
pub(super) fn load_snippet(
    shared: &SharedRuntime,
    text: &str,
    is_local: bool,
    context: &TemplateContext,
) -> Result<code::ProgramCode, Error> {
    let mode = Mode { tasks: shared.is_script, template: false };
    let program = parse_with(text, mode, &shared.limits_here())?;
    let rules = shared.validation_rules(None);
    refuse_errors(&validate(&program, rules, shared.limits_here()), program.text)?;
    let perspective =
        Perspective { module: None, lookup: &*shared.lookup, counters: None, is_debugged: false };
    let guard = StackGuard::new(&shared.limits_here());
    compile_snippet(&program, is_local, context, &mut shared.interner_mut(), perspective, guard)
}

fn compile_from(
    shared: &SharedRuntime,
    tree: &Tree,
    module: Option<&Arc<str>>,
) -> Result<CompiledText, Error> {
    let counters = tree.file().and_then(|file| shared.counters(file, tree.text()));
    let perspective =
        Perspective { module, lookup: &*shared.lookup, counters, is_debugged: shared.is_debugged() };
    let guard = StackGuard::new(&shared.limits_here());
    let compiled = compile(tree, &mut shared.interner_mut(), perspective, guard)?;
    refuse_wrong_regexp(shared, compiled.has_wrong_regexp)?;
    shared.lookups.note(compiled.has_variables)?;
    Ok(compiled)
}

/// Tells the host of a regular expression that cannot be compiled: it need not be evaluated to be an error of Puppet's.
fn refuse_wrong_regexp(shared: &SharedRuntime, has_wrong_regexp: bool) -> Result<(), Error> {
    let deviation = Deviation::from_all("a regular expression that is wrong");
    if has_wrong_regexp { shared.host.deviate(deviation) } else { Ok(()) }
}

/// Compiles the code of a type that is defined by its features, and the code of its ancestors, unless it is compiled
/// already.
///
/// # Errors
/// [`ErrorKind::Limit`] when it nests too deep for the stack.
pub(super) fn load_logic(
    shared: &SharedRuntime,
    definition: &Arc<Definition<ObjectType>>,
    model: &Arc<Model>,
) -> Result<Arc<Logic>, Error> {
    if let Some(logic) = shared.logics.get(definition) {
        return Ok(logic);
    }
    let inherited = definition.parent_object().and_then(|parent| Some((Arc::clone(parent.model()?), parent)));
    let inherited = inherited.map(|(model, parent)| load_logic(shared, &parent, &model)).transpose()?;
    let guard = StackGuard::new(&shared.limits_here());
    let perspective =
        Perspective { module: None, lookup: &*shared.lookup, counters: None, is_debugged: false };
    let own = compile_entity(definition, model, &mut shared.interner_mut(), perspective, guard)?;
    let (mut features, mut invariants) = match inherited {
        Some(logic) => (logic.features.clone(), logic.invariants.clone()),
        None => (Vec::new(), Vec::new()),
    };
    features.extend(own.features.into_iter().map(Arc::new));
    invariants.extend(own.invariants.into_iter().map(Arc::new));
    let (definition, model) = (Arc::clone(definition), Arc::clone(model));
    Ok(shared.logics.add(Logic { definition, model, features, invariants }))
}

/// Refuses all but the definition of one function.
fn only_function(program: &Program<'_>, name: &str, path: &str) -> Result<(), Error> {
    let mut definitions = program.statements.iter().filter(|statement| statement.kind.is_definition());
    let problem = match (definitions.next().map(|first| &first.kind), definitions.next()) {
        (None, _) => format!("does not define the function '{name}' - it is empty."),
        (Some(_), Some(_)) => {
            format!("must contain only the function '{name}' - it has additional definitions.")
        }
        (Some(ExprKind::Function(function)), None) => {
            if function.name.trim_start_matches("::") != name {
                format!("produced function with the wrong name, expected {name}, actual {}", function.name)
            } else if program.statements.len() > 1 {
                format!("contains additional logic - can only contain the function {name}")
            } else {
                return Ok(());
            }
        }
        (Some(_), None) => format!("does not define the function '{name}' - no function found."),
    };
    Err(Error::new(ErrorKind::Load, format!("The code loaded from {path} {problem}")))
}

/// Refuses a text with errors, and logs its warnings. Several errors are logged, too, since the one that is raised
/// only counts them.
fn check(
    shared: &SharedRuntime,
    program: &Program<'_>,
    module_file: Option<&ModuleFile>,
    file: Option<&str>,
) -> Result<(), Error> {
    let rules = shared.validation_rules(module_file);
    report(shared, program, &validate(program, rules, shared.limits_here()), file)
}

fn report(
    shared: &SharedRuntime,
    program: &Program<'_>,
    found: &[Diagnostic],
    file: Option<&str>,
) -> Result<(), Error> {
    for diagnostic in program.warnings.iter().chain(logged(found)) {
        let is_error = diagnostic.severity == Severity::Error;
        let level = if is_error { LogLevel::Err } else { LogLevel::Warning };
        let (line, column) = LineIndex::new(program.text).position(program.text, diagnostic.span.start);
        let place = SourceLocation { file: file.map(Arc::from), line: Some(line), column: Some(column) };
        shared.log_issue(level, diagnostic.code, &diagnostic.message, &place);
    }
    refuse_errors(found, program.text)
}

/// Adds the file to an error, except for an error about a file that was loaded, which names that file. Without a file,
/// errors have no place but the line and the column.
fn in_file(error: Error, file: Option<&str>) -> Error {
    let is_about_file = *error.kind() == ErrorKind::Load && error.as_signal().is_none();
    match file {
        Some(file) if error.place().is_some() || !is_about_file => error.in_file(file),
        Some(_) | None => error,
    }
}
