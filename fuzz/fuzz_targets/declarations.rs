//! Manifests: classes, defined types and resources with few names, so that most of what is referred to is there.

use std::fmt::{self, Display, Formatter};

use arbitrary::Arbitrary;

use super::program::Code;

/// Definitions and statements, in any order.
#[derive(Arbitrary, Debug)]
pub struct Declarations(Vec<Statement>);

#[derive(Arbitrary, Debug)]
enum Statement {
    Class(Name, Option<Name>, Vec<Parameter>, Vec<Statement>),
    Define(Name, Vec<Parameter>, Vec<Statement>),
    Node(Vec<Statement>),
    Resource(Form, Kind, Vec<(Title, Vec<Attribute>)>),
    Defaults(Kind, Vec<Attribute>),
    Override(Kind, Title, Vec<Attribute>),
    Collect(Kind, Query, bool, Vec<Attribute>),
    Relate(Side, Vec<(Arrow, Side)>),
    Include(IncludeFunction, Vec<Name>),
    If(Code, Vec<Statement>, Vec<Statement>),
    Each(u8, Vec<Statement>),
    Assign(Code),
    Plain(Code),
    Called(CatalogFunction, Kind, Title),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
struct Name(u8);

#[derive(Arbitrary, Debug)]
struct Parameter(u8, Option<Code>);

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Form {
    Real,
    Virtual,
    Exported,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Kind {
    File,
    Notify,
    Exec,
    Resources,
    Class,
    Own(Name),
}

#[derive(Arbitrary, Debug)]
enum Title {
    Small(u8),
    Several(Vec<u8>),
    Of(Box<Code>),
    Own,
}

#[derive(Arbitrary, Debug)]
struct Attribute(AttributeName, bool, AttributeValue);

#[derive(Arbitrary, Clone, Copy, Debug)]
enum AttributeName {
    Message,
    Ensure,
    Require,
    Before,
    Notify,
    Tag,
    Alias,
    Loglevel,
    Noop,
    Name,
    Own(u8),
    All,
}

#[derive(Arbitrary, Debug)]
enum AttributeValue {
    Of(Code),
    Reference(Kind, Title),
    Word(u8),
}

#[derive(Arbitrary, Debug)]
enum Query {
    All,
    Equal(AttributeName, u8),
    NotEqual(AttributeName, u8),
    And(Box<(Query, Query)>),
    Or(Box<(Query, Query)>),
}

#[derive(Arbitrary, Debug)]
enum Side {
    Reference(Kind, Title),
    References(Vec<(Kind, Title)>),
    Declared(Kind, Title),
    Collected(Kind, Query),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Arrow {
    Before,
    Notifies,
    After,
    NotifiedBy,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum IncludeFunction {
    Include,
    Require,
    Contain,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum CatalogFunction {
    Defined,
    Realize,
    CreateResources,
    Tag,
    Tagged,
    GetParam,
}

/// Writes items one after the other, no more than a few of them.
struct Few<'i, T>(&'i [T], &'static str);

impl<T: Display> Display for Few<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().take(6).try_for_each(|item| write!(f, "{item}{}", self.1))
    }
}

impl Display for Declarations {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().take(20).try_for_each(|statement| write!(f, "{statement}"))
    }
}

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(["a", "b", "a::b", "c"][usize::from(self.0 % 4)])
    }
}

