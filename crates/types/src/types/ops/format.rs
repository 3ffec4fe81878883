//! Types as text.
//!
//! See Puppet's `pops/types/type_formatter.rb`.

use std::fmt::{self, Write};
use std::sync::Arc;

use crate::types::{
    Alias, CallableType, Definition, RuntimeType, Size, StringType, StructMember, TimeRange, Type,
    TypeSetType, builtin,
};
use crate::value::{Hash, QuotedString, Value, float_to_s};
use puppetfn_base::limits::Limits;

impl Type {
    /// Returns the name of a type that has its own, otherwise [`Type::simple_name`].
    pub fn name(&self) -> &str {
        if let Self::Alias(alias) = self {
            alias.name()
        } else if let Self::Object(object) = self {
            object.name()
        } else if let Self::ObjectExtension(extension) = self {
            extension.base().simple_name()
        } else if let Self::TypeSet(type_set) = self {
            type_set.name()
        } else {
            self.simple_name()
        }
    }

    /// Returns the text with the target of each alias after its name: `Port = Integer[1, 65535]`.
    pub fn to_expanded_string(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = Printer { expand: true, ..Printer::new(&mut text) }.print(self);
        text
    }

    /// Returns the text that Ruby's `to_s` returns. An alias, Object type or type set is expanded at the top level, but
    /// appears only by its name within another type.
    pub fn ruby_to_s(&self) -> String {
        if let Self::Alias(_) | Self::Object(_) | Self::TypeSet(_) = self {
            self.to_expanded_string()
        } else {
            self.to_string()
        }
    }
}

impl fmt::Display for Type {
    /// Prints the type as Puppet does, aliases by name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer::new(f).print(self)
    }
}

pub(super) struct Printer<'a> {
    pub(super) out: &'a mut dyn Write,
    /// Whether aliases are shown with their targets.
    pub(super) expand: bool,
    /// The aliases that are being expanded.
    pub(super) open: Vec<usize>,
    /// The type set that is being shown: its types have shorter names within it.
    pub(super) type_set: Option<Arc<Definition<TypeSetType>>>,
    /// If given, each entry is on a line of its own, indented by this many levels.
    pub(super) indent: Option<usize>,
    /// The remaining depth of nested values.
    pub(super) left: u32,
}

impl<'a> Printer<'a> {
    /// Prints aliases by name.
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        let left = Limits::DEEPEST;
        Self { out, expand: false, open: Vec::new(), type_set: None, indent: None, left }
    }
}

