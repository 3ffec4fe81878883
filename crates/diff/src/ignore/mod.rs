//! Rules for ignored differences, as octocatalog-diff has them for `--ignore`.

mod glob;
mod parse;
mod test;

use std::io::Read;

use self::glob::Glob;
use self::test::ValueTest;
use crate::difference::{ChangeKind, ValuePath};
use crate::value::DiffValue;
use puppetfn_catalog::ReadError;
use puppetfn_catalog::{Catalog, Reference};

/// The keys at the top of a resource's path in a rule.
const TOP: [&str; 4] = ["container", "exported", "parameters", "tags"];

/// Rules for ignored differences: any of them suffices. Their syntax is octocatalog-diff's for `--ignore`.
///
/// A rule is `Type[title]`, where `*` in either stands for any characters, and an optional suffix:
///
/// | Rule | Ignores |
/// | --- | --- |
/// | `File[/tmp/*]` | The resources, with all their differences |
/// | `File[/tmp/*]+`, `-`, `+-` | Resources that were added, removed, or either |
/// | `File[/tmp/*]~` | Changed values in these resources |
/// | `File[/tmp/*]!` | Additions and removals in these resources: parameters, entries of hashes, items of arrays |
/// | `File[*]::parameters::owner` | The parameter, with its members; `::owner` is the same |
/// | `*[*]owner` | `owner`, wherever it is, in the items of arrays as well |
/// | `File[*]+::parameters::owner` | The parameter where it was added; with `-`, where it was removed |
/// | `…owner=>root` | The parameter if its value is or was this text; with `=+>` if it is, with `=->` if it was |
/// | `…content=~>REGEX` | The parameter if a line that was removed (`-line`) or added (`+line`) matches |
/// | `…content=&>REGEX` | The parameter if all these lines match |
/// | `…groups=s>=` | An array that has the same items in another order |
///
/// Case does not count, except in the texts after `=>`, `=+>` and `=->`. A file is found by its parameter `path` as
/// well.
///
/// An order is an attribute of the resource whose parameter declares it, and `container` stands for a resource's
/// containers. A sensitive value equals no text, and its line is the same whatever its content.
#[derive(Clone, Default, Debug)]
pub struct IgnoreRules(Vec<Rule>);

/// The sign for additions to a resource and removals from it.
const PARTS: char = '!';

/// A rule.
#[derive(Clone, Debug)]
struct Rule {
    type_name: Glob,
    title: Glob,
    /// The changes that the rule is limited to, if not empty: signs of [`ChangeKind::sign`], and [`PARTS`].
    signs: String,
    attribute: Option<AttributePattern>,
}

/// The attributes of a rule, with a condition.
#[derive(Clone, Debug)]
struct AttributePattern {
    /// Whether the path begins at the top of the resource.
    is_from_top: bool,
    path: Vec<Glob>,
    test: Option<ValueTest>,
}

/// A resource with the names under which rules find it.
#[derive(Clone, Copy)]
pub(crate) struct IgnoreSubject<'i> {
    pub reference: &'i Reference,
    /// The parameter `path` of a file: the title may be any other name.
    pub path: Option<&'i str>,
}

/// A difference that may be ignored.
pub(crate) struct IgnoreCandidate<'i> {
    resource: IgnoreSubject<'i>,
    change: ChangeKind,
    /// The path of the difference within a changed resource.
    path: Option<&'i ValuePath>,
    /// The number of keys that lead to the array around the difference, 0 without an array: a rule has to name more.
    array: usize,
    old: Option<&'i DiffValue>,
    new: Option<&'i DiffValue>,
}

impl<'i> IgnoreCandidate<'i> {
    /// A resource that was added or removed.
    pub(crate) fn whole(resource: IgnoreSubject<'i>, change: ChangeKind) -> Self {
        Self { resource, change, path: None, array: 0, old: None, new: None }
    }

    /// An attribute of a resource.
    pub(crate) fn part(
        resource: IgnoreSubject<'i>,
        path: &'i ValuePath,
        old: Option<&'i DiffValue>,
        new: Option<&'i DiffValue>,
    ) -> Self {
        Self { resource, change: ChangeKind::of(old, new), path: Some(path), array: 0, old, new }
    }

    /// A difference within an item of an array, `keys` steps deep. Rules for the whole array do not apply to its items.
    pub(crate) fn within_array(self, keys: usize) -> Self {
        Self { array: keys, ..self }
    }

