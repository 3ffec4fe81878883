//! Metrics for Prometheus.

use std::fmt;
use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// The upper bounds of the histogram of compilations, in seconds.
const SECONDS: [f64; 12] = [0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 30.0, 60.0];

/// The metrics of a service.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    compilations: Histogram,
    recompilations: Counter,
    busy: Gauge,
    replaced: Family<ReplacementLabels, Counter>,
    memory: Gauge<f64, AtomicU64>,
}

/// The labels of a request.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct RequestLabels {
    endpoint: &'static str,
    status: u16,
}

/// The labels of a replaced worker.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct ReplacementLabels {
    reason: ReplacementReason,
}

/// Why a worker was replaced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, EncodeLabelValue)]
pub(crate) enum ReplacementReason {
    /// It had compiled its catalogs.
    Age,
    /// Ruby code changed that it had evaluated.
    CodeChanged,
    /// It ended by itself.
    Ended,
    /// It used too much memory.
    Memory,
    /// A request took too long.
    TimedOut,
}

impl Metrics {
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("puppetfn");
        let requests = Family::default();
        registry.register("requests", "Requests by endpoint and status of the answer", requests.clone());
        let compilations = Histogram::new(SECONDS);
        registry.register_with_unit(
            "compilation",
            "Time of compilations in a worker",
            Unit::Seconds,
            compilations.clone(),
        );
        let recompilations = Counter::default();
        registry.register(
            "recompilations",
            "Compilations that were repeated, as files had changed meanwhile",
            recompilations.clone(),
        );
        let busy = Gauge::default();
        registry.register("busy_workers", "Workers that compile", busy.clone());
        let replaced = Family::default();
        registry.register("replaced_workers", "Workers that were replaced, by reason", replaced.clone());
        let memory = Gauge::default();
        registry.register_with_unit(
            "memory",
            "Resident memory of the service and its workers",
            Unit::Bytes,
            memory.clone(),
        );
        Self { registry, requests, compilations, recompilations, busy, replaced, memory }
    }

    /// Counts an answered request.
    pub fn answered(&self, endpoint: &'static str, status: u16) {
        self.requests.get_or_create(&RequestLabels { endpoint, status }).inc();
    }

    /// Counts a compilation, and its attempts.
    pub fn compiled(&self, seconds: f64, attempts: u32) {
        self.compilations.observe(seconds);
        self.recompilations.inc_by(u64::from(attempts.saturating_sub(1)));
    }

    /// Counts a replaced worker.
    pub fn replaced(&self, reason: ReplacementReason) {
        self.replaced.get_or_create(&ReplacementLabels { reason }).inc();
    }

    /// Counts a busy worker until the result is dropped.
    pub fn begin(&self) -> BusyWorker<'_> {
        self.busy.inc();
        BusyWorker(&self.busy)
    }

    /// Returns the metrics in the OpenMetrics text format, with the memory of the processes in bytes.
    ///
    /// # Errors
    /// Fails as the encoder does.
    pub fn text(&self, memory: u64) -> Result<String, fmt::Error> {
        #[allow(clippy::cast_precision_loss, reason = "a float of 64 bits has the bytes of any memory")]
        self.memory.set(memory as f64);
        let mut text = String::new();
        text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

/// A busy worker.
pub(crate) struct BusyWorker<'m>(&'m Gauge);

impl Drop for BusyWorker<'_> {
    fn drop(&mut self) {
        self.0.dec();
    }
}
