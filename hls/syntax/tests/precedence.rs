//! An expression that is written with as few brackets as C allows is read as it was meant.

mod canonical;
use canonical::show_body;
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Tree {
    Leaf(&'static str),
    Binary(&'static str, u8, Box<Tree>, Box<Tree>),
    Unary(&'static str, Box<Tree>),
    After(&'static str, Box<Tree>),
    Conditional(Box<Tree>, Box<Tree>, Box<Tree>),
    Index(Box<Tree>, Box<Tree>),
    Cast(&'static str, Box<Tree>),
    Call(Vec<Tree>),
}

const BINARY: &[(&str, u8)] = &[
    ("||", 3),
    ("&&", 4),
    ("|", 5),
    ("^", 6),
    ("&", 7),
    ("==", 8),
    ("!=", 8),
    ("<", 9),
    (">", 9),
    ("<=", 9),
    (">=", 9),
    ("<<", 10),
    (">>", 10),
    ("+", 11),
    ("-", 11),
    ("*", 12),
    ("/", 12),
    ("%", 12),
];

fn tree() -> impl Strategy<Value = Tree> {
    let leaf =
        proptest::sample::select(&["a", "b", "k", "3", "1.5f", "N"][..]).prop_map(Tree::Leaf);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let name = proptest::sample::select(&["a", "b", "k"][..]).prop_map(|one| Box::new(Tree::Leaf(one)));
        prop_oneof![
            4 => (proptest::sample::select(BINARY), boxed.clone(), boxed.clone())
                .prop_map(|((operator, rank), left, right)| Tree::Binary(operator, rank, left, right)),
            1 => (proptest::sample::select(&["-", "!", "~", "*", "&"][..]), boxed.clone())
                .prop_map(|(operator, inner)| Tree::Unary(operator, inner)),
            1 => (proptest::sample::select(&["++", "--"][..]), name.clone())
                .prop_map(|(operator, inner)| Tree::After(operator, inner)),
            1 => (boxed.clone(), boxed.clone(), boxed.clone())
                .prop_map(|(one, two, three)| Tree::Conditional(one, two, three)),
            1 => (name, boxed.clone()).prop_map(|(array, index)| Tree::Index(array, index)),
            1 => (proptest::sample::select(&["int", "T", "ap_int<8>"][..]), boxed)
                .prop_map(|(ty, inner)| Tree::Cast(ty, inner)),
            1 => proptest::collection::vec(inner, 0..3).prop_map(Tree::Call),
        ]
    })
}

impl Tree {
    fn rank(&self) -> u8 {
        match self {
            Self::Conditional(..) => 2,
            Self::Binary(_, rank, ..) => *rank,
            Self::Unary(..) | Self::Cast(..) => 14,
            Self::After(..) | Self::Index(..) | Self::Call(_) => 15,
            Self::Leaf(_) => 16,
        }
    }

    /// As a programmer writes it, in brackets if it binds less than `least`.
    fn write(&self, least: u8) -> String {
        let text = match self {
            Self::Leaf(text) => (*text).to_owned(),
            Self::Binary(operator, rank, left, right) => {
                format!("{} {operator} {}", left.write(*rank), right.write(rank + 1))
            }
            Self::Unary(operator, inner) => format!("{operator} {}", inner.write(14)),
            Self::After(operator, inner) => format!("{}{operator}", inner.write(15)),
            Self::Conditional(one, two, three) => {
                format!("{} ? {} : {}", one.write(3), two.write(2), three.write(2))
            }
            Self::Index(array, index) => format!("{}[{}]", array.write(15), index.write(0)),
            Self::Cast(ty, inner) => format!("({ty}){}", inner.write(14)),
            Self::Call(arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|one| one.write(2)).collect();
                format!("f({})", arguments.join(", "))
            }
        };
        if self.rank() < least { format!("({text})") } else { text }
    }

    /// As [`canonical::expression`] writes it.
    fn expect(&self) -> String {
        match self {
            Self::Leaf(text) => (*text).to_owned(),
            Self::Binary(operator, _, left, right) => {
                format!("({} {operator} {})", left.expect(), right.expect())
            }
            Self::Unary(operator, inner) => format!("({operator}{})", inner.expect()),
            Self::After(operator, inner) => format!("({}{operator})", inner.expect()),
            Self::Conditional(one, two, three) => {
                format!("({} ? {} : {})", one.expect(), two.expect(), three.expect())
            }
            Self::Index(array, index) => format!("{}[{}]", array.expect(), index.expect()),
            Self::Cast(ty, inner) => format!("cast<{ty}>({})", inner.expect()),
            Self::Call(arguments) => {
                let arguments: Vec<String> = arguments.iter().map(Self::expect).collect();
                format!("f({})", arguments.join(", "))
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_written_expression_is_read_as_meant(tree in tree()) {
        let text = format!("typedef int T; const int N = 4; T a, b, k; x = {};", tree.write(2));
        let shown = show_body(&text);
        let expected = format!("(x = {});", tree.expect());
        prop_assert_eq!(shown.lines().last().unwrap_or(""), expected, "{}", text);
    }
}
