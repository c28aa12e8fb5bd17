//! Real documents of many programs keep what they say.

use coffer_corpus::documents::{self, Document, Score};

use super::{convert, converters};

#[test]
fn documents_keep_what_they_say() {
    let converters = converters();
    let documents = documents::all().unwrap();
    assert!(documents.len() >= 40, "{} documents", documents.len());
    let lost = documents.iter().flat_map(|document| match convert(&converters, &document.path) {
        Err(rejected) => vec![format!("{}: {rejected}", document.file)],
        Ok(converted) => {
            let mut lost = missed(document, &converted.markdown);
            let found = (converted.format.name(), converted.title.as_deref());
            let wanted = (document.format.as_str(), document.title.as_deref());
            if found != wanted {
                lost.push(format!("{}: {found:?} and not {wanted:?}", document.file));
            }
            lost
        }
    });
    let lost: Vec<_> = lost.collect();
    assert!(lost.is_empty(), "\n{}", lost.join("\n"));
}

/// Shares of a document that are smaller than its manifest says, or larger: then it says too little.
fn missed(document: &Document, markdown: &str) -> Vec<String> {
    let shares = Score::of(&document.content, markdown).shares().into_iter();
    let shares = shares.filter_map(|(name, share)| Some((name, share?)));
    let wanted = |name: &str| document.kept.get(name).copied().unwrap_or(1.0);
    let wrong = shares.filter(|(name, share)| (share - wanted(name)).abs() > 0.005);
    let what = |(name, share): (&str, f64)| {
        format!("{}: {share:.3} of the {name}, {} wanted", document.file, wanted(name))
    };
    wrong.map(what).collect()
}
