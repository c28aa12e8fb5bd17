//! What the doctor found, in plain words, with the one action that mends each.

use coffer_api::doctor::{CheckOut, CheckState, DoctorFixOut, DoctorOut};
use coffer_api::hidden;
use coffer_api::routes;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::use_api;
use crate::format::{humanize, sentence};
use crate::live::{follows, use_live};
use crate::parts::file_actions::PathRow;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::notices::use_notices;
use crate::parts::prose::Prose;
use crate::parts::shown::Shown;
use crate::query::Query;
use crate::shared::use_shared;

#[component]
pub(super) fn Health() -> impl IntoView {
    let (api, settings) = (use_api(), use_live().of_settings());
    let query = Query::<DoctorOut>::at(api, follows(settings, routes::DOCTOR));
    view! {
        <section class="card" aria-labelledby="health" data-testid="health">
            <div class="head-row">
                <h2 id="health">"Health"</h2>
                <button class="quiet" data-testid="check-again" on:click=move |_| query.again()>
                    <Icon of=Glyph::Refresh/>
                    "Check again"
                </button>
            </div>
            <Degraded/>
            <Shown query lines=6 let:reply>
                {move || view! { <Rows rows=worst_first(reply.get().rows.clone()) query/> }}
            </Shown>
        </section>
    }
}

fn worst_first(mut rows: Vec<CheckOut>) -> Vec<CheckOut> {
    rows.sort_by_key(|row| match row.state {
        CheckState::Error => 0,
        CheckState::Warning => 1,
        CheckState::Ok => 2,
    });
    rows
}

#[component]
fn Rows(rows: Vec<CheckOut>, query: Query<DoctorOut>) -> impl IntoView {
    let (api, notices) = (use_api(), use_notices());
    let can_fix = rows.iter().any(|row| row.fixable && row.state != CheckState::Ok);
    let fix = move |_| {
        spawn_local(async move {
            match api.post::<_, DoctorFixOut>(routes::DOCTOR_FIX, &()).await {
                Ok(DoctorFixOut { fixed, rows }) => {
                    query.settle(Ok(DoctorOut { rows }));
                    notices.done(mended(&fixed));
                }
                Err(failure) => notices.failed(&failure),
            }
        });
    };
    view! {
        <ul class="checks">
            {rows.into_iter().map(|row| view! { <Check row/> }).collect_view()}
        </ul>
        {can_fix.then(|| view! {
            <button class="primary" data-testid="fix" on:click=fix>
                <Icon of=Glyph::Mend/>
                "Fix what can be fixed"
            </button>
        })}
    }
}

/// Where it is; what is well needs no way there.
fn place(path: String, is_ok: bool) -> AnyView {
    if is_ok {
        let shown = hidden::expose(&path).into_owned();
        return view! { <code class="path">{shown}</code> }.into_any();
    }
    view! { <PathRow path/> }.into_any()
}

/// What does not work fully just now, as the server says it.
#[component]
fn Degraded() -> impl IntoView {
    let status = use_shared().status;
    let sentences = move || status.latest().map(|status| status.degraded.clone());
    let notes = move || {
        sentences()
            .unwrap_or_default()
            .into_iter()
            .map(|text| {
                view! {
                    <p class="note">
                        <Icon of=Glyph::Warning/>
                        <span><Prose text=sentence(&text)/></span>
                    </p>
                }
            })
            .collect_view()
    };
    view! { {notes} }
}

/// The one action that mends it.
#[component]
fn Remedy(fix: String) -> impl IntoView {
    view! {
        <p class="check-fix">
            <Icon of=Glyph::Mend/>
            <span><Prose text=sentence(&fix)/></span>
        </p>
    }
}

fn mended(fixed: &[String]) -> String {
    if fixed.is_empty() {
        return "Nothing was left to fix.".to_owned();
    }
    fixed.iter().map(|done| sentence(done)).collect::<Vec<_>>().join(" ")
}

#[component]
fn Check(row: CheckOut) -> impl IntoView {
    let CheckOut { check, state, path, reason, fix, .. } = row;
    let (icon, word, class) = match state {
        CheckState::Ok => (Glyph::Ok, "Fine", "check ok"),
        CheckState::Warning => (Glyph::Warning, "Needs attention", "check warning"),
        CheckState::Error => (Glyph::Alert, "Does not work", "check error"),
    };
    let name = humanize(&check);
    let is_ok = state == CheckState::Ok;
    let fix = fix.filter(|_| !is_ok);
    view! {
        <li class=class data-testid="check" data-check=check>
            <span class="check-state" title=word>
                <Icon of=icon/>
                <span class="offscreen">{word}</span>
            </span>
            <div>
                <h3>{name}</h3>
                <p><Prose text=sentence(&reason)/></p>
                {fix.map(|fix| view! { <Remedy fix/> })}
                {path.map(|path| place(path, is_ok))}
            </div>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_mended_is_told_in_sentences() {
        assert_eq!(mended(&[]), "Nothing was left to fix.");
        assert_eq!(mended(&["removed `a`".into(), "Rebuilt.".into()]), "Removed `a`. Rebuilt.");
    }

    #[test]
    fn the_worst_comes_first_and_equals_keep_their_order() {
        let row = |check: &str, state| CheckOut {
            check: check.into(),
            state,
            path: None,
            reason: String::new(),
            fix: None,
            fixable: false,
        };
        let rows = vec![
            row("a", CheckState::Ok),
            row("b", CheckState::Error),
            row("c", CheckState::Ok),
            row("d", CheckState::Warning),
        ];
        let order: Vec<_> = worst_first(rows).into_iter().map(|row| row.check).collect();
        assert_eq!(order, ["b", "d", "a", "c"]);
    }
}
