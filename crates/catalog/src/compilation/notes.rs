//! Recording of origins.

use super::Compilation;
use crate::origin::{ClassInclusion, InclusionKind};
use crate::{Reference, ResourceId};
use puppetfn_base::error::SourceLocation;
impl Compilation {
    /// Records that a resource's code has included a class.
    pub fn note_inclusion(
        &mut self,
        by: ResourceId,
        class: ResourceId,
        way: InclusionKind,
        place: impl FnOnce() -> Option<SourceLocation>,
    ) {
        let Some(origins) = self.origins.as_mut().filter(|origins| origins.is_complete()) else { return };
        let Some(by) = self.catalog.get(by).map(|resource| resource.reference.clone()) else { return };
        let inclusion = ClassInclusion { by, way, place: place() };
        let known = origins.inclusions.entry(class).or_default();
        if !known.contains(&inclusion) {
            known.push(inclusion);
        }
    }

    /// Notes the place of the definition of a resource's type.
    pub fn note_definition(&mut self, id: ResourceId, place: impl FnOnce() -> SourceLocation) {
        if let Some(origins) = self.origins.as_mut().filter(|origins| origins.is_complete()) {
            origins.definitions.insert(id, place());
        }
    }

    /// Notes where an arrow is.
    pub(crate) fn note_arrow(&mut self, from: &Reference, to: &Reference, place: Option<&SourceLocation>) {
        if let (Some(origins), Some(place)) = (&mut self.origins, place) {
            origins.arrows.entry((from.clone(), to.clone())).or_insert_with(|| place.clone());
        }
    }
}
