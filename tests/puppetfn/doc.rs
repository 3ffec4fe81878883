//! Documentation read from files, and its rendering.
#![allow(clippy::unwrap_used, reason = "tests may take the short way")]

use std::path::Path;
use std::sync::Arc;

use puppetfn::doc::{
    Api, Comment, DeclaredFunction, DeclaredParameter, DeclaredSignature, DocReader, Documentation,
    ParameterKind, ReadRuby, RubyFile,
};
use puppetfn::error::{Error, ErrorKind};
use puppetfn::limits::Limits;
use puppetfn::loader::Loader;

use crate::support::files::files;

/// A program that cannot read a Ruby file.
struct NoRuby;

impl ReadRuby for NoRuby {
    fn read_ruby(&mut self, path: &Path, _text: &str) -> Result<RubyFile, Error> {
        Err(Error::new(ErrorKind::Load, format!("{}: no Ruby", path.display())))
    }
}

/// A program for which every Ruby file declares this function.
struct Ruby(DeclaredFunction);

impl ReadRuby for Ruby {
    fn read_ruby(&mut self, _path: &Path, _text: &str) -> Result<RubyFile, Error> {
        Ok(RubyFile { functions: vec![self.0.clone()], ..RubyFile::default() })
    }
}

fn read(text: &str) -> Documentation {
    let mut ruby = NoRuby;
    let files = files(&[("/m/functions/f.pp", text)]);
    let mut reader = DocReader::new(&*files, &mut ruby, Limits::DEFAULT);
    reader.path(Path::new("/m/functions/f.pp")).unwrap();
    reader.finish().0
}

/// Returns the documentation of a Ruby function with these comments and parameters: `("a", "String?")` is an
/// optional one.
fn ruby(comment: &str, signatures: &[(&str, &[(&str, &str)])]) -> Documentation {
    let parameter = |(name, t): &(&str, &str)| {
        let kind = match name.chars().next() {
            Some('*') => ParameterKind::Repeated,
            Some('&') => ParameterKind::Block,
            _ => ParameterKind::Single,
        };
        let name = name.trim_start_matches(['*', '&']).to_owned();
        let (is_optional, t) = t.strip_suffix('?').map_or((false, *t), |t| (true, t));
        DeclaredParameter { name, type_text: Some(t.to_owned()), kind, is_optional, default: None, line: 9 }
    };
    let signature = |(text, parameters): &(&str, &[(&str, &str)])| DeclaredSignature {
        line: 8,
        comment: Comment { text: (*text).to_owned(), line: 5 },
        parameters: parameters.iter().map(parameter).collect(),
        return_type: None,
    };
    let mut reads_ruby = Ruby(DeclaredFunction {
        name: "m::f".to_owned(),
        api: Api::Ruby4x,
        line: 4,
        comment: Comment { text: comment.to_owned(), line: 1 },
        signatures: signatures.iter().map(signature).collect(),
        source: None,
    });
    let files = files(&[("/m/f.rb", "create_function")]);
    let mut reader = DocReader::new(&*files, &mut reads_ruby, Limits::DEFAULT);
    reader.path(Path::new("/m/f.rb")).unwrap();
    reader.finish().0
}

fn findings(documentation: &Documentation) -> Vec<String> {
    documentation.findings.iter().map(ToString::to_string).collect()
}

#[test]
fn a_function_in_the_puppet_language_is_shown_with_all_that_is_said() {
    let documentation = read(
        "# @summary Doubles\n#   a number.\n#\n# Twice as much\n#   is more.\n#\n# @param x The number\n\
         #   that is doubled\n# @param options What else\n# @option options [Boolean] :deep How\n\
         # @enum options fast Soon\n# @param rest\n# @return [Numeric] The double\n# @raise [Error] if not\n\
         # @example Of two\n#   m::f(2) == 4\n# @see m::g\n# @since 1.0\n# @api private\n\
         function m::f(Numeric $x, Hash $options = {}, *$rest) >> Numeric {\n  $x * 2\n}\n",
    );
    assert_eq!(
        documentation.to_string(),
        "\
m::f: Doubles a number.

  Twice as much
    is more.

  m::f(Numeric $x, Hash $options = {}, Any *$rest)

    Numeric $x
      The number
      that is doubled

    Hash $options
      What else
      :deep (Boolean)
        How
      fast
        Soon

    Returns Numeric
      The double

  Example: Of two

    m::f(2) == 4

  Raises: Error if not

  Since: 1.0

  See: m::g

  API: private

  Puppet language, /m/functions/f.pp:20
"
    );
    assert_eq!(findings(&documentation), Vec::<String>::new());
}

