//! The directory of an environment, and the settings in its `environment.conf`.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::env;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;
use walkdir::WalkDir;

use super::Failure;
use puppetfn_base::error::{Error, ErrorKind, NO_PLACE};
use puppetfn_base::file_system::{FileSystem, StdFileSystem};
use puppetfn_base::limits::Limits;
use puppetfn_runtime::eval::Manifest;
use puppetfn_runtime::lookup::braces;
use puppetfn_syntax::not_utf8;

/// What `$basemodulepath` is where no option says that, as in Puppet's packages.
const BASE_MODULEPATH: [&str; 2] = ["/etc/puppetlabs/code/modules", "/opt/puppetlabs/puppet/modules"];

/// What an `environment.conf` can set.
const SETTINGS: [&str; 7] = [
    "modulepath",
    "manifest",
    "config_version",
    "environment_timeout",
    "environment_data_provider",
    "static_catalogs",
    "rich_data",
];

/// An environment as its directory and options describe it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Environment {
    /// What it is called.
    pub name: String,
    /// Where it is, if it has a directory.
    pub directory: Option<PathBuf>,
    /// The directories with its modules.
    pub modulepath: Vec<PathBuf>,
    /// The main manifest: a file, or a directory of files.
    pub manifest: Option<PathBuf>,
    /// Whether an option names it.
    pub is_manifest_named: bool,
    /// The command that says the version of the code.
    pub config_version: Option<String>,
    /// What is to be warned of.
    pub warnings: Vec<String>,
}

/// What options say of the environment.
#[derive(Debug, Default)]
pub struct Given {
    /// What it is called.
    pub name: String,
    /// Where it is, if it has a directory.
    pub directory: Option<PathBuf>,
    /// Takes the place of what the environment says, unless it is empty.
    pub modulepath: Vec<PathBuf>,
    /// What `$basemodulepath` is, unless it is empty.
    pub basemodulepath: Vec<PathBuf>,
    /// The main manifest, if it is not what the environment says.
    pub manifest: Option<PathBuf>,
    /// How much may be read.
    pub limits: Limits,
}

/// The settings of an `environment.conf`, by name.
#[derive(Debug, Default)]
struct Conf {
    settings: Vec<(String, String)>,
    /// Sections that there should not be.
    sections: Vec<String>,
}

impl Environment {
    /// Reads what there is to know of the environment.
    ///
    /// # Errors
    /// When there is an `environment.conf` that cannot be used.
    pub fn read(given: Given) -> Result<Self, Failure> {
        let Given { name, directory, modulepath, basemodulepath, manifest, limits } = given;
        let read = |directory| Conf::read(directory, &limits);
        let conf = directory.as_deref().map_or_else(|| Ok(Conf::default()), read)?;
        let base = if basemodulepath.is_empty() {
            BASE_MODULEPATH.iter().map(PathBuf::from).collect()
        } else {
            basemodulepath
        };
        let is_manifest_named = manifest.is_some();
        let names =
            Names { environment: &name, directory: directory.as_deref(), base: &base, limits: &limits };
        let modulepath = match &directory {
            Some(directory) if modulepath.is_empty() => conf.modulepath(directory, &names)?,
            _ => modulepath,
        };
        let manifest = match (&directory, manifest) {
            (_, Some(manifest)) => Some(manifest),
            (Some(directory), None) => conf.manifest(directory, &names)?,
            (None, None) => None,
        };
        let config_version = match (&directory, conf.get("config_version")) {
            (Some(directory), Some(command)) => Some(names.interpolated(&located(command, directory))?),
            _ => None,
        };
        let modulepath = modulepath.into_iter().filter(|path| path.is_dir()).collect();
        let warnings = directory.as_deref().map_or_else(Vec::new, |directory| conf.warnings(directory));
        Ok(Self { name, directory, modulepath, manifest, is_manifest_named, config_version, warnings })
    }

    /// Returns the files of the main manifest, in Puppet's order.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn main(&self, limits: &Limits) -> Result<Vec<Manifest>, Failure> {
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
                .map_err(|_| Failure::File(not_utf8().of_environment(self.name.as_str().into())))?;
            Ok(Manifest { text, file: Some(path.to_string_lossy().into()) })
        };
        paths.iter().map(manifest).collect()
    }
}

