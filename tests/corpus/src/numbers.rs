//! Numbers that look drawn by chance and are the same for each seed.

/// A generator of numbers: xorshift64*.
#[derive(Debug, Clone)]
pub struct Numbers(u64);

/// Digits of base 16.
pub(crate) const HEX: &str = "0123456789abcdef";
/// Letters and digits.
pub(crate) const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/// Letters and digits, hyphen and underscore.
pub(crate) const URL_SAFE: &str =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

impl Numbers {
    /// The numbers of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below a bound above 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(number).unwrap_or(0) % bound
    }

    /// One of several.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    /// So many characters of an alphabet of ASCII.
    pub(crate) fn text(&mut self, alphabet: &str, length: usize) -> String {
        let letters = alphabet.as_bytes();
        (0..length).map(|_| char::from(letters[self.below(letters.len())])).collect()
    }

    /// So many bytes.
    pub(crate) fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| u8::try_from(self.below(256)).unwrap_or(0)).collect()
    }

    /// So many digits of base 16.
    pub(crate) fn hex(&mut self, length: usize) -> String {
        self.text(HEX, length)
    }

    /// A UUID of version 4.
    pub(crate) fn uuid(&mut self) -> String {
        let variant = self.text("89ab", 1);
        let (a, b, c) = (self.hex(8), self.hex(4), self.hex(3));
        format!("{a}-{b}-4{c}-{variant}{}-{}", self.hex(3), self.hex(12))
    }

    /// A ULID.
    pub(crate) fn ulid(&mut self) -> String {
        format!("01{}", self.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24))
    }
}
