//! What is left of today's tokens, said before a text goes to the language model.

use coffer_api::status::EngineStatusOut;
use leptos::prelude::*;

use crate::format::number;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::prose::Prose;
use crate::shared::use_shared;

/// The line; it warns when less than `needed` are left.
#[component]
pub(crate) fn TokensLeft(needed: u64) -> impl IntoView {
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
