//! `Puppetfn::Evaluator`: evaluates Puppet code for a runtime. What one text defines, the next can use.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use magnus::error::ErrorType;
use magnus::gc::Marker;
use magnus::typed_data::Obj;
use magnus::value::{Opaque, ReprValue};
use magnus::{
    Class, DataTypeFunctions, Error, Exception, IntoValue, Module, Object, RArray, RHash, RModule, Ruby,
    Symbol, TypedData, Value, function, method,
};
use puppetfn::builtin;
use puppetfn::diagnostic::Strict;
use puppetfn::error::{Error as CoreError, ErrorKind, Explanation};
use puppetfn::eval::{CatalogStep, Found, FunctionLookup, Runtime, RuntimeBuilder};
use puppetfn::function::{Body, Compiler, Function, Host, Library, LogLevel, Query};
use puppetfn::host::HostRef;
use puppetfn::limits::Limits;
use puppetfn::loader::{Changes, Format, Loader as CoreLoader};
use puppetfn::types::ops::describe::Messages;
use puppetfn::value::{CallTarget, Value as CoreValue};

use super::closure::Closure;
use super::loader::Loader;
use super::native_function::NativeFunction;
use super::signature::Dispatch;
use super::{catalog, catalog_data};
use super::{limits, messages};
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::error::{guarded, named_class, to_core, to_ruby};
use crate::ruby::jump::{self, Jump};
use crate::ruby::raw::{self, Locked, Typed, TypedRef};
use crate::ruby::{call, explained, host_table, surroundings};

/// The evaluator of a runtime.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::Evaluator", free_immediately, mark)]
pub struct Evaluator {
    core: Runtime,
    link: Arc<Link>,
}

/// What the core's runtime and its Ruby object share.
struct Link {
    /// The `Puppetfn::Runtime`.
    runtime: Opaque<Value>,
    /// The object of the evaluator itself.
    evaluator: OnceLock<Opaque<Value>>,
    /// The types and functions of modules.
    loader: Arc<CoreLoader>,
    /// A `throw` or `break` on its way through the core, which only carries exceptions.
    jump: Locked<Cell<Option<Error>>>,
    /// The value of a `next` or `return` that a function in Ruby has ended with.
    landed: Locked<RefCell<CoreValue>>,
}

impl DataTypeFunctions for Evaluator {
    fn mark(&self, marker: &Marker) {
        marker.mark(self.link.runtime);
    }
}

impl TypedRef for Evaluator {
    fn typed() -> &'static Typed<Self> {
        static TYPED: Typed<Evaluator> = Typed::new();
        &TYPED
    }
}

/// How many functions in Ruby are running that code has called.
static CALLING: AtomicUsize = AtomicUsize::new(0);

/// A call of a function in Ruby by code, counted until it is dropped.
struct Calling;

