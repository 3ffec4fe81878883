//! Puppet's ARM-7, "Puppet Types": its examples, and a test for each of its sentences about types.
//!
//! The examples are the document's, with its typing errors mended:
//!
//! - `attr password` of `User` lacks the quotes around its message;
//! - the types `User` and `UserRole`, and the attributes `fee` and `gid`, lack a closing brace each;
//! - `{ my_attr => 10 }`, in the grammar of attributes, has a `:` after the brace;
//! - the first example of an invariant states the forbidden condition and returns `true` for it. By the
//!   document's own table that accepts it. The table holds, so the condition is negated here.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support::entity::{error, has, problem, user, value};
use puppetfn::eval::Runtime;

mod grammar {
    use super::*;

    #[test]
    fn types_are_in_namespaces_and_inherit() {
        let types = "type ::A::B { attr x } type A::C inherits A::B { attr y }";
        assert_eq!(value(&format!("{types} A::C.new({{x => 1, y => 2}})")), "A::C({'x' => 1, 'y' => 2})");
        assert_eq!(value(&format!("{types} type A::D inherits ::A::C {{ attr z }} A::D.new.z")), "undef");
    }

    #[test]
    fn settings_end_with_a_comma_or_not() {
        for settings in ["{ min => 1, max => 2, }", "{ min => 1, max => 2 }"] {
            assert_eq!(value(&format!("type T {{ attr x, Integer {settings} }} T.new({{x => 1}}).x")), "[1]");
        }
    }

    #[test]
    fn only_type_is_a_keyword_elsewhere() {
        // `attr` is reserved by Puppet itself.
        assert_eq!(
            value("$r = { has => 2, invariant => 3, abstract => 4, enum => 5, min => 6 } $r[has]"),
            "2"
        );
        assert_eq!(
            value(
                "type T { attr min, Integer { min => 1 } attr derived attr attr } T.new({min => 1, 'attr' => 2})"
            ),
            "T({'min' => 1, 'attr' => 2})"
        );
    }

    #[test]
    fn defaults_are_literals() {
        let t = "type T { attr i, Integer { default => 1 } attr f, Float { default => 1.5 }
            attr s, String { default => 'x y' } attr b, Boolean { default => true } attr n, String { default => name } }";
        assert_eq!(
            value(&format!("{t} $t = T.new [$t.i, $t.f, $t.s, $t.b, $t.n]")),
            "[1, 1.5, 'x y', true, 'name']"
        );
    }
}

mod semantics {
    use super::*;

    #[test]
    fn attributes_are_of_the_data_types() {
        let t =
            "type T { attr i, Integer attr f, Float attr s, String attr b, Boolean attr e, enum[red, blue] }";
        assert_eq!(
            value(&format!("{t} T.new({{i => 1, f => 1.0, s => a, b => true, e => red}})")),
            "T({'i' => 1, 'f' => 1.0, 's' => 'a', 'b' => true, 'e' => 'red'})"
        );
        for (values, expected) in [
            ("i => a", "T[i] expects an Integer value, got String: 'a'"),
            ("f => a", "T[f] expects a Float value, got String: 'a'"),
            ("s => 1", "T[s] expects a String value, got Integer: 1"),
            ("b => 1", "T[b] expects a Boolean value, got Integer: 1"),
            ("e => green", "T[e] expects a match for Enum['blue', 'red'], got 'green': 'green'"),
        ] {
            assert_eq!(problem(&format!("{t} T.new({{{values}}})")), expected);
        }
    }

    #[test]
    fn names_of_features_are_unique_in_the_inheritance_chain() {
        has(
            &error("type A { attr x } type B inherits A { attr y } type C inherits B { has x, A }"),
            "The feature 'x' is declared more than once: by A and by C",
        );
    }

