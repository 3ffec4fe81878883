//! The documentation of the rules, which is a part of `docs/check.md`.

use super::rule::Rule;

const DOCUMENTATION: &str = include_str!("../../../docs/check.md");

/// What is documented of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// What it finds, in Markdown.
    pub text: String,
    /// Code or data that breaks it, and such that does not.
    pub examples: Vec<Example>,
}

/// An example of the documentation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// The language: `puppet`, or `yaml` for data.
    pub language: &'static str,
    /// Whether the rule is broken.
    pub is_reported: bool,
    /// The code.
    pub code: &'static str,
}

impl Rule {
    /// Returns the rule of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// Returns what is documented of the rule.
    pub fn explanation(self) -> Explanation {
        let heading = format!("\n### {}\n", self.name());
        let section = DOCUMENTATION.split_once(&heading).map_or("", |(_, rest)| rest);
        let end = ["\n### ", "\n## "].into_iter().filter_map(|next| section.find(next)).min();
        let mut rest = section.get(..end.unwrap_or(section.len())).unwrap_or_default();
        let (mut text, mut examples) = (String::new(), Vec::new());
        while let Some((before, block)) = rest.split_once("\n```") {
            text.push_str(before);
            let (head, block) = block.split_once('\n').unwrap_or_default();
            let (code, after) = block.split_once("\n```").unwrap_or((block, ""));
            let (language, kind) = head.split_once(' ').unwrap_or((head, ""));
            examples.push(Example { language, is_reported: kind == "reported", code });
            rest = after;
        }
        text.push_str(rest);
        Explanation { text: text.trim().to_owned(), examples }
    }
}
