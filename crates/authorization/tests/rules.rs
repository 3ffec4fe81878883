//! Rules and requests, with the decisions of puppetserver's authorization.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may take the short way")]

use std::collections::HashMap;

use puppetfn_authorization::{AuthorizationRequest, AuthorizationRules, ClientIdentity};

fn client(name: &str) -> ClientIdentity {
    ClientIdentity { name: name.to_owned(), ..ClientIdentity::default() }
}

fn decision(rules: &AuthorizationRules, client: Option<&ClientIdentity>, method: &str, path: &str) -> String {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let query: Vec<(String, String)> =
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let request = AuthorizationRequest { method, path, query: &query, client, address: "10.0.0.9" };
    rules.authorize(&request).map_or_else(|denial| denial.message, |()| "allowed".to_owned())
}

fn parse(rules: &str) -> Result<AuthorizationRules, String> {
    let oid_names = HashMap::from([("1.3.6.1.4.1.34380.1.1.13".to_owned(), "pp_role".to_owned())]);
    let text = format!("authorization: {{ version: 1, rules: [ {rules} ] }}");
    AuthorizationRules::parse(&text, &oid_names).map_err(|error| error.to_string())
}

fn rule(path: &str, access: &str) -> String {
    format!("{{ match-request: {{ path: \"{path}\", type: regex }}, {access}, sort-order: 1, name: a }}")
}

/// Returns the names that an entry of `allow` admits.
fn admitted<'n>(entry: &str, path: &str, names: &[&'n str]) -> Vec<&'n str> {
    let rules = parse(&rule("^/x/([^/]*)$", &format!("allow: {entry}"))).unwrap();
    let allowed = |name: &&&str| decision(&rules, Some(&client(name)), "get", path) == "allowed";
    names.iter().filter(allowed).copied().collect()
}

#[test]
fn puppetserver_lets_nodes_have_what_is_theirs() {
    let rules = AuthorizationRules::puppetserver_defaults();
    let web = client("web1.example.com");
    let mut command = client("puppet.example.com");
    command.extensions.insert("pp_cli_auth".to_owned(), "true".to_owned());
    let own = "/puppet/v3/catalog/web1.example.com";
    let cases = [
        (Some(&web), "get", own, true),
        (Some(&web), "post", own, true),
        (Some(&web), "put", own, false),
        (None, "get", own, false),
        (Some(&command), "get", own, false),
        (Some(&web), "get", "/puppet/v3/catalog/web2.example.com", false),
        (Some(&web), "get", "/puppet/v3/catalog/web1.example.com/x", false),
        (Some(&web), "get", "/puppet/v3/catalog/*", false),
        (Some(&web), "get", "/puppet/v3/catalog/*.example.com", false),
        (Some(&web), "get", "/puppet/v3/node/web1.example.com", true),
        (Some(&web), "put", "/puppet/v3/report/web1.example.com", true),
        (Some(&web), "put", "/puppet/v3/report/web2.example.com", false),
        (Some(&web), "put", "/puppet/v3/facts/web1.example.com", true),
        (Some(&web), "get", "/puppet/v3/facts/web1.example.com", false),
        (Some(&web), "get", "/puppet/v3/file_metadata/modules/a/b", true),
        (Some(&web), "get", "/puppet/v3/file_metadatas/plugins", true),
        (Some(&web), "get", "/puppet/v3/file_content/modules/a/b", true),
        (None, "get", "/puppet/v3/file_content/modules/a/b", false),
        (Some(&web), "delete", "/puppet/v3/file_bucket_file/md5/0", false),
        (Some(&web), "get", "/puppet/v3/environments", true),
        (Some(&web), "get", "/puppet/v3/environment_classes", false),
        (Some(&web), "delete", "/puppet-admin-api/v1/environment-cache", false),
        (Some(&web), "post", "/puppet/v4/catalog", false),
        (None, "get", "/status/v1/simple", true),
        (None, "get", "/puppet-ca/v1/certificate/ca", true),
        (None, "put", "/puppet-ca/v1/certificate_request/new.example.com", true),
        (None, "post", "/puppet-ca/v1/certificate_renewal", false),
        (Some(&web), "post", "/puppet-ca/v1/certificate_renewal", true),
        (Some(&web), "put", "/puppet-ca/v1/certificate_status/web2.example.com", false),
        (Some(&command), "put", "/puppet-ca/v1/certificate_status/web2.example.com", true),
        (Some(&command), "post", "/puppet-ca/v1/sign/all", true),
        (Some(&web), "get", "/metrics", false),
    ];
    for (client, method, path, allowed) in cases {
        let denied =
            format!("Forbidden request: {path} (method :{method}). Please see the server logs for details.");
        let expected = if allowed { "allowed" } else { &denied };
        assert_eq!(decision(&rules, client, method, path), expected, "{client:?}");
    }
    // Each of them compiles.
    assert_eq!(format!("{rules:?}").matches("AuthorizationRule {").count(), 25);
}

