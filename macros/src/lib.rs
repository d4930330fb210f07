//! The attribute macros of Ludwire.
