//! Code that Puppet 8.11 certainly refuses to compile or apply, and similar code that it accepts.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may take the short way")]

use puppetfn::diagnostic::Severity;

use super::command::check;

/// Returns the messages of the errors in the body of a class.
fn errors(code: &str) -> Vec<String> {
    let found = check(&format!("class app(String $x = 'a', $any = undef) {{ {code} }}")).into_iter();
    found.filter(|finding| finding.severity == Severity::Error).map(|finding| finding.message).collect()
}

#[test]
fn code_that_always_fails_has_an_error() {
    for (code, part) in [
        ("file { '/a': audit => 'contnt' }", "Cannot audit contnt: not a valid attribute for File[/a]"),
        ("file { '/a': backup => 5 }", "Parameter backup failed on File[/a]: Invalid backup type 5"),
        ("file { '/a': ignore => 5 }", "Ignore must be a string or an Array"),
        ("file { '/a': source => 'ftp://a/b' }", "Cannot use URLs of type 'ftp' as source for fileserving"),
        (
            "file { '/a': checksum => none, content => 'x' }",
            "You cannot specify content when using checksum 'none'",
        ),
        (
            "file { '/a': checksum => none, source => '/x' }",
            "You cannot specify source when using checksum 'none'",
        ),
        ("file { '/a': recurse => remote }", "You cannot specify a remote recursion without a source"),
        ("schedule { 'a': weekday => 'Mondey' }", "Mondey is not a valid day of the week"),
        ("schedule { 'a': weekday => ['Mon', 7] }", "7 is not a valid day of the week"),
        ("schedule { 'a': range => '22 - 24:30' }", "Invalid hour '24'"),
        ("schedule { 'a': range => '2:60 - 3' }", "Invalid minute '60'"),
        ("tidy { '/a': age => '1x' }", "Invalid age unit 'x'"),
        ("tidy { '/a': size => '1p' }", "Invalid size unit 'p'"),
        (
            "tidy { '/a': age => '1d', matches => '*' }",
            "Tidy can't use matches with recurse 0, false, or undef",
        ),
        ("tidy { '/a': age => '1d', recurse => 'deep' }", "Invalid recurse value \"deep\""),
        ("user { 'a': expiry => '1.2.2030' }", "Expiry dates must be YYYY-MM-DD or the string \"absent\""),
        ("user { 'a': purge_ssh_keys => 'keys' }", "Paths to keyfiles must be absolute, not keys"),
        ("resources { 'exec': purge => true }", "Purging is only supported on types that accept 'ensure'"),
        ("resources { 'user': unless_uid => 'root' }", "invalid value for Integer(): \"root\""),
        ("File['/nosuch'] { mode => '0600' }", "Could not find resource(s) File[/nosuch] for overriding"),
        (
            "file { '/a': mode => '0644' } File['/a/'] { mode => '0600' }",
            "Parameter 'mode' is already set on File[/a]",
        ),
        ("notify { 'a': require => Notify['a'] }", "Dependency cycle: Notify[a] comes before Notify[a]"),
        ("notify { 'a': } -> notify { 'b': before => Notify['a'] }", "Dependency cycle"),
        ("notify { 'a': } -> notify { 'b': } -> Notify['a']", "Dependency cycle"),
        (
            "notify { 'a': require => File }",
            "No title provided and \"File[]\" is not a valid resource reference",
        ),
        ("File['/a'] -> 'x'", "The expression: 'x' is not a valid resource reference"),
        ("File['/a'] -> undef", "Illegal relationship operand"),
        ("[File['/a'], 5] -> File['/b']", "Illegal relationship operand"),
        ("$r = /(/", "Invalid regular expression"),
        ("Class <| title == 'a' |>", "Classes cannot be collected"),
        (
            "notify { default: message => 'a'; default: noop => true; 'b': }",
            "The title 'default' has already been used",
        ),
        (
            "notify { 'a': message => 'x', * => {'message' => 'y'} }",
            "The attribute 'message' has already been set",
        ),
        (
            "notify { 'a': * => {'message' => 'y'}, message => 'x' }",
            "The attribute 'message' has already been set",
        ),
        ("notify { 'a': * => 'x' }", "Expected value of type Hash, got String"),
        ("include('a b')", "Could not find class a b"),
        ("import('x.pp')", "Use of 'import' has been discontinued"),
        ("$t = inline_epp('<% if true { %>')", "inline_epp(): Invalid EPP"),
        ("$t = generate('ls')", "Generators must be fully qualified"),
        ("$t = assert_type('Integer[', 5)", "Syntax error at end of input"),
        ("$t = call('nosuch_function')", "Unknown function: 'nosuch_function'"),
        ("$t = epp('nosuch.epp')", "Could not find template 'nosuch.epp'"),
        ("$t = file('nosuch')", "Could not find any files from nosuch"),
        ("$t = lookup('x', {'merge' => 'nosuch'})", "nosuch"),
        ("$t = lookup('x', String, 'first', 5)", "Default value has wrong type"),
        ("$t = with(1) |$a, $b| { $a }", "Parameter $b is required but no value was given"),
        ("$t = [1].map |$a = 1, $b| { $a }", "Parameter $b is required but appears after optional"),
        ("$t = [1].map |Nosuchtype $a| { $a }", "unresolved type 'Nosuchtype'"),
        ("realize('x')", "No title provided and \"x\" is not a valid resource reference"),
        ("create_resources('file', 'x')", "second argument must be a hash"),
        ("create_resources('file', {'/a' => 'x'})", "must be a Hash"),
        ("return(1, 2)", "expects at most 1 argument, got 2"),
        (
            "service { 'a': name => 'x' } service { 'b': name => 'x' }",
            r#"Cannot alias Service[b] to ["x"]; resource ["Service", "x"] already declared"#,
        ),
        ("user { 'a': name => 'x' } user { 'x': }", "Duplicate declaration: User[x]"),
        ("file { '/a': } file { 'b': path => '/a/' }", "Cannot alias File[b]"),
        ("notify { 'a': alias => ['b', 'c'] } notify { 'c': }", "Duplicate declaration: Notify[c]"),
        ("package { 'a': name => 'x' } package { 'x': }", "Cannot alias Package[x]"),
        ("package { 'a': name => 'x' } package { 'b': name => 'x' }", "Cannot alias Package[b]"),
        ("$t = abs('x')", "abs(): Requires float or integer"),
        ("$t = ceiling('1x')", "cannot convert given value to a floating point value"),
        ("$t = getvar('a b')", "does not start with a valid variable name"),
        ("$t = fqdn_rand('x')", "is no positive number"),
        (
            "$t = Class[5]",
            "Illegal Class name in class reference. An Integer cannot be used where a String is expected",
        ),
        ("create_resources('file', {'a/b' => {}})", "File paths must be fully qualified, not 'a/b'"),
        ("$module_name = 'x'", "Cannot reassign variable '$module_name'"),
    ] {
        let found = errors(code);
        assert!(found.iter().any(|message| message.contains(part)), "{code}: {found:?}");
    }
}

