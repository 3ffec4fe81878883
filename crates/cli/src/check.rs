//! `puppetfn check`.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

mod add_ignore;
mod code_climate;
mod explain;
pub(super) mod fix;
mod format;
mod markdown;
mod module_files;
mod rules;
mod watch;

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use self::markdown::CodeBlock;
pub(super) use self::rules::SelectedRules;
use super::args::CheckArgs;
use super::args::settings::{TargetChoice, directories};
use super::sources::{for_each, mode, note_idle};
use super::{CommandFailure, CommandHost, FAILED, OK};
use puppetfn_base::diagnostic::Severity;
use puppetfn_base::file_system::FileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_base::source::Span;
use puppetfn_base::target::Target;
use puppetfn_check::{Finding, Rule, TextOrigin, World};
use puppetfn_compile::{check_directories, check_directory};
use puppetfn_project::{
    Baseline, CheckedText, CodeSource, EditedFiles, Environment, EnvironmentOptions, HieraData, Libraries,
    ProjectConfig, ProjectPlaces, absolute, is_data, is_markdown, required_target,
};
use puppetfn_runtime::loader::{Loader, StdFileSystem};
use puppetfn_syntax::{Mode, Tree};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// A text that is to be checked.
struct InputText {
    source: CodeSource,
    mode: Mode,
    content: Result<String, String>,
    origin: TextOrigin,
    /// The code of documentation; `None` if all of the text is code.
    blocks: Option<Vec<CodeBlock>>,
    /// The syntax tree of the text, or of each block.
    trees: Vec<Arc<Tree>>,
}

impl InputText {
    fn read(source: CodeSource, places: &ProjectPlaces, check: &CheckArgs, files: &dyn FileSystem) -> Self {
        let mut mode = mode(&source, check.language);
        let limits = check.bounds.limits();
        let content = source.read_from(files, &limits);
        if source.path().is_some_and(is_markdown) {
            // Code in documentation may use modules that are not there.
            let origin = TextOrigin { is_in_module: true, ..TextOrigin::default() };
            let blocks = content.as_deref().map(markdown::blocks).unwrap_or_default();
            let trees = blocks.iter().map(|block| Tree::recover(&*block.code, None, mode, &limits)).collect();
            return Self { mode, content, origin, source, blocks: Some(blocks), trees };
        }
        mode.tasks |= source.path().is_some_and(|path| places.is_plan(path));
        let origin = source.path().map(|path| places.origin(path, &source.name())).unwrap_or_default();
        let file = source.path().and_then(Path::to_str).map(Arc::from);
        // The text need not be Puppet.
        let trees = content.as_deref().map(|text| vec![Tree::recover(text, file, mode, &limits)]);
        Self { trees: trees.unwrap_or_default(), mode, content, origin, source, blocks: None }
    }
}

/// Checks the paths in the arguments, with the rules of style if it is `lint`.
pub(super) fn run(
    check: &CheckArgs,
    is_lint: bool,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    if let Some(name) = &check.explain {
        explain::write(explain::rule(name)?, out)?;
        return Ok(OK);
    }
    if check.list {
        explain::list(out)?;
        return Ok(OK);
    }
    if check.watch {
        return watch::watch(check, out, err, |out, err| once(check, is_lint, host, out, err));
    }
    once(check, is_lint, host, out, err)
}