impl Printer<'_> {
    pub(super) fn print(&mut self, t: &Type) -> fmt::Result {
        match t {
            Type::Any
            | Type::Unit
            | Type::Undef
            | Type::Default
            | Type::Scalar
            | Type::ScalarData
            | Type::Numeric
            | Type::SemVerRange
            | Type::Binary
            | Type::CatalogEntry => self.out.write_str(t.simple_name()),
            Type::Integer(range) => self.list("Integer", |list| {
                list.range(range.min.map(|min| min.to_string()), range.max.map(|max| max.to_string()))
            }),
            Type::Float(range) => {
                self.list("Float", |list| list.range(range.min.map(float_to_s), range.max.map(float_to_s)))
            }
            Type::Boolean(truth) => self.list("Boolean", |list| match truth {
                Some(truth) => list.item(truth),
                None => Ok(()),
            }),
            Type::String(StringType::Sized(size)) => self.list("String", |list| list.size(*size)),
            Type::String(StringType::Value(_)) => self.out.write_str("String"),
            Type::Enum(t) => self.list("Enum", |list| {
                t.values().iter().try_for_each(|value| list.item(QuotedString(value)))?;
                if t.case_insensitive() && !t.values().is_empty() { list.item(true) } else { Ok(()) }
            }),
            Type::Pattern(t) => {
                self.list("Pattern", |list| t.patterns.iter().try_for_each(|pattern| list.item(pattern)))
            }
            Type::Regexp(regex) => self.list("Regexp", |list| match regex {
                Some(regex) => list.item(regex),
                None => Ok(()),
            }),
            Type::SemVer(ranges) => self.list("SemVer", |list| {
                ranges.iter().try_for_each(|range| list.item(QuotedString(&range.to_string())))
            }),
            Type::Uri(t) => {
                self.list(
                    "URI",
                    |list| {
                        if t.parameters().is_empty() { Ok(()) } else { list.hash(t.parameters()) }
                    },
                )
            }
            Type::Timestamp(t) => self.list("Timestamp", |list| list.times(t)),
            Type::Timespan(t) => self.list("Timespan", |list| list.times(t)),
            Type::Init(init) => self.list("Init", |list| {
                list.types(init.t())?;
                init.args().iter().try_for_each(|arg| list.value(arg))
            }),
            Type::Collection(size) => self.list("Collection", |list| list.size(*size)),
            Type::Array(t) => self.list("Array", |list| {
                if t.size != Some(Size::EMPTY) && !(t.size.is_none() && t.element == Type::Any) {
                    list.t(&t.element)?;
                }
                list.size(t.size)
            }),
            Type::Hash(t) => self.list("Hash", |list| {
                let any = t.size.is_none() && t.key == Type::Any && t.value == Type::Any;
                if t.size != Some(Size::EMPTY) && !any {
                    list.t(&t.key)?;
                    list.t(&t.value)?;
                }
                list.size(t.size)
            }),
            Type::Tuple(t) => self.list("Tuple", |list| {
                list.types(t.types.iter())?;
                if t.types.is_empty() { Ok(()) } else { list.size(t.size) }
            }),
            Type::Struct(t) => self.members(t.members()),
            Type::Variant(types) => self.list("Variant", |list| list.types(types.iter())),
            Type::Optional(inner) => self.list("Optional", |list| list.exact(inner.as_deref())),
            Type::NotUndef(inner) => self.list("NotUndef", |list| list.exact(inner.as_deref())),
            Type::Type(inner) => self.list("Type", |list| list.types(inner.as_deref())),
            Type::Iterable(inner) => self.list("Iterable", |list| list.types(inner.as_deref())),
            Type::Iterator(inner) => self.list("Iterator", |list| list.types(inner.as_deref())),
            Type::Sensitive(inner) => self.list("Sensitive", |list| list.types(inner.as_deref())),
            Type::Callable(t) => self.callable(t),
            Type::Runtime(t) => self.runtime(t),
            Type::Object(object) => self.object(t, object),
            Type::ObjectExtension(extension) => self.extension(extension),
            Type::TypeSet(type_set) => self.type_set(type_set),
            Type::Class(name) => self.list("Class", |list| match name {
                Some(name) => list.item(name),
                None => Ok(()),
            }),
            Type::Resource(t) if t.is_given => {
                let part = |part: &Option<Arc<str>>| part.as_deref().unwrap_or_default().to_owned();
                write!(self.out, "{}[{}]", part(&t.type_name), part(&t.title))
            }
            Type::Resource(t) => {
                self.list(t.type_name.as_deref().unwrap_or("Resource"), |list| match &t.title {
                    Some(title) => list.item(QuotedString(title)),
                    None => Ok(()),
                })
            }
            Type::Alias(alias) => self.alias(t, alias),
            Type::Reference(text) => write!(self.out, "TypeReference[{}]", QuotedString(text)),
        }
    }

    /// Prints `name[items]`, without brackets if the list is empty.
    fn list(
        &mut self,
        name: &str,
        items: impl FnOnce(&mut BracketList<'_, '_>) -> fmt::Result,
    ) -> fmt::Result {
        self.out.write_str(name)?;
        let mut list = BracketList { printer: self, empty: true };
        items(&mut list)?;
        if list.empty { Ok(()) } else { self.out.write_char(']') }
    }

    fn members(&mut self, members: &[StructMember]) -> fmt::Result {
        self.out.write_str("Struct")?;
        let mut separator = "[{";
        for member in members {
            self.out.write_str(separator)?;
            separator = ", ";
            let name = QuotedString(&member.name);
            match (member.optional, member.value.accepts_undef()) {
                // A value that accepts undef makes a plain key optional.
                (true, true) | (false, false) => write!(self.out, "{name}")?,
                (true, false) => write!(self.out, "Optional[{name}]")?,
                (false, true) => write!(self.out, "NotUndef[{name}]")?,
            }
            self.out.write_str(" => ")?;
            self.print(&member.value)?;
        }
        if members.is_empty() { Ok(()) } else { self.out.write_str("}]") }
    }

    fn callable(&mut self, t: &CallableType) -> fmt::Result {
        let Some(returns) = &t.returns else { return self.list("Callable", |list| list.parameters(t)) };
        self.out.write_str("Callable[")?;
        if t.params.is_some() {
            self.list("", |list| list.parameters(t))?;
        } else {
            self.out.write_str("[]")?;
        }
        self.out.write_str(", ")?;
        self.print(returns)?;
        self.out.write_char(']')
    }

    fn runtime(&mut self, t: &RuntimeType) -> fmt::Result {
        if *t == RuntimeType::default() {
            return self.out.write_str("Runtime");
        }
        write!(self.out, "Runtime[{}, ", t.runtime.as_deref().unwrap_or("undef"))?;
        match (&t.name, &t.pattern) {
            (Some(name), _) => write!(self.out, "{}]", QuotedString(name)),
            (None, Some((pattern, replacement))) => {
                write!(self.out, "[{pattern}, {}]]", QuotedString(replacement))
            }
            (None, None) => self.out.write_str("undef]"),
        }
    }

    fn alias(&mut self, t: &Type, alias: &Alias) -> fmt::Result {
        let within = self.type_set.as_ref().map(|set| set.name_of(t));
        if let Some(within) = within {
            return self.alias_within_set(alias, within);
        }
        self.out.write_str(alias.name())?;
        let identity = alias.identity();
        if !self.expand || self.open.contains(&identity) || builtin::is_alias(alias.name()) {
            return Ok(());
        }
        let Some(target) = alias.target() else { return Ok(()) };
        self.open.push(identity);
        self.out.write_str(" = ")?;
        self.print(&target)?;
        self.open.pop();
        Ok(())
    }

    /// Prints an alias within a type set, which may have its own name for it.
    fn alias_within_set(&mut self, alias: &Alias, within: Option<String>) -> fmt::Result {
        let is_own = within.as_deref().is_some_and(|name| !name.contains("::"));
        let identity = alias.identity();
        match alias.target() {
            Some(target) if self.expand && is_own && !self.open.contains(&identity) => {
                self.open.push(identity);
                self.print(&target)?;
                self.open.pop();
                Ok(())
            }
            Some(_) | None => self.out.write_str(within.as_deref().unwrap_or(alias.name())),
        }
    }
}

