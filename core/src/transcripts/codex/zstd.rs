//! Rollouts that were packed: frames of zstd, one after the other, unpacked as they are read.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The largest window that a frame may ask for: no rollout needs more memory than that.
const WINDOW: u64 = 32 << 20;

/// A packed file, unpacked.
pub(super) struct Frames {
    packed: BufReader<File>,
    decoder: FrameDecoder,
    is_inside: bool,
}

impl Frames {
    pub(super) fn of(file: File) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW);
        Self { packed: BufReader::new(file), decoder, is_inside: false }
    }

    /// Begins the next frame; one that is there to be skipped is.
    fn begin(&mut self) -> io::Result<()> {
        match self.decoder.init(&mut self.packed) {
            Ok(()) => self.is_inside = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                io::copy(&mut (&mut self.packed).take(length.into()), &mut io::sink())?;
            }
            Err(error) => return Err(io::Error::other(error)),
        }
        Ok(())
    }
}

impl Read for Frames {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.is_inside {
                while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                    let one = BlockDecodingStrategy::UptoBlocks(1);
                    self.decoder.decode_blocks(&mut self.packed, one).map_err(io::Error::other)?;
                }
                let read = self.decoder.read(into)?;
                if read > 0 || into.is_empty() {
                    return Ok(read);
                }
                self.is_inside = false;
            } else if self.packed.fill_buf()?.is_empty() {
                return Ok(0);
            } else {
                self.begin()?;
            }
        }
    }
}
