//! Folders of the person and the system that are no project of their own, and those that come and
//! go with a disk.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Below these folders systems attach disks.
const HOLDERS: [&str; 5] = ["/media", "/run/media", "/mnt", "/net", "/Volumes"];

/// The person's home directory, if the system knows one.
pub fn user_home() -> Option<PathBuf> {
    etcetera::home_dir().ok()
}

/// The home directory and the temporary folders: places where everything lies, so that a
/// repository at exactly one of them says nothing about what is worked on there.
pub fn never_projects() -> Vec<PathBuf> {
    let common = ["/tmp", "/var/tmp"].map(PathBuf::from);
    user_home().into_iter().chain([std::env::temp_dir()]).chain(common).collect()
}

/// Whether a folder was surely taken away. One that cannot be looked at may be there all the same,
/// and one on a disk that is not attached comes back with it.
pub fn is_gone(folder: &Path) -> bool {
    let table = fs::read_to_string("/etc/fstab").unwrap_or_default();
    is_gone_but(folder, &HOLDERS.map(PathBuf::from), &attachable(&table))
}

fn is_gone_but(folder: &Path, holders: &[PathBuf], points: &[PathBuf]) -> bool {
    match fs::symlink_metadata(folder) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
        _ => return false,
    }
    let Some(standing) = folder.ancestors().skip(1).find_map(disk) else { return false };
    let is_below = |place: &&PathBuf| folder.starts_with(place) && folder != place.as_path();
    let is_around = |place: &Path| disk(place).is_none_or(|around| around == standing);
    let above = |place: &PathBuf| place.parent().is_none_or(is_around);
    let is_detached = holders.iter().filter(is_below).any(|it| is_around(it) || above(it))
        || points.iter().filter(is_below).any(above);
    !is_detached
}

/// The folders that the system's table names for disks, but for the root.
fn attachable(table: &str) -> Vec<PathBuf> {
    let lines = table.lines().filter(|line| !line.trim_start().starts_with('#'));
    let points = lines.filter_map(|line| line.split_whitespace().nth(1));
    points
        .map(|point| PathBuf::from(point.replace("\\040", " ")))
        .filter(|point| point.is_absolute() && point.parent().is_some())
        .collect()
}

/// Which disk a folder is on.
#[cfg(unix)]
fn disk(folder: &Path) -> Option<u64> {
    fs::metadata(folder).ok().map(|meta| std::os::unix::fs::MetadataExt::dev(&meta))
}

/// Which disk a folder is on: its drive.
#[cfg(not(unix))]
fn disk(folder: &Path) -> Option<u64> {
    fs::metadata(folder).ok().map(|_| 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_taken_away_is_gone() {
        let temp = tempfile::tempdir().unwrap();
        let at = |path: &str| temp.path().join(path);
        fs::create_dir_all(at("code/here")).unwrap();
        fs::create_dir_all(at("disks/usb")).unwrap();
        fs::write(at("file"), "").unwrap();
        std::os::unix::fs::symlink(at("nowhere"), at("link")).unwrap();
        let (holders, points) = ([at("disks"), at("absent")], [at("data")]);
        for (path, gone) in [
            ("code/here", false),
            ("link", false),
            ("code/moved", true),
            ("moved/parent/too", true),
            ("file/below", true),
            ("disks/usb/app", false),
            ("disks/other/app", false),
            ("absent/usb/app", false),
            ("data/app", false),
            ("database/app", true),
        ] {
            assert_eq!(is_gone_but(&at(path), &holders, &points), gone, "{path}");
        }
        // An attached disk is another one than the folder around it.
        let attached = Path::new("/proc/no-such-folder/app");
        assert!(is_gone_but(attached, &[], &[PathBuf::from("/proc")]));
    }

    #[test]
    fn the_table_of_disks_is_read() {
        let table = "# /dev/sda1 /old ext4\nUUID=1 / ext4 x 0 1\nUUID=2 none swap sw 0 0\n\
            UUID=3 /data ext4 x\n/dev/sdb1 /my\\040disk vfat\nodd\n";
        assert_eq!(attachable(table), ["/data", "/my disk"].map(PathBuf::from));
    }

    #[test]
    fn home_and_temporary_folders_are_named() {
        let named = never_projects();
        assert!(named.contains(&user_home().unwrap()));
        assert!(named.contains(&std::env::temp_dir()));
    }
}
