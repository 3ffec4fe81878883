//! `Puppetfn::Signature` and `Puppetfn::Dispatch`: the signatures of functions, and the methods that implement them.

use std::sync::Arc;

use magnus::scan_args::scan_args;
use magnus::typed_data::Obj;
use magnus::value::ReprValue;
use magnus::{
    Class, Error, Module, Object, RArray, RModule, Ruby, Symbol, TryConvert, Value, function, method,
};
use puppetfn::function::{Signature, mismatch_error};
use puppetfn::types::{Size, Type};

use super::types;
use super::{limits, messages};
use crate::ruby::classes::define_class;
use crate::ruby::error::guarded;
use crate::ruby::raw::{self, subject, subject_slice};
use crate::ruby::wrapped::{Dispatch, Knit, RubyType};

impl Dispatch {
    /// @yard
    /// @def untyped(method_name, required, optional, repeated, names)
    /// Returns the dispatch of a function that states no types.
    /// @param method_name [Symbol]
    /// @param required [Integer] how many parameters are required
    /// @param optional [Integer] how many more are optional
    /// @param repeated [Boolean] whether the last one takes all further arguments
    /// @param names [Array<String>] the names of the parameters
    /// @return [Puppetfn::Dispatch]
    fn untyped(
        ruby: &Ruby,
        method: Symbol,
        required: u64,
        optional: u64,
        repeated: bool,
        names: RArray,
    ) -> Result<Value, Error> {
        let size = Size::new(required, (!repeated).then_some(required + optional));
        let texts: Vec<String> = names.to_vec()?;
        let signature = Signature::untyped(size, texts.into_iter().map(Into::into));
        Ok(Self::plain(ruby, signature, method, names))
    }

    /// Returns the dispatch object of a signature of a built-in function.
    pub fn native(ruby: &Ruby, signature: Signature, name: &str) -> Value {
        let names = ruby.ary_from_iter(signature.parameter_names().iter().map(|name| ruby.str_new(name)));
        Self::plain(ruby, signature, ruby.to_symbol(name), names)
    }

    /// Returns a dispatch that passes its arguments on as they are.
    fn plain(ruby: &Ruby, signature: Signature, method: Symbol, names: RArray) -> Value {
        let (method, names, injections) = (method.into(), names.into(), ruby.ary_new().into());
        ruby.obj_wrap(Self { signature, method, weaving: Vec::new(), injections, names }).as_value()
    }

    /// @yard
    /// @def describe_mismatch(name, signatures, args, block)
    /// @param name [String] of a function
    /// @param signatures [Array<Puppetfn::Signature>]
    /// @param args [Array<Object>]
    /// @param block [Proc, nil]
    /// @return [String] why none of the signatures accepts the arguments
    fn describe_mismatch(
        ruby: &Ruby,
        name: String,
        signatures: RArray,
        args: RArray,
        block: Value,
    ) -> Result<String, Error> {
        guarded(ruby, || {
            let signature = |each| Ok::<_, Error>(Obj::<Self>::try_convert(each)?.signature.clone());
            let signatures: Arc<[Signature]> =
                signatures.into_iter().map(signature).collect::<Result<_, _>>()?;
            let block = if block.is_nil() { None } else { Some(subject(&block)) };
            raw::with_elements(args, |args| {
                let (limits, messages) = (limits::current(), messages::current());
                let args = subject_slice(args);
                let error = mismatch_error(name, &signatures, args, block, &limits, messages);
                Ok(error.message().to_owned())
            })
        })
    }

    /// @yard
    /// @return [Puppetfn::Type] the signature as a `Callable`
    fn callable_type(ruby: &Ruby, this: &Self) -> Value {
        types::wrap(ruby, this.signature.callable_type())
    }

    /// @yard
    /// @return [Array<String>] the names of the parameters, except the block's
    fn parameter_names(ruby: &Ruby, this: &Self) -> RArray {
        ruby.get_inner(this.names)
    }

    /// @yard
    /// @return [Symbol, nil] the name of the block, if one is accepted
    fn block_name(ruby: &Ruby, this: &Self) -> Option<Symbol> {
        this.signature.block_name().map(|name| ruby.to_symbol(name.as_ref()))
    }

    /// @yard
    /// @return [Puppetfn::Type, nil] the type of the block, if one is accepted; an `Optional` if there need not be one
    fn block_type(ruby: &Ruby, this: &Self) -> Option<Value> {
        this.signature.callable().block.clone().map(|t| types::wrap(ruby, t))
    }

    /// @yard
    /// @return [Array(Integer, Integer)] how many blocks can be given: none, at most one, or one
    fn block_range(ruby: &Ruby, this: &Self) -> RArray {
        ruby.ary_from_iter(match &this.signature.callable().block {
            None => [0, 0],
            Some(Type::Optional(_)) => [0, 1],
            Some(_) => [1, 1],
        })
    }

