//! What became of the files that were dropped or chosen.

use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::use_params_map;

use crate::address;
use crate::format::count;
use crate::pages::base::intake::{Fate, Intake, Sent};
use crate::parts::icon::{Glyph, Icon};
use crate::parts::prose::Prose;

/// A list of files, shown while there are any.
#[component]
pub(super) fn Outcomes(intake: Intake) -> impl IntoView {
    let fates =
        move || -> Vec<Fate> { intake.sent.get().iter().map(|sent| sent.fate.get()).collect() };
    view! {
        <Show when=move || !intake.sent.with(Vec::is_empty)>
            <section class="card" aria-label="Files being added" data-testid="outcomes">
                <div class="head-row">
                    <h2 aria-live="polite">{move || told(&fates())}</h2>
                    <button class="quiet" on:click=move |_| intake.clear()>"Clear"</button>
                </div>
                <ul class="checks">
                    <For each=move || intake.sent.get() key=|sent| sent.key let:sent>
                        <OutcomeRow sent intake/>
                    </For>
                </ul>
            </section>
        </Show>
    }
}

fn told(fates: &[Fate]) -> String {
    let many = |wanted: fn(&Fate) -> bool| fates.iter().filter(|fate| wanted(fate)).count() as u64;
    let open = many(|fate| matches!(fate, Fate::Waiting | Fate::Working));
    if open > 0 {
        return format!("Adding {}…", count(open, "file", "files"));
    }
    let parts = [
        (many(|fate| matches!(fate, Fate::Added { .. })), "added"),
        (many(|fate| matches!(fate, Fate::Unchanged { .. })), "unchanged"),
        (many(|fate| matches!(fate, Fate::Duplicate)), "there in another version"),
        (many(|fate| matches!(fate, Fate::Failed(_))), "failed"),
    ];
    let told = parts.iter().filter(|(many, _)| *many > 0);
    told.map(|(many, word)| format!("{many} {word}")).collect::<Vec<_>>().join(" · ")
}

#[component]
fn OutcomeRow(sent: Sent, intake: Intake) -> impl IntoView {
    let base = use_params_map().read_untracked().get("name").unwrap_or_default();
    let (name, fate) = (sent.name.clone(), sent.fate);
    let again = sent;
    let rest = move || match fate.get() {
        Fate::Waiting => view! { <span class="small">"Waiting"</span> }.into_any(),
        Fate::Working => view! { <span class="small">"Converting…"</span> }.into_any(),
        Fate::Added { id } => view! {
            <A href=address::document(&base, &id)>"Added"</A>
        }
        .into_any(),
        Fate::Unchanged { id } => view! {
            <A href=address::document(&base, &id)>"There already"</A>
        }
        .into_any(),
        Fate::Duplicate => {
            let again = again.clone();
            view! {
                <span class="small">"Another version is there."</span>
                <button class="quiet" on:click=move |_| intake.replace(&again)>"Replace it"</button>
            }
            .into_any()
        }
        Fate::Failed(failure) => view! {
            <span class="small"><Prose text=failure.message()/></span>
        }
        .into_any(),
    };
    view! {
        <li class="check" class=("error", move || matches!(fate.get(), Fate::Failed(_)))
            data-testid="outcome">
            <span class="check-state">
                {move || {
                    let of = match fate.get() {
                        Fate::Waiting | Fate::Working => Glyph::Document,
                        Fate::Added { .. } | Fate::Unchanged { .. } => Glyph::Ok,
                        Fate::Duplicate => Glyph::Warning,
                        Fate::Failed(_) => Glyph::Alert,
                    };
                    view! { <Icon of/> }
                }}
            </span>
            <div class="outcome">
                <span class="outcome-name">{name}</span>
                {rest}
            </div>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Failure;

    #[test]
    fn outcomes_are_told_in_one_line() {
        let added = || Fate::Added { id: "1".into() };
        assert_eq!(told(&[added(), Fate::Waiting, Fate::Working]), "Adding 2 files…");
        let fates = [added(), added(), Fate::Duplicate, Fate::Failed(Failure::Unreachable)];
        assert_eq!(told(&fates), "2 added · 1 there in another version · 1 failed");
    }
}
