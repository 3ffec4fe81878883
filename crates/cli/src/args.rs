//! The accepted arguments. `--help` prints the comments here.

pub(super) mod compile;
pub(super) mod diff;
pub(super) mod doc;
pub(super) mod fleet;
pub(super) mod fmt;
pub(super) mod graph;
pub(super) mod lsp;
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

pub(super) use settings::{LimitArgs, Settings};

const EXAMPLES: &str = "\
Examples:
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
  puppetfn doc stdlib::extname --modulepath modules
  puppetfn doc --lint modules/mymodule
  puppetfn model export --ecore --modulepath modules";

const CALL_EXAMPLES: &str = "\
Examples:
  puppetfn call join '[\"a\", \"b\"]' -
  puppetfn call merge '{\"a\": 1}' '{\"b\": 2}' --json --modulepath modules
  puppetfn call type -- --json

Values that JSON does not have are printed with --json as the strings that Puppet shows for them.

Exit codes: 0 the function returned, 1 it failed, 2 the arguments of the command are wrong";

const EVAL_EXAMPLES: &str = "\
Examples:
  puppetfn eval '1 + 2'
  puppetfn eval '$facts[\"os\"]' --facts facts.json --json
  puppetfn eval 'function f($x) { $x * 2 } [1, 2].map |$x| { f($x) }'

Exit codes: 0 there is a value, 1 the evaluation failed, 2 the arguments of the command are wrong";

const LOOKUP_EXAMPLES: &str = "\
Examples:
  puppetfn lookup ntp::servers --environment . --node web.example.com --facts facts.json
  puppetfn lookup users --merge deep --knock-out-prefix -- --environment .
  puppetfn lookup ntp::servers --explain --environment . --modulepath modules
  puppetfn lookup ntp::servers --compile --node web.example.com --environment . --enc scripts/classifier.sh

Exit codes: 0 there is a value, or it is explained why there is none; 1 there is none, the data has errors, or the arguments of the
command are wrong";

const LIST_EXAMPLES: &str = "\
Examples:
  puppetfn list --modulepath modules
  puppetfn list '^stdlib::' --json --modulepath modules
  puppetfn list --types Port --modulepath modules

Exit codes: 0 all were listed, 1 some cannot be loaded, 2 the arguments of the command are wrong";

