// Numbers as derate writes them: figure by figure what reports/src/number.rs does.

const PREFIXES = ["f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"];
const UNITY = 5;
const EXACT = 9007199254740992;
const KNOWN = 15;

/** Writes a number; `format` is `{style, digits}`. */
function formatNumber(value, format) {
  const [figure, prefix] = written(value, format);
  return prefix === "" ? figure : `${figure} ${prefix}`;
}

/** Writes a number with its unit, the SI prefix before the unit. */
function formatQuantity(value, format, unit) {
  const [figure, prefix] = written(value, format);
  return unit === "" && prefix === "" ? figure : `${figure} ${prefix}${unit}`;
}

function written(number, { style, digits }) {
  const value = style === "percent" ? number * 100 : number;
  if (!Number.isFinite(value)) return ["n/a", ""];
  if (value === 0) return [`0${{ percent: "%", factor: "×" }[style] ?? ""}`, ""];
  switch (style) {
    case "integer": return [fixed(value, 0), ""];
    case "fixed": return [fixed(value, digits), ""];
    case "percent": return [`${fixed(value, digits)}%`, ""];
    case "significant": return [significant(value, digits), ""];
    case "factor": return [`${significant(value, digits)}×`, ""];
    case "scientific": return [scientific(value, digits), ""];
    case "plain": return [plain(value), ""];
    default: return si(value, digits);
  }
}

/** The first `keep` of some digits, halves away from zero; a carry makes one more. */
function rounded(digits, keep) {
  if (keep < 0) return "0";
  const up = digits[keep] >= "5";
  return String(BigInt(digits.slice(0, keep) || "0") + (up ? 1n : 0n)).padStart(keep, "0");
}

/** All digits of a number and the power of ten of the first. */
function exact(value) {
  const [mantissa, power] = Math.abs(value).toExponential(100).split("e");
  return { digits: mantissa.replace(".", ""), exponent: Number(power) };
}

/** The first `keep` of all digits, halves to the even neighbour, as Rust has it. */
function even(digits, keep) {
  const rest = digits.slice(keep);
  const down = rest === "5".padEnd(rest.length, "0") && Number(digits[keep - 1]) % 2 === 0;
  return down ? digits.slice(0, keep) : rounded(digits, keep);
}

/** The figures that a number itself has. */
function read(value, count) {
  const { digits, exponent } = exact(value);
  return carried(even(digits, count), count, exponent);
}

function carried(figures, count, exponent) {
  return figures.length > count ? { figures: figures.slice(0, count), exponent: exponent + 1 } : { figures, exponent };
}

/** Some significant figures and the power of ten of the first, after rounding. */
function decimal(value, count) {
  if (count >= KNOWN) return read(value, count);
  const { figures, exponent } = read(value, KNOWN);
  return carried(rounded(figures, count), count, exponent);
}

function fixed(value, wish) {
  if (Math.abs(value) >= EXACT) return scientific(value, 6);
  const decimals = Math.min(wish, KNOWN);
  const known = read(value, KNOWN);
  const keep = known.exponent + 1 + decimals;
  const { digits, exponent } = exact(value);
  const figures = keep > KNOWN ? even(digits, exponent + 1 + decimals) : rounded(known.figures, keep);
  const all = figures.padStart(decimals + 1, "0");
  const whole = all.slice(0, all.length - decimals);
  const text = decimals > 0 ? `${whole}.${all.slice(-decimals)}` : whole;
  return grouped((value < 0 && /[1-9]/.test(all) ? "-" : "") + text);
}

function significant(value, wish) {
  const count = clamped(wish);
  const { figures, exponent } = decimal(value, count);
  if (exponent < -4 || exponent >= 15) return scientific(value, count);
  let text = "";
  if (exponent < 0) {
    text = `0.${"0".repeat(-exponent - 1)}${figures}`;
  } else {
    const whole = figures.slice(0, exponent + 1).padEnd(exponent + 1, "0");
    const rest = figures.slice(exponent + 1);
    text = rest === "" ? whole : `${whole}.${rest}`;
  }
  return grouped((value < 0 ? "-" : "") + text);
}

/** As somebody types it, without zeros behind. */
function plain(value) {
  const [mantissa, power] = significant(value, 15).split("e");
  const figures = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return power === undefined ? figures : `${figures}e${power}`;
}

function scientific(value, wish) {
  const { figures, exponent } = decimal(value, clamped(wish));
  const rest = figures.slice(1);
  return `${value < 0 ? "-" : ""}${figures[0]}${rest === "" ? "" : `.${rest}`}e${exponent}`;
}

function si(value, wish) {
  const count = clamped(wish);
  const thousands = Math.floor(decimal(value, count).exponent / 3);
  const prefix = PREFIXES[thousands + UNITY];
  if (prefix === undefined) return [scientific(value, count), ""];
  const power = Number(`1e${Math.abs(3 * thousands)}`);
  return [significant(value / (thousands < 0 ? 1 / power : power), count), prefix];
}

function clamped(digits) {
  return Math.min(Math.max(digits, 1), 17);
}

/** Groups the digits before the decimal point by thousands. */
function grouped(text) {
  const [whole, decimals] = text.split(".");
  const marked = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return decimals === undefined ? marked : `${marked}.${decimals}`;
}
