//! How many multiplications one run of a kernel does.

use crate::data_use::DataUse;
use crate::ir::{
    Argument, Binary, Expr, Loop, Number, ObjectId, Program, Scalar, Stmt, Unary, Work,
};
use crate::reader::INSERT;
use derate_frontend::{Count, DirectiveKind};
use rustc_hash::FxHashMap as HashMap;

/// Iterations that are walked one by one, where the work of an iteration depends on its counter.
const WALKED: u64 = 200_000;
/// Statements after which one iteration stands for all of its loop: nests are walked three times in each depth.
const STATEMENTS: u64 = 400_000;
/// Calls are followed this deep.
const DEEPEST: usize = 32;
/// Calls that are followed in all: functions that call others twice would take the power of their depth.
const CALLS: u64 = 500_000;

impl Program {
    /// What a run multiplies whose numbers are given by their names in the top function: of two branches the one with more.
    /// Where data decide a trip count, its `loop_tripcount` is taken, else one iteration.
    #[must_use]
    pub fn count_work(&self, given: &[(String, u64)]) -> Work {
        let Some(top) = self.functions.first() else { return Work::default() };
        let mut walk = Walk {
            program: self,
            data: DataUse::of_program(self),
            left: WALKED,
            statements: STATEMENTS,
            calls: CALLS,
            values: HashMap::default(),
            depth: 0,
            at: 0,
            is_open: false,
        };
        let numbers = top.parameters.iter().zip(&top.by_value).filter(|(_, by_value)| **by_value);
        let value = |(parameter, _): (&ObjectId, &bool)| {
            let name = &top.objects[*parameter].name;
            let (_, value) = given.iter().find(|(given, _)| given == name)?;
            Some((*parameter, i128::from(*value)))
        };
        let multiplications = walk.function(0, &mut numbers.filter_map(value).collect());
        Work { multiplications, is_open: walk.is_open }
    }
}

/// The whole numbers that scalars are known to have.
type Known = HashMap<ObjectId, i128>;

struct Walk<'a> {
    program: &'a Program,
    data: DataUse,
    left: u64,
    statements: u64,
    calls: u64,
    /// The multiplications of one evaluation of the values that were met, by their addresses.
    values: HashMap<*const Expr, f64>,
    depth: usize,
    /// The function in hand.
    at: usize,
    is_open: bool,
}

