//! The directory of an environment, and the settings in its `environment.conf`.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::env;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use walkdir::WalkDir;

use super::ProjectFailure;
use puppetfn_base::error::{Error, ErrorKind, NO_PLACE};
use puppetfn_base::file_system::{FileSystem, StdFileSystem};
use puppetfn_base::limits::Limits;
use puppetfn_base::target::Target;
use puppetfn_hiera::braces;
use puppetfn_runtime::eval::Manifest;
use puppetfn_runtime::settings::{
    ConfigFile, ConfigProblem, ENVIRONMENT, MAIN, OF_ENVIRONMENTS, interpolate, is_known, target_of,
};
use puppetfn_syntax::not_utf8;
use puppetfn_types::value::{Hash, Value};

/// The default name of an environment.
const DEFAULT_NAME: &str = "production";

/// Entries that mark a directory as an environment.
pub const CONTENTS: [&str; 4] = ["environment.conf", "manifests", "modules", "hiera.yaml"];

/// An environment, from its directory and options.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Environment {
    /// The name.
    pub name: String,
    /// The directory, if it has one.
    pub directory: Option<PathBuf>,
    /// The directories with its modules.
    pub modulepath: Vec<PathBuf>,
    /// Whether the modulepath names directories of the environment that do not exist.
    pub misses_directories: bool,
    /// The main manifest: a file, or a directory of files.
    pub manifest: Option<PathBuf>,
    /// Whether an option names the manifest.
    pub is_manifest_named: bool,
    /// The command that prints the version of the code.
    pub config_version: Option<String>,
    /// The settings with a value for `$settings::NAME`: from its `environment.conf` and its location.
    pub settings: Hash,
    /// Warnings about its `environment.conf`.
    pub warnings: Vec<String>,
}

/// The options that describe an environment.
#[derive(Debug, Default)]
pub struct EnvironmentOptions {
    /// The name.
    pub name: String,
    /// The directory, if it has one.
    pub directory: Option<PathBuf>,
    /// The modulepath; if empty, the environment's own.
    pub modulepath: Vec<PathBuf>,
    /// The value of `$basemodulepath`, unless empty.
    pub basemodulepath: Vec<PathBuf>,
    /// The main manifest; if `None`, the environment's own.
    pub manifest: Option<PathBuf>,
    /// Values of Puppet's settings: `environment.conf` may refer to all settings.
    pub settings: Hash,
    /// Limits for reading files.
    pub limits: Limits,
}

/// Content of an `environment.conf`.
#[derive(Debug, Default)]
struct Conf(ConfigFile);

impl Environment {
    /// Reads an environment.
    ///
    /// # Errors
    /// Fails if the `environment.conf` cannot be used.
    pub fn read(given: EnvironmentOptions) -> Result<Self, ProjectFailure> {
        let EnvironmentOptions { name, directory, modulepath, basemodulepath, manifest, settings, limits } =
            given;
        let read = |directory| Conf::read(directory, &limits);
        let conf = directory.as_deref().map_or_else(|| Ok(Conf::default()), read)?;
        let set = with_places(settings, directory.as_deref(), &basemodulepath);
        let mut names = ConfSettings { environment: &name, set: &set, limits: &limits, warnings: Vec::new() };
        let is_manifest_named = manifest.is_some();
        let modulepath_text = match &directory {
            Some(directory) if modulepath.is_empty() => conf.modulepath(directory, &mut names)?,
            _ => joined(&modulepath),
        };
        let manifest_path = match (&directory, &manifest) {
            (_, Some(manifest)) => Some(manifest.clone()),
            (Some(directory), None) => Some(conf.manifest_path(directory, &mut names)?),
            (None, None) => None,
        };
        let config_version = match (&directory, conf.text("config_version")) {
            (Some(directory), Some(command)) => Some(names.command(&located(&command, directory))?),
            _ => None,
        };
        let target = target_of(&set);
        let complain = |directory| conf.warnings(directory, target);
        let mut warnings = directory.as_deref().map_or_else(Vec::new, complain);
        warnings.append(&mut names.warnings);
        let mut settings = places(directory.as_deref());
        let mut set = |name: &str, value: Value| _ = settings.insert(name.into(), value);
        for name in possible(target) {
            conf.0.get(MAIN, name).into_iter().for_each(|value| set(name, value.clone()));
        }
        set("modulepath", modulepath_text.clone().into());
        if let Some(path) = &manifest_path {
            set("manifest", path.to_string_lossy().into_owned().into());
        }
        if let Some(command) = &config_version {
            set("config_version", command.as_str().into());
        }
        let is_own = |path: &PathBuf| directory.as_ref().is_some_and(|directory| path.starts_with(directory));
        let (modulepath, missing): (Vec<PathBuf>, Vec<PathBuf>) =
            env::split_paths(&modulepath_text).partition(|path| path.is_dir());
        let misses_directories = missing.iter().any(is_own);
        let manifest = match manifest_path {
            Some(path) if !is_manifest_named => conf.usable_manifest(path)?,
            other => other,
        };
        Ok(Self {
            name,
            directory,
            modulepath,
            misses_directories,
            manifest,
            is_manifest_named,
            config_version,
            settings,
            warnings,
        })
    }

