//! AICC over real sockets, where every message of the game is held to the schemas.

mod calls;
mod client;
mod game;
mod handshake;
mod hostile;
mod lines;
mod sessions;
