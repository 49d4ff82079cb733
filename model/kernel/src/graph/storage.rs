//! Arrays and streams as hardware: how they are cut into banks, and what each bank is made of.

use super::cut::{Bank, Cut, common_divisor};
use super::{AccessForm, Bus, Linear, MemoryAccess, Symbol};
use derate_program::{ObjectId, ObjectKind, Scalar};

/// The least and the greatest value of an index, where they are known.
pub(crate) type Ranges<'r> = &'r dyn Fn(&Linear) -> Option<(i64, i64)>;

/// What a bank is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Implementation {
    /// Flip-flops: any number of accesses.
    Registers,
    /// LUT memory.
    Lutram,
    /// Block memory.
    Bram,
    /// Large block memory.
    Uram,
    /// A memory outside of the kernel, `ap_memory`.
    Port,
    /// A memory behind a bus, `m_axi`.
    Bus,
    /// A queue.
    Fifo,
}

/// Who says what kind of port an array of the top function is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PortChoice {
    /// The flow: `m_axi` in that of Vitis, a memory port else.
    Flow,
    /// A directive, which makes it a memory port.
    Memory,
}

/// Words of a queue from which on it is slower: at 3.33 ns a value is stored in the cycle of its read, or written in the cycle
/// of its load, with queues of up to 1,800 words, and a cycle later with those of 4,096 words and more.
const DEEP: u64 = 4096;

/// The ports of what is in registers: more accesses in a cycle than any iteration makes.
pub(crate) const REGISTERS: u32 = 4096;

/// Banks from which on a write to one of them is a switch.
const WAYS: u64 = 8;

/// An array, a stream or a scalar of the design.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Storage {
    pub(crate) name: String,
    pub(crate) kind: ObjectKind,
    pub(crate) ty: Scalar,
    pub(crate) dims: Vec<u64>,
    pub(crate) cuts: Vec<Cut>,
    /// Elements of these dimensions share a word.
    pub(crate) words: Vec<Cut>,
    pub(crate) implementation: Implementation,
    /// Accesses to a bank in one cycle: reads, writes, together.
    pub(crate) ports: (u32, u32, u32),
    /// Cycles from the address to the data.
    pub(crate) read_latency: u32,
    pub(crate) is_top: bool,
    pub(crate) is_constant: bool,
    pub(crate) is_static: bool,
    /// Who says what kind of port it is, if it is one.
    pub(crate) port: PortChoice,
    /// The bus behind which it is.
    pub(crate) bus: Option<Bus>,
    /// The depth that a directive gives a stream.
    pub(crate) depth: Option<u64>,
    /// Asked for by a directive.
    pub(crate) core: Option<String>,
    /// The function that it is in and its number there, where the tool may take its elements for scalars.
    pub(crate) local: Option<LocalArray>,
    /// Whether an access has a subscript that changes; `None` without an access.
    pub(crate) is_indexed: Option<bool>,
}

/// A function, and the number of an array in it.
pub(crate) type LocalArray = (usize, ObjectId);

impl Storage {
    /// Whether the tool may cut it into as many banks as unrolled accesses need: reports from 2020.2 on have registers, and from
    /// 2022.1 on list `array_partition` as inferred from `pipeline`. Newer tools cut the banks of a directive further: a log of
    /// 2024.1 infers `cyclic factor=13` for a bank of an array that is cut by 25.
    pub(crate) fn is_cut_by_tool(&self, tool: (u16, u16)) -> bool {
        let is_whole = self.cuts.iter().all(|cut| *cut == Cut::Whole);
        tool >= if is_whole { (2020, 2) } else { (2022, 2) }
            && !self.is_top
            && self.core.is_none()
            && matches!(self.implementation, Implementation::Bram | Implementation::Lutram)
    }

