//! The declarations of a file: names, signatures and unparsed comments.

/// A function declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredFunction {
    /// The full name.
    pub name: String,
    /// The API that the function uses.
    pub api: Api,
    /// The line of the declaration, counted from 1.
    pub line: u32,
    /// The comment above it; of a 3.x function its `:doc`.
    pub comment: Comment,
    /// The signatures; empty if the file does not declare them, as for 3.x functions.
    pub signatures: Vec<DeclaredSignature>,
    /// The text of the declaration.
    pub source: Option<String>,
}

/// The API that a function uses.
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

/// A signature declaration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeclaredSignature {
    /// The line of the declaration, counted from 1.
    pub line: u32,
    /// The comment above a `dispatch`; empty if the signature is the only one and the function's comment describes it.
    pub comment: Comment,
    /// The parameters, the block last.
    pub parameters: Vec<DeclaredParameter>,
    /// The type of the result, if it is stated.
    pub return_type: Option<String>,
}

/// A parameter declaration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeclaredParameter {
    /// The name, without marks.
    pub name: String,
    /// The type, if it is stated.
    pub type_text: Option<String>,
    /// The number of arguments that it takes.
    pub kind: ParameterKind,
    /// Whether the declaration marks it as optional; a default in Puppet code does not.
    pub is_optional: bool,
    /// The source text of the default.
    pub default: Option<String>,
    /// The line, counted from 1.
    pub line: u32,
}

/// The number of arguments that a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ParameterKind {
    /// One argument.
    #[default]
    Single,
    /// All remaining arguments.
    Repeated,
    /// The block.
    Block,
}

/// The declaration of a type alias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredType {
    /// The full name.
    pub name: String,
    /// The line of the declaration, counted from 1.
    pub line: u32,
    /// The comment above it.
    pub comment: Comment,
    /// The source text of the aliased type.
    pub alias_of: String,
}

/// The declaration of a class, a defined type or a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredDefinition {
    /// The kind.
    pub kind: DefinitionKind,
    /// The full name.
    pub name: String,
    /// The line of the declaration, counted from 1.
    pub line: u32,
    /// The comment above it.
    pub comment: Comment,
    /// The base class of a class.
    pub parent: Option<String>,
    /// The parameters.
    pub parameters: Vec<DeclaredParameter>,
    /// The text of the declaration.
    pub source: String,
}

/// The kind of a definition.
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

/// The declaration of a provider of a resource type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeclaredProvider {
    /// The name of the resource type.
    pub type_name: String,
    /// The name.
    pub name: String,
    /// The line of the declaration, counted from 1.
    pub line: u32,
    /// The description.
    pub doc: Option<String>,
    /// The conditions of its suitability: subjects and requirements.
    pub confines: Vec<(String, String)>,
    /// The conditions under which it is the default: facts and their values.
    pub defaults: Vec<Vec<(String, String)>>,
    /// The commands that it runs: names and paths.
    pub commands: Vec<(String, String)>,
    /// The declared features, in addition to those implied by its methods.
    pub features: Vec<String>,
}

/// The text of a comment, without comment marks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comment {
    /// The text; empty if there is no comment.
    pub text: String,
    /// The line of its start, counted from 1.
    pub line: u32,
}

impl DeclaredParameter {
    /// Returns the name for documents: `*name` for a repeated parameter, `&name` for a block.
    pub fn marked_name(&self) -> String {
        format!("{}{}", self.kind.mark(), self.name)
    }

    /// Returns the type for documents: the declared one, or else `documented`.
    pub fn shown_type(&self, documented: Option<&str>) -> String {
        let t = self.type_text.as_deref().or(documented).unwrap_or("Any");
        if self.is_optional { format!("Optional[{t}]") } else { t.to_owned() }
    }
}

impl ParameterKind {
    /// Returns the mark before the name.
    pub fn mark(self) -> &'static str {
        match self {
            Self::Single => "",
            Self::Repeated => "*",
            Self::Block => "&",
        }
    }
}
