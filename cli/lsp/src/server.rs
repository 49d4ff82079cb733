//! The conversation with the editor.

use std::path::{Path, PathBuf};
use std::thread;

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use derate_model::load::plain_path;
use gen_lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionParams, CodeActionProvider, CodeActionRequest,
    CodeActionResponse, Contents, DidChangeTextDocumentNotification, DidChangeTextDocumentParams,
    DidCloseTextDocumentNotification, DidCloseTextDocumentParams, DidOpenTextDocumentNotification,
    DidOpenTextDocumentParams, DidSaveTextDocumentNotification, Hover, HoverParams, HoverProvider,
    HoverRequest, InitializeParams, InitializeResult, LogMessageNotification, LogMessageParams,
    MarkupContent, MarkupKind, MessageType, Notification as _, PublishDiagnosticsNotification,
    PublishDiagnosticsParams, Request as _, Save, ServerCapabilities, ServerInfo, TextDocumentSync,
    TextDocumentSyncKind, TextDocumentSyncOptions, WorkDoneProgressOptions, WorkspaceFolders,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, ProtocolError, Request, Response};
use serde::Serialize;

use crate::check::{Checked, check_folder};
use crate::position::Encoding;
use crate::session::Session;
use crate::uri::{path_of, uri_of};

/// Why the conversation ended early.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The editor does not follow the protocol.
    #[error("the editor does not follow the language server protocol: {0}")]
    Protocol(#[from] ProtocolError),
    /// A message is not of its form.
    #[error("a message is not of the form of the protocol: {0}")]
    Form(#[from] serde_json::Error),
    /// Standard input or output is closed.
    #[error("the connection to the editor broke: {0}")]
    Broken(#[from] std::io::Error),
}

/// Serves an editor over standard input and output until it says goodbye.
///
/// # Errors
///
/// The editor does not follow the protocol, or goes away in the middle of a message.
pub fn serve_stdio() -> Result<(), ServeError> {
    let (connection, threads) = Connection::stdio();
    serve(connection)?;
    threads.join()?;
    Ok(())
}

/// Serves one connection.
///
/// # Errors
///
/// The editor does not follow the protocol.
pub fn serve(connection: Connection) -> Result<(), ServeError> {
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params)?;
    let general = params.capabilities.general.as_ref();
    let offered = general.and_then(|general| general.position_encodings.as_deref());
    let encoding = Encoding::choose(offered.unwrap_or_default());
    let name = ServerInfo::new("derate".to_owned(), Some(env!("CARGO_PKG_VERSION").to_owned()));
    let result = InitializeResult::new(list_capabilities(encoding), Some(name));
    connection.initialize_finish(id, serde_json::to_value(result)?)?;
    let (finished, audits) = unbounded();
    let session = Session::new(find_root(&params), encoding);
    let server = Server { session, connection, finished, audit: AuditState::Idle };
    server.run(&audits)
}

fn list_capabilities(encoding: Encoding) -> ServerCapabilities {
    let sync = TextDocumentSyncOptions::new(
        Some(true),
        Some(TextDocumentSyncKind::Incremental),
        None,
        None,
        Some(Save::Bool(true)),
    );
    let actions = CodeActionOptions::new(
        Some(vec![CodeActionKind::QuickFix]),
        None,
        None,
        WorkDoneProgressOptions::default(),
    );
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSync::Options(sync)),
        hover_provider: Some(HoverProvider::Bool(true)),
        code_action_provider: Some(CodeActionProvider::CodeActionOptions(actions)),
        ..ServerCapabilities::default()
    }
}

/// The first folder of the workspace, else the folder that the server was started in.
#[allow(deprecated, reason = "older editors name a root and no folders")]
fn find_root(params: &InitializeParams) -> PathBuf {
    let folders = params.workspace_folders_initialize_params.workspace_folders.as_ref();
    let first = match folders {
        Some(WorkspaceFolders::WorkspaceFolderList(list)) => list.first().map(|one| &one.uri),
        _ => None,
    };
    let named = first.or(params.root_uri.as_ref()).and_then(path_of);
    let root = named.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
    plain_path(&root)
}

/// The audit of the folder runs beside the conversation, one at a time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AuditState {
    Idle,
    Running,
    /// What was saved since it began needs another one.
    RunningAndWanted,
}

type Audited = Result<Checked, String>;

struct Server {
    session: Session,
    connection: Connection,
    finished: Sender<Audited>,
    audit: AuditState,
}

impl Server {
    fn run(mut self, audits: &Receiver<Audited>) -> Result<(), ServeError> {
        self.start_audit();
        loop {
            select! {
                recv(self.connection.receiver) -> message => match message {
                    Ok(Message::Request(request)) => {
                        if self.connection.handle_shutdown(&request)? {
                            return Ok(());
                        }
                        self.answer(request);
                    }
                    Ok(Message::Notification(note)) => self.take_note(note),
                    Ok(Message::Response(_)) => {}
                    Err(_) => return Ok(()),
                },
                recv(audits) -> audited => {
                    if let Ok(audited) = audited {
                        self.take_audit(audited);
                    }
                }
            }
            // Of a burst of edits the last text counts.
            if self.connection.receiver.is_empty() {
                self.check_changed();
            }
        }
    }

