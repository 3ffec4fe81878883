//! Any body is a request for a catalog or an error, and names in requests are never paths.
#![no_main]

use libfuzzer_sys::fuzz_target;
use puppetfn::limits::Limits;
use puppetfn_compile::service::requested_names;

fuzz_target!(|body: &[u8]| {
    let limits = Limits { work: 100_000, elements: 10_000, ..Limits::DEFAULT };
    match requested_names(body, &limits) {
        Ok((node, environment)) => {
            assert!(environment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
            assert!(!node.is_empty() && !environment.is_empty() && !node.starts_with(".."));
            assert!(!node.bytes().any(|byte| matches!(byte, b'/' | b'\\') || !(b' '..=b'~').contains(&byte)));
        }
        Err(message) => assert!(!message.is_empty()),
    }
});
