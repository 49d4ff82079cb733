//! Renders one document in every format: `cargo run -p derate-render --example roofline -- target/roofline`.

mod document;

use std::path::PathBuf;

use derate_render::render;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name the folder to write to")?);
    std::fs::create_dir_all(&folder)?;
    let document = document::document();
    std::fs::write(folder.join("roofline.xlsx"), render::xlsx(&document)?)?;
    std::fs::write(folder.join("roofline.md"), render::markdown(&document)?)?;
    std::fs::write(folder.join("roofline.txt"), render::text(&document, false, 100)?)?;
    std::fs::write(folder.join("roofline.html"), render::html(&document)?)?;
    std::fs::write(folder.join("roofline.typ"), render::typst(&document)?)?;
    for chart in document.charts() {
        std::fs::write(folder.join("roofline.svg"), render::svg(chart)?)?;
    }
    for table in document.tables() {
        std::fs::write(folder.join(format!("{}.csv", table.name)), render::csv(table)?)?;
    }
    Ok(())
}
