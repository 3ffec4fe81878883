//! Functions and type aliases found in modules and in an environment.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::path::Path;
use std::sync::Arc;
use std::thread;

use crate::support::files::{Files, files};
use puppetfn::error::{ErrorKind, Signal};
use puppetfn::eval::Runtime;
use puppetfn::limits::Limits;
use puppetfn::loader::{FileLanguage, HostType, Loader, StdFileSystem};
use puppetfn::syntax::{Mode, Tree};
use puppetfn::types::parse::{TypeLookup, parse};
use puppetfn::types::{Alias, Type};

fn loader_of(files: &Arc<Files>) -> Loader {
    let modulepath = vec!["/modules".into(), "/modules2".into(), "/nowhere".into()];
    Loader::new(Arc::clone(files) as _, modulepath, Some("/env".into()), Limits::default())
}

fn loader(content: &[(&str, &str)]) -> Loader {
    loader_of(&files(content))
}

fn function(loader: &Loader, name: &str) -> Option<String> {
    loader.find_function(name).unwrap().map(|file| file.path.display().to_string())
}

/// Returns the type that a text parses to, with all aliases expanded, or the error.
fn shown(loader: &Loader, text: &str) -> String {
    match parse(text, loader, &Limits::default()) {
        Ok(t) => t.to_expanded_string(),
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn a_function_is_in_the_module_of_its_namespace() {
    let loader = loader(&[
        ("/modules/m/lib/puppet/functions/m/f.rb", ""),
        ("/modules/m/lib/puppet/functions/m/deep/g.rb", ""),
        ("/modules/m/lib/puppet/functions/ghost/f.rb", ""),
        ("/modules/m/lib/puppet/functions/environment/f.rb", ""),
        ("/modules/m/lib/puppet/functions/m/Upper.rb", ""),
    ]);
    assert_eq!(function(&loader, "m::f").unwrap(), "/modules/m/lib/puppet/functions/m/f.rb");
    assert_eq!(function(&loader, "::m::f"), function(&loader, "m::f"));
    assert_eq!(function(&loader, "m::deep::g").unwrap(), "/modules/m/lib/puppet/functions/m/deep/g.rb");
    for name in ["f", "ghost::f", "environment::f", "m::upper", "m::deep", "m", "m::../m::f", ""] {
        assert_eq!(function(&loader, name), None, "{name}");
    }
    let found = loader.find_function("m::f").unwrap().unwrap();
    assert_eq!((found.name.as_str(), &*found.module), ("m::f", "m"));
}

#[test]
fn a_function_without_namespace_may_be_anywhere() {
    let loader = loader(&[
        ("/modules/b/lib/puppet/functions/f.rb", ""),
        ("/modules/a/lib/puppet/functions/f.rb", ""),
        ("/modules2/a/lib/puppet/functions/only_in_second_a.rb", ""),
        ("/modules2/c/lib/puppet/functions/g.rb", ""),
        ("/env/lib/puppet/functions/g.rb", ""),
        ("/env/lib/puppet/functions/environment/h.rb", ""),
    ]);
    assert_eq!(function(&loader, "f").unwrap(), "/modules/a/lib/puppet/functions/f.rb");
    assert_eq!(function(&loader, "g").unwrap(), "/env/lib/puppet/functions/g.rb");
    assert_eq!(function(&loader, "environment::h").unwrap(), "/env/lib/puppet/functions/environment/h.rb");
    assert_eq!(function(&loader, "only_in_second_a"), None, "the first module of a name hides others");
}

#[test]
fn a_function_of_puppet_3_comes_after_one_of_puppet_4_in_the_same_module() {
    let loader = loader(&[
        ("/modules/a/lib/puppet/parser/functions/f.rb", ""),
        ("/modules/a/lib/puppet/functions/f.rb", ""),
        ("/modules/a/lib/puppet/parser/functions/g.rb", ""),
        ("/modules/b/lib/puppet/functions/g.rb", ""),
        ("/modules/b/lib/puppet/parser/functions/b/h.rb", ""),
        ("/modules/b/lib/puppet/parser/functions/camelCase.rb", ""),
        ("/modules/b/lib/puppet/parser/functions/g.rb", ""),
        ("/env/lib/puppet/parser/functions/in_env.rb", ""),
    ]);
    let format =
        |name| loader.find_function(name).unwrap().map(|file| (file.module.to_string(), file.format));
    assert_eq!(format("f"), Some(("a".to_owned(), FileLanguage::Ruby)));
    assert_eq!(format("g"), Some(("a".to_owned(), FileLanguage::LegacyRuby)));
    assert_eq!(format("b::h"), Some(("b".to_owned(), FileLanguage::LegacyRuby)));
    assert_eq!(format("in_env"), Some(("environment".to_owned(), FileLanguage::LegacyRuby)));
    assert_eq!(format("camelCase"), None, "names are in lower case");

    let names: Vec<_> = loader.functions().unwrap().into_iter().map(|file| file.name).collect();
    assert_eq!(names, ["b::h", "f", "g", "in_env"]);
    let legacy: Vec<_> = loader.legacy_functions().unwrap();
    let legacy: Vec<_> = legacy.iter().map(|file| (file.name.as_str(), &*file.module)).collect();
    assert_eq!(legacy, [("f", "a"), ("g", "a"), ("camelCase", "b")], "each by its exact name");
}

#[test]
fn the_library_of_a_directory_that_is_no_module_in_use_has_functions_of_puppet_3_types_and_providers() {
    let loader = loader(&[
        ("/modules/a/lib/puppet/functions/f.rb", ""),
        ("/modules2/a/lib/puppet/parser/functions/f.rb", ""),
        ("/modules2/a/lib/puppet/parser/functions/hidden.rb", ""),
        ("/modules2/a/lib/puppet/functions/of_puppet_4.rb", ""),
        ("/modules2/a/lib/puppet/type/hidden_type.rb", ""),
        ("/modules2/a/lib/puppet/provider/hidden_type/ruby.rb", ""),
        ("/modules2/example-clone/lib/puppet/parser/functions/misnamed.rb", ""),
        ("/modules2/example-clone/manifests/init.pp", ""),
    ]);
    assert_eq!(function(&loader, "f").unwrap(), "/modules/a/lib/puppet/functions/f.rb");
    assert_eq!(function(&loader, "hidden").unwrap(), "/modules2/a/lib/puppet/parser/functions/hidden.rb");
    assert_eq!(
        function(&loader, "misnamed").unwrap(),
        "/modules2/example-clone/lib/puppet/parser/functions/misnamed.rb"
    );
    assert_eq!(function(&loader, "of_puppet_4"), None);
    assert_eq!(loader.module_names().unwrap(), ["a".into()]);

    let of_type = Path::new("/modules2/a/lib/puppet/type/hidden_type.rb");
    assert_eq!(loader.find_resource_type("hidden_type").unwrap().as_deref(), Some(of_type));
    let providers = loader.providers("hidden_type").unwrap();
    assert_eq!(providers, [Path::new("/modules2/a/lib/puppet/provider/hidden_type/ruby.rb")]);
}

#[test]
fn functions_in_the_puppet_language_have_a_namespace_in_modules() {
    let loader = loader(&[
        ("/modules/m/functions/f.pp", ""),
        ("/modules/m/functions/deep/g.pp", ""),
        ("/modules/m/lib/puppet/functions/m/both.rb", ""),
        ("/modules/m/functions/both.pp", ""),
        ("/env/functions/top.pp", ""),
        ("/env/functions/environment/h.pp", ""),
    ]);
    assert_eq!(function(&loader, "m::f").as_deref(), Some("/modules/m/functions/f.pp"));
    assert_eq!(function(&loader, "m::deep::g").as_deref(), Some("/modules/m/functions/deep/g.pp"));
    assert_eq!(function(&loader, "m::both").as_deref(), Some("/modules/m/lib/puppet/functions/m/both.rb"));
    assert_eq!(function(&loader, "f"), None);
    assert_eq!(function(&loader, "top").as_deref(), Some("/env/functions/top.pp"));
    assert_eq!(function(&loader, "environment::h").as_deref(), Some("/env/functions/environment/h.pp"));
    let names: Vec<_> = loader.functions().unwrap().into_iter().map(|file| file.name).collect();
    assert_eq!(names, ["environment::h", "m::both", "m::deep::g", "m::f", "top"]);
}

#[test]
fn functions_and_types_are_listed_by_name() {
    let loader = loader(&[
        ("/modules/m/lib/puppet/functions/m/f.rb", ""),
        ("/modules/m/lib/puppet/functions/m/deep/g.rb", ""),
        ("/modules/m/lib/puppet/functions/m/README.md", ""),
        ("/modules/m/lib/puppet/functions/ghost/f.rb", ""),
        ("/modules/m/lib/puppet/functions/top.rb", ""),
        ("/modules/m/types/net/port.pp", ""),
        ("/modules/m/types/open_port.pp", ""),
        ("/modules/Not-A-Module/types/x.pp", ""),
        ("/env/lib/puppet/functions/top.rb", ""),
        ("/env/types/port.pp", ""),
        ("/env/types/environment/port.pp", ""),
    ]);
    let functions = loader.functions().unwrap();
    let functions: Vec<_> = functions.iter().map(|file| (file.name.as_str(), &*file.module)).collect();
    assert_eq!(functions, [("m::deep::g", "m"), ("m::f", "m"), ("top", "environment")]);
    assert_eq!(loader.type_names().unwrap(), ["Environment::Port", "M::Net::Port", "M::Open_port", "Port"]);
    assert_eq!(loader.module_names().unwrap(), ["m".into()]);
}

#[test]
fn only_what_is_asked_for_is_read_and_only_once() {
    let files = files(&[
        ("/modules/m/lib/puppet/functions/m/f.rb", ""),
        ("/modules/m/types/a.pp", "type M::A = Array[M::B]"),
        ("/modules/m/types/b.pp", "type M::B = Integer"),
        ("/modules/m/types/c.pp", "type M::C = Integer"),
        ("/modules/n/types/d.pp", "type N::D = Integer"),
    ]);
    let loader = loader_of(&files);
    let asked = || std::mem::take(&mut *files.asked.lock().unwrap());
    assert!(asked().is_empty());
    assert_eq!(shown(&loader, "M::A"), "M::A = Array[M::B = Integer]");
    assert_eq!(
        asked(),
        [
            "list /modules",
            "list /modules2",
            "list /nowhere",
            "list /modules/m/lib/puppet/datatypes",
            "list /modules/m/types",
            // Where a defined type of that name would be.
            "list /modules/m/manifests",
            "read /modules/m/types/a.pp",
            "read /modules/m/types/b.pp",
        ]
    );
    assert_eq!(shown(&loader, "M::B"), "M::B = Integer");
    assert_eq!(shown(&loader, "M::Nope"), "TypeReference['M::Nope']");
    assert!(asked().is_empty());
}

#[test]
fn types_are_found_by_names_in_any_case() {
    let loader = loader(&[
        ("/modules/m/types/openport.pp", "# A port\ntype M::OpenPort = Integer[1, 1023] # below 1024\n"),
        ("/modules/m/types/port.pp", "type Port = Integer"),
        ("/env/types/port.pp", "type Port = Integer[1]"),
        ("/env/types/environment/port.pp", "type Environment::Port = Integer[2]"),
    ]);
    assert_eq!(shown(&loader, "M::OpenPort"), "M::OpenPort = Integer[1, 1023]");
    assert_eq!(shown(&loader, "::m::OPENPORT").get(..6), Some("error:"), "a name in lower case is no type");
    assert_eq!(shown(&loader, "::M::Openport"), "M::OpenPort = Integer[1, 1023]");
    assert_eq!(shown(&loader, "Port"), "Port = Integer[1]");
    assert_eq!(shown(&loader, "Environment::Port"), "Environment::Port = Integer[2]");
    assert_eq!(shown(&loader, "M::OpenPort[1]"), "error: Not a parameterized type <M::OpenPort>");
}

#[test]
fn aliases_of_several_files_may_use_each_other() {
    let content = [
        ("/modules/m/types/a.pp", "type M::A = Struct[{ Optional[b] => M::B }]"),
        ("/modules/m/types/b.pp", "type M::B = Struct[{ Optional[a] => M::A }]"),
        ("/modules/m/types/tree.pp", "type M::Tree = Array[Variant[Integer, M::Tree]]"),
        ("/modules/m/types/self.pp", "type M::Self = Variant[M::Self, M::Tree]"),
    ];
    let loader = loader(&content);
    let a = "M::A = Struct[{Optional['b'] => M::B = Struct[{Optional['a'] => M::A}]}]";
    assert_eq!(shown(&loader, "M::A"), a);
    assert_eq!(
        shown(&loader, "M::B"),
        "M::B = Struct[{Optional['a'] => M::A = Struct[{Optional['b'] => M::B}]}]"
    );
    assert_eq!(shown(&loader, "M::Tree"), "M::Tree = Array[Variant[Integer, M::Tree]]");
    assert_eq!(shown(&loader, "M::Self"), "M::Self = M::Tree = Array[Variant[Integer, M::Tree]]");

    let loader = self::loader(&content);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(shown(&loader, "M::A"), a));
        }
    });
}

