//! Whether callables accept given arguments.
//!
//! See Puppet's `pops/types/types.rb`.

use super::instance::{InstanceChecker, every_position};
use crate::subject::{Subject, Verdict};
use crate::types::{CallableType, Size, TupleType, Type};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;

/// Returns true if a callable of this type can be called with these arguments and this block.
///
/// # Errors
/// The same errors as [`super::instance`].
pub fn callable_with<'a, S: Subject<'a>>(
    callable: &CallableType,
    args: &[S],
    block: Option<S>,
    limits: &Limits,
) -> Result<Verdict, Error> {
    let Some(params) = &callable.params else { return Ok(Verdict::Yes) };
    if !params.size().contains(args.len()) {
        return Ok(Verdict::No);
    }
    let check = InstanceChecker::new(limits);
    let verdict = every_position(params, args.iter().copied(), |t, arg| check.instance(t, arg))?;
    let block = match (&callable.block, block) {
        (None, block) => Verdict::from(block.is_none()),
        (Some(t), None) => Verdict::from(t.accepts_undef()),
        (Some(_), Some(_)) if verdict == Verdict::No => verdict,
        (Some(t), Some(block)) => check.instance(t, block)?,
    };
    Ok(verdict.and(block))
}

impl Type {
    /// Returns true if callables of this type accept arguments of the given type: an array, or a tuple without a size,
    /// whose last type may be the block's.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::ArgumentMismatch`] if the tuple has a size.
    pub fn callable(&self, args: &Self) -> Result<bool, Error> {
        if self.is_callable_kind(true) { accepts_args(self, args) } else { Ok(false) }
    }

    /// Returns true if it is a callable or a variant of callables, or, if that counts, an optional one.
    pub fn is_callable_kind(&self, optional: bool) -> bool {
        is_callable_kind(self, optional, Limits::DEEPEST)
    }
}

fn is_callable_kind(t: &Type, optional: bool, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    if let Type::Optional(inner) = t {
        optional && inner.as_deref().is_some_and(|inner| is_callable_kind(inner, optional, depth))
    } else if let Type::Variant(types) = t {
        types.iter().all(|t| is_callable_kind(t, optional, depth))
    } else if let Type::Alias(alias) = t {
        alias.with_target(|target| target.is_some_and(|target| is_callable_kind(target, optional, depth)))
    } else {
        matches!(t, Type::Callable(_))
    }
}

fn accepts_args(callable: &Type, args: &Type) -> Result<bool, Error> {
    if let Type::Alias(args) = args {
        args.resolved().map_or(Ok(false), |args| accepts_args(callable, &args))
    } else if matches!(args, Type::Undef | Type::Callable(_)) {
        // As arguments, these denote an optional block.
        Ok(callable.assignable(args))
    } else if let Type::Alias(alias) = callable {
        alias.resolved().map_or(Ok(false), |callable| accepts_args(&callable, args))
    } else if let Type::Optional(Some(inner)) = callable {
        accepts_args(inner, args)
    } else if let Type::Variant(types) = callable {
        for callable in types {
            if accepts_args(callable, args)? {
                return Ok(true);
            }
        }
        Ok(false)
    } else if let (Type::Callable(callable), Type::Tuple(args)) = (callable, args) {
        accepts_tuple(callable, args)
    } else if let (Type::Callable(callable), Type::Array(_)) = (callable, args) {
        Ok(params_accept(callable, args) && block_may_be_missing(callable))
    } else {
        Ok(false)
    }
}

fn accepts_tuple(callable: &CallableType, args: &TupleType) -> Result<bool, Error> {
    if args.size.is_some() {
        let message = "Callable tuple may not have a size constraint when used as args";
        return Err(Error::new(ErrorKind::ArgumentMismatch, message));
    }
    Ok(match args.types.split_last() {
        Some((block, args)) if block.is_callable_kind(true) => {
            callable.block.as_ref().is_some_and(|expected| expected.assignable(block))
                && callable.size().includes(Size::exactly(args.len()))
                && params_accept(callable, &Type::tuple(args, Some(Size::exactly(args.len()))))
        }
        _ => params_accept(callable, &Type::Tuple(args.clone().into())) && block_may_be_missing(callable),
    })
}

fn params_accept(callable: &CallableType, args: &Type) -> bool {
    match &callable.params {
        Some(params) => Type::Tuple(params.clone().into()).assignable(args),
        None => true,
    }
}

fn block_may_be_missing(callable: &CallableType) -> bool {
    callable.block.as_ref().is_none_or(|block| block.accepts_undef())
}
