//! Reports beside the sources that they are of.
