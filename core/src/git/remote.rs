//! One form for all the ways to write the same remote: `host/path`, without credentials.

/// Ports that say no more than the scheme does.
const PLAIN_PORTS: [(&str, &str); 5] =
    [("ssh", "22"), ("git+ssh", "22"), ("https", "443"), ("http", "80"), ("git", "9418")];

/// Normalizes a remote's URL: no scheme, no user or password, no usual port, no `.git`, the host
/// in lower case. A path of this machine stays an absolute path; a relative one, and the form
/// `helper::address`, name nothing that could be compared and give `None`.
pub(super) fn normalize(url: &str) -> Option<String> {
    let url = url.trim();
    if let Some((scheme, rest)) = url.split_once("://") {
        return with_scheme(&scheme.to_ascii_lowercase(), rest);
    }
    let (before, path) = match url.split_once(':') {
        // `[::1]:path`, and a drive letter, which is no host.
        _ if url.starts_with('[') || url.contains("@[") => url.split_once("]:")?,
        Some((before, path)) if before.len() > 1 && !before.contains('/') => (before, path),
        _ => return local(url),
    };
    if path.starts_with(':') {
        return None;
    }
    remote(host_of(before), path)
}

fn with_scheme(scheme: &str, rest: &str) -> Option<String> {
    let (authority, path) = rest.split_once('/')?;
    if scheme == "file" {
        return local(&rest[authority.len()..]);
    }
    if scheme.contains("::") {
        return None;
    }
    // A query may hold a token.
    let path = if scheme.starts_with("http") { path.split(['?', '#']).next()? } else { path };
    let host = host_of(authority);
    let plain = PLAIN_PORTS.iter().find(|(name, _)| *name == scheme);
    let host = match (host.rsplit_once(':'), plain) {
        (Some((name, port)), Some((_, usual))) if port == *usual || port.is_empty() => name,
        _ => host,
    };
    remote(host, path)
}

/// What stands behind the user and password.
fn host_of(authority: &str) -> &str {
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

fn remote(host: &str, path: &str) -> Option<String> {
    let host = host.trim_matches(['[', ']']).to_lowercase();
    let path = stem(path);
    (!host.is_empty() && !path.is_empty()).then(|| format!("{host}/{path}"))
}

fn local(path: &str) -> Option<String> {
    let stem = stem(path);
    if path.get(1..2) == Some(":") {
        Some(stem)
    } else {
        (path.starts_with(['/', '\\']) && !stem.is_empty()).then(|| format!("/{stem}"))
    }
}

/// The path without slashes round it and without `.git`.
fn stem(path: &str) -> String {
    let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    let path = parts.join("/");
    let stem = path.strip_suffix("/.git").or_else(|| path.strip_suffix(".git")).unwrap_or(&path);
    stem.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_remote_has_one_form() {
        for url in [
            "https://github.com/Owner/Repo.git",
            "https://github.com/Owner/Repo",
            "https://user:p%40ss@GitHub.com:443/Owner/Repo.git/",
            "https://token@github.com//Owner/Repo/",
            "http://github.com:80/Owner/Repo",
            "ssh://git@github.com/Owner/Repo.git",
            "ssh://git@github.com:22/Owner/Repo.git",
            "git@github.com:Owner/Repo.git",
            "git@GITHUB.com:/Owner/Repo.git",
            "github.com:Owner/Repo",
            "git://github.com:9418/Owner/Repo.git",
            " git@github.com:Owner/Repo.git\n",
        ] {
            assert_eq!(normalize(url).as_deref(), Some("github.com/Owner/Repo"), "{url}");
        }
    }

    #[test]
    fn what_differs_stays_apart_and_no_secret_stays() {
        for (url, form) in [
            ("ssh://git@host:2222/a/b.git", Some("host:2222/a/b")),
            ("https://me:se:cr@et@host/a", Some("host/a")),
            ("https://host/a.git?private_token=secret", Some("host/a")),
            ("/srv/c#/a.git", Some("/srv/c#/a")),
            ("ssh://[::1]:22/a", Some("::1/a")),
            ("git@[::1]:a/b.git", Some("::1/a/b")),
            ("/srv/git/a.git", Some("/srv/git/a")),
            ("/home/me/a/.git", Some("/home/me/a")),
            ("file:///srv/git/a.git", Some("/srv/git/a")),
            ("C:\\code\\a.git", Some("C:/code/a")),
            ("C:/code/a", Some("C:/code/a")),
            ("../a.git", None),
            ("./host:path", None),
            ("ext::sh -c secret", None),
            ("https://host", None),
            ("https://host/", None),
            ("git@:a", None),
            ("", None),
        ] {
            assert_eq!(normalize(url).as_deref(), form, "{url}");
        }
    }
}