#[test]
fn a_name_that_stands_for_nothing_is_an_error() {
    let loader = loader(&[
        ("/modules/m/types/a.pp", "type M::A = M::B"),
        ("/modules/m/types/b.pp", "type M::B = M::A"),
        ("/modules/m/types/c.pp", "type M::C = M::C"),
        ("/modules/m/types/d.pp", "type M::D = Array[M::Wrong]"),
        ("/modules/m/types/wrong.pp", "type N::Wrong = Integer"),
        ("/modules/m/types/bad.pp", "type M::Bad = Integer[1,"),
    ]);
    assert_eq!(shown(&loader, "M::A"), "error: Type alias 'M::A' cannot be resolved to a real type");
    assert_eq!(shown(&loader, "M::C"), "error: Type alias 'M::C' cannot be resolved to a real type");
    let wrong = "error: The code loaded from /modules/m/types/wrong.pp produced type with the wrong name, \
                 expected 'm::wrong', actual 'N::Wrong'";
    assert_eq!(shown(&loader, "M::D"), wrong);
    assert_eq!(shown(&loader, "M::D"), wrong, "an error is found again");
    assert_eq!(
        shown(&loader, "M::Bad"),
        "error: Syntax error at end of input (file: /modules/m/types/bad.pp)"
    );
}

