//! `Puppetfn::Cty::Type`: a type of cty's.

use magnus::value::ReprValue;
use magnus::{Error, Module, Object, RArray, RHash, RModule, Ruby, TypedData, Value, function, method};
use puppetfn::cty::CtyType;
use puppetfn::cty::convert::{Conversion, Safety};
use puppetfn::limits::Depth;

use super::exception;
use crate::api::limits;
use crate::ruby::classes::define_class;
use crate::ruby::error::guarded;
use crate::ruby::hash_code::hash_code;
use crate::ruby::raw::{TypedClass, TypedRef};

/// A type of cty's as a Ruby object.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::Cty::Type", free_immediately, size)]
pub struct RubyCtyType(CtyType);

impl magnus::DataTypeFunctions for RubyCtyType {}

impl TypedRef for RubyCtyType {
    fn typed() -> &'static TypedClass<Self> {
        static TYPED: TypedClass<RubyCtyType> = TypedClass::new();
        &TYPED
    }
}

/// Returns the Ruby object of a type.
pub fn wrap(ruby: &Ruby, t: CtyType) -> Result<Value, Error> {
    t.check_depth(Depth::nesting(&limits::current())).map_err(|error| exception(ruby, &error))?;
    Ok(ruby.obj_wrap(RubyCtyType(t)).as_value())
}

/// Returns the type of a Ruby argument: a type object, or an argument of `Cty.type`.
pub fn type_argument(ruby: &Ruby, argument: Value) -> Result<CtyType, Error> {
    if let Some(t) = RubyCtyType::of(&argument) {
        return Ok(t.0.clone());
    }
    let cty = ruby.class_object().const_get::<_, RModule>("Puppetfn")?.const_get::<_, RModule>("Cty")?;
    let made: Value = cty.funcall("type", (argument,))?;
    Ok(RubyCtyType::receiver(&made)?.0.clone())
}

impl RubyCtyType {
    /// @yard
    /// @def parse(json)
    /// @param json [String] the type as cty serializes it, for example `["list","string"]`
    /// @return [Puppetfn::Cty::Type]
    /// @raise [Puppetfn::Cty::Error] when that is not a type
    fn parse(ruby: &Ruby, json: String) -> Result<Value, Error> {
        guarded(ruby, || wrap(ruby, CtyType::parse(&json).map_err(|error| exception(ruby, &error))?))
    }

    /// @yard
    /// @return [Symbol] `:string`, `:number`, `:bool`, `:dynamic`, `:list`, `:set`, `:map`, `:tuple`, `:object` or
    ///   `:capsule`
    fn kind(ruby: &Ruby, this: &Self) -> Value {
        let name = match this.0 {
            CtyType::Dynamic => "dynamic",
            CtyType::Bool => "bool",
            CtyType::Number => "number",
            CtyType::String => "string",
            CtyType::List(_) => "list",
            CtyType::Set(_) => "set",
            CtyType::Map(_) => "map",
            CtyType::Tuple(_) => "tuple",
            CtyType::Object(_) => "object",
            CtyType::Capsule(_) => "capsule",
        };
        ruby.to_symbol(name).as_value()
    }

    /// @yard
    /// @return [Puppetfn::Cty::Type, nil] the type of the elements of a list, set or map
    fn element_type(ruby: &Ruby, this: &Self) -> Result<Option<Value>, Error> {
        this.0.element_type().map(|t| wrap(ruby, t.clone())).transpose()
    }

    /// @yard
    /// @return [Array<Puppetfn::Cty::Type>, nil] the types of the elements of a tuple
    fn element_types(ruby: &Ruby, this: &Self) -> Result<Option<RArray>, Error> {
        let Some(elements) = this.0.tuple_elements() else { return Ok(None) };
        let types = ruby.ary_new_capa(elements.len());
        elements.iter().try_for_each(|t| types.push(wrap(ruby, t.clone())?))?;
        Ok(Some(types))
    }

    /// @yard
    /// @return [Hash{String=>Puppetfn::Cty::Type}, nil] the types of the attributes of an object
    fn attribute_types(ruby: &Ruby, this: &Self) -> Result<Option<RHash>, Error> {
        let Some(attributes) = this.0.attributes() else { return Ok(None) };
        let types = ruby.hash_new();
        attributes.iter().try_for_each(|(name, t)| types.aset(&**name, wrap(ruby, t.clone())?))?;
        Ok(Some(types))
    }

