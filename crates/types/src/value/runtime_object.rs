//! Objects of the host's classes.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use num_bigint::BigInt;

use super::types::Type;
use super::{ByteText, Value};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::host::{HostRef, objects};

/// An object of one of the host's classes, opaque to Puppet's types. It is a `Runtime` value.
#[derive(Debug)]
pub struct RuntimeObject {
    object: HostObject,
    /// The names of its class and of all that the class descends from, nearest first.
    ancestry: Arc<[Arc<str>]>,
    /// Elements or entries of an object whose class descends from Ruby's Array or Hash, which operators and
    /// iterations of Puppet use, and type checks do not; the type of the numbers in a Range, which is only iterated over.
    contents: Option<Value>,
    /// The type of its objects, if it is a class or module of Ruby.
    objects: Option<Arc<Type>>,
}

/// Representation of a host object in the core.
#[derive(Debug)]
enum HostObject {
    /// A Symbol of Ruby's: it is its name.
    Symbol(Arc<str>),
    /// A String that is not UTF-8.
    Bytes(ByteText),
    /// An Integer of more than 64 bits.
    Integer(BigInt),
    /// Any other object.
    Handle(HostRef),
}

/// The ancestry of Symbols.
static SYMBOL_ANCESTRY: LazyLock<Arc<[Arc<str>]>> =
    LazyLock::new(|| ["Symbol", "Comparable", "Object", "Kernel", "BasicObject"].map(Arc::from).into());

/// The ancestry of Strings.
static STRING_ANCESTRY: LazyLock<Arc<[Arc<str>]>> =
    LazyLock::new(|| ["String", "Comparable", "Object", "Kernel", "BasicObject"].map(Arc::from).into());

/// The ancestry of Integers.
static INTEGER_ANCESTRY: LazyLock<Arc<[Arc<str>]>> = LazyLock::new(|| {
    ["Integer", "Numeric", "Comparable", "Object", "Kernel", "BasicObject"].map(Arc::from).into()
});

impl RuntimeObject {
    /// Creates an object that the host holds.
    pub fn new(host: HostRef, ancestry: Arc<[Arc<str>]>, contents: Option<Value>) -> Self {
        Self { object: HostObject::Handle(host), ancestry, contents, objects: None }
    }

    /// Creates a class or module of Ruby, whose objects are of a type.
    pub fn module(host: HostRef, ancestry: Arc<[Arc<str>]>, objects: Type) -> Self {
        Self { objects: Some(Arc::new(objects)), ..Self::new(host, ancestry, None) }
    }

    /// Creates a Symbol.
    pub fn symbol(name: impl Into<Arc<str>>) -> Self {
        let object = HostObject::Symbol(name.into());
        Self { object, ancestry: Arc::clone(&SYMBOL_ANCESTRY), contents: None, objects: None }
    }

    /// Creates a String that is not UTF-8.
    pub fn bytes(text: ByteText) -> Self {
        Self {
            object: HostObject::Bytes(text),
            ancestry: Arc::clone(&STRING_ANCESTRY),
            contents: None,
            objects: None,
        }
    }

    /// Creates an Integer of more than 64 bits.
    fn integer(number: BigInt) -> Self {
        let object = HostObject::Integer(number);
        Self { object, ancestry: Arc::clone(&INTEGER_ANCESTRY), contents: None, objects: None }
    }

    /// Returns the name of a Symbol.
    pub fn as_symbol(&self) -> Option<&Arc<str>> {
        match &self.object {
            HostObject::Symbol(name) => Some(name),
            HostObject::Bytes(_) | HostObject::Integer(_) | HostObject::Handle(_) => None,
        }
    }

    /// Returns a String that is not UTF-8.
    #[inline]
    pub fn as_bytes(&self) -> Option<&ByteText> {
        match &self.object {
            HostObject::Bytes(text) => Some(text),
            HostObject::Symbol(_) | HostObject::Integer(_) | HostObject::Handle(_) => None,
        }
    }

    /// Returns an Integer of more than 64 bits.
    pub fn as_integer(&self) -> Option<&BigInt> {
        match &self.object {
            HostObject::Integer(number) => Some(number),
            HostObject::Symbol(_) | HostObject::Bytes(_) | HostObject::Handle(_) => None,
        }
    }