    #[test]
    fn a_reference_is_a_containment_by_default_and_is_serialized_within_its_container() {
        let t = "type P { attr n } type W { has parts, P { max => unbound } has main, P { containment => false } }";
        assert_eq!(
            value(&format!("{t} Hash(W.new({{parts => [{{n => 1}}, {{n => 2}}], main => '//@parts.1'}}))")),
            "{'parts' => [{'n' => 1}, {'n' => 2}], 'main' => '//@parts.1'}"
        );
    }

    #[test]
    fn multiplicity_has_defaults() {
        let t = "type T { attr a, Integer attr b, Integer { min => 1 } attr c, Integer { min => 2 }
            attr d, Integer { min => 0, max => 2 } }";
        assert_eq!(
            value(&format!("{t} T.new({{b => 1, c => [1, 2, 3]}})")),
            "T({'b' => 1, 'c' => [1, 2, 3]})"
        );
        assert_eq!(
            problem(&format!("{t} T.new({{a => [1, 2], c => 1, d => [1, 2, 3]}})")),
            "\n  - T[a] expects an Integer value, got Tuple: [1, 2]\
             \n  - T[b] is required: it has no value\
             \n  - T[c] needs at least 2 values, it has 1\
             \n  - T[d] can have at most 2 values, it has 3"
        );
    }

    #[test]
    fn an_unsettable_feature_tells_nothing_from_empty() {
        let t = "type T { attr a { unsettable => true } attr b { max => unbound, unsettable => true } attr c { max => unbound } }";
        assert_eq!(
            value(&format!(
                "{t} $t = T.new [$t.is_set('a'), $t.a, $t.is_set('b'), $t.b, $t.is_set('c'), $t.c]"
            )),
            "[false, undef, false, undef, false, []]"
        );
        assert_eq!(
            value(&format!(
                "{t} $t = T.new({{a => undef, b => [], c => []}}) \
                 [$t.is_set('a'), $t.a, $t.is_set('b'), $t.b, $t.is_set('c'), $t.c]"
            )),
            "[true, undef, true, [], true, []]"
        );
        assert_eq!(
            value("type T { attr a { default => 1 } } $t = T.new({a => undef}) [$t.a, $t.is_set('a')]"),
            "[undef, false]"
        );
    }

    #[test]
    fn what_is_transient_or_derived_is_not_serialized() {
        let t = "type T { attr a attr b { transient => true } attr c { derived => { \"<${a}>\" } } }";
        assert_eq!(
            value(&format!("{t} $t = T.new({{a => 1, b => 2}}) [Hash($t), $t.b, $t.c]")),
            "[{'a' => 1}, 2, '<1>']"
        );
    }

    #[test]
    fn a_derived_attribute_is_read_only_but_may_be_settable() {
        has(
            &error("type T { attr a { derived => { 1 } } } T.new({a => 2})"),
            "T[a] is read-only: it cannot be set to 2",
        );
        assert_eq!(
            value("type T { attr a attr b attr both { derived => { [$a, $b] }, set => |$x| { $a = $x[0] $b = $x[1] } } }
                   $t = T.new({both => [1, 2]}) [$t.a, $t.b, $t.both]"),
            "[1, 2, [1, 2]]"
        );
    }
}

mod set_and_get {
    use super::*;

