//! Values of attributes that Puppet's own types refuse, with the messages of Puppet 8.11.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may take the short way")]

use puppetfn::diagnostic::Severity;

use super::command::check;

/// Returns the messages of the errors in code.
fn errors(code: &str) -> Vec<String> {
    let found = check(code).into_iter().filter(|finding| finding.severity == Severity::Error);
    found.map(|finding| finding.message).collect()
}

#[test]
fn values_that_types_refuse_have_the_message_of_puppet() {
    let path = "is not qualified and no path was specified. Please qualify the command or specify a path.";
    let one_of = "You cannot specify more than one of content, source, target";
    for (code, message) in [
        ("exec { 'ls': }", format!("Validation of Exec[ls] failed: 'ls' {path}")),
        ("exec { 'x': command => 'ls -l' }", format!("Validation of Exec[x] failed: 'ls' {path}")),
        ("exec { 'x': command => ['ls', '-l'] }", format!("Validation of Exec[x] failed: 'ls' {path}")),
        ("exec { 'ls': path => undef }", format!("Validation of Exec[ls] failed: 'ls' {path}")),
        (
            "exec { '/bin/a': unless => 'test -f x' }",
            format!("Parameter unless failed on Exec[/bin/a]: 'test' {path}"),
        ),
        (
            "exec { '/bin/a': onlyif => [['test', 'x'], '/bin/b'] }",
            format!("Parameter onlyif failed on Exec[/bin/a]: 'test' {path}"),
        ),
        (
            "exec { '/bin/c': cwd => 'rel' }",
            "Parameter cwd failed on Exec[/bin/c]: cwd must be a fully qualified path".to_owned(),
        ),
        (
            "exec { '/bin/c': cwd => ['/a'] }",
            "Parameter cwd failed on Exec[/bin/c]: cwd only accepts a single path, not an array of paths".to_owned(),
        ),
        (
            "exec { '/bin/c': creates => ['/a', 'b'] }",
            "Parameter creates failed on Exec[/bin/c]: creates must be a fully qualified path".to_owned(),
        ),
        (
            "exec { '/bin/c': timeout => 'long' }",
            "Parameter timeout failed on Exec[/bin/c]: Munging failed for value \"long\" in class timeout: The timeout must be a number."
                .to_owned(),
        ),
        (
            "exec { '/bin/c': tries => 'x' }",
            "Parameter tries failed on Exec[/bin/c]: Munging failed for value \"x\" in class tries: Tries must be an integer"
                .to_owned(),
        ),
        (
            "exec { '/bin/c': tries => 0 }",
            "Parameter tries failed on Exec[/bin/c]: Munging failed for value 0 in class tries: Tries must be an integer >= 1"
                .to_owned(),
        ),
        (
            "exec { '/bin/c': umask => 'z' }",
            "Parameter umask failed on Exec[/bin/c]: The umask specification is invalid: \"z\"".to_owned(),
        ),
        (
            "exec { '/bin/c': environment => ['A=b', 'x'] }",
            "Parameter environment failed on Exec[/bin/c]: Invalid environment setting 'x'".to_owned(),
        ),
        (
            "file { 'rel': ensure => file }",
            "Parameter path failed on File[rel]: File paths must be fully qualified, not 'rel'".to_owned(),
        ),
        (
            "file { '/a': mode => '0999' }",
            "Parameter mode failed on File[/a]: The file mode specification is invalid: \"0999\"".to_owned(),
        ),
        (
            "file { '/a': recurse => 'maybe' }",
            "Parameter recurse failed on File[/a]: Invalid recurse value \"maybe\"".to_owned(),
        ),
        (
            "file { '/a': source => 'rel' }",
            "Parameter source failed on File[/a]: Cannot use relative URLs 'rel'".to_owned(),
        ),
        (
            "file { '/a': content => '', source => '/b' }",
            format!("Validation of File[/a] failed: {one_of}"),
        ),
        (
            "file { '/a': ensure => link, source => '/b', target => '/c' }",
            format!("Validation of File[/a] failed: {one_of}"),
        ),
        (
            "notify { 'a': loglevel => 'loud' }",
            "Parameter loglevel failed on Notify[a]: Invalid value \"loud\". Valid values are debug, info, notice, warning, err, alert, emerg, crit, verbose."
                .to_owned(),
        ),
        (
            "define a() { } a { 'z': noop => 'maybe' }",
            "Parameter noop failed on A[z]: Invalid value \"maybe\". Valid values are true, false.".to_owned(),
        ),
        (
            "class b { } class { 'b': noop => 'maybe' }",
            "Parameter noop failed on Class[B]: Invalid value \"maybe\". Valid values are true, false.".to_owned(),
        ),
        (
            "schedule { 'a': range => 'x' }",
            "Parameter range failed on Schedule[a]: Invalid range value 'x'".to_owned(),
        ),
        (
            "package { 'p': provider => nosuch }",
            "Parameter provider failed on Package[p]: Invalid package provider 'nosuch'".to_owned(),
        ),
        (
            "notify { 'm': before => 5 }",
            "No title provided and \"5\" is not a valid resource reference".to_owned(),
        ),
        (
            "notify { 'm': require => \"File['/a']\" }",
            "Could not find resource 'File['/a']' in parameter 'require'".to_owned(),
        ),
    ] {
        assert_eq!(errors(code), [message], "{code}");
    }
}

#[test]
fn values_that_types_accept_are_no_errors() {
    for code in [
        "exec { 'ls': path => '/bin' }",
        "exec { 'exit 0': provider => shell }",
        "exec { 'ls': * => $facts['exec'] }",
        "Exec { path => '/bin' } exec { 'ls': }",
        "exec { 'ls': } Exec <| |> { path => '/bin' }",
        "@exec { 'ls': }",
        "exec { 'x': command => $facts['command'] }",
        "exec { '/bin/a': timeout => '0x1A', tries => '3', try_sleep => 1.5, umask => '022' }",
        "exec { 'C:/a/b.exe c': cwd => 'C:\\a', creates => '//host/share' }",
        "exec { '\"/usr/local bin/a\" x': }",
        "file { '/a': content => undef, source => '/b' }",
        "file { '/a': content => $facts['a'], source => $facts['b'] }",
        "file { ['/a', '/b/', 'C:/c']: source => ['puppet:///x/y', 'http://a/b', '/c'] }",
        "file { '/a': mode => 'u=rw,go=r', recurse => remote, source => '/b' }",
        "notify { 'a': loglevel => verbose, noop => true }",
        "notify { 'a': loglevel => $facts['level'] }",
        "notify { 'a': require => [File['/a'], undef] }",
        "notify { 'a': require => 'File[/a]' }",
        "package { 'a': provider => 'puppet_gem' }",
        "service { 'a': enable => mask }",
    ] {
        assert_eq!(errors(code), [""; 0], "{code}");
    }
}

#[test]
fn values_that_some_providers_ignore_are_warnings() {
    for code in ["service { 'a': enable => 'q' }", "user { 'u': password_max_age => 'q' }"] {
        let found = check(code);
        assert!(errors(code).is_empty() && found.len() == 1, "{code}: {found:?}");
    }
}
