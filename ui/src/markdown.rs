//! Markdown to HTML that cannot do anything: it comes from agents, so nobody vouches for it.
//!
//! Raw HTML becomes text, images become their description and address, only web and mail links
//! stay links, and no `style` attribute is written (the page's policy forbids them).

mod derived;

use coffer_api::hidden;
use pulldown_cmark::{Alignment, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use crate::markdown::derived::Derived;

pub(crate) use derived::PLACE;

const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_TASKLISTS).union(Options::ENABLE_STRIKETHROUGH);

/// HTML of `markdown`, its highest headings on the level `top` of the page. A first heading that
/// only repeats `title` is left out.
pub(crate) fn to_html(markdown: &str, title: &str, top: HeadingLevel) -> String {
    html_of(without_title(markdown, title), top, None)
}

/// As `to_html`; of a file of rules, where a comment says that the organizer made a rule of what agents
/// remembered: that is shown, with a button that names the rule by its place in the list beside it.
pub(crate) fn rules_to_html(markdown: &str, top: HeadingLevel) -> (String, Vec<String>) {
    let mut derived = Derived::default();
    let html = html_of(markdown, top, Some(&mut derived));
    (html, derived.rules)
}

/// One for both, because what writes the HTML is a good part of the program.
fn html_of(markdown: &str, top: HeadingLevel, mut derived: Option<&mut Derived>) -> String {
    let mut rewrite = Rewrite { highest: highest(markdown), top, closings: Vec::new() };
    let events = Parser::new_ext(markdown, OPTIONS).into_offset_iter().map(|(event, at)| {
        let mark = derived.as_mut().and_then(|derived| derived.mark(markdown, &event, at));
        mark.unwrap_or_else(|| rewrite.harmless(event))
    });
    let mut out = String::with_capacity(markdown.len() * 2);
    html::push_html(&mut out, events);
    // Both are done last: wide tables scroll by themselves, and text cannot hold a real `<table>`;
    // and characters that were written as entities are seen too.
    let out = out.replace("<table>", "<div class=\"table\" tabindex=\"0\"><table>");
    let out = out.replace("</table>", "</table></div>");
    hidden::expose(&out).into_owned()
}

/// The level of the highest heading.
fn highest(markdown: &str) -> usize {
    let levels = Parser::new_ext(markdown, OPTIONS).filter_map(|event| match event {
        Event::Start(Tag::Heading { level, .. }) => Some(level as usize),
        _ => None,
    });
    levels.min().unwrap_or(1)
}