impl Calling {
    fn begin() -> Self {
        CALLING.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for Calling {
    fn drop(&mut self) {
        CALLING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Tells if Ruby code is running that Puppet code has called, in any thread.
pub fn is_calling_ruby() -> bool {
    CALLING.load(Ordering::Relaxed) > 0
}

impl Evaluator {
    /// @yard
    /// @def new(runtime, strict_names, node)
    /// @param runtime [Puppetfn::Runtime] has the functions, types, variables and settings of code
    /// @param strict_names [Boolean] whether functions that code defines need names as specified
    /// @param node [String, nil] the node that a catalog is made for; code is a script without one
    fn new(
        ruby: &Ruby,
        runtime: Value,
        strict_names: bool,
        node: Option<String>,
    ) -> Result<Obj<Self>, Error> {
        let loader: Value = runtime.funcall("loader", ())?;
        let Some(loader) = Loader::of(loader) else {
            return Err(Error::new(ruby.exception_type_error(), "the runtime has no Puppetfn::Loader"));
        };
        let environment: String = runtime.funcall::<_, _, Value>("environment", ())?.to_string();
        let settings: Value = runtime.funcall("settings", ())?;
        let strict = settings.funcall::<_, _, Value>("[]", (ruby.to_symbol("strict"),))?.to_string();
        let Some(strict) = Strict::named(&strict) else {
            let message = format!("strict: expected off, warning or error, got {strict}");
            return Err(Error::new(ruby.exception_arg_error(), message));
        };
        let strict_variables: bool = settings.funcall("[]", (ruby.to_symbol("strict_variables"),))?;
        let made = ruby.obj_wrap(Self::for_runtime(runtime, loader, |builder| {
            let builder =
                builder.strict_names(strict_names).strict(strict).strict_variables(strict_variables);
            match node {
                Some(node) => builder.manifests().modules(loader.core()).node(node).environment(environment),
                None => builder,
            }
        }));
        made.link.evaluator.get_or_init(|| made.as_value().into());
        Ok(made)
    }

    fn for_runtime(
        runtime: Value,
        loader: &Loader,
        configure: impl FnOnce(RuntimeBuilder) -> RuntimeBuilder,
    ) -> Self {
        let link = Arc::new(Link {
            runtime: runtime.into(),
            evaluator: OnceLock::new(),
            loader: loader.core(),
            jump: Locked::new(Cell::new(None)),
            landed: Locked::new(RefCell::new(CoreValue::Undef)),
        });
        let builder = Runtime::builder()
            .types(Arc::new(loader.types()))
            .files(loader.core())
            .data(loader.hiera())
            .functions(Functions(Arc::clone(&link)))
            .host(CodeHost { link: Arc::clone(&link), limits: limits::current() })
            .limits(Limits { stack: usize::MAX, ..limits::current() });
        Self { core: configure(builder).build(), link }
    }

    /// What functions do with the catalog.
    pub fn compiler(&self) -> &dyn Compiler {
        self.core.compiler()
    }

    /// Takes the `throw` or `break` that has ended the core's runtime.
    pub fn take_jump(&self) -> Option<Error> {
        self.link.jump.take()
    }

    /// Uses the core's runtime. A `throw` or `break` that ended it goes on its way.
    pub fn with_core<T>(&self, body: impl FnOnce(&Runtime) -> T) -> Result<T, Error> {
        let result = body(&self.core);
        self.link.jump.take().map_or(Ok(result), Err)
    }

    /// @yard
    /// @def evaluate(code, file = nil)
    /// @param code [String]
    /// @param file [String, nil] what the code is from
    /// @return [Object] the value of the last statement
    /// @raise [Puppet::ParseErrorWithIssue] when the code is not Puppet
    /// @raise [Puppet::PreformattedError] when its evaluation fails
    fn evaluate(ruby: &Ruby, this: &Self, code: String, file: Option<String>) -> Result<Value, Error> {
        guarded(ruby, || {
            let result = this.with_core(|core| core.evaluate(&code, file.as_deref()))?;
            to_object(ruby, &result.map_err(|error| error_of_code(ruby, &error))?)
        })
    }

    /// @yard
    /// @def call(name, args, block)
    /// Calls a function that is written in the Puppet language.
    /// @param name [String]
    /// @param args [Array<Object>]
    /// @param block [Proc, nil]
    /// @return [Object]
    fn call(ruby: &Ruby, this: &Self, name: String, args: RArray, block: Value) -> Result<Value, Error> {
        guarded(ruby, || {
            let args: Vec<_> = args.into_iter().map(|arg| to_value(ruby, arg)).collect::<Result<_, _>>()?;
            let block = if block.is_nil() { None } else { Some(to_value(ruby, block)?) };
            let result = this.with_core(|core| core.call(&name, &args, block.as_ref()))?;
            to_object(ruby, &result.map_err(|error| error_of_code(ruby, &error))?)
        })
    }

    /// @yard
    /// @def explain_lookup(keys, merge, only_options)
    /// @param keys [Array<String>] the keys, of which the first with a value counts
    /// @param merge [String, Hash, nil] how values are merged, if that is said
    /// @param only_options [Boolean] whether only the options of the keys are of interest
    /// @return [String] how the answer is found, in Puppet's words
    fn explain_lookup(
        ruby: &Ruby,
        this: &Self,
        keys: Vec<String>,
        merge: Value,
        only_options: bool,
    ) -> Result<String, Error> {
        guarded(ruby, || {
            let name = CoreValue::from(keys.into_iter().map(CoreValue::from).collect::<Vec<_>>());
            let merge = to_value(ruby, merge)?;
            let query = Query { merge: Some(&merge), ..Query::new(&name) };
            let text = this.with_core(|core| core.explain_lookup(&query, only_options))?;
            text.map_err(|error| error_of_code(ruby, &error))
        })
    }

    /// @yard
    /// @def signatures(name)
    /// @param name [String]
    /// @return [Array<Puppetfn::Signature>, nil] those of a function in the Puppet language
    fn signatures(ruby: &Ruby, this: &Self, name: String) -> Result<Option<RArray>, Error> {
        guarded(ruby, || {
            let found = this.with_core(|core| core.signatures(&name))?;
            let found = found.map_err(|error| error_of_code(ruby, &error))?;
            let dispatch = |signature| Dispatch::native(ruby, signature, &name);
            Ok(found.map(|signatures| ruby.ary_from_iter(signatures.into_iter().map(dispatch))))
        })
    }

    /// @yard
    /// @def define(name)
    /// Has the function that the loader has replaced others with stand for all of its name.
    /// @param name [String] without leading `::`
    fn define(ruby: &Ruby, this: &Self, name: String) -> Result<(), Error> {
        guarded(ruby, || {
            let function = in_ruby(ruby, &name, key(ruby, &name, None))?;
            this.with_core(|core| core.define(function))
        })
    }

    /// @yard
    /// @def catalog
    /// Evaluates what is left to do for the catalog.
    /// @return [Hash{String=>Object}]
    fn catalog(ruby: &Ruby, this: &Self) -> Result<RHash, Error> {
        guarded(ruby, || {
            let made = this.with_core(Runtime::catalog)?;
            catalog_data::to_hash(ruby, &made.map_err(|error| error_of_code(ruby, &error))?)
        })
    }

    /// @yard
    /// @def current_catalog
    /// @return [Hash{String=>Object}] the catalog as it is now
    fn current_catalog(ruby: &Ruby, this: &Self) -> Result<RHash, Error> {
        guarded(ruby, || {
            let catalog = this.core.current_catalog().map_err(|error| error_of_code(ruby, &error))?;
            catalog_data::to_hash(ruby, &catalog)
        })
    }

    /// @yard
    /// @def advance_catalog(step)
    /// @param step [:node, :additions, :validation] what is done
    fn advance_catalog(ruby: &Ruby, this: &Self, step: Symbol) -> Result<(), Error> {
        guarded(ruby, || {
            let step = match &*step.name()? {
                "node" => CatalogStep::Node,
                "additions" => CatalogStep::Additions,
                "validation" => CatalogStep::Validation,
                other => {
                    let message = format!("unknown step {other}, expected node, additions or validation");
                    return Err(Error::new(ruby.exception_arg_error(), message));
                }
            };
            this.with_core(|core| core.advance_catalog(step))?.map_err(|error| error_of_code(ruby, &error))
        })
    }

    /// @yard
    /// @def defines?(name)
    /// @param name [String] without leading `::`
    /// @return [Boolean] whether a function of this name was defined, by code or by {#define}
    fn defines(ruby: &Ruby, this: &Self, name: String) -> Result<bool, Error> {
        guarded(ruby, || Ok(this.core.defines(&name)))
    }

    /// @yard
    /// @def loaded_functions
    /// @return [Array<String>] the names of the functions in the Puppet language that were asked for
    fn loaded_functions(ruby: &Ruby, this: &Self) -> Result<Vec<String>, Error> {
        guarded(ruby, || Ok(this.core.loaded_functions()))
    }

    /// @yard
    /// @def reload(files, types)
    /// Forgets functions that are different now.
    /// @param files [Array<String>] the files that have changed
    /// @param types [Boolean] whether names of types may stand for other types
    fn reload(ruby: &Ruby, this: &Self, files: Vec<PathBuf>, types: bool) -> Result<(), Error> {
        guarded(ruby, || {
            let changes = Changes { files: files.into_iter().collect(), types };
            changes.tell(&this.link.loader, &this.core);
            Ok(())
        })
    }

    /// @yard
    /// @def variable(name)
    /// @param name [String]
    /// @return [Array(Object), nil] the value of a variable of the top scope
    fn variable(ruby: &Ruby, this: &Self, name: String) -> Result<Option<RArray>, Error> {
        guarded(ruby, || match this.core.variable(&name) {
            Some(value) => Ok(Some(ruby.ary_from_iter([to_object(ruby, &value)?]))),
            None => Ok(None),
        })
    }

    /// @yard
    /// @def caller_variable(name)
    /// @param name [String]
    /// @return [Array(Object), nil] the value of a variable that is not of the top scope, where code
    ///   has called the Ruby function that runs
    fn caller_variable(ruby: &Ruby, this: &Self, name: String) -> Result<Option<RArray>, Error> {
        guarded(ruby, || match this.core.caller_variable(&name) {
            Some(value) => Ok(Some(ruby.ary_from_iter([to_object(ruby, &value)?]))),
            None => Ok(None),
        })
    }

    /// @yard
    /// @def set_variable(name, value)
    /// Sets a variable of the top scope.
    /// @param name [String]
    /// @param value [Object]
    fn set_variable(ruby: &Ruby, this: &Self, name: String, value: Value) -> Result<(), Error> {
        guarded(ruby, || {
            this.core.set_variable(&name, to_value(ruby, value)?);
            Ok(())
        })
    }
}

/// The exception of an error that code ended with.
pub fn error_of_code(ruby: &Ruby, error: &CoreError) -> Error {
    use ErrorKind::{Host, Internal, Limit, Lookup, LookupConfiguration, Syntax, Unrepresentable};
    let kind = error.kind();
    let is_syntax = *kind == Syntax;
    let passes = matches!(kind, Host(_) | Limit | Internal | Unrepresentable) || error.place().is_none();
    if passes && !is_syntax {
        return to_ruby(ruby, error);
    }
    let class = match jump::jump_of(error) {
        Some(_) => "ParseError",
        None if is_syntax => "ParseErrorWithIssue",
        None if matches!(kind, Lookup | LookupConfiguration) => "DataBinding::LookupError",
        None => "PreformattedError",
    };
    exception_of_code(ruby, class, error).unwrap_or_else(|error| error)
}

/// An exception of one of Puppet's classes that knows a place. With the exception that it stands for it
/// has the same backtrace.
fn exception_of_code(ruby: &Ruby, class: &str, error: &CoreError) -> Result<Error, Error> {
    let class = &format!("Puppetfn::Puppet::{class}");
    let Some(class) = named_class(ruby, class) else { return Ok(to_ruby(ruby, error)) };
    let place = error.place();
    let file = place.and_then(|place| place.file.as_deref());
    let (line, column) = (place.and_then(|place| place.line), place.and_then(|place| place.column));
    let ErrorKind::HostFailure(original) = error.kind() else {
        let exception = class.new_instance((error.message(), file, line, column))?;
        explained::explain_as(ruby, exception, error)?;
        return Ok(Error::from(exception));
    };
    let original = host_table::fetch(ruby, original)?;
    let exception = class.new_instance((error.message(), file, line, column, original))?;
    exception
        .funcall::<_, _, Value>("set_backtrace", (original.funcall::<_, _, Value>("backtrace", ())?,))?;
    Ok(Error::from(exception))
}

/// The functions that no text has defined.
struct Functions(Arc<Link>);

impl FunctionLookup for Functions {
    fn find(&self, name: &str, module: Option<&str>) -> Result<Option<Found>, CoreError> {
        if let Some(native) = builtin::registry().get(name)? {
            return Ok(Some(Found::Function(Arc::clone(native))));
        }
        let file = self.0.loader.find_function_for(name, module)?;
        if let Some(file) = file.filter(|file| file.format == Format::Puppet) {
            return self.0.loader.function_text(&file).map(|text| Some(Found::File(text)));
        }
        let ruby = ruby()?;
        let key = key(&ruby, name, module);
        let found = self.0.load(&ruby, key).map_err(|error| to_core(&ruby, &error))?;
        if found.is_nil() {
            return Ok(None);
        }
        if let Some(native) = NativeFunction::of(found) {
            return Ok(Some(Found::Function(native.function())));
        }
        let function = in_ruby(&ruby, name, key).map_err(|error| to_core(&ruby, &error))?;
        Ok(Some(Found::Function(Arc::new(function))))
    }

    fn depends_on_module(&self, name: &str) -> bool {
        self.0.loader.depends_on_module(name)
    }

    fn environment_file(&self, name: &str) -> Result<Option<String>, CoreError> {
        self.0.loader.environment_file(name)
    }

    fn hint(&self, name: &str, module: Option<&str>) -> Option<Explanation> {
        self.0.loader.hint(name, module)
    }
}

/// What a function in Ruby goes by: its name, and the module that looks for it. The object knows its runtime,
/// which would never be freed if its own evaluator held on to it.
fn key(ruby: &Ruby, name: &str, module: Option<&str>) -> RArray {
    ruby.ary_new_from_values(&[ruby.to_symbol(name).as_value(), module.into_value_with(ruby)])
}

fn in_ruby(ruby: &Ruby, name: &str, key: RArray) -> Result<Function, Error> {
    Ok(Function::new(name, [], Body::Host(host_table::keep(ruby, key.as_value())?)))
}

fn ruby() -> Result<Ruby, CoreError> {
    Ruby::get().map_err(|error| CoreError::new(ErrorKind::Internal, error.to_string()))
}

impl Link {
    fn loader(&self, ruby: &Ruby) -> Result<Value, Error> {
        ruby.get_inner(self.runtime).funcall("loader", ())
    }

    /// The function of a name, for code of a module or of none.
    fn load(&self, ruby: &Ruby, key: RArray) -> Result<Value, Error> {
        self.loader(ruby)?.funcall("load_in_ruby", (key.entry::<Value>(0)?, key.entry::<Value>(1)?))
    }
}

/// Ruby, as code sees it.
struct CodeHost {
    link: Arc<Link>,
    limits: Limits,
}

impl CodeHost {
    /// Calls a function, which goes by its name, or a block.
    fn call(
        &self,
        ruby: &Ruby,
        target: &HostRef,
        arguments: &[CoreValue],
        block: Option<&CoreValue>,
    ) -> Result<CoreValue, Error> {
        let block = block.map(|block| self.block(ruby, block)).transpose()?;
        let mut receiver = host_table::fetch(ruby, target)?;
        let mut scope = None;
        if let Some(key) = RArray::from_value(receiver) {
            receiver = self.link.load(ruby, key)?;
            scope = Some(ruby.get_inner(self.link.runtime).funcall("scope", ())?);
        }
        call::send(ruby, receiver, "call", scope, arguments, block)
    }

    /// A block as Ruby gets it.
    fn block(&self, ruby: &Ruby, block: &CoreValue) -> Result<Value, Error> {
        if let CoreValue::Callable(callable) = block
            && let CallTarget::Closure(_) = callable.target
            && let Some(evaluator) = self.link.evaluator.get().copied()
        {
            let closure = Closure::wrap(ruby, Arc::clone(callable), ruby.get_inner(evaluator));
            return closure.funcall("to_proc", ());
        }
        to_object(ruby, block)
    }

    fn carried(&self, ruby: &Ruby, error: Error) -> CoreError {
        match error.error_type() {
            ErrorType::Jump(_) => {
                let carried = to_core(ruby, &error);
                self.link.jump.set(Some(error));
                carried
            }
            ErrorType::Exception(exception) => match self.landing(ruby, *exception) {
                Ok(Some(jump)) => jump.error(),
                Ok(None) => to_core(ruby, &error),
                Err(error) => to_core(ruby, &error),
            },
            ErrorType::Error(..) => to_core(ruby, &error),
        }
    }

    /// The way out that an exception is on, whose value is put where the core finds it.
    fn landing(&self, ruby: &Ruby, exception: Exception) -> Result<Option<Jump>, Error> {
        let Some((jump, value)) = jump::landed(ruby, exception)? else { return Ok(None) };
        self.link.landed.replace(to_value(ruby, value)?);
        Ok(Some(jump))
    }
}

impl Host for CodeHost {
    fn call_function(
        &self,
        function: &HostRef,
        arguments: &[CoreValue],
        block: Option<&CoreValue>,
    ) -> Result<CoreValue, CoreError> {
        let ruby = ruby()?;
        let _calling = Calling::begin();
        self.call(&ruby, function, arguments, block).map_err(|error| self.carried(&ruby, error))
    }

    fn call_block(&self, block: &CoreValue, arguments: &[CoreValue]) -> Result<CoreValue, CoreError> {
        self.call_function(call::target(block)?, arguments, None)
    }

    fn defined(&self, name: &str) {
        self.report(|ruby| self.link.loader(ruby)?.funcall("defined", (name,)));
    }

    fn library(&self, task: Library<'_>) -> Result<Option<CoreValue>, CoreError> {
        let ruby = ruby()?;
        let scope = ruby.get_inner(self.link.runtime).funcall("scope", ());
        let answer = scope.and_then(|scope| surroundings::library(&ruby, scope, task));
        answer.map_err(|error| self.carried(&ruby, error))
    }

    fn may_execute(&self) -> bool {
        ruby().is_ok_and(|ruby| surroundings::may_execute(&ruby, ruby.get_inner(self.link.runtime)))
    }

    fn poll(&self) -> Result<(), CoreError> {
        raw::take_turns().map_err(|error| ruby().map_or_else(|none| none, |ruby| self.carried(&ruby, error)))
    }

    fn stack_left(&self) -> Option<usize> {
        Some(limits::here().stack)
    }

    fn landed(&self) -> CoreValue {
        self.link.landed.replace(CoreValue::Undef)
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn messages(&self) -> Messages {
        messages::current()
    }

    fn log(&self, level: LogLevel, message: &str) {
        self.report(|ruby| logging(ruby)?.funcall("send_log", (ruby.to_symbol(level.to_string()), message)));
    }

    fn warn_once(&self, key: &str, message: &str) {
        self.report(|ruby| {
            let default = ruby.to_symbol("default");
            logging(ruby)?.funcall("warn_once", ("deprecations", key, message, default, default))
        });
    }
}

impl CodeHost {
    /// Tells Ruby something. A log destination that raises ends the evaluation.
    fn report(&self, tell: impl FnOnce(&Ruby) -> Result<Value, Error>) {
        if let Ok(ruby) = Ruby::get()
            && let Err(error) = tell(&ruby)
        {
            self.link.jump.set(Some(error));
        }
    }
}

fn logging(ruby: &Ruby) -> Result<RModule, Error> {
    ruby.class_object().const_get::<_, RModule>("Puppetfn")?.const_get("Puppet")
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = puppetfn.define_class("Evaluator", ruby.class_object())?;
    class.undef_default_alloc_func();
    class.define_singleton_method("new", function!(Evaluator::new, 3))?;
    class.define_method("evaluate", method!(Evaluator::evaluate, 2))?;
    class.define_method("call", method!(Evaluator::call, 3))?;
    class.define_method("signatures", method!(Evaluator::signatures, 1))?;
    class.define_method("define", method!(Evaluator::define, 1))?;
    class.define_method("explain_lookup", method!(Evaluator::explain_lookup, 3))?;
    class.define_method("catalog", method!(Evaluator::catalog, 0))?;
    class.define_method("current_catalog", method!(Evaluator::current_catalog, 0))?;
    class.define_method("advance_catalog", method!(Evaluator::advance_catalog, 1))?;
    class.define_method("defines?", method!(Evaluator::defines, 1))?;
    class.define_method("loaded_functions", method!(Evaluator::loaded_functions, 0))?;
    class.define_method("caller_variable", method!(Evaluator::caller_variable, 1))?;
    class.define_method("set_variable", method!(Evaluator::set_variable, 2))?;
    class.define_method("reload", method!(Evaluator::reload, 2))?;
    class.define_method("variable", method!(Evaluator::variable, 1))?;
    catalog::init(class)?;
    puppetfn.funcall::<_, _, Value>("private_constant", (ruby.to_symbol("Evaluator"),))?;
    let sample = Evaluator::for_runtime(ruby.qnil().as_value(), &Loader::empty(), |builder| builder);
    Evaluator::typed().learn(ruby, sample);
    Ok(())
}
