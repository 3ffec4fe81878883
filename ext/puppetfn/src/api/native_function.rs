//! `Puppetfn::NativeFunction`: a built-in function that is called like a function in Ruby.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use magnus::error::ErrorType;
use magnus::value::{LazyId, OpaqueId, ReprValue};
use magnus::{Error, Module, Object, RArray, RHash, RModule, Ruby, TypedData, Value, function, method};
use puppetfn::builtin;
use puppetfn::error::Error as CoreError;
use puppetfn::function::{
    Caller, CatalogCompiler, DataLookup, Deviation, EppTemplate, Function, FunctionBody, Host, Library,
    LogLevel, ModuleFiles, Native, OngoingLookup, QuerySource, ScopeMethodKind,
};
use puppetfn::host::HostRef;
use puppetfn::limits::Limits;
use puppetfn::types::ops::describe::Messages;
use puppetfn::types::{Definition, ObjectType};
use puppetfn::value::{Hash, Value as CoreValue};
use smallvec::SmallVec;

use super::closure::given_block;
use super::evaluator::Evaluator;
use super::loader::RubyLoader;
use super::runtime::{RuntimeActivation, current, scope_of};
use super::shortcut::Shortcut;
use super::surroundings;
use super::{limits, loans, messages};
use crate::ruby::classes::define_class;
use crate::ruby::convert::{to_cached_value, to_object, to_value};
use crate::ruby::error::{guarded, of_code, to_core, to_ruby};
use crate::ruby::interruption::answer;
use crate::ruby::jump::{self, Jump};
use crate::ruby::raw::{self, TypedClass, TypedRef};
use crate::ruby::wrapped::Dispatch;
use crate::ruby::{call, host_table};

static CALL: LazyId = LazyId::new("call");
static CALL_FUNCTION: LazyId = LazyId::new("call_function");

/// A function of the core.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::NativeFunction", free_immediately)]
pub struct NativeFunction {
    function: Arc<Function>,
    shortcut: Option<Shortcut>,
}

impl magnus::DataTypeFunctions for NativeFunction {}

impl TypedRef for NativeFunction {
    fn typed() -> &'static TypedClass<Self> {
        static TYPED: TypedClass<NativeFunction> = TypedClass::new();
        &TYPED
    }
}

/// Returns the Ruby object of a built-in function.
pub fn wrap(ruby: &Ruby, function: &Arc<Function>) -> Value {
    ruby.obj_wrap(NativeFunction::new(Arc::clone(function))).as_value()
}

impl NativeFunction {
    fn new(function: Arc<Function>) -> Self {
        let shortcut = function.host_method().map(Shortcut::of);
        Self { function, shortcut }
    }

    /// @yard
    /// @def call(scope, *args, &block)
    /// Calls the function.
    /// @param scope [Object] the scope of the caller
    /// @return [Object] the result of the function
    /// @raise [ArgumentError] when it does not accept the arguments
    fn call(ruby: &Ruby, this: Value, args: &[Value]) -> Result<Value, Error> {
        guarded(ruby, || {
            let caller = args.first().map_or(CalledFrom::None, |scope| CalledFrom::Scope(*scope));
            Self::receiver(&this)?.call_by(ruby, caller, args.get(1..).unwrap_or_default())
        })
    }

    /// Calls the function, with the block of the Ruby method that is running.
    pub fn call_by(&self, ruby: &Ruby, caller: CalledFrom, args: &[Value]) -> Result<Value, Error> {
        let function = &*self.function;
        if let Some(shortcut) = self.shortcut
            && let Some(result) = shortcut.call(ruby, args)?
        {
            return Ok(result);
        }
        loans::settle_any(|| match caller {
            CalledFrom::Runtime(runtime) => Some(runtime),
            CalledFrom::Scope(_) | CalledFrom::None => current(ruby),
        })?;
        let mut values = SmallVec::<[CoreValue; 4]>::with_capacity(args.len());
        for arg in args {
            values.push(to_value(ruby, *arg)?);
        }
        let block = given_block(ruby)?.map(|block| to_value(ruby, block)).transpose()?;
        let result = RubyHost::run(ruby, caller, |host| function.call(host, &values, block.as_ref()));
        if let (Ok(_), Some(jump)) = (&result, Jump::named(function.name())) {
            // These do nothing but leave; to the core that is a matter of the evaluator.
            let value = args.first().copied().unwrap_or_else(|| ruby.qnil().as_value());
            return Err(jump::outward(ruby, jump::leaving(ruby, jump, value, None)));
        }
        result
            .and_then(|result| to_object(ruby, &result))
            .or_else(|error| jump::caught(ruby, error, Jump::Next))
            .or_else(|error| jump::caught(ruby, error, Jump::Return))
            .map_err(|error| jump::outward(ruby, error))
    }

