//! Ruby objects to core values and back, for calls that cross the border.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use magnus::value::ReprValue;
use magnus::{
    Class, Error, IntoValue, Module, RArray, RClass, RHash, RModule, RRegexp, Range, Ruby, Symbol,
    Value as RubyValue,
};
use puppetfn::convert::number::integer_of_any_size;
use puppetfn::error::{Error as CoreError, ErrorKind};
use puppetfn::function::{Implementation, implementation};
use puppetfn::limits::{Depth, Limits, MemoryGuard, exceeded};
use puppetfn::subject::{Shape, Subject};
use puppetfn::types::ops::infer;
use puppetfn::types::{IntegerRange, ResourceType, Type};
use puppetfn::value::{
    Array, ByteText, CallTarget, Callable, FrozenText, Hash, Iteration, Object, Regex, RuntimeObject, Value,
};

use smallvec::SmallVec;

use super::error::{to_core, to_ruby};
use super::implementation::implemented_by;
use super::raw::{self, RubySubject, TypedRef, bignum_text, class_ancestry, subject};
use super::wrap::{is_plain_object, wrap_sensitive, wrap_type, wrap_unknown, wrap_value};
use super::wrapped::RubyRich;
use super::{host_table, limits};

/// Returns the core value of a Ruby object. Objects that are none of Puppet's values go by reference.
pub fn to_value(ruby: &Ruby, object: RubyValue) -> Result<Value, Error> {
    let limits = limits::current();
    let (elements, memory) = Default::default();
    let within = ConversionBudget {
        depth: Depth::nesting(&limits),
        elements: &elements,
        memory: &memory,
        limits: &limits,
    };
    value_of(ruby, subject(&object), within).map_err(|error| to_ruby(ruby, &error))
}

/// The remaining budget for an object. Shared parts count wherever they occur: the core would visit them as often.
#[derive(Clone, Copy)]
struct ConversionBudget<'l> {
    depth: Depth,
    /// Number of elements so far.
    elements: &'l Cell<usize>,
    /// Guards the memory that copies take.
    memory: &'l MemoryGuard,
    limits: &'l Limits,
}

impl ConversionBudget<'_> {
    /// Returns the budget for the elements of a collection of this size.
    fn deeper(self, count: usize) -> Result<Self, CoreError> {
        self.elements.set(self.elements.get().saturating_add(count));
        self.limits.check_elements(self.elements.get())?;
        Ok(Self { depth: self.depth.deeper()?, ..self })
    }
}

fn value_of(ruby: &Ruby, object: RubySubject<'_>, within: ConversionBudget<'_>) -> Result<Value, CoreError> {
    Ok(match object.shape()? {
        Shape::Undef => Value::Undef,
        Shape::Default => Value::Default,
        Shape::Boolean(truth) => Value::Boolean(truth),
        Shape::Integer(number) => Value::Integer(number),
        Shape::LargeInteger { .. } => large_integer(object.value())?,
        Shape::Float(number) => Value::Float(number),
        Shape::String(text) => {
            within.memory.check(within.limits)?;
            Value::from(text)
        }
        Shape::Bytes(length) => ByteText::new(object.text_bytes(), object.encoding_name(), length).into(),
        Shape::Regexp => Value::Regexp(Regex::new(&object.regexp_source())?),
        Shape::Array(_) => {
            let elements = object.elements();
            let count = elements.size_hint().0;
            let within = within.deeper(count)?;
            let mut items = Vec::with_capacity(count);
            for element in elements {
                items.push(value_of(ruby, element, within)?);
            }
            if object.value().is_frozen() { Value::Array(Array::frozen(items)) } else { Value::from(items) }
        }
        Shape::Hash(size) => {
            let hash = hash_of(ruby, object, size, within.deeper(size)?)?;
            if object.value().is_frozen() {
                hash.set_host(keep(ruby, object)?);
            }
            Value::Hash(Arc::new(hash))
        }
        Shape::Type => {
            let t = object.as_type().into_owned();
            if RModule::from_value(object.value()).is_some() || RClass::from_value(object.value()).is_some() {
                let module = RuntimeObject::module(keep(ruby, object)?, ancestry(object), t);
                return Ok(Value::Runtime(Arc::new(module)));
            }
            Value::Type(Arc::new(t))
        }
        Shape::Sensitive(inner) => Value::Sensitive(Arc::new(value_of(ruby, inner, within.deeper(1)?)?)),
        Shape::Callable => {
            let signature = infer(object, &limits::current())?;
            Value::Callable(Arc::new(Callable::of_host(keep(ruby, object)?, signature)))
        }
        Shape::Iterator => iteration(ruby, object, within)?,
        Shape::Runtime => by_reference(ruby, object, within)?,
        Shape::Rich(Value::Object(given)) => object_of_type(ruby, object, given, within)?,
        Shape::Rich(value) => value.clone(),
        Shape::Uri => match object.uri() {
            Some(uri) => Value::Uri(Arc::new(uri.into_owned())),
            None => by_reference(ruby, object, within)?,
        },
        Shape::Unknown(t) => Value::Unknown(Arc::new(t.clone())),
    })
}

