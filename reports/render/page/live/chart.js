// The chart: the roofs of a platform, what is modelled as filled circles, what was measured as hollow ones.

/** At most so many points are named beside their circles. */
const NAMED = 14;

const four = { style: "si", digits: 4 };

/** The description of a point. */
function figures({ oi, rate, unit, seconds, fastest, bandwidth, isMeasured, counted, condition }) {
  const from = condition && fastest < seconds ? `${formatQuantity(fastest, four, "s")} to ` : "";
  return [`Operational intensity: ${formatNumber(oi, { style: "significant", digits: 4 })} OP/B`, `Rate: ${formatQuantity(rate, four, unit)}`,
    `Time: ${from}${formatQuantity(seconds, four, "s")}`, `Bandwidth: ${formatQuantity(bandwidth, four, "B/s")}${isMeasured && counted ? `, of the bytes that its ${counted} give` : ""}`];
}

/** What is modelled, as points of the chart's. */
function modelled(predictions) {
  return predictions.flatMap(({ precision, prediction }) => prediction.phases.map(({ name, totals }) => {
    const peak = prediction.roofs.peaks[0];
    const unit = peak?.arithmetic.startsWith("int") ? "OP/s" : "FLOP/s";
    const shape = shapeName(prediction.workload);
    // Without its peak, a time holds under a condition, at the lowest peak that there may be; or no rate follows from it.
    const known = totals.bound !== null;
    const conditional = known ? null : totals.conditional;
    const seconds = known ? totals.seconds : conditional?.seconds_to ?? null;
    return {
      label: prediction.phases.length > 1 ? `${shape}, ${name}` : shape, precision, unit, oi: totals.oi, bound: known ? totals.bound : conditional?.bound ?? null,
      flops: totals.flops, bytes: totals.bytes, fastest: conditional?.seconds_from ?? seconds, condition: conditional?.condition ?? null,
      seconds, rate: seconds === null ? null : totals.flops / seconds, bandwidth: seconds === null ? null : totals.bytes / seconds,
      unknown: known || conditional ? null : prediction.roofs.peaks.find((one) => one.unknown)?.unknown ?? null, on: prediction.platform.title, isMeasured: false,
      arithmetic: peak?.arithmetic ?? null,
    };
  }));
}

/** What was measured, or refused, as points of the chart's. */
function measured(points) {
  return points.map(({ workload, precision, predicted, measured: own, reason, sweep }) => ({
    // A record that the store cannot read is unknown.
    label: workload ? shapeName(workload) : "unreadable", precision, unit: predicted?.unit ?? "", oi: predicted?.oi ?? null, bound: null, unknown: reason, sweep,
    arithmetic: own?.measurement.runs[0]?.computed?.arithmetic ?? null,
    on: own?.device ?? null, seconds: own?.seconds ?? null, rate: own?.rate ?? null, bandwidth: own?.bandwidth ?? null, counted: own?.bytes_from ?? null, isMeasured: true,
  }));
}

/** The arithmetic that multiplied, if it is not what the precision's name says. */
function computed({ precision, arithmetic, isMeasured }) {
  return isMeasured && arithmetic && arithmetic !== precision ? `computed in ${precisionName(arithmetic)}` : null;
}

/** The series of points: one for each precision and way of knowing; `under` gives the name of a point's own roof. */
function series(points, under) {
  const all = new Map();
  // Where all are of one shape, what tells them apart is the precision.
  const alike = new Set(points.map(({ label }) => label)).size === 1;
  for (const point of points.filter(({ oi, rate }) => oi !== null && rate !== null)) {
    const name = `${precisionName(point.precision)}, ${point.isMeasured ? `measured on ${point.on}` : point.condition ? "modelled under a condition" : "modelled"}`;
    const look = `${precisionLook(point.precision)}${point.condition ? " conditional" : ""}`;
    if (!all.has(name)) all.set(name, { name, marker: point.isMeasured || point.condition ? "hollow" : "solid", look, points: [] });
    all.get(name).points.push(point);
  }
  return [...all.values()].map((one) => ({
    ...one,
    points: one.points.map((point) => ({
      label: one.points.length > NAMED ? "" : alike ? precisionName(point.precision) : point.label, at: { x: point.oi, y: point.rate }, under: under(point),
      says: [[`${point.label}, ${precisionName(point.precision)}`, computed(point)].filter(Boolean).join(", "), ...figures(point), point.isMeasured ? `Measured on ${point.on}` : `Modelled for ${point.on}`,
        ...(point.condition ? [`Holds if ${point.condition}`] : []), ...(point.unknown ? [point.unknown] : [])],
    })),
  }));
}

