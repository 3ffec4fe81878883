//! The dispatch of requests to their handlers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lsp_server::{ErrorCode, Request, Response};
use lsp_types::request::{
    CallHierarchyIncomingCalls, CallHierarchyOutgoingCalls, CallHierarchyPrepare, CodeActionRequest,
    CodeLensRequest, Completion, DocumentDiagnosticRequest, DocumentHighlightRequest, DocumentLinkRequest,
    DocumentSymbolRequest, FoldingRangeRequest, Formatting, GotoDefinition, GotoTypeDefinition, HoverRequest,
    Initialize, InlayHintRequest, OnTypeFormatting, PrepareRenameRequest, RangeFormatting, References,
    Rename, Request as Kind, SelectionRangeRequest, SemanticTokensFullDeltaRequest,
    SemanticTokensFullRequest, SemanticTokensRangeRequest, Shutdown, SignatureHelpRequest,
    TypeHierarchyPrepare, TypeHierarchySubtypes, TypeHierarchySupertypes, WorkspaceDiagnosticRequest,
    WorkspaceSymbolRequest,
};

use serde_json::Value as Json;

use super::server::Server;

/// The reason why a request has no result.
pub(crate) type RequestError = String;

impl Server<'_> {
    /// Answers any request.
    pub(crate) fn answer(&mut self, request: Request) -> Response {
        let id = request.id.clone();
        if self.has_shut_down || request.method == Initialize::METHOD {
            let message = if self.has_shut_down {
                "the server was shut down"
            } else {
                "the server is already initialized"
            };
            return Response::new_err(id, ErrorCode::InvalidRequest as i32, message.to_owned());
        }
        // The handlers see the current texts, and a panic is answered, too.
        let answered = catch_unwind(AssertUnwindSafe(|| self.answer_known(request)));
        answered.unwrap_or_else(|_| {
            let message = "internal error of puppetfn; please report it with the request".to_owned();
            Response::new_err(id, ErrorCode::InternalError as i32, message)
        })
    }

    fn answer_known(&mut self, request: Request) -> Response {
        if request.method == Shutdown::METHOD {
            self.has_shut_down = true;
            return Response::new_ok(request.id, Json::Null);
        }
        // A closed connection is noticed when the next message is read.
        _ = self.settle();
        match request.method.as_str() {
            Completion::METHOD => self.with::<Completion>(request, Self::completion),
            HoverRequest::METHOD => self.with::<HoverRequest>(request, Self::hover),
            SignatureHelpRequest::METHOD => self.with::<SignatureHelpRequest>(request, Self::signature_help),
            GotoDefinition::METHOD => self.with::<GotoDefinition>(request, Self::definition),
            GotoTypeDefinition::METHOD => self.with::<GotoTypeDefinition>(request, Self::type_definition),
            References::METHOD => self.with::<References>(request, Self::references),
            DocumentHighlightRequest::METHOD => {
                self.with::<DocumentHighlightRequest>(request, Self::highlights)
            }
            PrepareRenameRequest::METHOD => self.with::<PrepareRenameRequest>(request, Self::prepare_rename),
            Rename::METHOD => self.with::<Rename>(request, Self::rename),
            DocumentSymbolRequest::METHOD => {
                self.with::<DocumentSymbolRequest>(request, Self::document_symbols)
            }
            WorkspaceSymbolRequest::METHOD => {
                self.with::<WorkspaceSymbolRequest>(request, Self::workspace_symbols)
            }
            FoldingRangeRequest::METHOD => self.with::<FoldingRangeRequest>(request, Self::foldings),
            SelectionRangeRequest::METHOD => self.with::<SelectionRangeRequest>(request, Self::selections),
            SemanticTokensFullRequest::METHOD => {
                self.with::<SemanticTokensFullRequest>(request, Self::tokens)
            }
            SemanticTokensFullDeltaRequest::METHOD => {
                self.with::<SemanticTokensFullDeltaRequest>(request, Self::changed_tokens)
            }
            SemanticTokensRangeRequest::METHOD => {
                self.with::<SemanticTokensRangeRequest>(request, Self::tokens_within)
            }
            InlayHintRequest::METHOD => self.with::<InlayHintRequest>(request, Self::hints),
            DocumentLinkRequest::METHOD => self.with::<DocumentLinkRequest>(request, Self::links),
            CodeActionRequest::METHOD => self.with::<CodeActionRequest>(request, Self::actions),
            CodeLensRequest::METHOD => self.with::<CodeLensRequest>(request, Self::lenses),
            CallHierarchyPrepare::METHOD => self.with::<CallHierarchyPrepare>(request, Self::call_items),
            CallHierarchyIncomingCalls::METHOD => {
                self.with::<CallHierarchyIncomingCalls>(request, Self::callers)
            }
            CallHierarchyOutgoingCalls::METHOD => {
                self.with::<CallHierarchyOutgoingCalls>(request, Self::callees)
            }
            TypeHierarchyPrepare::METHOD => self.with::<TypeHierarchyPrepare>(request, Self::class_items),
            TypeHierarchySupertypes::METHOD => {
                self.with::<TypeHierarchySupertypes>(request, Self::base_classes)
            }
            TypeHierarchySubtypes::METHOD => {
                self.with::<TypeHierarchySubtypes>(request, Self::derived_classes)
            }
            DocumentDiagnosticRequest::METHOD => {
                reply::<DocumentDiagnosticRequest>(request, |params| self.document_diagnostics(params))
            }
            WorkspaceDiagnosticRequest::METHOD => {
                self.with::<WorkspaceDiagnosticRequest>(request, Self::workspace_diagnostics)
            }
            Formatting::METHOD => self.with::<Formatting>(request, Self::formatting),
            RangeFormatting::METHOD => self.with::<RangeFormatting>(request, Self::range_formatting),
            OnTypeFormatting::METHOD => self.with::<OnTypeFormatting>(request, Self::on_type_formatting),
            method => {
                let message = format!("unsupported method '{method}'");
                Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message)
            }
        }
    }

    fn with<R: Kind>(
        &self,
        request: Request,
        answer: fn(&Self, R::Params) -> Result<R::Result, RequestError>,
    ) -> Response {
        reply::<R>(request, |params| answer(self, params))
    }
}

/// Returns the response to a request of a kind.
fn reply<R: Kind>(
    request: Request,
    answer: impl FnOnce(R::Params) -> Result<R::Result, RequestError>,
) -> Response {
    match serde_json::from_value(request.params) {
        Ok(params) => match answer(params).map(serde_json::to_value) {
            Ok(Ok(result)) => Response::new_ok(request.id, result),
            Ok(Err(error)) => {
                Response::new_err(request.id, ErrorCode::InternalError as i32, error.to_string())
            }
            Err(message) => Response::new_err(request.id, ErrorCode::RequestFailed as i32, message),
        },
        Err(error) => Response::new_err(request.id, ErrorCode::InvalidParams as i32, error.to_string()),
    }
}
