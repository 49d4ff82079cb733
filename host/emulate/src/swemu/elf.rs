//! As much of ELF as finds a function in a library.

/// The first four bytes, and the class and order of bytes of 64-bit little-endian files.
const MAGIC: &[u8] = b"\x7fELF\x02\x01";
/// The number of x86-64.
const X86_64: u16 = 62;
const LOAD: u32 = 1;
const DYNAMIC_SYMBOLS: u32 = 11;

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?)).ok()
}

/// Where in a library for x86-64 the code of an exported function begins.
pub(super) fn find_function(bytes: &[u8], name: &str) -> Option<usize> {
    if !bytes.starts_with(MAGIC) || u16_at(bytes, 18)? != X86_64 {
        return None;
    }
    let (sections, size, count) =
        (u64_at(bytes, 40)?, usize::from(u16_at(bytes, 58)?), usize::from(u16_at(bytes, 60)?));
    let section = |index: usize| {
        let at = sections.checked_add(index.checked_mul(size)?)?;
        bytes.get(at..at.checked_add(64)?)
    };
    let body = |section: &[u8]| {
        let at = u64_at(section, 24)?;
        bytes.get(at..at.checked_add(u64_at(section, 32)?)?)
    };
    let mut all = (0..count).filter_map(section);
    let symbols = all.find(|one| u32_at(one, 4) == Some(DYNAMIC_SYMBOLS))?;
    let names = body(section(usize::try_from(u32_at(symbols, 40)?).ok()?)?)?;
    let wanted = body(symbols)?.chunks_exact(24).find(|symbol| {
        let at = u32_at(symbol, 0).and_then(|at| usize::try_from(at).ok());
        let spelt = at.and_then(|at| names.get(at..)).unwrap_or_default();
        spelt.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first() == Some(&0))
    })?;
    file_offset(bytes, u64_at(wanted, 8)?)
}

/// Where in the file an address is.
fn file_offset(bytes: &[u8], address: usize) -> Option<usize> {
    let (headers, size, count) =
        (u64_at(bytes, 32)?, usize::from(u16_at(bytes, 54)?), usize::from(u16_at(bytes, 56)?));
    (0..count).find_map(|index| {
        let at = headers.checked_add(index.checked_mul(size)?)?;
        let header = bytes.get(at..at.checked_add(56)?)?;
        let (offset, start, length) =
            (u64_at(header, 8)?, u64_at(header, 16)?, u64_at(header, 32)?);
        let into = address.checked_sub(start).filter(|into| *into < length)?;
        (u32_at(header, 0)? == LOAD).then(|| offset.checked_add(into))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_library_has_no_function() {
        assert_eq!(find_function(b"", "f"), None);
        assert_eq!(find_function(&[MAGIC, &[0xff; 200]].concat(), "f"), None);
        let mut far = [MAGIC, &[0; 200]].concat();
        far[18] = 62;
        far[40..48].fill(0xff);
        far[58..62].fill(0xff);
        assert_eq!(find_function(&far, "f"), None);
    }
}
