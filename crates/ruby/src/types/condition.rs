//! Conditions about a value, as types of Puppet's.

use puppetfn_catalog::Requirement;

use super::evaluation::Evaluation;
use super::requirements::{ABSOLUTE, pattern, quoted, type_of_values};
use super::value::{RegexpLiteral, StaticScope, StaticValue};
use crate::tree::{RubyCall, RubyNode, RubyNodeKind};

const KIND_CALLS: [&str; 3] = ["is_a?", "kind_of?", "instance_of?"];
const MATCH_CALLS: [&str; 3] = ["=~", "match", "match?"];
const OTHERS: [&str; 3] = ["Numeric", "Boolean", "Collection"];
/// A text of which Ruby's `Float` makes a number; it is more generous about underscores and dots than Ruby.
const FLOAT: &str =
    r"\A\s*[-+]?(0[xX][0-9a-fA-F_.]+([pP][-+]?\d+)?|(\d[\d_]*(\.[\d_]*)?|\.\d[\d_]*)([eE][-+]?[\d_]+)?)\s*\z";
/// A mode of a file that is written as digits or letters.
const MODE: &str = r"^0?[0-7]{1,4}$|^([ugoa]*[-=+][-=+rstwxXugo]*)(,[ugoa]*[-=+][-=+rstwxXugo]*)*$";

/// Types implied by a simple condition about a value.
struct ImpliedTypes {
    /// A supertype of the values for which the condition may hold.
    accepted: String,
    /// A type for whose values the condition certainly holds.
    refused: Option<String>,
    /// Whether the condition tests the value's text.
    as_text: bool,
}

/// Derives types from conditions about a variable's value.
pub struct ConditionReader<'c> {
    /// The name of the variable.
    pub name: &'c str,
    /// Scope of the condition.
    pub scope: &'c StaticScope,
    pub evaluation: &'c mut Evaluation,
}

type FoundRequirements = Option<Vec<Requirement>>;

fn requirement(type_text: String, is_refused: bool, as_text: bool) -> Requirement {
    Requirement { type_text, is_refused, as_text, ..Requirement::default() }
}

/// Returns the statement that is in parentheses alone.
fn only(node: &RubyNode) -> Option<&RubyNode> {
    match &node.kind {
        RubyNodeKind::Parentheses(inner) => match inner.as_slice() {
            [only] => Some(only),
            _ => None,
        },
        _ => None,
    }
}