/// Converts an object of an Object type. If a class of Ruby's implements the type, the value refers to the Ruby object.
fn object_of_type(
    ruby: &Ruby,
    object: RubySubject<'_>,
    given: &Arc<Object>,
    within: ConversionBudget<'_>,
) -> Result<Value, CoreError> {
    if is_plain_object(ruby, object.value()) {
        return Ok(Value::Object(Arc::clone(given)));
    }
    if RubyRich::of(&object.value()).is_some() {
        return Ok(implemented_by(Object::clone(given), keep(ruby, object)?));
    }
    // Only the class is known: the object returns its attributes itself.
    let definition = given.definition();
    let within = within.deeper(definition.layout().parameters.len())?;
    let value = |name: &Arc<str>| {
        let value: RubyValue = object.value().funcall(&**name, ()).map_err(|error| to_core(ruby, &error))?;
        value_of(ruby, subject(&value), within)
    };
    let values: Result<Vec<_>, _> = definition.layout().parameters.keys().map(value).collect();
    Ok(implemented_by(Object::new(Arc::clone(definition), &values?), keep(ruby, object)?))
}

/// Returns an iteration over the elements of a `Puppet::Pops::Types::Iterator`.
fn iteration(ruby: &Ruby, object: RubySubject<'_>, within: ConversionBudget<'_>) -> Result<Value, CoreError> {
    let raised = |error| to_core(ruby, &error);
    let element_type = object.iterated().into_owned();
    // There may be no end to it.
    let count = within.limits.elements.saturating_add(1);
    let elements: RArray = object.value().funcall("first", (count,)).map_err(raised)?;
    let elements = value_of(ruby, subject(&elements.as_value()), within)?;
    let has_pairs: bool = object.value().funcall("hash_style?", ()).map_err(raised)?;
    let source = if has_pairs {
        elements.elements().into_iter().flatten().filter_map(|entry| pair(&entry)).collect::<Hash>().into()
    } else {
        elements
    };
    Ok(Value::Iterator(Arc::new(Iteration::over(source, element_type))))
}

/// Returns the two elements of an array.
fn pair(value: &Value) -> Option<(Value, Value)> {
    let Value::Array(items) = value else { return None };
    let [key, value] = &**items else { return None };
    Some((key.clone(), value.clone()))
}

/// Returns an object that passes through the core unchanged.
fn by_reference(
    ruby: &Ruby,
    object: RubySubject<'_>,
    within: ConversionBudget<'_>,
) -> Result<Value, CoreError> {
    if let Some(symbol) = Symbol::from_value(object.value())
        && let Ok(name) = symbol.name()
    {
        return Ok(Value::symbol(&*name));
    }
    let ancestry = ancestry(object);
    let is_range = ancestry.iter().any(|class| &**class == "Range");
    let contents = if is_range { numbers(object.value()) } else { contents(ruby, object, within)? };
    Ok(Value::Runtime(Arc::new(RuntimeObject::new(keep(ruby, object)?, ancestry, contents))))
}

