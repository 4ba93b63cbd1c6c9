//! What is counted, as Prometheus reads it: under names of our own and under those of vLLM, which boards know.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use engine::{AdapterUse, Counters, STEP_TOKENS};
use hyper::header::CONTENT_TYPE;

use crate::app::{App, Shared, unix_seconds};
use crate::histogram::{self, ANSWERS, FIRST_TOKEN_SECONDS, Histogram, REQUEST_SECONDS, TOKEN_SECONDS, TOKENS};

/// The kinds of ends that answers have.
const FINISH_REASONS: [&str; 3] = ["stop", "length", "abort"];

/// What the server counts; what the engine does is in its [`Counters`].
#[derive(Debug)]
pub(crate) struct Metrics {
    began: Instant,
    finished: [AtomicU64; FINISH_REASONS.len()],
    /// Answers by the hundreds of their statuses, from 1xx on.
    responses: [AtomicU64; 5],
    connections: AtomicU64,
    /// Tokens of prompts, of which none may have been computed.
    prompt_tokens: AtomicU64,
    /// Requests for vectors that were answered.
    embedding_requests: AtomicU64,
    /// Texts whose vectors were computed, and their tokens.
    embedding_texts: AtomicU64,
    embedding_tokens: AtomicU64,
    pub(crate) queue_time: Histogram,
    pub(crate) time_to_first_token: Histogram,
    pub(crate) inter_token_latency: Histogram,
    pub(crate) prefill_time: Histogram,
    pub(crate) decode_time: Histogram,
    pub(crate) request_latency: Histogram,
    prompt_length: Histogram,
    pub(crate) answer_length: Histogram,
    pub(crate) inference_time: Histogram,
    pub(crate) mean_token_latency: Histogram,
    pub(crate) computed_prompt: Histogram,
    pub(crate) answers_asked: Histogram,
    pub(crate) tokens_asked: Histogram,
}

impl Metrics {
    pub(crate) fn new(began: Instant) -> Metrics {
        Metrics {
            began,
            finished: Default::default(),
            responses: Default::default(),
            connections: AtomicU64::new(0),
            prompt_tokens: AtomicU64::new(0),
            embedding_requests: AtomicU64::new(0),
            embedding_texts: AtomicU64::new(0),
            embedding_tokens: AtomicU64::new(0),
            queue_time: Histogram::new(REQUEST_SECONDS),
            time_to_first_token: Histogram::new(FIRST_TOKEN_SECONDS),
            inter_token_latency: Histogram::new(TOKEN_SECONDS),
            prefill_time: Histogram::new(REQUEST_SECONDS),
            decode_time: Histogram::new(REQUEST_SECONDS),
            request_latency: Histogram::new(REQUEST_SECONDS),
            prompt_length: Histogram::new(TOKENS),
            answer_length: Histogram::new(TOKENS),
            inference_time: Histogram::new(REQUEST_SECONDS),
            mean_token_latency: Histogram::new(TOKEN_SECONDS),
            computed_prompt: Histogram::new(TOKENS),
            answers_asked: Histogram::new(ANSWERS),
            tokens_asked: Histogram::new(TOKENS),
        }
    }

    /// Counts the end of an answer, as its client is told. One of whole calls is one that stopped, as vLLM counts it.
    pub(crate) fn note_finish(&self, reason: &str) {
        let kind = if reason == "tool_calls" { "stop" } else { reason };
        if let Some(at) = FINISH_REASONS.iter().position(|known| *known == kind) {
            self.finished[at].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts the whole prompt of an answer that begins, as vLLM does: each of several answers to a prompt has it, and so has a text whose vector is computed.
    pub(crate) fn note_prompt(&self, tokens: usize) {
        self.prompt_tokens.fetch_add(tokens as u64, Ordering::Relaxed);
        self.prompt_length.observe(tokens as f64);
    }

    /// Counts a text whose vector was computed. To vLLM it is a prompt whose answer stopped.
    pub(crate) fn note_vector(&self, tokens: usize) {
        self.note_prompt(tokens);
        self.note_finish("stop");
        self.embedding_texts.fetch_add(1, Ordering::Relaxed);
        self.embedding_tokens.fetch_add(tokens as u64, Ordering::Relaxed);
    }

    /// Counts a request for vectors that is answered.
    pub(crate) fn note_vectors(&self) {
        self.embedding_requests.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a connection until what this gives is dropped, in whatever way it ends.
    pub(crate) fn enter(&self) -> Connected<'_> {
        self.connections.fetch_add(1, Ordering::Relaxed);
        Connected(self)
    }

    /// Counts a response.
    pub(crate) fn note_response(&self, status: u16) {
        if let Some(count) = self.responses.get(usize::from(status / 100).wrapping_sub(1)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// An open connection.
#[derive(Debug)]
pub(crate) struct Connected<'m>(&'m Metrics);

impl Drop for Connected<'_> {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Lines of text with the label that all have.
struct Page<'a> {
    text: String,
    labels: &'a str,
}

impl Page<'_> {
    /// A number under both names.
    fn number(&mut self, kind: &str, (name, vllm): (&str, Option<&str>), help: &str, value: f64) {
        for name in [Some(format!("finery_{name}")), vllm.map(|name| format!("vllm:{name}"))].into_iter().flatten() {
            // Writing to a text does not fail.
            let _ =
                writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name}{{{}}} {value}", self.labels);
        }
    }

    fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) {
        for name in [format!("finery_{name}"), format!("vllm:{name}")] {
            let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} histogram");
            histogram.write(&name, self.labels, &mut self.text);
        }
    }

    fn by_label(&mut self, name: &str, help: &str, label: &str, values: &[(&str, u64)]) {
        let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} counter");
        for (value, count) in values {
            let _ = writeln!(self.text, "{name}{{{},{label}=\"{value}\"}} {count}", self.labels);
        }
    }
}

