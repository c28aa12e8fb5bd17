//! Markdown to HTML that cannot do anything: it comes from agents, so nobody vouches for it.
//!
//! Raw HTML becomes text, images become their description and address, only web and mail links
//! stay links, and no `style` attribute is written (the page's policy forbids them).

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use crate::hidden;

const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_TASKLISTS).union(Options::ENABLE_STRIKETHROUGH);

/// HTML of `markdown`, its headings one level below those of the page. A first heading that only
/// repeats `title` is left out.
pub(crate) fn to_html(markdown: &str, title: &str) -> String {
    let markdown = without_title(markdown, title);
    let mut closings = Vec::new();
    let events = Parser::new_ext(markdown, OPTIONS).map(|event| harmless(event, &mut closings));
    let mut out = String::with_capacity(markdown.len() * 2);
    html::push_html(&mut out, events);
    // Done last, so that characters written as entities are seen too.
    hidden::expose(&out).into_owned()
}

/// The words of `markdown` without its marks, for one line in a list: blocks and lines are joined by
/// a space. A first heading that only repeats `title` is left out.
pub(crate) fn to_words(markdown: &str, title: &str) -> String {
    let mut words = String::with_capacity(markdown.len());
    for event in Parser::new_ext(without_title(markdown, title), OPTIONS) {
        match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                words.push_str(&text);
            }
            Event::SoftBreak
            | Event::HardBreak
            | Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::Item
                | TagEnd::TableCell
                | TagEnd::CodeBlock
                | TagEnd::HtmlBlock,
            ) if !words.ends_with(char::is_whitespace) => words.push(' '),
            _ => {}
        }
    }
    hidden::expose(words.trim()).into_owned()
}

fn without_title<'a>(markdown: &'a str, title: &str) -> &'a str {
    let text = markdown.trim_start();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let is_title = first.strip_prefix("# ").is_some_and(|heading| heading.trim() == title.trim());
    if is_title && !title.trim().is_empty() { rest } else { markdown }
}

/// Replaces what could load, run or navigate. `closings` holds the HTML that ends each open link
/// and image.
fn harmless<'a>(event: Event<'a>, closings: &mut Vec<String>) -> Event<'a> {
    match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::HtmlBlock) => raw("<p class=\"raw-html\">".to_owned()),
        Event::End(TagEnd::HtmlBlock) => raw("</p>\n".to_owned()),
        Event::Start(Tag::Heading { level, .. }) => Event::Start(Tag::Heading {
            level: below(level),
            id: None,
            classes: Vec::new(),
            attrs: Vec::new(),
        }),
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(below(level))),
        Event::Start(Tag::Table(columns)) => Event::Start(Tag::Table(
            columns.iter().map(|_| pulldown_cmark::Alignment::None).collect(),
        )),
        Event::Start(Tag::Link { dest_url, .. }) => open_link(&dest_url, closings),
        Event::Start(Tag::Image { dest_url, .. }) => open_image(&dest_url, closings),
        Event::End(TagEnd::Link | TagEnd::Image) => raw(closings.pop().unwrap_or_default()),
        other => other,
    }
}

fn open_link<'a>(address: &str, closings: &mut Vec<String>) -> Event<'a> {
    let shown = escape(address);
    if is_web_or_mail(address) {
        closings.push("</a>".to_owned());
        return raw(format!(
            "<a href=\"{shown}\" title=\"{shown}\" target=\"_blank\" rel=\"noopener noreferrer\">"
        ));
    }
    closings.push(address_after(&shown));
    raw("<span class=\"dead-link\">".to_owned())
}

fn open_image<'a>(address: &str, closings: &mut Vec<String>) -> Event<'a> {
    closings.push(address_after(&escape(address)));
    raw("<span class=\"image\">Image: ".to_owned())
}

fn address_after(shown: &str) -> String {
    format!(" <span class=\"address\">({shown})</span></span>")
}

fn is_web_or_mail(address: &str) -> bool {
    let scheme = address.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    matches!(scheme.as_deref(), Some("http" | "https" | "mailto"))
}