    /// Makes one word of the last dimensions, which are those of a member of a struct (UG902, `data_pack`: arrays in the struct are cut
    /// completely and packed). A struct that is not in an array is a register.
    pub(crate) fn pack(&mut self, inner: usize) {
        if self.kind != ObjectKind::Array || inner == 0 {
            return;
        }
        let outer = self.dims.len().saturating_sub(inner);
        self.words.iter_mut().skip(outer).for_each(|word| *word = Cut::Complete);
        if outer == 0
            && matches!(
                self.implementation,
                Implementation::Bram | Implementation::Lutram | Implementation::Port
            )
        {
            self.cuts.fill(Cut::Complete);
            self.implementation = Implementation::Registers;
        }
    }

    /// Whether the tool may copy it, so that it has one port for writes and many for reads (`RAM_1WNR`): logs of 2022.1 and 2025.1
    /// infer it, and a design of 2020.2 with up to seven accesses to a bank has an interval of 1 and twice the BRAM. Which arrays of
    /// those with one write it copies is not known.
    pub(crate) fn is_copied_by_tool(&self, tool: (u16, u16)) -> bool {
        tool >= (2020, 2)
            && !self.is_top
            && self.core.is_none()
            && matches!(self.implementation, Implementation::Bram | Implementation::Lutram)
    }

    /// Puts it behind a bus: one read and one write in a cycle.
    pub(crate) fn put_behind_bus(&mut self, bus: Bus) {
        self.implementation = Implementation::Bus;
        self.ports = (1, 1, 2);
        self.bus = Some(bus);
    }

    /// Accesses that a bank can do in one cycle: reads, writes, together.
    pub(crate) fn ports_of_bank(&self) -> (u32, u32, u32) {
        match self.implementation {
            Implementation::Fifo | Implementation::Bus => (1, 1, 2),
            // A queue has one port in each direction, whatever a directive binds it to.
            _ if self.kind == ObjectKind::Stream => (1, 1, 2),
            _ => self.ports,
        }
    }

    /// Cycles that so many accesses to one bank take.
    pub(crate) fn cycles_of(&self, reads: u64, writes: u64) -> u64 {
        let (accesses, ports) = self.narrowest(reads, writes);
        accesses.div_ceil(ports)
    }

    /// The same, where reads and writes that exclude each other leave `all` of them at the most.
    pub(crate) fn least_cycles(&self, reads: u64, writes: u64, all: u64) -> u64 {
        let (read, write, both) = self.ports_of_bank();
        let ways = [(reads, read), (writes, write), (all, both)];
        ways.map(|(accesses, ports)| accesses.div_ceil(u64::from(ports).max(1)))
            .into_iter()
            .fold(0, u64::max)
    }

    /// The accesses to one bank that take longest, and the ports that they have: all of them, the reads or the writes. A bus
    /// has a channel for reads and one for writes.
    pub(crate) fn narrowest(&self, reads: u64, writes: u64) -> (u64, u64) {
        let (read, write, all) = self.ports_of_bank();
        if self.implementation == Implementation::Bus {
            return if writes >= reads { (writes, 1) } else { (reads, 1) };
        }
        let ways = [(reads, read), (writes, write), (reads + writes, all)];
        let ways = ways.map(|(accesses, ports)| (accesses, u64::from(ports).max(1)));
        ways.into_iter().max_by_key(|(accesses, ports)| accesses.div_ceil(*ports)).unwrap_or((0, 1))
    }

    /// Elements in all.
    pub(crate) fn elements(&self) -> u64 {
        self.dims.iter().fold(1, |product, length| product.saturating_mul((*length).max(1)))
    }

    /// Whether it is a queue with so many words that it is slower.
    pub(crate) fn is_deep_queue(&self) -> bool {
        self.depth.is_some_and(|depth| depth >= DEEP)
    }

    /// Elements of a bank.
    pub(crate) fn elements_of_bank(&self) -> u64 {
        let dims = self.cuts.iter().zip(&self.dims);
        dims.fold(1, |all, (cut, length)| {
            all.saturating_mul(length.div_ceil(cut.banks(*length)).max(1))
        })
    }