/// `GET /metrics`.
pub(crate) async fn metrics(State(app): State<Shared>) -> Response {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page(&app)).into_response()
}

fn page(app: &App) -> String {
    let labels = format!("model_name=\"{}\"", escaped(app.model_names.first().map_or("", String::as_str)));
    let mut page = Page { text: String::new(), labels: &labels };
    engine_numbers(&mut page, app.service.counters());
    step_sizes(&mut page, app.service.counters());
    standing_facts(&mut page, app.service.counters());
    server_numbers(&mut page, &app.metrics);
    page.text
}

/// A label's value as Prometheus reads it.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn step_sizes(page: &mut Page<'_>, counters: &Counters) {
    let counts = counters.step_tokens.iter().map(|count| count.load(Ordering::Relaxed));
    let sum = counters.step_tokens_sum.load(Ordering::Relaxed) as f64;
    for name in ["finery_iteration_tokens_total", "vllm:iteration_tokens_total"] {
        let _ =
            writeln!(page.text, "# HELP {name} Tokens of a step, of prompts and of answers\n# TYPE {name} histogram");
        let bounds = STEP_TOKENS.map(|bound| bound as f64);
        histogram::write(name, page.labels, &bounds, counts.clone(), sum, &mut page.text);
    }
}

/// What vLLM tells as labels: of the cache, and of the adapters that requests under way have.
fn standing_facts(page: &mut Page<'_>, counters: &Counters) {
    let load = |number: &AtomicU64| number.load(Ordering::Relaxed);
    let (block_size, pages) = (load(&counters.page_tokens), load(&counters.pages));
    let _ = writeln!(
        page.text,
        "# HELP vllm:cache_config_info Tokens of a page of keys and values, and pages\n# TYPE vllm:cache_config_info gauge\n\
         vllm:cache_config_info{{{},block_size=\"{block_size}\",num_gpu_blocks=\"{pages}\"}} 1",
        page.labels
    );
    let most = load(&counters.adapters_max);
    if most == 0 {
        return;
    }
    let adapters = counters.adapters();
    let named = |wanted: fn(&AdapterUse) -> bool| -> String {
        let names = adapters.iter().filter(|(_, answers)| wanted(answers)).map(|(name, _)| escaped(name));
        names.collect::<Vec<_>>().join(",")
    };
    let _ = writeln!(
        page.text,
        "# HELP vllm:lora_requests_info Adapters of requests; the value is the time in seconds since 1970\n\
         # TYPE vllm:lora_requests_info gauge\n\
         vllm:lora_requests_info{{max_lora=\"{most}\",running_lora_adapters=\"{}\",waiting_lora_adapters=\"{}\"}} {}",
        named(|answers| answers.running > 0),
        named(|answers| answers.waiting > 0),
        unix_seconds()
    );
}

