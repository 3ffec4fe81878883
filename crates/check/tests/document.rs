//! `docs/check.md` and `docs/style-rules.md` show the rules as their files have them; `rake rules` writes them.
#![allow(
    clippy::disallowed_methods,
    clippy::panic_in_result_fn,
    reason = "it reads and writes a document of the repository"
)]

use std::error::Error;
use std::fmt::Write;
use std::fs;

use puppetfn_check::{Rule, RuleExample, RuleGroup};

const DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/");

/// Returns the sections of rules, with headings of a level.
fn sections(rules: impl Iterator<Item = Rule>, level: &str) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for rule in rules {
        let explanation = rule.explanation();
        write!(text, "{level} {}\n\n{}\n\n", rule.name(), explanation.text)?;
        for RuleExample { language, is_reported, code, fixed } in explanation.examples {
            let kind = if *is_reported { " reported" } else { "" };
            write!(text, "```{language}{kind}\n{code}\n```\n\n")?;
            if let Some(fixed) = fixed {
                write!(text, "```{language} fixed\n{fixed}\n```\n\n")?;
            }
        }
    }
    Ok(text)
}

/// Returns a row for each rule that puppet-lint or one of its plugins has, too.
fn table() -> Result<String, Box<dyn Error>> {
    let mut text = "| In puppet-lint | Rule | Group | `--fix` |\n| --- | --- | --- | --- |\n".to_owned();
    let mut rows: Vec<(&str, Rule)> = Vec::new();
    for rule in Rule::ALL {
        rows.extend(rule.puppet_lint_names().iter().map(|name| (*name, rule)));
    }
    rows.sort_unstable();
    for (name, rule) in rows {
        let group = match rule.group() {
            RuleGroup::Default => "default",
            RuleGroup::Style => "style",
            RuleGroup::Pedantic => "pedantic",
        };
        let link = if rule.is_style() {
            format!("{}#{}", rule.document(), rule.name())
        } else {
            format!("#{}", rule.name())
        };
        let fix = if rule.has_fix() { "yes" } else { "" };
        writeln!(text, "| `{name}` | [{}]({link}) | {group} | {fix} |", rule.name())?;
    }
    Ok(text)
}

/// Replaces the part of a document between two markers by `content`.
fn with(document: &str, after: &str, before: &str, content: &str) -> Result<String, Box<dyn Error>> {
    let start = document.find(after).ok_or_else(|| format!("nothing has {after:?}"))? + after.len();
    let rest = document.get(start..).unwrap_or_default();
    let end = start + rest.find(before).ok_or_else(|| format!("nothing has {before:?}"))?;
    let (head, tail) = (document.get(..start).unwrap_or_default(), document.get(end..).unwrap_or_default());
    Ok([head, content, tail].concat())
}

/// Compares a document with its expected text, or writes it.
fn compare(
    name: &str,
    expected: impl Fn(&str) -> Result<String, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let path = format!("{DIRECTORY}{name}");
    let document = fs::read_to_string(&path)?;
    let expected = expected(&document)?;
    if std::env::var_os("PUPPETFN_WRITE").is_some() {
        fs::write(path, expected)?;
    } else {
        assert!(document == expected, "docs/{name} is not what rules/ says: run `rake rules`");
    }
    Ok(())
}

#[test]
fn the_documents_have_the_rules() -> Result<(), Box<dyn Error>> {
    let of = |is_style: bool| Rule::ALL.into_iter().filter(move |rule| rule.is_style() == is_style);
    compare("check.md", |document| {
        let content = sections(of(false), "###")?;
        let document = with(document, "$iburst = true| -%>\n```\n\n", "## How much it finds\n", &content)?;
        with(&document, "by the names of its own rules:\n\n", "\n### Differences", &table()?)
    })?;
    compare("style-rules.md", |document| {
        let style = of(true).filter(|rule| rule.group() == RuleGroup::Style);
        let document = with(document, "\n## Style\n\n", "## Pedantic\n", &sections(style, "###")?)?;
        let pedantic = of(true).filter(|rule| rule.group() == RuleGroup::Pedantic);
        with(&(document + "\u{0}"), "or `--select all`.\n\n", "\u{0}", sections(pedantic, "###")?.trim_end())
            .map(|document| document.trim_end_matches('\u{0}').to_owned() + "\n")
    })
}