    /// Returns the files of the main manifest, in Puppet's order.
    ///
    /// # Errors
    /// Fails if one cannot be read.
    pub fn main(&self, limits: &Limits) -> Result<Vec<Manifest>, ProjectFailure> {
        let Some(path) = &self.manifest else { return Ok(Vec::new()) };
        let files = StdFileSystem::new(limits);
        let is_directory = path.is_dir();
        let paths = if is_directory { manifests_below(path)? } else { vec![path.clone()] };
        let read = |path: &Path| {
            if self.is_manifest_named && !is_directory { files.read_named(path) } else { files.read(path) }
        };
        let manifest = |path: &PathBuf| {
            let bytes = read(path).map_err(|error| unreadable(path, &error.to_string()))?;
            let text = String::from_utf8(bytes)
                .map_err(|_| ProjectFailure::File(not_utf8().of_environment(self.name.as_str().into())))?;
            Ok(Manifest { text, file: Some(path.to_string_lossy().into()) })
        };
        paths.iter().map(manifest).collect()
    }
}

/// Returns all files below a directory that end in `.pp`, sorted by path in Ruby's order. Hidden files are ignored, and
/// links to directories are not followed.
///
/// # Errors
/// Fails if a directory cannot be listed.
pub fn manifests_below(directory: &Path) -> Result<Vec<PathBuf>, ProjectFailure> {
    let is_shown = |entry: &walkdir::DirEntry| {
        entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".")
    };
    // The directory itself may be a link.
    let entries = WalkDir::new(directory).follow_root_links(true).into_iter().filter_entry(is_shown);
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| ProjectFailure::Setting(error.to_string()))?;
        if entry.depth() > 0 && entry.file_name().as_encoded_bytes().ends_with(b".pp") {
            found.push(entry.into_path());
        }
    }
    found.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
    Ok(found)
}

/// Returns the settings that an `environment.conf` of a release can have.
fn possible(target: Target) -> impl Iterator<Item = &'static str> {
    OF_ENVIRONMENTS.into_iter().filter(move |name| is_known(name, target))
}

impl Conf {
    fn read(directory: &Path, limits: &Limits) -> Result<Self, ProjectFailure> {
        let path = directory.join("environment.conf");
        match StdFileSystem::new(limits).read_text(&path) {
            Ok(text) => Self::parse(&text, &path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(unreadable(&path, &error.to_string())),
        }
    }

    fn parse(text: &str, path: &Path) -> Result<Self, ProjectFailure> {
        ConfigFile::parse(text).map(Self).map_err(|ConfigProblem { message, line }| {
            let place = format!("(file: {}, line: {line})", path.display());
            ProjectFailure::File(Error::new(ErrorKind::Load, format!("{message}\n {place}")))
        })
    }

    /// Returns Puppet's warnings about the file.
    fn warnings(&self, directory: &Path, target: Target) -> Vec<String> {
        let path = directory.join("environment.conf");
        let path = path.display();
        let mut warnings = Vec::new();
        let others = self.0.sections().iter().map(|section| section.name.as_str());
        let others: Vec<&str> = others.filter(|name| *name != MAIN).collect();
        if !others.is_empty() {
            warnings.push(format!(
                "Invalid sections in environment.conf at '{path}'. Environment conf may not have sections. The following \
                 sections are being ignored: '{}'{NO_PLACE}",
                others.join(",")
            ));
        }
        let own = self.0.sections().iter().filter(|section| section.name == MAIN);
        let names = own.flat_map(|section| section.settings.iter().map(|(name, _)| name.as_str()));
        let unknown: Vec<&str> = names.filter(|name| possible(target).all(|known| known != *name)).collect();
        if !unknown.is_empty() {
            warnings.push(format!(
                "Invalid settings in environment.conf at '{path}'. The following unknown setting(s) are being ignored: \
                 {}{NO_PLACE}",
                unknown.join(", ")
            ));
        }
        warnings
    }

    /// Returns the text of a setting.
    fn text(&self, name: &str) -> Option<String> {
        let value = self.0.get(MAIN, name)?;
        if let Value::Boolean(value) = value {
            return Some(value.to_string());
        }
        if let Value::String(text) = value { Some(text.to_string()) } else { None }
    }

    /// Returns the directories with modules, separated by colons, whether they exist or not.
    fn modulepath(&self, directory: &Path, names: &mut ConfSettings<'_>) -> Result<String, ProjectFailure> {
        let stated = self.text("modulepath").unwrap_or_else(|| "modules:$basemodulepath".to_owned());
        let mut found = Vec::new();
        for part in env::split_paths(&stated).filter(|part| !part.as_os_str().is_empty()) {
            let part = located(&part.to_string_lossy(), directory);
            for path in expanded(Path::new(&part), names.limits)? {
                found.push(path.to_string_lossy().into_owned());
            }
        }
        names.path("modulepath", &found.join(":"))
    }

    /// Returns the path of the main manifest, which may not exist.
    fn manifest_path(
        &self,
        directory: &Path,
        names: &mut ConfSettings<'_>,
    ) -> Result<PathBuf, ProjectFailure> {
        let setting = |name| interpolate(&format!("${name}"), names.set, None);
        let of_no_environment = matches!(setting("disable_per_environment_manifest").as_deref(), Ok("true"));
        let stated = self.text("manifest").filter(|_| !of_no_environment);
        let path = match stated {
            Some(stated) => located(&stated, directory),
            None => located(&setting("default_manifest")?, directory),
        };
        Ok(PathBuf::from(names.path("manifest", &path)?))
    }

    /// Returns the main manifest if it exists. A manifest that the file names must exist.
    fn usable_manifest(&self, path: PathBuf) -> Result<Option<PathBuf>, ProjectFailure> {
        match fs::metadata(&path) {
            Ok(_) => Ok(Some(path)),
            Err(_) if self.text("manifest").is_none() => Ok(None),
            Err(error) => {
                Err(unreadable(&path, &format!("{error} (environment.conf names it as the manifest)")))
            }
        }
    }
}

/// Puppet's settings, to which an `environment.conf` may refer.
struct ConfSettings<'n> {
    environment: &'n str,
    set: &'n Hash,
    limits: &'n Limits,
    warnings: Vec<String>,
}

