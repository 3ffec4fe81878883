//! Findings and deliberate omissions of the static checker's rules.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    missing_docs,
    reason = "a test may take the short way"
)]

use puppetfn::check::Rule;
use puppetfn::diagnostic::Severity;
use puppetfn_cli::OK;

use super::command::{Files, assert_reported, check, command};

#[test]
fn what_classes_have_besides_their_parameters_is_known() {
    assert_reported(
        "notice($name, $title)
         node 'a' { notice($name, $title) }
         define app::thing() { notice($noop, $require, $alias) }
         class app inherits app::base { notice($tag, $stage, $nosuch) } # <unknown-variable>
         class app::base { }
         function environment::f() { $noop } # <unknown-variable>",
    );
}

#[test]
fn parameters_of_resources_take_calls_that_are_made_later() {
    assert_reported(
        "define app::thing(Integer $port, Optional[String] $text = Deferred('f')) {
           if $port =~ Deferred { notice($port.name, $port['x']) }
           case $port { Deferred: { notice($port.arguments) } default: { notice($port['x']) } } # <access>
           $as = $port ? { Variant[Sensitive, Deferred] => 1, default => 2 }
         }
         app::thing { 'a': port => Deferred('f') }
         app::thing { 'b': port => $facts['x'] ? { 1 => Deferred('f'), default => 'b' } }
         app::thing { 'c': port => [Deferred('f')] } # <parameter-type>
         class { 'ntp': servers => Deferred('f') }
         $line = ntp::line(Deferred('f')) # <argument-mismatch>",
    );
}

#[test]
fn functions_of_modules_that_others_hide_are_found() {
    let function = "module Puppet::Parser::Functions\nnewfunction(:hidden) { |args| 1 }\nend";
    let files = Files::new(
        "hidden",
        &[
            ("first/lib/manifests/init.pp", "class lib { $x = 1 hidden() nosuch() }"),
            ("second/lib/lib/puppet/parser/functions/hidden.rb", function),
        ],
    );
    let path = format!("{}:{}", files.path("first"), files.path("second"));
    let (_, out, _) = command(&[&files.path("first"), "--modulepath", &path, "--format", "github"]);
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.contains("Unknown function: 'nosuch'"), "{out}");
}

#[test]
fn parameters_of_defined_types_and_classes_are_found_wherever_they_are_set() {
    assert_reported(
        "class app(Hash $h, Integer $i) {
           create_resources('ntp::server', {'a' => {'prot' => 1}}) # <unknown-parameter>
           create_resources(ntp::server, {'a' => {}}, {'port' => 'x'}) # <parameter-type>
           create_resources('ntp::key', {'a' => {'digest' => 'md5'}}) # <missing-parameter>
           create_resources('class', {'ntp' => {'server' => 'a'}}) # <unknown-parameter>
           create_resources('ntp::nosuch', {'a' => {}}) # <unknown-resource-type>
           ntp::server { 'b': * => $h + {'prot' => 1} } # <unknown-parameter>
           ntp::server { 'c': * => {'prot' => 1} + ($h + {'port' => 'x'}) } # <unknown-parameter>
           ntp::server { 'd': * => $h + {'port' => 'x'} } # <parameter-type>
           ntp::server { 'e': * => {'port' => 'x'} + $h }
           ntp::server { 'f': * => $h + $i } # <arithmetic>
           Ntp::Server['b'] { prot => 1 } # <unknown-parameter>
           Ntp::Server['b'] { port => $h } # <parameter-type>
           Ntp::Server <| title == 'a' and (tag == 'b' or prot == 3) |> # <unknown-parameter>
           File <| ownr == 'root' |> # <unknown-parameter>
         }",
    );
}

#[test]
fn resources_that_functions_of_modules_declare_are_looked_at() {
    for (code, message) in [
        (
            "ensure_resource('ntp::server', ['a', 'b'], {'prot' => 1})",
            "ntp::server has no parameter named 'prot'",
        ),
        (
            "ensure_resources('ntp::server', {'a' => {'port' => 'x'}})",
            "ntp::server: parameter 'port' has wrong type, expects an Integer[1, 65535] value, got 'x'",
        ),
        ("ensure_packages(['a', 'b'], {'ensur' => 'present'})", "Package has no parameter named 'ensur'"),
        ("ensure_packages('a', {'ensur' => 'present'})", "Package has no parameter named 'ensur'"),
        ("ensure_packages({'a' => {'ensur' => 'present'}})", "Package has no parameter named 'ensur'"),
    ] {
        let found = check(code).into_iter().filter(|finding| finding.rule != Rule::UnknownFunction);
        let messages: Vec<_> = found.map(|finding| finding.message).collect();
        assert!(messages.len() == 1 && messages[0].starts_with(message), "{code}: {messages:?}");
    }
}

