//! `derate emu ...`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Subcommand;

use super::bench::parse_seconds;
use super::{Format, Preprocess};

#[derive(Debug, clap::Args)]
pub(crate) struct Emu {
    #[command(subcommand)]
    pub(crate) command: EmuCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EmuCommand {
    /// Show what a compiled design says: memories, kernels, compute units
    Inspect(Inspect),
    /// Make a design for software emulation of kernel sources and a v++ configuration
    Xclbin(BuildXclbin),
    /// Run an XRT program on the emulated card
    Run(Run),
    /// Run a Python program on the emulated card, with XRT's module pyxrt
    Python(Python),
    /// Prepare a folder for XRT's software emulation, and print what to export
    Env(Env),
    /// The same with v++ and its companions, so that a makefile for Vitis builds and runs as it is
    Toolchain(Toolchain),
    /// The device that XRT starts; not for people
    #[command(hide = true)]
    Device(OnlyDevice),
    /// A tool of Vitis that derate replaces; not for people
    #[command(hide = true)]
    Tool(Tool),
    /// The program of `run`, in a session of its own; not for people
    #[command(hide = true)]
    Program(Program),
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Reads what v++ and xclbinutil write, for hardware and for emulation. A damaged file is shown as far as it goes, with \
        what is wrong on top, and the exit status is 1.\n\n\
        Examples:\n  derate emu inspect design.xclbin\n  derate emu inspect design.xclbin --format json"
)]
pub(crate) struct Inspect {
    /// The design
    pub(crate) file: PathBuf,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Sources are taken as they are for Vitis HLS. A kernel's registers lie where Vitis HLS puts them; sources are read as it reads \
        them, with __SYNTHESIS__ defined. They are also compiled for this machine, with a C++ compiler, and their code goes \
        into the design: in memory, the pointers of a kernel become ports that check and count each access.\n\
        A kernel without nk= has one compute unit, NAME_1; a buffer without sp= is connected to the first bank.\n\n\
        Examples:\n  derate emu xclbin --output gemm.xclbin gemm.cpp\n  \
        derate emu xclbin --output all.xclbin kernels/*.cpp -I include --config u280.cfg"
)]
pub(crate) struct BuildXclbin {
    /// The kernels' sources
    #[arg(required = true)]
    pub(crate) sources: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// A v++ configuration; repeatable
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Vec<PathBuf>,
    /// A card of the catalogue, or a path to your own .toml
    #[arg(long, default_value = "u280", value_parser = super::offered::card(), hide_possible_values = true)]
    pub(crate) platform: String,
    #[command(flatten)]
    pub(crate) preprocess: Preprocess,
    /// The function that is the kernel, of each source [default: those with interface pragmas or named by nk=, else the one
    /// in extern "C", else the one that is called as the file is]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) kernel: Option<String>,
    /// Leave pointers as they are: nothing counts what a kernel does with them, and an access beyond a buffer is found by
    /// the pages around it
    #[arg(long, conflicts_with = "without_code")]
    pub(crate) unchecked: bool,
    /// Leave the kernels' code out: the design can be inspected, and does not run
    #[arg(long)]
    pub(crate) without_code: bool,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Needs XRT (Debian: apt install libxrt1), and no card. The program sees a card with the banks of the platform, behind \
        XRT's own library; C, C++ and OpenCL programs run as they are. Its design comes from `derate emu xclbin`. The program \
        has a session and a USER of its own; what XRT writes goes into a folder that is gone afterwards. What it leaves behind \
        in its session is ended; what it starts in another session is waited for, and named after 2 s.\n\n\
        Exit status:\n  \
        N      the program's own\n  \
        128+S  signal S ended the program: 134 where it aborts, 139 where it leaves its memory; 143 where it divides by zero\n         \
        (XRT makes SIGTERM of that) or another process ends it\n  \
        125    its device ended first, and XRT ended the program for that: a kernel crashed, called exit(), went beyond a\n         \
        buffer or ran longer than --limit, or the design does not fit; stderr says which\n  \
        2      the program could not be started\n\n\
        A program that returns without waiting for its runs races with XRT, which may end it (125, 139) or hang; that its device \
        hears nothing is noted after 20 s.\n\n\
        Debian 12's libxrt_swemu.so.2 loses memory at its second call. It is known by its sha256, and a private copy with one \
        byte corrected is used; the installed file stays as it is.\n\n\
        --profile counts bytes and runs (Emulated) and models times (Modelled): a run takes the longest of the cycles that \
        `derate kernel` finds in the design's sources, of its ports and of its banks. Nothing is measured, and no clock of this machine is in it.\n\n\
        Examples:\n  derate emu run -- ./host design.xclbin\n  \
        derate emu run --profile profile -- ./host design.xclbin"
)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) device: Device,
    /// How many cards the program sees
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub(crate) devices: u32,
    #[command(flatten)]
    pub(crate) profile: Profile,
    /// The program and its arguments
    #[arg(required = true, last = true)]
    pub(crate) program: Vec<OsString>,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Prints lines for a shell. XRT kills its whole process group when its device dies: start programs with setsid, or use \
        `derate emu run`, which does.\n\n\
        Example:\n  eval \"$(derate emu env ~/.cache/derate-emu)\" && setsid --wait ./host design.xclbin"
)]
pub(crate) struct Env {
    /// The folder to fill; made where it is not there, refused where it holds anything but what this command put there
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) device: Device,
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Device {
    /// A card of the catalogue, or a path to your own .toml
    #[arg(long, default_value = "u280", value_parser = super::offered::card(), hide_possible_values = true)]
    pub(crate) platform: String,
    /// End the device, and with it the program, where one run of a kernel takes longer on this machine [default: none; a
    /// run of more than 60 s is noted]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) limit: Option<u32>,
    /// Let the program and the device see the same bytes of every buffer that XRT lets the program map: a forgotten sync then
    /// shows nothing [default: only of `host_only` and p2p buffers, and of those in HOST banks]
    #[arg(long)]
    pub(crate) coherent: bool,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "As `derate emu run -- python3 SCRIPT`. Where Python has no module pyxrt, it is built once in ~/.cache/derate/python, of the source \
        in the folder that XRT_SOURCE names, else of what XRT publishes; that needs pybind11.\n\n\
        Example:\n  derate emu python host.py -x design.xclbin"
)]
pub(crate) struct Python {
    #[command(flatten)]
    pub(crate) device: Device,
    /// How many cards the program sees
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub(crate) devices: u32,
    #[command(flatten)]
    pub(crate) profile: Profile,
    /// The script and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) script: Vec<OsString>,
}

