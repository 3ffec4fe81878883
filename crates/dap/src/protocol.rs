//! The messages of the protocol, as far as both sides use them.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A request of the editor.
#[derive(Deserialize, Debug)]
pub(crate) struct Request {
    pub seq: i64,
    pub command: String,
    #[serde(default)]
    pub arguments: Value,
}

impl Request {
    /// Parses a message; `None` for one that is not a request.
    pub fn parse(message: &[u8]) -> Option<Self> {
        let message: Value = serde_json::from_slice(message).ok()?;
        if message.get("type").and_then(Value::as_str) != Some("request") {
            return None;
        }
        serde_json::from_value(message).ok()
    }

    /// Returns the arguments; missing ones are those of an empty object.
    ///
    /// # Errors
    /// Fails with a message for the user if they are not as the protocol says.
    pub fn arguments<T: DeserializeOwned>(&self) -> Result<T, String> {
        let arguments = if self.arguments.is_null() { json!({}) } else { self.arguments.clone() };
        serde_json::from_value(arguments)
            .map_err(|error| format!("invalid arguments of '{}': {error}", self.command))
    }
}

/// The result of a request: the body of the response, or the message of a failure.
pub(crate) type Reply = Result<Value, String>;

/// Returns the response to a request.
pub(crate) fn response(request: &Request, reply: Reply) -> Value {
    let Request { seq, command, .. } = request;
    match reply {
        Ok(body) if body.is_null() => {
            json!({"type": "response", "request_seq": seq, "success": true, "command": command})
        }
        Ok(body) => {
            json!({"type": "response", "request_seq": seq, "success": true, "command": command, "body": body})
        }
        Err(message) => json!({
            "type": "response",
            "request_seq": seq,
            "success": false,
            "command": command,
            "message": message,
            "body": {"error": {"id": 1, "format": escaped(&message), "showUser": true}},
        }),
    }
}

/// Returns an event.
pub(crate) fn event(name: &str, body: Value) -> Value {
    if body.is_null() {
        json!({"type": "event", "event": name})
    } else {
        json!({"type": "event", "event": name, "body": body})
    }
}

/// Returns an event that shows a text to the user. The category is `console`, `stdout` or `stderr`.
pub(crate) fn output(category: &str, text: &str) -> Value {
    event("output", json!({"category": category, "output": text}))
}

/// Returns a text for a field in which `{name}` is a variable.
fn escaped(text: &str) -> String {
    text.replace('{', "(").replace('}', ")")
}

/// Returns the features of the debugger.
pub(crate) fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsEvaluateForHovers": true,
        "supportsSetVariable": true,
        "supportsTerminateRequest": true,
        "supportsExceptionInfoRequest": true,
        "supportsLoadedSourcesRequest": false,
        "supportsDelayedStackTraceLoading": true,
        "supportsClipboardContext": true,
        "supportsValueFormattingOptions": false,
        "exceptionBreakpointFilters": [
            {"filter": "errors", "label": "Errors", "description": "Pause where a statement fails", "default": true},
            {"filter": "warnings", "label": "Warnings", "description": "Pause where code logs a warning or an error"},
        ],
    })
}
