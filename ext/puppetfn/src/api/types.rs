//! `Puppetfn::Type`: a Puppet type.

use magnus::scan_args::scan_args;
use magnus::value::ReprValue;
use magnus::{Error, Integer, Module, Object, RArray, RModule, Ruby, Value, function, method};
use puppetfn::convert::create::{create, defined_by_features};
use puppetfn::subject::{Shape, Subject, Verdict};
use puppetfn::types::Type;
use puppetfn::types::ops::callable_with;
use puppetfn::types::ops::instance;
use puppetfn::types::ops::{infer, infer_set};
use puppetfn::value::Value as CoreValue;

use super::loader::TypeParser;
use super::native_function::{CalledFrom, RubyHost};
use super::{limits, messages};
use crate::ruby::classes::define_class;
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::error::{guarded, to_ruby};
use crate::ruby::hash_code::hash_code;
use crate::ruby::raw::{TypedRef, subject, subject_slice, with_elements};
use crate::ruby::symbols;
pub use crate::ruby::wrap::wrap_type as wrap;
use crate::ruby::wrapped::RubyType;

/// Returns the type of a Ruby argument: a type object, or the text of one.
pub fn type_argument(ruby: &Ruby, argument: Value, loader: Value) -> Result<Type, Error> {
    if let Some(t) = RubyType::of(&argument) {
        return Ok(t.0.clone());
    }
    parse_text(ruby, argument, loader)
}

fn parse_text(ruby: &Ruby, text: Value, loader: Value) -> Result<Type, Error> {
    let parser = TypeParser::new(ruby, &loader)?;
    // The text is read in place: parsing runs no Ruby code.
    let parsed = match subject(&text).shape() {
        Ok(Shape::String(text)) => parser.parse(text),
        Ok(_) => {
            let class = text.class();
            let message = format!("expected a Puppetfn::Type or the text of one, got {class}");
            return Err(Error::new(ruby.exception_type_error(), message));
        }
        Err(error) => Err(error),
    };
    parsed.map_err(|error| to_ruby(ruby, &error))
}

impl RubyType {
    /// @yard
    /// @def parse(string, loader = nil)
    /// Parses a type.
    /// @example
    ///   Puppetfn::Type.parse("Array[Integer[0], 1]").to_s   # => "Array[Integer[0], 1]"
    /// @param string [String] for example `Array[Integer[0], 1]`
    /// @param loader [Puppetfn::Loader, nil] finds type aliases
    /// @return [Puppetfn::Type]
    /// @raise [Puppet::ParseError] when the text is not a type
    fn parse(ruby: &Ruby, args: &[Value]) -> Result<Value, Error> {
        guarded(ruby, || {
            let (text, loader) = match *args {
                [text] => (text, ruby.qnil().as_value()),
                [text, loader] => (text, loader),
                _ => {
                    let message = format!("wrong number of arguments (given {}, expected 1..2)", args.len());
                    return Err(Error::new(ruby.exception_arg_error(), message));
                }
            };
            Ok(wrap(ruby, parse_text(ruby, text, loader)?))
        })
    }

    /// @yard
    /// @def infer(value)
    /// @example
    ///   Puppetfn::Type.infer({"a" => 1}).to_s  # => "Hash[String, Integer[1, 1], 1, 1]"
    /// @return [Puppetfn::Type] the type of a value: the common one of its elements for collections
    fn infer(ruby: &Ruby, value: Value) -> Result<Value, Error> {
        guarded(ruby, || {
            let t = infer(subject(&value), &limits::current()).map_err(|error| to_ruby(ruby, &error))?;
            Ok(wrap(ruby, t))
        })
    }

    /// @yard
    /// @def infer_set(value)
    /// @return [Puppetfn::Type] the detailed type of a value
    fn infer_set(ruby: &Ruby, value: Value) -> Result<Value, Error> {
        guarded(ruby, || {
            let t = infer_set(subject(&value), &limits::current()).map_err(|error| to_ruby(ruby, &error))?;
            Ok(wrap(ruby, t))
        })
    }

