//! `Puppetfile`: modules that are there twice, as r10k refuses them. Its syntax is Ruby's.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::finding::Finding;
use crate::rule::Rule;
use puppetfn_base::source::Span;

pub(super) fn findings(text: &str) -> Vec<Finding> {
    static MODULE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"(?m)^[ \t]*mod[ \t(]+(?:'([^'\n]*)'|"([^"\n#]*)")"#).ok());
    let mut found = Vec::new();
    let mut known: HashMap<String, String> = HashMap::new();
    for module in MODULE.iter().flat_map(|module| module.captures_iter(text)) {
        let Some(name) = module.get(1).or_else(|| module.get(2)) else { continue };
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let span = Span::new(offset(name.start()), offset(name.end()));
        let (full, short) = (name.as_str(), name.as_str().rsplit(['/', '-']).next().unwrap_or_default());
        if short.is_empty() || !short.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            let message = format!("'{full}' is no name of a module: it is AUTHOR/MODULE");
            found.push(Finding::new(Rule::Puppetfile, message, span));
        } else if let Some(first) = known.insert(short.to_owned(), full.to_owned()) {
            let message = format!("The module '{full}' is there twice, the first time as '{first}'");
            found.push(Finding::new(Rule::Puppetfile, message, span));
        }
    }
    found
}
