//! Differences as lines of text, which several formats style in their own ways.

use crate::detail::{Hunk, ValueDetail};
use crate::difference::{
    AttributeDifference, ChangeKind, ContainmentDifference, CycleDifference, Differences, OrderDifference,
    OrderKind, ResourceDifference,
};
use crate::items::{ArrayDetail, ItemDifference};
use crate::value::DiffValue;
use puppetfn_catalog::Reference;

/// The length at which values are cut.
const LONG: usize = 160;

/// The length at which lines of texts are cut.
pub(super) const LONG_LINE: usize = 1_000;

/// The length of the common text before the difference of two long values.
const LEAD: usize = 20;

/// Arrays that differ in the order of their elements alone.
pub(super) const ONLY_ORDER: &str = "the same elements in another order";

/// Arrays whose common elements are in another order.
pub(super) const OTHER_ORDER: &str = "the other elements are in another order";

/// A line.
pub(super) struct ReportRow {
    /// The depth of indentation.
    pub depth: usize,
    /// The change that the line shows, if any.
    pub change: Option<ChangeKind>,
    /// The kind of the line.
    pub kind: RowKind,
    /// The text, on one line, without characters that could change a terminal.
    pub text: String,
    /// A less important note after the text.
    pub note: Option<String>,
}

/// The kind of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RowKind {
    /// A resource that differs.
    Resource,
    /// The heading of several lines.
    Heading,
    /// An attribute, an order or a container.
    Attribute,
    /// The header of a hunk.
    Hunk,
    /// A line of a text.
    Line,
}

/// Options for the lines.
#[derive(Clone, Copy)]
pub(super) struct RowOptions {
    /// Whether the parameters of added and removed resources are shown.
    pub details: bool,
    /// The number of context lines around changed lines.
    pub context: usize,
}

/// Returns differences as lines.
pub(super) fn rows(differences: &Differences, shown: RowOptions) -> Vec<ReportRow> {
    let mut rows = ReportRows { rows: Vec::new(), shown };
    differences.resources.iter().for_each(|resource| rows.resource(resource));
    if !differences.ordering.is_empty() {
        rows.add(0, None, RowKind::Heading, "Order:".to_owned());
        differences.ordering.iter().for_each(|order| rows.order(order));
    }
    if !differences.containment.is_empty() {
        rows.add(0, None, RowKind::Heading, "Containment:".to_owned());
        differences.containment.iter().for_each(|containment| rows.containment(containment));
    }
    for found in &differences.cycles {
        rows.cycle(found);
    }
    rows.rows
}

struct ReportRows {
    rows: Vec<ReportRow>,
    shown: RowOptions,
}

impl ReportRows {
    fn add(&mut self, depth: usize, change: Option<ChangeKind>, kind: RowKind, text: String) {
        self.rows.push(ReportRow { depth, change, kind, text, note: None });
    }

    fn resource(&mut self, resource: &ResourceDifference) {
        self.rows.push(ReportRow {
            depth: 0,
            change: Some(resource.change),
            kind: RowKind::Resource,
            text: names(resource),
            note: note(resource),
        });
        if self.shown.details || resource.change == ChangeKind::Changed {
            resource.attributes.iter().for_each(|attribute| self.attribute(attribute));
        }
    }

    fn attribute(&mut self, attribute: &AttributeDifference) {
        let (change, path) = (Some(attribute.change()), visible(&attribute.path.shown()));
        let kind = RowKind::Attribute;
        match attribute.detail(self.shown.context) {
            ValueDetail::Whole => {
                let values = values(attribute.old.as_ref(), attribute.new.as_ref());
                self.add(1, change, kind, format!("{path}: {values}"));
            }
            ValueDetail::Text(hunks) => {
                self.add(1, change, kind, format!("{path}:"));
                hunks.iter().for_each(|hunk| self.hunk(hunk));
            }
            ValueDetail::Items(ArrayDetail { items, is_reordered: true }) if items.is_empty() => {
                let values = values(attribute.old.as_ref(), attribute.new.as_ref());
                self.add(1, change, kind, format!("{path}: {ONLY_ORDER}: {values}"));
            }
            ValueDetail::Items(ArrayDetail { items, is_reordered }) => {
                self.add(1, change, kind, format!("{path}:"));
                items.iter().for_each(|item| self.item(item));
                if is_reordered {
                    self.add(2, change, kind, OTHER_ORDER.to_owned());
                }
            }
        }
    }

    fn hunk(&mut self, hunk: &Hunk<'_>) {
        self.add(2, None, RowKind::Hunk, hunk.header());
        for line in &hunk.lines {
            let note = (!line.has_end).then(|| "no newline at the end".to_owned());
            let text = cut(&visible(line.text), 0, LONG_LINE);
            self.rows.push(ReportRow { depth: 2, change: line.change, kind: RowKind::Line, text, note });
        }
    }

