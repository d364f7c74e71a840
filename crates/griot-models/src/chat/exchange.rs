//! One HTTP request and its response, with bounds on time and size, and what a failure means.
//!
//! Redirects are not followed: the key must not reach another server.

use std::io::{ErrorKind, Read};
use std::time::Duration;

use griot::engine::ModelProvider;
use serde_json::Value;
use ureq::config::Config;
use ureq::http::header::{CONTENT_TYPE, RETRY_AFTER};
use ureq::http::{HeaderMap, Uri};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Error};

use super::connection::{Connection, Service};
use super::failure::{FITTING, Failure, FailureKind, short};
use super::vendors::Request;

/// Words of servers about a request that does not fit, some of them (llama.cpp) as an error of their own.
const TOO_LONG: &[&str] = &[
    "context length",
    "context_length",
    "context window",
    "too many tokens",
    "too long",
    "too large to process",
];
const USER_AGENT: &str = concat!("griot/", env!("CARGO_PKG_VERSION"));

pub(crate) fn agent(connection: &Connection) -> Agent {
    let mut config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(USER_AGENT)
        .accept("application/json");
    if connection.is_local() {
        config = config.proxy(None);
    }
    Agent::with_parts(config.build(), DefaultConnector::default(), Lookup::default())
}

/// Finds addresses of hosts. The system reports an unknown host as an I/O error without a kind, which would
/// look like a connection that was cut after the request was sent.
#[derive(Debug, Default)]
struct Lookup(DefaultResolver);

impl Resolver for Lookup {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        self.0.resolve(uri, config, timeout).map_err(|error| match error {
            Error::Io(_) => Error::HostNotFound,
            other => other,
        })
    }
}

/// The JSON of a successful response.
pub(crate) fn send(
    agent: &Agent,
    connection: &Connection,
    request: &Request,
    timeout: Duration,
) -> Result<Value, Failure> {
    let connect = timeout.min(Duration::from_secs(10));
    let mut post = agent
        .post(request.url.as_str())
        .config()
        .timeout_global(Some(timeout))
        .timeout_connect(Some(connect))
        .build()
        .header(CONTENT_TYPE, "application/json");
    for (name, value) in &request.headers {
        post = post.header(*name, value);
    }
    let response =
        post.send(request.body.to_string().as_bytes()).map_err(|error| lost(connection, &error))?;
    let (parts, body) = response.into_parts();
    let mut bytes = Vec::new();
    let read = body.into_reader().take(request.max_reply + 1).read_to_end(&mut bytes);
    let status = parts.status.as_u16();
    let is_success = parts.status.is_success();
    if let Err(error) = read {
        let lost = lost(connection, &Error::from(error));
        // Nothing is paid for an error.
        return Err(Failure { may_cost: is_success, ..lost });
    }
    if bytes.len() as u64 > request.max_reply {
        let why = format!("its reply is larger than {} KiB", request.max_reply / 1024);
        let hint = match connection.service {
            Service::Chat(_) => "griot config set model.max_output_tokens NUMBER, smaller than now",
            Service::Vectors(_) => "griot config set embedder.batch NUMBER, smaller than now",
            Service::Ranks(_) => FITTING,
        };
        return Err(Failure::new(FailureKind::TooLarge, why).hint(hint).may_cost());
    }
    if is_page(&parts.headers, &bytes) {
        let why = format!("the address of {} is a web page (status {status})", connection.name());
        return Err(no_interface(connection, why));
    }
    let reply = serde_json::from_slice::<Value>(&bytes);
    if is_success {
        return reply.map_err(|error| {
            let why = format!("{} answered something other than JSON: {error}", connection.name());
            Failure::new(FailureKind::Unreadable, why).hint(FITTING).may_cost()
        });
    }
    let reply = reply.unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()));
    Err(status_failure(connection, status, &parts.headers, &reply))
}

/// An address that something else answers.
fn no_interface(connection: &Connection, why: String) -> Failure {
    let form = match connection.service.model() {
        None => "is the one before `/rerank`",
        Some(ModelProvider::Openai) => "mostly ends in `/v1`",
        Some(ModelProvider::Azure) => "has the form https://NAME.openai.azure.com/openai/v1",
        Some(_) => "has no path",
    };
    let url = connection.service.setting("url");
    let hint = format!("{url} is {}; the address {form}", connection.base);
    Failure::new(FailureKind::NotAnInterface, why).hint(hint)
}