impl ConfSettings<'_> {
    /// Interpolates settings in a path, but not `$environment`.
    fn path(&mut self, setting: &str, text: &str) -> Result<String, ProjectFailure> {
        let interpolated =
            interpolate(text, self.set, Some(ENVIRONMENT)).map_err(|error| of(setting, &error))?;
        if interpolated.contains("$environment") || interpolated.contains("${environment}") {
            let warning = format!(
                "You cannot interpolate $environment within '{setting}' when using directory environments. Its value will \
                 remain {interpolated}.{NO_PLACE}"
            );
            // Puppet computes the value for the environment, and again for `$settings`.
            self.warnings.extend([warning.clone(), warning]);
        }
        Ok(interpolated)
    }

    /// Interpolates a command.
    fn command(&self, text: &str) -> Result<String, ProjectFailure> {
        let mut set = self.set.clone();
        set.insert(ENVIRONMENT.into(), self.environment.into());
        interpolate(text, &set, None).map_err(|error| of("config_version", &error))
    }
}

/// Returns the error for the value of a setting.
fn of(setting: &str, error: &Error) -> ProjectFailure {
    let message = format!("Error converting value for param '{setting}': {}", error.message());
    ProjectFailure::File(Error::new(ErrorKind::Load, message))
}

/// Returns the settings for an environment's location: it is in the directory of all environments.
fn places(directory: Option<&Path>) -> Hash {
    let mut places = Hash::default();
    let mut set = |name: &str, path: &Path| {
        _ = places.insert(name.into(), path.to_string_lossy().into_owned().into());
    };
    if let Some(environments) = directory.and_then(Path::parent) {
        set("environmentpath", environments);
        // A checkout may be anywhere, an environment of a server is in `$codedir/environments`.
        if let Some(code) = environments.parent().filter(|_| environments.ends_with("environments")) {
            set("codedir", code);
        }
    }
    places
}

/// Returns settings completed by an environment's location and an option's `basemodulepath`.
fn with_places(mut set: Hash, directory: Option<&Path>, basemodulepath: &[PathBuf]) -> Hash {
    for (name, value) in places(directory).iter() {
        set.get_or_insert_with(name.clone(), || value.clone());
    }
    if !basemodulepath.is_empty() {
        set.insert("basemodulepath".into(), joined(basemodulepath).into());
    }
    set
}

