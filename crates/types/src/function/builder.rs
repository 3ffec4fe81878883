//! Building signatures, parameter by parameter.

use std::sync::Arc;

use super::Signature;
use crate::types::{CallableType, Size, TupleType, Type};
use puppetfn_base::error::{Error, ErrorKind};

/// A type that is written out, or is one already.
#[derive(Clone, Debug)]
pub enum TypeSource {
    /// Puppet source, which is parsed when the signature is complete.
    Text(Box<str>),
    /// A type.
    Type(Type),
}

impl From<&str> for TypeSource {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for TypeSource {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<Type> for TypeSource {
    fn from(t: Type) -> Self {
        Self::Type(t)
    }
}

impl TypeSource {
    fn resolve(&self, parse: &mut impl FnMut(&str) -> Result<Type, Error>) -> Result<Type, Error> {
        match self {
            Self::Type(t) => Ok(t.clone()),
            Self::Text(text) => parse(text).map_err(|e| {
                misuse(format!("Parsing of type string '\"{text}\"' failed with message: <{e}>.\n"))
            }),
        }
    }
}

/// Builds a [`Signature`] by Puppet's rules for the order of parameters.
///
/// Errors are of [`ErrorKind::Signature`], worded as Puppet does.
#[derive(Clone, Default, Debug)]
pub struct SignatureBuilder {
    parameters: Vec<(TypeSource, Arc<str>)>,
    min: usize,
    rest: TrailingParameters,
    block: Option<(Type, Arc<str>)>,
    returns: Option<TypeSource>,
    handles_mismatch: bool,
}

/// Kind of the parameters after the required ones.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
enum TrailingParameters {
    #[default]
    None,
    Optional,
    Repeated,
}

fn misuse(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Signature, message)
}

impl SignatureBuilder {
    /// Creates a signature without parameters, block and result type.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a required parameter.
    ///
    /// # Errors
    /// Fails if it follows an optional or repeated parameter, or the block.
    pub fn param(&mut self, t: impl Into<TypeSource>, name: impl Into<Arc<str>>) -> Result<&mut Self, Error> {
        self.add(t, name)?;
        if self.rest != TrailingParameters::None {
            return Err(misuse("A required parameter cannot be added after an optional parameter"));
        }
        self.min = self.parameters.len();
        Ok(self)
    }

    /// Adds an optional parameter.
    ///
    /// # Errors
    /// Fails if it follows a repeated parameter, or the block.
    pub fn optional_param(
        &mut self,
        t: impl Into<TypeSource>,
        name: impl Into<Arc<str>>,
    ) -> Result<&mut Self, Error> {
        self.add(t, name)?;
        self.rest = TrailingParameters::Optional;
        Ok(self)
    }

    /// Adds a parameter for any number of arguments, possibly none.
    ///
    /// # Errors
    /// Fails if it follows a repeated parameter, or the block.
    pub fn repeated_param(
        &mut self,
        t: impl Into<TypeSource>,
        name: impl Into<Arc<str>>,
    ) -> Result<&mut Self, Error> {
        self.add(t, name)?;
        self.rest = TrailingParameters::Repeated;
        Ok(self)
    }

    /// Adds a parameter for one or more arguments.
    ///
    /// # Errors
    /// Fails if it follows an optional or repeated parameter, or the block.
    pub fn required_repeated_param(
        &mut self,
        t: impl Into<TypeSource>,
        name: impl Into<Arc<str>>,
    ) -> Result<&mut Self, Error> {
        self.add(t, name)?;
        if self.rest != TrailingParameters::None {
            return Err(misuse("A required repeated parameter cannot be added after an optional parameter"));
        }
        self.min = self.parameters.len();
        self.rest = TrailingParameters::Repeated;
        Ok(self)
    }

    fn add(&mut self, t: impl Into<TypeSource>, name: impl Into<Arc<str>>) -> Result<(), Error> {
        self.check_param()?;
        self.parameters.push((t.into(), name.into()));
        Ok(())
    }

    /// Checks that another parameter may be added.
    ///
    /// # Errors
    /// After a repeated parameter, or the block.
    pub fn check_param(&self) -> Result<(), Error> {
        if self.block.is_some() {
            return Err(misuse("Parameters cannot be added after a block parameter"));
        }
        if self.rest == TrailingParameters::Repeated {
            return Err(misuse("Parameters cannot be added after a repeated parameter"));
        }
        Ok(())
    }

    /// Adds a required block of type `t`, a `Callable` or a `Variant` of several.
    ///
    /// # Errors
    /// Fails if the type is another one, or the signature already has a block.
    pub fn block_param(&mut self, t: Type, name: impl Into<Arc<str>>) -> Result<&mut Self, Error> {
        if !t.is_callable_kind(false) {
            return Err(misuse(format!(
                "Expected PCallableType or PVariantType thereof, got Puppet::Pops::Types::P{}Type",
                t.simple_name()
            )));
        }
        if self.block.is_some() {
            return Err(misuse("Attempt to redefine block"));
        }
        self.block = Some((t, name.into()));
        Ok(self)
    }

    /// Adds an optional block of type `t`.
    ///
    /// # Errors
    /// The same errors as [`Self::block_param`].
    pub fn optional_block_param(&mut self, t: Type, name: impl Into<Arc<str>>) -> Result<&mut Self, Error> {
        self.block_param(t, name)?;
        self.block = self.block.take().map(|(t, name)| (Type::optional(t), name));
        Ok(self)
    }

    /// States the type of the result.
    pub fn return_type(&mut self, t: impl Into<TypeSource>) -> &mut Self {
        self.returns = Some(t.into());
        self
    }

