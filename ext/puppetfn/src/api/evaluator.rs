//! `Puppetfn::Evaluator`: evaluates Puppet code for a runtime. Later texts can use the definitions of earlier ones.

use std::path::PathBuf;
use std::sync::Arc;

use magnus::gc::Marker;
use magnus::typed_data::Obj;
use magnus::value::ReprValue;
use magnus::{
    DataTypeFunctions, Error, Module, Object, RArray, RHash, RModule, Ruby, TryConvert, TypedData, Value,
    function, method,
};
use puppetfn::check::Inference;
use puppetfn::entity::ecore;
use puppetfn::eval::{Runtime, RuntimeBuilder};
use puppetfn::function::{CatalogCompiler, LookupQuery};
use puppetfn::limits::Limits;
use puppetfn::loader::ReloadChanges;
use puppetfn::types::parse::parse;
use puppetfn::value::Value as CoreValue;

use super::code_host::{CodeHost, RubyFunctionLookup, RuntimeLink};
use super::coverage::Coverage;
use super::exports::{self, RuntimeExports};
use super::loader::{RubyLoader, strictness};
use super::variables::RubyVariables;
use super::{catalog, catalog_writes, limits, puppetdb, types};
use crate::ruby::classes::define_class;
use crate::ruby::convert::{ConvertedObjects, to_object, to_object_once, to_value};
use crate::ruby::error::{guarded, of_code, to_ruby};
use crate::ruby::raw::{TypedClass, TypedRef, once};
use crate::ruby::wrapped::{Dispatch, RubyType};

/// The evaluator of a runtime.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::Evaluator", free_immediately, mark)]
pub struct Evaluator {
    core: Runtime,
    link: Arc<RuntimeLink>,
}

impl DataTypeFunctions for Evaluator {
    fn mark(&self, marker: &Marker) {
        self.link.mark(marker);
    }
}

impl TypedRef for Evaluator {
    fn typed() -> &'static TypedClass<Self> {
        static TYPED: TypedClass<Evaluator> = TypedClass::new();
        &TYPED
    }
}

impl Evaluator {
    /// @yard
    /// @def new(runtime, strict_names, node, variables)
    /// @param runtime [Puppetfn::Runtime] has the functions, types, variables and settings of code
    /// @param strict_names [Boolean] whether functions that code defines need names as specified
    /// @param node [String, nil] the node that a catalog is made for; code is a script without one
    /// @param variables [Puppetfn::Variables] the variables of the top scope
    fn new(
        ruby: &Ruby,
        runtime: Value,
        strict_names: bool,
        node: Option<String>,
        variables: &RubyVariables,
    ) -> Result<Obj<Self>, Error> {
        let loader: Value = runtime.funcall("loader", ())?;
        let Some(loader) = RubyLoader::of(&loader) else {
            return Err(Error::new(ruby.exception_type_error(), "the runtime has no Puppetfn::Loader"));
        };
        let environment = runtime.funcall::<_, _, Value>("environment", ())?.to_r_string()?.to_string()?;
        let settings: Value = runtime.funcall("settings", ())?;
        let strict = strictness(ruby, settings.funcall("[]", (ruby.to_symbol("strict"),))?)?;
        let strict_variables: bool = settings.funcall("[]", (ruby.to_symbol("strict_variables"),))?;
        let coverage: Option<&Coverage> = runtime.funcall("coverage", ())?;
        let made = ruby.obj_wrap(Self::for_runtime(runtime, loader, |builder| {
            let builder = match coverage {
                Some(coverage) => builder.coverage(coverage.recorder()),
                None => builder,
            };
            let builder = builder.variables(variables.core()).strict_names(strict_names);
            let builder = builder.strict(strict).strict_variables(strict_variables);
            match node {
                Some(node) => builder.manifests().modules(loader.core()).node(node).environment(environment),
                None => builder,
            }
        }));
        made.link.set_evaluator(made.as_value());
        Ok(made)
    }

    fn for_runtime(
        runtime: Value,
        loader: &RubyLoader,
        configure: impl FnOnce(RuntimeBuilder) -> RuntimeBuilder,
    ) -> Self {
        let link = Arc::new(RuntimeLink::new(runtime, loader.core()));
        let builder = Runtime::builder()
            .types(Arc::new(loader.types()))
            .files(loader.core())
            .inference(Inference::new(loader.core(), limits::current()))
            .data(loader.hiera())
            .functions(RubyFunctionLookup(Arc::clone(&link)))
            .host(CodeHost::new(Arc::clone(&link)))
            .limits(Limits { stack: usize::MAX, ..limits::current() })
            .debugger(puppetfn_dap::debuggee(&limits::current()));
        Self { core: configure(builder).build(), link }
    }

