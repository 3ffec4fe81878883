//! `Puppetfn::Cty::Value`: a value of cty's.

use magnus::scan_args::scan_args;
use magnus::value::ReprValue;
use magnus::{Error, Module, RArray, RHash, RModule, Ruby, TypedData, Value, function, method};
use puppetfn::cty::convert::convert;
use puppetfn::cty::{CtyNumber, CtyType, CtyValue, DigitCount, ValueMarks};
use puppetfn::error::{Error as CoreError, ErrorKind};
use puppetfn::limits::Depth;

use super::convert::{from_cty, to_cty};
use super::exception;
use super::types::{self, type_argument};
use crate::api::limits;
use crate::ruby::classes::define_class;
use crate::ruby::error::guarded;
use crate::ruby::hash_code::hash_code;
use crate::ruby::raw::{TypedClass, TypedRef};

/// A value of cty's as a Ruby object.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::Cty::Value", free_immediately, size)]
pub struct RubyCtyValue(pub CtyValue);

impl magnus::DataTypeFunctions for RubyCtyValue {}

impl TypedRef for RubyCtyValue {
    fn typed() -> &'static TypedClass<Self> {
        static TYPED: TypedClass<RubyCtyValue> = TypedClass::new();
        &TYPED
    }
}

/// Returns the Ruby object of a value, unless it nests too deep.
pub fn wrap(ruby: &Ruby, value: CtyValue) -> Result<Value, Error> {
    let depth = Depth::nesting(&limits::current());
    value.ty().check_depth(depth).map_err(|error| exception(ruby, &error))?;
    Ok(ruby.obj_wrap(RubyCtyValue(value)).as_value())
}

/// Returns the outcome of an operation of the core.
fn answer<T>(ruby: &Ruby, result: Result<T, CoreError>) -> Result<T, Error> {
    result.map_err(|error| exception(ruby, &error))
}

/// @yard
/// @def value(object, type = nil)
/// @example
///   port = Puppetfn::Cty.value("80", "number")
///   port.to_ruby  # => 80
/// @param object [Object] arrays become tuples, hashes objects, Sets sets; a value of cty's stays as it is
/// @param type [Puppetfn::Cty::Type, String, Array, nil] the type that the value is converted to
/// @return [Puppetfn::Cty::Value]
/// @raise [Puppetfn::Cty::Error] when it cannot be converted
/// @raise [Puppetfn::ValueError] when cty has no such values
fn new(ruby: &Ruby, args: &[Value]) -> Result<Value, Error> {
    guarded(ruby, || {
        let args = scan_args::<(Value,), (Option<Value>,), (), (), (), ()>(args)?;
        let value = to_cty(ruby, args.required.0)?;
        match args.optional.0.filter(|t| !t.is_nil()) {
            None => wrap(ruby, value),
            Some(t) => wrap(ruby, answer(ruby, convert(&value, &type_argument(ruby, t)?))?),
        }
    })
}

/// Returns the type of an optional argument.
fn optional_type(ruby: &Ruby, args: &[Value]) -> Result<CtyType, Error> {
    let args = scan_args::<(), (Option<Value>,), (), (), (), ()>(args)?;
    args.optional.0.map_or(Ok(CtyType::Dynamic), |t| type_argument(ruby, t))
}

/// @yard
/// @def unknown(type = "dynamic")
/// @param type [Puppetfn::Cty::Type, String, Array]
/// @return [Puppetfn::Cty::Value] an unknown value of this type
fn unknown(ruby: &Ruby, args: &[Value]) -> Result<Value, Error> {
    guarded(ruby, || wrap(ruby, CtyValue::unknown(optional_type(ruby, args)?)))
}

/// @yard
/// @def null(type = "dynamic")
/// @param type [Puppetfn::Cty::Type, String, Array]
/// @return [Puppetfn::Cty::Value] no value, of this type
fn null(ruby: &Ruby, args: &[Value]) -> Result<Value, Error> {
    guarded(ruby, || wrap(ruby, CtyValue::null(optional_type(ruby, args)?)))
}

/// @yard
/// @def number(text, precision: 512)
/// @param text [String] a number in decimal digits, for example `0.1` or `1e100`
/// @param precision [Integer] how many bits are kept of it
/// @return [Puppetfn::Cty::Value]
/// @raise [Puppetfn::Cty::Error] when it is not a number
fn number(ruby: &Ruby, args: &[Value]) -> Result<Value, Error> {
    guarded(ruby, || {
        let args = scan_args::<(String,), (), (), (), RHash, ()>(args)?;
        let names = ["precision"];
        let keywords =
            magnus::scan_args::get_kwargs::<_, (), (Option<u32>,), ()>(args.keywords, &[], &names)?;
        let text = args.required.0;
        let number = CtyNumber::parse(&text).ok_or_else(|| {
            let shown = if text.len() <= 80 { format!("{text:?}") } else { "the text".to_owned() };
            CoreError::new(ErrorKind::Conversion, format!("{shown} is not a number in decimal digits"))
        });
        let number = answer(ruby, number)?;
        let precision = keywords.optional.0;
        wrap(
            ruby,
            CtyValue::number(precision.map_or_else(|| number.clone(), |bits| number.with_precision(bits))),
        )
    })
}

