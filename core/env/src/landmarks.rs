//! Folders of the person and the system that are no project of their own.

use std::path::PathBuf;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_and_temporary_folders_are_named() {
        let named = never_projects();
        assert!(named.contains(&user_home().unwrap()));
        assert!(named.contains(&std::env::temp_dir()));
    }
}
