//! A client that opens, edits, asks and fixes, as an editor does.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use derate_lsp::{ServeError, serve};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use tempfile::TempDir;

const HEADER: &str = "typedef float bfloat16_t;\nconst int TILE = 4 * 16;\n";

struct Editor {
    client: Connection,
    server: Option<JoinHandle<Result<(), ServeError>>>,
    folder: TempDir,
    asked: i32,
}

impl Editor {
    fn start(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let (server, client) = Connection::memory();
        let server = Some(thread::spawn(move || serve(server)));
        let mut editor = Self { client, server, folder, asked: 0 };
        let root = editor.uri("");
        let answer = editor.ask(
            "initialize",
            json!({ "capabilities": {}, "workspaceFolders": [{ "uri": root, "name": "w" }] }),
        );
        assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
        editor.note("initialized", json!({}));
        editor
    }

    fn uri(&self, name: &str) -> String {
        let path = fs::canonicalize(self.folder.path()).unwrap().join(name);
        format!("file://{}", path.display()).trim_end_matches('/').to_owned()
    }

    fn note(&self, method: &str, params: Value) {
        self.client.sender.send(Notification::new(method.to_owned(), params).into()).unwrap();
    }

    fn receive(&self) -> Message {
        self.client.receiver.recv_timeout(Duration::from_secs(60)).unwrap()
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        let request = Request { id: id.clone(), method: method.to_owned(), params };
        self.client.sender.send(request.into()).unwrap();
        loop {
            // An answer to an earlier question may still be on its way.
            match self.receive() {
                Message::Response(answer) if answer.id == id => {
                    return answer.response_result.unwrap();
                }
                _ => {}
            }
        }
    }

