//! Pages and texts that are too deep, too wide, or nothing at all.

use super::Hostile;

pub(super) fn all() -> Vec<Hostile> {
    let wide = vec!["1"; 50_000].join(",");
    let program: Vec<u8> = b"\x7fELF\x02\x01\x01\0\0\0".repeat(100);
    let mut all = vec![
        Hostile::new("deep.html", "<div>".repeat(5_000), &["malformed"]),
        Hostile::new("deep.rtf", format!("{{\\rtf1{}", "{".repeat(100_000)), &["malformed"]),
        Hostile::new("deep.json", "[".repeat(1_000_000), &["ok"]),
        Hostile::new("deep.ipynb", "{\"cells\":".repeat(100_000), &["malformed"]),
        Hostile::new("wide.csv", wide, &["too_large"]),
        Hostile::new("long.csv", "1,2,3\n".repeat(1_000_000), &["too_large"]),
        Hostile::new("quote.csv", format!("a,\"{}", "x\n".repeat(100_000)), &["ok"]),
        Hostile::new("huge.rtf", "{\\rtf1\\bin2147483647 x}", &["empty"]),
        Hostile::new(
            "cells.rtf",
            format!("{{\\rtf1 {}\\row x}}", "\\cell".repeat(100_000)),
            &["ok"],
        ),
        Hostile::new("spans.html", format!("<table>{}</table>", SPAN.repeat(300)), &["ok"]),
        Hostile::new("page.pdf", "<!doctype html><p>Not a PDF at all", &["ok"]),
        Hostile::new("rich.docx", "{\\rtf1 Not a DOCX at all}", &["ok"]),
        Hostile::new("picture.pdf", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), &["malformed"]),
        Hostile::new("program.txt", program.clone(), &["unsupported"]),
        Hostile::new("program.docx", program, &["malformed"]),
        Hostile::new("nobody.eml", "no head at all\n\nx", &["malformed"]),
        Hostile::new("parts.eml", parts(), &["ok", "empty"]),
    ];
    for ending in [
        "pdf", "docx", "pptx", "xlsx", "odt", "rtf", "epub", "doc", "html", "csv", "json", "md",
        "txt",
    ] {
        all.push(Hostile::new(&format!("nothing.{ending}"), "", &["empty"]));
    }
    all
}

const SPAN: &str = "<tr><td colspan=1000000 rowspan=1000000>a</td><td>b</td></tr>";

/// A mail of mails of mails.
fn parts() -> String {
    let mut mail = "From: a@example.org\nMIME-Version: 1.0\n".to_owned();
    for depth in 0..500 {
        let part = format!("Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n");
        mail.push_str(&part);
    }
    mail + "\n\ndeep"
}

/// A page that takes a reader long: for each element all that are open are looked through.
pub fn slow_page() -> String {
    "<div>".repeat(200_000)
}
