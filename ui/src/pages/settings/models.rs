//! Which models are used: the one that embeds texts, and the one that writes them.

mod budget;
mod draft;
mod form;

use coffer_api::credentials::CredentialsOut;
use leptos::prelude::*;

use crate::api::use_api;
use crate::live::use_live;
use crate::pages::settings::models::budget::Budget;
use crate::pages::settings::models::draft::{Draft, Role};
use crate::pages::settings::models::form::ModelForm;
use crate::parts::prose::Prose;
use crate::parts::shown::Shown;
use crate::query::Query;

/// Both models.
#[component]
pub(super) fn Models(credentials: Query<CredentialsOut>) -> impl IntoView {
    view! {
        <Model role=Role::Embedding credentials/>
        <Model role=Role::Engine credentials/>
    }
}

#[component]
fn Model(role: Role, credentials: Query<CredentialsOut>) -> impl IntoView {
    let (api, settings) = (use_api(), use_live().of_settings());
    let query = Query::<Option<Draft>>::new(move || settings.follow(), move |()| role.read(api));
    let id = role.id();
    view! {
        <section class="card" aria-labelledby=id data-testid=id>
            <h2 id=id>{role.title()}</h2>
            <p class="small"><Prose text=role.hint()/></p>
            <Shown query lines=6 let:saved>
                <ModelForm role query saved credentials/>
            </Shown>
            {(role == Role::Engine).then(|| view! { <Budget/> })}
        </section>
    }
}