    fn item(&mut self, item: &ItemDifference) {
        let change = ChangeKind::of(item.old.as_ref(), item.new.as_ref());
        let values = values(item.old.as_ref(), item.new.as_ref());
        let text = match item.is_element() {
            true => values,
            false => format!("{}: {values}", visible(&item.path.to_string())),
        };
        self.add(2, Some(change), RowKind::Attribute, text);
    }

    fn order(&mut self, order: &OrderDifference) {
        let arrow = |order| match order {
            OrderKind::Before => "->",
            OrderKind::Notify => "~>",
        };
        let shown = order.new.or(order.old).map(arrow).unwrap_or_default();
        let was = order.old.filter(|_| order.new.is_some()).map(arrow);
        let text = format!("{} {shown} {}", name(&order.first), name(&order.then));
        let note = was.map(|was| format!("was {was}"));
        let (change, kind) = (Some(order.change()), RowKind::Attribute);
        self.rows.push(ReportRow { depth: 1, change, kind, text, note });
    }

    fn cycle(&mut self, CycleDifference { change, cycle }: &CycleDifference) {
        let text = match change {
            ChangeKind::Removed => "no dependency cycle any more:",
            ChangeKind::Added | ChangeKind::Changed => {
                "dependency cycle, so that no agent can apply the catalog:"
            }
        };
        self.add(0, Some(*change), RowKind::Resource, text.to_owned());
        for edge in &cycle.edges {
            self.add(1, Some(*change), RowKind::Attribute, visible(&edge.to_string()));
        }
    }

    fn containment(&mut self, containment: &ContainmentDifference) {
        let text = format!("{}: {}", name(&containment.reference), moved(containment));
        self.add(1, Some(ChangeKind::Changed), RowKind::Attribute, text);
    }
}

/// Returns the name of a resource.
pub(super) fn name(reference: &Reference) -> String {
    visible(&reference.to_string())
}

/// Returns the names of the resources with a change; of many the example and their number.
pub(super) fn names(resource: &ResourceDifference) -> String {
    let example = name(&resource.reference);
    match resource.shared.len() {
        0 | 1 => example,
        2 => {
            let other = resource.shared.iter().find(|shared| shared.reference != resource.reference);
            format!("{example} and {}", other.map(|other| name(&other.reference)).unwrap_or_default())
        }
        all => format!("{example} and {} more", all.saturating_sub(1)),
    }
}

/// The remark on values that are not the same on all nodes.
pub(super) const VARIES: &str = "an example: values differ by node";

/// Returns the place of a resource, and whether its values are an example.
fn note(resource: &ResourceDifference) -> Option<String> {
    let place = resource.place().map(|place| visible(&place.to_string()));
    let varies = resource.varies.then(|| VARIES.to_owned());
    let notes: Vec<String> = place.into_iter().chain(varies).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

/// Returns the old and the new containers of a resource.
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
fn values(old: Option<&DiffValue>, new: Option<&DiffValue>) -> String {
    match (old.map(DiffValue::to_string), new.map(DiffValue::to_string)) {
        (Some(old), Some(new)) => {
            let (old, new) = excerpts(&old, &new, LONG);
            format!("{old} -> {new}")
        }
        (Some(only), None) | (None, Some(only)) => cut(&only, 0, LONG),
        (None, None) => String::new(),
    }
}

/// Returns excerpts of two texts that differ. Long texts begin shortly before the first difference.
pub(super) fn excerpts(old: &str, new: &str, long: usize) -> (String, String) {
    let is_long = [old, new].into_iter().any(|text| text.chars().count() > long);
    let common = old.chars().zip(new.chars()).take_while(|(a, b)| a == b).count();
    // The first difference may be far from the start.
    let start = if is_long { common.saturating_sub(LEAD) } else { 0 };
    (cut(old, start, long), cut(new, start, long))
}

/// Returns at most `long` characters of a text from `start` on, with the full length if the end is cut.
pub(super) fn cut(text: &str, start: usize, long: usize) -> String {
    let length = text.chars().count();
    let rest: String = text.chars().skip(start).take(long).collect();
    let before = if start > 0 { "…" } else { "" };
    if length.saturating_sub(start) > long {
        return format!("{before}{rest}… ({length} characters)");
    }
    format!("{before}{rest}")
}

/// Returns a text whose control characters, line breaks and invisible characters are escaped.
pub(super) fn visible(text: &str) -> String {
    if !text.contains(is_hidden) {
        return text.to_owned();
    }
    let shown = |c: char| if is_hidden(c) { c.escape_debug().to_string() } else { c.to_string() };
    text.chars().map(shown).collect()
}

/// Returns true for control characters except tabs, and for characters that have no width or change the direction of text.
fn is_hidden(c: char) -> bool {
    c.is_control() && c != '\t'
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}' | '\u{feff}')
}
