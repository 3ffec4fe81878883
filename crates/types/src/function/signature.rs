//! Signatures of functions.
//!
//! See Puppet's `pops/functions/dispatch.rb`.

use std::fmt::{self, Write};
use std::sync::Arc;

use crate::types::{CallableType, Size, TupleType, Type};

/// One way to call a function, whether written in Ruby, in Puppet or in Rust.
///
/// Prints as `(Array arg, String delimiter?)`, followed by `>> Type` when the type of the result
/// is stated: `?` marks an optional parameter, `*` one that can be repeated, `+` one that can be
/// repeated and is required.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    callable: Arc<CallableType>,
    parameter_names: Arc<[Arc<str>]>,
    block_name: Option<Arc<str>>,
    handles_mismatch: bool,
}

impl Signature {
    /// Returns the signature of a callable type, with the names of its parameters and of its block.
    pub fn new(
        callable: CallableType,
        parameter_names: impl IntoIterator<Item = Arc<str>>,
        block_name: Option<Arc<str>>,
    ) -> Self {
        Self {
            callable: Arc::new(callable),
            parameter_names: parameter_names.into_iter().collect(),
            block_name,
            handles_mismatch: false,
        }
    }

    /// Returns the signature of a function that states no types: any values, as many as `count` allows.
    pub fn untyped(count: Size, parameter_names: impl IntoIterator<Item = Arc<str>>) -> Self {
        let params = TupleType { types: [Type::Any].into(), size: Some(count) };
        Self::new(CallableType { params: Some(params), block: None, returns: None }, parameter_names, None)
    }

    /// Returns the signature as a mismatch handler: it matches arguments only to word the error for them.
    #[must_use]
    pub fn handling_mismatch(self, handles_mismatch: bool) -> Self {
        Self { handles_mismatch, ..self }
    }

    /// Returns the types of the parameters, the block and the result.
    pub fn callable(&self) -> &CallableType {
        &self.callable
    }

    /// Returns the signature as a `Callable` type.
    pub fn callable_type(&self) -> Type {
        Type::Callable(Arc::clone(&self.callable))
    }

    /// Returns the names of the parameters, without the block's. Their number may differ from the number of types: the last
    /// type applies to all following parameters.
    pub fn parameter_names(&self) -> &[Arc<str>] {
        &self.parameter_names
    }

    /// Returns the name of the block; `None` if no block is accepted.
    pub fn block_name(&self) -> Option<&Arc<str>> {
        self.block_name.as_ref()
    }

    /// Returns the type of the result, if it is stated.
    pub fn return_type(&self) -> Option<&Type> {
        self.callable.returns.as_ref()
    }

    /// Returns true if the last parameter takes all further arguments.
    pub fn captures_rest(&self) -> bool {
        self.callable.size().max.is_none()
    }

    /// Returns true if a call that matches is an error that the function words itself.
    pub fn handles_mismatch(&self) -> bool {
        self.handles_mismatch
    }

    /// Returns the types of the parameters; the last one applies to all following parameters.
    pub fn parameter_types(&self) -> &[Type] {
        self.callable.params.as_ref().map_or(&[], |params| &params.types)
    }

    /// Returns the parameters, each with how many arguments it takes.
    pub(super) fn parameters(&self) -> impl Iterator<Item = SignatureParameter<'_>> {
        let size = self.callable.size();
        let types = self.parameter_types();
        let count = match self.parameter_names.len() {
            _ if size == Size::EMPTY => 0,
            0 => types.len(),
            count => count,
        };
        (0..count).map_while(move |index| {
            let size = if size.max.is_none() && index.saturating_add(1) == count {
                Size::new(u64::from(size.min == count as u64), None)
            } else {
                Size::new(u64::from((index as u64) < size.min), Some(1))
            };
            let t = types.get(index).or_else(|| types.last())?;
            Some(SignatureParameter {
                t,
                name: self.parameter_names.get(index).map_or("", |name| name),
                size,
            })
        })
    }

    /// Returns the parameters as Puppet lists them in its messages: as in `Display`, without parentheses
    /// and result, and without the `Optional` around the type of an optional parameter.
    pub fn parameters_string(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_parameters(&mut text, TypeWording::InMessages);
        text
    }

    fn write_parameters(&self, out: &mut impl Write, shown: TypeWording) -> fmt::Result {
        let size = self.callable.size();
        if size == Size::EMPTY && shown == TypeWording::InMessages {
            // Puppet does not show the block of a function without parameters.
            return Ok(());
        }
        let mut separator = "";
        for SignatureParameter { t, name, size } in self.parameters() {
            let (t, mark) = match size {
                Size { min: 0, max: None } => (Some(t), "*"),
                Size { max: None, .. } => (Some(t), "+"),
                Size { min: 0, .. } => (shown.of(t), "?"),
                Size { .. } => (Some(t), ""),
            };
            out.write_str(separator)?;
            t.map_or(Ok(()), |t| shown.write(t, out))?;
            write!(out, " {name}{mark}")?;
            separator = ", ";
        }
        // Puppet's messages omit a block whose type is an alias.
        let shows_block = |block: &&Type| shown == TypeWording::AsTheyAre || !matches!(block, Type::Alias(_));
        if let Some(block) = self.callable.block.as_ref().filter(shows_block) {
            let name = self.block_name.as_deref().unwrap_or("block");
            let (t, mark) =
                if let Type::Optional(Some(inner)) = block { (&**inner, "?") } else { (block, "") };
            out.write_str(separator)?;
            shown.write(t, out)?;
            write!(out, " {name}{mark}")?;
        }
        Ok(())
    }
}

/// One parameter of a signature.
pub(super) struct SignatureParameter<'s> {
    /// Its type.
    pub t: &'s Type,
    /// Its name; empty where it has none.
    pub name: &'s str,
    /// The number of accepted arguments.
    pub size: Size,
}

/// How types are shown.
#[derive(Clone, Copy, PartialEq)]
enum TypeWording {
    /// As written in the source.
    AsTheyAre,
    /// As in Puppet's messages: without the `Optional` of optional parameters, and with aliases expanded.
    InMessages,
}

impl TypeWording {
    fn write(self, t: &Type, out: &mut impl Write) -> fmt::Result {
        match self {
            Self::InMessages => out.write_str(&t.ruby_to_s()),
            Self::AsTheyAre => write!(out, "{t}"),
        }
    }

    /// Returns the displayed type; `None` for an `Optional` that contains no type.
    fn of(self, t: &Type) -> Option<&Type> {
        match (self, t) {
            (Self::InMessages, Type::Optional(inner)) => inner.as_deref(),
            (_, other) => Some(other),
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        self.write_parameters(f, TypeWording::AsTheyAre)?;
        f.write_str(")")?;
        match self.return_type() {
            Some(t) => write!(f, " >> {t}"),
            None => Ok(()),
        }
    }
}
