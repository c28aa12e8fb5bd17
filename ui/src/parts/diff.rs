//! What a change would do to files, line by line.

use coffer_api::hidden;
use leptos::prelude::*;

use crate::diff::{self, Fate, FileDiff, Kind, Line};

/// A unified diff, a box for each file.
#[component]
pub(crate) fn Diff(#[prop(into)] diff: String) -> impl IntoView {
    let files = diff::files(&diff).into_iter();
    files.map(|file| view! { <OneFile file/> }).collect_view()
}

#[component]
fn OneFile(file: FileDiff) -> impl IntoView {
    let FileDiff { path, fate, lines } = file;
    let path = hidden::expose(&path).into_owned();
    let fate = match fate {
        Fate::Made => Some("new file"),
        Fate::Changed => None,
        Fate::Removed => Some("goes away"),
    };
    let label = format!("Changes of {path}");
    let lines = lines.into_iter().map(|line| view! { <OneLine line/> }).collect_view();
    view! {
        <figure class="diff" data-testid="diff">
            <figcaption>
                <code class="path">{path}</code>
                {fate.map(|fate| view! { <span class="badge">{fate}</span> })}
            </figcaption>
            <pre tabindex="0" role="region" aria-label=label>{lines}</pre>
        </figure>
    }
}

#[component]
fn OneLine(line: Line) -> impl IntoView {
    let (class, sign) = match line.kind {
        Kind::Kept => ("kept", " "),
        Kind::Added => ("added", "+"),
        Kind::Removed => ("removed", "-"),
        Kind::Place => ("place", ""),
    };
    let text = format!("{sign}{}", hidden::expose(&line.text));
    view! { <span class=class>{text}</span> }
}
