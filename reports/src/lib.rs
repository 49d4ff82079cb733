//! A neutral document in, bytes out: workbook, figure, Markdown, terminal text.
