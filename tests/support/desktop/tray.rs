//! A tray icon and its menu, driven over the bus as a panel does.

use std::collections::HashMap;

use super::PATIENCE;
use crate::support::process::{bound, eventually};
use zbus::blocking::{Connection, Proxy};
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Value};

/// An icon in the tray.
pub struct Tray<'a> {
    connection: &'a Connection,
    name: String,
    path: String,
}

/// An item of its menu, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    id: i32,
    /// The text; empty for a line.
    pub label: String,
    /// Set for what can be ticked.
    pub is_checked: Option<bool>,
    /// Whether it can be chosen.
    pub is_enabled: bool,
    /// What opens beside it.
    pub items: Vec<Self>,
}

/// A node as the bus carries it: number, properties, nodes below.
type Node = (i32, HashMap<String, OwnedValue>, Vec<OwnedValue>);

impl<'a> Tray<'a> {
    pub(super) fn new(connection: &'a Connection, name: String, path: String) -> Self {
        Self { connection, name, path }
    }

    /// Waits until the icon looks like one of those in `icons/`.
    #[track_caller]
    pub fn looks(&self, name: &str) {
        let icon = format!("{}/../../icons/tray-{name}-64.png", env!("CARGO_MANIFEST_DIR"));
        eventually(&format!("the icon looks {name}"), PATIENCE, || {
            let shown: String = self.icon().get_property("IconName").unwrap();
            let mut compare = bound("compare");
            compare.args(["-metric", "AE", &shown, &icon, "null:"]);
            compare.output().unwrap().status.success().then_some(())
        });
    }

    /// The menu as it is now.
    pub fn menu(&self) -> Vec<Item> {
        let menu = self.menu_proxy();
        // What a panel says before it draws; the answer, whether to ask again, does not matter.
        _ = menu.call_method("AboutToShow", &(0_i32,));
        let (_, root): (u32, Node) =
            menu.call("GetLayout", &(0_i32, -1_i32, Vec::<String>::new())).unwrap();
        Item::read(root).items
    }

    /// The labels of the menu, lines left out.
    pub fn labels(&self) -> Vec<String> {
        let labels = self.menu().into_iter().map(|item| item.label);
        labels.filter(|label| !label.is_empty()).collect()
    }

    /// An item, wherever it is in the menu.
    #[track_caller]
    pub fn item(&self, label: &str) -> Item {
        let menu = self.menu();
        let mut all = menu.iter().flat_map(|item| std::iter::once(item).chain(&item.items));
        let item = all.find(|item| item.label == label);
        item.cloned().unwrap_or_else(|| panic!("no `{label}` in {menu:#?}"))
    }

    /// Whether an item is ticked.
    #[track_caller]
    pub fn is_checked(&self, label: &str) -> bool {
        self.item(label).is_checked.unwrap()
    }

    /// Chooses an item.
    #[track_caller]
    pub fn choose(&self, label: &str) {
        let item = self.item(label);
        assert!(item.is_enabled, "{item:?}");
        let event = (item.id, "clicked", Value::from(0_i32), 0_u32);
        self.menu_proxy().call_method("Event", &event).unwrap();
    }

    fn icon(&self) -> Proxy<'_> {
        self.proxy(self.path.clone(), "org.kde.StatusNotifierItem")
    }

    fn menu_proxy(&self) -> Proxy<'_> {
        let path: OwnedObjectPath = self.icon().get_property("Menu").unwrap();
        self.proxy(path.to_string(), "com.canonical.dbusmenu")
    }

    fn proxy(&self, path: String, interface: &'static str) -> Proxy<'_> {
        zbus::blocking::proxy::Builder::<Proxy<'_>>::new(self.connection)
            .destination(self.name.clone())
            .and_then(|proxy| proxy.path(path))
            .and_then(|proxy| proxy.interface(interface))
            // Always what is so now.
            .and_then(|proxy| proxy.cache_properties(zbus::proxy::CacheProperties::No).build())
            .unwrap()
    }
}

impl Item {
    fn read((id, properties, below): Node) -> Self {
        let text = |name: &str| {
            let value = properties.get(name).and_then(|value| <&str>::try_from(value).ok());
            value.unwrap_or_default().to_owned()
        };
        let state = properties.get("toggle-state").and_then(|state| i32::try_from(state).ok());
        let is_enabled = properties.get("enabled").and_then(|value| bool::try_from(value).ok());
        let below = below.into_iter().map(|node| Value::from(node).downcast::<Node>().unwrap());
        Self {
            id,
            label: unescaped(&text("label")),
            is_checked: (text("toggle-type") == "checkmark").then_some(state == Some(1)),
            is_enabled: is_enabled.unwrap_or(true),
            items: below.map(Self::read).collect(),
        }
    }
}

/// One underscore marks a key, two stand for one.
fn unescaped(label: &str) -> String {
    label.replace("__", "\0").replace('_', "").replace('\0', "_")
}
