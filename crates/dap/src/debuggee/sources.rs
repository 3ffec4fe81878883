//! The texts that are debugged: where they can pause, and the names of their definitions.
#![allow(clippy::disallowed_methods, reason = "links to files of the editor are resolved")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_base::source::Span;
use puppetfn_runtime::coverage::{PausePlace, points};
use puppetfn_syntax::ast::{Expr, ExprKind};
use puppetfn_syntax::{Mode, parse_with};
use serde::Deserialize;
use serde_json::json;

use super::Session;
use crate::protocol::{Reply, Request};

/// The texts that are known so far.
pub(super) struct Sources {
    limits: Limits,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Paths as code has them, and the paths without links.
    real_paths: HashMap<Box<str>, Option<Arc<Path>>>,
    texts: HashMap<Box<str>, Arc<Source>>,
    /// Texts from no file, for which the editor asks by their indices, from 1.
    referred: Vec<Arc<str>>,
}

/// A text that can pause.
#[derive(Default, Debug)]
pub(super) struct Source {
    pauses: Vec<PausePlace>,
    definitions: Vec<DefinitionPart>,
}

/// A class, defined type, node or function.
#[derive(Debug)]
struct DefinitionPart {
    name: String,
    is_function: bool,
    span: Span,
    /// The offset of its body.
    body: u32,
}

impl Sources {
    pub fn new(limits: Limits) -> Self {
        Self { limits, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a file, which is a template if its name ends in `.epp`.
    ///
    /// # Errors
    /// Fails with a message for the user if it cannot be read, or is not Puppet code.
    pub fn read(&self, path: &Path) -> Result<Source, String> {
        let text = StdFileSystem::new(&self.limits)
            .read_text(path)
            .map_err(|error| format!("cannot read the file: {error}"))?;
        let is_template = path.extension().is_some_and(|extension| extension == "epp");
        Source::parse(&text, is_template, &self.limits)
    }

    /// Returns the path of a file of code without links in it.
    pub fn real_path(&self, file: &str) -> Option<Arc<Path>> {
        let mut state = self.state();
        if let Some(known) = state.real_paths.get(file) {
            return known.clone();
        }
        let real = without_links(Path::new(file)).map(Arc::from);
        state.real_paths.insert(file.into(), real.clone());
        real
    }

    /// Returns the pauses and definitions of a text. A template has no definitions.
    pub fn of_text(&self, text: &str) -> Arc<Source> {
        let mut state = self.state();
        if let Some(known) = state.texts.get(text) {
            return Arc::clone(known);
        }
        let source = Arc::new(Source::parse(text, false, &self.limits).unwrap_or_default());
        state.texts.insert(text.into(), Arc::clone(&source));
        source
    }

    /// Returns the number by which the editor can ask for a text from no file.
    pub fn reference(&self, text: &str) -> i64 {
        let mut state = self.state();
        let index = state.referred.iter().position(|known| **known == *text).unwrap_or_else(|| {
            state.referred.push(text.into());
            state.referred.len().saturating_sub(1)
        });
        i64::try_from(index).unwrap_or(i64::MAX).saturating_add(1)
    }

    /// Returns the text of a number.
    pub fn referred(&self, reference: i64) -> Option<Arc<str>> {
        let index = usize::try_from(reference.checked_sub(1)?).ok()?;
        self.state().referred.get(index).cloned()
    }
}

impl Source {
    fn parse(text: &str, is_template: bool, limits: &Limits) -> Result<Self, String> {
        let program = parse_with(text, Mode { tasks: false, template: is_template }, limits);
        let program = program.map_err(|error| format!("not Puppet code: {error}"))?;
        let mut definitions = Vec::new();
        program.statements.iter().for_each(|statement| add_definitions(statement, text, &mut definitions));
        Ok(Self { pauses: points(&program, limits).pauses(), definitions })
    }

    /// Returns the places where the code can pause, in the order of their lines.
    pub fn pauses(&self) -> &[PausePlace] {
        &self.pauses
    }

    /// Returns the name of the function around an offset.
    pub fn function_at(&self, offset: u32) -> Option<&str> {
        let functions = self.definitions.iter().filter(|definition| definition.is_function);
        functions.filter(|function| function.span.touches(offset)).map(|function| &*function.name).next()
    }

    /// Returns the name of the definition whose body begins at an offset.
    pub fn definition_with_body(&self, offset: u32) -> Option<&str> {
        let found = self.definitions.iter().find(|definition| definition.body == offset);
        found.map(|definition| &*definition.name)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SourceRequest {
    source_reference: i64,
}

impl Session {
    /// Answers the request for a text from no file.
    pub(super) fn source(&self, request: &Request) -> Reply {
        let SourceRequest { source_reference } = request.arguments()?;
        let text = self.sources.referred(source_reference).ok_or("there is no such source")?;
        Ok(json!({"content": &*text, "mimeType": "text/x-puppet"}))
    }
}

/// Returns a path without links in it, if the file exists.
pub(super) fn without_links(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

#[allow(clippy::wildcard_enum_match_arm, reason = "other expressions have no definitions in them")]
fn add_definitions(expr: &Expr<'_>, text: &str, found: &mut Vec<DefinitionPart>) {
    let (name, body) = match &expr.kind {
        ExprKind::Function(function) => (function.name.to_string(), &function.body),
        ExprKind::Class(class) => (class.name.to_string(), &class.body),
        ExprKind::ResourceType(define) => (define.name.to_string(), &define.body),
        ExprKind::Node(node) => {
            let names: Vec<&str> = node.matches.iter().map(|name| name.span.text(text)).collect();
            (format!("node {}", names.join(", ")), &node.body)
        }
        _ => return,
    };
    let name = name.trim_start_matches("::").to_lowercase();
    let is_function = matches!(expr.kind, ExprKind::Function(_));
    found.push(DefinitionPart { name, is_function, span: expr.span, body: body.span.start });
    body.statements.iter().for_each(|statement| add_definitions(statement, text, found));
}
