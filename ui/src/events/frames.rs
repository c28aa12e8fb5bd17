//! Server-sent events out of a stream of bytes, however the bytes are cut.

/// Bytes that do not yet make a whole line, and the data of the event that is being read.
#[derive(Default)]
pub(crate) struct Frames {
    line: Vec<u8>,
    data: String,
}

impl Frames {
    /// The data of the events that `bytes` complete. Comments and other fields are passed over.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut events = Vec::new();
        for byte in bytes {
            if *byte == b'\n' {
                events.extend(self.end_line());
            } else {
                self.line.push(*byte);
            }
        }
        events
    }

    fn end_line(&mut self) -> Option<String> {
        let bytes = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&bytes);
        let line = line.strip_suffix('\r').unwrap_or(&line);
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            return (!data.is_empty()).then_some(data);
        }
        if let Some(data) = line.strip_prefix("data:") {
            self.data.push_str(data);
            self.data.push('\n');
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::told::{Kind, Told};

    const STREAM: &str = ": hello\n\nevent: settings_changed\ndata: {\"type\":\"settings_changed\"}\n\n\
        retry: 5\r\ndata: {\"type\":\"store_changed\",\r\ndata: \"store\":\"ü\"}\r\n\r\n\
        data: {\"type\":\"from_the_future\"}\n\ndata: {\"type\":\"settings_changed\"}\n";

    fn settings() -> Told {
        Told { kind: Kind::SettingsChanged, store: None }
    }

    fn read(data: String) -> Option<Told> {
        serde_json::from_str(&data).ok()
    }

    #[test]
    fn events_are_found_however_the_bytes_are_cut() {
        let expected = [settings(), Told { kind: Kind::StoreChanged, store: Some("ü".to_owned()) }];
        for size in 1..STREAM.len() {
            let mut frames = Frames::default();
            let pieces = STREAM.as_bytes().chunks(size);
            let data = pieces.flat_map(|piece| frames.feed(piece));
            let events: Vec<Told> = data.filter_map(read).collect();
            assert_eq!(events, expected, "pieces of {size}");
            let last: Vec<_> = frames.feed(b"\n").into_iter().filter_map(read).collect();
            assert_eq!(last, [settings()], "the last one is complete");
        }
    }
}
