//! From a file's bytes to all that the index keeps of it; pure, and the costly part of indexing.

use coffer_domain::chunk::{Chunk, chunks};
use coffer_domain::frontmatter;
use coffer_domain::id::{Id, sha256};
use coffer_domain::similar;
use coffer_domain::terms::cut;

use super::{Reading, StoreRef};
use crate::index::{ChunkRow, DocumentRow, Prepared};
use crate::vault::File;

/// Everything that the index derives from a file that was read at `checked_ns`.
pub(super) fn prepare(store: &StoreRef, path: &str, file: &File, checked_ns: i64) -> Prepared {
    let text = String::from_utf8_lossy(&file.bytes);
    let read = (store.face.read)(&text, path, file.stat.modified());
    let split = frontmatter::split(&text);
    // A header that cannot be read may be text of the person's: it is searched like the rest.
    let (body, body_start) = match read.problem {
        Some(_) => (text.as_ref(), 0),
        None => (split.body, split.body_start),
    };
    let lines_before = text[..body_start].matches('\n').count();
    let problem = match (&read.problem, &text) {
        (Some(problem), _) => Some(problem.clone()),
        (None, std::borrow::Cow::Owned(_)) => Some("its text is not UTF-8".to_owned()),
        (None, std::borrow::Cow::Borrowed(_)) => None,
    };
    // A file whose header cannot be read is still found by its name.
    let name = problem.as_ref().map_or("", |_| path);
    Prepared {
        chunks: chunk_rows(store, &read.title, name, body, lines_before),
        bands: (store.face.compares)(path).then(|| similar::signature(&read.body)),
        problem,
        row: row(store, path, file, checked_ns, read),
    }
}

/// As `prepare`, for many files that were written together: each with its path and the moment of
/// reading. They are shared out among the processors.
pub(super) fn prepare_all(store: &StoreRef, files: &[(String, File, i64)]) -> Vec<Prepared> {
    let one =
        |(path, file, checked_ns): &(String, File, i64)| prepare(store, path, file, *checked_ns);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let share = files.len().div_ceil(threads).max(LEAST);
    std::thread::scope(|scope| {
        let mut shares = files.chunks(share);
        let own = shares.next().unwrap_or_default();
        let others: Vec<_> = shares
            .map(|share| (share, scope.spawn(move || share.iter().map(one).collect::<Vec<_>>())))
            .collect();
        let mut prepared: Vec<Prepared> = own.iter().map(one).collect();
        for (share, other) in others {
            // A thread that fell is no reason to lose its files.
            prepared.extend(other.join().unwrap_or_else(|_| share.iter().map(one).collect()));
        }
        prepared
    })
}

/// Fewer files are not worth a thread.
const LEAST: usize = 8;

fn row(store: &StoreRef, path: &str, file: &File, checked_ns: i64, read: Reading) -> DocumentRow {
    DocumentRow {
        id: read.id.unwrap_or_else(|| Id::of_file(&store.scope.name, path)),
        path: path.to_owned(),
        title: read.title,
        description: read.description,
        content_sha256: sha256(&read.body),
        file_sha256: file.sha256(),
        source_mode: read.source_mode,
        metadata: read.metadata,
        created_at: read.created_at,
        updated_at: read.updated_at,
        stat: file.stat,
        checked_ns,
    }
}

/// The passages of a body. A body without text still gives one, so that its title is found.
fn chunk_rows(
    store: &StoreRef,
    title: &str,
    name: &str,
    body: &str,
    lines_before: usize,
) -> Vec<ChunkRow> {
    let mut parts = chunks(body, store.chunks);
    if parts.is_empty() {
        let heading_path = String::new();
        parts.push(Chunk { range: 0..0, line_start: 1, line_end: 1, heading_path });
    }
    let line = |line: u32| line.saturating_add(u32::try_from(lines_before).unwrap_or(u32::MAX));
    let text = |at: usize| {
        parts.get(at).map_or("", |part| body[part.range.clone()].trim_matches(['\r', '\n']))
    };
    let title_terms = cut(title);
    let name_terms = cut(name).text;
    parts
        .iter()
        .enumerate()
        .map(|(at, part)| {
            let own = cut(text(at));
            let before = if at == 0 { String::new() } else { cut(text(at - 1)).text };
            let after = cut(text(at + 1)).text;
            ChunkRow {
                text: text(at).to_owned(),
                heading_path: part.heading_path.clone(),
                lines: (line(part.line_start), line(part.line_end)),
                terms: [
                    title_terms.text.clone(),
                    cut(&part.heading_path).text,
                    own.text,
                    join([&own.parts, &title_terms.parts, &name_terms]),
                    join([&before, &after, ""]),
                ],
            }
        })
        .collect()
}

fn join(parts: [&str; 3]) -> String {
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}
