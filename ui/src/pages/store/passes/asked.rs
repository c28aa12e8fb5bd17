//! What a pass would do: the texts that would be sent, about how many tokens, and what is left of today's.

use std::sync::Arc;

use coffer_api::hidden;
use coffer_api::organize::{OrganizeQuery, OrganizeRehearsalOut, WouldSendOut};
use coffer_api::status::EngineStatusOut;
use coffer_api::stores::StoreMetricsOut;
use leptos::prelude::*;

use super::Pass;
use crate::api::{use_api, with_query};
use crate::format::{count, number};
use crate::parts::icon::{Glyph, Icon};
use crate::parts::prose::Prose;
use crate::parts::shown::Shown;
use crate::query::Query;
use crate::shared::use_shared;

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
        <Left needed=tokens/>
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
        <Left needed=0/>
    }
}

/// What is left of today's tokens, and whether it will do.
#[component]
fn Left(needed: u64) -> impl IntoView {
    let status = use_shared().status;
    status.again();
    let told = move || {
        let status = status.latest()?;
        let (line, is_short) = left(&status.engine, needed);
        let class = if is_short { "note" } else { "small" };
        Some(view! {
            <p class=class data-testid="tokens-left">
                {is_short.then(|| view! { <Icon of=Glyph::Warning/> })}
                <span><Prose text=line/></span>
            </p>
        })
    };
    view! { {told} }
}

fn left(engine: &EngineStatusOut, needed: u64) -> (String, bool) {
    let EngineStatusOut { model, tokens_today, daily_token_cap, .. } = engine;
    let left = daily_token_cap.saturating_sub(*tokens_today);
    let who = model.as_deref().map(|model| format!(" They go to `{model}`.")).unwrap_or_default();
    let (of, cap) = (number(left), number(*daily_token_cap));
    if left == 0 {
        let line = format!(
            "All {cap} tokens of today are used. Go on tomorrow (the day ends at midnight UTC), or \
             raise the limit in the settings."
        );
        return (line, true);
    }
    if needed > left {
        let line = format!(
            "Only {of} of {cap} tokens are left for today: it stops when they are used, and what \
             it did not reach stays as it is.{who}"
        );
        return (line, true);
    }
    (format!("{of} of {cap} tokens are left for today.{who}"), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_the_day_is_said_and_whether_it_will_do() {
        let engine = |tokens_today| EngineStatusOut {
            configured: true,
            model: Some("m".into()),
            tokens_today,
            daily_token_cap: 2000,
        };
        let enough = "1,900 of 2,000 tokens are left for today. They go to `m`.";
        assert_eq!(left(&engine(100), 1900), (enough.to_owned(), false));
        let (line, is_short) = left(&engine(100), 1901);
        assert!(is_short && line.starts_with("Only 1,900 of 2,000"), "{line}");
        let (line, is_short) = left(&engine(2500), 0);
        assert!(is_short && line.starts_with("All 2,000 tokens"), "{line}");
    }
}
