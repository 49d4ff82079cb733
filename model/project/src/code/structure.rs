//! A struct with what its members are.

use derate_hls::{HlsType, Resolution, Structure};

use super::ResolvedAlias;

/// A struct that is no template, with the type that its members make.
#[derive(Clone, Debug)]
pub struct ResolvedStructure {
    /// The declaration.
    pub structure: Structure,
    /// Its members' types, or why they are not known.
    pub resolution: Resolution,
}

impl ResolvedStructure {
    /// Its name, with its scope.
    pub fn qualified(&self) -> String {
        self.structure.scope.qualify(&self.structure.name)
    }

    /// Whether an alias is this struct itself: `typedef struct {...} x;`.
    pub fn is_named_by(&self, alias: &ResolvedAlias) -> bool {
        let (own, other) = (self.structure.span, alias.alias.span);
        own.file == other.file && other.start <= own.start && own.end <= other.end
    }

    /// Bits with the padding between the members, where that is known and differs from their sum: which of the two
    /// a port has, the tool's version and its pragmas decide.
    pub fn padded_bits(&self) -> Option<u64> {
        let kind: &HlsType = self.resolution.known()?;
        let padded = kind.bytes_in_memory()?.checked_mul(8)?;
        (Some(padded) != kind.bits()).then_some(padded)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use derate_hls::Sources;

    use crate::{Code, Recorded, When};

    fn read(text: &str) -> Code {
        let mut sources = Sources::default();
        let file = sources.add("a.h", text);
        Code::new(&mut sources, &[file], &[], &mut Recorded::default(), None)
    }

    #[test]
    fn a_struct_has_a_width_without_an_alias_too() {
        let code = read(
            "#include <ap_int.h>\n\
             struct Config { ap_uint<128> low; ap_uint<128> high; };\n\
             struct Odd { ap_uint<3> a; int b; };\n\
             typedef struct { short x; } named_t;\n\
             template <int W> struct Word { ap_uint<W> v; };\n",
        );
        let alias = &code.aliases[0];
        let rows: Vec<_> = code
            .structures
            .iter()
            .map(|one| {
                let bits = one.resolution.bits();
                (one.qualified(), bits, one.padded_bits(), one.is_named_by(alias))
            })
            .collect();
        assert_eq!(
            rows,
            [
                ("Config".to_owned(), Some(256), None, false),
                ("Odd".to_owned(), Some(35), Some(64), false),
                ("named_t".to_owned(), Some(16), None, true),
            ]
        );
    }

    #[test]
    fn an_alias_under_a_macro_alone_is_listed_with_its_macro() {
        let code = read(
            "#ifdef WIDE\ntypedef double acc_t;\n#endif\n\
             #ifdef BOTH\ntypedef float both_t;\n#else\ntypedef int both_t;\n#endif\n",
        );
        assert_eq!(code.aliases.len(), 1);
        let [(when, alias)] = &code.conditional[..] else { panic!("{:?}", code.conditional) };
        let wide = When::Defined(vec![("WIDE".to_owned(), "1".to_owned())]);
        assert_eq!((when, alias.alias.name.as_str()), (&wide, "acc_t"));
        assert_eq!(alias.resolution.bits(), Some(64));
        assert!(read("#if 0\ntypedef double acc_t;\n#endif\n").conditional.is_empty());
    }
}
