//! What a card refuses, and where it says that it went wrong.

use super::*;
use crate::emulator::device::DeviceError;

#[test]
fn an_access_past_the_buffer_says_where() {
    let card = with_units("krnl_memcpy", 1);
    let from = card.allocate(0, 640).unwrap();
    let to = card.allocate(1, 64 * 5).unwrap();
    let error = card.run(&[launch("krnl_memcpy_1", &[&from, &to], &[6])]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "krnl_memcpy writes 64 bytes at 0x10000140 through `dst`, which is a buffer of 320 bytes at 0x10000000"
    );
    // Ten words fit, an eleventh does not: the size as asked for counts, not the page.
    let large = card.allocate(1, 64 * 20).unwrap();
    assert!(card.run(&[launch("krnl_memcpy_1", &[&from, &large], &[10])]).is_ok());
    let error = card.run(&[launch("krnl_memcpy_1", &[&from, &large], &[11])]).unwrap_err();
    assert!(
        error.to_string().starts_with("krnl_memcpy reads 64 bytes at 0x280 through `src`"),
        "{error}"
    );
}

#[test]
fn a_misaligned_address_and_a_freed_buffer_are_told() {
    let card = with_units("krnl_memcpy", 1);
    let from = card.allocate(0, 4096).unwrap();
    let to = card.allocate(1, 4096).unwrap();
    let unit = &card.units()[0];
    unit.set_arguments(&[from.address() + 4, to.address(), 1]);
    assert_eq!(
        unit.run(card.memory()).unwrap_err().to_string(),
        "krnl_memcpy reads 64 bytes at 0x4 through `src`: the address that it was given is not a multiple of the 64 bytes of \
         its port"
    );
    let gone = from.address();
    drop(from);
    unit.set_arguments(&[gone, to.address(), 1]);
    assert_eq!(
        unit.run(card.memory()).unwrap_err().to_string(),
        "krnl_memcpy reads 64 bytes at 0x0 through `src`, which is not a buffer: its register holds 0, where nothing is allocated; set the argument, and look whether its buffer was allocated"
    );
    // A buffer that is not touched does no harm.
    unit.set_arguments(&[gone, to.address(), 0]);
    assert!(unit.run(card.memory()).is_ok());
}

#[test]
fn a_bank_that_is_not_connected_is_refused() {
    let mut card = Emulator::new(&u280(), Bases::Card).unwrap();
    let mut unit = Unit::new("copy", kernel("krnl_memcpy"));
    assert!(
        unit.connect_bank(0, 0)
            && unit.connect_bank(1, 1)
            && unit.connect_bank(1, 2)
            && !unit.connect_bank(3, 0)
    );
    card.add_unit(unit);
    let [from, near, far] = [0, 2, 3].map(|bank| card.allocate(bank, 64).unwrap());
    assert!(card.run(&[launch("copy", &[&from, &near], &[1])]).is_ok());
    assert_eq!(
        card.run(&[launch("copy", &[&from, &far], &[1])]).unwrap_err().to_string(),
        "krnl_memcpy is given 0x30000000 for `dst`, in HBM[3], and the design connects that argument to HBM[1], HBM[2]: put the buffer there (its group is the bank's), or give it the bank with sp="
    );
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let card = with_units("krnl_memcpy", 1);
    let one = card.allocate(0, 64).unwrap();
    let said = |launch: Launch<'_, EmulatedBuffer>| match card.run(&[launch]) {
        Err(DeviceError::Launch(said)) => said,
        other => panic!("{other:?}"),
    };
    assert_eq!(said(launch("krnl_memcpy_2", &[], &[])), "there is no compute unit krnl_memcpy_2");
    assert_eq!(
        said(launch("krnl_memcpy_1", &[&one], &[])),
        "krnl_memcpy takes 3 arguments and is given 1"
    );
    assert_eq!(
        said(launch("krnl_memcpy_1", &[&one, &one], &[1 << 32])),
        "`words` of krnl_memcpy has 4 bytes, and 4294967296 does not fit"
    );
    assert_eq!(
        said(launch("krnl_memcpy_1", &[&one], &[1, 1])),
        "`dst` of krnl_memcpy is a pointer and is given a number"
    );
}