    /// @yard
    /// @def common(first, second)
    /// @return [Puppetfn::Type] the most specific type that has all values of both
    fn common(ruby: &Ruby, first: &Self, second: &Self) -> Value {
        wrap(ruby, first.0.common(&second.0))
    }

    /// @yard
    /// @def instance?(value)
    /// @example
    ///   port = Puppetfn::Type.parse("Integer[1, 65535]")
    ///   port.instance?(8080)    # => true
    ///   port.instance?("8080")  # => false
    /// @return [Boolean] whether the value is of this type
    fn is_instance(ruby: &Ruby, this: Value, value: Value) -> Result<bool, Error> {
        guarded(ruby, || Self::receiver(&this)?.accepts_value(ruby, value))
    }

    fn accepts_value(&self, ruby: &Ruby, value: Value) -> Result<bool, Error> {
        match instance(&self.0, subject(&value), &limits::current()) {
            Ok(verdict) => Ok(verdict == Verdict::Yes),
            // A type that rejects the nearest representable Integer rejects a larger one, too.
            Err(error) => {
                match nearest_integer(value).map(|near| instance(&self.0, &near, &limits::current())) {
                    Some(Ok(Verdict::No)) => Ok(false),
                    _ => Err(to_ruby(ruby, &error)),
                }
            }
        }
    }

    /// @yard
    /// @def assignable?(type)
    /// @example
    ///   Puppetfn::Type.parse("Scalar").assignable?(Puppetfn::Type.parse("Integer[1]"))  # => true
    /// @return [Boolean] whether every value of the other type is of this type
    fn is_assignable(ruby: &Ruby, this: &Self, other: Value) -> Result<bool, Error> {
        guarded(ruby, || Ok(this.0.assignable(&type_argument(ruby, other, ruby.qnil().as_value())?)))
    }

    /// @yard
    /// @def callable_with?(args, block = nil)
    /// @example
    ///   type = Puppetfn::Type.parse("Callable[String, Integer]")
    ///   type.callable_with?(["a", 1])  # => true
    /// @param args [Array<Object>]
    /// @param block [Proc, nil]
    /// @return [Boolean] whether a function of this Callable type accepts the arguments
    fn is_callable_with(ruby: &Ruby, this: &Self, args: &[Value]) -> Result<bool, Error> {
        guarded(ruby, || {
            let scanned = scan_args::<(RArray,), (Option<Value>,), (), (), (), ()>(args)?;
            let block = scanned.optional.0.filter(|block| !block.is_nil());
            Self::accepts(ruby, &this.0, scanned.required.0, block)
        })
    }

    /// Returns true if a callable type, or one of several, accepts the arguments.
    pub fn accepts(ruby: &Ruby, t: &Type, args: RArray, block: Option<Value>) -> Result<bool, Error> {
        if let Type::Callable(callable) = t {
            let block = block.as_ref().map(subject);
            let verdict = with_elements(args, |args| {
                callable_with(callable, subject_slice(args), block, &limits::current())
            });
            Ok(verdict.map_err(|error| to_ruby(ruby, &error))? == Verdict::Yes)
        } else if let Type::Variant(types) = t {
            for t in types.iter() {
                if Self::accepts(ruby, t, args, block)? {
                    return Ok(true);
                }
            }
            Ok(false)
        } else if let Type::Optional(Some(inner)) = t {
            Self::accepts(ruby, inner, args, block)
        } else {
            Ok(false)
        }
    }

