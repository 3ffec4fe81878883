//! What calls what.

use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
};
use puppetfn_ide::CallItem;

use super::structure::kind;
use crate::dispatch::Refused;
use crate::server::Server;
use crate::uri::uri;

impl Server<'_> {
    pub(crate) fn call_items(
        &mut self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>, Refused> {
        let Some(place) = self.place(&params.text_document_position_params) else { return Ok(None) };
        let found = self.ide.call_items(&place.path, place.offset);
        Ok(Some(found.iter().filter_map(|item| self.item(item)).collect()))
    }

    pub(crate) fn callers(
        &mut self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>, Refused> {
        let Some(item) = self.known(&params.item) else { return Ok(None) };
        let call = |call: puppetfn_ide::Call| {
            let positions = self.positions(&call.item.path)?;
            let from_ranges = call.spans.iter().map(|span| positions.range(*span)).collect();
            Some(CallHierarchyIncomingCall { from: self.item(&call.item)?, from_ranges })
        };
        Ok(Some(self.ide.callers(&item).into_iter().filter_map(call).collect()))
    }

    pub(crate) fn callees(
        &mut self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>, Refused> {
        let Some(item) = self.known(&params.item) else { return Ok(None) };
        let Some(positions) = self.positions(&item.path) else { return Ok(None) };
        let call = |call: puppetfn_ide::Call| {
            let from_ranges = call.spans.iter().map(|span| positions.range(*span)).collect();
            Some(CallHierarchyOutgoingCall { to: self.item(&call.item)?, from_ranges })
        };
        Ok(Some(self.ide.callees(&item).into_iter().filter_map(call).collect()))
    }

    fn item(&self, item: &CallItem) -> Option<CallHierarchyItem> {
        let positions = self.positions(&item.path)?;
        Some(CallHierarchyItem {
            name: item.name.clone(),
            kind: kind(item.kind()),
            tags: None,
            detail: None,
            uri: uri(&item.path)?,
            range: positions.range(item.span),
            selection_range: positions.range(item.name_span),
            data: None,
        })
    }

    /// Returns what the editor was told of before.
    fn known(&self, item: &CallHierarchyItem) -> Option<CallItem> {
        let path = self.path(&item.uri);
        let span = self.positions(&path)?.span(item.selection_range);
        self.ide.call_item(&path, span)
    }
}
