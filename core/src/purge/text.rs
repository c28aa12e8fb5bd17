//! A text without what is to be taken out. Pure; every other byte stays.

use coffer_domain::frontmatter;

use super::finder::{Finder, MARK, NAME_MARK, PLAIN_MARK, Span};

/// What is taken out may leave what is wanted too.
const PASSES: usize = 8;

/// How a file is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A header, perhaps, and a text.
    Markdown,
    /// A header alone.
    Yaml,
    /// Anything else.
    Plain,
}

/// A file's bytes without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cleaned {
    pub bytes: Vec<u8>,
    /// Its header could be read before and cannot now.
    pub breaks: bool,
}

/// Takes it out of a file; `None` where it is not in it.
pub(super) fn clean(bytes: &[u8], form: Form, finder: &Finder) -> Option<Cleaned> {
    let mut now = bytes.to_vec();
    for _ in 0..PASSES {
        if !finder.is_in(&now) {
            break;
        }
        now = once(&now, form, finder);
    }
    let breaks = is_read(bytes, form) && !is_read(&now, form);
    (now != bytes).then_some(Cleaned { bytes: now, breaks })
}

/// Takes it out of a line of a table; `None` where it is not in it.
pub(super) fn clean_text(text: &str, finder: &Finder) -> Option<String> {
    let cleaned = clean(text.as_bytes(), Form::Plain, finder)?;
    Some(String::from_utf8_lossy(&cleaned.bytes).into_owned())
}

fn once(bytes: &[u8], form: Form, finder: &Finder) -> Vec<u8> {
    if bytes.contains(&0) {
        // Offsets count in a file that is no text.
        let mut masked = bytes.to_vec();
        for span in finder.spans(bytes) {
            masked[span.range].fill(b'*');
        }
        return masked;
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return marked(bytes, finder, |_| MARK) };
    match form {
        Form::Plain => marked(bytes, finder, |_| MARK),
        Form::Markdown => header_and_body(text, finder),
        Form::Yaml => {
            let (open, close) = fences(text);
            let whole = header_and_body(&format!("{open}{text}{close}"), finder);
            let inside = whole.strip_prefix(open.as_bytes());
            let inside = inside.and_then(|rest| rest.strip_suffix(close.as_bytes()));
            inside.map_or_else(|| marked(bytes, finder, |_| PLAIN_MARK), <[u8]>::to_vec)
        }
    }
}

fn fences(text: &str) -> (&'static str, &'static str) {
    if text.contains("\r\n") { ("---\r\n", "\r\n---\r\n") } else { ("---\n", "\n---\n") }
}

/// Values of the header are written anew, quoted as need be; elsewhere in it a mark stands that
/// means nothing in YAML.
fn header_and_body(text: &str, finder: &Finder) -> Vec<u8> {
    let mut text = text.to_owned();
    let (fields, _) = frontmatter::parse(&text);
    for key in fields.keys() {
        let Some(value) = fields.get_str(key) else { continue };
        let cleaned = marked(value.as_bytes(), finder, |_| MARK);
        let cleaned = String::from_utf8_lossy(&cleaned);
        if cleaned != value
            && let Ok(changed) = frontmatter::set_fields(&text, &[(key, Some(&cleaned))])
        {
            text = changed;
        }
    }
    let body = frontmatter::split(&text).body_start;
    marked(text.as_bytes(), finder, |span| if span.range.start < body { PLAIN_MARK } else { MARK })
}

fn marked(bytes: &[u8], finder: &Finder, mark: impl Fn(&Span) -> &'static str) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for span in finder.spans(bytes) {
        let mark = if span.in_path { NAME_MARK } else { mark(&span) };
        out.extend_from_slice(&bytes[at..span.range.start]);
        out.extend_from_slice(mark.as_bytes());
        at = span.range.end;
    }
    out.extend_from_slice(&bytes[at..]);
    out
}

