use std::collections::BTreeMap;
use std::fs;

use super::*;
use crate::ProjectConfig;
use puppetfn_base::limits::Limits;

/// The files for a project with some files, whose names have the content that matters.
fn files(present: &[(&str, &str)], services: &[CiService]) -> BTreeMap<&'static str, String> {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in present {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let kind = ProjectKind::of(root.path());
    initial_files(root.path(), kind, services).into_iter().map(|file| (file.path, file.text)).collect()
}

const MODULE: (&str, &str) = ("metadata.json", "{}");
const BOTH: [CiService; 2] = [CiService::GitHub, CiService::GitLab];

#[test]
fn settings_are_valid_as_they_are_and_without_comment_marks() {
    for present in [MODULE, ("environment.conf", "")] {
        let text = &files(&[present], &[])["puppetfn.toml"];
        // Examples are lines of TOML behind a mark; explanations are sentences.
        let is_example = |line: &str| line.starts_with('[') || line.contains(" = ");
        let shown = |line: &str| line.strip_prefix("# ").filter(|line| is_example(line)).map(str::to_owned);
        let examples: Vec<String> = text.lines().filter_map(shown).collect();
        assert!(examples.len() > 8, "{examples:?}");
        for text in [text.clone(), examples.join("\n")] {
            let directory = tempfile::tempdir().unwrap();
            let file = directory.path().join("puppetfn.toml");
            fs::write(&file, text).unwrap();
            let config = ProjectConfig::of(Some(&file), None, &Limits::DEFAULT).unwrap();
            config.settings(puppetfn_base::target::Target::Puppet8).unwrap();
        }
    }
}

#[test]
fn jobs_follow_from_the_files_of_the_project() {
    let plain = files(&[MODULE], &BOTH);
    let (github, gitlab) = (&plain[".github/workflows/puppetfn.yml"], &plain[".gitlab-ci.yml"]);
    assert!(github.contains("command: check") && gitlab.contains("command: check"));
    assert!(!github.contains("specs:") && !gitlab.contains("specs:"));

    let tested = files(&[MODULE, ("spec/spec_helper.rb", "")], &BOTH);
    let (github, gitlab) = (&tested[".github/workflows/puppetfn.yml"], &tested[".gitlab-ci.yml"]);
    assert!(github.contains("puppetfn test --parallel") && gitlab.contains("puppetfn test --parallel"));
    assert!(!github.contains("puppetfn fixtures") && !gitlab.contains("puppetfn fixtures"));

    let with_fixtures = [MODULE, ("spec/spec_helper.rb", ""), (".fixtures.yml", "")];
    let with_fixtures = files(&with_fixtures, &BOTH);
    assert!(with_fixtures[".gitlab-ci.yml"].contains("    - puppetfn fixtures\n    - puppetfn test"));

    let control = files(&[("environment.conf", ""), ("facts/web1.json", "{}")], &BOTH);
    let github = &control[".github/workflows/puppetfn.yml"];
    assert!(github.contains("arguments: --nodes facts") && !github.contains("puppetfn fixtures"));
    assert!(!github.contains("{version}"));
}

#[test]
fn services_are_recognized_by_files_and_remotes() {
    let root = tempfile::tempdir().unwrap();
    let of = || CiService::of_repository(&root.path().join("modules/a"));
    assert_eq!(of(), []);
    fs::create_dir_all(root.path().join(".git")).unwrap();
    fs::create_dir_all(root.path().join("modules/a")).unwrap();
    assert_eq!(of(), []);
    let config = "[remote \"origin\"]\n\turl = git@github.com:me/module.git\n";
    fs::write(root.path().join(".git/config"), config).unwrap();
    assert_eq!(of(), [CiService::GitHub]);
    fs::write(root.path().join(".gitlab-ci.yml"), "").unwrap();
    assert_eq!(of(), BOTH);

    let module = root.path().join("modules/a");
    let below = initial_files(&module, ProjectKind::Module, &BOTH);
    assert!(below.iter().all(|file| !file.path.ends_with(".yml") && !file.path.ends_with(".yaml")));
}

#[test]
fn the_kind_follows_from_the_files() {
    let kind = |path: &str| {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join(path).parent().unwrap()).unwrap();
        fs::write(root.path().join(path), "").unwrap();
        ProjectKind::of(root.path())
    };
    assert_eq!(kind("manifests/init.pp"), ProjectKind::Module);
    assert_eq!(kind("environment.conf"), ProjectKind::ControlRepository);
    assert_eq!(kind("site.pp"), ProjectKind::Files);
}
