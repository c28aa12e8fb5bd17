//! Icons: a few of Lucide's, all from one sprite that is put into the page once.

use leptos::prelude::*;

/// The sprite, with its license at the head.
const SPRITE: &str = include_str!("icons.svg");

/// What an icon stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Glyph {
    /// The global store.
    Globe,
    /// The store of a project.
    Project,
    /// A knowledge base.
    Base,
    /// A document of it.
    Document,
    /// Takes a file in.
    Add,
    /// Search.
    Search,
    /// Preferences.
    Settings,
    /// What happened.
    Activity,
    /// Opens something below, or goes on.
    Forward,
    /// Goes back.
    Back,
    /// Copies.
    Copy,
    /// Renames.
    Rename,
    /// Reindexes, or asks again.
    Refresh,
    /// A topic document.
    Topic,
    /// A fact of the inbox.
    Inbox,
    /// Rules.
    Rules,
    /// The journal.
    Journal,
    /// A handoff, one per branch.
    Handoff,
    /// The consolidation log.
    Log,
    /// Something failed.
    Alert,
    /// Something needs attention.
    Warning,
    /// Something is well.
    Ok,
    /// Opens in the editor.
    Edit,
    /// Shows in the file manager.
    Reveal,
    /// Closes.
    Close,
    /// Connects.
    Plug,
    /// Mends.
    Mend,
    /// A command line.
    Terminal,
    /// Not connected.
    Unplug,
    /// Needs a key.
    Key,
    /// A coding agent.
    Agent,
    /// What was said in a session.
    Conversation,
    /// What an agent is told at its start.
    Start,
    /// Puts back what was.
    Restore,
    /// Something is not there, and need not be.
    None,
}

impl Glyph {
    /// Where the sprite has it.
    const fn address(self) -> &'static str {
        match self {
            Self::Globe => "#icon-globe",
            Self::Project => "#icon-folder-git-2",
            Self::Base => "#icon-library",
            Self::Document => "#icon-file-text",
            Self::Add => "#icon-plus",
            Self::Search => "#icon-search",
            Self::Settings => "#icon-settings",
            Self::Activity => "#icon-activity",
            Self::Forward => "#icon-chevron-right",
            Self::Back => "#icon-chevron-left",
            Self::Copy => "#icon-copy",
            Self::Rename => "#icon-pencil",
            Self::Refresh => "#icon-refresh-cw",
            Self::Topic => "#icon-book-open",
            Self::Inbox => "#icon-inbox",
            Self::Rules => "#icon-list-checks",
            Self::Journal => "#icon-calendar-days",
            Self::Handoff => "#icon-git-branch",
            Self::Log => "#icon-scroll-text",
            Self::Alert => "#icon-circle-alert",
            Self::Warning => "#icon-triangle-alert",
            Self::Ok => "#icon-circle-check",
            Self::Edit => "#icon-square-pen",
            Self::Reveal => "#icon-folder-open",
            Self::Close => "#icon-x",
            Self::Plug => "#icon-plug",
            Self::Mend => "#icon-wrench",
            Self::Terminal => "#icon-terminal",
            Self::Unplug => "#icon-unplug",
            Self::Key => "#icon-key-round",
            Self::Agent => "#icon-bot",
            Self::Conversation => "#icon-message-square",
            Self::Start => "#icon-log-in",
            Self::Restore => "#icon-rotate-ccw",
            Self::None => "#icon-minus",
        }
    }
}

/// The shapes that every [`Icon`] refers to; once in the page.
#[component]
pub(crate) fn Sprite() -> impl IntoView {
    view! { <div hidden inner_html=SPRITE></div> }
}

/// An icon beside a text that says the same, so that readers of screens pass over it.
#[component]
pub(crate) fn Icon(of: Glyph) -> impl IntoView {
    view! { <svg class="icon" aria-hidden="true"><use href=of.address()></use></svg> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sprite_has_every_icon() {
        let all = [
            Glyph::Globe,
            Glyph::Project,
            Glyph::Base,
            Glyph::Document,
            Glyph::Add,
            Glyph::Search,
            Glyph::Settings,
            Glyph::Activity,
            Glyph::Forward,
            Glyph::Back,
            Glyph::Copy,
            Glyph::Rename,
            Glyph::Refresh,
            Glyph::Topic,
            Glyph::Inbox,
            Glyph::Rules,
            Glyph::Journal,
            Glyph::Handoff,
            Glyph::Log,
            Glyph::Alert,
            Glyph::Warning,
            Glyph::Ok,
            Glyph::Edit,
            Glyph::Reveal,
            Glyph::Close,
            Glyph::Plug,
            Glyph::Mend,
            Glyph::Terminal,
            Glyph::Unplug,
            Glyph::Key,
            Glyph::Agent,
            Glyph::Conversation,
            Glyph::Start,
            Glyph::Restore,
            Glyph::None,
        ];
        for glyph in all {
            let id = glyph.address().trim_start_matches('#');
            assert!(SPRITE.contains(&format!("<symbol id=\"{id}\"")), "{glyph:?}");
        }
    }
}
