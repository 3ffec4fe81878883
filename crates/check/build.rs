//! Generates the enum of the rules and their descriptions from the files in `rules/`.
//!
//! Each file is named after its rule. It begins with settings: `order` (of the list, the document and findings at one
//! place), `summary`, `severity` (`error` or `warning`), maybe `tag` (`unnecessary` or `deprecated`), which editors
//! show, and maybe `puppet-lint`, the names that puppet-lint and its plugins have for it. After an empty line comes the
//! text, and then code that breaks the rule (```` ```puppet reported ````), the same code fixed
//! (```` ```puppet fixed ````), and code that does not break it.
//!
//! Rules of style are in `rules/style/`. Their `order` continues that of the other rules, and `group: pedantic` marks
//! rules that `puppetfn lint` leaves out.
#![allow(clippy::disallowed_methods, reason = "a build script reads files of its package")]

use std::env;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

struct Rule {
    order: u32,
    name: String,
    summary: String,
    severity: String,
    tag: Option<String>,
    group: &'static str,
    puppet_lint: Vec<String>,
    text: String,
    examples: Vec<Example>,
}

struct Example {
    language: String,
    is_reported: bool,
    code: String,
    fixed: Option<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("rules");
    println!("cargo::rerun-if-changed={}", directory.display());
    let mut rules = Vec::new();
    for (directory, is_style) in [(directory.clone(), false), (directory.join("style"), true)] {
        for entry in fs::read_dir(&directory)? {
            let path = entry?.path();
            if path.is_file() {
                let rule = Rule::read(&path, is_style);
                rules.push(rule.map_err(|problem| format!("{}: {problem}", path.display()))?);
            }
        }
    }
    rules.sort_by_key(|rule| rule.order);
    if let Some(pair) = rules.windows(2).find(|pair| matches!(pair, [a, b] if a.order == b.order)) {
        let names: Vec<&str> = pair.iter().map(|rule| rule.name.as_str()).collect();
        return Err(format!("the rules {} have the same order", names.join(" and ")).into());
    }
    let out = PathBuf::from(env::var("OUT_DIR")?).join("rules.rs");
    fs::write(out, source(&rules)?)?;
    Ok(())
}

impl Rule {
    fn read(path: &Path, is_style: bool) -> Result<Self, Box<dyn Error>> {
        let name = path.file_stem().and_then(|name| name.to_str()).ok_or("not the name of a rule")?;
        let content = fs::read_to_string(path)?;
        let (settings, body) = content.split_once("\n\n").ok_or("no empty line after the settings")?;
        let setting = |name: &str| {
            let mut lines = settings.lines().filter_map(|line| line.split_once(": "));
            lines.find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
        };
        let severity = setting("severity").ok_or("no severity")?;
        let tag = setting("tag");
        if !matches!(severity.as_str(), "error" | "warning") {
            return Err(format!("no severity: {severity}").into());
        }
        if !matches!(tag.as_deref(), None | Some("unnecessary" | "deprecated")) {
            return Err(format!("no tag: {tag:?}").into());
        }
        let (text, examples) = parts(body)?;
        let group = match (is_style, setting("group").as_deref()) {
            (false, None) => "Default",
            (true, None) => "Style",
            (true, Some("pedantic")) => "Pedantic",
            (_, group) => return Err(format!("no group: {group:?}").into()),
        };
        let names = setting("puppet-lint").unwrap_or_default();
        let has = |is_reported: bool| examples.iter().any(|example| example.is_reported == is_reported);
        if !has(true) || !has(false) {
            return Err("no code that breaks the rule, or none that does not".into());
        }
        Ok(Self {
            order: setting("order").ok_or("no order")?.parse()?,
            name: name.to_owned(),
            summary: setting("summary").ok_or("no summary")?,
            severity,
            tag,
            group,
            puppet_lint: names.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            text,
            examples,
        })
    }

    /// Returns the name of its variant: `UnknownType` of `unknown-type`.
    fn variant(&self) -> String {
        let words = self.name.split('-').map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map(|first| first.to_ascii_uppercase())
                .into_iter()
                .chain(letters)
                .collect::<String>()
        });
        words.collect()
    }
}

/// Returns the text of a rule, and its examples.
fn parts(body: &str) -> Result<(String, Vec<Example>), Box<dyn Error>> {
    let mut examples: Vec<Example> = Vec::new();
    let (text, mut rest) = body.split_once("\n```").ok_or("no example")?;
    loop {
        let (head, block) = rest.split_once('\n').ok_or("an example without code")?;
        let (code, after) = block.split_once("\n```").ok_or("an example that does not end")?;
        let (language, kind) = head.split_once(' ').unwrap_or((head, ""));
        let (language, code) = (language.to_owned(), code.to_owned());
        if kind == "fixed" {
            let broken = examples.last_mut().filter(|example| example.is_reported);
            broken.ok_or("fixed code without broken code")?.fixed = Some(code);
        } else {
            examples.push(Example { language, is_reported: kind == "reported", code, fixed: None });
        }
        match after.split_once("```") {
            Some((between, next)) if between.trim().is_empty() => rest = next,
            None if after.trim().is_empty() => return Ok((text.trim().to_owned(), examples)),
            _ => return Err("text after the first example".into()),
        }
    }
}

fn source(rules: &[Rule]) -> Result<String, Box<dyn Error>> {
    let mut source = "/// A rule. Its name stays the same over versions; `rules/NAME.md` describes it.\n\
         #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]\npub enum Rule {\n"
        .to_owned();
    for rule in rules {
        writeln!(source, "/// {}.\n{},", rule.summary, rule.variant())?;
    }
    writeln!(source, "}}\n\nimpl Rule {{\n/// All rules.\npub const ALL: [Self; {}] = [", rules.len())?;
    for rule in rules {
        writeln!(source, "Self::{},", rule.variant())?;
    }
    writeln!(source, "];\n\nfn description(self) -> &'static Description {{\nmatch self {{")?;
    for rule in rules {
        let Rule { name, summary, text, group, puppet_lint, .. } = rule;
        let severity = if rule.severity == "error" { "Error" } else { "Warning" };
        let tag = match rule.tag.as_deref() {
            Some("unnecessary") => "Some(RuleTag::Unnecessary)",
            Some(_) => "Some(RuleTag::Deprecated)",
            None => "None",
        };
        writeln!(source, "Self::{} => &Description {{", rule.variant())?;
        writeln!(
            source,
            "name: {name:?}, summary: {summary:?}, severity: Severity::{severity}, tag: {tag},
            group: RuleGroup::{group}, puppet_lint: &{puppet_lint:?},"
        )?;
        writeln!(source, "text: {text:?}, examples: &[")?;
        for Example { language, is_reported, code, fixed } in &rule.examples {
            writeln!(
                source,
                "RuleExample {{ language: {language:?}, is_reported: {is_reported}, code: {code:?}, fixed: {fixed:?} }},"
            )?;
        }
        writeln!(source, "] }},")?;
    }
    source.push_str("}\n}\n}\n");
    Ok(source)
}