    /// Elements that share a word.
    pub(crate) fn word(&self) -> u64 {
        let mut word = 1_u64;
        for (cut, length) in self.words.iter().zip(&self.dims) {
            word = word.saturating_mul(cut.banks(*length));
        }
        word
    }

    /// Whether a word has all elements of its dimensions, as a vector has its lanes.
    pub(crate) fn has_whole_words(&self) -> bool {
        self.words.iter().all(|cut| matches!(cut, Cut::Whole | Cut::Complete))
    }

    /// Bits of a word that are shifted to find the lane of an access. A write shifts its value and a mask.
    #[allow(clippy::cast_precision_loss)]
    pub(crate) fn shifted_bits(
        &self,
        access: &MemoryAccess,
        write: bool,
        range: Ranges<'_>,
    ) -> f64 {
        let is_late = |(at, length): (usize, &u64)| {
            let cut = self.words.get(at).copied().unwrap_or(Cut::Whole);
            let stays = |index: &Linear| {
                index.is_constant() || cut.block_of(*length, range(index)).is_some()
            };
            cut.banks(*length) > 1 && access.index.get(at).is_none_or(|index| !stays(index))
        };
        if !self.dims.iter().enumerate().any(is_late) {
            return 0.0;
        }
        let bits = f64::from(self.ty.bits()) * self.word() as f64;
        if write { 2.0 * bits } else { bits }
    }

    /// The banks among which an access has to choose in each dimension while the kernel runs, of so many; `steps` is what
    /// divides all steps of its index, 0 for a constant.
    ///
    /// Among banks in turn the rest of the division decides. Among banks of one element each the tool sees the low bits of the
    /// index that no step changes: reports have a choice of all banks for steps of 205, and of two for 256.
    ///
    /// No index is in more banks than it has values while the loop around the block goes on: the tool knows the outer
    /// counters there, and takes its own for any number.
    pub(crate) fn ways(&self, banks: &[u64], form: &AccessForm) -> Vec<u64> {
        let ways = |(at, length): (usize, &u64)| {
            let (own, step) = (banks.get(at).copied().unwrap_or(1), form.steps.get(at).copied());
            let step = step.unwrap_or(1);
            if own <= 1 || step == 0 {
                return 1;
            }
            let of_dim = match self.cuts.get(at) {
                Some(Cut::Block(_)) => own,
                _ if own >= *length => own.div_ceil(1 << step.trailing_zeros().min(32)),
                _ => own / common_divisor(own, step),
            };
            let values = form.values.get(at).copied().flatten().unwrap_or(of_dim);
            of_dim.min(values.max(1))
        };
        self.dims.iter().enumerate().map(ways).collect()
    }

    /// Which bank an element is in.
    pub(crate) fn bank(&self, index: &[Linear], range: Ranges<'_>) -> Bank {
        let mut parts = Vec::new();
        for (at, (cut, length)) in self.cuts.iter().zip(&self.dims).enumerate() {
            if cut.banks(*length) <= 1 {
                continue;
            }
            let Some(index) = index.get(at) else {
                parts.push((1, 0));
                continue;
            };
            let exact = |part: i64| (0, u64::try_from(part.max(0)).unwrap_or(0));
            let residue = |factor: u64| {
                let terms = index.terms.iter();
                let classes =
                    terms.fold(factor, |all, term| common_divisor(all, term.1.unsigned_abs()));
                let by = i64::try_from(classes).unwrap_or(i64::MAX);
                (classes, index.constant.rem_euclid(by).unsigned_abs())
            };
            parts.push(match cut {
                Cut::Cyclic(factor) => residue(*factor),
                Cut::Block(_) => match cut.block_of(*length, range(index)) {
                    Some(block) => exact(block),
                    None => (1, 0),
                },
                Cut::Complete if index.is_constant() => exact(index.constant),
                // A bank for each element: as many classes as there are elements.
                Cut::Complete => residue(*length),
                Cut::Whole => (1, 0),
            });
        }
        Bank(parts)
    }

