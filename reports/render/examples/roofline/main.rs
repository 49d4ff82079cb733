//! Renders one document in every format: `cargo run -p derate-render --example roofline -- target/roofline`.

mod document;

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name the folder to write to")?);
    std::fs::create_dir_all(&folder)?;
    let document = document::document();
    std::fs::write(folder.join("roofline.xlsx"), derate_render::render_xlsx(&document)?)?;
    std::fs::write(folder.join("roofline.md"), derate_render::render_markdown(&document)?)?;
    std::fs::write(
        folder.join("roofline.txt"),
        derate_render::render_text(&document, false, 100)?,
    )?;
    std::fs::write(folder.join("roofline.html"), derate_render::render_html(&document)?)?;
    std::fs::write(folder.join("roofline.typ"), derate_render::render_typst(&document)?)?;
    for chart in document.charts() {
        std::fs::write(folder.join("roofline.svg"), derate_render::render_svg(chart)?)?;
    }
    for table in document.tables() {
        std::fs::write(
            folder.join(format!("{}.csv", table.name)),
            derate_render::render_csv(table)?,
        )?;
    }
    Ok(())
}
