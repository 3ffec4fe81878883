//! Type hierarchies: classes, and the classes that they inherit from.

use lsp_types::{
    TypeHierarchyItem, TypeHierarchyPrepareParams, TypeHierarchySubtypesParams, TypeHierarchySupertypesParams,
};
use puppetfn_ide::{CallItem, Ide};

use super::structure::kind;
use crate::dispatch::RequestError;
use crate::server::Server;

type ClassItems = Result<Option<Vec<TypeHierarchyItem>>, RequestError>;

impl Server<'_> {
    pub(crate) fn class_items(&self, params: TypeHierarchyPrepareParams) -> ClassItems {
        let Some(place) = self.place(&params.text_document_position_params) else { return Ok(None) };
        let found = place.ide.class_items(&place.path, place.offset);
        // Without a class, editors want no list.
        Ok(Some(self.class_hierarchy(&found)).filter(|items| !items.is_empty()))
    }

    pub(crate) fn base_classes(&self, params: TypeHierarchySupertypesParams) -> ClassItems {
        self.related_classes(&params.item, Ide::base_classes)
    }

    pub(crate) fn derived_classes(&self, params: TypeHierarchySubtypesParams) -> ClassItems {
        self.related_classes(&params.item, Ide::derived_classes)
    }

    fn related_classes(
        &self,
        item: &TypeHierarchyItem,
        related: fn(&Ide, &CallItem) -> Vec<CallItem>,
    ) -> ClassItems {
        let Some((ide, item)) = self.known_item(&item.uri, item.selection_range) else { return Ok(None) };
        Ok(Some(self.class_hierarchy(&related(ide, &item))))
    }

    fn class_hierarchy(&self, items: &[CallItem]) -> Vec<TypeHierarchyItem> {
        let item = |item: &CallItem| {
            let positions = self.positions(&item.path)?;
            Some(TypeHierarchyItem {
                name: item.name.clone(),
                kind: kind(item.kind()),
                tags: None,
                detail: None,
                uri: self.uri(&item.path)?,
                range: positions.range(item.span),
                selection_range: positions.range(item.name_span),
                data: None,
            })
        };
        items.iter().filter_map(item).collect()
    }
}