#[test]
fn what_no_resource_need_take_is_a_warning() {
    let found = check(
        "Ntp::Server { prot => 1, port => 'x' } Ntp::Server <| prot == 1 |> { port => 'x' } File { ownr => 1 }",
    );
    let severities: Vec<_> = found.iter().map(|finding| finding.severity).collect();
    assert_eq!(severities, [Severity::Warning; 5], "{found:#?}");
    let replaced = "ntp::server { 'a': port => 'x' } Ntp::Server['a'] { port => 1 }
        create_resources('ntp::server', {'a' => {'port' => 'x'}})";
    assert_eq!(check(replaced), []);
}

#[test]
fn types_that_have_no_value_in_common_are_told_apart() {
    assert_reported(
        "type Port = Integer[1, 65535]
         type Ports = Variant[Port, Array[Port, 1]]
         define app::listen(Ports $ports, Optional[Port] $port = 70000) { } # <default-type>
         function environment::small(Integer[1, 10] $x) { $x }
         function environment::short(String[1, 10] $x) { $x }
         function environment::named(Enum['a', 'b'] $x) { $x }
         function environment::list(Array[String, 1] $x) { $x }
         function environment::set(Struct[{a => Integer, Optional[b] => String}] $x) { $x }
         class app(
           Integer[20, 30] $large, Integer[5] $five, String[11] $long, String[5] $middle,
           Pattern[/^c/] $c, Enum['c', 'd'] $d, Enum['b', 'c'] $b, Array[Integer] $numbers, Array[Integer, 1] $some,
           Hash[String, Integer] $hash, Struct[{b => Integer}] $struct, Struct[{a => Integer, b => Integer}] $both,
         ) {
           app::listen { 'a': ports => [0] } # <parameter-type>
           app::listen { 'b': ports => [1, 65535], port => $five }
           if $large =~ Port { notice(1) } elsif $large == 1 { notice(2) }
           environment::small($large) # <argument-mismatch>
           environment::small($five)
           environment::short($long) # <argument-mismatch>
           environment::short($middle)
           environment::named($c) # <argument-mismatch>
           environment::named($d) # <argument-mismatch>
           environment::named($b)
           environment::list($numbers) # <argument-mismatch>
           environment::list($some) # <argument-mismatch>
           environment::set($hash)
           environment::set($struct) # <argument-mismatch>
           environment::set($both) # <argument-mismatch>
         }",
    );
}

#[test]
fn blocks_take_what_they_are_certainly_called_with() {
    assert_reported(
        "class app(Array[Integer] $any, Array[Integer, 1] $some, Hash[String, Integer, 1] $hash, Optional[Integer] $maybe) {
           [1].each |String $x| { } # <argument-mismatch>
           ['a', 1].map |String $x| { $x }
           [1, 'a'].map |String $x| { $x } # <argument-mismatch>
           Integer[1, 3].each |String $x| { } # <argument-mismatch>
           3.each |Integer $x| { }
           'abc'.each |Integer $i, Integer $x| { } # <argument-mismatch>
           $any.each |String $x| { }
           $some.each |String $x| { } # <argument-mismatch>
           $hash.each |String $key, String $value| { } # <argument-mismatch>
           $hash.each |String $pair| { } # <argument-mismatch>
           $hash.each |Tuple $pair| { }
           [1].filter |String $x| { true } # <argument-mismatch>
           [1, 2].reduce |String $memo, $x| { '' } # <argument-mismatch>
           [1].reduce |String $memo, $x| { '' }
           [1].reduce('') |String $memo, String $x| { '' } # <argument-mismatch>
           $r = with(1) |String $x| { $x } # <argument-mismatch>
           $s = $maybe.then |String $x| { $x }
           $t = 1.then |String $x| { $x } # <argument-mismatch>
           [].each |String $x| { }
           [1].each |Optional[Integer] $x, *$rest| { }
         }",
    );
}