    const SIZE: &str = "type T { attr size, Integer {
        set => |$x| { $x ? { /^(\\d+)k$/ => Integer($1) * 1024, default => Integer($x) } },
        get => |$x| { $x / 1024 } } }";

    #[test]
    fn they_transform_between_the_users_value_and_the_one_inside() {
        assert_eq!(
            value(&format!("{SIZE} $t = T.new({{size => '2k'}}) [$t, $t.size]")),
            "[T({'size' => 2048}), 2]"
        );
        assert_eq!(value("type T { attr x, Integer } T.new({x => 1}).x"), "1");
    }

    #[test]
    fn both_must_give_the_type_of_the_feature() {
        has(
            &problem("type T { attr x, Integer { set => |$x| { 'a' } } } T.new({x => 1})"),
            "T[x] expects an Integer value, got String: 'a'",
        );
        has(
            &error("type T { attr x, Integer { get => |$x| { 'a' } } } T.new({x => 1}).x"),
            "get of T[x] has wrong type, expects an Integer value, got String",
        );
    }

    #[test]
    fn setters_can_set_what_users_cannot() {
        let t =
            "type T { attr secret { setable => false } attr door { set => |$x| { $secret = 'opened' $x } } }";
        assert_eq!(value(&format!("{t} T.new({{door => 1}})")), "T({'secret' => 'opened', 'door' => 1})");
        assert_eq!(
            problem(&format!("{t} T.new({{secret => 1}})")),
            "T[secret] is read-only: it cannot be set to 1"
        );
    }

    #[test]
    fn features_are_variables_and_meta_describes_the_feature() {
        let t = "type Base { attr first { get => |$x| { [$x, $second, $meta[name], $meta[container], $meta[container][name]] } } attr second }
                 type T inherits Base { attr third }";
        assert_eq!(
            value(&format!("{t} T.new({{first => 1, second => 2}}).first")),
            "[1, 2, 'first', Base, 'Base']"
        );
    }

    #[test]
    fn a_setter_that_sets_its_own_feature_gives_no_other_value() {
        let t = "type T { attr a { set => |$x| { $a = \"own ${x}\" 'not this' } } attr b { set => |$x| { $a = $x 'this' } } }";
        assert_eq!(value(&format!("{t} T.new({{a => 1}})")), "T({'a' => 'own 1'})");
        // A value assigned by another setter does not go through the attribute's own setter.
        assert_eq!(value(&format!("{t} T.new({{b => 1}})")), "T({'a' => 1, 'b' => 'this'})");
    }
}

mod check_and_invariant {
    use super::*;

    const ATTRIBUTES: &str = r#"type T {
        attr foo {
          check => $it != ""
        }
        attr bar {
          check => { if $bar == "" { "bar can not be set to an empty string" } }
        }
        attr the_thing_with_a_long_name {
          check => |$x| { if $x == "" { "the_thing_with_a_long_name can not be set to an empty string" } }
        }
        attr fee {
          check => { case $fee {
            "" :              { "bar can not be an empty string" }
            "blue", "green" : { "bar can not be set to 'blue' nor 'green'" }
            /:/ :             { "bar may not contain a colon" }
            default :         { true }
            }
          }
        }
    }"#;

    #[test]
    fn examples_of_attributes() {
        let accepted = "T.new({foo => x, bar => x, the_thing_with_a_long_name => x, fee => red})";
        assert!(value(&format!("{ATTRIBUTES} {accepted}")).starts_with("T({"));
        assert_eq!(
            problem(&format!(
                "{ATTRIBUTES} T.new({{foo => '', bar => '', the_thing_with_a_long_name => '', fee => ''}})"
            )),
            "\n  - T[foo]: Illegal value:  is not an acceptable value for foo\
             \n  - T[bar]: bar can not be set to an empty string\
             \n  - T[the_thing_with_a_long_name]: the_thing_with_a_long_name can not be set to an empty string\
             \n  - T[fee]: bar can not be an empty string"
        );
        for (fee, message) in
            [("blue", "bar can not be set to 'blue' nor 'green'"), ("'a:b'", "bar may not contain a colon")]
        {
            assert_eq!(
                problem(&format!("{ATTRIBUTES} T.new({{fee => {fee}}})")),
                format!("T[fee]: {message}")
            );
        }
    }

    #[test]
    fn examples_of_invariants() {
        let titled = r#"type F { attr ensure attr content
            invariant "Can not specify ensure => absent, and content at the same time" {
              $ensure != absent or $content == undef
            }
        }"#;
        assert_eq!(value(&format!("{titled} F.new({{ensure => absent}})")), "F({'ensure' => 'absent'})");
        assert_eq!(
            problem(&format!("{titled} F.new({{ensure => absent, content => x}})")),
            "Can not specify ensure => absent, and content at the same time"
        );
        let computed = r#"type F { attr one_thing attr another_thing
            invariant {
              if !($one_thing and $another_thing) { "Both one_thing, and another_thing must be set" }
            }
        }"#;
        assert_eq!(
            problem(&format!("{computed} F.new({{one_thing => 1}})")),
            "Both one_thing, and another_thing must be set"
        );
        assert!(value(&format!("{computed} F.new({{one_thing => 1, another_thing => 2}})")).starts_with('F'));
    }

    #[test]
    fn an_invariant_that_is_false_is_told_by_its_title() {
        assert_eq!(problem("type T { attr x invariant 'the title' { false } } T.new"), "the title");
        assert_eq!(problem("type T { attr x invariant { false } } T.new"), "Illegal invariant");
    }

    #[test]
    fn a_type_may_have_several_invariants_and_has_those_of_its_parents() {
        let t = "type A { attr x invariant 'one' { false } } type B inherits A { attr y invariant 'two' { $x == $y } invariant { 'three' } }";
        assert_eq!(problem(&format!("{t} B.new({{y => 1}})")), "\n  - one\n  - two\n  - three");
    }
}

