//! A log that stays in memory.

use std::io::Write;
use std::sync::{Arc, Mutex};
use tracing_subscriber::fmt::MakeWriter;

/// What the runtime says.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

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
pub(crate) fn said(level: &str, work: impl FnOnce()) -> Vec<String> {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_writer(log.clone()).with_ansi(false).finish();
    tracing::subscriber::with_default(subscriber, work);
    let bytes = log.0.lock().expect("nothing panics here").clone();
    let lines = String::from_utf8(bytes).expect("it is text");
    let level = format!(" {level} ");
    lines.lines().filter_map(|line| Some(line.split_once(&level)?.1.to_owned())).collect()
}