    /// @yard
    /// @def signatures
    /// @return [Array<Puppetfn::Dispatch>] in the order in which they are tried
    fn signatures(ruby: &Ruby, this: &Self) -> RArray {
        let callable = this.function.signatures().iter().filter(|signature| !signature.handles_mismatch());
        ruby.ary_from_iter(
            callable.map(|signature| Dispatch::native(ruby, signature.clone(), this.function.name())),
        )
    }

    /// Returns the function.
    pub fn function(&self) -> Arc<Function> {
        Arc::clone(&self.function)
    }

    /// @yard
    /// @return [String] the full name of the function
    fn name(this: &Self) -> String {
        this.function.name().to_owned()
    }
}

/// Caller of a function.
#[derive(Clone, Copy)]
pub enum CalledFrom {
    /// A runtime, which may not be at work yet. Functions get its scope.
    Runtime(Value),
    /// Code in a scope, while the runtime is at work.
    Scope(Value),
    /// Something else.
    None,
}

/// Ruby, as functions of the core see it, for one call.
pub struct RubyHost<'a> {
    ruby: &'a Ruby,
    caller: CalledFrom,
    /// While Ruby runs that the function has called.
    activation: OnceCell<RuntimeActivation<'a>>,
    limits: Limits,
    /// Number of calls of blocks.
    blocks: Cell<u64>,
    /// A `throw` or `break` on its way through the core, which only carries exceptions.
    jump: RefCell<Option<Error>>,
    /// The evaluator of the runtime at work, once the function has asked for it.
    evaluator: OnceCell<Option<Value>>,
}

impl<'a> RubyHost<'a> {
    /// Calls the core with Ruby as its host. An exception or jump out of a block passes unharmed.
    pub fn run<T>(
        ruby: &'a Ruby,
        caller: CalledFrom,
        body: impl FnOnce(&Self) -> Result<T, CoreError>,
    ) -> Result<T, Error> {
        let host = Self {
            ruby,
            caller,
            activation: OnceCell::new(),
            limits: limits::current(),
            blocks: Cell::new(0),
            jump: RefCell::default(),
            evaluator: OnceCell::new(),
        };
        let result = body(&host);
        let evaluator = host.evaluator.get().and_then(|evaluator| Evaluator::of(evaluator.as_ref()?));
        match host.jump.take().or_else(|| evaluator.and_then(Evaluator::take_jump)) {
            Some(jump) => Err(jump),
            None => result.map_err(|error| {
                // Templates have code, too.
                let is_of_code = evaluator.is_some() || error.is_of_evaluation();
                if is_of_code { of_code(ruby, &error) } else { to_ruby(ruby, &error) }
            }),
        }
    }

    /// Makes the runtime the fiber's own, before the function calls Ruby.
    fn enter(&self) -> Result<(), Error> {
        if let (CalledFrom::Runtime(runtime), None) = (self.caller, self.activation.get()) {
            let activation = RuntimeActivation::begin(self.ruby, runtime)?;
            self.activation.get_or_init(|| activation);
        }
        Ok(())
    }

    /// Returns the scope of the caller.
    fn scope(&self) -> Value {
        match self.caller {
            // A template or function may have called it for code of a class or defined type.
            CalledFrom::Runtime(runtime) => {
                runtime.funcall("caller_scope", ()).unwrap_or_else(|_| scope_of(runtime))
            }
            CalledFrom::Scope(scope) => scope,
            CalledFrom::None => self.ruby.qnil().as_value(),
        }
    }

    fn call(
        &self,
        receiver: &HostRef,
        arguments: &[CoreValue],
        block: Option<&CoreValue>,
    ) -> Result<CoreValue, Error> {
        let receiver = host_table::fetch(self.ruby, receiver)?;
        // Functions get the scope of the caller first.
        let is_proc = receiver.is_kind_of(self.ruby.class_proc());
        let scope = if is_proc { None } else { Some(self.scope()) };
        self.send(receiver, *CALL, scope, arguments, block)
    }

    fn send(
        &self,
        receiver: Value,
        method: OpaqueId,
        first: Option<Value>,
        arguments: &[CoreValue],
        block: Option<&CoreValue>,
    ) -> Result<CoreValue, Error> {
        self.enter()?;
        let block = block.map(|block| to_object(self.ruby, block)).transpose()?;
        call::send(self.ruby, receiver, method, first, arguments, block)
    }

    fn constant(&self, name: &str) -> Result<Value, Error> {
        self.enter()?;
        self.ruby.class_object().const_get::<_, RModule>("Puppetfn")?.const_get(name)
    }

    /// Returns the runtime at work, if one is.
    fn runtime(&self) -> Result<Option<Value>, Error> {
        self.constant("Runtime")?.funcall("current", ())
    }