mod examples {
    use super::*;

    #[test]
    fn the_user() {
        assert_eq!(
            value(&user(
                "User.new { password => 'secret', password_min_age => 3, groups => [wheel, adm], roles => [{ gid => 'staff' }] }"
            )),
            "User({'password' => 'secret', 'password_min_age' => 3, 'groups' => ['wheel', 'adm'], \
             'roles' => [UserRole({'gid' => 'staff'})]})"
        );
        assert_eq!(
            problem(&user(
                "User.new { password => 'a:b', groups => [wheel, '10:x'], roles => { gid => '12' } }"
            )),
            "\n  - User[password]: A ':' is not allowed in a password\
             \n  - User[groups]: Use group names not GID. '10:x' not acceptable as group name.\
             \n  - User[roles]: UserRole cannot be created: UserRole[gid]: gid must be non numeric. '12' not acceptable."
        );
    }
}

mod instantiation {
    use super::*;

    const T: &str = "type MyType { attr my_attr, Integer { check => { $it < 100 } } attr names, String { max => unbound } }";

    #[test]
    fn examples() {
        assert_eq!(value(&format!("{T} new(MyType)")), "MyType({})");
        for form in [
            "MyType.new {\n  my_attr => 10\n}",
            "new(MyType, {my_attr => 10})",
            "new(MyType) |$t| { $t[my_attr] = 10 }",
            "MyType.new |$t| { $t[my_attr] = 10 }",
        ] {
            assert_eq!(value(&format!("{T} {form}")), "MyType({'my_attr' => 10})", "{form}");
        }
    }

    #[test]
    fn each_setting_is_checked() {
        let setting = "MyType.new |$t| { $t[my_attr] = 200 $t[my_attr] = 10 }";
        assert_eq!(
            problem(&format!("{T} {setting}")),
            "MyType[my_attr]: Illegal value: 200 is not an acceptable value for my_attr"
        );
    }

    #[test]
    fn invariants_are_checked_when_all_is_set() {
        let t = "type T { attr a attr b invariant 'equal' { $a == $b } }";
        assert_eq!(value(&format!("{t} T.new({{a => 1}}) |$t| {{ $t[b] = 1 }}")), "T({'a' => 1, 'b' => 1})");
    }

    #[test]
    fn an_object_does_not_change_afterwards() {
        has(
            &error(&format!("{T} $m = MyType.new MyType.new($m) |$t| {{ $t[my_attr] = 1 }}")),
            "does not change once it is made",
        );
    }

    #[test]
    fn keys_without_a_feature_are_errors() {
        assert_eq!(
            problem(&format!("{T} MyType.new({{my_atr => 1, 5 => 6}})")),
            "\n  - MyType has no feature 'my_atr'. Did you mean 'my_attr'?\n  - MyType has no feature 5"
        );
    }