fn engine_numbers(page: &mut Page<'_>, counters: &Counters) {
    let load = |number: &AtomicU64| number.load(Ordering::Relaxed) as f64;
    let (used, pages) = (load(&counters.pages_used), load(&counters.pages));
    let share = if pages > 0.0 { used / pages } else { 0.0 };
    let age = counters.last_step_age(Instant::now()).as_secs_f64();
    let gauges = [
        ("requests_running", Some("num_requests_running"), "Sequences that are computed", load(&counters.running)),
        ("requests_waiting", Some("num_requests_waiting"), "Requests that wait", counters.waiting_in_all() as f64),
        ("cache_usage", Some("kv_cache_usage_perc"), "Part of the pages of keys and values in use, 0 to 1", share),
        ("cache_pages", None, "Pages of keys and values", pages),
        ("last_step_age_seconds", None, "How long ago the last step ended", age),
    ];
    for (name, vllm, help, value) in gauges {
        page.number("gauge", (name, vllm), help, value);
    }
    let counts = [
        (
            "preemptions_total",
            "num_preemptions_total",
            "Sequences whose pages were taken for others",
            &counters.preemptions,
        ),
        (
            "prefix_cache_queries_total",
            "prefix_cache_queries_total",
            "Prompts' tokens looked up",
            &counters.prefix_queries,
        ),
        ("prefix_cache_hits_total", "prefix_cache_hits_total", "Those whose state was there", &counters.prefix_hits),
        (
            "generation_tokens_total",
            "generation_tokens_total",
            "Tokens of answers, without those that end them",
            &counters.generated_tokens,
        ),
        (
            "spec_decode_num_drafts_total",
            "spec_decode_num_drafts_total",
            "Rows of steps for which tokens were proposed",
            &counters.drafts,
        ),
        (
            "spec_decode_num_draft_tokens_total",
            "spec_decode_num_draft_tokens_total",
            "Tokens proposed",
            &counters.draft_tokens,
        ),
        (
            "spec_decode_num_accepted_tokens_total",
            "spec_decode_num_accepted_tokens_total",
            "Those that were what was chosen",
            &counters.accepted_tokens,
        ),
    ];
    for (name, vllm, help, count) in counts {
        page.number("counter", (name, Some(vllm)), help, load(count));
    }
    let computed = "Prompts' tokens computed: not those that were found, and those of preempted answers again";
    page.number("counter", ("prompt_tokens_computed_total", None), computed, load(&counters.prompt_tokens));
    let spelled = "Choices among letters alone, since telling all that a form lets come took too much";
    page.number("counter", ("spelled_tokens_total", None), spelled, load(&counters.spelled_tokens));
    page.number("counter", ("steps_total", None), "Steps of the engine", load(&counters.steps));
}

fn server_numbers(page: &mut Page<'_>, metrics: &Metrics) {
    let load = |count: &AtomicU64| count.load(Ordering::Relaxed);
    page.number("gauge", ("connections", None), "Open connections", load(&metrics.connections) as f64);
    page.number("gauge", ("uptime_seconds", None), "Time since the start", metrics.began.elapsed().as_secs_f64());
    let all = "Prompts' tokens, those of each answer and of each text for a vector, whether computed or found";
    let prompt_tokens = ("prompt_tokens_total", Some("prompt_tokens_total"));
    page.number("counter", prompt_tokens, all, load(&metrics.prompt_tokens) as f64);
    let of_vectors = [
        ("embedding_requests_total", "Requests for vectors that were answered", &metrics.embedding_requests),
        ("embedding_texts_total", "Texts whose vectors were computed", &metrics.embedding_texts),
        ("embedding_tokens_total", "Tokens of these texts", &metrics.embedding_tokens),
    ];
    for (name, help, count) in of_vectors {
        page.number("counter", (name, None), help, load(count) as f64);
    }
    let finished: Vec<_> = FINISH_REASONS.into_iter().zip(metrics.finished.iter().map(load)).collect();
    for name in ["finery_request_success_total", "vllm:request_success_total"] {
        page.by_label(name, "Answers by their ends; a vector is one that stopped", "finished_reason", &finished);
    }
    let classes = ["1xx", "2xx", "3xx", "4xx", "5xx"];
    let responses: Vec<_> = classes.into_iter().zip(metrics.responses.iter().map(load)).collect();
    page.by_label("finery_responses_total", "HTTP responses by their statuses", "status", &responses);
    let histograms = [
        ("time_to_first_token_seconds", "From a request's arrival to its first token", &metrics.time_to_first_token),
        ("inter_token_latency_seconds", "Between two tokens of an answer", &metrics.inter_token_latency),
        ("e2e_request_latency_seconds", "From a request's arrival to its answer's end", &metrics.request_latency),
        ("request_queue_time_seconds", "From a request's arrival to its first step", &metrics.queue_time),
        ("request_prefill_time_seconds", "From a request's first step to its first token", &metrics.prefill_time),
        ("request_decode_time_seconds", "From an answer's first token to its end", &metrics.decode_time),
        (
            "request_prompt_tokens",
            "Tokens of the prompt of each answer, and of texts for vectors",
            &metrics.prompt_length,
        ),
        ("request_generation_tokens", "Tokens of answers", &metrics.answer_length),
        ("request_inference_time_seconds", "From a request's first step to its answer's end", &metrics.inference_time),
        (
            "request_time_per_output_token_seconds",
            "Means of answers' times between tokens",
            &metrics.mean_token_latency,
        ),
        ("request_prefill_kv_computed_tokens", "Tokens of prompts that were not cached", &metrics.computed_prompt),
        ("request_params_n", "Answers to a prompt that were asked for", &metrics.answers_asked),
        ("request_params_max_tokens", "Limits of answers' tokens that were asked for", &metrics.tokens_asked),
    ];
    for (name, help, histogram) in histograms {
        page.histogram(name, help, histogram);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_that_ends_in_disorder_is_not_counted() {
        let metrics = Metrics::new(Instant::now());
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _open = metrics.enter();
            assert_eq!(metrics.connections.load(Ordering::Relaxed), 1);
            std::panic::resume_unwind(Box::new(()));
        }));
        assert!(ended.is_err());
        assert_eq!(metrics.connections.load(Ordering::Relaxed), 0);
    }
}
