//! Calls of `dispatch` in the block of a function.

use puppetfn_doc::{DeclaredParameter, ParameterKind};

use crate::source::RubyText;
use crate::tree::{self, RubyBlock, RubyCall, RubyNode};

/// Methods that declare positional parameters.
pub const POSITIONAL: [&str; 6] = [
    "param",
    "required_param",
    "optional_param",
    "repeated_param",
    "optional_repeated_param",
    "required_repeated_param",
];
/// Methods that declare the block.
pub const BLOCKS: [&str; 3] = ["block_param", "required_block_param", "optional_block_param"];
/// Parameters that are injected, so that calls have no arguments for them.
pub const INJECTED: [&str; 8] = [
    "scope_param",
    "cache_param",
    "compiler_param",
    "script_compiler_param",
    "pal_compiler_param",
    "injected_param",
    "injected_producer_param",
    "injected_provider_param",
];

/// Range of the number of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arity {
    /// The minimum.
    pub least: usize,
    /// The maximum; `None` if unlimited.
    pub most: Option<usize>,
}

/// A call of `dispatch`, or of `argument_mismatch`.
pub struct DispatchCall<'d> {
    /// The name of the method.
    pub method_name: Option<String>,
    /// The line of the call.
    pub line: u32,
    entries: Vec<&'d RubyCall>,
    source: &'d RubyText,
}

impl<'d> DispatchCall<'d> {
    /// Creates the dispatch of a call with a block.
    pub fn new(call: &'d RubyCall, block: &'d RubyBlock, source: &'d RubyText) -> Self {
        let entries =
            block.body.iter().filter_map(RubyNode::call).filter(|call| call.receiver.is_none()).collect();
        let method_name = call.args.first().and_then(RubyNode::literal);
        Self { method_name, line: source.line(call.at), entries, source }
    }

    /// Returns the parameters as they are declared, the block last.
    pub fn parameters(&self) -> Vec<DeclaredParameter> {
        let found =
            self.entries.iter().filter_map(|entry| self.parameter(entry).or_else(|| self.block(entry)));
        let (blocks, mut others): (Vec<_>, Vec<_>) = found.partition(|one| one.kind == ParameterKind::Block);
        others.extend(blocks);
        others
    }

    /// Returns the return type, if it is declared.
    pub fn return_type(&self) -> Option<String> {
        let entry = self.entries.iter().find(|entry| entry.name == "return_type")?;
        entry.args.first()?.literal()
    }

    /// Returns the declared parameter for each position of the method's parameters; `None` for injected ones.
    pub fn places(&self) -> Vec<Option<DeclaredParameter>> {
        let place = |entry: &&RubyCall| {
            if INJECTED.contains(&&*entry.name) { Some(None) } else { self.parameter(entry).map(Some) }
        };
        self.entries.iter().filter_map(place).collect()
    }

    /// Returns the number of arguments that the method takes.
    pub fn arity(&self) -> Arity {
        let places = self.places();
        let is_required = |place: &&Option<DeclaredParameter>| {
            place.as_ref().is_none_or(|one| !one.is_optional && one.kind != ParameterKind::Repeated)
        };
        let repeated = self.entries.iter().filter(|entry| entry.name == "required_repeated_param").count();
        let is_endless = places.iter().flatten().any(|place| place.kind == ParameterKind::Repeated);
        Arity {
            least: places.iter().filter(is_required).count() + repeated,
            most: (!is_endless).then_some(places.len()),
        }
    }

    fn parameter(&self, entry: &RubyCall) -> Option<DeclaredParameter> {
        let [type_, name] = entry.args.as_slice() else { return None };
        let is_repeated = entry.name.contains("repeated");
        let kind = if is_repeated { ParameterKind::Repeated } else { ParameterKind::Single };
        POSITIONAL.contains(&&*entry.name).then(|| self.described(entry, Some(type_), Some(name), kind))
    }

    fn block(&self, entry: &RubyCall) -> Option<DeclaredParameter> {
        let (type_, name) = match entry.args.as_slice() {
            [] => (None, None),
            [name] => (None, Some(name)),
            [type_, name] => (Some(type_), Some(name)),
            _ => return None,
        };
        BLOCKS.contains(&&*entry.name).then(|| self.described(entry, type_, name, ParameterKind::Block))
    }

    /// Describes a parameter. Computed names and types are unknown without running the file.
    fn described(
        &self,
        entry: &RubyCall,
        type_: Option<&RubyNode>,
        name: Option<&RubyNode>,
        kind: ParameterKind,
    ) -> DeclaredParameter {
        let any_block = || (kind == ParameterKind::Block).then(|| "Callable".to_owned());
        DeclaredParameter {
            name: name
                .map_or_else(|| "block".to_owned(), |name| name.literal().unwrap_or_else(|| "_".to_owned())),
            type_text: type_.map_or_else(any_block, RubyNode::literal),
            kind,
            is_optional: entry.name.contains("optional"),
            default: None,
            line: self.source.line(entry.at),
        }
    }
}

impl Arity {
    /// Returns true if whatever is called with this can be called with the other.
    pub fn is_within(self, other: Self) -> bool {
        self.least >= other.least && other.most.is_none_or(|most| self.most.is_some_and(|own| own <= most))
    }

    /// Returns true if the ranges have no number in common.
    pub fn is_apart_from(self, other: Self) -> bool {
        let is_below = |one: Self, other: Self| one.most.is_some_and(|most| most < other.least);
        is_below(self, other) || is_below(other, self)
    }

    /// Returns it in words.
    pub fn in_words(self) -> String {
        let count = match self.most {
            None => format!("{} or more", self.least),
            Some(most) if most == self.least => most.to_string(),
            Some(most) => format!("{} to {most}", self.least),
        };
        let plural = if self.least == 1 && self.most == Some(1) { "" } else { "s" };
        format!("{count} argument{plural}")
    }
}

/// Returns the parameters of a method that is called without a dispatch, as introspection sees them.
pub fn parameters_of_method(parameters: &tree::RubyParameters, source: &RubyText) -> Vec<DeclaredParameter> {
    let described = |one: &tree::RubyParameter, kind: ParameterKind| {
        let default = one.default.as_ref().map(|default| shown_default(source.text(default)));
        let name = one.name.clone()?;
        let is_optional = default.is_some();
        Some(DeclaredParameter {
            name,
            type_text: None,
            kind,
            is_optional,
            default,
            line: source.line(one.at),
        })
    };
    let single = |one| described(one, ParameterKind::Single);
    let leading = parameters.leading.iter().chain(&parameters.optional).filter_map(single);
    let rest = parameters.rest.iter().filter_map(|one| described(one, ParameterKind::Repeated));
    let trailing = parameters.trailing.iter().filter_map(single);
    let block = parameters.block.iter().filter_map(|one| described(one, ParameterKind::Block));
    leading.chain(rest).chain(trailing).chain(block).collect()
}

fn shown_default(text: &str) -> String {
    match text {
        "nil" => "undef",
        ":default" => "default",
        other => other,
    }
    .to_owned()
}
