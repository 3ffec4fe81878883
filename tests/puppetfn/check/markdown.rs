//! Code in documentation.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may take the short way")]

use super::command::{Files, command};
use serde_json::Value as Json;

const README: &str = "# Äpp
It has { of (many
```puppet
class { 'app': prot => 1 }
```

- As a list:

  ```puppet
  class { 'app':
    port => 'é',
  }
  ```

```puppet
1 + 1
Stdlib::Port
```

```ruby
class { 'app': prot => 1 }
```

```puppet
include profile::web, stdlib::nothing
$x = merged({'a' => 1}, $another)
app::shown { 'a': x => 1 }
```

```puppet
define app::shown($x) { }
function app::mine($x) { $x }
class app { }
```

```puppet
app::mine(1)
class { 'app':
  ...
}
app::full { 'a':
  ...
}
```

```puppet
app::full { 'b': }
class { 'app':
```
";

#[test]
fn blocks_of_code_are_checked_where_that_is_asked_for() {
    let files = Files::new(
        "markdown",
        &[
            ("app/metadata.json", metadata!("me-app")),
            ("app/manifests/init.pp", "class app(Integer $port = 80) { }\n"),
            ("app/manifests/full.pp", "define app::full($size) { }\n"),
            ("app/README.md", README),
            ("app/docs/more.md", "```puppet\napp::nosuch()\n```\n"),
            ("app/broken.md", "It's [open\n\n```puppet\n$x = [1, 2\n$y = 3\n```\n"),
            ("app/CHANGELOG.md", "```puppet\napp::nosuch()\n```\n"),
            ("app/spec/fixtures/modules/x/README.md", "```puppet\napp::nosuch()\n```\n"),
        ],
    );
    let found = |path: &str, options: &[&str]| -> Vec<String> {
        let path = files.path(path);
        let (_, out, _) = command(&[&[&*path, "--format", "json"], options].concat());
        let found: Vec<Json> = serde_json::from_str(&out).unwrap();
        let shown = |found: &Json| {
            let file = found["file"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            format!("{file}:{}:{} {}", found["line"], found["column"], found["rule"].as_str().unwrap())
        };
        found.iter().map(shown).collect()
    };
    assert_eq!(found("app", &[]), [""; 0]);
    let readme =
        ["README.md:4:16 unknown-parameter", "README.md:11:5 parameter-type", "README.md:49:1 syntax"];
    assert_eq!(found("app", &["--markdown"]), [&readme[..], &["more.md:2:1 unknown-function"]].concat());
    assert_eq!(found("app/README.md", &[]), readme);
    // Unclosed quotes and brackets in the prose before the code do not matter.
    let (_, out, _) = command(&[&files.path("app/broken.md")]);
    assert!(out.contains("Syntax error at 'y'") && !out.contains("not closed"), "{out}");
    assert_eq!(found("app/CHANGELOG.md", &[]), ["CHANGELOG.md:2:1 unknown-function"]);
}
