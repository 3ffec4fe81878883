//! Rules for what is ignored, as octocatalog-diff has them for `--ignore`.

mod glob;
mod parse;
mod test;

use std::io::Read;

use self::glob::Glob;
use self::test::Test;
use crate::difference::{Change, Path};
use crate::value::Value;
use puppetfn_catalog::ReadError as Error;
use puppetfn_catalog::{Catalog, Reference};

/// What is at the top of resources, where rules name the way to a parameter.
const TOP: [&str; 4] = ["container", "exported", "parameters", "tags"];

/// What is ignored: what any of these rules ignores. Their syntax is that of octocatalog-diff for `--ignore`.
///
/// A rule is `Type[title]`, where `*` in either stands for any characters, and what may follow:
///
/// | Rule | Ignores |
/// | --- | --- |
/// | `File[/tmp/*]` | The resources, whatever differs |
/// | `File[/tmp/*]+`, `-`, `+-` | Resources that were added, removed, or either |
/// | `File[/tmp/*]~` | What is in these resources and has another value |
/// | `File[/tmp/*]!` | What was added to these resources or removed from them: parameters, entries of hashes, items of arrays |
/// | `File[*]::parameters::owner` | The parameter, and what is in it; `::owner` is the same |
/// | `*[*]owner` | `owner`, wherever it is, in the items of arrays as well |
/// | `File[*]+::parameters::owner` | The parameter where it was added; with `-`, where it was removed |
/// | `…owner=>root` | The parameter if its value is or was this text; with `=+>` if it is, with `=->` if it was |
/// | `…content=~>REGEX` | The parameter if a line that was removed (`-line`) or added (`+line`) matches |
/// | `…content=&>REGEX` | The parameter if all these lines match |
/// | `…groups=s>=` | An array that has the same items in another order |
///
/// No case is heeded, except in the texts after `=>`, `=+>` and `=->`. A file is found by its parameter `path` as well.
///
/// What comes before what is an attribute of the resource whose parameter says it, and `container` is what contains a resource.
/// A value that is sensitive is no text, and its line is the same whatever it is.
#[derive(Clone, Default, Debug)]
pub struct Rules(Vec<Rule>);

/// The sign of resources that something was added to or removed from.
const PARTS: char = '!';

/// A rule.
#[derive(Clone, Debug)]
struct Rule {
    type_name: Glob,
    title: Glob,
    /// What it is only about, if any are there: those of [`Change::sign`], and [`PARTS`].
    signs: String,
    attribute: Option<Attribute>,
}

/// Which attributes a rule is about, and when.
#[derive(Clone, Debug)]
struct Attribute {
    /// Whether the path begins at the top of the resource.
    is_from_top: bool,
    path: Vec<Glob>,
    test: Option<Test>,
}

/// A resource, by what rules may call it.
#[derive(Clone, Copy)]
pub(crate) struct Named<'i> {
    pub reference: &'i Reference,
    /// The parameter `path` of a file: the title may be any other name.
    pub path: Option<&'i str>,
}

/// A difference that may be ignored.
pub(crate) struct Item<'i> {
    resource: Named<'i>,
    change: Change,
    /// Where it is in a resource that was changed.
    path: Option<&'i Path>,
    /// How many keys lead to the array that it is in, none if it is in no array: a rule has to name more.
    array: usize,
    old: Option<&'i Value>,
    new: Option<&'i Value>,
}

impl<'i> Item<'i> {
    /// A resource that was added or removed.
    pub(crate) fn whole(resource: Named<'i>, change: Change) -> Self {
        Self { resource, change, path: None, array: 0, old: None, new: None }
    }

    /// An attribute of a resource.
    pub(crate) fn part(
        resource: Named<'i>,
        path: &'i Path,
        old: Option<&'i Value>,
        new: Option<&'i Value>,
    ) -> Self {
        Self { resource, change: Change::of(old, new), path: Some(path), array: 0, old, new }
    }

    /// What is in an item of an array that so many keys lead to. What is said of the array is not said of its items.
    pub(crate) fn within_array(self, keys: usize) -> Self {
        Self { array: keys, ..self }
    }

    /// Returns the sign of what happened to the resource.
    fn sign(&self) -> char {
        match (self.path, self.old, self.new) {
            (None, ..) => self.change.sign(),
            // Arrays differ by items that only one of them has.
            (Some(_), Some(Value::Array(_)), Some(Value::Array(_))) => PARTS,
            (Some(_), Some(_), Some(_)) => Change::Changed.sign(),
            (Some(_), ..) => PARTS,
        }
    }
}

impl Rules {
    /// Adds a rule.
    ///
    /// # Errors
    /// What is expected of a rule and is not there.
    pub fn add(&mut self, rule: &str) -> Result<(), Error> {
        self.0.push(Rule::parse(rule)?);
        Ok(())
    }

    /// Adds rules with commas between them, as one argument has them. A comma in a title or a value stays one, unless it looks
    /// as if another rule followed.
    ///
    /// # Errors
    /// The same errors as [`Rules::add`], for the first line that is not a rule.
    pub fn add_list(&mut self, rules: &str) -> Result<(), Error> {
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
    /// The same errors as [`Rules::add`].
    pub fn add_attribute(&mut self, attribute: &str) -> Result<(), Error> {
        self.add(&format!("*[*]{attribute}"))
    }

    /// Adds those of a file: one on each line. Empty lines and those that begin with `#` are left out.
    ///
    /// # Errors
    /// The first line that is no rule, and what was expected.
    pub fn add_lines(&mut self, text: &str) -> Result<(), Error> {
        for (line, number) in text.lines().map(str::trim).zip(1usize..) {
            if !line.is_empty() && !line.starts_with('#') {
                self.add(line).map_err(|error| error.within(&format!("line {number}")))?;
            }
        }
        Ok(())
    }

    /// Adds those that a reader has: as [`Rules::add_lines`].
    ///
    /// # Errors
    /// The same errors as [`Rules::add_lines`]. Fails too if the reader does.
    pub fn add_reader(&mut self, reader: impl Read) -> Result<(), Error> {
        self.add_lines(&Catalog::text_of(reader)?)
    }

    /// Returns true if there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if a rule ignores a difference.
    pub(crate) fn ignore(&self, item: &Item<'_>) -> bool {
        self.0.iter().any(|rule| rule.ignores(item))
    }
}

impl Rule {
    fn ignores(&self, item: &Item<'_>) -> bool {
        let Named { reference, path: file } = item.resource;
        let is_titled =
            self.title.matches(reference.title()) || file.is_some_and(|path| self.title.matches(path));
        if !self.type_name.matches(reference.type_name()) || !is_titled {
            return false;
        }
        let is_about = |sign| self.signs.is_empty() || self.signs.contains(sign);
        match (&self.attribute, item.path) {
            // What was added to a resource is not one that was added.
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

impl Attribute {
    /// Returns true if the path leads to an attribute, or to what is in it, further than so many keys.
    fn is_at(&self, path: &Path, least: usize) -> bool {
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
        // A rule may leave out that parameters are meant.
        let may_leave_out = !names_top && keys.first().is_some_and(|first| *first == "parameters");
        is_here(0) || may_leave_out && is_here(1)
    }
}
