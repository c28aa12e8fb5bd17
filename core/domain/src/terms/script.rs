//! Which characters need help from us before SQLite's tokenizer sees them.

/// Letters of scripts written without spaces between words, and Hangul, whose words carry endings.
pub fn is_unspaced(c: char) -> bool {
    !c.is_ascii()
        && matches!(c,
            '\u{e00}'..='\u{eff}'         // Thai, Lao
            | '\u{1000}'..='\u{109f}'     // Myanmar
            | '\u{1100}'..='\u{11ff}'     // Hangul letters
            | '\u{1780}'..='\u{17ff}'     // Khmer
            | '\u{3005}'..='\u{3007}'     // 々 〆 〇
            | '\u{3021}'..='\u{3029}'     // Hangzhou numerals
            | '\u{3041}'..='\u{318f}'     // kana, Bopomofo, Hangul letters
            | '\u{31a0}'..='\u{31bf}'     // Bopomofo
            | '\u{31f0}'..='\u{31ff}'     // kana
            | '\u{3400}'..='\u{4dbf}'     // Han
            | '\u{4e00}'..='\u{a4cf}'     // Han, Yi
            | '\u{a960}'..='\u{a97f}'     // Hangul letters
            | '\u{a9e0}'..='\u{a9ff}'     // Myanmar
            | '\u{aa60}'..='\u{aa7f}'     // Myanmar
            | '\u{ac00}'..='\u{d7ff}'     // Hangul
            | '\u{f900}'..='\u{faff}'     // Han
            | '\u{1aff0}'..='\u{1b16f}'   // kana
            | '\u{20000}'..='\u{3ffff}'   // Han
        )
        && c.is_alphanumeric()
}

/// Signs a person may search for and the tokenizer drops: currencies, arrows, mathematics, emoji.
///
/// Not the box drawing of tables and trees, which nobody searches for.
pub(super) fn is_symbol(c: char) -> bool {
    !c.is_ascii()
        && matches!(c,
            '\u{a2}'..='\u{a7}' | '\u{a9}' | '\u{ac}' | '\u{ae}' | '\u{b0}' | '\u{b1}' | '\u{b6}'
            | '\u{d7}' | '\u{f7}'
            | '\u{20a0}'..='\u{20cf}'     // currencies
            | '\u{2190}'..='\u{23ff}'     // arrows, mathematics, technical
            | '\u{25a0}'..='\u{27bf}'     // shapes, dingbats
            | '\u{27c0}'..='\u{27e5}' | '\u{27f0}'..='\u{2982}' | '\u{2999}'..='\u{2bff}'
            | '\u{1f000}'..='\u{1faff}'   // emoji
        )
        && !is_skin_tone(c)
}

/// Skin tones modify the emoji before them; left out, 👍🏽 is found as 👍.
fn is_skin_tone(c: char) -> bool {
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}
