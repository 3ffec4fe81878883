//! Formatting: preserved text, refused code, and the edits for editors.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use puppetfn::error::ErrorKind;
use puppetfn::fmt::{
    ArrowAlignment, FormatOptions, RangeEdit, changes, edits, edits_within, format, on_type,
};
use puppetfn::limits::Limits;

fn formatted(text: &str) -> String {
    format(text).unwrap()
}

/// Applies changes from the last to the first.
fn applied(text: &str, edits: &[RangeEdit]) -> String {
    let mut applied = text.to_owned();
    edits.iter().rev().for_each(|edit| applied.replace_range(edit.range.clone(), &edit.text));
    applied
}

#[test]
fn line_ends_stay_what_they_are() {
    assert_eq!(
        formatted("if $a {\r\n$b=1 # c\r\n/* d \r\n e*/\r\n}"),
        "if $a {\r\n  $b = 1 # c\r\n  /* d\r\n e*/\r\n}\r\n"
    );
    assert_eq!(formatted("$a = @(E)\r\n b\r\n E\r\n$c=1"), "$a = @(E)\r\n b\r\n E\r\n$c = 1\r\n");
    assert_eq!(formatted("$a = 'b\r\n  c'\r\n"), "$a = 'b\r\n  c'\r\n");
    assert_eq!(formatted("\r\n$a\n\r\n"), "$a\n");
    assert_eq!(formatted("$a\n$b\r\n"), "$a\r\n$b\r\n");
}

#[test]
fn a_text_ends_with_one_line_break() {
    assert_eq!(formatted(""), "");
    assert_eq!(formatted(" \n\t\n"), "");
    assert_eq!(formatted("$a"), "$a\n");
    assert_eq!(formatted("$a # b\n\n\n"), "$a # b\n");
    assert_eq!(formatted("$a = @(E)\nb\nE"), "$a = @(E)\nb\nE\n");
}

#[test]
fn spaces_stay_where_they_mean_something() {
    for text in [
        "$a [1]\n",
        "notice [1]\n",
        "$a[1]\n",
        "$a.b\n[1]\n",
        "$a = 1 .b\n",
        "foo(1)\n(2)\n",
        "$a - 1\n",
        "$a -> $b\n",
        "'a' 'b'\n",
        "node a.1.b {}\n",
    ] {
        assert_eq!(formatted(text), text);
    }
}

#[test]
fn what_stands_between_keeps_its_meaning() {
    for (text, result) in [
        // A bracket after a space is no access, and the lines below a heredoc's tag are its text.
        ("$x = a/**/[1]", "$x = a /**/[1]\n"),
        ("File<||>['a']", "File <| |>['a']\n"),
        ("$x = a /**/ [1]", "$x = a /**/ [1]\n"),
        ("if @(A)\na\nA\n{/*\n*/}", "if @(A)\na\nA\n{ /*\n*/ }\n"),
        ("A ~> *\n$b", "A ~> *\n  $b\n"),
        // Alignment applies to the final lines.
        ("$a=1\n$bcd=1\n  $ef  =[\n1]\n$ghi =1", "$a = 1\n$bcd = 1\n$ef = [\n  1,\n]\n$ghi = 1\n"),
    ] {
        assert_eq!(formatted(text), result);
        assert_eq!(formatted(result), result);
    }
}

/// Texts in which puppet-lint with the plugins of Vox Pupuli finds nothing, though none is in the normal form.
const OPEN_LAYOUTS: [&str; 11] = [
    "if ($a) {\n  include a\n}\nelse {\n  include b\n}\n",
    "if($a) {\n  include a\n}\n",
    "if ( $a ) {\n  include a\n}\n",
    "if ! $a {\n  include a\n}\n",
    "class a (\n  $b = 1\n) {\n}\n",
    "File<| title == 'a'|> -> Service <| |>\n",
    "class a (\n  Enum['b','c'] $d,\n) {\n}\n",
    "$a = ['b','c']\n",
    "type A = Struct[{\n  'b' => Integer,\n  'c' => Integer\n}]\n",
    "# Two spaces break this line.  \nclass a {\n}\n",
    "$a = $b ? {\n  1 => 2,\n  default => 3,\n}\n",
];

#[test]
fn a_file_in_a_layout_that_the_style_guide_leaves_open_stays() {
    for text in OPEN_LAYOUTS {
        assert_eq!(formatted(text), text);
        assert_eq!(changes(text).unwrap(), [], "{text}");
        // Another defect makes the whole file normal.
        let with_defect = format!("{text}$zz=1 \n");
        let normal = formatted(&with_defect);
        assert!(!normal.starts_with(text), "{normal}");
        assert_eq!(formatted(&normal), normal);
    }
}

