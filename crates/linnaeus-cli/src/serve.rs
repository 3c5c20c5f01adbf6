//! `linnaeus serve`: the page from within the command, to this machine alone. No file is opened: what is not in the table
//! does not exist.

use crate::arguments::ServeArguments;
use crate::{complain, print};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::ExitCode;
use std::time::Duration;

/// A path below the page's address, and what is there.
type File = (&'static str, &'static [u8]);

/// The page, if it was built in.
static PAGE: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// A request longer than this is none.
const REQUEST: usize = 8192;
/// Nobody waits longer than this for a request or an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Answers until it is stopped.
pub fn run(arguments: &ServeArguments) -> ExitCode {
    if PAGE.is_empty() {
        return complain("this command was built without the page; `cargo xtask serve` builds and serves it");
    }
    let (listener, port) = match listen(arguments.port) {
        Ok(found) => found,
        Err(e) => {
            return complain(&format!(
                "cannot listen at port {}: {e}; another one is chosen with --port",
                arguments.port
            ));
        }
    };
    print(&format!("http://127.0.0.1:{port}/\n"));
    for stream in listener.incoming().flatten() {
        std::thread::spawn(move || drop(serve(stream)));
    }
    ExitCode::SUCCESS
}

fn listen(port: u16) -> std::io::Result<(TcpListener, u16)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let port = listener.local_addr()?.port();
    Ok((listener, port))
}

fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut request = Vec::new();
    let mut part = [0; 1024];
    while !request.windows(4).any(|w| w == b"\r\n\r\n") && request.len() < REQUEST {
        match stream.read(&mut part)? {
            0 => break,
            n => request.extend_from_slice(&part[..n]),
        }
    }
    let (head, body) = respond(&request, PAGE);
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)
}

/// The head and the body of the answer to a request.
fn respond(request: &[u8], files: &[File]) -> (String, &'static [u8]) {
    let line = request.split(|b| *b == b'\r').next().unwrap_or_default();
    let words: Vec<&[u8]> = line.split(|b| *b == b' ').collect();
    let (status, kind, body): (&str, &str, &'static [u8]) = match words[..] {
        [b"GET" | b"HEAD", target, b"HTTP/1.0" | b"HTTP/1.1"] => match find(target, files) {
            Some((name, body)) => ("200 OK", mime(name), body),
            None => ("404 Not Found", "text/plain", b"There is nothing here.\n"),
        },
        [_, _, b"HTTP/1.0" | b"HTTP/1.1"] => ("405 Method Not Allowed", "text/plain", b"Only GET is answered.\n"),
        _ => ("400 Bad Request", "text/plain", b"This is no request.\n"),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        body.len()
    );
    (head, if words[0] == b"HEAD" { &[] } else { body })
}

/// The file at a path; a folder is its index.
fn find(target: &[u8], files: &[File]) -> Option<File> {
    let path = target.split(|b| *b == b'?').next()?;
    let name = std::str::from_utf8(path).ok()?.strip_prefix('/')?;
    let name = if name.is_empty() { "index.html" } else { name };
    files.iter().copied().find(|(own, _)| *own == name)
}

fn mime(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        Some("woff") => "font/woff",
        Some("ttf") => "font/ttf",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: &[File] = &[("index.html", b"<p>"), ("assets/a.wasm", b"\0asm")];

    fn answer(request: &str) -> (String, &'static [u8]) {
        let (head, body) = respond(request.as_bytes(), FILES);
        (head.lines().next().unwrap_or_default().to_string() + head.lines().nth(1).unwrap_or_default(), body)
    }

    #[test]
    fn files_have_their_types() {
        let (head, body) = answer("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        assert!(head.contains("200") && head.contains("text/html"), "{head}");
        assert_eq!(body, b"<p>");
        let (head, body) = answer("GET /assets/a.wasm?v=1 HTTP/1.1\r\n\r\n");
        assert!(head.contains("200") && head.contains("application/wasm"), "{head}");
        assert_eq!(body, b"\0asm");
        let (head, body) = answer("HEAD / HTTP/1.1\r\n\r\n");
        assert!(head.contains("200") && body.is_empty());
    }

    #[test]
    fn nothing_else_is_found() {
        for path in [
            "/../Cargo.toml",
            "/assets/../../Cargo.toml",
            "/%2e%2e/Cargo.toml",
            "//index.html",
            "/assets",
            "/\u{e9}",
            "*",
        ] {
            assert!(answer(&format!("GET {path} HTTP/1.1\r\n\r\n")).0.contains("404"), "{path}");
        }
        assert!(answer("POST / HTTP/1.1\r\n\r\n").0.contains("405"));
        for nonsense in ["", "GET", "GET / SPDY\r\n", "\0\0\0", "GET /"] {
            assert!(answer(nonsense).0.contains("400"), "{nonsense:?}");
        }
    }
}
