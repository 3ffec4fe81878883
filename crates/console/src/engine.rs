//! Completions and signatures, from the language server's engine.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_check::TextOrigin;
use puppetfn_compile::CompileOptions;
use puppetfn_ide::{Ide, ProjectFile};
use puppetfn_project::{CodeSource, HieraData, ProjectConfig, ProjectPlaces};
use puppetfn_runtime::loader::Loader;
use puppetfn_syntax::Mode;

/// The path of the typed code in the engine.
const TYPED: &str = "<console>";

/// Completes typed code. The environment is read in the background: completions are there once that is done.
pub(crate) struct CompletionEngine {
    /// The engine; `None` until the environment is read.
    ide: Arc<Mutex<Option<Ide>>>,
    /// Evaluated code that the engine does not know yet.
    evaluated: Mutex<Vec<String>>,
    variables: Vec<Arc<str>>,
}

/// A completion of the word at the cursor.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct WordCompletion {
    pub label: String,
    /// The text that replaces the word.
    pub insert: String,
}

impl CompletionEngine {
    /// Creates an engine without names.
    pub fn empty() -> Self {
        Self { ide: Arc::default(), evaluated: Mutex::default(), variables: Vec::new() }
    }

    /// Begins to read the modules and the environment.
    ///
    /// # Errors
    /// Fails if no thread can be started.
    pub fn start(options: &CompileOptions) -> io::Result<Self> {
        let engine = Self::empty();
        let target = Arc::clone(&engine.ide);
        let (modulepath, environment) = (options.modulepath.clone(), options.environment.clone());
        let limits = options.limits;
        thread::Builder::new().name("console-engine".to_owned()).spawn(move || {
            let ide = read(&modulepath, environment, limits);
            *target.lock().unwrap_or_else(PoisonError::into_inner) = Some(ide);
        })?;
        Ok(engine)
    }

    /// Adds evaluated code, whose definitions typed code sees.
    pub fn add(&mut self, text: &str) {
        self.evaluated.get_mut().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
    }

    /// Sets the variables that have values.
    pub fn set_variables(&mut self, names: Vec<Arc<str>>) {
        self.variables = names;
    }

    /// Returns the offset of the word at the cursor, and its completions.
    pub fn completions(&self, text: &str, at: usize) -> (usize, Vec<WordCompletion>) {
        let before = text.get(..at).unwrap_or(text);
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
        let word = before.rsplit(|c| !is_of_name(c)).next().unwrap_or_default();
        let start = before.len().saturating_sub(word.len());
        let of_engine = self.ask(text, |ide| {
            let found = ide.completions(TYPED.as_ref(), at as u32).into_iter();
            let at_word = found.filter(|one| one.span.start == start as u32);
            at_word
                .map(|one| {
                    let insert = if one.is_snippet { one.label.clone() } else { one.insert };
                    WordCompletion { label: one.label, insert }
                })
                .collect()
        });
        let mut found: Vec<WordCompletion> = of_engine.unwrap_or_default();
        if before.get(..start).is_some_and(|rest| rest.ends_with(['$', '{'])) {
            let known = self.variables.iter().filter(|name| name.starts_with(word));
            found.extend(
                known.map(|name| WordCompletion { label: name.to_string(), insert: name.to_string() }),
            );
        }
        found.sort();
        found.dedup_by(|one, other| one.insert == other.insert);
        (start, found)
    }

    /// Returns the keys of data that begin with a text.
    pub fn keys(&self, beginning: &str) -> Vec<String> {
        let text = format!("lookup('{beginning}");
        let found = self.ask(&text, |ide| ide.completions(TYPED.as_ref(), text.len() as u32));
        found.unwrap_or_default().into_iter().map(|one| one.label).collect()
    }

    /// Returns the signature of the call around the cursor.
    pub fn signature(&self, text: &str, at: usize) -> Option<String> {
        let help = self.ask(text, |ide| ide.signature_help(TYPED.as_ref(), at as u32))??;
        help.signatures.into_iter().nth(help.active).map(|signature| signature.label)
    }

    /// Asks the engine about typed code; `None` while the environment is read.
    fn ask<R>(&self, text: &str, question: impl FnOnce(&Ide) -> R) -> Option<R> {
        let mut ide = self.ide.try_lock().ok()?;
        let ide = ide.as_mut()?;
        for text in self.evaluated.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            let path = format!("<evaluated-{}>", ide.generation());
            set(ide, path.into(), text);
        }
        set(ide, TYPED.into(), text.to_owned());
        Some(question(ide))
    }
}

fn set(ide: &mut Ide, path: PathBuf, text: String) {
    ide.set(ProjectFile { path, text: text.into(), mode: Mode::default(), origin: TextOrigin::default() });
}

/// Reads the code of modules and of an environment. A file that cannot be read has no names.
fn read(modulepath: &[PathBuf], environment: Option<PathBuf>, limits: Limits) -> Ide {
    let files = Arc::new(StdFileSystem::new(&limits));
    let loader =
        Loader::new(Arc::clone(&files) as Arc<_>, modulepath.to_owned(), environment.clone(), limits);
    let loader = Arc::new(loader);
    let mut ide = Ide::new(Arc::clone(&loader), limits, false);
    let places = ProjectPlaces::of(modulepath.to_owned(), environment.clone(), &ProjectConfig::default());
    let places = places.unwrap_or_default();
    let of_environment = environment
        .iter()
        .flat_map(|directory| ["manifests", "functions", "types"].map(|kind| directory.join(kind)));
    for directory in modulepath.iter().cloned().chain(of_environment) {
        for source in CodeSource::own(&directory).unwrap_or_default() {
            let (Some(path), false) = (source.path(), source.is_template()) else { continue };
            let Ok(text) = source.read(&limits) else { continue };
            let mode = Mode { tasks: places.is_plan(path), template: false };
            let origin = places.origin(path, &path.to_string_lossy());
            ide.set(ProjectFile { path: path.to_owned(), text: text.into(), mode, origin });
        }
    }
    if let Some(environment) = &environment {
        let roots = std::slice::from_ref(environment);
        let data = HieraData::read(
            roots,
            &places,
            None,
            &loader,
            &ProjectConfig::default(),
            &StdFileSystem::new(&limits),
            &limits,
        );
        let texts = data.texts(ide.world());
        ide.set_data(texts, data.complete_except());
    }
    ide.learn(&mut |path| puppetfn_ruby::read(path, &files.read_text(path).ok()?).ok());
    ide
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn evaluated_code_is_completed() {
        let mut engine = CompletionEngine::start(&CompileOptions::default()).unwrap();
        engine.add("function twice(Integer $n) >> Integer { $n * 2 }");
        engine.add("class web { }");
        engine.set_variables(vec!["twenty".into(), "facts".into()]);
        let begun = Instant::now();
        while engine.ask("", |_| ()).is_none() && begun.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(5));
        }
        let inserts = |text: &str| {
            let (start, found) = engine.completions(text, text.len());
            (start, found.into_iter().map(|one| one.insert).collect::<Vec<_>>())
        };
        assert_eq!(inserts("$x = twi"), (5, vec!["twice".to_owned()]));
        assert_eq!(inserts("'é'\ninclude we"), (13, vec!["web".to_owned()]));
        assert_eq!(inserts("$twe"), (1, vec!["twenty".to_owned()]));
        assert_eq!(inserts("\"${twe"), (3, vec!["twenty".to_owned()]));
        assert_eq!(engine.signature("twice(", 6).as_deref(), Some("twice(Integer n) >> Integer"));
        assert_eq!(engine.signature("$x", 2), None);
    }
}
