//! Definitions of types by their features, in texts and in modules.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use crate::support::entity::{error, has, value};
use crate::support::files::files;
use puppetfn::eval::Runtime;
use puppetfn::limits::Limits;
use puppetfn::loader::Loader;

/// Returns the error of a definition, with its line.
fn definition_error(members: &str) -> String {
    let error = error(&format!("type Other {{\n  attr x, Integer\n}}\ntype User {{\n  {members}\n}}"));
    error.replace(" (file: /m/types/user.pp, line: 5, column: ", " @").trim_end_matches(')').to_owned()
}

#[test]
fn definitions_are_checked_when_they_are_loaded() {
    for (members, message) in [
        ("attr a, String { min => 2, max => 1 }", "User[a] has a min of 2, which is more than its max, 1 @8"),
        ("attr a, String { max => 0 }", "User[a] can have no value at all: its max is 0 @8"),
        ("attr a, String { min => -1 }", "The setting 'min' of User[a] must be an Integer of at least 0 @20"),
        (
            "attr a, String { min => unbound }",
            "The setting 'min' of User[a] must be an Integer of at least 0 @20",
        ),
        (
            "attr a, String { max => many }",
            "The setting 'max' of User[a] must be an Integer of at least 0 or 'unbound' @20",
        ),
        ("attr a, String { unsettable => 1 }", "The setting 'unsettable' of User[a] must be a Boolean @20"),
        (
            "attr a, String { transient => { true } }",
            "The setting 'transient' of User[a] must be a Boolean @20",
        ),
        ("attr a, String { setable => 'x' }", "The setting 'setable' of User[a] must be a Boolean @20"),
        ("attr a, String { set => 1 }", "The setting 'set' of User[a] must be a lambda or a block @20"),
        (
            "attr a, String { derived => true }",
            "The setting 'derived' of User[a] must be a lambda or a block @20",
        ),
        (
            "attr a, String { default => undef }",
            "The setting 'default' of User[a] must be a literal value @20",
        ),
        ("attr a, String { default => $x }", "The setting 'default' of User[a] must be a literal value @20"),
        (
            "attr a, String { unsetable => true }",
            "User[a] has an unknown setting, 'unsetable'. Did you mean 'unsettable'? @20",
        ),
        ("attr a, String { min => 1, min => 2 }", "The setting 'min' of User[a] is given more than once @30"),
        (
            "attr a, String { containment => true }",
            "The attribute User[a] cannot have 'containment', which only references have @20",
        ),
        (
            "has a, Other { check => { true } }",
            "The reference User[a] cannot have 'check', which only attributes have; 'validate' is for both @18",
        ),
        (
            "has a, Other { default => 1 }",
            "The reference User[a] cannot have 'default', which only attributes have @18",
        ),
        (
            "has a, Other { get => |$x| { $x } }",
            "The reference User[a] cannot have 'get', which only attributes have @18",
        ),
        ("has a", "User[a] needs the type of what it refers to @7"),
        (
            "has a, String",
            "User[a] refers to String, which is not defined by features; an attribute can have any type @10",
        ),
        ("attr a, Nothing", "The type of User[a] is not defined: Nothing @11"),
        (
            "attr a, String { default => 1, derived => { 'x' } }",
            "User[a] is derived and has a default, which it can never have @8",
        ),
        (
            "attr a, String { derived => { 'x' }, transient => false }",
            "User[a] is derived and has 'transient => false', but nothing to store @8",
        ),
        (
            "attr a, String { derived => { 'x' }, get => { 'x' } }",
            "User[a] is derived and has a 'get', which is what 'derived' is @8",
        ),
        (
            "attr a, String { derived => { 'x' }, setable => true }",
            "User[a] is derived and has 'setable => true', but no 'set' that would do something with a value @8",
        ),
        ("attr a attr a", "The feature 'a' is declared more than once: by User and by User @15"),
        (
            "attr a, Integer { default => x }",
            "The default of User[a], 'x', does not convert to Integer: The string 'x' cannot be converted to Integer @21",
        ),
        (
            "attr a, enum[b, c] { default => d }",
            "The default of User[a], 'd', does not convert to Enum['b', 'c']: \
             Creation of new instance of type 'Enum['b', 'c']' is not supported @24",
        ),
        ("attr a, enum[b, 1]", "The enum of User[a] has only names @19"),
        (
            "attr a, Integer { min => 2, default => 1 }",
            "The default of User[a] has another number of values than it can have @31",
        ),
        ("invariant \"${x}\" { true }", "The message of an invariant of User must be a plain String @13"),
        (
            "attr a { check => { notice('x') } }",
            "The function 'notice' is not available in the code of types, in the check of User[a] @23",
        ),
        (
            "attr a { check => { lookup('x') } }",
            "The function 'lookup' is not available in the code of types, in the check of User[a] @23",
        ),
        (
            "attr a { check => { $it.fail('x') } }",
            "The function 'fail' is not available in the code of types, in the check of User[a] @27",
        ),
        (
            "attr a { check => { $facts[x] } }",
            "Unknown variable: '$facts' (a check sees only the value that it checks; an invariant sees all features), in the check of User[a] @23",
        ),
        (
            "attr a attr b { check => { $a } }",
            "Unknown variable: '$a' (a check sees only the value that it checks; an invariant sees all features), in the check of User[b] @30",
        ),
        ("invariant { $b }", "Unknown variable: '$b', in an invariant of User @15"),
        ("attr a invariant { $meta }", "Unknown variable: '$meta', in an invariant of User @22"),
        (
            "attr a invariant { $a = 1 }",
            "The feature 'a' can only be assigned in setters, in an invariant of User @22",
        ),
        ("attr a { set => { $it = 1 } }", "The variable '$it' cannot be assigned, in the set of User[a] @21"),
        (
            "attr a { set => { $x += 1 } }",
            "The operator '+=' is for features of objects that are being made, in the set of User[a] @21",
        ),
        (
            "attr a { check => |$x, $y| { true } }",
            "The lambda must have one parameter at most, without a default, and no type of its result, in the check of User[a] @21",
        ),
    ] {
        assert_eq!(definition_error(members), message, "{members}");
    }
}

