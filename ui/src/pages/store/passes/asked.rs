//! What a pass would do: the texts that would be sent, about how many tokens, and what is left of today's.

use std::sync::Arc;

use coffer_api::hidden;
use coffer_api::organize::{OrganizeQuery, OrganizeRehearsalOut, WouldSendOut};
use coffer_api::stores::StoreMetricsOut;
use leptos::prelude::*;

use super::Pass;
use crate::api::{use_api, with_query};
use crate::format::{count, number};
use crate::parts::shown::Shown;
use crate::parts::tokens_left::TokensLeft;
use crate::query::Query;

/// So many items are shown with their texts.
const MOST: usize = 100;

#[component]
pub(super) fn Asked(
    pass: Pass,
    address: String,
    is_ready: RwSignal<bool>,
    metrics: Query<StoreMetricsOut>,
) -> impl IntoView {
    match pass {
        Pass::Organize => view! { <Inbox address is_ready/> }.into_any(),
        Pass::Reorg => view! { <Topics is_ready metrics/> }.into_any(),
    }
}

#[component]
fn Inbox(address: String, is_ready: RwSignal<bool>) -> impl IntoView {
    let api = use_api();
    let address = with_query(&address, &OrganizeQuery { wait: None, dry_run: true });
    let rehearsal = Query::<OrganizeRehearsalOut>::new(
        || (),
        move |()| {
            let address = address.clone();
            async move { api.post(&address, &()).await }
        },
    );
    Effect::new(move |_| {
        let would_send = rehearsal.latest();
        is_ready.set(would_send.is_some_and(|it| !it.would_send.is_empty()));
    });
    view! {
        <Shown query=rehearsal lines=3 let:reply>
            {move || view! { <WouldSend rehearsal=reply.get()/> }}
        </Shown>
    }
}

#[component]
fn WouldSend(rehearsal: Arc<OrganizeRehearsalOut>) -> impl IntoView {
    let items = rehearsal.would_send.len() as u64;
    if items == 0 {
        return view! { <p class="lead">"The inbox is empty: there is nothing to organize."</p> }
            .into_any();
    }
    let tokens = rehearsal.tokens;
    let lead = format!(
        "{} sent, each with the topics that it may belong to: about {}, without the answers. Keys \
         and passwords are taken out. Every text that is replaced is kept, and can be put back.",
        count(items, "item of the inbox is", "items of the inbox are"),
        count(tokens, "token", "tokens")
    );
    let more = items.saturating_sub(MOST as u64);
    let shown = rehearsal.would_send.iter().take(MOST).cloned();
    view! {
        <p class="lead" data-testid="pass-lead">{lead}</p>
        <TokensLeft needed=tokens/>
        <div class="would-send">
            {shown.map(|item| view! { <Item item/> }).collect_view()}
        </div>
        {(more > 0).then(|| view! {
            <p class="small">{format!("And {} that are not shown.", number(more))}</p>
        })}
    }
    .into_any()
}

#[component]
fn Item(item: WouldSendOut) -> impl IntoView {
    let WouldSendOut { item, topics, text, tokens } = item;
    let with = match topics.as_slice() {
        [] => "with no topic".to_owned(),
        topics => format!("with {}", topics.join(", ")),
    };
    let about = format!("{with} · about {}", count(tokens, "token", "tokens"));
    let (name, about) = (hidden::expose(&item).into_owned(), hidden::expose(&about).into_owned());
    let text = hidden::expose(&text).into_owned();
    view! {
        <details data-testid="would-send">
            <summary><code class="path">{name}</code>" "<span class="small">{about}</span></summary>
            <div class="copy-block wraps"><pre tabindex="0">{text}</pre></div>
        </details>
    }
}

#[component]
fn Topics(is_ready: RwSignal<bool>, metrics: Query<StoreMetricsOut>) -> impl IntoView {
    let topics = Memo::new(move |_| metrics.latest().map_or(0, |metrics| metrics.topic_count));
    Effect::new(move |_| is_ready.set(topics.get() > 0));
    let lead = move || match topics.get() {
        0 => "There are no topics yet. Organize the inbox first: it makes them.".to_owned(),
        topics => format!(
            "The model reads {}, and may write them anew, merge or retire them, in at most 40 steps \
             and 10 minutes. How many tokens that takes depends on what it reads. Every version \
             from before is kept, and can be put back. Afterwards you see whether a name, number \
             or path got lost.",
            count(topics, "topic", "topics")
        ),
    };
    view! {
        <p class="lead" data-testid="pass-lead">{lead}</p>
        <TokensLeft needed=0/>
    }
}
