//! Calls of functions in Ruby: the signature that the arguments match, and its method.

use magnus::typed_data::Obj;
use magnus::value::{IntoId, Lazy, OpaqueId, ReprValue, StaticSymbol};
use magnus::{Error, Module, Object, RArray, RModule, RString, Ruby, Symbol, TypedData, Value};
use magnus::{function, method};
use puppetfn::function::Signature;
use puppetfn::subject::Verdict;
use puppetfn::types::ops::callable_with;
use puppetfn::types::{CallableType, Type};

use super::counts;
use super::mismatch;
use super::piece::DropInPiece;
use super::types::is_instance;
use crate::ruby::classes::define_class;
use crate::ruby::decline::Reason;
use crate::ruby::error::guarded;
use crate::ruby::limits;
use crate::ruby::puppet_types::compiled;
use crate::ruby::raw::{
    self, InstanceVariable, PuppetClass, TypedClass, TypedRef, call_catching, closure_of, kind_of,
    puppet_subjects,
};

static NEXT: Lazy<StaticSymbol> = Lazy::new(|ruby| ruby.sym_new("next"));
static RETURN: Lazy<StaticSymbol> = Lazy::new(|ruby| ruby.sym_new("return"));

/// Of a function class.
static DISPATCHER: InstanceVariable = InstanceVariable::new(c"@dispatcher");
static DISPATCHERS: InstanceVariable = InstanceVariable::new(c"@dispatchers");
static TYPE: InstanceVariable = InstanceVariable::new(c"@type");
static METHOD_NAME: InstanceVariable = InstanceVariable::new(c"@method_name");
static PARAM_NAMES: InstanceVariable = InstanceVariable::new(c"@param_names");
static BLOCK_NAME: InstanceVariable = InstanceVariable::new(c"@block_name");
static INJECTIONS: InstanceVariable = InstanceVariable::new(c"@injections");
static MISMATCH_HANDLER: InstanceVariable = InstanceVariable::new(c"@argument_mismatch_handler");
/// The instance variable with a dispatcher's plan.
static PLAN: InstanceVariable = InstanceVariable::new(c"__puppetfn_plan");

/// The dispatches of a dispatcher, compiled for the core. Stale once the dispatcher has more or fewer of them.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::DropIn::Plan", free_immediately)]
struct DispatchPlan {
    entries: Result<Vec<PlanEntry>, Reason>,
    count: usize,
}

impl magnus::DataTypeFunctions for DispatchPlan {}

impl DispatchPlan {
    fn entries(&self) -> Result<&[PlanEntry], Reason> {
        self.entries.as_deref().map_err(|reason| *reason)
    }
}

impl TypedRef for DispatchPlan {
    fn typed() -> &'static TypedClass<Self> {
        static TYPED: TypedClass<DispatchPlan> = TypedClass::new();
        &TYPED
    }
}

/// One dispatch.
pub(super) struct PlanEntry {
    pub signature: Signature,
    /// The parameters alone; a callable without a known signature accepts anything.
    params: CallableType,
    method: OpaqueId,
    weaves: bool,
}

/// Calls `body` with the plan of a dispatcher.
fn with_plan<R>(ruby: &Ruby, dispatcher: Value, body: impl FnOnce(Result<&[PlanEntry], Reason>) -> R) -> R {
    let plan = plan(ruby, dispatcher);
    // A method that adds a dispatch to its function gives the dispatcher another plan.
    let entries = plan.as_ref().map_err(|reason| *reason);
    let result = body(
        entries.and_then(|plan| DispatchPlan::of(plan).map_or(Err(Reason::Other), DispatchPlan::entries)),
    );
    std::hint::black_box(plan.ok());
    result
}

/// Returns the plan of a dispatcher that is on the stack of the caller.
fn plan(ruby: &Ruby, dispatcher: Value) -> Result<Value, Reason> {
    let dispatches = RArray::from_value(DISPATCHERS.get(dispatcher)).ok_or(Reason::Signature)?;
    let known = PLAN.get(dispatcher);
    if DispatchPlan::of(&known).is_some_and(|plan| plan.count == dispatches.len()) {
        return Ok(known);
    }
    if kind_of(dispatcher) != Some(PuppetClass::Dispatcher) {
        return Err(Reason::Signature);
    }
    let entries = dispatches.into_iter().map(|dispatch| entry(ruby, dispatch)).collect();
    // Unresolved types may be resolved later, so this is not cached.
    if let Err(Reason::Unresolved) = entries {
        return Err(Reason::Unresolved);
    }
    let plan: Obj<DispatchPlan> = ruby.obj_wrap(DispatchPlan { entries, count: dispatches.len() });
    PLAN.set(dispatcher, plan.as_value()).map_err(|_| Reason::Other)?;
    Ok(plan.as_value())
}

