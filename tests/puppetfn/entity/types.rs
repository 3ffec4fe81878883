//! Objects of types that are defined by their features, from Puppet code.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support::entity::{error, has, problem, user, value};

#[test]
fn objects_are_made_in_all_forms() {
    for form in [
        "User.new { password => 'x', groups => [a] }",
        "User.new({ password => 'x', groups => a })",
        "new(User, { password => 'x', groups => [a] })",
        "User({ password => 'x', groups => [a] })",
        "new(User) |$t| { $t[password] = 'x' $t[groups] += a }",
        "User.new |$t| { $t[password] = 'x' $t[groups] += [a] }",
        "User.new { password => 'x' } |$t| { $t[groups] = [a] }",
        "User.new { groups => a } |$u| { [x].each |$p| { $u[password] = $p } }",
    ] {
        assert_eq!(value(&user(form)), "User({'password' => 'x', 'groups' => ['a']})", "{form}");
    }
}

#[test]
fn all_problems_come_at_once() {
    assert_eq!(
        problem(&user(
            "User.new { password => 'a:b', groups => ['x:y', 'b', 'c:d'], passwrd => 1, \
             password_min_age => 'old', roles => [{gid => '12'}, {}] }"
        )),
        "\n  - User[password]: A ':' is not allowed in a password\
         \n  - User[groups]: Use group names not GID. 'x:y' not acceptable as group name.\
         \n  - User[groups]: Use group names not GID. 'c:d' not acceptable as group name.\
         \n  - User has no feature 'passwrd'. Did you mean 'password'?\
         \n  - User[password_min_age] expects an Integer value, got String: 'old'\
         \n  - User[roles]: UserRole cannot be created: UserRole[gid]: gid must be non numeric. '12' not acceptable."
    );
}

#[test]
fn values_of_other_types_are_named() {
    assert_eq!(
        problem(&user("User.new { roles => [5] }")),
        "User[roles] expects an UserRole value, got Integer: 5"
    );
    assert_eq!(
        problem(&user("User.new { roles => User.new }")),
        "User[roles] expects an UserRole value, got User: User({})"
    );
    let secret = problem(&user("User.new { password => Sensitive('hush') }"));
    assert_eq!(
        secret,
        "User[password] expects a String value, got Sensitive[String]: Instance of Sensitive[String]"
    );
    let secret = problem(
        "type T { attr s, Sensitive[String] { check => { false } } } T.new({ s => Sensitive(hush) })",
    );
    assert_eq!(secret, "T[s]: Illegal value: Sensitive [value redacted] is not an acceptable value for s");
    has(
        &error(&user("User.new(5)")),
        "User is created from a Hash with the values of its features, got Integer",
    );
}

#[test]
fn features_are_read() {
    assert_eq!(
        value(&user(
            "$u = User.new { password => 'x', roles => {gid => 'a'} } \
          [$u[password], $u.password, $u[groups], $u.is_set('groups'), $u.roles[0].gid, $u[password_min_age]]"
        )),
        "['x', 'x', undef, false, 'a', undef]"
    );
    assert_eq!(value(&user("$u = User.new { groups => [] } [$u.groups, $u.is_set('groups')]")), "[[], true]");
    assert_eq!(
        value(&user("$u = User.new { groups => undef } [$u.groups, $u.is_set('groups')]")),
        "[undef, true]"
    );
    has(&error(&user("User.new[nme]")), "User has no feature 'nme'");
}

#[test]
fn values_are_counted() {
    let t = "type T { attr one, Integer attr must, Integer { min => 1 } attr some, Integer { min => 2 }
               attr few, Integer { min => 1, max => 3 } attr any, Integer { max => unbound } }";
    assert_eq!(
        problem(&format!("{t} T.new {{ some => 1, few => [1, 2, 3, 4] }}")),
        "\n  - T[must] is required: it has no value\
         \n  - T[some] needs at least 2 values, it has 1\
         \n  - T[few] can have at most 3 values, it has 4"
    );
    assert_eq!(
        problem(&format!("{t} T.new {{ must => 1, few => 1, some => [1, 2], one => [1] }}")),
        "T[one] expects an Integer value, got Tuple: [1]"
    );
    assert_eq!(
        value(&format!(
            "{t} $t = T.new {{ must => 1, few => 1, some => [1, 2] }} [$t.one, $t.few, $t.some, $t.any]"
        )),
        "[undef, [1], [1, 2], []]"
    );
}