impl Walk<'_> {
    fn function(&mut self, at: usize, known: &mut Known) -> f64 {
        let Some(function) = self.program.functions.get(at) else { return 0.0 };
        if self.depth >= DEEPEST || self.calls == 0 {
            self.is_open = true;
            return 0.0;
        }
        self.is_open |= function.is_incomplete;
        self.calls -= 1;
        self.depth += 1;
        let around = std::mem::replace(&mut self.at, at);
        let count = self.body(&function.body, known);
        self.at = around;
        self.depth -= 1;
        count
    }

    fn body(&mut self, body: &[Stmt], known: &mut Known) -> f64 {
        body.iter().map(|stmt| self.statement(stmt, known)).sum()
    }

    fn statement(&mut self, stmt: &Stmt, known: &mut Known) -> f64 {
        self.statements = self.statements.saturating_sub(1);
        match stmt {
            Stmt::Set(target, value) => {
                match number(value, known).filter(|_| target.index.is_empty()) {
                    Some(number) => known.insert(target.object, number),
                    None => known.remove(&target.object),
                };
                if self.data.is_stored(self.program, self.at, target) {
                    self.recall(value)
                } else {
                    0.0
                }
            }
            Stmt::Push(_, value) | Stmt::Evaluate(value) => self.recall(value),
            Stmt::If(test, then, otherwise) => {
                let own = self.tested(test);
                let mut other = known.clone();
                let branches = self.body(then, known).max(self.body(otherwise, &mut other));
                known.retain(|object, value| other.get(object) == Some(value));
                own + branches
            }
            Stmt::Loop(item) => self.repeat(item, known),
            Stmt::Call(call) => self.call(call, known),
            Stmt::Return | Stmt::Break | Stmt::Continue => 0.0,
        }
    }

    fn call(&mut self, call: &crate::ir::Call, known: &Known) -> f64 {
        let Some(callee) = self.program.functions.get(call.function) else { return 0.0 };
        let mut inside = Known::default();
        let mut own = 0.0;
        for (argument, parameter) in call.arguments.iter().zip(&callee.parameters) {
            if let Argument::Value(value) = argument {
                if self.data.is_used(call.function, *parameter) {
                    own += self.multiplications(value);
                }
                inside.extend(number(value, known).map(|number| (*parameter, number)));
            }
        }
        own + self.function(call.function, &mut inside)
    }

    /// The multiplications of one evaluation of a value, counted once.
    fn recall(&mut self, value: &Expr) -> f64 {
        if let Some(known) = self.values.get(&std::ptr::from_ref(value)) {
            return *known;
        }
        let count = self.multiplications(value);
        self.values.insert(value, count);
        count
    }

    /// The multiplications of one evaluation, without those of subscripts and of two constants.
    fn multiplications(&self, value: &Expr) -> f64 {
        match value {
            Expr::Select(test, yes, no, ..) => {
                return self.tested(test) + self.multiplications(yes) + self.multiplications(no);
            }
            // Which bits of a word are meant is no data.
            Expr::Binary(Binary::ShiftLeft | Binary::ShiftRight, of, by, ..) => {
                return self.multiplications(of) + self.tested(by);
            }
            Expr::Math(INSERT, inputs, ..) => {
                let (data, places) = inputs.split_at(inputs.len().min(2));
                let data: f64 = data.iter().map(|one| self.multiplications(one)).sum();
                return data + places.iter().map(|one| self.tested(one)).sum::<f64>();
            }
            _ => {}
        }
        let inner: f64 = value.operands().map(|one| self.multiplications(one)).sum();
        f64::from(u8::from(is_product(value))) + inner
    }

    /// Those of a condition: what is computed of counters and sizes alone is not data.
    fn tested(&self, test: &Expr) -> f64 {
        let own = is_product(test) && self.data.is_from_data(self.at, test);
        let inner: f64 = test.operands().map(|one| self.tested(one)).sum();
        f64::from(u8::from(own)) + inner
    }

    /// The first, the middle and the last iteration say whether they are alike or grow evenly; else all are walked.
    fn repeat(&mut self, item: &Loop, known: &mut Known) -> f64 {
        let Some((first, trips)) = trips_of(item, known) else {
            let once = self.body(&item.body, known);
            self.is_open |= once > 0.0;
            return once;
        };
        let Some(counter) = item.counter.filter(|_| trips > 0) else {
            #[allow(clippy::cast_precision_loss)]
            return if trips > 0 { trips as f64 * self.body(&item.body, known) } else { 0.0 };
        };
        let mut at = |index: u64, walk: &mut Self| {
            known
                .insert(counter, first.saturating_add(item.step.saturating_mul(i128::from(index))));
            walk.body(&item.body, &mut known.clone())
        };
        #[allow(clippy::cast_precision_loss)]
        let count = trips as f64;
        if self.statements == 0 {
            let middle = at((trips - 1) / 2, self);
            known.remove(&counter);
            return count * middle;
        }
        let (begin, middle, end) = (at(0, self), at((trips - 1) / 2, self), at(trips - 1, self));
        #[allow(clippy::float_cmp, reason = "whole numbers")]
        let total = if begin == middle && middle == end {
            begin * count
        } else if trips <= self.left {
            self.left -= trips;
            (0..trips).map(|index| at(index, self)).sum()
        } else {
            count * (begin + 4.0 * middle + end) / 6.0
        };
        known.remove(&counter);
        total
    }
}

