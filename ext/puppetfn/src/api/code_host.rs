//! Ruby as the host of a runtime's code: functions in Ruby, and the conversion of their arguments.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use magnus::error::ErrorType;
use magnus::gc::Marker;
use magnus::typed_data::Obj;
use magnus::value::{LazyId, Opaque, ReprValue};
use magnus::{Error, Exception, Integer, Ruby, Value};
use puppetfn::builtin;
use puppetfn::catalog::NativeType;
use puppetfn::error::{Error as CoreError, ErrorExplanation, ErrorKind, SourceLocation};
use puppetfn::eval::{FileWarning, FoundFunction, FunctionLookup};
use puppetfn::function::{Deviation, Function, FunctionBody, Host, Library, LogLevel, Signature};
use puppetfn::host::HostRef;
use puppetfn::loader::{FileLanguage, Loader as CoreLoader};
use puppetfn::types::ops::describe::Messages;
use puppetfn::value::{CallTarget, FrozenText, Value as CoreValue};

use super::evaluator::Evaluator;
use super::loans::ParameterLoans;
use super::native_function::NativeFunction;
use super::{limits, messages, surroundings};
use crate::ruby::by_thread::ByThread;
use crate::ruby::convert::{ConvertedObjects, to_object, to_object_once, to_value};
use crate::ruby::error::{message_of, to_core, to_ruby};
use crate::ruby::jump::{self, Jump};
use crate::ruby::raw::{self, Locked, TypedRef, once};
use crate::ruby::wrapped::{Dispatcher, RubyClosure};
use crate::ruby::{call, host_table};

static CALL: LazyId = LazyId::new("call");
static CHANGES_ARGUMENTS: LazyId = LazyId::new("changes_arguments?");

/// State shared by the core's runtime and its Ruby object.
pub struct RuntimeLink {
    /// The `Puppetfn::Runtime`.
    runtime: Opaque<Value>,
    /// The object of the evaluator itself.
    evaluator: OnceLock<Opaque<Value>>,
    /// The types and functions of modules.
    loader: Arc<CoreLoader>,
    /// A `throw` or `break` on its way through the core, which only carries exceptions.
    jump: ByThread<Error>,
    /// The value of a `next` or `return` that a function in Ruby has ended with.
    landed: ByThread<CoreValue>,
    /// The functions in Ruby that code has found.
    functions: Locked<RefCell<RubyFunctions>>,
    /// The parameters of resources that functions in Ruby hold.
    loans: ParameterLoans,
}

/// Functions in Ruby, by the numbers that the core knows them by. The objects know their runtime, which would never be
/// freed if the core held on to them: so the runtime's own evaluator does, which is freed with it.
#[derive(Default)]
struct RubyFunctions {
    known: Vec<RubyFunction>,
    /// Their numbers, by the name of the function and the module that has looked it up.
    numbers: HashMap<(String, Option<String>), usize>,
}

struct RubyFunction {
    name: String,
    module: Option<String>,
    /// `None` until the loader returns it again.
    object: Option<Opaque<Value>>,
}

impl RuntimeLink {
    /// Creates a link of a `Puppetfn::Runtime`, whose evaluator is still to be made.
    pub fn new(runtime: Value, loader: Arc<CoreLoader>) -> Self {
        Self {
            runtime: runtime.into(),
            evaluator: OnceLock::new(),
            loader,
            jump: ByThread::default(),
            landed: ByThread::default(),
            functions: Locked::new(RefCell::default()),
            loans: ParameterLoans::default(),
        }
    }

    /// Sets the evaluator. Only the first call counts.
    pub fn set_evaluator(&self, evaluator: Value) {
        self.evaluator.get_or_init(|| evaluator.into());
    }

    /// Marks the runtime and the functions; and the evaluator, which the runtime owns but would let the heap's compaction
    /// move.
    pub fn mark(&self, marker: &Marker) {
        marker.mark(self.runtime);
        if let Some(evaluator) = self.evaluator.get() {
            marker.mark(*evaluator);
        }
        for function in &self.functions.borrow().known {
            if let Some(object) = function.object {
                marker.mark(object);
            }
        }
    }

