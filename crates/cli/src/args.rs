//! The accepted arguments. `--help` prints the comments here.

pub(super) mod compile;
pub(super) mod console;
pub(super) mod dap;
pub(super) mod diff;
pub(super) mod doc;
pub(super) mod fixtures;
pub(super) mod fleet;
pub(super) mod fmt;
pub(super) mod graph;
pub(super) mod init;
pub(super) mod lsp;
pub(super) mod migrate;
pub(super) mod model;
pub(super) mod serve;
pub(super) mod server;
mod server_settings;
pub(super) mod settings;
pub(super) mod why;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;

pub(super) use settings::{LimitArgs, ProjectArgs, Settings, TargetChoice};

const EXAMPLES: &str = "\
Examples:
  puppetfn init
  puppetfn call stdlib::extname notes.txt --modulepath modules
  puppetfn call join '[\"a\", \"b\"]' -
  puppetfn eval '[1, 2].map |$x| { $x * 2 }'
  puppetfn compile web.example.com --environment . --facts web.json
  puppetfn serve --socket puppetfn.sock --environmentpath /etc/puppetlabs/code/environments
  puppetfn list '^stdlib::' --modulepath modules:site
  puppetfn lookup ntp::servers --environment . --explain
  puppetfn list --types --modulepath modules
  puppetfn parse manifests/init.pp
  puppetfn validate manifests templates
  puppetfn check modules/mymodule
  puppetfn fmt --check
  puppetfn migrate
  puppetfn doc stdlib::extname --modulepath modules
  puppetfn doc --lint modules/mymodule
  puppetfn model export --ecore --modulepath modules";

const CALL_EXAMPLES: &str = "\
Examples:
  puppetfn call join '[\"a\", \"b\"]' -
  puppetfn call merge '{\"a\": 1}' '{\"b\": 2}' --json --modulepath modules
  puppetfn call type -- --json

With --json, values without a counterpart in JSON are printed as the strings that Puppet shows for them.

Exit codes: 0 the function returned, 1 it failed, 2 the arguments are invalid";

const EVAL_EXAMPLES: &str = "\
Examples:
  puppetfn eval '1 + 2'
  puppetfn eval '$facts[\"os\"]' --facts facts.json --json
  puppetfn eval 'function f($x) { $x * 2 } [1, 2].map |$x| { f($x) }'

Exit codes: 0 the code was evaluated, 1 the evaluation failed, 2 the arguments are invalid";

const LOOKUP_EXAMPLES: &str = "\
Examples:
  puppetfn lookup ntp::servers --environment . --node web.example.com --facts facts.json
  puppetfn lookup users --merge deep --knock-out-prefix -- --environment .
  puppetfn lookup ntp::servers --explain --environment . --modulepath modules
  puppetfn lookup ntp::servers --compile --node web.example.com --environment . --enc scripts/classifier.sh

Exit codes: 0 a value was found, or its lookup was explained, 1 no value was found, the data has errors, or the arguments are
invalid";

const LIST_EXAMPLES: &str = "\
Examples:
  puppetfn list --modulepath modules
  puppetfn list '^stdlib::' --json --modulepath modules
  puppetfn list --types Port --modulepath modules

Exit codes: 0 all definitions were listed, 1 some cannot be loaded, 2 the arguments are invalid";