/// The first value of the counter, and the trips.
fn trips_of(item: &Loop, known: &Known) -> Option<(i128, u64)> {
    let first = item.first.or_else(|| number(&item.start, known)).unwrap_or(0);
    let end = item.end.as_ref().and_then(|end| number(end, known));
    if let (Some(end), false) = (end, item.step == 0) {
        let distance = if item.step > 0 { end - first } else { first - end };
        let step = item.step.unsigned_abs();
        let trips = u128::try_from(distance).unwrap_or(0).div_ceil(step);
        return Some((first, u64::try_from(trips).unwrap_or(u64::MAX)));
    }
    let told = item.pragmas.iter().find_map(|directive| match &directive.kind {
        DirectiveKind::LoopTripcount(trip) => trip.avg.as_ref().or(trip.max.as_ref()),
        _ => None,
    });
    told.and_then(Count::number).map(|trips| (first, trips))
}

/// A whole number that follows from known ones.
fn number(value: &Expr, known: &Known) -> Option<i128> {
    match value {
        Expr::Constant(Number::Int(value), _) => Some(*value),
        Expr::Read(access, _) if access.index.is_empty() => known.get(&access.object).copied(),
        Expr::Cast(value, Scalar::Int { .. }, _) => number(value, known),
        Expr::Unary(Unary::Negate, value, ..) => number(value, known)?.checked_neg(),
        Expr::Binary(operator, one, other, Scalar::Int { .. }, _) => {
            let (one, other) = (number(one, known)?, number(other, known)?);
            match operator {
                Binary::Add => one.checked_add(other),
                Binary::Sub => one.checked_sub(other),
                Binary::Mul => one.checked_mul(other),
                Binary::Div => one.checked_div(other),
                Binary::Rem => one.checked_rem(other),
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_product(value: &Expr) -> bool {
    let constant = |value: &Expr| matches!(value, Expr::Constant(..));
    matches!(value, Expr::Binary(Binary::Mul, one, other, ..) if !(constant(one) && constant(other)))
}

#[cfg(test)]
mod tests {
    use crate::read_program;
    use derate_syntax::{SourceFile, read_unit};

    fn count(text: &str) -> f64 {
        let source = SourceFile { path: "a.cpp".into(), text: text.into() };
        let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
        read_program(&unit, "f").unwrap().work.multiplications
    }

    #[test]
    fn rectangles_and_triangles_are_exact() {
        let nest = |bound: &str| {
            format!(
                "void f(float a[64][64], float b[64]) {{ for (int i = 0; i < 64; i++) \
                 for (int j = 0; j < {bound}; j++) a[i][j * 1] = a[i][j] * b[j]; }}"
            )
        };
        assert_eq!(count(&nest("64")).to_bits(), 4096.0_f64.to_bits());
        assert_eq!(count(&nest("i + 1")).to_bits(), 2080.0_f64.to_bits());
    }

    #[test]
    fn the_numbers_of_a_run_go_before_loop_tripcount() {
        let text = "void f(const char *w, int *y, int rows, int columns) { for (int i = 0; i < rows; i++) {\n\
                    #pragma HLS loop_tripcount max=4096\n int sum = 0; for (int j = 0; j < columns; j++) {\n\
                    #pragma HLS loop_tripcount max=4096\n sum += w[i * columns + j] * w[j]; } y[i] = sum; } }";
        let source = SourceFile { path: "a.cpp".into(), text: text.into() };
        let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
        let program = read_program(&unit, "f").unwrap();
        let given = [("rows".to_owned(), 32_000), ("columns".to_owned(), 288)];
        assert_eq!(program.count_work(&given).multiplications.to_bits(), 9_216_000_f64.to_bits());
        assert_eq!(program.work.multiplications.to_bits(), 4096_f64.powi(2).to_bits());
    }

    /// Sums that only subscripts, bounds and their guards use are not counted, through whatever scalar they go.
    #[test]
    fn index_arithmetic_is_not_counted() {
        let copy = "static int at(int r, int c, int w) { return r * w + c; }
            void f(const char *x, char *y, int C, int H, int W) { int total = C * H * W;
            for (int i = 0; i < 8; i++) { int base = i * W; int row = base * H; if (row * W < total) y[base + row] = x[at(i, base, W)]; } }";
        assert_eq!(count(copy).to_bits(), 0.0_f64.to_bits());
        // One product is of data; that of the address is not.
        let scale = "void f(const char *x, int *y, int w) { int by = w * w; for (int i = 0; i < 8; i++) { int at = i * w; \
                     int s = x[at] * by; if (x[at] * 3 > s) y[at] = s; } }";
        assert_eq!(count(scale).to_bits(), 17.0_f64.to_bits());
        // A coordinate that is stored is data, too.
        let stored =
            "void f(int *y, int w) { for (int i = 0; i < 8; i++) { int at = i * w; y[i] = at; } }";
        assert_eq!(count(stored).to_bits(), 8.0_f64.to_bits());
        let through = "static void g(int a, int &b) { b = a * a; } void f(int *y, int w) { int t; g(w, t); y[t] = 1; }";
        assert_eq!(count(through).to_bits(), 0.0_f64.to_bits());
    }

    /// Which bits of a word are read and written is no work; what they hold is.
    #[test]
    fn places_of_bits_are_not_counted() {
        let parts = "void f(ap_uint<64> in[8], ap_uint<64> out[8], ap_uint<8> by) { for (int i = 0; i < 8; i++) { ap_uint<64> word = 0;
            for (int k = 0; k < 8; k++) { ap_uint<8> part = in[i](k * 8 + 7, k * 8); word(k * 8 + 7, k * 8) = part; } out[i] = word; } }";
        assert_eq!(count(parts).to_bits(), 0.0_f64.to_bits());
        let scaled = parts.replace("= part;", "= part * by;");
        assert_eq!(count(&scaled).to_bits(), 64.0_f64.to_bits());
        let shifted =
            "void f(int *x, int y) { for (int i = 0; i < 8; i++) x[i] = x[i] << (x[i] * y); }";
        assert_eq!(count(shifted).to_bits(), 8.0_f64.to_bits());
    }

    #[test]
    fn what_data_decide_is_open() {
        let work = |text: &str| {
            let source = SourceFile { path: "a.cpp".into(), text: text.into() };
            let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
            read_program(&unit, "f").unwrap()
        };
        let bound = "void f(int *x, int n) { for (int i = 0; i < n; i++) x[i] = x[i] * 3; }";
        assert!(work(bound).work.is_open);
        assert!(!work(bound).count_work(&[("n".to_owned(), 4)]).is_open);
        assert!(
            !work("void f(int *x, int n) { for (int i = 0; i < n; i++) x[i * 4] = 3; }")
                .work
                .is_open
        );
        assert!(work("void g(int *x); void f(int *x) { g(x); }").work.is_open);
    }

    #[test]
    fn deep_nests_of_calls_take_no_time() {
        let mut text = String::from("void f0(float a[8]) { a[0] = a[1] * 2.0f; }\n");
        let chain = |at: u32| {
            let inner = at - 1;
            format!("void f{at}(float a[8]) {{ for (int i = 0; i < 4; i++) f{inner}(a); }}\n")
        };
        text.extend((1..24).map(chain));
        text += "void f(float a[8]) { f23(a); }";
        assert_eq!(count(&text).to_bits(), 4.0_f64.powi(23).to_bits());
    }

    #[test]
    fn functions_that_call_twice_take_no_time() {
        let recursive = "void g(float a[8]); void f(float a[8]) { a[0] = a[1] * 2.0f; g(a); g(a); }
            void g(float a[8]) { f(a); f(a); }";
        assert!(count(recursive) >= 1.0);
        let mut text = String::from("void f0(float a[8]) { a[0] = a[1] * 2.0f; }\n");
        let chain = |at: u32| format!("void f{at}(float a[8]) {{ f{0}(a); f{0}(a); }}\n", at - 1);
        text.extend((1..30).map(chain));
        text += "void f(float a[8]) { f29(a); }";
        assert!(count(&text) > 1.0);
    }

    #[test]
    fn huge_trip_counts_take_no_time() {
        let text = "void f(float a[8]) { for (long i = 0; i < 1000000000000; i++) \
                    for (long j = 0; j < i; j++) a[i % 8] = a[j % 8] * 2.0f; }";
        assert!(count(text) > 1e23);
    }
}