impl RubyCtyValue {
    /// @yard
    /// @return [Puppetfn::Cty::Type] its type
    fn ruby_type(ruby: &Ruby, this: &Self) -> Result<Value, Error> {
        types::wrap(ruby, this.0.ty().clone())
    }

    /// @yard
    /// @return [Boolean] whether the value is known; parts of it may still be unknown
    fn known(&self) -> bool {
        self.0.is_known()
    }

    /// @yard
    /// @return [Boolean] whether the value is known with all its parts
    fn wholly_known(&self) -> bool {
        self.0.is_wholly_known()
    }

    /// @yard
    /// @return [Boolean] whether the value is null
    fn null(&self) -> bool {
        self.0.is_null()
    }

    /// @yard
    /// @return [Boolean] whether the value itself is marked
    fn marked(&self) -> bool {
        self.0.is_marked()
    }

    /// @yard
    /// @return [Boolean] whether the value is marked, or anything in it
    fn contains_marked(&self) -> bool {
        self.0.contains_marked()
    }

    /// @yard
    /// @return [Array<String>] the marks of the value itself, sorted
    fn marks(&self) -> Vec<String> {
        names(&self.0.marks())
    }

    /// @yard
    /// @def mark(*marks)
    /// @param marks [Array<String>]
    /// @return [Puppetfn::Cty::Value] the value with more marks
    fn mark(ruby: &Ruby, this: &Self, args: &[Value]) -> Result<Value, Error> {
        guarded(ruby, || {
            let marks = args.iter().map(|mark| mark.to_r_string()?.to_string());
            let marks = marks.collect::<Result<ValueMarks, _>>()?;
            wrap(ruby, this.0.with_marks(&marks))
        })
    }

    /// @yard
    /// @return [Array(Puppetfn::Cty::Value, Array<String>)] the value without its own marks, and these
    fn unmark(ruby: &Ruby, this: &Self) -> Result<(Value, Vec<String>), Error> {
        let (value, marks) = this.0.unmark();
        Ok((wrap(ruby, value)?, names(&marks)))
    }

    /// @yard
    /// @return [Array(Puppetfn::Cty::Value, Array<String>)] the value without any marks, also within, and all of them
    fn unmark_deep(ruby: &Ruby, this: &Self) -> Result<(Value, Vec<String>), Error> {
        let (value, marks) = this.0.unmark_deep();
        Ok((wrap(ruby, value)?, names(&marks)))
    }

    /// @yard
    /// @def [](key)
    /// @param key [Object] an index, the key of a map, or the name of an object's attribute
    /// @return [Puppetfn::Cty::Value] the part with this key; unknown if the value or the key is
    /// @raise [Puppetfn::Cty::Error] when there is none
    fn part(ruby: &Ruby, this: &Self, key: Value) -> Result<Value, Error> {
        guarded(ruby, || {
            let key = to_cty(ruby, key)?;
            let found = if this.0.ty().attributes().is_some() {
                key.as_string().and_then(|name| this.0.attribute(name))
            } else {
                this.0.index(&key)
            };
            wrap(ruby, answer(ruby, found)?)
        })
    }

    /// @yard
    /// @return [Integer] the number of elements or attributes
    /// @raise [Puppetfn::Cty::Error] when it has none, or is not known
    fn length(ruby: &Ruby, this: &Self) -> Result<usize, Error> {
        answer(ruby, this.0.element_count())
    }

    /// @yard
    /// @return [Array<Puppetfn::Cty::Value>] its elements; maps and objects are sorted by their keys
    /// @raise [Puppetfn::Cty::Error] when it has none, or is null, not known or marked
    fn to_a(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        let array = ruby.ary_new();
        answer(ruby, this.0.values())?.into_iter().try_for_each(|part| array.push(wrap(ruby, part)?))?;
        Ok(array)
    }

    /// @yard
    /// @return [Hash{String=>Puppetfn::Cty::Value}] the entries of a map, or the attributes of an object
    /// @raise [Puppetfn::Cty::Error] when it is neither, or is null, not known or marked
    fn to_h(ruby: &Ruby, this: &Self) -> Result<RHash, Error> {
        let hash = ruby.hash_new();
        let entries = answer(ruby, this.0.entries())?;
        entries.into_iter().try_for_each(|(key, part)| hash.aset(&*key, wrap(ruby, part)?))?;
        Ok(hash)
    }

    /// @yard
    /// @return [Object] the Ruby object: sets are Sets, whole numbers Integers of any size, others the nearest Float;
    ///   values marked with `sensitive` are Sensitive, and unknown values {Puppetfn::Unknown}
    /// @raise [Puppetfn::Cty::Error] when something has another mark
    fn to_ruby(ruby: &Ruby, this: &Self) -> Result<Value, Error> {
        guarded(ruby, || from_cty(ruby, &this.0))
    }

