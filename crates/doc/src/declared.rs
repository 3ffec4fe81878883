//! What a file declares: names, signatures and comments, not yet read.

/// A function as a file declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredFunction {
    /// The full name.
    pub name: String,
    /// What it is written against.
    pub api: Api,
    /// The line of the declaration, counted from 1.
    pub line: u32,
    /// The comment above it; of a 3.x function its `:doc`.
    pub comment: Comment,
    /// The signatures; none where the file says nothing of them, as of 3.x functions.
    pub signatures: Vec<DeclaredSignature>,
    /// The text of the declaration.
    pub source: Option<String>,
}

/// What a function is written against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Api {
    /// Ruby, `create_function`.
    Ruby4x,
    /// Ruby, `newfunction`.
    Ruby3x,
    /// The Puppet language.
    Puppet,
    /// One of Puppet's own functions.
    BuiltIn,
}

/// A signature as a file declares it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeclaredSignature {
    /// The line of the declaration, counted from 1.
    pub line: u32,
    /// The comment above a `dispatch`; of a function with one signature that is its own comment, none.
    pub comment: Comment,
    /// The parameters, the block last.
    pub parameters: Vec<Parameter>,
    /// The type of the result, if it is stated.
    pub return_type: Option<String>,
}

/// A parameter as a file declares it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parameter {
    /// The name, without marks.
    pub name: String,
    /// The type, if it is stated.
    pub type_text: Option<String>,
    /// How many arguments it takes.
    pub kind: ParameterKind,
    /// Whether the declaration says that it is optional; it does not for a default in Puppet code.
    pub is_optional: bool,
    /// The value if no argument is given, as it stands in the file.
    pub default: Option<String>,
    /// The line that it is on, counted from 1.
    pub line: u32,
}

/// How many arguments a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ParameterKind {
    /// One.
    #[default]
    Single,
    /// All that are left.
    Repeated,
    /// The block.
    Block,
}

/// A type alias as a file declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredType {
    /// The full name.
    pub name: String,
    /// The line of the declaration, counted from 1.
    pub line: u32,
    /// The comment above it.
    pub comment: Comment,
    /// The text of the type that it stands for.
    pub alias_of: String,
}

/// A class, a defined type or a plan as a file declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredDefinition {
    /// What it is.
    pub kind: DefinitionKind,
    /// The full name.
    pub name: String,
    /// The line of the declaration, counted from 1.
    pub line: u32,
    /// The comment above it.
    pub comment: Comment,
    /// The class that a class inherits from.
    pub parent: Option<String>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The text of the declaration.
    pub source: String,
}

/// What a definition defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefinitionKind {
    /// A class.
    Class,
    /// A defined type.
    DefinedType,
    /// A plan.
    Plan,
}

/// A data type that a Ruby file declares with `create_type`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeclaredDataType {
    /// The name.
    pub name: String,
    /// The line of the declaration, counted from 1.
    pub line: u32,
    /// The comment above it.
    pub comment: Comment,
    /// The text of its interface, if it is a literal.
    pub interface: Option<String>,
}

/// A provider of a resource type as a file declares it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeclaredProvider {
    /// The name of the resource type.
    pub type_name: String,
    /// The name.
    pub name: String,
    /// The line of the declaration, counted from 1.
    pub line: u32,
    /// What it is for.
    pub doc: Option<String>,
    /// What has to be so for it to be used, by what that is about.
    pub confines: Vec<(String, String)>,
    /// Where it is the default: facts and their values.
    pub defaults: Vec<Vec<(String, String)>>,
    /// The commands that it runs, by their names.
    pub commands: Vec<(String, String)>,
    /// What it is able to do, besides what its methods tell.
    pub features: Vec<String>,
}

/// The text of a comment, without its marks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comment {
    /// The text; empty where there is no comment.
    pub text: String,
    /// The line that it starts on, counted from 1.
    pub line: u32,
}

impl Parameter {
    /// Returns the name as documents have it: `*name` of one that is repeated, `&name` of a block.
    pub fn marked_name(&self) -> String {
        format!("{}{}", self.kind.mark(), self.name)
    }

    /// Returns the type as documents have it, where the declaration or else `documented` says what it is.
    pub fn shown_type(&self, documented: Option<&str>) -> String {
        let t = self.type_text.as_deref().or(documented).unwrap_or("Any");
        if self.is_optional { format!("Optional[{t}]") } else { t.to_owned() }
    }
}

impl ParameterKind {
    /// Returns what stands before the name.
    pub fn mark(self) -> &'static str {
        match self {
            Self::Single => "",
            Self::Repeated => "*",
            Self::Block => "&",
        }
    }
}