fn below(level: HeadingLevel) -> HeadingLevel {
    HeadingLevel::try_from(level as usize + 1).unwrap_or(HeadingLevel::H6)
}

/// HTML of our own making, which passes unchanged.
fn raw<'a>(html: String) -> Event<'a> {
    Event::InlineHtml(CowStr::from(html))
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_html_is_shown_as_text() {
        let html = to_html("<script>alert(1)</script>\n\nhi <img src=x onerror=y>", "");
        assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{html}");
        assert!(html.contains("&lt;img src=x onerror=y&gt;"), "{html}");
        assert!(!html.contains("<script") && !html.contains("<img"), "{html}");
    }

    #[test]
    fn only_web_and_mail_links_stay_links() {
        for address in ["https://a.b/c?d=1&e", "HTTP://a.b", "mailto:a@b.c"] {
            let html = to_html(&format!("[x]({address})"), "");
            assert!(html.contains("target=\"_blank\" rel=\"noopener noreferrer\">x</a>"), "{html}");
        }
        for address in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "vbscript:x",
            "//evil.example/x",
            "other.md",
            "&#106;avascript:x",
        ] {
            let html = to_html(&format!("[x]({address})"), "");
            assert!(!html.contains("<a") && !html.contains("href"), "{html}");
            assert!(html.contains("<span class=\"dead-link\">x "), "{html}");
        }
    }

    #[test]
    fn an_address_cannot_leave_its_attribute() {
        let html = to_html("[x](<https://a/\" onclick=\"y>)", "");
        assert!(html.contains("href=\"https://a/&quot; onclick=&quot;y\""), "{html}");
    }

    #[test]
    fn an_image_is_its_description_and_address() {
        let html = to_html("![a *cat*](https://evil.example/t.png \"t\")", "");
        assert_eq!(
            html,
            "<p><span class=\"image\">Image: a <em>cat</em> \
             <span class=\"address\">(https://evil.example/t.png)</span></span></p>\n"
        );
    }

    #[test]
    fn nested_images_and_links_are_closed_in_order() {
        let html = to_html("[![alt](i.png) text](https://a.b) after", "");
        assert!(html.contains("(i.png)</span></span> text</a> after"), "{html}");
    }

    #[test]
    fn tables_have_no_style_attribute() {
        let html = to_html("|a|b|\n|:-|-:|\n|1|2|", "");
        assert!(html.contains("<td>1</td>") && !html.contains("style"), "{html}");
    }

    #[test]
    fn headings_go_one_level_down() {
        assert_eq!(to_html("# A\n\n###### F", ""), "<h2>A</h2>\n<h6>F</h6>\n");
    }

    #[test]
    fn a_heading_that_repeats_the_title_is_left_out() {
        assert_eq!(to_html("\n# Deploys\n\nText", "Deploys"), "<p>Text</p>\n");
        assert_eq!(to_html("# Deploys", "Builds"), "<h2>Deploys</h2>\n");
        assert_eq!(to_html("# ", ""), "<h2></h2>\n");
    }

    #[test]
    fn words_are_without_marks() {
        let text = "# T\n\nUse `make` **now**,\nor [later](x).\n\n- a\n- b\n\n|c|d|\n|-|-|\n|1|2|";
        assert_eq!(to_words(text, "T"), "Use make now, or later. a b c d 1 2");
        assert_eq!(to_words("a\u{200B}b <i>c</i>", ""), "a⟨U+200B⟩b <i>c</i>");
    }

    #[test]
    fn hidden_characters_are_shown_in_text_code_and_entities() {
        let html = to_html("a\u{200B}b `c\u{202E}d` &#x200D;e\n\n```\nf\u{E0041}\n```", "");
        for mark in ["a⟨U+200B⟩b", "c⟨U+202E⟩d", "⟨U+200D⟩e", "f⟨U+E0041⟩"] {
            assert!(html.contains(mark), "{mark} in {html}");
        }
    }
}
