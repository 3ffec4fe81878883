//! What the cases can use: the types that the prelude defines, and the evaluation of expressions.

use std::collections::BTreeMap;

use puppetfn::convert::create::create;
use puppetfn::error::{Error, ErrorKind};
use puppetfn::limits::Limits;
use puppetfn::types::Type;
use puppetfn::types::parse::{AliasDefinition, TypeLookup, parse};
use puppetfn::value::Value;

use crate::literal;
use puppetfn::function::NoHost;

/// The types that the cases use, by name.
#[derive(Default)]
pub struct World(BTreeMap<String, Type>);

impl TypeLookup for World {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        Ok(self.0.get(&name.to_lowercase()).cloned())
    }
}

impl World {
    /// The world of the cases that come with this prelude, a file of definitions, one a line.
    #[allow(clippy::disallowed_methods, reason = "a program reads its own arguments")]
    pub fn load(prelude: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let mut world = Self::default();
        for line in std::fs::read_to_string(prelude)?.lines() {
            // The functions are there for calls alone, which are not evaluated yet.
            if line.starts_with("type ") {
                let definition = AliasDefinition::parse(line, &Limits::DEFAULT)?;
                world.0.insert(definition.name().to_lowercase(), definition.define(&world)?);
            }
        }
        Ok(world)
    }

    /// The type that the type parser makes of a text.
    pub fn parse(&self, text: &str) -> Result<Type, Error> {
        parse(text, self, &Limits::DEFAULT)
    }

    /// The value of an expression.
    pub fn evaluate(&self, text: &str) -> Result<Value, Error> {
        literal::evaluate(text, self)
    }

    /// A lambda, from its text.
    pub fn lambda(&self, text: &str) -> Result<Value, Error> {
        Err(Error::new(ErrorKind::Evaluation, format!("not evaluated yet: the lambda {text}")))
    }
}

/// The text of a type on its own: that of an alias tells what it stands for.
pub fn shown(t: &Type) -> String {
    if let Type::Alias(_) = t { t.to_expanded_string() } else { t.to_string() }
}

/// The text of a value in the format `%p`, which is that of Puppet code.
pub fn program_text(value: &Value) -> Result<String, Error> {
    formatted(value.clone(), Value::from("%p"))
}

/// `String.new(value, format)`.
pub fn formatted(value: Value, format: Value) -> Result<String, Error> {
    let made = create(&Type::STRING, &[value, format], &NoHost)?;
    if let Value::String(text) = &made {
        return Ok(text.to_string());
    }
    Err(Error::new(ErrorKind::Internal, format!("not a string: {made:?}")))
}
