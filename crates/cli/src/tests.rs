//! The command line with a host that knows three functions and two types.

use std::path::Path;

use super::*;
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::ErrorKind;
use puppetfn_base::limits::Limits;
use puppetfn_doc::{ReadRuby, RubyFile};
use puppetfn_types::function::LogLevel;
use puppetfn_types::types::Type;
use puppetfn_types::value::{Hash, Value};

#[derive(Default)]
struct FakeHost {
    seen: Option<CompileOptions>,
}

impl ReadRuby for FakeHost {
    fn read_ruby(&mut self, path: &Path, _text: &str) -> Result<RubyFile, Error> {
        panic!("{} is read", path.display())
    }
}

impl Compiler for FakeHost {}

impl CommandHost for FakeHost {
    fn call(&mut self, options: &CompileOptions, name: &str, arguments: &[Value]) -> CallOutcome {
        self.seen = Some(options.clone());
        let log = |level| vec![LogEntry::new(level, format!("{name} was called"))];
        match name {
            "echo" => CallOutcome { result: Ok(Value::from(arguments.to_vec())), log: log(LogLevel::Info) },
            "fail" => CallOutcome {
                result: Err(Error::new(ErrorKind::Evaluation, "no luck\nat all")),
                log: log(LogLevel::Warning),
            },
            "type" => CallOutcome { result: Ok(Type::integer(Some(1), Some(2)).into()), log: Vec::new() },
            _ => CallOutcome {
                result: Err(Error::new(ErrorKind::NotFound, format!("Unknown function: '{name}'"))),
                log: Vec::new(),
            },
        }
    }

