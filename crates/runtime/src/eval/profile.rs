//! Times of classes, defined types and functions, for callers that compile many catalogs and look for the slow parts.
//!
//! Times are recorded per thread, as code in Ruby and templates call Puppet code from outside.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use puppetfn_catalog::FastMap;
use web_time::Instant;

/// The kinds of code whose time is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ProfiledCode {
    /// The code of a class.
    Class,
    /// The code of a defined type, for one resource.
    DefinedType,
    /// A function that is not in the Puppet language. The time of one that is counts for its caller.
    Function,
}

/// The number of evaluations of a class, type or function, and their time without the parts within them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timing {
    /// The kind of code.
    pub part: ProfiledCode,
    /// Its name.
    pub name: String,
    /// The number of evaluations.
    pub count: u64,
    /// Their time.
    pub time: Duration,
}

#[derive(Default)]
struct ThreadProfile {
    timings: FastMap<(ProfiledCode, String), (u64, Duration)>,
    /// The time of the parts within the one that is being evaluated.
    inside: Duration,
}

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static PROFILE: RefCell<ThreadProfile> = RefCell::default();
}

/// Begins to take times in this thread.
pub fn start() {
    IS_ON.set(true);
}

/// Returns the timings since the last call, in no order.
pub fn take() -> Vec<Timing> {
    let ThreadProfile { timings, .. } = PROFILE.take();
    let timing = |((part, name), (count, time))| Timing { part, name, count, time };
    timings.into_iter().map(timing).collect()
}

/// A running evaluation.
pub(super) struct OpenTiming {
    part: ProfiledCode,
    name: String,
    started: Instant,
    /// The time of earlier parts within the enclosing part.
    around: Duration,
}

/// Starts a timing, which ends when the result is dropped.
#[inline]
pub(super) fn begin(part: ProfiledCode, name: &str) -> Option<OpenTiming> {
    IS_ON.get().then(|| running(part, name))
}

#[inline(never)]
fn running(part: ProfiledCode, name: &str) -> OpenTiming {
    let around = PROFILE.with_borrow_mut(|profile| std::mem::take(&mut profile.inside));
    OpenTiming { part, name: name.to_owned(), started: Instant::now(), around }
}

impl Drop for OpenTiming {
    fn drop(&mut self) {
        let elapsed = self.started.elapsed();
        PROFILE.with_borrow_mut(|profile| {
            let own = elapsed.saturating_sub(profile.inside);
            profile.inside = self.around.saturating_add(elapsed);
            let (count, time) =
                profile.timings.entry((self.part, std::mem::take(&mut self.name))).or_default();
            *count = count.saturating_add(1);
            *time = time.saturating_add(own);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_what_is_inside_counts_there_only() {
        start();
        let outer = begin(ProfiledCode::Class, "a");
        for _ in 0..2 {
            let _inner = begin(ProfiledCode::Function, "f");
            std::thread::sleep(Duration::from_millis(20));
        }
        drop(outer);
        let mut timings = take();
        timings.sort_by_key(|timing| timing.part);
        let [class, function] = timings.as_slice() else { panic!("{timings:?}") };
        assert_eq!((&*class.name, class.count, &*function.name, function.count), ("a", 1, "f", 2));
        assert!(
            function.time >= Duration::from_millis(40) && class.time < function.time,
            "{class:?} {function:?}"
        );
        assert_eq!(take(), []);
    }
}
