//! Dumps, images and what programs make of programs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::Make;
use crate::Numbers;
use crate::numbers::{ALNUM, URL_SAFE};

pub(super) const TABLE: &[(&str, Make)] = &[
    ("image in css", |n| {
        let bytes = image(n);
        format!(".logo{{background:url(data:image/png;base64,{})}}", STANDARD.encode(bytes))
    }),
    ("image in html", |n| {
        let bytes = image(n);
        format!("<img alt=\"\" src=\"data:image/gif;base64,{}\">", STANDARD.encode(bytes))
    }),
    ("base64 line", |n| {
        let bytes = n.bytes(57);
        STANDARD.encode(bytes)
    }),
    ("base64 last line", |n| {
        let length = 16 + n.below(40);
        STANDARD.encode(n.bytes(length))
    }),
    ("certificate line", |n| STANDARD.encode(n.bytes(48))),
    ("hex dump", |n| {
        let groups: Vec<String> = (0..8).map(|_| n.hex(4)).collect();
        format!(
            "{:08x}: {}  {}",
            n.below(1 << 20) * 16,
            groups.join(" "),
            n.text("abc.XYZ.~12", 16)
        )
    }),
    ("hex bytes", |n| {
        let bytes: Vec<String> = (0..12).map(|_| format!("0x{}", n.hex(2))).collect();
        format!("    {},", bytes.join(", "))
    }),
    ("minified js", minified),
    ("minified css", |n| {
        let (class, color) = (n.text("abcdefghij", 5), n.hex(6));
        format!(
            ".{class}-{}{{color:#{color};margin:0 {}px;transition:all .{}s ease-in-out}}@media(min-width:{}px){{.{class}{{width:50%}}}}",
            n.hex(6),
            n.below(40),
            n.below(9),
            n.below(1400)
        )
    }),
    ("css", |n| {
        let property = n.pick(&["--token-color-primary", "--key-shadow", "background", "color"]);
        format!("  {property}: #{};", n.hex(6))
    }),
    ("css module", |n| {
        format!("  className=\"Button_primary__{} css-{}\"", n.text(ALNUM, 5), n.hex(7))
    }),
    ("svg path", |n| {
        let points: Vec<String> = (0..9)
            .map(|_| format!("{}.{} {}.{}", n.below(99), n.below(99), n.below(99), n.below(9)))
            .collect();
        format!("<path fill=\"#{}\" d=\"M{}Z\"/>", n.hex(6), points.join("L"))
    }),
    ("source map", |n| {
        let mappings = n.text("ACEGIKMOQSUWYabcdefghijkmnoqsuw,,;", 90);
        format!("{{\"version\":3,\"sources\":[\"src/app.ts\"],\"mappings\":\"AAAA,{mappings}\"}}")
    }),
    ("query string", |n| {
        format!(
            "GET /api/v1/items?page={}&sort=created_at&fields=id%2Cname%2Ctags&limit=50",
            n.below(99)
        )
    }),
    ("video address", |n| {
        format!("https://www.youtube.com/watch?v={}&t={}s", n.text(URL_SAFE, 11), n.below(900))
    }),
    ("escaped json", |n| {
        format!(
            "{{\"stdout\":\"{{\\\"count\\\":{},\\\"ok\\\":true}}\\n\",\"code\":0}}",
            n.below(9999)
        )
    }),
    ("binary in base64 json", |n| {
        let bytes = n.bytes(90);
        format!(
            "{{\"type\":\"image\",\"media_type\":\"image/webp\",\"data\":\"{}\"}}",
            STANDARD.encode(bytes)
        )
    }),
];

/// A header, then anything.
fn image(numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10".to_vec();
    let length = 60 + numbers.below(400);
    bytes.extend(numbers.bytes(length));
    bytes
}

fn minified(numbers: &mut Numbers) -> String {
    let parts = [
        "!function(e,t){\"object\"==typeof exports?module.exports=t():e.lib=t()}(this,function(){",
        "var n={},r=e.key,o=\"token\"===t.type?t.value:void 0;",
        "return a.headers.Authorization=\"Bearer \"+i.accessToken,a}",
        "for(var s=0;s<u.length;s++)c[u[s].key]=u[s];",
        "case\"Password\":return this.setState({password:e.target.value});",
        "d.secret=f(\"client_secret\"),p.apiKey=h.apiKey||null;",
        "if(\"passwd\"===e.autocomplete&&!e.isContentEditable)return;",
        "const g=new Map([[\"ArrowLeft\",37],[\"ArrowRight\",39]]),m=1e3*60;",
        "t.exports={publicKey:n(12),primaryKey:n(415),keyCode:27,tokenize:n(7)};",
    ];
    (0..4).map(|_| *numbers.pick(&parts.each_ref())).collect()
}
