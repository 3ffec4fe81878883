//! Types of arrays and hashes.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use super::{Size, Type};

/// `Array[element, min, max]`.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct ArrayType {
    /// The type of every element.
    pub element: Type,
    /// The number of elements; any number if `None`.
    pub size: Option<Size>,
}

/// `Hash[key, value, min, max]`.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct HashType {
    /// The type of every key.
    pub key: Type,
    /// The type of every value.
    pub value: Type,
    /// The number of entries; any number if `None`.
    pub size: Option<Size>,
}

/// `Tuple[types..., min, max]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TupleType {
    /// The type at each position; the last one repeats when the size allows more.
    pub types: Arc<[Type]>,
    /// The allowed number of elements. `None` means exactly one for each type, or any number for a tuple without types.
    pub size: Option<Size>,
}

impl TupleType {
    /// Returns the number of accepted elements.
    #[inline]
    pub fn size(&self) -> Size {
        match self.size {
            Some(size) => size,
            None if self.types.is_empty() => Size::ANY,
            None => Size::exactly(self.types.len()),
        }
    }

    /// Returns the type of the element at `index`: the last type repeats. `None` for a tuple without types.
    #[inline]
    pub fn type_at(&self, index: usize) -> Option<&Type> {
        self.types.get(index).or_else(|| self.types.last())
    }
}

/// `Struct[{key => type, ...}]`.
#[derive(Debug)]
pub struct StructType {
    members: Box<[StructMember]>,
    /// The number of required members.
    required: usize,
    /// The positions of the members, for structs large enough that a scan would be slower. Built on first use: the type of
    /// a value is often only displayed.
    index: OnceLock<HashMap<Arc<str>, usize>>,
}

/// One key of a `Struct`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StructMember {
    /// The key.
    pub name: Arc<str>,
    /// True when the key may be missing: it was written `Optional[key]`, or as a plain key whose
    /// type accepts undef.
    pub optional: bool,
    /// The type of the value.
    pub value: Type,
}

impl StructMember {
    /// Returns the type of the key: its exact string, `Optional` of that when it may be missing.
    pub fn key_type(&self) -> Type {
        let key = Type::string_value(Arc::clone(&self.name));
        if self.optional { Type::optional(key) } else { key }
    }
}

impl StructType {
    const SCAN_AT_MOST: usize = 8;

    /// Creates a struct of these members, in this order.
    pub fn new(members: impl IntoIterator<Item = StructMember>) -> Self {
        let members: Box<[_]> = members.into_iter().collect();
        let required = members.iter().filter(|member| !member.optional).count();
        Self { members, required, index: OnceLock::new() }
    }

    /// Returns the members, in order.
    pub fn members(&self) -> &[StructMember] {
        &self.members
    }

    /// Returns the member with this key.
    pub fn member(&self, name: &str) -> Option<&StructMember> {
        if self.members.len() <= Self::SCAN_AT_MOST {
            return self.members.iter().find(|member| &*member.name == name);
        }
        let index = self.index.get_or_init(|| {
            self.members.iter().enumerate().map(|(at, member)| (Arc::clone(&member.name), at)).collect()
        });
        index.get(name).and_then(|&at| self.members.get(at))
    }

    /// Returns the member with this key, trying position `at` first: most hashes have their entries in the order of the
    /// declaration.
    #[inline]
    pub(crate) fn member_near(&self, at: usize, name: &str) -> Option<&StructMember> {
        match self.members.get(at) {
            Some(member) if *member.name == *name => Some(member),
            Some(_) | None => self.member(name),
        }
    }

    /// Returns the number of entries in an instance.
    #[inline]
    pub fn size(&self) -> Size {
        Size::new(self.required as u64, Some(self.members.len() as u64))
    }
}

impl PartialEq for StructType {
    fn eq(&self, other: &Self) -> bool {
        self.members == other.members
    }
}

impl Eq for StructType {}

impl Hash for StructType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.members.hash(state);
    }
}