/// Checks once.
fn once(
    check: &CheckArgs,
    is_lint: bool,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    if (check.fix || check.add_ignore) && check.paths.iter().any(|path| path == Path::new("-")) {
        let option = if check.fix { "--fix" } else { "--add-ignore" };
        return Err(CommandFailure::Usage(format!(
            "{option} cannot change standard input: name files or directories"
        )));
    }
    let config = ProjectConfig::of(check.config.as_deref(), check.paths.first(), &check.bounds.limits())?;
    let rules = SelectedRules::of(check, is_lint, &config)?;
    let files = Arc::new(EditedFiles::new(&check.bounds.limits()));
    let baseline = check.baseline.clone().or_else(|| config.baseline());
    if check.write_baseline {
        let file = baseline.ok_or_else(|| {
            CommandFailure::Usage("--write-baseline needs a file: --baseline FILE".to_owned())
        })?;
        let count = Baseline::of(&check_all(check, &config, &rules, &files, host, err)?, &file).write()?;
        writeln!(out, "{} written to {}", counted(count, "finding"), file.display())?;
        return Ok(OK);
    }
    let baseline = baseline.map(|file| Baseline::read(&file, &check.bounds.limits())).transpose()?;
    let mut gone = 0;
    let mut check_new = || {
        let mut checked = check_all(check, &config, &rules, &files, host, err)?;
        gone = baseline.as_ref().map_or(0, |baseline| baseline.leave_out(&mut checked));
        Ok(checked)
    };
    let mut note = None;
    let checked = if check.fix {
        let (checked, mended) = fix::apply(&mut check_new, &files, &check.bounds.limits())?;
        files.write()?;
        note = Some((mended.findings, "fixed", mended.files.len()));
        checked
    } else if check.add_ignore {
        let added = add_ignore::add(&check_new()?)?;
        note = Some((added.findings, "suppressed", added.files));
        check_new()?
    } else {
        check_new()?
    };
    if let Some((findings, verb, files)) = note {
        writeln!(err, "note: {} {verb} in {}", counted(findings, "finding"), counted(files, "file"))?;
    }
    if let Some(baseline) = baseline.filter(|_| gone > 0) {
        let file = baseline.file().display();
        writeln!(
            err,
            "note: {} of {file} no longer {}: update the file with --write-baseline",
            counted(gone, "finding"),
            if gone == 1 { "occurs" } else { "occur" }
        )?;
    }
    if check.statistics {
        rules::statistics(&checked, out)?;
    } else {
        format::write(&checked, check.format, host.terminals().colours_out(), out)?;
    }
    let found = |severity| {
        checked.iter().flat_map(|checked| &checked.findings).any(|finding| finding.severity == severity)
    };
    let fails_on_warnings = check.fail_on_warnings || config.fail_on_warnings() || rules.fails_on_warnings();
    let is_bad = found(Severity::Error)
        || fails_on_warnings && (found(Severity::Warning) || found(Severity::Deprecation));
    Ok(if is_bad { FAILED } else { OK })
}

/// Returns a count with its noun.
pub(super) fn counted(count: usize, of: &str) -> String {
    format!("{count} {of}{}", if count == 1 { "" } else { "s" })
}

/// Returns the findings of all texts.
pub(super) fn check_all(
    check: &CheckArgs,
    config: &ProjectConfig,
    rules: &SelectedRules,
    files: &Arc<EditedFiles>,
    host: &mut dyn CommandHost,
    err: &mut dyn Write,
) -> Result<Vec<CheckedText>, CommandFailure> {
    let mut sources = sources(check, config)?;
    sources.retain(|source| !source.path().is_some_and(|path| rules.leaves_out(path)));
    let mut places = places(check, config)?;
    let is_partial = places.modulepath.is_empty();
    let limits = check.bounds.limits();
    sources.iter().filter_map(CodeSource::path).for_each(|path| places.infer(path, !is_partial, &limits));
    if is_partial {
        check.paths.iter().for_each(|path| places.infer_from_data(path, &limits));
    }
    let system: Arc<dyn FileSystem> = Arc::clone(files) as _;
    let loader = Loader::new(system, places.modulepath.clone(), places.environment.clone(), limits);
    let loader = loader.with_modules(places.own_modules.iter().cloned()).targeting(target(check, config));
    let loader = Arc::new(loader);
    let mut world =
        World::new(Arc::clone(&loader), limits).partial(is_partial).missing_modules(places.misses_modules());
    world = world.selecting(rules.selection.clone());
    if let Some(hash_merge) = &rules.migration {
        world = world.migrating(hash_merge);
    }
    let texts: Vec<InputText> =
        sources.into_par_iter().map(|source| InputText::read(source, &places, check, &**files)).collect();
    let main_manifest = main_manifest(&places, &texts, check, &**files);
    learn(&mut world, &[&texts, &main_manifest], host, &limits)?;
    let global = check.project.hiera_config.as_deref();
    let data = HieraData::read(&check.paths, &places, global, &loader, config, &**files, &limits);
    for part in data.unread_parts() {
        writeln!(err, "note: data was not checked: {part}")?;
    }
    for path in data.unread(&check.paths) {
        writeln!(
            err,
            "note: {}: no hierarchy of an environment or a module reads this file",
            path.display()
        )?;
    }
    let data_texts = data.tell(&mut world);
    let mut checked = Vec::with_capacity(texts.len());
    let code = if check.data_only { &[][..] } else { &texts };
    for_each(
        code,
        host.terminals().err,
        |text| examine(&world, text),
        |found| {
            checked.push(found);
            Ok(())
        },
    )?;
    let libraries = if check.all { Libraries::default() } else { Libraries::below(&check.paths) };
    let mut checked_data = data.check(&world, &data_texts);
    checked_data.retain(|text| !libraries.contains(Path::new(&text.name)));
    checked.extend(checked_data);
    checked.extend(templates(check, config, &libraries, &world, &**files));
    if !check.data_only {
        let mut others = module_files::check(&check.paths, config, &world, &**files, &limits);
        others.retain(|text| !libraries.contains(Path::new(&text.name)));
        checked.extend(others);
    }
    let installer = places.installer(&check.paths);
    format::unchecked(&world.unchecked(), &places.missing_modules(), installer, err)?;
    for CheckedText { findings, .. } in &mut checked {
        config.adjust(findings);
    }
    let is_own = |path: &Path| !config.excludes(path) && !libraries.contains(path);
    if checked.is_empty() && !check.data_only && !module_files::any(&check.paths, is_own) {
        note_idle("checked", &check.paths, "--all checks the code of others", err)?;
    }
    Ok(checked)
}