#[test]
fn defaults_come_first() {
    let t = "type T { attr a, Integer { default => '7', check => { $it < 10 } } attr b, enum[x, y] { default => y }
               attr c, Float { default => 1 } attr d, String { max => unbound, default => [p, q] } attr e, String { default => 5 } }";
    assert_eq!(
        value(&format!("{t} $t = T.new [$t.a, $t.b, $t.c, $t.d, $t.e]")),
        "[7, 'y', 1.0, ['p', 'q'], '5']"
    );
    assert_eq!(
        value(&format!("{t} $t = T.new {{ a => 3 }} |$t| {{ $t[d] += r }} [$t.a, $t.d]")),
        "[3, ['p', 'q', 'r']]"
    );
    assert_eq!(
        problem("type T { attr a, Integer { default => 70, check => { $it < 10 } } } T.new { a => 1 }"),
        "T[a]: Illegal value: 70 is not an acceptable value for a"
    );
}

#[test]
fn checks_have_outcomes() {
    let t = |check: &str| format!("type T {{ attr foo {{ check => {check} }} }} T.new {{ foo => 'v' }}");
    for check in [
        "$it != ''",
        "{ true }",
        "{ }",
        "{ undef }",
        "{ if $foo == '' { 'no' } }",
        "|$x| { if $x == '' { 'no' } }",
        "|String $x| { true }",
        "{ next(true) }",
        "{ $y = $it $y == 'v' }",
        "{ $meta[name] == 'foo' and $meta[container][name] == 'T' }",
        "{ $meta[container] == T }",
    ] {
        assert_eq!(value(&t(check)), "T({'foo' => 'v'})", "{check}");
    }
    for (check, message) in [
        ("$it == ''", "T[foo]: Illegal value: v is not an acceptable value for foo"),
        ("{ \"not ${foo}\" }", "T[foo]: not v"),
        ("|$x| { \"not ${x}\" }", "T[foo]: not v"),
        (
            "{ 1 }",
            "T[foo]: the check of T[foo] gave a value of type Integer, where a String, a Boolean or undef is expected",
        ),
        (
            "{ case $foo { '': { 'empty' } 'v', 'green': { 'bad color' } default: { true } } }",
            "T[foo]: bad color",
        ),
    ] {
        assert_eq!(problem(&t(check)), message, "{check}");
    }
    has(
        &error(&t("|Integer $x| { true }")),
        "check of T[foo] has wrong type, expects an Integer value, got String",
    );
    has(&error(&t("{ $it + 1 }")), "/m/types/user.pp, line: 1");
    let both = "type R { attr x } type T { attr a { check => { 'one' }, validate => { 'two' } } has r, R { validate => { 'three' } } }";
    assert_eq!(
        problem(&format!("{both} T.new {{ a => 1, r => {{}} }}")),
        "\n  - T[a]: one\n  - T[a]: two\n  - T[r]: three"
    );
}

#[test]
fn invariants_have_outcomes() {
    let t = |invariant: &str| {
        format!("type T {{ attr ensure attr content invariant {invariant} }} T.new {{ ensure => absent }}")
    };
    for fine in [
        "{ true }",
        "'x' { $ensure == absent and $content == undef }",
        "{ if $content { 'x' } }",
        "|$t| { $t[ensure] == absent }",
        "{ $it.ensure == absent }",
    ] {
        assert_eq!(value(&t(fine)), "T({'ensure' => 'absent'})", "{fine}");
    }
    for (invariant, message) in [
        ("{ false }", "Illegal invariant"),
        ("'the title' { $ensure != absent }", "the title"),
        ("'the title' { 'the outcome' }", "the outcome"),
        (
            "{ [] }",
            "the invariant of T gave a value of type Array, where a String, a Boolean or undef is expected",
        ),
    ] {
        assert_eq!(problem(&t(invariant)), message, "{invariant}");
    }
}