    /// @yard
    /// @def assert(name, value)
    /// @example
    ///   Puppetfn::Type.parse("Integer").assert("the port", 80)  # => 80
    ///   Puppetfn::Type.parse("Integer").assert("the port", "80")
    ///   # Puppet::Pops::Types::TypeAssertionError: the port has wrong type, expects an Integer value, got String
    /// @param name [String] the name of the value in the error
    /// @return [Object] the value
    /// @raise [Puppet::Pops::Types::TypeAssertionError] when it is not of this type
    fn assert(ruby: &Ruby, this: &Self, name: String, value: Value) -> Result<Value, Error> {
        guarded(ruby, || {
            if this.accepts_value(ruby, value)? {
                return Ok(value);
            }
            let actual =
                infer_set(subject(&value), &limits::current()).map_err(|error| to_ruby(ruby, &error))?;
            let error = to_ruby(ruby, &messages::current().assertion_error(&name, &this.0, actual));
            Err(symbols::advised(error, ruby.exception_standard_error()))
        })
    }

    /// @yard
    /// @def new(*args)
    /// Creates a value of this type from the arguments, as `new` does in the Puppet language. A value that is of this
    /// type already is returned unchanged. An object of a type that is defined by its features is created from a hash,
    /// and the block can set it before it is complete.
    /// @yieldparam value [Object] the value; the block returns the result that replaces it
    /// @return [Object]
    /// @raise [ArgumentError] when the type does not accept the arguments
    /// @raise [Puppet::Pops::Types::TypeConversionError] when they cannot be converted
    /// @raise [Puppet::Pops::Types::TypeAssertionError] when the converted value is not of this type
    fn create(ruby: &Ruby, this: Value, args: &[Value]) -> Result<Value, Error> {
        let t = &Self::receiver(&this)?.0;
        if defined_by_features(t).is_some() {
            let args = ruby.ary_new_from_values(args);
            return match ruby.block_given() {
                true => this.funcall_with_block("make_object", (args,), ruby.block_proc()?),
                false => this.funcall("make_object", (args,)),
            };
        }
        let value = guarded(ruby, || {
            let args: Vec<_> = args.iter().map(|arg| to_value(ruby, *arg)).collect::<Result<_, _>>()?;
            let value = RubyHost::run(ruby, CalledFrom::None, |host| create(t, &args, host))?;
            to_object(ruby, &value)
        })?;
        if ruby.block_given() { ruby.yield_value(value) } else { Ok(value) }
    }

    /// @yard
    /// @def features?
    /// @return [Boolean] whether the type is defined by its features, as `type User { attr name, String }`
    fn has_features(this: &Self) -> bool {
        defined_by_features(&this.0).is_some()
    }

    /// @yard
    /// @def unknown_name
    /// @api private
    /// @return [String, nil] the first name in its text that no type has
    fn unknown_name(this: &Self) -> Option<String> {
        let written = this.0.unknown_name()?;
        Some(written.split('[').next().unwrap_or_default().to_owned())
    }

    /// @yard
    /// @def describe_mismatch(name, actual)
    /// @example
    ///   actual = Puppetfn::Type.parse("String")
    ///   Puppetfn::Type.parse("Integer").describe_mismatch("count", actual)  # => "count expects an Integer value, got String"
    /// @return [String] why a value of type `actual` is not of this type
    fn describe(this: &Self, name: String, actual: &Self) -> String {
        messages::current().describe(&name, &this.0, &actual.0)
    }

    /// @yard
    /// @def generalize
    /// @example
    ///   Puppetfn::Type.parse("Integer[1, 5]").generalize.to_s  # => "Integer"
    /// @return [Puppetfn::Type] the type without its specifics: sizes, ranges, values
    fn generalize(ruby: &Ruby, this: &Self) -> Value {
        wrap(ruby, this.0.generalize())
    }

    /// @yard
    /// @def normalize
    /// @example
    ///   Puppetfn::Type.parse("Variant[Integer[1, 3], Integer[4, 6]]").normalize.to_s  # => "Integer[1, 6]"
    /// @return [Puppetfn::Type] the simplest type that has the same values
    fn normalize(ruby: &Ruby, this: &Self) -> Value {
        wrap(ruby, this.0.normalize())
    }

    /// @yard
    /// @def name
    /// @return [String] the name of an alias, otherwise the type's name without parameters
    fn name(this: &Self) -> String {
        this.0.name().to_string()
    }

