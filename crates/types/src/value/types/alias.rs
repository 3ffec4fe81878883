//! Named types.

use std::hash::{Hash, Hasher};
use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::{DefinitionUse, Type};
use puppetfn_base::limits::Limits;

/// A named type. It may contain itself.
pub type Alias = DefinitionUse<Type>;

impl Alias {
    /// Returns the target of the alias, which may be another alias; `None` during its definition, or after the loader that
    /// defined it is gone.
    pub fn target(&self) -> Option<Type> {
        self.with_target(|target| target.cloned())
    }

    /// Returns the target at the end of a chain of aliases; `None` if an alias in it is undefined, or if they only refer to
    /// each other.
    pub fn resolved(&self) -> Option<Type> {
        let mut target = self.target()?;
        for _ in 0..Limits::DEEPEST {
            let Type::Alias(alias) = &target else { return Some(target) };
            target = alias.target()?;
        }
        None
    }
}

/// The enclosing aliases of a type, and whether a collection lies between the innermost alias and the type.
#[derive(Default)]
struct EnclosingAliases {
    aliases: Vec<usize>,
    seen: Vec<usize>,
    in_collection: bool,
}

impl Type {
    /// Returns the name of an alias, in the type or behind its aliases, that contains itself in another way than as a
    /// member of a variant's collections: `type A = Variant[Integer, Array[A]]` is not such an alias. Puppet's answers
    /// about such aliases depend on earlier checks, or are stack overflows. See Puppet's `pops/types/recursion_guard.rb`.
    pub fn tangled_alias(&self) -> Option<Arc<str>> {
        self.tangled_within(&mut EnclosingAliases::default())
    }

    fn tangled_within(&self, around: &mut EnclosingAliases) -> Option<Arc<str>> {
        if let Self::Alias(alias) = self {
            return alias.tangled_within(around);
        }
        let is_collection = matches!(self, Self::Array(_) | Self::Hash(_) | Self::Struct(_) | Self::Tuple(_));
        let outer = around.in_collection;
        around.in_collection |= is_collection;
        let found = self.visit_contained(|inner| match inner.tangled_within(around) {
            Some(name) => ControlFlow::Break(name),
            None => ControlFlow::Continue(()),
        });
        around.in_collection = outer;
        found.break_value()
    }
}

impl Alias {
    fn tangled_within(&self, around: &mut EnclosingAliases) -> Option<Arc<str>> {
        let (name, identity) = (self.name(), self.identity());
        if matches!(&**name, "Data" | "RichData") {
            return None;
        }
        if around.aliases.contains(&identity) {
            let is_plain = around.in_collection && around.aliases.last() == Some(&identity);
            return (!is_plain).then(|| Arc::clone(name));
        }
        if around.seen.contains(&identity) {
            return None;
        }
        around.seen.push(identity);
        around.aliases.push(identity);
        let outer = mem::take(&mut around.in_collection);
        let found = self.with_target(|target| {
            let target = target?;
            let is_other = self.is_recursive() && !matches!(target, Type::Variant(_));
            if is_other { Some(Arc::clone(name)) } else { target.tangled_within(around) }
        });
        around.in_collection = outer;
        around.aliases.pop();
        found
    }
}

/// Aliases are equal by name.
impl PartialEq for Alias {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Alias {}

impl Hash for Alias {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use puppetfn_base::limits::Limits;

    use crate::types::parse::{AliasDefinition, Definitions, NamedDefinition as _, NoAliases};

    /// Returns the name of the alias that the first of some definitions is tangled by.
    fn tangled(texts: &[&str]) -> Option<String> {
        let definitions = Definitions::default();
        let mut names = texts.iter().map(|text| {
            let definition = AliasDefinition::parse(text, &Limits::DEFAULT).unwrap();
            let name = definition.name().to_owned();
            definitions.add(&name, Arc::new(definition));
            name
        });
        let names: Vec<String> = names.by_ref().collect();
        let first = definitions.find(names.first()?, &NoAliases, &Limits::DEFAULT).unwrap()?;
        first.tangled_alias().map(|name| name.to_string())
    }

    #[test]
    fn collections_of_a_variant_are_no_tangle() {
        for text in [
            "type A = Integer",
            "type A = Variant[Integer, Array[A]]",
            "type A = Variant[String, Hash[String, A], Struct[{a => Optional[A]}]]",
            "type A = Variant[Data, Tuple[A, RichData]]",
        ] {
            assert_eq!(tangled(&[text]), None, "{text}");
        }
        assert_eq!(tangled(&["type A = Array[B]", "type B = Variant[Integer, Array[B]]"]), None);
    }

    #[test]
    fn other_ways_to_contain_itself_are_tangles() {
        for text in [
            "type A = Optional[A]",
            "type A = Tuple[A]",
            "type A = Optional[Variant[String, Array[A]]]",
            "type A = Struct[{Optional[a] => A}]",
        ] {
            assert_eq!(tangled(&[text]).as_deref(), Some("A"), "{text}");
        }
        assert!(tangled(&["type A = Variant[B, Integer]", "type B = Array[A]"]).is_some());
        assert!(
            tangled(&[
                "type C = Array[A]",
                "type A = Variant[Integer, Array[B]]",
                "type B = Variant[String, A]"
            ])
            .is_some()
        );
    }
}
