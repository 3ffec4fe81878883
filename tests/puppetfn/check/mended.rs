//! Fixes of `--fix`.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    missing_docs,
    reason = "a test may take the short way"
)]

use std::fs;

use super::command::{Files, command};
use puppetfn_cli::USAGE;

const CODE: &str = "# é
class app::use($x) {
  app::site { 'a':
    roto => 'a',
    size => 1,
  }
  app::siet { 'b': root => 'b' }
  include app::uses
  file { '/a': contnt => upcsae('x'), moed => '0644' }
  file { '/b': * => { 'contnt' => 'x' } }
  $y = 1 =~ Integr
  notice($app::confg, \"${app::confg}\", $xy)
  notice(app::lnie(1))
  notice(frob(1)) # puppetfn:ignore unknown-function
}
";

const MENDED: &str = "# é
class app::use($x) {
  app::site { 'a':
    root => 'a',
    size => 1,
  }
  app::site { 'b': root => 'b' }
  include app::uses
  file { '/a': content => upcase('x'), mode => '0644' }
  file { '/b': * => { 'contnt' => 'x' } }
  $y = 1 =~ Integer
  notice($app::config, \"${app::confg}\", $xy)
  notice(app::line(1))
  notice(frob(1)) # puppetfn:ignore unknown-function
}
";

fn module(name: &str, files: &[(&str, &str)]) -> Files {
    let own = [
        ("app/metadata.json", metadata!("me-app")),
        ("app/manifests/init.pp", "class app(Integer $port = 80) {\n  $config = 1\n}\n"),
        ("app/manifests/site.pp", "define app::site(String $root, $size = 1) { }\n"),
        ("app/functions/line.pp", "function app::line($x) { $x }\n"),
        ("app/hiera.yaml", "version: 5\n"),
    ];
    Files::new(name, &[&own[..], files].concat())
}

#[test]
fn misspelt_names_are_mended_and_the_rest_is_reported() {
    let data = "---\napp::prot: 80 # é\n'app::potr': 80\napp::xyz: 1\n";
    let files = module("mended", &[("app/manifests/use.pp", CODE), ("app/data/common.yaml", data)]);
    let (_, out, err) = command(&[&files.path("app"), "--fix", "--format", "github"]);
    let text = fs::read_to_string(files.path("app/manifests/use.pp")).unwrap();
    assert_eq!(text, MENDED, "{out}");
    let data = fs::read_to_string(files.path("app/data/common.yaml")).unwrap();
    assert_eq!(data, "---\napp::port: 80 # é\n'app::potr': 80\napp::xyz: 1\n");
    assert_eq!(err, "note: 9 findings fixed in 2 files\n");
    // Findings without a single fix remain, and a second run changes nothing.
    assert_eq!(out.lines().count(), 6, "{out}");
    let again = command(&[&files.path("app"), "--fix", "--format", "github"]);
    assert_eq!((again.1, &*again.2), (out, "note: 0 findings fixed in 0 files\n"));
    assert_eq!(fs::read_to_string(files.path("app/manifests/use.pp")).unwrap(), MENDED);
}

#[test]
fn a_change_that_makes_it_worse_is_taken_back() {
    // The first attribute exists already, the second does not.
    let code = "class app::use {\n  file { '/a': content => 'a', contnt => 'b', moed => '0644' }\n}\n";
    let files = module("worse", &[("app/manifests/use.pp", code)]);
    let (_, out, err) = command(&[&files.path("app"), "--fix", "--format", "github"]);
    let text = fs::read_to_string(files.path("app/manifests/use.pp")).unwrap();
    assert_eq!(text, code.replace("moed", "mode"), "{out}");
    assert_eq!(err, "note: 1 finding fixed in 1 file\n");
    assert_eq!(out.lines().count(), 1, "{out}");
    // Of the findings that remain, none is said to have a fix.
    let (_, out, _) = command(&[&files.path("app"), "--fix", "--statistics"]);
    assert!(out.contains("unknown-parameter") && !out.contains("with a fix"), "{out}");
}

#[test]
fn documentation_is_mended_and_the_standard_input_is_not() {
    let readme = "# App\n\n```puppet\nclass { 'app': prot => 1 }\n```\n";
    let files = module("documentation_mended", &[("app/README.md", readme)]);
    command(&[&files.path("app/README.md"), "--fix"]);
    assert_eq!(fs::read_to_string(files.path("app/README.md")).unwrap(), readme.replace("prot", "port"));
    assert_eq!(command(&["-", "--fix"]).0, USAGE);
}
