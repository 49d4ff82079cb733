//! One renderer per format: a document in, bytes out.
