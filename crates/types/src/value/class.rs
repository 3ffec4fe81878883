//! The classes that Puppet has for values.

use std::borrow::Cow;

use super::Value;

impl Value {
    /// Returns the name of Ruby's class for a value, which some messages of Puppet's have.
    pub fn ruby_class(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Undef => "NilClass",
            Self::Default => "Symbol",
            Self::Boolean(true) => "TrueClass",
            Self::Boolean(false) => "FalseClass",
            Self::Integer(_) => "Integer",
            Self::Float(_) => "Float",
            Self::String(_) => "String",
            Self::Regexp(_) => "Regexp",
            Self::Array(_) => "Array",
            Self::Hash(_) => "Hash",
            Self::Type(t) => return Cow::Owned(t.ruby_class()),
            Self::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType::Sensitive",
            Self::Timespan(_) => "Puppet::Pops::Time::Timespan",
            Self::Timestamp(_) => "Puppet::Pops::Time::Timestamp",
            Self::SemVer(_) => "SemanticPuppet::Version",
            Self::SemVerRange(_) => "SemanticPuppet::VersionRange",
            Self::Binary(_) => "Puppet::Pops::Types::PBinaryType::Binary",
            Self::Uri(uri) => uri.ruby_class(),
            Self::Iterator(iteration) => iteration.ruby_class(),
            Self::Callable(_) => "Proc",
            Self::Object(object) => return Cow::Owned(object.definition().label().to_owned()),
            Self::Runtime(object) => {
                return Cow::Owned(object.class_name().to_owned());
            }
            Self::Unknown(_) => "Object",
        })
    }
}