#[test]
fn types_inherit_from_types_with_features() {
    let code = "
        type Named { abstract attr name, String { min => 1 } invariant \"no x\" { $name != x } }
        type Person inherits Named { attr age, Integer invariant { if $age == 0 { \"too young: ${name}\" } } }
        type Admin inherits Person { attr level }
    ";
    let run = |tail: &str| value(&format!("{code}\n{tail}"));
    let fails = |tail: &str| error(&format!("{code}\n{tail}"));
    assert_eq!(run("Person.new { name => 'a', age => 1 }"), "Person({'name' => 'a', 'age' => 1})");
    assert_eq!(
        run("$p = Admin.new { name => 'a' } [$p =~ Named, $p =~ Person, type($p), Admin < Person]"),
        "[true, true, Admin, true]"
    );
    has(&fails("Named.new { name => 'a' }"), "Named is abstract: it has no instances of its own");
    has(
        &fails("Admin.new { name => 'x', age => 0 }"),
        "Admin cannot be created:\n  - no x\n  - too young: x",
    );
    assert!(
        fails("Admin.new").contains("Admin cannot be created: Named[name] is required: it has no value"),
        "{}",
        fails("Admin.new")
    );
    has(
        &fails("function f(Person $p) { $p.name } f(1)"),
        "parameter 'p' expects a Person value, got Integer",
    );
    assert_eq!(run("function f(Person $p) { $p.name } f(Admin.new { name => b })"), "'b'");
    let inherits = |text: &str| error(text);
    assert!(
        inherits("type A inherits B { attr x }").starts_with("A inherits from 'B', which is not defined")
    );
    assert!(inherits("type A inherits A { attr x }").starts_with("A inherits from itself, by way of 'A'"));
    has(&inherits("type A inherits B { attr x } type B inherits A { attr y }"), "inherits from itself");
    has(&inherits("type B = Integer type A inherits B { attr x }"), "which is not defined by features");
    assert!(
        inherits("type A { attr x } type B inherits A { attr x }")
            .starts_with("The feature 'x' is declared more than once: by A and by B")
    );
}

/// Evaluates code with a module `shop` that has these types.
fn in_module(types: &[(&str, &str)], code: &str) -> Result<String, String> {
    let types: Vec<_> =
        types.iter().map(|(name, text)| (format!("/modules/shop/types/{name}.pp"), *text)).collect();
    let content: Vec<_> = types.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let loader = Loader::new(files(&content), vec!["/modules".into()], Some("/env".into()), Limits::DEFAULT);
    let loader = Arc::new(loader);
    let runtime = Runtime::builder().functions(Arc::clone(&loader)).types(loader).build();
    runtime.evaluate(code, None).map(|value| value.to_literal()).map_err(|error| error.to_string())
}

#[test]
fn modules_have_types_with_features() {
    let types = [
        (
            "item",
            "# What is sold.\ntype Shop::Item { abstract attr price, Shop::Price has parts, Shop::Item { max => unbound } }",
        ),
        ("price", "type Shop::Price = Integer[1]"),
        ("sweet", "type Shop::Sweet inherits Shop::Item { attr color, enum[red, blue] { default => red } }"),
    ];
    let code = "$s = Shop::Sweet.new { price => 3, parts => { '__ptype' => 'Shop::Sweet', price => 1 } } \
                [$s, $s =~ Shop::Item, $s.parts[0].color]";
    assert_eq!(
        in_module(&types, code).unwrap(),
        "[Shop::Sweet({'price' => 3, 'parts' => [Shop::Sweet({'price' => 1, 'color' => 'red'})], 'color' => 'red'}), \
         true, 'red']"
    );
    let error = in_module(&types, "Shop::Sweet.new { price => 0 }").unwrap_err();
    has(&error, "Shop::Item[price] expects a Shop::Price = Integer[1] value, got Integer[0, 0]: 0");
}

#[test]
fn a_type_can_refer_to_one_that_inherits_from_it() {
    let types = "type Node { attr name has left, Leaf has back, Root { containment => false } }
        type Leaf inherits Node { attr value } type Root inherits Leaf { attr top has all, Node { max => unbound } }";
    assert_eq!(
        value(&format!(
            "{types} $r = Root.new({{name => r, left => {{value => 1}}, all => [{{name => n, back => '/'}}]}}) \
                        [$r.left.value, $r.all[0].back.name, $r]"
        )),
        "[1, 'r', Root({'name' => 'r', 'left' => Leaf({'value' => 1}), 'all' => [Node({'name' => 'n', 'back' => '/'})]})]"
    );
    let files = [
        ("node", "type Shop::Node { attr name has left, Shop::Leaf }"),
        ("leaf", "type Shop::Leaf inherits Shop::Node { attr value }"),
        ("broken", "type Shop::Broken {\n  has x, Shop::Nothing\n}"),
    ];
    for name in ["Node", "Leaf"] {
        let code = format!("Shop::{name}.new({{left => {{value => 1}}}}).left.value");
        assert_eq!(in_module(&files, &code).unwrap(), "1");
    }
    assert_eq!(
        in_module(&files, "Shop::Broken.new").unwrap_err(),
        "The type of Shop::Broken[x] is not defined: Shop::Nothing (file: /modules/shop/types/broken.pp, line: 2, column: 10)"
    );
}

#[test]
fn errors_of_definitions_in_modules_name_the_file() {
    let types = [
        ("a", "type Shop::A {\n  attr x, String { min => 2, max => 1 }\n}"),
        ("b", "type Shop::B inherits Shop::A { attr y }"),
        ("c", "type Shop::C {\n  attr x\n}\nnotice(1)"),
        ("d", "type Shop::E { attr x }"),
    ];
    let wrong = "Shop::A[x] has a min of 2, which is more than its max, 1 (file: /modules/shop/types/a.pp, line: 2, column: 8)";
    for name in ["A", "B"] {
        assert_eq!(in_module(&types, &format!("Shop::{name}.new")).unwrap_err(), wrong);
    }
    has(
        &in_module(&types, "Shop::C").unwrap_err(),
        "This Function Call is unacceptable as a top level construct",
    );
    has(
        &in_module(&types, "Shop::D").unwrap_err(),
        "produced type with the wrong name, expected 'shop::d', actual 'Shop::E'",
    );
}

#[test]
fn a_definition_that_is_wrong_can_be_given_again() {
    let runtime = Runtime::new();
    let wrong = runtime.evaluate("type A { attr x, Integer { min => x } } type B { attr a, A }", None);
    has(&wrong.unwrap_err().to_string(), "The setting 'min' of A[x] must be an Integer of at least 0");
    let right =
        runtime.evaluate("type A { attr x, Integer } type B { attr a, A } B.new({a => {x => 1}}).a.x", None);
    assert_eq!(right.unwrap().to_literal(), "1");
    let again = runtime.evaluate("type A { attr x }", None).unwrap_err();
    has(&again.to_string(), "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/a'");
}

#[test]
fn a_type_can_be_named_as_a_resource_type_but_not_as_others_of_puppets_own() {
    assert_eq!(value("type User { attr name } User.new({name => a}).name"), "'a'");
    has(&error("type Data { attr name }"), "Attempt to redefine entity");
    has(&error("type Integer { attr name }"), "Attempt to redefine entity");
}

#[test]
fn a_type_has_members() {
    let refused = "Expressions of type a Type Definition are not supported in this version of Puppet";
    has(&error("type A {}"), refused);
    has(&error("type A inherits Integer {}"), refused);
    has(&error("type A inherits Integer { attr x }"), "A inherits from 'Integer', which is not");
}

#[test]
fn places_are_those_in_the_whole_text() {
    let text = "$x = @(E); type A { attr x { check => { $it + 1 } } }\n  text\n  | E\n\
                type B {\n  attr y { check => { $it + 1 } }\n}\n";
    has(&error(&format!("{text}A.new({{x => 'a'}})")), "line: 1, column: 41");
    has(&error(&format!("{text}B.new({{y => 'a'}})")), "line: 5, column: 23");
}

#[test]
fn the_words_of_types_are_names_elsewhere() {
    assert_eq!(
        value(
            "function has($attr) { $attr } function abstract() { 'b' } $invariant = has(a) [$invariant, abstract()]"
        ),
        "['a', 'b']"
    );
}
