//! What every request must pass: whom it is for, where it comes from, whether it may, how much it says.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::answer::Refusal;
use crate::host::Hosts;
use crate::token::{Token, VARIABLE};

/// No request of the API has more to say.
pub(crate) const LARGEST: usize = 64 * 1024;

/// An answer that takes longer is none.
const PATIENCE: Duration = Duration::from_secs(30);

/// Who may ask what.
pub(crate) struct Guard {
    pub(crate) hosts: Hosts,
    pub(crate) token: Option<Token>,
}

/// A header that may occur once.
fn single_header<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'a str>, Refusal> {
    let wrong = || {
        let error = format!("the header {name} is not text, or occurs twice: send it once");
        Refusal::new(StatusCode::BAD_REQUEST, error)
    };
    let mut all = headers.get_all(name).iter();
    match (all.next(), all.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| wrong()),
        _ => Err(wrong()),
    }
}

impl Guard {
    /// Whom it is for, where it comes from, whether it may.
    fn check_origin(&self, request: &Request) -> Result<(), Refusal> {
        let headers = request.headers();
        let forbidden = |error: &str| Refusal::new(StatusCode::FORBIDDEN, error);
        let host = single_header(headers, &header::HOST)?.unwrap_or_default();
        let asked = request.uri().authority().map_or(host, |authority| authority.as_str());
        if !self.hosts.is_allowed(host) || asked != host {
            return Err(Refusal::new(
                StatusCode::MISDIRECTED_REQUEST,
                "this host name is not one that derate serve answers to: ask localhost or the address that it listens on, or \
                 start it with --name",
            ));
        }
        let foreign =
            "only derate's own page may call this from a browser: another origin is refused";
        if let Some(origin) = single_header(headers, &header::ORIGIN)?
            && !origin.eq_ignore_ascii_case(&format!("http://{host}"))
        {
            return Err(forbidden(foreign));
        }
        if !request.uri().path().starts_with("/api/") {
            return Ok(());
        }
        // A picture or a script of a foreign page has no origin, but says this.
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        if site.is_some_and(|site| site != b"same-origin" && site != b"none") {
            return Err(forbidden(foreign));
        }
        let given =
            single_header(headers, &header::AUTHORIZATION)?.and_then(|text| text.split_once(' '));
        let has_token = |token: &Token| {
            given.is_some_and(|(scheme, word)| {
                scheme.eq_ignore_ascii_case("bearer") && token.matches(word.trim().as_bytes())
            })
        };
        if self.token.as_ref().is_some_and(|token| !has_token(token)) {
            return Err(Refusal::new(
                StatusCode::UNAUTHORIZED,
                format!(
                    "a token is needed: send `Authorization: Bearer TOKEN` with the one of --token or {VARIABLE}"
                ),
            ));
        }
        Ok(())
    }
}

/// Whether it says that it is JSON. No form of another page can.
fn is_json(headers: &HeaderMap) -> Result<bool, Refusal> {
    let kind = single_header(headers, &header::CONTENT_TYPE)?.unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    Ok(kind.trim().eq_ignore_ascii_case("application/json"))
}

/// The request with all of its body, which is no longer than it may be.
async fn read_body(request: Request) -> Result<Request, Refusal> {
    let too_large = || {
        let error = format!("the body has more than {LARGEST} bytes: ask for less at once");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, error)
    };
    let said = single_header(request.headers(), &header::CONTENT_LENGTH)?.map(str::parse::<u64>);
    if said.is_some_and(|length| length.is_ok_and(|length| length > LARGEST as u64)) {
        return Err(too_large());
    }
    let (head, body) = request.into_parts();
    let body = to_bytes(body, LARGEST).await.map_err(|_| too_large())?;
    Ok(Request::from_parts(head, Body::from(body)))
}

async fn pass_on(guard: &Guard, request: Request, next: Next) -> Result<Response, Refusal> {
    guard.check_origin(&request)?;
    if !matches!(*request.method(), Method::GET | Method::HEAD) && !is_json(request.headers())? {
        return Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "what changes something is sent as `Content-Type: application/json`",
        ));
    }
    Ok(next.run(read_body(request).await?).await)
}

/// The headers that tell a browser to keep an answer to this page.
fn protect_response(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// Runs before every route.
pub(crate) async fn check_request(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let late = |_| {
        let error = "the request or its answer took more than 30 s: ask for less at once";
        Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, error))
    };
    let answer = tokio::time::timeout(PATIENCE, pass_on(&guard, request, next)).await;
    let mut response = answer.unwrap_or_else(late).unwrap_or_else(IntoResponse::into_response);
    protect_response(response.headers_mut());
    response
}