/// Returns the release that code is for: the one of the option, the project's, or the one that a checked module requires.
fn target(check: &CheckArgs, config: &ProjectConfig) -> Target {
    let required = || check.paths.iter().find_map(|path| required_target(path));
    check.target.map(TargetChoice::target).or_else(|| config.target()).or_else(required).unwrap_or_default()
}

/// Returns the findings in the ERB templates of the directories. Only names of facts are checked in them.
fn templates(
    check: &CheckArgs,
    config: &ProjectConfig,
    libraries: &Libraries,
    world: &World,
    files: &dyn FileSystem,
) -> Vec<CheckedText> {
    if check.data_only || !world.selection().has(Rule::LegacyFact) {
        return Vec::new();
    }
    let directories = check.paths.iter().filter(|path| path.is_dir());
    let sources = directories.flat_map(|path| CodeSource::erb(path).unwrap_or_default());
    let own = sources.filter(|source| {
        !source.path().is_some_and(|path| config.excludes(path) || libraries.contains(path))
    });
    let checked = own.filter_map(|source| {
        // A template may have any encoding.
        let text = source.read_from(files, &check.bounds.limits()).ok()?;
        let findings = world.legacy_facts_in_erb(&text);
        let name = source.name().into_owned();
        Some(CheckedText { name, text, mode: Mode::default(), findings, is_code: false })
    });
    checked.collect()
}

/// Returns the directories of the modules and the environment in the arguments.
fn places(check: &CheckArgs, config: &ProjectConfig) -> Result<ProjectPlaces, CommandFailure> {
    if let Some(directory) = &check.project.environment {
        check_directory("environment", directory)?;
    }
    let modulepath = directories(&check.project.modulepath);
    check_directories("modulepath", &modulepath)?;
    Ok(ProjectPlaces::of(modulepath, check.project.environment.clone(), config)?)
}

/// Returns the texts of code at the paths, without excluded ones.
fn sources(check: &CheckArgs, config: &ProjectConfig) -> Result<Vec<CodeSource>, CommandFailure> {
    let is_other = |path: &Path| path.is_file() && (is_data(path) || module_files::is_known(path));
    let code = check.paths.iter().filter(|path| !is_other(path));
    let mut sources = code.map(|path| CodeSource::own(path)).collect::<Result<Vec<_>, _>>()?.concat();
    if check.markdown || config.markdown() {
        let directories = check.paths.iter().filter(|path| path.is_dir());
        sources.extend(directories.flat_map(|path| markdown::files(path)).map(CodeSource::Found));
    }
    sources.retain(|source| !source.path().is_some_and(|path| config.excludes(path)));
    if !check.all {
        let libraries = Libraries::below(&check.paths);
        sources.retain(|source| !source.path().is_some_and(|path| libraries.contains(path)));
    }
    Ok(sources)
}

