//! Tags of resources and catalogs.
//!
//! See Puppet's `util/tagging.rb`.

use std::borrow::Cow;
use std::sync::Arc;

use crate::flat::leaves;
use crate::names::NameSet;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_types::value::Value;

/// A set of tags, all in lower case.
#[derive(Clone, Default, Debug)]
pub struct Tags(NameSet<Arc<str>>);

impl Tags {
    /// Returns the set of tags that are as tags have to be.
    pub fn of(tags: impl IntoIterator<Item = Arc<str>>) -> Self {
        Self(tags.into_iter().collect())
    }

    /// Returns true if a tag is in the set.
    pub fn contains(&self, tag: &str) -> bool {
        self.0.contains(&*lowercase(tag))
    }

    /// Returns the tags, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<str>> {
        self.0.iter()
    }

    /// Adds a tag, and the parts of one with namespaces.
    ///
    /// # Errors
    /// Fails if the text cannot be a tag.
    pub fn add(&mut self, tag: &str) -> Result<(), Error> {
        let tag = lowercase(tag);
        if !is_tag(&tag) {
            return Err(Error::new(ErrorKind::Evaluation, format!("Invalid tag '{tag}'")));
        }
        self.insert(&tag);
        Ok(())
    }

    /// Adds all the tags that a value has, which may be nested arrays.
    ///
    /// # Errors
    /// Fails if one of them cannot be a tag.
    pub fn add_value(&mut self, value: &Value, limits: &Limits) -> Result<(), Error> {
        let tags = leaves(value).filter(|tag| !matches!(tag, Value::Undef));
        tags.map(|tag| tag.ruby_to_s(limits)).try_for_each(|tag| self.add(&tag?))
    }

    /// Adds all the tags that the parameter `tag` gives: a hash its keys and values.
    ///
    /// # Errors
    /// Fails if one of them cannot be a tag.
    pub fn add_parameter(&mut self, value: &Value, limits: &Limits) -> Result<(), Error> {
        match value {
            Value::Hash(hash) => hash
                .iter()
                .flat_map(|(key, value)| [key, value])
                .try_for_each(|tag| self.add_value(tag, limits)),
            value => self.add_value(value, limits),
        }
    }

    /// Adds a text if it can be a tag.
    pub fn add_if_valid(&mut self, text: &str) {
        if is_tag(text) {
            self.insert(&lowercase(text));
        }
    }

    /// Adds all the tags of another set.
    pub fn merge(&mut self, other: &Self) {
        // Most are new: containers have more tags than their contents.
        self.0.reserve(other.0.len());
        self.0.extend(other.0.iter().cloned());
    }

    fn insert(&mut self, tag: &str) {
        if self.0.insert(tag.into()) && tag.contains("::") {
            self.0.extend(tag.split("::").map(Arc::from));
        }
    }
}

/// Returns a text in lower case, which most are.
fn lowercase(text: &str) -> Cow<'_, str> {
    let is_lower = text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(text) } else { Cow::Owned(text.to_lowercase()) }
}

fn is_tag(text: &str) -> bool {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.starts_with(is_word) && text.chars().all(|c| is_word(c) || matches!(c, ':' | '.' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_with_namespaces_are_tags_of_their_parts() {
        let mut tags = Tags::default();
        tags.add("A::B").unwrap();
        tags.add_if_valid("not a tag");
        assert_eq!(tags.iter().map(|tag| &**tag).collect::<Vec<_>>(), ["a::b", "a", "b"]);
        assert!(tags.contains("B"));
        assert_eq!(tags.add("x y").unwrap_err().message(), "Invalid tag 'x y'");
    }
}
