//! Call hierarchies.

use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, Range, Uri,
};
use puppetfn_ide::{CallItem, Ide};

use super::structure::kind;
use crate::dispatch::RequestError;
use crate::documents::document;
use crate::server::Server;

impl Server<'_> {
    pub(crate) fn call_items(
        &self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>, RequestError> {
        let Some(place) = self.place(&params.text_document_position_params) else { return Ok(None) };
        let found = place.ide.call_items(&place.path, place.offset);
        Ok(Some(found.iter().filter_map(|item| self.item(item)).collect()))
    }

    pub(crate) fn callers(
        &self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>, RequestError> {
        let Some((ide, item)) = self.known(&params.item) else { return Ok(None) };
        let call = |call: puppetfn_ide::ItemCalls| {
            let positions = self.positions(&call.item.path)?;
            let from_ranges = call.spans.iter().map(|span| positions.range(*span)).collect();
            Some(CallHierarchyIncomingCall { from: self.item(&call.item)?, from_ranges })
        };
        Ok(Some(ide.callers(&item).into_iter().filter_map(call).collect()))
    }

    pub(crate) fn callees(
        &self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>, RequestError> {
        let Some((ide, item)) = self.known(&params.item) else { return Ok(None) };
        let Some(positions) = self.positions(&item.path) else { return Ok(None) };
        let call = |call: puppetfn_ide::ItemCalls| {
            let from_ranges = call.spans.iter().map(|span| positions.range(*span)).collect();
            Some(CallHierarchyOutgoingCall { to: self.item(&call.item)?, from_ranges })
        };
        Ok(Some(ide.callees(&item).into_iter().filter_map(call).collect()))
    }

    fn item(&self, item: &CallItem) -> Option<CallHierarchyItem> {
        let positions = self.positions(&item.path)?;
        Some(CallHierarchyItem {
            name: item.name.clone(),
            kind: kind(item.kind()),
            tags: None,
            detail: None,
            uri: self.uri(&item.path)?,
            range: positions.range(item.span),
            selection_range: positions.range(item.name_span),
            data: None,
        })
    }

    /// Returns the item of an earlier response.
    fn known(&self, item: &CallHierarchyItem) -> Option<(&Ide, CallItem)> {
        self.known_item(&item.uri, item.selection_range)
    }

    /// Returns the definition whose name is at a range of any file, with the project that knows it.
    pub(super) fn known_item(&self, uri: &Uri, range: Range) -> Option<(&Ide, CallItem)> {
        let path = document(uri);
        let span = self.positions(&path)?.span(range);
        let all = self.state.projects.iter().map(|project| &project.ide);
        let mut candidates = self.state.ide(&path).into_iter().chain(all);
        candidates.find_map(|ide| Some((ide, ide.call_item(&path, span)?)))
    }
}
