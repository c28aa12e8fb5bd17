//! PDFs that lead in circles, nest, or hold pictures only.

use super::Hostile;

pub(super) fn all() -> Vec<Hostile> {
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>";
    let pages = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
    let catalog = "<< /Type /Catalog /Pages 2 0 R >>";
    let circle = "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9999999 /Parent 2 0 R >>";
    let picture = "q 200 0 0 200 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \u{7f} EI Q";
    let mutual = "<< /Type /Catalog /Pages 2 0 R /Names 1 0 R /Outlines 1 0 R >>";
    let odd = &["malformed", "empty", "crashed", "needs_ocr", "ok", "out_of_memory", "timed_out"];
    vec![
        Hostile::new("circle.pdf", pdf(&[mutual, circle]), &["malformed", "empty"]),
        Hostile::new("itself.pdf", pdf(&["1 0 R", "2 0 R"]), &["malformed", "empty"]),
        Hostile::new("picture.pdf", pdf(&[catalog, pages, page, &stream(picture)]), &["needs_ocr"]),
        Hostile::new("blank.pdf", pdf(&[catalog, pages, page, &stream("q Q")]), &["empty"]),
        Hostile::new("deep.pdf", pdf(&[catalog, pages, page, &"[".repeat(200_000)]), odd),
        Hostile::new(
            "deeper.pdf",
            pdf(&[catalog, pages, page, &stream(&"[".repeat(200_000))]),
            odd,
        ),
        Hostile::new("forms.pdf", forms(), odd),
        Hostile::new(
            "length.pdf",
            pdf(&[catalog, pages, page, "<< /Length 99999999999 >> stream\nx"]),
            odd,
        ),
        Hostile::new("head.pdf", "%PDF-1.7\n", &["malformed"]),
        Hostile::new(
            "xref.pdf",
            "%PDF-1.7\nxref\n0 4294967295\ntrailer << /Prev 9 /Size 4294967295 >>\nstartxref\n9\n%%EOF",
            &["malformed", "empty"],
        ),
    ]
}

fn stream(content: &str) -> String {
    format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len())
}

/// Objects from 1 on, with the table of where they stand.
fn pdf(objects: &[&str]) -> String {
    let mut text = "%PDF-1.4\n".to_owned();
    let mut places = vec!["0000000000 65535 f \n".to_owned()];
    for (at, object) in objects.iter().enumerate() {
        places.push(format!("{:010} 00000 n \n", text.len()));
        text.extend([&(at + 1).to_string(), " 0 obj\n", object, "\nendobj\n"]);
    }
    let (table, size) = (text.len(), places.len());
    let trailer = format!("trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n");
    text + &format!("xref\n0 {size}\n") + &places.concat() + &trailer
}

/// Forms that each draw the next one ten times.
fn forms() -> String {
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R \
            /Resources << /XObject << /F 5 0 R >> >> >>"
            .to_owned(),
        stream("/F Do"),
    ];
    for next in 6..=20 {
        let draw = "/F Do ".repeat(10);
        objects.push(format!(
            "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length {} \
                /Resources << /XObject << /F {next} 0 R >> >> >>\nstream\n{draw}\nendstream",
            draw.len()
        ));
    }
    pdf(&objects.iter().map(String::as_str).collect::<Vec<_>>())
}
