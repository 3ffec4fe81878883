//! Jobs of continuous integration.

use std::path::Path;

use super::{InitialFile, ProjectKind, repository_around};
use puppetfn_base::file_system::{FileSystem, StdFileSystem};

/// A service for continuous integration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CiService {
    /// GitHub Actions.
    GitHub,
    /// GitLab CI.
    GitLab,
}

impl CiService {
    /// Returns the services that the repository around a directory uses, by its files and the addresses of its remotes.
    pub fn of_repository(directory: &Path) -> Vec<Self> {
        let Some(root) = repository_around(directory) else { return Vec::new() };
        let config = StdFileSystem::DEFAULT.read(&root.join(".git/config")).unwrap_or_default();
        let config = String::from_utf8_lossy(&config);
        let has_remote = |host: &str| {
            config.lines().any(|line| line.trim_start().starts_with("url") && line.contains(host))
        };
        let mut services = Vec::new();
        if root.join(".github").exists() || has_remote("github.com") {
            services.push(Self::GitHub);
        }
        if root.join(".gitlab-ci.yml").exists() || root.join(".gitlab").exists() || has_remote("gitlab") {
            services.push(Self::GitLab);
        }
        services
    }

    /// Returns the file with the jobs: checks; the specs of a module that has some; for a control repository with facts of nodes,
    /// on GitHub, the differences of catalogs.
    pub(super) fn file(self, root: &Path, kind: ProjectKind) -> InitialFile {
        let has_specs = kind == ProjectKind::Module && root.join("spec").is_dir();
        let has_nodes = kind == ProjectKind::ControlRepository && root.join("facts").is_dir();
        let fixtures = [".fixtures.yml", ".fixtures.yaml", "Puppetfile"];
        let has_fixtures = fixtures.iter().any(|name| root.join(name).is_file());
        let (path, parts) = match self {
            Self::GitHub => (
                ".github/workflows/puppetfn.yml",
                [
                    Some(include_str!("github.yaml")),
                    has_specs.then_some(include_str!("github_specs.yaml")),
                    has_nodes.then_some(include_str!("github_diff.yaml")),
                ],
            ),
            Self::GitLab => (
                ".gitlab-ci.yml",
                [
                    Some(include_str!("gitlab.yaml")),
                    has_specs.then_some(include_str!("gitlab_specs.yaml")),
                    None,
                ],
            ),
        };
        let text: String =
            parts.into_iter().flatten().flat_map(str::lines).fold(String::new(), |mut text, line| {
                if has_fixtures || !is_about_fixtures(line) {
                    text.push_str(line);
                    text.push('\n');
                }
                text
            });
        InitialFile::new(path, &text)
    }
}

/// Returns true for a line that is only needed if the project has a list of modules to install.
fn is_about_fixtures(line: &str) -> bool {
    line.ends_with("puppetfn fixtures")
}