fn entry(ruby: &Ruby, dispatch: Value) -> Result<PlanEntry, Reason> {
    if kind_of(dispatch) != Some(PuppetClass::Dispatch) {
        return Err(Reason::Signature);
    }
    let Type::Callable(callable) = compiled(ruby, TYPE.get(dispatch))? else { return Err(Reason::Signature) };
    let names = RArray::from_value(PARAM_NAMES.get(dispatch)).ok_or(Reason::Signature)?;
    let names: Option<Vec<_>> = names.into_iter().map(|name| text(name).map(Into::into)).collect();
    let block_name = BLOCK_NAME.get(dispatch);
    let block_name = if block_name.is_nil() { None } else { text(block_name).map(Into::into) };
    let injections = RArray::from_value(INJECTIONS.get(dispatch)).ok_or(Reason::Signature)?;
    let signature = Signature::new(callable.as_ref().clone(), names.ok_or(Reason::Signature)?, block_name)
        .handling_mismatch(MISMATCH_HANDLER.get(dispatch).to_bool());
    let method = METHOD_NAME.get(dispatch);
    let method = match (Symbol::from_value(method), RString::from_value(method)) {
        (Some(name), _) => name,
        (None, Some(name)) => name.funcall("to_sym", ()).map_err(|_| Reason::Signature)?,
        (None, None) => return Err(Reason::Signature),
    };
    let params = CallableType { params: callable.params.clone(), block: None, returns: None };
    Ok(PlanEntry { signature, params, method: method.into(), weaves: !injections.is_empty() })
}

fn text(name: Value) -> Option<String> {
    match Symbol::from_value(name) {
        Some(symbol) => symbol.name().ok().map(|name| name.into_owned()),
        None => RString::from_value(name)?.to_string().ok(),
    }
}

