//! TLS connections that fail.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use griot_ingest::{CrawlMode, CrawlOptions, JobState};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::crawls::fast;
use crate::workspace::Workspace;

/// Passes each connection to the closure; returns the port.
fn listen(answer: impl Fn(TcpStream) + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || listener.incoming().flatten().for_each(answer));
    port
}

/// A server with an untrusted certificate.
fn self_signed() -> u16 {
    let made =
        rcgen::generate_simple_self_signed(["localhost".to_string(), "127.0.0.1".to_string()]).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let config = Arc::new(config);
    listen(move |stream| {
        let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
        let mut stream = StreamOwned::new(connection, stream);
        // The client disconnects during the handshake.
        let _ = stream.read(&mut [0; 1024]);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
    })
}

#[test]
fn what_is_not_secure_is_told_and_nothing_is_read() {
    let plain = listen(|mut stream| {
        let _ = stream.read(&mut [0; 1024]);
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
    });
    let silent = listen(drop);
    for (port, why) in [
        (self_signed(), "the connection is not secure: "),
        (plain, "the connection is not secure: "),
        (silent, ""),
    ] {
        let workspace = Workspace::new();
        let url = format!("https://127.0.0.1:{port}/page");
        let options = CrawlOptions { mode: CrawlMode::Single, timeout_ms: 2000, tries: 2, ..fast() };
        let job = workspace.crawl(&url, &options);
        assert_eq!(job.state, JobState::Failed);
        assert_eq!((job.counts.fetched, job.counts.failed), (0, 1), "{job:?}");
        assert_eq!(job.message.as_deref(), Some("no page could be fetched"));
        let is_named = job.errors.iter().any(|error| error.url == url && error.why.contains(why));
        assert!(is_named, "{:?}", job.errors);
        assert_eq!(workspace.engine.sources().unwrap().len(), 0);
    }
}
