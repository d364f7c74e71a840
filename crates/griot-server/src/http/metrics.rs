//! Prometheus metrics: requests by status, and their durations.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct Answered {
    method: String,
    route: String,
    status: u16,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct OfRoute {
    route: String,
}

pub struct Metrics {
    registry: Mutex<Registry>,
    requests: Family<Answered, Counter>,
    seconds: Family<OfRoute, Histogram>,
}

fn histogram() -> Histogram {
    Histogram::new([0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0])
}

impl Metrics {
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("griot");
        let requests = Family::<Answered, Counter>::default();
        let seconds = Family::<OfRoute, Histogram>::new_with_constructor(histogram);
        registry.register("requests", "Requests by route and status", requests.clone());
        registry.register("request_duration_seconds", "Request durations", seconds.clone());
        Self { registry: Mutex::new(registry), requests, seconds }
    }

    pub fn answered(&self, method: &str, route: &str, status: u16, took: Duration) {
        let labels = Answered { method: method.to_string(), route: route.to_string(), status };
        self.requests.get_or_create(&labels).inc();
        self.seconds.get_or_create(&OfRoute { route: route.to_string() }).observe(took.as_secs_f64());
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        let registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        // Writing to a String cannot fail.
        let _ = prometheus_client::encoding::text::encode(&mut text, &registry);
        text
    }
}