    /// Returns the interface to the catalog that functions use.
    pub fn compiler(&self) -> impl CatalogCompiler {
        self.core.compiler()
    }

    /// Takes the `throw` or `break` that has ended the core's runtime.
    pub fn take_jump(&self) -> Option<Error> {
        self.link.take_jump()
    }

    /// Returns the state that the evaluator shares with the core.
    pub(super) fn link(&self) -> &RuntimeLink {
        &self.link
    }

    /// Writes changes that Ruby code made to parameters of resources to the catalog.
    pub(super) fn settle_loans(&self, ruby: &Ruby) -> Result<(), Error> {
        self.link.settle_loans(ruby, false)
    }

    /// Returns the core's runtime.
    pub fn core(&self) -> &Runtime {
        &self.core
    }

    /// Uses the core's runtime. A `throw` or `break` that ended it continues.
    pub fn with_core<T>(&self, body: impl FnOnce(&Runtime) -> T) -> Result<T, Error> {
        let result = body(&self.core);
        self.take_jump().map_or(Ok(result), Err)
    }

    /// @yard
    /// @def evaluate(code, file = nil)
    /// @param code [String]
    /// @param file [String, nil] the file that the code is from
    /// @return [Object] the value of the last statement
    /// @raise [Puppet::ParseErrorWithIssue] when the code is not Puppet
    /// @raise [Puppet::PreformattedError] when its evaluation fails
    fn evaluate(ruby: &Ruby, this: &Self, code: String, file: Option<String>) -> Result<Value, Error> {
        guarded(ruby, || {
            this.settle_loans(ruby)?;
            let result = this.with_core(|core| core.evaluate(&code, file.as_deref()))?;
            to_object(ruby, &result.map_err(|error| of_code(ruby, &error))?)
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
            this.settle_loans(ruby)?;
            let args: Vec<_> = args.into_iter().map(|arg| to_value(ruby, arg)).collect::<Result<_, _>>()?;
            let block = if block.is_nil() { None } else { Some(to_value(ruby, block)?) };
            let result = this.with_core(|core| core.call(&name, &args, block.as_ref()))?;
            to_object(ruby, &result.map_err(|error| of_code(ruby, &error))?)
        })
    }

    /// @yard
    /// @def type(text)
    /// @param text [String]
    /// @return [Puppetfn::Type] a type as code sees it
    fn type_named(ruby: &Ruby, this: &Self, text: String) -> Result<Value, Error> {
        guarded(ruby, || {
            let parsed = this.with_core(|core| parse(&text, core.types(), &limits::current()))?;
            Ok(types::wrap(ruby, parsed.map_err(|error| to_ruby(ruby, &error))?))
        })
    }

    /// @yard
    /// @def object_of_json(type, text)
    /// @param type [String]
    /// @param text [String]
    /// @return [Puppetfn::PuppetObject]
    fn object_of_json(ruby: &Ruby, this: &Self, t: String, text: String) -> Result<Value, Error> {
        guarded(ruby, || {
            let object = this.with_core(|core| core.object_of_json(&t, &text))?;
            to_object(ruby, &object.map(CoreValue::Object).map_err(|error| of_code(ruby, &error))?)
        })
    }

    /// @yard
    /// @def object_of_xmi(type, text)
    /// @param type [String]
    /// @param text [String]
    /// @return [Puppetfn::PuppetObject]
    fn object_of_xmi(ruby: &Ruby, this: &Self, t: String, text: String) -> Result<Value, Error> {
        guarded(ruby, || {
            let object = this.with_core(|core| core.object_of_xmi(&t, &text))?;
            to_object(ruby, &object.map(CoreValue::Object).map_err(|error| of_code(ruby, &error))?)
        })
    }

    /// @yard
    /// @def import_model(text)
    /// Defines the types of an Ecore document.
    /// @param text [String]
    /// @return [Array(Array<String>, Array<String>)] the names of the types, and notes on features of the model that they lack
    fn import_model(ruby: &Ruby, this: &Self, text: String) -> Result<(Vec<String>, Vec<String>), Error> {
        guarded(ruby, || {
            let imported = this.with_core(|core| core.import_model(&text))?;
            let imported = imported.map_err(|error| of_code(ruby, &error))?;
            Ok((imported.types.into_iter().map(|outline| outline.name).collect(), imported.notes))
        })
    }