#[test]
fn too_long_a_chain_of_aliases_is_an_error() {
    let mut content = files(&[]);
    for n in 0..10_000 {
        let text = format!("type M::T{n} = Array[M::T{}]", n + 1);
        Arc::get_mut(&mut content).unwrap().files.insert(format!("/modules/m/types/t{n}.pp").into(), text);
    }
    let error = loader_of(&content).find("M::T0").unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Limit);
}

#[test]
fn a_loader_frees_what_it_loaded() {
    let loader = loader(&[
        ("/modules/m/types/a.pp", "type M::A = Array[M::B]"),
        ("/modules/m/types/b.pp", "type M::B = Array[M::A]"),
    ]);
    let weak = |name| {
        let Some(Type::Alias(Alias::Use(alias))) = loader.find(name).unwrap() else { panic!("no {name}") };
        Arc::downgrade(&alias)
    };
    let aliases = [weak("M::A"), weak("M::B")];
    assert!(aliases.iter().all(|alias| alias.upgrade().is_some()));
    drop(loader);
    assert!(aliases.iter().all(|alias| alias.upgrade().is_none()));
}

#[test]
fn the_modules_of_this_machine_load() {
    let modules = Path::new("/usr/share/puppet/modules");
    let loader = Loader::new(Arc::new(StdFileSystem::DEFAULT), vec![modules.into()], None, Limits::default());
    for file in loader.functions().unwrap() {
        assert_eq!(loader.find_function(&file.name).unwrap(), Some(file));
    }
    let names = loader.type_names().unwrap();
    let loaded = names.iter().filter(|name| {
        let found = loader.find(name);
        // A file that only explains why a type does not exist is an error in Puppet, too.
        if found.as_ref().is_err_and(|error| error.message().ends_with(" - it is empty.")) {
            return false;
        }
        let t = found.unwrap().unwrap_or_else(|| panic!("{name} is listed, but not found"));
        assert_eq!(t.name().to_lowercase(), name.to_lowercase());
        assert!(t.to_expanded_string().starts_with(t.name()), "{t}");
        true
    });
    assert!(loaded.count() * 10 >= names.len() * 9, "most of the types load");
}

