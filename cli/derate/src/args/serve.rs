//! `derate serve`.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Open the address that is printed. Nothing is loaded from elsewhere; what is measured runs on this machine, one thing \
        at a time, and every finished point is in the store before it is shown: after a crash, all are there, and an \
        interrupted sweep can be resumed. The API is described at /openapi.json.\n\n\
        Only this machine is answered, unless --listen names another address; then a token is asked of every request to the \
        API: at least 16 characters, in the file of --token or in DERATE_SERVE_TOKEN. There is no encryption: across a \
        network, take a tunnel.\n\n\
        Examples:\n  derate serve\n  derate serve --platform machine.toml --store results.sqlite\n  \
        ssh -L 8080:localhost:8080 user@gpu-machine derate serve --device cuda:0      open http://localhost:8080 here, measure there\n  \
        derate serve --listen 0.0.0.0:8080 --token token.txt\n  \
        curl -H 'Content-Type: application/json' -d '{\"workload\": \"gemm\", \"m\": 512, \"n\": 512, \"k\": 512,\n      \
        \"platform\": \"h100-sxm\", \"precision\": \"fp16\"}' http://127.0.0.1:8080/api/predict"
)]
pub(crate) struct Serve {
    /// The address and port to answer at; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub(crate) listen: String,
    /// What measures: cpu, or cuda:0 for the first GPU
    #[arg(long, default_value = "cpu")]
    pub(crate) device: String,
    /// A file with the token that every request must carry
    #[arg(long, value_name = "FILE")]
    pub(crate) token: Option<PathBuf>,
    /// The database that results are kept in; made where it is not there
    #[arg(long, value_name = "FILE", default_value = "derate-results.sqlite")]
    pub(crate) store: PathBuf,
    /// A platform file of your own, or a name of the catalogue; the page opens with the first; may be given several times
    #[arg(long, value_name = "NAME|FILE", value_parser = super::offered::target(), hide_possible_values = true)]
    pub(crate) platform: Vec<String>,
    /// Another name under which this machine is reached; may be given several times
    #[arg(long, value_name = "HOST")]
    pub(crate) name: Vec<String>,
}