    /// @yard
    /// @def export_model(types, logic)
    /// @param types [Array<Puppetfn::Type>]
    /// @param logic [Boolean] whether the code of the types is in annotations
    /// @return [String] the Ecore document of the types
    fn export_model(ruby: &Ruby, _: &Self, types: RArray, logic: bool) -> Result<String, Error> {
        guarded(ruby, || {
            let t = |value| <&RubyType>::try_convert(value).map(|t| t.0.clone());
            let types = types.into_iter().map(t).collect::<Result<Vec<_>, _>>()?;
            ecore::export(&types, ecore::ExportOptions { logic, limits: limits::current() })
                .map_err(|error| to_ruby(ruby, &error))
        })
    }

    /// @yard
    /// @def explain_lookup(keys, merge, only_options)
    /// @param keys [Array<String>] the keys, of which the first with a value counts
    /// @param merge [String, Hash, nil] how values are merged, if not by default
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
            let query = LookupQuery { merge: Some(&merge), ..LookupQuery::new(&name) };
            let text = this.with_core(|core| core.explain_lookup(&query, only_options))?;
            text.map(|explanation| explanation.text).map_err(|error| of_code(ruby, &error))
        })
    }

    /// @yard
    /// @def signatures(name)
    /// @param name [String]
    /// @return [Array<Puppetfn::Signature>, nil] the signatures of a function in the Puppet language
    fn signatures(ruby: &Ruby, this: &Self, name: String) -> Result<Option<RArray>, Error> {
        guarded(ruby, || {
            let found = this.with_core(|core| core.signatures(&name))?;
            let found = found.map_err(|error| of_code(ruby, &error))?;
            let dispatch = |signature| Dispatch::native(ruby, signature, &name);
            Ok(found.map(|signatures| ruby.ary_from_iter(signatures.into_iter().map(dispatch))))
        })
    }

    /// @yard
    /// @def define(name)
    /// Makes the function that the loader has replaced others with stand for all functions of its name.
    /// @param name [String] without leading `::`
    fn define(ruby: &Ruby, this: &Self, name: String) -> Result<(), Error> {
        guarded(ruby, || {
            let function = this.link.function_in_ruby(ruby, &name)?;
            this.with_core(|core| core.define(function))
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
    /// Forgets functions that have changed.
    /// @param files [Array<String>] the files that have changed
    /// @param types [Boolean] whether names of types may stand for other types
    fn reload(ruby: &Ruby, this: &Self, files: Vec<PathBuf>, types: bool) -> Result<(), Error> {
        guarded(ruby, || {
            let changes = ReloadChanges { files: files.into_iter().collect(), types };
            changes.tell(this.link.core_loader(), &this.core);
            this.link.forget_functions(None);
            Ok(())
        })
    }

    /// @yard
    /// @def forget_function(name)
    /// Makes the evaluator look a function in Ruby up in the loader again when code next calls it.
    /// @param name [String]
    fn forget_function(ruby: &Ruby, this: &Self, name: String) -> Result<(), Error> {
        guarded(ruby, || {
            this.link.forget_functions(Some(&name));
            Ok(())
        })
    }

    /// @yard
    /// @def caller_variable(name)
    /// @param name [String]
    /// @return [Array(Object), nil] the value of a variable that is not of the top scope, where code
    ///   called the running Ruby function
    fn caller_variable(ruby: &Ruby, this: &Self, name: String) -> Result<Option<RArray>, Error> {
        guarded(ruby, || match this.core.caller_variable(&name).map_err(|error| to_ruby(ruby, &error))? {
            Some(value) => Ok(Some(ruby.ary_from_iter([to_object(ruby, &value)?]))),
            None => Ok(None),
        })
    }

    /// @yard
    /// @def caller_variables
    /// @return [Hash{String=>Object}] the variables outside of the top scope, where code called the running Ruby
    ///   function; nil for undef
    fn caller_variables(ruby: &Ruby, this: &Self) -> Result<RHash, Error> {
        guarded(ruby, || {
            let found = ruby.hash_new();
            let (variables, converted) = (this.core.caller_variables(), ConvertedObjects::default());
            for (name, value) in &variables {
                found.aset(&**name, to_object_once(ruby, value, &converted)?)?;
            }
            Ok(found)
        })
    }

    /// @yard
    /// @def set_caller_variable(name, value)
    /// Sets a variable in the scope of the code that called the running Ruby function.
    /// @param name [String]
    /// @param value [Object]
    /// @raise [Puppet::Error] when it has a value there
    fn set_caller_variable(ruby: &Ruby, this: &Self, name: String, value: Value) -> Result<(), Error> {
        guarded(ruby, || {
            let value = to_value(ruby, value)?;
            this.core.set_caller_variable(&name, value).map_err(|error| to_ruby(ruby, &error))
        })
    }

    /// @yard
    /// @def change_variable(name, value)
    /// Records that the value of a variable was changed in place.
    /// @param name [String]
    /// @param value [Array, Hash] the new value
    fn change_variable(ruby: &Ruby, this: &Self, name: String, value: Value) -> Result<(), Error> {
        guarded(ruby, || {
            let value = to_value(ruby, value)?;
            this.core.change_variable(&name, &value).map_err(|error| to_ruby(ruby, &error))
        })
    }

    /// @yard
    /// @def caller_scope
    /// @return [Integer] the number of the scope of the code that called the running Ruby function
    fn caller_scope(ruby: &Ruby, this: &Self) -> Result<u32, Error> {
        guarded(ruby, || Ok(this.core.caller_scope()))
    }

    /// @yard
    /// @def caller_local?
    /// @return [Boolean] whether the code that called the running Ruby function is of a function or lambda, which have
    ///   variables of their own
    fn is_caller_local(ruby: &Ruby, this: &Self) -> Result<bool, Error> {
        guarded(ruby, || Ok(this.core.is_caller_local()))
    }

    /// @yard
    /// @def caller_local_variable?(name)
    /// @param name [String]
    /// @return [Boolean] whether the code that called the running Ruby function sees a variable of a function or lambda
    fn has_caller_local(ruby: &Ruby, this: &Self, name: String) -> Result<bool, Error> {
        guarded(ruby, || Ok(this.core.has_caller_local(&name)))
    }

    /// @yard
    /// @def caller_number
    /// @return [Integer] a number that changes whenever code calls another Ruby function
    fn caller_number(ruby: &Ruby, this: &Self) -> Result<u64, Error> {
        guarded(ruby, || Ok(this.core.caller_number()))
    }

    /// @yard
    /// @def at_top?
    /// @return [Boolean] whether the code that called the running Ruby function is neither in a class, nor in a
    ///   node or resource
    fn is_at_top(ruby: &Ruby, this: &Self) -> Result<bool, Error> {
        guarded(ruby, || Ok(this.core.is_at_top()))
    }

    /// @yard
    /// @def at_top
    /// Acts in the top scope for the length of a block, whatever code called the running Ruby function.
    /// @yieldreturn [Object]
    /// @return [Object] the result of the block
    fn at_top(ruby: &Ruby, this: &Self) -> Result<Value, Error> {
        guarded(ruby, || {
            let block = ruby.block_proc()?;
            this.core.at_top(|| once(|| block.call(())))
        })
    }

    /// @yard
    /// @def watch_types
    /// Begins to watch the types that code uses, for `unsteady_type`.
    /// @return [void]
    fn watch_types(this: &Self) {
        this.core.watch_types();
    }

    /// @yard
    /// @def unsteady_type
    /// @return [String, nil] the name of a type that code has used about which Puppet's answers depend on earlier ones: a type set,
    ///   or an alias that contains itself through others, or otherwise than in collections of a variant
    fn unsteady_type(this: &Self) -> Option<String> {
        this.core.unsteady_type().map(|name| name.to_string())
    }

    /// @yard
    /// @def exports
    /// @return [String] the exported resources of the catalog, as PuppetDB answers to `/pdb/query/v4/resources`
    fn exports(ruby: &Ruby, this: &Self) -> Result<String, Error> {
        guarded(ruby, || {
            let answer = this.core.with_catalog(|draft| exports::answer(draft, &limits::current()));
            answer.map_err(|error| to_ruby(ruby, &error))
        })
    }

    /// @yard
    /// @def exports=(answer)
    /// Sets the source of exported resources of other nodes.
    /// @param answer [String, nil] an answer of PuppetDB to `/pdb/query/v4/resources`; nil for the runtime's `find_exports`
    /// @raise [Puppet::Error] if the text is no such answer
    fn set_exports(ruby: &Ruby, this: &Self, answer: Option<String>) -> Result<(), Error> {
        guarded(ruby, || {
            this.core.set_exports(match answer {
                Some(answer) => exports::stored(&answer).map_err(|error| to_ruby(ruby, &error))?,
                None => Arc::new(RuntimeExports::new(Arc::clone(&this.link))),
            });
            Ok(())
        })
    }

    /// @yard
    /// @def puppetdb=(tables)
    /// Has queries to PuppetDB answered with rows.
    /// @param tables [String] a JSON object with the rows of entities
    /// @raise [Puppet::Error] if the text is no such object
    fn set_puppetdb(ruby: &Ruby, this: &Self, tables: String) -> Result<(), Error> {
        guarded(ruby, || {
            this.core.set_query_source(puppetdb::source(&tables).map_err(|error| to_ruby(ruby, &error))?);
            Ok(())
        })
    }

    /// @yard
    /// @def query_puppetdb(query, endpoint)
    /// @param query [String, Array, nil]
    /// @param endpoint [String, nil] the entity whose endpoint is queried
    /// @return [Array<Object>] the answer of PuppetDB
    /// @raise [Puppet::Error] if the query is malformed, or there is no data for it
    fn query_puppetdb(
        ruby: &Ruby,
        this: &Self,
        query: Value,
        endpoint: Option<String>,
    ) -> Result<Value, Error> {
        guarded(ruby, || {
            let query = to_value(ruby, query)?;
            let answer = match this.core.query_source() {
                // Warnings about a source concern live ones, which functions in Puppet code log.
                Some(source) => source.query(&query, endpoint.as_deref(), &mut |_| {}),
                None => Err(puppetdb::no_source()),
            };
            to_object(ruby, &answer.map_err(|error| to_ruby(ruby, &error))?)
        })
    }

    /// @yard
    /// @def caller_places
    /// @return [Array<Array(String, Integer)>] file and line of the calls in code that led to the running Ruby
    ///   function, the innermost first
    fn caller_places(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        guarded(ruby, || {
            let places = ruby.ary_new();
            for place in this.core.caller_places() {
                places.push((place.file.as_deref(), place.line))?;
            }
            Ok(places)
        })
    }
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = define_class::<Evaluator>(ruby, puppetfn, "Evaluator", ruby.class_object())?;
    class.define_singleton_method("new", function!(Evaluator::new, 4))?;
    class.define_method("evaluate", method!(Evaluator::evaluate, 2))?;
    class.define_method("call", method!(Evaluator::call, 3))?;
    class.define_method("type", method!(Evaluator::type_named, 1))?;
    class.define_method("object_of_json", method!(Evaluator::object_of_json, 2))?;
    class.define_method("object_of_xmi", method!(Evaluator::object_of_xmi, 2))?;
    class.define_method("import_model", method!(Evaluator::import_model, 1))?;
    class.define_method("export_model", method!(Evaluator::export_model, 2))?;
    class.define_method("signatures", method!(Evaluator::signatures, 1))?;
    class.define_method("define", method!(Evaluator::define, 1))?;
    class.define_method("explain_lookup", method!(Evaluator::explain_lookup, 3))?;
    class.define_method("defines?", method!(Evaluator::defines, 1))?;
    class.define_method("loaded_functions", method!(Evaluator::loaded_functions, 0))?;
    class.define_method("caller_variable", method!(Evaluator::caller_variable, 1))?;
    class.define_method("caller_variables", method!(Evaluator::caller_variables, 0))?;
    class.define_method("set_caller_variable", method!(Evaluator::set_caller_variable, 2))?;
    class.define_method("change_variable", method!(Evaluator::change_variable, 2))?;
    class.define_method("caller_scope", method!(Evaluator::caller_scope, 0))?;
    class.define_method("caller_local?", method!(Evaluator::is_caller_local, 0))?;
    class.define_method("caller_local_variable?", method!(Evaluator::has_caller_local, 1))?;
    class.define_method("caller_number", method!(Evaluator::caller_number, 0))?;
    class.define_method("at_top?", method!(Evaluator::is_at_top, 0))?;
    class.define_method("at_top", method!(Evaluator::at_top, 0))?;
    class.define_method("watch_types", method!(Evaluator::watch_types, 0))?;
    class.define_method("unsteady_type", method!(Evaluator::unsteady_type, 0))?;
    class.define_method("exports", method!(Evaluator::exports, 0))?;
    class.define_method("exports=", method!(Evaluator::set_exports, 1))?;
    class.define_method("puppetdb=", method!(Evaluator::set_puppetdb, 1))?;
    class.define_method("query_puppetdb", method!(Evaluator::query_puppetdb, 2))?;
    class.define_method("caller_places", method!(Evaluator::caller_places, 0))?;
    class.define_method("reload", method!(Evaluator::reload, 2))?;
    class.define_method("forget_function", method!(Evaluator::forget_function, 1))?;
    catalog::init(class)?;
    catalog_writes::init(class)?;
    puppetfn.funcall::<_, _, Value>("private_constant", (ruby.to_symbol("Evaluator"),))?;
    let sample = Evaluator::for_runtime(ruby.qnil().as_value(), &RubyLoader::empty(), |builder| {
        // Its values need no settings.
        builder.variables(Arc::default())
    });
    Evaluator::typed().learn(ruby, sample);
    Ok(())
}
