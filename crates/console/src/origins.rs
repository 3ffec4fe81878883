//! Origins of variables.

use std::sync::Arc;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_base::source::LineIndex;
use puppetfn_compile::{CompileOptions, Request};
use puppetfn_index::{FileIndex, Role, Symbol};
use puppetfn_runtime::eval::Runtime;
use puppetfn_syntax::parse;
use puppetfn_types::types::Reference;

use crate::breakpoint::{PREDEFINED, placed};
use crate::listing::shortened;

/// A text that may have assigned variables.
pub(crate) struct AssigningText<'t> {
    pub text: &'t str,
    pub name: &'t str,
    /// The line of the file at which the text begins, from 1.
    pub line: u32,
}

/// Explains where the value of a variable comes from: a parameter, an assignment, or the inputs of the node.
pub(crate) fn explain(
    name: &str,
    runtime: &Runtime,
    options: &CompileOptions,
    request: &Request,
    texts: &[AssigningText<'_>],
) -> Result<String, Error> {
    let name = name.trim_start_matches('$').trim_start_matches("::");
    let value = runtime
        .variable(name)
        .ok_or_else(|| Error::new(ErrorKind::NotFound, format!("there is no variable ${name}")))?;
    let shown = format!("${name} = {}", shortened(&value, &options.limits));
    if let Some((class, parameter)) = name.rsplit_once("::") {
        return Ok(format!("{shown}\n{}", of_class(class, parameter, runtime, options)?));
    }
    let is_fact = options.facts.get_str(name).is_some();
    let origin = if let Some(place) = texts.iter().find_map(|text| assignment(name, text, &options.limits)) {
        format!("assigned at {place}")
    } else if is_fact {
        "a fact".to_owned()
    } else if PREDEFINED.contains(&name) {
        "set for every node".to_owned()
    } else if request.variables.get_str(name).is_some() {
        "a parameter of the node".to_owned()
    } else {
        "of unknown origin".to_owned()
    };
    Ok(format!("{shown}  # {origin}"))
}

/// Explains a variable of a class: a parameter has the origin that the catalog notes.
fn of_class(
    class: &str,
    parameter: &str,
    runtime: &Runtime,
    options: &CompileOptions,
) -> Result<String, Error> {
    let mut why = runtime.why(&Reference::new("class", class))?;
    why.relations.clear();
    if why.resource.parameters.iter().any(|known| *known.name == *parameter) {
        why.resource.parameters.retain(|known| *known.name == *parameter);
    } else {
        why.resource.parameters.clear();
    }
    why.chain.clear();
    why.to_text(options.environment.as_deref(), &options.limits)
}

/// Returns the names of the types that a text defines: aliases, defined types and Object types.
pub(crate) fn types_in(text: &str, limits: &Limits) -> Vec<String> {
    let Ok(program) = parse(text, limits) else { return Vec::new() };
    let index = FileIndex::of(&program);
    let types = index.definitions().iter().filter(|definition| matches!(definition.symbol, Symbol::Type(_)));
    types.map(|definition| definition.name_span.text(text).to_owned()).collect()
}

/// Returns the place at which a text assigns a variable of the top scope.
fn assignment(name: &str, text: &AssigningText<'_>, limits: &Limits) -> Option<String> {
    let program = parse(text.text, limits).ok()?;
    let index = FileIndex::of(&program);
    let symbol = Symbol::Variable { owner: "".into(), name: name.into() };
    let assigned = index.of_symbol(&symbol).find(|one| one.role == Role::Definition)?;
    let (line, _) = LineIndex::new(text.text).position(text.text, assigned.span.start);
    let line = line.saturating_add(text.line).saturating_sub(1);
    let file = Some(Arc::from(text.name));
    Some(placed(&puppetfn_base::error::SourceLocation { file, line: Some(line), column: None }))
}