/// A list of items in brackets.
struct BracketList<'a, 'p> {
    printer: &'a mut Printer<'p>,
    empty: bool,
}

impl BracketList<'_, '_> {
    fn separate(&mut self) -> fmt::Result {
        self.printer.out.write_str(if self.empty { "[" } else { ", " })?;
        self.empty = false;
        Ok(())
    }

    fn item(&mut self, item: impl fmt::Display) -> fmt::Result {
        self.separate()?;
        write!(self.printer.out, "{item}")
    }

    fn t(&mut self, t: &Type) -> fmt::Result {
        self.separate()?;
        self.printer.print(t)
    }

    fn value(&mut self, value: &Value) -> fmt::Result {
        self.separate()?;
        self.printer.value(value)
    }

    fn hash(&mut self, hash: &Hash) -> fmt::Result {
        self.separate()?;
        self.printer.hash(hash)
    }

    fn types<'t>(&mut self, types: impl IntoIterator<Item = &'t Type>) -> fmt::Result {
        types.into_iter().try_for_each(|t| self.t(t))
    }

    /// Prints a contained type; an exact string as the string itself.
    fn exact(&mut self, t: Option<&Type>) -> fmt::Result {
        match t {
            Some(Type::String(StringType::Value(text))) => self.item(QuotedString(text)),
            t => self.types(t),
        }
    }

    /// Prints bounds, the upper one only if it is finite; nothing for a range without bounds.
    fn range(&mut self, min: Option<String>, max: Option<String>) -> fmt::Result {
        if min.is_none() && max.is_none() {
            return Ok(());
        }
        self.item(min.as_deref().unwrap_or("default"))?;
        max.map_or(Ok(()), |max| self.item(max))
    }

    /// Points or lengths of time, as they are written; the upper bound only where it differs.
    fn times<T: fmt::Display + PartialEq>(&mut self, range: &TimeRange<T>) -> fmt::Result {
        let text = |time: &T| QuotedString(&time.to_string()).to_string();
        let max = range.max.as_ref().filter(|max| range.min.as_ref() != Some(max));
        self.range(range.min.as_ref().map(text), max.map(text))
    }

    fn size(&mut self, size: Option<Size>) -> fmt::Result {
        let Some(size) = size else { return Ok(()) };
        self.item(size.min)?;
        size.max.map_or(Ok(()), |max| self.item(max))
    }

    /// Parameters, their count and the block.
    fn parameters(&mut self, t: &CallableType) -> fmt::Result {
        if let Some(params) = &t.params {
            self.types(params.types.iter().filter(|t| **t != Type::Unit))?;
            self.size(if params.types.is_empty() { Some(Size::EMPTY) } else { params.size })?;
        }
        self.types(&t.block)
    }
}
