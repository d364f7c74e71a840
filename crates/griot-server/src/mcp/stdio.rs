//! MCP on standard input and output, one message per line.
//!
//! Standard output carries the protocol only. A line that is not JSON, not UTF-8 or too long is answered
//! with an error and skipped; the process lives until its input ends.

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use griot::engine::McpSettings;
use griot::model::{Error, Result};
use rmcp::ServiceExt;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc, oneshot};

use super::{Tools, plain};
use crate::access::Caller;
use crate::limits::Limits;
use crate::service::Service;

/// Longest line, in bytes.
const MAX_LINE: usize = 32 * 1024 * 1024;
/// Time for writes in progress after the input has ended.
const SHUTDOWN_TIME: Duration = Duration::from_secs(30);

/// Time to write what was answered.
const WRITE_TIME: Duration = Duration::from_secs(2);

/// Serves one client until its input ends.
pub async fn serve(service: Arc<Service>, caller: Caller, settings: &McpSettings) -> Result<()> {
    let limits = Limits::new();
    let tools = Tools::new(Arc::clone(&service), Arc::clone(&limits), Some(caller), settings);
    let (stdio, written) = Stdio::open();
    let served = converse(tools, stdio).await;
    // With a handshake or without: the process must not end before its last answer is written.
    let _ = tokio::time::timeout(WRITE_TIME, written).await;
    served?;
    service.end_waiting();
    // Finish requests that arrived before the input ended.
    limits.close(SHUTDOWN_TIME).await;
    service.close();
    Ok(())
}

async fn converse(tools: Tools, stdio: Stdio) -> Result<()> {
    let failed = |why: String| Error::unavailable("serve MCP on stdio", why);
    match tools.serve(stdio).await {
        Ok(running) => running.waiting().await.map(|_| ()).map_err(|error| failed(error.to_string())),
        // The client disconnected before the handshake.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(failed(error.to_string())),
    }
}

/// Reads and writes lines in threads that may block.
struct Stdio {
    lines: mpsc::Receiver<Line>,
    output: mpsc::UnboundedSender<Vec<u8>>,
    open: Arc<OpenRequests>,
}

/// Requests that are not answered yet: the input may end before the last answer is written.
#[derive(Default)]
struct OpenRequests {
    count: AtomicUsize,
    answered: Notify,
}

impl OpenRequests {
    fn begin(&self) {
        self.count.fetch_add(1, Ordering::AcqRel);
    }

    fn end(&self) {
        // An answer to what was not counted, such as a malformed message, changes nothing.
        let less = |count: usize| count.checked_sub(1);
        let _ = self.count.fetch_update(Ordering::AcqRel, Ordering::Acquire, less);
        self.answered.notify_one();
    }

    /// Waits until all are answered.
    async fn wait(&self) {
        while self.count.load(Ordering::Acquire) > 0 {
            self.answered.notified().await;
        }
    }
}

enum Line {
    Whole(Vec<u8>),
    TooLong,
}

impl Stdio {
    /// With it, what completes when it was closed and everything was written.
    fn open() -> (Self, oneshot::Receiver<()>) {
        let (lines, received) = mpsc::channel(16);
        // A detached thread, because reading standard input cannot be cancelled.
        std::thread::spawn(move || {
            let mut input = std::io::stdin().lock();
            while let Some(line) = read_line(&mut input) {
                if lines.blocking_send(line).is_err() {
                    break;
                }
            }
        });
        let (output, mut waiting) = mpsc::unbounded_channel::<Vec<u8>>();
        let (done, written) = oneshot::channel();
        std::thread::spawn(move || {
            let mut stdout = std::io::stdout().lock();
            while let Some(line) = waiting.blocking_recv() {
                // The client closed its end.
                if stdout.write_all(&line).and_then(|()| stdout.flush()).is_err() {
                    break;
                }
            }
            let _ = done.send(());
        });
        (Self { lines: received, output, open: Arc::default() }, written)
    }

    fn refuse(&self, id: Value, code: i32, message: &str) {
        let error = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
        let _ = self.output.send(format!("{error}\n").into_bytes());
    }
}

/// The next line; `None` at the end. Skips lines that are too long.
fn read_line(input: &mut impl BufRead) -> Option<Line> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let piece = input.fill_buf().ok()?;
        if piece.is_empty() {
            return (!line.is_empty()).then_some(Line::Whole(line));
        }
        let end = piece.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(piece.len(), |end| end + 1);
        too_long |= line.len() + taken > MAX_LINE;
        if too_long {
            line.clear();
        } else {
            line.extend_from_slice(&piece[..taken]);
        }
        input.consume(taken);
        if end.is_some() {
            return Some(if too_long { Line::TooLong } else { Line::Whole(line) });
        }
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = std::io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = std::io::Result<()>> + Send + 'static {
        let (output, open) = (self.output.clone(), Arc::clone(&self.open));
        let is_answer = matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_));
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let sent = output.send(line).map_err(|_| std::io::ErrorKind::BrokenPipe.into());
            if is_answer {
                open.end();
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let line = match self.lines.recv().await {
                None => {
                    let _ = tokio::time::timeout(SHUTDOWN_TIME, self.open.wait()).await;
                    return None;
                }
                Some(Line::Whole(line)) => line,
                Some(Line::TooLong) => {
                    self.refuse(Value::Null, -32600, "cannot read the message: it is longer than 32 MiB");
                    continue;
                }
            };
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            if let Err(error) = std::str::from_utf8(line) {
                let message =
                    format!("cannot read the message: byte {} is not UTF-8", error.valid_up_to() + 1);
                self.refuse(Value::Null, -32700, &message);
                continue;
            }
            let value: Value = match serde_json::from_slice(line) {
                Ok(value) => value,
                Err(error) => {
                    self.refuse(Value::Null, -32700, &format!("cannot read the message: not JSON: {error}"));
                    continue;
                }
            };
            let id =
                value.get("id").filter(|id| id.is_string() || id.is_number()).cloned().unwrap_or_default();
            let problem = match value.get("method") {
                Some(method) => {
                    format!("cannot read the message: invalid parameters for the method {method}")
                }
                None => "cannot read the message: not a JSON-RPC 2.0 request".to_string(),
            };
            let value = match plain::message(value) {
                Ok(value) => value,
                Err(why) => {
                    self.refuse(id, -32602, &format!("cannot read the message: {why}"));
                    continue;
                }
            };
            match serde_json::from_value(value) {
                Ok(message) => {
                    if matches!(message, JsonRpcMessage::Request(_)) {
                        self.open.begin();
                    }
                    return Some(message);
                }
                Err(_) => self.refuse(id, -32600, &problem),
            }
        }
    }

    async fn close(&mut self) -> std::io::Result<()> {
        let (closed, _) = mpsc::unbounded_channel();
        // Dropping the sender ends the writer after the remaining lines.
        drop(std::mem::replace(&mut self.output, closed));
        Ok(())
    }
}
