//! The challenge: a TCP peer shows that it is this home's Coffer before anything else is sent.
//!
//! Runs on the very connection that is used afterwards, so that nobody can take the port between
//! the proof and the token.

use std::io::{self, Read as _, Write as _};
use std::time::Duration;

use coffer_api::routes;
use coffer_api::session::{ProofOut, ProveIn};
use coffer_env::{ServerFile, clock};

use crate::stream::Stream;

/// How long a peer may take to prove itself.
const PATIENCE: Duration = Duration::from_secs(2);
/// A proof is short; more is not one.
const LIMIT: usize = 8 * 1024;

/// Whether the peer holds the token of `server`. Anything but a right answer in time is no.
pub(crate) fn holds_token(stream: &mut Stream, server: &ServerFile) -> bool {
    let nonce: [u8; 32] = clock::random();
    ask(stream, server.port, &nonce)
        .is_ok_and(|proof| proof.instance == server.instance && server.proven(&nonce, &proof.proof))
}

fn ask(stream: &mut Stream, port: u16, nonce: &[u8]) -> io::Result<ProofOut> {
    let body = serde_json::to_string(&ProveIn { nonce: hex::encode(nonce) })?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = format!(
        "POST {} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: application/json\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        routes::PROVE,
        body.len(),
    );
    stream.write_all(request.as_bytes())?;
    Ok(serde_json::from_slice(&answer(stream)?)?)
}

/// The body of a 200 reply that says its length.
fn answer(stream: &mut Stream) -> io::Result<Vec<u8>> {
    let deadline = clock::instant() + PATIENCE;
    let mut bytes = Vec::with_capacity(1024);
    loop {
        if let Some((head, length)) = head(&bytes)?
            && let Some(body) = bytes.get(head..head + length)
        {
            return Ok(body.to_vec());
        }
        let left = deadline.saturating_duration_since(clock::instant());
        if left.is_zero() || bytes.len() >= LIMIT {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        let mut more = [0; 1024];
        match stream.read(&mut more)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => bytes.extend_from_slice(&more[..count]),
        }
    }
}

/// Where the body begins and how long it is, once the whole head has arrived.
fn head(bytes: &[u8]) -> io::Result<Option<(usize, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut response = httparse::Response::new(&mut headers);
    let parsed = response.parse(bytes).map_err(io::Error::other)?;
    let httparse::Status::Complete(start) = parsed else { return Ok(None) };
    let length = response
        .headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case("content-length"))
        .and_then(|header| str::from_utf8(header.value).ok()?.trim().parse().ok())
        .filter(|length| *length <= LIMIT);
    match (response.code, length) {
        (Some(200), Some(length)) => Ok(Some((start, length))),
        _ => Err(io::Error::other("the peer does not answer the challenge")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_plain_reply_counts() {
        let whole = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(head(whole.as_bytes()).unwrap(), Some((38, 2)));
        assert_eq!(head(b"HTTP/1.1 200 OK\r\nContent-Le").unwrap(), None);
        for wrong in [
            "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n",
            "SSH-2.0-OpenSSH\r\n",
        ] {
            assert!(head(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
