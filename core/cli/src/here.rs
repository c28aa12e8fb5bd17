//! The working directory, which decides the project.

#![expect(clippy::disallowed_methods, reason = "the one place that asks where the command runs")]

use crate::failure::Failure;

/// The working directory, absolute, as the API takes it.
pub(crate) fn directory() -> Result<String, Failure> {
    let directory = std::env::current_dir()
        .map_err(|error| Failure::usage(format!("the working directory is not there: {error}")))?;
    directory.into_os_string().into_string().map_err(|path| {
        Failure::usage(format!("the working directory `{}` is not UTF-8", path.display()))
    })
}

/// A path that was typed, absolute, as the API takes it.
pub(crate) fn absolute(path: &str) -> Result<String, Failure> {
    let absolute = std::path::absolute(path)
        .map_err(|error| Failure::usage(format!("`{path}` is no path: {error}")))?;
    absolute
        .into_os_string()
        .into_string()
        .map_err(|path| Failure::usage(format!("the path `{}` is not UTF-8", path.display())))
}

/// A folder that was typed, absolute, as the API takes it; one that is not there is a slip.
pub(crate) fn folder(path: &str) -> Result<String, Failure> {
    let folder = absolute(path)?;
    if std::path::Path::new(&folder).is_dir() {
        return Ok(folder);
    }
    Err(Failure::usage(format!("there is no folder `{folder}`; make it first if that is meant")))
}