    #[test]
    fn values_are_appended_to_features_with_several() {
        assert_eq!(
            value(&format!("{T} MyType.new({{names => [a]}}) |$t| {{ $t[names] += b $t[names] += [c, d] }}")),
            "MyType({'names' => ['a', 'b', 'c', 'd']})"
        );
        assert_eq!(
            problem(&format!("{T} MyType.new |$t| {{ $t[my_attr] += 1 }}")),
            "MyType[my_attr] has one value at most: 1 cannot be added"
        );
    }

    #[test]
    fn defaults_come_first() {
        assert_eq!(
            value(
                "type T { attr a { default => 1 } attr b { set => |$x| { \"${a} ${x}\" } } } T.new({b => 2})"
            ),
            "T({'a' => 1, 'b' => '1 2'})"
        );
    }
}

mod models {
    use super::*;

    /// Returns the value of an attribute derived by this code.
    fn derived(code: &str) -> String {
        value(&format!(
            "type O {{ attr x }} type T {{ attr v attr r {{ derived => {{ {code} }} }} }} T.new({{v => 3}}).r"
        ))
    }

    #[test]
    fn code_has_what_the_language_of_models_has() {
        for (code, result) in [
            ("1 + $v * 2", "7"),
            ("if $v > 2 { yes } else { no }", "'yes'"),
            ("unless $v > 2 { yes } else { no }", "'no'"),
            ("case $v { 3: { three } default: { other } }", "'three'"),
            ("$v ? { 3 => three, default => other }", "'three'"),
            ("$v in [1, 2]", "false"),
            ("[1, 2].map |$x| { $x + $v }", "[4, 5]"),
            ("[1, 2].select |$x| { $x > 1 }", "[2]"),
            ("[1, 2].reject |$x| { $x > 1 }", "[1]"),
            ("[1, 2].collect |$x| { $x + 1 }", "[2, 3]"),
            ("[1, 2].reduce |$memo, $x| { $memo + $x }", "3"),
            ("[1, 2].each |$x| { $x }", "[1, 2]"),
            ("$local = $v + 1 $local", "4"),
            ("O.new({x => $v})", "O({'x' => 3})"),
        ] {
            assert_eq!(derived(code), result, "{code}");
        }
    }

    #[test]
    fn code_creates_nothing_else() {
        for (code, message) in [
            ("notify { 'x': }", "A Resource Statement is not available in the code of types"),
            ("file { '/x': ensure => file }", "A Resource Statement is not available in the code of types"),
            ("File { mode => '1' }", "A Resource Defaults Expression is not available in the code of types"),
            ("User <| |>", "A Virtual Query is not available in the code of types"),
            ("include x", "The function 'include' is not available in the code of types"),
            ("fail('x')", "The function 'fail' is not available in the code of types"),
            ("lookup('x')", "The function 'lookup' is not available in the code of types"),
            ("fqdn_rand(1)", "The function 'fqdn_rand' is not available in the code of types"),
            ("notice(1)", "The function 'notice' is not available in the code of types"),
            ("file('/etc/passwd')", "The function 'file' is not available in the code of types"),
            ("my::own()", "The function 'my::own' is not available in the code of types"),
            ("$facts", "Unknown variable: '$facts'"),
            ("$::osfamily", "Unknown variable: '$::osfamily'"),
        ] {
            let text = format!("type T {{ attr r {{ derived => {{ {code} }} }} }}");
            // Where resources can be declared at all.
            let manifests = Runtime::builder().manifests().build();
            has(&manifests.evaluate(&text, None).unwrap_err().to_string(), message);
        }
        for code in ["class x {}", "define y() {}", "node z {}", "function f() {}"] {
            let text = format!("type T {{ attr r {{ derived => {{ {code} }} }} }}");
            assert!(!error(&text).is_empty());
        }
    }
}
