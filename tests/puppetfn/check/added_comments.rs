//! `check --add-ignore`.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "the command changes files")]

use std::fs;

use super::command::{Files, command};
use puppetfn_cli::{FAILED, OK, USAGE};

#[test]
fn findings_are_suppressed_where_they_are() {
    let files = Files::new(
        "add-ignore",
        &[
            ("a.pp", "notice(1 + 'a')\nnotice($nosuch, \"\n${facts['osfamily']}\")\nnotice(2)\n"),
            ("b.epp", "a\n<%= 1 + 'b' %>\n"),
            ("c.pp", "notice(\n"),
        ],
    );
    let path = files.path(".");
    let (code, _, err) = command(&[&path, "--add-ignore"]);
    assert_eq!(code, FAILED, "an error of syntax stays");
    assert!(err.ends_with("note: 4 findings suppressed in 2 files\n"), "{err}");
    let read = |path: &str| fs::read_to_string(files.path(path)).unwrap();
    assert_eq!(
        read("a.pp"),
        "# puppetfn:ignore-file legacy-fact\nnotice(1 + 'a') # puppetfn:ignore arithmetic\n\
         # puppetfn:ignore unknown-variable\nnotice($nosuch, \"\n${facts['osfamily']}\")\nnotice(2)\n"
    );
    assert_eq!(read("b.epp"), "a\n<%# puppetfn:ignore arithmetic -%>\n<%= 1 + 'b' %>\n");
    assert_eq!(command(&[&files.path("a.pp"), &files.path("b.epp")]), (OK, String::new(), String::new()));
    assert_eq!(command(&["-", "--add-ignore"]).0, USAGE);
}

#[test]
fn templates_and_ruby_have_comments_too() {
    let function = "Puppet::Functions.create_function(:'app::port') do\n  dispatch :of do\n    param 'Nosuch', :a\n  end\n\n  def of(a)\n    a\n  end\nend\n";
    let files = Files::new(
        "add-ignore-others",
        &[
            ("app/manifests/init.pp", "# The application.\nclass app {\n}\n"),
            ("app/metadata.json", "{ \"name\": \"me-app\", \"version\": \"1\" }\n"),
            (
                "app/templates/a.erb",
                "<%= @osfamily %>\n<% if nosuch %>\n  b\n<% end %>\n<%\n  c = @fqdn\n%>\n",
            ),
            ("app/lib/puppet/functions/app/port.rb", function),
        ],
    );
    let path = files.path("app");
    let (_, _, err) = command(&[&path, "--add-ignore"]);
    let read = |path: &str| fs::read_to_string(files.path(path)).unwrap();
    assert_eq!(
        read("app/templates/a.erb"),
        "<%# puppetfn:ignore legacy-fact -%>\n<%= @osfamily %>\n<%# puppetfn:ignore ruby-code -%>\n<% if nosuch %>\n  b\n<% end %>\n\
         <%\n  # puppetfn:ignore legacy-fact\n  c = @fqdn\n%>\n",
        "{err}"
    );
    assert!(read("app/lib/puppet/functions/app/port.rb").contains("    # puppetfn:ignore ruby-code\n"));
    // JSON has no comments.
    assert_eq!(read("app/metadata.json"), "{ \"name\": \"me-app\", \"version\": \"1\" }\n");
    let (_, out, _) = command(&[&path, "--statistics"]);
    assert!(!out.contains("legacy-fact") && !out.contains("ruby-code") && out.contains("metadata"), "{out}");
}