#[test]
fn names_are_compared_as_they_are_documented() {
    let names = [
        "web1.example.com",
        "WEB1.Example.com",
        "x.web1.example.com",
        "example.com",
        "com",
        "web1",
        "WEB1",
        "a@b",
    ];
    let of_domain = ["web1.example.com", "WEB1.Example.com"];
    let cases = [
        ("\"*\"", &names[..]),
        // Puppetserver admits the names of which one is the end of the other, too.
        ("web1.example.com", &of_domain),
        ("Web1.Example.com", &of_domain),
        ("\"*.example.com\"", &names[..3]),
        ("web1", &["web1", "WEB1"]),
        // As in puppetserver, capital letters match nothing without points.
        ("WEB1", &[]),
        ("\"a@b\"", &["a@b"]),
        ("\"/^web\\\\d/\"", &["web1.example.com", "web1"]),
        ("\"/(?i)^web\\\\d(?=\\\\.)/\"", &of_domain),
        ("[web1, {certname: com}, \"a@b\"]", &["com", "web1", "WEB1", "a@b"]),
        ("[]", &[]),
    ];
    for (entry, expected) in cases {
        assert_eq!(admitted(entry, "/x/y", &names), expected, "{entry}");
    }
}

#[test]
fn captures_of_the_path_are_names_and_nothing_else() {
    let names = ["web1.example.com", "web1", "x"];
    let cases = [
        ("\"$1\"", "/x/web1.example.com", vec!["web1.example.com"]),
        ("\"$1\"", "/x/WEB1.EXAMPLE.COM", vec!["web1.example.com"]),
        ("\"$1\"", "/x/WEB1", vec![]),
        ("\"$1.example.com\"", "/x/web1", vec!["web1.example.com"]),
        ("\"$1\"", "/x/*", vec![]),
        ("\"$1\"", "/x/*.example.com", vec![]),
        ("\"$1\"", "/x/$1", vec![]),
        ("\"$1\"", "/x/", vec![]),
        // Puppetserver fails for a name that is none, whatever follows.
        ("[\"$1\", \"*\"]", "/x/a b", vec![]),
        ("[\"*\", \"$1\"]", "/x/a b", names.to_vec()),
    ];
    for (entry, path, expected) in cases {
        assert_eq!(admitted(entry, path, &names), expected, "{entry} {path}");
    }
    let denies = parse(&rule("^/x/(.*)$", "allow: \"*\", deny: \"$1\"")).unwrap();
    let passes = |path: &str| decision(&denies, Some(&client("web1.example.com")), "get", path) == "allowed";
    assert_eq!(
        ["/x/other", "/x/web1.example.com", "/x/*", "/x/a b", "/x/example.com"].map(passes),
        [true, false, false, false, false]
    );
}

