//! Relationships between resources: `->` and `~>`.
//!
//! See Puppet's `parser/relationship.rb`.

use super::Compilation;
use super::collector::CollectorId;
use crate::Reference;
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_types::value::InspectedString;

/// The relation of one resource to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RelationshipKind {
    /// It comes before the other.
    Before,
    /// It comes before the other, which is told when it changes.
    Notify,
}

/// One side of a relationship.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RelationshipSide {
    /// A resource; or, with an empty title, all of a type, which is an error in the end.
    Resource(Reference),
    /// All resources that a collector collects.
    Collector(CollectorId),
}

/// A relationship that was stated, and is made when all resources are declared.
#[derive(Debug)]
pub(crate) struct PendingRelationship {
    from: RelationshipSide,
    to: RelationshipSide,
    relation: RelationshipKind,
    /// The place of the arrow.
    place: SourceLocation,
}

impl RelationshipKind {
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
        from: &[RelationshipSide],
        to: &[RelationshipSide],
        relation: RelationshipKind,
        place: impl FnOnce() -> SourceLocation,
    ) {
        if from.is_empty() || to.is_empty() {
            return;
        }
        let place = place();
        for from in from {
            for to in to {
                self.relationships.push(PendingRelationship {
                    from: from.clone(),
                    to: to.clone(),
                    relation,
                    place: place.clone(),
                });
            }
        }
    }

    /// Sets the sides that replace a collector in a chain of relationships if it collects nothing.
    pub fn set_alternative(&mut self, id: CollectorId, alternative: &[RelationshipSide]) {
        if let Some(collector) = self.collector_mut(id) {
            collector.alternative = alternative.to_vec();
        }
    }

    /// Makes the relationships that were stated.
    ///
    /// # Errors
    /// Fails if there is no such resource.
    pub(crate) fn make_relationships(&mut self) -> Result<(), Error> {
        for PendingRelationship { from, to, relation, place } in std::mem::take(&mut self.relationships) {
            let to = match to {
                RelationshipSide::Resource(reference) => vec![reference],
                RelationshipSide::Collector(id) => self.collected(id),
            };
            let (from, is_alternative) = self.leftmost(from);
            for from in from {
                // The alternative of a collector is a type still, and shown as one.
                let shown = |reference: &Reference| match is_alternative {
                    true => reference.to_type().to_string(),
                    false => reference.to_string(),
                };
                for to in &to {
                    self.make_relationship(&from, &shown, to, relation, &place)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the resources of a side, or of the alternative of an empty collector, and whether they are of an
    /// alternative.
    fn leftmost(&self, side: RelationshipSide) -> (Vec<Reference>, bool) {
        let (mut side, mut is_alternative) = (side, false);
        // An alternative comes earlier in the chain than its collector, so no collector is visited twice.
        for _ in 0..=self.collectors.len() {
            let id = match side {
                RelationshipSide::Resource(reference) => return (vec![reference], is_alternative),
                RelationshipSide::Collector(id) => id,
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
                        RelationshipSide::Resource(reference) => Some(reference.clone()),
                        RelationshipSide::Collector(_) => None,
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
        relation: RelationshipKind,
        place: &SourceLocation,
    ) -> Result<(), Error> {
        let fail = |message: String| Err(Error::new(ErrorKind::Evaluation, message));
        let untitled = |reference: &Reference| {
            let shown = reference.to_string();
            fail(format!(
                "No title provided and {} is not a valid resource reference",
                InspectedString(&shown)
            ))
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
        let Some(to_id) = self.catalog.find(to) else {
            return fail(format!("Could not find resource '{to}' for relationship from '{}'", shown(from)));
        };
        self.catalog.note_arrow(id, to_id, place.clone());
        self.relate(id, relation.parameter(), to)
    }
}