    /// Returns the evaluator of the runtime at work, which keeps it alive.
    fn evaluator(&self) -> Option<&Evaluator> {
        Evaluator::of(self.evaluator.get_or_init(|| self.find_evaluator()).as_ref()?)
    }

    /// Returns the evaluator's object. A failure counts as no evaluator, so that errors stay the function's own.
    fn find_evaluator(&self) -> Option<Value> {
        let runtime = answer(self.ruby, self.runtime())??;
        answer(self.ruby, runtime.funcall("evaluator", ()))
    }

    /// A log destination that raises ends the call as an exception of the function would.
    fn logged(&self, result: Result<(), Error>) {
        if let Err(error) = result {
            self.jump.replace(Some(error));
        }
    }

    fn carried(&self, error: Error) -> CoreError {
        if let ErrorType::Exception(exception) = error.error_type()
            && let Ok(Some((Jump::Break, _))) = jump::landed(self.ruby, *exception)
        {
            return Jump::Break.error();
        }
        let carried = to_core(self.ruby, &error);
        if matches!(error.error_type(), ErrorType::Jump(_)) {
            self.jump.replace(Some(error));
        }
        carried
    }
}

impl Host for RubyHost<'_> {
    fn call_function(
        &self,
        function: &HostRef,
        arguments: &[CoreValue],
        block: Option<&CoreValue>,
    ) -> Result<CoreValue, CoreError> {
        self.call(function, arguments, block).map_err(|error| self.carried(error))
    }

    fn call_block(&self, block: &CoreValue, arguments: &[CoreValue]) -> Result<CoreValue, CoreError> {
        self.blocks.set(self.blocks.get() + 1);
        self.limits.check_fuel(self.blocks.get())?;
        Host::call_function(self, call::target(block)?, arguments, None)
    }

    fn call_caching_block(&self, block: &CoreValue, arguments: &[CoreValue]) -> Result<CoreValue, CoreError> {
        let call = |target: &HostRef| {
            self.enter()?;
            let receiver = host_table::fetch(self.ruby, target)?;
            let result = call::send_for_object(self.ruby, receiver, *CALL, None, arguments, None)?;
            to_cached_value(self.ruby, result)
        };
        call(call::target(block)?).map_err(|error| self.carried(error))
    }

    fn deviate(&self, deviation: Deviation) -> Result<(), CoreError> {
        let told = self.runtime().and_then(|runtime| match runtime {
            Some(runtime) => surroundings::deviate(runtime, deviation),
            None => Ok(()),
        });
        told.map_err(|error| self.carried(error))
    }

    fn poll(&self) -> Result<(), CoreError> {
        raw::take_turns().map_err(|error| self.carried(error))
    }

    fn messages(&self) -> Messages {
        messages::current()
    }

    fn log(&self, level: LogLevel, message: &str) {
        self.logged(self.enter().and_then(|()| surroundings::log(self.ruby, level, message)));
    }

    fn warn_once(&self, key: &str, message: &str) {
        self.logged(self.enter().and_then(|()| surroundings::warn_once(self.ruby, key, message)));
    }

    fn run_library(&self, task: Library<'_>) -> Result<Option<CoreValue>, CoreError> {
        self.enter().map_err(|error| self.carried(error))?;
        surroundings::run_library(self.ruby, self.scope(), task).map_err(|error| self.carried(error))
    }

    fn may_execute(&self) -> bool {
        matches!(self.runtime(), Ok(Some(runtime)) if surroundings::may_execute(self.ruby, runtime))
    }
}

