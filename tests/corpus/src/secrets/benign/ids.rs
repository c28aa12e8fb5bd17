//! Hashes, ids and lines of lock files.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::Make;

pub(super) const TABLE: &[(&str, Make)] = &[
    ("git log", |n| {
        let (hash, subject) = (n.hex(40), n.pick(SUBJECTS));
        match n.below(4) {
            0 => format!("commit {hash}"),
            1 => format!("{} {subject}", &hash[..9]),
            2 => format!("{hash} refs/heads/main"),
            _ => format!("index {}..{} 100644", &hash[..7], &hash[8..15]),
        }
    }),
    ("bare hash", |n| {
        let length = [32, 40, 64, 128][n.below(4)];
        n.hex(length)
    }),
    ("ulid", |n| {
        let id = n.ulid();
        match n.below(5) {
            0 => id,
            1 => format!("id: {id}"),
            2 => format!("key: \"{id}\""),
            3 => format!("see facts/{id}.md"),
            _ => format!("{{\"token\":\"{id}\"}}"),
        }
    }),
    ("uuid", |n| {
        let id = n.uuid();
        match n.below(4) {
            0 => id,
            1 => format!("  \"id\": \"{id}\","),
            2 => format!("request_id={id} status=200"),
            _ => format!("sessionId: {id}"),
        }
    }),
    ("cargo lock", |n| match n.below(2) {
        0 => format!("checksum = \"{}\"", n.hex(64)),
        _ => "source = \"registry+https://github.com/rust-lang/crates.io-index\"".to_owned(),
    }),
    ("npm lock", |n| {
        let digest = STANDARD.encode(n.bytes(64));
        format!("      \"integrity\": \"sha512-{digest}\",")
    }),
    ("npm lock, sha1", |n| {
        let digest = STANDARD.encode(n.bytes(20));
        format!("    \"integrity\": \"sha1-{digest}\"")
    }),
    ("yarn lock", |n| {
        let digest = STANDARD.encode(n.bytes(64));
        format!("  integrity sha512-{digest}")
    }),
    ("yarn berry", |n| format!("  checksum: 10c0/{}", n.hex(128))),
    ("pnpm lock", |n| {
        let digest = STANDARD.encode(n.bytes(64));
        format!("    resolution: {{integrity: sha512-{digest}}}")
    }),
    ("go sum", |n| {
        let digest = STANDARD.encode(n.bytes(32));
        format!("github.com/pkg/errors v0.9.{} h1:{digest}", n.below(9))
    }),
    ("pip hash", |n| format!("    --hash=sha256:{} \\", n.hex(64))),
    ("poetry lock", |n| {
        format!("    {{file = \"six-1.16.0.tar.gz\", hash = \"sha256:{}\"}},", n.hex(64))
    }),
    ("nix", |n| {
        let digest = STANDARD.encode(n.bytes(32));
        match n.below(2) {
            0 => format!("  hash = \"sha256-{digest}\";"),
            _ => format!(
                "/nix/store/{}-glibc-2.39/lib",
                n.text("0123456789abcdfghijklmnpqrsvwxyz", 32)
            ),
        }
    }),
    ("image digest", |n| format!("FROM alpine:3.20@sha256:{}", n.hex(64))),
    ("asset name", |n| {
        let hash = n.text(crate::numbers::URL_SAFE, 8);
        format!("dist/assets/index-{hash}.js  41.{} kB", n.below(99))
    }),
    ("hash in a variable", |n| {
        let name = n.pick(&["GIT_COMMIT", "IMAGE_SHA", "BUILD_ID", "SOURCE_REV", "CACHE_KEY_HASH"]);
        format!("{name}={}", n.hex(40))
    }),
    ("etag", |n| format!("ETag: W/\"{}\"", n.hex(32))),
    ("trace id", |n| {
        let (trace, span) = (n.hex(32), n.hex(16));
        format!("traceparent: 00-{trace}-{span}-01")
    }),
    ("aws arn", |n| {
        format!("arn:aws:iam::{}:role/deploy-{}", n.text("0123456789", 12), n.below(99))
    }),
    ("object id", |n| format!("{{\"_id\": ObjectId(\"{}\")}}", n.hex(24))),
    ("bitcoin block", |n| format!("0x{}", n.hex(64))),
    ("mac and ip", |n| {
        let mac: Vec<String> = (0..6).map(|_| n.hex(2)).collect();
        format!(
            "link/ether {} inet6 fe80::{}:{}ff:fe{}/64",
            mac.join(":"),
            n.hex(4),
            n.hex(2),
            n.hex(2)
        )
    }),
    ("ssh fingerprint", |n| {
        let digest = STANDARD.encode(n.bytes(32));
        format!("256 SHA256:{} dev@host (ED25519)", digest.trim_end_matches('='))
    }),
    ("ssh public key", |n| {
        let key = STANDARD.encode(n.bytes(51));
        format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{key} dev@host")
    }),
];

const SUBJECTS: &[&str] = &[
    "fix: rotate the access token before it expires",
    "server: read the secret from the environment",
    "docs: say how to reset a password",
    "chore(deps): bump base64 from 0.21 to 0.22",
    "auth: compare keys in constant time",
];