#[test]
fn json_has_the_schema_of_puppet_strings() {
    let documentation = read(
        "# Doubles.\n# @param x\n# @api public\nfunction f($x = 1) { $x * 2 }\n# A port.\ntype P = Integer[\n 1,\n 9]",
    );
    let tags = serde_json::json!([
        {"tag_name": "param", "types": ["Any"], "name": "x"},
        {"tag_name": "return", "text": "", "types": ["Any"]},
    ]);
    assert_eq!(
        documentation.to_json(),
        serde_json::json!({
            "puppet_functions": [{
                "name": "f", "file": "/m/functions/f.pp", "line": 4, "type": "puppet",
                "signatures": [
                    {"signature": "f(Any $x = 1)", "docstring": {"text": "Doubles.", "tags": tags}},
                ],
                "docstring": {"text": "Doubles.", "tags": tags},
                "defaults": {"x": "1"},
                "source": "function f($x = 1) { $x * 2 }",
            }],
            "data_type_aliases": [{
                "name": "P", "file": "/m/functions/f.pp", "line": 6,
                "docstring": {"text": "A port."},
                "alias_of": "Integer[1, 9]",
            }],
            "puppet_classes": [],
            "data_types": [],
            "defined_types": [],
            "resource_types": [],
            "providers": [],
            "puppet_tasks": [],
            "puppet_plans": [],
        })
    );
}

#[test]
fn classes_defined_types_and_plans_are_documented() {
    let documentation = read(
        "# A class.\n# @param a an a\nclass m($a, Integer $b = 1) inherits n {\n  # @summary In it\n  define d() { }\n}\nplan m::p() { }",
    );
    let json = documentation.to_json();
    let class = &json["puppet_classes"][0];
    assert_eq!(class["inherits"], "n");
    assert_eq!(class["defaults"], serde_json::json!({"b": "1"}));
    assert_eq!(
        class["docstring"]["tags"],
        serde_json::json!([
            {"tag_name": "param", "text": "an a", "types": ["Any"], "name": "a"},
            {"tag_name": "param", "text": "", "types": ["Integer"], "name": "b"},
        ])
    );
    assert_eq!(json["defined_types"][0]["name"], "m::d");
    assert_eq!(json["puppet_plans"][0]["name"], "m::p");
    assert_eq!(
        findings(&documentation),
        [
            "/m/functions/f.pp:3: parameter b is not documented; add `@param b text` [undocumented_param]",
            "/m/functions/f.pp:7: plan m::p has no documentation; describe it in a comment above it [undocumented]",
        ]
    );
}

#[test]
fn markdown_lists_what_is_private_and_shows_what_is_not() {
    let markdown = read("# One.\n# @api private\nclass m::a { }\n# Two.\n# @see x\n# @example\n#   include m::b\nclass m::b($c = [\n  1,\n]) { }").to_markdown();
    let contents = "### Classes\n\n#### Public Classes\n\n* [`m::b`](#m--b): Two.\n\n\
                    #### Private Classes\n\n* `m::a`: One.\n\n## Classes\n\n";
    let section = "### <a name=\"m--b\"></a>`m::b`\n\nTwo.\n\n* **See also**\n  * x\n\n#### Examples\n\n##### \n\n\
                   ```puppet\ninclude m::b\n```\n\n#### Parameters\n\n\
                   The following parameters are available in the `m::b` class:\n\n* [`c`](#-m--b--c)\n\n\
                   ##### <a name=\"-m--b--c\"></a>`c`\n\nData type: `Any`\n\n\n\n\
                   Default value:\n\n```puppet\n[\n  1,\n]\n```\n\n";
    let (_, rest) = markdown.split_once("## Table of Contents\n\n").unwrap();
    assert_eq!(rest, format!("{contents}{section}"));
}

#[test]
fn the_one_signature_of_a_function_and_the_function_are_the_same() {
    let documentation =
        ruby("Does.", &[("@param a One", &[("a", "String"), ("*b", "Any?"), ("&c", "Callable?")])]);
    let function = &documentation.functions[0];
    assert_eq!(function.signatures[0].text, "m::f(String $a, Optional[Any] *$b, Optional[Callable] &$c)");
    assert_eq!(function.docstring, function.signatures[0].docstring);
    let names: Vec<_> = function.docstring.tagged("param").filter_map(|tag| tag.name.as_deref()).collect();
    assert_eq!(names, ["a", "*b", "&c"]);
    let documentation = ruby("@since 1", &[("Does.", &[])]);
    assert_eq!(documentation.functions[0].docstring.text, "Does.", "the dispatch may be what has the text");
}

