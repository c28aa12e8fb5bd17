//! Keys of models: set and deleted here, never shown.

use coffer_api::credentials::{CredentialIn, CredentialOut, CredentialPlace, CredentialsOut};
use coffer_api::routes;
use gloo_net::http::Method;
use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::use_api;
use crate::parts::notices::use_notices;
use crate::parts::shown::Shown;
use crate::query::Query;

#[component]
pub(super) fn Credentials(query: Query<CredentialsOut>) -> impl IntoView {
    view! {
        <section class="card" aria-labelledby="credentials" data-testid="credentials">
            <h2 id="credentials">"Keys"</h2>
            <p class="small">
                "Kept in the system's keyring, or encrypted. A key is sent only to the host that it \
                 was first used for."
            </p>
            <Shown query lines=2 let:reply>
                {move || view! { <Rows rows=reply.get().credentials.clone() query/> }}
            </Shown>
            <SetForm query/>
        </section>
    }
}

#[component]
fn Rows(rows: Vec<CredentialOut>, query: Query<CredentialsOut>) -> impl IntoView {
    let (api, notices) = (use_api(), use_notices());
    let delete = move |name: String| {
        spawn_local(async move {
            let address = routes::fill(routes::CREDENTIAL, &[&name]);
            match api.with_body::<_, ()>(Method::DELETE, &address, &()).await {
                Ok(()) => {
                    query.again();
                    notices.done(format!("The key `{name}` is deleted."));
                }
                Err(failure) => notices.failed(&failure),
            }
        });
    };
    rows.into_iter()
        .map(|CredentialOut { name, place }| {
            let place = match place {
                CredentialPlace::File => "In an encrypted file",
                CredentialPlace::Keyring => "In the system's keyring",
            };
            let label = format!("Delete the key {name}");
            let shown = name.clone();
            view! {
                <div class="setting" data-testid="credential">
                    <span>
                        <code>{shown}</code>
                        " "
                        <span class="small">{place}</span>
                    </span>
                    <button class="quiet" aria-label=label on:click=move |_| delete(name.clone())>
                        "Delete"
                    </button>
                </div>
            }
        })
        .collect_view()
}

#[component]
fn SetForm(query: Query<CredentialsOut>) -> impl IntoView {
    let (api, notices) = (use_api(), use_notices());
    let (name, value) = (NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let set = move |event: SubmitEvent| {
        event.prevent_default();
        let (Some(name), Some(value)) = (name.get_untracked(), value.get_untracked()) else {
            return;
        };
        spawn_local(async move {
            let address = routes::fill(routes::CREDENTIAL, &[name.value().trim()]);
            let body = CredentialIn { value: value.value().trim().to_owned().into() };
            match api.with_body::<_, ()>(Method::PUT, &address, &body).await {
                Ok(()) => {
                    name.set_value("");
                    value.set_value("");
                    query.again();
                    notices.done("The key is kept.");
                }
                Err(failure) => notices.failed(&failure),
            }
        });
    };
    view! {
        <form class="setting" on:submit=set data-testid="set-credential">
            <span class="setting-field">
                <input
                    node_ref=name
                    id="credential-name"
                    type="text"
                    aria-label="Name of the key"
                    placeholder="Name, such as openai"
                    maxlength="64"
                    pattern="[a-z0-9][a-z0-9_\\-]*"
                    title="Small letters, digits, - and _"
                    required=true
                    autocomplete="off"
                    spellcheck="false"
                />
                <input
                    node_ref=value
                    id="credential-value"
                    type="password"
                    aria-label="The key itself"
                    placeholder="Key"
                    required=true
                    autocomplete="off"
                />
            </span>
            <button type="submit">"Keep"</button>
        </form>
    }
}