#[test]
fn deny_comes_first_and_refuses_all_that_puppetserver_refuses() {
    let rules = parse(&rule("x", "allow: \"*\", deny: [web1.example.com, {extensions: {pp_env: bad, \"1.3.6.1.4.1.34380.1.1.13\": [a, b]}}]")).unwrap();
    let mut cases = Vec::new();
    for name in ["db.example.org", "web1.example.com", "x.web1.example.com", "example.com"] {
        cases.push(decision(&rules, Some(&client(name)), "get", "/x") == "allowed");
    }
    for extensions in [
        vec![("pp_env", "bad")],
        vec![("pp_env", "bad"), ("pp_role", "b")],
        vec![("pp_env", "bad"), ("pp_role", "c")],
    ] {
        let extensions =
            extensions.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let client = ClientIdentity { extensions, ..client("db.example.org") };
        cases.push(decision(&rules, Some(&client), "get", "/x") == "allowed");
    }
    assert_eq!(cases, [true, false, false, false, true, false, true]);
}

#[test]
fn alternative_names_are_names_of_the_client() {
    let names = |kind: &str, name: &str| HashMap::from([(kind.to_owned(), vec![name.to_owned()])]);
    let admits = |entry: &str, kind: &str, name: &str| {
        let client = ClientIdentity { alternative_names: names(kind, name), ..client("a.example.com") };
        decision(&parse(&rule("x", &format!("allow: {entry}"))).unwrap(), Some(&client), "get", "/x")
            == "allowed"
    };
    let required = "{extensions: {subject-alt-name: {dns-name: [b, c], ip: \"10.0.0.1\"}}}";
    assert!(admits("b.example.com", "dns-name", "b.example.com"));
    assert!(!admits("b.example.com", "ip", "b.example.com"));
    assert!(admits(required, "dns-name", "c"));
    assert!(admits(required, "ip", "10.0.0.1"));
    assert!(!admits(required, "ip", "10.0.0.2"));
}

#[test]
fn the_first_rule_that_matches_decides() {
    let rules = r#"
        { match-request: { path: "/a", type: path, method: [GET, put] }, deny: x, sort-order: 5, name: last }
        // Neither the name nor the certificate is asked for.
        { match-request: { path: "/a/open", type: path }, allow-unauthenticated: true, sort-order: 2, name: b }
        { match-request { path: "/a/open/never", type: "path" }, deny: "*", sort-order = 2, name: a }
        { match-request: { path: "^/a/(\\w+)$", type: regex, query-params: { p: [x, y], q: z } }, allow: "*", sort-order: 1, name: query },
    "#;
    let rules = parse(rules).unwrap();
    let web = client("web");
    let denied = |method: &str, path: &str| {
        format!("Forbidden request: {path} (method :{method}). Please see the server logs for details.")
    };
    let cases = [
        (None, "get", "/a/open", "allowed".to_owned()),
        (Some(&web), "get", "/a/open/never", denied("get", "/a/open/never")),
        (Some(&web), "get", "/a/b?p=y&q=z", "allowed".to_owned()),
        (Some(&web), "get", "/a/b?p=y&p=w&q=z&r=1", "allowed".to_owned()),
        (Some(&web), "put", "/a/b?p=y", denied("put", "/a/b")),
        (None, "get", "/a/b?p=y&q=z", denied("get", "/a/b")),
        (Some(&client("")), "get", "/a/b?p=y&q=z", denied("get", "/a/b")),
        (Some(&web), "delete", "/a/b", "global deny all - no rules matched".to_owned()),
        (Some(&web), "get", "/", "global deny all - no rules matched".to_owned()),
    ];
    for (client, method, path, expected) in cases {
        assert_eq!(decision(&rules, client, method, path), expected, "{method} {path}");
    }
    let request = AuthorizationRequest {
        method: "get",
        path: "/a",
        query: &[],
        client: Some(&web),
        address: "10.0.0.9",
    };
    assert_eq!(
        rules.authorize(&request).unwrap_err().log,
        "Forbidden request: web(10.0.0.9) access to /a (method :get) (authenticated: true) denied by rule 'last'."
    );
}