fn is_page(headers: &HeaderMap, bytes: &[u8]) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.to_ascii_lowercase().starts_with("text/html") || bytes.trim_ascii_start().starts_with(b"<")
}

/// What a status means.
fn status_failure(connection: &Connection, status: u16, headers: &HeaderMap, reply: &Value) -> Failure {
    let said = message(connection, reply);
    let has = |words: &[&str]| {
        let said = reply.to_string().to_lowercase();
        words.iter().any(|word| said.contains(word))
    };
    let shown = if said.is_empty() { format!("status {status}") } else { format!("status {status}, {said}") };
    let name = connection.name();
    let model = &connection.model;
    let service = connection.service;
    let set = |name: &str, value: &str| format!("griot config set {} {value}", service.setting(name));
    let shorter = || match service {
        Service::Chat(_) => "griot config set model.context_tokens NUMBER, smaller than now",
        Service::Vectors(_) => {
            "griot config set embedder.text_tokens NUMBER, smaller than now, or embedder.batch NUMBER"
        }
        Service::Ranks(_) => {
            "griot config set reranker.text_tokens NUMBER, smaller than now, or reranker.candidates NUMBER"
        }
    };
    let unknown_model = || {
        let hint = match service.model() {
            Some(ModelProvider::Ollama) => format!("ollama pull {model}, or {}", set("name", "NAME")),
            _ => set("name", "NAME"),
        };
        let why = format!("{name} does not know the model `{model}` (status {status})");
        Failure::new(FailureKind::UnknownModel, why).hint(hint)
    };
    let is_about_model = has(&["model", "deployment"])
        && has(&[
            "not found",
            "not_found",
            "does not exist",
            "not exist",
            "notfound",
            "not a valid model",
            "unknown model",
        ]);
    match status {
        300..=399 => no_interface(connection, format!("{name} redirects elsewhere (status {status})")),
        401 => wrong_key(connection, format!("{name} does not accept the key (status 401)")),
        400 if has(&["api_key_invalid", "api key not valid", "invalid api key", "incorrect api key"]) => {
            wrong_key(connection, format!("{name} does not accept the key (status 400)"))
        }
        400 if has(&["content_filter", "content management policy", "responsibleai"]) => {
            Failure::new(FailureKind::Refused, format!("{name} declined the text ({shown})"))
                .hint("ask something else; the same question is declined again")
        }
        403 => wrong_key(connection, format!("{name} does not allow this ({shown})")),
        400 | 404 | 422 if is_about_model => unknown_model(),
        404 | 405 => no_interface(connection, format!("{name} has no such path (status {status})")),
        429 if has(&["insufficient_quota", "billing"]) => Failure::new(
            FailureKind::Overloaded,
            format!("the account at {name} has no quota left ({shown})"),
        )
        .hint("look at the account's plan and billing"),
        402 => {
            Failure::new(FailureKind::Overloaded, format!("the account at {name} has no credit ({shown})"))
                .hint("look at the account's billing")
        }
        429 => Failure::new(FailureKind::Overloaded, format!("{name} has too many requests ({shown})"))
            .hint("try again later, or lower model.concurrency")
            .again(wanted_wait(headers)),
        _ if has(TOO_LONG) => {
            Failure::new(FailureKind::Rejected, format!("the request is too long for the model ({shown})"))
                .hint(shorter())
        }
        408 | 409 | 425 | 500 | 502..=504 | 520..=529 => {
            let failure = Failure::new(FailureKind::Unreachable, format!("{name} failed ({shown})"));
            failure.hint("try again later").again(wanted_wait(headers))
        }
        413 => {
            Failure::new(FailureKind::Rejected, format!("the request is too large ({shown})")).hint(shorter())
        }
        _ if matches!(service, Service::Vectors(_)) && has(&["dimension"]) => {
            let why = format!("`{model}` does not give these dimensions ({shown})");
            Failure::new(FailureKind::Rejected, why).hint(set("dimensions", "0, or a number that it gives"))
        }
        _ if has(&[
            "response_format",
            "json_schema",
            "structured output",
            "tool_choice",
            "responseschema",
        ]) =>
        {
            let why = format!("`{model}` takes no form for its reply ({shown})");
            Failure::new(FailureKind::Rejected, why)
                .hint("griot config set model.name NAME, of a model with structured output")
        }
        _ => Failure::new(FailureKind::Rejected, format!("{name} does not accept the request ({shown})"))
            .hint(FITTING),
    }
}