impl ConditionReader<'_> {
    /// Returns requirements that a value meets if the condition holds.
    pub fn accepted(&mut self, node: &RubyNode) -> FoundRequirements {
        if let Some(inner) = only(node) {
            return self.accepted(inner);
        }
        match &node.kind {
            RubyNodeKind::Unary(operator, inner) if operator == "!" => self.refused(inner),
            RubyNodeKind::Binary(left, operator, right) if operator == "&&" => {
                let (left, right) = (self.accepted(left), self.accepted(right));
                both(left, right)
            }
            RubyNodeKind::Binary(left, operator, right) if operator == "||" => {
                let (left, right) = (self.accepted(left), self.accepted(right));
                either(left, right)
            }
            RubyNodeKind::Binary(left, operator, right) if matches!(&**operator, "!=" | "!~") => {
                let atom = self.compared(left, operator, right)?;
                Some(vec![requirement(atom.refused?, true, atom.as_text)])
            }
            _ => self.atom(node).map(|atom| vec![requirement(atom.accepted, false, atom.as_text)]),
        }
    }

    /// Returns requirements that a value meets if the condition does not hold.
    pub fn refused(&mut self, node: &RubyNode) -> FoundRequirements {
        if let Some(inner) = only(node) {
            return self.refused(inner);
        }
        match &node.kind {
            RubyNodeKind::Unary(operator, inner) if operator == "!" => self.accepted(inner),
            RubyNodeKind::Binary(left, operator, right) if operator == "||" => {
                let (left, right) = (self.refused(left), self.refused(right));
                both(left, right)
            }
            RubyNodeKind::Binary(left, operator, right) if operator == "&&" => {
                self.guarded(left, right).or_else(|| either(self.refused(left), self.refused(right)))
            }
            RubyNodeKind::Binary(left, operator, right) if matches!(&**operator, "!=" | "!~") => {
                let atom = self.compared(left, operator, right)?;
                Some(vec![requirement(atom.accepted, false, atom.as_text)])
            }
            _ => {
                let atom = self.atom(node)?;
                Some(vec![requirement(atom.refused?, true, atom.as_text)])
            }
        }
    }

    /// Handles `value.is_a?(String) && ...` and `value.is_a?(Integer) && ...`: values are tested for their class first.
    fn guarded(&mut self, left: &RubyNode, right: &RubyNode) -> FoundRequirements {
        let class = self.atom(left)?.accepted;
        if class == "Integer" {
            let is_of_integers = |one: &Requirement| one.is_refused && one.type_text.starts_with("Integer[");
            return self.refused(right).filter(|found| found.iter().all(is_of_integers));
        }
        let is_of_text = class == "String";
        let found = self.refused(right).filter(|_| is_of_text)?;
        let is_of_texts = |one: &Requirement| {
            let is_text_type = |name: &&str| {
                one.type_text.strip_prefix("Variant[").unwrap_or(&one.type_text).starts_with(name)
            };
            ["Pattern[", "Enum[", "String["].iter().any(is_text_type)
        };
        found.iter().all(is_of_texts).then_some(found)
    }

    fn atom(&mut self, node: &RubyNode) -> Option<ImpliedTypes> {
        match &node.kind {
            RubyNodeKind::Binary(left, operator, right) if operator == "<" => self.less(left, right),
            RubyNodeKind::Binary(left, operator, right) if !operator.starts_with('!') => {
                self.compared(left, operator, right)
            }
            RubyNodeKind::Call(call) => self.call(call),
            _ => None,
        }
    }

    /// Handles comparisons, and their opposites like them.
    fn compared(&mut self, left: &RubyNode, operator: &str, right: &RubyNode) -> Option<ImpliedTypes> {
        match operator {
            "=~" | "!~" => self.matched(left, Some(right)),
            "==" | "!=" => self.equal(left, right),
            "===" => match self.evaluation.evaluate(left, self.scope) {
                StaticValue::Regexp(_) => self.matched(right, Some(left)),
                StaticValue::Constant(_) => self.kind(right, left),
                _ => self.equal(right, left),
            },
            _ => None,
        }
    }

    fn call(&mut self, call: &RubyCall) -> Option<ImpliedTypes> {
        let first = call.args.first();
        let predicate = match &*call.name {
            "absolute_path?" => Some(ABSOLUTE),
            "valid_symbolic_mode?" => Some(MODE),
            // With `exception: false`, the result is nil for other texts.
            "Float" if call.args.len() > 1 => Some(FLOAT),
            _ => None,
        };
        let receiver = match (&call.receiver, predicate) {
            (Some(receiver), None) => receiver,
            (_, predicate) => {
                first.filter(|first| self.is_value(first))?;
                let found = pattern(&RegexpLiteral::new(predicate?, "")?);
                return Some(ImpliedTypes { accepted: with_others(&found), refused: None, as_text: false });
            }
        };
        match &*call.name {
            name if KIND_CALLS.contains(&name) => self.kind(receiver, first?),
            name if MATCH_CALLS.contains(&name) => self.matched(receiver, first),
            "include?" if self.is_value(receiver) => part(first?, "", ""),
            "start_with?" if self.is_value(receiver) && call.args.len() == 1 => part(first?, r"\A", ""),
            "end_with?" if self.is_value(receiver) && call.args.len() == 1 => part(first?, "", r"\z"),
            // A value that is given is not nil.
            "nil?" if self.is_value(receiver) => {
                Some(ImpliedTypes { accepted: "Undef".to_owned(), refused: None, as_text: false })
            }
            "include?" => self.member(receiver, first?),
            "empty?" if self.is_value(receiver) => Some(ImpliedTypes {
                accepted: variant(&["String[0, 0]", "Array[0, 0]", "Hash[0, 0]", "Numeric", "Boolean"]),
                refused: Some("String[0, 0]".to_owned()),
                as_text: false,
            }),
            _ => None,
        }
    }

    fn kind(&self, receiver: &RubyNode, module: &RubyNode) -> Option<ImpliedTypes> {
        let found = type_of_class(module.constant().filter(|_| self.is_value(receiver))?)?;
        Some(ImpliedTypes { accepted: found.to_owned(), refused: Some(found.to_owned()), as_text: false })
    }

    fn matched(&mut self, left: &RubyNode, right: Option<&RubyNode>) -> Option<ImpliedTypes> {
        let right = right?;
        let (one, other) = if self.is_value_or_text(left) { (left, right) } else { (right, left) };
        if !self.is_value_or_text(one) {
            return None;
        }
        let StaticValue::Regexp(regexp) = self.evaluation.evaluate(other, self.scope) else { return None };
        let found = pattern(&regexp);
        Some(if self.is_value(one) {
            ImpliedTypes { accepted: with_others(&found), refused: Some(found), as_text: false }
        } else {
            ImpliedTypes { accepted: type_of_values(&[], &[&regexp]), refused: Some(found), as_text: true }
        })
    }

    fn equal(&mut self, left: &RubyNode, right: &RubyNode) -> Option<ImpliedTypes> {
        let known = self.evaluation.evaluate(right, self.scope);
        if !self.is_value(left) {
            return None;
        }
        if let StaticValue::Boolean(truth) = known {
            let t = format!("Boolean[{truth}]");
            return Some(ImpliedTypes { accepted: t.clone(), refused: Some(t), as_text: false });
        }
        known.text().is_some().then(|| member_of(&[known], false)).flatten()
    }

    /// Handles `value < 1`, of Integers.
    fn less(&mut self, left: &RubyNode, right: &RubyNode) -> Option<ImpliedTypes> {
        let StaticValue::Integer(bound) = self.evaluation.evaluate(right, self.scope) else { return None };
        let most = bound.checked_sub(1).filter(|_| self.is_value(left))?;
        let accepted = variant(&["Any"]);
        Some(ImpliedTypes { accepted, refused: Some(format!("Integer[default, {most}]")), as_text: false })
    }

    fn member(&mut self, list: &RubyNode, item: &RubyNode) -> Option<ImpliedTypes> {
        if item.call().is_some_and(|call| call.name == "class")
            && item.call().and_then(|call| call.receiver.as_ref()).is_some_and(|value| self.is_value(value))
        {
            return self.class_among(list);
        }
        if !self.is_value_or_text(item) {
            return None;
        }
        match self.evaluation.evaluate(list, self.scope) {
            StaticValue::Array(items) => member_of(&items, !self.is_value(item)),
            _ => None,
        }
    }

    /// Handles `[String, Array].include?(value.class)`.
    fn class_among(&self, list: &RubyNode) -> Option<ImpliedTypes> {
        let RubyNodeKind::Array(classes) = &list.kind else { return None };
        let types: Option<Vec<_>> = classes.iter().map(|class| type_of_class(class.constant()?)).collect();
        let found = variant(&types.filter(|types| !types.is_empty() && !types.contains(&"Numeric"))?);
        Some(ImpliedTypes { accepted: found.clone(), refused: Some(found), as_text: false })
    }

    fn is_value(&self, node: &RubyNode) -> bool {
        node.variable() == Some(self.name)
    }

    fn is_value_or_text(&self, node: &RubyNode) -> bool {
        let is_text_of = |call: &RubyCall| {
            call.name == "to_s" && call.receiver.as_ref().is_some_and(|receiver| self.is_value(receiver))
        };
        self.is_value(node) || node.call().is_some_and(is_text_of)
    }
}

