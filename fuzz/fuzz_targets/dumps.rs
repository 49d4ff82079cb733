//! Model dumps: the form that the content shows, every form by name, and safetensors files.
#![no_main]

use derate_fuzz::{show, text};
use derate_hls::Sources;
use derate_model::{DumpFormat, ModelShape, safetensors_header};
use derate_reports::readings;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = match safetensors_header(&mut &*data) {
        Ok(Some(header)) => header,
        Ok(None) => text(data),
        Err(_) => return,
    };
    let mut sources = Sources::default();
    let file = sources.add("dump.txt", text);
    let read = |format| {
        let shape = ModelShape::parse(&sources, file, format);
        if let Err(error) = &shape {
            assert!(!error.to_string().contains('\n'), "an error is one sentence: {error}");
        }
        shape.ok()
    };
    if let Some(shape) = read(None) {
        let (data, document) = readings::shapes(&sources, &shape, "dump.txt", None);
        let _ = serde_json::to_string(&data);
        show(&document);
        assert_eq!(
            Some(&shape),
            read(Some(shape.format)).as_ref(),
            "the form by name reads the same"
        );
    }
    for format in DumpFormat::ALL {
        read(Some(format));
    }
});