/// Whether a header can be read, or there is none to be.
fn is_read(bytes: &[u8], form: Form) -> bool {
    let text = String::from_utf8_lossy(bytes);
    match form {
        Form::Plain => true,
        Form::Markdown => frontmatter::parse(&text).1.is_none(),
        Form::Yaml => {
            let (open, close) = fences(&text);
            frontmatter::parse(&format!("{open}{text}{close}")).1.is_none()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::finder::Wanted;
    use super::*;
    use crate::secrets::Custom;

    fn finder(text: &str) -> Finder {
        Finder::new(&Wanted::Text(text.to_owned()), &[], &Custom::default()).unwrap()
    }

    #[track_caller]
    fn check(wanted: &str, form: Form, before: &str, after: &str) {
        let cleaned = clean(before.as_bytes(), form, &finder(wanted)).unwrap();
        assert_eq!(String::from_utf8(cleaned.bytes).unwrap(), after);
        assert!(!cleaned.breaks, "{after}");
    }

    #[test]
    fn only_the_text_goes() {
        check("walnut", Form::Plain, "a walnut, walnuts\r\n", "a [purged], [purged]s\r\n");
        check(
            "部署流程",
            Form::Markdown,
            "\u{feff}服务器的部署流程。\r\n",
            "\u{feff}服务器的[purged]。\r\n",
        );
        check("a\nwalnut", Form::Plain, "1\r\na\r\nwalnut\r\n", "1\r\n[purged]\r\n");
        assert_eq!(clean(b"almond", Form::Plain, &finder("walnut")), None);
        let mixed = clean(b"\xff walnut \xfe", Form::Markdown, &finder("walnut")).unwrap();
        assert_eq!(mixed.bytes, b"\xff [purged] \xfe");
        let binary = clean(b"\0walnut\0", Form::Plain, &finder("walnut")).unwrap();
        assert_eq!(binary.bytes, b"\0******\0");
    }

    #[test]
    fn a_header_stays_one() {
        check(
            "walnut",
            Form::Markdown,
            "---\n# a walnut\ntitle: walnut is it\ndescription: \"the walnut\" # why\nmetadata:\n  agent: walnut\ntags:\n- walnut\n---\n\nA walnut.\n",
            "---\n# a (purged)\ntitle: \"[purged] is it\"\ndescription: \"the [purged]\" # why\nmetadata:\n  agent: (purged)\ntags:\n- (purged)\n---\n\nA [purged].\n",
        );
        check(
            "it's \"so\"",
            Form::Markdown,
            "\u{feff}---\r\ntitle: \"it's \\\"so\\\" here\"\r\n---\r\nit's \"so\"\r\n",
            "\u{feff}---\r\ntitle: \"[purged] here\"\r\n---\r\n[purged]\r\n",
        );
        check(
            "walnut",
            Form::Yaml,
            "label: walnut\nremote: a/walnut/b\n",
            "label: \"[purged]\"\nremote: a/[purged]/b\n",
        );
        check(
            "walnut",
            Form::Markdown,
            "[x](my-walnut-ab12cd.md) walnut",
            "[x](my-purged-ab12cd.md) [purged]",
        );
    }

    #[test]
    fn a_header_that_breaks_is_told() {
        let pattern =
            Finder::new(&Wanted::Pattern("title: walnut.*".to_owned()), &[], &Custom::default())
                .unwrap();
        let cleaned = clean(b"---\ntitle: walnut\n---\nx\n", Form::Markdown, &pattern).unwrap();
        assert_eq!(cleaned.bytes, b"---\n(purged)\n---\nx\n");
        assert!(cleaned.breaks);
        let broken = clean(b"---\na: [\n---\nwalnut\n", Form::Markdown, &finder("walnut")).unwrap();
        assert!(!broken.breaks, "it was before");
    }

    #[test]
    fn secrets_leave_marks_that_are_none() {
        let secrets = Finder::new(&Wanted::Secrets, &[], &Custom::default()).unwrap();
        let key = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
        let text = format!(
            "---\ntitle: the key {key}\nother:\n  password: hunter2-Walnut9x\n---\n\npassword = \"hunter2-Walnut9x\" and {key}\n"
        );
        let cleaned = clean(text.as_bytes(), Form::Markdown, &secrets).unwrap();
        let now = String::from_utf8(cleaned.bytes).unwrap();
        assert!(!now.contains(&key) && !now.contains("hunter2"), "{now}");
        assert_eq!(secrets.count(now.as_bytes()), 0, "{now}");
    }
}
