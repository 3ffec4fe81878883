//! Semantic tokens.

use std::path::Path;

use lsp_types::{
    SemanticToken, SemanticTokens, SemanticTokensDelta, SemanticTokensDeltaParams,
    SemanticTokensFullDeltaResult, SemanticTokensParams, SemanticTokensRangeParams,
    SemanticTokensRangeResult, SemanticTokensResult,
};
use puppetfn_base::source::Span;

use super::whole;
use crate::dispatch::RequestError;
use crate::documents::document;
use crate::sent_tokens::difference;
use crate::server::Server;

impl Server<'_> {
    pub(crate) fn tokens(
        &self,
        params: SemanticTokensParams,
    ) -> Result<Option<SemanticTokensResult>, RequestError> {
        let path = document(&params.text_document.uri);
        Ok(self.remembered(&path).map(|(tokens, _)| SemanticTokensResult::Tokens(tokens)))
    }

    pub(crate) fn changed_tokens(
        &self,
        params: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>, RequestError> {
        let path = document(&params.text_document.uri);
        let Some((tokens, before)) = self.remembered(&path) else { return Ok(None) };
        let before = before.filter(|before| before.result_id.as_ref() == Some(&params.previous_result_id));
        Ok(Some(match before {
            Some(before) => SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta {
                edits: difference(&before.data, &tokens.data),
                result_id: tokens.result_id,
            }),
            None => SemanticTokensFullDeltaResult::Tokens(tokens),
        }))
    }

    /// Returns the tokens of a text, which are remembered as sent, and the tokens that were sent before.
    fn remembered(&self, path: &Path) -> Option<(SemanticTokens, Option<SemanticTokens>)> {
        let mut tokens = self.encoded(path, whole())?;
        // An editor asks for the changes of documents that it shows.
        let is_open = |path: &Path| self.state.documents.contains_key(path);
        let before = self.sent_tokens.replace(path, &mut tokens, is_open);
        Some((tokens, before))
    }

    pub(crate) fn tokens_within(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>, RequestError> {
        let path = document(&params.text_document.uri);
        let Some((_, positions)) = self.code(&path) else { return Ok(None) };
        Ok(self.encoded(&path, positions.span(params.range)).map(SemanticTokensRangeResult::Tokens))
    }

    /// Returns the tokens in a span of a text, in the protocol's relative encoding.
    fn encoded(&self, path: &Path, within: Span) -> Option<SemanticTokens> {
        let (ide, positions) = self.code(path)?;
        let found = ide.tokens(path).into_iter();
        let found = found.filter(|token| token.span.end >= within.start && token.span.start <= within.end);
        let (mut line, mut column) = (0, 0);
        let mut data = Vec::new();
        for token in found {
            for part in positions.by_line(token.span) {
                let start = positions.position(part.start);
                data.push(SemanticToken {
                    delta_line: start.line - line,
                    delta_start: if start.line == line { start.character - column } else { start.character },
                    length: positions.length(part),
                    token_type: token.kind as u32,
                    token_modifiers_bitset: u32::from(token.is_definition)
                        | u32::from(token.is_deprecated) << 1,
                });
                (line, column) = (start.line, start.character);
            }
        }
        Some(SemanticTokens { result_id: None, data })
    }
}