#[test]
fn names_of_types_are_looked_for_in_aliases() {
    assert_reported(
        "type Good = Optional[Ntp::Stratum]
         type Bad = Optional[Ntp::Strtum] # <unknown-type>
         type Tree = Variant[Integer, Array[Tree]]
         type Set = TypeSet[{ pcore_version => '1.0.0', types => { A => Integer, B => Array[A] } }]",
    );
    for (code, severity) in [
        ("type Bad = Optional[Strng]", Severity::Warning),
        ("function environment::f(Optional[Strng] $x) { $x }", Severity::Warning),
        ("function environment::f(Strng $x) { $x }", Severity::Error),
        ("class app(Optional[Strng] $x) { }", Severity::Error),
    ] {
        let found = check(code);
        assert_eq!((found.len(), found[0].severity), (1, severity), "{code}");
    }
}

#[test]
fn values_without_methods_have_none() {
    assert_reported(
        "class app(Sensitive[String] $s, Timestamp $t, SemVer $v, URI $u, String $text) {
           $x1 = $s.unwarp # <unknown-function>
           $x2 = $t.yaer # <unknown-function>
           $x3 = $v.major # <unknown-function>
           $x4 = $u.host
           $x5 = $s.unwrap.lenght # <unknown-function>
           $x6 = $text['x'] # <access>
           $x7 = [$text['1'], $text['-1'], $text[[1]], $text[0, 1]]
         }",
    );
}

#[test]
fn resources_are_declared_once_on_a_way_through_the_code() {
    assert_reported(
        "class app(Boolean $b, Array[String] $names) {
           file { '/a': }
           file { ['/b', '/a']: } # <duplicate-resource>
           @file { '/c': }
           File { mode => '0644' }
           file { default: ; '/d': ; '/c': } # <duplicate-resource>
           if $b { user { 'a': } user { 'a': } } else { user { 'a': } } # <duplicate-resource>
           if defined(File['/a']) { file { '/a': } }
           $names.each |$name| { file { $name: } user { 'b': } }
           user { 'b': }
           class { 'ntp': servers => ['a'] }
           class { '::ntp': servers => ['a'] } # <duplicate-resource>
           user { \"x${b}\": } user { \"y${b}\": } user { \"x${b}\": } # <duplicate-resource>
           if 'a' =~ /(.)/ { user { \"x$1\": } } user { $names: } user { $names: } user { \"${fqdn_rand(9)}\": }
           $names.each |String $name| { group { $name: } group { $name: } } # <duplicate-resource>
           if true { user { 'c': } } user { 'c': } # <duplicate-resource>
         }
         define app::thing() { file { '/a': } }
         node 'a' { file { '/a': } }
         node 'b' { file { '/a': } }",
    );
}

#[test]
fn facts_that_code_or_modules_set_themselves_are_not_legacy() {
    assert_reported(
        "class app::base { $osfamily = 1 }
         class app($fqdn) inherits app::base {
           notice($osfamily, $fqdn, $::kernel, $facts['kernel'], $facts['os']['osfamily'])
           notice($::osfamily) # <legacy-fact>
           notice($facts['fqdn']['a']) # <legacy-fact>
           notice($hostname) # <legacy-fact>
         }",
    );
    let files = Files::new(
        "facts",
        &[
            ("lib/manifests/init.pp", "class lib { notice($::uuid, $::fqdn) }"),
            ("lib/lib/facter/uuid.rb", "Facter.add(:uuid) { }"),
        ],
    );
    let (_, out, _) = command(&[&files.path("lib"), "--modulepath", &files.path(""), "--format", "github"]);
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.contains("'fqdn'"), "{out}");
}

#[test]
fn files_of_modules_are_looked_for_where_functions_find_them() {
    assert_reported(
        "class app($any, String $name_of_it) {
           $x1 = epp('ntp/ntp.conf.epp', {servers => [], 'iburst' => $any})
           $x2 = epp('ntp/ntp.conf', $any)
           $x3 = epp(\"ntp/${name_of_it}.epp\")
           $x4 = epp('/etc/nosuch.epp')
           $x5 = epp('elsewhere/nosuch.epp', {a => 1})
           $x6 = file($any, 'ntp/nosuch')
           $x7 = epp('ntp/ntp.conf', {servers => Deferred('f')})
           $x8 = epp('ntp/ntp.conf', {servers => [$name_of_it], iburst => $name_of_it}) # <parameter-type>
           $x9 = inline_epp('<%- |$a| -%><%= $a %>', {b => 1, a => 2}) # <unknown-parameter>
           $y1 = inline_epp('<%= $a %>', {b => 1})
           $y2 = file('ntp/a', 'ntp/b') # <missing-file>
         }",
    );
    let found = check(
        "class app(Optional[String] $maybe, String $text) {
           $x1 = inline_epp('<%- |$a| -%><%= $a %>', {b => $maybe, a => 2})
           $x2 = inline_epp('<%- |$a| -%><%= $a %>', {b => $text, a => 2})
         }",
    );
    let severities: Vec<_> = found.iter().map(|finding| finding.severity).collect();
    assert_eq!(severities, [Severity::Warning, Severity::Error], "what is undef is passed over");
}

