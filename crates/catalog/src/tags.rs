//! Tags of resources and catalogs.
//!
//! See Puppet's `util/tagging.rb`.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use crate::flat::leaves;
use crate::names::NameSet;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_base::name::lowercase;
use puppetfn_types::value::Value;

/// Number of tags from which on a list has an index.
const INDEXED: usize = 32;

/// A set of tags, all in lower case.
///
/// A resource has few tags of its own, and all tags of its container. It shares the list of these with the other resources in the
/// container.
#[derive(Clone, Default, Debug)]
pub struct Tags {
    own: TagList,
    /// Tags of the container, which follow the own ones. Own tags may be among them.
    inherited: Option<Arc<[Arc<str>]>>,
    /// The own and inherited tags, as contents of this container inherit them.
    all: OnceLock<Arc<[Arc<str>]>>,
}

/// Distinct tags, in the order of their addition.
#[derive(Clone, Default, Debug)]
struct TagList {
    tags: Vec<Arc<str>>,
    /// The same tags, if there are many.
    index: Option<Box<NameSet<Arc<str>>>>,
}

impl TagList {
    fn contains(&self, tag: &str) -> bool {
        match &self.index {
            Some(index) => index.contains(tag),
            None => has(&self.tags, tag),
        }
    }

    /// Adds a tag that is not in the list.
    fn push(&mut self, tag: Arc<str>) {
        if let Some(index) = &mut self.index {
            index.insert(Arc::clone(&tag));
        } else if self.tags.len() >= INDEXED {
            let index = self.tags.iter().chain([&tag]).cloned().collect();
            self.index = Some(Box::new(index));
        }
        self.tags.push(tag);
    }
}

impl FromIterator<Arc<str>> for TagList {
    fn from_iter<I: IntoIterator<Item = Arc<str>>>(tags: I) -> Self {
        let mut list = Self::default();
        for tag in tags {
            if !list.contains(&tag) {
                list.push(tag);
            }
        }
        list
    }
}

impl Tags {
    /// Returns the set of tags that are as tags have to be.
    pub fn of(tags: impl IntoIterator<Item = Arc<str>>) -> Self {
        Self { own: tags.into_iter().collect(), ..Self::default() }
    }

    /// Returns true if a tag is in the set.
    pub fn contains(&self, tag: &str) -> bool {
        self.has_lowercase(&lowercase(tag))
    }

    fn has_lowercase(&self, tag: &str) -> bool {
        self.own.contains(tag) || self.inherited.as_ref().is_some_and(|inherited| has(inherited, tag))
    }

    /// Returns the tags, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<str>> + Clone {
        let inherited = self.inherited.iter().flat_map(|inherited| inherited.iter());
        self.own.tags.iter().chain(inherited.filter(|tag| !self.own.contains(tag)))
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
        if !self.has_lowercase(&tag) {
            self.insert(tag.into());
        }
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
    pub fn add_if_valid(&mut self, text: &Arc<str>) {
        if !is_tag(text) {
            return;
        }
        match lowercase(text) {
            Cow::Borrowed(tag) if self.has_lowercase(tag) => {}
            Cow::Borrowed(_) => self.insert(Arc::clone(text)),
            Cow::Owned(tag) if self.has_lowercase(&tag) => {}
            Cow::Owned(tag) => self.insert(tag.into()),
        }
    }

    /// Adds tags that [`type_tags`] returned.
    pub(crate) fn extend(&mut self, tags: &[Arc<str>]) {
        for tag in tags {
            if !self.has_lowercase(tag) {
                self.push(Arc::clone(tag));
            }
        }
    }

    /// Adds all the tags of another set.
    pub fn merge(&mut self, other: &Self) {
        for tag in other.iter() {
            if !self.has_lowercase(tag) {
                self.push(Arc::clone(tag));
            }
        }
    }

    /// Adds all the tags of a container.
    pub(crate) fn inherit(&mut self, container: &Self) {
        let all = container.all();
        // Most resources inherit twice from a container, which rarely gets more tags between.
        let is_superset = match &self.inherited {
            None => true,
            Some(known) if Arc::ptr_eq(known, all) => return,
            Some(known) => is_prefix(known, all),
        };
        if is_superset {
            self.inherited = Some(Arc::clone(all));
            self.all.take();
        } else {
            self.merge(container);
        }
    }