#[test]
fn several_signatures_are_overloads() {
    let documentation = ruby("Does.", &[("One.", &[("a", "String")]), ("Two.\n@return [Undef]", &[])]);
    assert_eq!(
        documentation.to_string(),
        "m::f\n\n  Does.\n\n  m::f(String $a)\n\n    One.\n\n  m::f()\n\n    Two.\n\n    Returns Undef\n\n  \
         Ruby 4.x API, /m/f.rb:4\n"
    );
    let document = documentation.to_json();
    let tags = document["puppet_functions"][0]["docstring"]["tags"].as_array().unwrap();
    let shown: Vec<_> = tags.iter().map(|tag| format!("{} {}", tag["tag_name"], tag["signature"])).collect();
    assert_eq!(shown, ["\"overload\" \"m::f(String $a)\"", "\"overload\" \"m::f()\""]);
}

#[test]
fn comments_that_say_other_than_the_code_are_found() {
    let documentation = read(
        "# Does.\n# @param y Nothing\n# @param x [String] What\n# @param\n# @frob\n# @return [String]\n\
         function f(Integer $x, $z) >> Integer { 1 }\nfunction g() { }\ntype A = B",
    );
    assert_eq!(
        findings(&documentation),
        [
            "/m/functions/f.pp:2: @param y names no parameter of the signature: they are x, z [unknown_param]",
            "/m/functions/f.pp:3: @param x says [String], but the signature says Integer; leave the type out [param_type]",
            "/m/functions/f.pp:4: @param names no parameter; write `@param name text` [unknown_param]",
            "/m/functions/f.pp:5: there is no tag @frob; indent the line if it is text [unknown_tag]",
            "/m/functions/f.pp:6: @return says [String], but the result is declared as Integer [return_type]",
            "/m/functions/f.pp:7: parameter z is not documented; add `@param z text` [undocumented_param]",
            "/m/functions/f.pp:8: function g has no documentation; describe it in a comment above it [undocumented]",
            "/m/functions/f.pp:9: type alias A has no documentation; describe it in a comment above it [undocumented]",
        ]
    );
}

#[test]
fn tags_of_a_signature_belong_above_its_dispatch() {
    let documentation =
        ruby("Does.\n@param a What\n@summary\n  xx\n@overload f()", &[("Does.", &[("a", "String")])]);
    assert_eq!(
        findings(&documentation),
        [
            "/m/f.rb:2: @param is not read above create_function; move it to the comment above the dispatch, or above \
             the method of a function without one [misplaced_tag]",
            "/m/f.rb:5: @overload is not read above create_function; remove it: each dispatch is one [misplaced_tag]",
            "/m/f.rb:8: the result of m::f is not documented; add `@return [Type] text` [undocumented_return]",
            "/m/f.rb:9: parameter a is not documented; add `@param a text` [undocumented_param]",
        ]
    );
    let long = format!("@summary {}\n@return [Any] it", "x".repeat(141));
    let documentation = ruby(&long, &[("@return it", &[])]);
    assert_eq!(documentation.findings[0].rule, "long_summary");
}

#[test]
fn examples_without_code_and_repeated_parameters_are_findings() {
    let text = "# @summary Does.\n#   And more.\n# @param a One\n# @param a Two\n# @example Empty\n# @example Caption\n# ```\n# m::f(1)\n# ```\n# @return [Any] it\n\
                function m::f($a) { }";
    assert_eq!(
        findings(&read(text)),
        [
            "/m/functions/f.pp:4: @param a is documented before; put both texts into one tag [repeated_param]",
            "/m/functions/f.pp:5: the example has no code; indent the code below @example, or remove the tag [empty_example]",
        ]
    );
}

/// Returns the documentation of a module `m` with a class and data, and the errors.
fn with_data(common: &str) -> (Documentation, Vec<Error>) {
    let hierarchy = "version: 5\nhierarchy:\n  - {name: os, path: \"%{facts.os.family}.yaml\"}\n  - {name: all, path: common.yaml}\n";
    let files = files(&[
        ("/m/metadata.json", "{}"),
        ("/m/hiera.yaml", hierarchy),
        ("/m/manifests/init.pp", "# A class.\n# @param a A\n# @param b B\nclass m($a, $b = 1) { }"),
        ("/m/data/Debian.yaml", "m::a: [80, x]\n"),
        ("/m/data/common.yaml", common),
    ]);
    let mut ruby = NoRuby;
    let mut reader = DocReader::new(&*files, &mut ruby, Limits::DEFAULT).with_data(true);
    reader.path(Path::new("/m")).unwrap();
    reader.finish()
}