#[test]
fn an_expression_that_takes_too_long_denies() {
    let rules = parse(&rule("^/x/(?:a(?=a|$)|a(?=a|$))*b", "allow-unauthenticated: true")).unwrap();
    let path = format!("/x/{}", "a".repeat(5_000));
    assert_ne!(decision(&rules, None, "get", &path), "allowed");
    let rules = parse(&rule("x", "allow: \"*\", deny: \"/^(?:a(?=a|$)|a(?=a|$))*b/\"")).unwrap();
    assert_ne!(decision(&rules, Some(&client(&"a".repeat(5_000))), "get", "/x"), "allowed");
}

#[test]
fn invalid_rules_are_refused_with_the_reason() {
    let with = |access: &str| parse(&rule("x", access)).unwrap_err();
    let starting = |text: &str, expected: &str| assert!(text.contains(expected), "{text}");
    starting(
        &with("allow: \"$1\""),
        "back reference '$1' which refers to a capture group in the regex that doesn't exist",
    );
    starting(
        &with("allow-unauthenticated: true, allow: x"),
        "cannot have allow or deny if allow-unauthenticated",
    );
    starting(&with("allow-unauthenticated: \"true\""), "allow-unauthenticated that is not a boolean");
    starting(&with("x: y"), "must contain either a 'deny' or 'allow' rule");
    starting(&with("allow: \"a b\""), "invalid domain value: a b");
    starting(&with("allow: \"/(/\""), "The regular expression '(' is invalid");
    starting(&with("allow: 5"), "expected string or map");
    starting(
        &with("allow: {extensions: {pp_role: \"5\"}}"),
        "extensions key should map an extension to a value",
    );
    starting(
        &with("deny: {rbac: {permission: \"a:b:c\"}}"),
        "RBAC permissions cannot be used to deny access",
    );
    let requests = [
        ("path: a", "does not contain a 'type' key"),
        ("type: path", "does not contain a 'path' key"),
        ("path: a, type: glob", "should be set to either 'path' or 'regex'"),
        ("path: \"(\", type: regex", "has an invalid path"),
        ("path: a, type: path, method: patch", "has an invalid method"),
        ("path: a, type: path, query-params: {a: \"1\"}", "query-param 'a' that is not a string"),
    ];
    for (request, expected) in requests {
        let text = format!("{{ match-request: {{ {request} }}, allow: x, sort-order: 1, name: n }}");
        starting(&parse(&text).unwrap_err(), expected);
    }
    let twice = rule("x", "allow: x");
    starting(&parse(&format!("{twice}, {twice}")).unwrap_err(), "Duplicate rules named 'a'");
    starting(
        &parse("{ match-request: { path: a, type: path }, allow: x, sort-order: 1000, name: n }")
            .unwrap_err(),
        "a number from 1 to 999",
    );
    let documents = [
        ("", "Missing authorization service configuration."),
        ("authorization: 5", "is not a map"),
        ("authorization: { version: 2, rules: [] }", "Supported versions are: 1"),
        ("authorization: { version: 1, rules: x }", "rules is not a list"),
        (
            "authorization: { version: 1, rules: [], allow-header-cert-info: 1 }",
            "allow-header-cert-info is not a boolean",
        ),
        ("authorization: {", ""),
        ("authorization: { version: 1, rules: ${missing} }", "missing"),
    ];
    for (text, expected) in documents {
        starting(&AuthorizationRules::parse(text, &HashMap::new()).unwrap_err().to_string(), expected);
    }
    let deep = format!("authorization: {}", "{a:".repeat(100_000));
    assert!(AuthorizationRules::parse(&deep, &HashMap::new()).is_err());
}

#[test]
fn headers_are_trusted_where_the_file_says_so() {
    let text = "authorization: { version: 1, allow-header-cert-info: true, rules: [] }";
    assert!(AuthorizationRules::parse(text, &HashMap::new()).unwrap().trusts_headers());
    assert!(!AuthorizationRules::puppetserver_defaults().trusts_headers());
}