    /// Marks the signature as a mismatch handler: it words the error for arguments that match it.
    pub fn handles_mismatch(&mut self) -> &mut Self {
        self.handles_mismatch = true;
        self
    }

    /// Builds the signature. `parse` parses the types that were given as text.
    ///
    /// # Errors
    /// Fails if a text is not a type.
    pub fn build(&self, mut parse: impl FnMut(&str) -> Result<Type, Error>) -> Result<Signature, Error> {
        let types: Vec<Type> =
            self.parameters.iter().map(|(t, _)| t.resolve(&mut parse)).collect::<Result<_, _>>()?;
        let max = (self.rest != TrailingParameters::Repeated).then_some(types.len() as u64);
        let size = Size::new(self.min as u64, max);
        // Puppet states the size of a plain list of required parameters by their types alone.
        let stated = !(size.min > 0 && size.max == Some(size.min));
        let returns = self.returns.as_ref().map(|t| t.resolve(&mut parse)).transpose()?;
        let callable = CallableType {
            params: Some(TupleType { types: types.into(), size: stated.then_some(size) }),
            block: self.block.as_ref().map(|(t, _)| t.clone()),
            returns: returns.filter(|t| *t != Type::Any),
        };
        let names = self.parameters.iter().map(|(_, name)| Arc::clone(name));
        let block_name = self.block.as_ref().map(|(_, name)| Arc::clone(name));
        Ok(Signature::new(callable, names, block_name).handling_mismatch(self.handles_mismatch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::parse::{NoAliases, parse};
    use puppetfn_base::limits::Limits;

    fn core_type(text: &str) -> Result<Type, Error> {
        parse(text, &NoAliases, &Limits::DEFAULT)
    }

    fn message<T>(result: Result<T, Error>) -> String {
        let error = result.err().unwrap();
        assert_eq!(error.kind(), &ErrorKind::Signature);
        error.message().to_owned()
    }

    #[test]
    fn parameters_keep_their_order() {
        let mut builder = SignatureBuilder::new();
        builder.optional_param("Integer[", "a").unwrap();
        assert_eq!(
            message(builder.param("String", "b")),
            "A required parameter cannot be added after an optional parameter"
        );
        assert_eq!(
            message(builder.required_repeated_param("String", "b")),
            "A required repeated parameter cannot be added after an optional parameter"
        );
        let mut builder = SignatureBuilder::new();
        builder.required_repeated_param("String", "a").unwrap();
        assert_eq!(
            message(builder.optional_param("String", "b")),
            "Parameters cannot be added after a repeated parameter"
        );
        builder.block_param(core_type("Callable").unwrap(), "block").unwrap();
        assert_eq!(
            message(builder.repeated_param("String", "b")),
            "Parameters cannot be added after a block parameter"
        );
        assert_eq!(
            message(builder.optional_block_param(core_type("Callable").unwrap(), "block")),
            "Attempt to redefine block"
        );
    }

    #[test]
    fn blocks_are_callables() {
        for (text, class) in [("Integer", "Integer"), ("Variant[Callable, Undef]", "Variant"), ("Any", "Any")]
        {
            let mut builder = SignatureBuilder::new();
            assert_eq!(
                message(builder.block_param(core_type(text).unwrap(), "b")),
                format!(
                    "Expected PCallableType or PVariantType thereof, got Puppet::Pops::Types::P{class}Type"
                )
            );
        }
    }

    #[test]
    fn type_texts_are_parsed_last() {
        let mut builder = SignatureBuilder::new();
        builder.param("Integer[", "a").unwrap();
        assert_eq!(
            message(builder.build(core_type)),
            "Parsing of type string '\"Integer[\"' failed with message: <Syntax error at end of input>.\n"
        );
    }

    #[test]
    fn a_signature_reads_as_its_callable_type() {
        for (text, callable) in [
            ("()", "Callable[0, 0]"),
            ("(Integer a)", "Callable[Integer]"),
            ("(Integer a, String b?)", "Callable[Integer, String, 1, 2]"),
            ("(Integer a?)", "Callable[Integer, 0, 1]"),
            ("(Integer a*)", "Callable[Integer, 0]"),
            ("(Integer a+)", "Callable[Integer, 1]"),
            ("(Integer a, String b+)", "Callable[Integer, String, 2]"),
            ("(Integer a, Callable block)", "Callable[Integer, Callable]"),
            ("(Callable[1, 1] block?)", "Callable[0, 0, Optional[Callable[1, 1]]]"),
            ("(Any a*) >> Undef", "Callable[[Any, 0], Undef]"),
            ("(Integer x) >> Any", "Callable[Integer]"),
        ] {
            let signature: Signature = text.parse().unwrap();
            assert_eq!(signature.callable_type().to_string(), callable, "{text}");
            let stated = text.strip_suffix(" >> Any").unwrap_or(text);
            assert_eq!(signature.to_string(), stated);
        }
    }

    #[test]
    fn puppet_lists_parameters_in_its_own_way() {
        for (text, listed) in [
            ("(Optional[Integer] a?)", "Integer a?"),
            ("(Callable block)", ""),
            ("(Integer a, Callable[1, 1] b?) >> Any", "Integer a, Callable[1, 1] b?"),
        ] {
            assert_eq!(text.parse::<Signature>().unwrap().parameters_string(), listed);
        }
        let names = ["a", "b", "c"].map(Into::into);
        assert_eq!(
            Signature::untyped(Size::new(1, Some(3)), names.clone()).parameters_string(),
            "Any a, Any b?, Any c?"
        );
        assert_eq!(
            Signature::untyped(Size::new(1, None), names).parameters_string(),
            "Any a, Any b?, Any c*"
        );
    }
}
