//! From schemas to the intermediate representation.

use crate::config::ProtocolConfig;
use crate::diagnostics::Result;
use crate::graph::Graph;
use crate::ir::Protocol;
use crate::load::Source;
use crate::overlay::Overlay;

/// Makes the protocol's types, messages, codes and lists.
pub fn protocol(
    _config: &ProtocolConfig,
    _source: Source,
    _overlay: &Overlay,
    _graph: &Graph,
) -> Result<Protocol> {
    todo!()
}