/// Returns all files below a directory that end in `.pp`, sorted by their paths as Ruby sorts them. Hidden ones are
/// ignored, and links to directories are not followed.
fn manifests_below(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let is_shown = |entry: &walkdir::DirEntry| {
        entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".")
    };
    // The directory itself may be a link.
    let entries = WalkDir::new(directory).follow_root_links(true).into_iter().filter_entry(is_shown);
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| Failure::Setting(error.to_string()))?;
        if entry.depth() > 0 && entry.file_name().as_encoded_bytes().ends_with(b".pp") {
            found.push(entry.into_path());
        }
    }
    found.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
    Ok(found)
}

impl Conf {
    fn read(directory: &Path, limits: &Limits) -> Result<Self, Failure> {
        let path = directory.join("environment.conf");
        match StdFileSystem::new(limits).read_text(&path) {
            Ok(text) => Self::parse(&text, &path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(unreadable(&path, &error.to_string())),
        }
    }

    /// As Puppet reads its configuration: settings, sections, comments and empty lines.
    fn parse(text: &str, path: &Path) -> Result<Self, Failure> {
        let (mut conf, mut is_main) = (Self::default(), true);
        for (index, line) in text.lines().map(str::trim).enumerate() {
            if let Some(section) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                is_main = section == "main";
                if !is_main && !conf.sections.iter().any(|known| known == section) {
                    conf.sections.push(section.to_owned());
                }
            } else if let Some((name, value)) = line.split_once('=').filter(|(name, _)| is_name(name)) {
                if is_main {
                    conf.settings.push((name.trim_end().to_owned(), value.trim_start().to_owned()));
                }
            } else if !line.is_empty() && !line.starts_with('#') {
                let number = index.saturating_add(1);
                return Err(unreadable(path, &format!("line {number} is no setting: {line}")));
            }
        }
        Ok(conf)
    }

    /// Returns what Puppet warns of in such a file.
    fn warnings(&self, directory: &Path) -> Vec<String> {
        let path = directory.join("environment.conf");
        let path = path.display();
        let mut warnings = Vec::new();
        if !self.sections.is_empty() {
            warnings.push(format!(
                "Invalid sections in environment.conf at '{path}'. Environment conf may not have sections. The following \
                 sections are being ignored: '{}'{NO_PLACE}",
                self.sections.join(",")
            ));
        }
        let names = self.settings.iter().map(|(name, _)| name.as_str());
        let unknown: Vec<&str> = names.filter(|name| !SETTINGS.contains(name)).collect();
        if !unknown.is_empty() {
            warnings.push(format!(
                "Invalid settings in environment.conf at '{path}'. The following unknown setting(s) are being ignored: \
                 {}{NO_PLACE}",
                unknown.join(", ")
            ));
        }
        warnings
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.settings.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    fn modulepath(&self, directory: &Path, names: &Names<'_>) -> Result<Vec<PathBuf>, Failure> {
        let Some(stated) = self.get("modulepath") else {
            let own = directory.join("modules");
            return Ok(std::iter::once(own).chain(names.base.iter().cloned()).collect());
        };
        let mut found = Vec::new();
        for part in env::split_paths(stated).filter(|part| !part.as_os_str().is_empty()) {
            let part = located(&part.to_string_lossy(), directory);
            // A variable may stand for several directories.
            for path in env::split_paths(&names.interpolated(&part)?) {
                found.extend(expanded(&path, names.limits)?);
            }
        }
        Ok(found)
    }

    /// Returns the main manifest, which need not be there unless it is stated.
    fn manifest(&self, directory: &Path, names: &Names<'_>) -> Result<Option<PathBuf>, Failure> {
        let Some(stated) = self.get("manifest") else {
            return Ok(Some(directory.join("manifests")).filter(|path| path.exists()));
        };
        let path = PathBuf::from(names.interpolated(&located(stated, directory))?);
        match fs::metadata(&path) {
            Ok(_) => Ok(Some(path)),
            Err(error) => {
                Err(unreadable(&path, &format!("{error} (environment.conf names it as the manifest)")))
            }
        }
    }
}

/// Returns true if a text can be the name of a setting.
fn is_name(text: &str) -> bool {
    let name = text.trim_end();
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// What the variables in an `environment.conf` stand for.
struct Names<'n> {
    environment: &'n str,
    directory: Option<&'n Path>,
    base: &'n [PathBuf],
    limits: &'n Limits,
}

impl Names<'_> {
    fn value(&self, name: &str) -> Option<String> {
        let path = |path: Option<&Path>| path.map(|path| path.to_string_lossy().into_owned());
        let environments = || self.directory.and_then(Path::parent);
        match name {
            "environment" => Some(self.environment.to_owned()),
            "environmentpath" => path(environments()),
            "codedir" => path(environments().and_then(Path::parent)),
            "basemodulepath" => Some(env::join_paths(self.base).ok()?.to_string_lossy().into_owned()),
            _ => None,
        }
    }

