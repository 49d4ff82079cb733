//! The sections and where they lie.

use std::borrow::Cow;
use std::ops::Range;

use super::bytes::{array_at, text_in, u32_at, u64_at};
use super::header::{BYTES, Header, MAGIC};
use super::{SectionKind, Uuid, XclbinError};

/// What the format allows.
const MOST_SECTIONS: u32 = 0x1_0000;
/// Bytes of one entry of the table.
const ENTRY: usize = 40;
/// Problems of one file that are reported; a damaged one may have any number.
const MOST_PROBLEMS: usize = 64;

/// A section and its place.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Section<'a> {
    /// What it holds.
    pub kind: SectionKind,
    name: [u8; 16],
    padding: [u8; 4],
    /// Where the file says that it begins.
    pub offset: u64,
    /// Bytes, as the file says.
    pub size: u64,
    /// What is there; empty where it lies outside the file.
    pub data: Cow<'a, [u8]>,
}

impl Section<'_> {
    /// The name that the tools gave it; often empty.
    pub fn name(&self) -> String {
        text_in(&self.name)
    }
}

/// A compiled design, as it lies in its file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Xclbin<'a> {
    /// The fixed part.
    pub header: Header,
    /// All sections in the order of the table, those that derate does not know included.
    pub sections: Vec<Section<'a>>,
    /// What lies between the sections and behind them: padding, a signature, a mirror of the metadata.
    between: Vec<(usize, Cow<'a, [u8]>)>,
    /// What is wrong with the file, in sentences. Without any, [`Xclbin::write`] gives the bytes that were read.
    pub problems: Vec<String>,
}

impl<'a> Xclbin<'a> {
    /// Takes a file apart. Fails only where there is no header; whatever else is wrong is among the problems.
    pub fn read(name: &str, bytes: &'a [u8]) -> Result<Self, XclbinError> {
        if !bytes.starts_with(MAGIC) {
            return Err(XclbinError::Magic(name.to_owned()));
        }
        let short =
            |needed| XclbinError::Short { name: name.to_owned(), bytes: bytes.len(), needed };
        let (header, sections) = Header::read(bytes).ok_or_else(|| short(BYTES))?;
        if sections > MOST_SECTIONS {
            let (name, most) = (name.to_owned(), MOST_SECTIONS);
            return Err(XclbinError::Sections { name, sections, most });
        }
        let mut xclbin =
            Self { header, sections: Vec::new(), between: Vec::new(), problems: Vec::new() };
        xclbin.read_sections(bytes, sections);
        xclbin.read_between(bytes);
        xclbin.check_length(bytes.len());
        Ok(xclbin)
    }

    /// What a file says of its own length without a signature, in bytes, by the fixed part that it begins with. `None` for what
    /// is not an xclbin.
    pub fn stated_length(head: &[u8]) -> Option<u64> {
        let (header, _) = Header::read(head).filter(|_| head.starts_with(MAGIC))?;
        Some(header.length)
    }

