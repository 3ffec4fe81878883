//! `Puppetfn::Dispatcher`: picks the signature of a call and calls its method. The hot path.

use std::sync::Arc;

use magnus::typed_data::Obj;
use magnus::value::ReprValue;
use magnus::{Error, Module, Object, RArray, RModule, Ruby, Value, function, method};
use puppetfn::function::{Match, find, handler_error, mismatch_error, possible_result, return_error};
use puppetfn::subject::Verdict;
use puppetfn::types::Type;
use puppetfn::types::ops::infer_set;
use puppetfn::types::ops::instance;

use super::closure::given_block;
use super::{limits, messages, types, unknown};
use crate::ruby::classes::define_class;
use crate::ruby::error::{guarded, to_ruby};
use crate::ruby::jump::{self, Jump};
use crate::ruby::raw::{self, TypedRef, subject, subject_slice};
use crate::ruby::wrapped::{Dispatch, Dispatcher, Knit};

impl Dispatcher {
    /// @yard
    /// @return [Puppetfn::Dispatcher] one without signatures
    fn new() -> Self {
        Self::default()
    }

    /// @yard
    /// @def add(dispatch)
    /// @param dispatch [Puppetfn::Dispatch] tried after the ones added before
    fn add(ruby: &Ruby, this: &Self, dispatch: Obj<Dispatch>) {
        let _ = ruby;
        let mut entries = this.entries.borrow_mut();
        let added = std::iter::once(dispatch.signature.clone());
        entries.signatures = entries.signatures.iter().cloned().chain(added).collect();
        entries.dispatches.push(dispatch.into());
    }

    /// @yard
    /// @return [Boolean] whether there are no signatures
    fn is_empty(this: &Self) -> bool {
        this.entries.borrow().signatures.is_empty()
    }

    /// @yard
    /// @def dispatchers
    /// @return [Array<Puppetfn::Dispatch>] all dispatches
    fn dispatchers(ruby: &Ruby, this: &Self) -> RArray {
        ruby.ary_from_iter(this.entries.borrow().dispatches.iter().map(|dispatch| ruby.get_inner(*dispatch)))
    }

    /// @yard
    /// @def signatures
    /// @return [Array<Puppetfn::Dispatch>] the dispatches that can be called
    fn signatures(ruby: &Ruby, this: &Self) -> RArray {
        let dispatches = this.entries.borrow();
        let callable = dispatches.dispatches.iter().map(|dispatch| ruby.get_inner(*dispatch));
        ruby.ary_from_iter(callable.filter(|dispatch| !dispatch.signature.handles_mismatch()))
    }

    /// @yard
    /// @return [Puppetfn::Type] the type of the function: a `Callable`, or a `Variant` of several
    fn ruby_type(ruby: &Ruby, this: &Self) -> Value {
        types::wrap(ruby, this.to_type())
    }

    fn find(
        &self,
        ruby: &Ruby,
        args: &[Value],
        block: Option<Value>,
    ) -> Result<Option<Obj<Dispatch>>, Error> {
        let entries = self.entries.borrow();
        let found =
            find(&entries.signatures, subject_slice(args), block.as_ref().map(subject), &limits::current())
                .map_err(|error| to_ruby(ruby, &error))?;
        Ok(match found {
            Some(Match::Found(index) | Match::Undecided(index)) => {
                entries.dispatches.get(index).map(|dispatch| ruby.get_inner(*dispatch))
            }
            None => None,
        })
    }

    /// @yard
    /// @def find_matching_dispatcher(args, &block)
    /// @return [Puppetfn::Dispatch, nil] the first dispatch that accepts the arguments
    fn find_matching(ruby: &Ruby, this: &Self, args: RArray) -> Result<Option<Obj<Dispatch>>, Error> {
        guarded(ruby, || {
            let block = if ruby.block_given() { Some(ruby.block_proc()?.as_value()) } else { None };
            raw::with_elements(args, |args| this.find(ruby, args, block))
        })
    }

    /// @yard
    /// @def dispatch(instance, calling_scope, args, &block)
    /// Calls the method of the first dispatch that accepts the arguments.
    /// @param instance [Puppetfn::Function]
    /// @param calling_scope [Object]
    /// @param args [Array<Object>]
    /// @return [Object] the result of the method
    /// @raise [ArgumentError] when no dispatch accepts the arguments
    fn dispatch(
        ruby: &Ruby,
        this: &Self,
        instance: Value,
        scope: Value,
        args: RArray,
    ) -> Result<Value, Error> {
        guarded(ruby, || raw::with_elements(args, |args| this.call(ruby, instance, scope, args)))
    }

    /// Implements `dispatch` within a Ruby method that received the block.
    pub fn call(&self, ruby: &Ruby, function: Value, scope: Value, args: &[Value]) -> Result<Value, Error> {
        let block = given_block(ruby)?;
        if unknown::is_among(args) {
            return self.unknown_result(ruby, function, args, block);
        }
        let Some(dispatch) = self.find(ruby, args, block)? else {
            return Err(self.mismatch(ruby, function, args, block));
        };
        if dispatch.signature.handles_mismatch() {
            let message = dispatch.invoke(ruby, function, scope, args, false)?;
            let message = message.to_r_string()?.to_string()?;
            return Err(to_ruby(ruby, &handler_error(&function_name(function)?, &message)));
        }
        let returned = dispatch.invoke(ruby, function, scope, args, block.is_some());
        returned.or_else(|error| jump::caught(ruby, error, Jump::Next))
    }

