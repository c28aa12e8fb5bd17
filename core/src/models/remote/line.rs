//! A thread of its own with an asynchronous runtime, so that whoever asks may block anywhere.

use std::future::Future;
use std::pin::Pin;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout_at;

/// How often whoever waits is asked whether to go on.
const PAUSE: Duration = Duration::from_millis(100);

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The thread; it ends with the line.
pub(super) struct Line {
    tasks: UnboundedSender<Task>,
}

impl Line {
    /// Starts the thread.
    pub(super) fn open() -> std::io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (tasks, mut received): (_, UnboundedReceiver<Task>) = unbounded_channel();
        std::thread::Builder::new().name("models".to_owned()).spawn(move || {
            // What libraries log here may hold texts that were sent or answered.
            let silent = tracing::subscriber::NoSubscriber::default();
            tracing::subscriber::with_default(silent, || {
                runtime.block_on(async {
                    while let Some(task) = received.recv().await {
                        tokio::spawn(task);
                    }
                });
                // A name that is still looked up must not hold up the end.
                runtime.shutdown_background();
            });
        })?;
        Ok(Self { tasks })
    }

    /// Runs work to its end and waits for it; `None` when it did not end by then, or when whoever waits
    /// does not want to go on.
    pub(super) fn run<T: Send + 'static>(
        &self,
        deadline: Instant,
        go_on: &dyn Fn() -> bool,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (done, result) = sync_channel(1);
        let task = async move {
            if let Ok(value) = timeout_at(deadline.into(), work).await {
                // Whoever asked may have gone.
                let _ = done.send(value);
            }
        };
        self.tasks.send(Box::pin(task)).ok()?;
        loop {
            match result.recv_timeout(PAUSE) {
                Ok(value) => return Some(value),
                Err(RecvTimeoutError::Timeout) if go_on() => {}
                // Without a value the sender goes with the task.
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
    }
}
