//! What an agent that starts here now is told, to the letter, and how much room there is.

use std::sync::Arc;

use coffer_api::hooks::InjectionOut;
use leptos::prelude::*;

use crate::format::{count, number};
use crate::parts::copy::CopyBlock;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::shown::Shown;
use crate::query::Query;
use crate::wording::GLOBAL;

#[component]
pub(super) fn Start(name: String, query: Query<InjectionOut>) -> impl IntoView {
    let about = if name == GLOBAL {
        "What an agent is told when it starts outside of any project: the rules that hold everywhere."
    } else {
        "What an agent is told when it starts in this project: its rules, then those that hold \
         everywhere."
    };
    view! {
        <section aria-label="At start" data-testid="lane-start">
            <h2 class="offscreen">"At start"</h2>
            <p class="lead">{about}</p>
            <Shown query let:reply>
                {move || view! { <Told told=reply.get()/> }}
            </Shown>
        </section>
    }
}

#[component]
fn Told(told: Arc<InjectionOut>) -> impl IntoView {
    let size = size(&told);
    let remarks = remarks(&told).into_iter().map(|text| {
        view! {
            <p class="note" data-testid="start-remark">
                <Icon of=Glyph::Warning/><span>{text}</span>
            </p>
        }
    });
    view! {
        <div class="budget">
            <progress
                max=told.max_bytes
                value=told.bytes.min(told.max_bytes)
                aria-label="Room that is taken"
            ></progress>
            <p class="small" data-testid="start-size">{size}</p>
        </div>
        {remarks.collect_view()}
        <CopyBlock text=told.additional_context.clone() what="Text" wraps=true/>
    }
}

fn size(told: &InjectionOut) -> String {
    let InjectionOut { rules, bytes, max_bytes, utf16_units, max_utf16_units, .. } = told;
    format!(
        "{}. {} of {} bytes, {} of {} characters as agents count them.",
        count(*rules, "rule", "rules"),
        number(*bytes),
        number(*max_bytes),
        number(*utf16_units),
        number(*max_utf16_units)
    )
}

/// What a person should know of it.
fn remarks(told: &InjectionOut) -> Vec<String> {
    let mut remarks = Vec::new();
    if !told.enabled {
        remarks.push("This store is switched off, so that its own rules are not told.".to_owned());
    }
    if told.left_out > 0 {
        let many = count(told.left_out, "rule does not fit and is", "rules do not fit and are");
        remarks.push(format!(
            "{many} left out, from the end. The text names the folders in which all of them stand."
        ));
    }
    if told.left_out > 0 && is_wide(told) {
        remarks.push(
            "It is the limit in bytes that is reached: a Chinese, Japanese or Korean character \
             takes three bytes, so that such rules reach it sooner than their length suggests."
                .to_owned(),
        );
    }
    remarks
}

/// Whether a good part of the text is in characters of several bytes.
const fn is_wide(told: &InjectionOut) -> bool {
    told.bytes > told.utf16_units + told.utf16_units / 4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(left_out: u64, bytes: u64, utf16_units: u64) -> InjectionOut {
        InjectionOut {
            additional_context: String::new(),
            rules: 1,
            left_out,
            utf16_units,
            bytes,
            max_utf16_units: 9000,
            max_bytes: 9000,
            enabled: true,
        }
    }

    #[test]
    fn the_size_is_told_in_a_line() {
        let line = "1 rule. 8,100 of 9,000 bytes, 2,700 of 9,000 characters as agents count them.";
        assert_eq!(size(&told(0, 8100, 2700)), line);
    }

    #[test]
    fn what_does_not_fit_is_said_and_why() {
        assert!(remarks(&told(0, 8900, 3000)).is_empty());
        assert_eq!(remarks(&told(2, 8900, 8800)).len(), 1);
        let wide = remarks(&told(1, 8900, 3100));
        assert!(wide[0].starts_with("1 rule does not fit") && wide[1].contains("Chinese"));
        let off = InjectionOut { enabled: false, ..told(0, 800, 800) };
        assert!(remarks(&off)[0].contains("switched off"));
    }
}
