//! The memory of other processes.

/// Returns the resident memory of a process in bytes; `None` if that is not known.
#[cfg(target_os = "linux")]
#[allow(clippy::disallowed_methods, reason = "the kernel's file about a process")]
pub(crate) fn resident(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    pages.checked_mul(u64::try_from(rustix::param::page_size()).ok()?)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn resident(_: u32) -> Option<u64> {
    None
}
