//! Finding the running server of a home.

use coffer_env::{Home, ServerFile};

use crate::client::Client;
use crate::error::ClientError;
use crate::transport::Endpoint;

/// This program's version.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Which servers a client can talk to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Versions {
    /// Only one of the same version: typed calls.
    Same,
    /// Any: liveness, stopping, and MCP, which settles its version by itself.
    Any,
}

/// Connects to the running server: over its socket, else over TCP.
///
/// # Errors
///
/// When none runs, when its port is held by another program, when it is of another version, or
/// when it does not answer.
pub fn find(home: &Home, versions: Versions) -> Result<Client, ClientError> {
    let client = first(home, Client::greeted)?;
    if versions == Versions::Same && client.version() != VERSION {
        return Err(ClientError::Version { server: client.version().to_owned(), client: VERSION });
    }
    Ok(client)
}

/// Asks the running server at once, of whatever version it is: over its socket, else over TCP.
pub(crate) fn first<T>(
    home: &Home,
    ask: impl Fn(Client) -> Result<T, ClientError>,
) -> Result<T, ClientError> {
    let mut answer = Err(ClientError::NotRunning);
    for endpoint in endpoints(home) {
        answer = ask(Client::at(endpoint));
        if !matches!(answer, Err(ClientError::NotRunning)) {
            break;
        }
    }
    answer
}

