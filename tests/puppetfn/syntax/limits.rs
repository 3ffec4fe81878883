//! Code that nests deep, is long, or is cut off: an error or an answer, never a crash.
#![allow(clippy::unwrap_used, missing_docs)]

use puppetfn::error::{Error, ErrorKind};
use puppetfn::limits::Limits;
use puppetfn::syntax::validate::{ValidationRules, validate};
use puppetfn::syntax::{self, Mode};

/// Everything that is done with code, once for each way of reading it.
fn read(code: &str) -> Result<(), Error> {
    for (tasks, template) in [(false, false), (true, false), (false, true)] {
        let program = syntax::parse_with(code, Mode { tasks, template }, &Limits::DEFAULT)?;
        validate(&program, ValidationRules { tasks, ..ValidationRules::default() }, Limits::DEFAULT);
        syntax::to_pn(&program, true);
    }
    Ok(())
}

#[test]
fn deep_nesting_is_an_error() {
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("[", "", "]"),
        ("{a => ", "1", "}"),
        ("f(", "", ")"),
        ("$x.f(", "", ")"),
        ("A[", "1", "]"),
        ("- ", "1", ""),
        ("! ", "1", ""),
        ("!", "1", ""),
        ("-", "1", ""),
        ("*", "$a", ""),
        ("1 + (", "1", ")"),
        ("$a = ", "1", ""),
        ("if true { ", "", " }"),
        ("unless true { ", "", " }"),
        ("if (", "true", ") { }"),
        ("case 1 { 1: { ", "", " } }"),
        ("1 ? { 1 => ", "1", " }"),
        ("f() |$x| { ", "", " }"),
        ("f() |$x = ", "1", "| { }"),
        ("class a { ", "", " }"),
        ("function a() { ", "", " }"),
        ("node a { ", "", " }"),
        ("@", "f { a: }", ""),
        ("f { 'a': b => (", "1", ") }"),
        ("A <| a == (", "1", ") |>"),
        ("type A = { a => ", "1", " }"),
        ("\"${", "1", "}\""),
        ("\"${'a'} $x ${", "1", "}\""),
        ("\"${f(", "1", ")}\""),
    ] {
        let code = open.repeat(100_000) + inner + &close.repeat(100_000);
        let error = syntax::parse(&code, &Limits::DEFAULT).map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Limit, "{open} {error}");
        for depth in [1, 10, 100, 200] {
            let code = open.repeat(depth) + inner + &close.repeat(depth);
            let _ = read(&code);
            // Frames are several times larger here than where the code is optimized.
            if depth <= 100
                && let Ok(program) = syntax::parse(&code, &Limits::DEFAULT)
            {
                syntax::to_json(&program, None);
            }
        }
    }
}

#[test]
fn long_chains_are_an_error() {
    for (start, link) in [
        ("1", " + 1"),
        ("$x", ".f"),
        ("$x", "[1]"),
        ("f", "(1)"),
        ("A", " -> B"),
        ("1", " ? 1 => 2"),
        ("f", " { a: }"),
        ("A", " <| |>"),
        ("if $a { }", " elsif $b { }"),
    ] {
        let code = start.to_owned() + &link.repeat(100_000);
        let error = syntax::parse(&code, &Limits::DEFAULT).map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Limit, "{link} {error}");
    }
}

#[test]
fn long_code_that_does_not_nest_is_read() {
    for part in [
        "notice 1, 'a'\n",
        "if $a { } elsif $b { } else { }\n",
        "file { 'a': b => 1, c +> $d, * => e; 'f': }\n",
        "@(\"E\"/L)\n  a ${b} \\\n  | E\n",
        "$x = \"a${b}c$d[1] ${e.f} \\u{1F600}\"\n",
        "/* a */ # b\n",
        "class a { class b { } } ",
    ] {
        let code = part.repeat(20_000);
        syntax::parse(&code, &Limits::DEFAULT).unwrap();
    }
}

#[test]
fn what_is_not_closed_is_an_error() {
    for part in [
        "\"",
        "'",
        "/",
        "/*",
        "$",
        "@",
        "@(",
        "@(E)\n",
        "::",
        "a::",
        "A::",
        "$a::",
        "|",
        "<|",
        "<<|",
        "{",
        "(",
        "[",
        "\"${",
        "\"$a",
        "1 ? {",
        "case 1 {",
        "type A {",
        "type A { attr x {",
        "function f(",
        "class a {",
        "<%",
        "<%=",
        "f() |",
        "0x",
        "1.",
        "1e",
        "\"\\u{",
        "]",
        "}",
        ")",
    ] {
        for code in [part.to_owned(), part.repeat(1_001)] {
            let _ = read(&code);
            for mode in [Mode::default(), Mode { tasks: true, template: true }] {
                let found = syntax::check(&code, mode, None, &Limits::DEFAULT);
                found.iter().for_each(|found| drop(syntax::explain(&code, mode, found)));
            }
        }
    }
}

#[test]
fn huge_numbers_are_answered() {
    for code in
        ["1".repeat(100_000), "0x".to_owned() + &"f".repeat(100_000), "1.".to_owned() + &"1".repeat(100_000)]
    {
        let _ = read(&code);
    }
    let huge = "1e".to_owned() + &"9".repeat(100_000);
    assert!(syntax::parse(&huge, &Limits::DEFAULT).is_err());
}

#[test]
fn no_code_takes_more_than_linear_time() {
    // Each of these would take minutes if it did.
    for code in [
        " ".repeat(300_000) + &"f() ".repeat(100_000),
        "f -".to_owned() + &"-a".repeat(300_000),
        "$x = a".to_owned() + &"-".repeat(300_000),
        "f ".to_owned() + &"@(E) ".repeat(50_000) + "\n" + &"E\n".repeat(50_000),
        "\"".to_owned() + &"$ ".repeat(300_000) + "\"",
        "\"".to_owned() + &"${a /**/ }".repeat(100_000) + "\"",
        "f { a: ".to_owned() + &"b /**/ => c, ".repeat(100_000) + "}",
    ] {
        let _ = read(&code);
    }
    let long = format!("class {} {{ {} }}", "a".repeat(100_000), "class b { }".repeat(100_000));
    let error = syntax::parse(&long, &Limits::DEFAULT).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Limit);
}

#[test]
fn code_may_end_anywhere() {
    let code = "class a::b (Array[Integer, 1] $c = [1, 2.5e3], *$d) inherits e {\n  \
        include f, \"g${h[0].i |$j| { k => $j }}l$m::n\"\n  $o = @(\"P\":json/tL) ? { /q\\/r/ => s, default => -1 }\n    \
        {\"t\": ${u}}\n    |- P\n  if !$v == 0x1F { fail('w') } elsif w in x { } else { unless y { } }\n  \
        case z { a, 'b': { @@file { ['c', \"d\"]: e => f, * => {} ; default: } } }\n  \
        File <<| g == h and (i != j) |>> { k +> l } -> M['n'] { o => undef } ~> P::Q[r]\n  \
        type S = Variant[T, { u => v }]\n}\nnode /w/, x.y-z { }\n<%= $a -%> b <%# c %> %%> <%% <%- $d %> é";
    let ends = code.char_indices().map(|(at, _)| at);
    for end in ends {
        let _ = read(code.get(..end).unwrap());
        let _ = read(code.get(end..).unwrap());
    }
}
