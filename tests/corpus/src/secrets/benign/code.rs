//! Programs and settings that speak about secrets and hold none, and keys that everybody knows from the
//! documents.

use super::Make;
use crate::Numbers;

pub(super) const TABLE: &[(&str, Make)] = &[
    ("rust", |n| some(n, RUST)),
    ("typescript", |n| some(n, TYPESCRIPT)),
    ("python", |n| some(n, PYTHON)),
    ("go and java", |n| some(n, GO_JAVA)),
    ("sql", |n| some(n, SQL)),
    ("shell", |n| some(n, SHELL)),
    ("yaml", |n| some(n, YAML)),
    ("env template", |n| some(n, TEMPLATE)),
    ("documented key", |n| some(n, DOCUMENTED)),
    ("address without password", |n| some(n, ADDRESSES)),
    ("long name", |n| some(n, NAMES)),
    ("log", |n| {
        let (id, at) = (n.hex(16), n.below(86_400));
        format!(
            "2026-03-0{} {at} INFO auth: token refreshed for user={} request={id}",
            1 + n.below(9),
            n.below(9999)
        )
    }),
    ("version", |n| {
        format!("\"@types/node\": \"^{}.{}.{}\",", n.below(30), n.below(20), n.below(9))
    }),
    ("test output", |n| format!("test auth::tests::rejects_expired_token_{} ... ok", n.below(999))),
    ("backtrace", |n| {
        format!("   {}: core::ops::function::FnOnce::call_once::h{}", n.below(40), n.hex(16))
    }),
    ("symbol", |n| {
        format!("_ZN4core3ptr85drop_in_place$LT$std..rt..lang_start$GT$17h{}E", n.hex(16))
    }),
];

fn some(numbers: &mut Numbers, lines: &[&str]) -> String {
    let number = numbers.below(99).to_string();
    numbers.pick(lines).replace('#', &number)
}

