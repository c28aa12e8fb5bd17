//! Typing in a model: save, test, clear.

use std::sync::Arc;

use coffer_api::credentials::CredentialsOut;
use coffer_api::model_settings::TrialOut;
use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::use_api;
use crate::format::sentence;
use crate::pages::settings::models::draft::{Draft, Role, called};
use crate::parts::icon::{Glyph, Icon};
use crate::parts::notices::use_notices;
use crate::parts::prose::Prose;
use crate::parts::row::fingerprint;
use crate::query::Query;

#[component]
pub(super) fn ModelForm(
    role: Role,
    query: Query<Option<Draft>>,
    saved: Signal<Arc<Option<Draft>>>,
    credentials: Query<CredentialsOut>,
) -> impl IntoView {
    let (api, notices) = (use_api(), use_notices());
    let draft = RwSignal::new(Draft::default());
    let trial = RwSignal::new(None::<TrialOut>);
    // What others set meanwhile is shown; the typed text gives way to it.
    Effect::new(move |_| draft.set(saved.get().as_ref().clone().unwrap_or_default()));
    let set = move |to: Option<Draft>, done: &'static str| {
        trial.set(None);
        spawn_local(async move {
            match role.set(api, to).await {
                Ok(set) => {
                    query.settle(Ok(set));
                    notices.done(done);
                }
                Err(failure) => notices.failed(&failure),
            }
        });
    };
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        let draft = draft.get_untracked();
        match role.wrong(&draft) {
            Some(wrong) => notices.refused(wrong),
            None => set(Some(draft), "Saved."),
        }
    };
    let is_set = move || saved.with(|saved| saved.is_some());
    view! {
        <form on:submit=save data-testid=move || format!("{}-form", role.id())>
            <Fields role draft credentials/>
            <p class="buttons">
                <button type="submit" class="primary">"Save"</button>
                <Test role draft trial/>
                <Show when=is_set>
                    <button
                        type="button"
                        class="quiet"
                        data-testid="clear"
                        on:click=move |_| set(None, "No model is used.")
                    >
                        "Use none"
                    </button>
                </Show>
            </p>
        </form>
        {move || trial.get().map(|trial| view! { <Outcome trial/> })}
    }
}

/// Asks the model that is typed, which may take a while.
#[component]
fn Test(role: Role, draft: RwSignal<Draft>, trial: RwSignal<Option<TrialOut>>) -> impl IntoView {
    let (api, notices) = (use_api(), use_notices());
    let is_asked = RwSignal::new(false);
    let test = move |_| {
        let draft = draft.get_untracked();
        if let Some(wrong) = role.wrong(&draft) {
            return notices.refused(wrong);
        }
        is_asked.set(true);
        trial.set(None);
        spawn_local(async move {
            match role.test(api, draft).await {
                Ok(outcome) => drop(trial.try_set(Some(outcome))),
                Err(failure) => notices.failed(&failure),
            }
            // The form may be gone by now.
            let _ = is_asked.try_set(false);
        });
    };
    view! {
        <button type="button" data-testid="test" disabled=move || is_asked.get() on:click=test>
            {move || if is_asked.get() { "Testing…" } else { "Test" }}
        </button>
    }
}

#[component]
fn Outcome(trial: TrialOut) -> impl IntoView {
    let icon = if trial.ok { Glyph::Ok } else { Glyph::Warning };
    view! {
        <p class="note" role="status" data-testid="trial">
            <Icon of=icon/>
            <span><Prose text=sentence(&trial.message)/></span>
        </p>
    }
}

#[component]
fn Fields(role: Role, draft: RwSignal<Draft>, credentials: Query<CredentialsOut>) -> impl IntoView {
    let field = move |name: &str| format!("{}-{name}", role.id());
    let choose = move |value: String| {
        if let Some(provider) = role.providers().find(|it| called(*it) == value) {
            draft.update(|draft| draft.provider = provider);
        }
    };
    let providers = role
        .providers()
        .map(|it| {
            let is_chosen = move || draft.with(|draft| draft.provider == it);
            view! { <option value=called(it) prop:selected=is_chosen>{called(it)}</option> }
        })
        .collect_view();
    view! {
        <div class="setting">
            <label for=field("provider")><span class="setting-name">"Provider"</span></label>
            <span class="setting-field">
                <select
                    id=field("provider")
                    on:change:target=move |event| choose(event.target().value())
                >
                    {providers}
                </select>
            </span>
        </div>
        <Line id=field("model") name="Model" hint="" mode="text" placeholder="Its name"
            value=move || draft.with(|draft| draft.model.clone())
            typed=Callback::new(move |text| draft.update(|draft| draft.model = text))/>
        <Line id=field("url") name="Address" hint="" mode="text" placeholder="The provider's own"
            value=move || draft.with(|draft| draft.base_url.clone())
            typed=Callback::new(move |text| draft.update(|draft| draft.base_url = text))/>
        <Key role id=field("credential") draft credentials/>
        <Show when=move || role == Role::Embedding>
            <Line id=field("width") name="Dimensions" mode="numeric" placeholder="As the model answers"
                hint="Width of its vectors."
                value=move || draft.with(|draft| draft.dimensions.clone())
                typed=Callback::new(move |text| draft.update(|draft| draft.dimensions = text))/>
        </Show>
    }
}

/// Which credential holds the key. One that is set but gone is shown all the same.
#[component]
fn Key(
    role: Role,
    id: String,
    draft: RwSignal<Draft>,
    credentials: Query<CredentialsOut>,
) -> impl IntoView {
    let names = Memo::new(move |_| {
        let found = credentials.latest();
        let known = found.iter().flat_map(|found| &found.credentials);
        let mut names: Vec<String> = known.map(|credential| credential.name.clone()).collect();
        let own = draft.with(|draft| draft.credential.clone());
        if !own.is_empty() && !names.contains(&own) {
            names.push(own);
        }
        names
    });
    let none = match role {
        Role::Embedding => "None, or the language model's of the same host",
        Role::Engine => "None",
    };
    let choose = move |value: String| draft.update(|draft| draft.credential = value);
    let is_chosen = move |name: String| move || draft.with(|draft| draft.credential == name);
    let is_none = move || draft.with(|draft| draft.credential.is_empty());
    view! {
        <div class="setting">
            <label for=id.clone()><span class="setting-name">"Key"</span></label>
            <span class="setting-field">
                <select id=id on:change:target=move |event| choose(event.target().value())>
                    <option value="" prop:selected=is_none>{none}</option>
                    <For each=move || names.get() key=|name| fingerprint(name) let(name)>
                        <option
                            value=name.clone()
                            prop:selected=is_chosen(name)
                        >
                            {name.clone()}
                        </option>
                    </For>
                </select>
            </span>
        </div>
    }
}

/// One line to type in.
#[component]
fn Line(
    id: String,
    name: &'static str,
    hint: &'static str,
    mode: &'static str,
    placeholder: &'static str,
    #[prop(into)] value: Signal<String>,
    typed: Callback<String>,
) -> impl IntoView {
    view! {
        <div class="setting">
            <label for=id.clone()>
                <span class="setting-name">{name}</span>
                <span class="small">{hint}</span>
            </label>
            <span class="setting-field">
                <input
                    id=id
                    // A field for numbers would hide from the page what it takes for none.
                    type="text"
                    inputmode=mode
                    autocomplete="off"
                    spellcheck="false"
                    placeholder=placeholder
                    prop:value=move || value.get()
                    on:input:target=move |event| typed.run(event.target().value())
                />
            </span>
        </div>
    }
}
