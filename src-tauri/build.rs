//! Tauri's own build step: resources for Windows, and the list of permissions, which is empty.

fn main() {
    tauri_build::build();
}