/// Returns the files of the environment's main manifest that are not to be checked. The code of modules sees their variables
/// and resource defaults.
fn main_manifest(
    places: &ProjectPlaces,
    texts: &[InputText],
    check: &CheckArgs,
    files: &dyn FileSystem,
) -> Vec<InputText> {
    let directory = places.environment.clone();
    if directory.is_none() {
        return Vec::new();
    }
    let environment = Environment::read(EnvironmentOptions { directory, ..EnvironmentOptions::default() });
    let manifest = environment.ok().and_then(|environment| environment.manifest);
    let sources = manifest.and_then(|manifest| CodeSource::all(&manifest).ok()).unwrap_or_default();
    let checked: HashSet<_> = texts.iter().filter_map(|text| text.source.path()).map(absolute).collect();
    let others = sources.into_iter().filter(|source| {
        source.path().is_some_and(|path| {
            path.extension().is_some_and(|end| end == "pp") && !checked.contains(&absolute(path))
        })
    });
    others.map(|source| InputText::read(source, places, check, files)).collect()
}

/// Adds the definitions of the texts to the world, and the declarations in Ruby files of the functions and resource types
/// that they use.
fn learn(
    world: &mut World,
    texts: &[&[InputText]],
    host: &mut dyn CommandHost,
    limits: &Limits,
) -> Result<(), CommandFailure> {
    let texts: Vec<_> = texts.iter().copied().flatten().collect();
    let (mut definitions, mut excerpts) = (Vec::with_capacity(texts.len()), Vec::new());
    for_each(
        &texts,
        false,
        |text| {
            let defined = |tree| (text.blocks.is_some(), world.declarations(tree));
            text.trees.iter().map(defined).collect::<Vec<_>>()
        },
        |defined| {
            let (excerpted, defined): (Vec<_>, Vec<_>) =
                defined.into_iter().partition(|(is_excerpt, _)| *is_excerpt);
            definitions.extend(defined);
            excerpts.extend(excerpted);
            Ok(())
        },
    )?;
    definitions.into_iter().for_each(|(_, defined)| world.add(defined));
    excerpts.into_iter().for_each(|(_, defined)| world.add_excerpt(defined));
    let functions = world.ruby_files().into_iter().map(|file| file.path);
    let files = functions.chain(world.resource_type_files());
    // A file that cannot be read declares nothing.
    let files =
        files.filter_map(|path| StdFileSystem::new(limits).read_text(&path).ok().map(|text| (path, text)));
    for declared in host.read_ruby_files(&files.collect::<Vec<_>>()).into_iter().flatten() {
        declared.functions.iter().for_each(|function| world.add_ruby(function));
        declared.types.into_iter().for_each(|description| world.add_resource_type(description));
    }
    Ok(())
}

/// Returns the findings of a block of documentation.
fn excerpt(world: &World, block: &CodeBlock, tree: &Arc<Tree>, origin: &TextOrigin) -> Vec<Finding> {
    let mut found = world.check(tree, origin);
    found.retain(|finding| {
        // The parameter may be in the part that is left out.
        let is_left_out = block.is_partial && finding.rule == Rule::MissingParameter;
        // An expression is shown for its value.
        let is_shown = finding.rule == Rule::NotAllowed && finding.message.contains("has no effect");
        // Documentation shows parts of programs, in its own layout.
        !is_left_out && !is_shown && !finding.rule.is_style()
    });
    found
}

fn examine(world: &World, text: &InputText) -> CheckedText {
    let (content, findings) = match &text.content {
        Ok(content) => {
            let origin = &text.origin;
            let findings = match &text.blocks {
                Some(blocks) => {
                    let parsed = blocks.iter().zip(&text.trees);
                    parsed.flat_map(|(block, tree)| excerpt(world, block, tree, origin)).collect()
                }
                None => text.trees.iter().flat_map(|tree| world.check(tree, origin)).collect(),
            };
            (content.clone(), findings)
        }
        Err(reason) => (String::new(), vec![Finding::new(Rule::Syntax, reason.clone(), Span::at(0))]),
    };
    let is_code = text.blocks.is_none();
    CheckedText { name: text.source.name().into_owned(), text: content, mode: text.mode, findings, is_code }
}
