//! The shape notation of catalogues: `{afterSeq?: integer, limit?: integer}`.
