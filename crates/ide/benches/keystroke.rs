//! Measures a keystroke: the time until a changed file of 2,000 lines has its diagnostics.
//!
//! `cargo bench -p puppetfn-ide -- [KIND] [COUNT]` types COUNT characters of one kind, or of all: `text` changes a string,
//! `mistake` makes a statement incomplete, `mend` completes it again. It prints the processor time of one thread. Under callgrind,
//! the difference between two counts is the cost of the keystrokes.
#![allow(clippy::print_stdout, reason = "it prints measurements")]

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use puppetfn_base::limits::Limits;
use puppetfn_check::TextOrigin;
use puppetfn_ide::{Ide, ProjectFile};
use puppetfn_runtime::loader::{Loader, StdFileSystem};
use puppetfn_syntax::Mode;

const LINES: usize = 2_000;

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let kind = arguments.next().unwrap_or_else(|| "all".to_owned());
    let count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(50);
    for one in ["text", "mistake", "mend"].into_iter().filter(|one| kind == "all" || kind == *one) {
        let (time, found) = typed(one, count);
        println!("{one}: {:.2} ms a keystroke, {found} findings", time * 1e3 / f64::from(count.max(1)));
    }
}

/// Types some characters. Returns the elapsed seconds and the number of findings.
fn typed(kind: &str, count: u32) -> (f64, usize) {
    let loader = Loader::new(Arc::new(StdFileSystem::DEFAULT), Vec::new(), None, Limits::DEFAULT);
    let mut ide = Ide::new(Arc::new(loader), Limits::DEFAULT, false);
    let path = Path::new("/modules/app/manifests/init.pp");
    let text = manifest();
    let middle = text.find("# here").unwrap_or(0);
    let (before, after) = text.split_at(middle);
    let with = |typed: &str| [before, typed, after].concat();
    let set = |ide: &mut Ide, text: String| {
        let (mode, origin) = (Mode::default(), TextOrigin::default());
        ide.set(ProjectFile { path: path.to_owned(), text: text.into(), mode, origin });
        ide.check(path).len()
    };
    let mut found = set(&mut ide, text.clone());
    let mut time = 0.0;
    for number in 0..count {
        let (prepared, typed) = match kind {
            "mistake" => (with(""), with(&format!("$unfinished{number} = "))),
            "mend" => (with(&format!("$unfinished{number} = ")), with("")),
            _ => (with("notice('a')\n"), with(&format!("notice('a{number}')\n"))),
        };
        set(&mut ide, prepared);
        let start = Instant::now();
        found = set(&mut ide, typed);
        time += start.elapsed().as_secs_f64();
    }
    (time, found)
}

/// Returns a typical manifest of about 2,000 lines.
fn manifest() -> String {
    let mut text = String::new();
    for number in 0.. {
        if text.lines().count() >= LINES {
            return text;
        }
        let here = if number == LINES / 80 { "# here\n" } else { "" };
        text.push_str(&definition(number, here));
    }
    text
}

fn definition(number: usize, here: &str) -> String {
    format!(
        r#"# @summary Service {number} of the application.
#
# @param port The port that it listens on.
define app::service{number}(
  Integer[1, 65535] $port = {port},
  String[1] $user = 'app',
  Optional[Array[String[1]]] $groups = undef,
  Hash[String[1], Variant[String, Integer]] $settings = {{}},
  Enum['present', 'absent'] $ensure = 'present',
) {{
  $directory = "/srv/app/${{name}}"
  $defaults = {{ 'port' => $port, 'user' => $user, 'log' => "${{directory}}/log" }}
  $all = $defaults + $settings
  {here}
  if $ensure == 'present' {{
    file {{ $directory:
      ensure => directory,
      owner  => $user,
      mode   => '0750',
    }}
    file {{ "${{directory}}/app.conf":
      ensure  => file,
      owner   => $user,
      content => $all.map |$key, $value| {{ "${{key}}=${{value}}\n" }}.join(''),
      require => File[$directory],
      notify  => Service["app-${{name}}"],
    }}
    $limit = $port ? {{
      80      => 100,
      443     => 200,
      default => 10 * 2 + 1,
    }}
    exec {{ "limit ${{name}}":
      command => "/usr/bin/limit --connections ${{limit}} ${{directory}}",
      unless  => ['/usr/bin/test', '-e', "${{directory}}/limited"].join(' '),
    }}
  }} else {{
    file {{ $directory: ensure => absent, force => true }}
  }}
  case $facts['os']['family'] {{
    'Debian': {{ $package = "app-service{number}" }}
    'RedHat', 'Suse': {{ $package = "app_service{number}" }}
    default: {{ fail("No package for ${{facts['os']['family']}}") }}
  }}
  package {{ $package: ensure => $ensure }}
  ($groups.lest || {{ [] }}).each |Integer $index, String $group| {{
    notice("${{index}}: ${{group}}")
  }}
  service {{ "app-${{name}}":
    ensure    => $ensure ? {{ 'present' => running, default => stopped }},
    subscribe => Package[$package],
  }}
}}

"#,
        port = 1024 + number,
    )
}
