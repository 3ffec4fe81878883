//! `docs/check.md` shows the rules as their files have them; `rake rules` writes it.
#![allow(
    clippy::disallowed_methods,
    clippy::panic_in_result_fn,
    reason = "it reads and writes a document of the repository"
)]

use std::error::Error;
use std::fmt::Write;
use std::fs;

use puppetfn_check::{Rule, RuleExample};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/check.md");

/// Returns the sections of all rules.
fn sections() -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for rule in Rule::ALL {
        let explanation = rule.explanation();
        write!(text, "### {}\n\n{}\n\n", rule.name(), explanation.text)?;
        for RuleExample { language, is_reported, code } in explanation.examples {
            let kind = if *is_reported { " reported" } else { "" };
            write!(text, "```{language}{kind}\n{code}\n```\n\n")?;
        }
    }
    Ok(text)
}

#[test]
fn the_document_has_the_rules() -> Result<(), Box<dyn Error>> {
    let document = fs::read_to_string(DOCUMENT)?;
    let start = document.find("\n### syntax\n").ok_or("no first rule")? + 1;
    let end = document.find("\n## How much it finds\n").ok_or("no section after the rules")? + 1;
    let (before, after) =
        (document.get(..start).unwrap_or_default(), document.get(end..).unwrap_or_default());
    let expected = [before, &sections()?, after].concat();
    if std::env::var_os("PUPPETFN_WRITE").is_some() {
        fs::write(DOCUMENT, expected)?;
    } else {
        assert!(document == expected, "docs/check.md is not what rules/ says: run `rake rules`");
    }
    Ok(())
}