const PARSE_EXAMPLES: &str = "\
Examples:
  puppetfn parse manifests/init.pp
  puppetfn parse --format json manifests/*.pp > trees.jsonl
  echo '$a + 1' | puppetfn parse -

A tree is printed on one line, several below the names of their files. Files that end in .epp are
read as templates.

Exit codes: 0 all were parsed, 1 some have errors, 2 the arguments of the command are wrong";

const VALIDATE_EXAMPLES: &str = "\
Examples:
  puppetfn validate manifests
  puppetfn validate . --modulepath ..
  puppetfn validate --tasks plans

In directories, files that end in .pp and .epp are checked. What is questionable is told, and does not
change the exit code.

Exit codes: 0 all are valid, 1 some have errors, 2 the arguments of the command are wrong";

const CHECK_EXAMPLES: &str = "\
Examples:
  puppetfn check modules/mymodule
  puppetfn check manifests --modulepath modules:site --format github
  puppetfn check . --format sarif > findings.sarif
  puppetfn check . --select default,quoted_booleans,file_mode
  puppetfn lint --fix
  puppetfn check --explain parameter-type

Code is gone through with facts and parameters that are not known. What is reported as an error fails
whenever it is reached, whatever these are. Without --modulepath, the directory around a module counts as
one, and so do its fixtures.

Exit codes: 0 no errors were found, 1 there are errors, or warnings with --fail-on-warnings, 2 the arguments
of the command are wrong";

const TEST_EXAMPLES: &str = "\
Examples:
  puppetfn test
  puppetfn test spec/functions --parallel
  puppetfn test --coverage=lcov:lcov.info --coverage=html --coverage-minimum 90
  puppetfn test --roles --parallel --format progress --format junit --out roles.xml
  puppetfn test --roles=role::web,role::db --facts facts

`rspec --help` lists the options of RSpec. The exit code is that of RSpec: 0 when all examples passed, 1 when one
failed or there are no specs.";

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
#[command(name = "puppetfn", version, after_help = EXAMPLES)]
pub(super) struct CliArguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Compile the nodes that standard input names, as a worker process of `compile --nodes`, `diff` and `serve`
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
    Fleet(fleet::Fleet),
    Graph(graph::GraphArgs),
    List(ListArgs),
    Lookup(Lookup),
    Parse(Parse),
    Validate(Validate),
    Why(why::WhyArgs),
    Check(CheckArgs),
    /// Find what `check` finds, and code that is not in the style of the style guide
    Lint(CheckArgs),
    #[command(visible_alias = "format")]
    Fmt(fmt::Fmt),
    Lsp(lsp::Lsp),
    Doc(doc::DocArgs),
    Model(model::ModelArgs),
    Test(TestArgs),
    Completions(Completions),
    Man(Man),
}

/// Run the specs of a module, unchanged and without Puppet
///
/// These are the specs of classes, defined types, hosts, functions, type aliases, types, providers and facts. Acceptance and integration
/// tests are left out and counted. It needs Ruby: the program without it has no `test`.
#[derive(Args, Debug)]
#[command(after_help = TEST_EXAMPLES)]
pub(super) struct TestArgs {
    /// Files and directories with specs, `spec` if there are none, and options of RSpec
    #[arg(value_name = "PATH|RSPEC OPTION", allow_hyphen_values = true, value_hint = ValueHint::AnyPath)]
    pub _arguments: Vec<String>,

    /// Run in N processes, or as many as there are processors
    #[arg(long = "parallel", value_name = "N", num_args = 0..=1)]
    pub _parallel: Option<Option<usize>>,

    /// Run the spec files again that depend on a file that has changed, until the process is interrupted
    #[arg(long = "watch")]
    pub _watch: bool,

    /// Report which lines and branches of manifests, functions and templates in EPP were evaluated, and which functions, signatures,
    /// type aliases and resources no example reached. FORMAT writes a report, too: lcov, cobertura, html or simplecov
    #[arg(long = "coverage", value_name = "FORMAT[:PATH]", num_args = 0..=1, require_equals = true)]
    pub _coverage: Vec<String>,

    /// Fail if less of the lines is covered, in percent. KIND is lines, branches, definitions or resources
    #[arg(long = "coverage-minimum", value_name = "[KIND=]PERCENT")]
    pub _coverage_minimum: Vec<String>,

    /// Count the files that match instead of manifests, functions and templates of the module
    #[arg(long = "coverage-files", value_name = "PATTERN")]
    pub _coverage_files: Vec<String>,

    /// Do not count files and directories that match
    #[arg(long = "coverage-exclude", value_name = "PATTERN")]
    pub _coverage_exclude: Vec<String>,

    /// Compile classes of the control repository in the working directory with the facts of each system, in place of specs. CLASS is a
    /// name or a pattern: role::*, /^role::/ [default: names with role:: or roles::]
    #[arg(long = "roles", value_name = "CLASS[,CLASS]", num_args = 0..=1, require_equals = true)]
    pub _roles: Vec<String>,

    /// With --roles: a file with the facts of a system, or a directory of such files [default: the nodes of spec/onceover.yaml, the files
    /// in spec/factsets, or the systems in metadata.json]
    #[arg(long = "facts", value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub _facts: Vec<String>,

    /// Decrypt nothing: use placeholders for data of hiera-eyaml and for the results of node_encrypt's functions
    #[arg(long = "no-secrets")]
    pub _no_secrets: bool,

    /// Have `rspec` run what is left out, with the Puppet that is installed
    #[arg(long = "with-puppet")]
    pub _with_puppet: bool,
}

/// Print a script that completes the command in a shell
#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// Write the manual pages of the command and its subcommands to a directory, and print which
#[derive(Args, Debug)]
#[command(after_help = MAN_EXAMPLES)]
pub(super) struct Man {
    /// The directory, which is made if there is none
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub directory: PathBuf,
}

/// Print the syntax trees of Puppet code
///
/// Only the syntax is checked: see `validate` for the rest.
#[derive(Args, Debug)]
#[command(after_help = PARSE_EXAMPLES)]
pub(super) struct Parse {
    /// The files; `-` is the standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// How trees are printed
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
    /// Puppet Notation, as of `puppet parser dump --format pn`
    #[default]
    Pn,
    /// JSON with the places of everything
    Json,
}

/// Check Puppet code for syntax errors, and for what Puppet does not allow
#[derive(Args, Debug)]
#[command(after_help = VALIDATE_EXAMPLES)]
pub(super) struct Validate {
    /// Files, and directories with files; `-` is the standard input
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,

    /// Directories with modules: what is in a file there must be named for it
    #[arg(long, value_name = "DIR[:DIR]", value_hint = ValueHint::DirPath)]
    pub modulepath: Vec<OsString>,

    #[command(flatten)]
    pub language: LanguageOptions,

    #[command(flatten)]
    pub bounds: LimitArgs,
}

/// Find errors in Puppet code and Hiera data without running it
#[derive(Args, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
pub(super) struct CheckArgs {
    /// Files, and directories with files; `-` is the standard input
    #[arg(value_name = "PATH", default_value = ".", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,

    /// Print what a rule finds, with code that breaks it and code that does not
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

    /// Directories with modules, in order of preference
    #[arg(long, value_name = "DIR[:DIR]", value_hint = ValueHint::DirPath)]
    pub modulepath: Vec<OsString>,

    /// The directory of an environment
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub environment: Option<PathBuf>,

    /// How findings are printed
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: CheckFormat,

    /// Fail if there are warnings, too
    #[arg(long)]
    pub fail_on_warnings: bool,

    /// Check the code of documentation, too: blocks marked `puppet` in README.md, REFERENCE.md and docs
    #[arg(long)]
    pub markdown: bool,

    /// Check the data of environments and modules only, and no code
    #[arg(long)]
    pub data_only: bool,

    /// Check again whenever a file below the paths changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,

    /// Fix what has one certain fix; report the rest
    #[arg(long)]
    pub fix: bool,

    /// What is checked how: a file in place of the `puppetfn.toml` that is in a directory around the first path
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,

    /// Leave out the findings that a file lists
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub baseline: Option<PathBuf>,

    /// Write all findings to the file of --baseline instead
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
    /// With the lines that they are about
    #[default]
    Human,
    /// A JSON array
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit's XML, a test case for each file
    Junit,
    /// Annotations of GitHub Actions
    Github,
    /// Code Climate's JSON, as GitLab's reports of code quality
    #[value(alias = "gitlab")]
    Codeclimate,
}

/// How code is read.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct LanguageOptions {
    /// Read plans and scripts: `plan` and `apply` are keywords, and resources stand in `apply` only
    #[arg(long)]
    pub tasks: bool,

    /// Read templates, whatever the files are called
    #[arg(long)]
    pub epp: bool,
}

/// Evaluate Puppet code and print its value
///
/// The code can use Puppet's own functions and the functions that it defines.
#[derive(Args, Debug)]
#[command(after_help = EVAL_EXAMPLES)]
pub(super) struct EvalArgs {
    /// The code
    pub code: String,

    /// Print the value as JSON instead of as Puppet shows it in a string
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub settings: Settings,
}

/// Call a function and print what it returns
#[derive(Args, Debug)]
#[command(after_help = CALL_EXAMPLES)]
pub(super) struct CallArgs {
    /// The full name of the function
    pub name: String,

    /// The arguments of the function: JSON where they are JSON, else strings; after `--` they may
    /// look like options
    #[arg(value_name = "ARG", allow_negative_numbers = true)]
    pub args: Vec<String>,

    /// Print the result as JSON instead of as Puppet shows it in a string
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub settings: Settings,
}

/// Look up data by keys, as the function `lookup` does
///
/// The value is that of the first key that has one. Hierarchies use facts, and the variables `facts` and
/// `environment`.
#[derive(Args, Debug)]
#[command(after_help = LOOKUP_EXAMPLES)]
pub(super) struct Lookup {
    /// The keys: the first that has a value counts
    #[arg(value_name = "KEY", required_unless_present = "explain_options")]
    pub keys: Vec<String>,

    /// The node whose data is looked up: its facts are taken from --facts, and `$trusted` from there or from the name
    #[arg(long, value_name = "NAME")]
    pub node: Option<String>,

    /// Compile the node's catalog first, so that data sees the variables that its code sets
    #[arg(long, short = 'c')]
    pub compile: bool,

    /// How values are merged that are found in several places, whatever the data says
    #[arg(long, value_enum, value_name = "STRATEGY")]
    pub merge: Option<MergeChoice>,

    /// With --merge deep: what texts begin with that take something out
    #[arg(long, value_name = "PREFIX", allow_hyphen_values = true)]
    pub knock_out_prefix: Option<String>,

    /// With --merge deep: sort arrays that are merged
    #[arg(long)]
    pub sort_merged_arrays: bool,

    /// With --merge deep: merge hashes at the same place of arrays
    #[arg(long)]
    pub merge_hash_arrays: bool,

    /// The type that the value must be of
    #[arg(long = "type", value_name = "TYPE")]
    pub value_type: Option<String>,

    /// The text that is the value if no key has one
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub default: Option<String>,

    /// Tell how the value is found instead
    #[arg(long)]
    pub explain: bool,

    /// Tell how the options of the keys are found instead
    #[arg(long)]
    pub explain_options: bool,

    /// How the value or the explanation is printed [default: yaml for values, s for explanations]
    #[arg(long, value_enum, value_name = "FORMAT", ignore_case = true)]
    pub render_as: Option<LookupFormat>,

    /// The same as --render-as json
    #[arg(long, conflicts_with = "render_as")]
    pub json: bool,

    #[command(flatten)]
    pub given: compile::CompileInputArgs,
}

/// How the value of a key is printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LookupFormat {
    /// The text that Ruby shows the value as
    S,
    /// JSON
    Json,
    /// YAML
    Yaml,
}

/// How values are merged.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MergeChoice {
    /// The first value
    First,
    /// All values, each once
    Unique,
    /// Hashes, with the first value of each key
    Hash,
    /// Hashes and arrays, with all that is in them
    Deep,
}

/// List functions with their signatures, one a line, and where they are defined
#[derive(Args, Debug)]
#[command(after_help = LIST_EXAMPLES)]
pub(super) struct ListArgs {
    /// A regular expression: only names that match
    pub pattern: Option<String>,

    /// List types instead: aliases with what they stand for, resource types with their attributes and providers
    #[arg(long)]
    pub types: bool,

    /// Print a JSON array instead
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub settings: Settings,
}
