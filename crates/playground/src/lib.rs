//! The core of puppetfn in a browser, as WebAssembly: `rake playground` builds it with the page in `www`.
//!
//! The page's worker calls [`answer`] with the JSON of a [`Request`], and gets the JSON of an [`Answer`].
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod actions;
mod answer;
mod request;

pub use answer::{Answer, LoggedMessage, OutputFormat, Problem};
pub use request::{Action, Request};

use wasm_bindgen::prelude::wasm_bindgen;

/// Returns the JSON of the answer to a request in JSON.
#[wasm_bindgen]
pub fn answer(request: &str) -> String {
    let answer = match serde_json::from_str::<Request>(request) {
        Ok(request) => request.answer(),
        Err(error) => Answer::failed(format!("expected a request, got something else: {error}")),
    };
    // Texts and numbers can always be serialized.
    serde_json::to_string(&answer).unwrap_or_default()
}

/// Returns the version of puppetfn.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