    fn all(&self) -> &Arc<[Arc<str>]> {
        self.all.get_or_init(|| self.iter().cloned().collect())
    }

    /// Adds a tag that is not in the set, and its parts if it has namespaces.
    fn insert(&mut self, tag: Arc<str>) {
        let parts: Vec<Arc<str>> =
            if tag.contains("::") { tag.split("::").map(Arc::from).collect() } else { Vec::new() };
        self.push(tag);
        self.extend(&parts);
    }

    /// Adds a tag that is not in the set.
    fn push(&mut self, tag: Arc<str>) {
        if self.inherited.is_some() {
            // New tags follow the inherited ones.
            self.own = self.iter().cloned().collect();
            self.inherited = None;
        }
        self.all.take();
        self.own.push(tag);
    }
}

/// Returns the tags that all resources of a type have.
///
/// # Errors
/// Fails if the name of the type cannot be a tag.
pub(crate) fn type_tags(name: &str) -> Result<Vec<Arc<str>>, Error> {
    let mut tags = Tags::default();
    tags.add(name)?;
    Ok(tags.own.tags)
}

fn has(tags: &[Arc<str>], tag: &str) -> bool {
    tags.iter().any(|known| **known == *tag)
}

/// Returns true if a list begins with the tags of another, which are the same texts.
fn is_prefix(prefix: &[Arc<str>], tags: &[Arc<str>]) -> bool {
    prefix.len() <= tags.len() && prefix.iter().zip(tags).all(|(one, other)| Arc::ptr_eq(one, other))
}

/// Returns true if a text can be a tag.
pub fn is_tag(text: &str) -> bool {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.starts_with(is_word) && text.chars().all(|c| is_word(c) || matches!(c, ':' | '.' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(tags: &Tags) -> Vec<&str> {
        tags.iter().map(|tag| &**tag).collect()
    }

    #[test]
    fn tags_with_namespaces_are_tags_of_their_parts() {
        let mut tags = Tags::default();
        tags.add("A::B").unwrap();
        tags.add_if_valid(&"not a tag".into());
        assert_eq!(texts(&tags), ["a::b", "a", "b"]);
        assert!(tags.contains("B"));
        assert_eq!(tags.add("x y").unwrap_err().message(), "Invalid tag 'x y'");
    }

    #[test]
    fn tags_of_the_container_follow_the_own_ones() {
        let mut container = Tags::of(["class".into(), "file".into()]);
        let mut tags = Tags::of(["file".into(), "x".into()]);
        tags.inherit(&container);
        assert_eq!(texts(&tags), ["file", "x", "class"]);
        container.add("late").unwrap();
        tags.inherit(&container);
        assert_eq!(texts(&tags), ["file", "x", "class", "late"]);
        tags.add("own").unwrap();
        tags.add("late").unwrap();
        tags.inherit(&Tags::of(["other".into(), "x".into()]));
        tags.inherit(&container);
        assert_eq!(texts(&tags), ["file", "x", "class", "late", "own", "other"]);
        assert!(tags.contains("Class") && tags.contains("other") && !tags.contains("y"));
    }

    #[test]
    fn other_containers_add_their_tags() {
        let mut tags = Tags::of(["a".into()]);
        tags.inherit(&Tags::of(["b".into(), "c".into()]));
        tags.inherit(&Tags::of(["d".into(), "c".into()]));
        assert_eq!(texts(&tags), ["a", "b", "c", "d"]);
    }

    #[test]
    fn many_tags_are_distinct() {
        let mut tags = Tags::default();
        for number in (0..100).chain(0..100) {
            tags.add(&format!("t{number}")).unwrap();
        }
        let copy = tags.clone();
        tags.merge(&copy);
        assert_eq!(tags.iter().count(), 100);
        assert!(tags.contains("T99") && !tags.contains("t100"));
    }
}