    /// @yard
    /// @return [Array<String>] the attributes of an object that a value that is converted to it need not have
    fn optional_attributes(this: &Self) -> Vec<String> {
        let CtyType::Object(object) = &this.0 else { return Vec::new() };
        object.optional().iter().map(ToString::to_string).collect()
    }

    /// @yard
    /// @return [Boolean] whether the type is or contains the dynamic type
    fn dynamic(&self) -> bool {
        self.0.has_dynamic()
    }

    /// @yard
    /// @def conforms?(other)
    /// @param other [Puppetfn::Cty::Type, String, Array]
    /// @return [Boolean] whether values of this type can be used where one of the other is expected
    fn conforms(ruby: &Ruby, this: &Self, other: Value) -> Result<bool, Error> {
        guarded(ruby, || Ok(this.0.nonconformance(&type_argument(ruby, other)?).is_none()))
    }

    /// @yard
    /// @def nonconformance(other)
    /// @param other [Puppetfn::Cty::Type, String, Array]
    /// @return [String, nil] the reason why values of this type do not conform to the other; nil if they do
    fn nonconformance(ruby: &Ruby, this: &Self, other: Value) -> Result<Option<String>, Error> {
        guarded(ruby, || Ok(this.0.nonconformance(&type_argument(ruby, other)?)))
    }

    /// @yard
    /// @def conversion_to(other)
    /// @param other [Puppetfn::Cty::Type, String, Array]
    /// @return [Symbol, nil] `:safe` where all values of this type can be converted to the other, `:unsafe` where some
    ///   may be
    fn conversion_to(ruby: &Ruby, this: &Self, other: Value) -> Result<Option<Value>, Error> {
        guarded(ruby, || {
            let other = type_argument(ruby, other)?;
            let possible = |safety| this.0 == other || Conversion::find(&this.0, &other, safety).is_some();
            let found = [(Safety::Safe, "safe"), (Safety::Unsafe, "unsafe")];
            let found = found.into_iter().find(|(safety, _)| possible(*safety));
            Ok(found.map(|(_, name)| ruby.to_symbol(name).as_value()))
        })
    }

    /// @yard
    /// @return [String] its name for people: `list of string`
    fn friendly_name(&self) -> String {
        self.0.friendly_name()
    }

    /// @yard
    /// @return [String] the JSON in which cty serializes it
    fn to_s(&self) -> String {
        self.0.to_string()
    }

    /// @yard
    /// @return [String]
    fn inspect(&self) -> String {
        format!("#<Puppetfn::Cty::Type {}>", self.0)
    }

    /// @yard
    /// @def ==(other)
    /// @return [Boolean] whether the other one is the same type
    fn equals(&self, other: Value) -> bool {
        Self::of(&other).is_some_and(|other| self.0 == other.0)
    }

    /// @yard
    /// @return [Integer] the same for the same types
    fn hash(&self) -> i64 {
        hash_code(&self.0.to_string())
    }
}

/// Defines the class.
pub fn init(ruby: &Ruby, cty: RModule) -> Result<(), Error> {
    let class = define_class::<RubyCtyType>(ruby, cty, "Type", ruby.class_object())?;
    RubyCtyType::typed().learn(ruby, RubyCtyType(CtyType::Dynamic));
    class.define_singleton_method("parse", function!(RubyCtyType::parse, 1))?;
    class.define_method("kind", method!(RubyCtyType::kind, 0))?;
    class.define_method("element_type", method!(RubyCtyType::element_type, 0))?;
    class.define_method("element_types", method!(RubyCtyType::element_types, 0))?;
    class.define_method("attribute_types", method!(RubyCtyType::attribute_types, 0))?;
    class.define_method("optional_attributes", method!(RubyCtyType::optional_attributes, 0))?;
    class.define_method("dynamic?", method!(RubyCtyType::dynamic, 0))?;
    class.define_method("conforms?", method!(RubyCtyType::conforms, 1))?;
    class.define_method("nonconformance", method!(RubyCtyType::nonconformance, 1))?;
    class.define_method("conversion_to", method!(RubyCtyType::conversion_to, 1))?;
    class.define_method("friendly_name", method!(RubyCtyType::friendly_name, 0))?;
    class.define_method("to_s", method!(RubyCtyType::to_s, 0))?;
    class.define_method("inspect", method!(RubyCtyType::inspect, 0))?;
    class.define_method("==", method!(RubyCtyType::equals, 1))?;
    class.define_method("eql?", method!(RubyCtyType::equals, 1))?;
    class.define_method("hash", method!(RubyCtyType::hash, 0))
}
