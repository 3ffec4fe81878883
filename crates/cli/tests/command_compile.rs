//! `puppetfn compile` without Ruby.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]

use std::fs;
use std::path::Path;
use std::process::Command;

/// A directory of its own, which is removed at the end.
struct TestDirectory(std::path::PathBuf);

impl TestDirectory {
    fn new(files: &[(&str, &str)]) -> Self {
        let name = format!("puppetfn-compile-{}-{:?}", std::process::id(), std::thread::current().id());
        let root = std::env::temp_dir().join(name);
        for (path, content) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        Self(root)
    }
}

impl Drop for TestDirectory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the standard output, the standard error and the exit code, with `<ROOT>` for the directory.
fn compile(root: &Path, args: &[&str]) -> (String, String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puppetfn"));
    let output =
        command.args(["compile", "web.example.com", "--environment"]).arg(root).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap().replace(root.to_str().unwrap(), "<ROOT>");
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[test]
fn classes_types_functions_and_data_in_the_puppet_language_are_compiled() {
    let directory = TestDirectory::new(&[
        ("manifests/site.pp", "node /^(web)/ {\n  notice(\"node ${1}\")\n  include shop\n}\n"),
        ("hiera.yaml", "version: 5\n"),
        ("data/common.yaml", "shop::port: 8080\n"),
        ("modules/shop/types/port.pp", "type Shop::Port = Integer[1024, 65535]\n"),
        ("modules/shop/functions/url.pp", "function shop::url($p) { \"http://${facts['fqdn']}:${p}\" }\n"),
        (
            "modules/shop/manifests/init.pp",
            "class shop(Shop::Port $port) {\n  shop::page { shop::url($port): }\n}\n",
        ),
        ("modules/shop/manifests/page.pp", "define shop::page() {\n  notify { \"page ${title}\": }\n}\n"),
        ("facts.yaml", "fqdn: web.example.com\n"),
    ]);
    let facts = directory.0.join("facts.yaml");
    let (out, err, code) = compile(&directory.0, &["--facts", facts.to_str().unwrap(), "--format", "text"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(
        out,
        "\
class { 'shop':
  port => 8080,
}

# <ROOT>/modules/shop/manifests/init.pp:2
shop::page { 'http://web.example.com:8080': }

# <ROOT>/modules/shop/manifests/page.pp:2
notify { 'page http://web.example.com:8080': }
"
    );
    assert!(
        err.starts_with("Notice: Scope(Node[__node_regexp__web]): node web\nNotice: Compiled catalog for "),
        "{err}"
    );
}

#[test]
fn functions_in_ruby_need_ruby() {
    let function = "Puppet::Functions.create_function(:f) { def f = 1 }";
    let directory = TestDirectory::new(&[
        ("manifests/site.pp", "f()"),
        ("modules/m/lib/puppet/functions/f.rb", function),
    ]);
    let (out, err, code) = compile(&directory.0, &[]);
    assert_eq!((out.as_str(), code), ("", 1));
    let message = "The function 'f' is written in Ruby (<ROOT>/modules/m/lib/puppet/functions/f.rb), which this \
                   program does not run (file: <ROOT>/manifests/site.pp, line: 1, column: 1) on node web.example.com\nhelp: the command `puppetfn` of \
                   the gem puppetfn runs Ruby code, too\n";
    assert!(err.ends_with(message), "{err}");
}
