//! The program that opens files.

use std::sync::Arc;

use coffer_api::settings::{SettingsOut, SettingsPatch};
use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;

use crate::pages::settings::switches::use_patch;
use crate::parts::prose::Prose;

const HINT: &str =
    "The command that opens files, such as `code` or `subl`. Empty: what the system uses.";

#[component]
pub(super) fn Editor(settings: Signal<Arc<SettingsOut>>) -> impl IntoView {
    let patch = use_patch();
    let input = NodeRef::<Input>::new();
    let saved =
        Memo::new(move |_| settings.with(|all| all.preferred_editor.clone().unwrap_or_default()));
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        let typed = input.get_untracked().map(|input| input.value().trim().to_owned());
        patch.run(SettingsPatch { preferred_editor: typed, ..SettingsPatch::default() });
    };
    view! {
        <form class="setting" on:submit=save>
            <label for="editor">
                <span class="setting-name">"Editor"</span>
                <span class="small">
                    <Prose text=HINT/>
                </span>
            </label>
            <span class="setting-field">
                <input
                    node_ref=input
                    id="editor"
                    data-testid="editor"
                    type="text"
                    autocomplete="off"
                    spellcheck="false"
                    maxlength="1024"
                    placeholder="System default"
                    prop:value=move || saved.get()
                />
                <button type="submit" data-testid="save-editor">"Save"</button>
            </span>
        </form>
    }
}