    /// Returns the `Puppetfn::Runtime`.
    pub fn runtime(&self) -> Opaque<Value> {
        self.runtime
    }

    /// Returns the types and functions of modules.
    pub fn core_loader(&self) -> &CoreLoader {
        &self.loader
    }

    /// Records that a function in Ruby holds parameters of resources.
    pub fn lend(&self) {
        self.loans.begin();
    }

    /// Records that no function holds any more.
    pub fn end_loans(&self) {
        self.loans.end();
    }

    /// Writes changes that functions in Ruby made to parameters to the catalog.
    pub fn settle_loans(&self, ruby: &Ruby, is_last: bool) -> Result<(), Error> {
        self.loans.settle(ruby.get_inner(self.runtime), is_last)
    }

    /// Takes the `throw` or `break` that has ended the core's runtime.
    pub fn take_jump(&self) -> Option<Error> {
        self.jump.take()
    }

    /// Carries an exception through the core. A jump is stored for [`RuntimeLink::take_jump`].
    pub fn carried(&self, ruby: &Ruby, error: Error) -> CoreError {
        let carried = to_core(ruby, &error);
        if matches!(error.error_type(), ErrorType::Jump(_)) {
            self.jump.set(error);
        }
        carried
    }

    fn loader(&self, ruby: &Ruby) -> Result<Value, Error> {
        ruby.get_inner(self.runtime).funcall("loader", ())
    }

    /// Returns the function of a name, for code of a module or of none.
    fn load(&self, ruby: &Ruby, name: &str, module: Option<&str>) -> Result<Value, Error> {
        let loader = self.loader(ruby)?;
        once(|| loader.funcall("load_in_ruby", (ruby.to_symbol(name), module)))
    }

    /// Returns the core's function of a name, which calls the object from now on.
    fn define(
        &self,
        ruby: &Ruby,
        name: &str,
        module: Option<&str>,
        object: Option<Value>,
    ) -> Result<Function, Error> {
        let (key, object) = ((name.to_owned(), module.map(str::to_owned)), object.map(Opaque::from));
        let number = {
            let RubyFunctions { known, numbers } = &mut *self.functions.borrow_mut();
            let number = *numbers.entry(key.clone()).or_insert(known.len());
            match known.get_mut(number) {
                Some(function) => function.object = object,
                None => known.push(RubyFunction { name: key.0, module: key.1, object }),
            }
            number
        };
        let number = ruby.into_value(number);
        Ok(Function::new(name, [], FunctionBody::Host(host_table::keep(ruby, number)?)))
    }

    /// Returns the function in Ruby with a number; `None` if the callee is something else.
    fn function(&self, ruby: &Ruby, number: Value) -> Result<Option<Value>, Error> {
        let Some(number) = Integer::from_value(number) else { return Ok(None) };
        let number = number.to_usize()?;
        let (name, module) = match self.functions.borrow().known.get(number) {
            Some(RubyFunction { object: Some(object), .. }) => return Ok(Some(ruby.get_inner(*object))),
            Some(RubyFunction { name, module, .. }) => (name.clone(), module.clone()),
            None => return Ok(None),
        };
        let object = self.load(ruby, &name, module.as_deref())?;
        if let Some(function) = self.functions.borrow_mut().known.get_mut(number) {
            function.object = Some(object.into());
        }
        Ok(Some(object))
    }

    /// Makes code look the function of this name up in the loader again, whatever its case; all functions if there is no name.
    pub fn forget_functions(&self, name: Option<&str>) {
        for function in &mut self.functions.borrow_mut().known {
            let plain = function.name.trim_start_matches("::");
            if name.is_none_or(|name| plain.eq_ignore_ascii_case(name.trim_start_matches("::"))) {
                function.object = None;
            }
        }
    }

    /// Returns the function that the loader has in Ruby under a name, for all code.
    pub fn function_in_ruby(&self, ruby: &Ruby, name: &str) -> Result<Function, Error> {
        self.define(ruby, name, None, None)
    }
}

/// Number of running functions in Ruby that code has called.
static CALLING: AtomicUsize = AtomicUsize::new(0);

/// A call of a function in Ruby by code, counted until it is dropped.
struct RunningCall;