fn wrong_key(connection: &Connection, why: String) -> Failure {
    let (env, file) = (connection.service.setting("key_env"), connection.service.setting("key_file"));
    let hint = match connection.key {
        Some(_) => format!("check the variable of {env}, or the file of {file}"),
        None => format!("griot config set {env} VARIABLE, or {file} PATH"),
    };
    Failure::new(FailureKind::WrongKey, why).hint(hint)
}

/// The server's own words, on one line, without the key and other secrets.
fn message(connection: &Connection, reply: &Value) -> String {
    let paths = ["/error/message", "/error", "/message", "/detail"];
    let said = paths.iter().find_map(|path| reply.pointer(path)?.as_str()).or_else(|| reply.as_str());
    let said = said.unwrap_or_default();
    let said = connection.key.as_ref().map_or_else(|| said.to_string(), |key| key.removed_from(said));
    short(&said)
}

/// How long the server asks to wait; zero if it does not say. A date is not read: the clocks may differ.
fn wanted_wait(headers: &HeaderMap) -> Duration {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = number("retry-after-ms").map(|ms| ms / 1000.0).or_else(|| number(RETRY_AFTER.as_str()));
    Duration::try_from_secs_f64(seconds.unwrap_or(0.0)).unwrap_or(Duration::ZERO)
}

/// No response, or not all of it.
fn lost(connection: &Connection, error: &Error) -> Failure {
    let name = connection.name();
    let unreachable = |why: String| {
        let is_ollama = connection.service.model() == Some(ModelProvider::Ollama);
        let start = if is_ollama { "ollama serve; " } else { "" };
        let hint = format!("{start}{} is {}", connection.service.setting("url"), connection.base);
        Failure::new(FailureKind::Unreachable, why).hint(hint)
    };
    let no_connection = || unreachable(format!("{name} accepts no connection")).again(Duration::ZERO);
    match error {
        Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) | Error::ConnectionFailed => {
            no_connection()
        }
        Error::Timeout(_) => timed_out(connection).may_cost(),
        Error::HostNotFound => {
            let host = connection.base.host_str().unwrap_or_default();
            let set = format!("griot config set {} ADDRESS", connection.service.setting("url"));
            unreachable(format!("the host `{host}` of {name} does not exist")).hint(set)
        }
        // Nothing was sent before there was a connection.
        Error::Io(error) if is_before_sending(error.kind()) => no_connection(),
        // Errors of TLS arrive wrapped in I/O errors, and do not pass.
        Error::Io(error) if error.kind() == ErrorKind::InvalidData => {
            unreachable(format!("the connection to {name} is not secure: {}", short(&error.to_string())))
        }
        Error::Io(error) if error.kind() == ErrorKind::TimedOut => timed_out(connection).may_cost(),
        Error::Io(_) | Error::Protocol(_) => {
            unreachable(format!("the connection to {name} was cut")).again(Duration::ZERO).may_cost()
        }
        other => unreachable(format!("{name}: {}", short(&other.to_string()))),
    }
}

fn is_before_sending(kind: ErrorKind) -> bool {
    use ErrorKind::{AddrNotAvailable, ConnectionRefused, HostUnreachable, NetworkDown, NetworkUnreachable};
    matches!(kind, AddrNotAvailable | ConnectionRefused | HostUnreachable | NetworkDown | NetworkUnreachable)
}

pub(crate) fn timed_out(connection: &Connection) -> Failure {
    let why = format!("{} gave no complete reply in time", connection.name());
    let setting = connection.service.setting("timeout_ms");
    Failure::new(FailureKind::TimedOut, why).hint(format!("griot config set {setting} MILLISECONDS"))
}