#[test]
fn parameters_have_their_values_in_the_data_of_the_module() {
    let (documentation, failures) = with_data("m::a: \"%{facts.x}\"\nm::b: ENC[PKCS7,abc]\nm::other::a: 1\n");
    assert!(failures.is_empty(), "{failures:?}");
    let markdown = documentation.to_markdown();
    let of_a = "Value in the module's data:\n\n* `data/Debian.yaml`: `[80, 'x']`\n* `data/common.yaml`: `'%{facts.x}'`\n\n";
    let of_b = "Default value: `1`\n\nValue in the module's data:\n\n* `data/common.yaml`: `(encrypted)`\n\n";
    assert!(markdown.contains(of_a) && markdown.contains(of_b), "{markdown}");
    assert!(documentation.to_string().contains("In data/Debian.yaml: [80, 'x']\n"), "{documentation}");
    let json = documentation.to_json();
    assert_eq!(json["puppet_classes"][0]["data"][0]["file"], "data/Debian.yaml");

    let (documentation, failures) = with_data("m::a: [");
    assert_eq!(
        (documentation.definitions.len(), failures.len()),
        (1, 1),
        "the class is documented without the data"
    );
    assert!(failures[0].to_string().starts_with("/m/data/common.yaml: "), "{}", failures[0]);
}

#[test]
fn types_with_features_are_shown_with_these() {
    let text = "# A host.\ntype M::Host inherits M::Base {\n  attr name, String { min => 1 }\n}";
    let files = files(&[("/m/types/host.pp", text)]);
    let mut ruby = NoRuby;
    let mut reader = DocReader::new(&*files, &mut ruby, Limits::DEFAULT);
    reader.path(Path::new("/m")).unwrap();
    let (documentation, failures) = reader.finish();
    assert!(failures.is_empty());
    let shown = documentation.to_string();
    let expected = "M::Host\n\n  A host.\n\n  M::Host = type inherits M::Base {\n    attr name, String { min => 1 }\n  }\n";
    assert!(shown.starts_with(expected), "{shown}");
}

#[test]
fn a_directory_is_read_without_what_is_not_the_modules_own() {
    let files = files(&[
        ("/m/functions/a.pp", "function m::a() { }"),
        ("/m/functions/broken.pp", "function {"),
        ("/m/lib/puppet/functions/m/r.rb", "Puppet::Functions.create_function(:r) {}"),
        ("/m/lib/helper.rb", "class Helper; end"),
        ("/m/types/t.pp", "type M::T = Any"),
        ("/m/spec/fixtures/modules/x/functions/x.pp", "function x::x() { }"),
        ("/m/.git/x.pp", "function m::git() { }"),
        ("/m/README.md", "function"),
    ]);
    let mut ruby = NoRuby;
    let mut reader = DocReader::new(&*files, &mut ruby, Limits::DEFAULT);
    reader.path(Path::new("/m")).unwrap();
    let (documentation, failures) = reader.finish();
    let names: Vec<_> = documentation.functions.iter().map(|function| &*function.name).collect();
    assert_eq!((names, documentation.type_aliases.len()), (vec!["m::a"], 1));
    let failures: Vec<_> = failures.iter().map(ToString::to_string).collect();
    assert_eq!(
        failures,
        [
            "Syntax error at '{' (file: /m/functions/broken.pp, line: 1, column: 10)",
            "/m/lib/puppet/functions/m/r.rb: no Ruby",
        ]
    );
}

#[test]
fn names_are_found_as_the_loader_finds_them() {
    let files = files(&[
        ("/modules/m/functions/f.pp", "function m::f() { }\nfunction m::other() { }\ntype M::F = Any"),
        ("/modules/m/functions/wrong.pp", "function m::right() { }"),
        ("/modules/m/types/t.pp", "type M::T = Any"),
    ]);
    let loader = Loader::new(Arc::clone(&files) as _, vec!["/modules".into()], None, Limits::DEFAULT);
    let mut ruby = NoRuby;
    let mut reader = DocReader::new(&*files, &mut ruby, Limits::DEFAULT);
    assert_eq!(reader.named("M::F", &loader), Ok(true));
    assert_eq!(reader.named("::M::T", &loader), Ok(true));
    assert_eq!(reader.named("m::nothing", &loader), Ok(false));
    let wrong = reader.named("m::wrong", &loader).unwrap_err();
    assert_eq!(wrong.to_string(), "/modules/m/functions/wrong.pp should define m::wrong, but does not");
    let (documentation, _) = reader.finish();
    let names: Vec<_> = documentation.functions.iter().map(|function| &*function.name).collect();
    assert_eq!(names, ["m::f"]);
}