const RUST: &[&str] = &[
    "    let token = self.tokens.get(index#).ok_or(Error::MissingToken)?;",
    "pub struct ApiKey { key: [u8; 32], secret: SecretString, id#: KeyId }",
    "let password: String = prompt_password(\"Password: \")?;",
    "    Token::Ident(name#) => parser.expect(Token::Colon)?,",
    "assert_eq!(key.to_string(), \"key#\");",
    "const TOKEN_BYTES: usize = #;",
    "#[serde(rename = \"apiKey\")] api_key: Option<String>,",
    "fn verify(secret: &[u8], signature: &str) -> Result<(), AuthError> { inner#(secret) }",
    "let secret_key = env::var(\"SECRET_KEY\").expect(\"SECRET_KEY is set\");",
    "    .header(AUTHORIZATION, format!(\"Bearer {token}\"))",
];
const TYPESCRIPT: &[&str] = &[
    "const token = await getAccessToken({ audience: AUDIENCE_# });",
    "  apiKey: process.env.OPENAI_API_KEY!,",
    "export type Credentials = { username: string; password: string; otp#?: string };",
    "headers: { Authorization: `Bearer ${session.accessToken}` },",
    "if (event.key === 'ArrowDown' && index < #) {",
    "  const { data: secret } = useSecret(secretId#);",
    "<input type=\"password\" name=\"password\" autoComplete=\"current-password\" key={#} />",
    "const cacheKey = `user:${id}:profile:v#`;",
    "  password: z.string().min(8, 'Password must have at least # characters'),",
    "import { tokenize, TokenKind } from './lexer#';",
    "localStorage.setItem('auth_token', token);",
];
const PYTHON: &[&str] = &[
    "    token = os.environ[\"GITHUB_TOKEN\"]",
    "password = getpass.getpass(\"Password: \")",
    "tokenizer = AutoTokenizer.from_pretrained(\"bert-base-uncased\", max_length=#)",
    "SECRET_KEY = config(\"SECRET_KEY\", default=None)",
    "for key, value in sorted(items.items(), key=lambda item: item[#]):",
    "def hash_password(password: str, rounds: int = #) -> bytes:",
    "    api_key: str | None = field(default=None, metadata={\"env\": \"API_KEY\"})",
    "max_tokens=#, temperature=0.2, stop=[\"</answer>\"],",
    "assert response.json()[\"token_type\"] == \"bearer\"  # case #",
    "eos_token = \"<|endoftext|>\"; pad_token_id = 502#",
];
const GO_JAVA: &[&str] = &[
    "token, err := jwt.Parse(raw, keyFunc#)",
    "private static final String TOKEN_HEADER = \"X-Auth-Token\";",
    "password := flag.String(\"password\", \"\", \"the password of user #\")",
    "@Value(\"${spring.datasource.password}\") private String password#;",
    "secretKeyRef := &corev1.SecretKeySelector{Key: \"token\"}",
    "map.put(KEY_PREFIX + #, builder.setSecretName(name).build());",
    "if len(apiKey) == 0 { return nil, ErrMissingAPIKey# }",
];
const SQL: &[&str] = &[
    "CREATE TABLE api_keys (id uuid PRIMARY KEY, key_hash bytea NOT NULL, shard int DEFAULT #);",
    "SELECT token_id, expires_at FROM sessions WHERE user_id = # AND revoked = false;",
    "ALTER TABLE users ADD COLUMN password_hash varchar(#) NOT NULL;",
    "CREATE INDEX idx_tokens_#_on_user ON tokens (user_id, created_at DESC);",
    "FOREIGN KEY (secret_id) REFERENCES secrets (id) ON DELETE CASCADE -- #",
];
const SHELL: &[&str] = &[
    "export GITHUB_TOKEN=\"$(gh auth token)\"  # step #",
    "curl -fsSL -H \"Authorization: Bearer ${TOKEN}\" https://api.example.org/v#/me",
    "read -rsp 'Password: ' PASSWORD && echo #",
    "kubectl create secret generic db-# --from-file=password=./password.txt",
    "ssh-keygen -t ed25519 -f ~/.ssh/id_deploy_# -N ''",
    "docker run --rm -u 1000:1000 -e API_KEY -p 80#:80 app:latest",
    "PASSWORD_FILE=/run/secrets/db_password_# ./start.sh",
    "gh secret set NPM_TOKEN --body \"$NPM_TOKEN\" --repo acme/app#",
    "mysql -u root -p --port 33# < schema.sql",
];
const YAML: &[&str] = &[
    "          NPM_TOKEN: ${{ secrets.NPM_TOKEN }} # job #",
    "          key: ${{ runner.os }}-cargo-${{ hashFiles('**/Cargo.lock') }}-v#",
    "      valueFrom: { secretKeyRef: { name: db-#, key: password } }",
    "  passwordSecretName: postgres-credentials-#",
    "  token: !vault |  # line #",
    "tokenExpiration: #h",
    "password: \"{{ vault_db_password_# }}\"",
    "auth: { type: oauth2, tokenUrl: https://login.example.org/oauth2/v#/token }",
    "    keyboardInteractive: false # key #",
    "partition_key: customer_region_#",
];
const TEMPLATE: &[&str] = &[
    "DATABASE_PASSWORD=changeme#",
    "API_KEY=your-api-key-here-#",
    "SECRET_KEY=<generate with openssl rand -hex #>",
    "STRIPE_SECRET=sk_test_xxxxxxxxxxxxxxxxxxxxxxxx",
    "GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "ANTHROPIC_API_KEY=sk-ant-...",
    "AUTH_TOKEN=${AUTH_TOKEN_#:-}",
    "PASSWORD=********",
    "JWT_SECRET=",
    "API_TOKEN_TTL=36#",
    "LOG_LEVEL=debug,auth=trace,http=info#",
];
const DOCUMENTED: &[&str] = &[
    "aws_access_key_id = AKIAIOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "{\"AccessKeyId\": \"ASIAIOSFODNN7EXAMPLE\", \"page\": #}",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    "postgres://user:password@localhost:5432/db#",
    "mongodb://<username>:<password>@cluster#.example.mongodb.net/test",
    "curl -H 'Authorization: Bearer YOUR_API_KEY' https://api.example.org/v#",
    "api_key = \"0123456789abcdef0123456789abcdef\"",
    "token: abcdefghijklmnopqrstuvwxyz1234567890",
    "OPENAI_API_KEY=sk-your-key-here",
    "redis://:${REDIS_PASSWORD}@redis:6379/#",
];
const ADDRESSES: &[&str] = &[
    "postgres://localhost:5432/app_#",
    "git clone ssh://git@github.com:22/acme/app#.git",
    "https://example.org:8443/a/b/c#?x=1@2",
    "See https://docs.example.org/reference/authentication#api-keys.",
    "redis://cache-#.internal:6379/0",
    "mailto:security@example.org?subject=key%20rotation%20#",
    "http://127.0.0.1:41#/api/v1/stores/global/facts?limit=20",
    "jdbc:postgresql://db#.internal:5432/orders?user=app&ssl=true",
];
const NAMES: &[&str] = &[
    "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR = #",
    "AbstractSingletonProxyFactoryBeanConfigurationPostProcessor#",
    "com.example.identity.oauth2.RefreshTokenGrantAuthenticationProvider#",
    "test_that_an_expired_refresh_token_is_rejected_with_401_case_#",
    "/home/dev/projects/coffer/core/src/memory/secrets_and_tokens_#.rs",
    "org.apache.kafka.common.security.oauthbearer.internals.OAuthBearerSaslClient#",
    "HKEY_LOCAL_MACHINE\\\\SOFTWARE\\\\Microsoft\\\\Windows NT\\\\CurrentVersion#",
    "feature/ABC-12#-rotate-service-account-keys-in-staging-and-production",
];