/// Returns the names of an object's class and of all that it descends from, nearest first.
fn ancestry(object: RubySubject<'_>) -> Arc<[Arc<str>]> {
    class_ancestry(object.value()).into_iter().map(Arc::from).collect()
}

/// Returns the elements or entries of an object whose class descends from Array or Hash.
fn contents(
    ruby: &Ruby,
    object: RubySubject<'_>,
    within: ConversionBudget<'_>,
) -> Result<Option<Value>, CoreError> {
    if let Some(hash) = RHash::from_value(object.value()) {
        let within = within.deeper(hash.len())?;
        return Ok(Some(hash_of(ruby, object, hash.len(), within)?.into()));
    }
    let Some(array) = RArray::from_value(object.value()) else { return Ok(None) };
    let within = within.deeper(array.len())?;
    let items: Result<Vec<_>, _> = object.elements().map(|element| value_of(ruby, element, within)).collect();
    Ok(Some(items?.into()))
}

/// Returns the type of the numbers in a Range, if it has any.
fn numbers(range: RubyValue) -> Option<Value> {
    let range = Range::from_value(range)?;
    let (min, max) = (range.beg::<i64>().ok()?, range.end::<i64>().ok()?);
    let max = if range.excl() { max.checked_sub(1)? } else { max };
    (min <= max).then(|| Type::Integer(IntegerRange { min: Some(min), max: Some(max) }).into())
}