    /// @yard
    /// @return [Puppetfn::Type, nil] the type of the result, if the signature states one
    fn return_type(ruby: &Ruby, this: &Self) -> Option<Value> {
        this.signature.return_type().cloned().map(|t| types::wrap(ruby, t))
    }

    /// @yard
    /// @return [Boolean] whether the last parameter takes all remaining arguments
    fn captures_rest(this: &Self) -> bool {
        this.signature.captures_rest()
    }

    /// @yard
    /// @return [Boolean] whether it words the error for arguments that match no signature, instead of being called
    fn handles_mismatch(this: &Self) -> bool {
        this.signature.handles_mismatch()
    }

    /// @yard
    /// @return [Array(Integer, Numeric)] how many arguments are taken at least and at most, which may be `Float::INFINITY`
    fn args_range(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        let size = this.signature.callable().size();
        let range = ruby.ary_new();
        range.push(size.min)?;
        match size.max {
            Some(max) => range.push(max)?,
            None => range.push(f64::INFINITY)?,
        }
        Ok(range)
    }

    /// @yard
    /// @def callable_with?(args, block = nil)
    /// @param args [Array<Object>]
    /// @param block [Proc, nil]
    /// @return [Boolean] whether it accepts the arguments and the block
    fn is_callable_with(ruby: &Ruby, this: &Self, args: &[Value]) -> Result<bool, Error> {
        guarded(ruby, || {
            let scanned = scan_args::<(RArray,), (Option<Value>,), (), (), (), ()>(args)?;
            let block = scanned.optional.0.filter(|block| !block.is_nil());
            RubyType::accepts(ruby, &this.signature.callable_type(), scanned.required.0, block)
        })
    }

    /// @yard
    /// @return [String] the signature as Puppet prints the type of a function
    fn to_s(this: &Self) -> String {
        this.signature.to_string()
    }

    /// @yard
    /// @return [String] the parameters as Puppet lists them in its messages
    fn signature_string(this: &Self) -> String {
        this.signature.parameters_string()
    }

    /// @yard
    /// @return [Symbol] the method that implements it
    fn method_name(ruby: &Ruby, this: &Self) -> Symbol {
        ruby.get_inner(this.method)
    }

    /// @yard
    /// @return [Array<Object>] the injected arguments of the method, as declared
    /// @api private
    fn injections(ruby: &Ruby, this: &Self) -> RArray {
        ruby.get_inner(this.injections)
    }

    /// @yard
    /// @return [Array<Integer, Array(Integer)>] where each parameter of the method comes from: the index of an argument, of
    ///   the first of the remaining arguments as a negative number less one, or of an injection in an array
    /// @api private
    fn weaving(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        let weaving = ruby.ary_new();
        for knit in &this.weaving {
            match *knit {
                Knit::Argument(index) => weaving.push(index)?,
                Knit::Rest(index) => weaving.push(-(i64::try_from(index).unwrap_or(i64::MAX)) - 1)?,
                Knit::Injection(index) | Knit::Scope(index) => weaving.push(ruby.ary_from_iter([index]))?,
            }
        }
        Ok(weaving)
    }
}

/// Defines the classes.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let signature = puppetfn.define_class("Signature", ruby.class_object())?;
    signature.undef_default_alloc_func();
    signature.define_method("type", method!(Dispatch::callable_type, 0))?;
    signature.define_method("parameter_names", method!(Dispatch::parameter_names, 0))?;
    signature.define_method("param_names", method!(Dispatch::parameter_names, 0))?;
    signature.define_method("block_name", method!(Dispatch::block_name, 0))?;
    signature.define_method("block_type", method!(Dispatch::block_type, 0))?;
    signature.define_method("block_range", method!(Dispatch::block_range, 0))?;
    signature.define_method("return_type", method!(Dispatch::return_type, 0))?;
    signature.define_method("last_captures_rest?", method!(Dispatch::captures_rest, 0))?;
    signature.define_singleton_method("describe_mismatch", function!(Dispatch::describe_mismatch, 4))?;
    signature.define_method("argument_mismatch_handler?", method!(Dispatch::handles_mismatch, 0))?;
    signature.define_method("args_range", method!(Dispatch::args_range, 0))?;
    signature.define_method("callable_with?", method!(Dispatch::is_callable_with, -1))?;
    signature.define_method("to_s", method!(Dispatch::to_s, 0))?;
    signature.define_method("signature_string", method!(Dispatch::signature_string, 0))?;

    let dispatch = define_class::<Dispatch>(ruby, puppetfn, "Dispatch", signature)?;
    dispatch.define_singleton_method("untyped", function!(Dispatch::untyped, 5))?;
    dispatch.define_method("method_name", method!(Dispatch::method_name, 0))?;
    dispatch.define_method("injections", method!(Dispatch::injections, 0))?;
    dispatch.define_method("weaving", method!(Dispatch::weaving, 0))?;
    Ok(())
}