    /// Whether a directive cuts it so that the bank, or the part of a word, of this element is known only at run time;
    /// by a symbol, if one is given.
    pub(crate) fn is_chosen_late(
        &self,
        index: &[Linear],
        by: Option<Symbol>,
        range: Ranges<'_>,
    ) -> bool {
        let counts = |symbol: Symbol| by.is_none_or(|by| by == symbol);
        let late = |(cut, index): (&Cut, &Linear)| {
            let factor = match cut {
                Cut::Cyclic(factor) => (*factor).max(1),
                Cut::Block(factor) if *factor > 1 => u64::MAX,
                Cut::Block(_) | Cut::Whole | Cut::Complete => return false,
            };
            index
                .terms
                .iter()
                .any(|(symbol, by)| counts(*symbol) && by.unsigned_abs() % factor != 0)
        };
        let is_late = |cuts: &[Cut]| {
            cuts.iter().zip(&self.dims).zip(index).any(|((cut, length), index)| {
                late((cut, index)) && cut.block_of(*length, range(index)).is_none()
            })
        };
        is_late(&self.cuts) || is_late(&self.words)
    }

    /// Whether an access may go to so many banks that a write outside of a pipeline is a state of its own for each of
    /// them: the tool makes a switch of it. Up to four banks it takes conditions.
    pub(crate) fn has_many_ways(&self, bank: &Bank) -> bool {
        let cuts = self.cuts.iter().zip(&self.dims).map(|(cut, length)| cut.banks(*length));
        cuts.filter(|banks| *banks > 1).zip(&bank.0).any(|(banks, part)| {
            let ways = if part.0 == 0 { 1 } else { banks / part.0.max(1) };
            ways >= WAYS
        })
    }

    /// The place in each bank, where an index that is not known chooses among banks of one element: all banks are read there, and a
    /// multiplexer chooses, so that reads at one place share a port. `None` where each access has its bank.
    pub(crate) fn place_in_banks(&self, index: &[Linear], moduli: &[u64]) -> Option<Vec<Linear>> {
        let cuts = self.cuts.iter().zip(&self.dims).zip(moduli);
        let chosen = |((cut, length), modulus): ((&Cut, &u64), &u64)| {
            self.bus.is_none() && *length > 1 && cut.banks(*length) == *length && *modulus != 0
        };
        let is_chosen: Vec<bool> = cuts.map(chosen).collect();
        is_chosen.contains(&true).then(|| {
            let mut place = self.word_index(index);
            for (part, is_chosen) in place.iter_mut().zip(is_chosen) {
                if is_chosen {
                    *part = Linear::default();
                }
            }
            place
        })
    }

    /// The index with lanes of one word made equal, to count accesses to words.
    pub(crate) fn word_index(&self, index: &[Linear]) -> Vec<Linear> {
        let whole = |at: usize| self.words.get(at).is_none_or(|word| matches!(word, Cut::Whole));
        let part = |(at, index): (usize, &Linear)| {
            if whole(at) {
                return index.clone();
            }
            match self.words[at] {
                Cut::Complete => Linear::default(),
                Cut::Block(factor) => {
                    // Equal places of all blocks share a word.
                    let length = self.dims.get(at).copied().unwrap_or(0);
                    let size = i64::try_from(length.div_ceil(factor.max(1)).max(1));
                    let mut index = index.clone();
                    index.constant = index.constant.rem_euclid(size.unwrap_or(i64::MAX));
                    index
                }
                Cut::Cyclic(factor) => {
                    let factor = i64::try_from(factor).unwrap_or(i64::MAX);
                    let mut index = index.clone();
                    index.constant = index.constant.div_euclid(factor) * factor;
                    index
                }
                Cut::Whole => index.clone(),
            }
        };
        index.iter().enumerate().map(part).collect()
    }
}