fn hash_of(
    ruby: &Ruby,
    object: RubySubject<'_>,
    size: usize,
    within: ConversionBudget<'_>,
) -> Result<Hash, CoreError> {
    let mut hash = Hash::with_capacity(size);
    let failed = object.each_entry(|key, value| {
        let entry = value_of(ruby, key, within).and_then(|key| Ok((key, value_of(ruby, value, within)?)));
        match entry {
            Ok((key, value)) => {
                hash.insert(key, value);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(error),
        }
    });
    failed.break_value().map_or(Ok(hash), Err)
}

fn keep(ruby: &Ruby, object: RubySubject<'_>) -> Result<puppetfn::host::HostRef, CoreError> {
    host_table::keep(ruby, object.value()).map_err(|error| to_core(ruby, &error))
}

/// Returns the Ruby object of a core value. Objects that came from Ruby come back as the same object.
pub fn to_object(ruby: &Ruby, value: &Value) -> Result<RubyValue, Error> {
    to_object_once(ruby, value, &ConvertedObjects::default())
}

/// Objects of shared arrays and hashes, by address: each one is converted once. The addresses stay valid because the
/// values outlive the conversion. The garbage collector finds the objects in their containers.
#[derive(Default)]
pub struct ConvertedObjects {
    /// The first ones, which need no memory.
    few: RefCell<SmallVec<[(usize, RubyValue); 4]>>,
    many: RefCell<HashMap<usize, RubyValue>>,
}

impl ConvertedObjects {
    fn object(
        &self,
        value: &Value,
        is_shared: bool,
        convert: impl FnOnce() -> Result<RubyValue, Error>,
    ) -> Result<RubyValue, Error> {
        let Some(address) = value.address().filter(|_| is_shared) else { return convert() };
        if let Some(object) = self.known(address) {
            return Ok(object);
        }
        let object = convert()?;
        let mut few = self.few.borrow_mut();
        if few.len() < few.inline_size() {
            few.push((address, object));
        } else {
            self.many.borrow_mut().insert(address, object);
        }
        Ok(object)
    }

    fn known(&self, address: usize) -> Option<RubyValue> {
        let few = self.few.borrow();
        let first = few.iter().find(|(known, _)| *known == address).map(|(_, object)| *object);
        first.or_else(|| self.many.borrow().get(&address).copied())
    }
}

/// Returns the Ruby object of one of the values that are converted together.
pub fn to_object_once(ruby: &Ruby, value: &Value, converted: &ConvertedObjects) -> Result<RubyValue, Error> {
    Ok(match value {
        Value::Undef => ruby.qnil().as_value(),
        Value::Default => ruby.to_symbol("default").as_value(),
        Value::Boolean(truth) => truth.into_value_with(ruby),
        Value::Integer(number) => number.into_value_with(ruby),
        Value::Float(number) => number.into_value_with(ruby),
        Value::String(text) => {
            let string = raw::string(ruby, text);
            if FrozenText::is_marked(text) {
                string.freeze();
            }
            string
        }
        Value::Regexp(regex) => regexp(ruby, regex)?.as_value(),
        Value::Array(items) => converted.object(value, items.is_shared(), || {
            let array = array(ruby, items, converted)?;
            if items.is_frozen() {
                array.freeze();
            }
            Ok(array.as_value())
        })?,
        Value::Hash(hash) => match hash.host() {
            Some(host) => host_table::fetch(ruby, host)?,
            None => converted.object(value, Arc::strong_count(hash) > 1, || {
                Ok(hash_object(ruby, hash, converted)?.as_value())
            })?,
        },
        Value::Uri(uri) => parse_uri(ruby, &uri.to_string())?,
        Value::Type(t) => {
            if let Type::Resource(resource) = t.as_ref()
                && resource.is_given
            {
                return reference(ruby, resource);
            }
            wrap_type(ruby, t.as_ref().clone())
        }
        Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Binary(_)
        | Value::Timestamp(_)
        | Value::Timespan(_) => wrap_value(ruby, value.clone())?,
        Value::Object(object) => match implementation(object).and_then(Implementation::host) {
            Some(host) => host_table::fetch(ruby, host)?,
            None => wrap_value(ruby, value.clone())?,
        },
        Value::Sensitive(inner) => wrap_sensitive(ruby, to_object_once(ruby, inner, converted)?)?,
        Value::Iterator(iteration) => iterator(ruby, value, iteration)?,
        Value::Callable(callable) => match &callable.target {
            CallTarget::Host(host) => host_table::fetch(ruby, host)?,
            CallTarget::Closure(_) => {
                let message = "a lambda of Puppet code has no counterpart in Ruby";
                return Err(to_ruby(ruby, &CoreError::new(ErrorKind::Unrepresentable, message)));
            }
        },
        Value::Runtime(object) => runtime_object(ruby, object)?,
        Value::Unknown(t) => wrap_unknown(ruby, Arc::clone(t))?,
    })
}

/// Returns a new Hash of Ruby's.
fn hash_object(ruby: &Ruby, hash: &Hash, converted: &ConvertedObjects) -> Result<RHash, Error> {
    let object = ruby.hash_new();
    let convert = |value| to_object_once(ruby, value, converted);
    hash.iter().try_for_each(|(key, value)| object.aset(convert(key)?, convert(value)?))?;
    Ok(object)
}

/// Returns the core value of an object that Ruby reads again and again. A Hash is cached with its value, so that Ruby
/// gets the same object, as in Puppet, and no copy is made each time.
pub fn to_cached_value(ruby: &Ruby, object: RubyValue) -> Result<Value, Error> {
    let value = to_value(ruby, object)?;
    if let Value::Hash(hash) = &value
        && RHash::from_value(object).is_some()
    {
        hash.set_host(host_table::keep(ruby, object)?);
    }
    Ok(value)
}

/// Returns an integer of more than 64 bits.
fn large_integer(integer: RubyValue) -> Result<Value, CoreError> {
    match bignum_text(integer) {
        Some(digits) => integer_of_any_size(&digits, 10),
        None => Err(CoreError::new(
            ErrorKind::Unrepresentable,
            "the Integer has more than the 4,000 digits that are allowed",
        )),
    }
}

/// Returns an object that came from Ruby.
fn runtime_object(ruby: &Ruby, object: &RuntimeObject) -> Result<RubyValue, Error> {
    if let Some(number) = object.as_integer() {
        return ruby.str_new(&number.to_string()).funcall("to_i", ());
    }
    match (object.host(), object.as_symbol()) {
        (Some(host), _) => host_table::fetch(ruby, host),
        (None, Some(name)) => Ok(ruby.to_symbol(&**name).as_value()),
        (None, None) => match object.as_bytes() {
            Some(text) => {
                let encoding =
                    ruby.find_encoding(text.encoding()).unwrap_or_else(|| ruby.ascii8bit_encoding());
                Ok(ruby.enc_str_new(text.bytes(), encoding).as_value())
            }
            None => Ok(ruby.qnil().as_value()),
        },
    }
}

/// Returns Ruby's object for a reference to a resource.
pub fn reference(ruby: &Ruby, resource: &ResourceType) -> Result<RubyValue, Error> {
    let puppet: RModule = ruby.class_object().const_get::<_, RModule>("Puppetfn")?.const_get("Puppet")?;
    puppet
        .const_get::<_, RClass>("Resource")?
        .funcall("new", (resource.type_name.as_deref(), resource.title.as_deref()))
}

/// Number of elements added to an array at once.
const CHUNK: usize = 32;

fn array(ruby: &Ruby, items: &[Value], converted: &ConvertedObjects) -> Result<RArray, Error> {
    // On the machine stack, where Ruby's garbage collector finds them.
    let mut objects = [ruby.qnil().as_value(); CHUNK];
    if let Some(objects) = objects.get_mut(..items.len()) {
        for (object, item) in objects.iter_mut().zip(items) {
            *object = to_object_once(ruby, item, converted)?;
        }
        return Ok(ruby.ary_new_from_values(objects));
    }
    let array = ruby.ary_new_capa(items.len());
    for items in items.chunks(CHUNK) {
        for (object, item) in objects.iter_mut().zip(items) {
            *object = to_object_once(ruby, item, converted)?;
        }
        array.cat(objects.get(..items.len()).unwrap_or_default())?;
    }
    Ok(array)
}

/// Returns a `Puppet::Pops::Types::Iterator` over the elements of an iteration.
fn iterator(ruby: &Ruby, value: &Value, iteration: &Iteration) -> Result<RubyValue, Error> {
    let elements = ruby.ary_new();
    for element in value.elements().into_iter().flatten() {
        if elements.len() >= limits::current().elements {
            let error =
                exceeded("the iteration goes over more elements than a collection may have", "elements");
            return Err(to_ruby(ruby, &error));
        }
        elements.push(to_object(ruby, &element)?)?;
    }
    let names = ["Puppetfn", "Puppet", "Pops", "Types"];
    let mut types: RModule = ruby.class_object().const_get(names[0])?;
    for name in &names[1..] {
        types = types.const_get(*name)?;
    }
    let class: RClass = types.const_get("Iterator")?;
    let element_type = wrap_type(ruby, iteration.element_type().clone());
    class.new_instance((element_type, elements.funcall::<_, _, RubyValue>("each", ())?))
}

/// Returns a Ruby object of the class that the scheme has.
fn parse_uri(ruby: &Ruby, text: &str) -> Result<RubyValue, Error> {
    ruby.require("uri")?;
    ruby.class_object().const_get::<_, RModule>("URI")?.funcall("parse", (text,))
}

/// Returns a Ruby regular expression from the source that Puppet shows, options in a group included.
pub fn regexp(ruby: &Ruby, regex: &Regex) -> Result<RRegexp, Error> {
    ruby.reg_new(regex.source(), Default::default())
}