    /// @yard
    /// @def simple_name
    /// @return [String] the type's name without parameters
    fn simple_name(this: &Self) -> &'static str {
        this.0.simple_name()
    }

    /// @yard
    /// @def kind_of_callable?(optional = true)
    /// @return [Boolean] whether this is a Callable, a Variant of Callables, or an Optional one
    fn is_kind_of_callable(this: &Self, args: &[Value]) -> Result<bool, Error> {
        let args = scan_args::<(), (Option<bool>,), (), (), (), ()>(args)?;
        Ok(this.0.is_callable_kind(args.optional.0.unwrap_or(true)))
    }

    /// Returns the text; an alias's includes its definition.
    fn to_s(this: &Self) -> String {
        this.0.ruby_to_s()
    }

    /// @yard
    /// @return [String] the text, with the definition of each alias after its name
    fn to_alias_expanded_s(this: &Self) -> String {
        this.0.to_expanded_string()
    }

    /// @yard
    /// @return [String]
    fn inspect(this: &Self) -> String {
        format!("#<Puppetfn::Type {}>", this.0)
    }

    fn equals(this: &Self, other: Value) -> bool {
        Self::of(&other).is_some_and(|other| this.0 == other.0)
    }

    fn hash(this: &Self) -> i64 {
        hash_code(&this.0)
    }
}

/// Returns the Integer of Puppet's that is nearest to one of Ruby's which is beyond their range.
fn nearest_integer(value: Value) -> Option<CoreValue> {
    let integer = Integer::from_value(value)?;
    if integer.to_i64().is_ok() {
        return None;
    }
    let is_negative: bool = integer.funcall("negative?", ()).ok()?;
    Some(CoreValue::Integer(if is_negative { i64::MIN } else { i64::MAX }))
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = define_class::<RubyType>(ruby, puppetfn, "Type", ruby.class_object())?;
    class.define_singleton_method("parse", function!(RubyType::parse, -1))?;
    class.define_singleton_method("infer", function!(RubyType::infer, 1))?;
    class.define_singleton_method("infer_set", function!(RubyType::infer_set, 1))?;
    class.define_singleton_method("common", function!(RubyType::common, 2))?;
    class.define_method("instance?", method!(RubyType::is_instance, 1))?;
    class.define_method("===", method!(RubyType::is_instance, 1))?;
    class.define_method("assignable?", method!(RubyType::is_assignable, 1))?;
    class.define_method("callable_with?", method!(RubyType::is_callable_with, -1))?;
    class.define_method("assert", method!(RubyType::assert, 2))?;
    class.define_method("new", method!(RubyType::create, -1))?;
    class.define_method("create", method!(RubyType::create, -1))?;
    class.define_method("features?", method!(RubyType::has_features, 0))?;
    class.define_method("unknown_name", method!(RubyType::unknown_name, 0))?;
    class.define_method("describe_mismatch", method!(RubyType::describe, 2))?;
    class.define_method("generalize", method!(RubyType::generalize, 0))?;
    class.define_method("normalize", method!(RubyType::normalize, 0))?;
    class.define_method("name", method!(RubyType::name, 0))?;
    class.define_method("simple_name", method!(RubyType::simple_name, 0))?;
    class.define_method("kind_of_callable?", method!(RubyType::is_kind_of_callable, -1))?;
    class.define_method("to_s", method!(RubyType::to_s, 0))?;
    class.define_method("to_alias_expanded_s", method!(RubyType::to_alias_expanded_s, 0))?;
    class.define_method("inspect", method!(RubyType::inspect, 0))?;
    class.define_method("==", method!(RubyType::equals, 1))?;
    class.define_method("eql?", method!(RubyType::equals, 1))?;
    class.define_method("hash", method!(RubyType::hash, 0))?;
    RubyType::typed().learn(ruby, RubyType(Type::Any));
    Ok(())
}
