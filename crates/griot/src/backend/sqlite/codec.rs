//! Encodes lists as bytes in a column: variable-length numbers, runs of numbers, lists of strings.
//!
//! A number takes 7 bits per byte, lowest first; the top bit means that more bytes follow (LEB128). A set of
//! numbers is its runs in ascending order: the number of runs, then for each the gap since the end of the
//! previous run and its length. A list of strings is each string's length in bytes and its bytes.

use std::collections::{BTreeMap, BTreeSet};

pub(super) fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Decodes the first number; `None` if the bytes end or the number exceeds 64 bits.
pub(super) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&first, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

pub(super) fn put_set(bytes: &mut Vec<u8>, set: &BTreeSet<u32>) {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for number in set.iter().map(|&n| u64::from(n)) {
        match runs.last_mut() {
            Some((start, length)) if *start + *length == number => *length += 1,
            _ => runs.push((number, 1)),
        }
    }
    put_number(bytes, runs.len() as u64);
    let mut end = 0;
    for (start, length) in runs {
        put_number(bytes, start - end);
        put_number(bytes, length);
        end = start + length;
    }
}

/// Adds the first set in `bytes` to `set`.
pub(super) fn take_set(bytes: &mut &[u8], set: &mut BTreeSet<u32>) -> Option<()> {
    let runs = take_number(bytes)?;
    let mut end = 0_u64;
    for _ in 0..runs {
        let start = end.checked_add(take_number(bytes)?)?;
        end = start.checked_add(take_number(bytes)?)?;
        if end > 1 << 32 {
            return None;
        }
        set.extend((start..end).map(|n| n as u32));
    }
    Some(())
}

/// `None` for an empty list, which is stored as NULL.
pub(super) fn strings_to_bytes(strings: &[String]) -> Option<Vec<u8>> {
    if strings.is_empty() {
        return None;
    }
    let mut bytes = Vec::new();
    for string in strings {
        put_number(&mut bytes, string.len() as u64);
        bytes.extend_from_slice(string.as_bytes());
    }
    Some(bytes)
}

/// A list of strings, each name before its value.
pub(super) fn pairs_to_bytes(pairs: &BTreeMap<String, String>) -> Option<Vec<u8>> {
    let strings: Vec<String> = pairs.iter().flat_map(|(name, value)| [name.clone(), value.clone()]).collect();
    strings_to_bytes(&strings)
}

/// A name without a value is left out.
pub(super) fn pairs_of(strings: Vec<String>) -> BTreeMap<String, String> {
    let mut strings = strings.into_iter();
    std::iter::from_fn(|| Some((strings.next()?, strings.next()?))).collect()
}

pub(super) fn strings_from_bytes(mut bytes: &[u8]) -> Option<Vec<String>> {
    let mut strings = Vec::new();
    while !bytes.is_empty() {
        let length = usize::try_from(take_number(&mut bytes)?).ok()?;
        let (string, rest) = bytes.split_at_checked(length)?;
        strings.push(std::str::from_utf8(string).ok()?.to_owned());
        bytes = rest;
    }
    Some(strings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sets_come_back(
            set in proptest::collection::btree_set(any::<u32>(), 0..40),
            low in 0u32..50,
            more in 0u32..50,
        ) {
            let set: BTreeSet<u32> = set.into_iter().chain(low..low + more).collect();
            let mut bytes = Vec::new();
            put_set(&mut bytes, &set);
            let mut rest = bytes.as_slice();
            let mut back = BTreeSet::new();
            prop_assert_eq!(take_set(&mut rest, &mut back), Some(()));
            prop_assert_eq!(back, set);
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn strings_come_back(strings in proptest::collection::vec(".{0,200}", 0..5)) {
            let bytes = strings_to_bytes(&strings).unwrap_or_default();
            prop_assert_eq!(strings_from_bytes(&bytes), Some(strings));
        }

        #[test]
        fn damaged_bytes_are_refused_or_read_but_never_panic(
            bytes in proptest::collection::vec(any::<u8>(), 0..30),
        ) {
            let _ = strings_from_bytes(&bytes);
            let mut rest = bytes.as_slice();
            let _ = take_number(&mut rest);
        }
    }

    #[test]
    fn a_thousand_new_numbers_take_five_bytes() {
        let mut bytes = Vec::new();
        put_set(&mut bytes, &(100_000..101_000).collect());
        assert!(bytes.len() <= 6, "{bytes:?}");
    }
}
