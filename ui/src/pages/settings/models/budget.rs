//! The tokens of a day: how many are used, and the most that may be.

use coffer_api::settings::SettingsPatch;
use coffer_api::status::EngineStatusOut;
use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;

use crate::format::number;
use crate::live::use_live;
use crate::pages::settings::switches::use_patch;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::notices::use_notices;
use crate::shared::use_shared;

/// What the language model took today, and the limit.
#[component]
pub(super) fn Budget() -> impl IntoView {
    let (jobs, status) = (use_live().of_jobs(), use_shared().status);
    Effect::new(move |_| {
        jobs.follow();
        status.again();
    });
    let engine = Memo::new(move |_| status.latest().map(|status| status.engine.clone()));
    let used = move || engine.get().map(|engine| view! { <Used engine/> });
    view! {
        {used}
        <Limit cap=Memo::new(move |_| engine.get().map(|engine| engine.daily_token_cap))/>
    }
}

#[component]
fn Used(engine: EngineStatusOut) -> impl IntoView {
    let EngineStatusOut { tokens_today, daily_token_cap, .. } = engine;
    let line = format!(
        "{} of {} tokens used today. The day ends at midnight UTC.",
        number(tokens_today),
        number(daily_token_cap)
    );
    let is_over = tokens_today >= daily_token_cap;
    view! {
        <div class="budget">
            <progress
                max=daily_token_cap.max(1)
                value=tokens_today.min(daily_token_cap)
                aria-label="Tokens of today that are used"
            ></progress>
            <p class="small" data-testid="tokens-today">{line}</p>
        </div>
        {is_over.then(|| view! {
            <p class="note">
                <Icon of=Glyph::Warning/>
                <span>"The language model is asked nothing more today. Raise the limit, or wait."</span>
            </p>
        })}
    }
}

#[component]
fn Limit(cap: Memo<Option<u64>>) -> impl IntoView {
    let (patch, notices) = (use_patch(), use_notices());
    let input = NodeRef::<Input>::new();
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        let typed = input.get_untracked().map(|input| input.value()).unwrap_or_default();
        match typed.trim().parse() {
            Ok(cap) => {
                patch.run(SettingsPatch { daily_token_cap: Some(cap), ..SettingsPatch::default() });
            }
            Err(_) => notices.refused("Tokens a day must be a whole number, such as 200000."),
        }
    };
    view! {
        <form class="setting" on:submit=save>
            <label for="token-cap">
                <span class="setting-name">"Tokens a day"</span>
                <span class="small">"The most that all work of the language model takes together."</span>
            </label>
            <span class="setting-field">
                <input
                    node_ref=input
                    id="token-cap"
                    type="number"
                    min="0"
                    step="1"
                    autocomplete="off"
                    prop:value=move || cap.get().map(|cap| cap.to_string()).unwrap_or_default()
                />
                <button type="submit" data-testid="save-cap">"Save"</button>
            </span>
        </form>
    }
}