const PARSE_EXAMPLES: &str = "\
Examples:
  puppetfn parse manifests/init.pp
  puppetfn parse --format json manifests/*.pp > trees.jsonl
  echo '$a + 1' | puppetfn parse -

Each tree is one line; trees of several files are printed below the names of their files. Files with the
ending .epp are parsed as templates.

Exit codes: 0 all files were parsed, 1 some have errors, 2 the arguments are invalid";

const VALIDATE_EXAMPLES: &str = "\
Examples:
  puppetfn validate manifests
  puppetfn validate . --modulepath ..
  puppetfn validate --tasks plans

In directories, files with the endings .pp and .epp are checked. Warnings do not change the exit code.

Exit codes: 0 all files are valid, 1 some have errors, 2 the arguments are invalid";

const CHECK_EXAMPLES: &str = "\
Examples:
  puppetfn check modules/mymodule
  puppetfn check manifests --modulepath modules:site --format github
  puppetfn check . --format sarif > findings.sarif
  puppetfn check . --select default,quoted_booleans,file_mode
  puppetfn lint --fix
  puppetfn check --explain parameter-type

Facts and parameters count as unknown: code that is reported as an error fails for all of their values,
whenever it is reached. Without --modulepath, modules are found in the directory around a module and in its
fixtures.

Exit codes: 0 no errors were found, 1 there are errors, or warnings with --fail-on-warnings, 2 the arguments
are invalid";

const TEST_EXAMPLES: &str = "\
Examples:
  puppetfn test
  puppetfn test spec/functions --parallel
  puppetfn test --coverage=lcov:lcov.info --coverage=html --coverage-minimum 90
  puppetfn test --roles --parallel --format progress --format junit --out roles.xml
  puppetfn test --roles=role::web,role::db --facts facts

`rspec --help` lists the options of RSpec.

Exit codes, as of RSpec: 0 all examples passed, 1 an example failed, or there are no specs";

/// The version, and the release of Puppet that code sees by default.
const LONG_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (answers as Puppet 8.11.0)");

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  puppetfn completions bash > ~/.local/share/bash-completion/completions/puppetfn
  puppetfn completions zsh > ~/.zfunc/_puppetfn
  puppetfn completions fish > ~/.config/fish/completions/puppetfn.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  puppetfn man ~/.local/share/man/man1 && man puppetfn-check";

/// Test, check, format, document, compile and serve Puppet code, without Puppet
#[derive(Parser, Debug)]
#[command(name = "puppetfn", version, long_version = LONG_VERSION, after_help = EXAMPLES)]
pub(super) struct CliArguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Compile the nodes named on standard input, as a worker process of `compile --nodes`, `diff` and `serve`
    #[command(hide = true)]
    Worker {
        /// Answer the requests of `serve`
        #[arg(long)]
        requests: bool,
    },
    Call(CallArgs),
    Eval(EvalArgs),
    Compile(compile::CompileArgs),
    Serve(Box<serve::Serve>),
    Diff(Box<diff::Diff>),
    Fixtures(fixtures::FixturesArgs),
    Fleet(fleet::Fleet),
    Graph(graph::GraphArgs),
    Init(init::InitArgs),
    List(ListArgs),
    Lookup(Lookup),
    Migrate(migrate::MigrateArgs),
    Parse(Parse),
    Validate(Validate),
    Why(why::WhyArgs),
    Check(CheckArgs),
    /// Check code, and its style, as puppet-lint does
    Lint(CheckArgs),
    #[command(visible_alias = "format")]
    Fmt(fmt::Fmt),
    Lsp(lsp::Lsp),
    Dap(dap::Dap),
    Console(Box<console::ConsoleArgs>),
    Doc(doc::DocArgs),
    Model(model::ModelArgs),
    Test(TestArgs),
    Completions(Completions),
    Man(Man),
}

/// Run the specs of a module, unchanged and without Puppet
///
/// Runs the specs of classes, defined types, hosts, functions, type aliases, types, providers and facts. Acceptance and integration tests
/// are skipped and counted. Stops first if no module of .fixtures.yml is installed: `puppetfn fixtures` installs them. Needs Ruby: the program without Ruby has no `test`.
#[derive(Args, Debug)]
#[command(after_help = TEST_EXAMPLES)]
pub(super) struct TestArgs {
    /// Spec files and directories, and options of RSpec [default: spec]
    #[arg(value_name = "PATH|RSPEC OPTION", allow_hyphen_values = true, value_hint = ValueHint::AnyPath)]
    pub _arguments: Vec<String>,

    /// Run in N processes; without N, in one per processor
    #[arg(long = "parallel", value_name = "N", num_args = 0..=1)]
    pub _parallel: Option<Option<usize>>,

    /// Rerun the spec files that depend on a changed file, until Ctrl-C
    #[arg(long = "watch")]
    pub _watch: bool,

    /// Report the coverage of lines and branches in manifests, functions and EPP templates, and list functions, signatures, type aliases
    /// and resources that no example reached. FORMAT also writes a report: lcov, cobertura, html or simplecov
    #[arg(long = "coverage", value_name = "FORMAT[:PATH]", num_args = 0..=1, require_equals = true)]
    pub _coverage: Vec<String>,

    /// Fail if the coverage is lower. KIND is lines, branches, definitions or resources [default: lines]
    #[arg(long = "coverage-minimum", value_name = "[KIND=]PERCENT")]
    pub _coverage_minimum: Vec<String>,

    /// Measure matching files instead of the module's manifests, functions and templates
    #[arg(long = "coverage-files", value_name = "PATTERN")]
    pub _coverage_files: Vec<String>,

    /// Exclude matching files and directories from the coverage
    #[arg(long = "coverage-exclude", value_name = "PATTERN")]
    pub _coverage_exclude: Vec<String>,

    /// Compile classes of the control repository in the working directory with the facts of each system, instead of specs. CLASS is a name
    /// or a pattern: role::*, /^role::/ [default: names with role:: or roles::]
    #[arg(long = "roles", value_name = "CLASS[,CLASS]", num_args = 0..=1, require_equals = true)]
    pub _roles: Vec<String>,

    /// With --roles: file with the facts of a system, or directory of such files [default: the nodes of spec/onceover.yaml, the files in
    /// spec/factsets, or the systems in metadata.json]
    #[arg(long = "facts", value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub _facts: Vec<String>,

    /// Decrypt nothing: use placeholders for encrypted hiera-eyaml data and for results of node_encrypt's functions
    #[arg(long = "no-secrets")]
    pub _no_secrets: bool,

    /// Release to behave like [default: the project's, the one that the requirements in metadata.json name, or puppet8]
    #[arg(long = "target", value_enum, value_name = "RELEASE")]
    pub _target: Option<TargetChoice>,

    /// Run the specs although no module of .fixtures.yml is installed in spec/fixtures/modules
    #[arg(long = "without-fixtures")]
    pub _without_fixtures: bool,

    /// Run the skipped specs, too, with `rspec` and the installed Puppet. Acceptance specs need machines and stay skipped
    #[arg(long = "with-puppet")]
    pub _with_puppet: bool,
}

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(super) struct Completions {
    /// Shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// Write manual pages of the command and its subcommands, and print their names
#[derive(Args, Debug)]
#[command(after_help = MAN_EXAMPLES)]
pub(super) struct Man {
    /// Directory for the pages; it is created if missing
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub directory: PathBuf,
}

/// Print the syntax trees of Puppet code
///
/// Checks the syntax only; `validate` checks Puppet's other rules, too.
#[derive(Args, Debug)]
#[command(after_help = PARSE_EXAMPLES)]
pub(super) struct Parse {
    /// Files; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: TreeFormat,

    /// Print errors only
    #[arg(long)]
    pub quiet: bool,

    #[command(flatten)]
    pub language: LanguageOptions,

    #[command(flatten)]
    pub bounds: LimitArgs,
}

/// How syntax trees are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum TreeFormat {
    /// Puppet Notation, as `puppet parser dump --format pn` prints it
    #[default]
    Pn,
    /// JSON with the location of every expression
    Json,
}

/// Check Puppet code for syntax errors and violations of Puppet's rules
#[derive(Args, Debug)]
#[command(after_help = VALIDATE_EXAMPLES)]
pub(super) struct Validate {
    /// Files and directories; `-` is standard input
    #[arg(value_name = "PATH", default_value = ".", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,

    /// Directories with modules; definitions there must be named after their files
    #[arg(long, value_name = "DIR[:DIR]", value_hint = ValueHint::DirPath)]
    pub modulepath: Vec<OsString>,

    #[command(flatten)]
    pub language: LanguageOptions,

    #[command(flatten)]
    pub bounds: LimitArgs,
}

/// Find errors in Puppet code and Hiera data without running it
#[derive(Args, Debug, Default)]
#[command(after_help = CHECK_EXAMPLES)]
pub(super) struct CheckArgs {
    /// Files and directories; `-` is standard input
    #[arg(value_name = "PATH", default_value = ".", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,

    /// Explain a rule, with code that breaks it and code that does not
    #[arg(long, value_name = "RULE", conflicts_with = "paths")]
    pub explain: Option<String>,

    /// Print the name, severity and summary of each rule, whether it is on by default, and its names in puppet-lint
    #[arg(long, conflicts_with_all = ["paths", "explain"])]
    pub list: bool,

    /// Apply these rules only: names of rules, here or in puppet-lint, and `default`, `style` and `all`
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub select: Vec<String>,

    /// Do not apply these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub ignore: Vec<String>,

    /// Print how often each rule is broken, not where
    #[arg(long)]
    pub statistics: bool,

    #[command(flatten)]
    pub project: ProjectArgs,

    /// Release that the code is for [default: the project's, the one that the requirements in metadata.json name, or puppet8]
    #[arg(long, value_enum, value_name = "RELEASE")]
    pub target: Option<TargetChoice>,

    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: CheckFormat,

    /// Fail on warnings, too
    #[arg(long)]
    pub fail_on_warnings: bool,

    /// Check code in documentation, too: blocks marked `puppet` in README.md, REFERENCE.md and docs
    #[arg(long)]
    pub markdown: bool,

    /// Report findings in modules of others, too: installed by the Puppetfile, vendored or ignored by Git
    #[arg(long)]
    pub all: bool,

    /// Check only the data of environments and modules, no code
    #[arg(long)]
    pub data_only: bool,

    /// Check again when a file below the paths changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,

    /// Fix findings that have one certain fix; report the rest
    #[arg(long)]
    pub fix: bool,

    /// Suppress all findings, each by a comment in its line
    #[arg(long, conflicts_with = "fix")]
    pub add_ignore: bool,

    /// Settings of the project [default: the `puppetfn.toml` nearest to the first path, in its directory or above]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,

    /// Suppress the findings listed in this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub baseline: Option<PathBuf>,

    /// Write all findings to the --baseline file instead of reporting them
    #[arg(long)]
    pub write_baseline: bool,

    #[command(flatten)]
    pub language: LanguageOptions,

    #[command(flatten)]
    pub bounds: LimitArgs,
}

/// How findings are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum CheckFormat {
    /// Text with excerpts of the code
    #[default]
    Human,
    /// A JSON array
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML with a test case per file
    Junit,
    /// GitHub Actions annotations
    Github,
    /// Code Climate's JSON, as GitLab's reports of code quality
    #[value(alias = "gitlab")]
    Codeclimate,
}

/// How code is read.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct LanguageOptions {
    /// Parse plans and scripts: `plan` and `apply` are keywords, and resources are allowed in `apply` only
    #[arg(long)]
    pub tasks: bool,

    /// Parse EPP templates, whatever the files' names
    #[arg(long)]
    pub epp: bool,
}

/// Evaluate Puppet code and print its value
///
/// The code can call Puppet's built-in functions, functions of the --modulepath and the --environment, and functions that it defines.
#[derive(Args, Debug)]
#[command(after_help = EVAL_EXAMPLES)]
pub(super) struct EvalArgs {
    /// Puppet code
    pub code: String,

    /// Print JSON [default: the text that Puppet interpolates]
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub settings: Settings,
}

/// Call a function and print its result
#[derive(Args, Debug)]
#[command(after_help = CALL_EXAMPLES)]
pub(super) struct CallArgs {
    /// Full name of the function
    pub name: String,

    /// Arguments of the function: JSON if valid, else strings; after `--`, arguments may look like options
    #[arg(value_name = "ARG", allow_negative_numbers = true)]
    pub args: Vec<String>,

    /// Print JSON [default: the text that Puppet interpolates]
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub settings: Settings,
}

/// Look up keys in Hiera data, as `puppet lookup` does
///
/// The first key with a value wins. Hierarchies can interpolate facts and the variables `facts` and `environment`.
#[derive(Args, Debug)]
#[command(after_help = LOOKUP_EXAMPLES)]
pub(super) struct Lookup {
    /// Keys; the first one with a value wins
    #[arg(value_name = "KEY", required_unless_present = "explain_options")]
    pub keys: Vec<String>,

    /// Name of the node; --facts has its facts, and `$trusted` comes from there or from the name [default: the machine's certname]
    #[arg(long, value_name = "NAME")]
    pub node: Option<String>,

    /// Compile the node's catalog first, so that data can interpolate variables of its code
    #[arg(long, short = 'c')]
    pub compile: bool,

    /// Merge strategy for values of several data sources [default: the `lookup_options` of the data]
    #[arg(long, value_enum, value_name = "STRATEGY")]
    pub merge: Option<MergeChoice>,

    /// With --merge deep: prefix of strings that remove an entry
    #[arg(long, value_name = "PREFIX", allow_hyphen_values = true)]
    pub knock_out_prefix: Option<String>,

    /// With --merge deep: sort merged arrays
    #[arg(long)]
    pub sort_merged_arrays: bool,

    /// With --merge deep: merge hashes at the same index of arrays
    #[arg(long)]
    pub merge_hash_arrays: bool,

    /// Required type of the value
    #[arg(long = "type", value_name = "TYPE")]
    pub value_type: Option<String>,

    /// String to return if no key has a value
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub default: Option<String>,

    /// Explain the lookup of the value instead of printing it
    #[arg(long)]
    pub explain: bool,

    /// Explain the lookup of the keys' `lookup_options` instead of printing the value
    #[arg(long)]
    pub explain_options: bool,

    /// Output format [default: yaml for values, s for explanations]
    #[arg(long, value_enum, value_name = "FORMAT", ignore_case = true)]
    pub render_as: Option<LookupFormat>,

    /// Same as --render-as json
    #[arg(long, conflicts_with = "render_as")]
    pub json: bool,

    #[command(flatten)]
    pub given: compile::CompileInputArgs,
}

/// How the value of a key is printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LookupFormat {
    /// Text of Ruby's `to_s`
    S,
    /// JSON
    Json,
    /// YAML
    Yaml,
}

/// How values are merged.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MergeChoice {
    /// First value
    First,
    /// All values, each once
    Unique,
    /// Merged hashes, with the first value of each key
    Hash,
    /// Hashes and arrays, merged recursively
    Deep,
}

/// List functions with their signatures and source files
#[derive(Args, Debug)]
#[command(after_help = LIST_EXAMPLES)]
pub(super) struct ListArgs {
    /// Regular expression that names must match [default: all names]
    pub pattern: Option<String>,

    /// List types instead: aliases with their definitions, resource types with their attributes and providers
    #[arg(long)]
    pub types: bool,

    /// Print a JSON array [default: one line per definition]
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub settings: Settings,
}