/// What `--profile` writes.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Profile {
    /// Write what each compute unit read and wrote, and a modelled timeline, into this folder: profile.html, summary.csv and
    /// trace.json for Perfetto
    #[arg(long = "profile", value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// A source with kernels of the design, where the design's own have changed or are elsewhere; repeatable
    #[arg(long, value_name = "FILE", requires = "folder")]
    pub(crate) source: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) preprocess: Preprocess,
}

/// What XRT starts; without a platform, the design says which card this is.
#[derive(Debug, clap::Args)]
pub(crate) struct OnlyDevice {
    #[arg(long, value_parser = super::offered::card(), hide_possible_values = true)]
    pub(crate) platform: Option<String>,
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) limit: Option<u32>,
    #[arg(long)]
    pub(crate) coherent: bool,
    #[arg(long, value_name = "FOLDER")]
    pub(crate) record: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Prints lines for a shell: XILINX_VITIS, XILINX_XRT and PLATFORM, a PATH with v++, emconfigutil, xclbinutil and platforminfo, \
        and OpenCL's loader. A design that this v++ makes runs on the emulated card, with XCL_EMULATION_MODE=sw_emu or hw_emu: both \
        do the same. A flag of v++ that says nothing to an emulation is named and left out.\n\n\
        Example:\n  eval \"$(derate emu toolchain ~/.cache/derate-vitis)\" && make run TARGET=hw_emu"
)]
pub(crate) struct Toolchain {
    /// The folder to fill; made where it is not there, refused where it holds anything but what this command put there
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) device: Device,
}

#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Tool {
    /// Its name
    pub(crate) name: String,
    /// Its words
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Program {
    /// The program and its arguments
    #[arg(required = true, last = true)]
    pub(crate) program: Vec<OsString>,
}