    /// Returns the unknown result of a call that cannot be made yet.
    #[cold]
    fn unknown_result(
        &self,
        ruby: &Ruby,
        function: Value,
        args: &[Value],
        block: Option<Value>,
    ) -> Result<Value, Error> {
        let signatures = Arc::clone(&self.entries.borrow().signatures);
        let found = possible_result(
            &signatures,
            subject_slice(args),
            block.as_ref().map(subject),
            &limits::current(),
        );
        match found.map_err(|error| to_ruby(ruby, &error))? {
            Some(t) => unknown::result(ruby, t),
            None => Err(self.mismatch(ruby, function, args, block)),
        }
    }

    #[cold]
    fn mismatch(&self, ruby: &Ruby, function: Value, args: &[Value], block: Option<Value>) -> Error {
        let name = match function_name(function) {
            Ok(name) => name,
            Err(error) => return error,
        };
        let (args, block) = (subject_slice(args), block.as_ref().map(subject));
        let signatures = &self.entries.borrow().signatures;
        let error = mismatch_error(name, signatures, args, block, &limits::current(), messages::current());
        to_ruby(ruby, &error)
    }
}

/// Returns the name of a function object, which is its class's name.
pub fn function_name(function: Value) -> Result<String, Error> {
    function.class().funcall("name", ())
}

impl Dispatch {
    fn invoke(
        &self,
        ruby: &Ruby,
        function: Value,
        scope: Value,
        args: &[Value],
        block: bool,
    ) -> Result<Value, Error> {
        let result = if self.weaving.is_empty() {
            self.send(ruby, function, args, block)?
        } else {
            let woven = self.weave(ruby, function, scope, args)?;
            raw::with_elements(woven, |args| self.send(ruby, function, args, block))?
        };
        match self.signature.return_type() {
            Some(expected) => self.assert_returned(ruby, expected, result),
            None => Ok(result),
        }
    }

    fn send(&self, ruby: &Ruby, function: Value, args: &[Value], block: bool) -> Result<Value, Error> {
        let method = ruby.get_inner(self.method);
        if !block {
            return raw::call_method(function, method.into(), args);
        }
        if raw::is_public_method(raw::class_of(function), method.into()) {
            return raw::call_method_with_block(function, method.into(), args);
        }
        // Ruby passes a block on to public methods only. `__send__` is public, and calls private ones.
        let with_name = ruby.ary_new_from_values(args);
        with_name.unshift(method)?;
        raw::with_elements(with_name, |args| {
            raw::call_method_with_block(function, ruby.intern("__send__"), args)
        })
    }

    fn weave(&self, ruby: &Ruby, function: Value, scope: Value, args: &[Value]) -> Result<RArray, Error> {
        let woven = ruby.ary_new();
        for knit in &self.weaving {
            match *knit {
                Knit::Argument(index) => args.get(index).map_or(Ok(()), |argument| woven.push(*argument))?,
                Knit::Rest(index) => {
                    args.get(index..).unwrap_or_default().iter().try_for_each(|rest| woven.push(*rest))?
                }
                Knit::Scope(_) => woven.push(scope)?,
                Knit::Injection(index) => {
                    let index = isize::try_from(index).unwrap_or(isize::MAX);
                    let injection: Value = ruby.get_inner(self.injections).entry(index)?;
                    woven.push(function.funcall::<_, _, Value>("injected", (injection, scope))?)?
                }
            }
        }
        Ok(woven)
    }

    fn assert_returned(&self, ruby: &Ruby, expected: &Type, result: Value) -> Result<Value, Error> {
        let limits = &limits::current();
        let verdict = instance(expected, subject(&result), limits).map_err(|error| to_ruby(ruby, &error))?;
        if verdict != Verdict::No {
            return Ok(result);
        }
        let actual = infer_set(subject(&result), limits).map_err(|error| to_ruby(ruby, &error))?;
        let method = ruby.get_inner(self.method).name()?.into_owned();
        Err(to_ruby(ruby, &return_error(&method, expected, actual, messages::current())))
    }
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = define_class::<Dispatcher>(ruby, puppetfn, "Dispatcher", ruby.class_object())?;
    class.define_singleton_method("new", function!(Dispatcher::new, 0))?;
    class.define_method("add", method!(Dispatcher::add, 1))?;
    class.define_method("empty?", method!(Dispatcher::is_empty, 0))?;
    class.define_method("dispatchers", method!(Dispatcher::dispatchers, 0))?;
    class.define_method("signatures", method!(Dispatcher::signatures, 0))?;
    class.define_method("to_type", method!(Dispatcher::ruby_type, 0))?;
    class.define_method("find_matching_dispatcher", method!(Dispatcher::find_matching, 1))?;
    class.define_method("dispatch", method!(Dispatcher::dispatch, 3))?;
    Dispatcher::typed().learn(ruby, Dispatcher::default());
    Ok(())
}