fn joined(paths: &[PathBuf]) -> String {
    env::join_paths(paths).unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the name of the environment in a directory: the directory's name, unless it is the root of a repository that is checked
/// out elsewhere than among environments.
pub fn environment_name(directory: &Path) -> String {
    let is_among_environments = directory.parent().is_some_and(|around| around.ends_with("environments"));
    let is_checkout = !is_among_environments && directory.join(".git").exists();
    let name = directory.file_name().filter(|_| !is_checkout);
    name.map_or_else(|| DEFAULT_NAME.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Resolves a path or command of an `environment.conf` relative to the directory of the environment, unless it begins
/// with a variable.
fn located(text: &str, directory: &Path) -> String {
    if text.starts_with('$') {
        return text.to_owned();
    }
    expand(&directory.join(text)).to_string_lossy().into_owned()
}

/// Returns an absolute path without `.` and `..`.
pub fn expand(path: &Path) -> PathBuf {
    let mut expanded = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = expanded.pop(),
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => expanded.push(part),
        }
    }
    expanded
}

/// Returns the directories that match an entry of a modulepath, which may be a pattern.
fn expanded(path: &Path, limits: &Limits) -> Result<Vec<PathBuf>, ProjectFailure> {
    let text = path.to_string_lossy();
    if !text.contains(['*', '?', '[', '{']) {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    for pattern in braces(&text, limits)? {
        let paths = glob::glob(&pattern)
            .map_err(|error| unreadable(Path::new("environment.conf"), &format!("modulepath: {error}")))?;
        found.extend(paths.filter_map(Result::ok));
    }
    Ok(found)
}

fn unreadable(path: &Path, problem: &str) -> ProjectFailure {
    ProjectFailure::File(Error::new(ErrorKind::Load, format!("{}: {problem}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIRECTORY: &str = "/code/environments/test";

    fn conf(text: &str) -> Result<Conf, ProjectFailure> {
        Conf::parse(text, Path::new("/e/environment.conf"))
    }

    fn message<T: std::fmt::Debug>(result: Result<T, ProjectFailure>) -> String {
        match result {
            Err(failure) => failure.to_string(),
            Ok(value) => panic!("{value:?}"),
        }
    }

    fn modulepath(text: &str) -> Result<(String, Vec<String>), ProjectFailure> {
        let base = [PathBuf::from("/base/a"), PathBuf::from("/base/b")];
        let set = with_places(Hash::default(), Some(Path::new(DIRECTORY)), &base);
        let mut names =
            ConfSettings { environment: "test", set: &set, limits: &Limits::DEFAULT, warnings: Vec::new() };
        let found = conf(text)?.modulepath(Path::new(DIRECTORY), &mut names)?;
        Ok((found, names.warnings))
    }

    #[test]
    fn an_environment_conf_has_settings_and_comments() {
        let conf =
            conf("# manifest = x\n\n  manifest =  a = b \r\n[agent]\nmodulepath = no\n[main]\nmodulepath=\n")
                .unwrap_or_else(|_| panic!());
        let text = |name| conf.text(name);
        assert_eq!((text("manifest").as_deref(), text("modulepath").as_deref()), (Some("a = b"), Some("")));
        let warnings = conf.warnings(Path::new("/e"), Target::default());
        assert!(warnings.first().is_some_and(|warning| warning.contains("ignored: 'agent'")), "{warnings:?}");
    }

    // The messages and values are Puppet 8.11's.
    #[test]
    fn what_puppet_does_not_read_is_an_error() {
        for (text, problem) in [
            (
                "manifest = a\nno setting\n",
                "Could not match line no setting\n (file: /e/environment.conf, line: 2)",
            ),
            ("modulepath = {a,b}\n", "Could not parse '{a,b}'\n (file: /e/environment.conf, line: 1)"),
            (
                "modulepath = $no\n",
                "Error converting value for param 'modulepath': Could not find value for $no",
            ),
        ] {
            assert_eq!(message(modulepath(text)), problem);
        }
    }

    #[test]
    fn paths_are_from_the_directory_of_the_environment() {
        for (stated, expected) in [
            ("modules:../x/./modules", "/code/environments/test/modules:/code/environments/x/modules"),
            (
                "\"site:modules:$basemodulepath\"",
                "/code/environments/test/site:/code/environments/test/modules:/base/a:/base/b",
            ),
            ("'site'", "/code/environments/test/site"),
            ("$basemodulepath:/m", "/base/a:/base/b:/m"),
            ("$codedir/m:$environmentpath/m", "/code/m:/code/environments/m"),
        ] {
            let (found, warnings) =
                modulepath(&format!("modulepath = {stated}\n")).unwrap_or_else(|_| panic!());
            assert_eq!((found.as_str(), warnings), (expected, Vec::new()));
        }
        let (own, _) = modulepath("").unwrap_or_else(|_| panic!());
        assert_eq!(own, "/code/environments/test/modules:/base/a:/base/b");
    }

    #[test]
    fn the_environment_is_interpolated_in_commands_only() {
        let (found, warnings) = modulepath("modulepath = m/$environment\n").unwrap_or_else(|_| panic!());
        assert_eq!(found, "/code/environments/test/m/$environment");
        assert_eq!(warnings.len(), 2);
    }
}