#[test]
fn setters_and_getters_transform() {
    let size = "type T {
        attr size, Integer {
            set => |$s| { if $s =~ String and $s =~ /^(\\d+)k$/ { Integer($1) * 1024 } else { $s } },
            check => { $it >= 0 },
        }
        attr mode, String { set => |$m| { $m.downcase }, get => |$m| { \"<${m}>\" } }
    }";
    assert_eq!(
        value(&format!("{size} $t = T.new {{ size => '2k', mode => 'RW' }} [$t, $t.size, $t.mode]")),
        "[T({'size' => 2048, 'mode' => 'rw'}), 2048, '<rw>']"
    );
    assert_eq!(
        problem(&format!("{size} T.new {{ size => 'x' }}")),
        "T[size] expects an Integer value, got String: 'x'"
    );
    assert_eq!(
        problem(&format!("{size} T.new {{ size => -1 }}")),
        "T[size]: Illegal value: -1 is not an acceptable value for size"
    );
    assert_eq!(value(&format!("{size} T.new.mode")), "undef");
    let split = "type P {
        attr first, String { setable => false, check => { if $it == 'X' { 'no X' } } }
        attr last, String { setable => false }
        attr name, String {
            derived => { \"${first} ${last}\" },
            set => |$n| { $parts = $n.split(' ') $first = $parts[0] $last = $parts[1] },
        }
    }";
    assert_eq!(
        value(&format!("{split} $p = P.new {{ name => 'Ann Lee' }} [$p, $p.name, $p.last]")),
        "[P({'first' => 'Ann', 'last' => 'Lee'}), 'Ann Lee', 'Lee']"
    );
    assert_eq!(
        problem(&format!("{split} P.new {{ first => 'A', name => 'X Lee' }}")),
        "\n  - P[first] is read-only: it cannot be set to 'A'\n  - P[first]: no X"
    );
    assert_eq!(
        problem("type P { attr n { derived => { 1 } } } P.new { n => 1 }"),
        "P[n] is read-only: it cannot be set to 1"
    );
    has(
        &error("type P { attr n, Integer { derived => { 'x' } } } P.new.n"),
        "derived of P[n] has wrong type, expects an Integer value, got String",
    );
    has(
        &error("type P { attr a { derived => { $b } } attr b { derived => { $a } } } P.new.a"),
        "nested too deep",
    );
    // An object that makes another to read it, and so on.
    has(&error("type P { attr a { derived => { P.new.a } } } P.new.a"), "nested too deep");
    assert_eq!(
        value("type G { attr all, String { max => unbound, set => |$x| { $all += $x.map |$y| { $y.upcase } } } }
               $g = G.new { all => [a, b] } |$t| { $t[all] += 'c' } $g.all"),
        "['A', 'B', 'A', 'B', 'C']"
    );
}

#[test]
fn code_of_types_has_the_documents_functions() {
    let t = |code: &str| {
        format!(
            "type T {{ attr l {{ max => unbound }} attr r {{ derived => {{ {code} }} }} }} $t = T.new {{ l => [1, 2, 3] }} $t.r"
        )
    };
    assert_eq!(value(&t("$l.select |$x| { $x > 1 }")), "[2, 3]");
    assert_eq!(value(&t("$l.reject |$x| { $x > 1 }")), "[1]");
    assert_eq!(value(&t("$l.collect |$x| { $x + 1 }")), "[2, 3, 4]");
    assert_eq!(value(&t("$l.reduce |$a, $x| { $a + $x }")), "6");
    assert_eq!(value(&t("{a => 1, b => 2}.reject |$k, $v| { $v == 1 }")), "{'b' => 2}");
    has(&error("[1].reject |$x| { true }"), "Unknown function: 'reject'");
}

#[test]
fn objects_do_not_change_once_they_are_made() {
    has(
        &error(&user(
            "$u = User.new Integer.new(1) |$x| { User.new |$t| { $t[password] = x } } $u[password] = 'x'",
        )),
        "Illegal attempt to assign via [index/key]",
    );
    let made =
        user("User.new |$t| { $u = User.new $u.with |$x| { new(String, 'a') |$t| { $t[password] = 'x' } } }");
    has(&error(&made), "Illegal attempt to assign via [index/key]");
    has(&error("$a = {} $a[x] = 1"), "Illegal attempt to assign via [index/key]");
    has(&error("$a = [] $a += 1"), "The operator '+=' is no longer supported");
    let complete = user("$u = User.new User.new($u) |$t| { $t[password] = 'x' }");
    has(&error(&complete), "does not change once it is made");
}

#[test]
fn objects_are_equal_by_value() {
    assert_eq!(
        value(&user(
            "[User.new({password => x}) == User.new({password => x}), User.new({password => x}) == User.new, \
                      User.new({roles => {gid => a}}) == User.new({roles => UserRole.new({gid => a})})]"
        )),
        "[true, false, true]"
    );
}

const GROUPS: &str = "
type Member { attr name, String has boss, Member { containment => false } has home, Site { containment => false } }
type Site { attr name, String }
type Team { has members, Member { max => unbound } has sites, Site { max => unbound } has lead, Member { containment => false } }
";

#[test]
fn references_lead_to_objects() {
    let team = format!(
        "{GROUPS} $t = Team.new {{ members => [{{ name => a, boss => '//@members.1' }}, {{ name => b, home => '#//@sites.0' }}],
           sites => {{ name => s }}, lead => '//@members.0' }}"
    );
    assert_eq!(
        value(&format!("{team} [$t.lead.name, $t.lead.boss.name, $t.lead.boss.home.name]")),
        "['a', 'b', 's']"
    );
    has(
        &error(&format!("{GROUPS} Team.new {{ lead => '//@members.3' }}.lead")),
        "Team[lead]: the reference '//@members.3' leads to no object",
    );
    has(
        &error(&format!(
            "{GROUPS} $t = Team.new {{ sites => {{ name => s }}, lead => '//@sites.0' }} $t.lead"
        )),
        "Team[lead] refers to a Member, but '//@sites.0' leads to a Site",
    );
    assert_eq!(
        problem(&format!("{GROUPS} Team.new {{ lead => 'other.xmi#//@members.0' }}")),
        "Team[lead] refers to 'other.xmi#//@members.0', which is not within the same document; a reference is written as '//@feature.0'"
    );
    assert_eq!(
        value(&format!(
            "{team} $m = Member.new({{ name => b }}) $u = Team.new({{ members => $m, lead => $m }}) \
                        [$u.lead.name, $u == Team.new({{ members => {{ name => b }}, lead => '//@members.0' }})]"
        )),
        "['b', true]"
    );
}

