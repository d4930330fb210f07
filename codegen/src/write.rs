//! Writes, checks or shows the files of a run.