fn both(one: FoundRequirements, other: FoundRequirements) -> FoundRequirements {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one.extend(other);
            Some(one)
        }
        (one, other) => one.or(other),
    }
}

/// One of two types is enough.
fn either(one: FoundRequirements, other: FoundRequirements) -> FoundRequirements {
    let (one, other) = (one?, other?);
    // A value that meets all of one side, or all of the other, meets each pair of them in part.
    let pairs = one.iter().flat_map(|one| other.iter().map(move |other| (one, other)));
    Some(pairs.map(|(one, other)| one.clone().or(other.clone())).collect())
}

fn member_of(items: &[StaticValue], as_text: bool) -> Option<ImpliedTypes> {
    let names: Vec<String> = items.iter().filter_map(StaticValue::text).map(str::to_owned).collect();
    let is_known = |item: &StaticValue| item.name().is_some() || matches!(item, StaticValue::Boolean(_));
    if names.is_empty() || !items.iter().all(is_known) {
        return None;
    }
    let quoted: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    let enumeration = format!("Enum[{}]", quoted.join(", "));
    if as_text {
        return Some(ImpliedTypes {
            accepted: type_of_values(&names, &[]),
            refused: Some(enumeration),
            as_text: true,
        });
    }
    let mut types = vec![enumeration.clone()];
    for truth in [true, false] {
        if items.iter().any(|item| matches!(item, StaticValue::Boolean(known) if *known == truth)) {
            types.push(format!("Boolean[{truth}]"));
        }
    }
    let types: Vec<&str> = types.iter().map(String::as_str).collect();
    Some(ImpliedTypes { accepted: variant(&types), refused: Some(enumeration), as_text: false })
}

/// Returns the type of a class's instances, if values in catalogs can be some.
fn type_of_class(name: &str) -> Option<&str> {
    Some(match name {
        "Fixnum" => "Integer",
        "TrueClass" => "Boolean[true]",
        "FalseClass" => "Boolean[false]",
        known @ ("String" | "Array" | "Hash" | "Integer" | "Numeric" | "Float") => known,
        _ => return None,
    })
}

/// Returns the condition that a text is in the value, between these anchors.
fn part(item: &RubyNode, start: &str, end: &str) -> Option<ImpliedTypes> {
    let source = format!("{start}{}{end}", escaped(&item.literal()?));
    let found = pattern(&RegexpLiteral::new(&source, "")?);
    Some(ImpliedTypes { accepted: with_others(&found), refused: Some(found), as_text: false })
}

/// Returns a regular expression that matches a text, as Ruby's `Regexp.escape`.
fn escaped(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => found.push_str("\\n"),
            '\t' => found.push_str("\\t"),
            '\r' => found.push_str("\\r"),
            '\u{b}' => found.push_str("\\v"),
            '\u{c}' => found.push_str("\\f"),
            '[' | ']' | '{' | '}' | '(' | ')' | '|' | '-' | '*' | '.' | '\\' | '?' | '+' | '^' | '$'
            | '#' | ' ' => {
                found.push('\\');
                found.push(c);
            }
            _ => found.push(c),
        }
    }
    found
}

fn with_others(found: &str) -> String {
    let [numeric, boolean, collection] = OTHERS;
    variant(&[found, numeric, boolean, collection])
}

fn variant(types: &[&str]) -> String {
    format!("Variant[{}]", types.join(", "))
}