#[test]
fn an_object_has_one_container() {
    let twice = "Team[members] contains a Member that another object or feature contains; an object has one container";
    assert_eq!(
        problem(&format!(
            "{GROUPS} $m = Member.new $a = Team.new({{ members => $m }}) Team.new({{ members => $m }})"
        )),
        twice
    );
    assert_eq!(problem(&format!("{GROUPS} $m = Member.new Team.new({{ members => [$m, $m] }})")), twice);
    assert_eq!(
        problem(&format!("{GROUPS} Team.new |$t| {{ Member.new({{ boss => $t }}) }}")),
        "Member[boss] cannot have a Team that is still being made"
    );
}

#[test]
fn subtypes_are_named_in_hashes() {
    let t = "type A { attr x } type B inherits A { attr y } type C { has as, A { max => unbound } }";
    assert_eq!(
        value(&format!(
            "{t} C.new({{ as => [{{ x => 1 }}, {{ '__ptype' => 'B', y => 2 }}] }}).as.map |$a| {{ type($a) }}"
        )),
        "[A, B]"
    );
    has(
        &error(&format!("{t} new(A, {{ '__ptype' => 'C' }})")),
        "__ptype must name it or a type that inherits from it, not 'C'",
    );
}

#[test]
fn the_attribute_can_be_of_any_type() {
    assert_eq!(
        value(
            "type A { attr x, Array[Integer] attr y, Variant[String, Integer] attr z } [A.new({ x => [1], y => 2, z => {a => 1} })]"
        ),
        "[A({'x' => [1], 'y' => 2, 'z' => {'a' => 1}})]"
    );
    assert_eq!(value("type A { attr o, A } A.new({ o => { } }).o"), "A({})");
}
