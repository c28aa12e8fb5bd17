//! A choice among words, one of which is "all".

use leptos::prelude::*;

use crate::parts::row::fingerprint;
use crate::shared::use_shared;
use crate::wording;

/// A named list to choose from; `None` is everything.
#[component]
pub(crate) fn Choice(
    label: &'static str,
    /// How everything is called.
    all: &'static str,
    /// What is sent, and what is shown.
    #[prop(into)]
    options: Signal<Vec<(String, String)>>,
    #[prop(into)] chosen: Signal<Option<String>>,
    #[prop(into)] choose: SignalSetter<Option<String>>,
) -> impl IntoView {
    let choose = move |value: String| choose.set((!value.is_empty()).then_some(value));
    view! {
        <select aria-label=label on:change:target=move |event| choose(event.target().value())>
            <option value="">{all}</option>
            <For each=move || options.get() key=|option| fingerprint(option) let((value, shown))>
                <option value=value.clone() selected=move || chosen.get().as_ref() == Some(&value)>
                    {shown}
                </option>
            </For>
        </select>
    }
}

/// A choice among the stores.
#[component]
pub(crate) fn StoreChoice(chosen: RwSignal<Option<String>>) -> impl IntoView {
    let stores = use_shared().stores;
    let options = Signal::derive(move || {
        let reply = stores.latest();
        let stores = reply.iter().flat_map(|reply| &reply.memory_stores);
        stores.map(|store| (store.name.clone(), wording::store(store))).collect()
    });
    view! { <Choice label="Store" all="All stores" options chosen choose=chosen/> }
}
