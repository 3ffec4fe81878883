//! Symbols, and their occurrences.

use std::sync::Arc;

use puppetfn_base::source::Span;

/// The referent of a name. Names are in lower case and without leading `::`, except the names of variables and keys.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// A function.
    Function(Arc<str>),
    /// A plan.
    Plan(Arc<str>),
    /// A class.
    Class(Arc<str>),
    /// A type: an alias, a defined type, or a resource type.
    Type(Arc<str>),
    /// A variable of a class, a parameter of a defined type, or, if the owner has no name, a variable of the top scope.
    Variable {
        /// The class or the defined type.
        owner: Arc<str>,
        /// The name.
        name: Arc<str>,
    },
    /// A variable that is local to the text: in a function, a lambda or a template.
    Local {
        /// The start offset of the scope.
        scope: u32,
        /// The name.
        name: Arc<str>,
    },
    /// A variable that an ERB template gets from its caller's scope.
    TemplateVariable {
        /// The template: `m/t.erb`.
        template: Arc<str>,
        /// The name.
        name: Arc<str>,
    },
    /// A resource.
    Resource {
        /// The type.
        type_name: Arc<str>,
        /// The title.
        title: Arc<str>,
    },
    /// A template: `m/t.epp`.
    Template(Arc<str>),
    /// A file of a module: `m/f`.
    File(Arc<str>),
    /// A key of Hiera's data.
    Key(Arc<str>),
}

impl Symbol {
    /// Returns the unqualified name.
    pub fn name(&self) -> &str {
        match self {
            Self::Function(name)
            | Self::Plan(name)
            | Self::Class(name)
            | Self::Type(name)
            | Self::Template(name)
            | Self::File(name)
            | Self::Key(name) => name,
            Self::Variable { name, .. } | Self::Local { name, .. } | Self::TemplateVariable { name, .. } => {
                name
            }
            Self::Resource { title, .. } => title,
        }
    }

    /// Returns true if no other text can refer to the symbol.
    pub fn is_local(&self) -> bool {
        matches!(self, Self::Local { .. })
    }
}

/// The role of an occurrence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// A definition or declaration.
    Definition,
    /// A use.
    Read,
}

/// An occurrence of a symbol in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// The symbol.
    pub symbol: Symbol,
    /// The span of the name, without `$` and quotes.
    pub span: Span,
    /// The role.
    pub role: Role,
}

/// A definition with a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolDefinition {
    /// The defined symbol.
    pub symbol: Symbol,
    /// The span of the whole definition.
    pub span: Span,
    /// The span of the name.
    pub name_span: Span,
    /// The base class of a class.
    pub parent: Option<Arc<str>>,
}