#[test]
fn columns_stay_where_the_author_put_them() {
    for (text, result) in [
        ("$a    = 1\n$bc   = 2\n\n$defgh =  3\n", "$a    = 1\n$bc   = 2\n\n$defgh = 3\n"),
        ("define a(\n  $b    = 1,\n  $cd   = 2,\n) {}\n", "define a (\n  $b    = 1,\n  $cd   = 2,\n) {}\n"),
        ("$a     = 1\n$bcd   = 2\n$e =  3\n", "$a     = 1\n$bcd   = 2\n$e     = 3\n"),
        ("$a   = 1\n$b   = 2\n$cde     =  3\n", "$a   = 1\n$b   = 2\n$cde = 3\n"),
        ("$a   = 1\n$b   = 2\n$cdef      =  3\n", "$a   = 1\n$b   = 2\n$cdef = 3\n"),
        ("$a    =  1\n", "$a = 1\n"),
        ("$a =  1   # one\n$bc =  2  # two\n", "$a = 1   # one\n$bc = 2  # two\n"),
    ] {
        assert_eq!(formatted(text), result);
        assert_eq!(formatted(result), result);
    }
}

#[test]
fn other_layouts_do_not_stay() {
    for (text, result) in [
        ("if $a{\n}\n", "if $a {\n}\n"),
        ("$a =1\n$b= 2\n$c=3\n", "$a = 1\n$b = 2\n$c = 3\n"),
        ("file { 'a':\n  b => 1\n}\n", "file { 'a':\n  b => 1,\n}\n"),
        ("$a = ['b', 'c','d']\n", "$a = ['b', 'c', 'd']\n"),
        ("$a = 1\n$bcd = 2\n$e   = 3\n", "$a   = 1\n$bcd = 2\n$e   = 3\n"),
        ("$a = 1 \n", "$a = 1\n"),
        ("$a = 1\n\n", "$a = 1\n"),
    ] {
        assert_eq!(formatted(text), result);
    }
}

#[test]
fn a_byte_order_mark_is_removed() {
    let text = "\u{feff}$a=1\n$b = 2\n";
    assert_eq!(formatted(text), "$a = 1\n$b = 2\n");
    assert_eq!(applied(text, &edits_of(text)), formatted(text));
    assert_eq!(applied("\u{feff}$b = 2\n", &edits_of("\u{feff}$b = 2\n")), "$b = 2\n");
}

#[test]
fn arrows_between_resources_lead_the_line_behind_comments() {
    for (text, result) in [
        ("A['a'] -> # b\nB['c']\n", "A['a'] # b\n-> B['c']\n"),
        ("A['a'] ->\n# b\nB['c']\n", "A['a']\n# b\n-> B['c']\n"),
        ("A['a']\n->\n# b\nB['c']\n", "A['a']\n# b\n-> B['c']\n"),
        ("A['a'] ->\n\n# b\nB['c'] ~> /* d */\nB['e']\n", "A['a']\n\n# b\n-> B['c'] /* d */\n~> B['e']\n"),
    ] {
        assert_eq!(formatted(text), result);
        assert_eq!(applied(text, &edits_of(text)), result);
        assert_eq!(formatted(result), result);
    }
}

#[test]
fn a_project_has_its_own_indentation_and_arrows() {
    let text = "file { 'a':\n  b => 1,\n\n  cd => [\n    1,\n  ],\n  e => 2,\n}\n";
    let with = |options: FormatOptions| options.format(text, &Limits::DEFAULT).unwrap();
    let default = FormatOptions::default();
    assert_eq!(
        with(FormatOptions { indent: 4, ..default }),
        "file { 'a':\n    b  => 1,\n\n    cd => [\n        1,\n    ],\n    e  => 2,\n}\n"
    );
    let paragraphs = FormatOptions { arrow_alignment: ArrowAlignment::Paragraph, ..default };
    assert_eq!(with(paragraphs), "file { 'a':\n  b => 1,\n\n  cd => [\n    1,\n  ],\n  e  => 2,\n}\n");
    let off = FormatOptions { arrow_alignment: ArrowAlignment::Off, ..default };
    assert_eq!(off.format(&with(default), &Limits::DEFAULT).unwrap(), text);
    assert_eq!(with(off), text);
}

#[test]
fn lists_on_lines_that_are_too_long_are_broken() {
    let options = FormatOptions { line_width: Some(30), ..FormatOptions::default() };
    let broken = |text: &str| {
        let once = options.format(text, &Limits::DEFAULT).unwrap();
        assert_eq!(options.format(&once, &Limits::DEFAULT).unwrap(), once);
        once
    };
    assert_eq!(broken("$a = ['bbbbbb', 'cccccc', 'd']\n"), "$a = ['bbbbbb', 'cccccc', 'd']\n");
    assert_eq!(broken("$a = ['bbbbbb', 'cccccc', 'dd']\n"), "$a = [\n  'bbbbbb',\n  'cccccc',\n  'dd',\n]\n");
    assert_eq!(
        broken("file { '/a': ensure => file, owner => 'root' }\n"),
        "file { '/a':\n  ensure => file,\n  owner  => 'root',\n}\n"
    );
    assert_eq!(
        broken("class a ($bbbbbb, $cccccc = { 'd' => 'eeee' }) {}\n"),
        "class a (\n  $bbbbbb,\n  $cccccc = { 'd' => 'eeee' },\n) {}\n"
    );
    assert_eq!(broken("$a = 'there is no list on this line'\n"), "$a = 'there is no list on this line'\n");
}