#[test]
fn a_module_may_have_a_set_of_types() {
    let loader = loader(&[
        (
            "/modules/m/types/init_typeset.pp",
            "type M = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { Port => Integer, Ports => Array[Port] } }]",
        ),
        ("/modules/m/types/a.pp", "type M::A = M::Ports"),
        ("/modules/n/types/init_typeset.pp", "type N = Integer"),
    ]);
    assert_eq!(shown(&loader, "M::A"), "M::A = M::Ports = Array[M::Port = Integer]");
    assert_eq!(shown(&loader, "M::Port"), "M::Port = Integer");
    assert_eq!(shown(&loader, "M::Nope"), "TypeReference['M::Nope']");
    assert_eq!(
        shown(&loader, "N"),
        "error: The code loaded from /modules/n/types/init_typeset.pp does not define the TypeSet 'N'"
    );
    assert_eq!(loader.type_names().unwrap(), ["M", "M::A", "N"]);
}

#[test]
fn a_type_in_ruby_is_defined_by_the_host() {
    let path = "/modules/m/lib/puppet/datatypes/m/a.rb";
    let files = crate::support::files::Changing::new(&[
        (path, ""),
        ("/modules/m/types/b.pp", "type M::B = Array[M::A]"),
    ]);
    let loader = Loader::new(Arc::clone(&files) as Arc<_>, vec!["/modules".into()], None, Limits::DEFAULT);
    let error = parse("M::B", &loader, &Limits::default()).unwrap_err();
    let Some(Signal::Unloaded(file)) = error.as_signal() else { panic!("{error}") };
    assert_eq!((&*file.name, &*file.path, &*file.module), ("m::a", Path::new(path), "m"));
    assert_eq!(
        error.to_string(),
        format!("The type 'M::A' is written in Ruby ({path}), which this program does not run")
    );
    let text = "type M::A = Object[{ attributes => { x => Integer } }]";
    let definition = Tree::parse(text, None, Mode::default(), &Limits::DEFAULT).unwrap();
    loader.define_host_type(file, HostType { definition, maker: None });
    assert_eq!(
        shown(&loader, "M::B"),
        "M::B = Array[Object[{name => 'M::A', attributes => {'x' => Integer}}]]"
    );
    // Files that use the type are not read again once the host has run the type's file.
    assert_eq!(files.take_reads(), ["/modules/m/types/b.pp"]);
}

