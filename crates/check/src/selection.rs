//! The rules that are applied.

use std::collections::BTreeSet;

use puppetfn_fmt::FormatOptions;

use super::rule::{Rule, RuleGroup};

/// The rules whose findings are reported. The default is all rules except rules of style.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    rules: BTreeSet<Rule>,
    /// Whether paths are relative to a module of unknown name.
    is_relative: bool,
    /// The layout that rules of layout compare with.
    layout: FormatOptions,
}

impl Default for Selection {
    fn default() -> Self {
        let rules = Rule::ALL.into_iter().filter(|rule| !rule.is_style()).collect();
        Self { rules, ..Self::nothing() }
    }
}

impl Selection {
    /// Returns the selection of no rules, to which some are added.
    pub fn nothing() -> Self {
        Self { rules: BTreeSet::new(), is_relative: false, layout: FormatOptions::default() }
    }

    /// Returns the rules that a name selects: `all`, `default`, `style`, or the name of a rule, ours or in puppet-lint.
    ///
    /// ```
    /// use puppetfn::check::{Rule, Selection};
    ///
    /// assert_eq!(Selection::named("arithmetic"), [Rule::Arithmetic]);
    /// assert_eq!(Selection::named("file_mode"), [Rule::FileMode]);
    /// assert!(Selection::named("style").contains(&Rule::FileMode));
    /// ```
    pub fn named(name: &str) -> Vec<Rule> {
        let of = |wanted: &[RuleGroup]| {
            Rule::ALL.into_iter().filter(|rule| wanted.contains(&rule.group())).collect()
        };
        match name {
            "all" => Rule::ALL.to_vec(),
            "default" => of(&[RuleGroup::Default]),
            "style" => of(&[RuleGroup::Style]),
            _ => Rule::known_as(name).into_iter().collect(),
        }
    }

    /// Adds rules.
    pub fn add(&mut self, rules: impl IntoIterator<Item = Rule>) {
        self.rules.extend(rules);
    }

    /// Removes rules.
    pub fn remove(&mut self, rules: impl IntoIterator<Item = Rule>) {
        rules.into_iter().for_each(|rule| _ = self.rules.remove(&rule));
    }

    /// Sets whether a module's directory may have any name, as with puppet-lint's `--relative`.
    #[must_use]
    pub fn relative(self, is_relative: bool) -> Self {
        Self { is_relative, ..self }
    }

    /// Returns true if classes may be in a module directory of any name.
    pub fn is_relative(&self) -> bool {
        self.is_relative
    }

    /// Sets the layout that rules of layout compare with.
    #[must_use]
    pub fn with_layout(self, layout: FormatOptions) -> Self {
        Self { layout, ..self }
    }

    /// Returns the layout that rules of layout compare with.
    pub fn layout(&self) -> FormatOptions {
        self.layout
    }

    /// Returns true if a rule is applied. That a text is not Puppet is always reported.
    pub fn has(&self, rule: Rule) -> bool {
        self.rules.contains(&rule) || matches!(rule, Rule::Syntax | Rule::DataSyntax)
    }

    /// Returns true if a rule of style is applied.
    pub fn has_style(&self) -> bool {
        self.rules.iter().any(|rule| rule.is_style())
    }
}
