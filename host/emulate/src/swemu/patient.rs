use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// A socket whose silence is reported, once: XRT may hang where a program leaves without waiting for its runs, and nobody else
/// would say why nothing goes on.
#[derive(Debug)]
pub struct Patient<N> {
    stream: UnixStream,
    patience: Duration,
    note: Option<N>,
}

impl<N: FnOnce(&str)> Patient<N> {
    /// `note` is called where nothing comes for as long as `patience`. Fails where that is zero.
    pub fn new(stream: UnixStream, patience: Duration, note: N) -> io::Result<Self> {
        stream.set_read_timeout(Some(patience))?;
        Ok(Self { stream, patience, note: Some(note) })
    }
}

impl<N: FnOnce(&str)> Read for Patient<N> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    if let Some(note) = self.note.take() {
                        note(&format!(
                            "the program has asked its device for nothing for {} s: it works by itself, or it hangs, as XRT may where a program leaves without waiting for its runs (run.wait()); an interrupt of derate ends it",
                            self.patience.as_secs_f64()
                        ));
                    }
                }
                other => return other,
            }
        }
    }
}

impl<N> Write for Patient<N> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.stream.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn silence_is_told_once_and_what_comes_after_it_is_read() {
        let (mut program, device) = UnixStream::pair().unwrap();
        let (tell, told) = channel();
        let note = |text: &str| tell.send(text.to_owned()).unwrap();
        let mut patient = Patient::new(device, Duration::from_millis(20), note).unwrap();
        // However busy the machine is: the call comes when the silence has been reported.
        let host = std::thread::spawn(move || {
            let said: String = told.recv().unwrap();
            std::thread::sleep(Duration::from_millis(100));
            program.write_all(b"call").unwrap();
            (said, told)
        });
        let mut data = [0; 4];
        patient.read_exact(&mut data).unwrap();
        let (said, told) = host.join().unwrap();
        assert_eq!(&data, b"call");
        assert!(said.contains("for nothing for 0.02 s"), "{said}");
        assert!(told.try_recv().is_err());
    }

    #[test]
    fn who_answers_in_time_is_not_told_of() {
        let (mut program, device) = UnixStream::pair().unwrap();
        let mut said = false;
        let mut patient =
            Patient::new(device, Duration::from_secs(100), |_: &str| said = true).unwrap();
        program.write_all(b"call").unwrap();
        patient.read_exact(&mut [0; 4]).unwrap();
        drop(patient);
        assert!(!said);
    }
}