/// Returns the first dispatch that accepts the arguments and the block.
fn find(entries: &[PlanEntry], args: &[Value], block: Option<Value>) -> Result<Option<usize>, Reason> {
    let (subjects, limits) = (puppet_subjects(args), limits::current());
    for (index, entry) in entries.iter().enumerate() {
        if entry.params.params.is_none() {
            return Ok(Some(index));
        }
        let verdict = callable_with(&entry.params, subjects, None, &limits);
        if verdict.map_err(|error| Reason::of(&error))? == Verdict::Yes
            && takes_block(entry.signature.callable().block.as_ref(), block)?
        {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

fn takes_block(expected: Option<&Type>, block: Option<Value>) -> Result<bool, Reason> {
    match (expected, block) {
        (None, block) => Ok(block.is_none()),
        (Some(t), None) => Ok(t.accepts_undef()),
        (Some(t), Some(block)) => {
            type_closure(block)?;
            is_instance(t, block)
        }
    }
}

/// Makes the lambda of a block of Puppet code create its type.
pub(super) fn type_closure(block: Value) -> Result<(), Reason> {
    match closure_of(block) {
        // Puppet would come upon the same error, and raises it.
        Some(closure) => closure.funcall::<_, _, Value>("type", ()).map(|_| ()).map_err(|_| Reason::Block),
        None => Ok(()),
    }
}

/// A call: its receiver, scope, arguments and block.
struct PlannedCall<'c> {
    instance: Value,
    scope: Value,
    args: &'c [Value],
    block: Option<Value>,
}

/// Returns the dispatch that a call finds; `None` if its error is worded here.
fn choose<'p>(
    entries: &'p [PlanEntry],
    call: &PlannedCall<'_>,
) -> Result<Option<(&'p PlanEntry, usize)>, Reason> {
    let index = find(entries, call.args, call.block)?;
    match index.and_then(|index| Some((entries.get(index)?, index))) {
        Some((entry, _)) if entry.signature.handles_mismatch() => Err(Reason::MismatchHandler),
        None if !mismatch::is_on() => Err(Reason::Mismatch),
        found => Ok(found),
    }
}

/// Calls the method of a dispatch within these tags. `None` if Puppet has to do it all.
fn dispatch(
    ruby: &Ruby,
    dispatcher: Value,
    call: &PlannedCall<'_>,
    tags: &[StaticSymbol],
) -> Result<Option<Value>, Error> {
    with_plan(ruby, dispatcher, |entries| {
        let chosen = entries.and_then(|entries| Ok((entries, choose(entries, call)?)));
        let (entries, found) = match chosen {
            Ok(chosen) => chosen,
            Err(reason) => {
                counts::declined(DropInPiece::Dispatch, reason);
                return Ok(None);
            }
        };
        let Some((entry, index)) = found else {
            let name: String = raw::class_of(call.instance).funcall("name", ())?;
            let error = mismatch::of_call(ruby, &name, entries, call.args, call.block);
            return error.map_or(Ok(None), Err);
        };
        counts::taken(DropInPiece::Dispatch);
        invoke(ruby, dispatcher, entry, index, call, tags).map(Some)
    })
}

fn invoke(
    ruby: &Ruby,
    dispatcher: Value,
    entry: &PlanEntry,
    index: usize,
    call: &PlannedCall<'_>,
    tags: &[StaticSymbol],
) -> Result<Value, Error> {
    let (result, caught) = if entry.weaves {
        let dispatches = RArray::from_value(DISPATCHERS.get(dispatcher)).unwrap_or_else(|| ruby.ary_new());
        let dispatch: Value = dispatches.entry(isize::try_from(index).unwrap_or(isize::MAX))?;
        let woven: RArray = dispatch.funcall("weave", (call.scope, ruby.ary_new_from_values(call.args)))?;
        raw::with_elements(woven, |args| send(ruby, entry, call, args, tags))?
    } else {
        send(ruby, entry, call, call.args, tags)?
    };
    match caught {
        // The object that `return` was thrown with carries the value.
        Some(tag) if tag == ruby.get_inner(&RETURN) => result.funcall("value", ()),
        Some(_) => Ok(result),
        None => returned(ruby, entry, dispatcher, index, result),
    }
}

fn send(
    ruby: &Ruby,
    entry: &PlanEntry,
    call: &PlannedCall<'_>,
    args: &[Value],
    tags: &[StaticSymbol],
) -> Result<(Value, Option<StaticSymbol>), Error> {
    let method = entry.method.into_id_with(ruby);
    let Some(block) = call.block else { return call_catching(tags, call.instance, method, args, None) };
    if raw::is_public_method(raw::class_of(call.instance), method) {
        return call_catching(tags, call.instance, method, args, Some(block));
    }
    // Ruby passes a block on to public methods only. `__send__` is public, and calls private ones.
    let with_name = ruby.ary_new_from_values(args);
    with_name.unshift(Symbol::from(method))?;
    let send = ruby.intern("__send__");
    raw::with_elements(with_name, |args| call_catching(tags, call.instance, send, args, Some(block)))
}

/// Checks the result of a method against the return type.
fn returned(
    ruby: &Ruby,
    entry: &PlanEntry,
    dispatcher: Value,
    index: usize,
    result: Value,
) -> Result<Value, Error> {
    let Some(expected) = entry.signature.return_type() else { return Ok(result) };
    if is_instance(expected, result) == Ok(true) {
        return Ok(result);
    }
    // Puppet words the error, or accepts the result.
    let drop_in: RModule = ruby.class_object().const_get::<_, RModule>("Puppetfn")?.const_get("DropIn")?;
    drop_in.funcall("assert_returned", (dispatcher, index, result))
}

/// Returns the block of the running method as an object.
fn block(ruby: &Ruby) -> Result<Option<Value>, Error> {
    if ruby.block_given() { Ok(Some(ruby.block_proc()?.as_value())) } else { Ok(None) }
}

/// @yard
/// @def dispatch(instance, calling_scope, args, &block)
fn dispatch_method(
    ruby: &Ruby,
    this: Value,
    instance: Value,
    scope: Value,
    args: Value,
) -> Result<Value, Error> {
    let done = match RArray::from_value(args) {
        Some(args) => guarded(ruby, || {
            let block = block(ruby)?;
            raw::with_elements(args, |args| {
                dispatch(ruby, this, &PlannedCall { instance, scope, args, block }, &[ruby.get_inner(&NEXT)])
            })
        })?,
        None => None,
    };
    done.map_or_else(|| ruby.call_super((instance, scope, args)), Ok)
}

/// @yard
/// @def call(scope, *args, &block)
fn call_method(ruby: &Ruby, this: Value, args: &[Value]) -> Result<Value, Error> {
    let done = match args.split_first() {
        Some((scope, args)) => guarded(ruby, || {
            let dispatcher = dispatcher_of(this)?;
            let call = PlannedCall { instance: this, scope: *scope, args, block: block(ruby)? };
            dispatch(ruby, dispatcher, &call, &[ruby.get_inner(&RETURN), ruby.get_inner(&NEXT)])
        }),
        None => Ok(None),
    };
    match done {
        Ok(Some(value)) => Ok(value),
        Ok(None) => ruby.call_super(args),
        Err(error) => leave(ruby, error),
    }
}

/// Returns the dispatcher of a function. Its class has it, unless it was never asked for one.
fn dispatcher_of(function: Value) -> Result<Value, Error> {
    let class = raw::class_of(function);
    let known = DISPATCHER.get(class.as_value());
    if known.is_nil() { class.funcall("dispatcher", ()) } else { Ok(known) }
}

/// Turns `next` and `return` into throws, as Puppet does; other errors stay as they are.
#[cold]
fn leave(ruby: &Ruby, error: Error) -> Result<Value, Error> {
    let magnus::error::ErrorType::Exception(exception) = error.error_type() else { return Err(error) };
    if !matches!(kind_of(exception.as_value()), Some(PuppetClass::Next | PuppetClass::Return)) {
        return Err(error);
    }
    let drop_in: RModule = ruby.class_object().const_get::<_, RModule>("Puppetfn")?.const_get("DropIn")?;
    drop_in.funcall("leave", (*exception,))
}

/// Returns the dispatch that is found; `None` if Puppet has to look.
fn found(
    ruby: &Ruby,
    dispatcher: Value,
    args: RArray,
    block: Option<Value>,
) -> Result<Option<Option<usize>>, Error> {
    guarded(ruby, || {
        let found = with_plan(ruby, dispatcher, |entries| {
            raw::with_elements(args, |args| find(entries?, args, block))
        });
        Ok(match found {
            Ok(index) => {
                counts::taken(DropInPiece::Dispatch);
                Some(index)
            }
            Err(reason) => {
                counts::declined(DropInPiece::Dispatch, reason);
                None
            }
        })
    })
}

/// @yard
/// @def find_matching_dispatcher(args, &block)
fn find_method(ruby: &Ruby, this: Value, args: Value) -> Result<Value, Error> {
    let list = RArray::from_value(args);
    let answer = list.map_or(Ok(None), |list| found(ruby, this, list, block(ruby)?))?;
    match (answer, RArray::from_value(DISPATCHERS.get(this))) {
        (Some(None), _) => Ok(ruby.qnil().as_value()),
        (Some(Some(index)), Some(dispatches)) => {
            dispatches.entry(isize::try_from(index).unwrap_or(isize::MAX))
        }
        (None, _) | (Some(Some(_)), None) => ruby.call_super((args,)),
    }
}

/// @yard
/// @def find_dispatch(dispatcher, args, block)
/// @return [Integer, false, nil] the index of the dispatch; false if there is none, nil if Puppet has to decide
fn shadow_find(ruby: &Ruby, this: Value, args: RArray, block: Value) -> Result<Value, Error> {
    let block = if block.is_nil() { None } else { Some(block) };
    Ok(match found(ruby, this, args, block)? {
        Some(Some(index)) => ruby.integer_from_u64(index as u64).as_value(),
        Some(None) => ruby.qfalse().as_value(),
        None => ruby.qnil().as_value(),
    })
}

/// Defines the class and the modules.
pub fn init(ruby: &Ruby, drop_in: RModule) -> Result<(), Error> {
    let _class = define_class::<DispatchPlan>(ruby, drop_in, "Plan", ruby.class_object())?;
    DispatchPlan::typed().learn(ruby, DispatchPlan { entries: Err(Reason::Other), count: 0 });
    let dispatching = drop_in.define_module("Dispatching")?;
    dispatching.define_method("dispatch", method!(dispatch_method, 3))?;
    dispatching.define_method("find_matching_dispatcher", method!(find_method, 1))?;
    drop_in.define_module("Calling")?.define_method("call", method!(call_method, -1))?;
    drop_in.define_singleton_method("find_dispatch", function!(shadow_find, 3))
}
