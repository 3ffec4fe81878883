//! Programs of the Puppet language: most of them can be evaluated.

use std::fmt::{self, Display, Formatter};
use std::sync::LazyLock;

use arbitrary::{Arbitrary, Result, Unstructured};
use puppetfn::builtin;

/// Functions, and then code that calls them.
#[derive(Arbitrary, Debug)]
pub struct Program {
    functions: Vec<Lambda>,
    statements: Body,
}

#[derive(Arbitrary, Debug)]
pub struct Body(Vec<Code>);

#[derive(Arbitrary, Debug)]
pub struct Lambda {
    parameters: Vec<Parameter>,
    returns: Option<TypeName>,
    body: Body,
}

#[derive(Arbitrary, Debug)]
pub struct Parameter {
    t: Option<TypeName>,
    rest: bool,
    default: Option<Box<Code>>,
}

/// One of few names: those that are used are mostly those that are there.
#[derive(Arbitrary, Debug)]
pub struct Name(u8);

#[derive(Debug)]
pub struct Function(&'static str);

#[derive(Debug)]
pub struct TypeName(&'static str);

#[derive(Arbitrary, Debug)]
pub enum Code {
    Undef,
    Default,
    Boolean(bool),
    Small(i8),
    Integer(i64),
    Float(f32),
    Word(Word),
    Regex(Pattern),
    Variable(Name),
    Assign(Name, Box<Code>),
    Text(Vec<(Word, Code)>),
    Array(Vec<Code>),
    Splat(Box<Code>),
    Hash(Vec<(Code, Code)>),
    Not(Box<Code>),
    Minus(Box<Code>),
    Binary(Box<Code>, Operator, Box<Code>),
    Access(Box<Code>, Vec<Code>),
    Type(TypeName, Vec<Code>),
    Call(Function, Vec<Code>, Option<Lambda>),
    Method(Box<Code>, Function, Vec<Code>, Option<Lambda>),
    Own(Name, Vec<Code>),
    New(TypeName, Vec<Code>),
    If(Box<Code>, Body, Body),
    Case(Box<Code>, Vec<(Code, Body)>),
    Select(Box<Code>, Vec<(Code, Code)>),
    /// What was made is made into something more, again and again.
    Grow(Box<Code>, u8, Box<Code>),
}

#[derive(Arbitrary, Debug)]
pub enum Word {
    Empty,
    Letter(char),
    Words,
    Number,
    Format,
    Text(String),
}

#[derive(Arbitrary, Debug)]
pub enum Pattern {
    Any,
    Groups,
    Classes,
    Behind,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    GreaterOrEqual,
    In,
    Match,
    NotMatch,
    And,
    Or,
}

impl Arbitrary<'_> for Function {
    fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self> {
        static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| builtin::registry().names().collect());
        u.choose(&NAMES).map(|name| Self(name))
    }
}

impl Arbitrary<'_> for TypeName {
    fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self> {
        const NAMES: [&str; 36] = [
            "Any",
            "Array",
            "Binary",
            "Boolean",
            "Callable",
            "CatalogEntry",
            "Class",
            "Collection",
            "Data",
            "Default",
            "Deferred",
            "Enum",
            "Error",
            "Float",
            "Hash",
            "Init",
            "Integer",
            "Iterable",
            "Iterator",
            "NotUndef",
            "Numeric",
            "Object",
            "Optional",
            "Pattern",
            "Regexp",
            "Scalar",
            "SemVer",
            "SemVerRange",
            "Sensitive",
            "String",
            "Struct",
            "Timespan",
            "Timestamp",
            "Tuple",
            "Type",
            "Variant",
        ];
        u.choose(&NAMES).map(|name| Self(name))
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, function) in self.functions.iter().enumerate().take(3) {
            let Lambda { parameters, returns, body } = function;
            write!(f, "function f{index}({})", Parameters(parameters))?;
            if let Some(TypeName(name)) = returns {
                write!(f, " >> {name}")?;
            }
            writeln!(f, " {{ {body} }}")?;
        }
        self.statements.fmt(f)
    }
}

impl Display for Body {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some((last, statements)) = self.0.split_last() else { return Ok(()) };
        for statement in statements {
            match statement {
                Code::Assign(..) | Code::Call(..) | Code::Method(..) | Code::Own(..) => {
                    writeln!(f, "{statement}")
                }
                // Only the last statement may have no effect.
                statement => writeln!(f, "notice({statement})"),
            }?;
        }
        last.fmt(f)
    }
}

struct Parameters<'p>(&'p [Parameter]);

