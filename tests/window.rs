//! The desktop application as a person meets it: the real window, the tray's menu over the bus, a
//! file manager and an editor that take notes.

mod dropping;
mod ending;
mod facts;
mod locked;
mod owner;
mod showing;
mod tray;
mod trouble;
