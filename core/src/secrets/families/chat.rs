//! Tokens of chats, mail and telephony, and the addresses that are keys by themselves.

use crate::secrets::chance::is_placeholder;
use crate::secrets::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::token(
        "slack-token",
        &["xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xoxc-", "xoxd-"],
        r"^xox[abeoprscd]-[A-Za-z0-9%-]{10,}",
    ),
    Rule::token("slack-token", &["xoxe.xox"], r"^xoxe\.xox[bp]-\d-[A-Za-z0-9]{100,}"),
    Rule::token("slack-app-token", &["xapp-"], r"^xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]+"),
    Rule::token(
        "slack-webhook",
        &["hooks.slack.com/"],
        r"^hooks\.slack\.com/(?:services|workflows|triggers)/([\w/+-]{20,})",
    ),
    Rule::token("discord-webhook", &["/api/webhooks/"], r"^/api/webhooks/(\d{17,20}/[\w-]{60,})")
        .check(|candidate| !is_placeholder(&candidate.secret()[18..]))
        .back(0),
    Rule::token(
        "teams-webhook",
        &["webhook.office.com/"],
        r"^webhook\.office\.com/(webhookb2/[\w@/-]{60,})",
    ),
    Rule::token(
        "zapier-webhook",
        &["hooks.zapier.com/"],
        r"^hooks\.zapier\.com/(hooks/catch/\d+/\w{5,})",
    ),
    Rule::token("telegram-bot-token", &[":aa"], r"(?:^|\D)(\d{8,10}:AA[\w-]{33})")
        .back(11)
        .reach(40),
    Rule::token("twilio-key", &["sk"], r"^SK[a-f0-9]{32}")
        .check(|candidate| candidate.ends_word() && !is_placeholder(candidate.secret())),
    Rule::token("sendgrid-key", &["sg."], r"^SG\.[\w-]{22}\.[\w-]{43}"),
    Rule::token("mailgun-key", &["key-"], r"^key-[a-f0-9]{32}")
        .check(|candidate| candidate.ends_word() && !is_placeholder(candidate.secret())),
    Rule::token("mailchimp-key", &["-us"], r"^[a-f0-9]{32}-us\d{1,2}\b").back(32).reach(8),
    Rule::token("brevo-key", &["xkeysib-"], r"^xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    Rule::token("resend-key", &["re_"], r"^re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}").floor(3.5),
    Rule::token("facebook-token", &["eaa"], r"^EAA[A-Za-z0-9]{90,255}")
        .floor(4.0)
        .check(|candidate| candidate.is_alone()),
    Rule::token("x-bearer-token", &["aaaaaaaaaaaaaaaaaaaaa"], r"^A{21}[A-Za-z0-9%]{40,}")
        .floor(3.0)
        .check(|candidate| candidate.is_alone()),
];
