//! Differences as lines of text, which several formats show in their own ways.

use crate::detail::{Detail, Hunk, ItemDifference};
use crate::difference::{
    AttributeDifference, Change, ContainmentDifference, Differences, Order, OrderDifference,
    ResourceDifference,
};
use crate::value::Value;
use puppetfn_catalog::Reference;

/// Values that are longer are cut.
const LONG: usize = 160;

/// Lines of texts that are longer are cut.
pub(super) const LONG_LINE: usize = 1_000;

/// How much of what two long values have in common is shown in front of what differs.
const LEAD: usize = 20;

/// A line.
pub(super) struct Row {
    /// How far in it is.
    pub depth: usize,
    /// What happened to what it is about, if that is said.
    pub change: Option<Change>,
    /// What it is.
    pub kind: RowKind,
    /// The text, on one line, without what could change a terminal.
    pub text: String,
    /// What is added to the text and less important.
    pub note: Option<String>,
}

/// What a line is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RowKind {
    /// A resource that differs.
    Resource,
    /// What several lines are about.
    Heading,
    /// An attribute, an order and the like.
    Attribute,
    /// Which lines of a text follow.
    Hunk,
    /// A line of a text.
    Line,
}

/// What is shown of differences.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    /// Whether the parameters of resources are shown that were added or removed.
    pub details: bool,
    /// How many lines are shown around those that differ.
    pub context: usize,
}

/// Returns the lines that show differences.
pub(super) fn rows(differences: &Differences, shown: Shown) -> Vec<Row> {
    let mut rows = Rows { rows: Vec::new(), shown };
    differences.resources.iter().for_each(|resource| rows.resource(resource));
    if !differences.ordering.is_empty() {
        rows.add(0, None, RowKind::Heading, "Order:".to_owned());
        differences.ordering.iter().for_each(|order| rows.order(order));
    }
    if !differences.containment.is_empty() {
        rows.add(0, None, RowKind::Heading, "Containment:".to_owned());
        differences.containment.iter().for_each(|containment| rows.containment(containment));
    }
    rows.rows
}

struct Rows {
    rows: Vec<Row>,
    shown: Shown,
}

impl Rows {
    fn add(&mut self, depth: usize, change: Option<Change>, kind: RowKind, text: String) {
        self.rows.push(Row { depth, change, kind, text, note: None });
    }

    fn resource(&mut self, resource: &ResourceDifference) {
        self.rows.push(Row {
            depth: 0,
            change: Some(resource.change),
            kind: RowKind::Resource,
            text: name(&resource.reference),
            note: resource.place().map(|place| visible(&place.to_string())),
        });
        if self.shown.details || resource.change == Change::Changed {
            resource.attributes.iter().for_each(|attribute| self.attribute(attribute));
        }
    }

    fn attribute(&mut self, attribute: &AttributeDifference) {
        let (change, path) = (Some(attribute.change()), visible(&attribute.path.shown()));
        let kind = RowKind::Attribute;
        match attribute.detail(self.shown.context) {
            Detail::Whole => {
                let values = values(attribute.old.as_ref(), attribute.new.as_ref());
                self.add(1, change, kind, format!("{path}: {values}"));
            }
            Detail::Text(hunks) => {
                self.add(1, change, kind, format!("{path}:"));
                hunks.iter().for_each(|hunk| self.hunk(hunk));
            }
            Detail::Items(items) => {
                self.add(1, change, kind, format!("{path}:"));
                items.iter().for_each(|item| self.item(item));
            }
        }
    }

    fn hunk(&mut self, hunk: &Hunk<'_>) {
        self.add(2, None, RowKind::Hunk, hunk.header());
        for line in &hunk.lines {
            let note = (!line.has_end).then(|| "no newline at the end".to_owned());
            let text = cut(&visible(line.text), 0, LONG_LINE);
            self.rows.push(Row { depth: 2, change: line.change, kind: RowKind::Line, text, note });
        }
    }

    fn item(&mut self, item: &ItemDifference) {
        let change = Change::of(item.old.as_ref(), item.new.as_ref());
        let values = values(item.old.as_ref(), item.new.as_ref());
        let text = format!("{}: {values}", visible(&item.path.to_string()));
        self.add(2, Some(change), RowKind::Attribute, text);
    }

    fn order(&mut self, order: &OrderDifference) {
        let arrow = |order| match order {
            Order::Before => "->",
            Order::Notify => "~>",
        };
        let shown = order.new.or(order.old).map(arrow).unwrap_or_default();
        let was = order.old.filter(|_| order.new.is_some()).map(arrow);
        let text = format!("{} {shown} {}", name(&order.first), name(&order.then));
        let note = was.map(|was| format!("was {was}"));
        let (change, kind) = (Some(order.change()), RowKind::Attribute);
        self.rows.push(Row { depth: 1, change, kind, text, note });
    }

    fn containment(&mut self, containment: &ContainmentDifference) {
        let text = format!("{}: {}", name(&containment.reference), moved(containment));
        self.add(1, Some(Change::Changed), RowKind::Attribute, text);
    }
}

/// Returns what a resource is called.
pub(super) fn name(reference: &Reference) -> String {
    visible(&reference.to_string())
}

/// Returns what contains a resource now, and what did.
pub(super) fn moved(containment: &ContainmentDifference) -> String {
    let names = |references: &[Reference]| references.iter().map(name).collect::<Vec<_>>().join(", ");
    let (old, new) = (names(&containment.old), names(&containment.new));
    match (containment.old.as_slice(), containment.new.as_slice()) {
        ([], _) => format!("also in {new}"),
        (_, []) => format!("no longer in {old}"),
        _ => format!("{old} -> {new}"),
    }
}

/// Returns an old and a new value on one line.
fn values(old: Option<&Value>, new: Option<&Value>) -> String {
    match (old.map(Value::to_string), new.map(Value::to_string)) {
        (Some(old), Some(new)) => {
            let (old, new) = excerpts(&old, &new, LONG);
            format!("{old} -> {new}")
        }
        (Some(only), None) | (None, Some(only)) => cut(&only, 0, LONG),
        (None, None) => String::new(),
    }
}

/// Returns what is shown of two texts that differ: where they are long, from where they begin to.
pub(super) fn excerpts(old: &str, new: &str, long: usize) -> (String, String) {
    let is_long = [old, new].into_iter().any(|text| text.chars().count() > long);
    let common = old.chars().zip(new.chars()).take_while(|(a, b)| a == b).count();
    // What differs may come late.
    let start = if is_long { common.saturating_sub(LEAD) } else { 0 };
    (cut(old, start, long), cut(new, start, long))
}

/// Returns so many characters of a text from one on, and says so if there are more.
pub(super) fn cut(text: &str, start: usize, long: usize) -> String {
    let length = text.chars().count();
    let rest: String = text.chars().skip(start).take(long).collect();
    let before = if start > 0 { "…" } else { "" };
    if length.saturating_sub(start) > long {
        return format!("{before}{rest}… ({length} characters)");
    }
    format!("{before}{rest}")
}

/// Returns a text without what could change a terminal or begin a new line.
pub(super) fn visible(text: &str) -> String {
    if !text.contains(is_hidden) {
        return text.to_owned();
    }
    let shown = |c: char| if is_hidden(c) { c.escape_debug().to_string() } else { c.to_string() };
    text.chars().map(shown).collect()
}

/// Controls, and characters that change the direction of the text around them or have no width.
fn is_hidden(c: char) -> bool {
    c.is_control() && c != '\t'
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}' | '\u{feff}')
}