#[test]
fn plans_are_checked_by_where_they_are() {
    let plan = "plan app(TargetSpec $targets, Integer $port) {
  $result = run_task('app::restart', $targets)
  $next = $port + 'x'
  apply($targets) {
    file { '/a': contnt => \"${port}\" }
    $inner = $port['a']
  }
  notice($result.first.nosuch, $from_elsewhere)
  return $result
}";
    let files = Files::new(
        "plans",
        &[
            ("modules/app/plans/init.pp", plan),
            ("modules/app/manifests/plans/deploy.pp", "class app::plans::deploy($plan) { $apply = $plan }"),
            ("modules/app/manifests/init.pp", "class app { app::plans::nosuch { 'a': } }"),
        ],
    );
    let path = files.path("modules");
    let (_, out, _) = command(&[&path, "--modulepath", &path, "--format", "github"]);
    let found: Vec<_> = out
        .lines()
        .map(|line| {
            let (_, rest) = line.split_once("modules/app/").unwrap();
            rest.split("::").next().unwrap().to_owned()
        })
        .collect();
    assert_eq!(
        found,
        [
            "manifests/init.pp,line=1,col=34,title=unknown-resource-type",
            "plans/init.pp,line=3,col=17,title=arithmetic",
            "plans/init.pp,line=5,col=18,title=unknown-parameter",
            "plans/init.pp,line=6,col=14,title=access",
        ]
    );
}

#[test]
fn fixtures_of_specs_are_the_code_of_others() {
    let files = Files::new(
        "fixtures",
        &[
            ("app/metadata.json", metadata!("me-app")),
            ("app/manifests/init.pp", "class app { lib::thing { 'a': nosuch => 1 } }"),
            ("app/spec/fixtures/modules/lib/manifests/thing.pp", "define lib::thing { $x = 1 + 'a' }"),
        ],
    );
    let rules = |path: &str| {
        let (_, out, _) = command(&[&files.path(path), "--format", "github"]);
        out.lines().map(|line| line.contains("title=arithmetic")).collect::<Vec<_>>()
    };
    assert_eq!(rules("app"), [false]);
    assert_eq!(rules("app/spec/fixtures/modules/lib"), [true]);
}

#[test]
fn a_module_is_always_found_by_its_own_code() {
    let files = Files::new(
        "own",
        &[
            ("checkout/puppet-app/metadata.json", metadata!("me-app")),
            (
                "checkout/puppet-app/manifests/init.pp",
                "class app { app::thing { 'a': nosuch => app::nosuch() } include app::nosuch }",
            ),
            ("checkout/puppet-app/manifests/thing.pp", "define app::thing { }"),
            ("modules/app/manifests/nosuch.pp", "class app::nosuch { }"),
        ],
    );
    let (path, modules) = (files.path("checkout/puppet-app"), files.path("modules"));
    for arguments in
        [&[&*path, "--modulepath", &modules, "--format", "github"][..], &[&path, "--format", "github"]]
    {
        let (_, out, _) = command(arguments);
        let titles: Vec<_> =
            out.lines().filter_map(|line| line.split_once("title=")?.1.split("::").next()).collect();
        assert_eq!(titles, ["unknown-parameter", "unknown-function", "unknown-class"], "{out}");
    }
}