impl Caller for RubyHost<'_> {
    fn host(&self) -> &dyn Host {
        self
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn call_named(
        &self,
        name: &str,
        arguments: &[CoreValue],
        block: Option<&CoreValue>,
    ) -> Result<CoreValue, CoreError> {
        let call = || {
            let runtime: Value = self.constant("Runtime")?.funcall("current!", (name,))?;
            let name = self.ruby.str_new(name).as_value();
            self.send(runtime, *CALL_FUNCTION, Some(name), arguments, block)
        };
        call().map_err(|error| self.carried(error))
    }

    fn new_instance(
        &self,
        t: &Arc<Definition<ObjectType>>,
        arguments: &[CoreValue],
        block: Option<&CoreValue>,
    ) -> Result<CoreValue, CoreError> {
        let made = || {
            let runtime: Value = self.constant("Runtime")?.funcall("current!", (t.label(),))?;
            let evaluator: Value = runtime.funcall("evaluator", ())?;
            let Some(evaluator) = Evaluator::of(&evaluator) else {
                return Err(Error::new(self.ruby.exception_type_error(), "a runtime without its evaluator"));
            };
            evaluator.with_core(|core| core.new_object(t, arguments, block))
        };
        made().map_err(|error| self.carried(error))?
    }

    fn render(&self, template: &EppTemplate<'_>, arguments: Option<&Hash>) -> Result<CoreValue, CoreError> {
        let rendered = || {
            let runtime: Value = self.constant("Runtime")?.funcall("current!", (template.function,))?;
            let evaluator: Value = runtime.funcall("evaluator", ())?;
            let Some(evaluator) = Evaluator::of(&evaluator) else {
                return Err(Error::new(self.ruby.exception_type_error(), "a runtime without its evaluator"));
            };
            evaluator.with_core(|core| core.render(template, arguments))
        };
        rendered().map_err(|error| self.carried(error))?
    }

    fn compiler(&self) -> Option<Box<dyn CatalogCompiler + '_>> {
        self.evaluator().map(|evaluator| Box::new(evaluator.compiler()) as Box<dyn CatalogCompiler>)
    }

    fn log_here(&self, level: LogLevel, message: &str) {
        let compiler = self.compiler().filter(|compiler| compiler.makes_catalog());
        let container = compiler.and_then(|compiler| compiler.container().ok().flatten());
        let Some(container) = container else { return self.log(level, message) };
        let source = format!("Scope({container})");
        self.logged(self.enter().and_then(|()| surroundings::log_from(self.ruby, &source, level, message)));
    }

    fn files(&self) -> Arc<dyn ModuleFiles> {
        let files = answer(self.ruby, self.runtime())
            .flatten()
            .and_then(|runtime| answer(self.ruby, surroundings::files(runtime)));
        files.unwrap_or_else(|| RubyLoader::empty().core())
    }

    fn data(&self) -> Option<Arc<dyn DataLookup>> {
        surroundings::data(self.ruby, answer(self.ruby, self.runtime())??)
    }

    fn query_source(&self) -> Option<Arc<dyn QuerySource>> {
        Evaluator::of(&self.find_evaluator()?)?.core().query_source()
    }

    fn lookup(&self) -> Option<OngoingLookup> {
        Evaluator::of(&self.find_evaluator()?)?.core().lookup()
    }

    fn call_for_lookup(
        &self,
        lookup: OngoingLookup,
        name: &str,
        arguments: &[CoreValue],
    ) -> Result<CoreValue, CoreError> {
        let call = || self.call_named(name, arguments, None);
        let evaluator = self.find_evaluator();
        match evaluator.as_ref().and_then(Evaluator::of) {
            Some(evaluator) => evaluator.core().for_lookup(lookup, call),
            None => call(),
        }
    }

    fn variable(&self, name: &str) -> Result<Option<CoreValue>, CoreError> {
        let value = || {
            let Some(runtime) = self.runtime()? else { return Ok(None) };
            let scope: Value = match self.caller {
                CalledFrom::Scope(scope) => scope,
                CalledFrom::Runtime(_) | CalledFrom::None => runtime.funcall("caller_scope", ())?,
            };
            if !scope.funcall::<_, _, bool>("exist?", (name,))? {
                return Ok(None);
            }
            to_value(self.ruby, scope.funcall("[]", (name,))?).map(Some)
        };
        value().map_err(|error| self.carried(error))
    }
}

/// @yard
/// @def scope_methods
/// Returns the methods of scopes by which code in Puppet's 3.x API calls built-in functions: their arity in Ruby's terms,
/// whether they have a result, and their effect (`:calls`, `:deprecated`, `:logs` or `:refuses`).
/// @api private
/// @scope class
/// @return [Hash{Symbol=>Array(Integer, Boolean, Symbol)}] by the name of the function
fn scope_methods(ruby: &Ruby) -> Result<RHash, Error> {
    guarded(ruby, || {
        let methods = ruby.hash_new();
        for (name, method) in builtin::registry().scope_methods() {
            let kind = match method.kind {
                ScopeMethodKind::Calls => "calls",
                ScopeMethodKind::Deprecated => "deprecated",
                ScopeMethodKind::Logs => "logs",
                ScopeMethodKind::Refuses => "refuses",
            };
            let method = (method.arity, method.has_result, ruby.to_symbol(kind));
            methods.aset(ruby.to_symbol(name), method)?;
        }
        Ok(methods)
    })
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = define_class::<NativeFunction>(ruby, puppetfn, "NativeFunction", ruby.class_object())?;
    class.define_method("call", method!(NativeFunction::call, -1))?;
    class.define_method("signatures", method!(NativeFunction::signatures, 0))?;
    class.define_method("name", method!(NativeFunction::name, 0))?;
    class.define_singleton_method("scope_methods", function!(scope_methods, 0))?;
    let sample = Function::new("", [], FunctionBody::Native(Native::default()));
    NativeFunction::typed().learn(ruby, NativeFunction::new(Arc::new(sample)));
    Ok(())
}
