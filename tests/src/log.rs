//! A log that stays in memory.

use std::io::Write;
use std::sync::{Arc, Mutex};
use tracing::Level;
use tracing_subscriber::fmt::MakeWriter;

/// What is said.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// All that is said in this program from now on, down to a level.
    ///
    /// # Panics
    ///
    /// When the program has a log already.
    pub fn of_all(level: Level) -> Self {
        let log = Self::default();
        let subscriber =
            tracing_subscriber::fmt().with_max_level(level).with_writer(log.clone()).with_ansi(false);
        tracing::subscriber::set_global_default(subscriber.finish()).expect("it is the only one here");
        log
    }

    /// What was said so far.
    ///
    /// # Panics
    ///
    /// When a writer has panicked.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().expect("nothing panics here")).into_owned()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nothing panics here").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

/// What is said at this level (`WARN`) while `work` runs.
pub fn said(level: &str, work: impl FnOnce()) -> Vec<String> {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_writer(log.clone()).with_ansi(false).finish();
    tracing::subscriber::with_default(subscriber, work);
    let level = format!(" {level} ");
    log.text().lines().filter_map(|line| Some(line.split_once(&level)?.1.to_owned())).collect()
}
