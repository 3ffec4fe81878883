//! Memory usage of the process, and the memory budget of an evaluation.

use std::cell::Cell;
use std::sync::OnceLock;
use std::time::Duration;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};
use web_time::Instant;

use super::{Limits, exceeded};
use crate::error::Error;

/// Minimum size of a value, in bytes, that is measured right after its creation.
pub const LARGE: usize = 1 << 20;

/// Number of checks between two looks at the clock.
const CHECKS_BETWEEN_LOOKS: u32 = 16;

/// Minimum time between measurements.
const BETWEEN_MEASUREMENTS: Duration = Duration::from_millis(1);

/// Returns how many bytes an evaluation may take by default: a quarter of the memory of the machine, or of the limit of its
/// control group or address space, if that is lower.
pub fn default_budget() -> u64 {
    let available = available();
    available.memory.min(available.address_space) / 4
}

/// Memory that the process may use, in bytes; `u64::MAX` if unknown.
struct AvailableMemory {
    memory: u64,
    address_space: u64,
}

fn available() -> &'static AvailableMemory {
    static AVAILABLE: OnceLock<AvailableMemory> = OnceLock::new();
    AVAILABLE.get_or_init(|| {
        // Miri does not report it.
        if cfg!(miri) {
            return AvailableMemory { memory: u64::MAX, address_space: u64::MAX };
        }
        let kinds = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(kinds);
        let group = system.cgroup_limits().map(|group| group.total_memory);
        let known = [Some(system.total_memory()), group].into_iter().flatten().filter(|total| *total > 0);
        AvailableMemory { memory: known.min().unwrap_or(u64::MAX), address_space: address_space() }
    })
}

/// Returns the limit of the process's address space in bytes (`ulimit -v`); `u64::MAX` without one.
#[cfg(unix)]
pub fn address_space() -> u64 {
    let limit = rlimit::Resource::AS.get_soft().unwrap_or(rlimit::INFINITY);
    // Systems have different numbers for no limit.
    if limit == rlimit::INFINITY { u64::MAX } else { limit }
}

/// Returns the limit of the process's address space in bytes: `u64::MAX`, as there is none.
#[cfg(not(unix))]
pub fn address_space() -> u64 {
    u64::MAX
}

/// Memory that the process uses, in bytes.
#[derive(Clone, Copy)]
struct UsedMemory {
    memory: u64,
    address_space: u64,
}

impl UsedMemory {
    /// Returns the current usage; `None` if the system does not report it. In Miri, the system would report the usage of
    /// Miri itself.
    fn now() -> Option<Self> {
        if cfg!(miri) {
            return None;
        }
        let stats = memory_stats::memory_stats()?;
        Some(Self { memory: stats.physical_mem as u64, address_space: stats.virtual_mem as u64 })
    }

    /// Returns true if the process is close to its limits.
    fn is_most(self) -> bool {
        let AvailableMemory { memory, address_space } = *available();
        self.memory > memory / 2 || self.address_space > address_space / 4 * 3
    }
}

/// Watches how much memory an evaluation takes. The usage of the process is sampled now and then, so that creating a value
/// costs nothing more; memory that other threads take counts, too.
#[derive(Clone, Default, Debug)]
pub struct MemoryGuard {
    /// Memory usage at the first measurement.
    start: Cell<Option<u64>>,
    checks: Cell<u32>,
    measured: Cell<Option<Instant>>,
}

impl MemoryGuard {
    /// Checks that the evaluation has not taken too much memory. To be called often.
    ///
    /// # Errors
    /// Fails with [`crate::error::ErrorKind::Limit`] if it has taken more than [`Limits::memory`].
    #[inline]
    pub fn check(&self, limits: &Limits) -> Result<(), Error> {
        self.checks.set(self.checks.get().wrapping_add(1));
        if self.checks.get().is_multiple_of(CHECKS_BETWEEN_LOOKS) { self.look(limits) } else { Ok(()) }
    }

    /// Checks that the evaluation has not taken too much memory, right after it has created a value of so many bytes.
    ///
    /// # Errors
    /// Fails with [`crate::error::ErrorKind::Limit`] if it has taken more than [`Limits::memory`].
    #[inline]
    pub fn check_made(&self, bytes: usize, limits: &Limits) -> Result<(), Error> {
        if bytes < LARGE { Ok(()) } else { self.measure(bytes as u64, limits) }
    }

    #[inline(never)]
    fn look(&self, limits: &Limits) -> Result<(), Error> {
        let now = Instant::now();
        match self.measured.get() {
            // Most evaluations end before it is worth while to measure.
            None => self.measured.set(Some(now)),
            Some(measured) if now.duration_since(measured) >= BETWEEN_MEASUREMENTS => {
                self.measured.set(Some(now));
                self.measure(0, limits)?;
            }
            Some(_) => {}
        }
        Ok(())
    }

    #[cold]
    fn measure(&self, made: u64, limits: &Limits) -> Result<(), Error> {
        let Some(used) = UsedMemory::now() else { return Ok(()) };
        // Memory that others have freed since the start is no budget for this evaluation.
        let start = self.start.get().unwrap_or(used.memory.saturating_sub(made)).min(used.memory);
        self.start.set(Some(start));
        let taken = used.memory - start;
        if taken > limits.memory() {
            return Err(limits.memory_exceeded());
        }
        // Memory that earlier evaluations freed within the process is reused without raising its usage. Once little is
        // available, even a small increase is refused.
        if used.is_most() && taken > limits.memory() / 16 {
            return Err(exceeded("the process uses most of the memory that there is", "memory"));
        }
        Ok(())
    }
}

impl Limits {
    /// Returns the memory budget of an evaluation, in bytes.
    pub fn memory(&self) -> u64 {
        self.memory.unwrap_or_else(default_budget)
    }

    /// Returns the error for taking more memory than [`Limits::memory`].
    #[cold]
    pub fn memory_exceeded(&self) -> Error {
        exceeded(format_args!("takes more than {} bytes of memory", self.memory()), "memory")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    #[cfg_attr(miri, ignore = "Miri does not say what is used")]
    fn what_is_kept_counts_and_what_is_given_back_does_not() {
        let limits = Limits { memory: Some(40 << 20), ..Limits::DEFAULT };
        let guard = MemoryGuard::default();
        let mut kept = Vec::new();
        for _ in 0..20 {
            let passing = vec![1u8; 8 << 20];
            guard.check_made(passing.len(), &limits).unwrap();
        }
        let result = (0..20).try_for_each(|_| {
            kept.push(vec![1u8; 8 << 20]);
            guard.check_made(8 << 20, &limits)
        });
        let error = result.unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Limit);
        assert!(
            error.message().starts_with("takes more than 41943040 bytes of memory (limit 'memory';"),
            "{error}"
        );
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri does not say what is used")]
    fn many_small_values_are_measured_after_a_while() {
        let limits = Limits { memory: Some(16 << 20), ..Limits::DEFAULT };
        let guard = MemoryGuard::default();
        let mut kept = Vec::new();
        let result = (0..1_000_000).try_for_each(|_| {
            kept.push(vec![1u8; 1_000]);
            guard.check(&limits)
        });
        assert_eq!(result.unwrap_err().kind(), &ErrorKind::Limit);
        assert!(kept.len() < 500_000, "{}", kept.len());
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri does not say what is used")]
    fn the_machine_has_memory() {
        assert!(default_budget() > 1 << 20, "{}", default_budget());
        assert!(UsedMemory::now().is_none_or(|used| used.memory > 1 << 16 && !used.is_most()));
    }
}
