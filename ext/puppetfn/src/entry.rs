//! The functions that Ruby calls when it loads the library. Ruby derives their name from the file's,
//! and RubyGems has given the file two names.

use magnus::{Error, Ruby};

use crate::api;

/// Entry of `puppetfn.so`: `rake compile`, and RubyGems before 3.4, which names it after the gem.
#[magnus::init(name = "puppetfn")]
fn puppetfn(ruby: &Ruby) -> Result<(), Error> {
    start(ruby)
}

/// Entry of `puppetfn_ext.so`: RubyGems from 3.4 on, which names it after the crate.
#[magnus::init(name = "puppetfn_ext")]
fn puppetfn_ext(ruby: &Ruby) -> Result<(), Error> {
    start(ruby)
}

fn start(ruby: &Ruby) -> Result<(), Error> {
    #[cfg(feature = "allocator")]
    crate::ruby::raw::reserve_little_memory();
    api::init(ruby)
}