#[test]
fn similar_code_that_may_work_has_none() {
    for code in [
        "file { '/a': audit => ['content', 'all'] }",
        "file { '/a': backup => ['.bak'], ignore => false, checksum => none, source => $any }",
        "file { ['/a', \"/${x}\"]: } File['/b'] { mode => '0600' }",
        "file { 'a': path => '/a' } File['/a'] { mode => '0600' }",
        "file { '/a': mode => $any } File['/a'] { mode => '0600' }",
        "create_resources('file', {'/a' => {}}) File['/a'] { mode => '0600' }",
        "if $any { file { '/a': mode => '0600' } } else { file { '/a': } } File['/a'] { mode => '0600' }",
        "[1].each |$one| { file { '/a': } } File['/a'] { mode => '0600' }",
        "@user { 'a': } User['a'] { uid => 5 }",
        "schedule { 'a': weekday => ['mon', 'Tuesday', 'Wednesday', 3, '4'], range => ['2 - 4', '22:30 - 4:15'] }",
        "tidy { '/a': age => '1week', size => '5MB', recurse => '2', matches => '*' }",
        "user { 'a': expiry => '2030-01-31', purge_ssh_keys => ['/a', '%h/b'] }",
        "resources { ['user', 'file']: purge => true, unless_uid => ['5', 6] }",
        "notify { 'a': before => Notify['b'] } notify { 'b': require => Notify['a'] }",
        "if $any { notify { 'a': before => Notify['b'] } } else { notify { 'a': require => Notify['b'] } } notify { 'b': }",
        "File['/a'] -> [File['/b'], 'File[/c]'] -> $any",
        "notify { 'a': * => $any } notify { 'b': message => 'x', * => {'noop' => true} }",
        "realize(User['a'], 'User[b]', $any)",
        "$t = [inline_epp('<%= 1 %>'), generate('/bin/ls'), lookup('x', {'merge' => 'hash'}), file('/a')]",
        "$t = with(1) |$a, $b = 2| { $a }",
        "package { 'x': provider => gem } package { 'b': name => 'x' }",
        "package { 'a': name => 'x' } package { 'x': provider => $any }",
        "exec { 'a': command => '/bin/a' } exec { 'b': command => '/bin/a' }",
        "notify { 'a': alias => 'a' } class { 'app': alias => 'a' }",
        "if $any { user { 'a': name => 'x' } } else { user { 'x': } }",
        "file { '/a': } file { '/b': path => $any }",
        "$t = [getvar('::a.b'), getvar('a::b'), fqdn_rand('5'), fqdn_rand(5), abs('1.5'), ceiling(1.0e20)]",
    ] {
        assert_eq!(errors(code), Vec::<String>::new(), "{code}");
    }
}
