//! Comments that suppress findings.
#![allow(missing_docs)]

use super::command::check;
use puppetfn::check::{TextOrigin, World};
use puppetfn::limits::Limits;
use puppetfn::loader::{Loader, StdFileSystem};
use puppetfn::source::LineIndex;
use puppetfn::syntax::{Mode, Tree};

/// Returns the lines and rules of the findings.
fn found(text: &str) -> Vec<(u32, &'static str)> {
    let lines = LineIndex::new(text);
    check(text).iter().map(|found| (lines.position(text, found.span.start).0, found.rule.name())).collect()
}

#[test]
fn lines_blocks_and_texts_can_be_left_out() {
    for (text, expected) in [
        ("$a = 1 + 'a' # puppetfn:ignore arithmetic\n$b = 1 + 'a'", vec![(2, "arithmetic")]),
        ("# puppetfn:ignore arithmetic\n\n# why\n$a = 1 + 'a'\n$b = 1 + 'a'", vec![(5, "arithmetic")]),
        ("# puppetfn:ignore arithmetic -- acess\n$a = [1 + 'a', 2['b']]", vec![(2, "access")]),
        ("# puppetfn:ignore arithmetic, access\n$a = [1 + 'a', 2['b']]", vec![]),
        (
            "# puppetfn:ignore-begin arithmetic\n$a = 1 + 'a'\n$b = 2['b']\n# puppetfn:ignore-end\n$c = 1 + 'a'",
            vec![(3, "access"), (5, "arithmetic")],
        ),
        ("$a = 1 + 'a'\n$b = 1 + 'a' # puppetfn:ignore-file arithmetic", vec![]),
        ("class a { # puppetfn:ignore syntax", vec![]),
        ("class a { # puppetfn:ignore access", vec![(1, "syntax"), (1, "needless-ignore")]),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn comments_that_are_not_needed_are_reported() {
    let needless = "needless-ignore";
    for (text, expected) in [
        ("$a = 1 # puppetfn:ignore arithmetic", vec![(1, needless)]),
        ("# puppetfn:ignore arithmetic\n$a = 1\n$b = 1 + 'a'", vec![(1, needless), (3, "arithmetic")]),
        ("$a = 1 + 'a' # puppetfn:ignore arithmetic, access", vec![(1, needless)]),
        ("$a = 1 # puppetfn:ignore nosuch", vec![(1, needless)]),
        ("$a = 1 # puppetfn:ignore", vec![(1, needless)]),
        ("# puppetfn:ignore-begin access\n$a = 1\n# puppetfn:ignore-end access", vec![(1, needless)]),
        ("# puppetfn:ignore-begin arithmetic\n$a = 1 + 'a'", vec![(1, needless)]),
        ("# puppetfn:ignore-end\n$a = 1", vec![(1, needless)]),
        ("# puppetfn:ignore-file access\n$a = 1", vec![(1, needless)]),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
    let messages: Vec<_> =
        check("$a = 1 # puppetfn:ignore acess, access").into_iter().map(|found| found.message).collect();
    assert_eq!(
        messages,
        [
            "There is no rule 'acess'; did you mean 'access'?",
            "`access` finds nothing here: remove the comment"
        ]
    );
}

#[test]
fn what_looks_like_a_comment_in_a_text_is_none() {
    for text in [
        "$a = '# puppetfn:ignore access'",
        "$a = \"${1}# puppetfn:ignore access\"",
        "$a = @(END)\n# puppetfn:ignore access\n| END\n",
        "[1].each |$x| { $a = '# puppetfn:ignore access' }",
        "$a = 1 # puppetfn:ignored",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn templates_have_such_comments_too() {
    let loader = Loader::new(std::sync::Arc::new(StdFileSystem::DEFAULT), Vec::new(), None, Limits::DEFAULT);
    let world = World::new(std::sync::Arc::new(loader), Limits::DEFAULT);
    let found = |text: &str| {
        let mode = Mode { template: true, ..Mode::default() };
        let found = world.check(&Tree::recover(text, None, mode, &Limits::DEFAULT), &TextOrigin::default());
        found.into_iter().map(|found| found.rule.name()).collect::<Vec<_>>()
    };
    assert_eq!(found("<%# puppetfn:ignore arithmetic -%>\n<%= 1 + 'a' %>"), [""; 0]);
    assert_eq!(found("<%= 1 + 'a' %><%# puppetfn:ignore arithmetic %>\n"), [""; 0]);
    assert_eq!(found("<%# puppetfn:ignore access %>\n<%= 1 + 'a' %>"), ["needless-ignore", "arithmetic"]);
    assert_eq!(found("# puppetfn:ignore arithmetic\n<%= 1 + 'a' %>"), ["arithmetic"]);
}
