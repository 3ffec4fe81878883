//! `Puppetfn::Coverage`: counts of evaluated code.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use magnus::{Error, Module, Object, RArray, RHash, RModule, Ruby, TypedData, function, method};
use puppetfn::coverage::Recorder;
use puppetfn_coverage::{CoverageKind, CoverageReport, ReportFormat};
use puppetfn_project::ProjectConfig;

use super::limits;
use crate::ruby::classes::define_class;
use crate::ruby::error::guarded;

/// Counts of evaluated code.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::Coverage", free_immediately)]
pub struct Coverage {
    recorder: Arc<Recorder>,
    root: PathBuf,
    problems: Vec<String>,
}

impl magnus::DataTypeFunctions for Coverage {}

impl Coverage {
    /// Returns the core's recorder.
    pub fn recorder(&self) -> Arc<Recorder> {
        Arc::clone(&self.recorder)
    }

    /// @yard
    /// @def new(root, files)
    /// @param root [String] the directory that names of files are relative to, without links in it
    /// @param files [Array<Array(String, String)>] paths without links, and texts
    fn new(ruby: &Ruby, root: PathBuf, files: Vec<(PathBuf, String)>) -> Result<Self, Error> {
        guarded(ruby, || {
            let mut recorder = Recorder::new();
            let mut problems = Vec::new();
            for (path, text) in files {
                if let Err(error) = recorder.add(path, text, &limits::current()) {
                    problems.push(error.to_string());
                }
            }
            Ok(Self { recorder: Arc::new(recorder), root, problems })
        })
    }

    /// @yard
    /// @def problems
    /// @return [Array<String>] why files are not counted: they are not Puppet
    fn problems(ruby: &Ruby, this: &Self) -> RArray {
        ruby.ary_from_iter(this.problems.iter().map(String::as_str))
    }

    /// @yard
    /// @def take
    /// @api private
    /// @return [Array<Array<Integer>>] the counts since the last call, for another process with the same files
    fn take(ruby: &Ruby, this: &Self) -> RArray {
        ruby.ary_from_iter(this.recorder.take().into_iter().map(|counts| ruby.ary_from_iter(counts)))
    }

    /// @yard
    /// @def merge(counts)
    /// Adds the counts of another process.
    /// @api private
    /// @param counts [Array<Array<Integer>>]
    fn merge(ruby: &Ruby, this: &Self, counts: Vec<Vec<u64>>) -> Result<(), Error> {
        guarded(ruby, || {
            this.recorder.merge(&counts);
            Ok(())
        })
    }

    /// @yard
    /// @def paths
    /// @api private
    /// @return [Array<String>] the files that have code that is counted, without links in their paths
    fn paths(ruby: &Ruby, this: &Self) -> RArray {
        let counted = this.recorder.files().iter().filter(|file| file.points().count() > 0);
        ruby.ary_from_iter(counted.map(|file| file.path().to_path_buf()))
    }

    /// @yard
    /// @def take_paths
    /// @api private
    /// @return [Array<String>] the files of {#paths} that were evaluated since the last call, or the last one of {#take}
    fn take_paths(ruby: &Ruby, this: &Self) -> RArray {
        let counts = this.recorder.take();
        let evaluated = this
            .recorder
            .files()
            .iter()
            .zip(counts)
            .filter(|(_, counts)| counts.iter().any(|count| *count > 0));
        ruby.ary_from_iter(evaluated.map(|(file, _)| file.path().to_path_buf()))
    }

    /// @yard
    /// @def counts
    /// @return [Hash{Symbol=>Array(Integer, Integer)}] the numbers of covered and of all `lines`, `branches` and `definitions`
    fn counts(ruby: &Ruby, this: &Self) -> Result<RHash, Error> {
        guarded(ruby, || {
            let report = this.report();
            let counts = ruby.hash_new();
            for kind in CoverageKind::ALL {
                let ratio = report.ratio(kind);
                counts.aset(ruby.to_symbol(kind.name()), (ratio.covered, ratio.total))?;
            }
            Ok(counts)
        })
    }

    /// @yard
    /// @def render(format, timestamp)
    /// @api private
    /// @param format [String]
    /// @param timestamp [Integer] milliseconds since 1970
    /// @return [Hash{String=>String}] texts by path; the path is empty if the report is one file
    /// @raise [ArgumentError] if there is no such format
    fn render(ruby: &Ruby, this: &Self, format: String, timestamp: u64) -> Result<RHash, Error> {
        guarded(ruby, || {
            let wrong = |problem: String| Error::new(ruby.exception_arg_error(), problem);
            let format = ReportFormat::named(&format).ok_or_else(|| {
                let known = ReportFormat::ALL.map(ReportFormat::name).join(", ");
                wrong(format!("there is no format '{format}' of coverage; expected one of {known}"))
            })?;
            let documents =
                this.report().render(format, timestamp).map_err(|error| wrong(error.to_string()))?;
            let texts = ruby.hash_new();
            for document in documents {
                texts.aset(document.path, document.text)?;
            }
            Ok(texts)
        })
    }

    fn report(&self) -> CoverageReport {
        CoverageReport::new(&self.recorder, &self.root)
    }
}

/// @yard
/// @def project(directory)
/// @api private
/// @param directory [String]
/// @return [Hash{Symbol=>Object}] `files`, `exclude`, `reports` and `minimum` of the `puppetfn.toml` in or around a directory, as far as it
///   has them
/// @raise [ArgumentError] if the file is wrong
fn project(ruby: &Ruby, directory: PathBuf) -> Result<RHash, Error> {
    guarded(ruby, || {
        let wrong = |problem: String| Error::new(ruby.exception_arg_error(), problem);
        let around = Path::new(&directory).join(".");
        let config = ProjectConfig::of(None, Some(&around), &limits::current())
            .map_err(|error| wrong(error.to_string()))?;
        let settings = ruby.hash_new();
        let Some(coverage) = config.coverage() else { return Ok(settings) };
        let lists =
            [("files", &coverage.files), ("exclude", &coverage.exclude), ("reports", &coverage.reports)];
        for (name, list) in lists {
            if let Some(list) = list {
                settings.aset(ruby.to_symbol(name), ruby.ary_from_iter(list.iter().map(String::as_str)))?;
            }
        }
        let minimum = ruby.hash_new();
        for (kind, percent) in &coverage.minimum {
            minimum.aset(ruby.to_symbol(kind), *percent)?;
        }
        settings.aset(ruby.to_symbol("minimum"), minimum)?;
        Ok(settings)
    })
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = define_class::<Coverage>(ruby, puppetfn, "Coverage", ruby.class_object())?;
    class.define_singleton_method("new", function!(Coverage::new, 2))?;
    class.define_singleton_method("project", function!(project, 1))?;
    class.define_method("problems", method!(Coverage::problems, 0))?;
    class.define_method("take", method!(Coverage::take, 0))?;
    class.define_method("merge", method!(Coverage::merge, 1))?;
    class.define_method("paths", method!(Coverage::paths, 0))?;
    class.define_method("take_paths", method!(Coverage::take_paths, 0))?;
    class.define_method("counts", method!(Coverage::counts, 0))?;
    class.define_method("render", method!(Coverage::render, 2))?;
    Ok(())
}
