//! The page as a whole: who may see it, what it shares, how it is laid out.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use leptos_router::components::{A, FlatRoutes, Redirect, Route, Router};
use leptos_router::path;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlElement;

use crate::address;
use crate::api::Api;
use crate::events;
use crate::live::{Connection, Live, use_live};
use crate::pages::activity::ActivityPage;
use crate::pages::agent::AgentPage;
use crate::pages::agents::AgentsPage;
use crate::pages::base::BasePage;
use crate::pages::bases::BasesPage;
use crate::pages::conversation::ConversationPage;
use crate::pages::document::DocumentPage;
use crate::pages::fact::FactPage;
use crate::pages::missing::Missing;
use crate::pages::settings::SettingsPage;
use crate::pages::signed_out::SignedOut;
use crate::pages::store::StorePage;
use crate::parts::icon::{Glyph, Icon, Sprite};
use crate::parts::notices::{NoticeStack, Notices};
use crate::parts::proposal::{Proposal, ProposalDialog};
use crate::parts::search::SearchBox;
use crate::parts::shown::Skeleton;
use crate::parts::sidebar::Sidebar;
use crate::parts::when::Clock;
use crate::session::{self, Session};
use crate::shared::{Shared, use_shared};

/// The root. Everything below an open session is made anew when the session is.
#[component]
pub(crate) fn App() -> impl IntoView {
    let session = session::begin();
    view! {
        <Sprite/>
        {move || match session.get() {
            Session::Opening => view! { <Opening/> }.into_any(),
            Session::Closed(why) => view! { <SignedOut why/> }.into_any(),
            Session::Open(_) => view! { <SignedIn session/> }.into_any(),
        }}
    }
}

#[component]
fn Opening() -> impl IntoView {
    view! {
        <main class="signed-out">
            <Skeleton lines=3/>
        </main>
    }
}

#[component]
fn SignedIn(session: RwSignal<Session>) -> impl IntoView {
    let (api, live) = (Api::new(session), Live::new());
    provide_context(api);
    provide_context(live);
    provide_context(Notices::new());
    provide_context(Clock::start());
    provide_context(Shared::new(api, live));
    provide_context(Proposal::new());
    events::follow(api, live);
    view! { <Router><Layout/></Router> }
}

#[component]
fn Layout() -> impl IntoView {
    view! {
        <a class="skip" href="#content" on:click=skip>"Skip to content"</a>
        <header class="top">
            <A href=address::store("global") attr:class="brand">
                <img src="/icon.svg" alt="" width="24" height="24"/>
                <span>"Coffer"</span>
            </A>
            <SearchBox/>
            <ConnectionNote/>
        </header>
        <div class="columns">
            <Sidebar/>
            <main id="content" tabindex="-1">
                <FlatRoutes fallback=|| view! { <Missing/> }>
                    <Route
                        path=path!("/")
                        view=|| view! { <Redirect path=address::store("global")/> }
                    />
                    <Route path=path!("/stores/:name/facts/:id") view=FactPage/>
                    <Route path=path!("/stores/:name/*lane") view=StorePage/>
                    <Route path=path!("/bases") view=BasesPage/>
                    <Route path=path!("/bases/:name") view=BasePage/>
                    <Route path=path!("/bases/:name/documents/:id") view=DocumentPage/>
                    <Route path=path!("/agents") view=AgentsPage/>
                    <Route
                        path=path!("/agents/:name/conversations/:id")
                        view=ConversationPage
                    />
                    <Route path=path!("/agents/:name/*side") view=AgentPage/>
                    <Route path=path!("/activity") view=ActivityPage/>
                    <Route path=path!("/settings") view=SettingsPage/>
                </FlatRoutes>
            </main>
        </div>
        <ProposalDialog/>
        <NoticeStack/>
    }
}

/// Moves the keyboard to the content, which the router, that takes over all links, would not do.
fn skip(event: MouseEvent) {
    event.prevent_default();
    let content = document().get_element_by_id("content");
    if let Some(content) = content.and_then(|content| content.dyn_into::<HtmlElement>().ok()) {
        // The element takes the focus by its `tabindex`.
        let _ = content.focus();
    }
}

/// Says quietly that what is shown may be old, or that agents are not served.
#[component]
fn ConnectionNote() -> impl IntoView {
    let (connection, settings) = (use_live().connection, use_shared().settings);
    let is_away = move || connection.get() == Connection::Retrying;
    let is_paused = move || settings.latest().is_some_and(|settings| !settings.serve_agents);
    let note = move || match (is_away(), is_paused()) {
        (true, _) => Some("Disconnected, retrying…"),
        (false, true) => Some("Agents are paused"),
        (false, false) => None,
    };
    let shown = move |text| view! { <Icon of=Glyph::Unplug/>{text} };
    view! {
        <p class="connection small" role="status" data-testid="connection">
            {move || note().map(shown)}
        </p>
    }
}
