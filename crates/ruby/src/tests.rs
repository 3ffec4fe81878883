//! Files that are read, and texts that are none.

use std::path::{Path, PathBuf};

use puppetfn_catalog::{AttributeCondition, Requirement, TypeDescription};
use puppetfn_doc::RubyFile;

use super::{
    CalledFunction, RubyCode, function_failures, puppetfile_failures, read, resource_type_failures,
    template_calls,
};

fn read_text(text: &str) -> RubyFile {
    read(Path::new("/m/f.rb"), text).unwrap()
}

fn error(text: &str) -> String {
    read(Path::new("/m/f.rb"), text).unwrap_err().to_string()
}

#[test]
fn functions_have_their_signatures_and_comments() {
    let file = read_text(
        "# Joins.\nPuppet::Functions.create_function(:'m::join') do\n  # @param a The first.\n  dispatch :two do\n    param 'String', :a\n    \
         optional_repeated_param 'Integer[0]', :others\n    optional_block_param\n    return_type 'String'\n  end\n\n  def two(a, *others) = a\nend\n",
    );
    let function = &file.functions[0];
    assert_eq!((&*function.name, function.line, &*function.comment.text), ("m::join", 2, "Joins."));
    let signature = &function.signatures[0];
    assert_eq!(
        (&*signature.comment.text, signature.return_type.as_deref()),
        ("@param a The first.", Some("String"))
    );
    let parameters: Vec<_> =
        signature.parameters.iter().map(|p| (&*p.name, p.type_text.as_deref(), p.is_optional)).collect();
    assert_eq!(
        parameters,
        [
            ("a", Some("String"), false),
            ("others", Some("Integer[0]"), true),
            ("block", Some("Callable"), true)
        ]
    );
    let source = function.source.as_deref().unwrap();
    assert!(source.starts_with("Puppet::Functions") && source.ends_with("end"));
    assert_eq!(file.findings, []);
}

#[test]
fn code_of_functions_is_looked_at() {
    let file = read_text(
        "Puppet::Functions.create_function(:f) do\n  X = 1\n  dispatch(:g) { param 'Array', :list }\n  def g(list) = list.push(X)\nend\n",
    );
    let found: Vec<_> = file.findings.iter().map(|finding| (finding.line, &*finding.rule)).collect();
    assert_eq!(found, [(2, "constant"), (4, "mutated_argument")]);
}

#[test]
fn resource_types_have_attributes_and_what_they_require() {
    let file = read_text(
        "Puppet::Type.newtype(:host) do\n  @doc = <<~DOC\n    A host.\n  DOC\n  ensurable\n  newparam(:name, namevar: true) { desc 'Its name.' }\n  \
         newproperty(:port) do\n    defaultto 80\n    validate { |value| raise ArgumentError, 'no port' unless value.is_a?(Integer) }\n  end\nend\n\
         Puppet::Type.type(:host).provide(:file) { confine kernel: :linux; commands edit: 'ed' }\n",
    );
    let host = &file.types[0];
    assert_eq!((&*host.name, host.doc.as_deref(), host.line), ("host", Some("A host."), 1));
    let names: Vec<_> = host.attributes.iter().map(|attribute| &*attribute.name).collect();
    assert_eq!(names, ["ensure", "name", "port"]);
    assert!(host.attributes[1].is_namevar);
    let port = &host.attributes[2];
    assert_eq!(port.default.as_deref(), Some("80"));
    let (type_text, message) = ("Integer".into(), "no port".into());
    let expected = Requirement { type_text, message, of_each: true, ..Requirement::default() };
    assert_eq!(port.requirements, [expected]);
    let provider = &file.providers[0];
    assert_eq!((&*provider.type_name, &*provider.name), ("host", "file"));
    assert_eq!(provider.confines, [("kernel".into(), "linux".into())]);
    assert_eq!(provider.commands, [("edit".into(), "ed".into())]);
}