/** The roofs with what the predictions were given in place of the platform's figures. */
function withGiven(roofline, predictions) {
  const [first] = predictions;
  if (!first || first.prediction.platform.title !== roofline.title) return roofline;
  const bandwidth = first.prediction.roofs.bandwidth;
  const roofs = roofline.roofs.map((roof) => {
    const own = predictions.find(({ precision }) => precision === roof.precision)?.prediction.roofs.peaks[0];
    const peak = own?.rate ? own.rate.value : roof.peak;
    return { ...roof, peak, ridge: peak === null ? null : peak / bandwidth.value, provenance: own?.rate?.provenance ?? roof.provenance, unknown: peak === null ? roof.unknown : null };
  });
  return { ...roofline, bandwidth, roofs };
}

/** The chart of the chosen points. */
function chartOf(roofline, chosen, precisions, points) {
  const bandwidth = roofline.bandwidth.value;
  const wanted = [chosen, ...precisions.filter((name) => name !== chosen)];
  const roofs = wanted.map((name) => roofline.roofs.find(({ precision }) => precision === name)).filter(Boolean);
  const known = points.filter(({ oi, rate }) => oi !== null && rate !== null);
  const ridges = roofs.map(({ ridge }) => ridge).filter((ridge) => ridge !== null);
  const xs = [...known.map(({ oi }) => oi), ...ridges, 1];
  const [left, right] = [Math.min(...xs) / 4, Math.max(...xs, 10) * 8];
  const ys = [...known.map(({ rate }) => rate), ...roofs.map(({ peak }) => peak).filter((peak) => peak !== null), bandwidth * Math.min(...xs)];
  const memory = formatQuantity(bandwidth, four, "B/s");
  const names = new Map();
  const lines = roofs.flatMap(({ precision, peak, ridge, unit, arithmetic }) => {
    // Formats that run in one arithmetic have one roof.
    if (names.has(arithmetic)) return [];
    names.set(arithmetic, null);
    const style = precision === chosen ? "corrected" : "reference";
    const corner = (x, y) => ({ x, y });
    if (peak === null) return style === "reference" ? [] : [{ name: `${precisionName(precision)}: ${memory}, peak unknown`, style, corners: [corner(left, bandwidth * left), corner(right, bandwidth * right)] }];
    const name = `${precisionName(precision)}: ${formatQuantity(peak, four, unit)}, ${memory}`;
    names.set(arithmetic, name);
    return [{ name, style, unit, corners: [corner(Math.min(left, ridge / 2), bandwidth * Math.min(left, ridge / 2)), corner(ridge, peak), corner(right, peak)] }];
  });
  // A roof applies to a measurement only if the platform is the machine of the measurement.
  const under = ({ arithmetic, isMeasured, on }) => (isMeasured && !roofline.title.startsWith(on) ? null : names.get(arithmetic) ?? null);
  return {
    title: `Roofline of ${roofline.title}`,
    x: { label: "Operational intensity", unit: "OP/B", min: left, max: right },
    y: { label: "Rate", unit: "OP/s", min: Math.min(...ys) / 3, max: Math.max(...ys) * 3 },
    lines, points: series(points, under),
  };
}

/** Notes to read before the chart. */
function aboutChart(roofline, chosen, points) {
  const roof = roofline.roofs.find(({ precision }) => precision === chosen);
  const memory = `${roofline.title}: ${formatQuantity(roofline.bandwidth.value, four, "B/s")} (${roofline.bandwidth.provenance}).`;
  const peak = roof?.peak != null
    ? `${precisionName(chosen)} peak ${formatQuantity(roof.peak, four, roof.unit)} (${roof.provenance}), ridge ${formatNumber(roof.ridge, { style: "significant", digits: 4 })} OP/B.`
    : `${precisionName(chosen)} peak unknown: ${roof?.unknown ?? "nobody says"}.`;
  const devices = [...new Set(points.filter(({ isMeasured, rate }) => isMeasured && rate !== null).map(({ on }) => on))];
  const where = devices.length === 0 ? "" : ` Hollow circles were measured on ${devices.join(" and ")}, whatever the roofs are of.`;
  const conditional = points.some(({ condition, rate }) => condition && rate !== null) ? " Dashed hollow circles are modelled under the condition that the table names." : "";
  return `${memory} ${peak} Filled circles are modelled: the roofline's upper bound.${conditional}${where}`;
}
