//! Recording of origins.

use super::Compilation;
use crate::ResourceId;
use crate::origin::{ClassInclusion, InclusionKind};
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
        let Some(origins) = &mut self.origins else { return };
        let Some(by) = self.catalog.get(by).map(|resource| resource.reference.clone()) else { return };
        let inclusion = ClassInclusion { by, way, place: place() };
        let known = origins.inclusions.entry(class).or_default();
        if !known.contains(&inclusion) {
            known.push(inclusion);
        }
    }

    /// Notes the place of the definition of a resource's type.
    pub fn note_definition(&mut self, id: ResourceId, place: impl FnOnce() -> SourceLocation) {
        if let Some(origins) = &mut self.origins {
            origins.definitions.insert(id, place());
        }
    }
}
