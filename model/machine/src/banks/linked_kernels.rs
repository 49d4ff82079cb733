//! What the source of the kernels that a configuration links shows of their arguments.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use crate::concurrent_uses::{ConcurrentUses, Meeting};
use crate::m_axi::m_axi_ports;
use derate_hls::{
    AccessForm, Connectivity, FileId, Function, MemoryPin, Resolver, Sources, Span, count_mentions,
    split_words, without_comments,
};

/// The functions of a design, as the kernels that its configuration links.
pub struct LinkedKernels<'a> {
    sources: &'a Sources,
    connectivity: &'a Connectivity,
    functions: Vec<&'a Function>,
    constants: BTreeSet<&'a str>,
    files: BTreeSet<FileId>,
    resolver: Resolver<'a>,
    macros: OnceCell<Macros<'a>>,
    /// What each kernel uses, by its place.
    uses: RefCell<HashMap<Span, Rc<ConcurrentUses>>>,
}

/// What the source of a kernel shows of arguments on one bank.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum BankTraffic {
    /// Whether any two of them are used at the same time is not known.
    Unknown,
    /// No two of them are.
    InTurn,
    /// Those that meet do so as often in one run of the kernel, at most.
    Seldom(u64),
    /// These are used at the same time.
    Together(Vec<String>),
}

/// The macros of files by their names; several may have one name.
type Macros<'a> = BTreeMap<&'a str, Vec<Macro<'a>>>;

/// What a macro is replaced by.
struct Macro<'a> {
    words: BTreeSet<&'a str>,
    /// Whether it puts words together.
    pastes: bool,
}

impl<'a> LinkedKernels<'a> {
    /// The functions of a design with their texts, the names of the constants of its files, the files whose macros they may
    /// use, and what says the values of its bounds.
    pub fn new(
        sources: &'a Sources,
        connectivity: &'a Connectivity,
        functions: Vec<&'a Function>,
        constants: BTreeSet<&'a str>,
        files: BTreeSet<FileId>,
        resolver: Resolver<'a>,
    ) -> Self {
        let (macros, uses) = (OnceCell::new(), RefCell::default());
        Self { sources, connectivity, functions, constants, files, resolver, macros, uses }
    }

    fn list_uses(&self, kernel: &Function) -> Rc<ConcurrentUses> {
        let mut known = self.uses.borrow_mut();
        let uses = known.entry(kernel.span).or_insert_with(|| {
            let (functions, constants) = (&self.functions, &self.constants);
            Rc::new(ConcurrentUses::find(kernel, functions, constants, &self.resolver))
        });
        Rc::clone(uses)
    }

    /// The kernel that a compute unit is of.
    pub fn kernel_of_unit<'b>(&'b self, unit: &'b str) -> &'b str {
        self.connectivity.kernel_of_unit(unit)
    }

    /// Whether a macro in a text may name an argument, itself or through others.
    fn may_be_in_macro(&self, text: &str, name: &str) -> bool {
        let macros = self.macros.get_or_init(|| list_macros(self.sources, &self.files));
        let mut open: Vec<&str> = split_words(text).collect();
        let mut seen = BTreeSet::new();
        while let Some(word) = open.pop() {
            if !seen.insert(word) {
                continue;
            }
            for one in macros.get(word).into_iter().flatten() {
                if one.pastes || one.words.contains(name) {
                    return true;
                }
                open.extend(&one.words);
            }
        }
        false
    }

    /// The function of a compute unit's kernel, if it is known.
    fn find_kernel(&self, unit: &str) -> Option<&Function> {
        let kernel = self.connectivity.kernel_of_unit(unit);
        let mut named =
            self.functions.iter().filter(|one| one.name == kernel && one.body.is_some());
        let (only, None) = (named.next()?, named.next()) else { return None };
        Some(only)
    }

    /// The function of the kernel that all of these arguments are of, if it is known and they are of one compute unit.
    fn find_common(&self, pins: &[&MemoryPin]) -> Option<&Function> {
        let unit = &pins.first()?.unit.value;
        let kernel = self.find_kernel(unit)?;
        pins.iter().all(|pin| pin.unit.value == *unit).then_some(kernel)
    }

    /// Whether the kernel is defined, and no definition has the argument. A definition that has none of the pinned arguments is of
    /// another function of that name.
    pub fn lacks(&self, pin: &MemoryPin) -> bool {
        let kernel = self.kernel_of_unit(&pin.unit.value);
        let mut own = self.connectivity.memory.iter();
        self.has_argument(kernel, &pin.argument.value) == Some(false)
            && own.any(|one| {
                self.kernel_of_unit(&one.unit.value) == kernel
                    && self.has_argument(kernel, &one.argument.value) == Some(true)
            })
    }

    /// Whether a definition of a kernel has an argument: by its name, as an element of one (`a_0` of `a`), or as a port. What a macro may
    /// write counts. `None` where the kernel is not defined.
    fn has_argument(&self, kernel: &str, name: &str) -> Option<bool> {
        let bare = name.trim_end_matches(|sign: char| sign.is_ascii_digit());
        let element = bare.strip_suffix('_').filter(|_| bare.len() < name.len());
        let array = element.or_else(|| name.split_once('[').map(|(array, _)| array));
        let has_it = |one: &&Function| {
            let Some(body) = one.body else { return true };
            let head = self.sources.slice(Span { end: body.start, ..one.span });
            let text = &without_comments(head);
            let is_it = |word: &str| word.eq_ignore_ascii_case(name) || Some(word) == array;
            split_words(text).any(is_it) || self.may_be_in_macro(text, name)
        };
        let all = self.functions.iter().copied();
        let mut own = all.filter(|one| one.name == kernel && one.body.is_some()).peekable();
        own.peek()?;
        Some(name.to_ascii_lowercase().starts_with("m_axi") || own.any(|one| has_it(&one)))
    }

