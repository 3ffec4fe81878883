//! Values that code has, as far as they are known without running it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use puppetfn_types::value::Regex;

use crate::source::RubyText;
use crate::tree::{RubyBlock, RubyParameter};

/// A value.
#[derive(Clone)]
pub enum StaticValue {
    /// A value that is unknown without running code.
    Unknown,
    Nil,
    Boolean(bool),
    Integer(i64),
    Float(f64),
    Text(String),
    Symbol(String),
    Regexp(Rc<RegexpLiteral>),
    Array(Rc<Vec<StaticValue>>),
    Hash(Rc<Vec<(StaticValue, StaticValue)>>),
    /// A block, a lambda or a method.
    Closure(StaticClosure),
    /// A constant that no code that was read sets, by its path.
    Constant(String),
    /// A declaration.
    Target(ImplicitReceiver),
}

/// A regular expression.
pub struct RegexpLiteral {
    /// The source between the delimiters.
    pub source: String,
    /// Its options, of `m`, `i` and `x`, in this order.
    pub options: String,
    regex: Regex,
}

/// A block, a lambda or a method with its scope.
#[derive(Clone)]
pub struct StaticClosure {
    pub code: Rc<RubyBlock>,
    pub scope: StaticScope,
}

/// Scope of code: its file, `self` and local variables.
#[derive(Clone)]
pub struct StaticScope {
    /// The file.
    pub source: Rc<RubyText>,
    /// `self`, if it is a declaration.
    pub target: Option<ImplicitReceiver>,
    variables: Rc<RefCell<HashMap<String, StaticValue>>>,
}

/// Declaration that receives calls without an explicit receiver.
#[derive(Clone, PartialEq, Eq)]
pub enum ImplicitReceiver {
    /// A resource type, by its number.
    Type(usize),
    /// An attribute of one, by its number.
    Attribute(usize),
    /// A provider, by its number.
    Provider(usize),
    /// A resource type that another file declares, by its name if that is constant.
    Foreign(Option<String>),
    /// A module, by its name.
    Module(String),
}

impl StaticScope {
    /// Returns a scope without variables.
    pub fn new(source: &Rc<RubyText>, target: Option<ImplicitReceiver>) -> Self {
        Self { source: Rc::clone(source), target, variables: Rc::default() }
    }

    /// Returns one with the same variables, which can be set for themselves.
    pub fn inner(&self, target: Option<ImplicitReceiver>) -> Self {
        let variables = Rc::new(RefCell::new(self.variables.borrow().clone()));
        Self { source: Rc::clone(&self.source), target, variables }
    }

    pub fn get(&self, name: &str) -> StaticValue {
        self.variables.borrow().get(name).cloned().unwrap_or(StaticValue::Unknown)
    }

    pub fn set(&self, name: &str, value: StaticValue) {
        self.variables.borrow_mut().insert(name.to_owned(), value);
    }
}

impl StaticClosure {
    /// Returns the parameters that take arguments by position.
    pub fn positional(&self) -> impl Iterator<Item = &RubyParameter> {
        let parameters = &self.code.parameters;
        parameters.leading.iter().chain(&parameters.optional)
    }

    /// Returns how many parameters it has.
    pub fn arity(&self) -> usize {
        self.positional().count() + self.code.parameters.keywords.len()
    }
}

impl RegexpLiteral {
    /// Compiles a regular expression; none if that cannot be done.
    pub fn new(source: &str, options: &str) -> Option<Self> {
        let options: String = "mix".chars().filter(|option| options.contains(*option)).collect();
        let text = if options.is_empty() { source.to_owned() } else { format!("(?{options}:{source})") };
        let regex = Regex::new(&text).ok()?;
        Some(Self { source: source.to_owned(), options, regex })
    }

    pub fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text).unwrap_or(false)
    }

    /// Returns it as Ruby's `to_s`.
    pub fn with_options(&self) -> String {
        let off: String = "mix".chars().filter(|option| !self.options.contains(*option)).collect();
        let off = if off.is_empty() { off } else { format!("-{off}") };
        format!("(?{}{off}:{})", self.options, self.source)
    }

    /// Returns it as Ruby's `inspect`.
    pub fn inspect(&self) -> String {
        let mut text = String::from("/");
        let mut is_escaped = false;
        for c in self.source.chars() {
            if c == '/' && !is_escaped {
                text.push('\\');
            }
            is_escaped = c == '\\' && !is_escaped;
            text.push(c);
        }
        format!("{text}/{}", self.options)
    }
}

