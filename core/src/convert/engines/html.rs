//! Web pages, and whatever other engines write as HTML: one place decides how a heading, a list, a table, a
//! link becomes Markdown.

mod handlers;
mod table;
mod tree;

use encoding_rs::Encoding;
use htmd::HtmlToMarkdown;
use htmd::options::{BrStyle, BulletListMarker, HrStyle, Options};

use super::markup::{Inline, Markup};
use super::{Draft, Rejected, text};

pub(super) const ENGINE: &str = "htmd 0.5.6";

/// Where a page says what its bytes mean.
const HEAD: usize = 2048;

/// A page.
pub(super) fn convert(bytes: &[u8]) -> Result<Draft, Rejected> {
    let page = page(&decode(bytes)?)?;
    Ok(Draft { markdown: page.markdown, title: page.title, engine: ENGINE })
}

/// A page as Markdown.
pub(super) struct Page {
    pub(super) markdown: String,
    pub(super) title: Option<String>,
}

pub(super) fn page(html: &str) -> Result<Page, Rejected> {
    let converter = converter();
    let root =
        converter.html_to_tree(html).map_err(|error| Rejected::Malformed(error.to_string()))?;
    tree::bounded(&root)?;
    let title = tree::title(&root);
    // A tree that is let go of takes its branches along, whoever else holds them.
    let main = tree::main(&root);
    let read = main.as_ref().unwrap_or(&root);
    tree::tidy(read);
    Ok(Page { markdown: converter.tree_to_markdown(read), title })
}

/// A text as one line of Markdown, its signs escaped.
pub(super) fn line(text: &str) -> Result<String, Rejected> {
    let mut markup = Markup::default();
    markup.paragraph(&Inline::of(text));
    Ok(page(&markup.finish())?.markdown)
}

fn converter() -> HtmlToMarkdown {
    let options = Options {
        bullet_list_marker: BulletListMarker::Dash,
        br_style: BrStyle::Backslash,
        hr_style: HrStyle::Dashes,
        ul_bullet_spacing: 1,
        ol_number_spacing: 1,
        ..Options::default()
    };
    HtmlToMarkdown::builder()
        .options(options)
        .add_handler(vec!["a"], handlers::link)
        .add_handler(vec!["img"], handlers::image)
        .add_handler(vec!["pre"], handlers::code)
        .add_handler(vec!["sup", "aside"], handlers::note)
        .add_handler(vec!["table"], table::table)
        .build()
}

/// The text of a page: as it says itself, else as texts are read.
fn decode(bytes: &[u8]) -> Result<String, Rejected> {
    let named = if Encoding::for_bom(bytes).is_some() { None } else { named(bytes) };
    match named {
        Some(encoding) => Ok(encoding.decode_without_bom_handling(bytes).0.into_owned()),
        None => text::decode(bytes),
    }
}

/// The charset that a page names at its beginning.
fn named(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]).to_ascii_lowercase();
    let at = head.find("charset=").map(|at| at + "charset=".len());
    let at = at.or_else(|| head.find("encoding=").map(|at| at + "encoding=".len()))?;
    let label = head[at..].trim_start_matches(['"', '\'', ' ']);
    let end = label.find(|char: char| !char.is_ascii_alphanumeric() && !"-_:".contains(char));
    Encoding::for_label(&label.as_bytes()[..end?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markdown(html: &str) -> String {
        page(html).unwrap().markdown
    }

    #[test]
    fn a_page_without_its_clutter() {
        let html = "<title>T &amp; U</title><style>p{}</style><nav><a href=/>Home</a></nav>\
            <h1>Guide<a href='#g'>¶</a></h1><p>Go <a href='https://a.b/c'>on</a>, \
            <b>now</b> *or* never<script>x()</script></p><hr><footer>Cookies</footer>\
            <ul><li>One<ul><li>Two</ul><li>Three</ul><ol><li>x<li>y</ol>\
            <img src='data:image/png;base64,AAAA' alt='A quay'>";
        let page = page(html).unwrap();
        assert_eq!(page.title.as_deref(), Some("T & U"));
        insta::assert_snapshot!(page.markdown, @r"
        # Guide

        Go [on](https://a.b/c), **now** \*or\* never

        - - -

        - One
          - Two
        - Three

        1. x
        2. y

        A quay
        ");
    }

    #[test]
    fn what_the_page_is_about_is_enough() {
        let html = "<h2>Help</h2><ul><li><button>Copy</button></li><li><nav>x</nav></li></ul>";
        let main = |main: &str| markdown(&format!("<body>{html}<main>{main}</main>"));
        assert_eq!(main("<h1>A</h1><ul><li></li><li>b</li></ul>"), "# A\n\n- b");
        assert_eq!(main("<p>b</p>"), "b");
        let outside = markdown(&format!("<h1>A</h1>{html}<main><p>b</p></main>"));
        assert_eq!(outside, "# A\n\n## Help\n\nb");
    }

    #[test]
    fn lists_below_lists_belong_to_the_item_before() {
        let html = "<ul><li><p>One</p></li><ul><li><p>Two</p></li></ul><li><p>Three</p></li></ul>";
        insta::assert_snapshot!(markdown(html), @r"
        - One

          - Two
        - Three
        ");
    }

    #[test]
    fn code_keeps_its_lines_and_language() {
        let html = "<div class='sourceCode'><pre class='sourceCode python'><code><span><a \
            href='#1'></a>def a():</span>\n<span>    return **b</span></code></pre></div>";
        insta::assert_snapshot!(markdown(html), @r"
        ```python
        def a():
            return **b
        ```
        ");
    }

    #[test]
    fn tables_are_even_and_layout_is_none() {
        let html = "<table><thead><tr><th>A<th colspan=2>B</thead><tr><td rowspan=2><p>a|1</p>\
            <p>x</p><td>b<td>c<tr><td>d<td>e</table>\
            <table><tr><td><p>Dear all</p></td></tr><tr><td><p>Bye</p></td></tr></table>";
        insta::assert_snapshot!(markdown(html), @r"
        | A | B |  |
        | --- | --- | --- |
        | a\|1 x | b | c |
        |  | d | e |


        Dear all





        Bye
        ");
    }

    #[test]
    fn pages_say_their_charset() {
        let html = b"<meta charset=\"iso-8859-2\"><p>\xb3\xf3d\xbc</p>";
        assert_eq!(convert(html).unwrap().markdown, "łódź");
    }

    #[test]
    fn deep_nesting_is_refused() {
        let html = "<div>".repeat(5_000);
        assert_eq!(page(&html).err().unwrap().code(), "malformed");
    }
}