fn endpoints(home: &Home) -> Vec<Endpoint> {
    let mut endpoints = Vec::with_capacity(2);
    #[cfg(unix)]
    endpoints.push(Endpoint::Socket(home.socket()));
    endpoints.extend(ServerFile::read(&home.server_file()).map(Endpoint::Tcp));
    endpoints
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use coffer_api::jobs::JobsOut;
    use coffer_api::session::{ProofOut, ProveIn};
    use coffer_api::status::HealthOut;
    use coffer_env::server_file::Owner;

    use super::*;
    use crate::client::Work;
    use crate::scripted::{Act, Script, Scripted, Seen};

    const TOKEN: &str = "0123456789abcdef-the-token";

    fn health(version: &str) -> Act {
        let name = "coffer".to_owned();
        let health = HealthOut { status: "ok".to_owned(), name, version: version.to_owned() };
        Act::json(200, &serde_json::to_string(&health).unwrap())
    }

    fn file(port: u16) -> ServerFile {
        ServerFile {
            pid: 1,
            port,
            token: TOKEN.to_owned(),
            instance: "first".to_owned(),
            version: VERSION.to_owned(),
            owner: Owner::Headless,
        }
    }

    fn write(home: &Home, server: &ServerFile) {
        std::fs::create_dir_all(home.run()).unwrap();
        std::fs::write(home.server_file(), serde_json::to_string(server).unwrap()).unwrap();
    }

    fn prove(seen: &Seen, server: &ServerFile) -> Act {
        let asked: ProveIn = serde_json::from_str(&seen.body).unwrap();
        let proof = server.proof(&hex::decode(asked.nonce).unwrap());
        let proof = ProofOut { proof, instance: server.instance.clone() };
        Act::json(200, &serde_json::to_string(&proof).unwrap())
    }

    #[test]
    fn the_socket_comes_first_and_needs_no_token() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let server = Scripted::unix(&home.socket(), |seen| match seen.path.as_str() {
            "/health" => health(VERSION),
            "/gone" => Act::Answer(204, Vec::new(), String::new()),
            "/slow?wait=1" => Act::json(
                202,
                r#"{"job":{"id":"j","kind":"reindex","store":null,"state":"running","progress":{"done":1,"total":2},"result":null,"error":null,"created_at":"t","finished_at":null}}"#,
            ),
            "/no" => Act::json(
                409,
                r#"{"error":{"code":"VERSION_CONFLICT","message":"changed","details":{}}}"#,
            ),
            _ => Act::json(200, r#"{"jobs":[]}"#),
        });
        write(&home, &file(server.port));
        let client = find(&home, Versions::Same).unwrap();
        assert_eq!(client.get::<JobsOut>("/jobs").unwrap(), JobsOut { jobs: Vec::new() });
        client.post::<()>("/gone").unwrap();
        let work: Work<JobsOut> = client.work("/slow", 1).unwrap();
        assert!(matches!(work, Work::Started(job) if job.id == "j"));
        let error = client.get::<JobsOut>("/no").unwrap_err();
        assert_eq!((error.exit_code(), error.to_string().as_str()), (3, "changed"));
        for seen in server.seen() {
            assert_eq!(seen.header("authorization"), None);
            let posts = seen.method == "POST";
            assert_eq!(seen.header("content-type"), posts.then_some("application/json"));
        }
    }

    #[test]
    fn nothing_there_is_not_running() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        assert!(matches!(find(&home, Versions::Any), Err(ClientError::NotRunning)));
        // What a crash leaves: a socket file and a server file without a server. Port 1 is nobody's,
        // while a port that was just left may be another test's a moment later.
        write(&home, &file(1));
        Scripted::unix(&home.socket(), |_| Act::Close).stop();
        assert!(matches!(find(&home, Versions::Any), Err(ClientError::NotRunning)));
        std::fs::write(home.server_file(), "{\"pid\":").unwrap();
        assert!(matches!(find(&home, Versions::Any), Err(ClientError::NotRunning)));
    }

    #[test]
    fn another_version_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let _server = Scripted::unix(&home.socket(), |_| health("99.0.0"));
        let error = find(&home, Versions::Same).unwrap_err();
        assert!(error.to_string().contains("99.0.0"), "{error}");
        assert_eq!(error.exit_code(), 5);
        assert_eq!(find(&home, Versions::Any).unwrap().version(), "99.0.0");
    }

    #[test]
    fn over_tcp_every_connection_is_proven_first() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let port = Arc::new(Mutex::new(0));
        let server = Scripted::tcp({
            let port = port.clone();
            move |seen| match seen.path.as_str() {
                "/api/v1/prove" => prove(seen, &file(*port.lock().unwrap())),
                "/health" => health(VERSION),
                _ => Act::json(200, r#"{"jobs":[]}"#),
            }
        });
        *port.lock().unwrap() = server.port;
        write(&home, &file(server.port));
        let client = find(&home, Versions::Same).unwrap();
        client.get::<JobsOut>("/jobs").unwrap();
        let seen = server.seen();
        let paths: Vec<&str> = seen.iter().map(|seen| seen.path.as_str()).collect();
        assert_eq!(paths, ["/api/v1/prove", "/health", "/api/v1/prove", "/jobs"]);
        assert_eq!(seen[3].header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
        assert_eq!(seen[3].header("host"), Some(format!("127.0.0.1:{}", server.port).as_str()));
    }

    #[test]
    fn who_squats_the_port_learns_nothing() {
        let other = || ServerFile { token: "another".to_owned(), ..file(1) };
        let right_answer_of_another = move |seen: &Seen| prove(seen, &other());
        let scripts: Vec<Box<Script>> = vec![
            Box::new(|_| health(VERSION)),
            Box::new(|_| Act::json(200, r#"{"proof":"00","instance":"first"}"#)),
            Box::new(|_| Act::json(200, r#"{"proof":"","instance":"first"}"#)),
            Box::new(right_answer_of_another),
            Box::new(|_| Act::Answer(302, vec![("Location", "/x".into())], String::new())),
            Box::new(|_| Act::Raw(b"SSH-2.0-x\r\n".to_vec())),
            Box::new(|_| Act::Raw(vec![b'x'; 100_000])),
            Box::new(|_| Act::Close),
            Box::new(|_| Act::Later(Duration::from_secs(5), Box::new(Act::Close))),
        ];
        for (case, script) in scripts.into_iter().enumerate() {
            let dir = tempfile::tempdir().unwrap();
            let home = Home::at(dir.path());
            let squatter = Scripted::tcp(script);
            write(&home, &file(squatter.port));
            let error = find(&home, Versions::Any).unwrap_err();
            assert!(matches!(error, ClientError::NotCoffer { .. }), "case {case}: {error:?}");
            assert_eq!(error.exit_code(), 6);
            let bytes = squatter.bytes.lock().unwrap().clone();
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains(TOKEN), "case {case}");
            assert!(!text.to_ascii_lowercase().contains("authorization"), "case {case}");
        }
    }
}