    /// Returns the handle of an object that the host holds.
    pub fn host(&self) -> Option<&HostRef> {
        match &self.object {
            HostObject::Symbol(_) | HostObject::Bytes(_) | HostObject::Integer(_) => None,
            HostObject::Handle(host) => Some(host),
        }
    }

    /// Returns the names of its class and of all that the class descends from, nearest first.
    pub fn ancestry(&self) -> &[Arc<str>] {
        &self.ancestry
    }

    /// Returns the name of its class.
    pub fn class_name(&self) -> &str {
        self.ancestry.first().map_or("Object", |name| name)
    }

    /// Returns the Array or Hash that it is to operators.
    pub fn contents(&self) -> Option<&Value> {
        self.contents.as_ref().filter(|contents| contents.is_collection())
    }

    /// Returns the value whose elements come from iterating over it.
    pub fn iterated(&self) -> Option<&Value> {
        self.contents.as_ref()
    }

    /// Returns the type of its objects, if it is a class or module of Ruby. To checks of types it is that type.
    pub fn type_of_objects(&self) -> Option<&Type> {
        self.objects.as_deref()
    }

    /// Returns the text that its method `to_s` returns.
    ///
    /// # Errors
    /// An exception that the method raises.
    pub fn to_s(&self) -> Result<Cow<'_, str>, Error> {
        match &self.object {
            HostObject::Symbol(name) => Ok(Cow::Borrowed(name)),
            HostObject::Bytes(text) => Err(text.not_text()),
            HostObject::Integer(number) => Ok(Cow::Owned(number.to_string())),
            HostObject::Handle(host) => match objects() {
                Some(objects) => objects.to_s(host).map(Cow::Owned),
                None => Ok(Cow::Owned(format!("#<{}>", self.class_name()))),
            },
        }
    }

    /// Returns the text that its method `inspect` returns.
    ///
    /// # Errors
    /// An exception that the method raises.
    pub fn inspect(&self) -> Result<Cow<'_, str>, Error> {
        match &self.object {
            HostObject::Symbol(name) if is_plain_symbol(name) => Ok(Cow::Owned(format!(":{name}"))),
            HostObject::Symbol(name) => Ok(Cow::Owned(format!(":{}", super::InspectedString(name)))),
            HostObject::Bytes(text) => Err(text.not_text()),
            HostObject::Integer(number) => Ok(Cow::Owned(number.to_string())),
            HostObject::Handle(host) => match objects() {
                Some(objects) => objects.inspect(host).map(Cow::Owned),
                None => Ok(Cow::Owned(format!("#<{}>", self.class_name()))),
            },
        }
    }

    /// Returns true if two objects are equal by the host's `==`.
    pub fn equals(&self, other: &Self) -> bool {
        match (&self.object, &other.object) {
            (HostObject::Symbol(a), HostObject::Symbol(b)) => a == b,
            (HostObject::Handle(a), HostObject::Handle(b)) => {
                a == b || objects().is_some_and(|objects| objects.equals(a, b))
            }
            (HostObject::Bytes(a), HostObject::Bytes(b)) => a == b,
            (HostObject::Integer(a), HostObject::Integer(b)) => a == b,
            (
                HostObject::Symbol(_) | HostObject::Bytes(_) | HostObject::Integer(_) | HostObject::Handle(_),
                _,
            ) => false,
        }
    }
}

/// Equality of keys of a hash: by Ruby's `eql?`.
impl PartialEq for RuntimeObject {
    fn eq(&self, other: &Self) -> bool {
        match (&self.object, &other.object) {
            (HostObject::Handle(a), HostObject::Handle(b)) => {
                let is_same_key = || objects().is_some_and(|objects| objects.is_same_key(a, b));
                a == b || self.class_name() == other.class_name() && is_same_key()
            }
            (
                HostObject::Symbol(_) | HostObject::Bytes(_) | HostObject::Integer(_) | HostObject::Handle(_),
                _,
            ) => self.equals(other),
        }
    }
}

impl Eq for RuntimeObject {}

impl Hash for RuntimeObject {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.object {
            HostObject::Symbol(name) => name.hash(state),
            HostObject::Bytes(text) => text.hash(state),
            HostObject::Integer(number) => number.hash(state),
            // Equal objects may have different handles.
            HostObject::Handle(_) => self.class_name().hash(state),
        }
    }
}

