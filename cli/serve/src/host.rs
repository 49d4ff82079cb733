//! The host names that a request may use. A foreign page whose name resolves to this machine has another one.

use std::net::IpAddr;

/// Where it listens, and by which further names it is reached.
pub(crate) struct Hosts {
    pub(crate) listened: IpAddr,
    pub(crate) names: Vec<String>,
}

/// The name of `name`, `name:port`, `[v6]` or `[v6]:port`; `None` where it is none of these.
fn host_name(host: &str) -> Option<&str> {
    let (name, rest) = match host.strip_prefix('[') {
        Some(_) => {
            let end = host.find(']')? + 1;
            host.split_at(end)
        }
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let port = |rest: &str| rest.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    (!name.is_empty() && (rest.is_empty() || port(rest))).then_some(name)
}

impl Hosts {
    /// Whether a request to this `Host` is meant for us. A tunnel has a port of its own, so any is right.
    pub(crate) fn is_allowed(&self, host: &str) -> bool {
        let Some(name) = host_name(host) else { return false };
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = bare.parse::<IpAddr>() {
            let any = self.listened.is_unspecified();
            return address.is_loopback() || address == self.listened || any;
        }
        let known = |other: &String| other.eq_ignore_ascii_case(name);
        name.eq_ignore_ascii_case("localhost") || self.names.iter().any(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(listened: &str, host: &str) -> bool {
        let names = vec!["bench.lab".to_owned()];
        Hosts { listened: listened.parse().unwrap(), names }.is_allowed(host)
    }

    #[test]
    fn names_of_this_machine_are_allowed_at_any_port() {
        for host in [
            "localhost",
            "LOCALHOST:9000",
            "127.0.0.1",
            "127.0.0.1:65535",
            "[::1]",
            "[::1]:80",
            "bench.lab:1",
        ] {
            assert!(allowed("127.0.0.1", host), "{host}");
        }
        assert!(allowed("10.0.0.5", "10.0.0.5:8080") && allowed("0.0.0.0", "10.0.0.5:8080"));
    }

    #[test]
    fn other_names_are_not() {
        for host in [
            "",
            ":80",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "localhost:99999",
            "localhost:80:80",
            "10.0.0.5",
            "[::1",
            "[::1]x",
            "user@localhost",
        ] {
            assert!(!allowed("127.0.0.1", host), "{host}");
        }
        assert!(!allowed("10.0.0.5", "10.0.0.6") && !allowed("0.0.0.0", "evil.example"));
    }
}