impl Display for Parameters<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, Parameter { t, rest, default }) in self.0.iter().enumerate().take(4) {
            let is_last = index + 1 == self.0.len().min(4);
            if let Some(TypeName(name)) = t {
                write!(f, "{name} ")?;
            }
            write!(f, "{}$v{index}", if *rest && is_last { "*" } else { "" })?;
            if let Some(default) = default {
                write!(f, " = {default}")?;
            }
            f.write_str(", ")?;
        }
        Ok(())
    }
}

impl Display for Lambda {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "|{}| {{ {} }}", Parameters(&self.parameters), self.body)
    }
}

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0 % 5)
    }
}

struct List<'c>(&'c [Code]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|code| write!(f, "{code}, "))
    }
}

impl Display for Code {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let block = |lambda: &Option<Lambda>| lambda.as_ref().map(Lambda::to_string).unwrap_or_default();
        match self {
            Self::Undef => f.write_str("undef"),
            Self::Default => f.write_str("default"),
            Self::Boolean(truth) => write!(f, "{truth}"),
            Self::Small(number) => write!(f, "({number})"),
            Self::Integer(number) => write!(f, "{}", number.unsigned_abs() >> 1),
            Self::Float(number) if number.is_finite() => write!(f, "({number:?})"),
            Self::Float(_) => f.write_str("1.0e300"),
            Self::Word(word) => write!(f, "'{word}'"),
            Self::Regex(pattern) => write!(f, "/{pattern}/"),
            Self::Variable(name) => write!(f, "${name}"),
            Self::Assign(name, value) => write!(f, "${name} = {value}"),
            Self::Text(parts) => {
                f.write_str("\"")?;
                parts.iter().try_for_each(|(word, code)| write!(f, "{word}${{({code})}}"))?;
                f.write_str("\"")
            }
            Self::Array(items) => write!(f, "[{}]", List(items)),
            Self::Splat(value) => write!(f, "[*{value}]"),
            Self::Hash(entries) => {
                f.write_str("{")?;
                entries.iter().try_for_each(|(key, value)| write!(f, "{key} => {value}, "))?;
                f.write_str("}")
            }
            Self::Not(value) => write!(f, "!({value})"),
            Self::Minus(value) => write!(f, "-({value})"),
            Self::Binary(left, operator, right) => write!(f, "({left} {operator} {right})"),
            Self::Access(value, keys) => write!(f, "({value})[{}]", List(keys)),
            Self::Type(TypeName(name), parameters) if parameters.is_empty() => f.write_str(name),
            Self::Type(TypeName(name), parameters) => write!(f, "{name}[{}]", List(parameters)),
            Self::Call(Function(name), arguments, lambda) => {
                write!(f, "{name}({}) {}", List(arguments), block(lambda))
            }
            Self::Method(value, Function(name), arguments, lambda) => {
                write!(f, "({value}).{name}({}) {}", List(arguments), block(lambda))
            }
            Self::Own(name, arguments) => write!(f, "f{}({})", name.0 % 3, List(arguments)),
            Self::New(TypeName(name), arguments) => write!(f, "{name}({})", List(arguments)),
            Self::If(test, then, otherwise) => write!(f, "if {test} {{ {then} }} else {{ {otherwise} }}"),
            Self::Case(test, options) => {
                write!(f, "case {test} {{ ")?;
                options.iter().try_for_each(|(value, body)| write!(f, "{value}: {{ {body} }} "))?;
                f.write_str("default: { 1 } }")
            }
            Self::Select(test, options) => {
                write!(f, "({test} ? {{ ")?;
                options.iter().try_for_each(|(value, result)| write!(f, "{value} => {result}, "))?;
                f.write_str("default => 1 })")
            }
            Self::Grow(first, times, code) => {
                write!(f, "Integer[0, {times}].reduce({first}) |$v0, $v1| {{ {code} }}")
            }
        }
    }
}

impl Display for Word {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => Ok(()),
            Self::Letter(c) if !"'\"\\$".contains(*c) => write!(f, "{c}"),
            Self::Letter(_) => f.write_str("a"),
            Self::Words => f.write_str("a b,c.d-é"),
            Self::Number => f.write_str("0x1f"),
            Self::Format => f.write_str("%#5.2s %p %d %Y"),
            Self::Text(text) => f.write_str(&text.replace(['\'', '"', '\\', '$'], "x")),
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Any => ".*",
            Self::Groups => "(a)|(?<n>b+)?(.)",
            Self::Classes => r"[[:alpha:]&&\w]+\d*",
            Self::Behind => r"(?<=a)\b(?!c)",
        })
    }
}

impl Display for Operator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::GreaterOrEqual => ">=",
            Self::In => "in",
            Self::Match => "=~",
            Self::NotMatch => "!~",
            Self::And => "and",
            Self::Or => "or",
        })
    }
}
