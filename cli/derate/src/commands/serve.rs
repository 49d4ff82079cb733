//! `derate serve`.

use derate_model::load;
use std::net::SocketAddr;
use std::path::Path;

use anyhow::{Context, Error, anyhow};
use derate_serve::{NamedPlatform, ServerOptions, TOKEN_VARIABLE, Token, run_server};

use super::platform::find_target;
use crate::args::Serve;
use crate::output::{self, Outcome};

pub(crate) fn run(args: &Serve) -> Result<Outcome, Error> {
    let listen = parse_address(&args.listen)?;
    let token = find_token(args.token.as_deref())?;
    let named =
        |word: &String| Ok(NamedPlatform { target: find_target(word)?, word: word.clone() });
    run_server(ServerOptions {
        listen,
        token,
        host_names: args.name.clone(),
        device: args.device.clone(),
        store: args.store.clone(),
        platforms: args.platform.iter().map(named).collect::<Result<_, Error>>()?,
        note: output::note,
    })?;
    Ok(Outcome::Clean)
}

/// An address and a port; `localhost` counts as 127.0.0.1.
fn parse_address(text: &str) -> Result<SocketAddr, Error> {
    let own = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    own.as_deref().unwrap_or(text).parse().map_err(|_| {
        anyhow!(
            "--listen {text}: write an address and a port, such as 127.0.0.1:8080 or [::1]:8080"
        )
    })
}

/// The token of a file, or of the environment; `None` if neither has one.
fn find_token(file: Option<&Path>) -> Result<Option<Token>, Error> {
    let (origin, text) = match (file, std::env::var(TOKEN_VARIABLE)) {
        (Some(path), _) => (path.display().to_string(), load::read_text(path)?),
        (None, Ok(text)) => (TOKEN_VARIABLE.to_owned(), text),
        (None, Err(_)) => return Ok(None),
    };
    Ok(Some(Token::parse(&text).context(origin)?))
}
