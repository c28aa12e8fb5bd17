//! Rich text: its words are read one by one; what is not text of the document is skipped.

mod block;
mod group;
mod tokens;

use std::collections::HashMap;

use encoding_rs::{Encoding, WINDOWS_1252};

use super::{Draft, Rejected, html};
use block::Blocks;
use group::{Group, Place};
use tokens::{Token, Tokens};

/// Deeper groups are made to break readers.
const MOST_DEPTH: usize = 1_000;

pub(super) fn convert(bytes: &[u8]) -> Result<Draft, Rejected> {
    let mut reader = Reader::new();
    for token in Tokens::of(bytes) {
        reader.take(token)?;
    }
    reader.flush();
    // Where a file is cut off, groups are left open, and the text so far is worth nothing less.
    let title = std::mem::take(&mut reader.title);
    let markdown = html::page(&reader.blocks.finish())?.markdown;
    Ok(Draft { markdown, title: Some(title), engine: "rtf" })
}

/// What is known while a file is read.
struct Reader {
    groups: Vec<Group>,
    blocks: Blocks,
    /// Bytes of text that wait for their charset.
    bytes: Vec<u8>,
    /// Half of a character.
    surrogate: Option<u16>,
    /// Characters that stand in for the one just read.
    skip: usize,
    ansi: &'static Encoding,
    fonts: HashMap<i32, &'static Encoding>,
    /// The font or the style that is being described.
    described: i32,
    name: String,
    title: String,
    /// Where a field leads, until its text comes.
    field: String,
    note: String,
    notes: usize,
}

impl Reader {
    fn new() -> Self {
        Self {
            groups: vec![Group::default()],
            blocks: Blocks::default(),
            bytes: Vec::new(),
            surrogate: None,
            skip: 0,
            ansi: WINDOWS_1252,
            fonts: HashMap::new(),
            described: 0,
            name: String::new(),
            title: String::new(),
            field: String::new(),
            note: String::new(),
            notes: 0,
        }
    }

    fn take(&mut self, token: Token<'_>) -> Result<(), Rejected> {
        match token {
            Token::Byte(_) | Token::Word("u", _) if self.skip > 0 => self.skip -= 1,
            Token::Byte(byte) => self.bytes.push(byte),
            Token::Open => {
                self.flush();
                self.skip = 0;
                if self.groups.len() > MOST_DEPTH {
                    let what = format!("its groups are nested more than {MOST_DEPTH} deep");
                    return Err(Rejected::Malformed(what));
                }
                let group = self.group().clone();
                self.groups.push(Group { is_starred: false, ..group });
            }
            Token::Close => {
                self.flush();
                self.skip = 0;
                self.close();
            }
            Token::Word("u", Some(unit)) => self.unit(unit),
            Token::Word(word, number) => {
                self.flush();
                self.word(word, number);
            }
        }
        Ok(())
    }

    fn group(&mut self) -> &mut Group {
        if self.groups.is_empty() {
            self.groups.push(Group::default());
        }
        let last = self.groups.len() - 1;
        &mut self.groups[last]
    }

    fn close(&mut self) {
        let Some(closed) = self.groups.pop() else { return };
        let outer = self.group().place;
        if closed.place == Place::Note && outer != Place::Note {
            self.notes += 1;
            let (label, text) = (self.notes.to_string(), std::mem::take(&mut self.note));
            self.blocks.note(&label, &text);
        }
    }

    /// The bytes so far, as text of the font's charset.
    fn flush(&mut self) {
        if !self.bytes.is_empty() {
            let ansi = self.ansi;
            let charset = self.group().charset.unwrap_or(ansi);
            let bytes = std::mem::take(&mut self.bytes);
            let text = charset.decode_without_bom_handling(&bytes).0.into_owned();
            self.text(&text);
        }
    }

    /// A character by its number; those that stand in for it are skipped.
    fn unit(&mut self, unit: i32) {
        self.flush();
        self.skip = self.group().stand_ins;
        let Ok(unit) = u16::try_from(unit & 0xffff) else { return };
        let units: Vec<u16> = self.surrogate.take().into_iter().chain([unit]).collect();
        if units.len() == 1 && (0xd800..0xdc00).contains(&unit) {
            self.surrogate = Some(unit);
            return;
        }
        self.text(&String::from_utf16_lossy(&units));
    }