impl PartialEq for RegexpLiteral {
    fn eq(&self, other: &Self) -> bool {
        (&self.source, &self.options) == (&other.source, &other.options)
    }
}

impl StaticValue {
    pub fn array(items: Vec<Self>) -> Self {
        Self::Array(Rc::new(items))
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown)
    }

    /// Returns the text of a String or Symbol.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Symbol(text) => Some(text),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns true if the value is the Symbol with this name.
    pub fn is_symbol(&self, name: &str) -> bool {
        matches!(self, Self::Symbol(symbol) if symbol == name)
    }

    /// Returns a Hash's value for a Symbol.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Self::Hash(entries) = self else { return None };
        entries.iter().rev().find(|(name, _)| name.is_symbol(key)).map(|(_, value)| value)
    }

    /// Returns the value as a list, like Ruby's `Array()`.
    pub fn to_list(&self) -> Vec<Self> {
        match self {
            Self::Nil => Vec::new(),
            Self::Array(items) => items.to_vec(),
            other => vec![other.clone()],
        }
    }

    /// Returns the result of Ruby's `to_s`; `None` if it depends on more than the value.
    pub fn to_s(&self) -> Option<String> {
        match self {
            Self::Nil => Some(String::new()),
            Self::Text(text) | Self::Symbol(text) | Self::Constant(text) => Some(text.clone()),
            Self::Regexp(pattern) => Some(pattern.with_options()),
            _ => self.inspect(),
        }
    }

    /// Returns the text of Ruby's `inspect`; `None` if it depends on more than the value.
    pub fn inspect(&self) -> Option<String> {
        Some(match self {
            Self::Unknown | Self::Closure(_) | Self::Target(_) => return None,
            Self::Nil => "nil".to_owned(),
            Self::Boolean(truth) => truth.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Float(number) => format!("{number:?}"),
            Self::Text(text) => quoted(text),
            Self::Symbol(name) => symbol(name),
            Self::Regexp(pattern) => pattern.inspect(),
            Self::Constant(path) => path.clone(),
            Self::Array(items) => {
                let items: Option<Vec<_>> = items.iter().map(Self::inspect).collect();
                format!("[{}]", items?.join(", "))
            }
            Self::Hash(entries) => {
                let entry =
                    |(key, value): &(Self, Self)| Some(format!("{}=>{}", key.inspect()?, value.inspect()?));
                let entries: Option<Vec<_>> = entries.iter().map(entry).collect();
                format!("{{{}}}", entries?.join(", "))
            }
        })
    }

    /// Returns the result of a method without arguments, if the method only converts the value.
    pub fn converted(&self, method: &str) -> Self {
        match (method, self) {
            (_, Self::Unknown | Self::Closure(_) | Self::Target(_) | Self::Constant(_)) => Self::Unknown,
            ("freeze" | "dup", known) => known.clone(),
            ("to_s", known) => known.to_s().map_or(Self::Unknown, Self::Text),
            ("to_sym" | "intern", Self::Text(text) | Self::Symbol(text)) => Self::Symbol(text.clone()),
            ("strip", Self::Text(text)) => Self::Text(text.trim().to_owned()),
            ("chomp", Self::Text(text)) => Self::Text(
                text.strip_suffix('\n').map_or(text.as_str(), |line| line.trim_end_matches('\r')).to_owned(),
            ),
            ("keys", Self::Hash(entries)) => {
                Self::array(entries.iter().map(|(key, _)| key.clone()).collect())
            }
            ("values", Self::Hash(entries)) => {
                Self::array(entries.iter().map(|(_, value)| value.clone()).collect())
            }
            ("to_a", Self::Nil | Self::Array(_) | Self::Hash(_)) => Self::array(self.items()),
            _ => Self::Unknown,
        }
    }

    /// Returns the items that a loop over the value yields.
    pub fn items(&self) -> Vec<Self> {
        match self {
            Self::Array(items) => items.to_vec(),
            Self::Hash(entries) => {
                entries.iter().map(|(key, value)| Self::array(vec![key.clone(), value.clone()])).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t")
    )
}

fn symbol(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if is_plain && !name.is_empty() { format!(":{name}") } else { format!(":{}", quoted(name)) }
}