    fn functions(
        &mut self,
        _options: &CompileOptions,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<ListedDefinition<Vec<String>>>, Error> {
        let signatures = |texts: &[&str]| Ok(texts.iter().map(|text| (*text).to_owned()).collect());
        Ok(selected(
            wanted,
            [
                ("mod::two", signatures(&["(Integer a)", "(String a) >> String"])),
                ("broken", Err(Error::new(ErrorKind::Load, "cannot be loaded"))),
                ("echo", signatures(&["(Any args*)"])),
            ],
        ))
    }

    fn types(
        &mut self,
        _options: &CompileOptions,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<ListedDefinition<String>>, Error> {
        let port = "Integer[0, 65535]".to_owned();
        Ok(selected(wanted, [("Mod::Port", Ok(port)), ("Mod::Any", Ok("Any".to_owned()))]))
    }
}

fn selected<T, const N: usize>(
    wanted: &dyn Fn(&str) -> bool,
    all: [(&str, Result<T, Error>); N],
) -> Vec<ListedDefinition<T>> {
    let wanted = all.into_iter().filter(|(name, _)| wanted(name));
    wanted.map(|(name, found)| ListedDefinition { name: name.to_owned(), found }).collect()
}

/// Returns the exit code, the standard output and the standard error.
fn puppetfn(args: &[&str]) -> (i32, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = std::iter::once(&"puppetfn").chain(args).map(OsString::from);
    let code = run(args, &mut FakeHost::default(), &mut out, &mut err);
    (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

fn prints(args: &[&str]) -> String {
    let (code, out, err) = puppetfn(args);
    assert_eq!((code, err.as_str()), (OK, ""));
    out
}

fn is_usage_error(args: &[&str], message: &str) {
    let (code, out, err) = puppetfn(args);
    assert_eq!((code, out.as_str()), (USAGE, ""), "{err}");
    assert!(err.starts_with(message), "{err}");
}

#[test]
fn arguments_are_json_or_else_strings() {
    let args =
        ["call", "echo", "1", "-1.5", "true", "null", "a b", "\"1\"", "[1]", "[x]", "{\"k\": null}", ""];
    assert_eq!(
        prints(&[&args[..], &["--json"]].concat()),
        "[1,-1.5,true,null,\"a b\",\"1\",[1],\"[x]\",{\"k\":null},\"\"]\n"
    );
}

#[test]
fn results_are_shown_as_puppet_interpolates_them_or_as_json() {
    assert_eq!(prints(&["call", "echo", "a", "null", "{\"b\": [1.0]}"]), "[a, , {b => [1.0]}]\n");
    assert_eq!(prints(&["call", "type"]), "Integer[1, 2]\n");
    assert_eq!(prints(&["call", "type", "--json"]), "\"Integer[1, 2]\"\n");
}

#[test]
fn limits_hold_for_arguments_and_what_is_printed() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let called = |depth: usize, limit: &str| {
        let (argument, limit) = (nested(depth), format!("--limit=nesting={limit}"));
        [&[][..], &["--json"]].map(|form| puppetfn(&[&["call", "echo", &argument, &limit], form].concat()))
    };
    for (depth, limit) in [(5, "7"), (290, "300")] {
        let shown = format!("{}\n", nested(depth + 1));
        for (code, out, err) in called(depth, limit) {
            assert_eq!((code, out.as_str(), err.as_str()), (OK, shown.as_str(), ""));
        }
    }
    for (depth, limit) in [(6, "5"), (10, "10"), (290, "200")] {
        for (code, _, err) in called(depth, limit) {
            assert!(code != OK && err.contains("limit 'nesting'"), "{depth}: {err}");
        }
    }
}

#[test]
fn code_is_evaluated_with_puppets_own_functions() {
    assert_eq!(prints(&["eval", "function f($x) { $x * 2 } [1, 2].map |$x| { f($x) }"]), "[2, 4]\n");
    assert_eq!(prints(&["eval", "{a => undef}", "--json"]), "{\"a\":null}\n");
    assert_eq!(
        puppetfn(&["eval", "notice('hi') nosuch()"]),
        (
            FAILED,
            String::new(),
            "notice: hi\nerror: Evaluation Error: Unknown function: 'nosuch'. (line: 1, column: 14)\n"
                .to_owned()
        )
    );
}

#[test]
fn what_follows_two_dashes_is_an_argument() {
    assert_eq!(prints(&["call", "echo", "--", "--json", "--", "-x"]), "[--json, --, -x]\n");
}

#[test]
fn a_failing_function_says_what_it_says() {
    assert_eq!(
        puppetfn(&["call", "fail"]),
        (FAILED, String::new(), "warning: fail was called\nerror: no luck\nat all\n".to_owned())
    );
    assert_eq!(
        puppetfn(&["call", "none"]),
        (FAILED, String::new(), "error: Unknown function: 'none'\n".to_owned())
    );
}

#[test]
fn functions_are_listed_by_name_a_line_for_each_signature() {
    assert_eq!(
        puppetfn(&["list"]),
        (
            FAILED,
            "echo(Any args*)  # built in\nmod::two(Integer a)  # built in\nmod::two(String a) >> String  # built in\n"
                .to_owned(),
            "error: broken: cannot be loaded\n".to_owned()
        )
    );
    assert_eq!(prints(&["list", "^ec"]), "echo(Any args*)  # built in\n");
    let (code, out, err) = puppetfn(&["list", "nothing"]);
    assert_eq!((code, out.as_str()), (FAILED, ""));
    assert!(err.starts_with("error: no function matches 'nothing'\n"), "{err}");
}

#[test]
fn lists_are_also_json() {
    assert_eq!(
        prints(&["list", "::", "--json"]),
        "[{\"name\":\"mod::two\",\"signatures\":[\"(Integer a)\",\"(String a) >> String\"],\"origin\":\"built in\"}]\n"
    );
    assert_eq!(
        prints(&["list", "--types", "Port", "--json"]),
        "[{\"name\":\"Mod::Port\",\"type\":\"Integer[0, 65535]\",\"origin\":\"built in\"}]\n"
    );
}

#[test]
fn types_are_listed_with_what_they_stand_for() {
    assert_eq!(
        prints(&["list", "--types", "::"]),
        "Mod::Any = Any  # built in\nMod::Port = Integer[0, 65535]  # built in\n"
    );
}

#[test]
fn resource_types_are_listed_with_their_attributes() {
    assert_eq!(
        prints(&["list", "--types", "^(filebucket|stage)$"]),
        "filebucket { name, server, port, path }  # built in\nstage { name }  # built in\n"
    );
}

#[test]
fn help_and_version_are_no_errors() {
    let version = format!("puppetfn {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(prints(&["-V"]), format!("{version}\n"));
    let puppet = puppetfn_base::target::Target::default();
    assert_eq!(prints(&["--version"]), format!("{version} (answers as Puppet {})\n", puppet.version()));
    assert!(prints(&["--help"]).contains("Examples:\n  puppetfn init\n"));
    assert!(prints(&["call", "--help"]).contains("Exit codes: 0 "));
}

#[test]
fn wrong_arguments_are_told_from_failing_functions() {
    is_usage_error(&["cal"], "error: unrecognized subcommand 'cal'");
    is_usage_error(&["call"], "error: the following required arguments were not provided");
    is_usage_error(&["call", "echo", "--jsn"], "error: unexpected argument '--jsn' found");
    is_usage_error(&["list", "("], "error: PATTERN: ");
    is_usage_error(
        &[],
        "Test, check, format, document, compile and serve Puppet code, without Puppet\n\nUsage: ",
    );
}

#[test]
fn json_that_is_no_value_is_refused() {
    let (long, shown) = (format!("[{}]", "9".repeat(5_000)), format!("[{}...", "9".repeat(39)));
    is_usage_error(&["call", "echo", &long], &format!("error: argument {shown}: the integer 9"));
    assert_eq!(prints(&["call", "echo", "[9223372036854775808]"]), "[[9223372036854775808]]\n");
    let deep = "[".repeat(1000);
    let shown = "[".repeat(40);
    is_usage_error(
        &["call", "echo", &deep],
        &format!("error: argument {shown}...: nested more than 200 levels deep"),
    );
}

fn in_a_directory(test: impl FnOnce(&Path)) {
    let name = format!("puppetfn-cli-{}-{:?}", std::process::id(), std::thread::current().id());
    let directory = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&directory).unwrap();
    test(&directory);
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
#[allow(clippy::disallowed_methods, reason = "makes the files that the test is about")]
fn options_name_directories_and_facts() {
    in_a_directory(|directory| {
        let facts = directory.join("facts.json");
        std::fs::write(&facts, r#"{"os": {"family": "Debian"}}"#).unwrap();
        let path = std::env::join_paths([directory, Path::new("/")]).unwrap();
        let args: [OsString; 19] = [
            "puppetfn".into(),
            "call".into(),
            "echo".into(),
            "--modulepath".into(),
            path,
            "--modulepath".into(),
            "..".into(),
            "--environment".into(),
            directory.into(),
            "--facts".into(),
            facts.clone().into(),
            "--trusted".into(),
            facts.into(),
            "--limit=calls=50".into(),
            "--limit".into(),
            "fuel=1000".into(),
            "--strict".into(),
            "warning".into(),
            "--no-strict-variables".into(),
        ];
        let mut host = FakeHost::default();
        assert_eq!(run(args, &mut host, &mut Vec::new(), &mut Vec::new()), OK);

        let facts = [("os".into(), Value::from_iter([("family".into(), "Debian".into())]))];
        let facts: Hash = facts.into_iter().collect();
        let expected = CompileOptions {
            modulepath: vec![directory.into(), "/".into(), "..".into()],
            environment: Some(directory.into()),
            environment_name: directory.file_name().map(|name| name.to_string_lossy().into_owned()),
            hiera_config: None,
            facts: facts.clone(),
            limits: Limits { calls: 50, fuel: Some(1_000), ..Limits::DEFAULT },
            trusted: facts,
            strict: Strict::Warning,
            strict_variables: false,
            ruby: true,
            outside_files: true,
            may_execute: false,
            hides_secrets: false,
            settings: environment_settings(directory),
        };
        assert_eq!(host.seen, Some(expected));
    });
}

/// Returns the settings that the directory of an environment determines.
fn environment_settings(directory: &Path) -> Hash {
    let path = directory.display();
    [
        ("environmentpath", directory.parent().unwrap().display().to_string()),
        ("modulepath", format!("{path}:/:..")),
        ("manifest", format!("{path}/manifests")),
    ]
    .into_iter()
    .map(|(name, value)| (name.into(), value.as_str().into()))
    .collect()
}

#[test]
#[allow(clippy::disallowed_methods, reason = "makes the files that the test is about")]
fn options_that_name_nothing_usable_are_refused() {
    in_a_directory(|directory| {
        let list = directory.join("list.json");
        std::fs::write(&list, "[1]").unwrap();
        let broken = directory.join("broken.json");
        std::fs::write(&broken, "{\"a\": ").unwrap();
        let missing = directory.join("missing");

        for (option, path, problem) in [
            ("--modulepath", &missing, "No such file or directory"),
            ("--modulepath", &list, "not a directory"),
            ("--environment", &missing, "No such file or directory"),
            ("--facts", &missing, "No such file or directory"),
            ("--facts", &list, "expected a JSON object"),
            ("--facts", &broken, "not JSON: EOF while parsing"),
            ("--trusted", &list, "expected a JSON object"),
        ] {
            let path = path.to_str().unwrap();
            let (code, _, err) = puppetfn(&["list", option, path]);
            assert_eq!(code, USAGE);
            assert!(err.starts_with(&format!("error: {option}: {path}")), "{err}");
            assert!(err.contains(problem), "{err}");
        }
    });
}

/// Takes this many bytes, then fails.
struct FailingWriter(usize, io::ErrorKind);

impl Write for FailingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(self.1)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let listing = |kind| {
        let mut err = Vec::new();
        let args = ["puppetfn", "list", "::"].map(OsString::from);
        let code = run(args, &mut FakeHost::default(), &mut FailingWriter(12, kind), &mut err);
        (code, String::from_utf8(err).unwrap())
    };
    assert_eq!(listing(io::ErrorKind::BrokenPipe), (OK, String::new()));
    assert_eq!(
        listing(io::ErrorKind::StorageFull),
        (FAILED, "error: cannot write the output: no storage space\n".to_owned())
    );
}

#[test]
fn built_in_functions_are_documented() {
    assert_eq!(
        prints(&["doc", "SIZE"]),
        "size\n\n  The same as `length`.\n\n  size(Variant[Collection, String, Binary] $arg)\n\n  Example:\n\n    \
         size({'a' => 1, 'b' => 2}) # => 2\n\n  Built-in function\n"
    );
    let document: serde_json::Value =
        serde_json::from_str(&prints(&["doc", "size", "with", "--json"])).unwrap();
    let functions = document["puppet_functions"].as_array().unwrap();
    let names: Vec<_> = functions.iter().map(|function| &function["name"]).collect();
    assert_eq!(names, ["size", "with"]);
    assert_eq!(functions[1]["signatures"][0]["signature"], "with(Any *$arg, Callable &$block)");
    assert_eq!(prints(&["doc", "size", "--format", "json"]), prints(&["doc", "size", "--json"]));
    assert_eq!(prints(&["doc", "--lint"]), "", "nothing is wrong with the functions of our own");
    assert_eq!(prints(&["doc", "--lint", "--json"]), "[]\n");
}

#[test]
fn what_cannot_be_documented_is_said_and_the_rest_is_shown() {
    let (code, out, err) = puppetfn(&["doc", "nosuch", "size", "./nosuch.pp"]);
    assert_eq!((code, out), (FAILED, prints(&["doc", "size"])));
    let errors: Vec<_> = err.lines().collect();
    assert_eq!(errors[0], "error: there is no function or class or type 'nosuch', and no such file");
    assert!(errors[1].starts_with("error: ./nosuch.pp: "), "{err}");
    is_usage_error(&["doc", "size", "--json", "--format", "text"], "error: the argument '--json' cannot");
    is_usage_error(&["doc", "size", "--format", "pdf"], "error: invalid value 'pdf'");
    is_usage_error(&["doc", "size", "--format", "html"], "error: --format html writes many files");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "makes the files that the test is about")]
fn data_is_looked_up_in_an_environment() {
    in_a_directory(|directory| {
        std::fs::create_dir(directory.join("data")).unwrap();
        std::fs::write(directory.join("hiera.yaml"), "version: 5\n").unwrap();
        std::fs::write(directory.join("data/common.yaml"), "port: 80\nhosts: [b, a]\n").unwrap();
        let lookup = |args: &[&str]| {
            let given = ["puppetfn", "lookup", "--environment"].into_iter().map(OsString::from);
            let given = given.chain([directory.into()]).chain(args.iter().map(OsString::from));
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let code = run(given, &mut Standalone, &mut out, &mut err);
            (code, String::from_utf8([out, err].concat()).unwrap())
        };
        assert_eq!(lookup(&["none", "port", "--type", "Integer"]), (OK, "--- 80\n".to_owned()));
        let merged = ["hosts", "--json", "--merge", "deep", "--sort-merged-arrays"];
        assert_eq!(lookup(&merged), (OK, "[\"b\",\"a\"]\n".to_owned()));
        assert_eq!(lookup(&["hosts"]), (OK, "---\n- b\n- a\n".to_owned()));
        assert_eq!(lookup(&["hosts", "--render-as", "s"]), (OK, "[\"b\", \"a\"]\n".to_owned()));
        assert_eq!(lookup(&["none", "--default", "5"]), (OK, "--- '5'\n".to_owned()));
        let facts = directory.join("facts.json");
        std::fs::write(&facts, "{\"role\": \"web\"}").unwrap();
        std::fs::write(
            directory.join("data/common.yaml"),
            "port: 80\nhosts: [b, a]\nw: '%{facts.role} %{trusted.certname}'\n",
        )
        .unwrap();
        let node = ["w", "--node", "n.example.com", "--facts", facts.to_str().unwrap()];
        assert_eq!(lookup(&node), (OK, "--- web n.example.com\n".to_owned()));
        let (code, text) = lookup(&["none"]);
        assert_eq!(code, FAILED);
        assert!(text.ends_with("did not find a value for the name 'none'\n"), "{text}");
        let (code, text) = lookup(&["port", "--explain"]);
        assert_eq!(code, OK);
        assert!(text.contains("      Found key: \"port\" value: 80\n"), "{text}");
        let (code, text) = lookup(&["port", "--merge-hash-arrays"]);
        assert!(code == FAILED && text.contains("only available with '--merge deep'"), "{text}");
    });
}