#[test]
fn a_reload_forgets_what_has_changed() {
    let changing = crate::support::files::Changing::new(&[
        ("/modules/m/types/a.pp", "type M::A = Integer"),
        ("/modules/m/functions/f.pp", "function m::f() { 1 }"),
        ("/modules/m/functions/g.pp", "function m::g() { m::f() + 10 }"),
    ]);
    let loader = Loader::new(Arc::clone(&changing) as _, vec!["/modules".into()], None, Limits::default());
    let loader = Arc::new(loader);
    let runtime =
        Runtime::builder().functions(Arc::clone(&loader)).types(Arc::clone(&loader) as Arc<_>).build();
    let reload = || {
        let changes = loader.reload().unwrap();
        changes.tell(&loader, &runtime);
        (changes.files.len(), changes.types)
    };
    let call = |name| runtime.call(name, &[], None).unwrap();
    assert_eq!((call("m::g"), shown(&loader, "M::A")), (11.into(), "M::A = Integer".to_owned()));
    assert_eq!(reload(), (0, false));

    changing.write("/modules/m/functions/f.pp", "function m::f() { 2 }");
    changing.take_reads();
    assert_eq!(call("m::g"), 11.into());
    assert_eq!(reload(), (1, false));
    assert_eq!(call("m::g"), 12.into());
    // Each changed file is read once to compare it, and again if it differs.
    let reads = changing.take_reads();
    let count = |name| reads.iter().filter(|path| path.ends_with(name)).count();
    assert_eq!((count("f.pp"), count("g.pp"), count("a.pp")), (2, 1, 1));

    changing.write("/modules/m/types/a.pp", "type M::A = String");
    assert_eq!(reload(), (1, true));
    assert_eq!(shown(&loader, "M::A"), "M::A = String");

    // A file that comes first on the path shadows the others.
    changing.write("/modules/m/lib/puppet/datatypes/m/a.rb", "");
    assert_eq!(reload(), (0, true));
    assert!(parse("M::A", &*loader, &Limits::default()).is_err());

    changing.remove("/modules/m/functions/f.pp");
    assert_eq!(reload().0, 1);
    assert!(runtime.call("m::g", &[], None).is_err());
}

#[test]
fn directories_of_many_modules_are_listed_once() {
    let paths = (0..500).flat_map(|n| {
        [
            format!("/modules/m{n}/functions/f.pp"),
            format!("/modules/m{n}/lib/puppet/functions/m{n}/deep/g.rb"),
            format!("/modules/m{n}/types/t.pp"),
        ]
    });
    let paths: Vec<String> = paths.collect();
    let files = files(&paths.iter().map(|path| (path.as_str(), "")).collect::<Vec<_>>());
    let loader = Loader::new(Arc::clone(&files) as _, vec!["/modules".into()], None, Limits::default());
    let asked = || std::mem::take(&mut *files.asked.lock().unwrap());

    assert_eq!(loader.functions().unwrap().len(), 1000);
    assert_eq!(loader.type_names().unwrap().len(), 500);
    let mut listed = asked();
    let count = listed.len();
    listed.sort();
    listed.dedup();
    assert_eq!(listed.len(), count, "a directory was listed twice");
    // The directory of modules, and for each module the three directories of functions, the two of types, and their entries.
    assert_eq!(count, 1 + 500 * 7);

    loader.functions().unwrap();
    loader.type_names().unwrap();
    assert_eq!(
        function(&loader, "m499::deep::g").unwrap(),
        "/modules/m499/lib/puppet/functions/m499/deep/g.rb"
    );
    assert_eq!(function(&loader, "nothing"), None);
    assert!(asked().is_empty());
}
