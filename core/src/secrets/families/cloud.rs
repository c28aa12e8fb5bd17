//! Keys of clouds, hosts and databases.

use crate::secrets::chance::{is_placeholder, is_random};
use crate::secrets::rule::{Candidate, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule::token(
        "aws-access-key-id",
        &["akia", "asia", "abia", "acca"],
        r"^(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",
    )
    .check(whole_word),
    Rule::token("aws-bedrock-key", &["absk"], r"^ABSK[A-Za-z0-9+/]{109,}={0,2}"),
    Rule::token("aws-session-token", &["iqojb3jpz2lu"], r"^IQoJb3JpZ2lu[A-Za-z0-9+/]{80,}={0,2}")
        .reach(4096),
    Rule::named(
        "aws-secret-key",
        &["aws", "secret"],
        r"^(?i:aws|secret)[\w.-]{0,40}[^\w\n]{1,12}([A-Za-z0-9/+]{40})",
        "",
        |candidate| is_random(candidate.secret()) && ends_key(candidate),
    ),
    Rule::token("google-api-key", &["aiza"], r"^AIza[\w-]{35}"),
    Rule::token("google-oauth-secret", &["gocspx-"], r"^GOCSPX-[\w-]{28}"),
    Rule::token("google-oauth-token", &["ya29."], r"^ya29\.[\w-]{20,}"),
    Rule::token("google-refresh-token", &["1//0"], r"^1//0[\w-]{30,}"),
    Rule::token("azure-ad-secret", &["q~"], r"^[\w.~-]{3}\dQ~[\w.~-]{31,34}").back(4).reach(40),
    Rule::token(
        "azure-storage-key",
        &["accountkey=", "sharedaccesskey="],
        r"^(?i:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{42,86}={1,2})",
    ),
    Rule::token("azure-sas-signature", &["sig="], r"^sig=([A-Za-z0-9+/_-]{42,}=?)"),
    Rule::token(
        "digitalocean-token",
        &["doo_v1_", "dop_v1_", "dor_v1_"],
        r"^do[opr]_v1_[a-f0-9]{64}",
    ),
    Rule::token("cloudflare-token", &["cfut_", "cfat_", "cfk_"], r"^cf(?:ut|at|k)_[\w-]{40,}"),
    Rule::token("cloudflare-origin-key", &["v1.0-"], r"^v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    Rule::named(
        "cloudflare-token",
        &["cloudflare", "cf_"],
        r"^(?i:cloudflare|cf_)[\w .-]{0,32}[^\w\n]{1,12}([\w-]{37,40})",
        "",
        |candidate| is_random(candidate.secret()) && ends_key(candidate),
    ),
    Rule::token("alibaba-key-id", &["ltai"], r"^LTAI[A-Za-z0-9]{20}").check(whole_word),
    Rule::token("tencent-key-id", &["akid"], r"^AKID[A-Za-z0-9]{32}").check(whole_word),
    Rule::token("heroku-key", &["hrku-"], r"^HRKU-[\w-]{36,}"),
    Rule::token("fly-token", &["fo1_"], r"^fo1_[\w-]{43}"),
    Rule::token("fly-token", &["fm1r_", "fm1a_", "fm2_"], r"^fm(?:1[ar]|2)_[A-Za-z0-9+/=]{100,}")
        .reach(4096),
    Rule::token(
        "vercel-token",
        &["vcp_", "vck_", "vci_", "vca_", "vcr_"],
        r"^vc[pkiar]_[A-Za-z0-9]{24,}",
    ),
    Rule::token("netlify-token", &["nfp_"], r"^nfp_[A-Za-z0-9]{36,}"),
    Rule::token("render-key", &["rnd_"], r"^rnd_[A-Za-z0-9]{24,}"),
    Rule::token("supabase-key", &["sbp_"], r"^sbp_(?:oauth_)?[a-f0-9]{40}"),
    Rule::token("supabase-key", &["sb_secret_"], r"^sb_secret_[\w-]{20,}"),
    Rule::token("planetscale-token", &["pscale_"], r"^pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}"),
    Rule::token(
        "doppler-token",
        &["dp."],
        r"^dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,}",
    ),
    Rule::token("vault-token", &["hvs.", "hvb.", "hvr."], r"^hv[sbr]\.[\w-]{20,}"),
    Rule::token("terraform-token", &[".atlasv1."], r"^[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}")
        .back(14)
        .reach(160),
    Rule::token("pulumi-token", &["pul-"], r"^pul-[a-f0-9]{40}"),
    Rule::token("databricks-token", &["dapi"], r"^dapi[a-f0-9]{32}(?:-\d)?").check(whole_word),
    Rule::token("databricks-token", &["dose"], r"^dose[a-f0-9]{32}").check(whole_word),
    Rule::token("tailscale-key", &["tskey-"], r"^tskey-(?:[a-z]+-)?[A-Za-z0-9]{8,}-?[A-Za-z0-9]*"),
    Rule::token("neon-key", &["napi_"], r"^napi_[a-z0-9]{60,}"),
    Rule::token("upstash-key", &["upstash_"], r"^upstash_[A-Za-z0-9_-]{32,}"),
];

fn whole_word(candidate: &Candidate<'_>) -> bool {
    candidate.ends_word() && !is_placeholder(candidate.secret())
}

/// Forty characters are the whole of it.
fn ends_key(candidate: &Candidate<'_>) -> bool {
    let goes_on = |byte: u8| byte.is_ascii_alphanumeric() || b"/+=_-".contains(&byte);
    !is_placeholder(candidate.secret()) && !candidate.next().is_some_and(goes_on)
}
