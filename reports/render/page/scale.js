// Axes: values to pixels, and where ticks are. The logarithmic one is that of reports/render/src/formats/svg/scale.rs.

class LogScale {
  constructor(min, max, from, to) {
    Object.assign(this, { min, max, from, to });
  }

  /** The pixel of a value; NaN for what has no logarithm. */
  pixel(value) {
    const share = Math.log10(value / this.min) / Math.log10(this.max / this.min);
    return this.from + share * (this.to - this.from);
  }

  /** The value at a pixel. */
  value(pixel) {
    return this.min * (this.max / this.min) ** ((pixel - this.from) / (this.to - this.from));
  }

  /** Ticks at 1 to 9 times each power of ten; decades are named, others where there are few decades. */
  ticks() {
    const first = Math.floor(Math.log10(this.min));
    const last = Math.ceil(Math.log10(this.max));
    const span = Math.log10(this.max / this.min);
    const ticks = [];
    if (last - first > 60) return [this.min, this.max].map((value) => ({ at: this.pixel(value), decade: true, label: tickName(value) }));
    for (let decade = first; decade <= last; decade += 1) {
      for (let step = 1; step <= 9; step += 1) {
        const value = Number(`${step}e${decade}`);
        const inside = value >= this.min * (1 - 1e-9) && value <= this.max * (1 + 1e-9);
        const labelled = step === 1 || (span <= 2 && (step === 2 || step === 5)) || span <= 0.8;
        if (inside && (step === 1 || span <= 6)) {
          ticks.push({ at: this.pixel(value), decade: step === 1, label: labelled ? tickName(value) : null });
        }
      }
    }
    return ticks;
  }
}

/** The shortest form, with an SI prefix where the value is large or tiny. */
function tickName(value) {
  if (value >= 1e-3 && value < 1e4) return String(Number(value.toFixed(6)));
  const [figure, prefix] = written(value, { style: "si", digits: 3 });
  const short = figure.includes(".") && !figure.includes("e") ? figure.replace(/\.?0+$/, "") : figure;
  return `${short} ${prefix}`.trimEnd();
}

/** Round steps from 0 to `most`, about `count` of them. */
function evenTicks(most, count) {
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9));
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, at) => at * step);
}
