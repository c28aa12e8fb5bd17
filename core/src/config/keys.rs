//! The one table of keys: what each is called, where it is kept, which values it takes.

use std::sync::LazyLock;

use coffer_domain::store::Fusion;
use toml_edit::Value;

use super::preferences::{Preferences, PreferencesPatch};
use super::read;

/// The documented defaults.
pub(super) const DEFAULTS_TOML: &str = include_str!("defaults.toml");

/// The defaults, and the patch they were read as.
#[expect(clippy::expect_used, reason = "the file is part of the program, and a test reads it")]
pub(super) static DEFAULTS: LazyLock<(Preferences, PreferencesPatch)> = LazyLock::new(|| {
    let patch = read::read(DEFAULTS_TOML).expect("the embedded defaults parse").patch;
    (Preferences::whole(patch.clone()).expect("the embedded defaults are whole"), patch)
});

/// A key: its dotted name, and its place in a patch.
#[derive(Clone, Copy)]
pub(super) struct Key {
    pub name: &'static str,
    pub slot: for<'a> fn(&'a mut PreferencesPatch) -> Slot<'a>,
}

/// A place for a value of one kind.
pub(super) enum Slot<'a> {
    Switch(&'a mut Option<bool>),
    Seconds(&'a mut Option<u32>),
    Tokens(&'a mut Option<u64>),
    CommandLine(&'a mut Option<String>),
    Fusion(&'a mut Option<Fusion>),
}

/// Every key.
pub(super) const KEYS: [Key; 10] = [
    Key { name: "preferred_editor", slot: |it| Slot::CommandLine(&mut it.preferred_editor) },
    Key { name: "serve_agents", slot: |it| Slot::Switch(&mut it.serve_agents) },
    Key { name: "daily_token_cap", slot: |it| Slot::Tokens(&mut it.daily_token_cap) },
    Key { name: "fusion", slot: |it| Slot::Fusion(&mut it.fusion) },
    Key { name: "start_at_login", slot: |it| Slot::Switch(&mut it.start_at_login) },
    Key { name: "close_to_tray", slot: |it| Slot::Switch(&mut it.close_to_tray) },
    Key { name: "auto_organize.enabled", slot: |it| Slot::Switch(&mut it.auto_organize.enabled) },
    Key {
        name: "auto_organize.idle_seconds",
        slot: |it| Slot::Seconds(&mut it.auto_organize.idle_seconds),
    },
    Key { name: "distill.sweep_enabled", slot: |it| Slot::Switch(&mut it.distill.sweep_enabled) },
    Key { name: "distill.on_session_end", slot: |it| Slot::Switch(&mut it.distill.on_session_end) },
];

const EDITOR_CHARS: usize = 1024;
const IDLE_SECONDS: std::ops::RangeInclusive<u32> = 5..=86_400;
/// The largest number that TOML writes.
const MOST_TOKENS: u64 = i64::MAX.cast_unsigned();

const NOT_A_SWITCH: &str = "must be true or false";
const NOT_SECONDS: &str = "must be a whole number of seconds, 5 to 86400";
const NOT_TOKENS: &str = "must be a whole number, 0 to 9223372036854775807";
const NOT_A_COMMAND: &str = "must be a text of at most 1024 characters on one line";
const NOT_A_FUSION: &str = "must be \"mix\" or \"rrf\"";

impl Key {
    /// Takes a value as the file has it into the patch; the patch stays when it is refused.
    pub(super) fn take(self, value: &Value, patch: &mut PreferencesPatch) -> Result<(), String> {
        let mut one = PreferencesPatch::default();
        (self.slot)(&mut one).fill(value)?;
        self.give(&one)?;
        (self.slot)(patch).fill(value).map_err(str::to_owned)
    }

    /// The patch's value as the file writes it; `None` where the patch has none.
    pub(super) fn give(self, patch: &PreferencesPatch) -> Result<Option<Value>, String> {
        let mut patch = patch.clone();
        (self.slot)(&mut patch).checked().map_err(str::to_owned)
    }
}

impl Slot<'_> {
    fn fill(self, value: &Value) -> Result<(), &'static str> {
        match self {
            Self::Switch(slot) => *slot = Some(value.as_bool().ok_or(NOT_A_SWITCH)?),
            Self::Seconds(slot) => *slot = Some(number(value).ok_or(NOT_SECONDS)?),
            Self::Tokens(slot) => *slot = Some(number(value).ok_or(NOT_TOKENS)?),
            Self::CommandLine(slot) => {
                *slot = Some(value.as_str().ok_or(NOT_A_COMMAND)?.to_owned());
            }
            Self::Fusion(slot) => {
                *slot = Some(match value.as_str() {
                    Some("mix") => Fusion::Mix,
                    Some("rrf") => Fusion::Rrf,
                    _ => return Err(NOT_A_FUSION),
                });
            }
        }
        Ok(())
    }

    fn checked(self) -> Result<Option<Value>, &'static str> {
        Ok(match self {
            Self::Switch(slot) => slot.map(Value::from),
            Self::Seconds(Some(seconds)) if !IDLE_SECONDS.contains(seconds) => {
                return Err(NOT_SECONDS);
            }
            Self::Seconds(slot) => slot.map(|seconds| Value::from(i64::from(seconds))),
            Self::Tokens(Some(tokens)) if *tokens > MOST_TOKENS => return Err(NOT_TOKENS),
            Self::Tokens(slot) => slot.map(|tokens| Value::from(tokens.cast_signed())),
            Self::CommandLine(Some(text)) if !is_command_line(text) => return Err(NOT_A_COMMAND),
            Self::CommandLine(slot) => slot.as_deref().map(Value::from),
            Self::Fusion(slot) => slot.map(|fusion| {
                Value::from(match fusion {
                    Fusion::Mix => "mix",
                    Fusion::Rrf => "rrf",
                })
            }),
        })
    }
}

fn number<T: TryFrom<i64>>(value: &Value) -> Option<T> {
    T::try_from(value.as_integer()?).ok()
}

fn is_command_line(text: &str) -> bool {
    text.chars().count() <= EDITOR_CHARS && !text.contains(char::is_control)
}
