//! The two file formats of a model: safetensors, and a tokenizer of whole words and their pieces.

use std::fmt::Write as _;

/// A named block of numbers.
pub(super) struct Tensor {
    name: String,
    shape: Vec<usize>,
    numbers: Vec<f32>,
}

impl Tensor {
    pub(super) fn new(name: &str, shape: &[usize], numbers: Vec<f32>) -> Self {
        Self { name: name.to_owned(), shape: shape.to_vec(), numbers }
    }
}

/// Length of the header, header, numbers.
pub(super) fn safetensors(tensors: &[Tensor]) -> Vec<u8> {
    let mut numbers: Vec<u8> = Vec::new();
    let mut rows = Vec::new();
    for Tensor { name, shape, numbers: values } in tensors {
        let from = numbers.len();
        numbers.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let to = numbers.len();
        rows.push(format!(
            r#""{name}":{{"dtype":"F32","shape":{shape:?},"data_offsets":[{from},{to}]}}"#
        ));
    }
    let header = format!("{{{}}}", rows.join(","));
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.into_bytes());
    file.extend(numbers);
    file
}

/// A tokenizer of BERT's kind; the first four words are its marks.
pub(super) fn tokenizer(words: &[String]) -> String {
    let mut vocabulary = String::new();
    for (id, word) in words.iter().enumerate() {
        let comma = if id == 0 { "" } else { "," };
        let _ = write!(vocabulary, "{comma}{word:?}:{id}");
    }
    let marks: Vec<_> = words[..4]
        .iter()
        .enumerate()
        .map(|(id, word)| {
            format!(
                r#"{{"id":{id},"content":{word:?},"single_word":false,"lstrip":false,
"rstrip":false,"normalized":false,"special":true}}"#
            )
        })
        .collect();
    let mark = |name: &str| format!(r#"{{"SpecialToken":{{"id":"{name}","type_id":0}}}}"#);
    let text = r#"{"Sequence":{"id":"A","type_id":0}}"#;
    let single = [mark("[CLS]"), text.to_owned(), mark("[SEP]")].join(",");
    format!(
        r###"{{"version":"1.0","truncation":null,"padding":null,"added_tokens":[{}],
"normalizer":{{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,
"strip_accents":null,"lowercase":true}},
"pre_tokenizer":{{"type":"BertPreTokenizer"}},
"post_processor":{{"type":"TemplateProcessing","single":[{single}],"pair":[{single}],
"special_tokens":{{"[CLS]":{{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]}},
"[SEP]":{{"id":"[SEP]","ids":[3],"tokens":["[SEP]"]}}}}}},
"decoder":null,
"model":{{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",
"max_input_chars_per_word":100,"vocab":{{{vocabulary}}}}}}}"###,
        marks.join(",")
    )
}
