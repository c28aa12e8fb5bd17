//! Text in which the words that answer a query stand out.

use coffer_api::hidden;
use leptos::prelude::*;

use crate::highlight::Piece;

/// `pieces` in a row, the marked ones as `<mark>`.
#[component]
pub(crate) fn Marked(pieces: Vec<Piece>) -> impl IntoView {
    let shown = pieces.into_iter().map(|piece| {
        let text = hidden::expose(&piece.text).into_owned();
        if piece.marked { view! { <mark>{text}</mark> }.into_any() } else { text.into_any() }
    });
    shown.collect_view()
}