impl Display for Parameter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "$p{}", self.0 % 3)?;
        self.1.as_ref().map_or(Ok(()), |default| write!(f, " = {default}"))
    }
}

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class(name, parent, parameters, body) => {
                write!(f, "class {name}({}) ", Few(parameters, ", "))?;
                if let Some(parent) = parent {
                    write!(f, "inherits {parent} ")?;
                }
                writeln!(f, "{{ {} }}", Few(body, ""))
            }
            Self::Define(name, parameters, body) => {
                writeln!(f, "define d::{name}({}) {{ {} }}", Few(parameters, ", "), Few(body, ""))
            }
            Self::Node(body) => writeln!(f, "node default {{ {} }}", Few(body, "")),
            Self::Resource(form, kind, bodies) => {
                let prefix = match form {
                    Form::Real => "",
                    Form::Virtual => "@",
                    Form::Exported => "@@",
                };
                write!(f, "{prefix}{} {{ ", kind.plain())?;
                for (title, attributes) in bodies.iter().take(4) {
                    write!(f, "{title}: {}; ", Few(attributes, ", "))?;
                }
                writeln!(f, "}}")
            }
            Self::Defaults(kind, attributes) => writeln!(f, "{kind} {{ {} }}", Few(attributes, ", ")),
            Self::Override(kind, title, attributes) => {
                writeln!(f, "{kind}[{title}] {{ {} }}", Few(attributes, ", "))
            }
            Self::Collect(kind, query, exported, attributes) => {
                let (left, right) = if *exported { ("<<|", "|>>") } else { ("<|", "|>") };
                writeln!(f, "{kind} {left} {query} {right} {{ {} }}", Few(attributes, ", "))
            }
            Self::Relate(side, others) => {
                write!(f, "{side}")?;
                for (arrow, side) in others.iter().take(3) {
                    let arrow = match arrow {
                        Arrow::Before => "->",
                        Arrow::Notifies => "~>",
                        Arrow::After => "<-",
                        Arrow::NotifiedBy => "<~",
                    };
                    write!(f, " {arrow} {side}")?;
                }
                writeln!(f)
            }
            Self::Include(function, names) => {
                let function = match function {
                    IncludeFunction::Include => "include",
                    IncludeFunction::Require => "require",
                    IncludeFunction::Contain => "contain",
                };
                writeln!(f, "{function}({})", Few(names, ", "))
            }
            Self::If(test, then, otherwise) => {
                writeln!(f, "if {test} {{ {} }} else {{ {} }}", Few(then, ""), Few(otherwise, ""))
            }
            Self::Each(times, body) => {
                writeln!(f, "Integer[1, {}].each |$v0| {{ {} }}", times % 5, Few(body, ""))
            }
            Self::Assign(value) => writeln!(f, "$v1 = {value}"),
            Self::Plain(code) => writeln!(f, "notice({code})"),
            Self::Called(function, kind, title) => match function {
                CatalogFunction::Defined => writeln!(f, "$v2 = defined({kind}[{title}])"),
                CatalogFunction::Realize => writeln!(f, "realize({kind}[{title}])"),
                CatalogFunction::CreateResources => {
                    writeln!(f, "create_resources({}, {{ {title} => {{}} }})", kind.plain())
                }
                CatalogFunction::Tag => writeln!(f, "tag({title})"),
                CatalogFunction::Tagged => writeln!(f, "$v3 = tagged({title})"),
                CatalogFunction::GetParam => writeln!(f, "$v4 = getparam({kind}[{title}], 'message')"),
            },
        }
    }
}

impl Kind {
    fn plain(self) -> String {
        match self {
            Self::Own(name) => format!("d::{name}"),
            kind => kind.to_string().to_lowercase(),
        }
    }
}

impl Display for Kind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.write_str("File"),
            Self::Notify => f.write_str("Notify"),
            Self::Exec => f.write_str("Exec"),
            Self::Resources => f.write_str("Resources"),
            Self::Class => f.write_str("Class"),
            Self::Own(name) => f.write_str(["D::A", "D::B", "D::A::B", "D::C"][usize::from(name.0 % 4)]),
        }
    }
}

impl Display for Title {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Small(number) => write!(f, "'{}'", ["a", "b", "/t", "/t/u", "c"][usize::from(number % 5)]),
            Self::Several(numbers) => {
                f.write_str("[")?;
                numbers.iter().take(4).try_for_each(|number| write!(f, "{}, ", Self::Small(*number)))?;
                f.write_str("]")
            }
            Self::Of(code) => write!(f, "{code}"),
            Self::Own => f.write_str("\"${title}-x\""),
        }
    }
}

impl Display for Attribute {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(name, adds, value) = self;
        write!(f, "{name} {} {value}", if *adds { "+>" } else { "=>" })
    }
}

impl Display for AttributeName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message => f.write_str("message"),
            Self::Ensure => f.write_str("ensure"),
            Self::Require => f.write_str("require"),
            Self::Before => f.write_str("before"),
            Self::Notify => f.write_str("notify"),
            Self::Tag => f.write_str("tag"),
            Self::Alias => f.write_str("alias"),
            Self::Loglevel => f.write_str("loglevel"),
            Self::Noop => f.write_str("noop"),
            Self::Name => f.write_str("name"),
            Self::Own(number) => write!(f, "p{}", number % 3),
            Self::All => f.write_str("*"),
        }
    }
}

impl Display for AttributeValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Of(code) => write!(f, "{code}"),
            Self::Reference(kind, title) => write!(f, "{kind}[{title}]"),
            Self::Word(number) => write!(f, "{}", Title::Small(*number)),
        }
    }
}

impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => Ok(()),
            Self::Equal(name, value) => write!(f, "{name} == {}", Title::Small(*value)),
            Self::NotEqual(name, value) => write!(f, "{name} != {}", Title::Small(*value)),
            Self::And(sides) => write!(f, "({}) and ({})", sides.0, sides.1),
            Self::Or(sides) => write!(f, "({}) or ({})", sides.0, sides.1),
        }
    }
}

impl Display for Side {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reference(kind, title) => write!(f, "{kind}[{title}]"),
            Self::References(references) => {
                f.write_str("[")?;
                references.iter().take(3).try_for_each(|(kind, title)| write!(f, "{kind}[{title}], "))?;
                f.write_str("]")
            }
            Self::Declared(kind, title) => write!(f, "{} {{ {title}: }}", kind.plain()),
            Self::Collected(kind, query) => write!(f, "{kind} <| {query} |>"),
        }
    }
}
