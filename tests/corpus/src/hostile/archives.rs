//! Office documents and books that are bombs, lies and traps.

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::Hostile;

pub(super) fn all() -> Vec<Hostile> {
    let secret = "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>";
    let laughs = "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">]>";
    vec![
        Hostile::new("bomb.docx", bomb("word/document.xml"), &["too_large"]),
        Hostile::new("bomb.odt", bomb("content.xml"), &["too_large"]),
        Hostile::new("bomb.xlsx", bomb("xl/workbook.xml"), &["too_large"]),
        Hostile::new("many.docx", many(20_000), &["too_large"]),
        Hostile::new("less.odt", lie(1024), &["malformed"]),
        Hostile::new("more.odt", lie(3 << 30), &["too_large"]),
        Hostile::new("archive.zip", archive(&[("a.zip", b"PK\x03\x04")]), &["unsupported"]),
        Hostile::new("flagged.docx", flagged(), &["encrypted"]),
        Hostile::new("locked.docx", compound("EncryptedPackage"), &["encrypted"]),
        Hostile::new("mail.msg", compound("__substg1.0_0037001F"), &["unsupported"]),
        Hostile::new("hollow.doc", compound("WordDocument"), &["malformed", "crashed"]),
        Hostile::new("hollow.xls", compound("Workbook"), &["malformed", "crashed"]),
        Hostile::new("hollow.ppt", compound("PowerPoint Document"), &["malformed", "crashed"]),
        Hostile::new("entity.odt", text(&format!("{secret}<a>&e;</a>")), &["malformed"]),
        Hostile::new("laughs.odt", text(&format!("{laughs}<a>&b;</a>")), &["malformed"]),
        Hostile::new(
            "entity.docx",
            word(&format!("{secret}{}", body("&e;"))),
            &["empty", "malformed", "ok"],
        ),
        Hostile::new("deep.odt", text(&nested("text:section", 100_000)), &["malformed", "crashed"]),
        Hostile::new(
            "deep.docx",
            word(&nested("w:tbl", 50_000)),
            &["malformed", "empty", "crashed", "ok"],
        ),
        Hostile::new("far.xlsx", far_cells(), &["out_of_memory"]),
        Hostile::new("empty.odt", text("<office:body/>"), &["malformed", "empty"]),
        Hostile::new(
            "hollow.epub",
            archive(&[("mimetype", b"application/epub+zip")]),
            &["malformed"],
        ),
        Hostile::new("astray.epub", astray(), &["empty"]),
    ]
}

fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in parts {
        writer.start_file(*name, options).expect("a file begins");
        writer.write_all(bytes).expect("it is written");
    }
    writer.finish().expect("the archive ends").into_inner()
}

/// So many bytes shrink to a thousandth.
const SPACES: u32 = 11 << 20;

fn bomb(part: &str) -> Vec<u8> {
    archive(&[(part, &vec![b' '; SPACES as usize])])
}

fn many(entries: usize) -> Vec<u8> {
    let names: Vec<_> = (0..entries).map(|at| format!("word/{at}")).collect();
    archive(&names.iter().map(|name| (name.as_str(), &b""[..])).collect::<Vec<_>>())
}

/// Says everywhere that its spaces are so many.
fn lie(size: u32) -> Vec<u8> {
    let kind: &[u8] = b"application/vnd.oasis.opendocument.text";
    let spaces = vec![b' '; SPACES as usize];
    let mut bytes = archive(&[("mimetype", kind), ("content.xml", &spaces)]);
    let said = SPACES.to_le_bytes();
    while let Some(at) = bytes.windows(4).position(|window| window == said) {
        bytes[at..at + 4].copy_from_slice(&size.to_le_bytes());
    }
    bytes
}

/// The flag of encryption on each entry of the directory.
fn flagged() -> Vec<u8> {
    let mut bytes = word(&body("x"));
    for at in 0..bytes.len() - 9 {
        match bytes[at..at + 4] {
            [b'P', b'K', 1, 2] => bytes[at + 8] |= 1,
            [b'P', b'K', 3, 4] => bytes[at + 6] |= 1,
            _ => {}
        }
    }
    bytes
}

/// A compound file that has the name of a stream, and nothing right besides.
fn compound(stream: &str) -> Vec<u8> {
    let mut bytes = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    bytes.resize(1024, 0);
    bytes.extend(stream.encode_utf16().flat_map(u16::to_le_bytes));
    bytes.resize(4096, 0);
    bytes
}

fn text(content: &str) -> Vec<u8> {
    let kind: &[u8] = b"application/vnd.oasis.opendocument.text";
    archive(&[("mimetype", kind), ("content.xml", content.as_bytes())])
}

fn word(document: &str) -> Vec<u8> {
    archive(&[("word/document.xml", document.as_bytes())])
}

fn body(text: &str) -> String {
    format!(
        "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>"
    )
}

fn nested(tag: &str, depth: usize) -> String {
    let name = tag.split(':').next().unwrap_or(tag);
    let open = format!("<{tag}>").repeat(depth);
    format!(
        "<x xmlns:{name}=\"x\"><body>{open}deep{}</body></x>",
        format!("</{tag}>").repeat(depth)
    )
}

/// A workbook with a cell in each of its two far corners.
pub fn far_cells() -> Vec<u8> {
    let package = "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>";
    let relations = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
        <Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" \
        Target=\"worksheets/sheet1.xml\"/></Relationships>";
    let root = relations.replace("worksheet\"", "officeDocument\"");
    let root = root.replace("worksheets/sheet1.xml", "xl/workbook.xml");
    let book = "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" \
        xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\">\
        <sheets><sheet name=\"Far\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>";
    let sheet = "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>\
        <row r=\"1\"><c r=\"A1\"><v>1</v></c></row>\
        <row r=\"1048576\"><c r=\"XFD1048576\"><v>2</v></c></row></sheetData></worksheet>";
    archive(&[
        ("[Content_Types].xml", package.as_bytes()),
        ("_rels/.rels", root.as_bytes()),
        ("xl/_rels/workbook.xml.rels", relations.as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ])
}

/// A book whose chapters stand outside of it.
fn astray() -> Vec<u8> {
    let container = "<container><rootfiles><rootfile full-path=\"p.opf\"/></rootfiles></container>";
    let package = "<package><manifest><item id=\"a\" href=\"../../../../etc/passwd\"/>\
        <item id=\"b\" href=\"/etc/passwd\"/></manifest>\
        <spine><itemref idref=\"a\"/><itemref idref=\"b\"/></spine></package>";
    archive(&[
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", container.as_bytes()),
        ("p.opf", package.as_bytes()),
    ])
}
