//! Peak memory of parsing and of syntax trees: at most twelve times the text.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]

use std::fs;
use std::path::Path;

use peak_alloc::PeakAlloc;
use puppetfn::limits::Limits;
use puppetfn::syntax;
use walkdir::WalkDir;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Directory of Debian's modules.
const MODULES: &str = "/usr/share/puppet/modules";

/// Memory allowed for a tree of any size.
const LEAST: usize = 2048;

/// Returns the peak memory while a text is parsed, `None` if it is not Puppet.
fn peak(text: &str) -> Option<usize> {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    syntax::parse(text, &Limits::DEFAULT).ok()?;
    Some(ALLOCATOR.peak_usage() - before)
}

/// A single test, because allocations of other tests would count, too.
#[test]
fn trees_take_at_most_twelve_times_their_text() {
    let dense =
        "type A = Struct[{ port => Optional[Port], Optional[hosts] => Array[Host, 1] }]\n".repeat(500);
    let plain = "class a($b = 1) {\n  file { \"/tmp/${b}\":\n    ensure => file,\n  }\n}\n".repeat(500);
    let modules = WalkDir::new(MODULES).follow_links(true).into_iter().filter_map(Result::ok);
    let files = modules.filter(|entry| entry.path().extension() == Some("pp".as_ref()));
    let texts =
        files.filter_map(|file| Some((file.path().to_owned(), fs::read_to_string(file.path()).ok()?)));
    let own = [("dense", dense), ("plain", plain)].map(|(name, text)| (Path::new(name).to_owned(), text));

    let (mut source, mut memory) = (0, 0);
    for (path, text) in own.into_iter().chain(texts) {
        let Some(peak) = peak(&text) else { continue };
        assert!(peak <= LEAST.max(12 * text.len()), "{}: {peak} for {} bytes", path.display(), text.len());
        source += text.len();
        memory += peak;
    }
    println!("{:.1} times the text, of {source} bytes", memory as f64 / source as f64);
    assert!(memory <= 4 * source, "{memory} for {source} bytes in all");
}
