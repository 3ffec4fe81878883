//! Relationships between resources: `->` and `~>`.
//!
//! See Puppet's `parser/relationship.rb`.

use super::Compilation;
use super::collector::CollectorId;
use crate::Reference;
use puppetfn_base::error::{Error, ErrorKind, Place};
use puppetfn_types::value::Inspected;

/// The relation of one resource to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// It comes before the other.
    Before,
    /// It comes before the other, which is told when it changes.
    Notify,
}

/// One side of a relationship.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// A resource; or, with an empty title, all of a type, which is an error in the end.
    Resource(Reference),
    /// All resources that a collector collects.
    Collector(CollectorId),
}

/// A relationship that was stated, and is made when all resources are declared.
#[derive(Debug)]
pub(crate) struct Relationship {
    from: Side,
    to: Side,
    relation: Relation,
    /// The place of the arrow, if arrows are recorded.
    place: Option<Place>,
}

impl Relation {
    /// Returns the parameter of the first resource that names the second.
    fn parameter(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::Notify => "notify",
        }
    }
}

impl Compilation {
    /// Relates each of some resources to each of some others.
    pub fn add_relationships(
        &mut self,
        from: &[Side],
        to: &[Side],
        relation: Relation,
        place: impl FnOnce() -> Place,
    ) {
        let place = self.origins.is_some().then(place);
        for from in from {
            for to in to {
                self.relationships.push(Relationship {
                    from: from.clone(),
                    to: to.clone(),
                    relation,
                    place: place.clone(),
                });
            }
        }
    }

    /// Sets the sides that replace a collector in a chain of relationships if it collects nothing.
    pub fn set_alternative(&mut self, id: CollectorId, alternative: &[Side]) {
        if let Some(collector) = self.collector_mut(id) {
            collector.alternative = alternative.to_vec();
        }
    }

    /// Makes the relationships that were stated.
    ///
    /// # Errors
    /// Fails if there is no such resource.
    pub(crate) fn make_relationships(&mut self) -> Result<(), Error> {
        for Relationship { from, to, relation, place } in std::mem::take(&mut self.relationships) {
            let to = match to {
                Side::Resource(reference) => vec![reference],
                Side::Collector(id) => self.collected(id),
            };
            let (from, is_alternative) = self.leftmost(from);
            for from in from {
                // The alternative of a collector is a type still, and shown as one.
                let shown = |reference: &Reference| match is_alternative {
                    true => reference.to_type().to_string(),
                    false => reference.to_string(),
                };
                for to in &to {
                    self.make_relationship(&from, &shown, to, relation)?;
                    self.note_arrow(&from, to, place.as_ref());
                }
            }
        }
        Ok(())
    }

    /// Returns the resources of a side, or of the alternative of an empty collector, and whether they are of an
    /// alternative.
    fn leftmost(&self, side: Side) -> (Vec<Reference>, bool) {
        let (mut side, mut is_alternative) = (side, false);
        // An alternative comes earlier in the chain than its collector, so no collector is visited twice.
        for _ in 0..=self.collectors.len() {
            let id = match side {
                Side::Resource(reference) => return (vec![reference], is_alternative),
                Side::Collector(id) => id,
            };
            let collected = self.collected(id);
            if !collected.is_empty() {
                return (collected, false);
            }
            is_alternative = true;
            match self.collector(id).map(|collector| collector.alternative.as_slice()) {
                Some([only]) => side = only.clone(),
                Some(several) => {
                    let references = several.iter().filter_map(|side| match side {
                        Side::Resource(reference) => Some(reference.clone()),
                        Side::Collector(_) => None,
                    });
                    return (references.collect(), true);
                }
                None => break,
            }
        }
        (Vec::new(), false)
    }

    fn make_relationship(
        &mut self,
        from: &Reference,
        shown: &dyn Fn(&Reference) -> String,
        to: &Reference,
        relation: Relation,
    ) -> Result<(), Error> {
        let fail = |message: String| Err(Error::new(ErrorKind::Evaluation, message));
        let untitled = |reference: &Reference| {
            let shown = reference.to_string();
            fail(format!("No title provided and {} is not a valid resource reference", Inspected(&shown)))
        };
        if from.title().is_empty() {
            return untitled(from);
        }
        let Some(id) = self.catalog.find(from) else {
            return fail(format!("Could not find resource '{}' for relationship on '{to}'", shown(from)));
        };
        if to.title().is_empty() {
            return untitled(to);
        }
        if self.catalog.find(to).is_none() {
            return fail(format!("Could not find resource '{to}' for relationship from '{}'", shown(from)));
        }
        self.relate(id, relation.parameter(), to)
    }
}
