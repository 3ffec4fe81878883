//! The rules: what the checker looks for.

use puppetfn_base::diagnostic::Severity;

/// A rule. Its name stays the same over versions; `docs/check.md` shows code that breaks it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// A text is not Puppet.
    Syntax,
    /// Puppet rejects code before it is evaluated.
    NotAllowed,
    /// Puppet warns of code before it is evaluated.
    Questionable,
    /// No signature of a function accepts the arguments.
    ArgumentMismatch,
    /// A call fails for arguments that are known.
    FailingCall,
    /// There is no function of a name.
    UnknownFunction,
    /// There is no type of a name.
    UnknownType,
    /// A type that is defined by its features contradicts itself, or its code is not allowed.
    TypeDefinition,
    /// There is no class of a name.
    UnknownClass,
    /// There is no resource type of a name.
    UnknownResourceType,
    /// A class has no variable of a name.
    UnknownClassVariable,
    /// A module has no file of a name.
    MissingFile,
    /// The result of a function is of another type than it states.
    ReturnType,
    /// The value before brackets has no parts, or none at such keys.
    Access,
    /// An operator cannot compute with such operands.
    Arithmetic,
    /// Values are compared that cannot be compared.
    Comparison,
    /// The operands of `=~` cannot be matched.
    Match,
    /// No option of a selector matches.
    Selector,
    /// A variable that has a value is set again.
    Reassignment,
    /// Several variables are set to another number of values.
    Assignment,
    /// A default value uses a parameter that has no value yet.
    ParameterOrder,
    /// A resource is given a parameter that it does not have.
    UnknownParameter,
    /// A resource lacks a parameter that it must have.
    MissingParameter,
    /// A parameter of a resource is given a value of another type.
    ParameterType,
    /// A parameter of a resource is given a value that its type refuses.
    ParameterValue,
    /// The title of a resource is not a valid title.
    Title,
    /// A resource is declared twice.
    DuplicateResource,
    /// A comparison never holds.
    AlwaysFalse,
    /// A default value is not of the type of its parameter.
    DefaultType,
    /// Nothing sets a variable.
    UnknownVariable,
    /// A fact has a name that only old versions of Facter know.
    LegacyFact,
    /// A function has a name that functions of its kind should not have.
    FunctionName,
    /// Code follows something that never ends normally.
    Unreachable,
    /// A file of data is not what Hiera can read.
    DataSyntax,
    /// A key of data names no parameter, and nothing looks it up.
    DataKey,
    /// Data has a value that is refused where it is used.
    DataValue,
    /// A comment says that a rule is not to be reported where it is not broken.
    NeedlessIgnore,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 37] = [
        Self::Syntax,
        Self::NotAllowed,
        Self::Questionable,
        Self::ArgumentMismatch,
        Self::FailingCall,
        Self::UnknownFunction,
        Self::UnknownType,
        Self::TypeDefinition,
        Self::UnknownClass,
        Self::UnknownResourceType,
        Self::UnknownClassVariable,
        Self::MissingFile,
        Self::ReturnType,
        Self::Access,
        Self::Arithmetic,
        Self::Comparison,
        Self::Match,
        Self::Selector,
        Self::Reassignment,
        Self::Assignment,
        Self::ParameterOrder,
        Self::UnknownParameter,
        Self::MissingParameter,
        Self::ParameterType,
        Self::ParameterValue,
        Self::Title,
        Self::DuplicateResource,
        Self::AlwaysFalse,
        Self::DefaultType,
        Self::UnknownVariable,
        Self::LegacyFact,
        Self::FunctionName,
        Self::Unreachable,
        Self::DataSyntax,
        Self::DataKey,
        Self::DataValue,
        Self::NeedlessIgnore,
    ];

    /// Returns the name of the rule in findings.
    pub fn name(self) -> &'static str {
        self.described().0
    }

    /// Returns what it finds, in a few words.
    pub fn summary(self) -> &'static str {
        self.described().1
    }

    fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::Syntax => ("syntax", "The text is not Puppet code"),
            Self::NotAllowed => ("not-allowed", "Puppet refuses the code before it is evaluated"),
            Self::Questionable => ("questionable", "Puppet warns of the code before it is evaluated"),
            Self::ArgumentMismatch => {
                ("argument-mismatch", "No signature of the function accepts the arguments")
            }
            Self::FailingCall => ("failing-call", "The function fails for these arguments"),
            Self::UnknownFunction => ("unknown-function", "There is no function of this name"),
            Self::UnknownType => ("unknown-type", "There is no type of this name"),
            Self::TypeDefinition => ("type-definition", "The definition of the type is not allowed"),
            Self::UnknownClass => ("unknown-class", "There is no class of this name"),
            Self::UnknownResourceType => ("unknown-resource-type", "There is no resource type of this name"),
            Self::UnknownClassVariable => {
                ("unknown-class-variable", "The class sets no variable of this name")
            }
            Self::MissingFile => ("missing-file", "The module has no such file"),
            Self::ReturnType => ("return-type", "The result is not of the type that the function states"),
            Self::Access => ("access", "The value has no parts, or none at such a key"),
            Self::Arithmetic => ("arithmetic", "The operator cannot compute with such values"),
            Self::Comparison => ("comparison", "Such values cannot be compared"),
            Self::Match => ("match", "Such values cannot be matched"),
            Self::Selector => ("selector", "No option of the selector matches"),
            Self::Reassignment => ("reassignment", "The variable has a value already"),
            Self::Assignment => ("assignment", "There are not as many values as variables"),
            Self::ParameterOrder => {
                ("parameter-order", "A default value uses a parameter that comes after it")
            }
            Self::UnknownParameter => ("unknown-parameter", "The resource has no such parameter"),
            Self::MissingParameter => ("missing-parameter", "The resource lacks a parameter"),
            Self::ParameterType => ("parameter-type", "The value is not of the type of the parameter"),
            Self::ParameterValue => ("parameter-value", "The resource type refuses the value"),
            Self::Title => ("title", "The value cannot be the title of a resource"),
            Self::DuplicateResource => ("duplicate-resource", "The resource is declared already"),
            Self::AlwaysFalse => ("always-false", "The comparison never holds"),
            Self::DefaultType => ("default-type", "The default value is not of the type of the parameter"),
            Self::UnknownVariable => ("unknown-variable", "Nothing seen sets the variable"),
            Self::LegacyFact => ("legacy-fact", "The fact has another name now"),
            Self::FunctionName => ("function-name", "The function is not named as such functions should be"),
            Self::Unreachable => ("unreachable", "The code is never reached"),
            Self::DataSyntax => ("data-syntax", "The file of data cannot be read"),
            Self::DataKey => ("data-key", "The key names no parameter"),
            Self::DataValue => ("data-value", "The value is refused where it is used"),
            Self::NeedlessIgnore => ("needless-ignore", "The comment ignores nothing"),
        }
    }

    /// Returns the severity: an error fails whenever it is reached.
    pub fn severity(self) -> Severity {
        match self {
            Self::Questionable
            | Self::AlwaysFalse
            | Self::DefaultType
            | Self::UnknownVariable
            | Self::FunctionName
            | Self::LegacyFact
            | Self::Unreachable
            | Self::DataKey
            | Self::NeedlessIgnore => Severity::Warning,
            Self::Syntax
            | Self::NotAllowed
            | Self::ArgumentMismatch
            | Self::FailingCall
            | Self::UnknownFunction
            | Self::UnknownType
            | Self::TypeDefinition
            | Self::UnknownClass
            | Self::UnknownResourceType
            | Self::UnknownClassVariable
            | Self::ReturnType
            | Self::Access
            | Self::Arithmetic
            | Self::Comparison
            | Self::Match
            | Self::Selector
            | Self::Reassignment
            | Self::Assignment
            | Self::ParameterOrder
            | Self::UnknownParameter
            | Self::MissingParameter
            | Self::ParameterType
            | Self::ParameterValue
            | Self::DuplicateResource
            | Self::MissingFile
            | Self::Title
            | Self::DataSyntax
            | Self::DataValue => Severity::Error,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_rule_has_a_name_of_its_own() {
        let names: HashSet<_> = Rule::ALL.map(Rule::name).into();
        assert_eq!(names.len(), Rule::ALL.len());
    }
}