/// Returns true if Ruby writes a Symbol of this name without quotes.
fn is_plain_symbol(name: &str) -> bool {
    const OPERATORS: [&str; 26] = [
        "+", "-", "*", "/", "%", "**", "==", "!=", "===", "=~", "!~", "<=>", "<", "<=", ">", ">=", "!", "~",
        "+@", "-@", "[]", "[]=", "<<", ">>", "&", "|",
    ];
    let is_sigiled = name.starts_with(['@', '$']);
    let unsigiled = name.strip_prefix("@@").or_else(|| name.strip_prefix(['@', '$'])).unwrap_or(name);
    let word =
        if is_sigiled { unsigiled } else { unsigiled.strip_suffix(['?', '!', '=']).unwrap_or(unsigiled) };
    let is_word = |c: char| c == '_' || c.is_ascii_alphanumeric() || !c.is_ascii();
    let is_name = !word.is_empty()
        && !word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| is_word(c) && !c.is_control());
    is_name || OPERATORS.contains(&name) || matches!(name, "^" | "`")
}

impl Value {
    /// Returns a Symbol of Ruby's.
    pub fn symbol(name: impl Into<Arc<str>>) -> Self {
        Self::Runtime(Arc::new(RuntimeObject::symbol(name)))
    }

    /// Returns the value of bytes that should be a text: a string, or a String of Ruby's that is not UTF-8.
    pub fn of_text_bytes(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(error) => ByteText::invalid_utf8(error.into_bytes()).into(),
        }
    }

    /// Returns the Array or Hash that operators and iterations use: the contents of an object whose class
    /// descends from one of these, otherwise the value.
    #[inline]
    pub fn contents(&self) -> &Self {
        if let Self::Runtime(object) = self { object.contents().unwrap_or(self) } else { self }
    }

    /// Returns a String of Ruby's that is not UTF-8.
    #[inline]
    pub fn as_byte_text(&self) -> Option<&ByteText> {
        if let Self::Runtime(object) = self { object.as_bytes() } else { None }
    }

    /// Returns an Integer of more than 64 bits.
    #[inline]
    pub fn as_large_integer(&self) -> Option<&BigInt> {
        if let Self::Runtime(object) = self { object.as_integer() } else { None }
    }

    /// Checks that the value is not a String of Ruby's that is not UTF-8, which has the type of a text.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Unrepresentable`] if the value is such a String.
    #[inline]
    pub fn check_encoding(&self) -> Result<(), Error> {
        self.as_byte_text().map_or(Ok(()), |text| Err(text.not_text()))
    }

    /// Returns true for an Array or Hash.
    #[inline]
    pub fn is_collection(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Hash(_))
    }
}

/// An Integer, if the number has no more than 64 bits. Others are objects of Ruby: Puppet computes with them only where
/// the result has 64 bits.
impl From<BigInt> for Value {
    fn from(number: BigInt) -> Self {
        match i64::try_from(&number) {
            Ok(number) => Self::Integer(number),
            Err(_) => Self::Runtime(Arc::new(RuntimeObject::integer(number))),
        }
    }
}

impl From<ByteText> for Value {
    fn from(text: ByteText) -> Self {
        Self::Runtime(Arc::new(RuntimeObject::bytes(text)))
    }
}

/// Returns the error for an integer of more than 64 bits.
#[cold]
pub fn integer_out_of_range(number: impl fmt::Display) -> Error {
    Error::new(
        ErrorKind::Conversion,
        format!("The number {number} does not fit into an Integer, which has 64 bits"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_written_as_ruby_does() {
        for (name, text) in [
            ("a", ":a"),
            ("a?", ":a?"),
            ("é", ":é"),
            ("@a", ":@a"),
            ("[]=", ":[]="),
            ("", ":\"\""),
            ("1a", ":\"1a\""),
            ("a b", ":\"a b\""),
            ("@a?", ":\"@a?\""),
        ] {
            assert_eq!(RuntimeObject::symbol(name).inspect().unwrap(), text);
        }
    }

    #[test]
    fn symbols_of_one_name_are_one_key() {
        let hash: super::super::Hash = [(Value::symbol("a"), 1.into())].into_iter().collect();
        assert_eq!(hash.get(&Value::symbol("a")), Some(&1.into()));
        assert_eq!(hash.get(&"a".into()), None);
    }
}