    /// Returns the sign of the resource's change.
    fn sign(&self) -> char {
        match (self.path, self.old, self.new) {
            (None, ..) => self.change.sign(),
            // Arrays differ by items that only one array has.
            (Some(_), Some(DiffValue::Array(_)), Some(DiffValue::Array(_))) => PARTS,
            (Some(_), Some(_), Some(_)) => ChangeKind::Changed.sign(),
            (Some(_), ..) => PARTS,
        }
    }
}

impl IgnoreRules {
    /// Adds a rule.
    ///
    /// # Errors
    /// Fails if the text is not a rule. The message says which part is missing.
    pub fn add(&mut self, rule: &str) -> Result<(), ReadError> {
        self.0.push(Rule::parse(rule)?);
        Ok(())
    }

    /// Adds rules that are separated by commas, as in one argument. A comma in a title or a value is kept, unless the
    /// text after it looks like another rule.
    ///
    /// # Errors
    /// The same errors as [`IgnoreRules::add`], for the first text that is not a rule.
    pub fn add_list(&mut self, rules: &str) -> Result<(), ReadError> {
        let mut start = 0;
        for (comma, _) in rules.match_indices(',') {
            let next = comma.saturating_add(1);
            if rules.get(next..).is_some_and(parse::begins_rule) {
                self.add(rules.get(start..comma).unwrap_or_default())?;
                start = next;
            }
        }
        self.add(rules.get(start..).unwrap_or_default())
    }

    /// Adds a rule for an attribute of all resources, as octocatalog-diff has it for `--ignore-attr`: `owner` wherever it
    /// is, `parameters::owner`, or `::parameters::owner` from the top of the resource.
    ///
    /// # Errors
    /// The same errors as [`IgnoreRules::add`].
    pub fn add_attribute(&mut self, attribute: &str) -> Result<(), ReadError> {
        self.add(&format!("*[*]{attribute}"))
    }

    /// Adds the rules of a file, one on each line. Empty lines and lines that begin with `#` are skipped.
    ///
    /// # Errors
    /// The same errors as [`IgnoreRules::add`], for the first line that is not a rule.
    pub fn add_lines(&mut self, text: &str) -> Result<(), ReadError> {
        for (line, number) in text.lines().map(str::trim).zip(1usize..) {
            if !line.is_empty() && !line.starts_with('#') {
                self.add(line).map_err(|error| error.within(&format!("line {number}")))?;
            }
        }
        Ok(())
    }

    /// Adds the rules that a reader returns, as [`IgnoreRules::add_lines`] does.
    ///
    /// # Errors
    /// The same errors as [`IgnoreRules::add_lines`]. Fails too if the reader does.
    pub fn add_reader(&mut self, reader: impl Read) -> Result<(), ReadError> {
        self.add_lines(&Catalog::text_of(reader)?)
    }

    /// Returns true if there are no rules.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if a rule ignores a difference.
    pub(crate) fn ignore(&self, item: &IgnoreCandidate<'_>) -> bool {
        self.0.iter().any(|rule| rule.ignores(item))
    }
}

impl Rule {
    fn ignores(&self, item: &IgnoreCandidate<'_>) -> bool {
        let IgnoreSubject { reference, path: file } = item.resource;
        let is_titled =
            self.title.matches(reference.title()) || file.is_some_and(|path| self.title.matches(path));
        if !self.type_name.matches(reference.type_name()) || !is_titled {
            return false;
        }
        let is_about = |sign| self.signs.is_empty() || self.signs.contains(sign);
        match (&self.attribute, item.path) {
            // A parameter that was added to a resource is not an added resource.
            (None, _) => item.array == 0 && is_about(item.sign()),
            (Some(_), None) => false,
            (Some(attribute), Some(path)) => {
                is_about(item.change.sign())
                    && attribute.is_at(path, item.array)
                    && attribute.test.as_ref().is_none_or(|test| test.passes(item.old, item.new))
            }
        }
    }
}

impl AttributePattern {
    /// Returns true if the path leads to the rule's attribute or below it, through more than `least` keys.
    fn is_at(&self, path: &ValuePath, least: usize) -> bool {
        let keys: Vec<&str> = path.keys().collect();
        let is_here = |start: usize| {
            let keys = keys.get(start..).unwrap_or_default();
            let is_far = start.saturating_add(self.path.len()) > least && keys.len() >= self.path.len();
            is_far && self.path.iter().zip(keys).all(|(glob, key)| glob.matches(key))
        };
        if !self.is_from_top {
            return (0..keys.len()).any(is_here);
        }
        let names_top = self.path.first().is_some_and(|first| TOP.iter().any(|top| first.is(top)));
        // A rule may omit `parameters`.
        let may_leave_out = !names_top && keys.first().is_some_and(|first| *first == "parameters");
        is_here(0) || may_leave_out && is_here(1)
    }
}
