//! Mails: who, to whom, when; the text; what is attached, by name.

use mail_parser::mailbox::mbox::MessageIterator;
use mail_parser::{Address, Message, MessageParser, MimeHeaders as _};

use super::{Draft, Rejected, html};

pub(super) const ENGINE: &str = "mail-parser 0.11.9";

pub(super) fn convert(bytes: &[u8]) -> Result<Draft, Rejected> {
    let message = parse(bytes)?;
    let title = message.subject().map(str::to_owned);
    Ok(Draft { markdown: markdown(&message, 1)?, title, engine: ENGINE })
}

/// All mails of a box, each under its subject.
pub(super) fn convert_box(bytes: &[u8]) -> Result<Draft, Rejected> {
    let mut mails = Vec::new();
    for message in MessageIterator::new(bytes) {
        let message = message.map_err(|error| Rejected::Malformed(format!("{error:?}")))?;
        mails.push(markdown(&parse(message.contents())?, 2)?);
    }
    Ok(Draft { markdown: mails.join("\n\n"), title: None, engine: ENGINE })
}

fn parse(bytes: &[u8]) -> Result<Message<'_>, Rejected> {
    let message = MessageParser::default().parse(bytes);
    message
        .filter(|message| !message.headers().is_empty())
        .ok_or_else(|| Rejected::Malformed("it has no head of a mail".to_owned()))
}

fn markdown(message: &Message<'_>, level: usize) -> Result<String, Rejected> {
    let subject = message.subject().unwrap_or("(no subject)");
    let mut out = format!("{} {}\n\n", "#".repeat(level), html::line(subject)?);
    let rows = [
        ("From", message.from().map(people)),
        ("To", message.to().map(people)),
        ("Cc", message.cc().map(people)),
        ("Date", message.date().map(ToString::to_string)),
    ];
    let attached = message.attachments().filter_map(|part| part.attachment_name());
    let attached = attached.map(|name| ("Attachment", Some(name.to_owned())));
    for (name, value) in rows.into_iter().chain(attached) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            out.extend(["- ", name, ": ", &html::line(&value)?, "\n"]);
        }
    }
    out.push('\n');
    out.push_str(&body(message)?);
    Ok(out)
}

/// The page of a mail, else its text.
fn body(message: &Message<'_>) -> Result<String, Rejected> {
    let is_page = message.html_bodies().any(|part| part.is_text_html());
    if is_page && let Some(page) = message.body_html(0) {
        return Ok(html::page(&page)?.markdown);
    }
    Ok(message.body_text(0).map(|text| text.into_owned()).unwrap_or_default())
}

fn people(address: &Address<'_>) -> String {
    let one = |addr: &mail_parser::Addr<'_>| match (addr.name(), addr.address()) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        (name, address) => name.or(address).unwrap_or_default().to_owned(),
    };
    address.iter().map(one).collect::<Vec<_>>().join(", ")
}