    /// @yard
    /// @def convert(type)
    /// @param type [Puppetfn::Cty::Type, String, Array]
    /// @return [Puppetfn::Cty::Value] the value as one of this type
    /// @raise [Puppetfn::Cty::Error] when it cannot be converted
    fn convert(ruby: &Ruby, this: &Self, t: Value) -> Result<Value, Error> {
        guarded(ruby, || wrap(ruby, answer(ruby, convert(&this.0, &type_argument(ruby, t)?))?))
    }

    /// @yard
    /// @return [Integer] how many bits of a number are kept by operations with it
    /// @raise [Puppetfn::Cty::Error] when it is not a number that is known
    fn precision(ruby: &Ruby, this: &Self) -> Result<u32, Error> {
        Ok(answer(ruby, this.0.as_number())?.precision())
    }

    /// @yard
    /// @return [String] the text of a string, the shortest digits of a number that no other of its precision has,
    ///   `true` or `false`
    /// @raise [Puppetfn::Cty::Error] when it is not one of these, or null, not known or marked
    fn to_s(ruby: &Ruby, this: &Self) -> Result<String, Error> {
        let value = &this.0;
        let text = if *value.ty() == CtyType::Number {
            value.as_number().and_then(|number| number.to_general(DigitCount::Shortest))
        } else if *value.ty() == CtyType::Bool {
            value.as_bool().map(|truth| truth.to_string())
        } else {
            value.as_string().map(ToString::to_string)
        };
        answer(ruby, text)
    }

    /// @yard
    /// @return [String] a description without the marked parts
    fn inspect(&self) -> String {
        format!("#<Puppetfn::Cty::Value {:?}>", self.0)
    }

    /// @yard
    /// @def ==(other)
    /// @return [Boolean] whether the other value is identical: type, marks, and known and unknown parts
    fn equals(ruby: &Ruby, this: &Self, other: Value) -> Result<bool, Error> {
        guarded(ruby, || match Self::of(&other) {
            Some(other) => answer(ruby, this.0.is_same(&other.0)),
            None => Ok(false),
        })
    }

    /// @yard
    /// @return [Integer] the same for the same values
    fn hash(&self) -> i64 {
        hash_code(&self.0)
    }
}

fn names(marks: &ValueMarks) -> Vec<String> {
    marks.iter().map(str::to_owned).collect()
}

/// Defines the class, and the functions that create values.
pub fn init(ruby: &Ruby, cty: RModule) -> Result<(), Error> {
    cty.define_module_function("value", function!(new, -1))?;
    cty.define_module_function("unknown", function!(unknown, -1))?;
    cty.define_module_function("null", function!(null, -1))?;
    cty.define_module_function("number", function!(number, -1))?;
    let class = define_class::<RubyCtyValue>(ruby, cty, "Value", ruby.class_object())?;
    RubyCtyValue::typed().learn(ruby, RubyCtyValue(CtyValue::DYNAMIC));
    class.define_method("type", method!(RubyCtyValue::ruby_type, 0))?;
    class.define_method("known?", method!(RubyCtyValue::known, 0))?;
    class.define_method("wholly_known?", method!(RubyCtyValue::wholly_known, 0))?;
    class.define_method("null?", method!(RubyCtyValue::null, 0))?;
    class.define_method("marked?", method!(RubyCtyValue::marked, 0))?;
    class.define_method("contains_marked?", method!(RubyCtyValue::contains_marked, 0))?;
    class.define_method("marks", method!(RubyCtyValue::marks, 0))?;
    class.define_method("mark", method!(RubyCtyValue::mark, -1))?;
    class.define_method("unmark", method!(RubyCtyValue::unmark, 0))?;
    class.define_method("unmark_deep", method!(RubyCtyValue::unmark_deep, 0))?;
    class.define_method("[]", method!(RubyCtyValue::part, 1))?;
    class.define_method("length", method!(RubyCtyValue::length, 0))?;
    class.define_method("to_a", method!(RubyCtyValue::to_a, 0))?;
    class.define_method("to_h", method!(RubyCtyValue::to_h, 0))?;
    class.define_method("to_ruby", method!(RubyCtyValue::to_ruby, 0))?;
    class.define_method("convert", method!(RubyCtyValue::convert, 1))?;
    class.define_method("precision", method!(RubyCtyValue::precision, 0))?;
    class.define_method("to_s", method!(RubyCtyValue::to_s, 0))?;
    class.define_method("inspect", method!(RubyCtyValue::inspect, 0))?;
    class.define_method("==", method!(RubyCtyValue::equals, 1))?;
    class.define_method("eql?", method!(RubyCtyValue::equals, 1))?;
    class.define_method("hash", method!(RubyCtyValue::hash, 0))
}
