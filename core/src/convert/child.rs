//! The other side of `program`: the same program, started with one hidden argument. It confines itself, reads
//! the file that it finds open at its input, and prints what `wire` says.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::panic;
use std::thread;

use super::confine::confine;
use super::{Converted, Limits, Rejected, engines, original, wire};

/// The hidden argument. Those after it are options, so that a program which does not know it (a test's,
/// say) ends at once.
pub(super) const MODE: &str = "__convert";
/// Asks which bounds hold, instead of converting.
pub(super) const CONFINEMENT: &str = "--confinement";
/// Room for documents that are nested deeply, and no more than a fraction of the memory.
const STACK: usize = 64 << 20;

/// Converts and ends, when this process was started for that. To be called before anything else: before
/// threads, logs, windows.
pub fn enter_if_asked() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == MODE) {
        let is_done = run(&arguments.collect::<Vec<_>>());
        std::process::exit(if is_done.is_ok() { 0 } else { 1 });
    }
}

fn run(arguments: &[OsString]) -> io::Result<()> {
    let confinement = confine(&Limits::parse(arguments));
    let printed = if arguments.iter().any(|argument| argument == CONFINEMENT) {
        wire::written_confinement(confinement.tried())
    } else {
        wire::written(converted(&name(arguments)))
    };
    let mut out = io::stdout().lock();
    out.write_all(&printed)?;
    out.flush()
}

/// A name that ends as the file's does; the whole would show in the list of processes.
fn name(arguments: &[OsString]) -> String {
    let endings = arguments.iter().filter_map(|argument| argument.to_str());
    let ending = endings.filter_map(|argument| argument.strip_prefix("--ending=")).next();
    format!("x.{}", ending.unwrap_or_default())
}

/// What the file at the input gives, converted on a thread with a large stack.
fn converted(name: &str) -> Result<Converted, Rejected> {
    let bytes = original::read(io::stdin().lock())?;
    let name = name.to_owned();
    // What a panic says goes into the answer.
    panic::set_hook(Box::new(|_| {}));
    let thread = thread::Builder::new().stack_size(STACK);
    let started = thread.spawn(move || engines::convert(&name, bytes));
    let started = started.map_err(|error| Rejected::Unavailable(error.to_string()))?;
    started.join().unwrap_or_else(|panic| Err(Rejected::Crashed(said(&*panic))))
}

fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("it broke off").chars().take(200).collect()
}