    fn interpolated(&self, text: &str) -> Result<String, Failure> {
        static VARIABLE: LazyLock<Option<Regex>> =
            LazyLock::new(|| Regex::new(r"\$(?:(\w+)|\{(\w+)\})").ok());
        let Some(variable) = VARIABLE.as_ref() else { return Ok(text.to_owned()) };
        let mut unknown = None;
        let replaced = variable.replace_all(text, |found: &regex::Captures<'_>| {
            let name = found.get(1).or_else(|| found.get(2)).map_or("", |name| name.as_str());
            self.value(name).unwrap_or_else(|| {
                unknown.get_or_insert_with(|| name.to_owned());
                String::new()
            })
        });
        match unknown {
            None => Ok(replaced.into_owned()),
            Some(name) => Err(Failure::File(Error::new(
                ErrorKind::Load,
                format!(
                    "environment.conf: no value for ${name}; those of $basemodulepath, $environment, $environmentpath \
                     and $codedir are known"
                ),
            ))),
        }
    }
}

/// Returns a path or command of an `environment.conf`, from the directory of the environment unless it begins with a
/// variable.
fn located(text: &str, directory: &Path) -> String {
    if text.starts_with('$') {
        return text.to_owned();
    }
    expand(&directory.join(text)).to_string_lossy().into_owned()
}

/// Returns an absolute path without parts that lead up or nowhere.
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

/// Returns the directories that a path of modules stands for, which may be a pattern.
fn expanded(path: &Path, limits: &Limits) -> Result<Vec<PathBuf>, Failure> {
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

fn unreadable(path: &Path, problem: &str) -> Failure {
    Failure::File(Error::new(ErrorKind::Load, format!("{}: {problem}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T: std::fmt::Debug>(result: Result<T, Failure>) -> String {
        match result {
            Err(failure) => failure.to_string(),
            Ok(value) => panic!("{value:?}"),
        }
    }

    fn conf(text: &str) -> Conf {
        Conf::parse(text, Path::new("/e/environment.conf")).unwrap_or_else(|_| panic!("{text}"))
    }

    #[test]
    fn an_environment_conf_has_settings_and_comments() {
        let conf =
            conf("# manifest = x\n\n  manifest =  a = b \r\n[agent]\nmodulepath = no\n[main]\nmodulepath=\n");
        assert_eq!((conf.get("manifest"), conf.get("modulepath")), (Some("a = b"), Some("")));
        assert_eq!(conf.sections, ["agent"]);
        let problem = message(Conf::parse("manifest = a\nno setting\n", Path::new("/e/environment.conf")));
        assert_eq!(problem, "/e/environment.conf: line 2 is no setting: no setting");
    }

    #[test]
    fn paths_are_from_the_directory_of_the_environment() {
        let directory = Path::new("/code/environments/test");
        let base = [PathBuf::from("/base/a"), PathBuf::from("/base/b")];
        let names =
            Names { environment: "test", directory: Some(directory), base: &base, limits: &Limits::DEFAULT };
        let modulepath = |text: &str| {
            let found = conf(&format!("modulepath = {text}\n")).modulepath(directory, &names);
            env::join_paths(found.unwrap_or_else(|_| panic!("{text}"))).unwrap()
        };
        assert_eq!(
            modulepath("modules:../x/./modules"),
            "/code/environments/test/modules:/code/environments/x/modules"
        );
        assert_eq!(modulepath("$basemodulepath:/m"), "/base/a:/base/b:/m");
        assert_eq!(
            modulepath("${codedir}/m:$environmentpath/$environment/m"),
            "/code/m:/code/environments/test/m"
        );
        let own = Conf::default().modulepath(directory, &names).unwrap_or_else(|_| panic!());
        assert_eq!(own, ["/code/environments/test/modules", "/base/a", "/base/b"].map(PathBuf::from));
        let problem = message(conf("modulepath = $vardir/m").modulepath(directory, &names));
        assert!(problem.starts_with("environment.conf: no value for $vardir; "), "{problem}");
    }
}
