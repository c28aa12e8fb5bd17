//! Groups of rich text: where their text goes, how it looks, and in which charset it stands.

use std::rc::Rc;

use encoding_rs::Encoding;

/// Where text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Place {
    #[default]
    Body,
    Skipped,
    Fonts,
    Styles,
    Title,
    /// The instruction of a field.
    Field,
    /// What stands before an item of a list.
    Marker,
    Note,
}

/// What holds in a group, and in the groups inside of it.
#[derive(Clone)]
pub(super) struct Group {
    pub(super) place: Place,
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) is_hidden: bool,
    /// Whether readers that do not know its first word skip it.
    pub(super) is_starred: bool,
    pub(super) link: Option<Rc<str>>,
    pub(super) charset: Option<&'static Encoding>,
    /// How many characters stand in for one by its number.
    pub(super) stand_ins: usize,
}

impl Default for Group {
    fn default() -> Self {
        Self {
            place: Place::Body,
            bold: false,
            italic: false,
            is_hidden: false,
            is_starred: false,
            link: None,
            charset: None,
            stand_ins: 1,
        }
    }
}

impl Group {
    /// Text without marks.
    pub(super) fn plain(&mut self) {
        (self.bold, self.italic, self.is_hidden) = (false, false, false);
    }
}

/// Where the text of a group goes that begins with this word; nothing when the word begins none.
pub(super) fn place(word: &str, is_starred: bool) -> Option<Place> {
    Some(match word {
        "fonttbl" => Place::Fonts,
        "stylesheet" => Place::Styles,
        "title" => Place::Title,
        "fldinst" => Place::Field,
        "listtext" | "pntext" => Place::Marker,
        "footnote" => Place::Note,
        "shpinst" | "shptxt" => return None,
        "colortbl" | "pict" | "object" | "nonshppict" | "sp" | "author" | "operator"
        | "subject" | "keywords" | "comment" | "doccomm" | "company" | "manager" | "category"
        | "creatim" | "revtim" | "printim" | "generator" | "header" | "headerl" | "headerr"
        | "headerf" | "footer" | "footerl" | "footerr" | "footerf" | "annotation" | "atnid"
        | "atnauthor" | "bkmkstart" | "bkmkend" | "xe" | "tc" | "tcn" | "ftnsep" | "ftnsepc"
        | "aftnsep" | "aftnsepc" | "falt" | "panose" => Place::Skipped,
        _ if is_starred => Place::Skipped,
        _ => return None,
    })
}

/// Words that are characters.
pub(super) fn sign(word: &str) -> Option<&'static str> {
    Some(match word {
        "~" => "\u{a0}",
        "_" => "\u{2011}",
        "tab" => "\t",
        "bullet" => "•",
        "endash" => "–",
        "emdash" => "—",
        "lquote" => "‘",
        "rquote" => "’",
        "ldblquote" => "“",
        "rdblquote" => "”",
        "emspace" | "enspace" | "qmspace" => " ",
        _ => return None,
    })
}

/// The address in the instruction of a field.
pub(super) fn address(instruction: &str) -> Option<String> {
    let rest = instruction.trim().strip_prefix("HYPERLINK")?.trim_start();
    let address = rest
        .strip_prefix('"')
        .map_or_else(|| rest.split_whitespace().next(), |quoted| quoted.split('"').next())?;
    (!address.is_empty() && !address.starts_with('\\')).then(|| address.to_owned())
}

/// The charset of a code page.
pub(super) fn code_page(number: Option<i32>) -> Option<&'static Encoding> {
    Some(match number? {
        874 => encoding_rs::WINDOWS_874,
        932 => encoding_rs::SHIFT_JIS,
        936 => encoding_rs::GBK,
        949 => encoding_rs::EUC_KR,
        950 => encoding_rs::BIG5,
        1250 => encoding_rs::WINDOWS_1250,
        1251 => encoding_rs::WINDOWS_1251,
        1252 => encoding_rs::WINDOWS_1252,
        1253 => encoding_rs::WINDOWS_1253,
        1254 => encoding_rs::WINDOWS_1254,
        1255 => encoding_rs::WINDOWS_1255,
        1256 => encoding_rs::WINDOWS_1256,
        1257 => encoding_rs::WINDOWS_1257,
        1258 => encoding_rs::WINDOWS_1258,
        65001 => encoding_rs::UTF_8,
        _ => return None,
    })
}

/// The charset of a font.
pub(super) fn charset(number: Option<i32>) -> Option<&'static Encoding> {
    code_page(Some(match number? {
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    }))
}
