//! The tokens of rich text.

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// A word or sign after a backslash, with its number.
    Word(&'a str, Option<i32>),
    /// A byte of text.
    Byte(u8),
}

/// Reads tokens off bytes.
pub(super) struct Tokens<'a>(&'a [u8]);

impl<'a> Tokens<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn word(&mut self) -> Option<Token<'a>> {
        let length = self.0.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if length == 0 {
            return self.sign();
        }
        let (word, rest) = self.0.split_at(length);
        let minus = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[minus..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = if digits == 0 { "" } else { str::from_utf8(&rest[..minus + digits]).ok()? };
        self.0 = &rest[number.len()..];
        // The space that ends a word belongs to it.
        self.0 = self.0.strip_prefix(b" ").unwrap_or(self.0);
        let (word, number) = (str::from_utf8(word).ok()?, number.parse().ok());
        if word == "bin" {
            let length = number.and_then(|length: i32| usize::try_from(length).ok()).unwrap_or(0);
            self.0 = &self.0[length.min(self.0.len())..];
        }
        Some(Token::Word(word, number))
    }

    fn sign(&mut self) -> Option<Token<'a>> {
        let (sign, rest) = self.0.split_at_checked(1)?;
        self.0 = rest;
        match sign[0] {
            b'\'' => {
                let (digits, rest) = self.0.split_at(self.0.len().min(2));
                self.0 = rest;
                let byte = u8::from_str_radix(str::from_utf8(digits).unwrap_or_default(), 16);
                Some(byte.map_or(Token::Word("", None), Token::Byte))
            }
            b'\\' | b'{' | b'}' => Some(Token::Byte(sign[0])),
            // The end of a line after a backslash is the end of a paragraph.
            b'\r' | b'\n' => Some(Token::Word("par", None)),
            _ => Some(Token::Word(str::from_utf8(sign).unwrap_or_default(), None)),
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let (first, rest) = self.0.split_first()?;
            self.0 = rest;
            match first {
                b'{' => return Some(Token::Open),
                b'}' => return Some(Token::Close),
                b'\\' => return self.word(),
                b'\r' | b'\n' | 0 => {}
                byte => return Some(Token::Byte(*byte)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_signs_and_bytes() {
        let tokens: Vec<_> = Tokens::of(b"{\\b0 a\\'e9\\{\\bin3 }}}\\*\\li-20}\n").collect();
        assert_eq!(
            tokens,
            [
                Token::Open,
                Token::Word("b", Some(0)),
                Token::Byte(b'a'),
                Token::Byte(0xe9),
                Token::Byte(b'{'),
                Token::Word("bin", Some(3)),
                Token::Word("*", None),
                Token::Word("li", Some(-20)),
                Token::Close,
            ]
        );
    }
}
