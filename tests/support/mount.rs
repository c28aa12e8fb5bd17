//! A small disk: a tmpfs of a few hundred kilobytes, where tests run as root.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A mounted tmpfs; it goes when it is dropped. Declare it before what lives on it.
pub struct SmallDisk {
    place: PathBuf,
}

impl SmallDisk {
    /// Mounts one at a folder, which is made. `None` where mounting is not allowed, with a word
    /// about it: then there is no small disk to test on.
    pub fn mount(place: &Path, kilobytes: usize) -> Option<Self> {
        std::fs::create_dir_all(place).unwrap();
        let size = format!("size={kilobytes}k,mode=0700");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "coffer-test"])
            .arg(place)
            .stderr(Stdio::null())
            .status();
        if mounted.is_ok_and(|status| status.success()) {
            return Some(Self { place: place.to_owned() });
        }
        println!("SKIPPED: mounting a tmpfs is not allowed here");
        None
    }

    /// Where it is.
    pub fn place(&self) -> &Path {
        &self.place
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        _ = Command::new("umount").arg("-l").arg(&self.place).status();
        _ = std::fs::remove_dir_all(&self.place);
    }
}
