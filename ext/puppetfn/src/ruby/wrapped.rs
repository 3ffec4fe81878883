//! Contents of the extension's Ruby objects that checks look into. `api/` defines their methods.

use std::cell::RefCell;
use std::sync::Arc;

use magnus::gc::Marker;
use magnus::typed_data::Obj;
use magnus::value::Opaque;
use magnus::{DataTypeFunctions, RArray, Symbol, TypedData, Value};
use puppetfn::function::Signature;
use puppetfn::types::Type;
use puppetfn::value::{Callable, Value as CoreValue};

use super::raw::{TypedClass, TypedRef};

/// A type as a Ruby object.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::Type", free_immediately, size)]
pub struct RubyType(pub Type);

impl DataTypeFunctions for RubyType {}

impl TypedRef for RubyType {
    fn typed() -> &'static TypedClass<Self> {
        static TYPED: TypedClass<RubyType> = TypedClass::new();
        &TYPED
    }
}

/// A core value as a Ruby object, of the class for its kind.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::RichValue", free_immediately, size)]
pub struct RubyRich(pub CoreValue);

impl DataTypeFunctions for RubyRich {}

impl TypedRef for RubyRich {
    fn typed() -> &'static TypedClass<Self> {
        static TYPED: TypedClass<RubyRich> = TypedClass::new();
        &TYPED
    }
}

/// A lambda, which can be called as long as the code around it runs.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::Closure", free_immediately, mark)]
pub struct RubyClosure {
    pub lambda: Arc<Callable>,
    pub evaluator: Opaque<Value>,
}

impl DataTypeFunctions for RubyClosure {
    fn mark(&self, marker: &Marker) {
        marker.mark(self.evaluator);
    }
}

impl TypedRef for RubyClosure {
    fn typed() -> &'static TypedClass<Self> {
        static TYPED: TypedClass<RubyClosure> = TypedClass::new();
        &TYPED
    }
}

impl RubyClosure {
    /// Returns the signature: a Callable type.
    pub fn signature(&self) -> &Type {
        &self.lambda.signature
    }
}

/// The dispatches of a function, in the order in which they are tried.
#[derive(Default, TypedData)]
#[magnus(class = "Puppetfn::Dispatcher", free_immediately, mark)]
pub struct Dispatcher {
    pub entries: RefCell<DispatchEntries>,
}

/// Two lists of equal length: the core reads the signatures, Ruby owns the dispatches.
#[derive(Default)]
pub struct DispatchEntries {
    pub signatures: Arc<[Signature]>,
    pub dispatches: Vec<Opaque<Obj<Dispatch>>>,
}

impl DataTypeFunctions for Dispatcher {
    fn mark(&self, marker: &Marker) {
        for dispatch in &self.entries.borrow().dispatches {
            marker.mark(*dispatch);
        }
    }
}

impl TypedRef for Dispatcher {
    fn typed() -> &'static TypedClass<Self> {
        static TYPED: TypedClass<Dispatcher> = TypedClass::new();
        &TYPED
    }
}

impl Dispatcher {
    /// Returns the type of the function: a callable, or a variant of several.
    pub fn to_type(&self) -> Type {
        let entries = self.entries.borrow();
        match &*entries.signatures {
            [only] => only.callable_type(),
            several => Type::variant(several.iter().map(Signature::callable_type).collect::<Vec<_>>()),
        }
    }
}

/// One signature of a function in Ruby, and the method that implements it.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::Dispatch", free_immediately, mark)]
pub struct Dispatch {
    /// The signature.
    pub signature: Signature,
    /// The method that is called.
    pub method: Opaque<Symbol>,
    /// The source of each argument of the method; empty if they are the arguments of the call.
    pub weaving: Vec<Knit>,
    /// The injected values: `:scope`, `:cache` and so on, or declarations of the injector's objects.
    pub injections: Opaque<RArray>,
    /// The names of the parameters as they were given: symbols, mostly.
    pub names: Opaque<RArray>,
}

/// Source of an argument of the implementing method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Knit {
    /// The argument of the call at this index.
    Argument(usize),
    /// All arguments of the call from this index on.
    Rest(usize),
    /// The injection at this index.
    Injection(usize),
    /// The injection at this index, which is the scope of the caller.
    Scope(usize),
}

impl DataTypeFunctions for Dispatch {
    fn mark(&self, marker: &Marker) {
        marker.mark(self.method);
        marker.mark(self.injections);
        marker.mark(self.names);
    }
}

impl TypedRef for Dispatch {
    fn typed() -> &'static TypedClass<Self> {
        static TYPED: TypedClass<Dispatch> = TypedClass::new();
        &TYPED
    }
}
