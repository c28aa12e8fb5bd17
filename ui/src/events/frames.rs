//! Server-sent events out of a stream of bytes, however the bytes are cut.

use coffer_api::events::EventOut;

/// Bytes that do not yet make a whole line, and the data of the event that is being read.
#[derive(Default)]
pub(crate) struct Frames {
    line: Vec<u8>,
    data: String,
}

impl Frames {
    /// The events that `bytes` complete. Comments, other fields and unknown events are passed over.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<EventOut> {
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

    fn end_line(&mut self) -> Option<EventOut> {
        let bytes = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&bytes);
        let line = line.strip_suffix('\r').unwrap_or(&line);
        if line.is_empty() {
            return serde_json::from_str(&std::mem::take(&mut self.data)).ok();
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

    const STREAM: &str = ": hello\n\nevent: settings_changed\ndata: {\"type\":\"settings_changed\"}\n\n\
        retry: 5\r\ndata: {\"type\":\"store_changed\",\r\ndata: \"store\":\"ü\"}\r\n\r\n\
        data: {\"type\":\"from_the_future\"}\n\ndata: {\"type\":\"settings_changed\"}\n";

    #[test]
    fn events_are_found_however_the_bytes_are_cut() {
        let expected =
            [EventOut::SettingsChanged, EventOut::StoreChanged { store: "ü".to_owned() }];
        for size in 1..STREAM.len() {
            let mut frames = Frames::default();
            let pieces = STREAM.as_bytes().chunks(size);
            let events: Vec<_> = pieces.flat_map(|piece| frames.feed(piece)).collect();
            assert_eq!(events, expected, "pieces of {size}");
            assert_eq!(frames.feed(b"\n"), [EventOut::SettingsChanged], "the last one is complete");
        }
    }
}
