//! Keys of payment and shop providers.

use crate::secrets::chance::is_placeholder;
use crate::secrets::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::token(
        "stripe-key",
        &["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"],
        r"^[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}",
    )
    // The key of Stripe's own documents.
    .check(|candidate| {
        !is_placeholder(candidate.secret())
            && !candidate.secret().ends_with(b"4eC39HqLyjWDarjtT1zdp7dc")
    })
    .floor(3.0),
    Rule::token("stripe-webhook-secret", &["whsec_"], r"^whsec_[A-Za-z0-9+/]{32,}"),
    Rule::token("square-token", &["sq0"], r"^sq0[a-z]{3}-[\w-]{22,43}"),
    Rule::token("square-token", &["eaaa"], r"^EAAA[\w-]{60}")
        .floor(4.0)
        .check(|candidate| candidate.is_alone()),
    Rule::token(
        "shopify-token",
        &["shpat_", "shpca_", "shppa_", "shpss_"],
        r"^shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
    ),
    Rule::token(
        "paypal-token",
        &["access_token$"],
        r"^access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}",
    ),
    Rule::token(
        "plaid-token",
        &["access-sandbox-", "access-production-", "access-development-"],
        r"^access-[a-z]+-[a-f0-9]{8}-[a-f0-9-]{27}",
    ),
    Rule::token("flutterwave-key", &["flwseck"], r"^FLWSECK(?:_TEST)?-[a-zA-Z0-9]{12,}(?:-X)?"),
    Rule::token("easypost-key", &["ezak", "eztk"], r"^EZ[AT]K[A-Za-z0-9]{54}"),
    Rule::token("shippo-token", &["shippo_"], r"^shippo_(?:live|test)_[a-f0-9]{40}"),
];
