use std::fmt;
use std::str::FromStr;

use super::XrtError;

/// A device of XRT, as a user names it: `xrt:0`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct XrtName(pub u32);

impl FromStr for XrtName {
    type Err = XrtError;

    fn from_str(text: &str) -> Result<Self, XrtError> {
        let index = text.strip_prefix("xrt:").filter(|digits| !digits.starts_with('+'));
        let index = index.and_then(|digits| digits.parse().ok());
        index.map(Self).ok_or_else(|| XrtError::Name(text.to_owned()))
    }
}

impl fmt::Display for XrtName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "xrt:{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_has_a_number() {
        assert_eq!("xrt:3".parse::<XrtName>().unwrap().to_string(), "xrt:3");
        for text in ["xrt", "xrt:", "xrt:-1", "xrt:+1", "xrt:4294967296", "emu", "XRT:0"] {
            assert!(text.parse::<XrtName>().is_err(), "{text}");
        }
    }
}