    fn answer(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answer = if method == HoverRequest::METHOD.as_str() {
            serde_json::from_value(params).map(|params| to_json(&self.hover(&params)))
        } else if method == CodeActionRequest::METHOD.as_str() {
            serde_json::from_value(params).map(|params| to_json(&self.list_actions(&params)))
        } else {
            let text = format!("derate does not answer {method}");
            return self.send(Response::new_err(id, ErrorCode::MethodNotFound as i32, text));
        };
        self.send(match answer {
            Ok(answer) => Response::new_ok(id, answer),
            Err(error) => Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string()),
        });
    }

    fn hover(&mut self, params: &HoverParams) -> Option<Hover> {
        let at = &params.text_document_position_params;
        let path = read_path(&at.text_document.uri)?;
        self.check_changed();
        let text = self.session.describe_place(&path, at.position)?;
        let text = MarkupContent::new(MarkupKind::Markdown, text);
        Some(Hover::new(Contents::MarkupContent(text), None))
    }

    fn list_actions(&mut self, params: &CodeActionParams) -> Vec<CodeActionResponse> {
        self.check_changed();
        let path = read_path(&params.text_document.uri);
        let actions = path.map(|path| self.session.list_actions(&path, params.range));
        actions.into_iter().flatten().map(CodeActionResponse::CodeAction).collect()
    }

    /// A note that is not of its form, or that nobody needs, is passed over.
    fn take_note(&mut self, note: Notification) {
        let Notification { method, params } = note;
        if method == DidOpenTextDocumentNotification::METHOD.as_str() {
            let Ok(params) = serde_json::from_value::<DidOpenTextDocumentParams>(params) else {
                return;
            };
            if let Some(path) = read_path(&params.text_document.uri) {
                self.session.open_file(path, params.text_document.text);
            }
        } else if method == DidChangeTextDocumentNotification::METHOD.as_str() {
            let Ok(params) = serde_json::from_value::<DidChangeTextDocumentParams>(params) else {
                return;
            };
            if let Some(path) = read_path(&params.text_document.text_document_identifier.uri) {
                self.session.change_file(&path, params.content_changes);
            }
        } else if method == DidCloseTextDocumentNotification::METHOD.as_str() {
            let Ok(params) = serde_json::from_value::<DidCloseTextDocumentParams>(params) else {
                return;
            };
            if let Some(path) = read_path(&params.text_document.uri) {
                self.session.close_file(&path);
                self.publish(&path);
            }
        } else if method == DidSaveTextDocumentNotification::METHOD.as_str() {
            self.start_audit();
        }
    }

    fn start_audit(&mut self) {
        if self.audit != AuditState::Idle {
            self.audit = AuditState::RunningAndWanted;
            return;
        }
        self.audit = AuditState::Running;
        let (root, finished) = (self.session.root.clone(), self.finished.clone());
        thread::spawn(move || {
            let audited = check_folder(&root).map_err(|error| error.to_string());
            // The server may have ended meanwhile.
            let _ = finished.send(audited);
        });
    }

    fn take_audit(&mut self, audited: Audited) {
        let again = self.audit == AuditState::RunningAndWanted;
        self.audit = AuditState::Idle;
        if again {
            self.start_audit();
        }
        if let Err(reason) = &audited {
            let text = format!("derate does not audit this folder: {reason}");
            self.notify::<LogMessageNotification>(LogMessageParams::new(
                MessageType::Warning,
                text,
            ));
        }
        self.session.set_whole(audited.ok());
        for path in self.session.known_files() {
            self.publish(&path);
        }
    }

    /// Checks the files that changed, and shows what is found.
    fn check_changed(&mut self) {
        for path in self.session.check_changed() {
            self.publish(&path);
        }
    }

    fn publish(&mut self, path: &Path) {
        if let Some(found) = self.session.take_diagnostics(path) {
            let params = PublishDiagnosticsParams::new(uri_of(path), None, found);
            self.notify::<PublishDiagnosticsNotification>(params);
        }
    }

    fn notify<N: gen_lsp_types::Notification>(&self, params: N::Params) {
        let note = Notification::new(N::METHOD.as_str().to_owned(), params);
        // An editor that has gone is seen by the next receive.
        let _ = self.connection.sender.send(note.into());
    }

    fn send(&self, response: Response) {
        let _ = self.connection.sender.send(response.into());
    }
}

fn read_path(uri: &gen_lsp_types::Uri) -> Option<PathBuf> {
    path_of(uri).map(|path| plain_path(&path))
}

fn to_json(answer: &impl Serialize) -> serde_json::Value {
    serde_json::to_value(answer).unwrap_or_default()
}
