//! Seeded notes of about 750 bytes, and questions that some of them answer.

use coffer_corpus::Numbers;

/// Words that a developer's notes are made of.
const WORDS: &str = "access account adapter address agent alias archive array artifact async audit \
    backend backup batch binary block branch browser buffer build bundle byte cache callback client \
    cluster code column command commit compiler config connection container context cookie counter \
    crash cursor daemon database deadline debug default delete deploy diff directory docker driver \
    editor encoding endpoint engine error event export failure feature fetch field file filter \
    firewall flag folder format framework frontend function gateway generator handler hash header \
    heap hook host image import index input insert install instance interface issue iterator job \
    journal kernel key label latency layer layout library limit linker linux listener loader lock \
    log loop manifest memory merge message metric migration mirror mock model module mount mutex \
    namespace network node object offset option output package page parser partition password patch \
    path payload pipeline plugin policy pool port prefix process profile project protocol proxy \
    query queue quota range record redirect region registry release replica report repository \
    request reset resource response restart retry rollback route router runtime sandbox schema \
    scope script secret segment semaphore server service session shard shell signal snapshot socket \
    source stack staging state storage stream string subnet suffix switch symbol table tag target \
    template tenant terminal test thread throttle timeout token tool trace transaction trigger tunnel \
    type update upload user validator value variable vector version volume watcher webhook window \
    worker workspace wrapper zone";
const CJK: [&str; 8] = ["部署", "数据库", "缓存", "日志", "設定", "テスト", "서버", "网络"];

/// Words in all: those above, and pairs of them run together.
const VOCABULARY: usize = 30_000;
/// How much flatter the top of the distribution is than Zipf's law: stop-words are no content.
const FLATNESS: f64 = 100.0;

/// Makes notes and questions.
pub(crate) struct Corpus {
    numbers: Numbers,
    words: Vec<&'static str>,
}

impl Corpus {
    /// The corpus of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self { numbers: Numbers::new(seed), words: WORDS.split_whitespace().collect() }
    }

    /// A word by the law of Zipf and Mandelbrot: its rank's weight is 1 / (rank + 100), so that the
    /// most frequent one stands in about every fifth note.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "ranks are small"
    )]
    fn word(&mut self) -> String {
        let share = self.numbers.below(1 << 20) as f64 / f64::from(1 << 20);
        let rank = FLATNESS * (VOCABULARY as f64 / FLATNESS).powf(share) - FLATNESS;
        let (rank, base) = (rank as usize, self.words.len());
        match self.words.get(rank) {
            Some(word) => (*word).to_owned(),
            None => format!("{}{}", self.words[rank % base], self.words[rank / base % base]),
        }
    }

    /// The text of one note, about 750 bytes.
    pub(crate) fn note(&mut self, number: usize) -> String {
        let mut text = format!("Note {number}: ");
        while text.len() < 740 {
            let sentence: Vec<String> = (0..8).map(|_| self.word()).collect();
            text.push_str(&sentence.join(" "));
            match self.numbers.below(8) {
                0 => text.push_str(CJK[self.numbers.below(CJK.len())]),
                1 => text.extend([" `", &self.word(), "_", &self.word(), "`"]),
                2 => text.extend([" port ", &self.numbers.below(60_000).to_string()]),
                _ => {}
            }
            text.push_str(". ");
        }
        text.trim_end().to_owned()
    }

    /// A question of one to six words.
    pub(crate) fn question(&mut self) -> String {
        let many = 1 + self.numbers.below(6);
        let mut words: Vec<String> = (0..many).map(|_| self.word()).collect();
        if self.numbers.below(5) == 0 {
            words.push(CJK[self.numbers.below(CJK.len())].to_owned());
        }
        words.join(" ")
    }
}