#[test]
fn what_is_no_manifest_is_an_error() {
    let error = |text: &str| format(text).unwrap_err();
    assert_eq!(error("if {").to_string(), "Syntax error at end of input");
    assert_eq!(error("plan a() { 1 + }").to_string(), "Syntax error at '}' (line: 1, column: 16)");
    assert_eq!(*error(&"[".repeat(10_000)).kind(), ErrorKind::Limit);
    assert_eq!(
        error("f(@(E), 'a\nb')\nE\n").to_string(),
        "Cannot be formatted: this begins on the line of a heredoc and continues after the heredoc's text \
         (line: 1, column: 9)"
    );
    assert_eq!(formatted("plan a(){apply($b){include c}}"), "plan a () { apply($b) { include c } }\n");
}

#[test]
fn texts_that_would_grow_without_end_are_refused() {
    let limits = Limits { text: 100_000, ..Limits::DEFAULT };
    let deep = format!("{}{}{}", "[\n".repeat(200), "1,\n".repeat(1_000), "]".repeat(200));
    assert_eq!(*FormatOptions::default().format(&deep, &limits).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn edits_are_of_the_lines_that_change() {
    let text = "# a\n\n\n\n$b=1\n$c = 2\nif $d {\n$e = 3\n  $f = 4 }\n$g = @(E)\n  h\n  E\n$i=5";
    let edits = edits(text).unwrap();
    assert_eq!(applied(text, &edits), formatted(text));
    let changes: Vec<(&str, &str)> =
        edits.iter().map(|edit| (&text[edit.range.clone()], &*edit.text)).collect();
    assert_eq!(
        changes,
        [
            ("\n\n", ""),
            ("$b=1\n", "$b = 1\n"),
            ("$e = 3\n", "  $e = 3\n"),
            ("  $f = 4 }\n", "  $f = 4\n}\n"),
            ("$i=5", "$i = 5\n"),
        ]
    );
    assert_eq!(edits_of("$b = 1\n"), []);
}

fn edits_of(text: &str) -> Vec<RangeEdit> {
    edits(text).unwrap()
}

#[test]
fn edits_within_a_range_are_those_of_its_lines() {
    let text = "$a=1\n$b=2\n$c=3\n";
    let within = |range| applied(text, &edits_within(text, range).unwrap());
    assert_eq!(within(6..7), "$a=1\n$b = 2\n$c=3\n");
    assert_eq!(within(0..7), "$a = 1\n$b = 2\n$c=3\n");
    assert_eq!(within(0..text.len()), formatted(text));
    assert_eq!(within(0..0), "$a = 1\n$b=2\n$c=3\n");
}

/// Returns a text after a character is typed at the `|` in it.
fn typed(text: &str, typed: char) -> String {
    let offset = text.find('|').unwrap();
    let text = text.replacen('|', "", 1);
    applied(&text, &on_type(&text, offset, typed).unwrap())
}

#[test]
fn lines_are_indented_as_they_are_typed() {
    assert_eq!(typed("class a {\n|", '\n'), "class a {\n  ");
    assert_eq!(typed("class a {\n  if $b {\n|\n", '\n'), "class a {\n  if $b {\n    \n");
    assert_eq!(typed("class a {\n  if $b {\n    $c\n    }|", '}'), "class a {\n  if $b {\n    $c\n  }");
    assert_eq!(typed("file { '/a':\n|", '\n'), "file { '/a':\n  ");
    assert_eq!(typed("file {\n  '/a':\n|", '\n'), "file {\n  '/a':\n    ");
    assert_eq!(typed("file {\n  '/a':\n    b => 1;\n|", '\n'), "file {\n  '/a':\n    b => 1;\n  ");
    assert_eq!(typed("case $a {\n  1: {\n    $b\n  }\n|", '\n'), "case $a {\n  1: {\n    $b\n  }\n  ");
    assert_eq!(typed("$a = [\n  1,\n|]", '\n'), "$a = [\n  1,\n]");
    assert_eq!(typed("$a = $b +\n|", '\n'), "$a = $b +\n  ");
    assert_eq!(typed("if $a\n  and $b {\n|", '\n'), "if $a\n  and $b {\n  ");
    assert_eq!(typed("class a {\r\n|\r\n", '\n'), "class a {\r\n  \r\n");
}

#[test]
fn nothing_is_typed_into_strings() {
    for text in
        ["$a = 'b\n|c'", "$a = 'b\n|", "$a = @(E)\n  b\n| E\n", "/* a\n|*/", "class a {\n  $b }|", "a|"]
    {
        let typed_by = if text.contains('}') { '}' } else { '\n' };
        assert_eq!(typed(text, typed_by), text.replacen('|', "", 1));
    }
}