    fn add_problem(&mut self, problem: String) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem);
        }
    }

    fn read_sections(&mut self, bytes: &'a [u8], count: u32) {
        let table = bytes.get(BYTES..).unwrap_or_default();
        let wanted = usize::try_from(count).unwrap_or(usize::MAX);
        for (index, entry) in table.chunks_exact(ENTRY).take(wanted).enumerate() {
            let fields = (u32_at(entry, 0), array_at(entry, 4), array_at(entry, 20));
            let (Some(kind), Some(name), Some(padding)) = fields else { continue };
            let (Some(offset), Some(size)) = (u64_at(entry, 24), u64_at(entry, 32)) else {
                continue;
            };
            let kind = SectionKind(kind);
            let data = place_range(offset, size).and_then(|range| bytes.get(range));
            if data.is_none() {
                self.add_problem(format!(
                    "section {index} ({kind}) says {size} bytes at offset {offset}, and the file has {}",
                    bytes.len()
                ));
            }
            let data = Cow::Borrowed(data.unwrap_or_default());
            self.sections.push(Section { kind, name, padding, offset, size, data });
        }
        if self.sections.len() < wanted {
            self.add_problem(format!(
                "the file ends within its table of sections: {} of {wanted} are there",
                self.sections.len()
            ));
        }
    }

    /// Everything that is in no section, and sections that lie over one another or over the table.
    fn read_between(&mut self, bytes: &'a [u8]) {
        let mut taken: Vec<(Range<usize>, usize)> = self
            .sections
            .iter()
            .enumerate()
            .filter(|(_, section)| !section.data.is_empty())
            .filter_map(|(index, section)| {
                Some((place_range(section.offset, section.size)?, index))
            })
            .collect();
        taken.sort_by_key(|(range, index)| (range.start, *index));
        let mut end = BYTES + ENTRY * self.sections.len();
        let mut problems = Vec::new();
        for (range, index) in taken {
            if range.start < end {
                let kind = self.sections.get(index).map_or(SectionKind(u32::MAX), |one| one.kind);
                problems.push(format!(
                    "section {index} ({kind}) begins at {} within what ends at {end}",
                    range.start
                ));
            } else if let Some(gap) = bytes.get(end..range.start).filter(|gap| !gap.is_empty()) {
                self.between.push((end, Cow::Borrowed(gap)));
            }
            end = end.max(range.end);
        }
        if let Some(rest) = bytes.get(end..).filter(|rest| !rest.is_empty()) {
            self.between.push((end, Cow::Borrowed(rest)));
        }
        for problem in problems {
            self.add_problem(problem);
        }
    }

    fn check_length(&mut self, bytes: usize) {
        let signature = u64::try_from(self.header.signature_length).unwrap_or(0);
        let said = self.header.length;
        if said != bytes as u64 && said.checked_add(signature) != Some(bytes as u64) {
            self.add_problem(format!("the header says {said} bytes, and the file has {bytes}"));
        }
    }

    /// A new file for a header and the data of its sections, each at the next multiple of eight bytes. `None` for more
    /// sections than the format allows.
    pub fn new(mut header: Header, sections: Vec<(SectionKind, Vec<u8>)>) -> Option<Self> {
        if sections.len() > usize::try_from(MOST_SECTIONS).ok()? {
            return None;
        }
        let mut end = BYTES + ENTRY * sections.len();
        let mut placed = Vec::new();
        let mut between = Vec::new();
        for (kind, data) in sections {
            let offset = end.next_multiple_of(8);
            if offset > end {
                between.push((end, Cow::Owned(vec![0; offset - end])));
            }
            end = offset + data.len();
            let (name, padding, size) = ([0; 16], [0; 4], data.len() as u64);
            let (offset, data) = (offset as u64, Cow::Owned(data));
            placed.push(Section { kind, name, padding, offset, size, data });
        }
        header.length = end as u64;
        Some(Self { header, sections: placed, between, problems: Vec::new() })
    }

    /// The first section of a kind.
    pub fn section(&self, kind: SectionKind) -> Option<&[u8]> {
        self.sections.iter().find(|one| one.kind == kind).map(|one| one.data.as_ref())
    }

    /// Marks the design.
    pub fn set_uuid(&mut self, uuid: Uuid) {
        self.header.uuid = uuid;
    }

    /// The file.
    pub fn write(&self) -> Vec<u8> {
        let sections = u32::try_from(self.sections.len()).unwrap_or(u32::MAX);
        let mut bytes = self.header.write(sections);
        for section in &self.sections {
            bytes.extend(section.kind.0.to_le_bytes());
            bytes.extend(section.name);
            bytes.extend(section.padding);
            bytes.extend(section.offset.to_le_bytes());
            bytes.extend(section.size.to_le_bytes());
        }
        let data = self.sections.iter().filter_map(|section| {
            let start = usize::try_from(section.offset).ok()?;
            (!section.data.is_empty()).then_some((start, section.data.as_ref()))
        });
        let between = self.between.iter().map(|(start, data)| (*start, data.as_ref()));
        // Every piece lies within the file that was read, or where `new` put it.
        for (start, data) in data.chain(between) {
            let end = start.saturating_add(data.len());
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            if let Some(target) = bytes.get_mut(start..end) {
                target.copy_from_slice(data);
            }
        }
        bytes
    }
}

fn place_range(offset: u64, size: u64) -> Option<Range<usize>> {
    let start = usize::try_from(offset).ok()?;
    Some(start..start.checked_add(usize::try_from(size).ok()?)?)
}