#[test]
fn munging_and_paths_are_requirements_and_validation_of_the_type_is_combinations() {
    let file = read_text(
        "Puppet::Type.newtype(:job) do
  newparam(:name, namevar: true)
  newparam(:file, parent: Puppet::Parameter::Path)
  newparam(:tries) { munge { |value| raise ArgumentError, 'no number' unless value.to_s =~ /^\\d+$/ } }
  newparam(:tags) do
    validate do |tags|
      tags = [tags] unless tags.is_a?(Array)
      tags.each { |tag| raise ArgumentError, \"#{tag} is no tag\" if tag.include?(' ') }
    end
  end
  newproperty(:ensure) { newvalues(:present, :absent) }
  newparam(:host) { defaultto { 'a' } }
  validate do
    fail 'file or tags' if self[:file] && self[:tags]
    raise ArgumentError, 'no file' if self[:ensure] == :present && !self[:file]
    self[:host] = 'b' if self[:tags]
    fail 'not read' if self[:host]
  end
end
",
    );
    let job = &file.types[0];
    let messages = |name: &str| -> Vec<(&str, bool)> {
        let attribute = job.attribute(name).unwrap();
        attribute.requirements.iter().map(|one| (&*one.message, one.of_each)).collect()
    };
    assert_eq!(messages("file")[1], ("file must be a fully qualified path", false));
    let munged = "Munging failed for value %{inspect} in class tries: no number";
    assert_eq!(messages("tries"), [(munged, false)]);
    let no_text =
        "Validate method failed for class tags: undefined method `include?' for %{inspect}:%{class}";
    assert_eq!(messages("tags"), [(no_text, true), ("%{value} is no tag", true)]);
    assert!(job.attribute("host").unwrap().has_computed_default);
    let set = |name: &str| AttributeCondition::Set(name.into());
    let is_present = AttributeCondition::Is("ensure".into(), "present".into());
    let no_file = AttributeCondition::Not(Box::new(set("file")));
    let refused: Vec<_> =
        job.refused_combinations.iter().map(|one| (&one.condition, &*one.message)).collect();
    assert_eq!(
        refused,
        [
            (&AttributeCondition::All(vec![set("file"), set("tags")]), "file or tags"),
            (&AttributeCondition::All(vec![is_present, no_file]), "no file"),
        ]
    );
}

#[test]
fn errors_in_branches_have_the_conditions_of_their_branches() {
    let requirements = |code: &str| {
        let text = format!(
            "Puppet::Type.newtype(:a) do\n  newparam(:name) do\n    validate do |value|\n{code}\n    end\n  end\nend\n"
        );
        let file = read_text(&text);
        let found = file.types[0].attributes[0].requirements.clone();
        let shown =
            |one: &Requirement| format!("{}{}", if one.is_refused { "not " } else { "" }, one.type_text);
        let shown = |one: Requirement| one.conditions().map(shown).collect::<Vec<_>>().join(" or ");
        found.into_iter().map(shown).collect::<Vec<_>>()
    };
    let classes = "case value\nwhen String, Integer then nil\nelse raise ArgumentError, 'no'\nend";
    assert_eq!(requirements(classes), ["Variant[String, Integer]"]);
    let nested = "if value.is_a?(Hash)\n  raise ArgumentError, 'a' if value.empty?\nelse\n  raise ArgumentError, 'b'\nend";
    assert_eq!(requirements(nested).last().map(String::as_str), Some("Hash"));
    let early = "return if value == 'any'\nraise ArgumentError, 'no' unless value.start_with?('/')";
    let [no_method, others] = requirements(early).try_into().unwrap();
    assert_eq!(no_method, "not Variant[Numeric, Boolean] or Variant[Enum['any']]");
    assert!(others.contains("Pattern[") && others.contains("Enum['any']"), "{others}");
    let changed =
        "value = value.to_s if value.is_a?(Integer)\nraise ArgumentError, 'no' unless value.is_a?(String)";
    assert_eq!(requirements(changed), [""; 0]);
    let loops = "value.each { |one| return if one == 'a'\n raise ArgumentError, 'no' unless one == 'b' }";
    assert_eq!(requirements(loops), [""; 0]);
}

#[test]
fn syntax_errors_have_lines() {
    assert_eq!(RubyCode::parse("a = 1\nreturn a\n").syntax_error(), None);
    assert_eq!(RubyCode::parse("def a\n  1 +\nend\n").syntax_error().unwrap().0, 3);
}

#[test]
fn types_of_the_resource_api_are_hashes() {
    let file = read_text(
        "Puppet::ResourceApi.register_type(\n  name: 'lamp', docs: 'A lamp.',\n  attributes: { name: { type: 'String', behaviour: :namevar } }\n)\n",
    );
    let name = &file.types[0].attributes[0];
    assert_eq!(
        (&*file.types[0].name, name.data_type.as_deref(), name.is_namevar),
        ("lamp", Some("String"), true)
    );
}

#[test]
fn data_types_have_their_interface() {
    let file = read_text(
        "# A point.\nPuppet::DataTypes.create_type('M::Point') do\n  interface 'attributes => { x => Integer }'\nend\n",
    );
    let point = &file.data_types[0];
    assert_eq!((&*point.name, &*point.comment.text), ("M::Point", "A point."));
    assert_eq!(point.interface.as_deref(), Some("attributes => { x => Integer }"));
}

#[test]
fn errors_name_the_place() {
    assert_eq!(
        error("def f\n  1 +\nend\n"),
        "/m/f.rb:3: syntax error: unexpected 'end'; expected an expression after the operator"
    );
    assert!(error("x = {").starts_with("/m/f.rb:1: syntax error: "));
    // Puppet loads a file like this inside of a method, where Prism accepts it.
    assert_eq!(read_text("def f; X = 1; end\n"), RubyFile::default());
}

#[test]
fn what_nests_deep_is_refused() {
    let nested =
        |open: &str, close: &str, count| format!("x = {}1{}", open.repeat(count), close.repeat(count));
    for (open, close) in
        [("[", "]"), ("(", ")"), ("{a: ", "}"), ("-> { ", " }"), ("if a then ", " end"), ("\"#{", "}\"")]
    {
        assert!(read(Path::new("/m/f.rb"), &nested(open, close, 100)).is_ok(), "{open}");
        assert!(error(&nested(open, close, 50_000)).starts_with("/m/f.rb:"), "{open}");
    }
    for text in
        ["!".repeat(50_000) + "a", "a.b".to_owned() + &".b".repeat(50_000), "a + ".repeat(50_000) + "a"]
    {
        _ = read(Path::new("/m/f.rb"), &text);
    }
}

/// Returns the messages about a function of the 4.x API whose block has this code.
fn failures_of_function(code: &str) -> Vec<String> {
    let text = format!("Puppet::Functions.create_function(:'app::port') do\n{code}\nend\n");
    failures_of_file("/app/lib/puppet/functions/app/port.rb", &text)
}

fn failures_of_file(path: &str, text: &str) -> Vec<String> {
    let refuses = |t: &str| (t == "Nosuch").then(|| "references an unresolved type 'Nosuch'".to_owned());
    let code = RubyCode::parse(text);
    let mut found = function_failures(Path::new(path), &code, &refuses);
    found.extend(resource_type_failures(Path::new(path), &code));
    found.into_iter().map(|failure| failure.message).collect()
}

#[test]
fn functions_that_cannot_work_have_failures() {
    for (code, message) in [
        (
            "dispatch :a do\n param 'String', :x\nend\ndef b(x)\nend",
            "undefined method `a' that a dispatch calls",
        ),
        (
            "dispatch :a do\n param 'String', :x\nend\ndef a\nend",
            "wrong number of arguments of a: the dispatch has 1 argument, the method takes 0 arguments",
        ),
        ("dispatch :a do\n parm 'String', :x\nend\ndef a(*)\nend", "undefined method `parm' in a dispatch"),
        (
            "dispatch :a do\n optional_param 'String', :x\n param 'String', :y\nend\ndef a(*)\nend",
            "A required parameter cannot be added after an optional parameter",
        ),
        (
            "dispatch :a do\n repeated_param 'String', :x\n param 'String', :y\nend\ndef a(*)\nend",
            "Parameters cannot be added after a repeated parameter",
        ),
        (
            "dispatch :a do\n block_param\n param 'String', :y\nend\ndef a(*)\nend",
            "Parameters cannot be added after a block parameter",
        ),
        ("dispatch :a do\n block_param\n block_param\nend\ndef a\nend", "Attempt to redefine block"),
        (
            "dispatch :a do\n param String, :x\nend\ndef a(x)\nend",
            "Parameter 'type' must be a String reference to a Puppet Data Type",
        ),
        (
            "dispatch :a do\n param 'String', 'x'\nend\ndef a(x)\nend",
            "Parameter name argument must be a Symbol. Got String",
        ),
        ("dispatch :a do\n param 'Nosuch', :x\nend\ndef a(x)\nend", "references an unresolved type 'Nosuch'"),
        ("def other\nend", "The function has neither a dispatch nor a method port"),
    ] {
        assert_eq!(failures_of_function(code), [message], "{code}");
    }
    for code in [
        "def port(x)\n  x\nend",
        "dispatch :a do\n param 'String', :x\n optional_param 'String', :y\n block_param\nend\ndef a(x, y = 1)\nend",
        "local_types do\n type 'Nosuch = String'\nend\ndispatch :a do\n param 'Nosuch', :x\nend\ndef a(x)\nend",
        "dispatch :a do\n repeated_param 'String', :x\nend\ndef a(x)\nend",
    ] {
        assert_eq!(failures_of_function(code), Vec::<String>::new(), "{code}");
    }
}

#[test]
fn files_that_declare_something_else_have_failures() {
    let legacy = "/app/lib/puppet/parser/functions/port.rb";
    for (path, text, message) in [
        (
            "/app/lib/puppet/functions/app/port.rb",
            "Puppet::Functions.create_function(:port) do\n  def port\n  end\nend",
            "The code produced mis-matched name, expected 'app::port', got 'port'",
        ),
        (
            "/app/lib/puppet/functions/app/port.rb",
            "Puppet::Functions.creat_function(:'app::port') do\nend",
            "undefined method `creat_function' for Puppet::Functions; did you mean 'create_function'?",
        ),
        (
            legacy,
            "module Puppet::Parser::Functions\n  newfunction(:port, :type => :value) do |a|\n  end\nend",
            "Invalid statement type :value",
        ),
        (legacy, "newfunction(:port) do |a|\nend", "newfunction is a method of Puppet::Parser::Functions"),
        (
            "/app/lib/puppet/type/port.rb",
            "Puppet::Type.newtype(:prot) do\n  newparam(:name)\nend",
            "The file declares the type 'prot', so that Puppet does not find the type 'port'",
        ),
        (
            "/app/lib/puppet/type/port.rb",
            "Puppet::Type.newtype(:port) do\n  newparam(:name)\n  newparam(:name)\nend",
            "The attribute 'name' is already defined",
        ),
        (
            "/app/lib/puppet/type/port.rb",
            "Puppet::Type.newtype(:port) do\n  nwparam(:name)\n  validate { }\n  port_of(1)\nend",
            "undefined method `nwparam' for Puppet::Type::Port; did you mean 'newparam'?",
        ),
    ] {
        assert_eq!(failures_of_file(path, text), [message], "{text}");
    }
    let helper =
        "module Puppet::Parser::Functions\n  newfunction(:help) { |a| }\n  newfunction(:port) { |a| }\nend";
    assert_eq!(failures_of_file(legacy, helper), Vec::<String>::new());
    let extended = "Puppet::Type.newtype(:port) do\n  extend Ports\n  newparm(:name)\nend";
    assert_eq!(failures_of_file("/app/lib/puppet/type/port.rb", extended), Vec::<String>::new());
}

#[test]
fn templates_call_known_names() {
    let text = "\nfqdn\nscope.function_nosuch([1])\n x = 1; x; scope; name = 2; [3].each { |y| y }";
    let calls = template_calls(&RubyCode::parse(text));
    assert_eq!(calls.failures.len(), 1);
    assert_eq!(calls.failures[0].line, 2);
    assert_eq!(calls.failures[0].message, "undefined local variable or method `fqdn' in the template");
    assert_eq!(calls.functions, [CalledFunction { line: 3, name: "nosuch".to_owned() }]);
    for code in
        ["begin; fqdn; rescue; end", "def fqdn; 1; end; fqdn", "fqdn = 1; fqdn", "instance_eval { fqdn }"]
    {
        assert_eq!(template_calls(&RubyCode::parse(code)).failures, [], "{code}");
    }
}

#[test]
fn declarations_that_r10k_refuses_have_failures() {
    let message = |text: &str| -> Vec<_> {
        puppetfile_failures(&RubyCode::parse(text)).into_iter().map(|one| one.message).collect()
    };
    for (text, expected) in [
        ("mod 'x', git: 'https://x', tga: '1'", "Module x cannot handle option 'tga'"),
        ("mod 'stdlib', '9.0.0'", "Forge module names must match 'owner/modulename', instead got stdlib"),
        ("mod 'a/b', '9.x.y'", "Module version 9.x.y is not a valid Forge module version"),
        ("mod 'a/b', :lattest", "Module version lattest is not a valid Forge module version"),
        ("forg 'https://x'", "unrecognized declaration 'forg'"),
        ("mod", "wrong number of arguments of mod (given 0)"),
        (
            "mod 'x', ref: 'a'",
            "Module x doesn't have an implementation. (Are you using the right arguments?)",
        ),
    ] {
        assert_eq!(message(text), [expected], "{text}");
    }
    let fine = "forge 'https://x'\nmod 'a/b', :latest\nmod 'a-c', '1.0.0-rc1'\nmod 'd', git: 'https://x', ref: 'y'\nmod 'e', local: true";
    assert_eq!(message(fine), Vec::<String>::new());
}

/// The core cannot read Ruby when it starts, so it has the descriptions of this project's own types in a file. The file agrees
/// with the types' declarations. It is written if `PUPPETFN_WRITE` is set.
#[test]
#[allow(clippy::disallowed_methods, reason = "these are the project's own files")]
fn own_types_are_those_that_the_core_knows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let entries = std::fs::read_dir(root.join("lib/puppetfn/puppet_types")).unwrap();
    let mut files: Vec<_> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some()).collect();
    files.sort();
    let declared = |path: &PathBuf| read(path, &std::fs::read_to_string(path).unwrap()).unwrap();
    // All types have the metaparameters.
    let metaparameters = declared(&root.join("lib/puppetfn/compat/type/metaparameters.rb")).metaparameters;
    let all = TypeDescription { attributes: metaparameters, ..TypeDescription::default() };
    let described = files.iter().flat_map(|path| declared(path).types).chain([all]);
    // The line is of no use there.
    let described: Vec<_> = described.map(|description| TypeDescription { line: 0, ..description }).collect();
    let kept = root.join("crates/catalog/src/puppet_types.json");
    if std::env::var_os("PUPPETFN_WRITE").is_some() {
        let lines: Vec<_> =
            described.iter().map(|description| serde_json::to_string(description).unwrap()).collect();
        std::fs::write(&kept, format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
    }
    let known = TypeDescription::list_of_json(&std::fs::read_to_string(&kept).unwrap()).unwrap();
    assert!(known == described, "run `rake puppet_types`");
}