    fn text(&mut self, text: &str) {
        match self.group().place {
            Place::Skipped | Place::Fonts => {}
            Place::Styles => {
                self.name.push_str(text);
                if let Some(name) = self.name.strip_suffix(';') {
                    self.blocks.style_is(self.described, name);
                    self.name.clear();
                }
            }
            Place::Title => self.title.push_str(text),
            Place::Field => self.field.push_str(text),
            Place::Marker => self.blocks.marker(text),
            Place::Note => self.note.push_str(text),
            Place::Body => {
                let group = self.group().clone();
                if !group.is_hidden {
                    self.blocks.text(text, group.bold, group.italic, group.link.as_deref());
                }
            }
        }
    }

    fn word(&mut self, word: &str, number: Option<i32>) {
        if let Some(text) = group::sign(word) {
            return self.text(text);
        }
        let is_on = number != Some(0);
        match word {
            "ansicpg" => self.ansi = group::code_page(number).unwrap_or(self.ansi),
            "*" => self.group().is_starred = true,
            "uc" => self.group().stand_ins = number.and_then(|n| n.try_into().ok()).unwrap_or(1),
            "b" => self.group().bold = is_on,
            "i" => self.group().italic = is_on,
            "v" | "deleted" => self.group().is_hidden = is_on,
            "plain" => self.group().plain(),
            "f" => self.font(number.unwrap_or(0)),
            "fcharset" => {
                let charset = group::charset(number);
                self.fonts.extend(charset.map(|charset| (self.described, charset)));
            }
            "s" => self.style(number.unwrap_or(0)),
            "fldrslt" => {
                let link = group::address(&std::mem::take(&mut self.field));
                self.group().link = link.map(Into::into);
            }
            _ => self.place_or_block(word, number),
        }
    }

    fn place_or_block(&mut self, word: &str, number: Option<i32>) {
        let group = self.group();
        let is_starred = std::mem::take(&mut group.is_starred);
        if let Some(place) = group::place(word, is_starred) {
            // Nothing in what is skipped is text again.
            if group.place != Place::Skipped {
                group.place = place;
            }
            return;
        }
        match group.place {
            Place::Body => self.blocks.word(word, number),
            Place::Note if matches!(word, "par" | "line") => self.note.push(' '),
            _ => {}
        }
    }

    fn font(&mut self, number: i32) {
        let charset = self.fonts.get(&number).copied();
        let group = self.group();
        match group.place {
            Place::Fonts => self.described = number,
            // A style's font says nothing of the style's name.
            Place::Styles => {}
            _ => group.charset = charset,
        }
    }

    fn style(&mut self, number: i32) {
        match self.group().place {
            Place::Styles => self.described = number,
            Place::Body => self.blocks.style(number),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markdown(rtf: &str) -> String {
        convert(rtf.as_bytes()).unwrap().markdown
    }

    #[test]
    fn structure_is_kept() {
        let rtf = r#"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset134 Song;}}
            {\stylesheet{\s1 heading 1;}{\s2 Preformatted Text;}}{\info{\title My title}}
            \pard\s1 Caf\'e9 \u20320?\u-10179?\u-8704?\par
            \pard Plain {\b bold} and {\field{\*\fldinst HYPERLINK "https://a.b/c"}{\fldrslt link}}
            {\footnote below}\par {\*\unknown gone}{\pict 00ff}
            {\listtext\'b7\tab}\pard\ilvl0\ls1 One\par{\listtext\'b7\tab}\pard\ilvl1\ls1 Two\par
            {\listtext 1.\tab}\pard\ilvl0\ls2 First\par
            \trowd\cellx1\cellx2\pard\intbl a|b\cell c\cell\row
            \trowd\cellx1\cellx2\pard\intbl {\f1 \'b8\'db}\cell\cell\row
            \pard\s2 if x:\par \pard\s2   y\par}"#;
        let draft = convert(rtf.replace("\n            ", "").as_bytes()).unwrap();
        assert_eq!(draft.title.as_deref(), Some("My title"));
        insta::assert_snapshot!(draft.markdown, @r"
        # Café 你😀

        Plain **bold** and [link](https://a.b/c)[^1]

        - One
          - Two

        1. First

        | a\|b | c |
        | --- | --- |
        | 港 |  |


        ```
        if x:
          y
        ```

        [^1]: below
        ");
    }

    #[test]
    fn what_is_cut_off_is_read_so_far() {
        assert_eq!(markdown(r"{\rtf1 one\par two"), "one\n\ntwo");
        assert_eq!(markdown(r"{\rtf1 a}}}}} b\'"), "a b");
        let deep = format!("{{\\rtf1 {}", "{".repeat(5_000));
        assert_eq!(convert(deep.as_bytes()).err().unwrap().code(), "malformed");
    }
}
