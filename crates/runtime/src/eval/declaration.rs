//! Resolved code that declares resources, and the definitions that it declares them with: classes, defined
//! types and nodes.

use std::sync::{Arc, OnceLock};

use super::code::{CompilationUnit, GlobalId, Node, Op, ParameterCode, Slot};
use puppetfn_catalog::{RelationshipKind, ResourceKind, SETTINGS, SourceId};
use puppetfn_syntax::ast::ResourceForm;
use puppetfn_types::value::{Regex, Value};

/// An operation that adds or changes entries of a catalog, or that depends on these.
#[derive(Debug)]
pub(super) enum DeclareCode {
    /// `type { bodies }`.
    Resources(ResourcesCode),
    /// `Type { operations }`.
    Defaults(ChangesCode),
    /// `Type[title] { operations }`.
    Override(ChangesCode),
    /// `Type <| query |> { operations }`.
    Collector(CollectorCode),
    /// `left -> right`.
    Relationship(RelationshipCode),
    /// A parameter of a class or of a defined type, in the default value of one.
    Parameter(AwaitedParameter),
}

#[derive(Debug)]
pub(super) struct ResourcesCode {
    pub form: ResourceForm,
    pub type_name: TypeName,
    pub bodies: Box<[BodyCode]>,
}

/// The type of the resources that an expression declares.
#[derive(Debug)]
pub(super) enum TypeName {
    Known(Arc<str>),
    /// A type; whether it is written as one.
    Code(Node, bool),
}

#[derive(Debug)]
pub(super) struct BodyCode {
    pub title: Node,
    pub operations: Box<[OperationCode]>,
}

/// The assignment of one parameter, or of all parameters in a hash.
#[derive(Debug)]
pub(super) struct OperationCode {
    pub name: Option<Arc<str>>,
    pub is_added: bool,
    pub value: Node,
    pub at: u32,
}

/// Parameters for resources, or for all resources of a type.
#[derive(Debug)]
pub(super) struct ChangesCode {
    pub subject: Node,
    pub operations: Box<[OperationCode]>,
}

#[derive(Debug)]
pub(super) struct CollectorCode {
    pub type_name: Arc<str>,
    pub is_exported: bool,
    pub condition: Option<ConditionCode>,
    pub operations: Box<[OperationCode]>,
}

/// The condition of a collector.
#[derive(Debug)]
pub(super) enum ConditionCode {
    And(Box<[ConditionCode; 2]>),
    Or(Box<[ConditionCode; 2]>),
    /// Whether the name and the value are to be equal, or not.
    Compare(bool, Box<[Node; 2]>),
    /// A comparison with an expression that queries cannot have: the name, and the kind of expression.
    Untransformable(Box<Node>, &'static str),
}

#[derive(Debug)]
pub(super) struct RelationshipCode {
    pub sides: Box<[Node; 2]>,
    pub relation: RelationshipKind,
    /// Whether the right side comes first.
    pub is_reversed: bool,
    pub symbol: &'static str,
}

/// A parameter that may have no value yet.
#[derive(Debug)]
pub(super) struct AwaitedParameter {
    pub variable: ParameterVariable,
    pub name: Box<str>,
    /// The parameter whose default value uses it, and whether that comes later.
    pub user: Box<str>,
    pub is_before: bool,
    /// The owner of the parameters in messages; `None` if it is the enclosing resource.
    pub owner: Option<&'static str>,
}

/// The variable of a parameter.
#[derive(Clone, Copy, Debug)]
pub(super) enum ParameterVariable {
    Slot(Slot),
    Global(GlobalId),
}

/// A class, a defined type or a node.
#[derive(Debug)]
pub(super) struct DefinitionCode {
    pub form: DefinitionForm,
    /// In lower case, without a leading `::`. A node has none of its own.
    pub name: Arc<str>,
    /// The class that it builds on.
    pub parent: Option<Arc<str>>,
    pub parameters: Box<[ParameterCode]>,
    pub body: Node,
    pub unit: Arc<CompilationUnit>,
    pub frame_size: u32,
    pub at: u32,
    /// The module that defines it.
    pub module: OnceLock<Arc<str>>,
    /// The kind of its resources, once its types have been evaluated.
    pub kind: OnceLock<Arc<ResourceKind>>,
    /// Its source in the catalog, once it has declared something.
    pub source: OnceLock<SourceId>,
}

/// The kind of a definition.
#[derive(Debug)]
pub(super) enum DefinitionForm {
    /// Its variables are of the top scope, with its name in front.
    Class(Box<[GlobalId]>),
    /// Its parameters are in the first slots, then [`DEFINED_VARIABLES`], then
    /// [`METAPARAMETERS`](puppetfn_catalog::METAPARAMETERS), which have values only if the resource is given them.
    DefinedType,
    /// The names of nodes that it is for.
    Node(Box<[NodeName]>),
}

/// The variables of a defined type that are not parameters.
pub(super) const DEFINED_VARIABLES: [&str; 4] = ["title", "name", "module_name", "caller_module_name"];

/// The prefix of the variables of nodes. No class has that name.
pub(super) const NODE: &str = "<node>";

/// A name in the definition of a node.
#[derive(Debug)]
pub(super) enum NodeName {
    /// In lower case.
    Name(Arc<str>),
    Regexp(Regex),
    Default,
}

impl DefinitionCode {
    /// Returns the class `settings` of Puppet, which has variables and no code.
    pub fn settings() -> Self {
        Self {
            form: DefinitionForm::Class(Box::default()),
            name: SETTINGS.into(),
            parent: None,
            parameters: Box::default(),
            body: Node::new(Op::Constant(Value::Undef), 0),
            unit: Arc::new(CompilationUnit::new("", None)),
            frame_size: 0,
            at: 0,
            module: OnceLock::new(),
            kind: OnceLock::new(),
            source: OnceLock::new(),
        }
    }

    /// Returns true if no text defines it.
    pub fn is_builtin(&self) -> bool {
        self.unit.text().is_empty()
    }

    pub fn is_class(&self) -> bool {
        matches!(self.form, DefinitionForm::Class(_))
    }
}

impl NodeName {
    /// Returns the title of the node's resource.
    pub fn title(&self) -> String {
        match self {
            Self::Name(name) => name.to_string(),
            Self::Regexp(regex) => {
                let lower = regex.source().to_lowercase();
                let is_kept = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':' | '.');
                let kept: String = lower.chars().filter(is_kept).collect();
                format!("__node_regexp__{}", kept.trim_start_matches('.'))
            }
            Self::Default => "default".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_for_regular_expressions_have_names() {
        let title = |source: &str| NodeName::Regexp(Regex::new(source).unwrap()).title();
        assert_eq!(title(r"^(web|db)\d+\.example$"), "__node_regexp__webdbd.example");
        assert_eq!(title(".*"), "__node_regexp__");
    }
}
