//! `derate emu xclbin --output X KERNELS.cpp... --config u280.cfg`.

use std::fs;

use anyhow::{Context, Error};

use super::build::{Code, Job, KernelFile, build_design};
use crate::args::BuildXclbin;
use crate::commands::platform::find_card;
use crate::output::{self, Outcome};

pub(crate) fn run(args: &BuildXclbin) -> Result<Outcome, Error> {
    let platform = find_card(&args.platform)?;
    output::is_no_input(&args.output, args.sources.iter().chain(&args.config))?;
    output::may_replace(&args.output, output::Written::Xclbin)?;
    let file = |path: &std::path::PathBuf| KernelFile {
        path: path.clone(),
        preprocess: args.preprocess.clone(),
        kernel: args.kernel.clone(),
    };
    let files: Vec<KernelFile> = args.sources.iter().map(file).collect();
    let code = match (args.without_code, args.unchecked) {
        (true, _) => Code::None,
        (false, true) => Code::Plain,
        (false, false) => Code::Checked,
    };
    let job = Job { files: &files, config: &args.config, inline: "", platform: &platform, code };
    let linked = build_design(&job)?;
    let name = args.output.display();
    fs::write(&args.output, linked.xclbin.write())
        .with_context(|| format!("{name} cannot be written: check the path"))?;
    output::note(&format!("wrote {name}"));
    Ok(Outcome::Clean)
}