/// The words of `markdown` without its marks, for one line in a list: a space joins blocks and
/// lines, comments are left out. A first heading that only repeats `title` is left out.
pub(crate) fn to_words(markdown: &str, title: &str) -> String {
    let mut words = String::with_capacity(markdown.len());
    for event in Parser::new_ext(without_title(markdown, title), OPTIONS) {
        match event {
            Event::Html(text) | Event::InlineHtml(text) if text.starts_with("<!--") => {}
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

/// Replaces what could load, run or navigate, and moves headings.
struct Rewrite {
    /// The level of the highest heading, and where it goes.
    highest: usize,
    top: HeadingLevel,
    /// The HTML that ends each open link and image.
    closings: Vec<String>,
}

impl Rewrite {
    fn harmless<'a>(&mut self, event: Event<'a>) -> Event<'a> {
        match event {
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
            Event::Start(tag) => self.start(tag),
            Event::End(TagEnd::HtmlBlock) => raw("</p>\n".to_owned()),
            Event::End(TagEnd::CodeBlock) => raw("</code></pre>\n".to_owned()),
            Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(self.moved(level))),
            Event::End(TagEnd::Link | TagEnd::Image) => {
                raw(self.closings.pop().unwrap_or_default())
            }
            Event::TaskListMarker(is_done) => {
                let sign = if is_done { '☑' } else { '☐' };
                raw(format!("<span class=\"task\">{sign}</span> "))
            }
            other => other,
        }
    }

    fn start<'a>(&mut self, tag: Tag<'a>) -> Event<'a> {
        match tag {
            Tag::HtmlBlock => raw("<p class=\"raw-html\">".to_owned()),
            // Reachable by keyboard, because long lines scroll inside of it.
            Tag::CodeBlock(_) => raw("<pre tabindex=\"0\"><code>".to_owned()),
            Tag::Heading { level, .. } => Event::Start(Tag::Heading {
                level: self.moved(level),
                id: None,
                classes: Vec::new(),
                attrs: Vec::new(),
            }),
            // An alignment would be written as a style attribute.
            Tag::Table(columns) => {
                Event::Start(Tag::Table(columns.iter().map(|_| Alignment::None).collect()))
            }
            Tag::Link { dest_url, .. } => self.open_link(&dest_url),
            Tag::Image { dest_url, .. } => {
                self.closings.push(address_after(&escape(&dest_url)));
                raw("<span class=\"image\">Image: ".to_owned())
            }
            other => Event::Start(other),
        }
    }

    fn moved(&self, level: HeadingLevel) -> HeadingLevel {
        let below = level as usize - self.highest;
        HeadingLevel::try_from(self.top as usize + below).unwrap_or(HeadingLevel::H6)
    }

    fn open_link<'a>(&mut self, address: &str) -> Event<'a> {
        let shown = escape(address);
        if is_web_or_mail(address) {
            self.closings.push("</a>".to_owned());
            return raw(format!(
                "<a href=\"{shown}\" title=\"{shown}\" target=\"_blank\" \
                 rel=\"noopener noreferrer\">"
            ));
        }
        self.closings.push(address_after(&shown));
        raw("<span class=\"dead-link\">".to_owned())
    }
}

fn address_after(shown: &str) -> String {
    format!(" <span class=\"address\">({shown})</span></span>")
}

fn is_web_or_mail(address: &str) -> bool {
    let scheme = address.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    matches!(scheme.as_deref(), Some("http" | "https" | "mailto"))
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

    fn to_html(markdown: &str, title: &str) -> String {
        super::to_html(markdown, title, HeadingLevel::H2)
    }

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
        assert!(html.starts_with("<div class=\"table\" tabindex=\"0\"><table>"), "{html}");
        let text = to_html("`<table>` &lt;table> <table>", "");
        assert!(!text.contains("<table"), "{text}");
    }

    #[test]
    fn the_highest_headings_stand_on_the_level_of_the_page() {
        for (markdown, top, html) in [
            ("# A\n\n###### F", HeadingLevel::H2, "<h2>A</h2>\n<h6>F</h6>\n"),
            ("## A\n\n### B", HeadingLevel::H2, "<h2>A</h2>\n<h3>B</h3>\n"),
            ("## A\n\n# B", HeadingLevel::H4, "<h5>A</h5>\n<h4>B</h4>\n"),
            ("##### A", HeadingLevel::H2, "<h2>A</h2>\n"),
        ] {
            assert_eq!(super::to_html(markdown, "", top), html);
        }
    }

    #[test]
    fn tasks_are_signs_and_code_is_reachable_by_keyboard() {
        let html = to_html("- [x] a\n- [ ] b", "");
        assert!(html.contains("<span class=\"task\">☑</span> a"), "{html}");
        assert!(html.contains("<span class=\"task\">☐</span> b"), "{html}");
        let html = to_html("```rust\n<b>\n```", "");
        assert_eq!(html, "<pre tabindex=\"0\"><code>&lt;b&gt;\n</code></pre>\n");
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
        assert_eq!(to_words("## x\n<!-- agent: a -->\n\ny", ""), "x y");
    }

    #[test]
    fn hidden_characters_are_shown_in_text_code_and_entities() {
        let html = to_html("a\u{200B}b `c\u{202E}d` &#x200D;e\n\n```\nf\u{E0041}\n```", "");
        for mark in ["a⟨U+200B⟩b", "c⟨U+202E⟩d", "⟨U+200D⟩e", "f⟨U+E0041⟩"] {
            assert!(html.contains(mark), "{mark} in {html}");
        }
    }
}