    /// Whether the arguments are of one `m_axi` bundle: they share one port, whose accesses no second bank makes more.
    pub fn share_one_port(&self, pins: &[&MemoryPin]) -> bool {
        let Some(kernel) = self.find_common(pins) else { return false };
        let ports = m_axi_ports(kernel);
        let find = |pin: &&MemoryPin| {
            let port = ports.iter().find(|port| port.parameter.name == pin.argument.value)?;
            port.bundle.as_deref()
        };
        let bundles: Option<BTreeSet<&str>> = pins.iter().map(find).collect();
        bundles.is_some_and(|bundles| bundles.len() == 1)
    }

    /// What the source of their kernel shows of the arguments.
    pub fn find_traffic(&self, pins: &[&MemoryPin]) -> BankTraffic {
        let Some(kernel) = self.find_common(pins) else { return BankTraffic::Unknown };
        let lists: Vec<Vec<&str>> = pins.iter().map(|pin| list_arguments(kernel, pin)).collect();
        let is_parameter = |name: &&str| kernel.parameters.iter().any(|one| one.name == **name);
        let uses = self.list_uses(kernel);
        // Arguments of one pin are one port.
        let pairs = lists.iter().enumerate().flat_map(|(at, own)| {
            let others = lists.iter().skip(at + 1).flatten();
            others.flat_map(move |other| own.iter().map(move |one| [*one, *other]))
        });
        let meeting = if lists.iter().all(|list| list.len() == 1) {
            uses.find_meeting(&lists.concat())
        } else {
            pairs
                .filter_map(|[one, other]| uses.find_meeting(&[one, other]))
                .max_by_key(Meeting::times)
        };
        let is_known =
            |name: &&str| is_parameter(name) && uses.has_use(name) && !uses.is_open(name);
        match meeting.as_ref().map(|one| (one, one.seldom())) {
            Some((one, None)) => {
                BankTraffic::Together(one.names.iter().map(|&name| name.to_owned()).collect())
            }
            _ if !lists.iter().flatten().all(is_known) => BankTraffic::Unknown,
            Some((_, Some(times))) => BankTraffic::Seldom(times),
            None => BankTraffic::InTurn,
        }
    }

    /// Whether the source never uses an argument, has one access to it that no loop repeats, or some hundred in a run of the
    /// kernel: it keeps no bank busy.
    pub fn is_idle(&self, pin: &MemoryPin) -> bool {
        let Some(kernel) = self.find_kernel(&pin.unit.value) else { return false };
        let name = &pin.argument.value;
        let (Some(body), true) =
            (kernel.body, kernel.parameters.iter().any(|one| one.name == *name))
        else {
            return false;
        };
        // What a body that is read in part says of it counts, too.
        let text = self.sources.slice(body);
        let mentions = count_mentions(text, name);
        let is_single = || {
            let mut own = kernel.accesses.iter().filter(|one| one.array == *name);
            own.next().is_some_and(|one| {
                one.loop_index.is_none()
                    && matches!(one.form, AccessForm::Subscript | AccessForm::Dereference)
            })
        };
        let uses = self.list_uses(kernel);
        if uses.is_light(name) {
            return true;
        }
        if mentions > 1 || (mentions == 1 && !is_single()) || self.may_be_in_macro(text, name) {
            return false;
        }
        !uses.is_open(name) && !uses.is_repeated(name)
    }
}

/// The arguments of a kernel that a pin is about: one, or those of a bundle by the name of its port.
fn list_arguments<'a>(kernel: &'a Function, pin: &'a MemoryPin) -> Vec<&'a str> {
    let name = pin.argument.value.as_str();
    let is_bundle = |bundle: &Option<String>| {
        bundle.is_some() && bundle.as_deref() == name.strip_prefix("m_axi_")
    };
    let ports = m_axi_ports(kernel).into_iter().filter(|port| is_bundle(&port.bundle));
    let all: Vec<&str> = ports.map(|port| port.parameter.name.as_str()).collect();
    if all.is_empty() { vec![name] } else { all }
}

/// The macros of files, with their lines that go on.
fn list_macros<'a>(sources: &'a Sources, files: &BTreeSet<FileId>) -> Macros<'a> {
    let mut all = Macros::new();
    for text in files.iter().map(|&file| sources.text(file)) {
        for (at, _) in text.match_indices("define") {
            let before = text.get(..at).unwrap_or_default().trim_end_matches([' ', '\t']);
            if !before.ends_with('#') {
                continue;
            }
            let rest = text.get(at + "define".len()..).unwrap_or_default();
            let end = find_line_end(rest);
            let rest = rest.get(..end).unwrap_or(rest);
            let rest = rest.split("//").next().unwrap_or(rest).trim_start();
            let Some(name) = split_words(rest).next() else { continue };
            let rest = rest.strip_prefix(name).unwrap_or(rest);
            // What its own parameters are called says nothing of the function's.
            let (own, text) = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
                Some((own, text)) => (split_words(own).collect(), text),
                None => (BTreeSet::new(), rest),
            };
            let words = split_words(text).filter(|word| !own.contains(word)).collect();
            let one = Macro { words, pastes: text.contains("##") };
            all.entry(name).or_default().push(one);
        }
    }
    all
}

/// Where a line ends that a backslash continues.
fn find_line_end(text: &str) -> usize {
    let mut ends = text.match_indices('\n').map(|(at, _)| at);
    let is_last = |at: &usize| {
        !text.get(..*at).is_some_and(|line| line.trim_end_matches('\r').ends_with('\\'))
    };
    ends.find(is_last).unwrap_or(text.len())
}