    fn open(&self, name: &str, text: &str) {
        let document =
            json!({ "uri": self.uri(name), "languageId": "cpp", "version": 1, "text": text });
        self.note("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&self, name: &str, changes: &Value) {
        let document = json!({ "uri": self.uri(name), "version": 2 });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.note("textDocument/didChange", params);
    }

    /// The codes that are shown of a file, once they are as they should be.
    fn wait_for(&self, name: &str, codes: &[&str]) -> Vec<Value> {
        let uri = self.uri(name);
        loop {
            let Message::Notification(note) = self.receive() else { continue };
            if note.method != "textDocument/publishDiagnostics" || note.params["uri"] != *uri {
                continue;
            }
            let found = note.params["diagnostics"].as_array().unwrap().clone();
            if found.iter().map(|one| one["code"].as_str().unwrap()).eq(codes.iter().copied()) {
                return found;
            }
        }
    }

    fn at(&self, name: &str, line: u32, column: u32) -> Value {
        json!({ "textDocument": { "uri": self.uri(name) }, "position": { "line": line, "character": column } })
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if thread::panicking() {
            return;
        }
        self.ask("shutdown", Value::Null);
        self.note("exit", Value::Null);
        self.server.take().unwrap().join().unwrap().unwrap();
    }
}

#[test]
fn a_lie_is_shown_as_it_is_written_and_gone_when_it_is_fixed() {
    let editor = Editor::start(&[("types.h", "typedef float weight_t;\n")]);
    editor.open("types.h", "typedef float weight_t;\n");
    editor.wait_for("types.h", &[]);
    // `weight_t` becomes `bfloat16_t`, by its range alone.
    let range =
        json!({ "start": { "line": 0, "character": 14 }, "end": { "line": 0, "character": 22 } });
    editor.change("types.h", &json!([{ "range": range, "text": "bfloat16_t" }]));
    let shown = editor.wait_for("types.h", &["precision/alias-width"]);
    assert_eq!(shown[0]["range"]["start"]["line"], 0);
    assert_eq!(shown[0]["source"], "derate");
    editor.change("types.h", &json!([{ "text": "typedef half fp16_t;\n" }]));
    editor.wait_for("types.h", &[]);
}

#[test]
fn a_file_that_is_opened_before_the_audit_ends_shows_what_the_audit_finds() {
    let kernel = "void k(const int *a, int *out) {\n\
        #pragma HLS INTERFACE m_axi port=a bundle=gmem\n\
        #pragma HLS INTERFACE m_axi port=out bundle=gmem\n\
        for (int i = 0; i < 4096; i++) {\n\
        #pragma HLS PIPELINE II=1\n\
        out[i] = a[i] + a[8191 - i];\n\
        }\n}\n";
    let config = "part=xcu280-fsvh2892-2L-e\n[hls]\nclock=300MHz\nflow_target=vitis\n\
        syn.top=k\nsyn.file=k.cpp\n";
    let editor = Editor::start(&[("k.cpp", kernel), ("hls_config.cfg", config)]);
    editor.open("k.cpp", kernel);
    // The check of the text alone knows no kernel.
    editor.wait_for("k.cpp", &[]);
    editor.wait_for("k.cpp", &["kernel/interval"]);
}

#[test]
fn hover_says_what_a_name_is_and_why_a_finding_is_one() {
    let mut editor = Editor::start(&[("types.h", HEADER), ("k.cpp", "#include \"types.h\"\n")]);
    editor.open("types.h", HEADER);
    editor.wait_for("types.h", &["precision/alias-width"]);
    let alias = editor.ask("textDocument/hover", editor.at("types.h", 0, 16));
    let text = alias["contents"]["value"].as_str().unwrap();
    assert!(text.contains("32 bits") && text.contains("# precision/alias-width"), "{text}");
    let constant = editor.ask("textDocument/hover", editor.at("types.h", 1, 11));
    assert!(constant["contents"]["value"].as_str().unwrap().contains("TILE = 64"), "{constant}");
    let nothing = editor.ask("textDocument/hover", editor.at("types.h", 7, 0));
    assert_eq!(nothing, Value::Null);
}

#[test]
fn a_code_action_is_the_edit_of_fix() {
    let mut editor = Editor::start(&[("types.h", HEADER)]);
    editor.open("types.h", HEADER);
    let shown = editor.wait_for("types.h", &["precision/alias-width"]);
    let params = json!({
        "textDocument": { "uri": editor.uri("types.h") },
        "range": shown[0]["range"],
        "context": { "diagnostics": shown }
    });
    let actions = editor.ask("textDocument/codeAction", params);
    let actions = actions.as_array().unwrap();
    let edits = actions.iter().map(|one| &one["edit"]["changes"][editor.uri("types.h")]);
    let texts: Vec<&str> = edits
        .flat_map(|edits| edits.as_array().unwrap())
        .map(|edit| edit["newText"].as_str().unwrap())
        .collect();
    // A type whose name and width agree, and the header that declares it.
    assert!(
        texts.iter().any(|text| text.contains("bfloat16") || text.contains("ap_")),
        "{texts:?}"
    );
    assert_eq!(actions[0]["kind"], "quickfix");
}

/// A question in the middle of an edit does not keep its findings from the editor.
#[test]
fn an_edit_is_shown_though_a_question_comes_with_it() {
    let editor = Editor::start(&[("types.h", "typedef float weight_t;\n")]);
    editor.open("types.h", "typedef float weight_t;\n");
    editor.wait_for("types.h", &[]);
    editor.change("types.h", &json!([{ "text": HEADER }]));
    let place = editor.at("types.h", 0, 16);
    let hover =
        Request { id: RequestId::from(99), method: "textDocument/hover".to_owned(), params: place };
    editor.client.sender.send(hover.into()).unwrap();
    editor.wait_for("types.h", &["precision/alias-width"]);
}

#[test]
fn a_folder_without_anything_to_audit_is_served_too() {
    let editor = Editor::start(&[]);
    editor.open("new.h", "typedef float bfloat16_t;\n");
    editor.wait_for("new.h", &["precision/alias-width"]);
}

#[test]
fn damaged_messages_are_refused_and_the_next_one_is_answered() {
    let mut editor = Editor::start(&[("types.h", HEADER)]);
    editor.note("textDocument/didOpen", json!({ "textDocument": 7 }));
    editor.note("textDocument/didChange", json!([]));
    editor.change("unknown.h", &json!([{ "text": "x" }]));
    let hover = editor.ask("textDocument/hover", editor.at("unknown.h", 0, 0));
    assert_eq!(hover, Value::Null);
}
