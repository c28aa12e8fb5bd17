//! A file manager's side of a drop: the protocol XDND, version 5, spoken to a window.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode,
    SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;
use x11rb::{COPY_DEPTH_FROM_PARENT, CURRENT_TIME, NONE};

use super::PATIENCE;

x11rb::atom_manager! {
    /// The words of the protocol.
    Words: WordsCookie {
        XdndAware,
        XdndEnter,
        XdndPosition,
        XdndStatus,
        XdndDrop,
        XdndFinished,
        XdndSelection,
        XdndActionCopy,
        TARGETS,
        _NET_CLIENT_LIST,
        URIS: b"text/uri-list",
    }
}

/// Drops files into the middle of the window whose title begins so. Returns when the window took them.
#[track_caller]
pub(super) fn drop_onto(display: &str, title: &str, paths: &[&Path]) {
    let (x11, screen) = x11rb::connect(Some(display)).unwrap();
    let root = x11.setup().roots[screen].root;
    let words = Words::new(&x11).unwrap().reply().unwrap();
    let target = window(&x11, root, &words, title).expect("the window is there");
    let uris = paths.iter().map(|path| format!("{}\r\n", url::Url::from_file_path(path).unwrap()));
    let drag = Drag { source: source(&x11, root), x11, words, target, uris: uris.collect() };
    drag.run(root);
}

/// A drag under way.
struct Drag {
    x11: RustConnection,
    words: Words,
    source: Window,
    target: Window,
    uris: String,
}

impl Drag {
    #[track_caller]
    fn run(&self, root: Window) {
        let words = &self.words;
        self.x11.set_selection_owner(self.source, words.XdndSelection, CURRENT_TIME).unwrap();
        let size = self.x11.get_geometry(self.target).unwrap().reply().unwrap();
        let middle = self.x11.translate_coordinates(
            self.target,
            root,
            (size.width / 2).cast_signed(),
            (size.height / 2).cast_signed(),
        );
        let middle = middle.unwrap().reply().unwrap();
        let at =
            u32::from(middle.dst_x.cast_unsigned()) << 16 | u32::from(middle.dst_y.cast_unsigned());
        self.tell(words.XdndEnter, [5 << 24, words.URIS, NONE, NONE]);
        // The window asks what it would get before it says that it takes it.
        self.until("the window takes what is dragged over it", |answer| {
            if answer.is_none() {
                self.tell(words.XdndPosition, [0, at, CURRENT_TIME, words.XdndActionCopy]);
            }
            answer.is_some_and(|it| it.type_ == words.XdndStatus && it.data.as_data32()[1] & 1 == 1)
        });
        self.tell(words.XdndDrop, [0, CURRENT_TIME, 0, 0]);
        self.until("the window took what was dropped", |answer| {
            answer.is_some_and(|it| it.type_ == words.XdndFinished)
        });
    }

    /// Sends a message of the protocol.
    fn tell(&self, word: Atom, [a, b, c, d]: [u32; 4]) {
        let data = [self.source, a, b, c, d];
        let message = ClientMessageEvent::new(32, self.target, word, data);
        self.x11.send_event(false, self.target, EventMask::NO_EVENT, message).unwrap();
        self.x11.flush().unwrap();
    }

    /// Hands over what is dragged to whoever asks, until an answer of the window settles it; now and then
    /// there is none.
    #[track_caller]
    fn until(&self, what: &str, settles: impl Fn(Option<&ClientMessageEvent>) -> bool) {
        let began = Instant::now();
        loop {
            let is_settled = match self.x11.poll_for_event().unwrap() {
                Some(Event::ClientMessage(answer)) => settles(Some(&answer)),
                Some(Event::SelectionRequest(asked)) => {
                    self.hand_over(&asked);
                    false
                }
                Some(_) => false,
                None => {
                    sleep(Duration::from_millis(50));
                    settles(None)
                }
            };
            if is_settled {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "never: {what}");
        }
    }

    fn hand_over(&self, asked: &SelectionRequestEvent) {
        let SelectionRequestEvent { requestor, property, target, .. } = *asked;
        let given = if target == self.words.URIS {
            let bytes = self.uris.as_bytes();
            self.x11
                .change_property8(PropMode::REPLACE, requestor, property, target, bytes)
                .unwrap();
            property
        } else if target == self.words.TARGETS {
            let kinds = [self.words.URIS];
            let kind = AtomEnum::ATOM;
            self.x11
                .change_property32(PropMode::REPLACE, requestor, property, kind, &kinds)
                .unwrap();
            property
        } else {
            NONE
        };
        let answer = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: asked.time,
            requestor,
            selection: asked.selection,
            target,
            property: given,
        };
        self.x11.send_event(false, requestor, EventMask::NO_EVENT, answer).unwrap();
        self.x11.flush().unwrap();
    }
}

/// The window that a drag comes from; nobody sees it.
fn source(x11: &RustConnection, root: Window) -> Window {
    let window = x11.generate_id().unwrap();
    let class = WindowClass::INPUT_OUTPUT;
    let aux = CreateWindowAux::new();
    let depth = COPY_DEPTH_FROM_PARENT;
    x11.create_window(depth, window, root, -9, -9, 1, 1, 0, class, 0, &aux).unwrap();
    window
}

/// The window whose title begins so, among those that take drops.
fn window(x11: &RustConnection, root: Window, words: &Words, title: &str) -> Option<Window> {
    let property = |window, name: Atom, kind: Atom| {
        let found = x11.get_property(false, window, name, kind, 0, 1_024);
        found.unwrap().reply().ok()
    };
    let all = property(root, words._NET_CLIENT_LIST, AtomEnum::WINDOW.into())?;
    all.value32()?.find(|window| {
        let name = property(*window, AtomEnum::WM_NAME.into(), AtomEnum::ANY.into());
        let is_ours = name.is_some_and(|name| name.value.starts_with(title.as_bytes()));
        let aware = property(*window, words.XdndAware, AtomEnum::ANY.into());
        is_ours && aware.is_some_and(|aware| aware.value_len > 0)
    })
}