#[test]
fn the_modulepath_of_an_environment_is_used() {
    let files = Files::new(
        "environment",
        &[
            ("environment.conf", "modulepath = site:modules:$basemodulepath\n"),
            ("site/role/manifests/init.pp", "class role { lib::thing { 'a': nosuch => 1 } }"),
            ("modules/lib/manifests/thing.pp", "define lib::thing { }"),
            ("manifests/site.pp", "include role::nosuch"),
        ],
    );
    let (_, out, _) = command(&[&files.path(""), "--format", "github"]);
    let titles: Vec<_> =
        out.lines().filter_map(|line| line.split_once("title=")?.1.split("::").next()).collect();
    assert_eq!(titles, ["unknown-class", "unknown-parameter"], "{out}");
}

#[test]
fn the_argument_that_is_certainly_wrong_is_blamed() {
    for (call, message) in [
        ("versioncmp($x, 18.04)", "'versioncmp' parameter 'b' expects a String value, got Float"),
        (
            "regsubst($x, '\\.', '/', 'X')",
            "'regsubst' parameter 'flags' expects an undef value or a match for Pattern[/^[GEIM]*$/], got 'X'",
        ),
        (
            "regsubst('a', '\\.', '/', 'X')",
            "'regsubst' parameter 'flags' expects an undef value or a match for Pattern[/^[GEIM]*$/], got 'X'",
        ),
        ("join($x, 3)", "'join' parameter 'delimiter' expects a String value, got Integer"),
        ("environment::f($x, 'a')", "'environment::f' parameter 'b' expects an Integer value, got String"),
    ] {
        let code = format!(
            "function environment::f(String $a, Integer $b) {{ $a }} class app(Any $x) {{ $y = {call} }}"
        );
        let messages: Vec<_> = check(&code).into_iter().map(|finding| finding.message).collect();
        assert_eq!(messages, [message], "{call}");
    }
}

#[test]
fn what_could_not_be_checked_is_said() {
    let files = Files::new(
        "unchecked",
        &[
            (
                "modules/app/metadata.json",
                metadata!("me-app", r#"[{"name": "me/lib", "version_requirement": "1.x"}]"#),
            ),
            (
                "modules/app/manifests/init.pp",
                "class app { upcased('a') lib::f(1) include other::thing lib_line { 'a': } upcase('a') }",
            ),
        ],
    );
    let (code, out, err) = command(&[&files.path("modules/app")]);
    assert_eq!((code, &*out), (OK, ""));
    assert_eq!(
        err,
        "note: skipped, as the modules 'lib', 'other' are not installed: `lib::f`, `lib_line`, `other::thing`, `upcased`\n"
    );
    assert_eq!(command(&[&files.path("modules/app"), "--format", "json"]).1, "[]\n");
}

#[test]
fn names_that_are_a_slip_away_are_probably_misspelt() {
    let warned = |text: &str, expected: &[&str]| {
        let found = check(text);
        assert!(found.iter().all(|finding| finding.severity == Severity::Warning), "{found:?}");
        let found: Vec<_> = found.iter().map(|finding| &*finding.message).collect();
        assert_eq!(found, expected, "{text}");
    };
    warned(
        "class app { include colck  include clocks  include elsewhere  notice($::osfamly, $::from_elsewhere) }",
        &[
            "Could not find class colck; did you mean 'clock'?",
            "Nothing sets $::osfamly; did you mean 'osfamily'?",
        ],
    );
    warned(
        "notify { 'a': require => Class[colck] }  notice(epp('colck/a.epp'), colck::now(), $facts['x'] =~ Colck::Hour)",
        &[
            "No catalog can have Class[colck]: there is no such class; did you mean 'clock'?",
            "Could not find template 'colck/a.epp'; did you mean 'clock/a.epp'?",
            "Unknown function: 'colck::now'; did you mean 'clock::now'?",
            "Resource type not found: Colck::Hour; did you mean 'Clock::Hour'?",
        ],
    );
    // Names without a similar one may be declared in a module that is not present.
    warned(
        "Exce['a'] -> Elsewhere['b']  $facts['x'].eahc |$y| { }  $facts['x'].elsewhere",
        &[
            "Resource type not found: Exce; did you mean 'Exec'?",
            "Unknown function: 'eahc'; did you mean 'each'?",
        ],
    );
}
