//! What names stand for.

use std::sync::Arc;

use puppetfn_base::source::Span;

/// What a name stands for. Names are in lower case and without `::` in front, other than those of variables and keys.
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
    /// A variable of a class, a parameter of a defined type, or, where the owner has no name, one of the top scope.
    Variable {
        /// The class or the defined type.
        owner: Arc<str>,
        /// The name.
        name: Arc<str>,
    },
    /// A variable that only the text knows, in a function, a lambda or a template.
    Local {
        /// Where what it belongs to begins.
        scope: u32,
        /// The name.
        name: Arc<str>,
    },
    /// A variable that a template in ERB gets from whoever it is evaluated for.
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
    /// Returns the name, without what it belongs to.
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

    /// Returns true if no other text can mean it.
    pub fn is_local(&self) -> bool {
        matches!(self, Self::Local { .. })
    }
}

/// What a name does where it stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// It is defined or declared there.
    Definition,
    /// It is used.
    Read,
}

/// A name in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// What it stands for.
    pub symbol: Symbol,
    /// Where the name is, without `$` and quotes.
    pub span: Span,
    /// What it does there.
    pub role: Role,
}

/// A definition with a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The defined symbol.
    pub symbol: Symbol,
    /// All of its text.
    pub span: Span,
    /// The span of the name.
    pub name_span: Span,
    /// The class that a class builds on.
    pub parent: Option<Arc<str>>,
}