impl RunningCall {
    fn begin() -> Self {
        CALLING.fetch_add(1, Ordering::Relaxed);
        Self
    }

    /// Returns true if no other function in Ruby is running.
    fn is_last() -> bool {
        CALLING.load(Ordering::Relaxed) == 1
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        CALLING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns true if Ruby code is running that Puppet code has called, in any thread.
pub fn is_calling_ruby() -> bool {
    CALLING.load(Ordering::Relaxed) > 0
}

/// The functions that no text has defined.
pub struct RubyFunctionLookup(pub Arc<RuntimeLink>);

impl FunctionLookup for RubyFunctionLookup {
    fn find(&self, name: &str, module: Option<&str>) -> Result<Option<FoundFunction>, CoreError> {
        if let Some(native) = builtin::function(name, self.0.loader.target())? {
            return Ok(Some(FoundFunction::Function(Arc::clone(native))));
        }
        let file = self.0.loader.find_function_for(name, module)?;
        if let Some(file) = file.filter(|file| file.format == FileLanguage::Puppet) {
            return self.0.loader.function_text(&file).map(|text| Some(FoundFunction::File(text)));
        }
        let ruby = ruby()?;
        let found = self.0.load(&ruby, name, module).map_err(|error| self.0.carried(&ruby, error))?;
        if found.is_nil() {
            return Ok(None);
        }
        if let Some(native) = NativeFunction::of(&found) {
            return Ok(Some(FoundFunction::Function(native.function())));
        }
        let function = self.0.define(&ruby, name, module, Some(found));
        let function = function.map_err(|error| self.0.carried(&ruby, error))?;
        Ok(Some(FoundFunction::Function(Arc::new(function))))
    }

    fn depends_on_module(&self, name: &str) -> bool {
        self.0.loader.depends_on_module(name)
    }

    fn environment_file(&self, name: &str) -> Result<Option<String>, CoreError> {
        self.0.loader.environment_file(name)
    }

    fn complaints(&self) -> Vec<(LogLevel, String)> {
        self.0.loader.complaints()
    }

    fn type_warnings(&self) -> Vec<FileWarning> {
        self.0.loader.type_warnings()
    }

    fn hint(&self, name: &str, module: Option<&str>) -> Option<ErrorExplanation> {
        self.0.loader.hint(name, module)
    }
}

fn ruby() -> Result<Ruby, CoreError> {
    Ruby::get().map_err(|error| CoreError::new(ErrorKind::Internal, error.to_string()))
}

/// Ruby, as code sees it.
pub struct CodeHost {
    link: Arc<RuntimeLink>,
}

impl CodeHost {
    /// Returns the host of the code of a runtime.
    pub fn new(link: Arc<RuntimeLink>) -> Self {
        Self { link }
    }

    /// Calls a block, or the function with a number.
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
        if let Some(function) = self.link.function(ruby, receiver)? {
            receiver = function;
            scope = Some(ruby.get_inner(self.link.runtime).funcall("caller_scope", ())?);
            if arguments.iter().any(can_change) && receiver.funcall(*CHANGES_ARGUMENTS, ())? {
                return self.call_watched(ruby, receiver, scope, arguments, block);
            }
        }
        call::send(ruby, receiver, *CALL, scope, arguments, block)
    }

    /// Returns the signatures of the function with a number.
    fn signatures_of(&self, ruby: &Ruby, function: &HostRef) -> Result<Arc<[Signature]>, Error> {
        let number = host_table::fetch(ruby, function)?;
        let Some(function) = self.link.function(ruby, number)? else { return Ok(Arc::default()) };
        let dispatcher: Obj<Dispatcher> = function.funcall("dispatcher_for_deferred", ())?;
        let signatures = Arc::clone(&dispatcher.entries.borrow().signatures);
        Ok(signatures)
    }

    /// Calls a function that may change its arguments in place, and makes the changes visible to all code.
    fn call_watched(
        &self,
        ruby: &Ruby,
        receiver: Value,
        scope: Option<Value>,
        arguments: &[CoreValue],
        block: Option<Value>,
    ) -> Result<CoreValue, Error> {
        let objects = ruby.ary_new_capa(arguments.len());
        let converted = ConvertedObjects::default();
        arguments
            .iter()
            .try_for_each(|argument| objects.push(to_object_once(ruby, argument, &converted)?))?;
        let result = call::send_objects(ruby, receiver, *CALL, scope, objects, block)?;
        if let Some(evaluator) = self.link.evaluator.get()
            && let Some(evaluator) = Evaluator::of(&ruby.get_inner(*evaluator))
        {
            for (index, argument) in arguments.iter().enumerate() {
                let now = to_value(ruby, objects.entry(isize::try_from(index).unwrap_or(isize::MAX))?)?;
                let changed = evaluator.with_core(|core| core.change_value(argument, &now))?;
                changed.map_err(|error| to_ruby(ruby, &error))?;
            }
        }
        to_value(ruby, result)
    }

    /// Returns a block as Ruby gets it.
    fn block(&self, ruby: &Ruby, block: &CoreValue) -> Result<Value, Error> {
        if let CoreValue::Callable(callable) = block
            && let CallTarget::Closure(_) = callable.target
            && let Some(evaluator) = self.link.evaluator.get().copied()
        {
            let closure = RubyClosure::wrap(ruby, Arc::clone(callable), ruby.get_inner(evaluator));
            return closure.funcall("to_proc", ());
        }
        to_object(ruby, block)
    }

    fn carried(&self, ruby: &Ruby, error: Error) -> CoreError {
        let ErrorType::Exception(exception) = error.error_type() else {
            return self.link.carried(ruby, error);
        };
        match self.landing(ruby, *exception) {
            Ok(Some(jump)) => jump.error(),
            Ok(None) => to_core(ruby, &error),
            Err(error) => self.link.carried(ruby, error),
        }
    }

    /// Returns the way out that an exception is on, whose value is put where the core finds it.
    fn landing(&self, ruby: &Ruby, exception: Exception) -> Result<Option<Jump>, Error> {
        let Some((jump, value)) = jump::landed(ruby, exception)? else { return Ok(None) };
        self.link.landed.set(to_value(ruby, value)?);
        Ok(Some(jump))
    }
}

/// Returns true if Ruby code can change a value in place.
fn can_change(value: &CoreValue) -> bool {
    match value {
        CoreValue::String(text) => !FrozenText::is_marked(text),
        CoreValue::Array(_) | CoreValue::Hash(_) => true,
        CoreValue::Undef
        | CoreValue::Default
        | CoreValue::Boolean(_)
        | CoreValue::Integer(_)
        | CoreValue::Float(_)
        | CoreValue::Regexp(_)
        | CoreValue::SemVer(_)
        | CoreValue::SemVerRange(_)
        | CoreValue::Binary(_)
        | CoreValue::Uri(_)
        | CoreValue::Timestamp(_)
        | CoreValue::Timespan(_)
        | CoreValue::Type(_)
        | CoreValue::Sensitive(_)
        | CoreValue::Iterator(_)
        | CoreValue::Callable(_)
        | CoreValue::Object(_)
        | CoreValue::Runtime(_)
        | CoreValue::Unknown(_) => false,
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
        let _calling = RunningCall::begin();
        let result = self.call(&ruby, function, arguments, block);
        let settled = self.link.settle_loans(&ruby, RunningCall::is_last());
        result.and_then(|value| settled.map(|()| value)).map_err(|error| self.carried(&ruby, error))
    }

    fn signatures(&self, function: &HostRef) -> Result<Arc<[Signature]>, CoreError> {
        let ruby = ruby()?;
        self.signatures_of(&ruby, function).map_err(|error| self.carried(&ruby, error))
    }

    fn call_block(&self, block: &CoreValue, arguments: &[CoreValue]) -> Result<CoreValue, CoreError> {
        self.call_function(call::target(block)?, arguments, None)
    }

    fn defined(&self, name: &str) {
        self.link.forget_functions(Some(name));
        self.report(|ruby| self.link.loader(ruby)?.funcall::<_, _, Value>("defined", (name,)).map(drop));
    }

    fn run_library(&self, task: Library<'_>) -> Result<Option<CoreValue>, CoreError> {
        let ruby = ruby()?;
        let scope = ruby.get_inner(self.link.runtime).funcall("caller_scope", ());
        let answer = scope.and_then(|scope| surroundings::run_library(&ruby, scope, task));
        let settled = self.link.settle_loans(&ruby, !is_calling_ruby());
        let answer = answer.and_then(|answer| settled.map(|()| answer));
        answer.map_err(|error| self.carried(&ruby, error))
    }

    fn resource_type(&self, name: &str) -> Result<Option<NativeType>, CoreError> {
        let ruby = ruby()?;
        let runtime = ruby.get_inner(self.link.runtime);
        surroundings::resource_type(runtime, name).map_err(|error| self.carried(&ruby, error))
    }

    fn has_loaded_type(&self, name: &str) -> Result<bool, CoreError> {
        let ruby = ruby()?;
        let runtime = ruby.get_inner(self.link.runtime);
        once(|| runtime.funcall("type_loaded?", (name,))).map_err(|error| self.carried(&ruby, error))
    }

    fn parse_title(&self, type_name: &str, title: &str) -> Result<Vec<(Arc<str>, CoreValue)>, CoreError> {
        let ruby = ruby()?;
        let runtime = ruby.get_inner(self.link.runtime);
        surroundings::parse_title(&ruby, runtime, type_name, title)
            .map_err(|error| self.carried(&ruby, error))
    }

    fn message_of(&self, exception: &HostRef) -> Option<String> {
        let ruby = ruby().ok()?;
        message_of(&ruby, host_table::fetch(&ruby, exception).ok()?)
    }

    fn resource_defaults(
        &self,
        scope: u32,
        type_name: &str,
    ) -> Result<Vec<(Arc<str>, CoreValue)>, CoreError> {
        let ruby = ruby()?;
        let runtime = ruby.get_inner(self.link.runtime);
        surroundings::resource_defaults(&ruby, runtime, scope, type_name)
            .map_err(|error| self.carried(&ruby, error))
    }

    fn may_execute(&self) -> bool {
        ruby().is_ok_and(|ruby| surroundings::may_execute(&ruby, ruby.get_inner(self.link.runtime)))
    }

    fn deviate(&self, deviation: Deviation) -> Result<(), CoreError> {
        let ruby = ruby()?;
        let told = surroundings::deviate(ruby.get_inner(self.link.runtime), deviation);
        told.map_err(|error| self.carried(&ruby, error))
    }

    fn looks_up(&self, key: &str) -> Result<(), CoreError> {
        let ruby = ruby()?;
        let told: Result<Value, Error> = ruby.get_inner(self.link.runtime).funcall("looks_up", (key,));
        told.map(drop).map_err(|error| self.carried(&ruby, error))
    }

    fn poll(&self) -> Result<(), CoreError> {
        raw::take_turns().map_err(|error| ruby().map_or_else(|none| none, |ruby| self.carried(&ruby, error)))
    }

    fn stack_left(&self) -> Option<usize> {
        Some(limits::here().stack)
    }

    fn landed(&self) -> CoreValue {
        self.link.landed.take().unwrap_or(CoreValue::Undef)
    }

    fn messages(&self) -> Messages {
        messages::current()
    }

    fn log(&self, level: LogLevel, message: &str) {
        self.report(|ruby| surroundings::log(ruby, level, message));
    }

    fn log_from(&self, source: &str, level: LogLevel, message: &str) {
        self.report(|ruby| surroundings::log_from(ruby, source, level, message));
    }

    fn log_issue(&self, level: LogLevel, issue: &str, message: &str, place: &SourceLocation) {
        self.report(|ruby| surroundings::log_issue(ruby, level, issue, message, place));
    }

    fn warn_once(&self, key: &str, message: &str) {
        self.report(|ruby| surroundings::warn_once(ruby, key, message));
    }
}

impl CodeHost {
    /// Reports something to Ruby. A log destination that raises ends the evaluation.
    fn report(&self, tell: impl FnOnce(&Ruby) -> Result<(), Error>) {
        if let Ok(ruby) = Ruby::get()
            && let Err(error) = tell(&ruby)
        {
            self.link.jump.set(error);
        }
    }
}
