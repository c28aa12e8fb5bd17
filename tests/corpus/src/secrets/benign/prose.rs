//! What people write about secrets without telling one, in several languages, and other prose.

use super::Make;
use crate::Numbers;

pub(super) const TABLE: &[(&str, Make)] = &[
    ("about passwords", |n| some(n, PASSWORDS)),
    ("about tokens", |n| some(n, TOKENS)),
    ("notes", |n| some(n, NOTES)),
    ("chinese", |n| some(n, CHINESE)),
    ("japanese and korean", |n| some(n, JAPANESE_KOREAN)),
    ("european", |n| some(n, EUROPEAN)),
    ("markdown table", |n| {
        format!(
            "| `api_key` | string | required | the key of the provider, {} characters |",
            n.below(99)
        )
    }),
    ("front matter", |n| format!("tags: [auth, secrets, key-rotation, v{}]", n.below(9))),
];

fn some(numbers: &mut Numbers, lines: &[&str]) -> String {
    let number = numbers.below(99).to_string();
    numbers.pick(lines).replace('#', &number)
}

const PASSWORDS: &[&str] = &[
    "The password is hashed with argon2id, # iterations.",
    "A password must have 8-64 characters and at least 2 digits.",
    "My password is not accepted since release 1.#.",
    "The password is required, the passphrase is optional.",
    "Reset the password for user # under Settings > Security.",
    "Passwords are stored in 1Password, never in the repository.",
    "the password is base64-encoded, not encrypted",
    "I forgot my password again, ticket #",
    "password: required, minimum # characters",
    "Use a password manager; the PIN is printed on the card.",
    "The password is read from ~/.config/app/settings#.toml at start.",
];
const TOKENS: &[&str] = &[
    "The token is valid for #h and is refreshed in the background.",
    "The access token is a JWT signed with RS256.",
    "Rotate the API key every 90 days; the old key is kept for 24h.",
    "The key is user_id, the value is the session.",
    "Each request must carry the token in the X-Auth-Token header.",
    "The secret is that we cache the first # rows.",
    "The token for CI is stored in the vault under ci/deploy#.",
    "My key insight is to keep tokens in a ring buffer of size #.",
    "the api key is read from OPENAI_API_KEY",
    "Token usage: # input, 1204 output, 98.2% cached.",
    "The session key is derived with HKDF-SHA256 from the shared secret.",
];
const NOTES: &[&str] = &[
    "We deploy on Fridays only with a rollback plan (see ADR-00#).",
    "Port 54# is taken by the local Postgres; use 5433.",
    "Prefers pnpm over npm; Node 22.#; tabs in Makefiles.",
    "The build takes # minutes on a cold cache, 40 seconds on a warm one.",
    "Use `cargo nextest run -p core` instead of `cargo test`, issue #.",
    "Meeting on 2026-03-1# at 14:30 about the migration to v2.",
    "Phone extension 44# for the data center, room B12.",
];
const CHINESE: &[&str] = &[
    "部署到生产环境之前，请先运行所有测试用例，共 # 个。",
    "密码必须至少包含8个字符。",
    "令牌的有效期是#小时，过期后需要重新登录。",
    "数据库连接池的大小设置为#，不要修改。",
    "密码保存在保险库里，不要写进代码仓库。",
];
const JAPANESE_KOREAN: &[&str] = &[
    "パスワードは#日ごとに変更してください。",
    "パスワードは環境変数から読み込みます。",
    "デプロイの前にテストを実行する。手順は第#章を参照。",
    "비밀번호는 최소 8자 이상이어야 합니다.",
    "배포 전에 모든 테스트(#개)를 실행하세요.",
];
const EUROPEAN: &[&str] = &[
    "Das Passwort ist abgelaufen, bitte nach # Tagen neu setzen.",
    "Le mot de passe est obligatoire (# caractères au minimum).",
    "La contraseña es demasiado corta, mínimo # caracteres.",
    "Пароль должен содержать не менее # символов.",
    "A senha é obrigatória para o usuário #.",
];
